# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Each row of docs/soap-operations.md is compared with the requests that the modules send."""

from __future__ import annotations

import ast
import collections
import pathlib
import re
import sys
import typing as t

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "tools")]

import operation_homes
from operation_stories import ODD, PRICE, SHORT, Bench, Sent, Teller, told

from ansible_collections.fcd.cloud.plugins.module_utils._contract.api import common_fcd
from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.plugins.module_utils._soap.contract import Contract, SchemaField, local

PAGE = operation_homes.PAGE.read_text(encoding="utf-8")
ROWS = {
    cells[0].strip("`"): cells[1:]
    for line in PAGE.splitlines()
    if line.startswith("| `")
    for cells in [[cell.strip() for cell in line.strip("|").split(" | ")]]
}
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


def inputs(name: str) -> tuple[dict[str, str], bool]:
    """The inputs of a row with their types, in order, and whether the contract shows all of them."""
    parts = [part for part in ROWS[name][0].split(", ") if part]
    shown = dict(part.split(": ") for part in parts if ": " in part)
    return t.cast("dict[str, str]", shown), len(shown) == len(parts)


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


def test_the_page_has_all_operations() -> None:
    assert list(ROWS) == [row.name for row in operation_homes.contract()]


@pytest.mark.parametrize("name", ROWS)
def test_the_modules_send_what_the_row_says(name: str, requests: Told) -> None:
    _inputs, _result, _kind, left_open, modules = ROWS[name]
    sent = requests.requests[name]
    assert {one.module for one in sent} == set(re.findall(r"`(\w+)`", modules.partition(":")[0]))
    shown, complete = inputs(name)
    seen: set[str] = set()
    for one in sent:
        found = children(one.element)
        assert [key for key in shown if key in found] == list(found)[: len(set(found) & set(shown))], name
        assert not complete or set(found) <= set(shown)
        assert all(fits(found[key], shown[key]) for key in found if key in shown), one
        seen |= set(found)
    assert set(shown) <= seen
    for word in re.findall(r"`(\w+)`", left_open):
        OPEN[word](name, sent)


@pytest.mark.parametrize("name", ROWS)
def test_the_client_takes_what_the_row_says(name: str, bench: Bench) -> None:
    contract = Contract(bench.data)
    operation = contract.operation(name)
    typed = {field.name: as_the_contract_writes_it(contract, field) for field in contract.fields(operation.input[1])}
    shown, complete = inputs(name)
    assert list(typed.items())[: len(shown)] == list(shown.items())
    result, kind = ROWS[name][1:3]
    if complete:
        assert len(typed) == len(shown)
        assert operation.output is not None
        answer = [as_the_contract_writes_it(contract, field) for field in contract.fields(operation.output[1])]
        assert answer == ([result] if result else [])
    assert common_fcd(bench.task()).client.message(name, {}).kind == kind.replace("-", "")


def check_search(name: str, sent: list[Sent]) -> None:
    """Pages of one size; the number from the second on; no sorting and no text of our own."""
    (size,) = re.findall(r"`PageSize` (\d+)", PAGE)
    tasks = [children(one.element[0]) for one in sent]
    assert {page["PageSize"].text for page in tasks if "PageNumber" not in page} == {size}
    assert {page["PageSize"].text for page in tasks if "PageNumber" in page} <= {"1", size}  # 1: the service's largest
    assert "PageNumber" not in tasks[0]
    assert any("PageNumber" in page for page in tasks), name
    assert {page["SearchText"].text or "" for page in tasks if "SearchText" in page} <= SEARCHED
    sorting = [page for page in tasks if any("sort" in member.lower() for member in page)]
    assert {page["SortingDirection"].text for page in sorting} == ({"Ascending"} if name == "GetNewses" else set())
    assert len(sorting) < len(tasks)


def check_password(name: str, sent: list[Sent]) -> None:
    """Every sign arrives, and no length is too short."""
    for member in operation_homes.PASSWORDS:
        arrived = {children(one.element)[member].text for one in sent if member in children(one.element)}
        assert not arrived or {ODD, SHORT} <= arrived, (name, member)


def check_token(name: str, sent: list[Sent]) -> None:
    """Tokens arrive as they were told."""
    assert all(re.fullmatch("[0-9a-f-]{36}", children(one.element)["token"].text) for one in sent), name


def check_amounts(name: str, sent: list[Sent]) -> None:
    """No digit is lost."""
    amounts = [
        node.text for one in sent for node in one.element.iter() if node.tag.rpartition("}")[2].lower() in AMOUNTS
    ]
    assert not amounts or any(text.startswith(PRICE) for text in amounts), name


def check_values(name: str, sent: list[Sent]) -> None:
    """Any spelling becomes the word of the WSDL."""
    (member, words), *others = [(member, words) for member, words in WORDS.items() if member in inputs(name)[0]]
    assert not others
    assert {children(one.element)[member].text for one in sent} == words


def check_inputs(name: str, sent: list[Sent]) -> None:
    """What the contract does not show goes only where the user gives it."""
    given = [set(children(one.element)) - set(inputs(name)[0]) for one in sent]
    assert given == [{"categorySystemId", "type", "clientId"}]


AMOUNTS = ("commission", "amount")
WORDS = {"status": {"Suspended", "Active"}, "dictionary": {"VirtualMachineClass"}}
SEARCHED = {"", "a", "e", "partner", "reader.0", "reader.1", "second.user", "nobody"}
"""Every text that a story searches for: one that a user gives, or the name of what is looked for."""
OPEN: dict[str, t.Callable[[str, list[Sent]], None]] = {
    "search": check_search,
    "password": check_password,
    "token": check_token,
    "amounts": check_amounts,
    "values": check_values,
    "inputs": check_inputs,
}


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
    returned = {name: re.sub("^(ArrayOf|SearchResultsCollection of )", "", row[1]) for name, row in ROWS.items()}
    named = {name for name in returned.values() if name[:1].isupper()}
    checked = 0
    for file in (ROOT / "plugins" / "module_utils" / "_contract").rglob("*.py"):
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
    """Whether it gives a name to a ``Rows``, whose first part is the type."""
    return isinstance(node, ast.Assign) and is_rows(node.value)


def is_rows(node: ast.AST | None) -> t.TypeGuard[ast.Call]:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Rows"


def parts_of(call: ast.Call, tables: dict[str, ast.Call]) -> t.Iterator[ast.AST]:
    """What is given in a call; of a ``Rows`` the type."""
    for part in (*call.args, *(key.value for key in call.keywords)):
        rows = tables.get(part.id) if isinstance(part, ast.Name) else part
        yield rows.args[0] if is_rows(rows) else part


def is_text(node: ast.AST) -> t.TypeGuard[ast.Constant]:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)
