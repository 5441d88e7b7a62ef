# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every write of every module without a clear answer: it is found to be done, or the error says changed and a way on.

No error after sending says that nothing was changed, but those that say that nothing was done.
"""

from __future__ import annotations

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
from ansible_collections.fcd.cloud.plugins.module_utils._http.messages import Request
from ansible_collections.fcd.cloud.plugins.module_utils._soap.client import LOGON, is_read
from ansible_collections.fcd.cloud.tests.unit.plugins.module_utils.soap.bench import (
    CUT,
    Bench,
    InProcessExchange,
    Trouble,
    sandbox_state,
)

Params = t.Mapping[str, t.Any]
PASSWORD, NEW_PASSWORD, TOKEN = "canary-old-axolotl", "canary-new-narwhal", "canary-token-quokka"
READS = "(Get|Is|Has)[A-Z].*|.*Exists"
MANY = 200


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
LOST: dict[str, t.Any] = {
    "lost": errors.Unclear("connection reset"),
    "too late": errors.DeadlinePassed("silence"),
    "504": errors.ServiceError("504", status=504),
    "303": errors.Unusable("redirect", status=303, redirect="https://localhost"),
    "302 to nowhere": errors.Unusable("HTTP 302", status=302),
    "500 that is no fault": 500,
    "page": 200,
    "cut": CUT,
}
UNDONE = {name: answer for name, answer in LOST.items() if name != "cut"}
every_write = pytest.mark.parametrize("write", WRITES, ids=[f"{one.module.name}-{one.sends}" for one in WRITES])


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


def _fresh(answer: t.Any) -> t.Any:
    """Return an error of its own for each test, since what is known is noted in it."""
    return type(answer)(answer.message, **answer.details) if isinstance(answer, errors.FcdError) else answer


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


@every_write
@pytest.mark.parametrize("answer", LOST.values(), ids=LOST)
def test_it_was_done(bench: Bench, write: Write, answer: t.Any) -> None:
    options = _ready(bench, write)
    bench.fail(write.sends, _fresh(answer), done=True)
    if _is_read_back(write):
        assert bench.run(write.module, **options)["changed"]
    else:
        _told(bench, write, options)
    assert bench.writes.count(write.sends) == 1


@every_write
@pytest.mark.parametrize("answer", UNDONE.values(), ids=UNDONE)
def test_it_may_have_been_done(bench: Bench, write: Write, answer: t.Any) -> None:
    options = _ready(bench, write)
    bench.fail(write.sends, _fresh(answer), done=False)
    _told(bench, write, options)
    assert bench.writes.count(write.sends) == 0


@every_write
@pytest.mark.parametrize("lost", [True, False])
def test_nothing_can_be_read_afterwards(bench: Bench, write: Write, lost: bool) -> None:
    options = _ready(bench, write)

    def strike() -> None:
        bench.troubles += [Trouble(READS, errors.Unclear("no answer"), done=False)] * MANY
        if lost:
            raise errors.Unclear("connection reset")

    bench.after(write.sends, strike)
    removes = write.sends.startswith("Delete") and write.module is not client.OPERATION
    reads_on = write.module.name in READ_BACK and not removes
    if lost or (reads_on and write.module is not pricelist.CLIENT_PRICELIST):
        _told(bench, write, options)
    else:
        assert bench.run(write.module, **options)["changed"] is (write.sends != CHANGES_NOTHING)
    assert bench.writes.count(write.sends) == 1


@every_write
@pytest.mark.parametrize(
    "answer",
    [
        errors.Unusable("redirect", status=307, redirect="https://localhost"),
        errors.Unreachable("refused"),
        errors.Rejected("not allowed", status=500),
    ],
    ids=["asked elsewhere", "not sent", "refused"],
)
def test_nothing_was_done(bench: Bench, write: Write, answer: errors.FcdError) -> None:
    options = _ready(bench, write)
    bench.fail(write.sends, _fresh(answer), done=False)
    with pytest.raises(type(answer)) as caught:
        bench.run(write.module, **options)
    assert not has_changed(caught.value)


@every_write
@pytest.mark.parametrize("status", [401, 403, 409])
@pytest.mark.parametrize("done", [True, False])
def test_a_gateway_refuses_it(bench: Bench, write: Write, status: int, done: bool) -> None:
    """What does not come from the service itself may come after it was done."""
    options = _ready(bench, write)
    bench.fail(write.sends, status, done=done)
    if done and _is_read_back(write):
        assert bench.run(write.module, **options)["changed"]
    else:
        _told(bench, write, options)
    assert bench.writes.count(write.sends) == done


@every_write
@pytest.mark.parametrize("done", [True, False])
def test_there_are_too_many_requests(bench: Bench, write: Write, done: bool) -> None:
    """Only what does nothing more is sent again; that it was refused to the end does not tell whether it was done."""
    requests: list[Request] = []
    send = InProcessExchange.send

    def listened(self: InProcessExchange, request: Request, credentials: t.Any = None) -> t.Any:
        requests.append(request)
        return send(self, request, credentials)

    options = _ready(bench, write)
    again = write.sends.startswith(("Update", "Set", "Delete", "Block", "Unblock"))
    limited = errors.RateLimited("429", next_step="Run the task again later.", status=429)
    bench.fail(write.sends, limited if again else errors.Unclear("429", next_step="Look."), done=done)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(InProcessExchange, "send", listened)
        if done and _is_read_back(write):
            assert bench.run(write.module, **options)["changed"]
        else:
            _told(bench, write, options)
    sent = [request for request in requests if request.operation == write.sends]
    assert [request.harmless for request in sent] == [again]
