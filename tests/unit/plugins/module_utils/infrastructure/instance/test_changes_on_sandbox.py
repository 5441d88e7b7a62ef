# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes of instances at the sandbox: real requests, faults at each of them, kills in the middle."""

from __future__ import annotations

import os
import signal
import time
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Operation
from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.instance import (
    instance_acts,
    instance_to_template,
)

from .test_on_sandbox import FORK, NEW, Site, site

__all__ = ["site"]  # a fixture

ELSEWHERE: dict[str, t.Any] = {"subregion": "EU-002", "recreate": True}
CHANGES: dict[str, tuple[str, dict[str, t.Any]]] = {
    "tier": ("change_tier_ticket", {"disk_class": "Tier 2"}),
    "size": ("extend_ticket", {"init_disk_size": 30}),
    "network": ("attach_opn_ticket", {"private_networks": ["backend"]}),
    "no address": (
        "detach_ip_ticket",
        {"private_networks": ["backend"], "ip_addresses": [], "purge_ip_addresses": True},
    ),
    "stop": ("shutdown_ticket", {"state": "stopped"}),
    "type": ("change_type_ticket", {"type": "v1.standard-4.4"}),
}
FAULTS: dict[str, dict[str, t.Any]] = {
    "drop_after": {},
    "status_before": {"status": 500},
    "cut": {},
}


def there(site: Site, name: str = "web") -> dict[str, t.Any]:
    """Return the instance as it really is."""
    found = [one for one in site.sandbox.state()["rest"]["instances"] if one["Name"] == name]
    assert len(found) == 1
    return t.cast("dict[str, t.Any]", found[0])


def until_listed(site: Site) -> None:
    """Wait until a list shows the instance; before that, only the note of its create leads to it."""
    patience = time.monotonic() + 120
    while not site.api.list_instances(query="web"):
        assert time.monotonic() < patience
        time.sleep(0.02)


def act(site: Site, operation: Operation, **params: t.Any) -> dict[str, t.Any]:
    """Run the operation of another module."""
    defaults = {name: option.get("default") for name, option in operation.options.items()}
    return operation.run(site.task(), {**defaults, "wait_timeout": 30.0, **params})


def test_all_changes_in_one_run(site: Site) -> None:
    site.present()
    wish: dict[str, t.Any] = {
        "state": "stopped",
        "type": "v1.standard-4.4",
        "disk_class": "Tier 2",
        "init_disk_size": 40,
        "private_networks": ["backend"],
        "ip_addresses": [],
        "purge_ip_addresses": True,
    }
    foreseen = site.present(**wish, check_mode=True)
    site.sandbox.clear_requests()
    result = site.present(**wish)
    assert [line.rpartition("/")[2] for line in site.sent("POST")] == [
        "shutdown_ticket",
        "change_type_ticket",
        "change_tier_ticket",
        "extend_ticket",
        "attach_opn_ticket",
        "detach_ip_ticket",
    ]
    for name in ("type", "status", "disk_class", "init_disk_size", "private_networks", "ip_addresses"):
        assert foreseen["diff"]["after"][name] == result["diff"]["after"][name]
    assert site.present(**wish)["changed"] is False
    assert site.present(state="started")["instance"]["status"]["label"] == "Powered On"


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("change", CHANGES)
def test_a_fault_at_a_change_is_settled_by_reading(site: Site, change: str, fault: str) -> None:
    site.settings(ticket_seconds=0.05, lock_tail=0.0)
    site.present()
    path, params = CHANGES[change]
    site.sandbox.fault(fault, service="rest", method="POST", path=path, **FAULTS[fault])
    site.run(**params)
    assert site.run(**params)["changed"] is False


@pytest.mark.parametrize("moment", [0.0, 0.3, 0.6])
def test_after_kill_9_in_a_remaking_the_next_run_leaves_one_instance(site: Site, moment: float) -> None:
    site.settings(ticket_seconds=0.3)
    old = site.present()["instance"]["id"]
    patience = time.monotonic() + 120
    while not site.api.list_instances():
        assert time.monotonic() < patience
        time.sleep(0.01)
    site.settings(visible_after=0.5)
    job = FORK.Process(target=lambda: site.present(**ELSEWHERE))
    job.start()
    patience = time.monotonic() + 120
    while not site.sent("DELETE"):
        assert time.monotonic() < patience
        time.sleep(0.01)
    time.sleep(moment)
    os.kill(t.cast("int", job.pid), signal.SIGKILL)
    job.join()
    site.present(**ELSEWHERE)
    found = there(site)
    assert (found["Id"] != old, found["Subregion"]) == (True, 4)
    assert site.present(**ELSEWHERE)["changed"] is False
    assert site.names() == ["web"]


@pytest.mark.parametrize("lag", [0.3, 3.0])
def test_four_jobs_at_once_remake_one_instance(site: Site, lag: float) -> None:
    site.present()
    site.settings(list_lag=lag, ticket_list_lag=lag)
    results: t.Any = FORK.Queue()

    def remake() -> None:
        try:
            results.put(site.present(**ELSEWHERE)["action"])
        except errors.FcdError as error:
            results.put(str(error))

    jobs = [FORK.Process(target=remake) for _number in range(4)]
    for job in jobs:
        job.start()
    ends = [results.get(timeout=120) for _job in jobs]
    for job in jobs:
        job.join()
    assert site.names() == ["web"], ends
    assert site.present(**ELSEWHERE)["changed"] is False


def test_access_data_that_come_late(site: Site) -> None:
    site.settings(access_data_after=0.6)
    told = site.present(access_data=True)["access_data"]
    assert told["password"]
    assert site.present(access_data=True)["access_data"] is None  # the service shows a password once


