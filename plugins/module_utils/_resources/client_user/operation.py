# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The operation client_user: options, what they want, and the result.

Remote operations: contract/soap-common-fcd.md, "Users and credentials".
"""

from __future__ import annotations

import typing as t

from ..._core.errors import InvalidInput
from ..._engine.converge import converge
from ..._session.common_fcd import common_fcd
from ..._session.operation import Operation, Params, Result, given, result_of
from ..._session.options import SOAP
from ..._session.task import Task
from .own import own_user, same_login
from .record import EACH_TIME, FIELDS, SETTINGS, shown
from .users import ClientUsers

OPTIONS: dict[str, dict[str, t.Any]] = {
    "id": {"type": "int", "aliases": ["user_id"]},
    "sid": {"type": "str", "aliases": ["ad_sid"]},
    "user_name": {"type": "str", "aliases": ["login"]},
    "user_password": {"type": "str", "no_log": True},
    "update_password": {
        "type": "str",
        "choices": ["on_create", EACH_TIME],
        "default": "on_create",
        "no_log": False,
    },
    "client_id": {"type": "int"},
    "first_name": {"type": "str"},
    "last_name": {"type": "str"},
    "email": {"type": "str", "aliases": ["email_address"]},
    "phone_number": {"type": "str"},
    "pesel": {"type": "str", "aliases": ["national_id"], "no_log": True},
    "is_default": {"type": "bool"},
    "privileges": {"type": "list", "elements": "str"},
    "privilege_type_id": {"type": "int"},
    "settings": {
        "type": "dict",
        "options": {item.name: {"type": "bool" if item.name.startswith("is_") else "int"} for item in SETTINGS},
    },
    "state": {"type": "str", "choices": ["present", "absent", "blocked", "unblocked"], "default": "present"},
    "create_grace": {"type": "float", "default": 30.0},
}
AS_GIVEN = tuple(item.name for item in FIELDS if item.name not in ("is_blocked", "privileges", "settings"))


def run(task: Task, params: Params) -> Result:
    """Bring the user to its state."""
    for secret in (params["user_password"], params["pesel"]):
        task.redactor.add(secret)
    _check(task, params)
    api = common_fcd(task)
    wanted = _wanted(params)
    if "privileges" in wanted:
        from .privileges import numbers

        wanted["privileges"] = numbers(api, params["privileges"], params["privilege_type_id"])
    resource = ClientUsers(task, api, params, wanted)
    state = "absent" if params["state"] == "absent" else "present"
    outcome = converge(resource, wanted, state, check_mode=task.check_mode)
    return {**result_of("client_user", outcome), "client_user": shown(outcome.record)}


def _check(task: Task, params: Params) -> None:
    """Raise InvalidInput for what can be told without the service."""
    if params["user_password"] == "" and params["state"] != "absent":
        raise InvalidInput(
            "user_password is empty.",
            next_step="If it comes from a variable of the environment, check that the variable is set.",
            option="user_password",
        )
    if params["state"] in ("absent", "blocked") and same_login(params["user_name"], task.settings["username"]):
        raise own_user(params)
    if params["update_password"] == EACH_TIME and params["user_password"] is None and params["state"] != "absent":
        raise InvalidInput("update_password: always needs user_password.", option="user_password")


def _wanted(params: Params) -> dict[str, t.Any]:
    """Return what the user gave, by attribute."""
    if params["state"] == "absent":
        return {}
    wanted = given(params, (*AS_GIVEN, "privileges"))
    settings = {name: value for name, value in (params["settings"] or {}).items() if value is not None}
    if settings:
        wanted["settings"] = settings
    if params["state"] in ("blocked", "unblocked"):
        wanted["is_blocked"] = params["state"] == "blocked"
    return wanted


OPERATION = Operation(
    "client_user",
    (SOAP,),
    OPTIONS,
    run,
    {"required_one_of": [["id", "sid", "user_name"]], "mutually_exclusive": [["id", "sid"]]},
)
