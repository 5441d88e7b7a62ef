# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The CommonFcd client for many searches by name: after a few the whole list answers all others.

A search that the list cannot answer is still sent, so that nothing counts as missing only because it is not in the
list. Everybody who uses these searches compares each row exactly (see UserSearch, WarehouseSearch).
"""

from __future__ import annotations

import typing as t

from .._core.once_each import OnceEach
from .._core.search_counts import SearchCounts
from .api import CommonFcd, Record
from .members import Members

WHOLE = {"GetUsers": int, "GetWarehouses": None}
"""Searches that a whole list can answer, and the type of those criteria that it is restricted to."""


class BulkCommonFcd(CommonFcd):
    """The CommonFcd interface; what is searched by a text or a key is read as a whole after a few searches."""

    _counts: SearchCounts
    _types: OnceEach
    _lists: OnceEach

    @classmethod
    def over(cls, api: CommonFcd, many: t.Collection[str] = ()) -> BulkCommonFcd:
        """Return one with the same connection, which has to remember what it has read.

        ``many`` are operations of which there will be many different searches.
        """
        bulk = cls.__new__(cls)
        vars(bulk).update(vars(api), _counts=SearchCounts(many), _types=OnceEach(), _lists=OnceEach())
        return bulk

    def members(self, type_name: str) -> Members:
        """Return the members of a type, looked up once. Raises InvalidInput."""
        return self._types.answer(
            type_name, lambda: _RememberedMembers.over(super(BulkCommonFcd, self).members(type_name))
        )

    def search(self, operation: str, criteria: t.Mapping[str, t.Any], limit: int | None = None) -> list[Record]:
        """Return the rows of a paged search, or those of the whole list in which all values of the criteria stand."""
        if limit is None and operation in WHOLE and criteria and self._counts.many(operation, repr(criteria)):
            found = self._in_whole_list(operation, criteria)
            if found:
                return found
        return super().search(operation, criteria, limit)

    def _in_whole_list(self, operation: str, criteria: t.Mapping[str, t.Any]) -> list[Record]:
        """Return the rows in which all texts of the criteria stand; none where the criteria have no texts."""
        kept = WHOLE[operation]
        shared = {name: value for name, value in criteria.items() if kept is not None and isinstance(value, kept)}
        wanted = {str(value) for name, value in criteria.items() if name not in shared}
        return [row for row, leaves in self._whole(operation, shared) if wanted <= leaves] if wanted else []

    def _whole(self, operation: str, criteria: Record) -> list[tuple[Record, set[str]]]:
        """Return all rows, each with what stands in it."""
        search = super().search
        return self._lists.answer(
            (operation, repr(criteria)), lambda: [(row, _leaves(row)) for row in search(operation, criteria)]
        )


class _RememberedMembers(Members):
    """Members of which each is looked up once."""

    _found: dict[tuple[str, ...], str | None]

    @classmethod
    def over(cls, members: Members) -> _RememberedMembers:
        remembered = cls.__new__(cls)
        vars(remembered).update(vars(members), _found={})
        return remembered

    def find_if_any(self, attribute: str, *candidates: str) -> str | None:
        names = (attribute, *candidates)
        if names not in self._found:
            self._found[names] = super().find_if_any(*names)
        return self._found[names]


def _leaves(value: t.Any) -> set[str]:
    """Return all plain values of a row, those of its parts included, as texts."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return {leaf for part in value for leaf in _leaves(part)}
    return {str(value)}
