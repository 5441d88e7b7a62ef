# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""SSH keys (wire-facts section 7): one method for each remote operation."""

from __future__ import annotations

import typing as t

from .infrastructure import Infrastructure, Item, Items


class SshKeys:
    """The SSH keys of the account. There is no operation that changes one."""

    def __init__(self, rest: Infrastructure) -> None:
        self._rest = rest

    def list_ssh_keys(self, **filters: t.Any) -> Items:
        """Return ``{Id, Name, Value, OwnerUser, CreationDate}`` of the keys."""
        return self._rest.list_ssh_keys(**filters)

    def get_ssh_key(self, number: int) -> Item:
        """Return one key. Raises NotFound."""
        return self._rest.one(f"Read SSH key {number}", f"/account/sshkeys/{number}")

    def create_ssh_key(self, name: str, value: str) -> Item:
        """Store a key and return it, at once."""
        return self._rest.direct(
            "Create SSH key", "POST", "/account/sshkeys", json={"SshKeyName": name, "SshKey": value}
        )

    def delete_ssh_key(self, number: int) -> None:
        """Remove a key."""
        self._rest.silent(f"Delete SSH key {number}", "DELETE", f"/account/sshkeys/{number}")
