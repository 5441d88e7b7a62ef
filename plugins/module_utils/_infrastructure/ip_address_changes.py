# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The requests that reserve and change an address (wire-facts section 7).

A create takes the subregion only. After an unclear answer the new address is the one that was not there before, is free
and has no comment.
"""

from __future__ import annotations

import typing as t

from .._connection.task import Task
from .._core.errors import Ambiguous, mark_changed_on_error
from .._engine.create_once import Intent
from .._engine.plan import Record
from .rest_creation import RestCreation
from .rest_records import Item
from .rest_search import RequestedObject

if t.TYPE_CHECKING:
    from .._engine.change import Change
    from .ip_address import AddressSearch, DeclaredAddress

TEXTS = {"comment": "Comment", "reverse_dns": "RevDns", "reverse_dns_v6": "RevDnsV6"}
RESTORED = {"reverse_dns": "RestoreRevDns", "reverse_dns_v6": "RestoreRevDnsV6"}
IN_PLACE = (*TEXTS, "static")


def address_body(current: Record, changes: Record) -> dict[str, t.Any]:
    """Return the body of the PUT: the changes, and what has a value now.

    Whether what is left out would stay is not known, so what can be sent again is sent again.
    """
    values = {**current, **{name: changes[name] for name in IN_PLACE if name in changes}}
    sent: dict[str, t.Any] = {member: values[name] for name, member in TEXTS.items() if values[name]}
    if "comment" in changes:
        sent["Comment"] = changes["comment"]
    sent.update({member: True for name, member in RESTORED.items() if changes.get(name) == ""})
    if "static" in changes or values["static"]:
        sent["SetStatic"] = values["static"]
    return sent


def changes_of_address(resource: DeclaredAddress, current: Record, changes: Record) -> list[Change]:
    """Return the requests of a change: an address becomes static before it is detached, and is attached last."""
    called = f"IP address {current['address']}"
    present = (current["instance"] or {}).get("id")
    requests = [_in_place(resource, current, changes)] if any(name in changes for name in IN_PLACE) else []
    if "instance" in changes and present is not None:
        requests.append(_detaching(resource, current, present))
    if "subregion" in changes:
        requests.append(_moving(resource, current, changes["subregion"]["id"]))
    if changes.get("instance") is not None:
        owner = changes["instance"]["id"]
        requests.append(
            resource.change(
                current["id"],
                f"Attaching {called} to instance {owner}",
                lambda: resource.search.addresses.attach_address(current["id"], owner),
                lambda record: record is not None and (record["instance"] or {}).get("id") == owner,
                [owner],
            )
        )
    return requests


def removal_of_address(resource: DeclaredAddress, current: Record) -> list[Change]:
    """Return the requests of a removal; an automatic address may be gone as soon as it is detached."""
    called, number = f"IP address {current['address']}", current["id"]
    present = (current["instance"] or {}).get("id")
    gone = resource.change(
        current["id"],
        f"Giving back {called}",
        lambda: resource.search.addresses.delete_address(number),
        lambda record: record is None,
        removes=True,
    )
    return [*([] if present is None else [_detaching(resource, current, present, may_go=True)]), gone]


def _detaching(resource: DeclaredAddress, current: Record, owner: int, *, may_go: bool = False) -> Change:
    def arrived(record: Record | None) -> bool:
        return may_go if record is None else (record["instance"] or {}).get("id") != owner

    return resource.change(
        current["id"],
        f"Detaching IP address {current['address']} from instance {owner}",
        lambda: resource.search.addresses.detach_address(current["id"], owner),
        arrived,
        [owner],
    )


def _moving(resource: DeclaredAddress, current: Record, subregion_id: int) -> Change:
    return resource.change(
        current["id"],
        f"Moving IP address {current['address']}",
        lambda: resource.search.addresses.change_address_subregion(current["id"], subregion_id),
        lambda record: record is not None and (record["subregion"] or {}).get("id") == subregion_id,
    )


def _in_place(resource: DeclaredAddress, current: Record, changes: Record) -> Change:
    """Return the one PUT; a restored reverse name is known to the service only."""
    whole = address_body(current, changes)
    told = {name: changes[name] for name in IN_PLACE if name in changes and (name not in RESTORED or changes[name])}

    def arrived(record: Record | None) -> bool:
        return record is not None and all((record[name] or "") == (value or "") for name, value in told.items())

    def send() -> None:
        resource.search.addresses.change_address(current["id"], whole)

    return resource.change(current["id"], f"Changing IP address {current['address']}", send, arrived)


class AddressCreation(RestCreation):
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
            self._addresses.change_address(found["id"], address_body(found["record"], self._texts))
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
        self.trace.note.answered(id=new[0]["Id"])
        return RequestedObject(new[0]["Id"], record=self.search.described(new[0]))._asdict()

    def _fits(self, item: Item) -> bool:
        subregion = (item.get("Subregion") or {}).get("Id")
        return not item.get("Comment") and not item.get("Instance") and subregion == self._subregion_id
