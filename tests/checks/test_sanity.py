# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The sanity tests of ansible-test, without an ignore file, on what is shipped; the tests are read by ruff and mypy.

``make test-all`` runs each of them once, and those that a core does in its own way with the oldest core,
too; all of them with each core and each Python belong to the night.
"""

from __future__ import annotations

import typing as t
from pathlib import Path

import ansible
import ansible_test
import collection_tree
import cores
import interpreters
import pytest

from checks.programs import run

SHIPPED = ("--exclude", "tests/", "--exclude", "bench/")
OF_DOCUMENTATION = ("validate-modules", "action-plugin-docs", "runtime-metadata", "yamllint")
OF_A_CORE = ("ansible-doc", "validate-modules", "runtime-metadata")
IMPORT_ALL = """
import importlib, pathlib, sys
sys.path += sys.argv[1:]
root = pathlib.Path(sys.argv[1])
for folder in ("modules", "module_utils"):
    for file in (root / "ansible_collections/fcd/cloud/plugins" / folder).rglob("*.py"):
        importlib.import_module(".".join(file.relative_to(root).with_suffix("").parts))
"""


def sanity(core: cores.Core, *options: str) -> None:
    """Run sanity tests in a copy of the collection; skips where there is no Python for this core."""
    if not core.controller():
        pytest.skip(f"NOT RUN: {core.missing()}")
    python, environment = core.build(), ansible_test.environment(core, f"sanity-{core.series}")
    own = ("--controller", f"origin:python={ansible_test.controller_version(core)}")
    program = python.with_name("ansible-test")
    with collection_tree.copied() as place:
        run(
            program,
            *("sanity", "--requirements", "--color", "no", *SHIPPED, *own, *options),
            folder=place,
            environment=environment,
        )


def each(option: str, values: t.Iterable[str]) -> list[str]:
    """Return the words that give the option each of the values."""
    return [word for value in values for word in (option, value)]


def test_documentation_and_metadata() -> None:
    sanity(cores.newest(), *each("--test", OF_DOCUMENTATION))


@pytest.mark.full
def test_everything_else() -> None:
    """But for the test of imports: it compiles the collection anew for each file, which is most of the work of all."""
    sanity(cores.newest(), *each("--skip-test", (*OF_DOCUMENTATION, "import")))


@pytest.mark.full
def test_what_the_oldest_core_does_in_its_own_way() -> None:
    sanity(cores.CORES[0], *each("--test", OF_A_CORE))


@pytest.mark.night
@pytest.mark.parametrize("core", cores.CORES, ids=lambda core: core.series)
def test_everything(core: cores.Core) -> None:
    sanity(core, *each("--target-python", ansible_test.target_versions(core)))


@pytest.mark.parametrize("version", cores.newest().targets)
def test_modules_are_imported_by_each_python(version: str, tmp_path: Path) -> None:
    """Without any library, as on a host that has none: a module reports what it misses itself."""
    python = interpreters.best(version)
    if not python:
        pytest.skip(f"NOT RUN: Python {version} was not found on PATH")
    (tmp_path / "ansible").symlink_to(Path(ansible.__file__).parent, target_is_directory=True)
    done = run(python.path, "-I", "-S", "-B", "-c", IMPORT_ALL, str(collection_tree.linked()), str(tmp_path))
    assert done.stdout == ""
