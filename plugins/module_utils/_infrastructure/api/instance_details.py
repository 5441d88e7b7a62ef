# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What belongs to one instance (wire-facts section 5.2): one method for each remote operation."""

from __future__ import annotations

import typing as t

from ..._core.errors import NotFound, Unusable
from .infrastructure import Infrastructure, Item, Items


class InstanceDetails:
    """What belongs to instances; their disks, addresses and events are in Infrastructure, snapshots in Snapshots."""

    def __init__(self, rest: Infrastructure) -> None:
        self._rest = rest

    def list_instance_networks(self, number: int) -> Items:
        """Return the private networks of an instance (section 7)."""
        return self._rest.pages(f"List the private networks of instance {number}", f"/instances/{number}/opns")

    def list_instance_ssh_keys(self, number: int) -> Items:
        """Return ``{Id, Name, Value}`` of the SSH keys of an instance; this list knows no pages."""
        return self._rest.whole(f"List the SSH keys of instance {number}", f"/instances/{number}/ssh_keys")

    def list_instance_software(self, number: int) -> Items:
        """Return ``{Id, Name}`` of the software of an instance; this list knows no pages."""
        return self._rest.whole(f"List the software of instance {number}", f"/instances/{number}/software")

    def get_init_script(self, number: int) -> str | None:
        """Return the init script as it was sent, base64 text; None when there is none."""
        operation = f"Read the init script of instance {number}"
        try:
            found = self._rest.plain(operation, f"/instances/{number}/init_script")
        except NotFound:
            return None
        return t.cast("t.Optional[str]", _of_kind(found, str, operation, "text"))

    def get_access_data(self, number: int) -> Item:
        """Return ``{Password, SshKeys}``; empty, or with null in it, for some minutes after the creation."""
        operation = f"Read the access data of instance {number}"
        found = self._rest.plain(operation, f"/instances/{number}/access_data")
        return t.cast("Item", _of_kind(found, dict, operation, "object") or {})


def _of_kind(found: t.Any, kind: type, operation: str, word: str) -> t.Any:
    """Return what was found, None included. Raises Unusable without showing any of it, since it may be a secret."""
    if found is not None and not isinstance(found, kind):
        raise Unusable(f"{operation}: the answer is no {word}.", operation=operation)
    return found
