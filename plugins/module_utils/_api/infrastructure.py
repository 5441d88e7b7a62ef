# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The infrastructure REST interface, one method for each remote operation.

Source: contract infrastructure-rest.md, wire-facts sections 2 to 8. Members keep their PascalCase names. What answers
with a ticket returns the ticket: ``Id``, ``Status``, ``ObjectId``, ``Progress`` and more (section 8).
"""

from __future__ import annotations

import typing as t

from .._core.errors import Unusable
from .._transport.exchange import Exchange
from .._transport.messages import READ, WRITE, Credentials, Request

Record = t.Dict[str, t.Any]
PAGE = 1000


class Infrastructure:
    """The operations, with one account's credentials."""

    def __init__(self, exchange: Exchange, base_url: str, credentials: Credentials) -> None:
        self._exchange = exchange
        self._base_url = base_url.rstrip("/")
        self._credentials = credentials

    # dictionaries, section 3: they arrive whole, there is no paging

    def list_dictionaries(self) -> list[Record]:
        """Return all dictionaries: ``Id`` and ``Name``."""
        return self._items("List dictionaries", self._get("List dictionaries", "/dictionaries/"))

    def get_dictionary(self, number: int) -> list[Record]:
        """Return the items of a dictionary: ``Id``, ``Label`` and ``Dictionary``."""
        operation = f"Read dictionary {number}"
        return self._items(operation, self._get(operation, f"/dictionaries/{number}"))

    # subregions, templates, types, section 4

    def list_subregions(self) -> list[Record]:
        """Return the subregions: ``Id``, ``Name``, ``IsActive``."""
        operation = "List subregions"
        return self._items(operation, self._get(operation, "/subregions"))

    def list_templates(self, source: str | None = None) -> list[Record]:
        """Return the templates of a source: All, Standard, Own, CommunityCatalogue or Marketplace."""
        return self._pages("List templates", "/templates", source=source)

    def list_instance_types(self) -> list[Record]:
        """Return the instance types: ``Id``, ``Name``, ``Cpu``, ``Ram`` (MB) and more."""
        return self._pages("List instance types", "/instances/types")

    # instances, section 5

    def list_instances(self, query: str | None = None) -> list[Record]:
        """Return the instances that the service finds for a free text, or all."""
        return self._pages("List instances", "/instances", query=query)

    def get_instance(self, number: int) -> Record:
        """Return one instance. Raises Forbidden or NotFound; both may mean that it is not there (section 2.1)."""
        return self._object(f"Read instance {number}", f"/instances/{number}")

    def create_instance(self, body: t.Mapping[str, t.Any]) -> Record:
        """Create an instance; returns the ticket."""
        return self._ticket("Create instance", "POST", "/instances", json=dict(body))

    def change_name(self, number: int, name: str) -> Record:
        """Rename an instance; returns the ticket."""
        return self._ticket("Rename instance", "POST", f"/instances/{number}/change_name_ticket", params={"name": name})

    def change_type(self, number: int, type_id: int) -> Record:
        """Give an instance another type; returns the ticket."""
        path = f"/instances/{number}/change_type_ticket"
        return self._ticket("Change type of instance", "POST", path, params={"typeId": type_id})

    def delete_instance(self, number: int, *, deep: bool = False) -> Record:
        """Delete an instance, with ``deep`` also its further disks; returns the ticket."""
        params = {"deep": True} if deep else None
        return self._ticket("Delete instance", "DELETE", f"/instances/{number}", params=params)

    def list_instance_disks(self, number: int, disk_type: str | None = None) -> list[Record]:
        """Return the disks of an instance; ``disk_type`` is All, System or Custom."""
        return self._pages("List disks of instance", f"/instances/{number}/disks", diskType=disk_type)

    def list_instance_events(self, number: int) -> list[Record]:
        """Return what happened to an instance: ``Date``, ``OperationType``, ``OperationStatus``, ``Message``."""
        operation = "List events of instance"
        return self._items(operation, self._get(operation, f"/instances/{number}/events"))

    # keys and tickets, sections 7 and 8

    def list_ssh_keys(self) -> list[Record]:
        """Return the keys of the account: ``Id``, ``Name``, ``Value``."""
        return self._pages("List SSH keys", "/account/sshkeys")

    def get_ticket(self, number: int) -> Record:
        """Return one ticket."""
        return self._object(f"Read ticket {number}", f"/tickets/{number}")

    def list_tickets(self, creation_date_from: str | None = None, status_id: int | None = None) -> list[Record]:
        """Return the tickets, newer than a time (ISO 8601, UTC) or of one status."""
        return self._pages("List tickets", "/tickets", creationDateFrom=creation_date_from, statusId=status_id)

    # the wire

    def _get(self, operation: str, path: str, params: t.Mapping[str, t.Any] | None = None) -> t.Any:
        request = Request(
            operation=operation, method="GET", url=self._base_url + path, kind=READ, params=params, json_answer=True
        )
        return self._exchange.send(request, self._credentials).json()

    def _object(self, operation: str, path: str) -> Record:
        return _record(operation, self._get(operation, path))

    def _ticket(
        self,
        operation: str,
        method: str,
        path: str,
        *,
        params: t.Mapping[str, t.Any] | None = None,
        json: t.Any = None,
    ) -> Record:
        request = Request(
            operation=operation,
            method=method,
            url=self._base_url + path,
            kind=WRITE,
            params=params,
            json=json,
            json_answer=True,
        )
        return _record(operation, self._exchange.send(request, self._credentials).json())

    def _pages(self, operation: str, path: str, **params: t.Any) -> list[Record]:
        """Return a whole list.

        The number of the first page is not known (section 11), so there is only ever one page: when it does not hold
        everything, it is asked for again with the size that does.
        """
        size = PAGE
        while True:
            answer = self._get(operation, path, {**params, "pageSize": size})
            items = self._items(operation, answer)
            total = (answer.get("Meta") or {}).get("Total") if isinstance(answer, dict) else None
            if not isinstance(total, int) or len(items) >= total:
                return items
            if size >= total:
                raise Unusable(
                    f"{operation}: the service says that there are {total} and sends only {len(items)}.",
                    operation=operation,
                )
            size = total

    def _items(self, operation: str, answer: t.Any) -> list[Record]:
        items = answer.get("Items") if isinstance(answer, dict) else None
        if not isinstance(items, list):
            raise Unusable(f"{operation}: the answer has no list of Items.", operation=operation)
        return items


def _record(operation: str, answer: t.Any) -> Record:
    if not isinstance(answer, dict) or "Id" not in answer:
        raise Unusable(f"{operation}: the answer is no object with an Id.", operation=operation)
    return answer
