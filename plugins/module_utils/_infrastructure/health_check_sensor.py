# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The sensors that carry out health checks (docs/service/infrastructure.md, "Sensors of health checks")."""

from __future__ import annotations

from .._connection.options import REST
from .._connection.task import Operation, Params, Result, Task
from .api import infrastructure
from .rest_records import plain_members

_PLAIN = {
    "id": "Id",
    "name": "Name",
    "country": "Country",
    "city": "City",
    "ip_address": "IPAddress",
    "is_available": "IsAvailable",
}


def read_sensors(task: Task, params: Params) -> Result:
    """Return all sensors, and which are assigned to the account."""
    del params
    api = infrastructure(task)
    assigned = {sensor["Id"] for sensor in api.list_assigned_sensors()}
    found = [{**plain_members(one, _PLAIN), "is_assigned": one["Id"] in assigned} for one in api.list_sensors()]
    return {"changed": False, "sensors": found}


INFO = Operation("health_check_sensor_info", (REST,), {}, read_sensors)
