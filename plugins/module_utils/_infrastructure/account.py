# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The account itself: its company, addresses and payment (docs/service/infrastructure.md, "Account")."""

from __future__ import annotations

import typing as t

from .._connection.options import REST
from .._connection.task import Operation, Params, Result, Task
from .api import infrastructure
from .rest_records import item_members, plain_members

if t.TYPE_CHECKING:
    from .._core.type_aliases import JsonMapping, JsonObject

_COMPANY = {
    "id": "Id",
    "name": "Name",
    "email": "Email",
    "phone": "Phone",
    "nip": "Nip",
    "regon": "Regon",
    "krs": "Krs",
}
_ADDRESS = {"id": "Id", "street": "Street", "city": "City", "zip": "Zip", "region": "Region"}
_PAYMENT = {
    "account_number": "AccountNumber",
    "external_account_number": "ExternalAccountNumber",
    "vat_rate": "VatRate",
}


def account_record(account: JsonMapping) -> JsonObject:
    """Return the record of the account."""
    company, payment = account.get("Company"), account.get("Payment")
    return {
        **plain_members(account, {"id": "Id", "freemium_enabled": "FreemiumEnabled"}),
        "company": company and plain_members(company, _COMPANY),
        "addresses": [
            {**plain_members(one, _ADDRESS), **item_members(one, {"type": "AddressType", "country": "Country"})}
            for one in account.get("Addresses") or ()
        ],
        "payment": payment
        and {**plain_members(payment, _PAYMENT), **item_members(payment, {"method": "PaymentMethod"})},
    }


def read_own_account(task: Task, params: Params) -> Result:
    """Return the account; one request."""
    del params
    return {"changed": False, "account": account_record(infrastructure(task).get_account())}


INFO = Operation("account_info", (REST,), {}, read_own_account)
