# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Planning for instances: comparison with what is there, and what the service would refuse.

What cannot be read is left to the service.
"""

from __future__ import annotations

import typing as t

from ..._connection.task import Task
from ..._core.errors import ImmutableChange, InvalidInput, Rejected
from ..._engine.plan import CREATE, DELETE, LATER, REPLACE, Fields, Plan, in_words, make_plan, shown
from ..rest_records import Row
from .instance_labels import Wanted, comparable, require_complete, wanted_of_new, wanted_of_present
from .instance_options import LISTS, REFERENCES, Params
from .instance_records import instance_fields, numbers_of_items, with_belongings

if t.TYPE_CHECKING:
    from ..api import Infrastructure
    from .instance_labels import Labels, LateLabels

MADE = (CREATE, REPLACE)
KIND = "instance"


class InstancePlanner:
    """Plans for the instances of one task."""

    def __init__(self, task: Task, api: Infrastructure, labels: LateLabels, params: Params) -> None:
        self._task = task
        self._api = api
        self._labels = labels
        self._params = params
        self._fields = instance_fields(params)

    def read(self, current: Row) -> Row:
        """Return the record with those belongings that the options speak of; without them it costs nothing."""
        from .instance_records import asked_of, with_belongings

        asked = asked_of(self._params)
        return with_belongings(self._api, asked, current) if asked else current

    def of_absent(self, name: str, current: Row | None, *, under_way: bool = False) -> Plan:
        """Return the plan to remove it, also when its creation is under way and it cannot be seen yet."""
        if under_way:
            return Plan(DELETE, before={"id": LATER, "name": name})
        return make_plan(self._fields, {}, current, "absent", kind=KIND)

    def of_one_under_way(self, name: str) -> tuple[Wanted, Plan]:
        """Return the same for an instance that another create is making: it is waited for, and then compared."""
        wanted = wanted_of_new(self._params, name, self._labels)
        return wanted, Plan(None) if self._task.check_mode else Plan(CREATE, {**wanted, "name": name})

    def of_new(self, name: str, old: Row | None = None) -> tuple[Wanted, Plan]:
        """Return what is wanted of an instance that has to be made, and the plan. Raises InvalidInput.

        ``old`` is the instance that it takes the place of.
        """
        require_complete({**self._params, "name": name}, name)
        wanted = wanted_of_new(self._params, name, self._labels, (old or {}).get("type"))
        require_creatable(self._labels(), wanted, (old or {}).get("id"))
        return wanted, make_plan(self._fields, wanted, None, "present", kind=KIND)

    def want(self, name: str, current: Row) -> Wanted:
        """Return what is wanted of an instance that is there, as far as it can be compared. Raises InvalidInput."""
        wanted = wanted_of_present({**self._params, "name": name}, current, self._labels, self._task.warn)
        return comparable(wanted, current, self._task.warn)

    @property
    def may_replace(self) -> bool:
        """Whether the user wants an instance removed and made anew where something cannot be changed in place."""
        return bool(self._params["recreate"])

    def of_present(self, wanted: Wanted, current: Row) -> tuple[Wanted, Plan]:
        """Return what is wanted, and the plan to bring the instance to it. Raises ImmutableChange, InvalidInput."""
        plan = compared(self._fields, wanted, current, may_replace=self.may_replace)
        if plan.action == REPLACE:
            return self.of_replacement(str(current["name"]), current, plan)
        if plan.changed:
            require_changeable(self._api, self._labels(), plan, current)
        return wanted, plan

    def of_replacement(self, name: str, current: Row, comparison: Plan) -> tuple[Wanted, Plan]:
        """Return what is wanted of the new instance, and the plan to remove this one and make that.

        ``comparison`` says what forces it. Raises InvalidInput.
        """
        if current.get("type") is None and self._params.get("type") is None:
            raise InvalidInput(
                f"type: the service does not tell the type of instance {name!r}, which the new one would have.",
                next_step="Give the type that the new instance is to have.",
                option="type",
            )
        wanted, plan = self.of_new(name, current)
        require_replaceable(self._labels(), wanted, current["id"])
        before = shown(self._fields, current)
        return wanted, plan._replace(action=REPLACE, before=before, forced_by=comparison.forced_by)


def compared(fields: Fields, wanted: Wanted, current: Row, *, may_replace: bool) -> Plan:
    """Return the plan for an instance that is there. Raises ImmutableChange."""
    try:
        return make_plan(fields, wanted, current, "present", kind=KIND, may_replace=may_replace)
    except ImmutableChange as error:
        error.next_step = "Take the present value, or have the instance removed and made anew with recreate: true."
        raise


Entry = t.Mapping[str, t.Any]


def require_creatable(labels: Labels, wanted: Wanted, gone: int | None = None) -> None:
    """Raise InvalidInput for a number that is not there, an inactive subregion, a small type or an address in use.

    ``gone`` is the number of an instance that is removed before, which sets its addresses free.
    """
    require_known(labels.api, wanted)
    for option in ("subregion", "type", "template"):
        _require_listed(labels, option, wanted[option]["id"])
    require_active(labels, wanted["subregion"])
    size = labels.known("type", wanted["type"]["id"]) or {}
    _require_size(labels, size, wanted["template"]["id"])
    if wanted.get("isfreemium") and size.get("AvailableForFreemium") is False:
        raise InvalidInput(
            f"isfreemium: type {_named(size)} is not available in the freemium plan.", option="isfreemium"
        )
    _require_free(labels, wanted.get("ip_addresses") or (), gone)


def require_replaceable(labels: Labels, wanted: Wanted, gone: int) -> None:
    """Raise InvalidInput for what the service does not know: it would tell so when the old instance is gone already."""
    for option, number in _numbers_in(wanted):
        _require_listed(labels, option, number)
    if wanted.get("ip_address_id") is not None:
        _require_free(labels, [{"id": wanted["ip_address_id"]}], gone, "ip_address_id")


def _require_listed(labels: Labels, option: str, number: int) -> None:
    if not _may_be_there(labels, option, number):
        raise InvalidInput(
            f"{option}: the service lists no {number}.",
            next_step="Check the number; the new instance could not be made with it.",
            option=option,
        )


def _numbers_in(wanted: Wanted) -> t.Iterator[tuple[str, int]]:
    for option, value in wanted.items():
        if option in REFERENCES:
            yield option, value["id"]
        elif option in LISTS:
            yield from ((option, one["id"]) for one in value)
        elif option == "ssh_keys":
            yield from ((option, number) for number in value)
        elif option == "ip_address_id":
            yield option, value


def _may_be_there(labels: Labels, option: str, number: int) -> bool:
    """Return False when the service does not list the number; what cannot be read may be there."""
    if option == "template" and labels.known(option, number) is not None:
        return True
    try:
        entries = labels.entries("ip_addresses" if option == "ip_address_id" else option)
    except Rejected:
        return True
    return any(entry["Id"] == number for entry in entries)


def require_changeable(api: Infrastructure, labels: Labels, plan: Plan, current: Row) -> None:
    """Raise InvalidInput for a type that is too small, an address in use, or an instance without any interface."""
    template = (current.get("template") or {}).get("id")
    if "type" in plan.values and template is not None:
        _require_size(labels, labels.known("type", plan.values["type"]["id"]) or {}, template)
    if "ip_addresses" in plan.values:
        have = numbers_of_items(current["ip_addresses"])
        _require_free(labels, [one for one in plan.values["ip_addresses"] if one["id"] not in have], current["id"])
    _require_interface(api, plan, current)


def require_active(labels: Labels, subregion: Entry) -> None:
    """Raise InvalidInput for a subregion in which no instances are made."""
    entry = labels.known("subregion", subregion["id"])
    if entry is not None and entry.get("IsActive") is False:
        active = [str(one.get("Name")) for one in labels.entries("subregion") if one.get("IsActive")]
        raise InvalidInput(
            f"subregion: {_named(entry)} is not active.",
            next_step=f"Active are: {', '.join(active)}." if active else "None is active.",
            option="subregion",
        )


def _require_size(labels: Labels, size: Entry, template_id: int) -> None:
    """Refuse a type with less CPU or memory than the template's smallest one (wire-facts section 4)."""
    template = labels.known("template", template_id) if size else None
    least_id = ((template or {}).get("MinimumInstanceType") or {}).get("Id")
    least = None if least_id is None else labels.known("type", least_id)
    if template is None or least is None or not _smaller(size, least):
        return
    raise InvalidInput(
        f"type: {_named(size)} has {_power(size)}, and template {_named(template)} needs {_power(least)} or more.",
        next_step=f"Give {least.get('Name')!r} or a larger one.",
        option="type",
    )


