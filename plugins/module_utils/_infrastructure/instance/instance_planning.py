# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Planning for instances: what is desired, how it compares with what exists, and what the service would refuse.

What cannot be read is left to the service.
"""

from __future__ import annotations

import typing as t

from ..._connection.task import Params, Task
from ..._core.errors import Ambiguous, FcdError, ImmutableChange, InvalidInput, Rejected
from ..._core.text import number_in
from ..._engine.plan import CREATE, DELETE, LATER, REPLACE, Plan, in_words, make_plan, mask_secrets
from ..rest_options import grown
from ..rest_records import Row, item
from .instance_options import (
    LISTS,
    NEEDED,
    REFERENCES,
    SSH_KEYS_METHOD,
    Labels,
    missing_options,
    reference,
    require_disk_size,
)
from .instance_records import (
    DISK_FIELDS,
    POWERED_OFF,
    POWERED_ON,
    asked_of,
    instance_fields,
    numbers_of_items,
    with_belongings,
)

if t.TYPE_CHECKING:
    from ..._engine.plan import Outcome
    from ..api import Infrastructure

MADE = (CREATE, REPLACE)
KIND = "instance"
Wanted = t.Dict[str, t.Any]


class DeclaredInstance:
    """One declared instance, with what is known and planned, and at the end its outcome or error.

    ``under_way`` says that an earlier task has started its creation, and it cannot be seen yet. ``ticket`` is the
    ID of the last operation that was started.
    """

    def __init__(self, name: str, params: Params, current: Row | None = None, error: FcdError | None = None) -> None:
        self.name = name
        self.params = params
        self.current = current
        self.error = error
        self.under_way = False
        self.desired: Wanted = {}
        self.plan = Plan(None)
        self.outcome: Outcome | None = None
        self.ticket: int | None = None

    def ended(self) -> Outcome:
        """Return its outcome, or raise its error."""
        if self.error is not None:
            raise self.error
        if self.outcome is None:
            raise AssertionError(self.name)
        return self.outcome


class InstancePlanner:
    """Plans for the instances of one task."""

    def __init__(self, task: Task, labels: Labels, params: Params) -> None:
        self.fields = instance_fields(params)
        self._task = task
        self._labels = labels
        self._params = params

    def plan(self, instance: DeclaredInstance) -> None:
        """Fill in what is desired and the plan; what makes one of several instances impossible is kept as its error.

        One that is still being created cannot be seen yet: it is removed when it is ready, or waited for and compared.
        Raises InvalidInput.
        """
        name, current = instance.name, instance.current
        if self._params["state"] == "absent":
            instance.plan = make_plan(self.fields, {}, current, "absent", kind=KIND)
            if instance.under_way:
                instance.plan = Plan(DELETE, before={"id": LATER, "name": name})
        elif instance.under_way:
            instance.desired = desired = desired_of_new(self._params, name, self._labels)
            instance.plan = Plan(None) if self._task.check_mode else Plan(CREATE, dict(desired))
        elif current is None:
            instance.desired, instance.plan = self.of_new(name)
        else:
            self._plan_present(instance, current)

    def _plan_present(self, instance: DeclaredInstance, current: Row) -> None:
        asked, params = asked_of(self._params), self._params
        if asked:
            instance.current = current = with_belongings(self._labels.api, asked, current)
        renamed = params.get("id") is not None and params.get("name")
        instance.desired = self.want(str(params["name"]) if renamed else instance.name, current)
        try:
            instance.desired, instance.plan = self._of_present(instance.desired, current)
        except FcdError as error:
            instance.error = error

    def of_new(self, name: str, old: Row | None = None) -> tuple[Wanted, Plan]:
        """Return what is desired of a new instance, and the plan. Raises InvalidInput.

        ``old`` is the instance that it replaces.
        """
        require_complete({**self._params, "name": name}, name)
        desired = desired_of_new(self._params, name, self._labels, (old or {}).get("type"))
        require_creatable(self._labels, desired, (old or {}).get("id"))
        return desired, make_plan(self.fields, desired, None, "present", kind=KIND)

    def want(self, name: str, current: Row) -> Wanted:
        """Return what is desired of an existing instance, as far as it can be compared. Raises InvalidInput."""
        desired = desired_of_present({**self._params, "name": name}, current, self._labels, self._task.warn)
        return comparable(desired, current, self._task.warn)

    def compare(self, desired: Wanted, current: Row, *, may_replace: bool = True) -> Plan:
        """Return the plan for an existing instance. Raises ImmutableChange if it must not be replaced."""
        replace = may_replace and bool(self._params["recreate"])
        try:
            return make_plan(self.fields, desired, current, "present", kind=KIND, may_replace=replace)
        except ImmutableChange as error:
            error.next_step = "Keep the current value, or set recreate: true to remove and re-create the instance."
            raise

    def _of_present(self, desired: Wanted, current: Row) -> tuple[Wanted, Plan]:
        """Return what is desired, and the plan to bring the instance to it. Raises ImmutableChange, InvalidInput."""
        plan = self.compare(desired, current)
        if plan.action == REPLACE:
            return self.of_replacement(str(current["name"]), current, plan)
        if plan.changed:
            require_changeable(self._labels, plan, current)
        return desired, plan

    def of_replacement(self, name: str, current: Row, comparison: Plan) -> tuple[Wanted, Plan]:
        """Return what is desired of the new instance, and the plan to remove this one and create that one.

        ``comparison`` says what makes this necessary. Raises InvalidInput.
        """
        if current.get("type") is None and self._params.get("type") is None:
            raise InvalidInput(
                f"type: the service does not return the type of instance {name!r}, so the new one would have no type.",
                next_step="Set the type of the new instance.",
                option="type",
            )
        desired, plan = self.of_new(name, current)
        require_replaceable(self._labels, desired, current["id"])
        before = mask_secrets(self.fields, current)
        return desired, plan._replace(action=REPLACE, before=before, forced_by=comparison.forced_by)


# ---------------------------------------------------------------- what is desired

Warn = t.Callable[[str], None]
DISK = "init_disk_size"
PLAIN = (DISK, "isfreemium", "ip_address_id", "without_public_ip", "init_script")
NOT_READABLE = ("authorization_method", "ssh_keys", "ip_address_id", "without_public_ip", "init_script")
"""What is sent at a creation and never compared: it cannot be read (wire-facts 5.1), or means nothing afterwards."""
NAMELESS = ("template", "subregion")
"""What an instance refers to by ID only (wire-facts 5.1)."""
LABELLED = ("type", "status", "disk_class", *NAMELESS, *LISTS)
"""What check mode names as the service would show it."""
POWER = {"started": POWERED_ON, "stopped": POWERED_OFF}


def desired_of_present(params: Params, current: Row, labels: Labels, warn: Warn) -> Wanted:
    """Return the desired values for an existing instance.

    An ID, and a label that the instance has already, cost no request. What cannot be read back is left out.
    """
    desired: Wanted = {name: params[name] for name in ("name", *PLAIN) if params.get(name) is not None}
    if DISK in desired:
        desired[DISK] = grown(DISK, desired[DISK], current.get(DISK))
    for option in REFERENCES:
        given = reference(params, option)
        if given is not None and option not in NOT_READABLE:
            desired[option] = _reference(option, given, current.get(option) or {}, labels, warn)
    desired.update(_lists(params, current, labels))
    desired.update(_desired_power(params, current))
    return {name: value for name, value in desired.items() if name not in NOT_READABLE}


def require_complete(values: t.Mapping[str, t.Any], name: str) -> None:
    """Raise InvalidInput for what a create lacks, or does not accept."""
    if values.get("init_disk_size") is not None:
        require_disk_size(values["init_disk_size"])
    lacking = missing_options(values)
    if lacking:
        either = [option if option == NEEDED[0] else f"{option}_id (or {option})" for option in lacking]
        raise InvalidInput(
            f"Instance {name!r} does not exist, and these options are missing to create it: {', '.join(either)}.",
            next_step="Give all of them, or check the name.",
            options=lacking,
        )


def desired_of_new(params: Params, name: str, labels: Labels, of_old: t.Any = None) -> Wanted:
    """Return the desired values for a new instance. Raises InvalidInput.

    Without a type, it gets that of the instance that it replaces, ``of_old``, else the default of its template.
    """
    desired: Wanted = {option: params[option] for option in PLAIN if params.get(option) is not None}
    if DISK in desired:
        desired[DISK] = int(desired[DISK])
    for option in REFERENCES:
        given = reference(params, option)
        if given is not None:
            desired[option] = _desired_item(option, given, {}, labels)
    if "type" not in desired and "template" in desired:
        desired["type"] = of_old or _default_type(desired["template"], labels)
    desired.update(_lists(params, {}, labels))
    desired.update(_desired_power(params, {}))
    _require_way_in(desired)
    desired.update(_desired_keys(params, desired, labels))
    return {**desired, "name": name}


def _desired_keys(params: Params, desired: Wanted, labels: Labels) -> Wanted:
    if params.get("ssh_keys"):
        return {"ssh_keys": [_desired_item("ssh_keys", _key(key), {}, labels)["id"] for key in params["ssh_keys"]]}
    if desired.get("authorization_method", {}).get("id") == SSH_KEYS_METHOD:
        raise InvalidInput("ssh_keys: this authorization method needs at least one key.", option="ssh_keys")
    return {}


def comparable(desired: Wanted, current: Row, warn: Warn) -> Wanted:
    """Return those of the desired values that can be compared with the record; a warning names the others."""
    told = {name: value for name, value in desired.items() if current.get(name) is not None}
    of_disk = [name for name in desired if name in DISK_FIELDS and name not in current]
    others = [name for name in desired if name not in (*told, *of_disk)]
    if of_disk:
        warn(f"The service lists no system disk of instance {current['name']!r}: {' and '.join(of_disk)} not compared.")
    if others:
        warn(f"The service does not return {', '.join(others)} of instance {current['name']!r}: not compared.")
    return told


def with_labels(values: Wanted, labels: Labels) -> Wanted:
    """Return the values with labels beside the IDs, as the service would show them; for check mode."""
    return {name: _labelled(name, value, labels) for name, value in values.items()}


def _labelled(name: str, value: t.Any, labels: Labels) -> t.Any:
    if name in LISTS:
        return [_labelled(f"one of {name}", one, labels) for one in value or ()]
    what = name.replace("one of ", "")
    bare = what in LABELLED and isinstance(value, dict) and value.get("label", "") is None
    return labels.numbered(what, value["id"]) if bare else value


def _lists(params: Params, current: Row, labels: Labels) -> Wanted:
    """Return the desired private networks and addresses, as far as they are given; each once."""
    desired: Wanted = {}
    for option in LISTS:
        if params.get(option) is not None:
            have = current.get(option) or ()
            items = [_one_of(option, _key(given), have, labels) for given in params[option]]
            desired[option] = list({one["id"]: one for one in items}.values())
    return desired


def _one_of(option: str, given: int | str, have: t.Iterable[Row], labels: Labels) -> Row:
    present = next((one for one in have if given in (one["id"], one["label"])), {})
    return _desired_item(option, given, present, labels)


def _desired_power(params: Params, current: Row) -> Wanted:
    number = POWER.get(params["state"])
    if number is None:
        return {}
    status = current.get("status") or {}
    return {"status": status if status.get("id") == number else {"id": number, "label": None}}


def _require_way_in(desired: Wanted) -> None:
    """Require a private network if there is no public address (wire-facts section 5.3)."""
    if desired.get("without_public_ip") and not desired.get("private_networks"):
        raise InvalidInput(
            "without_public_ip: the new instance would have no network interface.",
            next_step="Give at least one entry in private_networks.",
            option="without_public_ip",
        )


def _reference(option: str, given: int | str, present: Row, labels: Labels, warn: Warn) -> dict[str, t.Any]:
    """Return ``{id, label}`` for what was given, compared first with the current one.

    The service only returns the ID of the current one, so that decides: several templates share a name, and the one
    that the instance was created from may be withdrawn or removed. What cannot be named counts as desired, because an
    unknown name must never cost an instance.
    """
    if isinstance(given, int) or option not in NAMELESS or "id" not in present:
        return _desired_item(option, given, present, labels)
    names = labels.of_present(option, present["id"])
    if not names:
        warn(
            f"{option}: the service does not (or no longer) list {option} {present['id']}, so it is not compared with "
            f"{given!r}. Give {option}_id to have the IDs compared."
        )
        return present
    present["label"] = names[0]
    if given in names:
        return present
    try:
        return labels.item(option, given)
    except Ambiguous as several:
        if present["id"] in several.details["ids"]:
            return present
        raise


def _default_type(template: Row, labels: Labels) -> Row:
    """Return the type that the template has for new instances (wire-facts section 4). Raises InvalidInput."""
    found = item((labels.known("template", template["id"]) or {}).get("DefaultInstanceType"))
    if found is None or found["id"] is None:
        raise InvalidInput(
            f"type: template {template['label'] or template['id']} has no default type.",
            next_step="Give type or type_id.",
            option="type",
        )
    return found


def _desired_item(option: str, given: int | str, present: Row, labels: Labels) -> dict[str, t.Any]:
    if isinstance(given, int):
        return {"id": given, "label": present.get("label") if present.get("id") == given else None}
    if present.get("label") == given:
        return present
    return labels.item(option, given)


def _key(given: str) -> int | str:
    text = str(given).strip()
    number = number_in(text)
    return text if number is None else number


# ---------------------------------------------------------------- what the service would refuse

Entry = t.Mapping[str, t.Any]


def require_creatable(labels: Labels, desired: Wanted, gone: int | None = None) -> None:
    """Raise InvalidInput for an unknown ID, an inactive subregion, a type that is too small or an address in use.

    ``gone`` is the ID of an instance that is removed first, which frees its addresses.
    """
    require_known(labels.api, desired)
    for option in ("subregion", "type", "template"):
        _require_listed(labels, option, desired[option]["id"])
    require_active(labels, desired["subregion"])
    size = labels.known("type", desired["type"]["id"]) or {}
    _require_size(labels, size, desired["template"]["id"])
    if desired.get("isfreemium") and size.get("AvailableForFreemium") is False:
        raise InvalidInput(
            f"isfreemium: type {_named(size)} is not available in the freemium plan.", option="isfreemium"
        )
    _require_free(labels, desired.get("ip_addresses") or (), gone)


def require_replaceable(labels: Labels, desired: Wanted, gone: int) -> None:
    """Raise InvalidInput for what the service does not know: it would only say so when the old instance is gone."""
    for option, number in _numbers_in(desired):
        _require_listed(labels, option, number)
    if desired.get("ip_address_id") is not None:
        _require_free(labels, [{"id": desired["ip_address_id"]}], gone, "ip_address_id")


def _require_listed(labels: Labels, option: str, number: int) -> None:
    if not _may_be_there(labels, option, number):
        raise InvalidInput(
            f"{option}: the service does not list {number}.",
            next_step="Check the ID; the new instance could not be created with it.",
            option=option,
        )


def _numbers_in(desired: Wanted) -> t.Iterator[tuple[str, int]]:
    for option, value in desired.items():
        if option in REFERENCES:
            yield option, value["id"]
        elif option in LISTS:
            yield from ((option, one["id"]) for one in value)
        elif option == "ssh_keys":
            yield from ((option, number) for number in value)
        elif option == "ip_address_id":
            yield option, value


def _may_be_there(labels: Labels, option: str, number: int) -> bool:
    """Return False if the service does not list the ID; what cannot be read may exist."""
    if option == "template" and labels.known(option, number) is not None:
        return True
    try:
        entries = labels.entries("ip_addresses" if option == "ip_address_id" else option)
    except Rejected:
        return True
    return any(entry["Id"] == number for entry in entries)


def require_changeable(labels: Labels, plan: Plan, current: Row) -> None:
    """Raise InvalidInput for a type that is too small, an address in use, or an instance without any interface."""
    template = (current.get("template") or {}).get("id")
    if "type" in plan.values and template is not None:
        _require_size(labels, labels.known("type", plan.values["type"]["id"]) or {}, template)
    if "ip_addresses" in plan.values:
        have = numbers_of_items(current["ip_addresses"])
        _require_free(labels, [one for one in plan.values["ip_addresses"] if one["id"] not in have], current["id"])
    _require_interface(labels.api, plan, current)


def require_active(labels: Labels, subregion: Entry) -> None:
    """Raise InvalidInput for a subregion in which no instances can be created."""
    entry = labels.known("subregion", subregion["id"])
    if entry is not None and entry.get("IsActive") is False:
        active = [str(one.get("Name")) for one in labels.entries("subregion") if one.get("IsActive")]
        raise InvalidInput(
            f"subregion: {_named(entry)} is not active.",
            next_step=f"Active are: {', '.join(active)}." if active else "None is active.",
            option="subregion",
        )


def _require_size(labels: Labels, size: Entry, template_id: int) -> None:
    """Refuse a type with less CPU or memory than the template requires (wire-facts section 4)."""
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
    """Refuse to take an address from another instance."""
    for address in addresses:
        entry = labels.known("ip_addresses", address["id"]) or {}
        owner = entry.get("Instance") or {}
        if owner.get("Id") not in (None, instance_id):
            name = labels.names.instance(owner["Id"])  # the service returns the ID only
            raise InvalidInput(
                f"{option}: {_named(entry)} is attached to instance {_named({'Id': owner['Id'], 'Name': name})}.",
                next_step="Detach it there first, or give another one.",
                option=option,
            )


def _require_interface(api: Infrastructure, plan: Plan, current: Row) -> None:
    """Refuse to remove the last interface (wire-facts section 5.4)."""
    shrunk = [name for name in LISTS if numbers_of_items(current.get(name)) - numbers_of_items(plan.after.get(name))]
    if not shrunk or any(plan.after.get(name) for name in LISTS):
        return
    unread = [name for name in LISTS if name not in current]
    found = with_belongings(api, unread, current)
    if any(found[name] for name in unread):
        return
    raise InvalidInput(
        f"{', '.join(shrunk)}: instance {current['name']!r} would no longer have a network interface.",
        next_step="Keep at least one private network or address.",
        option=shrunk[0],
    )


def _named(entry: Entry) -> str:
    label = entry.get("Name") or entry.get("Label") or entry.get("Address")
    return in_words({"id": entry.get("Id"), "label": label})


def _power(size: Entry) -> str:
    return f"{size.get('Cpu')} CPU and {size.get('Ram')} MB"


REFUSED = ("init_script", "without_public_ip")  # the service would ignore them silently


def require_known(api: Infrastructure, desired: Wanted) -> None:
    """Raise InvalidInput for what only a create can set, if the create of this service does not support it.

    This is the time to find out the version, before anything is removed or created; other creates do not need it.
    """
    given = [option for option in REFUSED if desired.get(option)]
    if not (given or desired.get("private_networks")) or not api.is_older_line() or not given:
        return
    raise InvalidInput(
        f"{given[0]}: the service runs version 2020 of the interface, which cannot create an instance with it.",
        next_step=f"Omit {' and '.join(given)}; or set api_version to 2023 if the service runs a later version.",
        option=given[0],
    )
