# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Imports from the object storage, and instances made of them (docs/service/infrastructure.md, "Imports")."""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from sandbox.issued import marked
from sandbox.rest import lookup
from sandbox.rest.attachment import AUTOMATIC, attach_address, attach_disk, attach_network, make_address, make_disk
from sandbox.rest.call import NOTHING, Call
from sandbox.rest.handlers import handles
from sandbox.rest.instance_creation import DEPLOYING, INITIALIZING, PASSWORD, start_creation
from sandbox.rest.models import Address, Disk, Instance, InstanceType, Lock, Network, Subregion, Template
from sandbox.rest.paging import envelope, page
from sandbox.rest.refusal import Refusal
from sandbox.rest.resource import Resource, declare
from sandbox.rest.storage_projects import require_project
from sandbox.rest.times import optional, show
from sandbox.rest.visibility import hide, shown

STATUSES = 90301
PENDING, STARTING, RUNNING, READY, FAILED, REMOVED = 1115, 899, 881, 884, 883, 886
DISKS = {1: 5, 2: 10}
"""What each file has: the sizes in GB of its disks, by the last digit of their IDs."""
INTERFACES = 1
TEMPLATE = 767
"""That of instances from an import: which one the service names is not known."""


@dataclass(slots=True)
class Import:
    """A copy of a file with an instance; ``status`` is an item of an unknown dictionary."""

    id: int
    name: str
    file: str
    created: float
    status: int = PENDING
    ended: float | None = None
    lock: Lock = field(default_factory=Lock)


def _describe(call: Call, one: Import) -> dict[str, Any]:
    known = one.status == READY
    return {
        "Id": one.id,
        "Name": one.name,
        "CreationDate": show(one.created),
        "StartDate": show(one.created),
        "EndDate": optional(one.ended),
        "Size": sum(DISKS.values()) if known else None,
        "NetworkInterfacesCount": INTERFACES if known else None,
        "DisksCount": len(DISKS) if known else None,
        "Status": call.world.dictionaries.value(STATUSES, one.status),
        "CreationUser": call.world.account.user,
    }


declare(
    Resource(
        Import,
        "Import",
        _describe,
        missing="missing_record_status",
        first_id=91101,
        at_once=True,
        name="imports",
        truth=lambda _world, one: {"Id": one.id, "Name": one.name, "Status": one.status},
    )
)


@handles("list_imports")
def list_imports(call: Call) -> Any:
    """Imports; removed ones may stay (setting removed_imports_stay)."""
    order = {
        "Name": lambda one: one.name,
        "Status": lambda one: one.status,
        "CreationDate": lambda one: one.created,
        "DisksCount": lambda _one: len(DISKS),
        "NetworkInterfacesCount": lambda _one: INTERFACES,
        "Size": lambda _one: sum(DISKS.values()),
    }
    return page(call, shown(call, Import), lambda one: _describe(call, one), order)


@handles("read_import")
def read_import(call: Call) -> Any:
    """One import."""
    return _describe(call, lookup.addressed(call, Import))


@handles("list_import_disks")
def list_disks(call: Call) -> Any:
    """The disks in an import, which are known when it is ready."""
    found = lookup.addressed(call, Import)
    rows = [
        {
            "Id": found.id * 10 + number,
            "Capacity": size,
            "DiskName": f"disk {number}",
            "RelativePath": f"disk-{number}.vmdk",
            "Controller": 0,
            "ControllerSlot": number - 1,
        }
        for number, size in DISKS.items()
    ]
    return envelope(rows if found.status == READY else [])


@handles("create_import")
def create_import(call: Call) -> Any:
    """A new import, whose status changes by itself."""
    call.paid()
    require_project(call)
    made = Import(call.world.new_id(Import), call.body["Name"], call.body["OcsFileLocation"], call.now)
    call.world.table(Import)[made.id] = made
    hide(call, made, made=call.now)
    pattern, seconds = call.settings["fail_tickets"], call.settings["ticket_seconds"]
    last = FAILED if pattern and re.search(pattern, call.operation) else READY
    for part, status in enumerate((STARTING, RUNNING, last), 1):
        call.world.timeline.at(call.now + seconds * part / 3, _change(made, status))
    return _describe(call, made)


def _change(one: Import, status: int) -> Any:
    def change(when: float) -> None:
        one.status = status
        one.ended = when if status in (READY, FAILED) else None

    return change


def _ended(call: Call) -> Import:
    found = lookup.addressed(call, Import)
    if found.ended is None:
        raise Refusal(call.settings["locked_status"], f"Import {found.id} has not ended yet.")
    return found


@handles("delete_import")
def delete_import(call: Call) -> Any:
    """The import goes; instances made of it stay."""
    found = _ended(call)
    if found.status == REMOVED:
        raise lookup.missing(call, Import)
    if call.settings["removed_imports_stay"]:
        found.status = REMOVED
    else:
        del call.world.table(Import)[found.id]
    return NOTHING


@handles("import_run")
def run_import(call: Call) -> Any:
    """A new instance, once for each run; the import stays as it is."""
    call.paid()
    found = _ended(call)
    body, world = call.body, call.world
    if found.status != READY or len(body["Network"]) != INTERFACES:
        raise Refusal(400, "The import is not ready, or has another number of interfaces.")
    if sorted(disk["ImportDiskId"] for disk in body["Disks"]) != [found.id * 10 + number for number in DISKS]:
        raise Refusal(400, "Disks: each disk of the import is needed once.")
    tiers = [lookup.item(call, 17, disk["TierId"], "TierId") for disk in body["Disks"]]
    subregion = lookup.active_subregion(call, body.get("SubregionId", next(iter(world.table(Subregion)))))
    template = world.table(Template)[TEMPLATE]
    instance = Instance(
        id=world.new_id(Instance),
        name={"file": PurePosixPath(found.file).stem, "import": found.name}[call.settings["imported_name"]],
        created=call.now,
        template=template.id,
        template_name=template.name,
        template_type=template.type,
        category=template.category,
        tools=template.tools,
        subregion=subregion.id,
        type=lookup.given(call, InstanceType, body["TypeId"], "TypeId").id,
        status=INITIALIZING,
        method=PASSWORD,
        password=marked("instancepassword", secrets.token_urlsafe(12)),
    )
    world.table(Instance)[instance.id] = instance
    for (number, size), tier in zip(DISKS.items(), tiers, strict=True):
        disk = Disk(world.new_id(Disk), f"disk {number}", size, tier, call.now, subregion.id)
        attach_disk(world, instance, make_disk(world, disk), system=number == 1)
    for one in body["Network"]:
        _connect(call, instance, one)
    return start_creation(call, instance, DEPLOYING, source_id=found.id)


def _connect(call: Call, instance: Instance, one: dict[str, Any]) -> None:
    if not one["Public"]:
        network = lookup.given(call, Network, one.get("OpnId", 0), "OpnId")
        return attach_network(call.world, instance, network, call.now)
    number = one.get("PublicIpId")
    if number is None:
        address = make_address(call.world, instance.subregion, AUTOMATIC)
    else:
        address = lookup.given(call, Address, number, "PublicIpId")
    return attach_address(call.world, instance, address)
