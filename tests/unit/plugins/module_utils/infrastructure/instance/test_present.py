# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Instances that are there: what is compared, what is changed in place, and how few requests it takes."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors

from .conftest import NEW, Bench
from .in_process import Fault, Service


def test_nothing_to_do_with_names_costs_three_requests(bench: Bench, service: Service) -> None:
    service.add("web")
    service.add("web-old")
    labels: dict[str, t.Any] = {"template": "Golden image", "subregion": "EU-001", "type": "v1.standard-2.2"}
    never: dict[str, t.Any] = {"authorization_method": "SSH keys", "ssh_keys": ["operations"], "ip_address_id": 5}
    result = bench.run(name="web", isfreemium=False, **labels, **never)
    assert service.calls == [
        ("list_instances", (), {"query": "web"}),
        ("list_subregions", (), {}),
        ("read_one", ("Read template 60001", "/templates/60001"), {}),
    ]
    assert result["instance"]["subregion"] == {"id": 1, "label": "EU-001"}
    assert result["instance"]["template"] == {"id": 60001, "label": "Golden image"}
    assert result["changed"] is False
    assert result["action"] == "none"
    assert result["instance"]["id"] == 250001
    assert result["instances"] == [result["instance"]]
    assert result["ticket"] is None
    assert result["diff"]["before"] == result["diff"]["after"]
    assert bench.warnings == [
        f"{', '.join(never)}: used only when an instance is created, so not compared with one that exists."
    ]


def test_nothing_to_do_with_numbers_costs_two_requests(bench: Bench, service: Service) -> None:
    service.add("web")
    assert bench.present()["changed"] is False
    assert bench.run(name="web", type="34", template="60001")["changed"] is False
    assert service.names() == ["list_instances", "list_subregions"]


def test_the_system_disk_is_read_only_when_it_is_asked_for(bench: Bench, service: Service) -> None:
    service.add("web")
    result = bench.present(disk_class="48", init_disk_size=20)
    assert service.names() == ["list_instances", "list_subregions", "list_instance_disks"]
    assert result["changed"] is False
    assert result["instance"]["init_disk_size"] == 20
    assert result["instance"]["disk_class"] == {"id": 48, "label": "Tier 1"}


def test_a_label_that_the_instance_bears_is_not_looked_up(bench: Bench, service: Service) -> None:
    service.add("web")
    bench.present(disk_class="Tier 1")
    assert "get_dictionary" not in service.names()


@pytest.mark.parametrize(
    ("params", "says"),
    [
        ({"template_id": 60002}, "template is"),
        ({"isfreemium": True}, "isfreemium is false, wanted true"),
        ({"init_disk_size": 10}, "init_disk_size is 20, wanted 10, and a disk can only grow."),
    ],
)
def test_what_cannot_change_is_an_error_and_nothing_is_sent(
    bench: Bench, service: Service, params: dict[str, t.Any], says: str
) -> None:
    service.add("web")
    with pytest.raises(errors.ImmutableChange) as caught:
        bench.present(**{**params, "name": "web"})
    assert says in str(caught.value)
    assert "recreate: true" in str(caught.value)
    assert service.writes() == []


def test_without_a_listed_system_disk_its_attributes_are_left_alone_with_a_warning(
    bench: Bench, service: Service
) -> None:
    service.add("web", disk=None)
    assert bench.present(init_disk_size=30)["changed"] is False
    assert "init_disk_size not compared" in bench.warnings[0]


@pytest.mark.parametrize("check_mode", [True, False])
def test_both_sides_of_a_diff_have_the_same_names(bench: Bench, service: Service, *, check_mode: bool) -> None:
    """Whether the type is large enough is up to the template, which is read for that."""
    service.add("web")
    diff = bench.run(name="web", type="v1.standard-4.4", check_mode=check_mode)["diff"]
    before, after = diff["before"], diff["after"]
    assert {name for name in after if before.get(name) != after[name]} == {"type", "cpu_number", "ram_mb"}
    assert before["template"] == {"id": 60001, "label": "Golden image"}


