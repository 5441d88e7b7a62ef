# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fixed amounts and price lists, each operation named as the contract names it.

Source: contract/soap-common-fcd.md, "Pricing and billing". Records are dictionaries with keys in snake_case. Errors:
those of SoapClient.call.
"""

from __future__ import annotations

import typing as t

from .common_fcd import CommonFcd

Record = t.Dict[str, t.Any]


class Pricing:
    """The operations on fixed amounts and price lists."""

    def __init__(self, api: CommonFcd) -> None:
        self._api = api

    def get_client_fixed_amount(self, client_id: int) -> Record | None:
        """Return the fixed amount of a client."""
        return t.cast("t.Optional[Record]", self._api.call("GetClientFixedAmount", client_id=client_id))

    def get_client_fixed_amount_history(self, client_id: int) -> list[Record]:
        """Return what became of a client's fixed amounts."""
        return t.cast("t.List[Record]", self._api.call("GetClientFixedAmountHistory", client_id=client_id))

    def create_client_fixed_amount(self, client_fixed_amount: Record) -> None:
        """Create a fixed amount; the client is in it."""
        self._api.call("CreateClientFixedAmount", client_fixed_amount=client_fixed_amount)

    def update_client_fixed_amount(self, client_fixed_amount: Record) -> None:
        """Replace a fixed amount; its number is in it."""
        self._api.call("UpdateClientFixedAmount", client_fixed_amount=client_fixed_amount)

    def delete_client_fixed_amount(self, client_fixed_amount_id: int) -> None:
        """Delete a fixed amount."""
        self._api.call("DeleteClientFixedAmount", client_fixed_amount_id=client_fixed_amount_id)

    def get_pricelists(self, **criteria: t.Any) -> list[Record]:
        """Return the price lists that fit the criteria."""
        return self._api.search("GetPricelists", criteria)

    def get_pricelists_clients(self, **criteria: t.Any) -> list[Record]:
        """Return clients with their price lists."""
        return self._api.search("GetPricelistsClients", criteria)

    def get_client_current_pricelist(self, owner_client_id: int) -> Record | None:
        """Return the price list that a client has now."""
        return t.cast(
            "t.Optional[Record]", self._api.call("GetClientCurrentPricelist", owner_client_id=owner_client_id)
        )

    def get_client_pricelists_simple(self, owner_client_id: int) -> list[Record]:
        """Return the price lists of a client as PricelistSimple."""
        return t.cast("t.List[Record]", self._api.call("GetClientPricelistsSimple", owner_client_id=owner_client_id))

    def change_pricelist(self, clients_ids: t.Sequence[int], new_pricelist_id: int) -> None:
        """Give clients a price list."""
        self._api.call("ChangePricelist", clients_ids=clients_ids, new_pricelist_id=new_pricelist_id)

    def delete_pricelists(self, pricelists_ids: t.Sequence[int], client_id: int) -> None:
        """Delete price lists of a client."""
        self._api.call("DeletePricelists", pricelists_ids=pricelists_ids, client_id=client_id)
