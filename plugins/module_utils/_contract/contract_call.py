# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The operation contract_call: one operation of the SOAP contract, whatever it is.

An act and no state: what writes is sent once each time, and never again by itself.
"""

from __future__ import annotations

import typing as t

from .._core.errors import InvalidInput, Rejected, ServiceError, Unclear
from .._session.operation import Operation, Params, Result
from .._session.options import SOAP
from .._session.task import Task
from .contract_inputs import holds_secrets, taken
from .task_client import common_fcd

if t.TYPE_CHECKING:
    from .any_operation import AnyOperation

OPTIONS: dict[str, dict[str, t.Any]] = {
    "operation": {"type": "str", "required": True},
    "inputs": {"type": "dict"},
    "secret_inputs": {"type": "dict", "no_log": True},
    "all_pages": {"type": "bool", "default": False},
    "limit": {"type": "int"},
    "read_only": {"type": "bool"},
    "allow_missing_inputs": {"type": "bool", "default": False},
}
MOST_NAMED = 20  # members in a sentence


def run(task: Task, params: Params) -> Result:
    """Call the operation, or in check mode tell what would be sent."""
    secrets = params["secret_inputs"] or {}
    values = taken(task, params["inputs"] or {}, secrets)
    check_limit(params["limit"])
    operation = common_fcd(task).operation(params["operation"], reads=params["read_only"])
    result: Result = {"changed": not operation.reads, "operation": operation.name}
    if params["all_pages"] or params["limit"] is not None:
        result["result"] = operation.rows(values, params["limit"])
    elif operation.reads:
        result["result"] = operation.call(values)
    else:
        if not params["allow_missing_inputs"]:
            _require_all(operation, values)
        if task.check_mode:
            preview = operation.preview(values, secrets)
            return {**result, "would_send": {"operation": operation.name, "inputs": preview}}
        result["result"] = _written(operation, values)
    return {**result, "unknown_members": _told(task, operation)}


def check_limit(limit: int | None) -> None:
    """Raise InvalidInput for a number of rows that makes no sense."""
    if limit is not None and limit < 1:
        raise InvalidInput(f"limit: must be 1 or more, not {limit}.", option="limit")


def _require_all(operation: AnyOperation, values: t.Mapping[str, t.Any]) -> None:
    """Raise InvalidInput for a write that lacks inputs: what is not sent can arrive as 0, and be written."""
    missing = operation.missing(values)
    if missing:
        named = [f"{path}: {asked}" for path, asked in missing.items()]
        more = [f"and {len(named) - MOST_NAMED} more"] if len(named) > MOST_NAMED else []
        raise InvalidInput(
            f"inputs: {operation.name} writes, and what it takes is missing: {'; '.join(named[:MOST_NAMED] + more)}.",
            next_step=f"Give {'it' if len(missing) == 1 else 'them'}, or set allow_missing_inputs to call it without.",
            option="inputs",
            operation=operation.name,
            missing=list(missing),
        )


def _written(operation: AnyOperation, values: t.Mapping[str, t.Any]) -> t.Any:
    """Call an operation that writes; when nobody knows whether it was done, the error says how to find out."""
    try:
        return operation.call(values)
    except (Unclear, ServiceError) as problem:
        if not isinstance(problem, Rejected):
            reads = operation.related_reads()
            way = f" with {' or '.join(reads)}" if reads else ""
            problem.next_step = f"It may have been done: find out{way}, before it is sent again."
        raise


def _told(task: Task, operation: AnyOperation) -> list[str]:
    """Return the members of the answer that the WSDL does not have, and warn of them."""
    unknown = operation.unknown_members[:MOST_NAMED]
    if unknown:
        task.warn(
            f"{operation.name}: the answer has members that the WSDL does not know, which are left out: "
            f"{', '.join(unknown)}. If the service has a newer WSDL, a soap_contract_ttl of 1 reads it anew."
        )
    return unknown


OPERATION = Operation(
    "contract_call", (SOAP,), OPTIONS, run, returns_secrets=lambda result: holds_secrets(result.get("result"))
)
