# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Labels of what an instance is made of: types, subregions, templates, disk classes, networks, keys and so on.

Numbers differ between data centres and grow over time, so labels are looked up when a task runs (wire-facts 3 and 4).
"""

from __future__ import annotations

import typing as t

from ..._core.errors import Ambiguous, Rejected
from ..._engine.labels import resolve
from ..reference_names import SUBREGION, TEMPLATE, ReferenceNames

if t.TYPE_CHECKING:
    from ..._api.infrastructure import Infrastructure

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
            "private_networks": self._networks,
            "ip_addresses": self._api.list_ip_addresses,
        }
        if option in DICTIONARIES:
            return self._api.get_dictionary(DICTIONARIES[option])
        return readers[option]()

    def _networks(self) -> list[dict[str, t.Any]]:
        from ..._api.networks import Networks

        return Networks(self._api).list_networks()

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
