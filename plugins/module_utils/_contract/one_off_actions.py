# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One-off actions: modules with an option ``action``; accepting regulations; verifying a client's phone number.

Remote operations: docs/service/contract.md, "Clients" and "Pricing and billing". Only the WSDL says which members a
PhoneVerification has; the one with the code is handled separately, because the others are no secret.
"""

from __future__ import annotations

import itertools
import operator
import typing as t

from .._connection.options import SOAP, OptionSpecs
from .._connection.task import Operation, Params, Result, Task
from .._connection.task import non_null_options as given_options
from .._core.errors import CHANGED, FcdError, InvalidInput, confirm_write, outcome_unknown
from .._core.text import fold, names_a_secret
from .._core.type_aliases import JsonObject
from .api import CommonFcd, MemberReader
from .attributes import Attribute
from .connection import common_fcd
from .typed_values import TypedValues

_Answer = t.TypeVar("_Answer")
REGULATIONS_ACCEPTED = Attribute(
    "accepted",
    (
        "RegulationsAccepted",
        "AreRegulationsAccepted",
        "IsRegulationsAccepted",
        "HasAcceptedRegulations",
        "AcceptedRegulations",
        "RegulationsAcceptanceDate",
        "RegulationsAcceptedDate",
    ),
)
VERIFICATION_TYPE = "PhoneVerification"
SEND = "SendClientPhoneVerificationCode"
SAVE = "SaveClientPhoneVerificationResult"
CODE_MEMBERS = ("VerificationCode", "SmsCode", "ConfirmationCode", "Pin", "PinCode")
PHONE_NUMBER = Attribute("phone_number", ("Number", "Phone"))
PHONE_IS_VERIFIED = Attribute("is_verified", ("Verified", "IsPhoneVerified", "IsPhoneNumberVerified", "IsConfirmed"))
PHONES = Attribute("phones", ("ClientPhones", "PhoneNumbers", "PhoneList"))
CODE_SENT = "A code may be on its way. Wait for it before you request another one."
PHONE_OPTIONS: OptionSpecs = {
    "phone_number": {"type": "str"},
    "country_dict_id": {"type": "int", "aliases": ["country_id"]},
    "client_id": {"type": "int"},
    "phone_verification": {"type": "dict"},
    "code": {"type": "str", "no_log": True},
}


class OneOffAction(t.NamedTuple):
    """An operation with its required options, those of which one is required, and its optional ones.

    ``found_by`` is an optional one that is enough if none of ``one_of`` is given.
    """

    operation: str
    needs: tuple[str, ...] = ()
    one_of: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()
    found_by: tuple[str, ...] = ()

    @property
    def options(self) -> tuple[str, ...]:
        """All options that it uses."""
        return (*self.one_of, *self.needs, *self.takes)


def action_options(acts: t.Mapping[str, OneOffAction], own: OptionSpecs) -> OptionSpecs:
    """Return the options of a module with these actions."""
    return {"action": {"type": "str", "required": True, "choices": list(acts)}, **own}


def valid_action(acts: t.Mapping[str, OneOffAction], params: Params) -> str:
    """Return the name of the action. Raises InvalidInput for options that are missing, empty or unused."""
    name: str = params["action"]
    action = acts[name]
    known = itertools.chain.from_iterable(map(operator.attrgetter("options"), acts.values()))
    given = {option: value for option, value in given_options(params, known).items() if value is not False}
    _check_required(name, action, given)
    for option in given:
        if option not in action.options:
            others = [other for other, each in acts.items() if option in each.options]
            raise InvalidInput(
                f"{option} does not apply to action: {name}, which takes {', '.join(action.options)}.",
                next_step=f"Omit it, or use action: {' or '.join(others)}.",
                option=option,
            )
    empty = [option for option, value in given.items() if value == ""]
    if empty:
        raise InvalidInput(
            f"{empty[0]} is empty.",
            next_step="If it comes from a variable of the environment, check that the variable is set.",
            option=empty[0],
        )
    return name


def _check_required(name: str, action: OneOffAction, given: t.Container[str]) -> None:
    """Raise InvalidInput for missing options, and for two of which only one may be given."""
    chosen = [option for option in action.one_of if option in given]
    missing = [option for option in action.needs if option not in given]
    enough = (*action.one_of, *action.found_by)
    if action.one_of and not any(option in given for option in enough):
        missing.insert(0, " or ".join(enough))
    if missing:
        raise InvalidInput(f"action: {name} needs {', '.join(missing)}.", option=missing[0].partition(" ")[0])
    if len(chosen) > 1:
        raise InvalidInput(f"action: {name} takes only one of {' and '.join(chosen)}.", option=chosen[1])


def send_once(send: t.Callable[[], _Answer], find_out: str, *, changes: bool = True) -> _Answer:
    """Run something that is never repeated; if the outcome is unknown, ``find_out`` is the next step.

    ``changes`` says whether it changes something.
    """
    try:
        return send()
    except FcdError as problem:
        if outcome_unknown(problem):
            problem.next_step = find_out
            problem.details[CHANGED] = changes
        raise


def _send_unless(
    done: t.Callable[[], bool], task: Task, api: CommonFcd, operation: str, find_out: str, **inputs: object
) -> Result:
    """Call an operation for a client, unless a read shows that it is done; in check mode, only check the inputs."""
    pending = not done()
    if pending:
        api.checking().call(operation, **inputs)
    if pending and not task.check_mode:
        send_once(lambda: confirm_write(lambda: api.call(operation, **inputs), done), find_out)
    return {"changed": pending, "client_id": inputs["client_id"]}


def _client_row(api: CommonFcd, number: int) -> JsonObject:
    """Return the service's record of a client. Raises InvalidInput if there is none."""
    row = api.record("GetClient", client_id=number)
    if row is None:
        raise InvalidInput(f"client_id: there is no client with the ID {number}.", option="client_id")
    return row


