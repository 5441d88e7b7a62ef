# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Disks: found by name or ID, brought to their declared state and listed (docs/service/infrastructure.md, "Disks")."""

from __future__ import annotations

import operator
import typing as t

from .._connection.options import GIGABYTES, REST
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
)
from .._core.errors import Ambiguous, ImmutableChange, InvalidInput, NotFound
from .._core.type_aliases import JsonMapping, JsonObject
from .._engine.change import Change
from .._engine.plan import DELETE, Field, in_words
from .api import infrastructure
from .instance.instance_records import InstanceSearch
from .named_instances import required_instance
from .reference_names import SUBREGION, resolve_item
from .rest_changes import attachment_of, change_of, detachment_of, owners, removal_of
from .rest_records import (
    DISK_OBJECT,
    RestSearch,
    check_name,
    check_not_empty,
    disk_size,
    record_of,
    require_options,
    same_item,
)
from .rest_resource import RestResource, reconcile_resource, rest_reader

_PLAIN = {
    "id": "Id",
    "name": "Name",
    "size": "SpaceCapacity",
    "is_locked": "IsLocked",
    "locking_date": "LockingDate",
    "creation_date": "CreationDate",
    "is_shared": "IsShared",
    "isfreemium": "IsFreemium",
}
_NAMED = {"disk_class": "Tier", "subregion": "Subregion", "shared_disk_type": "SharedDiskType"}


def disk_record(disk: JsonMapping) -> JsonObject:
    """Return the record of a disk; ``instances`` are those that it is attached to."""
    instances = [
        {
            "id": one["Instance"].get("Id"),
            "label": one["Instance"].get("Name"),
            "controller": one.get("Controller"),
            "slot": one.get("Slot"),
            "is_system_disk": bool(one.get("IsSystemDisk")),
        }
        for one in disk.get("Connections") or ()
        if one.get("Instance")
    ]
    is_system_disk = any(one["is_system_disk"] for one in instances)
    return {**record_of(disk, _PLAIN, _NAMED), "instances": instances, "is_system_disk": is_system_disk}


class DiskSearch(RestSearch):
    """Finds disks."""

    kind = "disk"
    describe = staticmethod(disk_record)
    queries = True
    references = ("subregion", "instances")

    def list_items(self, **filters: t.Any) -> list[JsonObject]:
        """Return the disks that the service lists; filters: those of list_disks, and instance_id."""
        instance = filters.pop("instance_id", None)
        if instance is not None:
            return self.api.list_instance_disks(instance, **filters)
        return self.api.list_disks(**filters)

    def read(self, number: int) -> JsonObject:
        """Return one disk."""
        return self.api.get_disk(number)


CLASSES, SHARED_TYPES = 17, 162  # dictionaries
SMALLEST, MAX_NAME = 5, 300  # GB, characters
REPLACED = {"size": "SpaceCapacity", "disk_class": "Tier", "subregion": "Subregion", "instances": "Connections"}
"""What a PUT sends along with the name."""


def same_instances(desired: t.Any, current: t.Any) -> bool:
    """Return whether both lists have the same instances."""
    return {one["id"] for one in desired} == {one["id"] for one in current or ()}


def kept_instances(current: t.Any, desired: t.Any) -> list[JsonObject]:
    """Return the desired instances as they will show: attached ones are unchanged."""
    known = {one["id"]: one for one in current or ()}
    return [known.get(one["id"], one) for one in desired]


def creation_body(values: JsonMapping, *, older: bool) -> dict[str, object]:
    """Return the body of POST /disks; the older line of the service requires a member that the later one lacks."""
    return {**disk_body(values), **({"IsShared": values.get("shared_disk_type") is not None} if older else {})}


def disk_body(values: JsonMapping) -> JsonObject:
    """Return what POST and PUT of a disk have in common."""
    plain = {"DiskName": values["name"], "SpaceCapacity": values["size"], "TierId": values["disk_class"]["id"]}
    shared = values.get("shared_disk_type")
    more = {} if shared is None else {"SharedDiskTypeId": shared["id"]}
    return {**plain, "SubregionId": values["subregion"]["id"], **more}