def _smaller(size: Entry, least: Entry) -> bool:
    return any(
        isinstance(size.get(name), int) and isinstance(least.get(name), int) and size[name] < least[name]
        for name in ("Cpu", "Ram")
    )


def _require_free(
    labels: Labels, addresses: t.Iterable[Row], instance_id: int | None, option: str = "ip_addresses"
) -> None:
    """Refuse to take an address away from another instance."""
    for address in addresses:
        entry = labels.known("ip_addresses", address["id"]) or {}
        owner = entry.get("Instance") or {}
        if owner.get("Id") not in (None, instance_id):
            raise InvalidInput(
                f"{option}: {_named(entry)} serves instance {_named_instance(labels, owner)}.",
                next_step="Detach it there first, or give another one.",
                option=option,
            )


def _require_interface(api: Infrastructure, plan: Plan, current: Row) -> None:
    """Refuse to take the last interface away (wire-facts section 5.4)."""
    shrunk = [name for name in LISTS if numbers_of_items(current.get(name)) - numbers_of_items(plan.after.get(name))]
    if not shrunk or any(plan.after.get(name) for name in LISTS):
        return
    unread = [name for name in LISTS if name not in current]
    found = with_belongings(api, unread, current)
    if any(found[name] for name in unread):
        return
    raise InvalidInput(
        f"{', '.join(shrunk)}: instance {current['name']!r} would have no network interface any more.",
        next_step="Give at least one private network or one address that stays.",
        option=shrunk[0],
    )


