# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A fleet is interrupted anywhere: the next run makes exactly what is missing, and tells the truth about it."""

from __future__ import annotations

import signal
import time
import typing as t
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from chaos.fleets import CREATE, LONG, MODULE, fleet, forced, kinds, once_each, really
from chaos.kinds import Wish
from chaos.moments import Strike, spread
from chaos.task_process import TaskProcess
from chaos.workplace import GRACE, Workplace, until

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGKILL)
TRIES = 36
AT_A_TIME = 3
NUMBER, CONCURRENCY = 6, 4
"""More instances than are made at a time; what a larger fleet does besides is more of the same."""

LISTS = {"service": "rest", "method": "GET", "path": r"/(instances|tickets)\?"}
LOOKS = 48
"""Lists that eight who look read in three rounds."""
STALE, LAG = 0.3, 0.1
"""Seconds after which the list of instances tells of a create, and that of tickets."""


class Tried(t.NamedTuple):
    """Whether a fleet was still at work when it was to be interrupted, and how many instances there were then."""

    cut_short: bool
    made: int


@pytest.mark.full
def test_at_thirty_six_moments(place: Workplace) -> None:
    """What must hold does not depend on where exactly the signals strike."""
    place.sandbox.settings(rest={"visibility_delay": STALE, "ticket_list_lag": LAG})
    place.run(MODULE, fleet("warm", 1)).succeeded()
    whole = place.start(MODULE, _whole("whole"), strike=Strike(reads=False)).ended()
    whole.succeeded()
    moments = spread(whole.moments, TRIES)
    strikes = [Strike(moment, SIGNALS[one % len(SIGNALS)], reads=False) for one, moment in enumerate(moments)]
    with ThreadPoolExecutor(AT_A_TIME) as pool:
        tried = list(pool.map(lambda strike: _interrupted_and_made_up(place, strike), strikes))
    place.forgive_half_requests()
    assert sum(one.cut_short for one in tried) > TRIES / 2, "most of the signals came too late to interrupt anything"
    made = {one.made for one in tried}
    assert {0, NUMBER} < made, f"the moments are all alike: {sorted(made)}"


def _whole(prefix: str, **more: float) -> Wish:
    return fleet(prefix, NUMBER, concurrency=CONCURRENCY, **more)


def _interrupted_and_made_up(place: Workplace, strike: Strike) -> Tried:
    prefix = f"at{strike.number:03}"
    since = place.last()
    cut_short = place.start(MODULE, _whole(prefix), strike=strike).struck()
    place.wait_until_over(CREATE, since)
    time.sleep(LAG)  # the tickets tell of all creates now: no grace time is too short, however busy the machine is
    made = sum(really(place, prefix).values())
    next_run = place.run(MODULE, _whole(prefix, create_grace=LAG))
    in_doubt, there = kinds(next_run), really(place, prefix)
    assert set(in_doubt.values()) <= {"CannotDetermine"}
    assert there == once_each(prefix, NUMBER) - Counter(in_doubt.keys())
    created = NUMBER - made - len(in_doubt)
    assert (next_run.result["counts"]["created"], next_run.result["changed"]) == (created, created > 0)
    told = place.run(MODULE, forced(prefix, NUMBER)).succeeded()
    assert really(place, prefix) == once_each(prefix, NUMBER)
    assert (told["counts"]["created"], told["changed"]) == (len(in_doubt), bool(in_doubt))
    assert sorted(one["name"] for one in told["instances"]) == sorted(once_each(prefix, NUMBER))
    return Tried(cut_short, made)


@pytest.mark.parametrize("which", SIGNALS, ids=lambda one: one.name)
def test_while_all_creates_are_on_their_way(place: Workplace, which: signal.Signals) -> None:
    """All are made, nobody was told, and lists do not show them yet."""
    place.sandbox.settings(rest={"visibility_delay": 1.0})
    place.sandbox.fault("hang_after", seconds=600, times=0, **CREATE)
    victim = place.start(MODULE, fleet("grebe", 8))
    until(lambda: sum(really(place, "grebe").values()) == 8, "the instances at the service")
    assert victim.kill(which)
    place.sandbox.clear_faults()
    told = place.run(MODULE, fleet("grebe", 8)).succeeded()
    assert told["counts"]["created"] == 0
    assert really(place, "grebe") == once_each("grebe", 8)
    assert len(place.seen(CREATE)) == 8


def _until_looked_for(place: Workplace, task: TaskProcess) -> None:
    since = place.last()
    until(lambda: len(place.seen(LISTS, since)) >= LOOKS or not task.running, "the looks of all")


def test_before_any_create_arrived(place: Workplace) -> None:
    """They may have been made: all are looked for at once, and made when an hour has passed that shows none of them."""
    place.sandbox.fault("hang_before", seconds=600, times=0, **CREATE)
    victim = place.start(MODULE, fleet("smew", 8))
    until(lambda: len(place.seen(CREATE)) == 8, "the requests")
    assert victim.kill()
    place.sandbox.clear_faults()
    again = place.start(MODULE, fleet("smew", 8, create_grace=GRACE, wait_timeout=100 * LONG))
    _until_looked_for(place, again)
    assert len(place.seen(CREATE)) == 8, "the grace time is not over yet"
    leaps = 0
    while again.running and len(place.seen(CREATE)) < 16:  # one that had to wait begins to look after a leap
        again.leap()
        leaps += 1
        _until_looked_for(place, again)
    assert leaps <= 4, "they were looked for one after the other"
    assert again.ended().succeeded()["counts"]["created"] == 8
    assert really(place, "smew") == once_each("smew", 8)
