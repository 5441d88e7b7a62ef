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

    def get_dictionary_item_by_id(self, dictionary_item_id: int) -> Record | None:
        """Return an item of a dictionary."""
        return t.cast("t.Optional[Record]", self._send("GetDictionaryItemById", dictionary_item_id=dictionary_item_id))


class ClientChanges:
    """Changes clients; ``send`` is CommonFcd.call, or something that only checks the inputs.

    Every update replaces all that its inputs name.
    """

    def __init__(self, send: Send) -> None:
        self._send = send

    def update_individual_client(self, client_id: int, **values: t.Any) -> None:
        """Replace the data of an individual."""
        self._send("UpdateIndividualClient", client_id=client_id, **values)

    def update_individual_client_with_project_name(self, client_id: int, **values: t.Any) -> None:
        """Replace the data of an individual, the project name too."""
        self._send("UpdateIndividualClientWithProjectName", client_id=client_id, **values)

    def update_company_client(self, client_id: int, **values: t.Any) -> None:
        """Replace the data of a company."""
        self._send("UpdateCompanyClient", client_id=client_id, **values)

    def update_company_client_with_project_name(self, client_id: int, **values: t.Any) -> None:
        """Replace the data of a company, the project name too."""
        self._send("UpdateCompanyClientWithProjectName", client_id=client_id, **values)

    def update_client(self, client_id: int, **values: t.Any) -> None:
        """Replace user, VAT number, addresses, phones and account number of a client of either type."""
        self._send("UpdateClient", client_id=client_id, **values)

    def update_client_with_project_name(self, client_id: int, **values: t.Any) -> None:
        """Replace the same and the project name."""
        self._send("UpdateClientWithProjectName", client_id=client_id, **values)

    def change_individual_client_type(self, client_id: int, **values: t.Any) -> None:
        """Make a company of an individual."""
        self._send("ChangeIndividualClientType", client_id=client_id, **values)

    def change_company_client_type(self, client_id: int, **values: t.Any) -> None:
        """Make an individual of a company."""
        self._send("ChangeCompanyClientType", client_id=client_id, **values)

    def update_client_addresses(self, client_id: int, **values: t.Any) -> None:
        """Replace the main address and those for letters and bills."""
        self._send("UpdateClientAddresses", client_id=client_id, **values)

    def create_or_update_client_pit_data(self, client_id: int, pit_data: Record) -> None:
        """Replace a client's data for the income tax."""
        self._send("CreateOrUpdateClientPitData", client_id=client_id, pit_data=pit_data)

    def update_client_status(self, client_id: int, status: str, **comment: t.Any) -> None:
        """Set the status, with a comment."""
        self._send("UpdateClientStatus", client_id=client_id, status=status, **comment)

    def delete_client(self, client_id: int, **comment: t.Any) -> Record | None:
        """Delete a client, with a comment, and return what the service says to it."""
        return t.cast("t.Optional[Record]", self._send("DeleteClient", client_id=client_id, **comment))
