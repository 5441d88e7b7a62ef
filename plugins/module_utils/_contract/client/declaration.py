# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is wanted of a client: options, fields and secret_fields together, checked against the types of the WSDL."""

from __future__ import annotations

import typing as t

from ..._core.errors import InvalidInput
from ..._core.names import fold, names_a_secret
from ..._core.redaction import Redactor
from ..._session.operation import Params, given
from ..typed_values import TypedValues
from .inputs import Inputs
from .record import Record

DATA = (
    "default_user",
    "company",
    "addresses",
    "phones",
    "branch",
    "project_type",
    "commission",
    "referrer",
    "additional_email_for_invoices",
    "project_name",
    "vat_id",
    "external_account_number",
    "main_address",
    "correspondence_address",
    "billing_address",
    "pit_data",
    "status",
)
"""Options that are an input of the operation that sets them."""
NOT_SECRET = {"code"}  # a member of that name is one of a street or a country, not one that lets somebody in


def wanted(params: Params, typed: TypedValues, inputs: Inputs, redactor: Redactor) -> Record:
    """Return the values by attribute, in the form of answers. Raises InvalidInput with the path of what is wrong."""
    raw: Record = given(params, DATA)
    for key, value in (params["fields"] or {}).items():
        name = inputs.field(str(key))
        if name in raw:
            raise InvalidInput(f"fields.{key}: it is given as {name} already.", option="fields")
        raw[name] = value
    _refuse_secrets(raw, "")
    for key, value in (params["secret_fields"] or {}).items():
        _learn(value, redactor)
        name = next((option for option in DATA if fold(option) == fold(str(key))), None) or inputs.field(str(key))
        raw[name] = _together(raw.get(name), value, f"secret_fields.{key}")
    return {name: _checked(name, value, typed, inputs) for name, value in raw.items()}


def _checked(name: str, value: t.Any, typed: TypedValues, inputs: Inputs) -> t.Any:
    member = inputs.member(name)
    if name == "branch" and not isinstance(value, (dict, type(None))):
        number = typed.identity(member.type)
        if number is not None:
            return {number: typed.checked(typed.members(member.type)[number], value, name)}
    return typed.checked(member, value, name)


def _refuse_secrets(value: t.Any, path: str) -> None:
    """Raise InvalidInput for a member that must not be in the log of the task."""
    if isinstance(value, (list, tuple)):
        for index, entry in enumerate(value):
            _refuse_secrets(entry, f"{path}[{index}]")
    if not isinstance(value, dict):
        return
    for key, entry in value.items():
        inside = f"{path}.{key}".lstrip(".")
        if names_a_secret(str(key)) and fold(str(key)) not in NOT_SECRET and entry is not None:
            raise InvalidInput(
                f"{inside}: a value of this kind would be logged with the task.",
                next_step="Give it in secret_fields, in the same place.",
                option=inside.partition(".")[0],
            )
        _refuse_secrets(entry, inside)


def _learn(value: t.Any, redactor: Redactor) -> None:
    for entry in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        _learn(entry, redactor)
    if isinstance(value, (str, int)) and not isinstance(value, bool):
        redactor.add(str(value))


def _together(plain: t.Any, secret: t.Any, path: str) -> t.Any:
    """Return both dictionaries as one; what is secret comes first."""
    if plain is None or not isinstance(secret, dict):
        return secret
    if not isinstance(plain, dict):
        raise InvalidInput(f"{path}: there is a plain value in the same place.", option="secret_fields")
    merged = dict(plain)
    for key, value in secret.items():
        same = next((known for known in merged if fold(str(known)) == fold(str(key))), key)
        merged[same] = _together(merged.get(same), value, f"{path}.{key}")
    return merged
