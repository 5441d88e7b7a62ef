# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the infrastructure interface has of an account, as entries."""

from __future__ import annotations

import typing as t
from collections import Counter
from functools import cached_property, partial

from .._core.errors import Rejected
from .._core.type_aliases import JsonObject
from .._infrastructure.api import infrastructure
from .._infrastructure.disk import MAX_NAME, SHARED_TYPES, DiskSearch
from .._infrastructure.group_autoscaler import NEEDED_BY_AUTOSCALER, GroupAutoscalerSearch
from .._infrastructure.group_schedule import GroupScheduleSearch
from .._infrastructure.health_check import MAX_HEALTH_CHECK_NAME, HealthCheckSearch, options_of
from .._infrastructure.health_check_kinds import ATTRIBUTES, NOTIFICATION_TYPES, UNREADABLE, word_of
from .._infrastructure.health_check_notification import NotificationSearch
from .._infrastructure.instance.instance_info import read_instances
from .._infrastructure.instance.instance_options import Labels as Catalogue
from .._infrastructure.instance.instance_options import check_instance_name
from .._infrastructure.instance.instance_records import POWERED_OFF, POWERED_ON, is_busy, order_of_place, status_of
from .._infrastructure.instance_autoscaler import OFF, PARAMETERS, AutoscalerSearch
from .._infrastructure.instance_group import MAX_GROUP_NAME, GroupSearch, GroupsWithInstances
from .._infrastructure.instance_schedule import InstanceScheduleSearch
from .._infrastructure.ip_address import AUTOMATIC, HOST_NAME, MAX_COMMENT, AddressSearch
from .._infrastructure.load_balancer import ITEMS as BALANCER_ITEMS
from .._infrastructure.load_balancer import VALUES as BALANCER_VALUES
from .._infrastructure.load_balancer import BalancerSearch
from .._infrastructure.private_network import MAX_NETWORK_NAME as MAX_NETWORK
from .._infrastructure.private_network import NetworkSearch
from .._infrastructure.rest_records import check_name
from .._infrastructure.schedules import MAX_SCHEDULE_NAME
from .._infrastructure.ssh_key import MAX_KEY_NAME as MAX_KEY
from .._infrastructure.ssh_key import KeySearch
from .exported_account import (
    HIDDEN_REASON,
    NOT_REPORTED,
    ONLY_AT_CREATION,
    ExportedAccount,
    ExportedKind,
    ExportTable,
    UniqueLabels,
)

if t.TYPE_CHECKING:
    from .._infrastructure.rest_records import RestSearch

KEY_TABLE = ExportTable("ssh_keys", ("name", "id"), ("public_key",))
NETWORKS = ExportTable("private_networks", ("name", "id"), ())
ADDRESS_TABLE = ExportTable(
    "ip_addresses", ("comment", "address", "id"), ("subregion", "static", "reverse_dns", "reverse_dns_v6")
)
INSTANCES = ExportTable(
    "instances",
    ("name", "id"),
    (
        *("state", "template", "template_id", "subregion", "subregion_id", "type", "type_id"),
        *("disk_class", "init_disk_size", "private_networks", "ip_addresses", "isfreemium"),
    ),
    withheld={
        "init_script": HIDDEN_REASON,
        "authorization_method": NOT_REPORTED,
        "ssh_keys": ONLY_AT_CREATION,
        "without_public_ip": ONLY_AT_CREATION,
    },
)
DISK_TABLE = ExportTable("disks", ("name", "id"), ("size", "disk_class", "subregion", "shared_disk_type", "instances"))
GROUP_TABLE = ExportTable("instance_groups", ("name", "id"), ("affinity", "instances", "ip_addresses"))
BALANCER_TABLE = ExportTable("load_balancers", ("group",), (*BALANCER_ITEMS, *BALANCER_VALUES, "ip_address"))
CHECK_TABLE = ExportTable(
    "health_checks",
    ("name", "id"),
    ("kind", *(option for option in ATTRIBUTES if option != UNREADABLE)),
    withheld={UNREADABLE: HIDDEN_REASON},
)
NOTIFICATION_TABLE = ExportTable("health_check_notifications", ("address", "type", "id"), ())
SCHEDULE_TABLE = ExportTable(
    "instance_schedules",
    ("instance", "name", "id"),
    (
        *("action", "every", "at", "timezone", "snapshot_name", "snapshot_description", "snapshot", "clone_name"),
        *("instance_type", "storage_project", "storage_path", "keep_days"),
    ),
)
GROUP_SCHEDULE_TABLE = ExportTable(
    "group_schedules", ("group", "name", "id"), ("instance", "action", "every", "at", "timezone")
)
AUTOSCALER_TABLE = ExportTable("instance_autoscalers", ("instance",), PARAMETERS)
GROUP_AUTOSCALER_TABLE = ExportTable("group_autoscalers", ("group",), NEEDED_BY_AUTOSCALER)
STATES_BY_STATUS = {POWERED_ON: "started", POWERED_OFF: "stopped"}
Belongings = t.Dict[int, t.List[t.Any]]


