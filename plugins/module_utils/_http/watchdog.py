# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Ends a try in time, whatever its connection does: silence, a byte a second, a handshake that hangs.

Time limits of sockets count each read anew, and the header lines of an answer are read in a loop that nobody else can
end. So a thread, one for each process and asleep nearly always, shuts the connection down when the time is over.
"""

from __future__ import annotations

import os
import socket
import threading
import time
import typing as t


class Guard:
    """One try. ``sent`` says whether a byte of the request has left; ``fired`` that the time was over.

    ``reading`` says that libraries read the answer: what they raise from then on is of its making.
    """

    def __init__(self, seconds: float | None) -> None:
        self.end = None if seconds is None else time.monotonic() + seconds
        self.sent = False
        self.reading = False
        self.fired = False
        self._lock = threading.Lock()
        self._sockets: list[socket.socket] = []

    def left(self) -> float | None:
        """Seconds that are left; None when there is no end."""
        return None if self.end is None else max(0.0, self.end - time.monotonic())

    def watch(self, connection: t.Any) -> None:
        """Shut this socket down, too, when the time is over.

        It is a duplicate that is kept: TLS takes the original away from its socket object.
        """
        twin = socket.socket(fileno=os.dup(connection.fileno()))
        with self._lock:
            self._sockets.append(twin)
            if self.fired:
                _shut(twin)

    def fire(self) -> None:
        """End the try."""
        with self._lock:
            self.fired = True
            for twin in self._sockets:
                _shut(twin)

    def release(self) -> None:
        """Let go of the sockets; the connections stay as they are."""
        with self._lock:
            while self._sockets:
                self._sockets.pop().close()

    def __enter__(self) -> Guard:  # noqa: PYI034 - there are no subclasses
        """Begin the try: connections of this thread are watched from now on."""
        _HERE.guard = self
        if self.end is not None:
            _watchdog().add(self)
        return self

    def __exit__(self, *exc: object) -> None:
        """End it."""
        _HERE.guard = None
        if self.end is not None:
            _watchdog().remove(self)
        self.release()


class Watchdog:
    """The thread and the tries that it watches."""

    def __init__(self) -> None:
        self._condition = threading.Condition()
        self._guards: set[Guard] = set()
        self._thread: threading.Thread | None = None
        self._wakes = 0.0

    def add(self, guard: Guard) -> None:
        """Watch a try that has an end."""
        end = t.cast("float", guard.end)
        with self._condition:
            self._guards.add(guard)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="fcd-cloud-watchdog", daemon=True)
                self._wakes = end
                self._thread.start()
            elif end < self._wakes:
                self._condition.notify()

    def remove(self, guard: Guard) -> None:
        """Watch it no more; the thread is not woken for that."""
        with self._condition:
            self._guards.discard(guard)

    def _run(self) -> None:
        with self._condition:
            while True:
                now = time.monotonic()
                for guard in [guard for guard in self._guards if guard.end is not None and guard.end <= now]:
                    self._guards.discard(guard)
                    guard.fire()
                self._wakes = min((guard.end or 0.0 for guard in self._guards), default=now + threading.TIMEOUT_MAX / 2)
                self._condition.wait(self._wakes - now)


def current() -> Guard | None:
    """Return the try that this thread is in."""
    return getattr(_HERE, "guard", None)


def _shut(twin: socket.socket) -> None:
    try:
        twin.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass  # not connected, or gone already


def _watchdog() -> Watchdog:
    """Return the watchdog of this process: a fork has the memory of its parent, but not its threads."""
    return _WATCHDOGS.get(os.getpid()) or _WATCHDOGS.setdefault(os.getpid(), Watchdog())


_HERE = threading.local()
_WATCHDOGS: dict[int, Watchdog] = {}
