# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A play of many tasks against a service that is down: all its processes share one budget of retries."""

from __future__ import annotations

import typing as t
from pathlib import Path

import pytest

from chaos.playbook_run import Played, TaskItem, play, task
from chaos.workplace import Workplace

pytestmark = pytest.mark.full

READ = {"dictionary": "17"}
HOSTS, TASKS, ATTEMPTS = 5, 20, 4
BUDGET, COST = 50, 5
WORKER = task("dictionary_info", READ, "worker", ignore_errors=True)
MODULE = task("dictionary_info", READ, "module", ignore_errors=True, environment={"CHAOS_WAY": "module"})


@pytest.fixture
def site(place: Workplace) -> Workplace:
    """A token is kept, so that nobody has to log in, and the log is empty."""
    place.run("dictionary_info", READ).succeeded()
    place.sandbox.clear_requests()
    return place


def run(site: Workplace, tasks: t.Sequence[TaskItem], folder: Path, budget: int) -> Played:
    environment = {"FCD_RETRY_BUDGET": str(budget)}
    return play(site, tasks, folder, hosts=HOSTS, cmdline="-v --forks 5", environment=environment)


def test_a_service_that_is_down(site: Workplace, tmp_path: Path) -> None:
    site.sandbox.fault("status_before", service="rest", status=503, retry_after=0, times=0)
    played = run(site, [WORKER, MODULE, WORKER, WORKER], tmp_path / "run", BUDGET)
    assert [one.failed for one in played.results] == [True] * TASKS
    bound = TASKS + BUDGET // COST
    assert bound <= len(site.sandbox.requests("rest")) <= bound + 1  # a very slow run gets a little back meanwhile
    refused = [one for one in played.results if "the retry budget of this play for https://localhost:" in one.message]
    assert len(refused) >= TASKS - BUDGET // COST - 1
    assert {one.name for one in refused} == {"worker", "module"}
    assert f"has {BUDGET - COST} of {BUDGET} points left." in played.stdout


def test_without_a_budget_each_task_tries_on(site: Workplace, tmp_path: Path) -> None:
    site.sandbox.fault("status_before", service="rest", status=503, retry_after=0, times=0)
    played = run(site, [WORKER] * 4, tmp_path / "run", 0)
    assert [one.failed for one in played.results] == [True] * TASKS
    assert len(site.sandbox.requests("rest")) == TASKS * ATTEMPTS
    assert not (site.state_dir / "retries").exists()


def test_a_failure_that_passes_is_soon_forgotten(site: Workplace, tmp_path: Path) -> None:
    site.sandbox.fault("status_before", service="rest", status=503, retry_after=0, skip=3, times=1)
    played = run(site, [WORKER, WORKER], tmp_path / "run", 500)
    assert not any(one.failed for one in played.results)
    assert len(site.sandbox.requests("rest")) == 2 * HOSTS + 1
    assert "has 495 of 500 points left." in played.stdout
    assert list((site.state_dir / "retries").iterdir()) == []
