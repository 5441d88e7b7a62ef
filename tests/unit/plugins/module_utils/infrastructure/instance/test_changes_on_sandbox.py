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

from .test_on_sandbox import FORK, NEW, SandboxAccount, account

__all__ = ["account"]  # a fixture

ANEW: dict[str, t.Any] = {"template": "Debian 9", "recreate": True}
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


def there(account: SandboxAccount, name: str = "web") -> dict[str, t.Any]:
    """Return the instance as it really is."""
    found = [one for one in account.sandbox.state()["rest"]["instances"] if one["Name"] == name]
    assert len(found) == 1
    return t.cast("dict[str, t.Any]", found[0])


def numbers(account: SandboxAccount) -> list[int]:
    """Return the IDs of the instances that there really are."""
    return [one["Id"] for one in account.sandbox.state()["rest"]["instances"]]


def until_listed(account: SandboxAccount) -> None:
    """Wait until a list shows the instance; before that, only the note of its create leads to it."""
    patience = time.monotonic() + 120
    while not account.api.list_instances(query="web"):
        assert time.monotonic() < patience
        time.sleep(0.02)


def act(account: SandboxAccount, operation: Operation, **params: t.Any) -> dict[str, t.Any]:
    """Run the operation of another module."""
    defaults = {name: option.get("default") for name, option in operation.options.items()}
    return operation.run(account.task(), {**defaults, "wait_timeout": 30.0, **params})


def test_all_changes_in_one_run(account: SandboxAccount) -> None:
    account.present()
    wish: dict[str, t.Any] = {
        "state": "stopped",
        "type": "v1.standard-4.4",
        "disk_class": "Tier 2",
        "init_disk_size": 40,
        "private_networks": ["backend"],
        "ip_addresses": [],
        "purge_ip_addresses": True,
    }
    foreseen = account.present(**wish, check_mode=True)
    account.sandbox.clear_requests()
    result = account.present(**wish)
    assert [line.rpartition("/")[2] for line in account.sent("POST")] == [
        "shutdown_ticket",
        "change_type_ticket",
        "change_tier_ticket",
        "extend_ticket",
        "attach_opn_ticket",
        "detach_ip_ticket",
    ]
    for name in ("type", "status", "disk_class", "init_disk_size", "private_networks", "ip_addresses"):
        assert foreseen["diff"]["after"][name] == result["diff"]["after"][name]
    assert account.present(**wish)["changed"] is False
    assert account.present(state="started")["instance"]["status"]["label"] == "Powered On"


def test_a_name_that_is_not_declared_stays_what_others_make_it(account: SandboxAccount) -> None:
    account.settings(ticket_seconds=0.3)
    number = account.present()["instance"]["id"]
    account.api.change_name(number, "web2")
    read = account.run(id=number, name=None)
    assert (read["changed"], read["instance"]["name"]) == (False, "web2")


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("change", CHANGES)
def test_a_fault_at_a_change_is_settled_by_reading(account: SandboxAccount, change: str, fault: str) -> None:
    account.settings(ticket_seconds=0.05, lock_tail=0.0)
    account.present()
    path, params = CHANGES[change]
    account.sandbox.fault(fault, service="rest", method="POST", path=path, **FAULTS[fault])
    account.run(**params)
    assert account.run(**params)["changed"] is False


@pytest.mark.parametrize("method", ["DELETE", "POST"])
def test_after_kill_9_in_a_remaking_the_next_run_leaves_one_instance(account: SandboxAccount, method: str) -> None:
    """While the answer to the removal, or to the create, is on its way."""
    old = account.present()["instance"]["id"]
    until_listed(account)
    account.settings(visible_after=0.5)
    account.sandbox.fault("hang_after", service="rest", seconds=600, method=method, path=r"/instances(/\d+)?$")
    job = FORK.Process(target=lambda: account.present(**ANEW))
    job.start()
    patience = time.monotonic() + 120
    while not account.sent("DELETE") if method == "DELETE" else {old}.issuperset(numbers(account)):
        assert time.monotonic() < patience
        time.sleep(0.01)
    os.kill(t.cast("int", job.pid), signal.SIGKILL)
    job.join()
    account.present(**ANEW)
    found = there(account)
    assert (found["Id"] != old, found["Template"]) == (True, 765)
    assert account.present(**ANEW)["changed"] is False
    assert account.names() == ["web"]


@pytest.mark.parametrize("lag", [0.3, 3.0])
def test_four_jobs_at_once_remake_one_instance(account: SandboxAccount, lag: float) -> None:
    account.present()
    account.settings(list_lag=lag, ticket_list_lag=lag)
    results: t.Any = FORK.Queue()

    def remake() -> None:
        try:
            results.put(account.present(**ANEW)["action"])
        except errors.FcdError as error:
            results.put(str(error))

    jobs = [FORK.Process(target=remake) for _number in range(4)]
    for job in jobs:
        job.start()
    ends = [results.get(timeout=120) for _job in jobs]
    for job in jobs:
        job.join()
    assert account.names() == ["web"], ends
    assert account.present(**ANEW)["changed"] is False


def test_access_data_that_come_late(account: SandboxAccount) -> None:
    account.settings(access_data_after=0.6)
    told = account.present(access_data=True)["access_data"]
    assert told["password"]
    assert account.present(access_data=True)["access_data"] is None  # the service shows a password once


