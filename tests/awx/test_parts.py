# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One site by several jobs: foundations by one, the rest by slices on workers that share nothing but the service."""

from __future__ import annotations

import yaml

from awx.established import Established
from awx.jobs import Ended
from awx.leaks import require_no_secret

INSTANCES, OBJECTS, CONTAINERS = 3, 11, 2
SITE = {
    "site": "many",
    "registry": {"container": "many-state"},
    "defaults": {
        "instances": {
            "template": "Debian 9",
            "subregion": "EU-001",
            "type": "v1.standard-1.09",
            "disk_class": "Tier 1",
            "init_disk_size": 10,
            "authorization_method": "user and password",
            "private_networks": ["inner"],
        }
    },
    "private_networks": [{"name": "inner"}],
    "storage_containers": [{"name": f"many-{number}"} for number in range(CONTAINERS)],
    "storage_objects": [
        {"container": f"many-{number % CONTAINERS}", "name": f"{number}.txt", "content": f"{number}"}
        for number in range(OBJECTS)
    ],
    "instances": [{"instance_name": f"node-{number}"} for number in range(INSTANCES)],
}
SLICES = 2


def test_each_object_is_made_once(established: Established) -> None:
    """Four parts in two slices on two workers: together they do what is declared, and again they do nothing."""
    established.push("many.yml", yaml.safe_dump(SITE, sort_keys=False))
    answers = {"provision_file": "many.yml"}
    foundations = established.jobs.launch("FCD foundations", answers)
    assert foundations.status == "successful", foundations.said
    assert created(foundations) == [1 + CONTAINERS]
    before = established.sandbox.counts()["by"]
    slices = established.jobs.launch_slices("FCD rest", answers, SLICES)
    assert [job.status for job in slices] == ["successful"] * SLICES, "".join(job.said for job in slices)
    for job in slices:
        require_no_secret(job)
    assert [sorted(job.totals) for job in slices] == [["part-1", "part-3"], ["part-2", "part-4"]]
    made = [number for job in slices for number in created(job)]
    assert (len(made), sum(made)) == (4, INSTANCES + OBJECTS)
    assert sum(job.total("changed") for job in slices) == sum(number > 0 for number in made)
    counts = established.sandbox.counts()["by"]
    assert counts["rest create_instance"] - before.get("rest create_instance", 0) == INSTANCES
    _all_there(established)
    again = established.jobs.launch_slices("FCD rest", answers, SLICES)
    assert [job.status for job in again] == ["successful"] * SLICES
    assert sum(job.total("changed") for job in again) == 0


def created(job: Ended) -> list[int]:
    """Return how many entries each host of the job created."""
    return [result["plan"]["counts"]["create"] for result in job.results if isinstance(result.get("plan"), dict)]


def _all_there(established: Established) -> None:
    state = established.sandbox.state()
    containers = state["storage"]["containers"]
    assert sum(len(containers[f"many-{number}"]["objects"]) for number in range(CONTAINERS)) == OBJECTS
    names = [instance["Name"] for instance in state["rest"]["instances"]]
    assert sorted(name for name in names if name.startswith("node-")) == [f"node-{n}" for n in range(INSTANCES)]
