# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Operations on clients, each named as the contract names it (contract/soap-common-fcd.md, "Clients").

Records are dictionaries with keys in snake_case. Errors: those of SoapClient.call.
"""

from __future__ import annotations

import typing as t

Record = t.Dict[str, t.Any]
Send = t.Callable[..., t.Any]


class Clients:
    """Reads clients; ``send`` is CommonFcd.call."""

    def __init__(self, send: Send) -> None:
        self._send = send

    def get_client(self, client_id: int) -> Record | None:
        """Return a client that is not deleted."""
        return t.cast("t.Optional[Record]", self._send("GetClient", client_id=client_id))

    def get_client_including_deleted(self, client_id: int) -> Record | None:
        """Return a client, a deleted one too."""
        return t.cast("t.Optional[Record]", self._send("GetClientIncludingDeleted", client_id=client_id))

    def get_client_pit_data(self, client_id: int) -> Record | None:
        """Return a client's data for the income tax."""
        return t.cast("t.Optional[Record]", self._send("GetClientPitData", client_id=client_id))


class ClientChanges:
    """Changes clients; ``send`` is CommonFcd.call, or something that only checks the inputs."""

    def __init__(self, send: Send) -> None:
        self._send = send

    def update(self, operation: str, client_id: int, **values: t.Any) -> None:
        """Replace all that the inputs of one of the updates name (UpdateClient, ChangeCompanyClientType and so on)."""
        self._send(operation, client_id=client_id, **values)

    def create_or_update_client_pit_data(self, client_id: int, pit_data: Record) -> None:
        """Replace a client's data for the income tax."""
        self._send("CreateOrUpdateClientPitData", client_id=client_id, pit_data=pit_data)

    def update_client_status(self, client_id: int, status: str, **comment: t.Any) -> None:
        """Set the status, with a comment."""
        self._send("UpdateClientStatus", client_id=client_id, status=status, **comment)

    def delete_client(self, client_id: int, **comment: t.Any) -> Record | None:
        """Delete a client, with a comment, and return what the service says to it."""
        return t.cast("t.Optional[Record]", self._send("DeleteClient", client_id=client_id, **comment))