class DeclaredDisk(RestResource):
    """The disk that the options declare."""

    search: DiskSearch
    fields = (
        Field("name"),
        Field("size", may_be_unknown=True),
        Field("disk_class", same_item, may_be_unknown=True),
        Field("subregion", same_item, may_be_unknown=True),
        Field("shared_disk_type", same_item, on_update=False),
        Field("instances", same_instances, merge=kept_instances),
    )
    set_after_create = ("instances",)
    object_type = DISK_OBJECT
    refers_to = (("instances", InstanceSearch),)

    def locate(self) -> JsonObject | None:
        """Return the disk that is meant: of several with its name, the only one in the declared instances."""
        try:
            return super().locate()
        except Ambiguous as several:
            declared = {self._instance(text)["id"] for text in self.params.get("instances") or ()}
            found = [one for one in map(self.search.by_id, several.details["ids"]) if one and declared <= owners(one)]
            if not declared or len(found) != 1:
                raise
            return found[0]

    def desired_values(self, current: JsonObject | None) -> JsonObject:
        """Return the desired values, labels resolved."""
        params = self.params
        if current is None:
            needed = ["name", "size", "disk_class", *([] if params.get("instances") else ["subregion"])]
            require_options(params, "disk", str(params.get("name")), needed)
        present = current or {}
        desired = non_null_options(params, ("name", "size"))
        if "size" in desired:
            desired["size"] = disk_size("size", desired["size"], present.get("size"))
        subregions: dict[int, JsonObject | None] = {}
        if params.get("instances") is not None:
            desired["instances"] = self._instances(present, subregions)
        desired.update(self._items(present))
        self.search.names.fill([{"subregion": its_subregion} for its_subregion in subregions.values()], SUBREGION)
        if current is None and "subregion" not in desired:
            first = desired["instances"][0]
            if subregions[first["id"]] is None:
                raise InvalidInput(
                    f"subregion: the service does not return that of instance {in_words(first)}, so it is required.",
                    option="subregion",
                )
            desired["subregion"] = subregions[first["id"]]
        _require_one_place(desired, present, subregions)
        _require_shared(desired, present)
        return desired

    def sent_along(self, current: JsonMapping, changes: JsonMapping) -> t.Mapping[str, str]:
        """Return what a new name is sent with."""
        del current
        return REPLACED if "name" in changes else {}

    def verify(self, action: str, changes: JsonMapping, current: JsonMapping | None) -> None:
        """Raise for what the service would refuse, before anything is sent."""
        super().verify(action, changes, current)
        if current is None:
            return
        if action == DELETE:
            self._verify_removal(current)
            return
        _require_growth(current, changes)
        if "instances" in changes and current["is_system_disk"]:
            raise InvalidInput(
                f"instances: {_title(current)} is the system disk of instance {in_words(current['instances'])}, which "
                "cannot be detached or shared.",
                next_step="Omit instances.",
                option="instances",
            )
        if "subregion" in changes and current["instances"] and "instances" not in self.desired:
            raise InvalidInput(
                f"subregion: {_title(current)} can only be moved while it is detached; it is attached to instance "
                f"{in_words(current['instances'])}.",
                next_step="Give instances too: those in the new subregion, or none ([]).",
                option="subregion",
            )

    def create_request(self, values: JsonMapping) -> t.Callable[[], JsonObject]:
        """Return what creates the disk; instances are attached afterwards."""
        body = creation_body(values, older=self.search.api.is_older_line())
        return lambda: self.search.api.create_disk(body)

    def updates(self, current: JsonObject, changes: JsonMapping) -> list[Change]:
        """Return the requests of a change: detach first, because only a free disk can be moved, and attach last."""
        api, number, now = self.search.api, current["id"], owners(current)
        desired = owners(changes) if "instances" in changes else now
        leaving = sorted(now if "subregion" in changes else now - desired)
        staying = now - set(leaving)
        steps: dict[str, tuple[str, t.Callable[[t.Any], JsonObject]]] = {
            "subregion": ("Moving", lambda place: api.change_disk_subregion(number, place["id"])),
            "disk_class": ("Changing the class of", lambda tier: api.change_disk_tier(number, tier["id"])),
            "size": ("Extending", lambda size: api.extend_disk(number, size)),
            "name": ("Renaming", lambda name: self._rename(current, name)),
        }

        def step(name: str, doing: str, send: t.Callable[[object], JsonObject]) -> Change:
            value = changes[name]
            same = same_item if isinstance(value, dict) else operator.eq
            return change_of(
                self,
                current,
                f"{doing} {self.title(current)}",
                lambda: send(value),
                lambda record: record is not None and bool(same(value, record.get(name))),
                sorted(staying),
            )

        return [
            *(detachment_of(self, current, api.detach_disk, one) for one in leaving),
            *(step(name, *steps[name]) for name in steps if name in changes),
            *(attachment_of(self, current, api.attach_disk, one) for one in sorted(desired - staying)),
        ]

    def removals(self, current: JsonObject) -> list[Change]:
        """Return the requests of a removal: a disk must be detached before it is deleted."""
        api = self.search.api
        detaching = [detachment_of(self, current, api.detach_disk, one["id"]) for one in current["instances"]]
        return [*detaching, removal_of(self, current, api.delete_disk)]

    def _rename(self, current: JsonObject, name: str) -> JsonObject:
        """Send all current values with the new name: PUT replaces everything, and what is left out is lost."""
        number = current["id"]
        record = self.search.by_id(number)
        if record is None:
            raise NotFound(f"Disk {number} no longer exists.", status=404)
        self.require_known(record, REPLACED)
        whole = disk_body({**record, **self.desired, "name": name, "shared_disk_type": None})
        attached = record if REPLACED["instances"] in self.search.members[number] else self.desired
        return self.search.api.replace_disk(number, {**whole, "InstanceIdsList": sorted(owners(attached))})

    def _items(self, present: JsonObject) -> JsonObject:
        api, params, found = self.search.api, self.params, {}
        readers: dict[str, tuple[t.Callable[[], t.Any], str]] = {
            "disk_class": (lambda: api.get_dictionary(CLASSES), "the disk classes"),
            "subregion": (lambda: self.search.names.entries(SUBREGION), "the subregions"),
            "shared_disk_type": (lambda: api.get_dictionary(SHARED_TYPES), "the types of shared disks"),
        }
        for option, (read, where) in readers.items():
            if params.get(option) is not None:
                found[option] = resolve_item(params[option], present.get(option), read, option, where)
        return found

    def _instance(self, text: object) -> JsonObject:
        return required_instance(self.search, str(text).strip(), "instances")

    def _instances(self, present: JsonObject, subregions: dict[int, JsonObject | None]) -> list[JsonObject]:
        """Return the desired instances; ``subregions`` gets the subregion of each by its ID."""
        known = {text: one for one in present.get("instances", ()) for text in (str(one["id"]), one["label"])}
        found: dict[int, JsonObject] = {}
        for text in (str(one).strip() for one in self.params["instances"]):
            if text in known:
                one, its_subregion = known[text], present["subregion"]
            else:
                record = self._instance(text)
                one, its_subregion = {"id": record["id"], "label": record["name"]}, record["subregion"]
            found[one["id"]] = {"id": one["id"], "label": one["label"]}
            subregions[one["id"]] = its_subregion
        return list(found.values())

    def _verify_removal(self, current: JsonMapping) -> None:
        if current["is_system_disk"]:
            raise InvalidInput(
                f"{_title(current)} is the system disk of instance {in_words(current['instances'])}.",
                next_step="Remove the instance: its system disk is removed with it.",
                id=current["id"],
            )
        if current["instances"] and not self.params["force_detach"]:
            raise InvalidInput(
                f"{_title(current)} is attached to instance {in_words(current['instances'])} and was not removed.",
                next_step="Set force_detach: true to have it detached first.",
                option="force_detach",
                id=current["id"],
            )


