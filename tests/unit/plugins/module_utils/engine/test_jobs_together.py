# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Several jobs in one task: they wait together, end on their own, and pauses grow."""

from __future__ import annotations

import threading
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.clock import Clock, Deadline
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import FcdError, OperationFailed, WaitTimeout
from ansible_collections.fcd.cloud.plugins.module_utils._engine.scheduler import Job, Progress, run_jobs


@pytest.fixture
def clock(fake_clock: t.Any) -> t.Any:
    fake_clock.time = 0.0
    return fake_clock


def until(clock: Clock, when: float, value: str, phase: str = "Doing it") -> Job[str]:
    while clock.now() < when:
        yield Progress(phase, f"{clock.now() // when * 100} %")
    return value


def at_once(error: FcdError | None = None) -> Job[str]:
    if error is not None:
        raise error
    yield from ()
    return "done"


def test_jobs_are_waited_for_together(clock: t.Any) -> None:
    jobs = {"a": until(clock, 30, "A"), "b": until(clock, 20, "B"), "c": at_once()}
    assert run_jobs(jobs, Deadline(clock, None), tell=lambda _text: None) == {"a": "A", "b": "B", "c": "done"}
    assert clock.time < 41  # not 50


def test_nothing_to_wait_for_takes_no_time(clock: t.Any) -> None:
    assert run_jobs({"a": at_once()}, Deadline(clock, None), tell=lambda _text: None) == {"a": "done"}
    assert clock.pauses == []


def test_a_failure_leaves_the_others_alone(clock: t.Any) -> None:
    error = OperationFailed("no")
    ended = run_jobs({"a": at_once(error), "b": until(clock, 5, "B")}, Deadline(clock, None), tell=lambda _text: None)
    assert ended == {"a": error, "b": "B"}


def test_after_the_deadline_what_is_left_is_late_and_says_what_was_seen(clock: t.Any) -> None:
    jobs = {"a": until(clock, 1e9, "A", "Creating a"), "b": until(clock, 3, "B")}
    ended = run_jobs(jobs, Deadline(clock, 10.0), tell=lambda _text: None)
    assert ended["b"] == "B"
    late = ended["a"]
    assert isinstance(late, WaitTimeout)
    assert late.message == "Creating a did not finish within 10 s (last seen: 0.0 %)."
    assert "wait_timeout" in str(late)
    assert clock.time == pytest.approx(10.0)
    with pytest.raises(StopIteration):
        next(jobs["a"])  # closed


def test_when_the_deadline_comes_the_calling_thread_looks_once_more(clock: t.Any) -> None:
    assert run_jobs({"a": until(clock, 10, "A")}, Deadline(clock, 10.0)) == {"a": "A"}


def test_pauses_grow_to_ten_seconds_and_are_short_again_in_another_phase(clock: t.Any) -> None:
    def job() -> Job[str]:
        yield from until(clock, 100, "", "first")
        yield from until(clock, 120, "", "second")
        return "done"

    run_jobs({"a": job()}, Deadline(clock, None), tell=lambda _text: None)
    growing = [0.2 * 1.6**times for times in range(9)]
    assert clock.pauses == pytest.approx([*growing, *[10.0] * 8, *growing])


@pytest.mark.parametrize(("count", "first"), [(1, 0.2), (30, 0.2), (90, 0.6)])
def test_the_pauses_of_many_jobs_are_longer(clock: t.Any, count: int, first: float) -> None:
    run_jobs({str(number): until(clock, 2, "") for number in range(count)}, Deadline(clock, None))
    assert clock.pauses[:2] == pytest.approx([first, first * 1.6])


def test_without_threads_all_is_done_in_the_calling_thread(clock: t.Any) -> None:
    def job() -> Job[threading.Thread]:
        yield Progress("Doing it")
        return threading.current_thread()

    assert run_jobs({"a": job()}, Deadline(clock, None)) == {"a": threading.current_thread()}


def test_progress_is_told_once_for_each_change(clock: t.Any) -> None:
    told: list[str] = []

    def job() -> Job[str]:
        for seen in ("0 %", "0 %", "50 %", ""):
            yield Progress("Creating", seen)
        return "done"

    run_jobs({"a": job()}, Deadline(clock, None), tell=told.append)
    assert told == ["Creating: 0 %", "Creating: 50 %", "Creating"]


def test_progress_is_reported_when_a_job_has_ended(clock: t.Any) -> None:
    seen: list[list[str]] = []
    jobs = {"a": until(clock, 3, "A"), "b": until(clock, 9, "B")}
    run_jobs(jobs, Deadline(clock, None), progress=lambda ended: seen.append(sorted(ended)))
    assert seen == [["a"], ["a", "b"]]


def test_a_defect_of_a_job_is_raised(clock: t.Any) -> None:
    def job() -> Job[str]:
        yield Progress("Doing it")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run_jobs({"a": job()}, Deadline(clock, None))