class InfrastructureExport:
    """Reads the kinds of the infrastructure interface; each list of the account is read when it is first needed."""

    def __init__(self, account: ExportedAccount) -> None:
        """Raise MissingSettings."""
        self._account = account
        self._api = infrastructure(account.task)
        self._catalogue = Catalogue(self._api)
        self._labels: dict[str, UniqueLabels] = {}

    @cached_property
    def listed_instances(self) -> list[JsonObject]:
        """The instances, without deleted ones."""
        return read_instances(self._api, {}, self._catalogue)

    @cached_property
    def listed_disks(self) -> list[JsonObject]:
        """The disks, including system disks."""
        return _described(DiskSearch(self._api))

    @cached_property
    def listed_addresses(self) -> list[JsonObject]:
        return _described(AddressSearch(self._api))

    @cached_property
    def listed_groups(self) -> list[JsonObject]:
        """The groups; the instances in them are read when they are exported."""
        return _described(GroupSearch(self._api))

    @cached_property
    def listed_networks(self) -> list[JsonObject]:
        return _described(NetworkSearch(self._api))

    def labels(self, what: str) -> UniqueLabels:
        """Return the labels of a list, by the name of the option that takes them; none if it may not be read."""
        if what not in self._labels:
            self._labels[what] = UniqueLabels(self._numbers_and_labels(what))
        return self._labels[what]

    def _numbers_and_labels(self, what: str) -> list[tuple[int, str | None]]:
        lists = {"instances": "listed_instances", "private_networks": "listed_networks", "groups": "listed_groups"}
        if what in lists:
            records = getattr(self, lists[what])
            return [(record["id"], record["name"]) for record in records]
        try:
            if what == "shared_disk_type":
                entries = self._api.get_dictionary(SHARED_TYPES)
            else:
                entries = self._catalogue.entries(what)
        except Rejected:
            return []
        return [(entry["Id"], label) for entry in entries for label in _labels_of(entry)]

    def ssh_keys(self) -> ExportedKind:
        found = ExportedKind(KEY_TABLE)
        check = partial(check_name, longest=MAX_KEY, any_letters=True)
        for record, identity in self._account.identified(found, _described(KeySearch(self._api)), check):
            text = record["public_key"] or ""
            if "PRIVATE KEY" in text or "Private-Lines:" in text or self._account.holds_secret(text):
                found.leave(record["name"], "a secret is stored as its public key")
            elif not text.strip():
                found.leave(record["name"], "no public key is stored")
            else:
                found.add({**identity, "public_key": text})
        return found

    def private_networks(self) -> ExportedKind:
        """Return the private networks; the entries of instances say which instances are in them."""
        found = ExportedKind(NETWORKS)
        check = partial(check_name, longest=MAX_NETWORK)
        for _record, identity in self._account.identified(found, self.listed_networks, check):
            found.add(identity)
        return found

    def ip_addresses(self) -> ExportedKind:
        found = ExportedKind(ADDRESS_TABLE)
        subregions = self.labels("subregion")
        for record, identity in self._identified_addresses(found):
            if None in identity.values():
                identity.update(id=record["id"])
            hosts = {}
            for option in ("reverse_dns", "reverse_dns_v6"):
                host = record[option]
                if host and HOST_NAME.fullmatch(host):
                    hosts[option] = host
                elif host:
                    name = record["comment"] or record["address"]
                    found.leave(name, "the module does not take this host name", option)
            place = record["subregion"]
            subregion = subregions.said(place["id"]) if place else None
            found.add({**identity, "subregion": subregion, "static": record["static"], **hosts})
        left = len(self.listed_addresses) - len(self._reserved_addresses())
        if left:
            found.leave(f"{left} addresses", "they are automatic: each comes and goes with its instance")
        return found

    def instances(self) -> ExportedKind:
        """Return the instances; their parts come from the lists of the account, not from requests for each one."""
        found = ExportedKind(INSTANCES)
        disks = _system_disks(self.listed_disks)
        networks, addresses = self._networks_by_instance(), self._addresses_by_instance()
        settled = []
        for record in self.listed_instances:
            if is_busy(record):
                found.leave(record["name"], "an operation runs on it: export again when it has ended")
            else:
                settled.append(record)
        for record, identity in self._account.identified(found, settled, check_instance_name):
            values = {**identity, **self._catalogue_options(record), "isfreemium": record["isfreemium"] or None}
            status, disk = status_of(record), disks.get(record["id"])
            if status in STATES_BY_STATUS:
                values["state"] = STATES_BY_STATUS[status]
            if disk is not None:
                kind = disk["disk_class"]
                values["disk_class"] = self.labels("disk_class").said(kind["id"]) if kind else None
                values["init_disk_size"] = disk["size"]
            values["private_networks"] = networks.get(record["id"])
            values["ip_addresses"] = addresses.get(record["id"])
            found.add(values)
        return found

    def disks(self) -> ExportedKind:
        """Return the disks that are not system disks."""
        found = ExportedKind(DISK_TABLE)
        records = [record for record in self.listed_disks if not record["is_system_disk"]]
        for record, identity in self._account.identified(found, records, partial(check_name, longest=MAX_NAME)):
            values = {**identity, "size": record["size"]}
            for option in ("disk_class", "subregion", "shared_disk_type"):
                if record[option]:
                    values[option] = self.labels(option).said(record[option]["id"])
            values["instances"] = [self.labels("instances").said(one["id"]) for one in record["instances"]] or None
            found.add(values)
        return found

    def instance_groups(self) -> ExportedKind:
        """Return the groups; the address of an instance is given where it has others, too."""
        found = ExportedKind(GROUP_TABLE)
        own = Counter((one["instance"] or {}).get("id") for one in self.listed_addresses)
        groups = GroupsWithInstances(self._api)
        for record, identity in self._account.identified(
            found, self.listed_groups, partial(check_name, longest=MAX_GROUP_NAME)
        ):
            groups.name_references(record)
            members = sorted(record["instances"], key=lambda one: (str(one["label"]), one["id"]))
            values = {
                **identity,
                "affinity": _said(record["affinity"]),
                "instances": [self.labels("instances").said(one["id"]) for one in members] or None,
                "ip_addresses": [one["address"] for one in members if own[one["id"]] > 1 and one["address"]] or None,
            }
            found.add(values)
        return found

    def load_balancers(self) -> ExportedKind:
        """Return the load balancers; an address that is not of the account cannot be given."""
        own = {one["address"] for one in self.listed_addresses}
        values = []
        for record in _described(BalancerSearch(self._api)):
            items = {name: _said(record[name]) for name in BALANCER_ITEMS}
            address = record["ip_address"] if record["ip_address"] in own else None
            values.append({**record, **items, "ip_address": address})
        return self._of_owners(BALANCER_TABLE, values)

    def instance_autoscalers(self) -> ExportedKind:
        """Return the autoscalers of instances, each of which is read alone; the list tells which are off."""
        instances = [one for one in self.listed_instances if (one["autoscaling_type"] or {}).get("id") != OFF]
        found = self._account.each(
            instances, lambda one: AutoscalerSearch(self._api, str(one["name"])).by_id(one["id"])
        )
        return self._of_owners(AUTOSCALER_TABLE, [one for one in found if one is not None])

    def group_autoscalers(self) -> ExportedKind:
        """Return the autoscalers of groups, each of which is read alone."""
        values = []
        for record in _described(GroupAutoscalerSearch(self._api)):
            instances = [self.labels("instances").said(one["id"]) for one in record["instances"] or ()]
            values.append({**record, "instances": instances or None})
        return self._of_owners(GROUP_AUTOSCALER_TABLE, values)

    def _of_owners(self, table: ExportTable, records: t.Iterable[JsonObject]) -> ExportedKind:
        """Return what an owner has one of at most: its ID and its name are those of the owner."""
        found, (owner,) = ExportedKind(table), table.identity
        for record in sorted(records, key=lambda one: (str(one["name"]), one["id"])):
            if self._account.is_selected(table.kind, record["name"]):
                found.add({**record, owner: self.labels(f"{owner}s").said(record["id"])})
        return found

    def instance_schedules(self) -> ExportedKind:
        """Return the schedules of instances."""
        return self._schedules(
            SCHEDULE_TABLE, InstanceScheduleSearch(self._api), ("instance",), ("snapshot", "instance_type")
        )

    def group_schedules(self) -> ExportedKind:
        """Return the schedules of groups."""
        return self._schedules(GROUP_SCHEDULE_TABLE, GroupScheduleSearch(self._api), ("group", "instance"), ())

    def _schedules(
        self, table: ExportTable, search: RestSearch, entries: t.Sequence[str], others: t.Sequence[str]
    ) -> ExportedKind:
        """Return schedules, whose names are those of one owner.

        The options ``entries``, the owner first, refer to other entries of the site, by their names, and ``others`` to
        something else, by its ID.
        """
        found, owner = ExportedKind(table), entries[0]
        by_owner: Belongings = {}
        for record in _described(search):
            by_owner.setdefault(record[owner]["id"], []).append(record)
        for _number, records in sorted(by_owner.items()):
            check = partial(check_name, longest=MAX_SCHEDULE_NAME)
            for record, identity in self._account.identified(found, records, check):
                values = {option: record[option] for option in table.exported}
                values.update({option: record[option] and str(record[option]["id"]) for option in others})
                for option in entries:
                    values[option] = record[option] and self.labels(f"{option}s").said(record[option]["id"])
                found.add({**identity, **values})
        return found

    def _reserved_addresses(self) -> list[JsonObject]:
        """Return the addresses that stay when no instance has them."""
        every = self.listed_addresses
        return [one for one in every if one["instance"] is None or (one["type"] or {}).get("id") != AUTOMATIC]

    def health_checks(self) -> ExportedKind:
        found = ExportedKind(CHECK_TABLE)
        check = partial(check_name, longest=MAX_HEALTH_CHECK_NAME)
        for record, identity in self._account.identified(found, _described(HealthCheckSearch(self._api)), check):
            options = options_of(record)
            if options["kind"] is None:
                found.leave(record["name"], "its kind is not known")
            else:
                found.add({**identity, **options})
        return found

    def health_check_notifications(self) -> ExportedKind:
        """Return the notifications; addresses are unique within their type, if at all."""
        found = ExportedKind(NOTIFICATION_TABLE)
        by_type: dict[str | None, list[JsonObject]] = {}
        for record in _described(NotificationSearch(self._api)):
            word = None if record["type"] is None else word_of(record["type"], NOTIFICATION_TYPES)
            by_type.setdefault(word, []).append(record if word else {**record, "address": None})
        for word in sorted(by_type, key=str):
            for _record, identity in self._account.identified(found, by_type[word], key="address"):
                found.add({**identity, "type": word} if "address" in identity else identity)
        return found

    def _identified_addresses(self, found: ExportedKind) -> t.Iterator[tuple[JsonObject, JsonObject]]:
        records = [{**one, "address": one["address"] or one["address_v6"]} for one in self._reserved_addresses()]
        check = partial(check_name, longest=MAX_COMMENT, any_letters=True, option="comment")
        return self._account.identified(found, records, check, "comment", "address")

    def _addresses_by_instance(self) -> Belongings:
        """Return the reserved addresses of each instance, as references or as the addresses themselves."""
        reserved, asked = self._reserved_addresses(), self._account.params["kinds"]
        said: dict[int, t.Any] = {one["id"]: one["address"] or one["address_v6"] or str(one["id"]) for one in reserved}
        if asked is None or ADDRESS_TABLE.kind in asked:
            for record, identity in self._identified_addresses(ExportedKind(ADDRESS_TABLE)):
                if "comment" in identity:
                    said[record["id"]] = {"ref": f"{ADDRESS_TABLE.kind}.{identity['comment']}"}
        found: Belongings = {}
        for record in sorted(reserved, key=lambda one: (str(one["address"]), one["id"])):
            if record["instance"] is not None:
                found.setdefault(record["instance"]["id"], []).append(said[record["id"]])
        return found

    def _networks_by_instance(self) -> Belongings:
        labels = self.labels("private_networks")
        found: Belongings = {}
        for network in sorted(self.listed_networks, key=lambda one: (str(one["name"]), one["id"])):
            for member in network["instances"]:
                found.setdefault(member["id"], []).append(labels.said(network["id"]))
        return found

    def _catalogue_options(self, record: JsonObject) -> JsonObject:
        """Return what the instance was created from, by label or, without a unique one, by number."""
        values: JsonObject = {}
        for option in ("template", "subregion", "type"):
            item = record[option]
            if item is not None and item["id"] is not None:
                label = self.labels(option).of(item["id"])
                values.update({option: label} if label is not None else {f"{option}_id": item["id"]})
        return values


def _said(item: JsonObject | None) -> str | None:
    """Return the label of an item of a dictionary, or its number."""
    return None if item is None else str(item["label"] or item["id"])


def _described(search: RestSearch) -> list[JsonObject]:
    return [search.describe(item) for item in search.whole(search.list_items())]


def _labels_of(entry: t.Mapping[str, object]) -> list[str]:
    """Return how an entry may be called; a template by its name and its version too."""
    label = entry.get("Label") or entry.get("Name")
    versioned = [f"{label} ({entry['Version']})"] if entry.get("Version") else []
    return [str(label), *versioned] if label else []


def _system_disks(disks: t.Iterable[JsonObject]) -> dict[int, JsonObject]:
    """Return the system disk of each instance; if two claim to be it, the one in the first slot."""
    places = [(one, disk) for disk in disks for one in disk["instances"] if one["is_system_disk"]]
    places.sort(key=lambda place: order_of_place(place[0]["controller"], place[0]["slot"]), reverse=True)
    return {one["id"]: disk for one, disk in places}
