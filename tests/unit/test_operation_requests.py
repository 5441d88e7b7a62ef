# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The modules send all operations of the contract to the sandbox, and each message is what the contract's row says."""

from __future__ import annotations

import ast
import collections
import pathlib
import re
import typing as t

import pytest
from operation_scenarios import ODD, PRICE, SHORT, Bench, Sent, Teller, told

from ansible_collections.fcd.cloud.plugins.module_utils._contract.connection import common_fcd
from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.plugins.module_utils._soap.contract import Contract, SchemaField, local

HERE = pathlib.Path(__file__).resolve().parent
ROOM = HERE.parents[1] / "plugins" / "module_utils" / "_contract"
PAGE_SIZE = "100"


class Row(t.NamedTuple):
    """What the contract document says of an operation: its inputs in order with their types, and its result."""

    inputs: dict[str, str]
    result: str


def rows() -> dict[str, Row]:
    lines = (HERE / "sandbox_soap" / "operations.tsv").read_text(encoding="utf-8").splitlines()
    found: dict[str, Row] = {}
    for line in lines:
        if line and not line.startswith("#"):
            name, inputs, result = ("" if cell == "-" else cell for cell in line.split("\t")[:3])
            found[name] = Row(dict(part.split(": ") for part in inputs.split(", ") if part), result)
    return found


ROWS = rows()
READS = ("Get", "Is", "Has", "Verify", "Validate")
PASSWORDS = ("password", "adPassword", "oldPassword", "newPassword")
NIL = "{http://www.w3.org/2001/XMLSchema-instance}nil"
INT = "{http://schemas.microsoft.com/2003/10/Serialization/Arrays}int"
NEVER_NULL = ("int", "long", "boolean", "decimal")
TEXTS = {
    "int": r"-?\d{1,10}",
    "long": r"-?\d{1,19}",
    "boolean": "true|false",
    "decimal": r"-?\d+(\.\d+)?",
    "Consts.DAL.ClientStatus": "[A-Z][A-Za-z]+",
    "Consts.DAL.Dictionary": "[A-Z][A-Za-z]+",
}


class Told(t.NamedTuple):
    """The requests by operation, and all results with their modules."""

    requests: dict[str, list[Sent]]
    results: list[tuple[str, t.Any]]


@pytest.fixture(scope="module")
def requests(tmp_path_factory: pytest.TempPathFactory) -> Told:
    sent, results = told(tmp_path_factory.mktemp("stories"))
    by_operation: dict[str, list[Sent]] = collections.defaultdict(list)
    for one in sent:
        by_operation[one.operation].append(one)
    return Told(by_operation, results)


