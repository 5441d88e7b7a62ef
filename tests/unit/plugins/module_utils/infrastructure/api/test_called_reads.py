# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a read that is called by its name makes of the answers."""

from __future__ import annotations

import re
import typing as t

import pytest
import responses

from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.api import Infrastructure
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.infrastructure_call import read
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.operation_inputs import find_operation

from .conftest import BASE


def asked(api: Infrastructure, name: str, inputs: dict[str, t.Any]) -> t.Any:
    operation = find_operation(name)
    return read(api, operation, operation.request(inputs, lambda: False))


SHAPES: list[tuple[str, dict[str, t.Any], t.Any, t.Any]] = [
    ("read_instance_type", {"id": 34}, {"Items": [{"Id": 34}], "Meta": {"Total": 1}}, [{"id": 34}]),
    ("read_instance_type", {"id": 34}, {"Id": 34}, {"id": 34}),
    ("read_instance_interfaces", {"id": 34}, {"Items": [{"Id": 1}], "Meta": {"Total": 1}}, [{"id": 1}]),
    ("read_monitoring_sensors", {}, [{"Id": 1}], [{"id": 1}]),
    ("list_storage_projects", {}, {"Items": [{"Id": "a"}], "Meta": {"Total": 1}}, [{"id": "a"}]),
    ("list_all_software", {}, {"Items": None, "Meta": {"Total": 0}}, []),
    ("read_instance_screenshot", {"id": 34}, "aW1hZ2U=", "aW1hZ2U="),
    ("read_group_load_balancer", {"id": 34}, None, None),
    ("list_load_balancers", {}, {"Items": None, "Meta": {"Total": 0}}, []),
]


@pytest.mark.parametrize(("name", "inputs", "answer", "result"), SHAPES)
def test_answers_are_read_in_either_form(
    name: str,
    inputs: dict[str, t.Any],
    answer: t.Any,
    result: t.Any,
    api: Infrastructure,
    net: responses.RequestsMock,
) -> None:
    """What is declared as an object may be a list, and the other way round."""
    net.add("GET", re.compile(BASE), json=answer)
    assert asked(api, name, inputs) == result


def test_each_value_of_a_list_is_in_the_query(api: Infrastructure, net: responses.RequestsMock) -> None:
    net.add("GET", re.compile(BASE), json={"Items": [{"Value": 7}], "Meta": {"Total": 1}})
    times = {"date_from": "2026-11-01", "date_to": "2026-11-02"}
    assert asked(api, "list_statistics_account", {**times, "statistic_types": [1, 2]}) == [{"value": 7}]
    assert net.calls[0].request.url.endswith("&statisticTypes=1&statisticTypes=2")


def test_rows_without_an_id_are_told_apart(api: Infrastructure, net: responses.RequestsMock) -> None:
    for number in (1, 2):
        net.add("GET", re.compile(BASE), json={"Items": [{"GroupId": number}], "Meta": {"Total": 2}})
    assert [one["group_id"] for one in asked(api, "list_load_balancers", {})] == [1, 2]
