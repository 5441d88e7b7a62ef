# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Several instances in one task: each on its own, waited for together, failures beside what went well."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors

from .conftest import Bench
from .in_process import Fault, Service


def names(service: Service) -> list[str]:
    return sorted(instance.name for instance in service.instances.values())


def test_each_is_made_on_its_own_and_all_are_waited_for_together(bench: Bench, service: Service) -> None:
    start = service.clock.time
    result = bench.present(instances_count=4)
    assert names(service) == ["web-1", "web-2", "web-3", "web-4"]
    assert service.clock.time - start < 2 * service.settings["ticket_seconds"]
    assert service.writes() == ["create_instance"] * 4
    polled = service.names().index("get_ticket")
    assert service.names()[:polled].count("create_instance") == 4  # all are requested before one is waited for
    assert [instance["name"] for instance in result["instances"]] == ["web-1", "web-2", "web-3", "web-4"]
    assert result["actions"] == dict.fromkeys(names(service), "create")
    assert len(result["tickets"]) == 4
    assert [(part["after_header"], part["before"]) for part in result["diff"]] == [(one, {}) for one in names(service)]
    assert result["changed"] is True
    assert "instance" not in result
    assert [args[0]["InstancesCount"] for name, args, _kwargs in service.calls if name == "create_instance"] == [1] * 4


def test_nothing_to_do_costs_two_requests(bench: Bench, service: Service) -> None:
    for name in ("web-1", "web-2", "web-3", "web-33", "web"):
        service.add(name)
    result = bench.present(instances_count=3)
    assert service.calls == [("list_instances", (), {"query": "web-"}), ("list_subregions", (), {})]
    assert result["changed"] is False
    assert result["diff"] == []
    assert [instance["name"] for instance in result["instances"]] == ["web-1", "web-2", "web-3"]


def test_what_is_missing_or_different_is_made_up(bench: Bench, service: Service) -> None:
    service.add("web-1")
    service.add("web-3", type=35)
    result = bench.present(instances_count=3)
    assert result["actions"] == {"web-1": "none", "web-2": "create", "web-3": "update"}
    assert [part["after_header"] for part in result["diff"]] == ["web-2", "web-3"]
    assert bench.present(instances_count=3)["changed"] is False


def test_a_smaller_number_leaves_the_others_alone(bench: Bench, service: Service) -> None:
    bench.present(instances_count=3)
    service.add("web-60")  # no count goes so far
    bench.warnings.clear()
    assert bench.present(instances_count=2)["changed"] is False
    assert len(service.instances) == 4
    assert bench.warnings == [
        "instances_count is 2, and 1 more instance exists: web-3. Set purge_instances: true to remove it."
    ]
    assert service.names() == ["list_instances", "list_subregions"]
    bench.present(instances_count=3)
    for count in (2, 1):  # what the count does not reach is not removed either
        bench.warnings.clear()
        bench.run(name="web", instances_count=count, state="absent")
        assert bench.warnings == [
            f"instances_count is {count}, and 1 more instance exists: web-3. Set purge_instances: true to remove it."
        ]


def shrink(bench: Bench, count: int, limit: str | None, **more: t.Any) -> dict[str, t.Any]:
    return bench.present(instances_count=count, purge_instances=True, max_delete=limit, **more)


def test_a_count_grows_and_shrinks(bench: Bench, service: Service) -> None:
    for name in ("web", "web-01", "web-0", "web-a", "web-2-3", "xweb-3"):
        service.add(name)
    others = names(service)
    assert shrink(bench, 3, None)["actions"] == dict.fromkeys(("web-1", "web-2", "web-3"), "create")
    assert shrink(bench, 3, None)["changed"] is False
    result = shrink(bench, 1, "2")
    assert result["actions"] == {"web-1": "none", "web-2": "delete", "web-3": "delete"}
    assert [one["name"] for one in result["instances"]] == ["web-1"]
    assert [(one["after_header"], one["after"]) for one in result["diff"]] == [("web-2", {}), ("web-3", {})]
    assert names(service) == sorted([*others, "web-1"])
    assert shrink(bench, 1, "2")["changed"] is False
    assert shrink(bench, 2, "2")["actions"] == {"web-1": "none", "web-2": "create"}


