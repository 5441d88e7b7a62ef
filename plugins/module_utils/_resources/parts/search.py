# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds a part of the account that is not an instance: a disk, an address, a network, a key, a snapshot."""

from __future__ import annotations

import abc
import typing as t

from ..._core.errors import Forbidden, NotFound
from ..reference_names import ReferenceNames
from ..single import single

if t.TYPE_CHECKING:
    from ..._api.infrastructure import Infrastructure

Item = t.Dict[str, t.Any]
Record = t.Dict[str, t.Any]


class PartSearch(abc.ABC):
    """Finds parts of one kind by their name, which is not unique, or by their number.

    ``kind`` is what a person calls one, ``kinds`` several. ``key`` is the attribute that stands for the name, and
    ``member`` that of the service. ``queries`` says that the list takes a free-text filter. ``references`` are the
    attributes of a record that point to something whose name the service does not send along.
    """

    kind: str
    kinds: str
    key = "name"
    member = "Name"
    queries = False
    references: t.Sequence[str] = ()

    def __init__(self, api: Infrastructure) -> None:
        self.api = api
        self.names = ReferenceNames(api)
        self.removed: set[int] = set()  # by this task; a list may show them for a while

    @abc.abstractmethod
    def listed(self, **filters: t.Any) -> list[Item]:
        """Return them as the service lists them."""

    @abc.abstractmethod
    def read(self, number: int) -> Item:
        """Return one as the service has it. Raises Forbidden or NotFound."""

    @abc.abstractmethod
    def described(self, item: t.Mapping[str, t.Any]) -> Record:
        """Return its record."""

    def name_references(self, *records: Record | None) -> None:
        """Give what these records point to its label, in place; what cannot be named keeps None."""
        self.names.fill([record for record in records if record], *self.references)

    def by_name(self, name: str) -> Record | None:
        """Return the one with exactly this name, or None. Raises Ambiguous.

        The filter is described as free text and no more, so what it does not find counts as missing only after the
        whole list was read.
        """
        found = self.exactly(name, self.listed(query=name)) if self.queries else []
        return self.only_one(name, found or self.exactly(name, self.listed()))

    def by_id(self, number: int) -> Record | None:
        """Return the one with this number, or None.

        403 is said of what is not there and of missing rights (wire-facts section 2.1); the list tells these apart.
        Raises Forbidden.
        """
        try:
            return self.described(self.read(number))
        except (Forbidden, NotFound):
            if any(item.get("Id") == number for item in self.listed()):
                raise
            return None

    def named(self, record: Record, name: str) -> bool:
        """Return whether a record that a create has left is still the one of that name."""
        return bool(record[self.key] == name)

    def only_one(self, name: str, found: t.Sequence[Record]) -> Record | None:
        """Return the one that was found, or None. Raises Ambiguous with all numbers."""
        return single(self.kinds, self.key, name, found)

    def exactly(self, name: str, listed: t.Iterable[Item]) -> list[Record]:
        """Return the records of those with exactly this name."""
        records = (self.described(item) for item in listed if item.get(self.member) == name)
        return [record for record in records if record["id"] not in self.removed]
