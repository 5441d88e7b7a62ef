# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The infrastructure as it will be after the earlier tasks of a run in check mode, which have only planned it.

Whatever is read shows what would be new and changed, and not what would be removed. So names and numbers of what is
planned are found in the same way as all others, and a name that nobody has planned is as wrong as it always is.

What hangs on instances is told in two places: in the record of the object, and in that of the instance. The one that
was planned last counts. What an instance takes with it is gone as soon as the instance is.
"""

from __future__ import annotations

import contextlib
import re
import typing as t

from .._connection.check_mode_state import is_planned
from .._core.errors import Forbidden, NotFound
from .._core.later import LATER
from .._core.type_aliases import JsonObject, JsonObjects
from .rest_client import ANY, ONE, PATH_OF_INSTANCE, RestClient, RestRead

if t.TYPE_CHECKING:
    from .._connection.check_mode_state import PlannedObjects
    from .._connection.task import Task

POWERED_ON, STATIC, AUTOMATIC, RESERVED = 86, 1106, 1107, 1109  # dictionaries 27 and 123
HIDDEN_MEMBERS = ("creation_user", "owner_user", "is_locked", "interfaces", "is_system_disk", "servers")
"""Members of a record that are not shown as they are."""
PARTS = ("snapshot", "instance_schedule")
"""What belongs to one instance, and has a name that is only unique there."""
BALANCED_SERVICE = "balanced_service"
"""What is noted of the services behind a load balancer, by the ID of the group, the address and the port."""
InstanceLinks = t.Dict[int, t.Set[int]]
"""The instances that objects are in, both by their numbers."""


class CheckModeInfrastructure:
    """Reads of the infrastructure in check mode; what the service has is read with ``api``."""

    def __init__(self, task: Task, planned_objects: PlannedObjects, api: RestClient) -> None:
        self._task = task
        self._planned_objects = planned_objects
        self._api = api

    def read(self, request: RestRead) -> t.Any:
        """Return what would be read. Raises NotFound for what would be removed."""
        if request.shape == ONE:
            return self._one(request)
        return self._any(request) if request.shape == ANY else self._list(request)

    def _one(self, request: RestRead) -> JsonObject:
        operation, path = request.operation, request.path
        single = self._api.single_at(path)
        if single is None:
            if _is_about_planned(path):
                raise NotFound(f"{operation}: there is no such object.", status=404)
            return t.cast("JsonObject", self._api.read(request))
        kind, number = single
        record = self._records(kind).get(number, {})
        found: JsonObjects = []
        if is_planned(number):
            found = [{"Id": number}] if record else []
        elif record is not None:
            found = [self._api.read(request)]
        seen = self._apply_planned(kind, found)
        if not seen:
            raise NotFound(f"{operation}: there is no such object, or an earlier task would remove it.", status=404)
        return seen[0]

    def _with_services(self, group: int, balancer: JsonObject) -> JsonObject:
        """Return a load balancer with the services that would be taken out or put back."""
        planned = self._records(BALANCED_SERVICE)

        def later(one: JsonObject) -> JsonObject:
            record = planned.get((group, one.get("IpAddress"), one.get("Port")))
            return {**one, "Status": _value(record["status"])} if record else one

        servers = [
            {**server, "Services": [later(one) for one in server.get("Services") or ()]}
            for server in balancer.get("Servers") or ()
        ]
        return {**balancer, "Servers": servers} if servers and planned else balancer

    def _any(self, request: RestRead) -> t.Any:
        """Return whatever JSON stands there; of what is planned, a password that is known after apply."""
        single = self._api.single_at(request.path)
        if single is not None:
            return self._single(request, *single)
        if _is_about_planned(request.path):
            return {"Password": LATER, "SshKeys": []} if request.path.endswith("/access_data") else None
        return self._api.read(request)

    def _single(self, request: RestRead, kind: str, number: int) -> JsonObject | None:
        """Return the only one of its kind that another object has, None if it would be removed, or there is none."""
        record = self._records(kind).get(number, {})
        found: JsonObject | None = None
        if record is not None and not is_planned(number):
            with contextlib.suppress(*((Forbidden, NotFound) if record else ())):
                found = self._api.read(request)
        seen = self._item(kind, found or {}, record) if record else found
        return self._with_services(number, seen) if seen is not None and kind == "load_balancer" else seen

    def _list(self, request: RestRead) -> JsonObjects:
        operation, path, filters = request.operation, request.path, request.filters
        of_instance = PATH_OF_INSTANCE.fullmatch(path)
        kind = self._api.kind_at(path)
        owner = int(of_instance[1]) if of_instance else filters.get("instance_id")
        if owner is not None and self._records("instance").get(owner, {}) is None:
            raise NotFound(f"{operation}: an earlier task would remove the instance.", status=404)
        about_planned = is_planned(owner) or _is_about_planned(path)
        listed: JsonObjects = [] if about_planned else self._api.read(request)
        if not kind:
            return listed
        if owner is not None:
            return [item for item in self._of_instance(operation, kind, owner, listed) if _is_of_type(item, filters)]
        there = self._apply_planned(kind, listed)
        return [*there, *self._apply_planned(kind, self._new(kind, there, filters))]

    def _new(self, kind: str, there: JsonObjects, filters: t.Mapping[str, object]) -> JsonObjects:
        """Return what would be new; what is there by now is not planned any more."""
        names = set() if kind in PARTS else {item.get("Name") for item in there} - {None}
        planned = self._planned_objects.planned(self._task, kind)
        return [{"Id": one["id"]} for one in planned if one.get("name") not in names and _matches(one, filters)]

    def _of_instance(self, operation: str, kind: str, owner: int, listed: JsonObjects) -> JsonObjects:
        """Return what would be in, or of, an instance, of which the service lists what there is today."""
        items = {item["Id"]: item for item in listed}
        links = self._links(kind, {number: {owner} for number in items})
        inside = [number for number, instances in links.items() if owner in instances]
        for number in set(inside) - set(items):
            with contextlib.suppress(Forbidden, NotFound):
                items[number] = self._one(RestRead(operation, f"{self._api.kinds[kind].path}/{number}", ONE))
        system = self._system_disk(owner) if kind == "disk" and is_planned(owner) else ()
        return [*self._apply_planned(kind, [items[number] for number in inside if number in items]), *system]

    def _apply_planned(self, kind: str, items: JsonObjects) -> JsonObjects:
        """Return objects as they would be, without those that would be removed."""
        records = self._records(kind)
        known = [(item, records.get(item.get("Id"), {})) for item in items]
        items = [self._item(kind, item, record) for item, record in known if record is not None]
        if not self._api.kinds[kind].instances:
            return items
        before = {
            item["Id"]: {one["Instance"]["Id"] for one in _places(self._api.kinds[kind].places, item)} for item in items
        }
        after = self._links(kind, before)
        stay = [
            item for item in items if not self._is_removed_along(kind, item, before[item["Id"]] - after[item["Id"]])
        ]
        return [self._in_instances(kind, item, after[item["Id"]]) for item in stay]

    def _is_removed_along(self, kind: str, item: JsonObject, left: set[int]) -> bool:
        """Return whether one of the instances that an object would have left takes it along."""
        instances = self._records("instance")
        return _belongs_to_instance(kind, item) and any(instances.get(number, {}) is None for number in left)

    def _links(self, kind: str, links: InstanceLinks) -> InstanceLinks:
        """Return in which instances objects of a kind would be; ``links`` are those of today."""
        members = {"instance": self._api.kinds[kind].of_instance, kind: self._api.kinds[kind].instances}
        links = {number: set(instances) for number, instances in links.items()}
        for its_kind, number, record in self._planned_objects.in_order(self._task, *members):
            ids = _member_ids(record, members[its_kind])
            if ids is not None and its_kind == kind:
                links[number] = ids
            elif ids is not None:
                for one in {*links, *ids}:
                    instances = links.setdefault(one, set())
                    (instances.add if one in ids else instances.discard)(number)
        return links

    def _in_instances(self, kind: str, item: JsonObject, instances: set[int]) -> JsonObject:
        """Return an object in these instances; how it is in those of today stays."""
        places = self._api.kinds[kind].places
        today = {one["Instance"]["Id"]: one for one in _places(places, item)}
        if set(today) == instances:
            return item
        inside = [today.get(number) or {"Instance": self._reference(number)} for number in sorted(instances)]
        if places:
            return {**item, places: inside}
        return {**item, "Instance": inside[0]["Instance"] if inside else None}

    def _reference(self, instance: int) -> JsonObject:
        return {"Id": instance, "Name": (self._records("instance").get(instance) or {}).get("name")}

    def _records(self, kind: str) -> dict[object, JsonObject | None]:
        return self._planned_objects.of(self._task, kind)

    def _system_disk(self, owner: int) -> JsonObjects:
        """Return the system disk of an instance that is planned, as far as it is known."""
        instance = self._records("instance").get(owner)
        if instance is None:
            return []
        disk = {"name": instance.get("name"), "disk_class": instance.get("disk_class")}
        known = self._item("disk", {}, {**disk, "size": instance.get("init_disk_size")})
        return [{**known, "Id": owner, "Connections": [{"Instance": self._reference(owner), "IsSystemDisk": True}]}]

    def _item(self, kind: str, item: JsonObject, record: JsonObject) -> JsonObject:
        """Return an object as the service would show it; what is not known is as it is today."""
        new, own = is_planned(item.get("Id")), self._api.kinds[kind].members
        placed = self._api.kinds[kind].instances == "instances"  # these are shown by _in_instances
        hidden = (*HIDDEN_MEMBERS, "instances") if placed else HIDDEN_MEMBERS
        shown = {name: value for name, value in record.items() if name not in hidden}
        members = {own.get(name) or _in_pascal_case(name): _value(value) for name, value in shown.items()}
        if kind == "instance" and new:
            members.setdefault("Status", {"Id": POWERED_ON, "Label": None})
        if kind == "ip_address" and not record.get("type") and (new or record.get("static") is not None):
            members["Type"] = {"Id": _type_of_address(record, new=new), "Label": None}
        return {**item, **members}


def _is_about_planned(path: str) -> bool:
    """Return whether a path has the number of something planned, which no request may have."""
    return any(is_planned(int(number)) for number in re.findall(r"\d+", path))


def _type_of_address(record: JsonObject, *, new: bool) -> int:
    """Return the type that an address gets; one that was reserved stays so when it is attached."""
    if record.get("static"):
        return STATIC
    return RESERVED if new or not record.get("instance") else AUTOMATIC


def _places(member: str, item: JsonObject) -> JsonObjects:
    """Return where an object is: what has an ``Instance``, in that member or the object itself."""
    places = item.get(member) or () if member else [item]
    return [one for one in places if one.get("Instance")]


def _belongs_to_instance(kind: str, item: JsonObject) -> bool:
    """Return whether the removal of its instance removes an object too."""
    if kind == "disk":
        return any(one.get("IsSystemDisk") for one in item.get("Connections") or ())
    return kind in PARTS or (kind == "ip_address" and (item.get("Type") or {}).get("Id") == AUTOMATIC)


def _member_ids(record: JsonObject | None, member: str) -> set[int] | None:
    """Return the numbers in a member of a record, none of what would be removed; None where it does not tell them."""
    if record is None:
        return set()
    return _numbers(record[member]) if member in record else None


def _numbers(items: t.Any) -> set[int]:
    """Return the numbers of ``{id, label}``, or of numbers, in a list; also of one alone."""
    listed = items if isinstance(items, list) else [items]
    return {one["id"] if isinstance(one, dict) else one for one in listed if one}


def _is_of_type(item: JsonObject, filters: t.Mapping[str, object]) -> bool:
    """Return whether a disk of an instance is among what a filter lists."""
    if filters.get("disk_type") not in ("System", "Custom"):
        return True
    return _belongs_to_instance("disk", item) is (filters["disk_type"] == "System")


def _matches(record: JsonObject, filters: t.Mapping[str, object]) -> bool:
    """Return whether something planned is among what a filter lists, as far as it is known."""
    desired = {name[:-3]: value for name, value in filters.items() if name.endswith("_id") and name != "instance_id"}
    others = (
        str(filters.get("query") or "") not in str(record.get("name")),
        filters.get("disk_type") == "System",
        filters.get("only_free") and record.get("instance"),
        filters.get("source") not in (None, "All", "Own"),
    )
    fits = all(value is None or value in _numbers(record.get(name)) for name, value in desired.items())
    return fits and not any(others)


def _in_pascal_case(name: str) -> str:
    """Return what the service calls a member."""
    return "".join(word.capitalize() for word in name.split("_"))


def _value(value: object) -> t.Any:
    """Return ``{id, label}`` as the service has it."""
    if isinstance(value, list):
        return [_value(one) for one in value]
    if isinstance(value, dict) and "id" in value:
        return {"Id": value["id"], "Name": value.get("label"), "Label": value.get("label")}
    return value
