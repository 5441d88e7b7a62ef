# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The operation client: options, what they want, and the result.

Remote operations: contract/soap-common-fcd.md, "Clients".
"""

from __future__ import annotations

import typing as t

from ..._api.typed_values import TypedValues
from ..._core.errors import InvalidInput
from ..._engine.converge import converge
from ..._session.common_fcd import common_fcd
from ..._session.operation import STATE, Operation, Params, Result, result_of
from ..._session.options import SOAP
from ..._session.task import Task
from ..concealed import concealed, concealed_sides
from .clients import DeclaredClients
from .inputs import COMPANY, INDIVIDUAL, Inputs
from .record import RESULT, Record

ADDRESS_TYPES = {"main": 13, "correspondence": 12, "billing": 1015}  # wire-facts 3.2
_TEXT = {"type": "str"}
_OBJECT = {"type": "dict"}
_LIST = {"type": "list", "elements": "dict"}

OPTIONS: dict[str, dict[str, t.Any]] = {
    "id": {"type": "int", "aliases": ["client_id"], "required": True},
    "type": {"type": "str", "choices": [INDIVIDUAL, COMPANY]},
    "default_user": _OBJECT,
    "company": _OBJECT,
    "addresses": _LIST,
    "purge_addresses": {"type": "bool", "default": False},
    "phones": _LIST,
    "purge_phones": {"type": "bool", "default": False},
    "main_address": _OBJECT,
    "correspondence_address": _OBJECT,
    "billing_address": _OBJECT,
    "address_types": {
        "type": "dict",
        "apply_defaults": True,
        "options": {role: {"type": "int", "default": number} for role, number in ADDRESS_TYPES.items()},
    },
    "branch": {"type": "raw"},
    "project_type": _TEXT,
    "project_name": _TEXT,
    "commission": _TEXT,
    "referrer": _OBJECT,
    "additional_email_for_invoices": _TEXT,
    "vat_id": _TEXT,
    "external_account_number": _TEXT,
    "pit_data": _OBJECT,
    "fields": _OBJECT,
    "secret_fields": {"type": "dict", "no_log": True},
    "status": _TEXT,
    "status_comment": _TEXT,
    **STATE,
    "delete_comment": _TEXT,
}


def run(task: Task, params: Params) -> Result:
    """Bring the client to its state."""
    api = common_fcd(task)
    typed = TypedValues(api.contract)
    inputs = Inputs(typed)
    resource = DeclaredClients(task, api, params, typed, inputs)
    if params["state"] == "present":
        from .declaration import wanted

        resource.wanted = wanted(params, typed, inputs, task.redactor)
        if params["type"] is not None:
            resource.wanted["type"] = params["type"]
    if params["purge_addresses"] and not any(params[name] is not None for name in ADDRESSES):
        raise InvalidInput("purge_addresses needs addresses, or one of the addresses by role.", option="addresses")
    if params["purge_phones"] and params["phones"] is None:
        raise InvalidInput(
            "purge_phones needs phones.", next_step="To remove all, give an empty list.", option="phones"
        )
    outcome = converge(resource, resource.wanted, params["state"], check_mode=task.check_mode)
    before, after = concealed_sides(task, outcome.before, outcome.after)
    result = result_of("client", outcome._replace(before=before, after=after))
    result["client"] = outcome.record and _shown(task, outcome.record)
    if params["state"] == "absent":
        said = concealed(task, resource.deletion)
        result.update(deleted=outcome.changed or resource.search.deleted, delete_result=said)
    return result


def _shown(task: Task, record: Record) -> Record:
    """Return a client as the result shows it: the same keys each time, nothing secret."""
    known = {**dict.fromkeys(RESULT), "pit_data": None, **record}
    return t.cast("Record", concealed(task, known))


ADDRESSES = ("addresses", "main_address", "correspondence_address", "billing_address")
OPERATION = Operation(
    "client",
    (SOAP,),
    OPTIONS,
    run,
    {"mutually_exclusive": [["addresses", name] for name in ADDRESSES[1:]]},
)
