# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys, networks, addresses, instances and disks of an account as entries."""

from __future__ import annotations

import typing as t

from .._infrastructure.disk import LONGEST_NAME
from .._infrastructure.instance.instance_options import check_instance_name
from .._infrastructure.instance.instance_records import POWERED_OFF, POWERED_ON, order_of_place, status_of, unsettled
from .._infrastructure.ip_address import AUTOMATIC, HOST_NAME, LONGEST_COMMENT
from .._infrastructure.private_network import LONGEST_NAME as LONGEST_NETWORK
from .._infrastructure.rest_options import check_name
from .._infrastructure.ssh_key import LONGEST_NAME as LONGEST_KEY
from .account import (
    CONCEALED,
    HOW,
    NOT_READABLE,
    ONCE,
    WAITING,
    ExportedAccount,
    ExportedKind,
    Exporter,
    ExportTable,
    Record,
    identified_records,
)

KEYS = ExportTable(
    "ssh_keys",
    ("name", "id"),
    ("public_key",),
    of_tasks={"state": "all of them are there", "recreate": HOW, "create_grace": HOW},
)
NETWORKS = ExportTable(
    "private_networks",
    ("name", "id"),
    (),
    of_tasks={"state": "all of them are there", "force_detach": HOW, **WAITING},
)


def export_keys(account: ExportedAccount) -> ExportedKind:
    """Return the SSH keys."""
    found = ExportedKind(KEYS)

    def check(name: str) -> None:
        check_name(name, LONGEST_KEY, any_letters=True)

    for record, identity in identified_records(account, found, account.infrastructure.keys, check):
        text = record["public_key"] or ""
        if "PRIVATE KEY" in text or "Private-Lines:" in text or account.holds_secret(text):
            found.leave(record["name"], "what is stored as its public key is a secret")
        elif not text.strip():
            found.leave(record["name"], "nothing is stored as its public key")
        else:
            found.add({**identity, "public_key": text})
    return found


def export_networks(account: ExportedAccount) -> ExportedKind:
    """Return the private networks; which instances are in them stands with the instances."""
    found = ExportedKind(NETWORKS)
    for _record, identity in identified_records(
        account, found, account.infrastructure.networks, lambda name: check_name(name, LONGEST_NETWORK)
    ):
        found.add(identity)
    return found


ADDRESSES = ExportTable(
    "ip_addresses",
    ("comment", "address", "id"),
    ("subregion", "static", "reverse_dns", "reverse_dns_v6"),
    of_tasks={
        "state": "all of them are there",
        "instance": "an instance names its addresses",
        "detached": "an instance names its addresses",
        "force_detach": HOW,
        **WAITING,
    },
)
HOSTS = ("reverse_dns", "reverse_dns_v6")


def address_references(account: ExportedAccount) -> dict[int, t.Any]:
    """Return what stands for each reserved address in the entry of its instance: a reference, or the address itself."""
    asked, listed = account.params["kinds"], _reserved_records(account)
    found: dict[int, t.Any] = {record["id"]: record["address"] or str(record["id"]) for record in listed}
    if asked is None or ADDRESSES.kind in asked:
        for record, identity in _identified(account, ExportedKind(ADDRESSES), listed):
            if "comment" in identity:
                found[record["id"]] = {"ref": f"{ADDRESSES.kind}.{identity['comment']}"}
    return found


def _reserved_records(account: ExportedAccount) -> list[Record]:
    return [{**one, "address": one["address"] or one["address_v6"]} for one in reserved_addresses(account)]


def _identified(
    account: ExportedAccount, found: ExportedKind, records: list[Record]
) -> t.Iterator[tuple[Record, Record]]:
    return identified_records(account, found, records, _check_comment, "comment", "address")


def _check_comment(comment: str) -> None:
    check_name(comment, LONGEST_COMMENT, any_letters=True, option="comment")


def reserved_addresses(account: ExportedAccount) -> list[Record]:
    """Return the addresses that stay when no instance has them."""
    return [one for one in account.infrastructure.addresses if one["instance"] is None or not _is_automatic(one)]


def _is_automatic(record: Record) -> bool:
    return bool((record["type"] or {}).get("id") == AUTOMATIC)


