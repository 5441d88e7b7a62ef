# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A fleet is interrupted anywhere: the next run makes exactly what is missing, and tells the truth about it."""

from __future__ import annotations

import random
import signal
import time

import pytest

from chaos.fleets import CREATE, MODULE, fleet, once_each, really
from chaos.workplace import Workplace, until

SEED = 20260102
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGKILL)
TRIES = 50
NUMBER = 12
STALE, GRACE = 0.3, 1.0
LATEST = 0.5
"""Part of the time of a whole fleet after which another is interrupted at the latest: all creates are sent by then."""


def test_at_fifty_random_moments(place: Workplace) -> None:
    """Moments and signals have a fixed seed; what must hold does not depend on where exactly they strike."""
    place.sandbox.settings(rest={"visibility_delay": STALE})
    place.run(MODULE, fleet("warm", 1)).succeeded()
    latest = LATEST * place.run(MODULE, fleet("whole", NUMBER)).seconds
    chance = random.Random(SEED)
    cut_short, made_before = 0, set()
    for number in range(TRIES):
        prefix = f"try{number:02}"
        interrupted, made = _interrupted(place, prefix, chance.uniform(0, latest), chance.choice(SIGNALS))
        cut_short += interrupted
        made_before.add(made)
        _made_up(place, prefix)
    place.forgive_half_requests()
    assert cut_short > TRIES / 2, "most of the signals came too late to interrupt anything"
    assert len(made_before) > 3, f"the moments are all alike: {sorted(made_before)}"


def _interrupted(place: Workplace, prefix: str, later: float, which: signal.Signals) -> tuple[bool, int]:
    """Interrupt a fleet; return whether it was still at work, and how many machines there were."""
    since = place.last()
    victim = place.start(MODULE, fleet(prefix, NUMBER, create_grace=GRACE))
    until(lambda: place.last() > since, f"the first request of {prefix}")
    time.sleep(later)  # not to wait for anything: the moment is random
    at_work = victim.kill(which)
    until(lambda: _quiet(place, since), "the end of the requests of the interrupted task")
    return at_work, sum(really(place, prefix).values())


def _quiet(place: Workplace, since: int) -> bool:
    """Whether the service has done with all requests that create."""
    return all(one["status"] is not None for one in place.seen(CREATE, since))


def _made_up(place: Workplace, prefix: str) -> None:
    there = really(place, prefix)
    since = place.last()
    told = place.run(MODULE, fleet(prefix, NUMBER, create_grace=GRACE)).succeeded()
    assert really(place, prefix) == once_each(prefix, NUMBER)
    sent = len(place.seen(CREATE, since))
    assert sent == NUMBER - len(there)
    assert told["counts"]["created"] == sent
    assert told["changed"] is bool(sent)
    assert sorted(one["name"] for one in told["instances"]) == sorted(once_each(prefix, NUMBER))


@pytest.mark.parametrize("which", SIGNALS, ids=lambda one: one.name)
def test_while_all_creates_are_on_their_way(place: Workplace, which: signal.Signals) -> None:
    """All are made, nobody was told, and lists do not show them yet."""
    place.sandbox.settings(rest={"visibility_delay": 1.0})
    place.sandbox.fault("hang_after", seconds=60, times=0, **CREATE)
    victim = place.start(MODULE, fleet("grebe", 8))
    until(lambda: sum(really(place, "grebe").values()) == 8, "the machines at the service")
    assert victim.kill(which)
    place.sandbox.clear_faults()
    told = place.run(MODULE, fleet("grebe", 8)).succeeded()
    assert told["counts"]["created"] == 0
    assert really(place, "grebe") == once_each("grebe", 8)
    assert len(place.seen(CREATE)) == 8


def test_before_any_create_arrived(place: Workplace) -> None:
    """The notes on disk say that they may have been made; they are looked for, all at once, and then made."""
    place.sandbox.fault("hang_before", seconds=60, times=0, **CREATE)
    victim = place.start(MODULE, fleet("smew", 8))
    until(lambda: len(place.seen(CREATE)) == 8, "the requests")
    assert victim.kill()
    place.sandbox.clear_faults()
    begun = time.monotonic()
    told = place.run(MODULE, fleet("smew", 8, create_grace=1.5)).succeeded()
    assert time.monotonic() - begun < 1.5 + 5
    assert told["counts"]["created"] == 8
    assert really(place, "smew") == once_each("smew", 8)
