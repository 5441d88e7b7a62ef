# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Public addresses at the sandbox: found by comment, text or number, changed, attached, given back."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.ip_address import address_body

from .conftest import Account

MAIL: dict[str, t.Any] = {"comment": "mail", "subregion": "EU-001"}
AUTOMATIC, STATIC, RESERVED = 1107, 1106, 1109


def test_an_address_is_reserved_once(account: Account) -> None:
    account.settings(null_members=[])  # it is found by its second address too
    made = account.run("ip_address", **MAIL, reverse_dns="mail.example.com")
    address = made["ip_address"]
    assert (made["action"], address["comment"], address["reverse_dns"]) == ("create", "mail", "mail.example.com")
    assert (address["subregion"]["label"], address["instance"], address["static"]) == ("EU-001", None, False)
    again = account.run("ip_address", **MAIL, reverse_dns="Mail.example.com.")
    assert (again["changed"], again["ip_address"]) == (False, address)
    assert account.sent() == ["GET /instances/ip_addresses", "GET /subregions"]
    for other in ({"address": address["address"]}, {"id": address["id"]}, {"address": address["address_v6"].upper()}):
        assert account.run("ip_address", **other, comment="mail")["changed"] is False
    assert len(account.truth("ips")) == 1


def test_check_mode_tells_the_same_and_writes_nothing(account: Account) -> None:
    foreseen = account.run("ip_address", **MAIL, static=True, check_mode=True)
    assert account.writes() == []
    made = account.run("ip_address", **MAIL, static=True)
    told = {name: made["diff"]["after"][name] for name in foreseen["diff"]["after"] if name != "id"}
    assert {**told, "id": "(known after apply)"} == foreseen["diff"]["after"]


def test_what_is_not_there_is_told(account: Account) -> None:
    assert "subregion is missing to reserve one" in account.fails(errors.InvalidInput, "ip_address", comment="mail")
    assert "has no address 192.0.2.1" in account.fails(errors.InvalidInput, "ip_address", address="192.0.2.1")
    assert "no IP address with the ID 5" in account.fails(errors.InvalidInput, "ip_address", id=5)
    assert "51 characters" in account.fails(errors.InvalidInput, "ip_address", comment="x" * 51, subregion="1")
    assert "EU-005 (7) is not active" in account.fails(errors.InvalidInput, "ip_address", comment="x", subregion="7")
    assert "is not a host name" in account.fails(errors.InvalidInput, "ip_address", **MAIL, reverse_dns="a_ü.example")
    said = account.fails(errors.InvalidInput, "ip_address", **MAIL, instance="")
    assert said == "instance: the text is empty. Name an instance; to detach the address, set detached to true instead."
    for gone in ({"comment": "mail"}, {"address": "192.0.2.1"}, {"id": 5}):
        assert account.run("ip_address", state="absent", **gone)["changed"] is False


def test_texts_change_and_the_others_stay(account: Account) -> None:
    number = account.run("ip_address", **MAIL, reverse_dns="a.example.com", static=True)["ip_address"]["id"]
    changed = account.run("ip_address", id=number, comment="web", reverse_dns_v6="b.example.com")["ip_address"]
    assert (changed["comment"], changed["reverse_dns"], changed["static"]) == ("web", "a.example.com", True)
    restored = account.run("ip_address", id=number, reverse_dns="")
    assert restored["changed"] is True
    assert restored["ip_address"]["reverse_dns"] is None
    assert account.run("ip_address", id=number, reverse_dns="", comment="")["ip_address"]["comment"] == ""
    assert account.run("ip_address", id=number, static=False)["ip_address"]["type"]["id"] == RESERVED


@pytest.mark.parametrize(
    ("changes", "sent"),
    [
        ({"comment": "new"}, {"Comment": "new", "RevDns": "a.example.com", "SetStatic": True}),
        ({"comment": ""}, {"Comment": "", "RevDns": "a.example.com", "SetStatic": True}),
        ({"static": False}, {"Comment": "old", "RevDns": "a.example.com", "SetStatic": False}),
        ({"reverse_dns": ""}, {"Comment": "old", "RestoreRevDns": True, "SetStatic": True}),
        (
            {"reverse_dns_v6": "b.c"},
            {"Comment": "old", "RevDns": "a.example.com", "RevDnsV6": "b.c", "SetStatic": True},
        ),
    ],
)
def test_what_has_a_value_is_sent_again(changes: dict[str, t.Any], sent: dict[str, t.Any]) -> None:
    current = {"comment": "old", "static": True, "reverse_dns": "a.example.com", "reverse_dns_v6": None}
    assert address_body(current, changes) == sent


def test_an_address_moves_from_one_instance_to_another(account: Account) -> None:
    web, db = account.instance("web"), account.instance("db")
    account.run("ip_address", **MAIL, instance="web")
    (reserved,) = account.run("ip_address_info", comment="mail")["ip_addresses"]
    assert (reserved["instance"]["id"], reserved["type"]["id"]) == (web, RESERVED)
    assert account.run("ip_address", **MAIL, instance="web")["changed"] is False
    assert account.sent() == ["GET /instances/ip_addresses", "GET /subregions", f"GET /instances/{web}"]
    moved = account.run("ip_address", **MAIL, instance=str(db))
    assert moved["ip_address"]["instance"] == {"id": db, "label": "db"}
    assert account.writes() == [f"POST /floating_ips/{verb}_ip_ticket" for verb in ("detach", "attach")]
    assert account.run("ip_address", comment="mail", detached=True)["ip_address"]["instance"] is None
    assert account.run("ip_address", comment="mail", detached=True)["changed"] is False


