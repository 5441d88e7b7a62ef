# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The autoscaler of a group of instances: brought to its declared state.

Source: docs/service/infrastructure.md, "Autoscaling". A group has one at most, so it has the ID and the name of its
group here. It cannot be changed: one that differs is removed and created anew.
"""

from __future__ import annotations

import typing as t

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
    result_of,
)
from .._core.errors import Forbidden, InvalidInput, NotFound
from .._core.type_aliases import JsonMapping, JsonObject
from .._engine.change import make_changes
from .._engine.plan import DELETE, Created, Field, Outcome, make_plan
from .api import Infrastructure, infrastructure
from .instance.instance_records import InstanceSearch
from .instance_group import GroupSearch, group_of, required_group
from .named_instances import required_instance
from .rest_changes import change_of, removal_of
from .rest_records import RestSearch, check_not_empty, plain_members, require_options
from .rest_resource import WholeUpdates, reconcile_resource, rest_reader

if t.TYPE_CHECKING:
    from .._engine.change import Change
    from .._engine.scheduler import Job

OFF = 184
EXPANSIONS = {"clone": 189, "add_existing": 190}
NUMBERS = {"min_instances": "MinimumInstanceNumber", "max_instances": "MaximumInstanceNumber"}
MAX_NUMBER = 2147483647
NEEDED_BY_AUTOSCALER = ("expansion", *NUMBERS, "instances")


def group_autoscaler_record(autoscaler: JsonMapping) -> JsonObject:
    """Return the record of an autoscaler; what was planned by an earlier task in check mode has our names."""
    number = (autoscaler.get("ExpansionType") or {}).get("Id")
    return {
        **plain_members(autoscaler, {"id": "Id", "name": "Name"}),
        "expansion": next((word for word, known in EXPANSIONS.items() if known == number), autoscaler.get("Expansion")),
        "min_instances": autoscaler.get("MinimumInstanceNumber"),
        "max_instances": autoscaler.get("MaximumInstanceNumber"),
        "instances": _instances(autoscaler.get("Instances") or ()),
    }


def _instances(rows: t.Sequence[JsonObject]) -> list[JsonObject] | None:
    """Return the instances in their order, None if the service leaves out one of them or its place."""
    places = [one.get("OrderNumber") if "Instance" in one else place for place, one in enumerate(rows, 1)]
    numbers = [(one.get("Instance") or one).get("Id") for one in rows]
    if not rows or None in numbers or (None in places and len(rows) > 1):
        return None
    found = sorted(zip(places, numbers)) if len(rows) > 1 else [(1, numbers[0])]
    return [{"id": number, "label": None} for _place, number in found]


def same_order(desired: t.Any, current: t.Any) -> bool:
    """Return whether both lists have the same instances, in the same order."""
    return [one["id"] for one in desired] == [one["id"] for one in current or ()]


class GroupAutoscalerSearch(RestSearch):
    """Finds autoscalers by their groups, which are listed in their place."""

    kind = "group autoscaler"
    describe = staticmethod(group_autoscaler_record)
    references = ("instances",)

    def __init__(self, api: Infrastructure, group: JsonMapping | None = None) -> None:
        super().__init__(api)
        self._group = group

    def list_items(self, **filters: t.Any) -> list[JsonObject]:
        """Return all groups."""
        return self.api.list_groups(**filters)

    def whole(self, rows: t.Iterable[JsonObject]) -> t.Iterator[JsonObject]:
        """Return the autoscalers of those groups that have one; each is read alone."""
        found = (self._of_group(row["Id"], row.get("Name")) for row in rows)
        return (one for one in found if one is not None)

    def read(self, number: int) -> JsonObject:
        """Return the one of a group. Raises NotFound, perhaps Forbidden."""
        return self.api.get_group_autoscaler(number)

    def by_id(self, number: int) -> JsonObject | None:
        """Return the one of a group, or None."""
        group = self._group or group_of(self.api, number)
        found = None if group is None else self._of_group(number, group["label"])
        return None if found is None else self.describe(found)

    def _of_group(self, number: int, name: str | None) -> JsonObject | None:
        """Return the one of a group with the ID and the name of that. After 403, the group says whether it has one."""
        try:
            return {**self.read(number), "Id": number, "Name": name}
        except NotFound:
            return None
        except Forbidden:
            group = GroupSearch(self.api).by_id(number)
            if group is None or (group["autoscaling"] or {}).get("id") == OFF:
                return None
            raise

    def list_shows(self, names: t.Collection[str]) -> bool:
        """Return False: no list has them."""
        del names
        return False


class DeclaredGroupAutoscaler(WholeUpdates):
    """The autoscaler that the options declare."""

    search: GroupAutoscalerSearch
    fields = (
        *(Field(name, on_update=False, may_be_unknown=True) for name in ("expansion", *NUMBERS)),
        Field("instances", same_order, on_update=False, may_be_unknown=True),
    )
    may_replace = True
    refers_to = (("instances", InstanceSearch),)

    def locate(self) -> JsonObject | None:
        """Return the one of the group."""
        return self.search.by_id(self.params["id"])

    def desired_values(self, current: JsonObject | None) -> JsonObject:
        """Return the desired values."""
        if current is None:
            require_options(self.params, self.kind, str(self.name), NEEDED_BY_AUTOSCALER)
        check_instances(self.params)
        desired = non_null_options(self.params, ("expansion", *NUMBERS))
        if self.params.get("instances") is not None:
            present = (current or {}).get("instances") or ()
            known = {text: one for one in present for text in (str(one["id"]), one["label"])}
            desired["instances"] = [self._instance(text.strip(), known) for text in self.params["instances"]]
        return desired

    def _instance(self, text: str, known: t.Mapping[str, JsonObject]) -> JsonObject:
        if text in known:
            return known[text]
        record = required_instance(self.search, text, "instances")
        return {"id": record["id"], "label": record["name"]}

    def verify(self, action: str, changes: JsonMapping, current: JsonMapping | None) -> None:
        """Raise InvalidInput for limits that contradict each other, or values that are not known."""
        super().verify(action, changes, current)
        if action != DELETE:
            self._body({**(current or {}), **changes})

    def _body(self, values: JsonMapping) -> JsonObject:
        unknown = [name for name in NEEDED_BY_AUTOSCALER if values.get(name) is None]
        if unknown:
            raise self.not_returned(values, unknown)
        check_limits(values)
        rows = [
            {"Instance": {"Id": one["id"]}, "OrderNumber": place} for place, one in enumerate(values["instances"], 1)
        ]
        numbers = {member: values[name] for name, member in NUMBERS.items()}
        return {"ExpansionTypeId": EXPANSIONS[values["expansion"]], **numbers, "Instances": rows}

    def create_request(self, values: JsonMapping) -> t.Callable[[], t.Any]:
        """Return what sets all values."""
        body, number = self._body(values), self.params["id"]
        return lambda: self.search.api.create_group_autoscaler(number, body)

    def create(self, values: JsonMapping) -> Job[Created]:
        """Return the job that creates it; what something else has created meanwhile is compared again."""
        group = {"id": self.params["id"], "name": self.name}

        def is_done(record: JsonObject | None) -> bool:
            return (
                record is not None and not make_plan(self.fields, values, record, "present", may_replace=True).changed
            )

        change = change_of(self, group, f"Creating the {self.title(group)}", self.create_request(values), is_done)
        record = t.cast("JsonObject", (yield from make_changes([change], self.note_ticket)))
        return Created(record, by_us=is_done(record), changed=True)

    def removals(self, current: JsonObject) -> list[Change]:
        """Return the request that removes it; its group stays."""
        return [removal_of(self, current, self.search.api.delete_group_autoscaler)]


def check_limits(values: JsonMapping) -> None:
    """Raise InvalidInput for limits that the service does not accept, or that contradict each other."""
    for option in NUMBERS:
        number = values.get(option)
        if number is not None and not 1 <= number <= MAX_NUMBER:
            raise InvalidInput(f"{option}: {number} is not between 1 and {MAX_NUMBER}.", option=option)
    least, most = (values.get(name) for name in NUMBERS)
    if least is not None and most is not None and least > most:
        raise InvalidInput(
            f"min_instances: {least} is more than max_instances, which is {most}.", option="min_instances"
        )


def check_instances(params: Params) -> None:
    """Raise InvalidInput for a list without instances, or with empty names."""
    given = [str(one).strip() for one in params.get("instances") or ()]
    if not all(given) or params.get("instances") == []:
        message = "instances: give the name or the ID of at least one instance."
        raise InvalidInput(message, option="instances", options=["instances"])


def check_group_autoscaler(params: Params) -> None:
    """Raise InvalidInput for options that are wrong by themselves."""
    check_not_empty(params, "group")
    check_limits(params)
    check_instances(params)


def run(task: Task, params: Params) -> Result:
    """Bring the autoscaler to its state."""
    check_not_empty(params, "group")
    check_limits(params)
    api = infrastructure(task)
    try:
        group = (group_of if params["state"] == "absent" else required_group)(api, params["group"])
    except InvalidInput:
        require_options(params, GroupAutoscalerSearch.kind, params["group"], NEEDED_BY_AUTOSCALER)
        raise
    if group is None:
        return {**result_of("group_autoscaler", Outcome(None, None, {}, {})), "ticket": None}  # gone with its group
    own = {**params, "id": group["id"], "name": group["label"]}
    result = reconcile_resource(
        DeclaredGroupAutoscaler(task, GroupAutoscalerSearch(api, group), own), "group_autoscaler"
    )
    for shown in filter(None, (result["group_autoscaler"], result["diff"]["after"])):  # known before it is created
        shown.update(id=group["id"], name=group["label"])
    return result


OPERATION = Operation(
    "group_autoscaler",
    (REST,),
    {
        **STATE,
        "group": {"type": "str", "required": True, "aliases": ["group_id", "instance_group"]},
        "expansion": {"type": "str", "choices": list(EXPANSIONS)},
        "min_instances": {"type": "int"},
        "max_instances": {"type": "int"},
        "instances": {"type": "list", "elements": "str"},
        "create_grace": CREATE_OPTIONS["create_grace"],
    },
    run,
    fields=DeclaredGroupAutoscaler.fields,
    members=tuple(group_autoscaler_record({})),
    manages=ManagedObject("group_autoscaler", "group_autoscaler"),
    check=check_group_autoscaler,
)


INFO = rest_reader(
    "group_autoscaler_info",
    "group_autoscalers",
    lambda api, _params: GroupAutoscalerSearch(api),
    {"name": {"type": "str", "aliases": ["group"]}},
    {"mutually_exclusive": [("id", "name")]},
)
