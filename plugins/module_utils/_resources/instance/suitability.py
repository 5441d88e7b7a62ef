# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the service would refuse, told before anything is sent: it only reads, and each list at most once in a task.

What cannot be read is left to the service.
"""

from __future__ import annotations

import typing as t

from ..._core.errors import InvalidInput, Rejected
from ..._engine.plan import Plan, in_words
from .belongings import with_belongings
from .line import require_known
from .options import LISTS, REFERENCES
from .record import Record, numbers

if t.TYPE_CHECKING:
    from ..._api.infrastructure import Infrastructure
    from .labels import Labels
    from .wanted import Wanted

Entry = t.Mapping[str, t.Any]


def require_creatable(labels: Labels, wanted: Wanted, gone: int | None = None) -> None:
    """Raise InvalidInput for a number that is not there, an inactive subregion, a small type or an address in use.

    ``gone`` is the number of a machine that is removed before, which sets its addresses free.
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
    """Raise InvalidInput for what the service does not know: it would tell so when the old machine is gone already."""
    for option, number in _numbers_in(wanted):
        _require_listed(labels, option, number)
    if wanted.get("ip_address_id") is not None:
        _require_free(labels, [{"id": wanted["ip_address_id"]}], gone, "ip_address_id")


def _require_listed(labels: Labels, option: str, number: int) -> None:
    if not _may_be_there(labels, option, number):
        raise InvalidInput(
            f"{option}: the service lists no {number}.",
            next_step="Check the number; the new machine could not be made with it.",
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


def require_changeable(api: Infrastructure, labels: Labels, plan: Plan, current: Record) -> None:
    """Raise InvalidInput for a type that is too small, an address in use, or a machine without any interface."""
    template = (current.get("template") or {}).get("id")
    if "type" in plan.values and template is not None:
        _require_size(labels, labels.known("type", plan.values["type"]["id"]) or {}, template)
    if "ip_addresses" in plan.values:
        have = numbers(current["ip_addresses"])
        _require_free(labels, [one for one in plan.values["ip_addresses"] if one["id"] not in have], current["id"])
    _require_interface(api, plan, current)


def require_active(labels: Labels, subregion: Entry) -> None:
    """Raise InvalidInput for a subregion in which no machines are made."""
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
    labels: Labels, addresses: t.Iterable[Record], instance_id: int | None, option: str = "ip_addresses"
) -> None:
    """Refuse to take an address away from another machine."""
    for address in addresses:
        entry = labels.known("ip_addresses", address["id"]) or {}
        owner = entry.get("Instance") or {}
        if owner.get("Id") not in (None, instance_id):
            raise InvalidInput(
                f"{option}: {_named(entry)} serves instance {_named_instance(labels, owner)}.",
                next_step="Detach it there first, or give another one.",
                option=option,
            )


def _require_interface(api: Infrastructure, plan: Plan, current: Record) -> None:
    """Refuse to take the last interface away (wire-facts section 5.4)."""
    shrunk = [name for name in LISTS if numbers(current.get(name)) - numbers(plan.after.get(name))]
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
