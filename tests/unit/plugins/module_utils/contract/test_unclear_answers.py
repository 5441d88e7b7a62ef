# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every write of every module without a clear answer: it is found to be done, or the error says changed and a way on.

No error after sending says that nothing was changed, but those that say that nothing was done.
"""

from __future__ import annotations

import itertools
import pathlib
import re
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils import _contract
from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Operation
from ansible_collections.fcd.cloud.plugins.module_utils._contract import (
    any_operation,
    client,
    client_fixed_amount,
    client_user,
    client_user_credentials,
    one_off_actions,
    pricelist,
    warehouse,
)
from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import has_changed
from ansible_collections.fcd.cloud.plugins.module_utils._soap.client import LOGON, is_read
from ansible_collections.fcd.cloud.tests.unit.plugins.module_utils.soap.bench import (
    CUT,
    Bench,
    Trouble,
    sandbox_state,
)

Params = t.Mapping[str, t.Any]
PASSWORD, NEW_PASSWORD, TOKEN = "canary-old-axolotl", "canary-new-narwhal", "canary-token-quokka"
READS = "(Get|Is|Has)[A-Z].*|.*Exists"
MANY, TOO_MANY = 200, 429


class Write(t.NamedTuple):
    """``sends``: the operation that the task with these options sends, ``there``: options of tasks that go before."""

    sends: str
    module: Operation
    options: Params
    there: tuple[Params, ...] = ()


def _many(module: Operation, *writes: tuple[str, Params], there: Params | None = None) -> list[Write]:
    return [Write(sends, module, options, () if there is None else (there,)) for sends, options in writes]


SID = "S-1-5-21-1004336348-1177238915-682003330-2"
HOUSE = {"partner_id": 12, "template_id": 304, "data_store_number": "DS-01"}
NEW_HOUSE = {**HOUSE, "name": "spare", "queue_length": 4}
LOGIN = {"user_name": "billing.reader"}
NEW_USER = {
    **LOGIN,
    "user_password": PASSWORD,
    "first_name": "Billing",
    "last_name": "Reader",
    "email": "billing.reader@example.com",
}
AMOUNT = {"client_id": 100, "amount": "120.00", "date_from": "2026-01-01", "description": "hosting"}
ONE = {"id": 100, "address_types": client.ADDRESS_TYPES}
ACT = {"user_id": 2, "new_password": NEW_PASSWORD}
PHONE = {"action": "send", "phone_number": "+48225559999", "country_dict_id": 9051}
CALL = {"operation": "UpdateClientStatus", "inputs": {"client_id": 100, "status": "blocked", "comment": None}}

WRITES = [
    *_many(warehouse.OPERATION, ("CreateWarehouse", {**NEW_HOUSE, "create_grace": 6.0})),
    *_many(
        warehouse.OPERATION,
        ("UpdateWarehouse", {**HOUSE, "name": "other"}),
        ("DeleteWarehouse", {**HOUSE, "state": "absent"}),
        there=NEW_HOUSE,
    ),
    *_many(client_user.OPERATION, ("CreateUserWithPrivileges", {**NEW_USER, "create_grace": 6.0})),
    *_many(
        client_user.OPERATION,
        ("UpdateUserInfoAndPrivileges", {**LOGIN, "last_name": "Writer"}),
        ("UpdateUserSettings", {**LOGIN, "settings": {"language_id": 1}}),
        ("SetUserPassword", {**LOGIN, "user_password": NEW_PASSWORD, "update_password": "always"}),
        ("BlockUser", {**LOGIN, "state": "blocked"}),
        ("DeleteUsers", {**LOGIN, "state": "absent"}),
        there=NEW_USER,
    ),
    *_many(
        client_user.OPERATION,
        ("UnblockUser", {**LOGIN, "state": "unblocked"}),
        there={**NEW_USER, "state": "blocked"},
    ),
    *_many(client_fixed_amount.OPERATION, ("CreateClientFixedAmount", {**AMOUNT, "create_grace": 6.0})),
    *_many(
        client_fixed_amount.OPERATION,
        ("UpdateClientFixedAmount", {**AMOUNT, "amount": "99.00"}),
        ("DeleteClientFixedAmount", {"client_id": 100, "state": "absent"}),
        there=AMOUNT,
    ),
    *_many(
        client.OPERATION,
        ("UpdateIndividualClientWithProjectName", {**ONE, "commission": "2"}),
        ("UpdateCompanyClientWithProjectName", {**ONE, "id": 101, "company": {"company_name": "Other"}}),
        ("UpdateClientWithProjectName", {**ONE, "vat_id": "5"}),
        ("ChangeIndividualClientType", {**ONE, "type": "company", "company": {"company_name": "New"}}),
        ("ChangeCompanyClientType", {**ONE, "id": 101, "type": "individual"}),
        ("UpdateClientAddresses", {**ONE, "main_address": {"city": "Oslo"}}),
        ("CreateOrUpdateClientPitData", {**ONE, "pit_data": {"father_name": "Jan"}}),
        ("UpdateClientStatus", {**ONE, "status": "blocked"}),
        ("DeleteClient", {**ONE, "state": "absent"}),
    ),
    *_many(pricelist.PRICELIST_DELETE, ("DeletePricelists", {"client_id": 101, "ids": [3]})),
    *_many(pricelist.CLIENT_PRICELIST, ("ChangePricelist", {"client_ids": [100], "pricelist_id": 2})),
    *_many(
        client_user_credentials.USER_PASSWORD,
        ("ChangeUserPassword", {**ACT, "action": "change", "old_password": PASSWORD}),
        (
            "ChangePassword",
            {
                "action": "change",
                "sid": SID,
                "old_password": PASSWORD,
                "new_password": NEW_PASSWORD,
            },
        ),
        ("SetUserPassword", {**ACT, "action": "set"}),
        ("ResetPassword", {"action": "reset", "token": TOKEN, "new_password": NEW_PASSWORD}),
        ("RequestForResetPassword", {"action": "request_reset", "email": "second.user@example.com"}),
    ),
    *_many(
        client_user_credentials.USER_SESSION,
        ("CleanLastLogonDate", {"action": "clean_last_logon", "user_name": "second.user", "user_password": PASSWORD}),
    ),
    *_many(
        client_user_credentials.USER_SESSION,
        (
            "ImpersonateUser",
            {"action": "impersonate", "current_user_sid": SID, "user_email": "second.user@example.com"},
        ),
    ),
    *_many(one_off_actions.ACCEPT_REGULATIONS, ("AcceptRegulations", {"client_id": 100})),
    *_many(one_off_actions.PHONE_VERIFICATION, ("SendClientPhoneVerificationCode", PHONE)),
    *_many(
        one_off_actions.PHONE_VERIFICATION,
        ("SaveClientPhoneVerificationResult", {"action": "save", "client_id": 100}),
        there=PHONE,
    ),
    *_many(any_operation.CONTRACT_CALL, ("UpdateClientStatus", CALL)),
]
CREATES = ("CreateWarehouse", "CreateUserWithPrivileges", "CreateClientFixedAmount")
DOUBTS = re.compile(r"not known whether|may or may not|may have been|[Cc]annot determine whether")
CHANGES_NOTHING = "ImpersonateUser"
READ_BACK = {
    "client",
    "client_fixed_amount",
    "client_pricelist",
    "client_user",
    "pricelist_delete",
    "warehouse",
}
"""The modules that find out whether it was done; the password of a user cannot be read by anybody."""
REFUSALS = (
    errors.Unusable("redirect", status=307, redirect="https://localhost"),
    errors.Unreachable("refused"),
    errors.Rejected("not allowed", status=500),
)
LOST: dict[str, t.Any] = {
    "lost": errors.Unclear("connection reset"),
    "too late": errors.DeadlinePassed("silence"),
    "504": errors.ServiceError("504", status=504),
    "303": errors.Unusable("redirect", status=303, redirect="https://localhost"),
    "302 to nowhere": errors.Unusable("HTTP 302", status=302),
    "500 that is no fault": 500,
    "page": 200,
    "a gateway's 401": 401,  # what does not come from the service itself may come after it was done
    "a gateway's 403": 403,
    "a gateway's 409": 409,
    "too many requests": TOO_MANY,
    "cut": CUT,
}
UNDONE = {name: answer for name, answer in LOST.items() if name != "cut"}


@pytest.fixture
def bench(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    made = Bench(tmp_path, monkeypatch)
    made.service.settings["refuse_duplicate_users"] = False
    made.state.passwords[2] = sandbox_state.digest(PASSWORD)
    made.state.reset_tokens[TOKEN] = 2
    return made


def _ready(bench: Bench, write: Write) -> dict[str, t.Any]:
    """Make what has to be there, and return the options of the task."""
    told: dict[str, t.Any] = {}
    for options in write.there:
        told = bench.run(write.module, **options)
    if write.options.get("action") != "save":
        return dict(write.options)
    verification = told["phone_verification"]
    code = str(bench.state.phone_codes[verification["verification_id"]]["VerificationCode"])
    return {**write.options, "phone_verification": verification, "code": code}


def _fresh(answer: t.Any, write: Write) -> t.Any:
    """Return an error of its own for each test, since what is known is noted in it."""
    if answer == TOO_MANY:
        again = _is_sent_again(write)
        return errors.RateLimited("429", next_step="Later.", status=429) if again else errors.Unclear("429")
    return type(answer)(answer.message, **answer.details) if isinstance(answer, errors.FcdError) else answer


def _is_sent_again(write: Write) -> bool:
    """Whether it does nothing more when it is done again, so that it may be sent again."""
    return write.sends.startswith(("Update", "Set", "Delete", "Block", "Unblock"))


def _is_read_back(write: Write) -> bool:
    readable = write.module.name in READ_BACK and write.sends != "SetUserPassword"
    return readable or write.sends == "SaveClientPhoneVerificationResult"


def _told(bench: Bench, write: Write, options: Params) -> errors.FcdError:
    """Run the task and return its error, which says changed and what to do."""
    with pytest.raises(errors.FcdError) as caught:
        bench.run(write.module, **options)
    assert has_changed(caught.value) is (write.sends != CHANGES_NOTHING), caught.value.as_result()
    assert caught.value.next_step or write.sends in CREATES, caught.value.as_result()
    assert len(DOUBTS.findall(str(caught.value))) <= 1, "the same is said twice"
    return caught.value


def test_the_table_has_every_write() -> None:
    sources = pathlib.Path(str(next(iter(_contract.__path__)))).glob("*.py")
    named = {name for path in sources for name in re.findall(r'"([A-Z][A-Za-z]+)"', path.read_text(encoding="utf-8"))}
    contract = _operations()
    without_names = {"UpdateIndividualClient", "UpdateCompanyClient", "UpdateClient"}  # the same with another input
    writes = {name for name in named & contract if not is_read(name)} - {LOGON, *without_names}
    assert writes == {write.sends for write in WRITES}


def _operations() -> set[str]:
    from ansible_collections.fcd.cloud.plugins.module_utils._soap.contract import Contract
    from ansible_collections.fcd.cloud.tests.unit.plugins.module_utils.soap.bench import data_without

    return set(Contract(data_without(frozenset())).operations())


def _each_with_one_of(answers: t.Mapping[str, t.Any]) -> t.Any:
    """Every write with one of the answers in turn; each answer comes to writes that are read back and to others."""
    rows = []
    for read_back in (True, False):
        writes = [write for write in WRITES if _is_read_back(write) is read_back]
        for write, name in zip(writes, itertools.cycle(answers)):
            rows.append(pytest.param(write, answers[name], id=f"{write.module.name}-{write.sends}-{name}"))
    return pytest.mark.parametrize(("write", "answer"), rows)


@_each_with_one_of(LOST)
def test_a_try_in_which_nothing_was_done_says_so_and_in_the_next_one_it_was_done(
    bench: Bench, write: Write, answer: t.Any
) -> None:
    options, notes = _ready(bench, write), bench.notes()
    refusal = _fresh(REFUSALS[WRITES.index(write) % len(REFUSALS)], write)
    bench.fail(write.sends, refusal, done=False)
    with pytest.raises(type(refusal)) as caught:
        bench.run(write.module, **options)
    assert not has_changed(caught.value)
    assert set(bench.notes()) <= set(notes)
    bench.fail(write.sends, _fresh(answer, write), done=True)
    if _is_read_back(write):
        assert bench.run(write.module, **options)["changed"]
    else:
        _told(bench, write, options)
    assert bench.writes.count(write.sends) == 1
    assert [request.harmless for request in bench.requests if request.operation == write.sends] == [
        _is_sent_again(write)
    ]


@_each_with_one_of(UNDONE)
def test_it_may_have_been_done(bench: Bench, write: Write, answer: t.Any) -> None:
    options = _ready(bench, write)
    bench.fail(write.sends, _fresh(answer, write), done=False)
    _told(bench, write, options)
    assert bench.writes.count(write.sends) == 0


@pytest.mark.parametrize("write", [write for write in WRITES if _is_read_back(write)], ids=lambda write: write.sends)
def test_nothing_can_be_read_afterwards(bench: Bench, write: Write) -> None:
    lost = WRITES.index(write) % 2 == 0  # or the answer to the write itself arrives
    options = _ready(bench, write)

    def strike() -> None:
        bench.troubles += [Trouble(READS, errors.Unclear("no answer"), done=False)] * MANY
        if lost:
            raise errors.Unclear("connection reset")

    bench.after(write.sends, strike)
    removes = write.sends.startswith("Delete") and write.module is not client.OPERATION
    if lost or not (removes or write.options.get("action") == "save"):
        _told(bench, write, options)
    else:
        assert bench.run(write.module, **options)["changed"]
    assert bench.writes.count(write.sends) == 1
