# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One client by its number: there, deleted, or never heard of.

How the service answers for a client that does not exist is not known (wire-facts 9.3): null and a fault both count, and
GetClientIncludingDeleted says which of the two it is.
"""

from __future__ import annotations

import typing as t

from ..clients import Clients
from ..common_fcd import CommonFcd
from ..confirmation import read_or_listed
from ..member_reading import Attribute, MemberReader
from .record import ClientReader, Record


class ClientSearch:
    """Finds clients; ``deleted`` says that the one looked for last is there as a deleted one."""

    def __init__(self, api: CommonFcd, reader: ClientReader) -> None:
        self._api = api
        self._clients = Clients(api.call)
        self._reader = reader
        self.deleted = False

    def present(self, number: int) -> Record | None:
        """Return the client as the service sends it, None when it is deleted or there is none."""
        row = read_or_listed(lambda: self._clients.get_client(number), _none)
        self.deleted = False
        if row is None:
            row = self._known(number)
        elif self._reader.is_deleted(row):
            row, self.deleted = None, True
        return row

    def _known(self, number: int) -> Record | None:
        """Return a client that GetClient did not show, if it is not deleted."""
        known = read_or_listed(lambda: self._clients.get_client_including_deleted(number), _none)
        if known is None:
            return None
        self.deleted = self._is_deleted(known, number)
        return None if self.deleted else self._clients.get_client(number) or known  # or its fault

    def _is_deleted(self, row: Record, number: int) -> bool:
        said = self._reader.is_deleted(row)
        return not self._is_listed(number) if said is None else said

    def _is_listed(self, number: int) -> bool:
        reader = MemberReader(self._api.members("ClientResultItem"), [Attribute("id", ("ClientId",))])
        reader.needed("id")
        return any(reader.record(row)["id"] == number for row in self._api.search("GetClients", {}))


def _none() -> t.Any:
    return None
