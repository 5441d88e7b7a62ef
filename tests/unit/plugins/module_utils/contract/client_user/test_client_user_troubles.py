# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Exactly one user, whatever becomes of the answer to its create; and changes with unclear answers."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._contract.api import CommonFcd
from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import has_changed

from .conftest import LOGIN, NEW, OTHER_PASSWORD, UserBench

UNCLEAR = [
    errors.ServiceError("504", status=504),
    errors.Unclear("connection reset"),
    errors.DeadlinePassed("silence"),
    500,
    200,
]
NOT_DONE = [errors.RateLimited("429", status=429), errors.Unreachable("refused"), errors.Rejected("no", status=500)]
MORE = {**NEW, "privileges": ["4"], "state": "blocked", "settings": {"language_id": 1}}


class Killed(BaseException):
    """Stands for kill -9: nothing may catch it to tidy up."""


@pytest.fixture(autouse=True)
def _duplicates_are_possible(bench: UserBench) -> None:
    bench.service.settings["refuse_duplicate_users"] = False


@pytest.mark.parametrize(("problem", "delay"), [*zip(UNCLEAR, (0.0, 5.0, 0.0, 5.0, 0.0))], ids=str)
def test_an_unclear_answer_after_the_create_is_settled(
    bench: UserBench, problem: Exception | int, delay: float
) -> None:
    bench.service.settings["users_visibility_delay"] = delay
    bench.fail("CreateUserWithPrivileges", problem, done=True)
    made = bench(**MORE)
    assert (made["changed"], made["action"], len(bench.all_stored())) == (True, "create", 1)
    assert (made["client_user"]["is_blocked"], made["client_user"]["settings"]["language_id"]) == (True, 1)
    assert bench.notes() == []
    assert not bench(**MORE)["changed"]


@pytest.mark.parametrize("problem", [UNCLEAR[1], 200], ids=str)
def test_an_unclear_answer_without_effect_is_named_and_only_force_makes_one(
    bench: UserBench, problem: Exception | int
) -> None:
    bench.fail("CreateUserWithPrivileges", problem, done=False)
    with pytest.raises(errors.CannotDetermine, match=r"Cannot determine whether the user 'billing.reader' exists"):
        bench(**NEW, create_grace=6.0)
    assert len(bench.notes()) == 1
    with pytest.raises(errors.CannotDetermine, match=r"This task has sent nothing.*force_create: true"):
        bench(**NEW)
    assert bench(**NEW, force_create=True)["changed"]
    assert (len(bench.all_stored()), bench.notes()) == (1, [])


@pytest.mark.parametrize("problem", NOT_DONE, ids=str)
def test_a_create_that_certainly_had_no_effect_leaves_nothing_behind(bench: UserBench, problem: Exception) -> None:
    bench.fail("CreateUserWithPrivileges", problem)
    with pytest.raises(type(problem)):
        bench(**NEW)
    assert (bench.notes(), bench.all_stored()) == ([], [])


def test_the_second_delivery_of_a_create_is_refused(bench: UserBench) -> None:
    """The name was free under the lock, so the user was made by the first delivery."""
    taken = errors.Rejected("the user name is taken.", status=500, error_code=1002)
    bench.fail("CreateUserWithPrivileges", taken, done=True)
    made = bench(**MORE)
    assert (made["changed"], made["action"], len(bench.all_stored())) == (True, "create", 1)
    assert (made["client_user"]["is_blocked"], made["client_user"]["settings"]["language_id"]) == (True, 1)
    assert [words for words in bench.warnings if "the user name is taken. It was free just before" in words]
    assert bench.notes() == []
    assert not bench(**MORE)["changed"]


def test_a_create_is_refused_and_nobody_can_say_why(bench: UserBench) -> None:
    def lost() -> None:
        bench.fail("IsUserNameAlreadyTaken", errors.Unclear("no answer"))
        raise errors.Rejected("not that one", status=500)

    bench.after("CreateUserWithPrivileges", lost)
    with pytest.raises(errors.Rejected, match="not that one"):
        bench(**NEW)


