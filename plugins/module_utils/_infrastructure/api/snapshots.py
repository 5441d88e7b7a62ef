# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Snapshots of instances (wire-facts section 7): one method for each remote operation."""

from __future__ import annotations

import typing as t

from .infrastructure import Infrastructure, Item, Items


class Snapshots:
    """The snapshots of the account."""

    def __init__(self, rest: Infrastructure) -> None:
        self._rest = rest

    def list_snapshots(self, **filters: t.Any) -> Items:
        """Return the snapshots of all instances."""
        return self._rest.pages("List snapshots", "/snapshots", **filters)

    def list_instance_snapshots(self, instance_id: int) -> Items:
        """Return the snapshots of one instance; this list knows no pages."""
        return self._rest.whole(f"List the snapshots of instance {instance_id}", f"/instances/{instance_id}/snapshots")

    def get_snapshot(self, number: int) -> Item:
        """Return one snapshot."""
        return self._rest.one(f"Read snapshot {number}", f"/snapshots/{number}")

    def create_snapshot(self, instance_id: int, body: t.Mapping[str, t.Any]) -> Item:
        """Make a snapshot of an instance and return the ticket."""
        operation = f"Create snapshot of instance {instance_id}"
        return self._rest.ticket(operation, "POST", f"/instances/{instance_id}/snapshots", json=dict(body))

    def change_snapshot(self, number: int, body: t.Mapping[str, t.Any]) -> Item:
        """Change name and description, at once."""
        return self._rest.direct(f"Change snapshot {number}", "PUT", f"/snapshots/{number}", json=dict(body))

    def delete_snapshot(self, number: int) -> Item:
        """Remove a snapshot."""
        return self._rest.ticket(f"Delete snapshot {number}", "DELETE", f"/snapshots/{number}")

    def restore_snapshot(self, number: int) -> Item:
        """Bring the instance back to the snapshot."""
        return self._rest.ticket(f"Restore snapshot {number}", "POST", f"/snapshots/{number}/restore_ticket")
