# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The versions of ansible-core the collection is tested with, and an environment for each."""

from __future__ import annotations

import typing as t
from pathlib import Path

import interpreters
import virtual_environment
import workspace

WHOLE = "FCD_WHOLE_MATRIX"
"""Variable that is set where every core runs all there is."""

LIBRARIES = workspace.CHECKOUT / "tests" / "tools" / "requirements-core.txt"


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
        """Return the Python of an environment with this core, built on first use."""
        controller = self.controller()
        if not controller:
            raise SystemExit(self.missing())
        name = f"core-{self.series}"
        with workspace.locked(name):
            place = workspace.folder() / name
            packages = [f"ansible-core=={self.release}"]
            return virtual_environment.build(place, controller.path, [LIBRARIES], packages)


CORES = (
    Core("2.19", "2.19.14", ("3.11", "3.12", "3.13"), ("3.9", "3.10", "3.11", "3.12", "3.13")),
    Core("2.20", "2.20.10", ("3.12", "3.13", "3.14"), ("3.9", "3.10", "3.11", "3.12", "3.13", "3.14")),
    Core("2.21", "2.21.5", ("3.13", "3.12", "3.14"), ("3.9", "3.10", "3.11", "3.12", "3.13", "3.14")),
)


def usual() -> tuple[Core, ...]:
    """Return what ``make test`` runs: the oldest and the newest series that this machine has a Python for."""
    possible = [core for core in CORES if core.controller()]
    return tuple(dict.fromkeys((possible[0], possible[-1]))) if possible else ()
