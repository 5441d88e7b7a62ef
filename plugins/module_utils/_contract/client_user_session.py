# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Log-ins of users: logging on, taking the part of another, and what belongs to that.

Remote operations: contract/soap-common-fcd.md, "Users and credentials". A log-in is never repeated: that could lock the
account.
"""

from __future__ import annotations

import typing as t

from .._core.errors import Rejected, Unauthorized
from .._core.names import fold, quoted
from .._session.operation import Operation, Params, Result, given
from .._session.options import SOAP
from .._session.task import Task
from .acts import Act, check_act, once, options
from .client_user.record import shown
from .common_fcd import CommonFcd
from .credentials import LogIns
from .logged_on import HERE, as_user, logged_on
from .personal import HIDDEN, NATIONAL_ID
from .task_client import common_fcd
from .typed_values import TypedValues

LOGIN = ("user_name", "user_password")
ACTS = {
    "logon": Act(takes=(*LOGIN, "ip_address", "user_agent")),
    "impersonate": Act(("current_user_sid", "user_email")),
    "validate_token": Act(("token",)),
    "clean_last_logon": Act(takes=LOGIN),
}
NOT_TWICE = "Whether it was done is not known. Before it is tried again, mind that failing log-ins may lock an account."


def run(task: Task, params: Params) -> Result:
    """Do the act; in check mode only check what would be sent, but for what merely asks."""
    task.redactor.add(params["token"])
    task.redactor.add(params["user_password"])
    act = check_act(ACTS, params)
    api = common_fcd(task)
    _DO[act](LogIns(TypedValues(api.contract).check), task, params)
    result: Result = {"changed": act == "clean_last_logon", "act": act, "user": None, "members": None, "valid": None}
    if act == "validate_token":
        return {**result, "valid": LogIns(api.call).validate_token(params["token"])}
    if task.check_mode:
        return result
    answer = once(lambda: _DO[act](LogIns(api.call), task, params), NOT_TWICE)
    return result if act == "clean_last_logon" else {**result, **_session(task, api, act, params, answer)}


def _logon(log_ins: LogIns, task: Task, params: Params) -> t.Any:
    where = {"ip_address": params["ip_address"] or HERE, **given(params, ["user_agent"])}
    return log_ins.logon_user(*_login(task, params), **where)


def _impersonate(log_ins: LogIns, _task: Task, params: Params) -> t.Any:
    return log_ins.impersonate_user(params["current_user_sid"], params["user_email"])


def _validate(log_ins: LogIns, _task: Task, params: Params) -> t.Any:
    return log_ins.validate_token(params["token"])


def _clean(log_ins: LogIns, task: Task, params: Params) -> None:
    log_ins.clean_last_logon_date(*_login(task, params))


_DO: dict[str, t.Callable[[LogIns, Task, Params], t.Any]] = {
    "logon": _logon,
    "impersonate": _impersonate,
    "validate_token": _validate,
    "clean_last_logon": _clean,
}


def _login(task: Task, params: Params) -> tuple[str, str]:
    """Return user name and password: as given, else those that the module logs in with, without their domain."""
    if params["user_name"] is not None:
        return params["user_name"], params["user_password"]
    return task.settings["username"].rpartition("\\")[2], task.settings["password"]


def _session(task: Task, api: CommonFcd, act: str, params: Params, answer: t.Any) -> Result:
    """Return who it is, and all that the service says of it. Raises Rejected when it says nobody."""
    user = logged_on(api, answer) if act == "logon" else as_user(api, answer) if answer else None
    if user is None and act == "logon":
        raise Unauthorized(
            f"LogonUser: nobody has logged on: {quoted(_login(task, params)[0])} is no user with this password.",
            next_step="Check user_name and user_password; it was sent once, since failing log-ins may lock an account.",
            operation="LogonUser",
        )
    if user is None:
        raise Rejected(
            f"ImpersonateUser: the service returned no user for {quoted(params['user_email'])}.",
            next_step="Check user_email, and that current_user_sid is that of a user who may do so.",
            operation="ImpersonateUser",
        )
    return {"user": shown(user), "members": _without_national_ids(answer)}


def _without_national_ids(value: t.Any) -> t.Any:
    """Return the value; unlike tokens, national ids are no use for whoever logs in."""
    if isinstance(value, list):
        return [_without_national_ids(entry) for entry in value]
    if not isinstance(value, dict):
        return value
    return {
        key: HIDDEN if NATIONAL_ID in fold(key) and entry else _without_national_ids(entry)
        for key, entry in value.items()
    }


OWN: dict[str, dict[str, t.Any]] = {
    "user_name": {"type": "str", "aliases": ["login"]},
    "user_password": {"type": "str", "no_log": True},
    "ip_address": {"type": "str"},
    "user_agent": {"type": "str"},
    "current_user_sid": {"type": "str"},
    "user_email": {"type": "str", "aliases": ["email"]},
    "token": {"type": "str", "no_log": True},
}

OPERATION = Operation(
    "client_user_session",
    (SOAP,),
    options(ACTS, OWN),
    run,
    {"required_together": [list(LOGIN)]},
    returns_secrets=lambda result: result.get("members") is not None,
)
