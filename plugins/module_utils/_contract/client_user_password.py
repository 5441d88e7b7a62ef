# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Passwords of users: changed, set, and reset with a token. Acts, for nobody can read a password.

Remote operations: contract/soap-common-fcd.md, "Users and credentials". None of them is ever repeated after an answer
that is unclear.
"""

from __future__ import annotations

import typing as t

from .._core.errors import FcdError, InvalidInput, Rejected, ServiceError, Unclear
from .._session.operation import Operation, Params, Result, given
from .._session.options import SOAP
from .._session.task import Task
from .acts import Act, check_act, once, options
from .common_fcd import CommonFcd
from .confirmation import PLAIN
from .credentials import LogIns, Passwords
from .logged_on import HERE, logged_on
from .task_client import common_fcd
from .typed_values import TypedValues

VERIFIED = ("user_name", "verify_first")
ACTS = {
    "change": Act(("old_password", "new_password"), ("user_id", "sid"), VERIFIED),
    "set": Act(("user_id", "new_password"), takes=VERIFIED),
    "request_reset": Act(("email",), takes=("link_to_change_password",)),
    "reset": Act(("token", "new_password"), takes=VERIFIED),
}
LETTER = "A letter may be on its way: wait for it before asking for another."
LOG_IN = (
    "The password may be changed: find out by logging in with the new one (client_user_session with act: logon), "
    "before anything is sent again."
)


def run(task: Task, params: Params) -> Result:
    """Do the act, unless it was asked to look first and the password works already."""
    for name in ("old_password", "new_password", "token"):
        task.redactor.add(params[name])
    act = check_act(ACTS, params)
    if params["verify_first"] and params["user_name"] is None:
        raise InvalidInput("verify_first needs user_name, to log in with.", option="user_name")
    api = common_fcd(task)
    _sent(Passwords(TypedValues(api.contract).check), act, params)
    if task.check_mode:
        return {"changed": True, "act": act}
    if params["verify_first"] and _works(api, params):
        return {"changed": False, "act": act}
    try:
        once(lambda: _sent(Passwords(api.call), act, params), LETTER if act == "request_reset" else LOG_IN)
    except (Unclear, ServiceError) as problem:
        if isinstance(problem, Rejected) or not params["verify_first"] or not _certainly_works(api, params):
            raise
    return {"changed": True, "act": act}


def _sent(passwords: Passwords, act: str, params: Params) -> None:
    new: str = params["new_password"]
    if act == "set":
        passwords.set_user_password(params["user_id"], new)
    elif act == "reset":
        passwords.reset_password(params["token"], new)
    elif act == "request_reset":
        passwords.request_for_reset_password(params["email"], **given(params, ["link_to_change_password"]))
    elif params["sid"] is not None:
        passwords.change_password(params["sid"], params["old_password"], new)
    else:
        passwords.change_user_password(params["user_id"], params["old_password"], new)


def _works(api: CommonFcd, params: Params) -> bool:
    """Return whether the user can log in with the new password. Raises InvalidInput when that is another user."""
    name, number = params["user_name"], params["user_id"]
    try:
        answer = LogIns(api.call).logon_user(name, params["new_password"], ip_address=HERE)
    except Rejected as refusal:
        if isinstance(refusal, PLAIN):
            raise
        return False
    found = logged_on(api, answer)
    if found is not None and number is not None and found.get("id") not in (None, number):
        raise InvalidInput(
            f"user_name: the login {name!r} is of the user with the number {found['id']}, and user_id is {number}.",
            option="user_name",
        )
    return found is not None


def _certainly_works(api: CommonFcd, params: Params) -> bool:
    try:
        return _works(api, params)
    except FcdError:
        return False


OWN: dict[str, dict[str, t.Any]] = {
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

OPERATION = Operation("client_user_password", (SOAP,), options(ACTS, OWN), run)
