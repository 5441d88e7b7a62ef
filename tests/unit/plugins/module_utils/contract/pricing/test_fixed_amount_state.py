# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One fixed amount for a client, whatever becomes of the answers; and everything that may be wrong with it."""

from __future__ import annotations

import itertools
import re
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._contract.client_fixed_amount import OPERATION
from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.tests.unit.plugins.module_utils.soap.bench import Bench

NEW: dict[str, t.Any] = {"amount": "120.00", "date_from": "2026-01-01", "description": "hosting"}
UNCLEAR = [
    errors.ServiceError("504", status=504),
    errors.Unclear("connection reset"),
    errors.DeadlinePassed("silence"),
    500,
    200,
]
NOT_DONE = [errors.RateLimited("429", status=429), errors.Unreachable("refused"), errors.Rejected("no", status=500)]


class Killed(BaseException):
    """Stands for kill -9: nothing may catch it to tidy up."""


def run(bench: Bench, *, check_mode: bool = False, **params: t.Any) -> dict[str, t.Any]:
    return bench.run(OPERATION, check_mode=check_mode, **{"client_id": 100, "state": "present", **params})


def stored(bench: Bench) -> list[dict[str, t.Any]]:
    return list(bench.state.fixed_amounts.values())


def unsettled(bench: Bench) -> list[str]:
    """The notes of creates without an outcome; that of the numbers before a create stays for a while."""
    return [note for note in bench.notes() if '"ids"' not in note]


def test_fixed_amount_from_creation_to_removal(bench: Bench) -> None:
    foreseen = run(bench, check_mode=True, **NEW)
    assert (foreseen["action"], foreseen["client_fixed_amount"]["id"], bench.writes) == ("create", None, [])
    made = run(bench, **NEW)
    read, history = "GetClientFixedAmount", "GetClientFixedAmountHistory"
    before = [read, history, "GetClient", read, history]
    assert bench.sent == [*before, history, "CreateClientFixedAmount", *(read, history) * 2]
    amount = made["client_fixed_amount"]
    assert (amount["id"], amount["client_id"], amount["amount"]) == (1001, 100, "120.00")
    assert (made["diff"]["before"], made["diff"]["after"]["description"]) == ({}, "hosting")
    assert (list(amount["members"]), unsettled(bench)) == (["creation_date"], [])
    again = run(bench, amount="120", date_from="2026-01-01T00:00:00Z", date_to=None, fields={"DateTo": None})
    assert (again["changed"], bench.sent) == (False, [read, history])
    foreseen = run(bench, check_mode=True, amount="99.5")
    assert (foreseen["changed"], foreseen["client_fixed_amount"]["amount"], bench.writes) == (True, "99.5", [])
    changed = run(bench, amount="99.5")
    assert foreseen["diff"] == changed["diff"]
    assert bench.writes == ["UpdateClientFixedAmount"]
    assert {name: stored(bench)[0][name] for name in ("Amount", "Description", "ClientId")} == {
        "Amount": "99.5",
        "Description": "hosting",
        "ClientId": 100,
    }
    assert run(bench, fields={"date_to": "2027-01-01"})["client_fixed_amount"]["date_to"] == "2027-01-01T00:00:00"
    assert run(bench, state="absent", check_mode=True)["changed"]
    gone = run(bench, state="absent")
    assert (gone["action"], gone["client_fixed_amount"], stored(bench)) == ("delete", None, [])
    assert not run(bench, state="absent")["changed"]


REFUSED: list[tuple[t.Any, ...]] = [
    ({"description": "x"}, "The fixed amount of client 100 does not exist yet, so amount is required"),
    ({"amount": "much"}, "amount: must be a number"),
    ({"amount": "1", "date_from": "soon"}, "date_from: must be a date and time such as"),
    ({"amount": "1", "date_from": "2026-12-01", "date_to": "2026-11-30"}, "date_to: 2026-11-30 is before date_from"),
    ({"amount": "1", "fields": {"amonut": 1}}, r"fields.amonut: there is no such member. Did you mean 'amount'"),
    ({"amount": "1", "fields": {"Amount": 1}}, "fields: amount is given twice"),
    ({"amount": "1", "fields": {"client_id": 1}}, "fields: client_id cannot be changed"),
    ({"fields": {"amount": None}}, "fields.amount: may not be null"),
]


def test_what_cannot_be_is_refused(bench: Bench, subtests: pytest.Subtests) -> None:
    for (desired, says), check_mode in itertools.product(REFUSED, (True, False)):
        with subtests.test(says, check_mode=check_mode):
            with pytest.raises(errors.InvalidInput, match=says):
                run(bench, check_mode=check_mode, **desired)
            assert (bench.writes, bench.notes()) == ([], [])


