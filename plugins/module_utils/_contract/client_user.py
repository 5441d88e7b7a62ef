# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The operation client_user: a user of a client, brought to its state.

Remote operations: docs/service/contract.md, "Users and credentials".
"""

from __future__ import annotations

import typing as t

from .._connection.options import SOAP, OptionSpecs, check_email
from .._connection.task import (
    CREATE_OPTIONS,
    ManagedObject,
    Operation,
    Params,
    Result,
    Settings,
    Task,
    non_null_options,
    result_of,
)
from .._core.errors import InvalidInput
from .._core.text import quoted
from .._core.type_aliases import JsonObject as User
from .._engine.plan import in_words
from .attributes import USER_SETTINGS
from .client_user_changes import EACH_TIME, PLAIN_OPTIONS, own_user_error, same_login
from .client_user_creation import DeclaredUser
from .client_user_record import USER_RESULT, privilege_items, privilege_numbers, user_result
from .connection import common_fcd

INT, TEXT = {"type": "int"}, {"type": "str"}
CLIENT_USER_OPTIONS: OptionSpecs = {
    "id": {"type": "int", "aliases": ["user_id"]},
    "sid": {"type": "str", "aliases": ["ad_sid"]},
    "user_name": {"type": "str", "aliases": ["login"]},
    "user_password": {"type": "str", "no_log": True},
    "update_password": {"type": "str", "choices": ["on_create", EACH_TIME], "default": "on_create", "no_log": False},
    "client_id": INT,
    "first_name": TEXT,
    "last_name": TEXT,
    "email": {"type": "str", "aliases": ["email_address"]},
    "phone_number": TEXT,
    "pesel": {"type": "str", "aliases": ["national_id"], "no_log": True},
    "is_default": {"type": "bool"},
    "privileges": {"type": "list", "elements": "str"},
    "privilege_type_id": INT,
    "settings": {
        "type": "dict",
        "options": {item.name: {"type": "bool"} if item.name.startswith("is_") else INT for item in USER_SETTINGS},
    },
    "state": {"type": "str", "choices": ["present", "absent", "blocked", "unblocked"], "default": "present"},
    **CREATE_OPTIONS,
}


def _check_login(params: Params) -> None:
    """Raise InvalidInput if the options give the login another password than the settings: the user's was meant."""
    own = params.get("password")
    if own is None or params["user_password"] is not None:
        return
    elsewhere = Settings.resolve({**params, "username": None, "password": None}, (SOAP,))
    if elsewhere["password"] not in (None, own) and params.get("username") in (None, elsewhere["username"]):
        raise InvalidInput(
            f"password: it is what {quoted(elsewhere['username'])} logs in with, for whom another one is set in the "
            "environment or the profile. Nothing was sent.",
            next_step="The password of the user itself is user_password. To log in as somebody else, give username "
            "too.",
            option="password",
        )


def run(task: Task, params: Params) -> Result:
    _check_login(params)
    task.redactor.add(params["user_password"], params["pesel"])
    check_client_user(params)
    if params["state"] in ("absent", "blocked") and same_login(params["user_name"], task.settings["username"]):
        raise own_user_error(params)
    api = common_fcd(task)
    desired = _desired(params)
    items = None
    if "privileges" in desired:
        type_id = params["privilege_type_id"]
        items = None if type_id is None else privilege_items(api, type_id)
        desired["privileges"] = privilege_numbers(api, params["privileges"], type_id, items)
    outcome = DeclaredUser(task, params, api, desired).reconcile()
    result = {**result_of("client_user", outcome), "client_user": outcome.record and user_result(outcome.record)}
    return result if items is None else _with_names(result, dict(items))


def _with_names(result: Result, names: t.Mapping[int, str]) -> Result:
    """Return the result with the names of privileges: next to the numbers in the user, with them in the diff."""
    user = result["client_user"]
    if user is not None and user["privileges"] is not None:
        user["privilege_names"] = [names.get(number) for number in user["privileges"]]
    sides = {side: dict(values) for side, values in result["diff"].items()}
    for values in sides.values():
        if values.get("privileges"):
            values["privileges"] = [in_words({"id": one, "label": names.get(one)}) for one in values["privileges"]]
    return {**result, "diff": sides}


def check_client_user(params: Params) -> None:
    """Raise InvalidInput for mistakes that show without asking the service."""
    if params["user_password"] == "" and params["state"] != "absent":
        raise InvalidInput(
            "user_password is empty.",
            next_step="If it comes from a variable of the environment, check that the variable is set.",
            option="user_password",
        )
    if params["state"] != "absent":
        check_email("email", params["email"])
    if params["update_password"] == EACH_TIME and params["user_password"] is None and params["state"] != "absent":
        raise InvalidInput("update_password: always requires user_password.", option="user_password")


def _desired(params: Params) -> User:
    """Return the given values by attribute."""
    if params["state"] == "absent":
        return {}
    desired = non_null_options(params, (*PLAIN_OPTIONS, "privileges"))
    settings = {name: value for name, value in (params["settings"] or {}).items() if value is not None}
    if settings:
        desired["settings"] = settings
    if params["state"] in ("blocked", "unblocked"):
        desired["is_blocked"] = params["state"] == "blocked"
    return desired


OPERATION = Operation(
    "client_user",
    (SOAP,),
    CLIENT_USER_OPTIONS,
    run,
    {"required_one_of": [["id", "sid", "user_name"]], "mutually_exclusive": [["id", "sid"]]},
    members=(*USER_RESULT, "privilege_names", "pesel", "settings"),
    manages=ManagedObject("client_user", "client_user"),
    check=check_client_user,
)
