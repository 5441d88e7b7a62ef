# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One object brought to its state: nothing is applied in check mode, and a rival's object is not made again."""

from __future__ import annotations

import contextlib
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import (
    ImmutableChange,
    InvalidInput,
    OperationFailed,
    has_changed,
)
from ansible_collections.fcd.cloud.plugins.module_utils._core.type_aliases import JsonMapping
from ansible_collections.fcd.cloud.plugins.module_utils._engine.plan import (
    Created,
    Field,
    Outcome,
    Plan,
    reconcile,
    write_only,
)
from ansible_collections.fcd.cloud.plugins.module_utils._engine.scheduler import Progress


class Shelf:
    """A resource that keeps its objects in a dictionary and notes what was applied."""

    kind = "thing"
    fields = (Field("name"), Field("size"), Field("password", compare=lambda _w, _c: False, secret=True))

    def __init__(self, *things: dict[str, t.Any], rival: dict[str, t.Any] | None = None) -> None:
        self.things = {thing["name"]: dict(thing) for thing in things}
        self.rival = rival
        self.applied: list[str] = []

    def find(self, desired: JsonMapping) -> dict[str, t.Any] | None:
        return self.things.get(desired["name"])

    def create(self, values: JsonMapping) -> Created:
        if self.rival is not None:
            self.things[self.rival["name"]] = self.rival
            return Created(self.rival, by_us=False)
        self.applied.append("create")
        self.things[values["name"]] = {"id": 1, **{k: v for k, v in values.items() if k != "password"}}
        return Created(self.things[values["name"]])

    def update(self, current: JsonMapping, changes: JsonMapping) -> dict[str, t.Any]:
        self.applied.append("update")
        shown = {k: v for k, v in changes.items() if k != "password"}
        self.things[current["name"]] = {**current, **shown}
        return self.things[current["name"]]

    def delete(self, current: JsonMapping) -> None:
        self.applied.append("delete")
        del self.things[current["name"]]


THERE = {"id": 5, "name": "a", "size": 1}


@pytest.mark.parametrize(
    ("things", "desired", "state", "action"),
    [
        ([], {"name": "a", "size": 1}, "present", "create"),
        ([THERE], {"name": "a", "size": 1}, "present", None),
        ([THERE], {"name": "a", "size": 2}, "present", "update"),
        ([THERE], {"name": "a"}, "absent", "delete"),
        ([], {"name": "a"}, "absent", None),
    ],
)
def test_check_mode_foresees_what_the_real_run_does(
    things: list[dict[str, t.Any]], desired: dict[str, t.Any], state: str, action: str | None
) -> None:
    shelf = Shelf(*things)
    foreseen = reconcile(shelf, desired, state, check_mode=True)
    assert shelf.applied == []
    done = reconcile(shelf, desired, state, check_mode=False)
    assert shelf.applied == ([action] if action else [])
    assert (foreseen.action, foreseen.changed, foreseen.before) == (done.action, done.changed, done.before)
    assert {k: v for k, v in foreseen.after.items() if k != "id"} == {k: v for k, v in done.after.items() if k != "id"}
    again = reconcile(shelf, desired, state, check_mode=False)
    assert not again.changed


def test_check_mode_returns_the_object_as_it_would_be() -> None:
    for things, record in (
        ([], {"id": None, "name": "a", "size": 2}),
        ([{**THERE, "since": 9}], {"id": 5, "name": "a", "size": 2, "since": 9}),
    ):
        outcome = reconcile(Shelf(*things), {"name": "a", "size": 2, "password": "x"}, "present", check_mode=True)
        assert outcome.record == record


class Ignoring(Shelf):
    """A resource that accepts changes and does not carry them all out."""

    fields = (
        Field("name"),
        Field("size"),
        Field("color", may_be_unknown=True),
        Field("key", write_only),
        Field("zone"),
    )

    arrives: t.ClassVar[dict[str, t.Any]] = {}  # what a new one has in place of what was sent

    def find(self, desired: JsonMapping) -> dict[str, t.Any] | None:
        del desired
        return next(iter(self.things.values()), None)

    def create(self, values: JsonMapping) -> Created:
        return Created({**values, **self.arrives})

    def update(self, current: JsonMapping, changes: JsonMapping) -> dict[str, t.Any]:
        self.applied.append("update")
        return {**current, "zone": changes.get("zone", current.get("zone"))}