def export_addresses(account: ExportedAccount) -> ExportedKind:
    """Return the reserved addresses."""
    found = ExportedKind(ADDRESSES)
    subregions = account.infrastructure.labels("subregion")
    records = _reserved_records(account)
    for record, identity in _identified(account, found, records):
        name = record["comment"] or record["address"]
        if None in identity.values():
            identity.update(id=record["id"])
        place = record["subregion"]
        hosts = {option: record[option] for option in HOSTS if _host(found, name, option, record[option])}
        subregion = subregions.said(place["id"]) if place else None
        found.add({**identity, "subregion": subregion, "static": record["static"], **hosts})
    left = len(account.infrastructure.addresses) - len(records)
    if left:
        found.leave(f"{left} addresses", "they are automatic: each comes and goes with its instance")
    return found


def _host(found: ExportedKind, name: str, option: str, host: str | None) -> bool:
    """Return whether there is a host name that the module takes."""
    if host and not HOST_NAME.fullmatch(host):
        found.leave(name, "the module does not take this host name", option)
        return False
    return bool(host)


INSTANCES = ExportTable(
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


def export_instances(account: ExportedAccount) -> ExportedKind:
    """Return the instances; what belongs to them comes from the lists of the account, not from each of them."""
    found, lists = ExportedKind(INSTANCES), account.infrastructure
    system = _system_disks(lists.disks)
    networks, addresses = _networks_by_instance(account), _addresses_by_instance(account)
    settled = [record for record in lists.instances if _settled(found, record)]
    for record, identity in identified_records(account, found, settled, check_instance_name):
        number = record["id"]
        found.add(
            {
                **identity,
                "state": STATES.get(t.cast("int", status_of(record))),
                **_catalogue_options(account, record),
                **_system_disk_options(account, system.get(number)),
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


def _settled(found: ExportedKind, record: Record) -> bool:
    if unsettled(record):
        found.leave(record["name"], "an operation runs on it: export again when it has ended")
        return False
    return True


def _catalogue_options(account: ExportedAccount, record: Record) -> Record:
    """Return what the instance was made of: by label, or by number where no label says it."""
    values: Record = {}
    for option in NUMBERED:
        item = record[option]
        if item is None or item["id"] is None:
            continue
        label = account.infrastructure.labels(option).of(item["id"])
        values.update({option: label} if label is not None else {f"{option}_id": item["id"]})
    return values


def _system_disk_options(account: ExportedAccount, disk: Record | None) -> Record:
    if disk is None:
        return {}
    kind = disk["disk_class"]
    said = account.infrastructure.labels("disk_class").said(kind["id"]) if kind else None
    return {"disk_class": said, "init_disk_size": disk["size"]}


def _networks_by_instance(account: ExportedAccount) -> Belongings:
    """Return the private networks of each instance."""
    labels = account.infrastructure.labels("private_networks")
    found: Belongings = {}
    for network in sorted(account.infrastructure.networks, key=lambda one: (str(one["name"]), one["id"])):
        for member in network["instances"]:
            found.setdefault(member["id"], []).append(labels.said(network["id"]))
    return found


def _addresses_by_instance(account: ExportedAccount) -> Belongings:
    """Return the reserved addresses of each instance."""
    found: Belongings = {}
    said = address_references(account)
    for record in sorted(reserved_addresses(account), key=lambda one: (str(one["address"]), one["id"])):
        if record["instance"] is not None:
            found.setdefault(record["instance"]["id"], []).append(said[record["id"]])
    return found


DISKS = ExportTable(
    "disks",
    ("name", "id"),
    ("size", "disk_class", "subregion", "shared_disk_type", "instances"),
    of_tasks={"state": "all of them are there", "force_detach": HOW, **WAITING},
)
NAMED = ("disk_class", "subregion", "shared_disk_type")


def export_disks(account: ExportedAccount) -> ExportedKind:
    """Return the disks that are no system disks."""
    found, lists = ExportedKind(DISKS), account.infrastructure
    records = [record for record in lists.disks if not record["is_system_disk"]]
    for record, identity in identified_records(account, found, records, lambda name: check_name(name, LONGEST_NAME)):
        items = {option: record[option] for option in NAMED if record[option]}
        found.add(
            {
                **identity,
                "size": record["size"],
                **{option: lists.labels(option).said(item["id"]) for option, item in items.items()},
                "instances": [lists.labels("instances").said(one["id"]) for one in record["instances"]] or None,
            }
        )
    return found


EXPORTS: dict[str, Exporter] = {
    "ssh_keys": export_keys,
    "private_networks": export_networks,
    "ip_addresses": export_addresses,
    "instances": export_instances,
    "disks": export_disks,
}