def _require_one_place(desired: JsonObject, present: JsonObject, subregions: t.Mapping[int, JsonObject | None]) -> None:
    """Raise InvalidInput before a disk is detached or created for an instance in another subregion."""
    place = desired.get("subregion") or present["subregion"]
    for one in desired.get("instances", ()):
        its_subregion = subregions[one["id"]]
        if its_subregion is not None and place is not None and its_subregion["id"] != place["id"]:
            there, here = (str(named["label"] or named["id"]) for named in (its_subregion, place))
            raise InvalidInput(
                f"instances: {in_words(one)} is in subregion {there}, but the disk "
                f"{'is to be' if 'subregion' in desired else 'is'} in {here}.",
                next_step=f"Give subregion: {there}, or instances in {here}.",
                option="instances",
            )


def _require_shared(desired: JsonObject, present: JsonObject) -> None:
    """Raise InvalidInput before a disk is created for or attached to instances that it cannot be shared by."""
    instances = desired.get("instances", ())
    shared = present.get("is_shared") or present.get("shared_disk_type") or desired.get("shared_disk_type")
    more = {one["id"] for one in instances} - {one["id"] for one in present.get("instances", ())}
    if len(instances) > 1 and more and not shared:
        raise InvalidInput(
            f"instances: {in_words(instances)} are {len(instances)} instances, but the disk is not shared.",
            next_step="Give one instance." if present else "Give shared_disk_type too, or one instance.",
            option="instances",
        )


