# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Instances that are to run or to be stopped: gently, and the hard way only on request."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors

from .conftest import NEW, Bench
from .in_process import Fault, Service

OFF = {"Id": 87, "Label": "Powered Off"}
NO_TOOLS = errors.Rejected("The guest tools are not running.", status=400)


@pytest.mark.parametrize(
    ("state", "before", "write", "after"),
    [
        ("started", {"Status": OFF}, ["power_on"], 86),
        ("stopped", {}, ["shutdown"], 87),
        ("started", {}, [], 86),
        ("stopped", {"Status": OFF}, [], 87),
        ("present", {"Status": OFF}, [], 87),
        ("present", {}, [], 86),
    ],
)
def test_the_state_is_reached_once(
    bench: Bench, service: Service, state: str, before: dict[str, t.Any], write: list[str], after: int
) -> None:
    service.add("web", **before)
    result = bench.present(state=state)
    assert service.writes() == write
    assert result["changed"] is bool(write)
    assert result["instance"]["status"]["id"] == after
    assert result["instance"]["is_locked"] is False
    assert bench.present(state=state)["changed"] is False
    assert service.names() == ["list_instances", "list_subregions"]


@pytest.mark.parametrize(
    ("state", "before", "label"), [("started", OFF, "Powered On"), ("stopped", None, "Powered Off")]
)
def test_check_mode_tells_the_status_to_come(
    bench: Bench, service: Service, state: str, before: dict[str, t.Any] | None, label: str
) -> None:
    service.add("web", **({} if before is None else {"Status": before}))
    result = bench.run(name="web", state=state, check_mode=True)
    assert result["diff"]["after"]["status"]["label"] == result["instance"]["status"]["label"] == label
    assert result["diff"]["before"]["status"]["label"] != label
    assert service.writes() == []


@pytest.mark.parametrize(("state", "writes"), [("started", []), ("stopped", ["shutdown"]), ("present", [])])
def test_a_new_instance_comes_into_the_state(bench: Bench, service: Service, state: str, writes: list[str]) -> None:
    result = bench.present(state=state)
    assert result["action"] == "create"
    assert service.writes() == ["create_instance", *writes]
    assert result["instance"]["status"]["label"] == ("Powered Off" if state == "stopped" else "Powered On")
    assert bench.present(state=state)["changed"] is False


def test_a_missing_instance_without_what_a_create_needs_is_told(bench: Bench, service: Service) -> None:
    with pytest.raises(errors.InvalidInput, match="does not exist, and these options are missing to create it"):
        bench.run(name="web", state="stopped")
    assert service.writes() == []


def test_an_instance_is_stopped_before_it_is_changed_and_started_after(bench: Bench, service: Service) -> None:
    service.add("web")
    bench.present(state="stopped", type_id=35)
    assert service.writes() == ["shutdown", "change_type"]
    bench.present(state="started", type_id=34)
    assert service.writes() == ["change_type", "power_on"]


def test_a_guest_that_cannot_shut_down_is_told(bench: Bench, service: Service) -> None:
    service.add("web")
    service.faults["shutdown"] = [Fault(NO_TOOLS)]
    with pytest.raises(errors.Rejected, match=r"guest tools .* With force_stop: true, the instance is turned off"):
        bench.present(state="stopped")
    assert service.writes() == ["shutdown"]


def test_on_request_it_is_turned_off(bench: Bench, service: Service) -> None:
    service.add("web")
    service.faults["shutdown"] = [Fault(NO_TOOLS)]
    result = bench.present(state="stopped", force_stop=True)
    assert service.writes()[-1] == "power_off"
    assert result["instance"]["status"]["id"] == 87
    assert "Because of force_stop, it is turned off." in bench.warnings[0]


@pytest.mark.parametrize(
    "refusal",
    [
        errors.Forbidden("The scope only reads.", status=403),
        errors.Unauthorized("Not you.", status=401),
        errors.RateLimited("Slower.", status=429),
    ],
)
def test_missing_rights_are_no_reason_to_turn_it_off(
    bench: Bench, service: Service, refusal: errors.ServiceError
) -> None:
    service.add("web")
    service.faults["shutdown"] = [Fault(refusal)]
    with pytest.raises(type(refusal)):
        bench.present(state="stopped", force_stop=True)
    assert service.writes() == ["shutdown"]


@pytest.mark.parametrize("trouble", ["guest", "shutdown"])
def test_a_guest_that_does_not_shut_down(bench: Bench, service: Service, trouble: str) -> None:
    service.add("web")
    if trouble == "guest":  # the operation ends well, and the instance runs on
        service.shutdown = service.reboot
    else:
        service.fail(trouble)
    start = service.clock.time
    with pytest.raises((errors.WaitTimeout, errors.OperationFailed), match="With force_stop: true") as caught:
        bench.present(state="stopped", stop_timeout=60.0)
    assert service.clock.time - start < 75
    assert str(caught.value).count("\n") == 0
    result = bench.present(state="stopped", stop_timeout=60.0, force_stop=True)
    assert service.writes()[-1] == "power_off"
    assert result["instance"]["status"]["id"] == 87


def test_a_shutdown_that_never_ends_holds_the_lock_until_the_deadline(bench: Bench, service: Service) -> None:
    service.add("web")
    service.settings["ticket_seconds"] = 1e9
    start = service.clock.time
    with pytest.raises(errors.WaitTimeout, match=r"did not finish within 200 s"):
        bench.present(state="stopped", stop_timeout=60.0, force_stop=True, wait_timeout=200.0)
    assert service.clock.time - start == pytest.approx(200)


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("method", ["power_on", "shutdown"])
def test_an_unclear_answer_is_settled_by_reading(bench: Bench, service: Service, method: str, after: bool) -> None:
    service.add("web", **({"Status": OFF} if method == "power_on" else {}))
    service.faults[method] = [Fault(errors.Unclear("Reset."), after)]
    result = bench.present(state="started" if method == "power_on" else "stopped")
    assert result["changed"] is True
    assert service.writes() == [method] * (1 if after else 2)


def test_without_wait_it_is_started_only(bench: Bench, service: Service) -> None:
    service.add("web")
    before = service.clock.time
    result = bench.present(state="stopped", wait=False)
    assert service.clock.time == before
    assert (result["changed"], result["ticket"]) == (True, 5_000_000_001)
    assert bench.present(state="stopped")["changed"] is False


def test_an_instance_that_another_job_made_and_stopped_meanwhile_is_not_waited_for(
    bench: Bench, service: Service
) -> None:
    service.search_blind = True
    looked = service.list_instances

    def made_meanwhile(query: str | None = None) -> t.Any:
        found = looked(query)
        if query is None and not service.instances:
            service.search_blind = False
            service.add("web", Status=OFF)
        return found

    service.list_instances = made_meanwhile  # type: ignore[method-assign]
    result = bench.present(**NEW, state="stopped")
    assert result["changed"] is False
    assert service.writes() == []


def test_several_are_stopped_together(bench: Bench, service: Service) -> None:
    bench.present(instances_count=3)
    start = service.clock.time
    result = bench.present(instances_count=3, state="stopped")
    assert result["actions"] == dict.fromkeys(["web-1", "web-2", "web-3"], "update")
    assert service.clock.time - start < 2 * service.settings["ticket_seconds"]
