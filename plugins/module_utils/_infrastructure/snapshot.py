# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Snapshots of instances: found by name or ID, created, removed, listed and restored.

Source: docs/service/infrastructure.md, "Snapshots".
"""

from __future__ import annotations

import typing as t

from .._connection.options import REST
from .._connection.task import (
    CREATE_OPTIONS,
    STATE,
    WAIT_OPTIONS,
    ManagedObject,
    Operation,
    Params,
    Result,
    Task,
    non_null_options,
    result_of,
)
from .._core.errors import (
    GATEWAY,
    CannotDetermine,
    ImmutableChange,
    InvalidInput,
    OperationFailed,
    Rejected,
    ServiceError,
    Unclear,
    asks_elsewhere,
    mark_changed_on_error,
)
from .._core.type_aliases import JsonMapping, JsonObject
from .._engine.change import is_unlocked, wait_for_object, wait_for_ticket
from .._engine.plan import Field, Outcome, same_text
from .api import Infrastructure, infrastructure
from .named_instances import instance_of, owner_of
from .rest_changes import change_of, removal_of
from .rest_creation import busy_error
from .rest_records import (
    TEXT_REFUSED,
    RestSearch,
    check_letters,
    check_name,
    check_not_empty,
    check_numbers,
    record_of,
    require_options,
    same_item,
)
from .rest_resource import WholeUpdates, reconcile_resource, rest_reader

if t.TYPE_CHECKING:
    from .._engine.change import Change, Ticket
    from .._engine.scheduler import Job

_PLAIN = {
    "id": "Id",
    "name": "Name",
    "description": "Description",
    "creation_date": "CreationDate",
    "last_change_date": "LastChangeDate",
    "is_system": "IsSystem",
    "is_current": "IsCurrent",
}
_NAMED = {"instance": "Instance", "parent": "SnapshotParent"}


def snapshot_record(snapshot: JsonMapping) -> JsonObject:
    """Return the record of a snapshot; ``parent`` is the one that it is based on."""
    return record_of(snapshot, _PLAIN, _NAMED)


class SnapshotSearch(RestSearch):
    """Finds snapshots; ``instance`` is the ID of the one whose snapshots they are, None for those of all.

    With ``own``, only those that a user has created are found by their names, and ``system_snapshots`` are the others
    of the last name.
    """

    kind = "snapshot"
    describe = staticmethod(snapshot_record)
    references = ("instance",)
    within = ("instance",)

    def __init__(self, api: Infrastructure, *, own: bool = False) -> None:
        super().__init__(api)
        self.instance: JsonObject | None = None
        self.system_snapshots: list[JsonObject] = []
        self._own = own
        self._seen: dict[t.Any, t.Any] = {}

    def list_items(self, **filters: t.Any) -> list[JsonObject]:
        """Return the snapshots that the service lists; filters: those of list_snapshots, and instance_id."""
        number = filters.pop("instance_id", (self.instance or {}).get("id"))
        found = self.api.list_snapshots(**filters) if number is None else self.api.list_instance_snapshots(number)
        self._seen.update((item.get("Id"), item.get("Name")) for item in found)
        return found

    def read(self, number: int) -> JsonObject:
        """Return one snapshot."""
        return self.api.get_snapshot(number)

    def match(self, name: str, items: t.Iterable[JsonObject], *, wild: bool = False) -> list[JsonObject]:
        """Return the records of those with exactly this name, or that fit it as a pattern."""
        found = super().match(name, items, wild=wild)
        self.system_snapshots = [record for record in found if self._own and record["is_system"]]
        return [record for record in found if record not in self.system_snapshots]

    def has_name(self, record: JsonObject, name: str) -> bool:
        """Return whether the snapshot has that name and is of the instance."""
        return super().has_name(record, name) and self.is_of_instance(record)

    def is_of_instance(self, record: JsonObject) -> bool:
        """Return whether the snapshot is of the instance."""
        return self.instance is None or (record["instance"] or {}).get("id") == self.instance["id"]

    def name_references(self, *records: JsonObject | None) -> None:
        """Set the labels of instances, and of parent snapshots if a list has shown them."""
        super().name_references(*records)
        for record in records:
            parent = (record or {}).get("parent")
            if parent is not None:
                parent["label"] = self._seen.get(parent["id"])


MAX_SNAPSHOT_NAME = 500  # characters
SNAPSHOT_OPTIONS = ("name", "description")


class DeclaredSnapshot(WholeUpdates):
    """The snapshot that the options declare."""

    search: SnapshotSearch
    fields = (Field("name"), Field("description", same_text), Field("instance", same_item, on_update=False))
    object_type = 0

    def desired_values(self, current: JsonObject | None) -> JsonObject:
        """Return the desired values."""
        params = self.params
        if current is None:
            require_options(params, self.kind, str(params.get("name")), ("name", "instance"))
        desired = non_null_options(params, SNAPSHOT_OPTIONS)
        if self.search.instance is not None:
            desired["instance"] = self.search.instance
        return desired

    def scope(self) -> tuple[object, ...]:
        """Return the ID of the instance, if one was given."""
        return ((self.search.instance or {}).get("id", ""),)

    def identity(self) -> JsonObject:
        """Return name and instance."""
        instance = self.search.instance
        return super().identity() if instance is None else {**super().identity(), "instance": instance}

    def locate(self) -> JsonObject | None:
        """Return the snapshot that is meant. Raises InvalidInput if one of the system would be removed by its name."""
        record = super().locate()
        if record is None and self.params["state"] == "absent" and self.search.system_snapshots:
            first = self.search.system_snapshots[0]
            raise InvalidInput(
                f"Snapshot {first['name']!r} ({first['id']}) was created by the system, not by a user: it is not "
                "removed by its name.",
                next_step="Give its ID in id to have it removed anyway.",
                option="id",
                ids=[one["id"] for one in self.search.system_snapshots],
            )
        return record

    def sent_along(self, current: JsonMapping, changes: JsonMapping) -> t.Mapping[str, str]:
        """Return name and description."""
        del current, changes
        return {name: _PLAIN[name] for name in SNAPSHOT_OPTIONS}

    def locked_instances(self) -> t.Sequence[int]:
        """Return the instance."""
        return [self.desired["instance"]["id"]]

    def create_request(self, values: JsonMapping) -> t.Callable[[], JsonObject]:
        """Return what creates the snapshot."""
        body = {"Name": values["name"]}
        if values.get("description") is not None:
            body["Description"] = values["description"]
        return lambda: self.search.api.create_snapshot(values["instance"]["id"], body)

    def updates(self, current: JsonObject, changes: JsonMapping) -> list[Change]:
        """Return the request that changes name and description, which are sent together."""
        number, values = current["id"], {**current, **changes}
        body = {"Name": values["name"], "Description": values["description"] or ""}

        def send() -> None:
            self.search.api.change_snapshot(number, body)

        def is_done(record: JsonObject | None) -> bool:
            return record is not None and all(same_text(changes[name], record[name]) for name in changes)

        return [change_of(self, current, f"Changing {self.title(current)}", send, is_done)]

    def removals(self, current: JsonObject) -> list[Change]:
        """Return the request that removes it."""
        holder = (current["instance"] or {}).get("id")
        instances = [] if holder is None else [holder]
        return [removal_of(self, current, self.search.api.delete_snapshot, instances)]


def run(task: Task, params: Params) -> Result:
    """Bring the snapshot to its state."""
    check_name(params.get("name"), MAX_SNAPSHOT_NAME)
    check_letters(params.get("description"), TEXT_REFUSED, "description")
    check_not_empty(params, "instance")
    search = SnapshotSearch(infrastructure(task), own=True)
    search.instance = owner_of(search, params)
    if search.instance is None and params.get("instance") is not None:
        return {**result_of("snapshot", Outcome(None, None, {}, {})), "ticket": None}  # gone with its instance
    try:
        return reconcile_resource(DeclaredSnapshot(task, search, params), "snapshot")
    except ImmutableChange as difference:
        difference.next_step = "Omit instance, or check the ID of the snapshot."
        raise


OPERATION = Operation(
    "snapshot",
    (REST,),
    {
        **STATE,
        "name": {"type": "str", "aliases": ["snapshot_name"]},
        "id": {"type": "int"},
        "instance": {"type": "str", "aliases": ["instance_id"]},
        "description": {"type": "str"},
        **WAIT_OPTIONS,
        **CREATE_OPTIONS,
    },
    run,
    {"required_one_of": [("name", "id")]},
    members=tuple(snapshot_record({})),
    manages=ManagedObject("snapshot", "snapshot"),
)


INFO = rest_reader(
    "snapshot_info",
    "snapshots",
    lambda api, _params: SnapshotSearch(api),
    {"name": {"type": "str"}, "instance": {"type": "str", "aliases": ["instance_id"]}},
    {"mutually_exclusive": [("id", "name"), ("id", "instance")]},
)


# ---------------------------------------------------------------- restoring an instance

TURN_OFF = "If the instance is running, turn it off first: instance with state: stopped."
"""It is not known whether a running instance can be restored."""


def restore(task: Task, params: Params) -> Result:
    """Restore an instance from a snapshot."""
    check_not_empty(params, "instance", "name")
    check_numbers(params)
    search = SnapshotSearch(infrastructure(task))
    if params.get("instance") is not None:
        search.instance = instance_of(search, params["instance"])
    resource = DeclaredSnapshot(task, search, {**params, "state": "absent"})
    found = _find_named(resource)
    search.name_references(found)
    ticket = None if task.check_mode else resource.run_job(_restoring(resource, found))
    return {"changed": True, "snapshot": found, "ticket": ticket}


def _find_named(resource: DeclaredSnapshot) -> JsonObject:
    """Return the snapshot that the options name. Raises InvalidInput."""
    search, params = resource.search, resource.params
    number, name = params.get("id"), params.get("name")
    # one that an earlier task on this host has created may be in no list yet
    found = search.by_id(number) if number is not None else search.by_name(str(name)) or resource.locate()
    if resource.ticket_in_progress is not None:
        if not params["wait"]:
            raise busy_error(resource, resource.ticket_in_progress, "restored")
        found = {**snapshot_record({}), "name": name, "instance": search.instance}  # in check mode
    if found is None or not search.is_of_instance(found):
        raise InvalidInput(
            f"There is no snapshot {number if number is not None else repr(name)}"
            f"{'' if params.get('instance') is None else ' of instance ' + params['instance']}.",
            next_step="Check it with snapshot_info.",
            option="name" if number is None else "id",
        )
    if number is not None:
        resource.require_same(found)
    return found


def _restoring(resource: DeclaredSnapshot, found: JsonObject) -> Job[int]:
    number, what = found["id"], f"Restoring {resource.title(found)}"

    def send() -> Ticket:
        try:
            return resource.search.api.restore_snapshot(number)
        except Rejected as refusal:
            refusal.details.pop(GATEWAY, None)  # it is not sent again: nothing would show that it was done already
            raise
        except (Unclear, ServiceError) as cause:
            if asks_elsewhere(cause):
                raise
            with mark_changed_on_error():  # it must not be reported as certainly not done
                raise CannotDetermine(
                    f"{what}: it is not known whether it has started ({cause.message})",
                    next_step="Check the events of the instance before you run the task again.",
                    cause=type(cause).__name__,
                ) from cause

    instances = [found["instance"]["id"]] if found["instance"] else []
    change = change_of(resource, found, what, send, lambda _record: False, instances)
    ticket = t.cast("Ticket", (yield from change.submit()))
    if change.context.wait:
        try:
            yield from wait_for_ticket(change.context, ticket, what)
        except OperationFailed as failure:
            failure.next_step = f"{failure.next_step} {TURN_OFF}"
            raise
        yield from wait_for_object(change.context, number, is_unlocked, what)
    return int(ticket["Id"])


SNAPSHOT_RESTORE = Operation(
    "snapshot_restore",
    (REST,),
    {
        "name": {"type": "str", "aliases": ["snapshot_name"]},
        "id": {"type": "int"},
        "instance": {"type": "str", "aliases": ["instance_id"]},
        **WAIT_OPTIONS,
    },
    restore,
    {"required_one_of": [("name", "id")]},
)
