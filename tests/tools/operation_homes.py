# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the contract document says of each operation, and which module reaches it, read from the source.

``python tests/tools/operation_homes.py`` writes docs/soap-operations.md; unit tests fail when it is not what this would
write, when an operation has no home, or when the modules send something else than the page says.

A module reaches an operation when what it imports in ``_resources`` names it, or calls a method of ``_api`` that does.
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
PAGE = ROOT / "docs" / "soap-operations.md"

GENERAL = {
    "UpdateCpHistory": "nothing in the contract reads the record that it changes, so there is no state to declare",
}
"""Operations for which the general module is the right home, and why."""

WHOLE_SITES = ("site", "site_info", "site_report", "site_validate")
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


def homes() -> dict[str, list[str]]:
    """Return the modules that reach each operation."""
    names = {row.name for row in contract()}
    found: dict[str, list[str]] = {name: [] for name in sorted(names)}
    modules = [module for module in (PLUGINS / "modules").glob("*.py") if module.stem not in WHOLE_SITES]
    for module in sorted(modules):
        for name in sorted(_reached(module, names)):
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
    files = _imported(module)
    resources = [file for file in files if "_resources" in file.parts]
    said = {text for file in resources for text in _words(file).texts}
    called = {word for file in resources for word in _words(file).attributes}
    methods = _methods()
    return {*said, *(text for word in called for text in methods.get(word, ()))} & set(names)


def _imported(start: Path) -> set[Path]:
    """Return the files that a face imports below module_utils, directly or not."""
    found: set[Path] = set()
    left = [start]
    while left:
        for file in _words(left.pop()).imports - found:
            found.add(file)
            left.append(file)
    return found


class _Words(t.NamedTuple):
    """What a file imports of ours, the texts in it, and the names that stand after a dot."""

    imports: set[Path]
    texts: set[str]
    attributes: set[str]


@functools.lru_cache(maxsize=None)
def _words(file: Path) -> _Words:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    nodes = list(ast.walk(tree))
    imports = {path for node in nodes if isinstance(node, ast.ImportFrom) for path in _targets(file, node)}
    texts = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return _Words(imports, texts, {node.attr for node in nodes if isinstance(node, ast.Attribute)})


def _targets(file: Path, node: ast.ImportFrom) -> t.Iterator[Path]:
    if node.level:
        folder = file.parents[node.level - 1]
    elif (node.module or "").startswith(OURS):
        folder = PLUGINS
    else:
        return
    parts = (node.module or "").removeprefix(OURS if not node.level else "").split(".") if node.module else []
    place = folder.joinpath(*parts)
    for candidate in (place, *(place / alias.name for alias in node.names)):
        if candidate.with_suffix(".py").is_file():
            yield candidate.with_suffix(".py")


@functools.lru_cache(maxsize=None)
def _methods() -> dict[str, set[str]]:
    """Return the texts in each method of ``_api``, by its name."""
    found: dict[str, set[str]] = {}
    for file in (PLUGINS / "module_utils" / "_api").glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                texts = {one.value for one in ast.walk(node) if isinstance(one, ast.Constant)}
                found.setdefault(node.name, set()).update(text for text in texts if isinstance(text, str))
    return found


if __name__ == "__main__":
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page(), encoding="utf-8")
