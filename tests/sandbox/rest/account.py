# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The account and its parts (docs/service/infrastructure.md, "Account")."""

from __future__ import annotations

from typing import Any

from sandbox.rest import seeding
from sandbox.rest.call import Call
from sandbox.rest.handlers import handles


@handles("read_account")
def read_account(call: Call) -> Any:
    """The account; how it pays is not told in the hard preset."""
    free, data, value = bool(call.settings["freemium_enabled"]), seeding.read("account"), call.world.dictionaries.value
    address = {**data["address"], "AddressType": value(90223, 1), "Country": value(90224, 1)}
    payment = {**data["payment"], "PaymentMethod": value(90225, 1)}
    company = {"Id": call.world.account.id, **data["company"]}
    shown = {"Addresses": [address], "Payment": payment, "Company": company, "FreemiumEnabled": free}
    return {"Id": call.world.account.id, **shown}
