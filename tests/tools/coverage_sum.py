# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Add up the lines of module_utils that the sessions of unit tests have run: ``python coverage_sum.py``.

Where the newest core is on another Python than that of ``units``, its session runs all tests of the collection; that
Python tells of the lines, while counting doubles the work on Python 3.11. Elsewhere no session runs enough alone.
"""

from __future__ import annotations

import subprocess
import sys
import typing as t
from pathlib import Path

import workspace
from cores import usual

LEAST = 90
"""Percent."""


class Total(t.NamedTuple):
    """Whether it is enough, and the table."""

    enough: bool
    table: str


def sessions() -> list[str]:
    """Return the sessions that note their lines."""
    own = "{}.{}".format(*sys.version_info)
    newest = [(f"units-{core.series}", core.controller()) for core in usual()[-1:]]
    alone = any(python and python.version != own for _name, python in newest)
    names = [name for name, _python in newest]
    return names if alone else ["units", *names, "units-processes"]


def tells_lines(python: str) -> bool:
    """Whether a Python of this version tells of the lines it runs, which costs next to nothing."""
    return tuple(map(int, python.split("."))) >= (3, 12)


def file_of(session: str) -> Path:
    """Return where a session notes its lines; the folder is made."""
    folder = workspace.folder() / "covered"
    folder.mkdir(exist_ok=True)
    return folder / session


def add_up(files: t.Sequence[Path], least: int = LEAST) -> Total:
    """Add up the notes in the files; one that is not there makes it not enough."""
    total = files[0].with_name("total")
    combined = _coverage("combine", "--keep", "--data-file", str(total), *map(str, files))
    if combined.returncode:
        return Total(enough=False, table=combined.stdout)
    done = _coverage("report", "--data-file", str(total), "--skip-covered", "--fail-under", str(least))
    return Total(enough=done.returncode == 0, table=done.stdout)


def _coverage(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "coverage", *arguments]
    return subprocess.run(
        command, cwd=workspace.CHECKOUT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )


if __name__ == "__main__":
    found = add_up([file_of(name) for name in sessions()])
    print(found.table)
    sys.exit(not found.enough)
