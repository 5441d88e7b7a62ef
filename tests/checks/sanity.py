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


def everything(core: cores.Core) -> None:
    """Run all of them, where there is a Python for this core."""
    if not core.controller():
        pytest.skip(f"NOT RUN: {core.missing()}")
    sanity(core, "--python", controller(core))