def test_access_data_that_can_be_read_again(account: SandboxAccount) -> None:
    account.settings(password_once=False)
    told = account.present(access_data=True)["access_data"]
    assert account.present(access_data=True)["access_data"] == told


def test_checks_before_anything_is_sent(account: SandboxAccount) -> None:
    with pytest.raises(errors.InvalidInput, match=r"EU-005 \(7\) is not active"):
        account.run(**{**NEW, "subregion": "EU-005"})
    with pytest.raises(errors.InvalidInput, match=r"init_disk_size: 301 is not between"):
        account.present(init_disk_size=301)
    assert account.sandbox.counts()["writes"] == 0


@pytest.mark.parametrize("change", ["size", "network", "stop"])
def test_an_instance_that_disappears_between_read_and_change(account: SandboxAccount, change: str) -> None:
    number = account.present()["instance"]["id"]
    until_listed(account)
    path, params = CHANGES[change]
    gone = {"status": 403, "body": {"Message": "No such instance."}}
    account.sandbox.fault("status_before", service="rest", method="POST", path=path, times=0, **gone)
    account.sandbox.fault("status_before", service="rest", method="GET", path=f"/instances/{number}$", times=0, **gone)
    nothing = {"status": 200, "body": {"Items": [], "Meta": {"Total": 0}}}
    account.sandbox.fault("status_before", service="rest", path=r"/instances\?(?!.*query=)", times=0, **nothing)
    with pytest.raises(errors.OperationFailed, match=f"instance {number} no longer exists"):
        account.run(**params)


def test_a_disk_that_cannot_grow_while_its_instance_runs(account: SandboxAccount) -> None:
    account.settings(disk_change_while_running=False)
    account.present()
    with pytest.raises(errors.Rejected, match="in use by a running instance"):
        account.run(init_disk_size=30)
    assert account.run(init_disk_size=30, state="stopped")["instance"]["init_disk_size"] == 30


@pytest.mark.parametrize("fault", ["drop_after", "cut"])
def test_acts_are_done_once_in_spite_of_a_fault(account: SandboxAccount, fault: str) -> None:
    account.present()
    account.sandbox.clear_requests()
    acts: list[tuple[str, t.Any, dict[str, t.Any]]] = [
        ("reboot_ticket", instance_acts.INSTANCE_POWER, {"name": "web", "action": "reboot"}),
        ("reset_ticket", instance_acts.INSTANCE_POWER, {"name": "web", "action": "reset"}),
        (
            "clone_ticket",
            instance_acts.INSTANCE_CLONE,
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
        account.sandbox.fault(fault, service="rest", method="POST", path=path, **FAULTS[fault])
        assert act(account, operation, **params)["changed"] is True
        assert len([line for line in account.sent("POST") if line.endswith(path)]) == 1
    assert account.names() == ["copy"]


@pytest.mark.parametrize("moment", [0.0, 0.2, 0.5])
def test_after_kill_9_in_a_cloning_the_next_run_leaves_one_clone(account: SandboxAccount, moment: float) -> None:
    account.settings(ticket_seconds=0.3, visible_after=0.5)
    wish: dict[str, t.Any] = {
        "id": account.present()["instance"]["id"],
        "clone_name": "copy",
        "clone_type": "new_configuration",
        "create_grace": 3.0,
    }
    job = FORK.Process(target=lambda: act(account, instance_acts.INSTANCE_CLONE, **wish))
    job.start()
    patience = time.monotonic() + 120
    while not any("clone_ticket" in line for line in account.sent("POST")):
        assert time.monotonic() < patience
        time.sleep(0.01)
    time.sleep(moment)
    os.kill(t.cast("int", job.pid), signal.SIGKILL)
    job.join()
    act(account, instance_acts.INSTANCE_CLONE, **wish)
    assert account.names() == ["copy", "web"]


def made_template(account: SandboxAccount, name: str, version: str) -> int:
    """Make an own template of that name and version and return its number."""
    account.present(name=f"source-{version}")
    told = [{"language": "English", "description": "all"}]
    wish = {"name": f"source-{version}", "template_name": name, "version": version, "descriptions": told}
    return int(act(account, instance_to_template.OPERATION, **wish, create_grace=3.0)["template"]["id"])


@pytest.mark.parametrize("recreate", [False, True])
def test_an_instance_outlives_the_version_of_the_template_that_it_was_made_from(
    account: SandboxAccount, recreate: bool
) -> None:
    old = made_template(account, "golden", "1")
    made = account.present(template="golden")["instance"]
    made_template(account, "golden", "2")
    account.api.change_silently("Remove template", "DELETE", f"/templates/{old}")
    account.sandbox.clear_requests()
    again = account.present(template="golden", recreate=recreate)
    assert (again["changed"], again["instance"]["id"], account.sent("POST")) == (False, made["id"], [])
    assert f"(or no longer) list template {old}" in account.warnings[-1]


@pytest.mark.parametrize("recreate", [False, True])
def test_an_instance_from_one_of_two_templates_of_a_name_stays(account: SandboxAccount, recreate: bool) -> None:
    made = account.present(template=None, template_id=60001)["instance"]
    until_listed(account)
    again = account.present(template="Golden image", recreate=recreate)
    assert (again["changed"], again["instance"]["id"], account.warnings) == (False, made["id"], [])
    assert again["instance"]["template"] == {"id": 60001, "label": "Golden image"}
