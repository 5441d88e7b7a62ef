# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Invoices and their documents, read only (contract/soap-common-fcd.md, "Pricing and billing")."""

from __future__ import annotations

from .documents import ALSO, OPTIONS, RULES, Documents
from .member_reading import Attribute
from .reading import Reading, reader

ROW = "Invoice"
ATTRIBUTES = (
    Attribute("id", ("InvoiceId",)),
    Attribute("number", ("InvoiceNumber",)),
    Attribute("client_id", ("Client",), ("client_id", "id")),
)
DOCUMENTS = Documents(ROW, "invoice_id", "invoice")

OPERATION = reader(
    "invoice_info",
    {
        "invoices": Reading(
            "GetInvoice",
            ("invoice_id",),
            also=ALSO,
            rows=ROW,
            attributes=ATTRIBUTES,
            finish=DOCUMENTS.shown,
            more=DOCUMENTS.saved,
        )
    },
    {"invoice_id": {"type": "int", "required": True, "aliases": ["id"]}, **OPTIONS},
    RULES,
)