@pytest.mark.parametrize("name", ["a", None])
def test_a_change_counts_if_the_object_shows_it(name: str | None) -> None:
    shelf = Ignoring({"id": 5, "name": name, "size": 1, "color": None, "key": None, "zone": "x"})
    desired = {"color": "red", "key": "other", "zone": "y", "weight": 3}
    assert reconcile(shelf, desired, "present", check_mode=False).changed, "nothing that can be seen is wrong"
    with pytest.raises(OperationFailed, match=f"thing {name or 5!r}, but does not show it in: size") as told:
        reconcile(shelf, {**desired, "size": 2}, "present", check_mode=False)
    assert (has_changed(told.value), told.value.details["fields"], told.value.details["id"]) == (True, ["size"], 5)


def test_a_create_counts_if_the_object_shows_what_was_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    desired = {"name": "a", "size": 2, "color": "red", "key": "other", "weight": 3}
    for shown, wrong in (({"size": 1}, ["size"]), ({"color": None, "key": None}, [])):
        monkeypatch.setattr(Ignoring, "arrives", shown)
        told = contextlib.nullcontext() if not wrong else pytest.raises(OperationFailed, match="creation of thing 'a'")
        with told as caught:
            assert reconcile(Ignoring(), desired, "present", check_mode=False).changed
        if caught is not None:
            assert (has_changed(caught.value), caught.value.details["fields"]) == (True, wrong)


def test_an_object_made_by_a_rival_is_taken_as_it_is() -> None:
    outcome = reconcile(Shelf(rival=dict(THERE)), {"name": "a", "size": 1}, "present", check_mode=False)
    assert outcome == Outcome(None, THERE, THERE, THERE)


def test_an_object_made_by_a_rival_is_updated_where_it_differs() -> None:
    shelf = Shelf(rival=dict(THERE))
    outcome = reconcile(shelf, {"name": "a", "size": 3}, "present", check_mode=False)
    assert shelf.applied == ["update"]
    assert (outcome.action, outcome.before["size"], outcome.after["size"]) == ("update", 1, 3)


def test_no_secret_is_in_the_diff() -> None:
    for check_mode in (True, False):
        for shelf in (Shelf(), Shelf(THERE)):
            outcome = reconcile(shelf, {"name": "a", "password": "canary-9"}, "present", check_mode=check_mode)
            assert outcome.changed
            assert outcome.diff == {"before": outcome.before, "after": outcome.after}
            assert "canary" not in repr((outcome.diff, outcome.record))
            assert outcome.after["password"].startswith("(hidden")


class Verifying(Shelf):
    """A shelf that notes what it is asked to verify, and refuses the size 13."""

    def __init__(self, *things: dict[str, t.Any], rival: dict[str, t.Any] | None = None) -> None:
        super().__init__(*things, rival=rival)
        self.verified: list[tuple[str, dict[str, t.Any], t.Any]] = []

    def verify(self, action: str, changes: dict[str, t.Any], current: JsonMapping | None) -> None:
        assert self.applied == []
        self.verified.append((action, changes, current))
        if changes.get("size") == 13:
            raise InvalidInput("13 is taken")


@pytest.mark.parametrize(
    ("things", "desired", "state", "verified"),
    [
        ([THERE], {"name": "a", "size": 2}, "present", [("update", {"size": 2}, THERE)]),
        ([THERE], {"name": "a"}, "absent", [("delete", {}, THERE)]),
        ([THERE], {"name": "a"}, "present", []),
        ([], {"name": "a"}, "absent", []),
    ],
)
@pytest.mark.parametrize("check_mode", [True, False])
def test_a_change_is_verified_before_it_is_applied_and_in_check_mode(
    things: list[dict[str, t.Any]], desired: dict[str, t.Any], state: str, verified: list[t.Any], check_mode: bool
) -> None:
    shelf = Verifying(*things)
    reconcile(shelf, desired, state, check_mode=check_mode)
    assert shelf.verified == verified
    assert bool(shelf.applied) == (bool(verified) and not check_mode)


