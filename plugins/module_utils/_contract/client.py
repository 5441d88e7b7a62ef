# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The operation client: options, what is desired of a client, checked against the types of the WSDL, and the result.

Remote operations: contract/soap-common-fcd.md, "Clients".
"""

from __future__ import annotations

import typing as t

from .._connection.options import SOAP
from .._connection.task import STATE, Operation, Params, Result, Task, non_null_options, result_of
from .._core.errors import InvalidInput
from .._core.text import fold, leaf_texts
from .._engine.plan import reconcile
from .api import Record, common_fcd
from .client_changes import DeclaredClient
from .client_record import COMPANY, INDIVIDUAL, RESULT, ClientInputs
from .hidden_values import HARMLESS, diff_without_secrets, joined_values, secrets_in, without_secrets

ADDRESS_TYPES = {"main": 13, "correspondence": 12, "billing": 1015}  # wire-facts 3.2
_TEXT, _OBJECT, _LIST = {"type": "str"}, {"type": "dict"}, {"type": "list", "elements": "dict"}
_ROLES = ("main_address", "correspondence_address", "billing_address")

OPTIONS: dict[str, dict[str, t.Any]] = {
    "id": {"type": "int", "aliases": ["client_id"], "required": True},
    "type": {"type": "str", "choices": [INDIVIDUAL, COMPANY]},
    "default_user": _OBJECT,
    "company": _OBJECT,
    "addresses": _LIST,
    "purge_addresses": {"type": "bool", "default": False},
    "phones": _LIST,
    "purge_phones": {"type": "bool", "default": False},
    **dict.fromkeys(_ROLES, _OBJECT),
    "address_types": {
        "type": "dict",
        "apply_defaults": True,
        "options": {role: {"type": "int", "default": number} for role, number in ADDRESS_TYPES.items()},
    },
    "branch": {"type": "raw"},
    **dict.fromkeys(("project_type", "project_name", "commission"), _TEXT),
    "referrer": _OBJECT,
    **dict.fromkeys(("additional_email_for_invoices", "vat_id", "external_account_number"), _TEXT),
    "pit_data": _OBJECT,
    "fields": _OBJECT,
    "secret_fields": {"type": "dict", "no_log": True},
    **dict.fromkeys(("status", "status_comment"), _TEXT),
    **STATE,
    "delete_comment": _TEXT,
}
ADDRESSES = ("addresses", *_ROLES)
ABOUT_THE_TASK = ("purge_addresses", "purge_phones", "address_types", "status_comment", "state", "delete_comment")
DATA = tuple(name for name in OPTIONS if name not in ("id", "type", "fields", "secret_fields", *ABOUT_THE_TASK))
"""Options that are an input of the operation that sets them."""


def run(task: Task, params: Params) -> Result:
    """Bring the client to its state."""
    inputs = ClientInputs(common_fcd(task))
    resource = DeclaredClient(task, inputs, params)
    task.redactor.add(*leaf_texts(params["secret_fields"]))
    if params["state"] == "present":
        resource.desired = desired_client(params, inputs)
        if params["type"] is not None:
            resource.desired["type"] = params["type"]
    _check_purges(params)
    outcome = reconcile(resource, resource.desired, params["state"], check_mode=task.check_mode)
    before, after = diff_without_secrets(task, outcome.before, outcome.after)
    result = result_of("client", outcome._replace(before=before, after=after))
    blank = {**dict.fromkeys(RESULT), "pit_data": None}
    result["client"] = outcome.record and without_secrets(task, {**blank, **outcome.record})
    if params["state"] == "absent":
        said = without_secrets(task, resource.deletion)
        result.update(deleted=outcome.changed or resource.search.deleted, delete_result=said)
    return result


def _check_purges(params: Params) -> None:
    """Raise InvalidInput when something is to be purged of which nothing is given."""
    if params["purge_addresses"] and all(params[name] is None for name in ADDRESSES):
        raise InvalidInput("purge_addresses needs addresses, or one of the addresses by role.", option="addresses")
    if params["purge_phones"] and params["phones"] is None:
        next_step = "To remove all, give an empty list."
        raise InvalidInput("purge_phones needs phones.", next_step=next_step, option="phones")


def desired_client(params: Params, inputs: ClientInputs) -> Record:
    """Return the values by attribute, in the form of answers. Raises InvalidInput with the path of what is wrong."""
    raw: Record = non_null_options(params, DATA)
    for key, value in (params["fields"] or {}).items():
        name = inputs.field(str(key))
        if name in raw:
            raise InvalidInput(f"fields.{key}: it is already given as {name}.", option="fields")
        raw[name] = value
    _refuse_secrets(raw)
    for key, value in (params["secret_fields"] or {}).items():
        name = next((option for option in DATA if fold(option) == fold(str(key))), None) or inputs.field(str(key))
        raw[name] = joined_values(raw.get(name), value, f"secret_fields.{key}")
    return {name: _checked_value(name, value, inputs) for name, value in raw.items()}


def _refuse_secrets(raw: Record) -> None:
    """Raise InvalidInput for a member that must not be in the log of the task."""
    for path, _value in secrets_in(raw, HARMLESS):
        raise InvalidInput(
            f"{path}: a value of this kind would be logged with the task.",
            next_step="Give it in secret_fields, in the same place.",
            option=path.partition(".")[0],
        )


def _checked_value(name: str, value: t.Any, inputs: ClientInputs) -> t.Any:
    typed, member = inputs.typed, inputs.member(name)
    if name == "branch" and not isinstance(value, (dict, type(None))):
        number = typed.identity(member.type)
        if number is not None:
            return {number: typed.checked(typed.members(member.type)[number], value, name)}
    return typed.checked(member, value, name)


OPERATION = Operation(
    "client", (SOAP,), OPTIONS, run, {"mutually_exclusive": [["addresses", name] for name in ADDRESSES[1:]]}
)
