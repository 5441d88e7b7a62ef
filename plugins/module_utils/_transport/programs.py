# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Running a program that works for long and must be let to end by itself when the task is cancelled."""

from __future__ import annotations

import ctypes
import os
import selectors
import signal
import subprocess
import sys
import typing as t

from .._core.clock import Deadline
from .._core.errors import InvalidInput

PIECE = 65536
MOST = 64 << 20  # bytes of output that are kept
TICK = 0.5  # seconds between looks at the clock
GRACE = 120.0  # seconds to end after an interrupt; what is begun at the service is noted by then
DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG of Linux


class Ended(t.NamedTuple):
    """How a program ended, and what it wrote."""

    status: int
    out: str
    err: str


class Program:
    """An executable in a folder; ``environment`` is all that it sees of the environment."""

    def __init__(self, path: str, folder: str, environment: t.Mapping[str, str], deadline: Deadline) -> None:
        self.path = path
        self._folder = folder
        self._environment = environment
        self._deadline = deadline

    def run(self, *arguments: str, line: t.Callable[[str], None] | None = None) -> Ended:
        """Run it to its end; ``line`` gets each line of its output as it comes.

        It is in a session of its own: a terminal would interrupt it together with us, and two interrupts make such
        programs give up what they are at. When this task is cancelled or its time is over it gets one interrupt and
        time to end; when this process is killed, the system interrupts it. Raises InvalidInput when it cannot be
        started, DeadlinePassed.
        """
        process = self._started(arguments)
        reading = _Reading(process, line)
        try:
            while not reading.done:
                reading.wait(TICK)
                if self._deadline.over:
                    self._deadline.check(f"{os.path.basename(self.path)} {arguments[0]}")
            return Ended(process.wait(), reading.text(process.stdout), reading.text(process.stderr))
        except BaseException:
            _interrupted(process, reading)
            raise

    def _started(self, arguments: t.Sequence[str]) -> subprocess.Popen[bytes]:
        try:
            return subprocess.Popen(  # noqa: S603 - a path that the user has named
                [self.path, *arguments],
                cwd=self._folder,
                env=dict(self._environment),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
                umask=0o077,
                preexec_fn=_bound_to_parent(),  # noqa: PLW1509 - it makes one call of the system
            )
        except OSError as exc:
            raise InvalidInput(f"{self.path} cannot be run: {exc.strerror}.") from None


class _Reading:
    """Both outputs of a process."""

    def __init__(self, process: subprocess.Popen[bytes], line: t.Callable[[str], None] | None) -> None:
        self._line = line
        self._out = process.stdout
        self._kept: dict[t.Any, bytearray] = {process.stdout: bytearray(), process.stderr: bytearray()}
        self._told = 0
        self._selector = selectors.DefaultSelector()
        for stream in self._kept:
            self._selector.register(stream, selectors.EVENT_READ)

    @property
    def done(self) -> bool:
        """Whether both have ended."""
        return not self._selector.get_map()

    def wait(self, seconds: float) -> None:
        """Take what comes within the time."""
        for key, _events in self._selector.select(seconds):
            stream = t.cast("t.Any", key.fileobj)
            piece = os.read(stream.fileno(), PIECE)
            if not piece:
                self._selector.unregister(stream)
                continue
            kept = self._kept[stream]
            kept.extend(piece[: MOST - len(kept)])
            if stream is self._out:
                self._tell(kept)

    def _tell(self, kept: bytearray) -> None:
        end = kept.rfind(b"\n") + 1
        if self._line is not None and end > self._told:
            for line in kept[self._told : end].decode("utf-8", "replace").splitlines():
                self._line(line)
        self._told = max(self._told, end)

    def text(self, stream: t.Any) -> str:
        """Return what one of them wrote."""
        return self._kept[stream].decode("utf-8", "replace")


def _interrupted(process: subprocess.Popen[bytes], reading: _Reading) -> None:
    """Interrupt the program and let it end; only one that does not is killed."""
    from .._core.clock import Clock

    for number, seconds in ((signal.SIGINT, GRACE), (signal.SIGTERM, GRACE), (signal.SIGKILL, TICK)):
        if process.poll() is not None:
            return
        process.send_signal(number)
        end = Deadline(Clock(), seconds)
        while process.poll() is None and not end.over:
            if reading.done:
                end.sleep(TICK / 10)
            else:
                reading.wait(TICK / 10)


def _bound_to_parent() -> t.Callable[[], None] | None:
    """Return what makes a new process be interrupted when this one is killed; None where the system cannot."""
    if not sys.platform.startswith("linux"):
        return None
    try:
        prctl = ctypes.CDLL(None).prctl
    except (OSError, AttributeError):
        return None
    return lambda: t.cast(None, prctl(DIE_WITH_PARENT, signal.SIGINT, 0, 0, 0))
