# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plans that change something: what is desired of new instances, and what the service would refuse.

What cannot be read is left to the service.
"""

from __future__ import annotations

import typing as t

from ..._connection.task import Params
from ..._core.errors import InvalidInput, Rejected
from ..._core.type_aliases import JsonMapping, JsonObject
from ..._engine.plan import CREATE, REPLACE, UPDATE, Plan, in_words, make_plan, mask_secrets
from ..api import Infrastructure
from ..reference_names import INSTANCE
from ..rest_records import item, require_later_line
from .desired_instance import DesiredInstance
from .instance_options import (
    AFTER_CREATION,
    ATTACHED_LISTS,
    DISK,
    NEEDS_KEY,
    PLAIN_CREATE_OPTIONS,
    REFERENCE_OPTIONS,
    REQUIRED_OPTIONS,
    SSH_KEYS_METHOD,
    Labels,
    id_or_label,
    missing_options,
    reference,
    require_disk_size,
)
from .instance_records import INSTANCE_FIELDS, KIND, OFF_FOR, item_ids, stops_for, with_belongings

LABELLED = ("type", "status", "disk_class", "template", "subregion", "scsi_controller_type", *ATTACHED_LISTS)
"""What check mode names as the service would show it."""


def plan_creation(instance: DesiredInstance, old: JsonObject | None = None) -> tuple[JsonObject, Plan]:
    """Return what is desired of a new instance, and the plan. Raises InvalidInput.

    ``old`` is the instance that it replaces.
    """
    require_complete({**instance.params, "name": instance.name}, instance.name)
    desired = desired_of_new(instance, (old or {}).get("type"))
    require_creatable(instance.labels, desired, (old or {}).get("id"))
    return desired, make_plan(INSTANCE_FIELDS, desired, None, "present", kind=KIND)


def plan_replacement(instance: DesiredInstance, current: JsonObject, comparison: Plan) -> tuple[JsonObject, Plan]:
    """Return what is desired of the new instance, and the plan to remove this one and create that one.

    ``comparison`` says what makes this necessary. Raises InvalidInput.
    """
    if current.get("type") is None and instance.params.get("type") is None:
        raise InvalidInput(
            f"type: the service does not return the type of instance {instance.name!r}, so the new one would have no "
            "type.",
            next_step="Set the type of the new instance.",
            option="type",
        )
    desired, plan = plan_creation(instance, current)
    require_replaceable(instance.labels, desired, current["id"])
    return desired, plan._replace(
        action=REPLACE, before=mask_secrets(INSTANCE_FIELDS, current), forced_by=comparison.forced_by
    )


def desired_of_new(instance: DesiredInstance, old_type: object = None) -> JsonObject:
    """Return the desired values for a new instance. Raises InvalidInput.

    Without a type, it gets that of the instance that it replaces, else the default of its template.
    """
    params = instance.params
    desired: JsonObject = {option: params[option] for option in PLAIN_CREATE_OPTIONS if params.get(option) is not None}
    if DISK in desired:
        desired[DISK] = int(desired[DISK])
    for option in REFERENCE_OPTIONS:
        given = reference(params, option)
        if given is not None:
            desired[option] = instance.item(option, given)
    if "type" not in desired and "template" in desired:
        desired["type"] = old_type or _default_type(instance.labels, desired["template"])
    desired.update(instance.lists({}), **instance.power({}))
    _add_access(instance, desired)
    return {**desired, "name": instance.name}


def _add_access(instance: DesiredInstance, desired: JsonObject) -> None:
    """Add the SSH keys. Raises InvalidInput if nobody could reach the instance."""
    if desired.get("without_public_ip") and not desired.get("private_networks"):
        raise InvalidInput(
            "without_public_ip: the new instance would have no network interface.",
            next_step="Give at least one entry in private_networks.",
            option="without_public_ip",
        )
    keys = instance.params.get("ssh_keys")
    if keys:
        desired["ssh_keys"] = [instance.item("ssh_keys", id_or_label(key))["id"] for key in keys]
    elif desired.get("authorization_method", {}).get("id") == SSH_KEYS_METHOD:
        raise InvalidInput(NEEDS_KEY, option="ssh_keys")


def _default_type(labels: Labels, template: JsonObject) -> JsonObject:
    """Return the type that the template has for new instances. Raises InvalidInput."""
    found = item((labels.known("template", template["id"]) or {}).get("DefaultInstanceType"))
    if found is None or found["id"] is None:
        _require_listed(labels, "template", template["id"])
        raise InvalidInput(
            f"type: template {template['label'] or template['id']} has no default type.",
            next_step="Give type or type_id.",
            option="type",
        )
    return found


def with_labels(values: JsonObject, labels: Labels) -> JsonObject:
    """Return the values with labels beside the IDs, as the service would show them; for check mode."""

    def label(name: str, value: t.Any) -> object:
        bare = name in LABELLED and isinstance(value, dict) and value.get("label", "") is None
        return labels.item_by_id(name, value["id"]) if bare else value

    return {
        name: [label(name, one) for one in value or ()] if name in ATTACHED_LISTS else label(name, value)
        for name, value in values.items()
    }


# ---------------------------------------------------------------- what the service would refuse


def require_complete(values: Params, name: str) -> None:
    """Raise InvalidInput for what a create lacks, or does not accept."""
    if values.get("init_disk_size") is not None:
        require_disk_size(values["init_disk_size"])
    lacking = missing_options(values)
    if lacking:
        either = [option if option == REQUIRED_OPTIONS[0] else f"{option} (or {option}_id)" for option in lacking]
        raise InvalidInput(
            f"Instance {name!r} does not exist, and these options are missing to create it: {' and '.join(either)}.",
            next_step="Give all of them, or check the name.",
            options=lacking,
        )


def require_creatable(labels: Labels, desired: JsonObject, old: int | None) -> None:
    """Raise InvalidInput for an unknown ID, an inactive subregion, a type that is too small or an address in use.

    ``old`` is the ID of an instance that is removed first, which frees its addresses.
    """
    if desired.get("private_networks"):
        labels.api.is_older_line()  # the create will need it: an error comes before anything is removed
    require_later_line(labels.api, KIND, CREATE, desired)
    require_later_line(labels.api, KIND, UPDATE, {name: desired[name] for name in AFTER_CREATION if name in desired})
    for option in ("subregion", "type", "template"):
        _require_listed(labels, option, desired[option]["id"])
    require_active(labels, desired["subregion"])
    size = labels.known("type", desired["type"]["id"]) or {}
    _require_size(labels, size, desired["template"]["id"])
    if desired.get("isfreemium") and size.get("AvailableForFreemium") is False:
        raise InvalidInput(
            f"isfreemium: type {_label(size)} is not available in the freemium plan.", option="isfreemium"
        )
    _require_free(labels, desired.get("ip_addresses") or (), old)


def require_replaceable(labels: Labels, desired: JsonObject, old: int) -> None:
    """Raise InvalidInput for what the service does not know: it would only say so when the old instance is gone."""
    for option, value in desired.items():
        if option in (*REFERENCE_OPTIONS, *ATTACHED_LISTS, "ssh_keys", "ip_address_id"):
            for one in value if isinstance(value, list) else [value]:
                _require_listed(labels, option, one["id"] if isinstance(one, dict) else one)
    if desired.get("ip_address_id") is not None:
        _require_free(labels, [{"id": desired["ip_address_id"]}], old, "ip_address_id")


def _require_listed(labels: Labels, option: str, number: int) -> None:
    """Raise InvalidInput if the service does not list the ID; what cannot be read may exist."""
    if option == "template" and labels.known(option, number) is not None:
        return
    try:
        entries = labels.entries("ip_addresses" if option == "ip_address_id" else option)
    except Rejected:
        return
    if all(entry["Id"] != number for entry in entries):
        raise InvalidInput(
            f"{option}: the service does not list {number}.",
            next_step="Check the ID; the new instance could not be created with it.",
            option=option,
        )


def require_changeable(labels: Labels, plan: Plan, current: JsonObject) -> None:
    """Raise InvalidInput for a type that is too small, an address in use, or an instance without any interface."""
    require_later_line(labels.api, KIND, UPDATE, plan.values)
    if "subregion" in plan.values:
        require_active(labels, plan.values["subregion"])
    template = (current.get("template") or {}).get("id")
    if "type" in plan.values and template is not None:
        _require_size(labels, labels.known("type", plan.values["type"]["id"]) or {}, template)
    if "ip_addresses" in plan.values:
        have = item_ids(current["ip_addresses"])
        _require_free(labels, [one for one in plan.values["ip_addresses"] if one["id"] not in have], current["id"])
    _require_interface(labels.api, plan, current)


def require_stoppable(params: Params, plan: Plan, current: JsonObject) -> None:
    """Raise InvalidInput for a change that a running instance has to be stopped for, unless the user allows that.

    No source says what the service does to a running instance; it may restart it.
    """
    needs = [name for name in OFF_FOR if name in plan.values]
    if needs and not params.get("force_stop") and stops_for(current, plan.values):
        raise InvalidInput(
            f"{needs[0]}: instance {current['name']!r} is running, and is turned off for this change.",
            next_step="Set force_stop: true to have it stopped, changed and started again; or state: stopped.",
            option="force_stop",
        )


def require_active(labels: Labels, subregion: JsonMapping) -> None:
    """Raise InvalidInput for a subregion in which no instances can be created."""
    entry = labels.known("subregion", subregion["id"])
    if entry is not None and entry.get("IsActive") is False:
        active = [str(one.get("Name")) for one in labels.entries("subregion") if one.get("IsActive")]
        raise InvalidInput(
            f"subregion: {_label(entry)} is not active.",
            next_step=f"Active are: {', '.join(active)}." if active else "None is active.",
            option="subregion",
        )


def _require_size(labels: Labels, size: JsonMapping, template_id: int) -> None:
    """Refuse a type with less CPU or memory than the template requires."""
    if not size:
        return
    template = labels.known("template", template_id) or {}
    least_id = (template.get("MinimumInstanceType") or {}).get("Id")
    least = None if least_id is None else labels.known("type", least_id)
    if least is not None and any(_is_less(size.get(name), least.get(name)) for name in ("Cpu", "Ram")):
        raise InvalidInput(
            f"type: {_label(size)} has {size.get('Cpu')} CPU and {size.get('Ram')} MB, and template {_label(template)} "
            f"needs {least.get('Cpu')} CPU and {least.get('Ram')} MB or more.",
            next_step=f"Give {least.get('Name')!r} or a larger one.",
            option="type",
        )


def _is_less(size: object, least: object) -> bool:
    return isinstance(size, int) and isinstance(least, int) and size < least


def _require_free(
    labels: Labels, addresses: t.Iterable[JsonObject], own: int | None, option: str = "ip_addresses"
) -> None:
    """Refuse to take an address from another instance than the one with the ID ``own``."""
    for address in addresses:
        entry = labels.known("ip_addresses", address["id"]) or {}
        owner = (entry.get("Instance") or {}).get("Id")
        if owner not in (None, own):
            name = labels.label(INSTANCE, owner)  # the service returns the ID only
            raise InvalidInput(
                f"{option}: {_label(entry)} is attached to instance {_label({'Id': owner, 'Name': name})}.",
                next_step="Detach it there first, or give another one.",
                option=option,
            )


def _require_interface(api: Infrastructure, plan: Plan, current: JsonObject) -> None:
    """Refuse to remove the last interface (docs/service/infrastructure.md, "Changing an instance")."""
    shrunk = [name for name in ATTACHED_LISTS if item_ids(current.get(name)) - item_ids(plan.after.get(name))]
    if not shrunk or any(plan.after.get(name) for name in ATTACHED_LISTS):
        return
    unread = [name for name in ATTACHED_LISTS if name not in current]
    found = with_belongings(api, unread, current)
    if not any(found[name] for name in unread):
        raise InvalidInput(
            f"{', '.join(shrunk)}: instance {current['name']!r} would no longer have a network interface.",
            next_step="Keep at least one private network or address.",
            option=shrunk[0],
        )


def _label(entry: JsonMapping) -> str:
    label = entry.get("Name") or entry.get("Label") or entry.get("Address")
    return in_words({"id": entry.get("Id"), "label": label})
