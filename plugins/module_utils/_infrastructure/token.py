# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tokens: issued, kept and handed out."""

from __future__ import annotations

from .._connection.credentials import IdentityAccount
from .._connection.options import IDENTITY
from .._connection.task import Operation, Params, Result, Task


def issue(task: Task, params: Params) -> Result:
    """Return a token; a renewal counts as a change, as one of the object storage does, so check mode leaves it out."""
    account = IdentityAccount(task)
    anew = params["refresh_token"] or (params["renew"] and not task.check_mode)
    known = account.new_token(params["refresh_token"]) if anew else account.token()
    result = {
        "changed": params["renew"],
        "access_token": known["token"],
        "token_type": known["token_type"],
        "expires_in": None if known["expires_at"] is None else int(known["expires_at"] - task.clock.now()),
        "scope": task.settings["scope"],
    }
    if known.get("refresh_token"):
        result["refresh_token"] = known["refresh_token"]
    return result


OPERATION = Operation(
    name="token",
    services=(IDENTITY,),
    options={"refresh_token": {"type": "str", "no_log": True}, "renew": {"type": "bool", "default": False}},
    run=issue,
    returns_secrets=True,
)
