# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The YAML of this tree, read with the C loader where there is one; a module's documentation only once a process."""

from __future__ import annotations

import ast
import functools
import typing as t
from pathlib import Path

import yaml

MODULES = Path(__file__).resolve().parents[2] / "plugins" / "modules"
SHARED = ("_waiting", "_site")
"""Doc fragments with options of modules, those of connections aside."""
LOADER: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def load(text: str) -> t.Any:
    """Return what one YAML document says."""
    return yaml.load(text, LOADER)


def of_file(file: Path) -> t.Any:
    """Return what a file with one YAML document says."""
    return load(file.read_text(encoding="utf-8"))


@functools.lru_cache(maxsize=None)
def documentation(module: str) -> dict[str, t.Any]:
    """Return the DOCUMENTATION of a module, the same object each time. Raises LookupError where there is none."""
    return _constant((MODULES / f"{module}.py"), "DOCUMENTATION")


def results_of(module: str) -> dict[str, t.Any]:
    """Return the RETURN of a module."""
    return _constant((MODULES / f"{module}.py"), "RETURN")


def options_of(module: str) -> dict[str, t.Any]:
    """Return the options that a module documents itself or by a fragment, those of connections aside."""
    own = documentation(module)
    shared = {}
    for name in own["extends_documentation_fragment"]:
        fragment, part = [*name.split(".")[2:], "documentation"][:2]
        if fragment in SHARED:
            shared.update(_constant(MODULES.parent / "doc_fragments" / f"{fragment}.py", part.upper())["options"])
    return {**own["options"], **shared}


def _constant(file: Path, name: str) -> dict[str, t.Any]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == name:
            found: dict[str, t.Any] = load(ast.literal_eval(node.value))
            return found
    raise LookupError(f"{file} has no {name}")
