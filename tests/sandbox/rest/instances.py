# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Listing, reading and deleting instances (docs/service/infrastructure.md, "Instances")."""

from __future__ import annotations

from typing import Any

from sandbox.rest import lookup
from sandbox.rest.attachment import remove_instance
from sandbox.rest.call import Call, Page
from sandbox.rest.handlers import handles
from sandbox.rest.instance_view import describe_instance
from sandbox.rest.models import Disk, Instance, Lockable
from sandbox.rest.paging import cut, fits
from sandbox.rest.refusal import Refusal
from sandbox.rest.ticketing import Work, start
from sandbox.rest.visibility import shown

POWERED_ON = 86
INSTANCE = 139
REMOVING = 206


@handles("list_instances")
def list_instances(call: Call) -> Any:
    """Instances that fit all filters and can be seen already; their JSON texts are made by the service."""
    label = call.world.dictionaries.label
    order = {
        "Type": lambda one: label(12, one.type),
        "Status": lambda one: label(27, one.status),
        "CreationDate": lambda one: one.created,
        "Name": lambda one: one.name,
    }
    return Page(*cut(call, _matches(call), order))


def _matches(call: Call) -> list[Instance]:
    query = call.query
    found = shown(call, Instance)
    for member, attribute in (("templateTypeId", "template_type"), ("subregionId", "subregion"), ("typeId", "type")):
        if member in query:
            found = [one for one in found if getattr(one, attribute) == query[member]]
    if "isTurnedOn" in query:
        found = [one for one in found if (one.status == POWERED_ON) is query["isTurnedOn"]]
    return [one for one in found if fits(call, one)] if query.get("query") else found


@handles("read_instance")
def read_instance(call: Call) -> Any:
    """One instance, also one that no list shows yet."""
    return describe_instance(call.world, lookup.addressed(call, Instance))


@handles("delete_instance")
def delete_instance(call: Call) -> Any:
    """The instance goes when the ticket ends; with deep its additional disks go too."""
    found = lookup.addressed(call, Instance)
    deep = call.query.get("deep", False)
    shared = any(len(call.world.table(Disk)[number].connections) > 1 for number in found.disks)
    locks: list[Lockable] = [found, *(call.world.table(Disk)[number] for number in found.disks)]

    def done(_when: float) -> None:
        if deep and shared and not call.settings["deep_with_shared_disks"]:
            raise Refusal(400, "A disk of the instance is shared.")
        remove_instance(call.world, found, deep=deep)

    return start(call, Work(REMOVING, INSTANCE, found.name, done, object_id=found.id, locks=locks))