def test_a_member_of_another_name(bench: Bench) -> None:
    bench.hide_member("ClientFixedAmount", "Amount")
    with pytest.raises(errors.InvalidInput, match=r"no member that could be amount.*ClientFixedAmount.amount"):
        run(bench, **NEW)
    assert bench.sent == []
    bench.connection["soap_member_map"] = {"ClientFixedAmount.amount": "Description"}
    assert run(bench, amount="5")["client_fixed_amount"]["amount"] == "5"


def test_a_fault_may_mean_that_there_is_none(bench: Bench) -> None:
    bench.fail("GetClientFixedAmount", errors.Rejected("no such", status=500))
    assert not run(bench, state="absent")["changed"]
    run(bench, **NEW)
    bench.fail("GetClientFixedAmount", errors.Rejected("overload", status=500))
    with pytest.raises(errors.Rejected, match="overload"):
        run(bench, state="absent")
    bench.fail("GetClientFixedAmount", errors.Forbidden("no", status=500))
    with pytest.raises(errors.Forbidden):
        run(bench)


@pytest.mark.parametrize("problem", UNCLEAR, ids=str)
def test_an_unclear_answer_after_the_create_is_settled(bench: Bench, problem: t.Any) -> None:
    bench.fail("CreateClientFixedAmount", problem, done=True)
    made = run(bench, **NEW)
    assert (made["changed"], made["action"], len(stored(bench)), unsettled(bench)) == (True, "create", 1, [])


@pytest.mark.parametrize("problem", UNCLEAR, ids=str)
def test_an_unclear_answer_without_effect_is_named(bench: Bench, problem: t.Any) -> None:
    bench.fail("CreateClientFixedAmount", problem)
    with pytest.raises(errors.CannotDetermine, match="whether the fixed amount of client 100 exists"):
        run(bench, **NEW, create_grace=6.0)
    assert len(unsettled(bench)) == 1
    with pytest.raises(errors.CannotDetermine, match=r"This task has sent nothing.*force_create: true"):
        run(bench, **NEW)
    assert run(bench, **NEW, force_create=True)["changed"]
    assert (len(stored(bench)), unsettled(bench)) == (1, [])


@pytest.mark.parametrize("problem", NOT_DONE, ids=str)
def test_a_create_that_certainly_had_no_effect_leaves_nothing_behind(bench: Bench, problem: Exception) -> None:
    bench.fail("CreateClientFixedAmount", problem)
    with pytest.raises(type(problem)):
        run(bench, **NEW)
    assert (bench.notes(), stored(bench)) == ([], [])


def test_a_run_that_was_killed_after_sending_is_continued(bench: Bench) -> None:
    bench.fail("CreateClientFixedAmount", Killed(), done=True)
    with pytest.raises(Killed):
        run(bench, **NEW)
    second = run(bench, **NEW)
    assert (second["changed"], len(stored(bench)), "CreateClientFixedAmount" in bench.sent) == (False, 1, False)


def test_an_accepted_create_that_does_not_show_is_not_repeated(bench: Bench) -> None:
    rows = bench.state.fixed_amounts
    bench.after("CreateClientFixedAmount", rows.clear)
    with pytest.raises(errors.CannotDetermine, match=r"accepted the create .* did not appear within 5 s"):
        run(bench, **NEW, create_grace=5.0)
    with pytest.raises(
        errors.CannotDetermine, match=r"whether the fixed amount of client 100 exists.*This task has sent nothing"
    ):
        run(bench, **NEW)
    assert bench.writes == []
    bench.clock.sleep(86400.0)
    assert run(bench, **NEW, force_create=True)["action"] == "create"


def test_a_rivals_amount_is_changed_not_doubled(bench: Bench) -> None:
    run(bench, **NEW)
    rows = dict(bench.state.fixed_amounts)
    bench.state.fixed_amounts.clear()
    bench.after("GetClientFixedAmount", lambda: bench.state.fixed_amounts.update(rows))
    result = run(bench, amount="7")
    assert (result["action"], bench.writes, len(stored(bench))) == ("update", ["UpdateClientFixedAmount"], 1)


@pytest.mark.parametrize(("operation", "desired"), [("Update", {"amount": "7"}), ("Delete", {"state": "absent"})])
def test_reading_decides_what_became_of_a_change(bench: Bench, operation: str, desired: dict[str, t.Any]) -> None:
    problem = errors.Unclear("connection reset")
    run(bench, **NEW)
    bench.fail(f"{operation}ClientFixedAmount", problem, done=False)
    with pytest.raises(errors.Unclear):
        run(bench, **desired)
    bench.fail(f"{operation}ClientFixedAmount", problem, done=True)
    assert run(bench, **desired)["changed"]
    assert not run(bench, **desired)["changed"]


@pytest.fixture
def twice(bench: Bench) -> None:
    """The create is delivered twice."""

    def again() -> None:
        (row,) = stored(bench)
        deliver_again(bench, row)

    bench.after("CreateClientFixedAmount", again)


