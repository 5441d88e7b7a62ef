# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the user wants of an instance, in the form in which it is compared with the one that is there."""

from __future__ import annotations

import typing as t

from ..._core.errors import InvalidInput
from ..._core.names import number_in
from .options import LISTS, NEEDED, REFERENCES, SSH_KEYS_METHOD, Params, missing, reference, require_disk_size
from .record import POWERED_OFF, POWERED_ON, Record

if t.TYPE_CHECKING:
    from .labels import Labels

    LateLabels = t.Callable[[], Labels]

Wanted = t.Dict[str, t.Any]
PLAIN = ("init_disk_size", "isfreemium", "ip_address_id", "without_public_ip", "init_script")
NOT_READABLE = ("authorization_method", "ssh_keys", "ip_address_id", "without_public_ip", "init_script")
"""What is sent at a creation and never compared: it cannot be read (wire-facts 5.1), or says nothing afterwards."""
POWER = {"started": POWERED_ON, "stopped": POWERED_OFF}


def wanted_of_present(params: Params, current: Record, labels: LateLabels) -> Wanted:
    """Return the wanted values for a machine that is there.

    A number, and a label that the machine bears already, cost no request. What cannot be read back is left out.
    """
    wanted: Wanted = {name: params[name] for name in ("name", *PLAIN) if params.get(name) is not None}
    for option in REFERENCES:
        given = reference(params, option)
        if given is not None and option not in NOT_READABLE:
            wanted[option] = _item(option, given, current.get(option) or {}, labels)
    wanted.update(_lists(params, current, labels))
    wanted.update(_power(params, current))
    return {name: value for name, value in wanted.items() if name not in NOT_READABLE}


def require_complete(values: t.Mapping[str, t.Any], name: str) -> None:
    """Raise InvalidInput for what a create lacks, or cannot take."""
    if values.get("init_disk_size") is not None:
        require_disk_size(values["init_disk_size"])
    lacking = missing(values)
    if lacking:
        raise InvalidInput(
            f"Instance {name!r} is not there, and to create it this is missing: {', '.join(map(_either, lacking))}.",
            next_step="Give all of them, or check the name.",
            options=lacking,
        )


def wanted_of_new(params: Params, name: str, labels: LateLabels) -> Wanted:
    """Return the wanted values for a machine that has to be made. Raises InvalidInput."""
    wanted: Wanted = {option: params[option] for option in PLAIN if params.get(option) is not None}
    for option in REFERENCES:
        given = reference(params, option)
        if given is not None:
            wanted[option] = _item(option, given, {}, labels)
    wanted.update(_lists(params, {}, labels))
    wanted.update(_power(params, {}))
    _require_way_in(wanted)
    if params.get("ssh_keys"):
        wanted["ssh_keys"] = [_item("ssh_keys", _key(key), {}, labels)["id"] for key in params["ssh_keys"]]
    elif wanted.get("authorization_method", {}).get("id") == SSH_KEYS_METHOD:
        raise InvalidInput("ssh_keys: this authorization method needs at least one key.", option="ssh_keys")
    return {**wanted, "name": name}


def comparable(wanted: Wanted, current: Record, warn: t.Callable[[str], None]) -> Wanted:
    """Return what of the wanted values can be compared with the record; a warning tells what cannot."""
    missing_disk = [name for name in ("disk_class", "init_disk_size") if name in wanted and name not in current]
    if missing_disk:
        listed = " and ".join(missing_disk)
        warn(f"The service lists no system disk of instance {current['name']!r}: {listed} not compared.")
    return {name: value for name, value in wanted.items() if name not in (*NOT_READABLE, *missing_disk)}


def with_labels(values: Wanted, labels: LateLabels) -> Wanted:
    """Return the values with labels beside the numbers, as the service would show them; for check mode."""
    return {name: _labelled(name, value, labels) for name, value in values.items()}


def _labelled(name: str, value: t.Any, labels: LateLabels) -> t.Any:
    if name in LISTS:
        return [_labelled(f"one of {name}", one, labels) for one in value or ()]
    bare = name not in NOT_READABLE and isinstance(value, dict) and value.get("label", "") is None
    return labels().numbered(name.replace("one of ", ""), value["id"]) if bare else value


def _lists(params: Params, current: Record, labels: LateLabels) -> Wanted:
    """Return the wanted private networks and addresses, as far as they are given; each once."""
    wanted: Wanted = {}
    for option in LISTS:
        if params.get(option) is not None:
            have = current.get(option) or ()
            items = [_one_of(option, _key(given), have, labels) for given in params[option]]
            wanted[option] = list({one["id"]: one for one in items}.values())
    return wanted


def _one_of(option: str, given: int | str, have: t.Iterable[Record], labels: LateLabels) -> Record:
    present = next((one for one in have if given in (one["id"], one["label"])), {})
    return _item(option, given, present, labels)


def _power(params: Params, current: Record) -> Wanted:
    number = POWER.get(params["state"])
    if number is None:
        return {}
    status = current.get("status") or {}
    return {"status": status if status.get("id") == number else {"id": number, "label": None}}


def _require_way_in(wanted: Wanted) -> None:
    """Without a public address a private network is needed (wire-facts section 5.3)."""
    if wanted.get("without_public_ip") and not wanted.get("private_networks"):
        raise InvalidInput(
            "without_public_ip: the new machine would have no network interface.",
            next_step="Give at least one of private_networks.",
            option="without_public_ip",
        )


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
