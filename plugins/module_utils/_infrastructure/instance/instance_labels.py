# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is wanted of an instance, labels resolved: numbers differ between data centres and grow over time."""

from __future__ import annotations

import typing as t

from ..._core.errors import Ambiguous, InvalidInput, Rejected
from ..._core.text import number_in
from ..._engine.labels import resolve
from ..rest_records import SUBREGION, TEMPLATE, ReferenceNames, Row, item
from .instance_options import (
    LISTS,
    NEEDED,
    REFERENCES,
    SSH_KEYS_METHOD,
    Params,
    missing_options,
    reference,
    require_disk_size,
)
from .instance_records import DISK_FIELDS, POWERED_OFF, POWERED_ON

if t.TYPE_CHECKING:
    from ..api import Infrastructure


Named = t.Dict[str, t.Any]
DICTIONARIES = {  # wire-facts section 3.1
    "disk_class": 17,
    "authorization_method": 159,
    "status": 27,
    "system_category": 70,
    "language": 1,
}
SAME_LIST = {"default_type": "type", "minimum_type": "type"}

WHERE = {
    "type": "the instance types",
    "subregion": "the subregions",
    "template": "the templates",
    "disk_class": "the disk classes",
    "authorization_method": "the authorization methods",
    "default_type": "the instance types",
    "minimum_type": "the instance types",
    "system_category": "the template system categories",
    "language": "the languages",
    "ssh_keys": "the account's SSH keys",
    "private_networks": "the account's private networks",
    "ip_addresses": "the account's public addresses",
}
TAKE_NUMBERS = ("disk_class", "language", "ssh_keys", "private_networks", "ip_addresses")
"""Options that take a number too; the others have a sibling for it."""


class Labels:
    """Labels and numbers; every list is read at most once in a task, also one that is refused."""

    def __init__(self, api: Infrastructure, names: ReferenceNames | None = None) -> None:
        self._api = api
        self.names = names or ReferenceNames(api)
        self._lists: dict[str, list[dict[str, t.Any]]] = {}
        self._refused: dict[str, Rejected] = {}

    def item(self, option: str, label: str) -> Named:
        """Return ``{id, label}`` for a label. Raises InvalidInput with the nearest ones, or Ambiguous."""
        names = [(entry["Id"], name) for entry in self.entries(option) for name in _names(entry)]
        try:
            number = resolve(label, names, option=option, where=WHERE[option])
        except Ambiguous as several:
            raise self._explained(several, option, label) from None
        return self.numbered(option, number)

    def numbered(self, option: str, number: int) -> Named:
        """Return ``{id, label}`` for a number; the label is None when the service lists no such number, or no list.

        Templates are many: one that nobody has read in this task has no label.
        """
        if option == TEMPLATE:
            found: Named = {"id": number, "label": None}
            self.names.fill([{TEMPLATE: found}], TEMPLATE, ask=False)
            return found
        try:
            labels = {entry["Id"]: _names(entry)[0] for entry in self.entries(option)}
        except Rejected:
            labels = {}
        return {"id": number, "label": labels.get(number)}

    def known(self, option: str, number: int) -> dict[str, t.Any] | None:
        """Return what the service tells of a number, None when it tells nothing or must not be asked."""
        if option == TEMPLATE:
            return self.names.entry(TEMPLATE, number)
        try:
            return next((entry for entry in self.entries(option) if entry["Id"] == number), None)
        except Rejected:
            return None

    def of_present(self, option: str, number: int) -> list[str]:
        """Return what an item that is in use may be called by; nothing where the service does not name it."""
        entry = self.known(option, number)
        return _names(entry) if entry is not None and entry.get("Name") else []

    def entries(self, option: str) -> list[dict[str, t.Any]]:
        """Return the whole list."""
        option = SAME_LIST.get(option, option)
        if option in (SUBREGION, TEMPLATE):
            return self.names.entries(option)
        if option in self._refused:
            raise self._refused[option]
        if option not in self._lists:
            try:
                self._lists[option] = self._read(option)
            except Rejected as refusal:
                self._refused[option] = refusal
                raise
        return self._lists[option]

    def _read(self, option: str) -> list[dict[str, t.Any]]:
        readers: dict[str, t.Callable[[], list[dict[str, t.Any]]]] = {
            "type": self._api.list_instance_types,
            "ssh_keys": self._api.list_ssh_keys,
            "private_networks": self._api.list_networks,
            "ip_addresses": self._api.list_ip_addresses,
        }
        if option in DICTIONARIES:
            return self._api.get_dictionary(DICTIONARIES[option])
        return readers[option]()

    @property
    def api(self) -> Infrastructure:
        """The service that they are read from."""
        return self._api

    def _explained(self, several: Ambiguous, option: str, label: str) -> Ambiguous:
        """Tell the items apart by their versions, where there are any."""
        ids: list[int] = several.details["ids"]
        names = {entry["Id"]: _names(entry)[-1] for entry in self.entries(option)}
        return Ambiguous(
            f"{option}: {label!r} stands for several items of {WHERE[option]}: "
            f"{', '.join(f'{number} = {names[number]}' for number in ids)}.",
            next_step=f"Give the number in {option if option in TAKE_NUMBERS else option + '_id'}"
            f"{', or the name with its version' if option == 'template' else ''}.",
            ids=ids,
        )


