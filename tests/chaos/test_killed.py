# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A task is killed as by kill -9 while it makes an object: the next run ends with exactly one and tells the truth."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from chaos.kinds import DANGEROUS, KINDS, Kind
from chaos.moments import Strike, spread
from chaos.playbook_run import kill_all, play, start, task
from chaos.task_process import TaskProcess
from chaos.workplace import FOR_EVER, GRACE, Workplace, until

NAME = "bandicoot"
STALE = 0.6
"""Seconds for which lists do not show a new object, where a whole playbook has to find it."""

MOMENTS = 10
each_kind = pytest.mark.parametrize("kind", [KINDS[name] for name in DANGEROUS], ids=DANGEROUS)


@each_kind
def test_between_request_and_answer(place: Workplace, kind: Kind) -> None:
    """The object is there, nobody was told, and the list does not show it yet, nor any other."""
    place.sandbox.settings(**kind.stale(FOR_EVER))
    if kind.other_trace is not None:
        place.sandbox.fault("status_before", status=200, times=0, **kind.other_trace)
    place.sandbox.fault("hang_after", seconds=600, **kind.create)
    victim = place.start(kind.module, kind.desired(NAME, GRACE))
    place.wait_for(kind.create)
    until(lambda: place.objects(kind, NAME) == 1, "the object at the service")
    assert victim.kill()
    second = place.make_up(kind, NAME)
    assert second.succeeded()["changed"] is False, "it was made by the run before"
    assert place.objects(kind, NAME) == 1
    assert len(place.seen(kind.create)) == 1
    assert place.make(kind, NAME, GRACE).succeeded()["changed"] is False


@each_kind
def test_before_the_request_arrived(place: Workplace, kind: Kind) -> None:
    """Nothing was made, although the note on disk says that it may have been."""
    place.sandbox.settings(**kind.stale(FOR_EVER))
    place.sandbox.fault("hang_before", seconds=600, **kind.create)
    victim = place.start(kind.module, kind.desired(NAME, GRACE))
    place.wait_for(kind.create)
    assert victim.kill()
    assert place.objects(kind, NAME) == 0
    assert place.in_doubt()
    assert place.make_up(kind, NAME).succeeded()["changed"] is True
    assert place.objects(kind, NAME) == 1


def test_at_ten_moments_of_each_kind(place: Workplace) -> None:
    """The kinds have their turns side by side."""
    with ThreadPoolExecutor(len(DANGEROUS)) as pool:
        for ended in [pool.submit(_ten_moments, place, KINDS[name]) for name in DANGEROUS]:
            ended.result()
    place.forgive_half_requests()


def _ten_moments(place: Workplace, kind: Kind) -> None:
    """Count the moments of a task as the victims are: the same log-in, lists and grace time."""
    own = place.another(kind.module)
    own.make(kind, f"{NAME}-0").succeeded()
    own.settle(kind, f"{NAME}-0")
    whole = _start(own, kind, f"{NAME}-whole", Strike(reads=False)).ended()
    assert whole.succeeded()["changed"] is True
    own.settle(kind, f"{NAME}-whole")
    moments = spread(whole.moments, MOMENTS)
    assert len(moments) == MOMENTS, f"it has {whole.moments} moments"
    for moment in moments:
        _kill_and_repeat(own, kind, f"{NAME}-{moment}", moment)


def _start(place: Workplace, kind: Kind, name: str, strike: Strike) -> TaskProcess:
    """Start a task that finds what it makes at its first look, so that the machine's speed adds no moments."""
    place.sandbox.settings(**kind.stale(0.0))
    return place.start(kind.module, kind.desired(name, GRACE), strike=strike)


def _kill_and_repeat(place: Workplace, kind: Kind, name: str, moment: int) -> None:
    since = place.last()
    victim = _start(place, kind, name, Strike(moment, reads=False))
    assert victim.struck(), f"it has ended before moment {moment}"
    place.wait_until_over(kind.own, since)
    between, made = place.last(), place.objects(kind, name)
    sent = [one["n"] for one in place.seen(kind.create, since)]
    shown = bool(sent) and any(one["over"] for one in place.seen(kind.read, sent[-1]))
    assert place.in_doubt() or shown or not sent, f"moment {moment}: nothing tells the next run of the create"
    if place.in_doubt() or not shown:  # else the note may be gone, and the lists go on showing it
        place.sandbox.settings(**kind.stale(FOR_EVER))
    second = place.make_up(kind, name)
    assert second.succeeded()["changed"] is not bool(made), f"moment {moment}: {second.result}"
    assert place.objects(kind, name) == 1, f"moment {moment}"
    assert len(place.seen(kind.create, between)) == 1 - made, f"moment {moment}"
    place.settle(kind, name)


@pytest.mark.parametrize("way", ["worker", pytest.param("module", marks=pytest.mark.full)])
def test_a_playbook(place: Workplace, tmp_path: Path, way: str) -> None:
    """All processes of ansible-playbook are killed, the worker or the module among them."""
    kind = KINDS["instance"]
    place.sandbox.settings(**kind.stale(STALE))
    place.sandbox.fault("hang_after", seconds=600, **kind.create)
    tasks = [task(kind.module, kind.desired(NAME, GRACE))]
    victim = start(place, tasks, tmp_path / "victim", way=way)
    place.wait_for(kind.create)
    until(lambda: place.objects(kind, NAME) == 1, "the object at the service")
    kill_all(victim)
    second = play(place, tasks, tmp_path / "second", way=way)
    assert second.of(kind.module).result["changed"] is False, second.stdout
    assert place.objects(kind, NAME) == 1
    assert len(place.seen(kind.create)) == 1
