# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Instances at the sandbox: real requests, every fault on the create, kills in the middle, and several jobs at once."""

from __future__ import annotations

import multiprocessing
import os
import pathlib
import signal
import time
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.dictionary import read_dictionaries
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.instance import instance

from ..sandbox_tasks import SandboxProcess, SandboxTasks

NEW = {"template": "CentOS 7", "subregion": "EU-001", "type": "v1.standard-2.2"}
FORK = multiprocessing.get_context("fork")


class SandboxAccount(SandboxTasks):
    """The sandbox, with runs of the module instance as tasks of their own."""

    def run(self, *, check_mode: bool = False, **params: t.Any) -> dict[str, t.Any]:
        defaults = {name: option.get("default") for name, option in instance.OPERATION.options.items()}
        given = {"name": "web", "create_grace": 3.0, "wait_timeout": 30.0, **params}
        return instance.run(self.task(check_mode=check_mode), {**defaults, **given})

    def present(self, **params: t.Any) -> dict[str, t.Any]:
        return self.run(**{**NEW, **params})

    def names(self) -> list[str]:
        """Names of the instances that there really are."""
        state = self.sandbox.state()
        return sorted(one["Name"] for one in state["rest"]["instances"])

    def sent(self, method: str | None = None) -> list[str]:
        """The requests of the REST service so far."""
        log = self.sandbox.requests("rest")
        return [f"{one['method']} {one['path']}" for one in log if method in (None, one["method"])]


@pytest.fixture
def account(sandbox: SandboxProcess, own_home: pathlib.Path, tmp_path: pathlib.Path) -> t.Iterator[SandboxAccount]:
    sandbox.reset()
    sandbox.settings(rest={"ticket_seconds": 0.1, "lock_tail": 0.03})
    yield SandboxAccount(sandbox, tmp_path / "state", scope="service.api")
    assert sandbox.violations() == []


def test_the_whole_life(account: SandboxAccount) -> None:
    wish: dict[str, t.Any] = {**NEW, "disk_class": "Tier 2", "init_disk_size": 12, "authorization_method": "SSH keys"}
    made = account.run(**wish, ssh_keys=["operations"])
    assert (made["changed"], made["action"]) == (True, "create")
    assert made["instance"]["status"] == {"id": 86, "label": "Powered On"}
    assert [one["SpaceCapacity"] for one in account.sandbox.state()["rest"]["disks"]] == [12]
    again = account.run(**wish)
    assert (again["changed"], again["instance"]["id"]) == (False, made["instance"]["id"])
    assert again["instance"]["disk_class"]["label"] == "Tier 2"
    foreseen = account.present(type="v1.standard-4.4", check_mode=True)
    changed = account.present(type="v1.standard-4.4")
    assert foreseen["diff"]["after"]["type"] == changed["diff"]["after"]["type"]
    renamed = account.run(id=made["instance"]["id"], name="web & mäx #1")
    assert renamed["instance"]["name"] == "web & mäx #1"
    assert account.run(name="web & mäx #1", state="absent")["changed"] is True
    assert account.run(name="web & mäx #1", state="absent")["changed"] is False
    assert account.names() == []


def test_every_attribute_of_a_create_is_taken(account: SandboxAccount) -> None:
    given: dict[str, t.Any] = {
        "authorization_method_id": 1399,
        "disk_class": "48",
        "init_disk_size": 5,
        "isfreemium": True,
    }
    result = account.run(template_id=767, subregion_id=1, type_id=289, **given)
    (made,) = account.sandbox.state()["rest"]["instances"]
    assert (result["changed"], made["IsFreemium"], made["Type"]) == (True, True, 289)


def test_nothing_to_do_is_three_requests_also_for_many(account: SandboxAccount) -> None:
    account.present(instances_count=12)
    account.sandbox.clear_requests()
    assert account.present(instances_count=12)["changed"] is False
    assert account.sent() == ["GET /beta/instances", "GET /beta/subregions", "GET /beta/templates/767"]


def test_check_mode_writes_nothing(account: SandboxAccount) -> None:
    account.present()
    account.sandbox.clear_requests()
    assert account.present(type="v1.standard-4.4", check_mode=True)["changed"] is True
    assert account.present(name="other", check_mode=True)["changed"] is True
    assert account.run(state="absent", check_mode=True)["changed"] is True
    assert account.sandbox.counts()["writes"] == 0


