# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The command lines and environments of the processes of a run, looked at every 20 ms while it lasts."""

from __future__ import annotations

import contextlib
import multiprocessing
from multiprocessing.connection import Connection
from pathlib import Path

INTERVAL = 0.02
LOOKS = 10
"""How often a strange process is looked at: one that has just been forked will have its own environment by then."""

PARTS = ("cmdline", "environ")
MEANT = b"TF_VAR_access_token="
"""Variable in which the orchestration tool is given the token: others cannot read it."""


class ProcessWatch:
    """Collects them between enter and exit, of all processes that have ``mark`` in their environment.

    It is a process of its own, for what is watched is started by this one, which has threads enough.
    """

    def __init__(self, mark: str) -> None:
        """Nothing is looked at yet."""
        self.seen: dict[str, bytes] = {}
        self._here, there = multiprocessing.Pipe()
        start = multiprocessing.get_context("spawn").Process
        self._process = start(target=_watch, args=(there, mark.encode()), daemon=True)

    def __enter__(self) -> ProcessWatch:  # noqa: PYI034 (typing.Self is newer than the style)
        """Begin, and wait until it looks."""
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
    strange: dict[str, int] = {}
    other_end.send(None)
    while not other_end.poll(INTERVAL):
        there = {process.name for process in Path("/proc").iterdir() if process.name.isdigit()}
        strange = {name: looks for name, looks in strange.items() if name in there}
        for name in there:
            if strange.get(name, 0) < LOOKS:
                with contextlib.suppress(OSError):  # it has ended, or belongs to somebody else
                    environment = Path("/proc", name, "environ").read_bytes()
                    if mark in environment:
                        seen["environ"].update(line for line in environment.split(b"\0") if not line.startswith(MEANT))
                        seen["cmdline"].add(Path("/proc", name, "cmdline").read_bytes())
                    else:
                        strange[name] = strange.get(name, 0) + 1
    other_end.send({part: b"\n".join(sorted(lines)) for part, lines in seen.items()})
