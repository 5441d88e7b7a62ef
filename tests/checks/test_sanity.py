# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The sanity tests of ansible-test, without an ignore file, on what is shipped; the tests are read by ruff and mypy."""

from __future__ import annotations

from pathlib import Path

import ansible_test
import collection_tree
import cores
import pytest

from checks.programs import run

SHIPPED = ("--exclude", "tests/", "--exclude", "bench/")


def sanity(core: cores.Core, *options: str) -> None:
    """Run sanity tests in a copy of the collection."""
    python = core.build()
    environment = ansible_test.environment(core, f"sanity-{core.series}")
    command: list[str | Path] = [
        python.with_name("ansible-test"),
        "sanity",
        "--requirements",
        "--color",
        "no",
        *SHIPPED,
        *options,
    ]
    with collection_tree.copied() as place:
        run(*command, folder=place, environment=environment)


def controller(core: cores.Core) -> str:
    """Return the version of the Python that ansible-test itself runs on."""
    return ansible_test.controller_version(core)


def test_documentation_and_metadata() -> None:
    """What a contributor breaks most often, with the newest core.

    The test of imports compiles the collection anew for each file, which is an eighth of the work of all tests; what it
    would find, a library that is imported where it may be missing, test_structure.py finds too.
    """
    core = cores.newest()
    tests = ("validate-modules", "action-plugin-docs", "runtime-metadata", "yamllint")
    sanity(core, "--python", controller(core), *(word for name in tests for word in ("--test", name)))


@pytest.mark.full
@pytest.mark.parametrize("core", cores.CORES, ids=lambda core: core.series)
def test_everything(core: cores.Core) -> None:
    if not core.controller():
        pytest.skip(f"NOT RUN: {core.missing()}")
    sanity(core, "--python", controller(core))


@pytest.mark.full
def test_imports_on_every_python() -> None:
    """Modules run on older Pythons than Ansible itself: all that this machine has."""
    core = cores.newest()
    others = [version for version in ansible_test.target_versions(core) if version != controller(core)]
    if not others:
        pytest.skip("NOT RUN: this machine has no other Python")
    targets = [f"--target-python={version}" for version in others]
    sanity(core, "--test", "compile", "--test", "import", "--controller", f"origin:python={controller(core)}", *targets)
