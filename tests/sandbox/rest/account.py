# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The account and its parts (docs/service/infrastructure.md, "Account")."""

from __future__ import annotations

from typing import Any

from sandbox.rest.call import Call
from sandbox.rest.handlers import handles


@handles("read_account")
def read_account(call: Call) -> Any:
    """The account; unknown members are empty."""
    free = bool(call.settings["freemium_enabled"])
    return {"Id": call.world.account.id, "Addresses": [], "Payment": None, "Company": None, "FreemiumEnabled": free}