def accept_regulations(task: Task, params: Params) -> Result:
    """Accept the regulations, unless the client is known to have accepted them; a date shows that too."""
    api, number = common_fcd(task), params["client_id"]
    reader = MemberReader(api.members("Client"), [REGULATIONS_ACCEPTED])

    def done() -> bool:
        return reader.key("accepted") is not None and bool(reader.record(_client_row(api, number)).get("accepted"))

    find_out = "It is not known whether this was done. Check in the panel, or run the task again."
    return _send_unless(done, task, api, "AcceptRegulations", find_out, client_id=number)


ACCEPT_REGULATIONS = Operation(
    "client_regulations", (SOAP,), {"client_id": {"type": "int", "required": True}}, accept_regulations
)


PHONE_ACTIONS = {
    "send": OneOffAction(SEND, ("phone_number", "country_dict_id")),
    "save": OneOffAction(SAVE, ("client_id", "phone_verification"), takes=("code",)),
}


def verify_phone(task: Task, params: Params) -> Result:
    """Send a code, or save the verification."""
    task.redactor.add(params["code"])
    action = valid_action(PHONE_ACTIONS, params)
    api = common_fcd(task)
    if action == "send":
        return _send_code(task, api, params)
    verification, number = _verification(api, params), params["client_id"]
    find_out = (
        "It is not known whether it was saved. Read the phones of the client with client_info before you send it again."
    )
    done = _verified(api, number, verification)
    return _send_unless(done, task, api, SAVE, find_out, client_id=number, phone_verification=verification)


def _send_code(task: Task, api: CommonFcd, params: Params) -> Result:
    inputs = {name: params[name] for name in PHONE_ACTIONS["send"].needs}
    api.checking().call(SEND, **inputs)
    result: Result = {"changed": True, "phone_verification": None, "code": None}
    if task.check_mode:
        return (
            result if task.planned_objects is None else {**result, "phone_verification": _as_verification(api, inputs)}
        )
    answer = send_once(lambda: api.record(SEND, **inputs), CODE_SENT) or {}
    key = api.members(VERIFICATION_TYPE).find_if_any("code", *CODE_MEMBERS)
    others = {name: value for name, value in answer.items() if name != key and not names_a_secret(name)}
    return {**result, "phone_verification": others, "code": answer.get(key) if key else None}


def _as_verification(api: CommonFcd, inputs: Params) -> JsonObject:
    """Return the verification as it is known before it is sent."""
    keys = {name: api.members(VERIFICATION_TYPE).find_if_any(name) for name in inputs}
    return {key: inputs[name] for name, key in keys.items() if key is not None}


def _verification(api: CommonFcd, params: Params) -> JsonObject:
    """Return the verification to save, checked by its type and with the code in it. Raises InvalidInput."""
    given, members = params["phone_verification"], api.members(VERIFICATION_TYPE)
    if not given:
        raise InvalidInput(
            "phone_verification is empty, so it does not identify a verification.",
            next_step="Give what action: send returned as phone_verification.",
            option="phone_verification",
        )
    code = members.find_if_any("code", *CODE_MEMBERS)
    exposed = [name for name, value in given.items() if value and _is_code(str(name), code)]
    if exposed:
        raise InvalidInput(
            f"phone_verification.{exposed[0]} is a secret.",
            next_step="Put it into code, so that it is not logged.",
            option="phone_verification",
        )
    typed = TypedValues(api.contract)
    (field,) = [entry for entry in typed.inputs(SAVE) if fold(entry.name) == fold(VERIFICATION_TYPE)]
    checked: JsonObject = typed.check(field, given, "phone_verification")
    return checked if params["code"] is None else {**checked, members.find("code", *CODE_MEMBERS): params["code"]}


def _is_code(name: str, code: str | None) -> bool:
    return names_a_secret(name) or (code is not None and fold(name) == fold(code))


def _verified(api: CommonFcd, client_id: int, verification: JsonObject) -> t.Callable[[], bool]:
    """Return a function that reads whether the client's phone number is that of the verification, and verified.

    If a member for that is missing, nothing is read and the answer is no.
    """
    number = MemberReader(api.members(VERIFICATION_TYPE), [PHONE_NUMBER]).record(verification).get("phone_number")
    client = MemberReader(api.members("Client"), [PHONES])
    phone = MemberReader(api.members("Phone"), [PHONE_NUMBER, PHONE_IS_VERIFIED])
    readable = None not in (client.key("phones"), phone.key("phone_number"), phone.key("is_verified"))

    def verified() -> bool:
        if not number or not readable:
            return False
        phones = client.record(_client_row(api, client_id)).get("phones") or []
        return any(
            _digits(each.get("phone_number")) == _digits(number) and each.get("is_verified") is True
            for each in map(phone.record, phones)
        )

    return verified


def _digits(number: object) -> str:
    return "".join(letter for letter in str(number or "") if letter.isalnum() or letter == "+")


PHONE_VERIFICATION = Operation(
    "client_phone_verification",
    (SOAP,),
    action_options(PHONE_ACTIONS, PHONE_OPTIONS),
    verify_phone,
    returns_secrets=lambda result: "phone_verification" in result,
)
