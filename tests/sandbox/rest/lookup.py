# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds objects by id, or refuses as the service does for each kind (docs/service/infrastructure.md, "Errors")."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from sandbox.rest.call import Call
from sandbox.rest.models import Address, Disk, Instance, InstanceType, Network, Snapshot, SshKey, Subregion, Template
from sandbox.rest.refusal import Refusal

T = TypeVar("T")


def _addressed(table: Mapping[int, T], number: int, status: int, kind: str) -> T:
    if number not in table:
        words = "does not exist or access to it is forbidden" if status == 403 else "does not exist"
        raise Refusal(status, f"{kind} {number} {words}.")
    return table[number]


def instance(call: Call) -> Instance:
    """The instance in the path; 403 when missing (setting missing_status, since the sources disagree)."""
    return _addressed(call.world.instances, call.id, call.settings["missing_status"], "Instance")


def disk(call: Call) -> Disk:
    """The disk in the path; 403 when missing."""
    return _addressed(call.world.disks, call.id, call.settings["missing_status"], "Disk")


def network(call: Call) -> Network:
    """The private network in the path; 403 when missing."""
    return _addressed(call.world.networks, call.id, call.settings["missing_status"], "Private network")


def address(call: Call) -> Address:
    """The IP address in the path; 404 when missing."""
    return _addressed(call.world.addresses, call.id, 404, "IP address")


def address_text(call: Call, text: str, status: int) -> Address:
    """The IP address with that IPv4 text; that status when missing."""
    number = call.world.address_texts.get(text)
    if number is None:
        raise Refusal(status, f"IP address {text} does not exist.")
    return call.world.addresses[number]


def key(call: Call) -> SshKey:
    """The SSH key in the path; 404 when missing."""
    return _addressed(call.world.keys, call.id, 404, "SSH key")


def snapshot(call: Call) -> Snapshot:
    """The snapshot in the path; 404 when missing."""
    return _addressed(call.world.snapshots, call.id, 404, "Snapshot")


def template(call: Call) -> Template:
    """The template in the path; 403 when missing, 404 at the sources that say so (setting missing_template_status)."""
    return _addressed(call.world.templates, call.id, call.settings["missing_template_status"], "Template")


def instance_type(call: Call) -> InstanceType:
    """The instance type in the path; 404 when missing."""
    return _addressed(call.world.types, call.id, 404, "Instance type")


def subregion(call: Call) -> Subregion:
    """The subregion in the path; 404 when missing."""
    return _addressed(call.world.subregions, call.id, 404, "Subregion")


def given(table: Mapping[int, T], number: int, member: str) -> T:
    """The object that a member of the body or of the query names; 400 when there is none."""
    return _addressed(table, number, 400, f"{member}:")


def item(call: Call, dictionary: int, number: int, member: str) -> int:
    """The id of a dictionary item that a member names; 400 when the dictionary does not have it."""
    if not call.world.dictionaries.has(dictionary, number):
        raise Refusal(400, f"{member}: {number} is no item of dictionary {dictionary}.")
    return number


def active_subregion(call: Call, number: int, member: str = "SubregionId") -> Subregion:
    """The subregion that a member names; 400 when there is none or it is inactive."""
    found = given(call.world.subregions, number, member)
    if not found.active:
        raise Refusal(400, f"{member}: subregion {found.name} is not active.")
    return found