def test_access_data_that_can_be_read_again(site: Site) -> None:
    site.settings(password_once=False)
    told = site.present(access_data=True)["access_data"]
    assert site.present(access_data=True)["access_data"] == told


def test_checks_before_anything_is_sent(site: Site) -> None:
    with pytest.raises(errors.InvalidInput, match=r"EU-005 \(7\) is not active"):
        site.run(**{**NEW, "subregion": "EU-005"})
    with pytest.raises(errors.InvalidInput, match=r"init_disk_size: 301 is not between"):
        site.present(init_disk_size=301)
    assert site.sandbox.counts()["writes"] == 0


@pytest.mark.parametrize("change", ["size", "network", "stop"])
def test_an_instance_that_disappears_between_read_and_change(site: Site, change: str) -> None:
    number = site.present()["instance"]["id"]
    until_listed(site)
    path, params = CHANGES[change]
    gone = {"status": 403, "body": {"Message": "No such instance."}}
    site.sandbox.fault("status_before", service="rest", method="POST", path=path, times=0, **gone)
    site.sandbox.fault("status_before", service="rest", method="GET", path=f"/instances/{number}$", times=0, **gone)
    nothing = {"status": 200, "body": {"Items": [], "Meta": {"Total": 0}}}
    site.sandbox.fault("status_before", service="rest", path=r"/instances\?(?!.*query=)", times=0, **nothing)
    with pytest.raises(errors.OperationFailed, match=f"instance {number} no longer exists"):
        site.run(**params)


def test_a_disk_that_cannot_grow_while_its_instance_runs(site: Site) -> None:
    site.settings(disk_change_while_running=False)
    site.present()
    with pytest.raises(errors.Rejected, match="in use by a running instance"):
        site.run(init_disk_size=30)
    assert site.run(init_disk_size=30, state="stopped")["instance"]["init_disk_size"] == 30


@pytest.mark.parametrize("fault", ["drop_after", "cut"])
def test_acts_are_done_once_in_spite_of_a_fault(site: Site, fault: str) -> None:
    site.present()
    site.sandbox.clear_requests()
    acts: list[tuple[str, t.Any, dict[str, t.Any]]] = [
        ("reboot_ticket", instance_acts.POWER, {"name": "web", "action": "reboot"}),
        ("reset_ticket", instance_acts.POWER, {"name": "web", "action": "reset"}),
        (
            "clone_ticket",
            instance_acts.CLONE,
            {"name": "web", "clone_name": "copy", "clone_type": "current_configuration", "create_grace": 3.0},
        ),
        (
            "convert_to_template_ticket",
            instance_to_template.OPERATION,
            {
                "name": "web",
                "template_name": "Web",
                "version": "1",
                "descriptions": [{"language": "English", "description": "all"}],
                "create_grace": 3.0,
            },
        ),
    ]
    for path, operation, params in acts:
        site.sandbox.fault(fault, service="rest", method="POST", path=path, **FAULTS[fault])
        assert act(site, operation, **params)["changed"] is True
        assert len([line for line in site.sent("POST") if line.endswith(path)]) == 1
    assert site.names() == ["copy"]


@pytest.mark.parametrize("moment", [0.0, 0.2, 0.5])
def test_after_kill_9_in_a_cloning_the_next_run_leaves_one_clone(site: Site, moment: float) -> None:
    site.settings(ticket_seconds=0.3, visible_after=0.5)
    wish: dict[str, t.Any] = {
        "id": site.present()["instance"]["id"],
        "clone_name": "copy",
        "clone_type": "new_configuration",
        "create_grace": 3.0,
    }
    job = FORK.Process(target=lambda: act(site, instance_acts.CLONE, **wish))
    job.start()
    patience = time.monotonic() + 120
    while not any("clone_ticket" in line for line in site.sent("POST")):
        assert time.monotonic() < patience
        time.sleep(0.01)
    time.sleep(moment)
    os.kill(t.cast("int", job.pid), signal.SIGKILL)
    job.join()
    act(site, instance_acts.CLONE, **wish)
    assert site.names() == ["copy", "web"]


def made_template(site: Site, name: str, version: str) -> int:
    """Make an own template of that name and version and return its number."""
    site.present(name=f"source-{version}")
    told = [{"language": "English", "description": "all"}]
    wish = {"name": f"source-{version}", "template_name": name, "version": version, "descriptions": told}
    return int(act(site, instance_to_template.OPERATION, **wish, create_grace=3.0)["template"]["id"])


@pytest.mark.parametrize("recreate", [False, True])
def test_an_instance_outlives_the_version_of_the_template_that_it_was_made_from(site: Site, recreate: bool) -> None:
    old = made_template(site, "golden", "1")
    made = site.present(template="golden")["instance"]
    made_template(site, "golden", "2")
    site.api.change_silently("Remove template", "DELETE", f"/templates/{old}")
    site.sandbox.clear_requests()
    again = site.present(template="golden", recreate=recreate)
    assert (again["changed"], again["instance"]["id"], site.sent("POST")) == (False, made["id"], [])
    assert f"(or no longer) list template {old}" in site.warnings[-1]


@pytest.mark.parametrize("recreate", [False, True])
def test_an_instance_from_one_of_two_templates_of_a_name_stays(site: Site, recreate: bool) -> None:
    made = site.present(template=None, template_id=60001)["instance"]
    until_listed(site)
    again = site.present(template="Golden image", recreate=recreate)
    assert (again["changed"], again["instance"]["id"], site.warnings) == (False, made["id"], [])
    assert again["instance"]["template"] == {"id": 60001, "label": "Golden image"}
