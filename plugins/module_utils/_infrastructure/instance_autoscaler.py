# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The autoscaler of an instance: turned on with its parameters, changed and turned off.

Source: docs/service/infrastructure.md, "Autoscaling". An instance has one at most, so it has the ID and the name of its
instance here, and one that is off counts as none. A request that is sent twice does no harm.
"""

from __future__ import annotations

import typing as t
from functools import partial

from .._connection.options import REST, check_least
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
    result_of,
)
from .._core.errors import Forbidden, InvalidInput, NotFound
from .._core.type_aliases import JsonMapping, JsonObject
from .._engine.change import make_changes
from .._engine.plan import DELETE, Created, Field, Outcome, make_plan
from .api import Infrastructure, infrastructure
from .instance.instance_records import InstanceSearch
from .named_instances import owner_of
from .rest_changes import WithInstances, change_of
from .rest_records import RestSearch, check_not_empty, plain_members, require_options
from .rest_resource import WholeUpdates, reconcile_resource
from .schedule_times import read_clock, time_zone

if t.TYPE_CHECKING:
    from .._engine.change import Change
    from .._engine.scheduler import Job

OFF = 187
AUTOSCALING_MODES = {"notify": 859, "change_type": 860}
PLAIN = {
    "min_ram": "MinRam",
    "max_ram": "MaxRam",
    "min_cpu": "MinCpu",
    "max_cpu": "MaxCpu",
    "increase_type": "HasAgreedToIncreaseClass",
    "decrease_type": "HasAgreedToDecreaseClass",
    "restart": "HasAgreedToRestart",
    "timezone": "TimeZoneName",
}
CLOCKS = {"restart_from": "RestartTimeFrom", "restart_to": "RestartTimeTo"}
PAIRS = (("min_ram", "max_ram"), ("min_cpu", "max_cpu"), ("restart_from", "restart_to"))
PARAMETERS = ("mode", *PLAIN, *CLOCKS)


def autoscaler_record(autoscaler: JsonMapping) -> JsonObject:
    """Return the record of an autoscaler; what was planned by an earlier task in check mode has our names."""
    own = {**(autoscaler.get("AutoscalingParameter") or {}), **autoscaler}
    number = (own.get("AutoscalingParameterType") or {}).get("Id")
    mode = next((word for word, known in AUTOSCALING_MODES.items() if known == number), None)
    return {
        "mode": autoscaler.get("Mode") or mode,
        **plain_members(own, PLAIN),
        **{name: _clock(own.get(member)) for name, member in CLOCKS.items()},
        "hot_plug": autoscaler.get("HotPlugEnabled"),
    }


def _clock(time: t.Any) -> str | None:
    return f"{time['Hours']:02}:{time['Minutes']:02}" if isinstance(time, dict) else time


class AutoscalerSearch(RestSearch):
    """Reads the autoscaler of an instance; with ``off``, also one that is off."""

    kind = "autoscaler"
    describe = staticmethod(autoscaler_record)

    def __init__(self, api: Infrastructure, name: str, *, off: bool = False) -> None:
        super().__init__(api)
        self._name = name
        self._off = off

    def list_items(self, **filters: t.Any) -> list[JsonObject]:
        """Return nothing: the service has no list of them."""
        del filters
        return []

    def read(self, number: int) -> JsonObject:
        """Return the one of an instance."""
        return self.api.get_autoscaler(number)

    def by_id(self, number: int) -> JsonObject | None:
        """Return the one of an instance, None if there is none."""
        try:
            found = self.read(number)
        except (Forbidden, NotFound) as refusal:
            InstanceSearch(self.api).require_unlisted(number, refusal)
            return None
        self.members[number] = (found.get("AutoscalingParameter") or {}).keys()
        is_on = found.get("Mode") is not None or (found.get("AutoscalingMode") or {"Id": OFF})["Id"] != OFF
        return {"id": number, "name": self._name, **autoscaler_record(found)} if is_on or self._off else None

    def list_shows(self, names: t.Collection[str]) -> bool:
        """Return False: no list has them."""
        del names
        return False


class DeclaredAutoscaler(WholeUpdates):
    """The autoscaler that the options declare."""

    search: AutoscalerSearch
    fields = tuple(Field(name) for name in PARAMETERS)

    def locate(self) -> JsonObject | None:
        """Return the one of the instance."""
        return self.search.by_id(self.params["id"])

    def desired_values(self, current: JsonObject | None) -> JsonObject:
        """Return the desired values."""
        if current is None:
            check_new_autoscaler(self.params)
        return non_null_options(self.params, PARAMETERS)

    def sent_along(self, current: JsonMapping, changes: JsonMapping) -> t.Mapping[str, str]:
        """Return all parameters: each request has all of them."""
        del current, changes
        return {"mode": "AutoscalingParameterType", **PLAIN, **CLOCKS}

    def verify(self, action: str, changes: JsonMapping, current: JsonMapping | None) -> None:
        """Raise InvalidInput for half a range."""
        super().verify(action, changes, current)
        if action != DELETE:
            check_ranges({**(current or {}), **changes})

    def create(self, values: JsonMapping) -> Job[Created]:
        """Return the job that sets the parameters and turns it on; what something else has set is compared again."""
        instance = {"id": self.params["id"], "name": self.name}
        steps = [self._setting(instance, values, off=True), self._switching(instance, on=True)]
        record = yield from make_changes(steps, self.note_ticket)
        if record is None:
            return Created({**values, **instance})
        as_desired = not make_plan(self.fields, values, record, "present", kind=self.kind).changed
        return Created(record, by_us=as_desired, changed=True)

    def updates(self, current: JsonObject, changes: JsonMapping) -> list[Change]:
        """Return the one PUT, which has all parameters."""
        values = self.whole(current, changes)
        return [self._setting(current, {name: values[name] for name in PARAMETERS})]

    def removals(self, current: JsonObject) -> list[Change]:
        """Return the request that turns it off; the service may keep its parameters."""
        return [self._switching(current, on=False)]

    def create_request(self, values: JsonMapping) -> t.Callable[[], t.Any]:
        """Return what sets the parameters."""
        given = {name: value for name, value in values.items() if value is not None}
        body = {member: given[name] for name, member in {**PLAIN, **CLOCKS}.items() if name in given}
        if "mode" in given:
            body["AutoscalingParameterType"] = AUTOSCALING_MODES[given["mode"]]
        return partial(self.search.api.change_autoscaler, self.params["id"], body)

    def _setting(self, current: JsonMapping, values: JsonMapping, *, off: bool = False) -> Change:
        """Return the change of the parameters, perhaps of an autoscaler that is ``off``."""
        change = change_of(
            self,
            current,
            f"Changing {self.title(current)}",
            self.create_request(values),
            lambda record: record is not None and not make_plan(self.fields, values, record, "present").changed,
            [current["id"]],
        )
        if off:
            search = AutoscalerSearch(self.search.api, str(self.name), off=True)
            change.context = change.context._replace(reader=WithInstances(search, [current["id"]]))
        return change

    def _switching(self, current: JsonMapping, *, on: bool) -> Change:
        api, number = self.search.api, current["id"]
        request = api.enable_autoscaler if on else api.disable_autoscaler
        what = f"Turning {'on' if on else 'off'} {self.title(current)}"
        return change_of(
            self,
            current,
            what,
            lambda: request(number),
            lambda record: (record is not None) is on,
            [number],
            removes=not on,
        )


def check_ranges(values: JsonMapping) -> None:
    """Raise InvalidInput for half a range, or one that ends before it begins; a night is none of these."""
    for low, high in PAIRS:
        least, most = values.get(low), values.get(high)
        if (least is None) != (most is None):
            missing, given = (low, high) if least is None else (high, low)
            raise InvalidInput(f"{given}: it also needs {missing}.", option=missing)
        if least is not None and low not in CLOCKS and least > most:
            raise InvalidInput(f"{low}: {least} is more than {high}, which is {most}.", option=low)


def check_new_autoscaler(params: Params) -> None:
    """Raise InvalidInput for what turning one on lacks, and for half a range."""
    require_options(params, AutoscalerSearch.kind, params["instance"], ("mode",))
    check_ranges(params)


def read_autoscaler_options(params: Params) -> JsonObject:
    """Return the options with the times as records have them. Raises InvalidInput for what is wrong by itself."""
    check_not_empty(params, "instance")
    check_least(params, min_ram=1, max_ram=1, min_cpu=1, max_cpu=1)
    if params.get("timezone") is not None:
        time_zone(params["timezone"])
    clocks = {name: read_clock(name, params[name]) for name in CLOCKS if params.get(name) is not None}
    return {**params, **clocks}


def run(task: Task, params: Params) -> Result:
    """Bring the autoscaler to its state."""
    own, api = read_autoscaler_options(params), infrastructure(task)
    try:
        instance = owner_of(InstanceSearch(api), params)
    except InvalidInput:
        check_new_autoscaler(own)
        raise
    if instance is None:
        return {
            **result_of("instance_autoscaler", Outcome(None, None, {}, {})),
            "ticket": None,
        }  # gone with its instance
    own.update(id=instance["id"], name=instance["label"])
    resource = DeclaredAutoscaler(task, AutoscalerSearch(api, instance["label"]), own)
    result = reconcile_resource(resource, "instance_autoscaler")
    for shown in filter(None, (result["instance_autoscaler"], result["diff"]["after"])):  # known before it is turned on
        shown.update(id=instance["id"], name=instance["label"])
    return result


OPERATION = Operation(
    "instance_autoscaler",
    (REST,),
    {
        **STATE,
        "instance": {"type": "str", "required": True, "aliases": ["instance_id"]},
        "mode": {"type": "str", "choices": list(AUTOSCALING_MODES)},
        **{name: {"type": "int"} for name in ("min_ram", "max_ram", "min_cpu", "max_cpu")},
        **{name: {"type": "bool"} for name in ("increase_type", "decrease_type", "restart")},
        "restart_from": {"type": "str"},
        "restart_to": {"type": "str"},
        "timezone": {"type": "str"},
        **WAIT_OPTIONS,
        "create_grace": CREATE_OPTIONS["create_grace"],
    },
    run,
    fields=DeclaredAutoscaler.fields,
    members=("id", "name", *autoscaler_record({})),
    manages=ManagedObject("instance_autoscaler", "instance_autoscaler"),
    check=read_autoscaler_options,
)
