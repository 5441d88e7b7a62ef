# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The operation contract_info: what the WSDL at hand offers. Nothing is asked of the service but the WSDL."""

from __future__ import annotations

import typing as t

from .._session.operation import Operation, Params, Result
from .._session.options import SOAP
from .._session.task import Task
from .introspection import Introspection
from .task_client import common_fcd

OPTIONS: dict[str, dict[str, t.Any]] = {
    "operation": {"type": "list", "elements": "str"},
    "type": {"type": "list", "elements": "str"},
    "search": {"type": "str"},
}


def run(task: Task, params: Params) -> Result:
    """Return operations and types."""
    about = Introspection(common_fcd(task).contract)
    operations = [about.name(word) for word in params["operation"] or ()]
    keys = [about.key(word) for word in params["type"] or ()]
    if params["search"]:
        more, types = about.like(params["search"])
        operations, keys = operations + more, keys + types
    chosen = any(params[name] for name in OPTIONS)
    wanted = list(dict.fromkeys(operations)) if chosen else about.names()
    return {
        "changed": False,
        "source": about.source,
        "operations": [about.operation(name) for name in wanted],
        "types": about.reachable(wanted, list(dict.fromkeys(keys))) if chosen else [],
        "left_out": about.left_out,
    }


OPERATION = Operation("contract_info", (SOAP,), OPTIONS, run)