def _names(entry: t.Mapping[str, t.Any]) -> list[str]:
    """Return the label, and with a version also ``label (version)``: template names are no keys (wire-facts 4)."""
    label = str(entry.get("Label") or entry.get("Name") or entry.get("Address"))
    return [label, f"{label} ({entry['Version']})"] if entry.get("Version") else [label]


Warn = t.Callable[[str], None]
LateLabels = t.Callable[[], Labels]
Wanted = t.Dict[str, t.Any]
PLAIN = ("init_disk_size", "isfreemium", "ip_address_id", "without_public_ip", "init_script")
NOT_READABLE = ("authorization_method", "ssh_keys", "ip_address_id", "without_public_ip", "init_script")
"""What is sent at a creation and never compared: it cannot be read (wire-facts 5.1), or says nothing afterwards."""
NAMELESS = ("template", "subregion")
"""What an instance refers to by a number only (wire-facts 5.1)."""
LABELLED = ("type", "status", "disk_class", *NAMELESS, *LISTS)
"""What check mode names, as the service would show it."""
POWER = {"started": POWERED_ON, "stopped": POWERED_OFF}


def wanted_of_present(params: Params, current: Row, labels: LateLabels, warn: Warn) -> Wanted:
    """Return the wanted values for an instance that is there.

    A number, and a label that the instance bears already, cost no request. What cannot be read back is left out.
    """
    wanted: Wanted = {name: params[name] for name in ("name", *PLAIN) if params.get(name) is not None}
    for option in REFERENCES:
        given = reference(params, option)
        if given is not None and option not in NOT_READABLE:
            wanted[option] = _reference(option, given, current.get(option) or {}, labels, warn)
    wanted.update(_lists(params, current, labels))
    wanted.update(_wanted_power(params, current))
    return {name: value for name, value in wanted.items() if name not in NOT_READABLE}


def require_complete(values: t.Mapping[str, t.Any], name: str) -> None:
    """Raise InvalidInput for what a create lacks, or cannot take."""
    if values.get("init_disk_size") is not None:
        require_disk_size(values["init_disk_size"])
    lacking = missing_options(values)
    if lacking:
        raise InvalidInput(
            f"Instance {name!r} is not there, and to create it this is missing: {', '.join(map(_either, lacking))}.",
            next_step="Give all of them, or check the name.",
            options=lacking,
        )


def wanted_of_new(params: Params, name: str, labels: LateLabels, of_old: t.Any = None) -> Wanted:
    """Return the wanted values for an instance that has to be made. Raises InvalidInput.

    Without a type it gets that of the instance whose place it takes, ``of_old``, else the default of its template.
    """
    wanted: Wanted = {option: params[option] for option in PLAIN if params.get(option) is not None}
    for option in REFERENCES:
        given = reference(params, option)
        if given is not None:
            wanted[option] = _wanted_item(option, given, {}, labels)
    if "type" not in wanted and "template" in wanted:
        wanted["type"] = of_old or _default_type(wanted["template"], labels)
    wanted.update(_lists(params, {}, labels))
    wanted.update(_wanted_power(params, {}))
    _require_way_in(wanted)
    if params.get("ssh_keys"):
        wanted["ssh_keys"] = [_wanted_item("ssh_keys", _key(key), {}, labels)["id"] for key in params["ssh_keys"]]
    elif wanted.get("authorization_method", {}).get("id") == SSH_KEYS_METHOD:
        raise InvalidInput("ssh_keys: this authorization method needs at least one key.", option="ssh_keys")
    return {**wanted, "name": name}


