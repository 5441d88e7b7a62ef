# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The same work for many items: how many at a time, where things are called, and what ends it."""

from __future__ import annotations

import contextlib
import threading
import time
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.clock import Clock, Deadline
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import DeadlinePassed, NotFound
from ansible_collections.fcd.cloud.plugins.module_utils._engine import scheduler
from ansible_collections.fcd.cloud.plugins.module_utils._engine.scheduler import AHEAD, map_in_threads, run_in_threads

NEVER = Deadline(Clock(), None)
PATIENCE = 120.0  # seconds


class Hand:
    """A deadline that is over when the test says so."""

    what, seconds = "task", 5.0

    def __init__(self) -> None:
        self.over = False


def ignored(_item: t.Any, _value: t.Any) -> None:
    pass


def test_each_item_ends_once_with_its_value_or_its_error() -> None:
    found: dict[int, t.Any] = {}
    threads = set()

    def work(item: int) -> int:
        if item % 10 == 3:
            raise NotFound(f"no {item}")
        return item * 2

    def ended(item: int, value: t.Any) -> None:
        assert item not in found
        found[item] = str(value) if isinstance(value, NotFound) else value
        threads.add(threading.current_thread())

    run_in_threads(range(100), work, most=4, deadline=NEVER, ended=ended)
    assert found == {item: f"no {item}" if item % 10 == 3 else item * 2 for item in range(100)}
    assert threads == {threading.current_thread()}


def test_values_are_in_the_order_of_their_items() -> None:
    first = threading.Event()

    def work(item: int) -> int:
        if item == 0:
            assert first.wait(PATIENCE)
        first.set()
        return item * 2

    assert map_in_threads(range(1, 30), lambda item: item * 2, most=1, deadline=NEVER) == list(range(2, 60, 2))
    assert map_in_threads(range(3), work, most=2, deadline=NEVER) == [0, 2, 4]


def test_the_first_error_ends_it_and_is_raised() -> None:
    done: list[int] = []

    def work(item: int) -> None:
        done.append(item)
        if item >= 2:
            raise NotFound(f"no {item}")

    with pytest.raises(NotFound, match="no 2"):
        map_in_threads(range(100), work, most=1, deadline=NEVER)
    assert done == [0, 1, 2]


def test_nothing_to_do() -> None:
    run_in_threads([], ignored, most=4, deadline=NEVER, ended=ignored)  # type: ignore[arg-type]


def test_as_many_at_a_time_as_allowed_and_no_more() -> None:
    barrier = threading.Barrier(3)  # breaks unless three come together

    def work(_item: int) -> int:
        barrier.wait(PATIENCE)
        return threading.active_count()

    before = threading.active_count()
    counts: list[t.Any] = []
    run_in_threads(range(9), work, most=3, deadline=NEVER, ended=lambda _item, value: counts.append(value))
    assert max(counts) <= before + 3


def test_items_are_taken_a_few_ahead_in_the_calling_thread() -> None:
    taken, most_open = [], [0]
    done: list[int] = []

    def items() -> t.Iterator[int]:
        for number in range(200):
            taken.append(threading.current_thread())
            most_open[0] = max(most_open[0], len(taken) - len(done))
            yield number

    run_in_threads(items(), lambda item: item, most=2, deadline=NEVER, ended=lambda item, _value: done.append(item))
    assert set(taken) == {threading.current_thread()}
    assert most_open[0] <= 2 * AHEAD + 1
    assert sorted(done) == list(range(200))


def test_what_has_ended_is_told_though_others_take_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduler, "LATEST", 0.01)
    told = threading.Event()

    def work(item: int) -> bool:
        return item == 0 or told.wait(PATIENCE)

    values: list[t.Any] = []

    def ended(_item: int, value: t.Any) -> None:
        told.set()
        values.append(value)

    run_in_threads(range(3), work, most=1, deadline=NEVER, ended=ended)
    assert values == [True] * 3