@pytest.fixture
def bench(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    return Bench(tmp_path, monkeypatch)


def children(node: t.Any) -> dict[str, t.Any]:
    """The children of an element by their local names; none comes twice."""
    found = [(child.tag.rpartition("}")[2], child) for child in node]
    assert len(dict(found)) == len(found)
    return dict(found)


def fits(node: t.Any, kind: str) -> bool:
    """Whether an element holds what the type of the contract asks for."""
    plain = kind.rstrip("?")
    if node.get(NIL) == "true":
        return kind.endswith("?") or not (plain in NEVER_NULL or plain.startswith("Consts."))
    if plain == "string" or plain in TEXTS:
        return len(node) == 0 and re.fullmatch(TEXTS.get(plain, "(?s).*"), node.text or "") is not None
    if plain == "ArrayOfint":
        return all(child.tag == INT and fits(child, "int") for child in node)
    if plain.startswith("ArrayOf"):
        return not (node.text or "") and {child.tag.rpartition("}")[2] for child in node} <= {plain[len("ArrayOf") :]}
    return not (node.text or "")


def as_the_contract_writes_it(contract: Contract, field: SchemaField) -> str:
    """A member of a message as a row has it, from what our reader made of the WSDL."""
    simple = contract.simple(field.type)
    word = local(field.type) if simple is None or simple.get("enum") else simple["simple"]
    word = re.sub(r"^SearchResultsCollectionOf(\w+)N1P6a4qc$", r"SearchResultsCollection of \1", word)
    null = field.nillable and word in NEVER_NULL
    return f"{word}{'?' if null else ''}"


def test_the_modules_send_what_the_row_says(requests: Told, subtests: pytest.Subtests) -> None:
    assert len(ROWS) == 108
    assert set(requests.requests) == set(ROWS)
    for name, (inputs, _result) in ROWS.items():
        with subtests.test(name):
            sent = requests.requests[name]
            seen: set[str] = set()
            for one in sent:
                found = children(one.element)
                assert list(found) == [key for key in inputs if key in found]
                assert all(fits(found[key], inputs[key]) for key in found), one
                seen |= set(found)
            assert set(inputs) == seen
            for check in (check_search, check_passwords, check_token, check_amounts, check_words):
                check(name, sent)


def test_the_client_takes_what_the_row_says(bench: Bench, subtests: pytest.Subtests) -> None:
    contract, client = Contract(bench.data), common_fcd(bench.task()).client
    for name, (inputs, result) in ROWS.items():
        with subtests.test(name):
            operation = contract.operation(name)
            fields = contract.fields(operation.input[1])
            assert operation.output is not None
            assert {field.name: as_the_contract_writes_it(contract, field) for field in fields} == inputs
            assert [field.name for field in fields] == list(inputs)
            answer = [as_the_contract_writes_it(contract, field) for field in contract.fields(operation.output[1])]
            assert answer == ([result] if result else [])
            reads = name.startswith(READS) or name.endswith("Exists")
            assert client.message(name, {}).kind == ("login" if name == "LogonUser" else "read" if reads else "write")


def check_search(name: str, sent: list[Sent]) -> None:
    """Pages of one size; the number from the second on; no sorting and no text of our own."""
    if "searchParams" not in ROWS[name].inputs:
        return
    tasks = [children(one.element[0]) for one in sent]
    assert {page["PageSize"].text for page in tasks if "PageNumber" not in page} == {PAGE_SIZE}
    assert {page["PageSize"].text for page in tasks if "PageNumber" in page} <= {"1", PAGE_SIZE}  # 1: the service's
    assert "PageNumber" not in tasks[0]
    assert any("PageNumber" in page for page in tasks)
    assert {page["SearchText"].text or "" for page in tasks if "SearchText" in page} <= SEARCHED
    sorting = [page for page in tasks if any("sort" in member.lower() for member in page)]
    assert {page["SortingDirection"].text for page in sorting} == ({"Ascending"} if name == "GetNewses" else set())
    assert len(sorting) < len(tasks)


def check_passwords(name: str, sent: list[Sent]) -> None:
    """Every sign arrives, and no length is too short."""
    for member in set(PASSWORDS) & set(ROWS[name].inputs):
        assert {ODD, SHORT} <= {children(one.element)[member].text for one in sent}, member


def check_token(name: str, sent: list[Sent]) -> None:
    """Tokens arrive as they were told."""
    if "token" in ROWS[name].inputs:
        assert all(re.fullmatch("[0-9a-f-]{36}", children(one.element)["token"].text) for one in sent)


def check_amounts(name: str, sent: list[Sent]) -> None:
    """No digit is lost."""
    amounts = [
        node.text for one in sent for node in one.element.iter() if node.tag.rpartition("}")[2].lower() in AMOUNTS
    ]
    assert not amounts or any(text.startswith(PRICE) for text in amounts)


def check_words(name: str, sent: list[Sent]) -> None:
    """Any spelling becomes the word of the WSDL."""
    for member, kind in ROWS[name].inputs.items():
        if kind.startswith("Consts."):
            assert {children(one.element)[member].text for one in sent} == WORDS[member]


AMOUNTS = ("commission", "amount")
WORDS = {"status": {"Suspended", "Active"}, "dictionary": {"VirtualMachineClass", "PrivilegeTypes"}}
SEARCHED = {"", "a", "e", "partner", "reader.0", "reader.1", "second.user", "nobody"}
"""Every text that a story searches for: one that a user gives, or the name of what is looked for."""


def test_no_amount_is_read_as_a_float(requests: Told) -> None:
    """Nothing but the one xs:double of the sandbox, a quantity, is a float in a result."""

    def floats(value: t.Any, path: str) -> t.Iterator[str]:
        parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        for key, part in parts:
            yield from floats(part, str(key) if isinstance(value, dict) else path)
        if isinstance(value, float):
            yield path

    found = [(module, path) for module, result in requests.results for path in floats(result, "")]
    assert set(found) == {("invoice_info", "quantity")}


SECOND = {"user_id": 2, "user_name": "second.user"}
EMPTY: list[tuple[str, dict[str, t.Any], str]] = [
    ("client_user", {"user_name": "second.user", "user_password": "", "update_password": "always"}, "user_password"),
    ("client_user_password", {"action": "set", "new_password": "", **SECOND}, "new_password"),
    (
        "client_user_password",
        {"action": "change", "user_id": 2, "old_password": "", "new_password": "x"},
        "old_password",
    ),
    ("client_user_password", {"action": "change", "sid": "S", "old_password": "x", "new_password": ""}, "new_password"),
    ("client_user_password", {"action": "reset", "token": "", "new_password": "x"}, "token"),
    ("client_user_password", {"action": "reset", "token": "x", "new_password": ""}, "new_password"),
    ("client_user_session", {"action": "logon", "user_name": "second.user", "user_password": ""}, "user_password"),
    ("client_user_session", {"action": "clean_last_logon", "user_name": "u", "user_password": ""}, "user_password"),
    ("client_user_session", {"action": "validate_token", "token": ""}, "token"),
]


@pytest.mark.parametrize(("module", "params", "option"), EMPTY, ids=str)
def test_an_empty_secret_is_refused_before_anything_is_sent(
    bench: Bench, module: str, params: dict[str, t.Any], option: str
) -> None:
    with pytest.raises(errors.InvalidInput, match=f"{option} is empty"):
        Teller(bench)(module, **params)
    assert bench.sent == []


def test_the_rows_that_are_looked_up_are_of_the_type_of_the_result() -> None:
    """Where the code names an operation and a type in one call, the operation returns that type."""
    returned = {name: re.sub("^(ArrayOf|SearchResultsCollection of )", "", row.result) for name, row in ROWS.items()}
    named = {name for name in returned.values() if name[:1].isupper()}
    checked = 0
    for file in ROOM.rglob("*.py"):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        tables = {node.targets[0].id: node.value for node in tree.body if is_named_rows(node)}
        for call in ast.walk(tree):
            if isinstance(call, ast.Call):
                words = {word.value for word in parts_of(call, tables) if is_text(word)}
                for operation in words & set(returned):
                    types = words & named - {operation}
                    assert types <= {returned[operation]}, (file.name, operation)
                    checked += len(types)
    assert checked > 30


def is_named_rows(node: ast.AST) -> t.TypeGuard[t.Any]:
    """Whether it gives a name to a ``RowType``, whose first part is the type."""
    return isinstance(node, ast.Assign) and is_rows(node.value)


def is_rows(node: ast.AST | None) -> t.TypeGuard[ast.Call]:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "RowType"


def parts_of(call: ast.Call, tables: dict[str, ast.Call]) -> t.Iterator[ast.AST]:
    """What is given in a call; of a ``RowType`` the type."""
    for part in (*call.args, *(key.value for key in call.keywords)):
        rows = tables.get(part.id) if isinstance(part, ast.Name) else part
        yield rows.args[0] if is_rows(rows) else part


def is_text(node: ast.AST) -> t.TypeGuard[ast.Constant]:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)
