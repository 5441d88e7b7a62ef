# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a program that takes long and must be allowed to end by itself when the task is cancelled."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import tempfile
import types
import typing as t

from .._core.clock import Clock, Deadline, SignalGuard
from .._core.errors import InvalidInput

MAX_OUTPUT_BYTES = 64 << 20  # bytes of output that are read
TICK = 0.5  # seconds between checks of the clock and of the output
GRACE = 300.0  # seconds to end after an interrupt
SAME_SIGNAL_SECONDS = (
    1.0  # seconds within which signals count as one: an interrupt of ansible-playbook arrives three times
)
GOES_ON = -1
"""Status of a program that was interrupted and has not ended yet."""


class ProgramResult(t.NamedTuple):
    """How a program ended, what it wrote, and why it was interrupted, if it was."""

    status: int
    out: str
    err: str
    cancelled: str | None


class Program:
    """An executable in a folder; ``environment`` is the whole environment that it gets."""

    def __init__(self, path: str, folder: str, environment: t.Mapping[str, str], deadline: Deadline) -> None:
        self.path = path
        self._folder = folder
        self._environment = environment
        self._deadline = deadline

    def run(self, *arguments: str, line: t.Callable[[str], None] | None = None) -> ProgramResult:
        """Run it to its end; ``line`` gets each line of its output as it comes.

        It runs in a session of its own: a terminal would interrupt it together with this process, and two interrupts
        make such programs abort. It writes into files without a name: with pipes, it would abort if this process was
        killed; this way it continues to its end, and records what it did. When the task is cancelled or its time is up,
        it gets one interrupt, and time to end; it is never killed. Raises InvalidInput if it cannot be started.
        """
        signals = _Signals()
        with signals, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            process = self._started(arguments, out, err)
            running = _Running(process, out, line, signals.names)
            try:
                why = running.until_cancelled(self._deadline)
            except BaseException:
                running.interrupt()
                raise
            if why:
                running.interrupt()
            status = process.poll()
            return ProgramResult(GOES_ON if status is None else status, _text(out), _text(err), why)

    def _started(self, arguments: t.Sequence[str], out: t.IO[bytes], err: t.IO[bytes]) -> subprocess.Popen[bytes]:
        if signal.getsignal(signal.SIGCHLD) is signal.SIG_IGN:  # some services do: each program would end with status 0
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        try:
            # run_command supports neither interrupts nor a time limit
            return subprocess.Popen(  # noqa: S603  # pylint: disable=ansible-bad-function
                [self.path, *arguments],
                cwd=self._folder,
                env=dict(self._environment),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                start_new_session=True,
                umask=0o077,
            )
        except OSError as exc:
            raise InvalidInput(f"{self.path} cannot be run: {exc.strerror}.", option="executable") from None


class _Signals(SignalGuard):
    """Catches the signals until the program has ended."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []
        self._last = -SAME_SIGNAL_SECONDS

    def take(self, number: int, frame: types.FrameType | None) -> None:
        """Note its name; several that arrive together count as one."""
        del frame
        now = Clock().monotonic()
        if now - self._last >= SAME_SIGNAL_SECONDS:
            self.names.append(signal.Signals(number).name)
        self._last = now


class _Running:
    """A running program; ``signals`` are the names of those that this process got."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        out: t.IO[bytes],
        line: t.Callable[[str], None] | None,
        signals: t.Sequence[str],
    ) -> None:
        self._process, self._signals = process, signals
        self._out, self._line, self._told = out, line, 0

    def until_cancelled(self, deadline: Deadline) -> str | None:
        """Return None if it has ended, else why it is to be interrupted."""
        with _end_of(self._process) as wait:
            while self._process.poll() is None:
                if self._signals:
                    return f"this task was interrupted ({self._signals[0]})"
                if deadline.over:
                    return f"the time limit of this {deadline.what} ({deadline.seconds:g} s) has passed"
                wait(TICK)
                self._hand_on_lines()
        self._hand_on_lines()
        return None

    def interrupt(self) -> None:
        """Interrupt it, and wait until it ends, the grace time is over, or this process is interrupted again."""
        before, deadline = len(self._signals), Deadline(Clock(), GRACE)
        with _end_of(self._process) as wait:
            if self._process.poll() is None:
                self._process.send_signal(signal.SIGINT)
            while self._process.poll() is None and not deadline.over and len(self._signals) <= before:
                wait(TICK)
                self._hand_on_lines()

    def _hand_on_lines(self) -> None:
        """Pass on the lines that it has written since the last check."""
        if self._line is None:
            return
        piece = os.pread(self._out.fileno(), MAX_OUTPUT_BYTES, self._told)
        end = piece.rfind(b"\n") + 1
        self._told += end
        for line in piece[:end].decode("utf-8", "replace").splitlines():
            self._line(line)


@contextlib.contextmanager
def _end_of(process: subprocess.Popen[bytes]) -> t.Iterator[t.Callable[[float], object]]:
    """Yield a function that waits for the end of a process, for a number of seconds, if possible without polling."""
    try:
        descriptor = os.pidfd_open(process.pid)
    except (AttributeError, OSError):  # another system, or it has ended
        yield lambda seconds: Clock().sleep(min(seconds, TICK / 10))
        return
    try:
        yield lambda seconds: select.select([descriptor], [], [], seconds)
    finally:
        os.close(descriptor)


def _text(stream: t.IO[bytes]) -> str:
    return os.pread(stream.fileno(), MAX_OUTPUT_BYTES, 0).decode("utf-8", "replace")
