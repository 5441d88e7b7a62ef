# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which module reaches which operation of the SOAP contract, read from the source.

``python tests/tools/operation_homes.py`` writes docs/soap-operations.md; a unit test fails when it is not what this
would write, or when an operation has no home.

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

HEAD = """# The operations of the SOAP contract

Where each operation is reached. `contract_call` calls every one of them, and whatever else the WSDL describes; the
lookup `contract` calls those that only read. Written by `tests/tools/operation_homes.py`.

| Operation | Inputs | Result | Modules |
|---|---|---|---|
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
    return HEAD + "".join(
        f"| `{row.name}` | {_inputs(row)} | {_code(row.result)} | {_modules(row.name, reached[row.name])} |\n"
        for row in contract()
    )


def _inputs(row: Row) -> str:
    return "" if row.inputs == "-" else ", ".join(part.strip() for part in row.inputs.split(","))


def _code(text: str) -> str:
    return "" if text == "-" else text


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
