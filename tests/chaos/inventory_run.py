# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Real inventories, read by the commands of Ansible with credentials from the environment alone."""

from __future__ import annotations

import subprocess
import sys
import typing as t
from pathlib import Path

from chaos.playbook_run import environment_of_ansible, run_program
from chaos.workplace import Workplace

LIST = ("ansible-inventory", "--list")
MEASURE = """
import resource, subprocess, sys
status = subprocess.call(sys.argv[1:])
print("\\n", resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, sep="", file=sys.stderr)
sys.exit(status)
"""


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
    """Do the same, and measure its memory.

    A small process starts it: Linux counts the memory of whoever starts a program as that of the program too.
    """
    environment = {"LANG": "C.UTF-8", **environment_of_ansible(place, place.home)}
    words = [sys.executable, "-c", MEASURE, *_words(file, command)]
    done = subprocess.run(words, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    stderr, _line, peak = done.stderr.rstrip("\n").rpartition("\n")
    return Listed(done.returncode, done.stdout, stderr, int(peak) / 1024)


def _words(file: Path, command: t.Sequence[str]) -> list[str]:
    program, *arguments = command
    return [str(Path(sys.executable).parent / program), "-i", str(file), *arguments]
