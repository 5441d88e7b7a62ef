# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A client's addresses and the verification of its phone number.

Assumptions: the three addresses replace all others; the code goes to the phone (here: to the snapshot), not into the
answer; a verified number is added to the client's phones.
"""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta, timezone

from sandbox.soap.clients import replace_numbered
from sandbox.soap.constants import CORRESPONDENCE_ADDRESS, INVOICE_ADDRESS, MAIN_ADDRESS, MAIN_PHONE
from sandbox.soap.faults import INVALID, business
from sandbox.soap.search import write
from sandbox.soap.state import Inputs, Row, State

_KINDS = {
    "mainAddress": MAIN_ADDRESS,
    "correspondenceAddress": CORRESPONDENCE_ADDRESS,
    "billingAddress": INVOICE_ADDRESS,
}


def UpdateClientAddresses(state: State, given: Inputs) -> None:
    row = write("client", state.clients, given["clientId"])
    addresses = [{**given[name], "AddressTypeDictId": kind} for name, kind in _KINDS.items() if given[name]]
    replace_numbered(state, row, "addresses", addresses)


def SendClientPhoneVerificationCode(state: State, given: Inputs) -> Row:
    if not given["phoneNumber"]:
        raise business(INVALID, "a phone number is needed")
    expires = datetime.now(timezone.utc) + timedelta(minutes=10)
    verification = {
        "CountryDictId": given["countryDictId"],
        "ExpirationDate": expires.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "IsVerified": False,
        "PhoneNumber": given["phoneNumber"],
        "VerificationId": str(uuid.uuid4()),
    }
    code = f"{uuid.uuid4().int % 1_000_000:06}"
    state.phone_codes[verification["VerificationId"]] = {**verification, "VerificationCode": code}
    return verification


def SaveClientPhoneVerificationResult(state: State, given: Inputs) -> None:
    row = write("client", state.clients, given["clientId"])
    result = given["phoneVerification"] or {}
    known = state.phone_codes.get(result.get("VerificationId", ""))
    if known is None or known["VerificationCode"] != result.get("VerificationCode"):
        raise business(INVALID, "the verification code is wrong")
    phone = {
        "CountryDictId": known["CountryDictId"],
        "IsVerified": True,
        "PhoneId": 0,
        "PhoneNumber": known["PhoneNumber"],
        "PhoneTypeDictId": MAIN_PHONE,
    }
    replace_numbered(state, row, "phones", [*row["Phones"], phone])
    del state.phone_codes[known["VerificationId"]]
