# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The moments of a task: what its process does, counted. It is struck at one of them, however busy the machine is.

Moments of a request: its head is about to leave, a further block of its body is, all of it has left, its answer has
begun. A change of a file that is about to be made is one, too.
"""

from __future__ import annotations

import http.client
import itertools
import os
import signal
import sys
import typing as t

READING = ("GET", "HEAD")
CHANGING = os.O_WRONLY | os.O_RDWR
CHANGES = ("os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.truncate", "os.link", "os.symlink")


class Strike(t.NamedTuple):
    """The signal that a process gives itself, and the number of the moment; 0 is never, which only counts.

    Without ``reads`` the moments of GET and HEAD do not count: how often a task polls depends on the machine.
    """

    number: int = 0
    signal: signal.Signals = signal.SIGKILL
    reads: bool = True


class Moments:
    """Counts the moments of this process and strikes."""

    def __init__(self) -> None:
        """Count nothing yet."""
        self.last = 0
        self._strike = Strike()
        self._numbers = itertools.count(1)

    def begin(self, strike: Strike) -> None:
        """Count from 1 on."""
        self._strike, self._numbers, self.last = strike, itertools.count(1), 0

    def install(self) -> Moments:
        """Listen to this process, and to its forks; nobody can take that back."""
        sys.addaudithook(self._heard)
        begin = http.client.HTTPResponse.begin

        def watched(answer: t.Any) -> None:
            self._of_request(answer)
            begin(answer)
            self._of_request(answer)

        http.client.HTTPResponse.begin = watched  # type: ignore[assignment,method-assign]
        return self

    def _heard(self, event: str, arguments: tuple[t.Any, ...]) -> None:
        if event == "http.client.send":
            self._of_request(arguments[0])
        elif event in CHANGES or (event == "open" and isinstance(arguments[0], str) and arguments[2] & CHANGING):
            self._passed()

    def _of_request(self, party: t.Any) -> None:
        """Count a moment of a request, of which either the connection or the answer knows the method."""
        if self._strike.reads or party._method not in READING:
            self._passed()

    def _passed(self) -> None:
        self.last = next(self._numbers)  # no thread gets the number of another
        if self.last == self._strike.number:
            os.kill(os.getpid(), self._strike.signal)


def spread(total: int, number: int, seed: int = 0) -> list[int]:
    """Return so many of the moments from 1 to ``total``, both among them; another seed chooses others between them."""
    step = (total - 1) / (number - 1)
    first = 1 + seed % max(1, int(step))
    return sorted({1, total, *(min(total, first + int(step * one)) for one in range(1, number - 1))})
