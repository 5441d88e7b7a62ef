# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""An SSH key as plain data, and how it is found. Members: wire-facts section 7."""

from __future__ import annotations

import typing as t

from ..._api.ssh_keys import SshKeys
from ..parts.record import Api, Record, plain
from ..parts.search import Item, PartSearch

if t.TYPE_CHECKING:
    from ..._api.infrastructure import Infrastructure

_PLAIN = {"id": "Id", "name": "Name", "public_key": "Value", "creation_date": "CreationDate"}


class KeySearch(PartSearch):
    """Finds SSH keys."""

    kind = "SSH key"
    kinds = "SSH keys"

    def __init__(self, api: Infrastructure) -> None:
        super().__init__(api)
        self.keys = SshKeys(api)

    def listed(self, **filters: t.Any) -> list[Item]:
        """Return the keys that the service lists."""
        return self.keys.list_ssh_keys(**filters)

    def read(self, number: int) -> Item:
        """Return one key."""
        return self.keys.get_ssh_key(number)

    def described(self, item: Api) -> Record:
        """Return the record of a key."""
        return described(item)


def described(key: Api) -> Record:
    """Return the record of a key."""
    owner = key.get("OwnerUser") or {}
    return {**plain(key, _PLAIN), "owner_user": owner.get("Login")}


def same_key(wanted: t.Any, current: t.Any) -> bool:
    """Return whether two texts are the same key: its type and data count, the comment behind them in its line not."""
    return _essence(str(wanted)) == _essence(str(current or ""))


def _essence(text: str) -> list[str]:
    words = text.split()
    one_line = len(text.strip().splitlines()) == 1
    return words[:2] if one_line and len(words) > 1 and words[1].startswith("AAAA") else words
