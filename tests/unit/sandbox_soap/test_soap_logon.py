# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Log-in, impersonation and every way to change a password."""

from __future__ import annotations

from xml.sax.saxutils import escape

import pytest
from sandbox.seed import Credentials
from sandbox.soap.in_process import Answer, InProcess, basic
from sandbox.soap.service import SoapService

NIL = "{http://www.w3.org/2001/XMLSchema-instance}nil"


def logon(client: InProcess, user: str, password: str) -> Answer:
    return client.call("LogonUser", f"<user>{escape(user)}</user><password>{escape(password)}</password>")


def works(client: InProcess, user: str, password: str) -> bool:
    return logon(client, user, password).result is not None


def set_password(client: InProcess, number: int, password: str) -> Answer:
    return client.call("SetUserPassword", f"<userId>{number}</userId><newPassword>{password}</newPassword>")


def test_the_right_password(client: InProcess, credentials: Credentials, service: SoapService) -> None:
    answer = logon(client, credentials.username, credentials.password)
    user = answer.result.find("{*}_x003C_User_x003E_k__BackingField")
    assert user.find("{*}UserId").text == "1"
    assert user.find("{*}Client/{*}ClientId").text == "100"
    assert user.find("{*}LastLogonDate").text
    assert service.snapshot()["users"][0]["LastLogonDate"]
    client.call(
        "CleanLastLogonDate",
        f"<user>{credentials.username}</user><password>{credentials.password}</password>",
    )
    assert service.snapshot()["users"][0]["LastLogonDate"] is None
    assert client.call("CleanLastLogonDate", "<user>x</user>").text("ErrorCode") == "1003"


@pytest.mark.parametrize(
    ("user", "password"),
    [("panel.owner@example.com", "wrong"), ("nobody", "pässword:ż"), ("second.user", ""), ("", "")],
)
def test_a_wrong_password_gives_an_empty_result(
    client: InProcess, service: SoapService, user: str, password: str
) -> None:
    before = service.snapshot()
    answer = logon(client, user, password)
    assert (answer.status, answer.result) == (200, None)
    service.settings["logon_refused"] = "empty"
    (member,) = logon(client, user, password).result.findall("{*}_x003C_User_x003E_k__BackingField")
    assert member.get(NIL) == "true"
    assert service.snapshot() == before


def test_a_blocked_user_is_out(client: InProcess, service: SoapService) -> None:
    set_password(client, 2, "burrow")
    own = InProcess(service, "API\\second.user", "burrow")
    assert works(client, "second.user", "burrow")
    assert own.call("GetTimeZones").status == 200
    client.call("BlockUser", "<userId>2</userId>")
    assert not works(client, "second.user", "burrow")
    assert own.call("GetTimeZones").status == 401


def test_a_new_password_holds_for_the_transport_too(client: InProcess) -> None:
    set_password(client, 1, "näw")
    assert client.call("GetTimeZones").status == 401
    client.authorization = basic("API\\panel.owner@example.com", "näw")
    assert client.call("GetTimeZones").status == 200


def test_an_empty_password_is_refused(client: InProcess) -> None:
    assert set_password(client, 2, "").text("ErrorCode") == "1004"
    assert set_password(client, 99, "a").text("ErrorCode") == "1001"


@pytest.mark.parametrize("operation", ["ChangeUserPassword", "ChangePassword"])
def test_a_change_needs_the_old_password(client: InProcess, service: SoapService, operation: str) -> None:
    set_password(client, 2, "burrow")
    sid = service.snapshot()["users"][1]["AdSid"]
    who = "<userId>2</userId>" if operation == "ChangeUserPassword" else f"<adSid>{sid}</adSid>"
    wrong = client.call(operation, f"{who}<oldPassword>x</oldPassword><newPassword>hedge</newPassword>")
    assert wrong.text("ErrorCode") == "1003"
    assert works(client, "second.user", "burrow")
    right = client.call(operation, f"{who}<oldPassword>burrow</oldPassword><newPassword>hedge</newPassword>")
    assert right.status == 200
    assert works(client, "second.user", "hedge")
    assert not works(client, "second.user", "burrow")


def test_a_reset_token_is_good_once(client: InProcess, service: SoapService) -> None:
    assert client.call("RequestForResetPassword", "<email>nobody@example.com</email>").status == 200
    assert service.snapshot()["reset_tokens"] == {}
    client.call("RequestForResetPassword", "<email>second.user@example.com</email>")
    ((token, user),) = service.snapshot()["reset_tokens"].items()
    assert user == 2
    assert client.call("ValidateToken", f"<token>{token}</token>").text("ValidateTokenResult") == "true"
    reset = f"<token>{token}</token><newPassword>hedge</newPassword>"
    assert client.call("ResetPassword", reset).status == 200
    assert works(client, "second.user", "hedge")
    assert client.call("ValidateToken", f"<token>{token}</token>").text("ValidateTokenResult") == "false"
    assert client.call("ResetPassword", reset).text("ErrorCode") == "1004"


def test_impersonation(client: InProcess, service: SoapService) -> None:
    sid = service.snapshot()["users"][0]["AdSid"]
    email = "<userEmail>third.user@example.com</userEmail>"
    answer = client.call("ImpersonateUser", f"<currentUserSID>{sid}</currentUserSID>{email}")
    assert answer.result.find("{*}UserId").text == "3"
    assert client.call("ImpersonateUser", f"<currentUserSID>S-1</currentUserSID>{email}").result is None
    nobody = "<userEmail>nobody@example.com</userEmail>"
    assert client.call("ImpersonateUser", f"<currentUserSID>{sid}</currentUserSID>{nobody}").result is None
