# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Several tasks want the same fleet at the same moment: each instance is made once, and all tasks end well."""

from __future__ import annotations

import pytest

from chaos.fleets import CREATE, MODULE, fleet, once_each, really
from chaos.task_process import Ended, context
from chaos.workplace import Workplace

JOBS = 8
NUMBER = 12


def _at_once(place: Workplace, prefix: str, jobs: int, **more: object) -> list[Ended]:
    start = context().Event()
    tasks = [place.start(MODULE, fleet(prefix, NUMBER, **more), start=start) for _job in range(jobs)]
    start.set()
    return [task.ended() for task in tasks]


@pytest.mark.parametrize("delay", [0.0, 2.0], ids=["lists up to date", "lists that lag behind"])
def test_eight_tasks_make_one_fleet(place: Workplace, delay: float) -> None:
    place.sandbox.settings(rest={"visibility_delay": delay})
    ended = _at_once(place, "eider", JOBS)
    told = [one.succeeded() for one in ended]
    assert really(place, "eider") == once_each("eider", NUMBER)
    assert len(place.seen(CREATE)) == NUMBER
    assert sum(one["counts"]["created"] for one in told) == NUMBER
    assert all(len(one["instances"]) == NUMBER for one in told)
    assert all(one["id"] is not None for result in told for one in result["outcomes"])


def test_eight_tasks_remove_one_fleet(place: Workplace) -> None:
    place.run(MODULE, fleet("eider", NUMBER)).succeeded()
    ended = _at_once(place, "eider", JOBS, state="absent")
    for one in ended:
        one.succeeded()
    assert really(place, "eider") == {}


def test_the_threads_of_a_task_log_in_once(place: Workplace) -> None:
    place.sandbox.fault("delay", seconds=0.5, times=0, service="identity")
    place.run(MODULE, fleet("eider", NUMBER), FCD_TOKEN_CACHE="false").succeeded()
    assert place.sandbox.counts()["by"]["identity POST"] == 1
