# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Access data, init script, disks, addresses and keys of an instance (docs/service/infrastructure.md, "Instances")."""

from __future__ import annotations

from typing import Any

from sandbox.rest import lookup
from sandbox.rest.addresses import address_order, describe_address
from sandbox.rest.call import Call
from sandbox.rest.disks import describe_disk, disk_fits, disk_order
from sandbox.rest.handlers import handles
from sandbox.rest.models import Address, Disk, Instance, Template
from sandbox.rest.paging import envelope, page
from sandbox.rest.refusal import Refusal
from sandbox.rest.ssh_keys import SshKey


@handles("read_instance_access_data")
def read_access_data(call: Call) -> Any:
    """First password and keys; nothing for some time after the creation."""
    found = lookup.addressed(call, Instance)
    if call.now < found.created + call.settings["access_data_after"]:
        return {"Password": None, "SshKeys": []}
    keys = [call.world.table(SshKey)[number] for number in found.keys if number in call.world.table(SshKey)]
    password = found.password
    if call.settings["password_once"]:
        found.password = None
    return {"Password": password, "SshKeys": [_installed(one) for one in keys]}


def _installed(one: SshKey) -> dict[str, Any]:
    return {"Id": one.id, "Name": one.name, "Value": one.value}


@handles("read_instance_init_script")
def read_init_script(call: Call) -> Any:
    """The text as it was sent."""
    found = lookup.addressed(call, Instance)
    if found.init_script is None:
        raise Refusal(404, f"Instance {found.id} has no init script.")
    return found.init_script


@handles("list_instance_disks")
def list_instance_disks(call: Call) -> Any:
    """Disks of the instance, the deleted ones on demand."""
    found = lookup.addressed(call, Instance)
    disks = [call.world.table(Disk)[number] for number in found.disks]
    if call.query.get("showDeleted", False):
        disks += [disk for disk, owners in call.world.deleted_disks.values() if found.id in owners]
    matches = (one for one in disks if disk_fits(call, one))
    return page(call, matches, lambda one: describe_disk(call, one), disk_order(call))


@handles("list_instance_ip_addresses")
def list_instance_addresses(call: Call) -> Any:
    """Public addresses of the instance."""
    found = [call.world.table(Address)[number] for number in lookup.addressed(call, Instance).addresses]
    return page(call, found, lambda one: describe_address(call, one), address_order(call))


@handles("list_instance_ssh_keys")
def list_instance_keys(call: Call) -> Any:
    """SSH keys given at the creation, as far as they still exist; this list has no pages."""
    known = call.world.table(SshKey)
    return envelope([_installed(known[number]) for number in lookup.addressed(call, Instance).keys if number in known])


@handles("list_instance_software")
def list_instance_software(call: Call) -> Any:
    """Software of the template the instance was made from."""
    template = call.world.table(Template).get(lookup.addressed(call, Instance).template)
    software = template.software.items() if template else ()
    return envelope([{"Id": number, "Name": name} for number, name in software])
