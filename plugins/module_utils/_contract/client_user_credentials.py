# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Passwords and log-ins of users: one-off actions, because neither passwords nor sessions can be read.

Remote operations: docs/service/contract.md, "Users and credentials". None is ever repeated after an unclear
answer: a repeated log-in could lock the account.
"""

from __future__ import annotations

import contextlib

from .._connection.options import SOAP, OptionSpecs
from .._connection.task import Operation, Params, Result, Task, non_null_options
from .._core.errors import PLAIN_REFUSALS, FcdError, InvalidInput, Rejected, ServiceError, Unauthorized, Unclear
from .._core.later import LATER
from .._core.text import HIDDEN, fold, quoted
from .._core.type_aliases import JsonObject
from .api import CommonFcd
from .client_user_record import CLIENT_ADDRESS, USER_RESULT, UserSearch, read_user, user_of_log_on, user_result
from .connection import common_fcd
from .hidden_values import NATIONAL_ID
from .one_off_actions import OneOffAction, action_options, send_once, valid_action

LOGIN = ("user_name",)
VERIFIED_OPTIONS = (*LOGIN, "verify_first")
PASSWORD_ACTIONS = {
    "change": OneOffAction(
        "ChangeUserPassword", ("old_password", "new_password"), ("user_id", "sid"), VERIFIED_OPTIONS, LOGIN
    ),
    "set": OneOffAction("SetUserPassword", ("new_password",), ("user_id",), VERIFIED_OPTIONS, LOGIN),
    "request_reset": OneOffAction("RequestForResetPassword", ("email",), takes=("link_to_change_password",)),
    "reset": OneOffAction("ResetPassword", ("token", "new_password"), takes=VERIFIED_OPTIONS),
}
FIND_OUT = {"request_reset": "A message may be on its way. Wait for it before you request another one."}
LOG_IN_TO_FIND_OUT = (
    "The password may have been changed. Log in with the new one (client_user_session with action: logon) to find out, "
    "before you run the task again."
)
PASSWORD_OPTIONS: OptionSpecs = {
    "user_id": {"type": "int", "aliases": ["id"]},
    "sid": {"type": "str", "aliases": ["ad_sid"]},
    "user_name": {"type": "str", "aliases": ["login"]},
    "old_password": {"type": "str", "no_log": True},
    "new_password": {"type": "str", "no_log": True},
    "verify_first": {"type": "bool", "default": False},
    "email": {"type": "str", "aliases": ["email_address"]},
    "link_to_change_password": {"type": "str", "no_log": False},
    "token": {"type": "str", "no_log": True},
}
LOGIN_OPTIONS = ("user_name", "user_password")
SESSION_ACTIONS = {
    "logon": OneOffAction("LogonUser", takes=(*LOGIN_OPTIONS, "ip_address", "user_agent")),
    "impersonate": OneOffAction("ImpersonateUser", ("current_user_sid", "user_email")),
    "validate_token": OneOffAction("ValidateToken", ("token",)),
    "clean_last_logon": OneOffAction("CleanLastLogonDate", takes=LOGIN_OPTIONS),
}
NOT_TWICE = "It is not known whether this was done. Before you try again, note that failed logins may lock an account."
SESSION_OPTIONS: OptionSpecs = {
    "user_name": {"type": "str", "aliases": ["login"]},
    "user_password": {"type": "str", "no_log": True},
    "ip_address": {"type": "str"},
    "user_agent": {"type": "str"},
    "current_user_sid": {"type": "str"},
    "user_email": {"type": "str", "aliases": ["email"]},
    "token": {"type": "str", "no_log": True},
}


def change_password(task: Task, params: Params) -> Result:
    """Do the action, unless it should check first and the password already works."""
    task.redactor.add(params["old_password"], params["new_password"], params["token"])
    action = valid_action(PASSWORD_ACTIONS, params)
    if params["verify_first"] and params["user_name"] is None:
        raise InvalidInput("verify_first requires user_name to log in with.", option="user_name")
    api, result = common_fcd(task), {"changed": True, "action": action}
    with_id = _with_user_id(task, api, PASSWORD_ACTIONS[action], params)
    if with_id is None:
        return result
    operation, inputs = _password_call(action, with_id)
    api.checking().call(operation, **inputs)
    if task.check_mode:
        return result
    if params["verify_first"] and _works(api, with_id):
        return {**result, "changed": False}
    try:
        send_once(lambda: api.call(operation, **inputs), FIND_OUT.get(action, LOG_IN_TO_FIND_OUT))
    except (Unclear, ServiceError) as problem:
        if isinstance(problem, Rejected) or not _certainly_works(api, with_id):
            raise
    return result


def _with_user_id(task: Task, api: CommonFcd, action: OneOffAction, params: Params) -> Params | None:
    """Return the options with the ID of the user if only the login is given.

    Raises InvalidInput when there is no such user, and Ambiguous; returns None where an earlier task would create it.
    """
    if not action.one_of or any(params[option] is not None for option in action.one_of):
        return params
    search = UserSearch(task, api, None, other_options="user_id")
    row = search.by_login(params["user_name"], None)
    if row is not None:
        return {**params, "user_id": search.reader.record(None, row)["id"]}
    task.refuse_missing(
        InvalidInput(
            f"user_name: there is no user {quoted(params['user_name'])}.",
            next_step="Check it, or give user_id.",
            option="user_name",
        )
    )
    return None


def _password_call(action: str, params: Params) -> tuple[str, Params]:
    """Return the operation of an action and its inputs."""
    if action == "change" and params["sid"] is not None:
        return "ChangePassword", {"ad_sid": params["sid"], **non_null_options(params, ["old_password", "new_password"])}
    inputs = ("user_id", "old_password", "email", "link_to_change_password", "token", "new_password")
    return PASSWORD_ACTIONS[action].operation, non_null_options(params, inputs)


def _works(api: CommonFcd, params: Params) -> bool:
    """Return whether the user can log in with the new password. Raises InvalidInput when that is another user."""
    name, number = params["user_name"], params["user_id"]
    try:
        answer = api.record("LogonUser", user=name, password=params["new_password"], ip_address=CLIENT_ADDRESS)
    except Rejected as refusal:
        if isinstance(refusal, PLAIN_REFUSALS):
            raise
        return False
    found = user_of_log_on(api, answer)
    if found is not None and number is not None and found.get("id") not in (None, number):
        raise InvalidInput(
            f"user_name: the login {name!r} belongs to the user with the ID {found['id']}, but user_id is {number}.",
            option="user_name",
        )
    return found is not None


def _certainly_works(api: CommonFcd, params: Params) -> bool:
    with contextlib.suppress(FcdError):
        return params["verify_first"] and _works(api, params)
    return False


USER_PASSWORD = Operation(
    "client_user_password", (SOAP,), action_options(PASSWORD_ACTIONS, PASSWORD_OPTIONS), change_password
)


def open_session(task: Task, params: Params) -> Result:
    """Do the action; in check mode, only check what would be sent, except for actions that merely ask."""
    task.redactor.add(params["token"], params["user_password"])
    action = valid_action(SESSION_ACTIONS, params)
    api = common_fcd(task)
    operation, inputs = SESSION_ACTIONS[action].operation, _session_inputs(task, action, params)
    api.checking().call(operation, **inputs)
    nothing = dict.fromkeys(("user", "members", "valid"))
    result: Result = {"changed": action == "clean_last_logon", "action": action, **nothing}
    if action == "validate_token":
        return {**result, "valid": api.is_true(operation, **inputs)}
    if task.check_mode:
        tells = task.planned_objects is not None and action != "clean_last_logon"
        return {**result, "user": {**dict.fromkeys(USER_RESULT, LATER), "settings": {}} if tells else None}
    answer = send_once(lambda: api.record(operation, **inputs), NOT_TWICE, changes=result["changed"])
    return result if action == "clean_last_logon" else {**result, **_session(api, action, inputs, answer)}


def _session_inputs(task: Task, action: str, params: Params) -> Params:
    if action == "validate_token":
        return {"token": params["token"]}
    if action == "impersonate":
        return {"currentUserSID": params["current_user_sid"], "user_email": params["user_email"]}
    login = {"user": params["user_name"], "password": params["user_password"]}
    if params["user_name"] is None:  # the login of the module itself, without the domain
        settings = task.settings
        login = {"user": settings["username"].rpartition("\\")[2], "password": settings["password"]}
    if action == "clean_last_logon":
        return login
    return {**login, "ip_address": params["ip_address"] or CLIENT_ADDRESS, **non_null_options(params, ["user_agent"])}


def _session(api: CommonFcd, action: str, inputs: Params, answer: JsonObject | None) -> Result:
    """Return the user and everything that the service says about it. Raises Rejected if it says nobody."""
    user = user_of_log_on(api, answer) if action == "logon" else read_user(api, answer) if answer else None
    if user is None and action == "logon":
        raise Unauthorized(
            f"LogonUser: the login failed: {quoted(inputs['user'])} is not a user with this password.",
            next_step="Check user_name and user_password. The login was tried only once, since failed logins may lock "
            "an account.",
            operation="LogonUser",
        )
    if user is None:
        raise Rejected(
            f"ImpersonateUser: the service returned no user for {quoted(inputs['user_email'])}.",
            next_step="Check user_email, and that current_user_sid belongs to a user who may impersonate others.",
            operation="ImpersonateUser",
        )
    return {"user": user_result(user), "members": _without_national_ids(answer)}


def _without_national_ids(value: object) -> object:
    """Return the value without national IDs, which, unlike tokens, are no use to whoever logs in."""
    if isinstance(value, list):
        return [_without_national_ids(entry) for entry in value]
    if not isinstance(value, dict):
        return value
    return {
        key: HIDDEN if NATIONAL_ID in fold(key) and entry else _without_national_ids(entry)
        for key, entry in value.items()
    }


USER_SESSION = Operation(
    "client_user_session",
    (SOAP,),
    action_options(SESSION_ACTIONS, SESSION_OPTIONS),
    open_session,
    {"required_together": [list(LOGIN_OPTIONS)]},
    returns_secrets=lambda result: result.get("members") is not None,
)
