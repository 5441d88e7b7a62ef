# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the contract document says of each operation, and which module reaches it, read from the source.

``python tests/tools/operation_homes.py`` writes docs/soap-operations.md; unit tests fail when it is not what this would
write, when an operation has no home, or when the modules send something else than the page says.

A module reaches an operation when a definition in ``_contract`` that its ``OPERATION`` uses, directly or not, names it.
"""

from __future__ import annotations

import ast
import functools
import typing as t
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PLUGINS = ROOT / "plugins"
OURS = "ansible_collections.fcd.cloud.plugins."
CONTRACT = ROOT / "tests" / "unit" / "sandbox_soap" / "operations.tsv"
ROOM = PLUGINS / "module_utils" / "_contract"
PROMISED = ROOM / "promised_records.py"
"""Lays what check mode promises over what modules read: it names operations that they reach, and calls none itself."""
PAGE = ROOT / "docs" / "soap-operations.md"
NAMED_ONLY = {
    "GetDictionaryItems": ("client_user", "client_user_info"),  # a hint names what its input may be
    "GetUserBySid": ("client_user_password",),
    "GetClientDefaultUserSimple": ("client_user_password",),  # both are in the class that finds users by login
}
"""What a definition that a module uses names, although the module never sends it."""

GENERAL = {
    "UpdateCpHistory": "nothing in the contract reads the record that it changes, so there is no state to declare",
}
"""Operations for which the general module is the right home, and why."""

WHOLE_SITES = ("site", "site_export", "site_report", "site_state", "site_validate")
"""Modules that work through the others; they would stand beside nearly every operation."""

CUT_OFF = {"GetTemplatesByCategory": 1}
"""How many inputs the contract shows of an operation in whose row it ends; the table of the sandbox goes on from what
clients were seen to send."""
NOT_SHOWN = "not shown"

READS = ("Get", "Is", "Has", "Verify", "Validate")
LOG_IN = "LogonUser"
PASSWORDS = ("password", "adPassword", "oldPassword", "newPassword")
AMOUNTS = ("ClientFixedAmount", "Invoice", "Pricelist", "decimal")

HEAD = """# The operations of the SOAP contract

What the contract document says of each operation, and where it is reached. `contract_call` calls every one of them, and
whatever else the WSDL describes; the lookup `contract` calls those of the kind `read`. Written by
`tests/tools/operation_homes.py`; `tests/unit/test_operation_requests.py` compares each row with what the modules send.

**Inputs** stand in the order of the message. Each may be left out. Texts, lists and structures may be null, and so may
numbers and booleans with a `?`. **Kind** goes by the name, since the contract does not tell it: a `read` is sent again
when its answer is lost, a `write` and a `log-in` never.

**Not shown** names what the contract does not tell. Nothing is assumed there: the service's WSDL says what there is.

- `search`: the members of the search input and of the page, so page size, page number and where it begins, total, field
  and direction of sorting, and what a search text is compared with. Sent are `PageSize` 100 and, from the second page
  on, `PageNumber` with the size that the first page had; a text as it was given, and nothing of sorting but what
  `filters` gives. Rows come in the order of the service. Where a module looks for one thing, it compares the rows
  itself, and their order decides nothing.
- `password`: the rules for passwords. Sent as given, every sign of it; an empty one is refused before.
- `token`: format and lifetime of tokens. Sent as given; an empty one is refused before.
- `amounts`: of prices and amounts the members, types, kinds and currency; of a commission what it is counted in. A
  decimal number is sent with every digit that was given, and stays text when it is read.
- `values`: those of the enumeration. The WSDL's, by name; any spelling of it is taken.
- `inputs`: the contract document ends in this row.

The members of all other structures are not shown either; `soap_member_map` can name one that is not found by itself.

| Operation | Inputs | Result | Kind | Not shown | Modules |
|---|---|---|---|---|---|
"""


class Row(t.NamedTuple):
    """One line of the contract's tables."""

    name: str
    inputs: str
    result: str


def contract() -> list[Row]:
    """Return the operations of the contract, in its order."""
    lines = CONTRACT.read_text(encoding="utf-8").splitlines()
    return [Row(*line.split("\t")[:3]) for line in lines if line and not line.startswith("#")]


@functools.lru_cache(maxsize=None)
def homes() -> dict[str, list[str]]:
    """Return the modules that reach each operation."""
    names = {row.name for row in contract()}
    found: dict[str, list[str]] = {name: [] for name in sorted(names)}
    modules = [module for module in (PLUGINS / "modules").glob("*.py") if module.stem not in WHOLE_SITES]
    for module in sorted(modules):
        for name in sorted(_reached(module, names)):
            if module.stem not in NAMED_ONLY.get(name, ()):
                found[name].append(module.stem)
    return found


def page() -> str:
    """Return the page."""
    reached = homes()
    return HEAD + "".join(_line(row, _modules(row.name, reached[row.name])) for row in contract())