def _require_growth(current: JsonMapping, changes: JsonMapping) -> None:
    if changes.get("size", 0) and changes["size"] < (current["size"] or 0):
        raise ImmutableChange(
            f"size: disk {current['name']!r} has {current['size']} GB, not {changes['size']}; it can only grow.",
            next_step=f"Give {current['size']} or more.",
            fields=["size"],
        )


def _title(current: JsonMapping) -> str:
    return f"Disk {current['name']!r} ({current['id']})"


def check_disk(params: Params) -> None:
    """Raise InvalidInput for values that the service does not accept."""
    check_name(params.get("name"), MAX_NAME)
    check_not_empty(params, "disk_class", "subregion", "shared_disk_type")
    if params.get("size") is not None and params["size"] < SMALLEST:
        raise InvalidInput(f"size: {params['size']} GB is too small; a disk has at least {SMALLEST} GB.", option="size")


def run(task: Task, params: Params) -> Result:
    """Bring the disk to its state."""
    check_disk(params)
    return reconcile_resource(DeclaredDisk(task, DiskSearch(infrastructure(task)), params), "disk")


OPERATION = Operation(
    "disk",
    (REST,),
    {
        **STATE,
        "name": {"type": "str", "aliases": ["disk_name"]},
        "id": {"type": "int"},
        "size": {"type": GIGABYTES, "aliases": ["space_capacity"]},
        "disk_class": {"type": "str", "aliases": ["tier"]},
        "subregion": {"type": "str", "aliases": ["subregion_id"]},
        "instances": {"type": "list", "elements": "str"},
        "shared_disk_type": {"type": "str"},
        "force_detach": {"type": "bool", "default": False},
        **WAIT_OPTIONS,
        **CREATE_OPTIONS,
    },
    run,
    {"required_one_of": [("name", "id")]},
    fields=DeclaredDisk.fields,
    members=tuple(disk_record({})),
    manages=ManagedObject("disk", "disk"),
    check=check_disk,
)


DISK_TYPES = {"all": None, "system": "System", "custom": "Custom"}


INFO = rest_reader(
    "disk_info",
    "disks",
    lambda api, _params: DiskSearch(api),
    {
        "name": {"type": "str"},
        "query": {"type": "str"},
        "instance": {"type": "str", "aliases": ["instance_id"]},
        "disk_type": {"type": "str", "choices": list(DISK_TYPES), "default": "all"},
    },
    {"mutually_exclusive": [("id", "name", "query"), ("id", "instance")]},
    lambda params: {"disk_type": DISK_TYPES[params["disk_type"]]},
)
