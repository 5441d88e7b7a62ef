# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The token of the object storage, handed out with the address that it is for (contract: Obtain token)."""

from __future__ import annotations

from .._session.operation import Operation, Params, Result
from .._session.options import STORAGE
from .._session.task import Task
from .connection import storage_token


def issue(task: Task, params: Params) -> Result:
    """Return a token; a renewal changes something, for it revokes every other, so check mode leaves that out."""
    known = storage_token(task, renew=params["renew"] and not task.check_mode)
    return {
        "changed": params["renew"],
        "storage_token": known.value,
        "storage_url": known.facts["url"],
        "expires_in": None if known.expires is None else int(known.expires - task.clock.now()),
    }


OPERATION = Operation(
    name="storage_token",
    services=(STORAGE,),
    options={"renew": {"type": "bool", "default": False}},
    run=issue,
    returns_secrets=True,
)
