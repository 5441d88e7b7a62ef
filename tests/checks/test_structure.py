# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The drawing in CONTRIBUTING.md holds: imports, outside libraries, names of files, and no code that nothing uses.

ruff limits the complexity of a function.
"""

from __future__ import annotations

import ast
import collections
import re
import sys
import typing as t
from pathlib import Path

import grimp
import workspace

from checks.programs import run

PLUGINS = workspace.CHECKOUT / "plugins"
FILES = sorted(file for file in PLUGINS.rglob("*.py"))
PROGRAMS = Path(sys.executable).parent

IMPORTED_IN = {
    "ansible": ("modules/", "action/", "filter/", "inventory/", "lookup/", "plugin_utils/", "module_utils/_ansible/"),
    "certifi": ("module_utils/_http/standard_adapter.py",),
    "cryptography": ("plugin_utils/_check_mode_run.py", "plugin_utils/site/site_key.py"),
    "jinja2": ("plugin_utils/site/report/", "plugin_utils/site/read/secret_sources.py"),
    "lxml": ("module_utils/_soap/",),
    "requests": ("module_utils/_http/requests_adapter.py",),
    "urllib3": ("module_utils/_http/requests_adapter.py",),
    "yaml": ("module_utils/_connection/profiles.py", "plugin_utils/site/read/site_yaml.py"),
    "zeep": ("module_utils/_soap/wsdl.py",),
}
"""Where each outside library may be imported; any other library may not be imported at all."""

BY_NAME = re.compile(r'\b(?:require|import_module)\("([a-z]\w*)')
FOUND_BY_NAME = (
    *("ActionModule", "FilterModule", "InventoryModule", "LookupModule", "ModuleDocFragment"),
    *("DOCUMENTATION", "EXAMPLES", "RETURN", "ACTING", "CONTROLLER"),  # Ansible
    *("chunk*", "_read_next_chunk_size", "_read_and_discard_trailer", "response_class"),  # http.client
    *("protocol_version", "close_connection", "log_message"),  # http.server
    *("buffer_*", "*Handler", "_close_session", "load"),  # expat, zeep
    *("client_pricelists", "client_users", "ip_addresses", "private_networks", "ssh_keys"),  # kinds of entries
    *("group_autoscalers", "instance_autoscalers"),
    *("group_schedules", "instance_groups", "instance_schedules", "load_balancers"),
    *("health_checks", "health_check_notifications"),
    *("storage_containers", "storage_objects", "warehouses"),
)
"""What others find by its name: libraries that call it, and the export, which asks for a kind of entries."""

TRUSTED = {
    "plugin_utils/site/plan/plan_policies.py": ["_expression(expression)", "message"],  # of the user's policies
    "plugin_utils/site/read/site_reader.py": ["str(text)"],  # of the user's site file
}
"""All that Ansible is told to evaluate, which is written by the user."""

BLUNT = {"base", "common", "helper", "helpers", "manager", "misc", "util", "utils"}


def relative(file: Path) -> str:
    return str(file.relative_to(PLUGINS))


def texts(word: str) -> dict[str, str]:
    """Return the texts of those files in which a word stands."""
    found = {relative(file): file.read_text(encoding="utf-8") for file in FILES}
    return {name: text for name, text in found.items() if word in text}


def test_imports_point_down() -> None:
    run(PROGRAMS / "lint-imports", ".importlinter", "--no-cache")


def test_imports_form_no_circle() -> None:
    """Those for types alone, and those inside functions, count too."""
    graph = grimp.build_graph("ansible_collections.fcd.cloud.plugins", cache_dir=None)
    circles = {
        frozenset((module, imported))
        for module in graph.modules
        for imported in graph.find_modules_directly_imported_by(module)
        if imported != module and graph.chain_exists(imported, module)
    }
    assert sorted(map(sorted, circles)) == []


def outside(text: str) -> set[str]:
    """Return the outside libraries that a file imports, late ones and those by name too."""
    names = set(BY_NAME.findall(text))
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.partition(".")[0])
    return names - sys.stdlib_module_names - {"ansible_collections"}


def test_each_outside_library_is_imported_in_its_place() -> None:
    astray = [
        f"{file} imports {name}"
        for file, text in texts("import").items()
        for name in outside(text)
        if not file.startswith(IMPORTED_IN.get(name, ("nowhere",)))
    ]
    assert astray == []


def test_files_are_read_by_one_function() -> None:
    """It never waits, as it would for a pipe. All others write, or read what the kernel or this collection provides."""
    others = {
        "module_utils/_core/private_files.py": 2,
        "module_utils/_connection/task.py": 1,
        "module_utils/_object_storage/leases.py": 1,
        "module_utils/_object_storage/source_file.py": 1,
    }
    found = collections.Counter(
        file
        for file, text in texts("open(").items()
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "open"
    )
    assert found == others


def test_the_home_folder_is_found_by_one_function() -> None:
    assert [*texts("expanduser(")] == ["module_utils/_core/home.py"]


def test_outside_libraries_are_found() -> None:
    text = 'import json\nimport boto3.x\ndef f():\n    from lxml import etree\n    x = require("zeep.xsd")\n'
    assert outside(text) == {"boto3", "lxml", "zeep"}


def test_nothing_is_unused() -> None:
    """Tests do not count: what only they use is deleted with them."""
    run(PROGRAMS / "vulture", "plugins", "--min-confidence", "60", "--ignore-names", ",".join(FOUND_BY_NAME))


def test_only_texts_of_the_user_are_trusted() -> None:
    """By a call, or by a keyword or an attribute that means it."""
    assert {file: sorted(found) for file, text in texts("rust").items() if (found := [*trusted(text)])} == TRUSTED


def trusted(text: str) -> t.Iterator[str]:
    """Yield what is trusted as a template in a file."""
    for node in ast.walk(ast.parse(text)):
        words = " ".join(str(getattr(node, name, "")) for name in ("id", "attr", "arg"))
        if isinstance(node, ast.Call) and "trust_as_template" in ast.unparse(node.func):
            yield from map(ast.unparse, node.args)
        elif re.search("trusted_?(as|by)", words, re.IGNORECASE):
            yield ast.unparse(node)


def test_files_are_named_for_one_thing() -> None:
    nouns = {file.stem for file in (PLUGINS / "modules").glob("*.py")}
    stems = {relative(file): file.stem.lstrip("_") for file in FILES if file.name != "__init__.py"}
    blunt = [name for name, stem in stems.items() if stem in BLUNT or stem in sys.stdlib_module_names - nouns]
    assert blunt == []


def test_module_utils_are_private_packages() -> None:
    """Without an __init__.py, pylint takes a file for the module of the standard library that has its name."""
    folders = {file.parent for file in FILES if file.is_relative_to(PLUGINS / "module_utils")}
    assert [relative(folder) for folder in folders if not (folder / "__init__.py").exists()] == []
    rooms = [one.name for one in (PLUGINS / "module_utils").iterdir() if one.is_dir() and one.name != "__pycache__"]
    assert [name for name in rooms if not name.startswith("_")] == []
