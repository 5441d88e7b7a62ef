# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Network interfaces of an instance at the sandbox: read, and moved to another private network."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors

from .conftest import Account

INNER = 41001


def interfaces(account: Account, name: str) -> list[dict[str, t.Any]]:
    (found,) = account.run("instance_info", name=[name], include=["interfaces"])["instances"]
    return sorted(found["included"]["interfaces"], key=lambda one: t.cast("int", one["interface_id"]))


@pytest.fixture
def web(account: Account) -> int:
    """An instance in a private network, with a public address, beside another network."""
    account.run("private_network", name="outer")
    return account.instance("web", OpnsIds=[INNER])


def test_interfaces_are_read(account: Account, web: int) -> None:
    public, private = sorted(interfaces(account, "web"), key=lambda one: one["private_network"] is not None)
    assert (public["ip_address"]["id"], public["private_network"]) == (account.truth("ips")[0]["Id"], None)
    assert private["private_network"] == {"id": INNER, "label": "backend"}
    assert private["instance"] == {"id": web, "label": "web"}


def test_an_interface_moves_once(account: Account, web: int) -> None:
    (one,) = [one for one in interfaces(account, "web") if one["private_network"]]
    wish = {"name": "web", "mac_address": one["mac_address"].upper().replace(":", "-"), "private_network": "outer"}
    foreseen = account.run("instance_interface", **wish, check_mode=True)
    assert (foreseen["action"], account.writes()) == ("update", [])
    moved = account.run("instance_interface", **wish)
    assert account.writes() == [f"POST /instances/{web}/change_opn_ticket"]
    assert moved["interface"]["private_network"] == foreseen["interface"]["private_network"]
    assert moved["interface"]["private_network"]["label"] == "outer"
    assert moved["ticket"] is not None
    again = account.run("instance_interface", **wish)
    assert (again["changed"], again["interface"]) == (False, moved["interface"])
    by_number = {"id": web, "interface_id": one["interface_id"], "private_network": str(INNER)}
    assert account.run("instance_interface", **by_number, wait=False)["changed"] is True


def test_what_is_not_there_is_told(account: Account, web: int) -> None:
    said = account.fails(errors.InvalidInput, "instance_interface", name="web", interface_id=5, private_network="outer")
    assert said.startswith("interface_id: instance 'web' has no interface 5. It has: 7000")
    one = interfaces(account, "web")[0]["interface_id"]
    said = account.fails(errors.InvalidInput, "instance_interface", id=web, interface_id=one, private_network="outr")
    assert "Did you mean 'outer'" in said
    (public,) = [one["interface_id"] for one in interfaces(account, "web") if one["private_network"] is None]
    account.fails(errors.Rejected, "instance_interface", id=web, interface_id=public, private_network="outer")


@pytest.mark.parametrize("fault", ["drop_after", "drop_before"])
def test_a_lost_answer_moves_it_once(account: Account, web: int, fault: str) -> None:
    (one,) = [one["interface_id"] for one in interfaces(account, "web") if one["private_network"]]
    account.fault(fault, "POST", "change_opn_ticket")
    wish = {"id": web, "interface_id": one, "private_network": "outer"}
    assert account.run("instance_interface", **wish)["changed"] is True
    assert account.run("instance_interface", **wish)["changed"] is False


def test_a_service_that_only_says_yes_is_told(account: Account, web: int) -> None:
    (one,) = [one["interface_id"] for one in interfaces(account, "web") if one["private_network"]]
    account.settings(accept_only=True)
    wish = {"id": web, "interface_id": one, "private_network": "outer"}
    said = account.fails(errors.OperationFailed, "instance_interface", **wish)
    assert "does not show it in: private_network" in said


@pytest.mark.parametrize("answer", [{"InterfaceId": 7, "MacAddress": "02:00:00:00:00:07"}, [{"InterfaceId": 7}], []])
def test_an_answer_may_be_one_object_or_a_bare_list(account: Account, web: int, answer: t.Any) -> None:
    account.fault("status_before", "GET", "interfaces", status=200, body=answer, times=0)
    assert [one["interface_id"] for one in interfaces(account, "web")] == ([7] if answer else [])


@pytest.mark.parametrize("wrong", [{"InterfaceId": 7, "Instance": {"Id": 1}}, {"Items": [{"Id": 7}]}, ["none"]])
def test_an_answer_about_something_else_is_an_error(account: Account, web: int, wrong: t.Any) -> None:
    account.fault("status_before", "GET", "interfaces", status=200, body=wrong)
    account.fails(errors.Unusable, "instance_info", name=["web"], include=["interfaces"])
