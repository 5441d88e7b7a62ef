# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One read for many: nobody gets what is older than asked for, and no more is read than that takes."""

from __future__ import annotations

import itertools
import threading
import time

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.clock import RECENT_SECONDS, Clock, SharedReading
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import FcdError, Unclear

PATIENCE = 120.0


class Source:
    """A list at the service: it may be slow, and remembers how often it was read."""

    def __init__(self) -> None:
        self.value = 0
        self.reads = 0
        self.go = threading.Event()
        self.go.set()
        self.begun = threading.Event()

    def __call__(self) -> int:
        self.reads += 1
        value = self.value
        self.begun.set()
        assert self.go.wait(PATIENCE)
        return value


class StoppedClock(Clock):
    """A clock that goes on when it is told to."""

    now_is = 100.0

    def monotonic(self) -> float:
        return self.now_is


@pytest.fixture
def source() -> Source:
    return Source()


def ask(
    reading: SharedReading[int], number: int, moment: float | None = None
) -> tuple[list[threading.Thread], list[int]]:
    answers: list[int] = []
    threads = [threading.Thread(target=lambda: answers.append(reading.since(moment))) for _each in range(number)]
    for thread in threads:
        thread.start()
    return threads, answers


def end(threads: list[threading.Thread]) -> None:
    for thread in threads:
        thread.join(PATIENCE)
        assert not thread.is_alive()


def test_a_moment_in_the_past_is_served_by_what_was_read_since(source: Source) -> None:
    reading, moment = SharedReading(source, Clock()), time.monotonic()
    assert [reading.since(moment) for _each in range(5)] == [0] * 5
    assert source.reads == 1


def test_now_is_read_anew(source: Source) -> None:
    reading = SharedReading(source, Clock())
    assert reading.since() == 0
    source.value = 1
    assert reading.since() == 1


def test_what_is_recent_is_shared_unless_something_was_changed_since(source: Source) -> None:
    clock = StoppedClock()
    reading = SharedReading(source, clock)
    for seconds, reads in ((0.0, 1), (RECENT_SECONDS, 1), (0.1, 2), (0.1, 2)):
        clock.now_is += seconds
        reading.recent(0.0)
        assert source.reads == reads
    reading.recent(clock.now_is)
    assert source.reads == 3


def test_an_error_is_not_recent() -> None:
    """Else one failure would be that of all who ask in the next seconds."""
    answers: list[int | FcdError] = [Unclear("no answer"), 7]

    def read() -> int:
        answer = answers.pop(0)
        if isinstance(answer, FcdError):
            raise answer
        return answer

    clock = StoppedClock()
    reading = SharedReading(read, clock)
    with pytest.raises(Unclear):
        reading.recent(0.0)
    clock.now_is += 0.1
    assert [reading.recent(0.0) for _each in range(2)] == [7, 7]


def test_what_takes_long_to_read_is_recent_for_longer() -> None:
    """Else nobody could ever begin with what takes longer to read than a value stays recent."""
    clock, reads = StoppedClock(), []

    def read() -> int:
        reads.append(clock.now_is)
        clock.now_is += 5 * RECENT_SECONDS
        return len(reads)

    reading = SharedReading(read, clock)
    assert [reading.recent(0.0) for _each in range(3)] == [1, 1, 1]
    clock.now_is += 6 * RECENT_SECONDS
    assert reading.recent(0.0) == 2


def test_who_asks_during_a_read_gets_the_next_one_and_shares_it(source: Source) -> None:
    """What the first read has seen may be from before the others asked."""
    reading = SharedReading(source, Clock())
    source.go.clear()
    first, early = ask(reading, 1)
    assert source.begun.wait(PATIENCE)
    source.value = 1
    others, late = ask(reading, 20)
    time.sleep(0.2)  # until they all have asked
    source.go.set()
    end([*first, *others])
    assert early == [0]
    assert late == [1] * 20
    assert source.reads == 2


def test_many_threads_never_see_what_is_older_than_their_question() -> None:
    counter, lock, wrong = itertools.count(), threading.Lock(), []
    latest = [0]

    def read() -> int:
        value = latest[0]
        time.sleep(0.001)
        return value

    reading = SharedReading(read, Clock())

    def work() -> None:
        for _turn in range(30):
            with lock:
                mine = latest[0] = next(counter)
            seen = reading.since()
            if seen < mine:
                wrong.append((seen, mine))

    threads = [threading.Thread(target=work) for _each in range(16)]
    for thread in threads:
        thread.start()
    end(threads)
    assert wrong == []


def test_a_failure_is_for_all_who_asked_and_each_gets_its_own(source: Source) -> None:
    def fail() -> int:
        raise Unclear("no answer", operation="List")

    reading, moment, caught = SharedReading(fail, Clock()), time.monotonic(), []
    for _each in range(2):
        with pytest.raises(Unclear) as error:
            reading.since(moment)
        caught.append(error.value)
    caught[0].details["ticket"] = 1
    assert caught[1].details == {"operation": "List"}
    assert caught[0] is not caught[1]


def test_after_a_defect_others_can_go_on(source: Source) -> None:
    broken = [True]

    def read() -> int:
        if broken:
            broken.clear()
            raise ZeroDivisionError
        return 7

    reading = SharedReading(read, Clock())
    with pytest.raises(ZeroDivisionError):
        reading.since()
    assert reading.since() == 7
