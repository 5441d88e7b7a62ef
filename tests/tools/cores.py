# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The versions of ansible-core the collection is tested with, and an environment for each.

Standard library only; runs on Python 3.9 and newer.
"""

from __future__ import annotations

import typing as t
from pathlib import Path

import interpreters
import virtual_environment
import workspace

REQUIREMENTS = ("tests/tools/requirements.txt", "tests/sandbox/requirements.txt")


class Core(t.NamedTuple):
    """One series of ansible-core."""

    series: str
    release: str
    controllers: tuple[str, ...]
    """Pythons it runs on, the preferred one first."""
    targets: tuple[str, ...]
    """Pythons its modules run on, as far as the collection supports them."""

    def controller(self) -> interpreters.Interpreter | None:
        """Return the interpreter to run it with, None where this machine has none of them."""
        found = (interpreters.best(version) for version in self.controllers)
        return next((python for python in found if python and python.complete), None)

    def missing(self) -> str:
        """Say what this machine lacks."""
        return f"ansible-core {self.series} needs Python {' or '.join(self.controllers)}, which was not found on PATH"

    def build(self) -> Path:
        """Return the Python of the environment with this core and all that the tests need, built on first use."""
        controller = self.controller()
        if not controller:
            raise SystemExit(self.missing())
        name = "venv" if self is newest() else f"venv-{self.series}"
        files = [workspace.CHECKOUT / file for file in REQUIREMENTS]
        with workspace.locked(name):
            place = workspace.folder() / name
            return virtual_environment.build(place, controller.path, files, [f"ansible-core=={self.release}"])


CORES = (
    Core("2.19", "2.19.14", ("3.11", "3.12", "3.13"), ("3.9", "3.10", "3.11", "3.12", "3.13")),
    Core("2.20", "2.20.10", ("3.12", "3.13", "3.14"), ("3.9", "3.10", "3.11", "3.12", "3.13", "3.14")),
    Core("2.21", "2.21.5", ("3.13", "3.12", "3.14"), ("3.9", "3.10", "3.11", "3.12", "3.13", "3.14")),
)


def newest() -> Core:
    """Return the newest series that this machine has a Python for. Raises SystemExit where it has none for any."""
    possible = [core for core in CORES if core.controller()]
    if not possible:
        found = ", ".join(f"{version} ({path})" for version, path in interpreters.find().items()) or "none"
        raise SystemExit(f"Python 3.11, 3.12 or 3.13 is needed on PATH, with venv and ssl; found: {found}.")
    return possible[-1]


def named(series: str) -> Core:
    """Return the core of this series, ``2.20``; the newest where nothing is named."""
    known = {core.series: core for core in CORES}
    if series and series not in known:
        raise SystemExit(f"CORE={series} is none of the supported versions of ansible-core: {', '.join(known)}.")
    return known[series] if series else newest()
