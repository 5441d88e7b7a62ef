# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The create of one address, for which the service takes no name.

After an unclear answer the new one is the one that was not there before, is free and has no comment.
"""

from __future__ import annotations

import typing as t

from ..._core.errors import Ambiguous
from ..._engine.change_tracking import mark_changed_on_error
from ..._engine.fields import Record
from ..._engine.journal import Intent
from ..._session.task import Task
from ..parts.creation import PartCreation
from ..parts.search import Item
from ..parts.traces import Found
from .record import AddressSearch
from .steps import IN_PLACE, body


class AddressCreation(PartCreation):
    """One create with these values, the comment among them."""

    def __init__(self, task: Task, search: AddressSearch, identity: t.Sequence[object], values: Record) -> None:
        self._subregion_id: int = values["subregion"]["id"]
        self._texts = {name: values[name] for name in IN_PLACE if name in values}
        self._addresses = search.addresses
        super().__init__(
            task, search, identity, values["comment"], lambda: self._addresses.create_address(self._subregion_id)
        )

    def send(self, intent: Intent) -> dict[str, t.Any]:
        """Send the create, with what there was before noted, and give the new address its comment.

        That is done under the lock too, so that no other task takes it for an address without one.
        """
        intent.add(known=[item["Id"] for item in self.search.listed()])
        found = super().send(intent)
        with mark_changed_on_error():
            self._addresses.change_address(found["id"], body(found["record"], self._texts))
        return {**found, "record": self.search.by_id(found["id"]) or found["record"]}

    def resume(self, facts: t.Mapping[str, t.Any]) -> dict[str, t.Any] | None:
        """Return what a create that was sent before has made. Raises Ambiguous."""
        found = super().resume(facts)
        if found is not None or "known" not in facts:
            return found
        new = [item for item in self.search.listed() if item["Id"] not in facts["known"] and self._fits(item)]
        if len(new) > 1:
            ids = sorted(item["Id"] for item in new)
            raise Ambiguous(
                f"An earlier run has reserved an IP address for {self.name!r}, and {len(new)} new ones could be it: "
                f"{', '.join(map(str, ids))}.",
                next_step="Give the one that is meant in id, together with the comment.",
                ids=ids,
            )
        if not new:
            return None
        self.trace.write(id=new[0]["Id"])
        return Found(new[0]["Id"], record=self.search.described(new[0]))._asdict()

    def _fits(self, item: Item) -> bool:
        subregion = (item.get("Subregion") or {}).get("Id")
        return not item.get("Comment") and not item.get("Instance") and subregion == self._subregion_id
