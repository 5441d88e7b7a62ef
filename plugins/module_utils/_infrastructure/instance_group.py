# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Groups of instances: found by name or ID, brought to their declared state and listed.

Source: docs/service/infrastructure.md, "Groups".
"""

from __future__ import annotations

import typing as t
from collections import Counter

from .._connection.check_mode_state import is_planned
from .._connection.options import REST
from .._connection.task import (
    CREATE_OPTIONS,
    STATE,
    ManagedObject,
    Operation,
    Params,
    Result,
    Task,
    non_null_options,
)
from .._core.errors import InvalidInput, Rejected, Unusable
from .._core.text import did_you_mean, nearest, number_in, shortened
from .._core.type_aliases import JsonMapping, JsonObject
from .._engine.plan import DELETE, UPDATE, Field, in_words
from .api import Infrastructure, infrastructure
from .declared_object import is_gone
from .instance.instance_records import InstanceSearch
from .named_instances import required_instance
from .reference_names import resolve_item
from .rest_changes import change_of, removal_of
from .rest_records import (
    RestSearch,
    check_name,
    check_not_empty,
    plain_members,
    record_of,
    require_options,
    same_item,
)
from .rest_resource import WholeUpdates, reconcile_resource, rest_reader

if t.TYPE_CHECKING:
    from .._engine.change import Change

AFFINITIES, NO_AFFINITY = 160, 1403  # a dictionary, and the item that the service has as default
MAX_GROUP_NAME = 500  # characters
_PLAIN = {
    "id": "Id",
    "name": "Name",
    "has_load_balancer": "IsLoadBalancer",
    "instances_count": "InstancesCount",
    "schedulers_count": "SchedulersCount",
    "last_change_date": "LastChangeDate",
}
_NAMED = {"affinity": "AffinityRuleType", "autoscaling": "AutoscalingType"}
_MEMBER = {"ip_address_id": "IpId", "address": "IpV4", "address_v6": "IpV6"}


def group_record(group: JsonMapping) -> JsonObject:
    """Return the record of a group; it has ``instances`` only if they were read, too."""
    record = record_of(group, _PLAIN, _NAMED)
    if "Assignments" in group:
        record["instances"] = [
            {"id": one["Instance"]["Id"], "label": one["Instance"].get("Name"), **plain_members(one, _MEMBER)}
            for one in group["Assignments"]
        ]
    return record


class GroupSearch(RestSearch):
    """Finds groups; which instances are in one is read where that matters."""

    kind = "group"
    describe = staticmethod(group_record)

    def list_items(self, **filters: t.Any) -> list[JsonObject]:
        """Return the groups that the service lists, all or those of ``instance_id``."""
        instance = filters.pop("instance_id", None)
        return self.api.list_groups(**filters) if instance is None else self.api.list_instance_groups(instance)

    def read(self, number: int) -> JsonObject:
        """Return one group."""
        return self.api.get_group(number)


class GroupsWithInstances(GroupSearch):
    """Finds groups, and reads which instances are in those that are found."""

    references = ("instances",)

    def read(self, number: int) -> JsonObject:
        """Return one group with its instances, as in check mode they may be planned."""
        group = super().read(number)
        return group if "Assignments" in group else {**group, "Assignments": self._assignments(number)}

    def name_references(self, *records: JsonObject | None) -> None:
        """Add the instances in the groups that come from a list, and set the names of all instances, in place."""
        for record in records:
            if record and "instances" not in record and isinstance(record.get("id"), int):
                record["instances"] = group_record({"Assignments": self._assignments(record["id"])})["instances"]
        super().name_references(*records)

    def _assignments(self, number: int) -> list[JsonObject]:
        rows = self.api.list_group_assignments(number)
        if not all(one.get("InstanceId") for one in rows):
            raise Unusable(
                f"The list of the instances in group {number} does not tell which instances they are.",
                next_step="Run the task again. Without their IDs, the instances in a group cannot be compared.",
                id=number,
            )
        return [{**one, "Instance": {"Id": one["InstanceId"]}} for one in rows]


def group_of(api: Infrastructure, given: object) -> JsonObject | None:
    """Return ``{id, label}`` of the group that an option gives, an ID or name; None if there is none.

    Raises Ambiguous if several have the name.
    """
    groups, text = GroupSearch(api), str(given).strip()
    number = number_in(text)
    record = groups.by_name(text) if number is None else groups.by_id(number)
    return None if record is None else {"id": record["id"], "label": record["name"]}


def required_group(api: Infrastructure, given: object) -> JsonObject:
    """Return the same. Raises InvalidInput if there is none."""
    group = group_of(api, given)
    if group is None:
        text = str(given).strip()
        near = nearest(text, filter(None, (group_record(one)["name"] for one in GroupSearch(api).list_items())))
        raise InvalidInput(
            f"group: there is no group {shortened(text)!r}.",
            next_step=did_you_mean(text, near) if near else "Check the name or the ID with instance_group_info.",
            option="group",
            options=["group"],
        )
    return group


def same_members(desired: t.Any, current: t.Any) -> bool:
    """Return whether both lists have the same instances with the same addresses, as far as these are known."""
    ours, theirs = ({one["id"]: one["ip_address_id"] for one in side or ()} for side in (desired, current))
    return set(ours) == set(theirs) and all(
        None in (ours[one], theirs[one]) or ours[one] == theirs[one] for one in ours
    )


class DeclaredGroup(WholeUpdates):
    """The group that the options declare."""

    search: GroupsWithInstances
    fields = (
        Field("name", follows=("last_change_date",)),
        Field("affinity", same_item, follows=("last_change_date",), may_be_unknown=True),
        Field("instances", same_members, follows=("instances_count", "last_change_date")),
    )
    set_after_create = ("instances",)
    merges = True  # other instances stay in the group

    def locate(self) -> JsonObject | None:
        """Return the group; one that is to be removed is read itself, since a list may not show yet what it is for."""
        found = super().locate()
        removes = found is not None and self.params["state"] == "absent" and "instances" not in found
        return self.search.by_id(found["id"]) if found is not None and removes else found

    def desired_values(self, current: JsonObject | None) -> JsonObject:
        """Return the desired values, labels resolved; of the instances, all that the group is to have then."""
        params, present = self.params, current or {}
        if current is None:
            require_options(params, self.kind, str(params.get("name")), ["name"])
        desired = non_null_options(params, ("name",))
        affinity = params.get("affinity") or (NO_AFFINITY if current is None else None)
        if affinity is not None:
            desired["affinity"] = resolve_item(
                affinity,
                present.get("affinity"),
                lambda: self.search.api.get_dictionary(AFFINITIES),
                "affinity",
                "the affinity rules",
            )
        if params.get("instances") is not None:
            inside = {one["id"]: one for one in present.get("instances", ())}
            connected = self._connected(inside)
            given = self._given_members(connected)
            kept = {} if params["purge_instances"] else inside
            if any(one != inside.get(number) for number, one in given.items()):
                kept = {number: one for number, one in kept.items() if number in connected}
            desired["instances"] = [*{**kept, **given}.values()]
        return desired

    def _connected(self, inside: t.Mapping[int, JsonObject]) -> dict[int, JsonObject]:
        """Return those that are there and have their address in the group: a list with others would be refused."""
        api, instances = self.search.api, InstanceSearch(self.search.api)
        listed = api.list_ip_addresses() if inside else []
        attached = {(row["Id"], (row.get("Instance") or {}).get("Id")) for row in listed}

        def has_address(one: JsonObject) -> bool:
            number = one["ip_address_id"]
            if number is None or (number, one["id"]) in attached:
                return True
            try:  # the list may lag behind
                return number in [row["Id"] for row in api.list_instance_ip_addresses(one["id"])]
            except Rejected:
                return True

        return {number: one for number, one in inside.items() if not is_gone(instances, one) and has_address(one)}

    def _given_members(self, inside: t.Mapping[int, JsonObject]) -> dict[int, JsonObject]:
        """Return the instances of the options by ID, each with its address; what is ``inside`` already is known."""
        known = {str(number): one for number, one in inside.items()}
        labels = Counter(one["label"] for one in inside.values())
        known.update({one["label"]: one for one in inside.values() if labels[one["label"]] == 1})
        addresses = [str(text).strip().lower() for text in self.params.get("ip_addresses") or ()]
        found = {}
        for text in (str(given).strip() for given in self.params["instances"]):
            one = known.get(text)
            if one is None:
                record = required_instance(self.search, text, "instances")
                one = inside.get(record["id"]) or {"id": record["id"], "label": record["name"], "ip_address_id": None}
            found[one["id"]] = self._with_address(one, addresses)
        unused = [text for text in addresses if not any(_has_address(one, text) for one in found.values())]
        if unused:
            self.task.refuse_missing(
                InvalidInput(
                    f"ip_addresses: {', '.join(unused)}: this address is attached to none of the instances.",
                    next_step="Give public addresses of these instances, by text or ID.",
                    option="ip_addresses",
                )
            )
        return found

    def _with_address(self, one: JsonObject, addresses: t.Sequence[str]) -> JsonObject:
        """Return an instance with its address in the group: one of those given, or the one it has, or its only one."""
        has_one = one["ip_address_id"] is not None
        if has_one and (not addresses or any(_has_address(one, text) for text in addresses)):
            return one
        rows = self.search.api.list_instance_ip_addresses(one["id"])
        members = [{"id": one["id"], "label": one["label"], "ip_address_id": row["Id"], **_texts(row)} for row in rows]
        chosen = [member for member in members if any(_has_address(member, text) for text in addresses)]
        if has_one and not chosen:
            return one
        chosen = chosen or members
        if len(chosen) == 1:
            return chosen[0]
        if not chosen and is_planned(one["id"]):
            return {**one, "address": None, "address_v6": None}
        if not chosen:
            raise InvalidInput(
                f"instances: instance {in_words(one)} has no public address, and can only be in a group with one.",
                next_step="Attach one with fcd.cloud.ip_address.",
                option="instances",
            )
        raise InvalidInput(
            f"ip_addresses: instance {in_words(one)} would be in the group with one of several addresses: "
            f"{', '.join(str(member['address']) for member in chosen)}.",
            next_step="Give exactly one of them.",
            option="ip_addresses",
        )

    def sent_along(self, current: JsonMapping, changes: JsonMapping) -> t.Mapping[str, str]:
        """Return the affinity, which a new name is sent with."""
        del current
        return {"affinity": _NAMED["affinity"]} if "name" in changes else {}

    def verify(self, action: str, changes: JsonMapping, current: JsonMapping | None) -> None:
        """Raise for a removal that the service would refuse, and for a change that would lose a value."""
        super().verify(action, changes, current)
        if current is None:
            return
        if action == DELETE and not self.params["force_detach"]:
            _require_unused(current)
        members = changes.get("instances", ())
        self._warn_of_left_out(current, members)
        unknown = [one for one in members if one["ip_address_id"] is None]
        if action == UPDATE and any(not is_planned(one["id"]) for one in unknown):
            raise InvalidInput(
                f"The service does not return the addresses that {in_words(unknown)} have in {self.title(current)}, "
                "and a change has to send all of them.",
                next_step="Give these instances in instances, and their addresses in ip_addresses.",
                option="instances",
            )

    def _warn_of_left_out(self, current: JsonMapping, members: t.Sequence[JsonObject]) -> None:
        """Warn of instances that leave the group although nobody has asked for it."""
        staying = {one["id"] for one in members}
        leaving = [one for one in current["instances"] if one["id"] not in staying and one["label"] is not None]
        if members and leaving and not self.params["purge_instances"]:
            self.task.warn(
                f"Left out of {self.title(current)}, because the addresses that they were in it with are gone: "
                f"{in_words(leaving)}."
            )

    def create_request(self, values: JsonMapping) -> t.Callable[[], JsonObject]:
        """Return what creates the group; its instances are put in afterwards."""
        return lambda: self.search.api.create_group(values["name"], values["affinity"]["id"])

    def complete(self, record: JsonObject, values: JsonMapping) -> JsonObject:
        """Return the new group, in which there are no instances yet."""
        del values
        return {**record, "instances": []}

    def updates(self, current: JsonObject, changes: JsonMapping) -> list[Change]:
        """Return the requests of a change: name and affinity are sent together, and all instances at once."""
        api, number = self.search.api, current["id"]
        name, affinity = ({**current, **self.desired}[option] for option in ("name", "affinity"))

        def change_group() -> None:
            api.change_group(number, name, affinity["id"])

        def is_changed(record: JsonObject | None) -> bool:
            shown = record or {"name": None}
            return shown["name"] == name and (shown["affinity"] is None or same_item(affinity, shown["affinity"]))

        requests = []
        if "name" in changes or "affinity" in changes:
            requests.append(change_of(self, current, f"Changing {self.title(current)}", change_group, is_changed))
        if "instances" in changes:
            requests.append(self._assignment(current, changes["instances"]))
        return requests

    def removals(self, current: JsonObject) -> list[Change]:
        """Return the requests of a removal: a group must have neither instances nor a load balancer."""
        api, requests = self.search.api, []
        if current["has_load_balancer"]:
            requests.append(
                change_of(
                    self,
                    current,
                    f"Removing the load balancer of {self.title(current)}",
                    lambda: api.delete_load_balancer(current["id"]),
                    lambda record: record is None or not record["has_load_balancer"],
                )
            )
        if current["instances"]:
            requests.append(self._assignment(current, []))
        return [*requests, removal_of(self, current, api.delete_group)]

    def _assignment(self, current: JsonMapping, members: t.Sequence[JsonObject]) -> Change:
        """Return the one PUT, which replaces all instances in the group."""
        rows = [{"InstanceId": one["id"], "IpId": one["ip_address_id"]} for one in members]
        return change_of(
            self,
            current,
            f"Changing the instances in {self.title(current)}",
            lambda: self.search.api.change_group_assignments(current["id"], rows),
            lambda record: record is not None and same_members(members, record["instances"]),
        )


def _texts(row: JsonMapping) -> JsonObject:
    return {"address": row.get("Address"), "address_v6": row.get("AddressV6")}


def _has_address(member: JsonMapping, text: str) -> bool:
    """Return whether an instance is in the group with this address, given by ID or text."""
    known = (member["ip_address_id"], member.get("address"), member.get("address_v6"))
    return text in [str(one).lower() for one in known]


def _require_unused(group: JsonMapping) -> None:
    used = ["a load balancer"] if group["has_load_balancer"] else []
    used += [f"instances: {in_words(group['instances'])}"] if group["instances"] else []
    if used:
        raise InvalidInput(
            f"Group {group['name']!r} ({group['id']}) was not removed: it has {' and '.join(used)}.",
            next_step="Set force_detach: true to have its load balancer removed and its instances taken out first.",
            option="force_detach",
            id=group["id"],
        )


def check_instance_group(params: Params) -> None:
    """Raise InvalidInput for values that the service does not accept."""
    check_name(params.get("name"), MAX_GROUP_NAME)
    check_not_empty(params, "affinity")


def run(task: Task, params: Params) -> Result:
    """Bring the group to its state."""
    check_instance_group(params)
    return reconcile_resource(DeclaredGroup(task, GroupsWithInstances(infrastructure(task)), params), "instance_group")


OPERATION = Operation(
    "instance_group",
    (REST,),
    {
        **STATE,
        "name": {"type": "str", "aliases": ["group_name"]},
        "id": {"type": "int", "aliases": ["group_id"]},
        "affinity": {"type": "str", "aliases": ["affinity_rule_type"]},
        "instances": {"type": "list", "elements": "str"},
        "ip_addresses": {"type": "list", "elements": "str"},
        "purge_instances": {"type": "bool", "default": False},
        "force_detach": {"type": "bool", "default": False},
        **CREATE_OPTIONS,
    },
    run,
    {"required_one_of": [("name", "id")], "required_by": {"ip_addresses": ("instances",)}},
    fields=DeclaredGroup.fields,
    members=tuple(group_record({"Assignments": ()})),
    manages=ManagedObject("instance_group", "instance_group"),
    check=check_instance_group,
)


INFO = rest_reader(
    "instance_group_info",
    "instance_groups",
    lambda api, _params: GroupsWithInstances(api),
    {"name": {"type": "str"}, "instance": {"type": "str", "aliases": ["instance_id"]}},
    {"mutually_exclusive": [("id", "name"), ("id", "instance")]},
)
