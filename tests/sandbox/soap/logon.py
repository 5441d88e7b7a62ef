# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Log-in, impersonation, and everything that reads or changes a password.

Assumptions: a wrong old password is a fault; a reset token is good for one use; the letter with it is not sent (the
tokens stand in the snapshot).
"""

from __future__ import annotations

import uuid

from sandbox.issued import marked
from sandbox.soap import views
from sandbox.soap.faults import INVALID, WRONG_PASSWORD, business
from sandbox.soap.search import write
from sandbox.soap.state import Inputs, Row, State, digest, now


def LogonUser(state: State, given: Inputs) -> Row | None:
    row = authenticate(state, given["user"] or "", given["password"] or "")
    if row is None:
        return None if state.settings["logon_refused"] == "nil" else {}
    row["LastLogonDate"] = now()
    return {"_x003C_User_x003E_k__BackingField": views.user(state, row)}


def ImpersonateUser(state: State, given: Inputs) -> Row | None:
    if not any(row["AdSid"] == given["currentUserSID"] for row in state.users.values()):
        return None
    row = _by_email(state, given["userEmail"])
    return None if row is None else views.user(state, row)


def ChangeUserPassword(state: State, given: Inputs) -> None:
    _change(state, write("user", state.users, given["userId"]), given)


def ChangePassword(state: State, given: Inputs) -> None:
    number = next((row["UserId"] for row in state.users.values() if row["AdSid"] == given["adSid"]), 0)
    _change(state, write("user", state.users, number), given)


def SetUserPassword(state: State, given: Inputs) -> None:
    _set(state, write("user", state.users, given["userId"]), given["newPassword"])


def RequestForResetPassword(state: State, given: Inputs) -> None:
    """It does not reveal whether the address is known."""
    row = _by_email(state, given["email"])
    if row is not None:
        state.reset_tokens[marked("resettoken", str(uuid.uuid4()))] = row["UserId"]


def ValidateToken(state: State, given: Inputs) -> bool:
    return given["token"] in state.reset_tokens


def ResetPassword(state: State, given: Inputs) -> None:
    if given["token"] not in state.reset_tokens:
        raise business(INVALID, "the token is not valid")
    _set(state, write("user", state.users, state.reset_tokens[given["token"]]), given["newPassword"])
    del state.reset_tokens[given["token"]]


def CleanLastLogonDate(state: State, given: Inputs) -> None:
    row = authenticate(state, given["user"] or "", given["password"] or "")
    if row is None:
        raise business(WRONG_PASSWORD, "wrong user name or password")
    row["LastLogonDate"] = None


def authenticate(state: State, login: str, password: str) -> Row | None:
    """The user with this login and password who is not blocked."""
    for row in state.users.values():
        if row["AdLogin"].casefold() == login.casefold() and not row["IsBlocked"]:
            return row if state.passwords[row["UserId"]] == digest(password) else None
    return None


def _by_email(state: State, email: str | None) -> Row | None:
    return next((row for row in state.users.values() if row["Email"] and row["Email"] == email), None)


def _change(state: State, row: Row, given: Inputs) -> None:
    if state.passwords[row["UserId"]] != digest(given["oldPassword"] or ""):
        raise business(WRONG_PASSWORD, "the old password is wrong")
    _set(state, row, given["newPassword"])


def _set(state: State, row: Row, password: str | None) -> None:
    if not password:
        raise business(INVALID, "the new password is empty")
    state.passwords[row["UserId"]] = digest(password)
