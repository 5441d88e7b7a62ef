# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Passwords, log-ins and the acts of a client, each operation named as the contract names it.

Source: contract/soap-common-fcd.md, "Users and credentials", "Clients" and "Pricing and billing". ``send`` is
CommonFcd.call, or something that only checks the inputs. Errors: those of SoapClient.call.
"""

from __future__ import annotations

import typing as t

Record = t.Dict[str, t.Any]
Send = t.Callable[..., t.Any]


class Passwords:
    """Changes passwords."""

    def __init__(self, send: Send) -> None:
        self._send = send

    def change_user_password(self, user_id: int, old_password: str, new_password: str) -> None:
        """Change the password of a user, known by its number."""
        self._send("ChangeUserPassword", user_id=user_id, old_password=old_password, new_password=new_password)

    def change_password(self, ad_sid: str, old_password: str, new_password: str) -> None:
        """Change the password of a user, known by its security identifier."""
        self._send("ChangePassword", ad_sid=ad_sid, old_password=old_password, new_password=new_password)

    def set_user_password(self, user_id: int, new_password: str) -> None:
        """Set the password of a user, whatever the old one is."""
        self._send("SetUserPassword", user_id=user_id, new_password=new_password)

    def request_for_reset_password(self, email: str, **link: t.Any) -> None:
        """Ask for a letter with a token; ``link_to_change_password`` is for the letter."""
        self._send("RequestForResetPassword", email=email, **link)

    def reset_password(self, token: str, new_password: str) -> None:
        """Set the password of the user that the token was given to."""
        self._send("ResetPassword", token=token, new_password=new_password)


class LogIns:
    """Logs users in, and what belongs to that."""

    def __init__(self, send: Send) -> None:
        self._send = send

    def logon_user(self, user: str, password: str, **values: t.Any) -> Record | None:
        """Return who logs on; None or empty when user name or password are wrong (wire-facts 9.3)."""
        return t.cast("t.Optional[Record]", self._send("LogonUser", user=user, password=password, **values))

    def impersonate_user(self, current_user_sid: str, user_email: str) -> Record | None:
        """Return the user whose part is taken."""
        values = {"currentUserSID": current_user_sid, "user_email": user_email}
        return t.cast("t.Optional[Record]", self._send("ImpersonateUser", **values))

    def validate_token(self, token: str) -> bool:
        """Whether a token is valid."""
        return self._send("ValidateToken", token=token) is True

    def clean_last_logon_date(self, user: str, password: str) -> None:
        """Forget when the user logged on last."""
        self._send("CleanLastLogonDate", user=user, password=password)


class ClientActs:
    """What is done once for a client."""

    def __init__(self, send: Send) -> None:
        self._send = send

    def accept_regulations(self, client_id: int) -> None:
        """Accept the regulations for a client."""
        self._send("AcceptRegulations", client_id=client_id)

    def send_client_phone_verification_code(self, phone_number: str, country_dict_id: int) -> Record | None:
        """Have a code sent to a phone, and return what the service says of the verification."""
        values = {"phone_number": phone_number, "country_dict_id": country_dict_id}
        return t.cast("t.Optional[Record]", self._send("SendClientPhoneVerificationCode", **values))

    def save_client_phone_verification_result(self, client_id: int, phone_verification: Record) -> None:
        """Save for a client what came of the verification."""
        self._send("SaveClientPhoneVerificationResult", client_id=client_id, phone_verification=phone_verification)
