# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Private networks (wire-facts sections 5.4 and 7): one method for each remote operation."""

from __future__ import annotations

import typing as t

from .infrastructure import Infrastructure, Item, Items


class Networks:
    """The private networks of the account."""

    def __init__(self, rest: Infrastructure) -> None:
        self._rest = rest

    def list_networks(self, **filters: t.Any) -> Items:
        """Return private networks; filters: instance_id, query."""
        return self._rest.pages("List private networks", "/opns", **filters)

    def get_network(self, number: int) -> Item:
        """Return one private network. Raises Forbidden or NotFound when there is none."""
        return self._rest.one(f"Read private network {number}", f"/opns/{number}")

    def create_network(self, name: str) -> Item:
        """Make a private network and return the ticket."""
        return self._rest.ticket("Create private network", "POST", "/opns", json={"OpnName": name})

    def change_network(self, number: int, name: str) -> None:
        """Rename a private network, at once."""
        self._rest.silent(f"Rename private network {number}", "PUT", f"/opns/{number}", json={"OpnName": name})

    def delete_network(self, number: int) -> Item:
        """Remove a private network; no instance may be in it."""
        return self._rest.ticket(f"Delete private network {number}", "DELETE", f"/opns/{number}")

    def attach_network(self, number: int, instance_id: int) -> Item:
        """Put an instance into a private network."""
        return self._on_instance("Attach", number, instance_id, "attach_opn_ticket")

    def detach_network(self, number: int, instance_id: int) -> Item:
        """Take an instance out of a private network."""
        return self._on_instance("Detach", number, instance_id, "detach_opn_ticket")

    def _on_instance(self, verb: str, number: int, instance_id: int, action: str) -> Item:
        operation = f"{verb} private network {number} {'to' if verb == 'Attach' else 'from'} instance {instance_id}"
        return self._rest.ticket(operation, "POST", f"/instances/{instance_id}/{action}", json={"OpnId": number})
