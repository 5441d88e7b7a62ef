# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Addresses and phones of a client: which declared one means which of those that there are.

An entry with a number means the one of that number. Else it means one that has everything it says; else the one of its
type; else it is a new one. The number 0 says that it is another one than those that there are. What nobody means stays,
unless the rest is to go.
"""

from __future__ import annotations

import typing as t

from ..._core.errors import Ambiguous, InvalidInput
from ..members import Members
from ..typed_values import Member, TypedValues

Entry = t.Dict[str, t.Any]
Entries = t.List[Entry]


class Contacts:
    """The entries of one option (addresses or phones); ``purge`` says that those which nobody means are to go."""

    def __init__(self, typed: TypedValues, list_of: Member, members: t.Callable[[str], Members], option: str) -> None:
        item = typed.item(list_of)
        if item is None:
            raise InvalidInput(f"{option}: the service takes no list here.", option=option)
        self._typed = typed
        self._item = item
        self._option = option
        name = item.type.rpartition("}")[2]
        known = members(name)
        self._number = known.find_if_any("id", f"{name}Id", f"Client{name}Id")
        self._type = known.find_if_any(
            "type_id", f"{name}TypeDictId", f"{name}TypeId", f"{name}Type", f"{name}TypeDict", "TypeDictId", "Type"
        )
        self.purge = False

    def type_of(self, entry: Entry) -> t.Any:
        """Return the number of an entry's type, None where it has none."""
        value = entry.get(self._type) if self._type is not None else None
        if isinstance(value, dict):
            return next((part for key, part in value.items() if key.endswith("id")), None)
        return value

    def of_type(self, entries: Entries, kind: int) -> Entry | None:
        """Return the entry of a type. Raises InvalidInput when the service's type has no member for it."""
        self._need_type()
        return next((entry for entry in entries if self.type_of(entry) == kind), None)

    def typed_as(self, kind: int) -> Entry:
        """Return what makes a new entry one of this type."""
        self._need_type()
        return {} if self._type is None or not self._type.endswith("id") else {self._type: kind}

    def hold(self, wanted: Entries, current: Entries | None) -> bool:
        """Return whether everything is there that is wanted."""
        meant = self._meant(wanted, current or [])
        if self.purge and len(meant) != len(current or []):
            return False
        return all(old is not None and self._same(entry, old) for entry, old in zip(wanted, meant))

    def merged(self, current: Entries | None, wanted: Entries) -> Entries:
        """Return all entries as they are to be."""
        meant = self._meant(wanted, current or [])
        new = {id(old): self._laid(old, entry) for entry, old in zip(wanted, meant) if old is not None}
        kept = [new.get(id(old), old) for old in current or [] if id(old) in new or not self.purge]
        return [*kept, *(entry for entry, old in zip(wanted, meant) if old is None)]

    def _laid(self, current: Entry, wanted: Entry) -> Entry:
        return t.cast("Entry", self._typed.merged(self._item, current, self._said(wanted)))

    def _same(self, wanted: Entry, current: Entry) -> bool:
        return self._typed.holds(self._item, self._said(wanted), current)

    def _said(self, entry: Entry) -> Entry:
        """Return what an entry says of itself: a 0 in place of a number is none."""
        return {name: value for name, value in entry.items() if name != self._number or value}

    def _meant(self, wanted: Entries, current: Entries) -> list[Entry | None]:
        """Return for each wanted entry the current one that it means. Raises InvalidInput and Ambiguous."""
        meant: list[Entry | None] = [None] * len(wanted)
        left = list(current)
        for find in (self._by_number, self._by_content, self._by_type):
            for index, entry in enumerate(wanted):
                if meant[index] is None:
                    meant[index] = found = find(entry, left, f"{self._option}[{index}]")
                    left = [old for old in left if old is not found]
        return meant

    def _by_number(self, entry: Entry, left: Entries, path: str) -> Entry | None:
        number = entry.get(self._number) if self._number else None
        if self._number is None or not number:
            return None
        found = next((old for old in left if old.get(self._number) == number), None)
        if found is None:
            raise InvalidInput(
                f"{path}: the client has none with the {self._number} {number}, or it is given twice.",
                next_step=f"Known: {', '.join(str(old.get(self._number)) for old in left) or 'none'}.",
                option=self._option,
            )
        return found

    def _by_content(self, entry: Entry, left: Entries, path: str) -> Entry | None:
        del path
        return next((old for old in left if self._same(entry, old)), None)

    def _by_type(self, entry: Entry, left: Entries, path: str) -> Entry | None:
        if self._number is not None and self._number in entry:
            return None
        kind = self.type_of(entry)
        if kind is None:
            self._refuse_any_of(left, path)
            return None
        found = [old for old in left if self.type_of(old) == kind]
        if len(found) > 1:
            ids = [old.get(self._number) for old in found] if self._number else []
            raise Ambiguous(
                f"{path}: the client has {len(found)} of the type {kind}: {', '.join(map(str, ids))}.",
                next_step=f"Say which one is meant with {self._number or 'soap_member_map'}.",
                ids=ids,
            )
        return found[0] if found else None

    def _refuse_any_of(self, left: Entries, path: str) -> None:
        if left:
            raise InvalidInput(
                f"{path}: it does not say which of the client's {self._option} is meant.",
                next_step=f"Give its {' or '.join(filter(None, (self._number, self._type)))}"
                + (f"; {self._number}: 0 makes another one." if self._number else "."),
                option=self._option,
            )

    def _need_type(self) -> None:
        if self._type is None:
            raise InvalidInput(
                f"{self._option}: the service's type {self._item.type.rpartition('}')[2]} has no member for the type "
                "of an address.",
                next_step=f'Name it in soap_member_map: {{"{self._item.type.rpartition("}")[2]}.type_id": ...}}.',
                option=self._option,
            )
