# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sensors of health checks."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors

from .conftest import Account

SENSOR = {"Id": 1, "Name": "one"}


def test_sensors_are_read(account: Account) -> None:
    found = account.run("health_check_sensor_info")["sensors"]
    assert [(one["name"], one["is_assigned"]) for one in found] == [
        ("Warsaw 1", True),
        ("Frankfurt 1", True),
        ("Paris 1", False),
    ]


@pytest.mark.parametrize("own", [True, False])
def test_a_sensor_is_assigned_and_no_longer(account: Account, own: bool) -> None:
    account.settings(own_assignment_ids=own)
    foreseen = account.run("health_check_sensor", sensor="Paris 1", check_mode=True)
    assert (foreseen["action"], account.writes()) == ("create", [])
    done = account.run("health_check_sensor", sensor="Paris 1")
    assert (done["action"], account.writes()) == ("create", ["POST /watch/sensors/assignments"])
    assert foreseen["sensor"] == done["sensor"]
    assert foreseen["diff"] == done["diff"]
    assert (done["sensor"]["id"], done["sensor"]["city"]) == (53003, "Paris")
    for sensor in ("Paris 1", "53003"):
        assert account.run("health_check_sensor", sensor=sensor)["changed"] is False
    assert all(one["is_assigned"] for one in account.run("health_check_sensor_info")["sensors"])
    gone: dict[str, t.Any] = {"sensor": "53001", "state": "absent"}
    assert account.run("health_check_sensor", **gone, check_mode=True)["action"] == "delete"
    assert account.run("health_check_sensor", **gone)["sensor"] is None
    assert [one["Sensor"] for one in account.truth("sensor_assignments")] == [53002, 53003]
    assert account.run("health_check_sensor", **gone)["changed"] is False
    said = account.fails(errors.InvalidInput, "health_check_sensor", sensor="Pariss 1")
    assert said.startswith("sensor: there is no 'Pariss 1' among the sensors.")


@pytest.mark.parametrize("answer", [SENSOR, [SENSOR], {"Items": [SENSOR], "Meta": {"Total": 1}}])
def test_each_form_of_a_list_is_read(account: Account, answer: t.Any) -> None:
    assert account.api.reading(lambda _request: answer).list_sensors() == [SENSOR]


@pytest.mark.parametrize("answer", [None, "one", [1], {"Items": None}, {}])
def test_anything_else_is_no_list(account: Account, answer: t.Any) -> None:
    with pytest.raises(errors.Unusable, match="the answer is not a list of objects"):
        account.api.reading(lambda _request: answer).list_sensors()