@pytest.mark.parametrize("delay", [0.0, 20.0])
def test_a_run_that_was_killed_after_sending_is_continued(bench: UserBench, delay: float) -> None:
    bench.service.settings["users_visibility_delay"] = delay
    bench.fail("CreateUserWithPrivileges", Killed(), done=True)
    with pytest.raises(Killed):
        bench(**MORE)
    second = bench(**MORE)
    assert (second["action"], second["client_user"]["is_blocked"], len(bench.all_stored())) == ("update", True, 1)
    assert "CreateUserWithPrivileges" not in bench.sent
    assert (bench(**MORE)["changed"], bench.notes()) == (False, [])


def test_a_run_that_was_killed_while_it_waited_goes_on_by_number(bench: UserBench) -> None:
    bench.service.settings["users_visibility_delay"] = 3600.0
    bench.after("CreateUserWithPrivileges", lambda: bench.fail("GetUsers", Killed()))
    with pytest.raises(Killed):
        bench(**NEW)
    second = bench(**NEW, create_grace=2.0)
    assert (second["changed"], second["client_user"]["id"], len(bench.all_stored())) == (False, 1001, 1)


@pytest.mark.parametrize("killed", [False, True])
def test_one_that_is_kept_otherwise_is_told_and_not_made_again(bench: UserBench, killed: bool) -> None:
    def keep_otherwise() -> None:
        bench.stored()["AdLogin"] = "Billing.reader"
        if killed:
            bench.fail("GetUsers", Killed())

    bench.after("CreateUserWithPrivileges", keep_otherwise)
    if killed:
        with pytest.raises(Killed):
            bench(**NEW)
    for first in (not killed, False):
        with pytest.raises(errors.OperationFailed, match=r"ID 1001, but its user_name is 'Billing.reader'") as caught:
            bench(**NEW, create_grace=2.0)
        assert (errors.has_changed(caught.value), len(bench.all_stored("Billing.reader"))) == (first, 1)
        bench.clock.sleep(4000.0)
    assert bench(id=1001, state="absent")["changed"]
    assert bench(**NEW)["changed"]


def test_a_new_user_that_no_search_shows_is_read_by_number(bench: UserBench) -> None:
    bench.service.settings["users_visibility_delay"] = 3600.0
    made = bench(**MORE, create_grace=2.0)
    assert (made["action"], made["client_user"]["id"], made["client_user"]["is_blocked"]) == ("create", 1001, True)
    assert "no search returns it by its login" in bench.warnings[0]


def test_a_login_that_reads_back_otherwise_does_not_spoil_the_create(bench: UserBench) -> None:
    usual = bench.service._handlers["CreateUserWithPrivileges"]

    def with_domain(state: t.Any, given: dict[str, t.Any]) -> t.Any:
        return usual(state, {**given, "adLogin": f"EXAMPLE\\{given['adLogin']}"})

    bench.service._handlers["CreateUserWithPrivileges"] = with_domain
    made = bench(**MORE, create_grace=2.0)
    assert (made["action"], made["client_user"]["user_name"]) == ("create", "EXAMPLE\\billing.reader")
    assert made["client_user"]["is_blocked"]
    assert "no search returns it by its login" in bench.warnings[0]


@pytest.mark.parametrize("problem", [errors.Forbidden("no", status=500), errors.Unusable("html")], ids=str)
def test_a_failure_to_read_it_back_tells_its_number(bench: UserBench, problem: Exception) -> None:
    bench.after("CreateUserWithPrivileges", lambda: bench.fail("GetUsers", problem))
    with pytest.raises(errors.CannotDetermine, match=r"created the user 'billing.reader' \(ID 1001\), but") as caught:
        bench(**MORE)
    assert caught.value.details["id"] == 1001
    second = bench(**MORE)
    assert (second["action"], len(bench.all_stored())) == ("update", 1)


def test_a_new_user_that_is_gone_at_once(bench: UserBench) -> None:
    bench.after("CreateUserWithPrivileges", lambda: bench.state.users.pop(1001))
    with pytest.raises(errors.CannotDetermine, match="ID 1001"):
        bench(**NEW, create_grace=2.0)


