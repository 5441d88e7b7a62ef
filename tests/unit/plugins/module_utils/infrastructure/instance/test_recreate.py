# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Instances that are made anew because something differs that cannot be changed."""

from __future__ import annotations

import typing as t

import pytest
from sandbox.rest.models import Address, Subregion

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import has_changed

from .conftest import Bench
from .in_process import SENT_BY_ALL, Fault, Service

ANEW: dict[str, t.Any] = {"template_id": 765, "recreate": True}
OTHER = {"TemplateId": 60001, "SubregionId": 1, "TypeId": 34}


def test_it_is_removed_and_made_once(bench: Bench, service: Service) -> None:
    old = service.add("web").id
    foreseen = bench.present(**ANEW, check_mode=True)
    assert service.writes() == []
    result = bench.present(**ANEW)
    assert service.writes() == ["delete_instance", "create_instance"]
    assert result["action"] == foreseen["action"] == "replace"
    assert result["instance"]["id"] != old
    assert list(service.instances) == [result["instance"]["id"]]
    for side in (foreseen, result):
        assert side["changed"] is True
        assert side["diff"]["before"]["id"] == old
        assert side["diff"]["before"]["template"]["id"] == 60001
        assert side["diff"]["after"]["template"]["id"] == 765
    assert foreseen["diff"]["after"]["id"] == "(known after apply)"
    assert bench.present(**ANEW)["changed"] is False
    assert service.names() == ["list_instances", "list_subregions"]


def test_what_can_be_changed_is_changed_in_place(bench: Bench, service: Service) -> None:
    old = service.add("web").id
    assert bench.present(type_id=35, recreate=True)["action"] == "update"
    assert list(service.instances) == [old]


def test_a_smaller_disk_needs_another_instance(bench: Bench, service: Service) -> None:
    service.add("web")
    assert bench.present(init_disk_size=10, recreate=True)["action"] == "replace"


def test_what_a_create_needs_has_to_be_given_before_anything_is_removed(bench: Bench, service: Service) -> None:
    service.add("web")
    with pytest.raises(errors.InvalidInput, match="these options are missing to create it: template"):
        bench.present(isfreemium=True, recreate=True, template_id=None)
    service.world.table(Subregion)[4].active = False
    with pytest.raises(errors.InvalidInput, match="not active"):
        bench.present(**ANEW, subregion_id=4)
    assert service.writes() == []


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"type_id": 9999}, "type: the service does not list 9999."),
        ({"template_id": 9999}, "template: the service does not list 9999."),
        ({"subregion_id": 9999}, "subregion: the service does not list 9999."),
        ({"disk_class": "9999"}, "disk_class: the service does not list 9999."),
        ({"ssh_keys": ["9999"], "authorization_method_id": 1398}, "ssh_keys: the service does not list 9999."),
        ({"private_networks": ["9999"]}, "private_networks: the service does not list 9999."),
        ({"ip_addresses": ["9999"]}, "ip_addresses: the service does not list 9999."),
        ({"ip_address_id": 9999}, "ip_address_id: the service does not list 9999."),
        ({"ip_address_id": 120002}, r"ip_address_id: 203.0.113.3 \(120002\) is attached to instance other"),
    ],
)
def test_what_the_new_one_could_not_be_made_with_is_told_before_anything_is_removed(
    bench: Bench, service: Service, given: dict[str, t.Any], said: str
) -> None:
    service.add("web")
    service.connect(service.add("other"), address=120002)
    with pytest.raises(errors.InvalidInput, match=said):
        bench.present(**{**ANEW, **given})
    assert service.writes() == []


@pytest.mark.parametrize("given", [{"ip_addresses": ["203.0.113.3"]}, {"ip_address_id": 120002}])
def test_the_new_one_may_have_the_address_of_the_old_one(
    bench: Bench, service: Service, given: dict[str, t.Any]
) -> None:
    service.connect(service.add("web"), address=120002)
    foreseen = bench.present(**ANEW, **given, check_mode=True)
    assert foreseen["action"] == "replace"
    assert bench.present(**ANEW, **given)["action"] == "replace"
    assert service.writes()[:2] == ["delete_instance", "create_instance"]


def test_a_create_that_is_refused_after_the_removal_says_that_it_is_removed(bench: Bench, service: Service) -> None:
    old = service.add("web").id
    service.faults["create_instance"] = [Fault(errors.Rejected("Create instance: HTTP 402: no means.", status=402))]
    with pytest.raises(errors.Rejected) as caught:
        bench.present(**ANEW)
    assert str(caught.value) == (
        f"Instance 'web' ({old}) was removed, but not re-created: Create instance: HTTP 402: no means. "
        "Fix the cause and run the task again: it creates the instance."
    )
    assert has_changed(caught.value)
    assert bench.present(**ANEW)["action"] == "create"