def test_a_create_is_verified_here_in_check_mode_only() -> None:
    desired = {"name": "a", "size": 1}
    shelf = Verifying()
    reconcile(shelf, desired, "present", check_mode=True)
    assert shelf.verified == [("create", desired, None)]
    shelf.verified.clear()
    reconcile(shelf, desired, "present", check_mode=False)
    assert (shelf.verified, shelf.applied) == ([], ["create"])


def test_the_update_of_a_rivals_object_is_verified_too() -> None:
    shelf = Verifying(rival=dict(THERE))
    reconcile(shelf, {"name": "a", "size": 3}, "present", check_mode=False)
    assert shelf.verified == [("update", {"size": 3}, THERE)]


@pytest.mark.parametrize("check_mode", [True, False])
def test_nothing_is_applied_when_the_check_raises(check_mode: bool) -> None:
    shelf = Verifying(THERE)
    with pytest.raises(InvalidInput, match="13 is taken"):
        reconcile(shelf, {"name": "a", "size": 13}, "present", check_mode=check_mode)
    assert shelf.applied == []


class Alone(Shelf):
    """A shelf that others change until it is held alone."""

    def __init__(self, *things: dict[str, t.Any], meanwhile: dict[str, t.Any] | None) -> None:
        super().__init__(*things)
        self.meanwhile = meanwhile
        self.held: list[int] = []

    @contextlib.contextmanager
    def lock(self, current: JsonMapping) -> t.Iterator[None]:
        self.held.append(current["id"])
        self.things = {} if self.meanwhile is None else {self.meanwhile["name"]: self.meanwhile}
        yield
        self.held.append(-current["id"])


@pytest.mark.parametrize(
    ("meanwhile", "action", "applied", "before"),
    [
        ({**THERE, "colour": "red"}, "update", ["update"], {**THERE, "colour": "red"}),
        ({**THERE, "size": 3, "colour": "red"}, None, [], {**THERE, "size": 3, "colour": "red"}),
        (None, "create", ["create"], {}),
    ],
)
def test_what_others_did_before_it_was_held_alone_stays(
    meanwhile: dict[str, t.Any] | None, action: str | None, applied: list[str], before: dict[str, t.Any]
) -> None:
    shelf = Alone(THERE, meanwhile=meanwhile)
    outcome = reconcile(shelf, {"name": "a", "size": 3}, "present", check_mode=False)
    assert (outcome.action, shelf.applied, outcome.before) == (action, applied, before)
    assert (shelf.things["a"]["size"], shelf.things["a"].get("colour")) == (3, meanwhile and "red")
    assert shelf.held == [5, -5]


@pytest.mark.parametrize("check_mode", [True, False])
def test_where_nothing_is_sent_nothing_is_held(check_mode: bool) -> None:
    shelf = Alone(THERE, meanwhile=THERE)
    reconcile(shelf, {"name": "a", "size": 2 if check_mode else 1}, "present", check_mode=check_mode)
    assert shelf.held == []


class Replaced(Shelf):
    """A resource whose size cannot be changed; the user wants a replacement."""

    fields = (Field("name"), Field("size", on_update=False))
    may_replace = True

    def create(self, values: JsonMapping) -> Created:
        if values["size"] == 0:
            raise OperationFailed("no")
        return super().create(values)


def test_a_replacement_is_a_removal_and_a_creation() -> None:
    shelf = Replaced(THERE)
    foreseen = reconcile(shelf, {"name": "a", "size": 2}, "present", check_mode=True)
    assert (foreseen.action, foreseen.record) == ("replace", {"id": None, "name": "a", "size": 2})
    assert shelf.applied == []
    outcome = reconcile(shelf, {"name": "a", "size": 2}, "present", check_mode=False)
    assert (outcome.action, outcome.before, outcome.record) == ("replace", THERE, {"id": 1, "name": "a", "size": 2})
    assert shelf.applied == ["delete", "create"]


class Rivalled(Replaced):
    """One whose place a rival takes after the removal; a removal once is enough."""

    def delete(self, current: JsonMapping) -> None:
        super().delete(current)
        self.may_replace = False