def test_the_type_is_changed_in_place(bench: Bench, service: Service) -> None:
    service.add("web")
    result = bench.run(name="web", type="V1.STANDARD-4.4", init_disk_size=20)
    assert result["action"] == "update"
    assert result["changed"] is True
    assert result["instance"]["type"] == {"id": 35, "label": "v1.standard-4.4"}
    assert result["instance"]["is_locked"] is False
    assert result["diff"]["before"]["type"]["id"] == 34
    assert result["diff"]["after"]["type"]["id"] == 35
    assert result["diff"]["after"]["init_disk_size"] == 20
    assert result["ticket"] == 5_000_000_001
    assert service.writes() == ["change_type"]
    assert any("ticket 5000000001" in line for line in bench.told)


def test_name_and_type_change_one_after_the_other(bench: Bench, service: Service) -> None:
    number = service.add("old").id
    result = bench.run(id=number, name="new", type_id=35)
    assert service.writes() == ["change_type", "change_name"]
    assert service.names()[0] == "get_instance"
    assert (result["instance"]["name"], result["instance"]["type"]["id"]) == ("new", 35)
    assert bench.run(id=number, name="new", type_id=35)["changed"] is False
    assert service.names() == ["get_instance", "list_subregions"]


def test_without_wait_the_last_change_is_started_only(bench: Bench, service: Service) -> None:
    number = service.add("old").id
    before = service.clock.time
    result = bench.run(id=number, name="new", wait=False)
    assert service.clock.time == before
    assert result["changed"] is True
    assert result["instance"]["name"] == "new"
    assert service.instances[number].name == "old"
    assert bench.run(id=number, name="new", wait=True)["changed"] is False  # waits, and finds it done
    assert service.instances[number].name == "new"


def test_by_its_number_alone__an_instance_is_read(bench: Bench, service: Service) -> None:
    number = service.add("web").id
    assert bench.run(id=number)["instance"]["name"] == "web"


def test_a_number_that_does_not_exist_is_told(bench: Bench, service: Service) -> None:
    with pytest.raises(errors.InvalidInput, match="There is no instance with the ID 7"):
        bench.run(id=7, name="web")
    assert service.names() == ["get_instance", "list_instances"]  # the list confirms the 403


def test_a_403_for__an_instance_that_is_listed_means_missing_rights(bench: Bench, service: Service) -> None:
    number = service.add("web").id
    service.faults["get_instance"] = [Fault(errors.Forbidden("Not for you.", status=403))]
    with pytest.raises(errors.Forbidden, match="Not for you"):
        bench.run(id=number)


def test_a_deleted_instance_that_is_still_listed_does_not_count(bench: Bench, service: Service) -> None:
    gone = service.add("web", Status={"Id": 126, "Label": "Deleted"})
    assert bench.run(name="web", state="absent")["changed"] is False
    assert bench.run(id=gone.id, state="absent")["changed"] is False
    assert bench.present()["instance"]["id"] != gone.id


def test_two_instances_of_one_name_are_an_error_with_their_numbers(bench: Bench, service: Service) -> None:
    service.add("web")
    service.add("web")
    with pytest.raises(errors.Ambiguous, match="250001, 250002") as caught:
        bench.present()
    assert caught.value.details["ids"] == [250001, 250002]
    assert "id" in str(caught.value.next_step)
    assert bench.run(id=250002, name="web")["changed"] is False


def test_a_filter_that_finds_nothing_is_not_trusted(bench: Bench, service: Service) -> None:
    service.add("web")
    service.search_blind = True
    assert bench.present()["changed"] is False
    assert service.names() == ["list_instances", "list_instances", "list_subregions"]


@pytest.mark.parametrize(
    ("params", "says"),
    [
        ({"type": "v1.standard-4.44"}, "Did you mean 'v1.standard-4.4'"),
        ({"subregion": "Mars"}, "there is no 'Mars' among the subregions"),
        ({"template": "Golden"}, "Did you mean 'Golden image'"),
        ({"disk_class": "Tier 9"}, "there is no 'Tier 9' among"),
    ],
)
def test_unknown_labels_are_answered_with_the_nearest(
    bench: Bench, service: Service, params: dict[str, t.Any], says: str
) -> None:
    service.add("web")
    for name in ("web", "missing"):
        with pytest.raises(errors.InvalidInput) as caught:
            bench.run(**{**{key: NEW[key] for key in NEW if key[:-3] not in params}, "name": name, **params})
        assert says in str(caught.value)
    assert service.writes() == []


