# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A task is killed as by kill -9 while it makes an object: the next run ends with exactly one and tells the truth."""

from __future__ import annotations

import random
import threading
import time
import typing as t
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from chaos.kinds import DANGEROUS, KINDS, Kind
from chaos.playbook_run import WAYS, kill_all, play, start, task
from chaos.workplace import Workplace, until

NAME = "bandicoot"
STALE = 0.6
GRACE = 1.2
"""Seconds for which lists do not show a new object, and seconds for which tasks go on looking for one."""

SEED = 20260101
POINTS = 10
MOMENTS = ("before", "during", "after")
LATEST = 0.03
ONE_AT_A_TIME = threading.Lock()
each_kind = pytest.mark.parametrize("kind", [KINDS[name] for name in DANGEROUS], ids=DANGEROUS)


class Point(t.NamedTuple):
    """When the task is killed: at this request, before it is done, when it is done and not answered, or just later."""

    request: int
    moment: str
    later: float

    def __str__(self) -> str:
        """Return what pytest shows."""
        return f"{self.moment} request {self.request}"


@each_kind
def test_between_request_and_answer(place: Workplace, kind: Kind) -> None:
    """The object is there, nobody was told, and the list does not show it yet, nor any other."""
    place.sandbox.settings(**kind.stale(STALE))
    if kind.other_trace is not None:
        place.sandbox.fault("status_before", status=200, times=0, **kind.other_trace)
    place.sandbox.fault("hang_after", seconds=60, **kind.create)
    victim = place.start(kind.module, kind.wanted(NAME, GRACE))
    place.wait_for(kind.create)
    until(lambda: place.objects(kind, NAME) == 1, "the object at the service")
    assert victim.kill()
    second = place.make(kind, NAME, GRACE)
    assert second.succeeded()["changed"] is False, "it was made by the run before"
    assert place.objects(kind, NAME) == 1
    assert len(place.seen(kind.create)) == 1
    assert place.make(kind, NAME, GRACE).succeeded()["changed"] is False


@each_kind
def test_before_the_request_arrived(place: Workplace, kind: Kind) -> None:
    """Nothing was made, although the note on disk says that it may have been."""
    place.sandbox.settings(**kind.stale(STALE))
    place.sandbox.fault("hang_before", seconds=60, **kind.create)
    victim = place.start(kind.module, kind.wanted(NAME, GRACE))
    place.wait_for(kind.create)
    assert victim.kill()
    assert place.objects(kind, NAME) == 0
    begun = time.monotonic()
    second = place.make(kind, NAME, GRACE)
    assert second.succeeded()["changed"] is True
    assert time.monotonic() - begun < GRACE + 5
    assert place.objects(kind, NAME) == 1


def test_at_ten_random_points_of_each_kind(place: Workplace) -> None:
    """The points have a fixed seed; what must hold does not depend on where exactly a kill strikes.

    The kinds have their turns side by side, since they mostly wait for their grace times; only faults and kills do not
    mix.
    """
    kinds = [KINDS[name] for name in DANGEROUS]
    for kind in kinds:
        place.sandbox.settings(**kind.stale(STALE))
    with ThreadPoolExecutor(len(kinds)) as pool:
        for ended in [pool.submit(_ten_points, place, kind) for kind in kinds]:
            ended.result()
    place.forgive_half_requests()


def _ten_points(place: Workplace, kind: Kind) -> None:
    own = place.another(kind.module)
    own.make(kind, f"{NAME}-0").succeeded()
    warm = own.last()
    own.make(kind, f"{NAME}-whole", GRACE).succeeded()
    length = len(own.seen(kind.own, warm))
    assert length > 1
    chance = random.Random(f"{SEED} {kind.module}")
    for number in range(1, POINTS + 1):
        point = Point(chance.randint(1, length), chance.choice(MOMENTS), chance.uniform(0, LATEST))
        _kill_and_repeat(own, kind, f"{NAME}-{number}", point)


@pytest.mark.parametrize("way", WAYS)
def test_a_playbook(place: Workplace, tmp_path: Path, way: str) -> None:
    """All processes of ansible-playbook are killed, the worker or the module among them."""
    kind = KINDS["instance"]
    place.sandbox.settings(**kind.stale(STALE))
    place.sandbox.fault("hang_after", seconds=60, **kind.create)
    tasks = [task(kind.module, kind.wanted(NAME, GRACE))]
    victim = start(place, tasks, tmp_path / "victim", way=way)
    place.wait_for(kind.create)
    until(lambda: place.objects(kind, NAME) == 1, "the object at the service")
    kill_all(victim)
    second = play(place, tasks, tmp_path / "second", way=way)
    assert second.of(kind.module).result["changed"] is False, second.stdout
    assert place.objects(kind, NAME) == 1
    assert len(place.seen(kind.create)) == 1


def _kill_and_repeat(place: Workplace, kind: Kind, name: str, point: Point) -> None:
    with ONE_AT_A_TIME:
        killed = _killed(place, kind, name, point)
    between = place.last()
    second = place.make(kind, name, GRACE)
    sent = len(place.seen(kind.create, between))
    assert second.succeeded()["changed"] is bool(sent), f"{point}: {second.result}"
    assert place.objects(kind, name) == 1, f"{point} (killed: {killed})"
    assert sent <= 1, str(point)


def _killed(place: Workplace, kind: Kind, name: str, point: Point) -> bool:
    """Kill a task at the point; return whether it was still at work."""
    since = place.last()
    if point.moment != "after":
        fault = {"before": "hang_before", "during": "hang_after"}[point.moment]
        place.sandbox.fault(fault, seconds=60, skip=point.request - 1, **kind.own)
    victim = place.start(kind.module, kind.wanted(name, GRACE))
    until(lambda: len(place.seen(kind.own, since)) >= point.request or not victim.running, f"{point} of {name}")
    if point.moment == "after":
        time.sleep(point.later)  # not to wait for anything: the moment is random
    killed = victim.kill()
    place.sandbox.clear_faults()
    until(lambda: _quiet(place, kind, since), "the end of the requests of the killed task")
    return killed


def _quiet(place: Workplace, kind: Kind, since: int) -> bool:
    """Whether the service has done with all requests; those that hang are done, or never will be."""
    return all(one["status"] is not None or one["fault"] for one in place.seen(kind.own, since))
