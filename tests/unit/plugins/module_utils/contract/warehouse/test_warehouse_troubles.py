# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Exactly one warehouse, whatever becomes of the answer to its create; and changes with unclear answers."""

from __future__ import annotations

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors

from .conftest import KEY, NEW, WarehouseBench

UNCLEAR = [
    errors.ServiceError("504", status=504),
    errors.ServiceError("503", status=503),
    errors.Unclear("connection reset"),
    errors.DeadlinePassed("silence"),
    500,
    200,
]
NOT_DONE = [errors.RateLimited("429", status=429), errors.Unreachable("refused"), errors.Rejected("fault", status=500)]


class Killed(BaseException):
    """Stands for kill -9: nothing may catch it to tidy up."""


@pytest.mark.parametrize(("problem", "delay"), [*zip(UNCLEAR, (0.0, 5.0) * 3)], ids=str)
def test_an_unclear_answer_after_the_create_is_settled(
    bench: WarehouseBench, problem: Exception | int, delay: float
) -> None:
    bench.service.settings["visibility_delay"] = delay
    bench.fail("CreateWarehouse", problem, done=True)
    made = bench(**NEW)
    assert (made["changed"], made["action"], made["warehouse"]["id"], len(bench.stored)) == (True, "create", 1001, 1)
    assert bench.notes() == []
    assert not bench(**NEW)["changed"]


@pytest.mark.parametrize("problem", [UNCLEAR[2], 200], ids=str)
def test_an_unclear_answer_without_effect_is_named_and_only_force_makes_one(
    bench: WarehouseBench, problem: Exception | int
) -> None:
    bench.fail("CreateWarehouse", problem, done=False)
    with pytest.raises(errors.CannotDetermine, match="Cannot determine whether the warehouse with partner id 12"):
        bench(**NEW, create_grace=6.0)
    assert len(bench.notes()) == 1
    with pytest.raises(errors.CannotDetermine, match=r"This task has sent nothing.*force_create: true"):
        bench(**NEW)
    assert bench(**NEW, force_create=True)["changed"]
    assert (len(bench.stored), bench.notes()) == (1, [])


@pytest.mark.parametrize("problem", NOT_DONE, ids=str)
def test_a_create_that_certainly_had_no_effect_leaves_nothing_behind(bench: WarehouseBench, problem: Exception) -> None:
    bench.fail("CreateWarehouse", problem, done=False)
    with pytest.raises(type(problem)):
        bench(**NEW)
    assert (bench.notes(), bench.stored) == ([], [])
    assert bench(**NEW)["changed"]


def test_a_redirect_is_told_at_once(bench: WarehouseBench) -> None:
    began = bench.clock.now()
    bench.fail("CreateWarehouse", errors.Unusable("redirect", redirect="https://other.example.com", status=307))
    with pytest.raises(errors.Unusable):
        bench(**NEW)
    assert (bench.notes(), bench.clock.now()) == ([], began)


@pytest.mark.parametrize("delay", [0.0, 20.0])
def test_a_run_that_was_killed_after_sending_is_continued(bench: WarehouseBench, delay: float) -> None:
    bench.service.settings["visibility_delay"] = delay
    bench.fail("CreateWarehouse", Killed(), done=True)
    with pytest.raises(Killed):
        bench(**NEW)
    assert len(bench.notes()) == 1
    second = bench(**NEW)
    assert (second["changed"], second["warehouse"]["id"], len(bench.stored)) == (False, 1001, 1)
    assert "CreateWarehouse" not in bench.sent


def test_a_new_warehouse_that_stays_invisible_is_told_and_never_made_twice(bench: WarehouseBench) -> None:
    bench.service.settings["visibility_delay"] = 3600.0
    with pytest.raises(errors.CannotDetermine, match=r"accepted the create .* did not appear within 2 s"):
        bench(**NEW, create_grace=2.0)
    for _ in range(2):
        bench.clock.sleep(100.0)
        with pytest.raises(
            errors.CannotDetermine, match=r"whether the warehouse with partner id 12.*This task has sent nothing"
        ):
            bench(**NEW, create_grace=2.0)
    assert len(bench.stored) == 1
    bench.clock.sleep(3600.0)
    assert not bench(**NEW)["changed"]


@pytest.mark.parametrize("apart", [0.0, 1.0])
def test_a_second_one_that_another_controller_makes_at_the_same_time_is_told(
    bench: WarehouseBench, apart: float
) -> None:
    """The list is late with both, so that each of the two tasks sees one of them first."""
    bench.service.settings["visibility_delay"] = 3.1

    def another() -> None:
        (row,) = bench.stored
        bench.state.warehouses[1002] = {**row, "WarehouseId": 1002}
        bench.state._born["warehouse", 1002] = bench.clock.time() + apart

    bench.after("CreateWarehouse", another)
    with pytest.raises(errors.Ambiguous, match="2 warehouses have partner id 12") as told:
        bench(**NEW)
    assert errors.has_changed(told.value)
    assert told.value.details["ids"] == [1001, 1002]