def test_a_locked_instance_is_waited_for_before_it_is_changed(bench: Bench, service: Service) -> None:
    instance = service.add("web")
    service.lock(instance)
    service.later(100, lambda: service.unlock(instance))
    result = bench.present(type_id=35, wait=False)
    assert result["changed"] is True
    assert service.writes() == ["change_type"]


def test_what_another_operation_brought_meanwhile_is_not_done_again(bench: Bench, service: Service) -> None:
    instance = service.add("web")
    service.lock(instance)
    service.later(100, lambda: (service.change(instance, type=35), service.unlock(instance)))
    result = bench.present(type_id=35)
    assert result["changed"] is False
    assert service.writes() == []


@pytest.mark.parametrize("state", ["locked", "initializing"])
def test_an_operation_that_runs_is_waited_for_also_without_a_difference(
    bench: Bench, service: Service, state: str
) -> None:
    instance = service.add("web", status=1748 if state == "initializing" else 86)
    if state == "locked":
        service.lock(instance)
    before = instance.status
    service.later(60, lambda: (service.change(instance, status=86), service.unlock(instance)))
    assert bench.present(wait=False)["instance"]["status"]["id"] == before
    assert service.names() == ["list_instances", "list_subregions"]
    result = bench.present()
    assert (result["changed"], result["instance"]["is_locked"]) == (False, False)
    assert result["instance"]["status"]["label"] == "Powered On"


def test_an_instance_that_was_powered_off_is_not_waited_for(bench: Bench, service: Service) -> None:
    service.add("web", status=87)
    assert bench.present()["changed"] is False
    assert service.names() == ["list_instances", "list_subregions"]


def test_an_instance_that_stays_locked_ends_the_task_at_the_wait_timeout(bench: Bench, service: Service) -> None:
    service.lock(service.add("web"))
    start = service.clock.time
    with pytest.raises(errors.WaitTimeout, match=r"did not finish within 90 s \(last seen: Powered On, locked\)"):
        bench.present(type_id=35, wait_timeout=90.0)
    assert service.clock.time - start == pytest.approx(90)


def test_the_deadline_of_the_task_counts_as_well(bench: Bench, service: Service) -> None:
    service.lock(service.add("web"))
    start = service.clock.time
    with pytest.raises((errors.WaitTimeout, errors.DeadlinePassed)):
        bench.present(type_id=35, task_timeout=30.0)
    assert service.clock.time - start == pytest.approx(30)


def test_an_instance_that_disappears_while_it_is_waited_for_is_told(bench: Bench, service: Service) -> None:
    instance = service.add("web")
    service.lock(instance)
    service.later(100, lambda: service.instances.pop(instance.id))
    with pytest.raises(errors.OperationFailed, match="instance 250001 no longer exists"):
        bench.present()


def test_a_refusal_for_the_lock_is_waited_out(bench: Bench, service: Service) -> None:
    instance = service.add("web")

    def lock() -> None:
        service.lock(instance, 50)

    original = service.change_type
    lock_once = [lock]

    def late(number: int, type_id: int) -> t.Any:
        if lock_once:
            lock_once.pop()()
        return original(number, type_id)

    service.change_type = late  # type: ignore[method-assign]
    assert bench.present(type_id=35)["instance"]["type"]["id"] == 35
    assert service.writes() == ["change_type", "change_type"]


def test_refusals_without_a_lock_are_not_repeated_for_ever(bench: Bench, service: Service) -> None:
    service.add("web")
    service.faults["change_type"] = [Fault(errors.Conflict("No.", status=409))] * 9
    with pytest.raises(errors.Conflict, match=r"No\."):
        bench.present(type_id=35)
    assert service.writes() == ["change_type"] * 3


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("error", [errors.Unclear("The answer was cut."), errors.ServiceError("504", status=504)])
def test_a_change_without_a_clear_answer_is_read_and_only_then_sent_again(
    bench: Bench, service: Service, error: errors.FcdError, after: bool
) -> None:
    service.add("web")
    service.faults["change_type"] = [Fault(error, after)]
    result = bench.present(type_id=35)
    assert result["changed"] is True
    assert result["instance"]["type"]["id"] == 35
    assert service.writes() == ["change_type"] * (1 if after else 2)


def test_a_change_that_never_gets_a_clear_answer_ends_with_what_was_unclear(bench: Bench, service: Service) -> None:
    service.add("web")
    service.faults["change_type"] = [Fault(errors.Unclear("The answer was cut."))] * 9
    with pytest.raises(errors.Unclear, match="cut"):
        bench.present(type_id=35)
    assert service.writes() == ["change_type"] * 3