SETTLED: dict[str, tuple[str, dict[str, t.Any]]] = {
    "504 after the commit": ("status_after", {"status": 504}),
    "500 after the commit": ("status_after", {"status": 500}),
    "reset after the commit": ("drop_after", {}),
    "cut body": ("cut", {}),
    "cut body without a length": ("cut_chunked", {}),
    "silence": ("hang_after", {"seconds": 2.0}),
    "one byte a second": ("drip", {}),
}


@pytest.mark.parametrize("fault", SETTLED)
def test_a_fault_after_the_commit_ends_in_one_instance(account: SandboxAccount, fault: str) -> None:
    account.present(name="warm-up", wait=False)  # the token is kept
    account.connection["timeout"] = 1.0
    name, wish = SETTLED[fault]
    account.sandbox.fault(name, service="rest", method="POST", path="/instances", **wish)
    result = account.present()
    assert result["changed"] is True
    assert account.names() == ["warm-up", "web"]
    assert account.present()["changed"] is False
    assert account.names() == ["warm-up", "web"]


PASSING: dict[str, tuple[str, dict[str, t.Any], str]] = {
    "429 with Retry-After": ("status_before", {"status": 429, "retry_after": "1", "own_words": True}, "POST"),
    "503 on a read": ("status_before", {"status": 503}, "GET"),
    "html on a read": ("html", {}, "GET"),
    "reset on a read": ("drop_before", {}, "GET"),
}


@pytest.mark.parametrize("fault", PASSING)
def test_a_fault_that_passes_is_repeated(account: SandboxAccount, fault: str) -> None:
    name, wish, method = PASSING[fault]
    account.sandbox.fault(name, service="rest", method=method, path="/instances", **wish)
    assert account.present()["changed"] is True
    assert account.names() == ["web"]
    assert account.warnings


def test_a_redirect_is_refused_and_the_other_host_sees_nothing(account: SandboxAccount) -> None:
    account.sandbox.fault("redirect", service="rest", method="POST", path="/instances", status=307)
    with pytest.raises(errors.Unusable, match="this was not followed"):
        account.present()
    assert account.sandbox.requests("foreign") == []
    assert account.names() == []
    assert account.present()["changed"] is True


@pytest.mark.parametrize("name", ["drop_before", "html"])
def test_a_create_that_was_not_done_ends_in_a_named_error_and_only_force_creates(
    account: SandboxAccount, name: str
) -> None:
    account.sandbox.fault(name, service="rest", method="POST", path="/instances")
    with pytest.raises(errors.CannotDetermine, match="whether instance 'web' exists"):
        account.present()
    with pytest.raises(errors.CannotDetermine, match="This task has sent nothing"):
        account.present()
    assert account.present(force_create=True)["changed"] is True
    assert account.names() == ["web"]


def test_lack_of_means_and_of_rights_are_told(account: SandboxAccount) -> None:
    account.settings(payment_required=True)
    with pytest.raises(errors.Rejected, match=r"no means to buy this resource.*account cannot buy this") as caught:
        account.present()
    assert caught.value.status == 402
    account.connection["scope"] = "service.api.readonly"
    with pytest.raises(errors.Forbidden, match=r"Create instance: HTTP 403: .*scope of the token"):
        account.present()
    assert account.names() == []


@pytest.mark.parametrize("hidden", [0.0, 0.5])
@pytest.mark.parametrize("moment", [0.0, 0.15, 0.5])
def test_after_kill_9_the_next_run_leaves_one_instance(account: SandboxAccount, moment: float, hidden: float) -> None:
    account.settings(visible_after=hidden, ticket_seconds=0.3)
    account.run(name="warm-up", state="absent")  # logs in
    job = FORK.Process(target=account.present)
    job.start()
    patience = time.monotonic() + 120
    while not account.names():  # made, and not only asked for: half a request makes nothing
        assert time.monotonic() < patience
        time.sleep(0.01)
    time.sleep(moment)
    os.kill(t.cast("int", job.pid), signal.SIGKILL)
    job.join()
    assert account.present()["changed"] is False
    assert account.names() == ["web"]


