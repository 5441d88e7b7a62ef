# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Groups of instances at the sandbox."""

from __future__ import annotations

import threading

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors

from .conftest import Account, Result


def one(account: Account) -> Result:
    """The only group that there is."""
    (found,) = account.truth("groups")
    return found


def names(result: Result) -> list[str]:
    return sorted(member["label"] for member in result["instance_group"]["instances"])


def test_a_group_is_created_changed_and_removed(account: Account) -> None:
    web = account.instance("web")
    planned = account.run("instance_group", check_mode=True, name="tier", instances=["web"])
    assert (planned["action"], names(planned), account.writes()) == ("create", ["web"], [])
    made = account.run("instance_group", name="tier", instances=["web"])
    number, group = made["instance_group"]["id"], made["instance_group"]
    assert (made["action"], group["affinity"], names(made)) == ("create", {"id": 1403, "label": "None"}, ["web"])
    address = account.api.list_instance_ip_addresses(web)[0]
    assert group["instances"][0]["address"] == address["Address"]
    assert one(account)["Assignments"] == {str(web): address["Id"]}
    assert account.run("instance_group", name="tier", affinity="none", instances=["web"])["changed"] is False
    assert account.writes() == []
    changed = account.run("instance_group", id=number, name="front", affinity="Maximize separation")
    assert (changed["action"], account.writes()) == ("update", [f"PUT /groups/{number}"])
    assert (changed["diff"]["before"]["name"], changed["diff"]["after"]["name"]) == ("tier", "front")
    assert (one(account)["Name"], one(account)["AffinityRuleType"]) == ("front", 1405)
    said = account.fails(errors.InvalidInput, "instance_group", name="front", state="absent")
    assert f"it has instances: web ({web})" in said and account.writes() == []
    assert account.run("instance_group", name="front", state="absent", force_detach=True)["action"] == "delete"
    assert account.truth("groups") == []
    for gone in ({"name": "front"}, {"id": number}):
        assert account.run("instance_group", state="absent", **gone)["changed"] is False


def test_instances_are_added_or_exact(account: Account) -> None:
    for name in ("a", "b", "c"):
        account.instance(name)
    account.run("instance_group", name="tier", instances=["a", "b"])
    assert account.run("instance_group", name="tier")["changed"] is False
    assert names(account.run("instance_group", name="tier", instances=["c"])) == ["a", "b", "c"]
    planned = account.run("instance_group", check_mode=True, name="tier", instances=["b"], purge_instances=True)
    assert (planned["action"], names(planned)) == ("update", ["b"])
    assert names(account.run("instance_group", name="tier", instances=["b"], purge_instances=True)) == ["b"]
    (listed,) = account.run("instance_group_info", instance="b")["instance_groups"]
    assert [member["label"] for member in listed["instances"]] == ["b"]
    assert account.run("instance_group_info", instance="a")["instance_groups"] == []
    assert names(account.run("instance_group", name="tier", instances=[], purge_instances=True)) == []
    assert account.run("instance_group_info", id=3)["missing"] == [3]


def test_an_instance_that_is_gone_is_not_sent_along(account: Account) -> None:
    for name in ("a", "b", "c"):
        account.instance(name)
    account.run("instance_group", name="tier", instances=["a", "b"])
    account.run("instance", name="a", state="absent")
    (listed,) = account.run("instance_group_info", name="tier")["instance_groups"]
    assert {member["label"] for member in listed["instances"]} == {None, "b"}
    assert account.run("instance_group", name="tier", instances=["b"])["changed"] is False
    assert account.run("instance_group", name="tier", affinity="Maximize separation")["action"] == "update"
    for check_mode in (True, False):
        assert names(account.run("instance_group", check_mode=check_mode, name="tier", instances=["c"])) == ["b", "c"]
    account.run("instance", name="b", state="absent")
    exact = account.run("instance_group", name="tier", instances=["c"], purge_instances=True)
    assert names(exact) == ["c"]