def deliver_again(bench: Bench, row: dict[str, t.Any]) -> None:
    number = bench.state.number("fixed amount")
    second = {**row, "ClientFixedAmountId": number}
    bench.state.fixed_amounts[number] = second
    bench.state.fixed_amount_history.append(second)


@pytest.mark.usefixtures("twice")
def test_two_deliveries_are_told_until_one_is_removed(bench: Bench) -> None:
    for changed in (True, False):
        with pytest.raises(
            errors.Ambiguous, match=r"2 were created, with the IDs 1001, 1002.* state: absent"
        ) as caught:
            run(bench, **NEW)
        assert (errors.has_changed(caught.value), caught.value.details["ids"]) == (changed, [1001, 1002])
    bench.clock.sleep(5000.0)
    with pytest.raises(errors.Ambiguous):
        run(bench, check_mode=True, **NEW)
    assert run(bench, state="absent")["client_fixed_amount"] is None
    assert not run(bench, **NEW)["changed"]
    assert ([row["ClientFixedAmountId"] for row in stored(bench)], unsettled(bench)) == ([1001], [])


@pytest.mark.parametrize("seconds", [2.0, 500.0])
def test_a_second_delivery_may_come_later(bench: Bench, seconds: float) -> None:
    run(bench, **NEW)
    bench.clock.sleep(seconds)
    assert not run(bench, **NEW)["changed"]
    deliver_again(bench, stored(bench)[0])
    with pytest.raises(errors.Ambiguous, match="1001, 1002"):
        run(bench, **NEW)


def test_another_controller_creates_one_after_the_first_look(bench: Bench) -> None:
    def rival() -> None:
        bench.after("GetClientFixedAmountHistory", lambda: deliver_again(bench, stored(bench)[0]))

    bench.after("CreateClientFixedAmount", rival)
    with pytest.raises(errors.Ambiguous, match="1001, 1002") as caught:
        run(bench, **NEW)
    assert errors.has_changed(caught.value)


def test_a_refused_create_leaves_the_earlier_one_to_be_looked_for(bench: Bench) -> None:
    run(bench, **NEW)
    (row,) = stored(bench)
    run(bench, state="absent")
    bench.fail("CreateClientFixedAmount", errors.Unclear("reset"))
    with pytest.raises(errors.CannotDetermine):
        run(bench, **NEW)
    bench.fail("CreateClientFixedAmount", errors.Rejected("no", status=500))
    with pytest.raises(errors.Rejected):
        run(bench, **NEW, force_create=True)
    for _ in range(2):  # now that of the first task arrives, twice
        deliver_again(bench, row)
    with pytest.raises(errors.Ambiguous, match="1002, 1003"):
        run(bench, **NEW)


def test_amounts_of_earlier_times_are_no_second_ones(bench: Bench) -> None:
    for _ in range(3):
        run(bench, **NEW)
        assert not run(bench, **NEW)["changed"]
        run(bench, state="absent")
    run(bench, **NEW)
    bench.clock.sleep(601.0)
    assert len(bench.notes()) == 1
    run(bench, **NEW)
    assert bench.notes() == []
    run(bench, **NEW)
    assert bench.sent == ["GetClientFixedAmount"]


@pytest.mark.parametrize("problem", [errors.Forbidden("no", status=403), errors.Rejected("no", status=500)], ids=str)
def test_where_there_is_no_history_it_goes_without(bench: Bench, problem: errors.FcdError) -> None:
    for _read in range(3):
        bench.fail("GetClientFixedAmountHistory", problem)
    assert run(bench, **NEW)["changed"]
    assert bench.notes() == []


@pytest.mark.parametrize("unshown", [1, 3, 6])
def test_one_that_the_history_has_may_not_be_shown_yet(bench: Bench, unshown: int) -> None:
    run(bench, **NEW)
    late = iter([b'i:nil="true"/>'] * unshown)
    nothing = rb'i:nil="true" xmlns:i="http://www.w3.org/2001/XMLSchema-instance"/>'
    bench.rewritten["GetClientFixedAmount"] = lambda answer: (
        re.sub(
            rb"(<[\w:]*GetClientFixedAmountResult)[ >].*</[\w:]*GetClientFixedAmountResult>", rb"\1 " + nothing, answer
        )
        if next(late, None)
        else answer
    )
    changed = run(bench, amount="150")
    assert (changed["action"], bench.writes, [row["Amount"] for row in stored(bench)]) == (
        "update",
        ["UpdateClientFixedAmount"],
        ["150"],
    )


def test_one_that_was_removed_is_not_waited_for(bench: Bench) -> None:
    run(bench, **NEW)
    run(bench, state="absent")
    begun = bench.clock.now()
    assert (run(bench, **NEW)["action"], bench.clock.now()) == ("create", begun)
    run(bench, state="absent")
    bench.forget()
    assert (run(bench, **NEW)["action"], bench.clock.now() - begun >= 30.0) == ("create", True)
