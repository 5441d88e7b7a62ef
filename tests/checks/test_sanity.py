# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The sanity tests of ansible-test with the newest core; test_sanity_of_older_cores.py has the other ones."""

from __future__ import annotations

import ansible_test
import cores
import pytest

from checks.sanity import controller, everything, sanity


def test_documentation_and_metadata() -> None:
    """What a contributor breaks most often, with the newest core.

    The test of imports compiles the collection anew for each file, which is an eighth of the work of all tests; what it
    would find, a library that is imported where it may be missing, test_structure.py finds too.
    """
    core = cores.newest()
    tests = ("validate-modules", "action-plugin-docs", "runtime-metadata", "yamllint")
    sanity(core, "--python", controller(core), *(word for name in tests for word in ("--test", name)))


@pytest.mark.full
def test_everything() -> None:
    everything(cores.newest())


@pytest.mark.full
def test_imports_on_every_python() -> None:
    """Modules run on older Pythons than Ansible itself: all that this machine has."""
    core = cores.newest()
    others = [version for version in ansible_test.target_versions(core) if version != controller(core)]
    if not others:
        pytest.skip("NOT RUN: this machine has no other Python")
    targets = [f"--target-python={version}" for version in others]
    sanity(core, "--test", "compile", "--test", "import", "--controller", f"origin:python={controller(core)}", *targets)
