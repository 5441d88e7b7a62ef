# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The layer rule: imports point down, and each outside library is imported in its own place only.

CONTRIBUTING.md has the drawing. Late imports inside functions count too, and so does ``require("library")``.
"""

from __future__ import annotations

import ast
import sys
import typing as t
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PLUGINS = ROOT / "plugins"
OURS = ("ansible_collections", "fcd", "cloud", "plugins")

BELOW = {
    "_core": set(),
    "_engine": {"_core"},
    "_http": {"_core"},
    "_soap": {"_core", "_http"},
    "_connection": {"_core", "_engine", "_http"},
    "_infrastructure": {"_core", "_engine", "_http", "_connection"},
    "_object_storage": {"_core", "_engine", "_http", "_connection"},
    "_contract": {"_core", "_engine", "_http", "_soap", "_connection"},
    "_orchestration": {"_core", "_engine", "_http", "_connection", "_infrastructure", "_object_storage"},
    "_site_export": {"_core", "_engine", "_connection", "_infrastructure", "_object_storage", "_contract"},
    "_ansible": {"_core", "_connection", "_object_storage"},
}
"""What each room of module_utils may import, itself aside. No service's room imports another's."""

SERVICES = ("_infrastructure", "_object_storage", "_contract", "_orchestration", "_site_export")
FACES = {
    "modules": {"module_utils._ansible", *(f"module_utils.{room}" for room in SERVICES)},
    "action": {"plugin_utils", "modules", *(f"module_utils.{room}" for room in SERVICES)},
}
"""What the thin faces may import; lookups and plugin_utils stand above all rooms."""

HOMES = {
    "ansible": ("modules/", "action/", "filter/", "inventory/", "lookup/", "plugin_utils/", "module_utils/_ansible/"),
    "certifi": ("module_utils/_http/standard_adapter.py",),
    "cryptography": ("plugin_utils/_run_promises.py",),
    "jinja2": ("plugin_utils/site/report/", "plugin_utils/site/secret_sources.py"),
    "lxml": ("module_utils/_soap/",),
    "requests": ("module_utils/_http/requests_adapter.py",),
    "urllib3": ("module_utils/_http/requests_adapter.py",),
    "yaml": ("module_utils/_connection/profiles.py", "plugin_utils/site/site_yaml.py"),
    "zeep": ("module_utils/_soap/wsdl.py",),
}
"""Where each outside library may be imported; any other library may not be imported at all."""

BLUNT = {"base", "common", "helper", "helpers", "manager", "misc", "util", "utils"}

FILES = sorted(str(file.relative_to(PLUGINS)) for file in PLUGINS.rglob("*.py"))


def imported(name: str, source: str) -> t.Iterator[tuple[str, ...]]:
    """Yield the dotted names that the file ``name`` (relative to plugins/) imports, relative ones made absolute."""
    package = (*OURS, *Path(name).parent.parts)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (tuple(alias.name.split(".")) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            start = package[: len(package) + 1 - node.level] if node.level else ()
            module = (*start, *(node.module or "").split(".")) if node.module else start
            yield from ((*module, alias.name) for alias in node.names)
        elif isinstance(node, ast.Call) and _called(node) in {"require", "import_module", "__import__"}:
            first = node.args[0] if node.args else None
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                yield tuple(first.value.split("."))


def _called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def breaches(name: str, source: str) -> list[str]:
    """Return what the file imports against the rule."""
    return [f"{name} imports {'.'.join(target)}" for target in imported(name, source) if not _allowed(name, target)]


def _allowed(name: str, target: tuple[str, ...]) -> bool:
    if target[:4] == OURS:
        return _allowed_inside(Path(name).parts, target[4:])
    if target[0] == "ansible_collections":
        return False
    if target[0] in sys.stdlib_module_names:
        return True
    return any(name.startswith(home) for home in HOMES.get(target[0], ()))


def _allowed_inside(name: tuple[str, ...], target: tuple[str, ...]) -> bool:
    if name[0] == "module_utils":
        return target[0] == "module_utils" and target[1] in {name[1], *BELOW.get(name[1], ())}
    if name[0] in FACES:
        place = ".".join(target[:2]) if target[0] == "module_utils" else target[0]
        return place in FACES[name[0]]
    return target[0] in {"module_utils", "plugin_utils"}


def test_imports_point_down() -> None:
    assert [line for name in FILES for line in breaches(name, (PLUGINS / name).read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize(
    ("name", "line", "right"),
    [
        ("module_utils/_engine/plan.py", "from .._core.errors import Conflict", True),
        ("module_utils/_engine/plan.py", "from .fields import Field", True),
        ("module_utils/_engine/plan.py", "from .._connection.task import Task", False),
        ("module_utils/_engine/plan.py", "def f():\n    from .._infrastructure import token", False),
        (
            "module_utils/_core/errors.py",
            "import ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.api",
            False,
        ),
        ("module_utils/_core/errors.py", "from ..  import _engine", False),
        ("module_utils/_core/errors.py", "import json, requests", False),
        ("module_utils/_infrastructure/token.py", "from .._soap.client import SoapClient", False),
        ("module_utils/_infrastructure/token.py", "from .._contract.api import CommonFcd", False),
        ("module_utils/_infrastructure/token.py", "from .._ansible.execution import argument_spec", False),
        ("module_utils/_ansible/execution.py", "from .._infrastructure.token import OPERATION", False),
        ("module_utils/_ansible/execution.py", "from ansible.module_utils.basic import AnsibleModule", True),
        ("module_utils/_connection/task.py", "from ansible.module_utils.basic import AnsibleModule", False),
        ("module_utils/_http/requests_adapter.py", "requests = require('requests')", True),
        ("module_utils/_http/retries.py", "requests = require('requests')", False),
        ("module_utils/_http/retries.py", "urllib3 = importlib.import_module('urllib3.util')", False),
        ("module_utils/_soap/codec.py", "from lxml import etree", True),
        ("module_utils/_soap/codec.py", "import zeep.xsd", False),
        ("module_utils/_soap/wsdl.py", "import zeep.xsd", True),
        ("module_utils/_connection/credentials.py", "from lxml import etree", False),
        ("module_utils/_connection/credentials.py", "import boto3", False),
        (
            "modules/token.py",
            "from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.token import X",
            True,
        ),
        (
            "modules/token.py",
            "from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import X",
            False,
        ),
        ("modules/token.py", "import requests", False),
        ("action/token.py", "from ansible_collections.fcd.cloud.plugins.plugin_utils._twin import TwinAction", True),
        ("lookup/token.py", "from ansible_collections.fcd.cloud.plugins.modules.token import x", False),
        ("lookup/token.py", "from ansible_collections.community.general.plugins.module_utils import x", False),
    ],
)
def test_the_rule_sees(name: str, line: str, right: bool) -> None:
    assert (breaches(name, line) == []) is right


def test_module_utils_has_only_private_folders() -> None:
    inside = {entry.name for entry in (PLUGINS / "module_utils").iterdir()} - {"__init__.py", "__pycache__"}
    assert inside == set(BELOW)


def test_each_package_says_that_it_is_one() -> None:
    """Without it pylint takes a file for the module of the standard library that has its name."""
    inside = [name for name in FILES if name.startswith("module_utils/")]
    assert [name for name in inside if not (PLUGINS / name).with_name("__init__.py").exists()] == []


def test_files_are_named_for_one_thing() -> None:
    nouns = {file.stem for file in (PLUGINS / "modules").glob("*.py")}
    stems = {name: Path(name).stem.lstrip("_") for name in FILES if not name.endswith("__init__.py")}
    assert [name for name, stem in stems.items() if stem in BLUNT or stem in sys.stdlib_module_names - nouns] == []
