# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Autoscalers of instances at the sandbox."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors

from .conftest import Account

SCALED: dict[str, t.Any] = {
    "instance": "web",
    "mode": "change_type",
    "min_ram": 1024,
    "max_ram": 8192,
    "restart": True,
    "restart_from": "22:00",
    "restart_to": "4:30",
    "timezone": "Europe/Warsaw",
}


@pytest.mark.parametrize("line", ["D1", "D2"])
def test_an_autoscaler_is_turned_on_changed_and_turned_off(account: Account, line: str) -> None:
    number = account.instance("web")
    account.settings(line=line)
    path = f"/instances/{number}/autoscaler"
    foreseen = account.run("instance_autoscaler", **SCALED, check_mode=True)
    assert (foreseen["action"], account.writes()) == ("create", [])
    made = account.run("instance_autoscaler", **SCALED)
    record = made["instance_autoscaler"]
    assert (made["action"], account.writes()) == ("create", [f"PUT {path}", f"POST {path}/enable_ticket"])
    assert made["ticket"] is not None
    assert {name: record[name] for name in SCALED if name != "instance"} == {
        **{name: value for name, value in SCALED.items() if name != "instance"},
        "restart_to": "04:30",
    }
    assert (record["id"], record["name"]) == (number, "web")
    again = account.run("instance_autoscaler", **SCALED)
    assert (again["changed"], account.writes()) == (False, [])
    larger = account.run("instance_autoscaler", instance="web", max_ram=16384)
    assert (larger["action"], account.writes()) == ("update", [f"PUT {path}"])
    assert larger["instance_autoscaler"] == {**record, "max_ram": 16384}
    assert account.api.get_instance(number)["AutoscalingType"]["Id"] == 188
    off = {"instance": "web", "state": "absent"}
    assert account.run("instance_autoscaler", **off)["action"] == "delete"
    assert account.writes() == [f"POST {path}/disable_ticket"]
    assert account.run("instance_autoscaler", **off)["changed"] is False
    notify = account.run("instance_autoscaler", instance="web", mode="notify")["instance_autoscaler"]
    assert (notify["mode"], notify["min_ram"]) == ("notify", None)
    assert account.run("instance_autoscaler", instance="nowhere", state="absent")["changed"] is False


@pytest.mark.parametrize(
    ("params", "says"),
    [
        ({"min_ram": 1024}, "min_ram: it also needs max_ram."),
        ({"restart_to": "22:00"}, "restart_to: it also needs restart_from."),
        ({"min_cpu": 4, "max_cpu": 2}, "min_cpu: 4 is more than max_cpu, which is 2."),
        ({"restart_from": "monday 22:00", "restart_to": "4:00"}, "restart_from: 'monday 22:00' is not a time of day."),
        ({"max_ram": 0}, "max_ram: 0; it must be at least 1."),
    ],
)
@pytest.mark.parametrize("check_mode", [True, False])
def test_half_a_range_is_not_sent(account: Account, params: dict[str, t.Any], says: str, check_mode: bool) -> None:
    account.instance("web")
    wish = {"instance": "web", "mode": "notify", **params}
    assert account.fails(errors.InvalidInput, "instance_autoscaler", check_mode=check_mode, **wish).startswith(says)
    assert account.writes() == []


def test_a_ticket_that_fails_is_told_with_what_was_changed(account: Account) -> None:
    account.instance("web")
    account.settings(fail_tickets="Updating autoscaling")
    with pytest.raises(errors.FcdError) as caught:
        account.run("instance_autoscaler", **SCALED)
    assert "Turning on autoscaler 'web'" in str(caught.value)
    account.settings(fail_tickets=None)
    assert account.run("instance_autoscaler", **SCALED)["action"] == "create"


def test_locked_instance_is_waited_for(account: Account) -> None:
    number = account.instance("web")
    account.settings(ticket_seconds=0.3)
    account.api.power_off(number)
    assert account.run("instance_autoscaler", **SCALED)["action"] == "create"
