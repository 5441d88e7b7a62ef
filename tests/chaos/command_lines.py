# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The command lines of the processes of a run, looked at again and again while it lasts."""

from __future__ import annotations

import contextlib
import multiprocessing
from multiprocessing.connection import Connection
from pathlib import Path

from chaos.task_process import context

INTERVAL = 0.01


class CommandLines:
    """Collects them between enter and exit, of all processes that have ``mark`` in their environment.

    It is a process, for what is watched is started by forks of this one, which should have no other threads then.
    """

    def __init__(self, mark: str) -> None:
        """Nothing is looked at yet."""
        self.seen: set[bytes] = set()
        self._here, self._there = multiprocessing.Pipe()
        self._process = context().Process(target=_watch, args=(self._there, mark.encode()), daemon=True)

    def __enter__(self) -> CommandLines:  # noqa: PYI034 (typing.Self is newer than the style)
        """Begin."""
        self._process.start()
        return self

    def __exit__(self, *_exc: object) -> None:
        """End."""
        self._here.send(None)
        self.seen = self._here.recv()
        self._process.join()


def _watch(other_end: Connection, mark: bytes) -> None:
    seen: set[bytes] = set()
    while not other_end.poll(INTERVAL):
        for process in Path("/proc").iterdir():
            if process.name.isdigit():
                with contextlib.suppress(OSError):  # it has ended, or belongs to somebody else
                    if mark in (process / "environ").read_bytes():
                        seen.add((process / "cmdline").read_bytes())
    other_end.send(seen)
