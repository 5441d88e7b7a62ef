# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Price lists, read only (contract/soap-common-fcd.md, "Pricing and billing")."""

from __future__ import annotations

from .member_reading import Attribute
from .reading import Reading, reader

ATTRIBUTES = (
    Attribute("id", ("PricelistId",)),
    Attribute("name", ("PricelistName",)),
    Attribute("is_active", ("Active",)),
)
CLIENTS = (
    Attribute("client_id", ("Client",), ("client_id", "id")),
    Attribute("pricelist_id", ("Pricelist",), ("pricelist_id", "id")),
)

_ID = ("client_id",)
_OWNER = {"client_id": "owner_client_id"}


def _of_client(operation: str, rows: str, *, named: bool = True, owner: bool = True) -> Reading:
    names = _OWNER if owner else {}
    return Reading(operation, _ID, _ID, names=names, named=named, rows=rows, attributes=ATTRIBUTES, key="pricelists")


OPERATION = reader(
    "pricelist_info",
    {
        "all": Reading(
            "GetPricelists",
            ("client_id", "only_active"),
            names=_OWNER,
            searched=True,
            rows="PricelistResultItem",
            attributes=ATTRIBUTES,
            key="pricelists",
        ),
        "simple": _of_client("GetPricelistsSimple", "PricelistSimple", owner=False),
        "of_client": _of_client("GetClientPricelists", "Pricelist", named=False),
        "of_client_simple": _of_client("GetClientPricelistsSimple", "PricelistSimple"),
        "current": _of_client("GetClientCurrentPricelist", "Pricelist"),
        "clients": Reading(
            "GetPricelistsClients", ("pricelist_id",), searched=True, rows="PricelistClientView", attributes=CLIENTS
        ),
    },
    {
        "client_id": {"type": "int", "aliases": ["owner_client_id"]},
        "only_active": {"type": "bool"},
        "pricelist_id": {"type": "int", "aliases": ["id"]},
    },
)
