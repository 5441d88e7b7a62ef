# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The sensors of health checks (docs/service/infrastructure.md, "Sensors of health checks"); all made up."""

from __future__ import annotations

from typing import Any

from sandbox.rest.call import Call
from sandbox.rest.handlers import handles
from sandbox.rest.paging import envelope

PLACES = {53001: ("Poland", "Warsaw"), 53002: ("Germany", "Frankfurt"), 53003: ("France", "Paris")}
ASSIGNED = (53001, 53002)


def describe_sensor(number: int) -> dict[str, Any]:
    """The answer's form of a sensor."""
    country, city = PLACES[number]
    place = {"Country": country, "City": city, "Name": f"{city} 1", "IPAddress": f"192.0.2.{number % 100}"}
    return {"Id": number, **place, "IsAvailable": True}


@handles("read_monitoring_sensors")
def list_sensors(call: Call) -> Any:
    """All sensors."""
    del call
    return envelope([describe_sensor(number) for number in PLACES])


@handles("list_assigned_monitoring_sensors")
def list_assigned(call: Call) -> Any:
    """Those of the account."""
    del call
    return envelope([describe_sensor(number) for number in ASSIGNED])
