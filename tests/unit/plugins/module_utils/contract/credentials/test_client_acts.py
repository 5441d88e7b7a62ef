# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The acts of a client: regulations accepted, a phone number verified."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._contract.one_off_actions import (
    ACCEPT_REGULATIONS,
    PHONE_VERIFICATION,
)
from ansible_collections.fcd.cloud.plugins.module_utils._core import errors

from .conftest import ActBench

NUMBER = "+48225559999"
SEND = {"action": "send", "phone_number": NUMBER, "country_dict_id": 9051}
ACCEPT, SAVE = "AcceptRegulations", "SaveClientPhoneVerificationResult"
TELLING = {"Client.accepted": "ExternalAccountNumber"}


def test_they_are_accepted_each_time_where_nobody_tells(bench: ActBench) -> None:
    assert bench.act(ACCEPT_REGULATIONS, check_mode=True, client_id=100) == {"changed": True, "client_id": 100}
    assert bench.sent == []
    for _turn in range(2):
        assert bench.act(ACCEPT_REGULATIONS, client_id=100)["changed"]
        assert bench.sent == [ACCEPT]
    assert 100 in bench.state.accepted_regulations


def test_they_are_accepted_once_where_the_client_tells(bench: ActBench) -> None:
    bench.connection["soap_member_map"] = TELLING
    assert bench.act(ACCEPT_REGULATIONS, client_id=100)["changed"]
    assert bench.sent == ["GetClient", ACCEPT]
    bench.state.clients[100]["ExternalAccountNumber"] = "2026-02-03T00:00:00"
    for check_mode in (True, False):
        assert not bench.act(ACCEPT_REGULATIONS, check_mode=check_mode, client_id=100)["changed"]
        assert bench.sent == ["GetClient"]


@pytest.mark.parametrize("told", [True, False])
def test_an_unclear_answer_to_accepting(bench: ActBench, told: bool) -> None:
    bench.connection["soap_member_map"] = TELLING if told else {}

    def lost() -> None:
        bench.state.clients[100]["ExternalAccountNumber"] = "2026-02-03T00:00:00"
        raise errors.Unclear("no answer")

    bench.after(ACCEPT, lost)
    if told:
        assert bench.act(ACCEPT_REGULATIONS, client_id=100)["changed"]
    else:
        with pytest.raises(errors.Unclear, match="Check in the panel"):
            bench.act(ACCEPT_REGULATIONS, client_id=100)
    assert bench.writes == [ACCEPT]


def test_a_client_that_is_not_there(bench: ActBench) -> None:
    with pytest.raises(errors.Rejected, match="client 999 does not exist"):
        bench.act(ACCEPT_REGULATIONS, client_id=999)
    bench.connection["soap_member_map"] = TELLING
    with pytest.raises(errors.InvalidInput, match="client_id: there is no client with the ID 999"):
        bench.act(ACCEPT_REGULATIONS, client_id=999)
    with pytest.raises(errors.InvalidInput, match="client_id: there is no client with the ID 999"):
        bench.act(PHONE_VERIFICATION, action="save", client_id=999, phone_verification={"phone_number": "1"})


def sent_code(bench: ActBench) -> tuple[dict[str, t.Any], str]:
    """Have a code sent; return what is told, and the code."""
    told = bench.act(PHONE_VERIFICATION, **SEND)["phone_verification"]
    return told, str(bench.state.phone_codes[told["verification_id"]]["VerificationCode"])


def saved(told: dict[str, t.Any], **more: t.Any) -> dict[str, t.Any]:
    return {"action": "save", "client_id": 100, "phone_verification": told, **more}


def test_a_code_is_sent(bench: ActBench) -> None:
    nothing = {"changed": True, "phone_verification": None, "code": None}
    assert bench.act(PHONE_VERIFICATION, check_mode=True, **SEND) == nothing
    assert bench.sent == []
    done = bench.act(PHONE_VERIFICATION, **SEND)
    assert (done["changed"], done["code"], bench.sent) == (True, None, ["SendClientPhoneVerificationCode"])
    assert (done["phone_verification"]["phone_number"], done["phone_verification"]["is_verified"]) == (NUMBER, False)
    assert "verification_code" not in done["phone_verification"]
    judge = PHONE_VERIFICATION.returns_secrets
    assert callable(judge)
    assert judge(done)


def test_a_code_that_the_service_tells_is_kept_apart(bench: ActBench) -> None:
    usual = bench.service._handlers["SendClientPhoneVerificationCode"]
    bench.service._handlers["SendClientPhoneVerificationCode"] = lambda state, given: {
        **usual(state, given),
        "VerificationCode": "271828",
    }
    done = bench.act(PHONE_VERIFICATION, **SEND)
    assert (done["code"], "271828" in str(done["phone_verification"])) == ("271828", False)