def test_four_jobs_at_once_make_one_instance(account: SandboxAccount) -> None:
    account.run(name="warm-up", state="absent")
    account.settings(visible_after=0.4)
    results: t.Any = FORK.Queue()
    jobs = [FORK.Process(target=lambda: results.put(account.present()["changed"])) for _number in range(4)]
    for job in jobs:
        job.start()
    changed = [results.get(timeout=120) for _job in jobs]
    for job in jobs:
        job.join()
    assert sorted(changed) == [False, False, False, True]
    assert account.names() == ["web"]


def test_a_stuck_lock_and_a_hanging_ticket_end_at_the_wait_timeout(account: SandboxAccount) -> None:
    account.settings(hang_tickets="stuck-1", stuck_locks="stuck-2")
    result = account.present(name="stuck", instances_count=3, wait_timeout=10.0)
    assert {failure["name"]: failure["error"]["kind"] for failure in result["failures"]} == {
        "stuck-1": "WaitTimeout",
        "stuck-2": "WaitTimeout",
    }
    assert result["actions"] == {"stuck-3": "create"}


def test_a_failed_ticket_is_told(account: SandboxAccount) -> None:
    account.settings(fail_tickets="create_instance|Renaming")
    with pytest.raises(errors.OperationFailed, match="Creating instance 'web' failed"):
        account.present()
    account.settings(fail_tickets="Renaming")
    number = account.present()["instance"]["id"]
    with pytest.raises(errors.OperationFailed, match=r"Changing name .* ended with an error: The operation failed"):
        account.run(id=number, name="other")


def test_what_a_failed_create_leaves_behind_is_not_made_twice(account: SandboxAccount) -> None:
    # Not held where lists lag: its ticket names nothing, so that a run before they show it makes another.
    at_once = {"list_lag": 0.0, "visible_after": 0.0}
    account.settings(fail_tickets="create_instance", failed_create_leaves=True, **at_once)
    with pytest.raises(errors.OperationFailed, match="Creating instance 'web' failed"):
        account.present()
    account.settings(fail_tickets=None)
    again = account.present(state="started")
    assert (again["action"], again["instance"]["status"]["label"]) == ("update", "Powered On")
    assert account.names() == ["web"]


def test_lost_tickets_do_not_matter(account: SandboxAccount) -> None:
    account.settings(lost_tickets="web")
    number = account.present()["instance"]["id"]
    assert account.run(id=number, type="v1.standard-4.4")["changed"] is True
    assert account.run(state="absent")["changed"] is True
    assert account.names() == []


def test_a_list_that_is_stale_for_long_does_not_lead_to_a_second_instance(account: SandboxAccount) -> None:
    account.settings(visible_after=60.0)
    assert account.present(wait=False)["changed"] is True
    assert account.present(wait=False)["changed"] is False
    assert account.present()["changed"] is False
    assert account.names() == ["web"]


def test_one_that_a_stale_list_does_not_show_is_made_anew(account: SandboxAccount) -> None:
    account.settings(visible_after=30.0)
    old = account.present()["instance"]["id"]
    anew: dict[str, t.Any] = {"template": "Debian 9", "recreate": True}
    assert account.present(**anew, check_mode=True)["action"] == "replace"
    result = account.present(**anew)
    assert result["action"] == "replace"
    assert result["instance"]["id"] != old
    assert account.names() == ["web"]


def test_dictionaries(account: SandboxAccount) -> None:
    every = read_dictionaries(account.task(), {"dictionary": None})["dictionaries"]
    assert {"id": 17, "name": "Disk classes"} in every
    by_name = read_dictionaries(account.task(), {"dictionary": "disk classes"})
    assert by_name["dictionary_items"][0] == {"id": 48, "label": "Tier 1"}
    assert read_dictionaries(account.task(), {"dictionary": "17"}) == by_name
    with pytest.raises(errors.InvalidInput, match="there is no dictionary 999"):
        read_dictionaries(account.task(), {"dictionary": "999"})


def test_what_was_made_is_listed_at_once(account: SandboxAccount) -> None:
    """Later tasks name it, and they read lists."""
    account.settings(list_lag=0.4)
    made = account.present()["instance"]["id"]
    assert [one["Id"] for one in account.api.list_instances(query="web")] == [made]