def _line(row: Row, modules: str) -> str:
    inputs = [] if row.inputs == "-" else [part.strip() for part in row.inputs.split(",")]
    result = "" if row.result == "-" else row.result
    if row.name in CUT_OFF:
        inputs, result = [*inputs[: CUT_OFF[row.name]], f"further ones {NOT_SHOWN}"], NOT_SHOWN
    cells = (f"`{row.name}`", ", ".join(inputs), result, _kind(row.name), ", ".join(_left_open(row)), modules)
    return f"| {' | '.join(cells)} |\n"


def _kind(name: str) -> str:
    if name == LOG_IN:
        return "log-in"
    return "read" if name.startswith(READS) or name.endswith("Exists") else "write"


def _left_open(row: Row) -> list[str]:
    """Return in one word each what the contract does not show of an operation."""
    inputs = [part.partition(": ") for part in row.inputs.split(", ")]
    names, types = [name for name, _, _ in inputs], [kind for _, _, kind in inputs]
    open_ = {
        "search": any(kind.endswith("SearchParams") for kind in types),
        "password": any(name in PASSWORDS for name in names),
        "token": "token" in names,
        "amounts": any(word in kind for word in AMOUNTS for kind in (*types, row.result)),
        "values": any(kind.startswith("Consts.") for kind in types),
        "inputs": row.name in CUT_OFF,
    }
    return [f"`{word}`" for word, holds in open_.items() if holds]


def _modules(name: str, modules: t.Sequence[str]) -> str:
    if name in GENERAL:
        return f"`contract_call`: {GENERAL[name]}"
    return ", ".join(f"`{module}`" for module in modules)


def _reached(module: Path, names: t.Collection[str]) -> set[str]:
    said: set[str] = set()
    for file, name in _needed((module, "OPERATION")):
        node = _definitions(file).get(name)
        if node is not None and _counts(file):
            said |= _texts(node)
    return said & set(names)


@functools.lru_cache(maxsize=None)
def _counts(file: Path) -> bool:
    return ROOM in file.parents and file != PROMISED


class Place(t.NamedTuple):
    """Where something is defined: a file below plugins, and a name on its top level."""

    file: Path
    name: str


def _needed(start: tuple[Path, str]) -> set[Place]:
    """Return all definitions below module_utils that a definition uses, directly or not."""
    found: set[Place] = set()
    left = list(_uses(Place(*start)))
    while left:
        place = left.pop()
        if place not in found:
            found.add(place)
            left += _uses(place)
    return found


@functools.lru_cache(maxsize=None)
def _uses(place: Place) -> set[Place]:
    """Return the definitions whose names stand in a definition."""
    definitions = _definitions(place.file)
    node = definitions.get(place.name)
    known = _imported(place.file)
    if node is None:
        return {known[place.name]} if place.name in known else set()
    inside = list(ast.walk(node))
    known = {**known, **_imports(place.file, inside)}
    names = {one.id for one in inside if isinstance(one, ast.Name)}
    here = {Place(place.file, name) for name in names & set(definitions) - set(known)}
    return here | {known[name] for name in names & set(known)}


@functools.lru_cache(maxsize=None)
def _tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


@functools.lru_cache(maxsize=None)
def _definitions(file: Path) -> dict[str, ast.AST]:
    """Return what stands on the top level of a file, by its names."""
    found: dict[str, ast.AST] = {}
    for node in _tree(file).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found[node.name] = node
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = [one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name)]
            found.update(dict.fromkeys(names, node))
    return found


@functools.lru_cache(maxsize=None)
def _imported(file: Path) -> dict[str, Place]:
    """Return what a file imports on its top level."""
    return _imports(file, _tree(file).body)


def _imports(file: Path, nodes: t.Iterable[ast.AST]) -> dict[str, Place]:
    """Return what the import statements among these nodes bind, as far as it is ours."""
    found: dict[str, Place] = {}
    for node in nodes:
        if isinstance(node, ast.ImportFrom):
            source = _source(file, node)
            if source is not None and source.is_file():
                found.update({alias.asname or alias.name: Place(source, alias.name) for alias in node.names})
    return found


def _source(file: Path, node: ast.ImportFrom) -> Path | None:
    module = node.module or ""
    if node.level:
        return file.parents[node.level - 1].joinpath(*module.split(".")).with_suffix(".py")
    return (
        PLUGINS.joinpath(*module.removeprefix(OURS).split(".")).with_suffix(".py") if module.startswith(OURS) else None
    )


@functools.lru_cache(maxsize=None)
def _texts(node: ast.AST) -> set[str]:
    """Return the texts in a definition."""
    return {one.value for one in ast.walk(node) if isinstance(one, ast.Constant) and isinstance(one.value, str)}


if __name__ == "__main__":
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page(), encoding="utf-8")
