# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The sensors that carry out health checks: listed, and assigned to the account.

Source: docs/service/infrastructure.md, "Sensors of health checks". The sensors are those of the service. An assignment
is known here by the ID and the name of its sensor, since it is not known whether it has an ID of its own.
"""

from __future__ import annotations

import contextlib
import typing as t

from .._connection.options import REST
from .._connection.task import STATE, ManagedObject, Operation, Params, Result, Task
from .._core.errors import Forbidden, NotFound
from .._core.type_aliases import JsonMapping, JsonObject
from .._engine.change import make_changes
from .._engine.plan import Created
from .api import Infrastructure, infrastructure
from .reference_names import resolve_item
from .rest_changes import change_of, removal_of
from .rest_records import RestSearch, check_not_empty, plain_members
from .rest_resource import RestResource, reconcile_resource

if t.TYPE_CHECKING:
    from .._engine.change import Change
    from .._engine.scheduler import Job

_PLAIN = {
    "id": "Id",
    "name": "Name",
    "country": "Country",
    "city": "City",
    "ip_address": "IPAddress",
    "is_available": "IsAvailable",
}


def sensor_record(sensor: JsonMapping) -> JsonObject:
    """Return the record of a sensor."""
    return plain_members(sensor, _PLAIN)


def is_same_sensor(assigned: JsonMapping, sensor: JsonMapping) -> bool:
    """Return whether an assignment is that of a sensor, by name and address; by its ID if one of these is not known."""
    places = [(one.get("Name"), one.get("IPAddress")) for one in (assigned, sensor)]
    if any(None in place for place in places):
        return bool(assigned.get("Id") == sensor.get("Id"))
    return places[0] == places[1]


class AssignedSensorSearch(RestSearch):
    """Reads whether a sensor is assigned."""

    kind = "sensor"
    describe = staticmethod(sensor_record)

    def __init__(self, api: Infrastructure, sensor: JsonMapping) -> None:
        super().__init__(api)
        self._sensor = sensor

    def list_items(self, **filters: t.Any) -> list[JsonObject]:
        """Return the assigned sensors."""
        del filters
        return self.api.list_assigned_sensors()

    def read(self, number: int) -> JsonObject:
        """Return what the service has for an ID, which may be that of another assignment."""
        return self.api.get_assigned_sensor(number) or {}

    def by_id(self, number: int) -> JsonObject | None:
        """Return the sensor if it is assigned, None if it is not."""
        del number
        return None if self.assignment() is None else sensor_record(self._sensor)

    def assignment(self) -> JsonObject | None:
        """Return the assignment of the sensor, with the ID that its removal takes."""
        with contextlib.suppress(Forbidden, NotFound):
            found = self.api.get_assigned_sensor(self._sensor["Id"])
            if found is None or is_same_sensor(found, self._sensor):
                return found
        return next((one for one in self.list_items() if is_same_sensor(one, self._sensor)), None)

    def list_shows(self, names: t.Collection[str]) -> bool:
        """Return False: an assignment has no attributes that change."""
        del names
        return False


class AssignedSensor(RestResource):
    """The assignment that the options declare."""

    search: AssignedSensorSearch
    fields = ()

    def locate(self) -> JsonObject | None:
        """Return the sensor if it is assigned."""
        return self.search.by_id(self.params["id"])

    def desired_values(self, current: JsonObject | None) -> JsonObject:
        """Return no values: a sensor is assigned or not."""
        del current
        return {}

    def create_request(self, values: JsonMapping) -> t.Callable[[], t.Any]:
        """Return what assigns the sensor."""
        del values
        return lambda: self.search.api.assign_sensor(self.params["id"])

    def create(self, values: JsonMapping) -> Job[Created]:
        """Return the job that assigns the sensor."""
        sensor = {"id": self.params["id"], "name": self.name}
        what = f"Assigning {self.title(sensor)}"
        change = change_of(self, sensor, what, self.create_request(values), lambda record: record is not None)
        return Created(t.cast("JsonObject", (yield from make_changes([change], self.note_ticket))))

    def removals(self, current: JsonObject) -> list[Change]:
        """Return the request that ends the assignment; the sensor stays."""
        return [removal_of(self, current, self._end_assignment, doing="Ending the assignment of")]

    def _end_assignment(self, number: int) -> None:
        del number
        found = self.search.assignment()
        if found is not None:
            self.search.api.delete_assigned_sensor(found["Id"])


def run(task: Task, params: Params) -> Result:
    """Bring the assignment of a sensor to its state."""
    check_not_empty(params, "sensor")
    api = infrastructure(task)
    sensors = api.list_sensors()
    number = resolve_item(params["sensor"], None, lambda: sensors, "sensor", "the sensors")["id"]
    sensor = next(one for one in sensors if one["Id"] == number)
    own = {**params, "id": number, "name": sensor.get("Name")}
    result = reconcile_resource(AssignedSensor(task, AssignedSensorSearch(api, sensor), own), "sensor")
    for shown in filter(None, (result["sensor"], result["diff"]["after"])):  # known before it is assigned
        shown.update(sensor_record(sensor))
    return result


OPERATION = Operation(
    "health_check_sensor",
    (REST,),
    {**STATE, "sensor": {"type": "str", "required": True, "aliases": ["sensor_id"]}},
    run,
    members=tuple(sensor_record({})),
    manages=ManagedObject("health_check_sensor", "sensor"),
)


def read_sensors(task: Task, params: Params) -> Result:
    """Return all sensors, and which are assigned to the account."""
    del params
    api = infrastructure(task)
    assigned = api.list_assigned_sensors()
    found = [
        {**sensor_record(one), "is_assigned": any(is_same_sensor(other, one) for other in assigned)}
        for one in api.list_sensors()
    ]
    return {"changed": False, "sensors": found}


INFO = Operation("health_check_sensor_info", (REST,), {}, read_sensors)