def test_a_refusal_ends_a_change_at_once(bench: Bench, service: Service) -> None:
    service.add("web")
    service.faults["change_type"] = [Fault(errors.Rejected("Payment required.", status=402))]
    with pytest.raises(errors.Rejected):
        bench.present(type_id=35)
    assert service.writes() == ["change_type"]


@pytest.mark.parametrize("after", [True, False])
def test_a_redirect_of_a_change_is_read_back(bench: Bench, service: Service, after: bool) -> None:
    service.add("web")
    redirect = errors.Unusable("Redirected.", redirect="https://other.example.com")
    service.faults["change_type"] = [Fault(redirect, after=after)]
    assert bench.present(type_id=35)["changed"] is True
    assert service.writes() == ["change_type"] * (1 if after else 2)


def test_a_failed_ticket_is_told_with_what_the_events_say(bench: Bench, service: Service) -> None:
    service.add("web")
    service.fail("type")
    failed = {"Id": 137, "Label": "Error"}
    service.list_instance_events = lambda _number: [
        {"Id": 1, "OperationStatus": failed, "Message": "old"},
        {"Id": 2, "OperationStatus": failed, "Message": "No capacity."},
        {"Id": 3, "OperationStatus": {"Id": 136}, "Message": "fine"},
    ]
    with pytest.raises(errors.OperationFailed, match=r"ended with an error: No capacity\.$") as caught:
        bench.present(type_id=35)
    assert caught.value.details["ticket"] == 5_000_000_001


def test_without_readable_events_the_failure_is_told_all_the_same(bench: Bench, service: Service) -> None:
    service.add("web")
    service.fail("type")
    service.faults["list_instance_events"] = [Fault(errors.NotFound("none", status=404))]
    with pytest.raises(errors.OperationFailed, match=r"ended with an error\. The service gives no reason"):
        bench.present(type_id=35)


def test_a_few_failed_reads_do_not_end_the_wait(bench: Bench, service: Service) -> None:
    service.add("web")
    service.faults["get_ticket"] = [Fault(errors.Unclear("No answer."))] * 5
    assert bench.present(type_id=35)["instance"]["type"]["id"] == 35
    assert len([line for line in bench.warnings if "While waiting: No answer." in line]) == 5


@pytest.mark.parametrize(
    "faults",
    [
        [Fault(errors.Unclear("No answer."))] * 6,
        [Fault(errors.Unauthorized("Not any more.", status=401))],
        [Fault(errors.Unusable("Elsewhere.", redirect="https://other.example.com"))],
    ],
)
def test_reads_that_go_on_failing_end_the_wait(bench: Bench, service: Service, faults: list[Fault]) -> None:
    service.add("web")
    service.faults["get_ticket"] = list(faults)
    with pytest.raises(type(faults[0].error)):
        bench.present(type_id=35)


def test_too_many_requests_while_waiting_are_waited_out(bench: Bench, service: Service) -> None:
    service.lock(service.add("web"))
    service.later(30, lambda: service.unlock(service.instances[250001]))
    service.faults["get_instance"] = [Fault(errors.RateLimited("Slower.", status=429))]
    assert bench.present()["changed"] is False


def test_a_lost_ticket_of_a_change_is_no_failure(bench: Bench, service: Service) -> None:
    service.add("web")
    service.settings["lost_tickets"] = "."
    assert bench.present(type_id=35)["instance"]["type"]["id"] == 35


def test_check_mode_tells_the_change_and_sends_nothing(bench: Bench, service: Service) -> None:
    service.add("web")
    result = bench.present(type_id=35, check_mode=True)
    assert result["changed"] is True
    assert result["action"] == "update"
    assert result["diff"]["before"]["type"] == {"id": 34, "label": "v1.standard-2.2"}
    assert result["diff"]["after"]["type"] == {"id": 35, "label": "v1.standard-4.4"}
    assert result["instance"]["type"]["id"] == 35
    assert result["diff"]["after"]["cpu_number"] == result["diff"]["after"]["ram_mb"] == "(known after apply)"
    assert result["instance"]["cpu_number"] is None
    assert service.writes() == []
    assert bench.present(type_id=99, check_mode=True)["instance"]["type"] == {"id": 99, "label": None}
