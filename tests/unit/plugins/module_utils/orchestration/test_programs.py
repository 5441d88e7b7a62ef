# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs are let to end by themselves, whatever happens to the task."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.clock import Clock, Deadline
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput
from ansible_collections.fcd.cloud.plugins.module_utils._orchestration import programs
from ansible_collections.fcd.cloud.plugins.module_utils._orchestration.programs import GOES_ON, Program

WAITS = """
import os, signal, sys, time
told = []
signal.signal(signal.SIGINT, lambda *_: told.append(1))
print("begun", flush=True)
open("ready", "w").close()
while len(told) < 1 or os.path.exists("stay"):
    time.sleep(0.01)
time.sleep(0.1)
print("noted", len(told), flush=True)
open("noted", "w").close()
"""
PATIENCE = 120.0


def program(folder: Path, seconds: float | None = None, **environment: str) -> Program:
    return Program(sys.executable, str(folder), environment, Deadline(Clock(), seconds, "task"))


def when(path: Path, act: t.Callable[[], None]) -> threading.Thread:
    """Act as soon as the file is there."""

    def wait() -> None:
        end = time.monotonic() + PATIENCE
        while not path.exists() and time.monotonic() < end:
            time.sleep(0.01)
        act()

    thread = threading.Thread(target=wait, daemon=True)
    thread.start()
    return thread


def test_what_it_writes_and_sees(tmp_path: Path) -> None:
    seen = "import os, sys; print(sorted(os.environ), os.getcwd()); "
    script = f"{seen}print('x' * 300000); sys.stderr.write('no'); sys.exit(3)"
    lines: list[str] = []
    ended = program(tmp_path, LC_ALL="C.UTF-8", ONE="1").run("-c", script, line=lines.append)
    assert (ended.status, ended.err, ended.cancelled) == (3, "no", None)
    assert ended.out.splitlines() == lines == [f"['LC_ALL', 'ONE'] {tmp_path}", "x" * 300000]


def test_what_it_makes_is_private_and_no_terminal_reaches_it(tmp_path: Path) -> None:
    script = "import os; open('made', 'w').close(); print(os.getsid(0) == os.getpid())"
    assert program(tmp_path).run("-c", script).out == "True\n"
    assert (tmp_path / "made").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("pidfd", [True, False])
def test_a_signal_interrupts_it_once_and_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pidfd: bool) -> None:
    if not pidfd:
        monkeypatch.delattr(os, "pidfd_open")
    before = signal.getsignal(signal.SIGTERM)
    when(tmp_path / "ready", lambda: os.kill(os.getpid(), signal.SIGTERM))
    ended = program(tmp_path).run("-c", WAITS)
    assert ended.cancelled == "this task was interrupted (SIGTERM)"
    assert ended.out == "begun\nnoted 1\n"
    assert signal.getsignal(signal.SIGTERM) is before


def test_the_end_of_the_time_interrupts_it(tmp_path: Path) -> None:
    ended = program(tmp_path, 0.5).run("-c", WAITS)
    assert ended.cancelled == "the time limit of this task (0.5 s) has passed"
    assert ended.status in {0, -signal.SIGINT}  # before it could say what it does then


def test_whatever_else_happens_it_is_interrupted(tmp_path: Path) -> None:
    def fail(_line: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        program(tmp_path).run("-c", WAITS, line=fail)
    assert (tmp_path / "noted").exists()


def test_one_interrupt_comes_as_several_signals(tmp_path: Path) -> None:
    def interrupt() -> None:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGTERM):
            os.kill(os.getpid(), number)

    when(tmp_path / "ready", interrupt)
    ended = program(tmp_path).run("-c", WAITS)
    assert (ended.status, ended.out) == (0, "begun\nnoted 1\n")


def test_a_second_interrupt_leaves_it_to_its_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "SAME_SIGNAL_SECONDS", 0.05)
    (tmp_path / "stay").touch()

    def interrupt_twice() -> None:
        for _number in range(2):
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.5)

    thread = when(tmp_path / "ready", interrupt_twice)
    ended = program(tmp_path).run("-c", WAITS)
    assert ended.status == GOES_ON
    thread.join(PATIENCE)
    (tmp_path / "stay").unlink()
    noted = tmp_path / "noted"
    when(noted, lambda: None).join(PATIENCE)
    assert noted.exists()


def test_it_is_left_to_its_work_when_it_does_not_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "GRACE", 0.1)
    (tmp_path / "stay").touch()
    when(tmp_path / "ready", lambda: os.kill(os.getpid(), signal.SIGHUP))
    ended = program(tmp_path).run("-c", WAITS)
    assert (ended.status, ended.cancelled) == (GOES_ON, "this task was interrupted (SIGHUP)")
    (tmp_path / "stay").unlink()
    noted = tmp_path / "noted"
    when(noted, lambda: None).join(PATIENCE)
    assert noted.exists()


def test_how_it_ended_is_known_where_the_ends_of_children_are_ignored(tmp_path: Path) -> None:
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        assert program(tmp_path).run("-c", "import sys; sys.exit(3)").status == 3
    finally:
        signal.signal(signal.SIGCHLD, before)


def test_in_a_thread_signals_are_left_alone(tmp_path: Path) -> None:
    done: list[programs.ProgramResult] = []
    thread = threading.Thread(target=lambda: done.append(program(tmp_path).run("-c", "print(1)")))
    thread.start()
    thread.join(PATIENCE)
    assert done[0].out == "1\n"


@pytest.mark.parametrize(("path", "why"), [("/no/where", "No such file"), ("/etc", "Permission denied")])
def test_what_cannot_be_run(tmp_path: Path, path: str, why: str) -> None:
    with pytest.raises(InvalidInput, match=f"{path} cannot be run: {why}"):
        Program(path, str(tmp_path), {}, Deadline(Clock(), None)).run("version")