@pytest.mark.parametrize("hidden", [0.0, 60.0])
def test_a_run_that_ended_in_between_is_made_up(bench: Bench, service: Service, hidden: float) -> None:
    service.add("web")
    service.settings["visibility_delay"] = hidden
    service.faults["create_instance"] = [Fault(KeyboardInterrupt())]  # type: ignore[arg-type]
    with pytest.raises(KeyboardInterrupt):
        bench.present(**ANEW)
    assert service.instances == {}
    with pytest.raises(errors.CannotDetermine, match="This task has sent nothing"):
        bench.present(**ANEW)
    result = bench.present(**ANEW, force_create=True)
    assert result["action"] == "create"
    assert len(service.instances) == 1
    assert bench.present(**ANEW)["changed"] is False


def test_a_run_that_ended_during_the_removal_is_made_up(bench: Bench, service: Service) -> None:
    service.add("web")
    service.faults["get_ticket"] = [Fault(KeyboardInterrupt())]  # type: ignore[arg-type]
    with pytest.raises(KeyboardInterrupt):
        bench.present(**ANEW)
    result = bench.present(**ANEW)
    assert service.writes() == ["create_instance"]
    assert result["action"] == "replace"
    assert len(service.instances) == 1


def test_a_list_that_still_shows_the_old_one_does_not_stand_in_for_the_new_one(bench: Bench, service: Service) -> None:
    old = service.row(service.add("web"))
    listed = service.list_instances

    def stale(query: str | None = None) -> t.Any:
        ghost = {**old, "IsLocked": False}
        found = listed(query)
        return found if any(one["Id"] == old["Id"] for one in found) or len(service.instances) else [*found, ghost]

    service.list_instances = stale  # type: ignore[method-assign]
    result = bench.present(**ANEW)
    assert result["instance"]["id"] != old["Id"]
    assert service.writes() == ["delete_instance", "create_instance"]


def test_without_wait_the_removal_is_waited_for_all_the_same(bench: Bench, service: Service) -> None:
    service.add("web")
    result = bench.present(**ANEW, wait=False)
    assert result["action"] == "replace"
    assert service.writes() == ["delete_instance", "create_instance"]
    assert len(service.instances) == 1


def test_a_removal_that_fails_makes_nothing(bench: Bench, service: Service) -> None:
    service.add("web")
    service.fail("delete")
    with pytest.raises(errors.OperationFailed, match="Removing instance 'web' failed") as caught:
        bench.present(**ANEW)
    assert service.writes() == ["delete_instance"]
    assert not has_changed(caught.value)


@pytest.mark.parametrize("forgotten", [False, True])
def test_one_that_no_list_shows_yet_is_made_anew_all_the_same(bench: Bench, service: Service, forgotten: bool) -> None:
    service.settings["visibility_delay"] = 300.0
    old = bench.present(wait=forgotten)["instance"]["id"] or 250001
    assert bench.present(check_mode=True)["changed"] is False
    foreseen = bench.present(**ANEW, check_mode=True)
    assert (foreseen["action"] if forgotten else "replace") == "replace"
    assert service.writes() == []
    result = bench.present(**ANEW)
    assert service.writes() == ["delete_instance", "create_instance"]
    assert (result["action"], result["diff"]["before"]["id"]) == ("replace", old)
    assert [one.template for one in service.instances.values()] == [765]
    assert result["instance"]["id"] in service.instances
    assert bench.present(**ANEW)["changed"] is False


def test_one_that_no_list_shows_yet_is_not_made_anew_against_the_wish(bench: Bench, service: Service) -> None:
    service.settings["visibility_delay"] = 300.0
    bench.present()
    for check_mode in (True, False):
        with pytest.raises(errors.ImmutableChange, match="recreate: true"):
            bench.present(template_id=765, check_mode=check_mode)
        assert service.writes() == []


def test_two_tasks_that_want_different_things_do_not_remove_that_of_each_other(bench: Bench, service: Service) -> None:
    service.add("web")
    service.settings["visibility_delay"] = 300.0
    remove = service.delete_instance

    def removed_and_made_by_another(number: int, *, deep: bool = False) -> t.Any:
        ticket = remove(number, deep=deep)
        service.later(21.0, lambda: service.create_instance({"InstanceName": "web", **OTHER, **SENT_BY_ALL}))
        return ticket

    service.delete_instance = removed_and_made_by_another  # type: ignore[method-assign]
    service.faults["create_instance"] = [None, Fault(errors.Unclear("Reset."))]
    with pytest.raises(errors.ImmutableChange, match="template"):
        bench.present(**ANEW)
    assert service.writes().count("delete_instance") == 1


def test_an_instance_that_no_list_shows_yet_may_have_the_address_that_is_desired(
    bench: Bench, service: Service
) -> None:
    service.settings["visibility_delay"] = 300.0
    wish: dict[str, t.Any] = {"ip_addresses": ["203.0.113.3"]}
    number = bench.present(**wish)["instance"]["id"]
    assert service.world.table(Address)[120002].instance == number
    assert bench.present(**wish)["changed"] is False