def _named(entry: Entry) -> str:
    label = entry.get("Name") or entry.get("Label") or entry.get("Address")
    return in_words({"id": entry.get("Id"), "label": label})


def _named_instance(labels: Labels, owner: Entry) -> str:
    """Name an instance that the service tells the number of."""
    return _named({"Id": owner["Id"], "Name": labels.names.instance(owner["Id"])})


def _power(size: Entry) -> str:
    return f"{size.get('Cpu')} CPU and {size.get('Ram')} MB"


REFUSED = ("init_script", "without_public_ip")  # the service would leave them out without a word
ATTACHED = "private_networks"


def require_known(api: Infrastructure, wanted: Wanted) -> None:
    """Raise InvalidInput for what only a create can bring, and this service's create does not.

    It is the moment to ask for the line, before anything is removed or made; for other creates nobody asks.
    """
    given = [option for option in REFUSED if wanted.get(option)]
    if not (given or wanted.get(ATTACHED)) or not api.is_older_line() or not given:
        return
    raise InvalidInput(
        f"{given[0]}: the service runs version 2020 of the interface, whose create of an instance does not know it.",
        next_step=f"Leave {' and '.join(given)} out; or set api_version to 2023 where the service is a later one.",
        option=given[0],
    )


def sent_values(api: Infrastructure, values: t.Mapping[str, t.Any]) -> t.Mapping[str, t.Any]:
    """Return the values that the create is sent with; private networks may have to be attached afterwards."""
    if not values.get(ATTACHED) or not api.is_older_line():
        return values
    return {name: value for name, value in values.items() if name != ATTACHED}
