# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Several tasks want the same thing at the same moment: one makes it, the others find it."""

from __future__ import annotations

import typing as t
from pathlib import Path

import pytest

from chaos.kinds import CONTAINER, DANGEROUS, KINDS, Kind, Wish
from chaos.playbook_run import play, task
from chaos.task_process import Ended, context
from chaos.workplace import PATIENCE, Workplace

NAME = "dingo"
JOBS, MANY = 4, 8
IDENTITY: Wish = {"service": "identity"}
STORAGE_LOG_IN: Wish = {"service": "storage", "operation": " auth$"}
each_kind = pytest.mark.parametrize("kind", [KINDS[name] for name in DANGEROUS], ids=DANGEROUS)


def _at_once(place: Workplace, module: str, wishes: t.Sequence[Wish]) -> list[Ended]:
    """Run these tasks, each in its process, from one moment on."""
    go = context().Event()
    tasks = [place.start(module, wish, start=go) for wish in wishes]
    go.set()
    return [one.ended() for one in tasks]


def _log_in_while_all_wait(place: Workplace, module: str, wishes: t.Sequence[Wish], log_in: Wish) -> list[Ended]:
    """Run these tasks, and answer the log-in of the first only when all others have found its lock taken."""
    place.sandbox.fault("hold", times=0, **log_in)
    at_lock = context().Semaphore(0)
    tasks = [place.start(module, wish, at_lock=at_lock) for wish in wishes]
    for _task in tasks:
        assert at_lock.acquire(timeout=PATIENCE), "not all tasks have come to the lock"
    place.wait_for(log_in)
    place.sandbox.clear_faults()
    return [one.ended() for one in tasks]


def _held_reads(place: Workplace, kind: Kind) -> None:
    """Answer the first search when all tasks have asked: all have looked before any of them has made something."""
    place.sandbox.fault("hold", times=0, number=JOBS, **kind.read)


@each_kind
def test_jobs_make_the_same_object(place: Workplace, kind: Kind) -> None:
    _held_reads(place, kind)
    ended = _at_once(place, kind.module, [kind.desired(NAME)] * JOBS)
    assert sorted(one.succeeded()["changed"] for one in ended) == [False] * (JOBS - 1) + [True]
    assert place.objects(kind, NAME) == 1
    assert len(place.seen(kind.create)) == 1
    first = _first_looks(place, kind)
    assert len(first) == JOBS, "the tasks have not looked at the same time: nothing is proved"


def _first_looks(place: Workplace, kind: Kind) -> set[int]:
    """Return the connections on which the object was looked for before it was made."""
    made = place.seen(kind.create)[0]["n"]
    return {one["client_port"] for one in place.seen(kind.read) if one["n"] < made}


@pytest.mark.parametrize("way", ["worker", pytest.param("module", marks=pytest.mark.full)])
def test_hosts_of_a_play_make_the_same_object(place: Workplace, tmp_path: Path, way: str) -> None:
    kind = KINDS["warehouse"]
    _held_reads(place, kind)
    done = play(place, [task(kind.module, kind.desired(NAME))], tmp_path / "run", way=way, hosts=JOBS)
    assert sorted(one.result["changed"] for one in done.results) == [False] * (JOBS - 1) + [True], done.stdout
    assert place.objects(kind, NAME) == 1


def test_different_objects_are_all_made(place: Workplace) -> None:
    kind = KINDS["warehouse"]
    names = [f"{NAME}-{number}" for number in range(JOBS)]
    ended = _at_once(place, kind.module, [kind.desired(name) for name in names])
    assert [one.succeeded()["changed"] for one in ended] == [True] * JOBS
    assert [place.objects(kind, name) for name in names] == [1] * JOBS


def test_tasks_with_a_cold_token_store_log_in_once(place: Workplace) -> None:
    for one in _log_in_while_all_wait(place, "dictionary_info", [{"dictionary": "17"}] * MANY, IDENTITY):
        one.succeeded()
    assert place.sandbox.counts()["by"]["identity POST"] == 1


def test_tasks_with_a_refused_token_log_in_once(place: Workplace) -> None:
    place.run("dictionary_info", {"dictionary": "17"}).succeeded()
    place.sandbox.expire("identity")
    place.sandbox.clear_requests()
    for one in _log_in_while_all_wait(place, "dictionary_info", [{"dictionary": "17"}] * MANY, IDENTITY):
        one.succeeded()
    assert place.sandbox.counts()["by"]["identity POST"] == 1


def test_storage_tasks_with_a_cold_token_store_log_in_once(place: Workplace) -> None:
    wishes = [{"name": f"{CONTAINER}-{number}"} for number in range(MANY)]
    ended = _log_in_while_all_wait(place, "storage_container", wishes, STORAGE_LOG_IN)
    assert [one.succeeded()["changed"] for one in ended] == [True] * MANY
    assert place.sandbox.counts()["by"]["storage GET auth"] == 1


def test_a_refused_log_in_is_not_repeated(place: Workplace) -> None:
    """Repeating it could lock the account."""
    place.sandbox.settings(identity={"lock_after": 0})
    ended = _at_once(place, "dictionary_info", [{"dictionary": "17", "password": "not this one"}] * 3)
    assert [one.kind for one in ended] == ["Unauthorized"] * 3
    assert place.sandbox.counts()["by"]["identity POST"] == 3
