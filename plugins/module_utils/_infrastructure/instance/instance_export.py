# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Exports of instances to the object storage: found by instance, name and place, started, waited for and listed.

Source: docs/service/infrastructure.md, "Exports". None can be changed or removed.
"""

from __future__ import annotations

import typing as t

from ..._connection.options import REST
from ..._connection.task import CREATE_OPTIONS, WAIT_OPTIONS, ManagedObject, Operation, Params, Result, Task
from ..._core.errors import InvalidInput, OperationFailed
from ..._core.type_aliases import JsonMapping, JsonObject
from ..._engine.plan import Field, in_words
from ..api import Infrastructure, infrastructure
from ..named_instances import instance_if_any, no_instance
from ..rest_records import RestSearch, check_name, check_not_empty, record_of, same_item
from ..rest_resource import RestResource, reconcile_resource, rest_reader
from ..storage_project import project_id

if t.TYPE_CHECKING:
    from ..._engine.change import Change

PENDING = (1114, 875, 1184, 1185)  # dictionary 121: waiting, running, and the same for the transfer
SUCCEEDED = 876
MAX_EXPORT_NAME, MAX_LOCATION = 300, 100  # characters
_PLAIN = {
    "id": "Id",
    "name": "Name",
    "location": "OcsLocation",
    "project_id": "OcsProjectId",
    "total_space_capacity": "TotalSpaceCapacity",
    "creation_date": "CreationDate",
    "start_date": "StartDate",
    "end_date": "EndDate",
}
_NAMED = {"instance": "Instance", "status": "Status", "origin": "Origin", "scheduler": "Scheduler"}


def export_record(export: JsonMapping) -> JsonObject:
    """Return the record of an export."""
    return record_of(export, _PLAIN, _NAMED)


def has_failed(record: JsonMapping) -> bool:
    """Return whether an export has ended in another way than with success, or its result is gone.

    A failed transfer (1186) may still be repeated, so that and any status that is not known count as failed only when
    there is an end.
    """
    number = (record["status"] or {}).get("id")
    return number != SUCCEEDED and (number in FINAL or (number not in PENDING and record["end_date"] is not None))


FINAL = (877, 888, 889, 1203)  # failed, two kinds of deleted, transfer failed for good


class ExportSearch(RestSearch):
    """Finds exports; ``wanted`` are the values of the one that is meant, besides its name.

    An instance that is gone has a label and no ID there.
    """

    kind = "export"
    describe = staticmethod(export_record)

    def __init__(self, api: Infrastructure, wanted: JsonMapping | None = None) -> None:
        super().__init__(api)
        self.wanted = wanted or {}

    def list_items(self, **filters: t.Any) -> list[JsonObject]:
        """Return the exports that the service lists; filters: those of list_exports."""
        return self.api.list_exports(**{"instance_id": (self.wanted.get("instance") or {}).get("id"), **filters})

    def read(self, number: int) -> JsonObject:
        """Return one export."""
        return self.api.get_export(number)

    def match(self, name: str, items: t.Iterable[JsonObject], *, wild: bool = False) -> list[JsonObject]:
        """Return the records of those with exactly this name; if one is meant, the newest, if possible of a success."""
        found = self.same(name, items, wild=wild)
        if not self.wanted:
            return found
        good = [record for record in found if not has_failed(record)]
        return sorted(good or found, key=lambda record: int(record["id"]))[-1:]

    def same(self, name: str, items: t.Iterable[JsonObject], *, wild: bool = False) -> list[JsonObject]:
        """Return the records of all of that name, instance and place."""
        return [record for record in super().match(name, items, wild=wild) if self._is_wanted(record)]

    def has_name(self, record: JsonObject, name: str) -> bool:
        """Return whether the export has that name, and is of the instance and the place."""
        return super().has_name(record, name) and self._is_wanted(record)

    def _is_wanted(self, record: JsonObject) -> bool:
        """Return whether all values are those that are meant, as far as the service returns them."""
        instance, its = self.wanted.get("instance"), record["instance"]
        if instance is not None and its is not None:
            which = "label" if instance["id"] is None else "id"
            if instance[which] != its[which]:
                return False
        return all(
            record[name] in (None, self.wanted[name]) for name in ("location", "project_id") if name in self.wanted
        )


class DeclaredExport(RestResource):
    """The export that the options declare; one that has failed does not count as one."""

    search: ExportSearch
    fields = (
        Field("name", on_update=False),
        Field("instance", same_item, on_update=False, may_be_unknown=True),
        Field("location", on_update=False, may_be_unknown=True),
        Field("project_id", on_update=False, may_be_unknown=True),
    )

    def desired_values(self, current: JsonObject | None) -> JsonObject:
        """Return the desired values. Raises InvalidInput if the instance is gone and there is no export of it."""
        instance = self.search.wanted["instance"]
        if instance["id"] is not None:
            return {"name": self.name, **self.search.wanted}
        if current is None:
            raise no_instance(instance["label"], "instance", self.search.instance_names)
        return {"name": self.name}

    def locate(self) -> JsonObject | None:
        """Return the export, None if there is none that can still succeed."""
        record = super().locate()
        if record is None or not has_failed(record):
            return record
        self.search.ignored.update(one["id"] for one in self.search.same(str(self.name), self.search.list_items()))
        return None

    def is_ready(self, record: JsonObject) -> bool:
        """Return whether it has ended. Raises OperationFailed if it has failed."""
        if has_failed(record):
            raise OperationFailed(
                f"{self.title(record)} ({record['id']}) of instance {in_words(record['instance'])} has failed: its "
                f"status is {in_words(record['status'])}.",
                next_step="Check the location and the events of the instance. The same task starts another export.",
                id=record["id"],
                status=record["status"],
            )
        return (record["status"] or {}).get("id") == SUCCEEDED

    def title(self, record: JsonMapping) -> str:
        """Return the name of an existing export in messages."""
        return f"Export {self.name_of(record)!r}"

    def scope(self) -> tuple[object, ...]:
        """Return instance and place: a name is unique within both."""
        wanted = self.search.wanted
        return (wanted["instance"]["id"], wanted["project_id"], wanted["location"])

    def find_duplicates(self, record: JsonObject, listed: t.Sequence[JsonObject]) -> dict[int, str]:
        """Return possible duplicates of what this task has created."""
        return {one["id"]: "" for one in self.search.same(self.name_of(record), listed) if one["id"] != record["id"]}

    def locked_instances(self) -> t.Sequence[int]:
        """Return the instance."""
        return [self.desired["instance"]["id"]]

    def create_request(self, values: JsonMapping) -> t.Callable[[], JsonObject]:
        """Return what starts the export."""
        body = {"Name": values["name"], "OcsLocation": values["location"], "OcsProjectId": values["project_id"]}
        return lambda: self.search.api.create_export(values["instance"]["id"], body)

    def removals(self, current: JsonObject) -> list[Change]:
        """Return nothing: no export can be removed."""
        del current
        return []


def run(task: Task, params: Params) -> Result:
    """Export the instance, unless that was done."""
    check_name(params["name"], MAX_EXPORT_NAME)
    check_not_empty(params, "instance", "location", "project")
    if len(params["location"]) > MAX_LOCATION:
        raise InvalidInput(
            f"location: it has {len(params['location'])} characters; up to {MAX_LOCATION} are allowed.",
            option="location",
        )
    search = ExportSearch(infrastructure(task))
    text = params["instance"].strip()
    record = instance_if_any(search, text) or {"id": None, "name": text}
    search.wanted = {
        "instance": {"id": record["id"], "label": record["name"]},
        "location": params["location"],
        "project_id": project_id(search.api, params["project"]),
    }
    return reconcile_resource(DeclaredExport(task, search, {**params, "state": "present"}), "instance_export")


OPERATION = Operation(
    "instance_export",
    (REST,),
    {
        "name": {"type": "str", "required": True},
        "instance": {"type": "str", "required": True, "aliases": ["instance_id"]},
        "location": {"type": "str", "required": True, "aliases": ["ocs_location"]},
        "project": {"type": "str", "required": True, "aliases": ["ocs_project_id"]},
        **WAIT_OPTIONS,
        **CREATE_OPTIONS,
    },
    run,
    fields=DeclaredExport.fields,
    members=tuple(export_record({})),
    manages=ManagedObject("export", "instance_export"),
)


INFO = rest_reader(
    "instance_export_info",
    "instance_exports",
    lambda api, _params: ExportSearch(api),
    {
        "name": {"type": "str"},
        "instance": {"type": "str", "aliases": ["instance_id"]},
        "status": {"type": "int", "aliases": ["status_id"]},
    },
    {"mutually_exclusive": [("id", "name"), ("id", "instance"), ("id", "status")]},
    lambda params: {"status_id": params.get("status")},
)
