# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Disks (wire-facts section 6): one method for each remote operation."""

from __future__ import annotations

import typing as t

from .infrastructure import Infrastructure, Item, Items


class Disks:
    """The disks of the account; extending and moving to another class are in Infrastructure."""

    def __init__(self, rest: Infrastructure) -> None:
        self._rest = rest

    def list_disks(self, **filters: t.Any) -> Items:
        """Return disks; filters: disk_type (All, System, Custom), show_deleted, query."""
        return self._rest.pages("List disks", "/disks", **filters)

    def get_disk(self, number: int) -> Item:
        """Return one disk. Raises Forbidden or NotFound when there is none; Forbidden may be a missing right."""
        return self._rest.one(f"Read disk {number}", f"/disks/{number}")

    def create_disk(self, body: t.Mapping[str, t.Any]) -> Item:
        """Make a disk and return the ticket."""
        return self._rest.ticket("Create disk", "POST", "/disks", json=dict(body))

    def replace_disk(self, number: int, body: t.Mapping[str, t.Any]) -> Item:
        """Replace every attribute: instances that are left out lose the disk."""
        return self._rest.ticket(f"Change disk {number}", "PUT", f"/disks/{number}", json=dict(body))

    def delete_disk(self, number: int) -> Item:
        """Remove a disk; it has to be detached."""
        return self._rest.ticket(f"Delete disk {number}", "DELETE", f"/disks/{number}")

    def change_disk_subregion(self, number: int, subregion_id: int) -> Item:
        """Move a detached disk to another subregion."""
        return self._act(number, "change_subregion_ticket", subregionId=subregion_id)

    def attach_disk(self, number: int, instance_id: int) -> Item:
        """Put a disk into an instance."""
        return self._act(number, "attach_to_instance_ticket", instanceId=instance_id)

    def detach_disk(self, number: int, instance_id: int) -> Item:
        """Take a disk off an instance."""
        return self._act(number, "detach_from_instance_ticket", instanceId=instance_id)

    def _act(self, number: int, action: str, **params: t.Any) -> Item:
        words = action.replace("_ticket", "").replace("_", " ").capitalize()
        return self._rest.ticket(f"{words} of disk {number}", "POST", f"/disks/{number}/{action}", params=params)