def test_a_note_does_not_outlive_the_sight_of_its_warehouse(bench: WarehouseBench) -> None:
    bench.after("CreateWarehouse", lambda: bench.fail("GetWarehouses", Killed()))
    with pytest.raises(Killed):
        bench(**NEW)
    assert not bench(**NEW)["changed"]
    assert bench.notes() == []
    assert bench(**KEY, state="absent")["changed"]
    assert bench(**NEW)["changed"]


@pytest.mark.parametrize(("seconds", "more"), [(3500.0, {"force_create": True}), (3700.0, {})])
def test_an_invisible_warehouse_is_not_taken_for_gone_within_an_hour_without_force(
    bench: WarehouseBench, seconds: float, more: dict[str, bool]
) -> None:
    bench.service.settings["visibility_delay"] = 3600.0
    with pytest.raises(errors.CannotDetermine):
        bench(**NEW, create_grace=2.0)
    bench.state.warehouses.clear()
    bench.service.settings["visibility_delay"] = 0.0
    bench.clock.sleep(seconds)
    if more:
        with pytest.raises(errors.CannotDetermine):
            bench(**NEW)
    assert bench(**NEW, **more)["changed"]
    assert (len(bench.stored), bench.notes()) == (1, [])


@pytest.mark.parametrize(
    ("sent", "kept"), [("DS-01", "ds-01"), ("DS-01 ", "DS-01"), ("DS  01", "DS 01"), ("DS-0123456789", "DS-01234")]
)
@pytest.mark.parametrize("answered", [True, False])
def test_one_that_is_kept_otherwise_is_told_and_not_made_again(
    bench: WarehouseBench, sent: str, kept: str, answered: bool
) -> None:
    bench(**{**NEW, "data_store_number": "DS"})
    new = {**NEW, "data_store_number": sent}
    usual = bench.service._handlers["CreateWarehouse"]
    bench.service._handlers["CreateWarehouse"] = lambda state, given: usual(state, {**given, "dataStoreNumber": kept})
    if not answered:
        bench.fail("CreateWarehouse", errors.Unclear("connection reset"), done=True)
        with pytest.raises(errors.CannotDetermine):
            bench(**new)
    told = f"with the ID 1002, but its data_store_number is {kept!r} instead of {sent!r}"
    for first in (answered, False):
        with pytest.raises(errors.OperationFailed, match=told) as caught:
            bench(**new)
        assert errors.has_changed(caught.value) is first
        assert (len(bench.stored), bench.clock.sleep(4000.0)) == (2, None)
    assert bench(id=1002, state="absent")["changed"]
    bench.service._handlers["CreateWarehouse"] = usual
    assert bench(**new)["changed"]


@pytest.mark.parametrize("answered", [True, False])
def test_one_that_only_the_whole_list_shows_is_found(bench: WarehouseBench, answered: bool) -> None:
    usual = bench.service._handlers["GetWarehouses"]
    bench.service._handlers["GetWarehouses"] = lambda state, given: (
        {"_results": None} if given["searchParams"].get("PartnerId") else usual(state, given)
    )
    bench.service._handlers["WarehouseExists"] = lambda _state, _given: False
    if not answered:
        bench.fail("CreateWarehouse", errors.Unclear("connection reset"), done=True)
    made = bench(**NEW)
    assert (made["changed"], made["warehouse"]["id"], len(bench.stored)) == (True, 1001, 1)
    assert not bench(**NEW)["changed"]


def test_the_next_search_may_be_of_a_late_replica(bench: WarehouseBench) -> None:
    bench(**NEW)
    bench.service.settings["visibility_delay"] = 3600.0
    assert (bench(**NEW)["changed"], len(bench.stored)) == (False, 1)


def test_a_failure_to_read_it_back_says_that_it_was_made(bench: WarehouseBench) -> None:
    bench.after("CreateWarehouse", lambda: bench.fail("GetWarehouses", errors.Forbidden("no", status=500)))
    with pytest.raises(errors.CannotDetermine, match=r"accepted the create of .* could not be read back: no"):
        bench(**NEW)
    second = bench(**NEW)
    assert (second["changed"], len(bench.stored), second["warehouse"]["id"]) == (False, 1, 1001)


@pytest.mark.parametrize("check_mode", [True, False])
def test_one_that_the_service_knows_and_no_search_shows_is_not_made_again(
    bench: WarehouseBench, check_mode: bool
) -> None:
    bench(**NEW)
    bench.forget()
    bench.service._handlers["GetWarehouses"] = lambda _state, _given: {"_results": None}
    with pytest.raises(
        errors.InvalidInput, match=r"exists according to WarehouseExists, but GetWarehouses does not return"
    ):
        bench(check_mode=check_mode, **NEW)
    assert bench.writes == []


