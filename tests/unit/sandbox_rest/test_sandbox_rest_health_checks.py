# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Health checks, and whom they notify."""

from __future__ import annotations

from typing import Any

import pytest

EVERY = {
    "Name": "front",
    "Address": "www.example.com",
    "Interval": 60,
    "Paused": False,
    "LocationsFailoverEnabled": True,
    "NotificationTimeId": 1594,
}
PING = {**EVERY, "ErrorTolerance": 51, "PackageSize": 64, "ReplyTimeout": 3000}
CHECKS = "/watch/healthchecks"


def test_a_check_is_at_the_path_of_its_kind_only(client: Any) -> None:
    made = client.post(f"{CHECKS}/ping", PING).data
    assert [one["Id"] for one in made["NotificationTypes"]] == [1540, 1545]
    assert client.get(f"{CHECKS}/ping/{made['Id']}").data["PackageSize"] == 64
    assert client.get(f"{CHECKS}/tcp/{made['Id']}").status == 404
    listed = client.get(CHECKS).items
    assert [("PackageSize" in one, one["ServiceType"]["Id"]) for one in listed] == [(False, 1433)]


@pytest.mark.parametrize(("empties", "left"), [(True, None), (False, "of the shop")])
def test_what_a_put_leaves_out(client: Any, empties: bool, left: str | None) -> None:
    client.service.settings["put_empties"] = empties
    number = client.post(f"{CHECKS}/ping", {**PING, "Description": "of the shop"}).data["Id"]
    assert client.put(f"{CHECKS}/ping/{number}", PING).data["Description"] == left


@pytest.mark.parametrize(("shown", "password"), [("masked", "********"), ("null", None), ("plain", "odd")])
def test_how_a_password_is_shown(client: Any, shown: str, password: str | None) -> None:
    client.service.settings["sip_password"] = shown
    assert client.post(f"{CHECKS}/sip", {**EVERY, "SipPassword": "odd"}).data["SipPassword"] == password


@pytest.mark.parametrize("member", ["NotificationTimeId", "NotificationTypeIds"])
def test_unknown_items_are_refused(client: Any, member: str) -> None:
    wrong: Any = [9] if member.endswith("s") else 9
    assert client.post(f"{CHECKS}/ping", {**PING, member: wrong}).status == 400


def test_a_notification_is_changed_as_a_whole(client: Any) -> None:
    place = f"{CHECKS}/notifications"
    number = client.post(place, {"Address": "ops@example.com", "NotificationTypeId": 1539}).data["Id"]
    assert client.put(f"{place}/{number}", {"Address": "ops@example.com"}).status == 400
    assert client.post(place, {"Address": "ops@example.com", "NotificationTypeId": 1}).status == 400
    assert client.delete(f"{place}/{number}").status == 204
    assert client.get(f"{place}/{number}").status == 404
