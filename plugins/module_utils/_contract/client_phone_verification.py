# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The phone number of a client: a code sent to it, and what came of it saved.

Remote operations: contract/soap-common-fcd.md, "Clients". Which members a PhoneVerification has is only known from the
WSDL (wire-facts 9.4); one that holds the code is kept apart from the others, since they are no secret.
"""

from __future__ import annotations

import typing as t

from .._core.errors import InvalidInput
from .._core.names import fold, names_a_secret
from .._session.operation import Operation, Params, Result
from .._session.options import SOAP
from .._session.task import Task
from .acts import Act, check_act, once, options
from .clients import Clients
from .common_fcd import CommonFcd
from .confirmation import confirmed
from .credentials import ClientActs
from .member_reading import Attribute, MemberReader
from .task_client import common_fcd
from .typed_values import TypedValues

ACTS = {
    "send": Act(("phone_number", "country_dict_id")),
    "save": Act(("client_id", "phone_verification"), takes=("code",)),
}
TYPE, SAVE = "PhoneVerification", "SaveClientPhoneVerificationResult"
CODE = ("VerificationCode", "SmsCode", "ConfirmationCode", "Pin", "PinCode")
NUMBER = Attribute("phone_number", ("Number", "Phone"))
VERIFIED = Attribute("is_verified", ("Verified", "IsPhoneVerified", "IsPhoneNumberVerified", "IsConfirmed"))
PHONES = Attribute("phones", ("ClientPhones", "PhoneNumbers", "PhoneList"))
CODE_SENT = "A code may be on its way: wait for it before asking for another."
LOOK = "Whether it was saved is not known: read the phones of the client with client_info before it is sent again."

Row = t.Dict[str, t.Any]


def run(task: Task, params: Params) -> Result:
    """Send a code or save what came of it."""
    task.redactor.add(params["code"])
    act = check_act(ACTS, params)
    api = common_fcd(task)
    return _send(task, api, params) if act == "send" else _save(task, api, params)


def _send(task: Task, api: CommonFcd, params: Params) -> Result:
    asked = params["phone_number"], params["country_dict_id"]
    ClientActs(TypedValues(api.contract).check).send_client_phone_verification_code(*asked)
    result: Result = {"changed": True, "phone_verification": None, "code": None}
    if task.check_mode:
        return result
    answer = once(lambda: ClientActs(api.call).send_client_phone_verification_code(*asked), CODE_SENT) or {}
    key = api.members(TYPE).find_if_any("code", *CODE)
    others = {name: value for name, value in answer.items() if name != key and not names_a_secret(name)}
    return {**result, "phone_verification": others, "code": answer.get(key) if key else None}


def _save(task: Task, api: CommonFcd, params: Params) -> Result:
    number = params["client_id"]
    verification = _verification(api, params)
    phones = ClientPhones(api, number, verification)
    result: Result = {"changed": True, "client_id": number}
    if phones.readable and phones.verified():
        return {**result, "changed": False}
    ClientActs(TypedValues(api.contract).check).save_client_phone_verification_result(number, verification)
    if not task.check_mode:
        acts = ClientActs(api.call)
        once(
            lambda: confirmed(
                lambda: acts.save_client_phone_verification_result(number, verification),
                lambda: phones.readable and phones.verified(),
            ),
            LOOK,
        )
    return result


def _verification(api: CommonFcd, params: Params) -> Row:
    """Return what is to be saved, checked by its type, with the code in it. Raises InvalidInput."""
    given, members = params["phone_verification"], api.members(TYPE)
    if not given:
        raise InvalidInput(
            "phone_verification is empty, so that nothing would say which verification is meant.",
            next_step="Give what act: send returned as phone_verification.",
            option="phone_verification",
        )
    code = members.find_if_any("code", *CODE)
    exposed = [name for name, value in given.items() if value and _is_code(str(name), code)]
    if exposed:
        raise InvalidInput(
            f"phone_verification.{exposed[0]} is a secret.",
            next_step="Put it into code, so that it is not logged.",
            option="phone_verification",
        )
    typed = TypedValues(api.contract)
    (field,) = [entry for entry in typed.inputs(SAVE) if fold(entry.name) == fold(TYPE)]
    checked: Row = typed.sendable(field, typed.checked(field, given, "phone_verification"))
    return checked if params["code"] is None else {**checked, members.find("code", *CODE): params["code"]}


def _is_code(name: str, code: str | None) -> bool:
    return names_a_secret(name) or (code is not None and fold(name) == fold(code))


class ClientPhones:
    """The phones of a client, as far as they tell whether a number is verified."""

    def __init__(self, api: CommonFcd, client_id: int, verification: Row) -> None:
        """Match the members; where one is missing, nothing is ``readable``."""
        self._api = api
        self._client_id = client_id
        self._number = MemberReader(api.members(TYPE), [NUMBER]).record(verification).get("phone_number")
        self._client = MemberReader(api.members("Client"), [PHONES])
        self._phone = MemberReader(api.members("Phone"), [NUMBER, VERIFIED])
        self.readable = bool(self._number) and None not in (
            self._client.key("phones"),
            self._phone.key("phone_number"),
            self._phone.key("is_verified"),
        )

    def verified(self) -> bool:
        """Whether the client has the phone number, and it is verified."""
        row = Clients(self._api.call).get_client(self._client_id)
        if row is None:
            raise InvalidInput(f"client_id: there is no client with the number {self._client_id}.", option="client_id")
        phones = [self._phone.record(phone) for phone in self._client.record(row).get("phones") or []]
        return any(
            _digits(phone.get("phone_number")) == _digits(self._number) and phone.get("is_verified") is True
            for phone in phones
        )


def _digits(number: t.Any) -> str:
    return "".join(letter for letter in str(number or "") if letter.isalnum() or letter == "+")


OWN: dict[str, dict[str, t.Any]] = {
    "phone_number": {"type": "str"},
    "country_dict_id": {"type": "int", "aliases": ["country_id"]},
    "client_id": {"type": "int"},
    "phone_verification": {"type": "dict"},
    "code": {"type": "str", "no_log": True},
}

OPERATION = Operation(
    "client_phone_verification",
    (SOAP,),
    options(ACTS, OWN),
    run,
    returns_secrets=lambda result: "phone_verification" in result,
)
