# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Exports of instances to the object storage (docs/service/infrastructure.md, "Exports")."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from sandbox.rest import lookup
from sandbox.rest.call import Call
from sandbox.rest.handlers import handles
from sandbox.rest.models import Disk, Instance, Lock
from sandbox.rest.paging import page
from sandbox.rest.resource import Resource, declare
from sandbox.rest.storage_projects import require_project
from sandbox.rest.ticketing import Work, start
from sandbox.rest.times import optional, show
from sandbox.rest.visibility import hide, shown

EXPORTING, INSTANCE, STATUSES = 1101, 139, 121
RUNNING, SUCCEEDED, PENDING = 875, 876, 1114
TRANSFERRING, NOT_TRANSFERRED, NEVER_TRANSFERRED = 1185, 1186, 1203


@dataclass(slots=True)
class Export:
    """A copy of an instance, which may be gone by now; ``status`` is an item of dictionary 121."""

    id: int
    name: str
    instance: int
    instance_name: str
    location: str
    project: str
    created: float
    capacity: int
    status: int = PENDING
    ended: float | None = None
    lock: Lock = field(default_factory=Lock)


def _describe(call: Call, one: Export) -> dict[str, Any]:
    return {
        "Id": one.id,
        "Name": one.name,
        "CreationDate": show(one.created),
        "StartDate": show(one.created),
        "EndDate": optional(one.ended),
        "Status": call.world.dictionaries.value(STATUSES, one.status),
        "OcsLocation": one.location,
        "OcsProjectId": one.project,
        "TotalSpaceCapacity": one.capacity,
        "Instance": {"Id": one.instance, "Name": one.instance_name},
        "CreationUser": call.world.account.user,
        "Origin": None,
        "Scheduler": None,
    }


declare(
    Resource(
        Export,
        "Export",
        _describe,
        missing="missing_record_status",
        first_id=81101,
        at_once=True,
        name="exports",
        truth=lambda _world, one: {"Id": one.id, "Name": one.name, "Instance": one.instance, "Status": one.status},
    )
)


@handles("list_exports", "list_instance_exports")
def list_exports(call: Call) -> Any:
    """Exports of all instances or of one, which may be gone."""
    instance = call.id if call.path else call.query.get("instanceId")
    status = call.query.get("statusId")
    found = [one for one in shown(call, Export) if instance in (None, one.instance) and status in (None, one.status)]
    order = {
        "TotalSpaceCapacity": lambda one: one.capacity,
        "CreationDate": lambda one: one.created,
        "OcsLocation": lambda one: one.location,
        "Name": lambda one: one.name,
        "StartDate": lambda one: one.created,
        "Status": lambda one: one.status,
    }
    return page(call, found, lambda one: _describe(call, one), order)


@handles("read_export")
def read_export(call: Call) -> Any:
    """One export."""
    return _describe(call, lookup.addressed(call, Export))


@handles("create_instance_export")
def create_export(call: Call) -> Any:
    """A new export, whose status changes while the instance is locked; a copy that fails is tried once more."""
    call.paid()
    instance = lookup.addressed(call, Instance)
    project = require_project(call)
    made = Export(
        id=call.world.new_id(Export),
        name=call.body["Name"],
        instance=instance.id,
        instance_name=instance.name,
        location=call.body["OcsLocation"],
        project=project,
        created=call.now,
        capacity=sum(call.world.table(Disk)[number].capacity for number in instance.disks),
    )
    seconds = call.settings["ticket_seconds"]

    def ends(status: int, when: float) -> None:
        made.status, made.ended = status, when

    def runs(status: int) -> None:
        made.status = status

    def done(when: float) -> None:
        runs(TRANSFERRING)
        call.world.timeline.at(when + seconds, lambda then: ends(SUCCEEDED, then))

    def undone(when: float) -> None:
        runs(NOT_TRANSFERRED)
        call.world.timeline.at(when + seconds, lambda then: ends(NEVER_TRANSFERRED, then))

    start(call, Work(EXPORTING, INSTANCE, instance.name, done, object_id=instance.id, locks=[instance], undone=undone))
    call.world.table(Export)[made.id] = made
    call.world.timeline.at(call.now + seconds / 2, lambda _when: runs(RUNNING))
    hide(call, made, made=call.now)
    return _describe(call, made)
