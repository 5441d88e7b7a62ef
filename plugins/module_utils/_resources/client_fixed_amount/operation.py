# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The operation client_fixed_amount: options and the result.

Remote operations: contract/soap-common-fcd.md, "Pricing and billing".
"""

from __future__ import annotations

from ..._engine.converge import converge
from ..._session.common_fcd import common_fcd
from ..._session.operation import STATE, Operation, Params, Result, result_of
from ..._session.options import SOAP
from ..._session.task import Task
from .amounts import MEMBERS, WANTED, FixedAmounts


def run(task: Task, params: Params) -> Result:
    """Bring the fixed amount to its state."""
    resource = FixedAmounts(task, common_fcd(task), params)
    outcome = converge(resource, resource.wanted, params["state"], check_mode=task.check_mode)
    for side in (outcome.before, outcome.after):
        side.pop("members", None)
    blank = {**dict.fromkeys(MEMBERS), "client_id": params["client_id"], "members": {}}
    record = outcome.record and {**blank, **outcome.record}
    return {**result_of("client_fixed_amount", outcome), "client_fixed_amount": record}


OPERATION = Operation(
    "client_fixed_amount",
    (SOAP,),
    {
        "client_id": {"type": "int", "required": True},
        **{name: {"type": "str"} for name in WANTED},
        "fields": {"type": "dict"},
        **STATE,
        "create_grace": {"type": "float", "default": 30.0},
    },
    run,
)
