# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Instances, each with its system disk, its private networks and its reserved addresses."""

from __future__ import annotations

import typing as t

from ..instance.instance_options import check_instance_name
from ..instance.instance_records import POWERED_OFF, POWERED_ON, order_of_place, status_of, unsettled
from .account import Account, Record
from .addresses import addressed, reserved
from .found import CONCEALED, HOW, NOT_READABLE, ONCE, WAITING, Found, Table
from .naming import named

TABLE = Table(
    "instances",
    ("name", "id"),
    (
        "state",
        "template",
        "template_id",
        "subregion",
        "subregion_id",
        "type",
        "type_id",
        "disk_class",
        "init_disk_size",
        "private_networks",
        "ip_addresses",
        "isfreemium",
    ),
    withheld={
        "init_script": CONCEALED,
        "authorization_method": NOT_READABLE,
        "ssh_keys": ONCE,
        "without_public_ip": ONCE,
    },
    of_tasks={
        "instances_count": "each instance has an entry of its own",
        "authorization_method_id": "authorization_method stands for it",
        "purge_private_networks": HOW,
        "purge_ip_addresses": HOW,
        "ip_address_id": "ip_addresses stands for it",
        "recreate": HOW,
        "delete_disks": HOW,
        "force_stop": HOW,
        "stop_timeout": HOW,
        "access_data": CONCEALED,
        **WAITING,
    },
)
STATES = {POWERED_ON: "started", POWERED_OFF: "stopped"}
NUMBERED = ("template", "subregion", "type")
Belongings = t.Dict[int, t.List[t.Any]]


def instances(account: Account) -> Found:
    """Return the instances; what belongs to them comes from the lists of the account, not from each of them."""
    found, lists = Found(TABLE), account.infrastructure
    system = _system_disks(lists.disks)
    networks, addresses = _networks(account), _addresses(account)
    settled = [record for record in lists.instances if _settled(found, record)]
    for record, identity in named(account, found, settled, check_instance_name):
        number = record["id"]
        found.add(
            {
                **identity,
                "state": STATES.get(t.cast("int", status_of(record))),
                **_catalogue(account, record),
                **_disk(account, system.get(number)),
                "private_networks": networks.get(number),
                "ip_addresses": addresses.get(number),
                "isfreemium": record["isfreemium"] or None,
            }
        )
    return found


def _system_disks(disks: t.Iterable[Record]) -> dict[int, Record]:
    """Return the system disk of each instance; of two that say so, the one at the first place."""
    places = [(one, disk) for disk in disks for one in disk["instances"] if one["is_system_disk"]]
    places.sort(key=lambda place: order_of_place(place[0]["controller"], place[0]["slot"]), reverse=True)
    return {one["id"]: disk for one, disk in places}


def _settled(found: Found, record: Record) -> bool:
    if unsettled(record):
        found.leave(record["name"], "an operation runs on it: export again when it has ended")
        return False
    return True


def _catalogue(account: Account, record: Record) -> Record:
    """Return what the instance was made of: by label, or by number where no label says it."""
    values: Record = {}
    for option in NUMBERED:
        item = record[option]
        if item is None or item["id"] is None:
            continue
        label = account.infrastructure.labels(option).of(item["id"])
        values.update({option: label} if label is not None else {f"{option}_id": item["id"]})
    return values


def _disk(account: Account, disk: Record | None) -> Record:
    if disk is None:
        return {}
    kind = disk["disk_class"]
    said = account.infrastructure.labels("disk_class").said(kind["id"]) if kind else None
    return {"disk_class": said, "init_disk_size": disk["size"]}


def _networks(account: Account) -> Belongings:
    """Return the private networks of each instance."""
    labels = account.infrastructure.labels("private_networks")
    found: Belongings = {}
    for network in sorted(account.infrastructure.networks, key=lambda one: (str(one["name"]), one["id"])):
        for member in network["instances"]:
            found.setdefault(member["id"], []).append(labels.said(network["id"]))
    return found


def _addresses(account: Account) -> Belongings:
    """Return the reserved addresses of each instance."""
    found: Belongings = {}
    said = addressed(account)
    for record in sorted(reserved(account), key=lambda one: (str(one["address"]), one["id"])):
        if record["instance"] is not None:
            found.setdefault(record["instance"]["id"], []).append(said[record["id"]])
    return found
