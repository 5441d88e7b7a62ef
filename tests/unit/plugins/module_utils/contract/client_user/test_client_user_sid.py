# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Users named by their security identifier."""

from __future__ import annotations

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors

from .conftest import LOGIN, NEW, UserBench

NOBODY = "S-1-5-21-1"


def sid(bench: UserBench, number: int) -> str:
    return str(bench.state.users[number]["AdSid"])


def test_it_is_found_with_one_request(bench: UserBench) -> None:
    made = bench(**NEW)["client_user"]
    again = bench(sid=made["sid"], first_name="Billing")
    assert (again["changed"], again["client_user"], bench.sent) == (False, made, ["GetUserBySid"])


@pytest.mark.parametrize("hidden", [(), (("User", "AdLogin"), ("UserResultItem", "AdLogin"))])
def test_it_is_changed_and_removed(bench: UserBench, hidden: tuple[tuple[str, str], ...]) -> None:
    made = bench(**NEW)["client_user"]
    for member in hidden:
        bench.hide_member(*member)
    assert bench(sid=made["sid"], last_name="Writer", state="blocked")["changed"]
    assert (bench.stored()["LastName"], bench.stored()["IsBlocked"]) == ("Writer", True)
    assert bench(sid=made["sid"], state="absent")["changed"]
    assert bench.all_stored() == []
    assert not bench(sid=made["sid"], state="absent")["changed"]
    assert bench.notes() == []


def test_its_login_is_compared(bench: UserBench) -> None:
    made = bench(**NEW)["client_user"]
    assert not bench(sid=made["sid"], **LOGIN)["changed"]
    with pytest.raises(errors.ImmutableChange, match="user_name"):
        bench(sid=made["sid"], user_name="another")


def test_beside_the_login_of_another_user_nobody_is_removed(bench: UserBench) -> None:
    made = bench(**NEW)["client_user"]
    for by in ("id", "sid"):
        for check_mode in (True, False):
            with pytest.raises(errors.InvalidInput) as caught:
                bench(check_mode=check_mode, **{by: made[by]}, user_name=bench.second, state="absent")
            assert str(caught.value) == (
                f"{by}: user {made[by]} has the user_name {LOGIN['user_name']!r}, not {bench.second!r}. Nothing was "
                f"changed. If that one is meant, omit user_name; otherwise, omit or correct {by}."
            )
            assert bench.writes == []
    assert bench(id=made["id"], user_name=f"DOMAIN\\{LOGIN['user_name']}", state="absent")["changed"]
    for by in ("id", "sid"):
        with pytest.raises(errors.InvalidInput, match=f"there is no user {made[by]}, but user_name stands for 2"):
            bench(**{by: made[by]}, user_name=bench.second, state="absent")
        assert not bench(**{by: made[by]}, **LOGIN, state="absent")["changed"]


def test_one_that_is_not_there(bench: UserBench) -> None:
    with pytest.raises(errors.InvalidInput) as caught:
        bench(sid=NOBODY, first_name="Odd")
    assert str(caught.value) == (
        f"There is no user with the security identifier {NOBODY}. "
        "Check the security identifier; omit it to create a new user."
    )
    assert not bench(sid=NOBODY, state="absent")["changed"]


def test_a_fault_is_no_proof_that_it_is_not_there(bench: UserBench) -> None:
    bench.service.settings["missing_reads"] = "fault"
    with pytest.raises(errors.Rejected, match="does not exist"):
        bench(sid=NOBODY, state="absent")


@pytest.mark.parametrize("state", ["absent", "blocked"])
def test_the_own_user_is_refused(bench: UserBench, state: str) -> None:
    own = sid(bench, 1)
    with pytest.raises(errors.InvalidInput, match=f"sid: {own} is the user that the module logs in as"):
        bench(sid=own, state=state)
    assert bench.writes == []


def test_without_a_number_nothing_can_be_done_with_it(bench: UserBench) -> None:
    own = sid(bench, 2)
    bench.hide_member("UserSimple", "UserId")
    with pytest.raises(errors.InvalidInput, match="has no member that could be id"):
        bench(sid=own, first_name="Odd")
