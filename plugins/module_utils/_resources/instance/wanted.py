# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the user wants of an instance, in the form in which it is compared with the one that is there."""

from __future__ import annotations

import typing as t

from ..._core.errors import InvalidInput
from ..._core.names import number_in
from .options import NEEDED, REFERENCES, SSH_KEYS_METHOD, Params, missing, reference
from .record import Record, system_disk

if t.TYPE_CHECKING:
    from ..._api.infrastructure import Infrastructure
    from .labels import Labels

    LateLabels = t.Callable[[], Labels]

Wanted = t.Dict[str, t.Any]
PLAIN = ("init_disk_size", "isfreemium", "ip_address_id")
DISK_FIELDS = ("disk_class", "init_disk_size")
NOT_READABLE = ("authorization_method", "ssh_keys", "ip_address_id")  # wire-facts section 5.1


def wanted_of_present(params: Params, current: Record, labels: LateLabels) -> Wanted:
    """Return the wanted values for a machine that is there.

    A number, and a label that the machine bears already, cost no request. What cannot be read back is left out.
    """
    wanted: Wanted = {name: params[name] for name in ("name", *PLAIN) if params.get(name) is not None}
    for option in REFERENCES:
        given = reference(params, option)
        if given is not None and option not in NOT_READABLE:
            wanted[option] = _item(option, given, current.get(option) or {}, labels)
    return {name: value for name, value in wanted.items() if name not in NOT_READABLE}


def wanted_of_new(params: Params, name: str, labels: LateLabels) -> Wanted:
    """Return the wanted values for a machine that has to be made. Raises InvalidInput for what a create lacks."""
    lacking = missing(params)
    if lacking:
        raise InvalidInput(
            f"Instance {name!r} is not there, and to create it this is missing: {', '.join(map(_either, lacking))}.",
            next_step="Give all of them, or check the name.",
            options=lacking,
        )
    wanted: Wanted = {option: params[option] for option in PLAIN if params.get(option) is not None}
    for option in REFERENCES:
        given = reference(params, option)
        if given is not None:
            wanted[option] = _item(option, given, {}, labels)
    if params.get("ssh_keys"):
        wanted["ssh_keys"] = [_item("ssh_keys", _key(key), {}, labels)["id"] for key in params["ssh_keys"]]
    elif wanted.get("authorization_method", {}).get("id") == SSH_KEYS_METHOD:
        raise InvalidInput("ssh_keys: this authorization method needs at least one key.", option="ssh_keys")
    return {**wanted, "name": name}


def with_system_disk(api: Infrastructure, asked: t.Mapping[str, t.Any], current: Record) -> Record:
    """Return the record with size and class of the system disk in it, when one of them is asked for.

    It costs a request; where the service lists no system disk (yet), they are not in the record.
    """
    if all(asked.get(name) is None for name in DISK_FIELDS):
        return current
    number = current["id"]
    return {**current, **(system_disk(api.list_instance_disks(number, disk_type="System"), number) or {})}


def comparable(wanted: Wanted, current: Record, warn: t.Callable[[str], None]) -> Wanted:
    """Return what of the wanted values can be compared with the record; a warning tells what cannot."""
    missing_disk = [name for name in DISK_FIELDS if name in wanted and name not in current]
    if missing_disk:
        listed = " and ".join(missing_disk)
        warn(f"The service lists no system disk of instance {current['name']!r}: {listed} not compared.")
    return {name: value for name, value in wanted.items() if name not in (*NOT_READABLE, *missing_disk)}


def with_labels(values: Wanted, labels: LateLabels) -> Wanted:
    """Return the values with labels beside the numbers, as the service would show them; for check mode."""
    bare = [
        name
        for name, value in values.items()
        if name not in NOT_READABLE and isinstance(value, dict) and value["label"] is None
    ]
    return {**values, **{name: labels().numbered(name, values[name]["id"]) for name in bare}}


def _item(option: str, given: int | str, present: Record, labels: LateLabels) -> dict[str, t.Any]:
    if isinstance(given, int):
        return {"id": given, "label": present.get("label") if present.get("id") == given else None}
    if present.get("label") == given:
        return present
    return labels().item(option, given)


def _key(given: str) -> int | str:
    text = str(given).strip()
    number = number_in(text)
    return text if number is None else number


def _either(option: str) -> str:
    return option if option == NEEDED[0] else f"{option}_id (or {option})"
