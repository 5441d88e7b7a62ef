# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Public addresses (wire-facts sections 5.4 and 7): one method for each remote operation."""

from __future__ import annotations

import typing as t

from .infrastructure import Infrastructure, Item, Items

PATH = "/instances/ip_addresses"


class Addresses:
    """The public addresses of the account, by their numbers."""

    def __init__(self, rest: Infrastructure) -> None:
        self._rest = rest

    def list_addresses(self, **filters: t.Any) -> Items:
        """Return addresses; filters: instance_id, only_free."""
        return self._rest.list_ip_addresses(**filters)

    def get_address(self, number: int) -> Item:
        """Return one address. Raises NotFound."""
        return self._rest.one(f"Read address {number}", f"{PATH}/{number}")

    def create_address(self, subregion_id: int) -> Item:
        """Reserve an address and return it, at once."""
        return self._rest.direct("Reserve address", "POST", PATH, json={"SubregionId": subregion_id})

    def change_address(self, number: int, body: t.Mapping[str, t.Any]) -> None:
        """Change comment, kind and reverse names."""
        self._rest.silent(f"Change address {number}", "PUT", f"{PATH}/{number}", json=dict(body))

    def delete_address(self, number: int) -> None:
        """Give an address back; it has to be detached."""
        self._rest.silent(f"Delete address {number}", "DELETE", f"{PATH}/{number}")

    def change_address_subregion(self, number: int, subregion_id: int) -> Item:
        """Move an address to another subregion."""
        return self._rest.ticket(
            f"Change the subregion of address {number}",
            "POST",
            f"{PATH}/change_ip_subregion_ticket",
            params={"ipId": number, "subregionId": subregion_id},
        )

    def attach_address(self, number: int, instance_id: int) -> Item:
        """Give an address to an instance."""
        return self._on_instance("Attach", number, instance_id, "attach_ip_ticket")

    def detach_address(self, number: int, instance_id: int) -> Item:
        """Take an address off an instance."""
        return self._on_instance("Detach", number, instance_id, "detach_ip_ticket")

    def _on_instance(self, verb: str, number: int, instance_id: int, action: str) -> Item:
        operation = f"{verb} address {number} {'to' if verb == 'Attach' else 'from'} instance {instance_id}"
        return self._rest.ticket(operation, "POST", f"/instances/{instance_id}/{action}", params={"ipId": number})