def test_an_address_that_is_gone_is_not_sent_along(account: Account) -> None:
    numbers = {name: account.instance(name) for name in ("a", "b", "c", "d")}
    account.run("instance_group", name="tier", instances=["a", "b", "c"])
    for name in ("a", "b"):
        account.run("ip_address", comment=name, subregion="EU-001", static=True, instance=name)
    old = dict(one(account)["Assignments"])
    account.run("ip_address", id=old[str(numbers["a"])], state="absent", force_detach=True)
    account.run("ip_address", id=old[str(numbers["b"])], static=True)
    account.run("ip_address", id=old[str(numbers["b"])], detached=True)
    for check_mode in (True, False):
        done = account.run("instance_group", check_mode=check_mode, name="tier", instances=["a", "d"])
        assert names(done) == ["a", "c", "d"]
        left_out = f"because the addresses that they were in it with are gone: b ({numbers['b']})."
        assert account.warnings[-1].endswith(left_out)
    assert one(account)["Assignments"][str(numbers["a"])] != old[str(numbers["a"])]
    again = account.run("instance_group", name="tier", instances=["a", "b"])
    assert (again["action"], names(again)) == ("update", ["a", "b", "c", "d"])
    assert account.run("instance_group", name="tier", instances=["a", "b"])["changed"] is False


def test_an_instance_with_several_addresses_is_in_a_group_with_the_one_that_is_given(account: Account) -> None:
    web = account.instance("web")
    second = account.api.create_ip_address(1)
    ticket = account.api.attach_ip_address(second["Id"], web)["Id"]
    account.until(lambda: account.api.get_ticket(ticket)["EndDate"] is not None)
    (first,) = (row for row in account.api.list_instance_ip_addresses(web) if row["Id"] != second["Id"])
    said = account.fails(errors.InvalidInput, "instance_group", name="tier", instances=["web"])
    assert "one of several addresses: " in said and second["Address"] in said and account.writes() == []
    for address in (second["Address"], str(second["Id"])):
        account.run("instance_group", name="tier", instances=["web"], ip_addresses=[address])
        assert one(account)["Assignments"] == {str(web): second["Id"]}
    assert account.run("instance_group", name="tier", instances=["web"])["changed"] is False
    moved = account.run("instance_group", name="tier", instances=["web"], ip_addresses=[first["Address"]])
    assert (moved["action"], one(account)["Assignments"]) == ("update", {str(web): first["Id"]})
    said = account.fails(
        errors.InvalidInput, "instance_group", name="tier", instances=["web"], ip_addresses=["192.0.2.1"]
    )
    assert "192.0.2.1: this address is attached to none of the instances" in said and account.writes() == []


def test_an_instance_without_a_public_address_is_refused(account: Account) -> None:
    account.instance("inside", OpnsIds=[41001], WithoutPublicIp=True)
    said = account.fails(errors.InvalidInput, "instance_group", name="tier", instances=["inside"])
    assert "has no public address" in said and account.truth("groups") == []
    assert "there is no instance 'insid'" in account.fails(
        errors.InvalidInput, "instance_group", name="tier", instances=["insid"]
    )


def test_two_tasks_do_not_undo_each_others_instances(account: Account) -> None:
    """The list is replaced as a whole: what was put in between the read and the PUT stays."""
    for name in ("a", "b"):
        account.instance(name)
    account.run("instance_group", name="tier", instances=[])
    number, api = one(account)["Id"], account.api
    rows = [(row["Id"], api.list_instance_ip_addresses(row["Id"])[0]["Id"]) for row in api.list_instances()]
    other = next(row for row in rows if row[0] == max(rows)[0])
    account.fault("hold", "GET", "/ip_addresses", times=1)
    # the task has read the group, and waits for the addresses of the instance that it adds
    done = threading.Thread(target=lambda: account.run("instance_group", name="tier", instances=["a"]))
    done.start()
    account.until(lambda: any("ip_addresses" in one["path"] for one in account.sandbox.requests("rest")))
    api.change_group_assignments(number, [{"InstanceId": other[0], "IpId": other[1]}])
    account.sandbox.clear_faults()
    done.join()
    assert set(one(account)["Assignments"]) == {str(number) for number, _address in rows}


def test_what_the_service_does_not_tell_is_asked_for_before_it_is_lost(account: Account) -> None:
    account.run("instance_group", name="tier")
    number = one(account)["Id"]
    account.settings(null_members=["group.AffinityRuleType", "group.IsLoadBalancer"])
    said = account.fails(errors.InvalidInput, "instance_group", id=number, name="other")
    assert "The service does not return affinity of group 'tier'" in said and account.writes() == []
    account.run("instance_group", id=number, name="other", affinity="1404")
    assert one(account)["AffinityRuleType"] == 1404
