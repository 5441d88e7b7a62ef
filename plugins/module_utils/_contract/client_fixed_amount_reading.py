# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fixed amounts of clients, read only (contract/soap-common-fcd.md, "Pricing and billing")."""

from __future__ import annotations

from .member_reading import Attribute
from .reading import Reading, reader

ROW = "ClientFixedAmount"
ATTRIBUTES = (
    Attribute("id", ("ClientFixedAmountId", "FixedAmountId")),
    Attribute("client_id", ("Client",), ("client_id", "id")),
    Attribute("amount", ("FixedAmount", "Value")),
    Attribute("date_from", ("From", "StartDate", "ValidFrom")),
    Attribute("date_to", ("To", "EndDate", "ValidTo")),
    Attribute("description", ("Comment",)),
)

_ID = ("client_id",)

OPERATION = reader(
    "client_fixed_amount_info",
    {
        "current": Reading(
            "GetClientFixedAmount", _ID, _ID, rows=ROW, attributes=ATTRIBUTES, key="client_fixed_amounts"
        ),
        "history": Reading(
            "GetClientFixedAmountHistory", _ID, _ID, rows=ROW, attributes=ATTRIBUTES, key="client_fixed_amounts"
        ),
    },
    {"client_id": {"type": "int", "required": True}},
)
