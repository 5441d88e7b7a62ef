# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The command lines and environments of the processes of a run, looked at again and again while it lasts."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
from multiprocessing.connection import Connection

from chaos.task_process import context

PARTS = ("cmdline", "environ")
INTERVAL = 0.02
LOOKS = 50
"""At each new process, one after the other; later only each fiftieth time, for a process may become another program."""


class WatchedProcesses:
    """Collects the parts between enter and exit, of all processes that have ``mark`` in their environment.

    It is a process, for what is watched is started by forks of this one, which should have no other threads then.
    """

    def __init__(self, mark: str) -> None:
        """Nothing is looked at yet."""
        self.seen: dict[str, set[bytes]] = {}
        self._here, self._there = multiprocessing.Pipe()
        self._process = context().Process(target=_watch, args=(self._there, mark.encode()), daemon=True)

    def __enter__(self) -> WatchedProcesses:  # noqa: PYI034 (typing.Self is newer than the style)
        """Begin; what starts from now on is seen."""
        self._process.start()
        self._here.recv()
        return self

    def __exit__(self, *_exc: object) -> None:
        """End."""
        self._here.send(None)
        self.seen = self._here.recv()
        self._process.join()


def _watch(other_end: Connection, mark: bytes) -> None:
    seen: dict[str, set[bytes]] = {part: set() for part in PARTS}
    looks: dict[str, int] = {}
    other_end.send(None)
    while not other_end.poll(INTERVAL):
        looks = {name: looks.get(name, 0) + 1 for name in os.listdir("/proc") if name.isdigit()}
        for name in [name for name, number in looks.items() if number <= LOOKS or number % LOOKS == 0]:
            with contextlib.suppress(OSError):  # it has ended, or belongs to somebody else
                environment = _read(name, "environ")
                if mark in environment:
                    seen["environ"].update(environment.split(b"\0"))
                    seen["cmdline"].add(_read(name, "cmdline"))
    other_end.send(seen)


def _read(process: str, part: str) -> bytes:
    with open(f"/proc/{process}/{part}", "rb", buffering=0) as file:  # a path object would take longer than the rest
        return file.read()
