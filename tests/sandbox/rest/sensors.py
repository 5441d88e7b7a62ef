# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The sensors of health checks (docs/service/infrastructure.md, "Sensors of health checks"); all made up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from sandbox.rest import lookup
from sandbox.rest.call import Call
from sandbox.rest.handlers import handles
from sandbox.rest.models import Lock
from sandbox.rest.paging import envelope
from sandbox.rest.refusal import Refusal
from sandbox.rest.resource import Resource, declare

PLACES = {53001: ("Poland", "Warsaw"), 53002: ("Germany", "Frankfurt"), 53003: ("France", "Paris")}
FIRST_ASSIGNMENT = 54101


@dataclass(slots=True)
class SensorAssignment:
    """A sensor that carries out the checks of the account."""

    id: int
    sensor: int
    lock: Lock = field(default_factory=Lock)


def _seed(_now: float) -> Iterator[SensorAssignment]:
    return (SensorAssignment(FIRST_ASSIGNMENT + place, sensor) for place, sensor in enumerate(list(PLACES)[:2]))


def _sensor(number: int) -> dict[str, Any]:
    """The answer's form of a sensor."""
    country, city = PLACES[number]
    place = {"Country": country, "City": city, "Name": f"{city} 1", "IPAddress": f"192.0.2.{number % 100}"}
    return {"Id": number, **place, "IsAvailable": True}


def _number(call: Call, one: SensorAssignment) -> int:
    """The ID by which an assignment is addressed: its own, or that of its sensor (setting own_assignment_ids)."""
    return one.id if call.settings["own_assignment_ids"] else one.sensor


def _describe(call: Call, one: SensorAssignment) -> dict[str, Any]:
    return {**_sensor(one.sensor), "Id": _number(call, one)}


declare(
    Resource(
        SensorAssignment,
        "Assignment",
        _describe,
        first_id=FIRST_ASSIGNMENT + 2,
        at_once=True,
        seed=_seed,
        name="sensor_assignments",
        truth=lambda _world, one: {"Id": one.id, "Sensor": one.sensor},
    )
)


def _addressed(call: Call) -> SensorAssignment:
    found = [one for one in call.world.table(SensorAssignment).values() if _number(call, one) == call.id]
    if not found:
        raise lookup.missing(call, SensorAssignment)
    return found[0]


@handles("read_monitoring_sensors")
def list_sensors(call: Call) -> Any:
    """All sensors."""
    del call
    return envelope([_sensor(number) for number in PLACES])


@handles("list_assigned_monitoring_sensors")
def list_assigned(call: Call) -> Any:
    """Those of the account."""
    return envelope([_describe(call, one) for one in call.world.table(SensorAssignment).values()])


@handles("read_assigned_monitoring_sensor")
def read_assigned(call: Call) -> Any:
    """One of the account."""
    return _describe(call, _addressed(call))


@handles("create_assigned_monitoring_sensor")
def assign_sensor(call: Call) -> Any:
    """Assign a sensor that is not assigned yet."""
    number, there = call.body["SensorId"], call.world.table(SensorAssignment)
    if number not in PLACES:
        raise Refusal(400, f"SensorId: {number} does not exist.")
    if any(one.sensor == number for one in there.values()):
        raise Refusal(409, f"Sensor {number} is assigned.")
    made = SensorAssignment(call.world.new_id(SensorAssignment), number)
    there[made.id] = made
    return _describe(call, made)


@handles("delete_assigned_monitoring_sensor")
def delete_assigned(call: Call) -> Any:
    """The assignment goes; the sensor stays."""
    found = _addressed(call)
    del call.world.table(SensorAssignment)[found.id]
    return _sensor(found.sensor)
