# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The command lines of all processes of this machine, looked at again and again while something runs."""

from __future__ import annotations

import contextlib
import threading
from pathlib import Path

INTERVAL = 0.01


class CommandLines:
    """Collects them between enter and exit."""

    def __init__(self) -> None:
        """Nothing is looked at yet."""
        self.seen: set[bytes] = set()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> CommandLines:  # noqa: PYI034 (typing.Self is newer than the style)
        """Begin."""
        self._thread.start()
        return self

    def __exit__(self, *_exc: object) -> None:
        """End."""
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._over.wait(INTERVAL):
            for process in Path("/proc").iterdir():
                if process.name.isdigit():
                    self._look(process)

    def _look(self, process: Path) -> None:
        with contextlib.suppress(OSError):  # it has ended
            self.seen.add((process / "cmdline").read_bytes())