@pytest.mark.parametrize("check_mode", [True, False])
@pytest.mark.parametrize(("limit", "most"), [(None, 1), ("1", 1), ("34%", 1)])
def test_no_more_are_removed_than_allowed(
    bench: Bench, service: Service, limit: str | None, most: int, check_mode: bool
) -> None:
    bench.present(instances_count=4)
    told = rf"^max_delete: 2 of 4 instances would be removed \(web-3, web-4\), but at most {most} may be\."
    with pytest.raises(errors.InvalidInput, match=told) as refused:
        shrink(bench, 2, limit, check_mode=check_mode)
    assert refused.value.next_step is not None and "set max_delete to 2" in refused.value.next_step
    assert service.writes() == []


def test_check_mode_removes_nothing(bench: Bench, service: Service) -> None:
    bench.present(instances_count=2)
    result = shrink(bench, 1, "1", check_mode=True)
    assert (result["actions"], service.writes()) == ({"web-1": "none", "web-2": "delete"}, [])


@pytest.mark.parametrize("check_mode", [True, False])
def test_none_goes_when_a_surplus_name_is_shared(bench: Bench, service: Service, check_mode: bool) -> None:
    for name in ("web-1", "web-2", "web-3", "web-3"):
        service.add(name)
    with pytest.raises(errors.Ambiguous, match=r"^There are 2 instances with the name 'web-3'"):
        shrink(bench, 1, "100%", check_mode=check_mode)
    assert service.writes() == []


def test_only_numbers_that_a_count_can_have_belong_to_it(bench: Bench, service: Service) -> None:
    """Counts go up to 50; a longer number may be a date."""
    others = ["web-20261123", "web-51", "web-9999999999"]
    for name in ("web-1", "web-50", *others):
        service.add(name)
    assert shrink(bench, 1, "50%")["actions"] == {"web-1": "none", "web-50": "delete"}
    assert names(service) == sorted(["web-1", *others])


def test_the_surplus_stays_when_one_of_the_others_fails(bench: Bench, service: Service) -> None:
    bench.present(instances_count=1, purge_instances=True)
    for name in ("web-3", "web-4"):
        service.add(name)
    service.faults["create_instance"] = [Fault(errors.Rejected("Payment required.", status=402))]
    result = shrink(bench, 2, "2")
    assert result["failed"] is True and result["changed"] is False
    assert [one["name"] for one in result["failures"]] == ["web-2", "web-3", "web-4"]
    assert names(service) == ["web-1", "web-3", "web-4"]


def test_the_surplus_stays_while_nobody_waits_for_the_others(bench: Bench, service: Service) -> None:
    service.add("web-3")
    result = shrink(bench, 1, "1", wait=False)
    assert result["actions"] == {"web-1": "create", "web-3": "none"}
    assert any("purge_instances: an instance that is no longer declared is kept" in one for one in bench.warnings)
    assert names(service) == ["web-1", "web-3"]


def test_a_removal_that_failed_is_repeated_by_the_next_run(bench: Bench, service: Service) -> None:
    bench.present(instances_count=3)
    service.faults["delete_instance"] = [Fault(errors.Rejected("Locked by the operator.", status=400))]
    result = shrink(bench, 1, "2")
    assert result["failed"] is True and result["changed"] is True
    assert len(names(service)) == 2
    assert shrink(bench, 1, "2")["changed"] is True
    assert names(service) == ["web-1"]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"instances_count": None}, "purge_instances: it needs instances_count, the number to keep."),
        ({"state": "absent"}, "purge_instances: with state=absent, only the counted instances are removed."),
        ({"max_delete": "some"}, "max_delete: 'some' is neither a whole number"),
    ],
)
def test_what_cannot_be_meant_by_a_count_that_shrinks(bench: Bench, options: dict[str, t.Any], says: str) -> None:
    with pytest.raises(errors.InvalidInput, match=f"^{says}"):
        bench.present(**{"instances_count": 2, "purge_instances": True, **options})


