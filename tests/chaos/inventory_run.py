# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Real inventories, read by the commands of Ansible with credentials from the environment alone."""

from __future__ import annotations

import os
import subprocess
import sys
import typing as t
from pathlib import Path

from chaos.playbook_run import environment_of_ansible, run_program
from chaos.workplace import Workplace

LIST = ("ansible-inventory", "--list")


class Listed(t.NamedTuple):
    """What a command said; ``peak`` is the memory that it needed at most, in MiB, where that was measured."""

    status: int
    stdout: str
    stderr: str
    peak: float = 0.0


def inventory(
    place: Workplace, file: Path, command: t.Sequence[str] = LIST, environment: t.Mapping[str, str] | None = None
) -> Listed:
    """Run the command with the inventory, which is an error when it cannot be read."""
    done = run_program(place, _words(file, command), environment or {})
    return Listed(done.returncode, done.stdout, done.stderr)


def measured(place: Workplace, file: Path, command: t.Sequence[str]) -> Listed:
    """Do the same in a process that is started for it, so that all its memory is its own."""
    output, errors = file.with_suffix(".stdout"), file.with_suffix(".stderr")
    environment = {"LANG": "C.UTF-8", **environment_of_ansible(place, place.home)}
    with output.open("wb") as stdout, errors.open("wb") as stderr:
        own: dict[str, t.Any] = {"env": environment, "stdin": subprocess.DEVNULL}
        process = subprocess.Popen(_words(file, command), stdout=stdout, stderr=stderr, **own)
        _pid, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return Listed(process.returncode, output.read_text("utf-8"), errors.read_text("utf-8"), usage.ru_maxrss / 1024)


def _words(file: Path, command: t.Sequence[str]) -> list[str]:
    program, *arguments = command
    return [str(Path(sys.executable).parent / program), "-i", str(file), *arguments]