def comparable(wanted: Wanted, current: Row, warn: Warn) -> Wanted:
    """Return what of the wanted values can be compared with the record; a warning tells what cannot."""
    compared = {name: value for name, value in wanted.items() if name not in NOT_READABLE}
    untold = [name for name in compared if current.get(name) is None]
    missing_disk = [name for name in untold if name in DISK_FIELDS and name not in current]
    if missing_disk:
        listed = " and ".join(missing_disk)
        warn(f"The service lists no system disk of instance {current['name']!r}: {listed} not compared.")
    if len(untold) > len(missing_disk):
        listed = ", ".join(name for name in untold if name not in missing_disk)
        warn(f"The service does not tell {listed} of instance {current['name']!r}: not compared.")
    return {name: value for name, value in compared.items() if name not in untold}


def with_labels(values: Wanted, labels: LateLabels) -> Wanted:
    """Return the values with labels beside the numbers, as the service would show them; for check mode."""
    return {name: _labelled(name, value, labels) for name, value in values.items()}


def _labelled(name: str, value: t.Any, labels: LateLabels) -> t.Any:
    if name in LISTS:
        return [_labelled(f"one of {name}", one, labels) for one in value or ()]
    what = name.replace("one of ", "")
    bare = what in LABELLED and isinstance(value, dict) and value.get("label", "") is None
    return labels().numbered(what, value["id"]) if bare else value


def _lists(params: Params, current: Row, labels: LateLabels) -> Wanted:
    """Return the wanted private networks and addresses, as far as they are given; each once."""
    wanted: Wanted = {}
    for option in LISTS:
        if params.get(option) is not None:
            have = current.get(option) or ()
            items = [_one_of(option, _key(given), have, labels) for given in params[option]]
            wanted[option] = list({one["id"]: one for one in items}.values())
    return wanted


def _one_of(option: str, given: int | str, have: t.Iterable[Row], labels: LateLabels) -> Row:
    present = next((one for one in have if given in (one["id"], one["label"])), {})
    return _wanted_item(option, given, present, labels)


def _wanted_power(params: Params, current: Row) -> Wanted:
    number = POWER.get(params["state"])
    if number is None:
        return {}
    status = current.get("status") or {}
    return {"status": status if status.get("id") == number else {"id": number, "label": None}}


def _require_way_in(wanted: Wanted) -> None:
    """Without a public address a private network is needed (wire-facts section 5.3)."""
    if wanted.get("without_public_ip") and not wanted.get("private_networks"):
        raise InvalidInput(
            "without_public_ip: the new instance would have no network interface.",
            next_step="Give at least one of private_networks.",
            option="without_public_ip",
        )


def _reference(option: str, given: int | str, present: Row, labels: LateLabels, warn: Warn) -> dict[str, t.Any]:
    """Return ``{id, label}`` for what was given, compared first with what is there.

    The service tells only the number of what is there, so it is named by that number: several templates share a name,
    and the one that the instance was made from may be withdrawn or removed. Whatever nobody can name counts as wanted,
    for a name that is not known must never cost an instance.
    """
    if isinstance(given, int) or option not in NAMELESS or "id" not in present:
        return _wanted_item(option, given, present, labels)
    names = labels().of_present(option, present["id"])
    if not names:
        warn(
            f"{option}: the service does not name {option} {present['id']} (any more), so it is not compared with "
            f"{given!r}. Give {option}_id to have the number compared."
        )
        return present
    present["label"] = names[0]
    if given in names:
        return present
    try:
        return labels().item(option, given)
    except Ambiguous as several:
        if present["id"] in several.details["ids"]:
            return present
        raise


def _default_type(template: Row, labels: LateLabels) -> Row:
    """Return the type that the template has for new instances (wire-facts section 4). Raises InvalidInput."""
    found = item((labels().known("template", template["id"]) or {}).get("DefaultInstanceType"))
    if found is None or found["id"] is None:
        raise InvalidInput(
            f"type: template {template['label'] or template['id']} has no default type.",
            next_step="Give type or type_id.",
            option="type",
        )
    return found


def _wanted_item(option: str, given: int | str, present: Row, labels: LateLabels) -> dict[str, t.Any]:
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