def test_a_create_that_answers_without_a_number_is_settled_by_reading(
    bench: UserBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = CommonFcd.call

    def call(self: CommonFcd, operation: str, **inputs: t.Any) -> t.Any:
        found = usual(self, operation, **inputs)
        return None if operation == "CreateUserWithPrivileges" else found

    monkeypatch.setattr(CommonFcd, "call", call)
    made = bench(**NEW)
    assert (made["action"], made["client_user"]["id"], len(bench.all_stored())) == ("create", 1001, 1)
    assert bench.sent.count("CreateUserWithPrivileges") == 1


def test_one_that_another_job_makes_meanwhile_is_brought_to_its_state(bench: UserBench) -> None:
    bench(**NEW)
    rows = dict(bench.state.users)
    del bench.state.users[1001]
    bench.after("IsUserNameAlreadyTaken", lambda: bench.state.users.update(rows))
    result = bench(**{**NEW, "last_name": "Writer"})
    assert (result["action"], result["client_user"]["last_name"]) == ("update", "Writer")
    assert bench.writes == ["UpdateUserInfoAndPrivileges"]


@pytest.mark.parametrize(
    ("operation", "left"),
    [
        ("BlockUser", ["is_blocked", "phone_number", "settings"]),
        ("UpdateUserInfoAndPrivileges", ["phone_number", "settings"]),
        ("UpdateUserSettings", ["settings"]),
    ],
)
def test_a_partial_failure_after_the_create_tells_what_is_missing(
    bench: UserBench, operation: str, left: list[str]
) -> None:
    usual = bench.service._handlers["CreateUserWithPrivileges"]

    def without_phone(state: t.Any, given: dict[str, t.Any]) -> t.Any:
        return usual(state, {**given, "user": {**given["user"], "PhoneNumber": None}})

    bench.service._handlers["CreateUserWithPrivileges"] = without_phone
    bench.fail(operation, errors.Rejected("not now", status=500))
    with pytest.raises(errors.Rejected) as caught:
        bench(**MORE, phone_number="55")
    assert f"(ID 1001) was created{'' if len(left) == 3 else ', is_blocked'}" in str(caught.value)
    assert f"but not set: {', '.join(left)}. not now" in str(caught.value)
    assert caught.value.details["left"] == left
    second = bench(**MORE, phone_number="55")
    assert (second["action"], len(bench.all_stored())) == ("update", 1)
    assert not bench(**MORE, phone_number="55")["changed"]


def test_a_partial_failure_of_an_update_tells_what_is_done(bench: UserBench) -> None:
    bench(**NEW)
    bench.fail("SetUserPassword", errors.Unclear("reset"))
    with pytest.raises(
        errors.Unclear, match=r"exists, last_name, settings set, but not certainly set: user_password. reset"
    ):
        bench(
            **LOGIN,
            last_name="W",
            settings={"language_id": 1},
            user_password=OTHER_PASSWORD,
            update_password="always",
        )


UPDATES: list[tuple[str, dict[str, t.Any]]] = [
    ("UpdateUserInfoAndPrivileges", {"last_name": "W", "privileges": ["1"]}),
    ("UpdateUserSettings", {"settings": {"language_id": 1}}),
    ("BlockUser", {"state": "blocked"}),
]


@pytest.mark.parametrize(("operation", "change"), UPDATES)
@pytest.mark.parametrize("done", [True, False])
def test_a_change_with_an_unclear_answer_is_looked_up(
    bench: UserBench, operation: str, change: dict[str, t.Any], done: bool
) -> None:
    bench(**NEW)
    bench.fail(operation, errors.Unclear("connection reset"), done=done)
    if done:
        assert bench(**LOGIN, **change)["changed"]
    else:
        with pytest.raises(errors.FcdError, match="exists, but not certainly set"):
            bench(**LOGIN, **change)
    assert bench(**LOGIN, **change)["changed"] is not done


@pytest.mark.parametrize("phone", ["55", ""])
def test_what_cannot_be_read_cannot_be_looked_up_and_is_sent_again(bench: UserBench, phone: str) -> None:
    for kind in ("User", "UserResultItem"):
        bench.hide_member(kind, "PhoneNumber")
    bench.fail("UpdateUserInfoAndPrivileges", errors.Unclear("reset"), done=True)
    with pytest.raises(errors.Unclear, match=r"was created, but not certainly set: phone_number\. reset"):
        bench(**NEW, phone_number=phone)
    assert bench(**NEW, phone_number=phone)["changed"]
    assert (bench.writes, bench.stored()["PhoneNumber"]) == (["UpdateUserInfoAndPrivileges"], phone)


def test_a_user_that_is_gone_in_the_middle(bench: UserBench) -> None:
    """Before it is read for the change, or after."""
    bench(**NEW)
    bench.after("GetUser", lambda: bench.state.users.pop(1001))
    with pytest.raises(errors.InvalidInput, match=r"There is no user .billing.reader.; to create one"):
        bench(**LOGIN, last_name="W")
    bench(**{**NEW, "user_password": OTHER_PASSWORD})
    bench.after("GetUser", lambda: None)
    bench.after("GetUser", lambda: bench.state.users.pop(1002))
    with pytest.raises(errors.Rejected, match="does not exist"):
        bench(**LOGIN, last_name="W")
    bench(**{**NEW, "user_password": OTHER_PASSWORD})
    bench.fail("BlockUser", errors.Unclear("reset"), done=True)
    bench.after("GetUser", lambda: None)
    bench.after("GetUser", lambda: bench.state.users.pop(1003))
    with pytest.raises(errors.Unclear):
        bench(**LOGIN, state="blocked")


def test_a_user_that_is_gone_after_the_change_is_shown_as_it_was_set(bench: UserBench) -> None:
    bench(**NEW)
    bench.after("UnblockUser|BlockUser", lambda: bench.state.users.pop(1001))
    assert bench(**LOGIN, state="blocked")["client_user"]["is_blocked"] is True


@pytest.mark.parametrize("problem", [errors.Unclear("reset"), errors.Rejected("no such user", status=500)], ids=str)
def test_a_removal_counts_as_done_when_nobody_is_there_any_more(bench: UserBench, problem: Exception) -> None:
    bench(**NEW)
    bench.fail("DeleteUsers", problem, done=True)
    assert bench(**LOGIN, state="absent")["changed"]
    bench(**NEW)
    bench.fail("DeleteUsers", problem)
    with pytest.raises(errors.FcdError):
        bench(**LOGIN, state="absent")
    assert len(bench.all_stored()) == 1


UNSENDABLE: list[tuple[t.Any, ...]] = [
    (
        True,
        None,
        {"settings": {"language_id": 1 << 40}},
        r"^settings.language_id: must be at least .* not 1099511627776",
    ),
    (False, 2, {"settings": {"language_id": 1 << 40}}, r"^settings.language_id: must be at least"),
    (
        False,
        None,
        {"privileges": ["4", "99999999999"]},
        r"^privileges\[1\]: must be at least .* not 99999999999",
    ),
    (True, 2, {"first_name": "a\x00b"}, r"^first_name: contains the character '.x00', which is not allowed in XML"),
    (False, None, {"email": "a\x01b@example.com"}, r"^email: contains the character"),
    (
        False,
        2,
        {"user_password": OTHER_PASSWORD + "\x02", "update_password": "always"},
        r"^user_password: contains the character",
    ),
]


def test_what_no_request_can_carry_is_told_before_the_first_one(bench: UserBench, subtests: pytest.Subtests) -> None:
    for check_mode, number, desired, says in UNSENDABLE:
        with subtests.test(says):
            present = NEW if number is None else {"id": number, "first_name": "Other", "state": "blocked"}
            with pytest.raises(errors.InvalidInput, match=says):
                bench(check_mode=check_mode, **{**present, **desired})
            assert (bench.writes, bench.notes()) == ([], [])


@pytest.mark.parametrize(
    ("before", "operation", "changed"),
    [
        (None, "CreateUserWithPrivileges", False),
        (None, "UpdateUserSettings", True),
        (None, "BlockUser", True),
        (NEW, "UpdateUserInfoAndPrivileges", False),
        (NEW, "UpdateUserSettings", True),
    ],
)
def test_a_failure_after_something_was_set_is_a_change(
    bench: UserBench, before: dict[str, t.Any] | None, operation: str, changed: bool
) -> None:
    if before:
        bench(**before)
    bench.fail(operation, errors.Rejected("no", status=500))
    with pytest.raises(errors.Rejected) as caught:
        bench(**{**MORE, "state": "present" if before else "blocked"})
    assert has_changed(caught.value) is changed


def test_a_user_that_was_made_and_cannot_be_read_back_is_a_change(bench: UserBench) -> None:
    bench.after("CreateUserWithPrivileges", lambda: bench.fail("GetUsers", errors.Forbidden("no", status=403)))
    with pytest.raises(errors.CannotDetermine, match=r"created the user .* but it could not be read back") as caught:
        bench(**NEW)
    assert has_changed(caught.value)
