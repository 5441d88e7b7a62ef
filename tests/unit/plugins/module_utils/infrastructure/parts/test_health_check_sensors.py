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


@pytest.mark.parametrize("answer", [SENSOR, [SENSOR], {"Items": [SENSOR], "Meta": {"Total": 1}}])
def test_each_form_of_a_list_is_read(account: Account, answer: t.Any) -> None:
    assert account.api.reading(lambda _request: answer).list_sensors() == [SENSOR]


@pytest.mark.parametrize("answer", [None, "one", [1], {"Items": None}, {}])
def test_anything_else_is_no_list(account: Account, answer: t.Any) -> None:
    with pytest.raises(errors.Unusable, match="the answer is not a list of objects"):
        account.api.reading(lambda _request: answer).list_sensors()
