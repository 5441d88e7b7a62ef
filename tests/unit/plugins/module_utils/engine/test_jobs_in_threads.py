# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Jobs in threads: as many at a time as allowed, a slow one keeps nobody waiting, and all end in time."""

from __future__ import annotations

import threading
import time
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.clock import Clock, Deadline
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import FcdError, OperationFailed, WaitTimeout
from ansible_collections.fcd.cloud.plugins.module_utils._engine.scheduler import Job, Progress, run_jobs

PATIENCE = 120.0


def run(
    jobs: t.Mapping[str, Job[t.Any]],
    *,
    seconds: float | None = PATIENCE,
    most: int = 4,
    clock: Clock | None = None,
    **more: t.Any,
) -> dict[str, t.Any]:
    given = {"round_begins": lambda _waiting: None, "progress": lambda _ended: None, **more}
    return run_jobs(jobs, Deadline(clock or Clock(), seconds), threads=most, **given)


def waits(times: int, value: str = "done", phase: str = "Doing it") -> Job[str]:
    for number in range(times):
        yield Progress(phase, f"{number} of {times}")
    return value


def acts(effect: t.Callable[[], t.Any], value: str = "done") -> Job[str]:
    effect()
    yield Progress("Acted")
    return value


def fails(error: BaseException) -> Job[str]:
    yield Progress("About to fail")
    raise error


def test_each_ends_with_what_it_returned_or_raised() -> None:
    error = OperationFailed("no")
    assert run({"a": waits(2, "A"), "b": fails(error), "c": waits(0, "C")}) == {"a": "A", "b": error, "c": "C"}


def test_so_many_steps_at_a_time_and_no_more() -> None:
    barrier, lock, most, now = threading.Barrier(4), threading.Lock(), [0], [0]

    def effect() -> None:
        with lock:
            now[0] += 1
            most[0] = max(most[0], now[0])
        barrier.wait(PATIENCE)  # breaks unless four are here
        with lock:
            now[0] -= 1

    assert set(run({str(number): acts(effect) for number in range(12)}).values()) == {"done"}
    assert most == [4]


def test_a_job_is_in_one_thread_at_a_time() -> None:
    """A generator that is entered twice raises ValueError."""
    slow = {str(number): acts(lambda: time.sleep(0.3)) for number in range(6)}
    assert set(run({**slow, "quick": waits(5)}, most=8).values()) == {"done"}


def test_a_slow_step_keeps_nobody_waiting() -> None:
    quick_is_done, came = threading.Event(), []
    jobs = {"slow": acts(lambda: came.append(quick_is_done.wait(PATIENCE))), "quick": waits(2)}
    run(jobs, progress=lambda done: quick_is_done.set() if "quick" in done else None)
    assert came == [True]


def test_every_round_is_announced_before_its_first_step() -> None:
    seen: list[str] = []

    def job() -> Job[str]:
        seen.append("step")
        yield Progress("One")
        seen.append("step")
        return "done"

    run({"a": job()}, round_begins=lambda waiting: seen.append(f"round {', '.join(map(str, waiting.values()))}"))
    assert seen == ["round ", "step", "round One", "step"]


def test_after_the_deadline_nothing_is_begun() -> None:
    begun, two_are_there = [], threading.Barrier(2)

    class Leaping(Clock):
        def monotonic(self) -> float:
            return super().monotonic() + (PATIENCE if len(begun) == 2 else 0.0)

    def effect() -> None:
        begun.append(1)
        two_are_there.wait(PATIENCE)

    jobs: dict[str, Job[t.Any]] = {str(number): acts(effect) for number in range(6)}
    ended = run({**jobs}, clock=Leaping(), most=2)
    assert len(begun) == 2
    assert all(isinstance(end, WaitTimeout) for end in ended.values())
    assert f"5: nothing was started within {PATIENCE:g} s." in str(ended["5"])
    assert f"Acted did not finish within {PATIENCE:g} s." in str(ended["0"])


def test_what_is_known_of_a_late_job_is_told() -> None:
    (end,) = run({"a": waits(1000)}, seconds=0.3).values()
    assert isinstance(end, FcdError)
    assert str(end).startswith("Doing it did not finish within 0.3 s (last seen: ")


def test_a_late_job_is_closed() -> None:
    closed: list[bool] = []

    def job() -> Job[str]:
        try:
            while True:
                yield Progress("For ever")
        finally:
            closed.append(True)

    run({"a": job()}, seconds=0.1)
    assert closed == [True]


def test_a_defect_is_raised_here() -> None:
    with pytest.raises(ZeroDivisionError):
        run({"a": waits(3), "b": fails(ZeroDivisionError())})


def test_threads_end_with_their_work() -> None:
    run({str(number): waits(1) for number in range(9)})
    end = time.monotonic() + PATIENCE
    while any(thread.name == "fcd-cloud-job" for thread in threading.enumerate()):
        assert time.monotonic() < end
        time.sleep(0.01)


def test_pauses_grow_and_are_those_of_the_clock(fake_clock: t.Any) -> None:
    deadline = Deadline(fake_clock, None)
    run_jobs({"a": waits(6)}, deadline, threads=1, round_begins=lambda _waiting: None, progress=lambda _ended: None)
    assert fake_clock.pauses == sorted(fake_clock.pauses)
    assert len(fake_clock.pauses) == 6


def test_no_step_is_taken_in_a_thread_when_the_deadline_has_come_in_a_pause(fake_clock: t.Any) -> None:
    fake_clock.time, steps = 0.0, []

    def job() -> Job[str]:
        while True:
            steps.append(fake_clock.now())
            yield Progress("Doing it")

    run_jobs({"a": job()}, Deadline(fake_clock, 9.0), threads=1)
    assert fake_clock.time == 9.0
    assert 0 < max(steps) < 9.0