def test_an_automatic_address_is_not_lost_by_accident(account: Account) -> None:
    account.instance("web")
    account.run("ip_address", **MAIL, instance="web")
    (found,) = [one for one in account.run("ip_address_info", instance="web")["ip_addresses"] if one["comment"] is None]
    assert found["type"]["id"] == AUTOMATIC
    said = account.fails(errors.InvalidInput, "ip_address", id=found["id"], detached=True)
    assert "is automatic" in said
    assert account.writes() == []
    kept = account.run("ip_address", id=found["id"], detached=True, static=True)["ip_address"]
    assert (kept["type"]["id"], kept["instance"]) == (STATIC, None)


def test_an_attached_address_is_given_back_only_on_request(account: Account) -> None:
    account.instance("web")
    account.run("ip_address", **MAIL, instance="web")
    said = account.fails(errors.InvalidInput, "ip_address", comment="mail", state="absent")
    assert "is attached to instance web" in said
    assert account.run("ip_address", comment="mail", state="absent", force_detach=True)["action"] == "delete"
    assert account.run("ip_address", comment="mail", state="absent")["changed"] is False
    account.run("ip_address", **MAIL, instance="web")
    (automatic,) = [one for one in account.run("ip_address_info")["ip_addresses"] if one["comment"] is None]
    assert account.run("ip_address", id=automatic["id"], state="absent", force_detach=True)["changed"] is True


def test_the_last_way_in_is_not_taken(account: Account) -> None:
    account.instance("web")
    (only,) = account.run("ip_address_info", instance="web")["ip_addresses"]
    said = account.fails(errors.Rejected, "ip_address", id=only["id"], state="absent", force_detach=True)
    assert "must keep one network interface" in said
    assert len(account.truth("ips")) == 1


def test_a_free_address_changes_its_subregion(account: Account) -> None:
    number = account.run("ip_address", **MAIL)["ip_address"]["id"]
    assert account.run("ip_address", id=number, subregion="EU-002")["ip_address"]["subregion"]["label"] == "EU-002"


@pytest.mark.parametrize("check_mode", [True, False])
def test_the_older_line_cannot_move_one(account: Account, *, check_mode: bool) -> None:
    account.settings(line="D1")
    number = account.run("ip_address", **MAIL)["ip_address"]["id"]
    assert account.run("ip_address", id=number, subregion="EU-001", check_mode=check_mode)["changed"] is False
    with pytest.raises(errors.InvalidInput, match=r"^subregion: the service runs version 2020 of the .* cannot move"):
        account.run("ip_address", id=number, subregion="EU-002", check_mode=check_mode)
    assert account.writes() == []


@pytest.mark.parametrize(("line", "place"), [("D1", "/instances/ip_addresses/{id}"), ("D2", "/floating_ips/{address}")])
def test_each_line_is_asked_in_its_own_way(account: Account, line: str, place: str) -> None:
    account.settings(line=line)
    web, made = account.instance("web"), account.run("ip_address", **MAIL)["ip_address"]
    path = place.format(**made)
    asked = ["POST /instances/ip_addresses", "GET /floating_ips", f"PUT {path}"]
    assert account.sent()[-5:-2] == asked
    account.run("instance", name="web", ip_addresses=[str(made["id"])])
    attaching = "/floating_ips" if line == "D2" else f"/instances/{web}"
    assert account.writes() == [f"POST {attaching}/attach_ip_ticket"]
    account.run("ip_address", id=made["id"], state="absent", force_detach=True)
    assert account.writes() == [f"POST {attaching}/detach_ip_ticket", f"DELETE {path}"]
    assert account.sent().count("GET /floating_ips") == 1


def test_an_address_without_ipv4_is_changed_by_its_number(account: Account) -> None:
    number = account.run("ip_address", **MAIL)["ip_address"]["id"]
    account.settings(null_members=["ip_address.Address"])
    account.run("ip_address", id=number, comment="post")
    assert account.writes() == [f"PUT /instances/ip_addresses/{number}"]


def test_two_with_one_comment_are_an_error(account: Account) -> None:
    first = account.run("ip_address", **MAIL)["ip_address"]["id"]
    second = account.run("ip_address", **{**MAIL, "comment": "other"})["ip_address"]["id"]
    account.run("ip_address", id=second, comment="mail")
    said = account.fails(errors.Ambiguous, "ip_address", comment="mail", state="absent")
    assert f"2 IP addresses with the comment 'mail': {first}, {second}" in said


def test_addresses_are_read(account: Account) -> None:
    account.instance("web")
    mail = account.run("ip_address", **MAIL)["ip_address"]
    assert len(account.run("ip_address_info")["ip_addresses"]) == 2
    assert account.run("ip_address_info", only_free=True)["ip_addresses"] == [mail]
    for params in ({"address": mail["address"]}, {"id": mail["id"]}, {"comment": "mail"}):
        assert account.run("ip_address_info", **params)["ip_addresses"] == [mail]
    assert account.run("ip_address_info", address="192.0.2.1")["ip_addresses"] == []


def test_a_new_address_that_cannot_be_read_alone_is_told_as_a_change(account: Account) -> None:
    account.sandbox.fault("status_before", status=404, method="GET", path=r"/ip_addresses/\d+$", times=0)
    account.settings(list_lag=0.0)
    with pytest.raises(errors.FcdError) as caught:
        account.run("ip_address", comment="front", subregion="EU-001")
    assert errors.has_changed(caught.value)
    account.sandbox.clear_faults()
    assert account.run("ip_address", comment="front", subregion="EU-001")["action"] == "none"