def test_the_calling_thread_is_not_woken_for_each(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds = []
    really = scheduler._Workers.collect

    def collected(crew: t.Any, seconds: float | None) -> t.Iterator[t.Any]:
        rounds.append(1)
        return really(crew, seconds)

    monkeypatch.setattr(scheduler._Workers, "collect", collected)
    run_in_threads(range(4000), lambda item: item, most=4, deadline=NEVER, ended=ignored)
    assert len(rounds) < 2000


def test_the_calling_thread_is_woken_when_items_run_out(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds = []
    really = scheduler._Workers.collect

    def collected(crew: t.Any, seconds: float | None) -> t.Iterator[t.Any]:
        rounds.append(1)
        return really(crew, seconds)

    def work(item: int) -> None:
        while len(rounds) <= item // 4:  # until all four are there
            time.sleep(0.001)
        time.sleep(0.002)

    monkeypatch.setattr(scheduler, "LATEST", 60.0)
    monkeypatch.setattr(scheduler._Workers, "collect", collected)
    run_in_threads(range(40), work, most=1, deadline=NEVER, ended=ignored)
    assert len(rounds) == 10


@pytest.mark.parametrize("problem", [NotFound("no 0"), ZeroDivisionError("no 0")])
def test_a_failure_is_told_at_once_though_items_wait(monkeypatch: pytest.MonkeyPatch, problem: Exception) -> None:
    monkeypatch.setattr(scheduler, "LATEST", 60.0)
    all_are_there, told, waits = threading.Event(), threading.Event(), []

    def items() -> t.Iterator[int]:
        yield from range(2)
        all_are_there.set()
        yield 2

    def work(item: int) -> None:
        if item == 0:
            all_are_there.wait(PATIENCE)
            raise problem
        waits.append(told.wait(PATIENCE))

    with contextlib.suppress(ZeroDivisionError):
        run_in_threads(items(), work, most=1, deadline=NEVER, ended=lambda _item, _value: told.set())
    told.set()
    assert False not in waits


def test_less_than_one_at_a_time_is_one() -> None:
    alone = threading.Lock()

    def work(item: int) -> int:
        assert alone.acquire(blocking=False)
        time.sleep(0.01)
        alone.release()
        return item

    found: list[t.Any] = []
    run_in_threads(range(5), work, most=0, deadline=NEVER, ended=lambda _item, value: found.append(value))
    assert found == list(range(5))


def test_a_defect_is_raised_and_ends_it() -> None:
    begun = []

    def work(item: int) -> None:
        begun.append(item)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run_in_threads(iter(range(1000)), work, most=2, deadline=NEVER, ended=ignored)
    assert len(begun) <= 2 * AHEAD


@pytest.mark.parametrize("problem", [KeyboardInterrupt, ValueError])
def test_nothing_is_begun_after_an_interrupt(problem: type[BaseException]) -> None:
    let_go, begun = threading.Event(), []

    def work(item: int) -> int:
        begun.append(item)
        if item:
            let_go.wait(PATIENCE)
        return item

    def ended(_item: int, _value: t.Any) -> None:
        raise problem

    before = set(threading.enumerate())
    with pytest.raises(problem):
        run_in_threads(range(100), work, most=3, deadline=NEVER, ended=ended)
    let_go.set()
    for thread in set(threading.enumerate()) - before:
        assert thread.daemon
        thread.join(PATIENCE)
        assert not thread.is_alive()
    assert len(begun) <= 4


def test_after_the_deadline_what_is_under_way_ends_and_the_rest_is_not_begun() -> None:
    hand, begun, ended_items = Hand(), [], []

    def work(item: int) -> int:
        begun.append(item)
        if len(begun) == 10:
            hand.over = True
        return item

    with pytest.raises(
        DeadlinePassed, match=r"The time limit of this task \(5 s\) has passed: the rest was not started\."
    ):
        run_in_threads(
            range(1000),
            work,
            most=2,
            deadline=t.cast("Deadline", hand),
            ended=lambda item, _value: ended_items.append(item),
        )
    assert sorted(begun) == sorted(ended_items)
    assert 10 <= len(begun) <= 11


def test_what_waits_when_the_deadline_comes_is_not_begun() -> None:
    hand, all_are_there, told = Hand(), threading.Event(), []

    def items() -> t.Iterator[int]:
        yield from range(3)
        all_are_there.set()
        yield 3

    def work(item: int) -> int:
        all_are_there.wait(PATIENCE)
        hand.over = True
        return item

    with pytest.raises(DeadlinePassed):
        run_in_threads(
            items(), work, most=1, deadline=t.cast("Deadline", hand), ended=lambda item, _value: told.append(item)
        )
    assert told == [0]


def test_a_deadline_that_passes_when_all_is_done_is_no_error() -> None:
    hand = Hand()

    def ended(_item: int, _value: t.Any) -> None:
        hand.over = True

    run_in_threads([1], lambda item: item, most=2, deadline=t.cast("Deadline", hand), ended=ended)