def test_the_result_is_saved_once(bench: ActBench) -> None:
    told, code = sent_code(bench)
    assert bench.act(PHONE_VERIFICATION, check_mode=True, **saved(told, code=code))["changed"]
    assert bench.writes == []
    assert bench.act(PHONE_VERIFICATION, **saved(told, code=code)) == {"changed": True, "client_id": 100}
    assert bench.sent == ["GetClient", SAVE]
    assert bench.state.clients[100]["Phones"][-1]["PhoneNumber"] == NUMBER
    assert not bench.act(PHONE_VERIFICATION, **saved(told, code=code))["changed"]
    assert bench.sent == ["GetClient"]


@pytest.mark.parametrize("hidden", [("Client", "Phones"), ("Phone", "PhoneNumber"), ("Phone", "IsVerified")])
def test_where_nobody_tells_it_is_saved_each_time(bench: ActBench, hidden: tuple[str, str]) -> None:
    bench.hide_member(*hidden)
    told, code = sent_code(bench)
    assert bench.act(PHONE_VERIFICATION, **saved(told, code=code))["changed"]
    assert bench.sent == [SAVE]
    with pytest.raises(errors.Rejected, match="the verification code is wrong"):
        bench.act(PHONE_VERIFICATION, **saved(told, code=code))


@pytest.mark.parametrize("check_mode", [True, False])
def test_an_empty_verification_is_refused(bench: ActBench, check_mode: bool) -> None:
    with pytest.raises(errors.InvalidInput, match="phone_verification is empty"):
        bench.act(PHONE_VERIFICATION, check_mode=check_mode, **saved({}, code="1"))
    assert bench.sent == []


def test_a_number_that_is_there_but_not_verified_is_saved(bench: ActBench) -> None:
    told, code = sent_code(bench)
    bench.state.clients[100]["Phones"][0].update(PhoneNumber=NUMBER, IsVerified=False)
    assert bench.act(PHONE_VERIFICATION, **saved(told, code=code))["changed"]


def test_numbers_are_the_same_however_they_are_written(bench: ActBench) -> None:
    seeded = {"phone_number": "+48 22 555-0100"}
    assert not bench.act(PHONE_VERIFICATION, **saved(seeded))["changed"]


@pytest.mark.parametrize("done", [True, False])
def test_an_unclear_answer_to_saving_is_looked_into(bench: ActBench, done: bool) -> None:
    told, code = sent_code(bench)
    bench.fail(SAVE, errors.Unclear("no answer"), done=done)
    if done:
        assert bench.act(PHONE_VERIFICATION, **saved(told, code=code))["changed"]
    else:
        with pytest.raises(errors.Unclear, match="Read the phones of the client"):
            bench.act(PHONE_VERIFICATION, **saved(told, code=code))
    assert bench.sent.count(SAVE) == done


def test_an_unclear_answer_to_sending(bench: ActBench) -> None:
    bench.connection["retries"] = 5
    bench.fail("SendClientPhoneVerificationCode", errors.Unclear("no answer"), done=True)
    with pytest.raises(errors.Unclear, match="Wait for it before you request another"):
        bench.act(PHONE_VERIFICATION, **SEND)
    assert bench.sent == ["SendClientPhoneVerificationCode"]


def test_the_code_goes_into_the_member_for_it(bench: ActBench) -> None:
    told, code = sent_code(bench)
    bench.hide_member("PhoneVerification", "VerificationCode")
    with pytest.raises(errors.InvalidInput, match=r'soap_member_map: {"PhoneVerification\.code"'):
        bench.act(PHONE_VERIFICATION, **saved(told, code=code))
    bench.connection["soap_member_map"] = {"PhoneVerification.code": "ExpirationDate"}
    bench.act(PHONE_VERIFICATION, check_mode=True, **saved({"PhoneNumber": NUMBER}, code="2026-01-01T00:00:00"))
    with pytest.raises(errors.InvalidInput, match="expiration_date is a secret"):
        bench.act(PHONE_VERIFICATION, check_mode=True, **saved({"expiration_date": "2026-01-01T00:00:00"}))


@pytest.mark.parametrize(
    ("params", "says"),
    [
        ({**SEND, "client_id": 100}, "client_id does not apply to action: send, which takes phone_number, country"),
        ({"action": "send", "phone_number": NUMBER}, "action: send needs country_dict_id."),
        ({"action": "save", "client_id": 100}, "action: save needs phone_verification."),
        (
            saved({"VerificationCode": "271828"}),
            "phone_verification.VerificationCode is a secret. Put it into code, so that it is not logged.",
        ),
        (saved({"country_dict_id": "much"}), "phone_verification.country_dict_id: must be a whole number"),
        (saved({"is_verifed": True}), "phone_verification.is_verifed: "),
    ],
)
def test_wrong_options_of_phones(bench: ActBench, params: dict[str, t.Any], says: str) -> None:
    with pytest.raises(errors.InvalidInput) as caught:
        bench.act(PHONE_VERIFICATION, check_mode=True, **params)
    assert str(caught.value).startswith(says)
    assert bench.sent == []