def test_a_search_that_makes_something_else_of_the_key(bench: WarehouseBench) -> None:
    """What the members of a search mean is not known: before a warehouse counts as gone, all are looked at."""
    bench(**NEW)
    usual = bench.service._handlers["GetWarehouses"]
    bench.service._handlers["GetWarehouses"] = lambda state, given: (
        {"_results": None} if (given["searchParams"] or {}).get("PartnerId") else usual(state, given)
    )
    assert not bench(**NEW)["changed"]
    assert bench.sent == ["GetWarehouses", "WarehouseExists", "GetWarehouses"]
    assert bench(**KEY, state="absent")["changed"]
    assert bench.stored == []


def test_the_removal_of_one_that_no_search_shows_is_not_silent(bench: WarehouseBench) -> None:
    bench(**NEW)
    bench.forget()
    bench.service._handlers["GetWarehouses"] = lambda _state, _given: {"_results": None}
    assert not bench(**KEY, state="absent")["changed"]
    (warning,) = bench.warnings
    assert "data store number DS-01 according to WarehouseExists" in warning
    assert warning.endswith("but no search returns it.")
    assert bench.writes == []


def test_one_that_another_job_makes_meanwhile_is_brought_to_its_state(bench: WarehouseBench) -> None:
    bench(**NEW)
    rows = dict(bench.state.warehouses)
    bench.state.warehouses.clear()
    bench.after("GetWarehouses", lambda: bench.state.warehouses.update(rows))
    result = bench(**{**NEW, "queue_length": 9})
    assert (result["action"], result["warehouse"]["queue_length"], bench.writes) == ("update", 9, ["UpdateWarehouse"])


@pytest.mark.parametrize("done", [True, False])
def test_an_update_with_an_unclear_answer_is_looked_up(bench: WarehouseBench, done: bool) -> None:
    bench(**NEW)
    bench.fail("UpdateWarehouse", errors.Unclear("connection reset"), done=done)
    if done:
        assert bench(**KEY, name="other")["warehouse"]["name"] == "other"
    else:
        with pytest.raises(errors.FcdError) as caught:
            bench(**KEY, name="other")
        assert not isinstance(caught.value, errors.Rejected)
    assert bench(**KEY, name="other")["changed"] is not done


@pytest.mark.parametrize("problem", [errors.Unclear("reset"), errors.Rejected("no such", status=500)], ids=str)
def test_a_removal_counts_as_done_when_nothing_is_there_any_more(bench: WarehouseBench, problem: Exception) -> None:
    bench(**NEW)
    bench.fail("DeleteWarehouse", problem, done=True)
    assert bench(**KEY, state="absent")["changed"]
    bench(**NEW)
    bench.fail("DeleteWarehouse", problem, done=False)
    with pytest.raises(errors.FcdError):
        bench(**KEY, state="absent")
    assert len(bench.stored) == 1


def test_what_is_accepted_and_not_done_is_no_success(bench: WarehouseBench) -> None:
    bench(**NEW)
    (house,) = bench.stored
    before = dict(house)
    bench.after("UpdateWarehouse", lambda: house.update(before))
    with pytest.raises(errors.OperationFailed, match="does not show it in: name") as unchanged:
        bench(**KEY, name="other")
    bench.after("DeleteWarehouse", lambda: bench.state.warehouses.update({before["WarehouseId"]: house}))
    with pytest.raises(errors.OperationFailed, match="has accepted DeleteWarehouse for the warehouse") as kept:
        bench(**KEY, state="absent")
    assert errors.has_changed(unchanged.value)
    assert errors.has_changed(kept.value)


@pytest.mark.parametrize(
    ("problem", "operation", "reads"),
    [
        (errors.Forbidden("no", status=500), "UpdateWarehouse", 2),  # the second one under the lock
        (errors.Rejected("no", status=500), "UpdateWarehouse", 2),
        (errors.Unauthorized("no", status=401), "DeleteWarehouse", 1),
        (errors.Unusable("redirect", redirect="https://other.example.com", status=308), "DeleteWarehouse", 1),
    ],
)
def test_a_plain_refusal_is_not_looked_into(
    bench: WarehouseBench, problem: Exception, operation: str, reads: int
) -> None:
    bench(**NEW)
    bench.fail(operation, problem)
    change = {"name": "other"} if operation == "UpdateWarehouse" else {"state": "absent"}
    with pytest.raises(type(problem)):
        bench(**KEY, **change)
    assert bench.sent == [*["GetWarehouses"] * reads, "GetWarehouse"]


def test_a_failing_look_up_leaves_the_first_error(bench: WarehouseBench) -> None:
    bench(**NEW)
    bench.fail("DeleteWarehouse", errors.Unclear("reset"))
    bench.after("GetWarehouse", lambda: bench.fail("GetWarehouse", errors.Unreachable("gone")))
    with pytest.raises(errors.Unclear, match="reset"):
        bench(**KEY, state="absent")


@pytest.mark.parametrize(
    "problem", [errors.Forbidden("no", status=500), errors.ServiceError("busy", status=503), 200], ids=str
)
def test_a_read_that_fails_is_no_proof_of_absence(bench: WarehouseBench, problem: Exception | int) -> None:
    bench.fail("GetWarehouse", problem)
    with pytest.raises(errors.ServiceError):
        bench(id=77, state="absent")
    assert bench.sent == []
