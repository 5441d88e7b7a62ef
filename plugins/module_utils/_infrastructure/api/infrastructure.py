# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The infrastructure REST interface: one method for each remote operation; PascalCase data in and out, unchanged.

Source: wire-facts sections 2 to 8. Reads raise the ServiceError of their status. An operation that changes something
returns its ticket (section 8); without a clear answer it raises Unclear or ServiceError, and may have been done.
"""

from __future__ import annotations

import typing as t

from ..._core.errors import FcdError, NotFound, Unclear, Unusable
from ..._http.messages import READ, WRITE, Credentials, Request, Response
from .line import AUTO, Line
from .paging import Paging

if t.TYPE_CHECKING:
    from ..._http.client import Exchange

Item = t.Dict[str, t.Any]
Items = t.List[Item]


class Infrastructure:
    """The service at ``base_url``; ``api_version`` is the setting of that name."""

    def __init__(self, exchange: Exchange, base_url: str, credentials: Credentials, api_version: str = AUTO) -> None:
        self._exchange = exchange
        self._base = base_url.rstrip("/")
        self._credentials = credentials
        self._line = Line(api_version)
        self._paging = Paging()

    def is_older_line(self) -> bool:
        """Return whether the service runs the line of 2020; with ``auto`` the first call of a task sends a request."""
        return self._line.older(self)

    # ---------------------------------------------------------------- dictionaries, section 3

    def list_dictionaries(self) -> Items:
        """Return ``{Id, Name}`` of every dictionary.

        The contract writes the path with a slash at its end, public descriptions write it without.
        """
        try:
            return self.whole("List dictionaries", "/dictionaries/")
        except NotFound:
            return self.whole("List dictionaries", "/dictionaries")

    def get_dictionary(self, number: int) -> Items:
        """Return the items ``{Id, Label, Dictionary}`` of one dictionary."""
        return self.whole(f"Read dictionary {number}", f"/dictionaries/{number}")

    # ---------------------------------------------------------------- subregions, templates, types, section 4

    def list_subregions(self) -> Items:
        """Return ``{Id, Name, IsActive}`` of every subregion."""
        return self.whole("List subregions", "/subregions")

    def list_templates(self, source: str | None = None, **filters: t.Any) -> Items:
        """Return templates; ``source`` is All, Standard, Own, CommunityCatalogue or Marketplace."""
        return self.pages("List templates", "/templates", source=source, **filters)

    def list_instance_types(self, **filters: t.Any) -> Items:
        """Return ``{Id, Name, Cpu, Ram, AvailableForFreemium, Category}`` of the instance types; Ram is in MB."""
        return self.pages("List instance types", "/instances/types", **filters)

    # ---------------------------------------------------------------- instances, section 5

    def list_instances(self, **filters: t.Any) -> Items:
        """Return instances; filters: query, template_type_id, is_turned_on, subregion_id, type_id."""
        return self.pages("List instances", "/instances", **filters)

    def get_instance(self, number: int) -> Item:
        """Return one instance. Raises Forbidden or NotFound when there is none; Forbidden may be a missing right."""
        return self.one(f"Read instance {number}", f"/instances/{number}")

    def listed_instance(self, number: int, name: str) -> Item | None:
        """Return an instance as a list shows it, searched for by that name; None when it shows none."""
        return next((one for one in self.list_instances(query=name) if one.get("Id") == number), None)

    def create_instance(self, body: t.Mapping[str, t.Any]) -> Item:
        """Make an instance (section 5.3) and return the ticket."""
        return self.ticket("Create instance", "POST", "/instances", json=dict(body))

    def change_name(self, number: int, name: str) -> Item:
        """Rename an instance."""
        return self._act(number, "change_name_ticket", name=name)

    def change_type(self, number: int, type_id: int) -> Item:
        """Change the type of an instance."""
        return self._act(number, "change_type_ticket", typeId=type_id)

    def power_on(self, number: int) -> Item:
        """Turn an instance on."""
        return self._act(number, "power_on_ticket")

    def power_off(self, number: int) -> Item:
        """Turn an instance off at once, like pulling the plug."""
        return self._act(number, "power_off_ticket")

    def shutdown(self, number: int) -> Item:
        """Let the guest shut itself down; it needs guest tools."""
        return self._act(number, "shutdown_ticket")

    def reboot(self, number: int) -> Item:
        """Let the guest start itself anew; it needs guest tools."""
        return self._act(number, "reboot_ticket")

    def reset(self, number: int) -> Item:
        """Start an instance anew at once."""
        return self._act(number, "reset_ticket")

    def delete_instance(self, number: int, *, deep: bool | None = None) -> Item:
        """Remove an instance; additional disks go with it only when ``deep``."""
        params = {"deep": deep or None}
        return self.ticket(f"Delete instance {number}", "DELETE", f"/instances/{number}", params=params)

    def list_instance_disks(self, number: int, **filters: t.Any) -> Items:
        """Return the disks of an instance (section 6); filters: disk_type (All, System, Custom), query."""
        return self.pages(f"List the disks of instance {number}", f"/instances/{number}/disks", **filters)

    def list_instance_ip_addresses(self, number: int) -> Items:
        """Return the public addresses of an instance (section 7)."""
        return self.pages(f"List the addresses of instance {number}", f"/instances/{number}/ip_addresses")

    def list_instance_events(self, number: int) -> Items:
        """Return the events of an instance: what was done, and the messages of failures (section 8)."""
        return self.pages(f"List the events of instance {number}", f"/instances/{number}/events")

    # ---------------------------------------------------------------- tickets, section 8

    def get_ticket(self, number: int) -> Item:
        """Return one ticket. Raises NotFound."""
        return self.one(f"Read ticket {number}", f"/tickets/{number}")

    def list_tickets(self, **filters: t.Any) -> Items:
        """Return tickets; filters: status_id, creation_date_from, creation_date_to (ISO 8601, UTC)."""
        return self.pages("List tickets", "/tickets", **filters)

    # ---------------------------------------------------------------- disks, addresses, keys, sections 6 and 7

    def extend_disk(self, number: int, space_capacity: int) -> Item:
        """Grow a disk to a new size in GB."""
        return self.ticket(
            f"Extend disk {number}", "POST", f"/disks/{number}/extend_ticket", params={"spaceCapacity": space_capacity}
        )

    def change_disk_tier(self, number: int, tier_id: int) -> Item:
        """Move a disk to another class."""
        return self.ticket(
            f"Change the class of disk {number}",
            "POST",
            f"/disks/{number}/change_tier_ticket",
            params={"tierId": tier_id},
        )

    def list_ip_addresses(self, **filters: t.Any) -> Items:
        """Return public addresses; filters: instance_id, only_free."""
        return self.pages("List addresses", "/instances/ip_addresses", **filters)

    def list_ssh_keys(self, **filters: t.Any) -> Items:
        """Return ``{Id, Name, Value, OwnerUser, CreationDate}`` of the account's SSH keys."""
        return self.pages("List SSH keys", "/account/sshkeys", **filters)

    # ---------------------------------------------------------------- how they travel, for other files too

    def _act(self, number: int, action: str, **params: t.Any) -> Item:
        """Start an operation on an instance (section 5.4): inputs are in the query, there is no body."""
        words = action.replace("_ticket", "").replace("_", " ").capitalize()
        return self.ticket(f"{words} of instance {number}", "POST", f"/instances/{number}/{action}", params=params)

    def ticket(
        self,
        operation: str,
        method: str,
        path: str,
        params: t.Mapping[str, t.Any] | None = None,
        json: t.Any = None,
    ) -> Item:
        """Change something that takes time, and return the ticket."""
        return self.direct(operation, method, path, params, json, what="ticket")

    def direct(
        self,
        operation: str,
        method: str,
        path: str,
        params: t.Mapping[str, t.Any] | None = None,
        json: t.Any = None,
        what: str = "object with an Id",
    ) -> Item:
        """Change something that is done at once, and return the object that the service answers with."""
        request = self._request(operation, method, path, WRITE, params, json)
        response = self._exchange.send(request, self._credentials)
        found = response.json()
        if not isinstance(found, dict) or not isinstance(found.get("Id"), int):
            raise Unclear(
                f"{operation}: the answer is no {what}; nobody knows whether it was done.",
                **_details(request, response),
            )
        return found

    def silent(self, operation: str, method: str, path: str, json: t.Any = None) -> None:
        """Change something that is done at once and answered with an empty body (wire-facts section 2)."""
        request = self._request(operation, method, path, WRITE, None, json)._replace(empty_ok=True)
        self._exchange.send(request, self._credentials)

    def plain(self, operation: str, path: str) -> t.Any:
        """Return whatever JSON stands there; None when the body is empty."""
        request = self._request(operation, "GET", path, READ, None)._replace(empty_ok=True)
        return self._exchange.send(request, self._credentials).json()

    def probe(self, operation: str, path: str) -> None:
        """Ask for one row of a list, whose content does not matter. Raises what the service says to it."""
        self._exchange.send(self._request(operation, "GET", path, READ, {"pageSize": 1}), self._credentials)

    def one(self, operation: str, path: str) -> Item:
        """Return one object."""
        request = self._request(operation, "GET", path, READ, None)
        response = self._exchange.send(request, self._credentials)
        found = response.json()
        if not isinstance(found, dict) or "Id" not in found:
            raise _unusable(request, response, "is no object with an Id")
        return found

    def whole(self, operation: str, path: str) -> Items:
        """Read a list that knows no pages."""
        return self._page(operation, path, {})[0]

    def pages(self, operation: str, path: str, **filters: t.Any) -> Items:
        """Read a whole list, whatever its pages are."""
        query = {_camel(name): value for name, value in filters.items()}

        def ask(page: dict[str, t.Any], fresh: bool) -> tuple[Items, int]:
            return self._page(operation, path, {**query, **page}, fresh)

        return self._paging.whole(operation, path, ask)

    def _page(self, operation: str, path: str, query: t.Mapping[str, t.Any], fresh: bool = False) -> tuple[Items, int]:
        request = self._request(operation, "GET", path, READ, query)._replace(fresh=fresh)
        response = self._exchange.send(request, self._credentials)
        found = response.json()
        items = found.get("Items") if isinstance(found, dict) else None
        if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
            raise _unusable(request, response, "is no list of objects in Items")
        meta = found.get("Meta")
        total = meta.get("Total") if isinstance(meta, dict) else None
        return items, total if isinstance(total, int) else len(items)

    def _request(
        self,
        operation: str,
        method: str,
        path: str,
        kind: str,
        params: t.Mapping[str, t.Any] | None,
        json: t.Any = None,
    ) -> Request:
        return Request(
            operation=operation,
            method=method,
            url=self._base + path,
            kind=kind,
            params=params,
            json=json,
            json_answer=True,
            fixed=kind == READ and not any(letter.isdigit() for letter in path),  # no number of an object in it
        )


def _camel(name: str) -> str:
    head, *rest = name.split("_")
    return head + "".join(word.capitalize() for word in rest)


def _unusable(request: Request, response: Response, problem: str) -> FcdError:
    return Unusable(
        f"{request.operation}: the answer (HTTP {response.status}) {problem}.",
        next_step="Check that base_url is the address of the infrastructure interface.",
        **_details(request, response),
    )


def _details(request: Request, response: Response) -> dict[str, t.Any]:
    return {"operation": request.operation, "status": response.status, "request_id": response.request_id}