def test_all_are_removed(bench: Bench, service: Service) -> None:
    bench.present(instances_count=3)
    service.add("web-4")
    start = service.clock.time
    result = bench.run(name="web", instances_count=3, state="absent")
    assert names(service) == ["web-4"]
    assert result["instances"] == []
    assert service.clock.time - start < 2 * service.settings["ticket_seconds"]
    assert bench.run(name="web", instances_count=3, state="absent")["changed"] is False


def test_check_mode_tells_for_each(bench: Bench, service: Service) -> None:
    service.add("web-1")
    result = bench.present(instances_count=3, check_mode=True)
    assert result["actions"] == {"web-1": "none", "web-2": "create", "web-3": "create"}
    assert [instance["id"] for instance in result["instances"]] == [250001, None, None]
    assert [part["after"]["name"] for part in result["diff"]] == ["web-2", "web-3"]
    assert service.writes() == []


def test_a_failure_is_told_and_the_rest_is_finished(bench: Bench, service: Service) -> None:
    service.add("web-1", template=765)
    service.add("web-2")
    service.add("web-2")
    service.faults["create_instance"] = [Fault(errors.Rejected("Payment required.", status=402)), None]
    result = bench.present(instances_count=4)
    assert result["failed"] is True
    assert result["changed"] is True
    assert result["actions"] == {"web-4": "create"}
    assert [failure["name"] for failure in result["failures"]] == ["web-1", "web-2", "web-3"]
    kinds = [failure["error"]["kind"] for failure in result["failures"]]
    assert kinds == ["ImmutableChange", "Ambiguous", "Rejected"]
    assert result["msg"].startswith("3 of the 4 instances web-1 to web-4 failed: web-1: This cannot be changed")
    assert "web-3: Payment required. Nothing was done: the account cannot buy this." in result["msg"]


def test_an_unclear_answer_for_one_does_not_make_two(bench: Bench, service: Service) -> None:
    service.faults["create_instance"] = [None, Fault(errors.Unclear("Reset."), after=True), None]
    result = bench.present(instances_count=3)
    assert "failed" not in result
    assert names(service) == ["web-1", "web-2", "web-3"]


def test_a_wrong_label_is_told_once_before_anything_is_sent(bench: Bench, service: Service) -> None:
    with pytest.raises(errors.InvalidInput, match=r"there is no .* among the subregions"):
        bench.present(instances_count=3, subregion_id=None, subregion="Mars")
    assert service.writes() == []


def test_those_that_are_late_are_told_with_their_tickets(bench: Bench, service: Service) -> None:
    service.settings["ticket_seconds"] = 1e9
    result = bench.present(instances_count=2, wait_timeout=30.0)
    assert [failure["error"]["kind"] for failure in result["failures"]] == ["WaitTimeout"] * 2
    assert [failure["error"]["ticket"] for failure in result["failures"]] == [5_000_000_001, 5_000_000_002]


@pytest.mark.parametrize("check_mode", [True, False])
def test_none_without_a_number_is_made_beside_those_with_one(bench: Bench, service: Service, check_mode: bool) -> None:
    bench.present(instances_count=2)
    with pytest.raises(errors.InvalidInput, match=r"with 1, 'web' would be created beside web-1, web-2\. Nothing"):
        bench.present(instances_count=1, check_mode=check_mode)
    assert service.writes() == []
    assert bench.present()["instance"]["name"] == "web"
    assert bench.present(instances_count=1)["changed"] is False


@pytest.mark.parametrize("check_mode", [True, False])
def test_none_with_a_number_is_made_beside_the_one_without(bench: Bench, service: Service, check_mode: bool) -> None:
    number = bench.present()["instance"]["id"]
    with pytest.raises(errors.InvalidInput, match=r"web-1, web-2 would be created beside 'web'\. Nothing was done"):
        bench.present(instances_count=2, check_mode=check_mode)
    assert service.writes() == []
    assert bench.run(id=number, name="web-1")["changed"] is True
    bench.present(instances_count=2)
    assert names(service) == ["web-1", "web-2"]
    service.add("web")
    assert bench.present(instances_count=2)["changed"] is False


def test_one_of_a_kind_has_the_very_name(bench: Bench, service: Service) -> None:
    assert bench.present(instances_count=1)["instance"]["name"] == "web"