@pytest.mark.parametrize("size", [2, 3])
def test_a_rivals_object_in_the_place_of_a_replaced_one_is_compared_and_not_removed(size: int) -> None:
    shelf = Rivalled(THERE, rival={"id": 9, "name": "a", "size": size})
    with contextlib.ExitStack() as stack:
        if size != 2:
            stack.enter_context(
                pytest.raises(ImmutableChange, match=r"^Thing 'a' \(5\) was removed, but not re-created")
            )
        outcome = reconcile(shelf, {"name": "a", "size": 2}, "present", check_mode=False)
        assert (outcome.action, outcome.before, (outcome.record or {})["id"]) == ("replace", THERE, 9)
    assert shelf.applied == ["delete"]


def test_nothing_is_replaced_that_the_user_does_not_want_replaced() -> None:
    shelf = Shelf(THERE)
    shelf.fields = Replaced.fields  # type: ignore[assignment]
    with pytest.raises(ImmutableChange):
        reconcile(shelf, {"name": "a", "size": 2}, "present", check_mode=False)
    assert shelf.applied == []


def test_a_replacement_is_verified_before_anything_is_removed() -> None:
    class Both(Verifying, Replaced):
        pass

    shelf = Both(THERE)
    with pytest.raises(InvalidInput, match="13 is taken"):
        reconcile(shelf, {"name": "a", "size": 13}, "present", check_mode=False)
    assert shelf.applied == []


def test_a_replacement_that_fails_half_way_has_changed_something() -> None:
    with pytest.raises(OperationFailed) as raised:
        reconcile(Replaced(THERE), {"name": "a", "size": 0}, "present", check_mode=False)
    assert has_changed(raised.value)
    assert str(raised.value) == (
        "Thing 'a' (5) was removed, but not re-created: no Fix the cause and run the task again: it creates the thing."
    )


class Slow(Shelf):
    """A resource that waits, once, for whatever runs on its object, and only starts its changes."""

    def __init__(self, *things: dict[str, t.Any], then: dict[str, t.Any] | None) -> None:
        super().__init__(*things)
        self.then = then
        self.waits = 0

    def run_job(self, job: t.Generator[object, None, Outcome]) -> Outcome:
        while True:
            try:
                next(job)
            except StopIteration as stop:
                return t.cast("Outcome", stop.value)
            self.waits += 1

    def wait_until_free(self, _current: object, _plan: Plan) -> t.Generator[Progress, None, dict[str, t.Any] | None]:
        yield Progress("waiting")
        return self.then

    def update(self, current: JsonMapping, changes: JsonMapping) -> t.Any:  # type: ignore[override]
        yield Progress("changing")
        super().update(current, changes)


@pytest.mark.parametrize(
    ("then", "state", "action", "waits", "before"),
    [
        ({**THERE, "colour": "red"}, "present", "update", 2, {**THERE, "colour": "red"}),
        ({**THERE, "size": 3}, "present", None, 1, {**THERE, "size": 3}),
        (None, "present", "create", 1, {}),
        ({**THERE, "size": 3}, "absent", "delete", 1, {**THERE, "size": 3}),
        (None, "absent", None, 1, {}),
    ],
)
def test_what_has_ended_on_an_object_decides_what_is_done(
    then: dict[str, t.Any] | None, state: str, action: str | None, waits: int, before: dict[str, t.Any]
) -> None:
    shelf = Slow(THERE, then=then)
    outcome = reconcile(shelf, {"name": "a", "size": 3}, state, check_mode=False)
    assert (outcome.action, shelf.applied, shelf.waits) == (action, [action] if action else [], waits)
    assert outcome.before == before
    assert (outcome.record or {}).get("size") == (3 if state == "present" else None)


def test_an_object_that_is_free_is_not_compared_again_and_a_new_one_not_waited_for() -> None:
    free = Slow(THERE, then=None)
    free.wait_until_free = lambda current, _plan: job_of(current)  # type: ignore[method-assign]
    free.compare = lambda _current: pytest.fail("compared")  # type: ignore[attr-defined]
    assert reconcile(free, {"name": "a", "size": 3}, "present", check_mode=False).action == "update"
    new = Slow(then=THERE)
    assert reconcile(new, {"name": "a", "size": 3}, "present", check_mode=False).action == "create"
    assert new.waits == 0


def job_of(value: t.Any) -> t.Generator[Progress, None, t.Any]:
    """Return a job that has nothing to wait for."""
    yield from ()
    return value
