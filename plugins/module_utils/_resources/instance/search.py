# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds instances by name or by number."""

from __future__ import annotations

import typing as t

from ..._core.errors import Forbidden, NotFound, Rejected
from ..rest_records import single
from .record import DELETED, Record, described, status_of

if t.TYPE_CHECKING:
    from ..._api.infrastructure import Infrastructure
    from ..reference_names import ReferenceNames


class Search:
    """Finds instances; deleted ones, which the service may go on to list, do not count.

    With ``names`` the records have the names of their subregions, and those of templates that are known already.
    """

    def __init__(self, api: Infrastructure, names: ReferenceNames | None = None) -> None:
        self.api = api
        self.names = names

    def by_names(self, names: t.Sequence[str], query: str) -> dict[str, list[Record]]:
        """Return the instances with exactly these names.

        Names are not unique (wire-facts section 5.2). The filter ``query`` is described as free text and no more, so
        what it does not find counts as missing only after the whole list was read.
        """
        found = self._exactly(names, self.api.list_instances(query=query))
        if not all(found.values()):
            found = self._exactly(names, self.api.list_instances())
        return found

    def named(self, name: str) -> list[Record]:
        """Return the instances of that name as a list with a filter shows them."""
        return self._exactly([name], self.api.list_instances(query=name))[name]

    def by_name(self, name: str) -> Record | None:
        """Return the instance of that name as a list with a filter shows it. Raises Ambiguous."""
        return only_one(name, self.named(name))

    def by_id(self, number: int) -> Record | None:
        """Return the instance, or None.

        The service answers 403 or 404 for one that is not there, and 403 for missing rights too (wire-facts section
        2.1); the list tells these apart. Raises Forbidden.
        """
        try:
            record = described(self.api.get_instance(number))
        except (Forbidden, NotFound) as refusal:
            self.require_unlisted(number, refusal)
            return None
        return next(iter(self.records([record])), None)

    def as_listed(self, number: int, name: str) -> Record | None:
        """Return the instance as a list shows it that may lag behind, searched for by that name."""
        entry = self.api.listed_instance(number, name)
        return None if entry is None else next(iter(self.records([described(entry)])), None)

    def records(self, found: t.Iterable[Record]) -> list[Record]:
        """Return the records of those that are not deleted, with names."""
        records = [record for record in found if status_of(record) != DELETED]
        if self.names is not None:
            self.names.fill(records, "subregion")
            self.names.fill(records, "template", ask=False)
        return records

    def require_unlisted(self, number: int, refusal: Rejected) -> None:
        """Raise ``refusal`` when the list has the instance, so that it was refused for another reason."""
        if any(entry["Id"] == number and status_of(described(entry)) != DELETED for entry in self.api.list_instances()):
            raise refusal

    def _exactly(self, names: t.Sequence[str], listed: t.Iterable[t.Mapping[str, t.Any]]) -> dict[str, list[Record]]:
        found: dict[str, list[Record]] = {name: [] for name in names}
        for record in self.records(described(entry) for entry in listed if entry.get("Name") in found):
            found[record["name"]].append(record)
        return found


def only_one(name: str, found: t.Sequence[Record]) -> Record | None:
    """Return the one instance, or None. Raises Ambiguous with all ids."""
    return single("instances", "name", name, found, ", or rename the others")
