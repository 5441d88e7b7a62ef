# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes: what is sent how often, what is waited for and how long, and what an error says of it."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.plugins.module_utils._core.clock import Deadline
from ansible_collections.fcd.cloud.plugins.module_utils._engine import change
from ansible_collections.fcd.cloud.plugins.module_utils._engine.change import Change, ChangeContext

GRACE = 30.0
SETTLE = 3.0
Row = t.Dict[str, t.Any]


class FakeService:
    """The task, the service and the reader of its only object, number 7. What lists hold comes one at each read."""

    def __init__(self, clock: t.Any) -> None:
        clock.time = 0.0
        self.clock = clock
        self.deadline = Deadline(clock, None)
        self.api = self
        self.warned: list[str] = []
        self.told: list[str] = []
        self.records: list[t.Any] = [{"size": 1}]
        self.tickets: list[t.Any] = []
        self.events: t.Any = []
        self.answers: list[t.Any] = []
        self.sent = 0
        self.asked: list[int] = []

    def warn(self, text: str) -> None:
        self.warned.append(text)

    def tell(self, text: str) -> None:
        self.told.append(text)

    def by_id(self, number: int) -> Row | None:
        self.asked.append(number)
        return t.cast("Row | None", _next(self.records))

    def get_ticket(self, number: int) -> Row:
        self.asked.append(number)
        return t.cast("Row", _next(self.tickets))

    def list_instance_events(self, number: int) -> list[Row]:
        assert number == 7
        return t.cast("list[Row]", _next([self.events]))

    def send(self) -> Row | None:
        self.sent += 1
        return t.cast("Row | None", _next(self.answers))


def _next(values: list[t.Any]) -> t.Any:
    """Return or raise the next of them; the last one comes again and again."""
    value = values.pop(0) if len(values) > 1 else values[0]
    if isinstance(value, BaseException):
        raise value
    return value


@pytest.fixture
def service(fake_clock: t.Any) -> FakeService:
    return FakeService(fake_clock)


def context(
    service: FakeService, *, wait: bool = True, seconds: float | None = None, grace: float = GRACE
) -> ChangeContext:
    deadline = Deadline(service.clock, seconds)
    whole = t.cast("t.Any", service)
    return ChangeContext(whole, whole, deadline, wait, grace, errors.ChangeTracker())


def resize(here: ChangeContext, service: FakeService, **more: t.Any) -> Change:
    return Change(here, 7, "Resizing", service.send, lambda seen: bool(seen and seen["size"] == 2), **more)


def make(here: ChangeContext, *changes: Change, notes: list[Row] | None = None) -> t.Any:
    return change.run_to_end(here, change.make_changes(changes, [].append if notes is None else notes.append))


def ticket(status: int, **more: t.Any) -> Row:
    return {"Id": 50, "Status": {"Id": status}, "ObjectId": 7, **more}


SMALL, LARGE = {"size": 1}, {"size": 2}
LOCKED = {"size": 1, "is_locked": True}
GONE = errors.NotFound("404", status=404)
UNCLEAR = errors.Unclear("reset")


def test_a_ticket_is_noted_and_waited_for(service: FakeService) -> None:
    service.answers, service.tickets = [ticket(134)], [ticket(135, Progress=40), ticket(135, Progress=40), ticket(136)]
    service.records = [SMALL, LARGE]
    notes: list[Row] = []
    here = context(service)
    assert make(here, resize(here, service), notes=notes) == LARGE
    assert (notes, service.sent, service.asked) == ([ticket(134)], 1, [50, 50, 50, 7, 7])
    assert service.told == ["Resizing: ticket 50", "Resizing: ticket 50, 40 %", "Resizing: there"]


def test_without_waiting_the_last_one_is_only_started(service: FakeService) -> None:
    service.answers, service.tickets, service.records = [ticket(134)], [ticket(136)], [LARGE]
    here = context(service, wait=False)
    notes: list[Row] = []
    assert make(here, resize(here, service), resize(here, service), notes=notes) is None
    assert (service.sent, len(notes), service.asked) == (2, 2, [50, 7])


def test_what_is_done_at_once_needs_no_wait(service: FakeService) -> None:
    service.answers, service.records = [None], [LARGE]
    here = context(service, wait=False)
    notes: list[Row] = []
    assert make(here, resize(here, service), notes=notes) == LARGE
    assert (notes, service.clock.time) == ([], 0.0)


@pytest.mark.parametrize(("strict", "seconds"), [(False, pytest.approx(GRACE, abs=10)), (True, 300.0)])
def test_what_a_ticket_has_brought_may_show_late(service: FakeService, strict: bool, seconds: t.Any) -> None:
    service.answers, service.tickets = [ticket(136)], []
    here = context(service, seconds=300.0)
    if strict:
        with pytest.raises(errors.WaitTimeout):
            make(here, resize(here, service, strict=True))
    else:
        assert make(here, resize(here, service)) == SMALL
    assert service.clock.time == seconds


def test_a_lock_is_waited_for_even_when_the_grace_time_is_over(service: FakeService) -> None:
    service.answers, service.records = [ticket(136)], [LOCKED] * 20 + [LARGE]
    here = context(service)
    assert make(here, resize(here, service)) == LARGE
    assert service.clock.time > 2 * GRACE


def test_a_failed_ticket_is_told_with_the_newest_reason(service: FakeService) -> None:
    service.answers, service.tickets = [ticket(134)], [ticket(137)]
    service.events = [
        {"Id": None, "OperationStatus": {"Id": 137}, "Message": "without a number"},
        {"Id": 1, "OperationStatus": {"Id": 137}, "Message": " no room. "},
        {"OperationStatus": {"Id": 137}, "Message": "without a number"},
        {"Id": 9, "OperationStatus": {"Id": 136}, "Message": "fine"},
    ]
    here = context(service)
    with pytest.raises(errors.OperationFailed) as told:
        make(here, resize(here, service))
    assert told.value.message == "Resizing failed: ticket 50 ended with an error: no room."
    assert (told.value.next_step, told.value.details) == (None, {"ticket": 50, "object_id": 7})
    assert not errors.has_changed(told.value)


@pytest.mark.parametrize(
    ("events", "more"),
    [
        ([], {}),
        ([{"Id": 1, "OperationStatus": {"Id": 137}, "Message": None}], {}),
        (GONE, {}),
        ([{"Id": 1, "OperationStatus": {"Id": 137}, "Message": "of something else"}], {"ObjectType": {"Id": 141}}),
        ([{"Id": 1, "OperationStatus": {"Id": 137}, "Message": "of something else"}], {"ObjectId": None}),
    ],
)
def test_a_failed_ticket_may_have_no_reason(service: FakeService, events: t.Any, more: Row) -> None:
    service.answers, service.events = [ticket(137, **more)], events
    here = context(service)
    with pytest.raises(errors.OperationFailed, match=r"ended with an error\. The service gives no reason"):
        make(here, resize(here, service))


def test_the_reason_is_told_of_an_instance(service: FakeService) -> None:
    service.answers = [ticket(137, ObjectType={"Id": 139})]
    service.events = [{"Id": 1, "OperationStatus": {"Id": 137}, "Message": "no room"}]
    here = context(service)
    with pytest.raises(errors.OperationFailed, match="no room"):
        make(here, resize(here, service))


def test_a_failure_after_a_change_that_went_well_says_changed(service: FakeService) -> None:
    service.answers, service.records = [ticket(136), ticket(137)], [LARGE]
    here = context(service)
    with pytest.raises(errors.OperationFailed) as told:
        make(here, resize(here, service), resize(here, service))
    assert errors.has_changed(told.value)


@pytest.mark.parametrize(
    ("records", "end"),
    [
        ([LARGE], LARGE),
        ([SMALL, LARGE], LARGE),
        ([SMALL], "ticket 50 does not tell how it ended"),
        ([None], "no longer exists"),
    ],
)
def test_a_ticket_that_vanishes_is_replaced_by_what_the_object_shows(
    service: FakeService, records: list[t.Any], end: t.Any
) -> None:
    service.answers, service.tickets, service.records = [ticket(134)], [GONE], records
    here = context(service, seconds=300.0)
    if not isinstance(end, str):
        assert make(here, resize(here, service, strict=True)) == end
        return
    with pytest.raises(errors.OperationFailed, match=end) as told:
        make(here, resize(here, service, strict=True))
    assert GRACE <= service.clock.time < GRACE + 11
    assert errors.has_changed(told.value) is (records == [None])  # that the object has not changed is known


@pytest.mark.parametrize("records", [[SMALL, LARGE], [SMALL]])
def test_a_ticket_with_an_end_and_an_unknown_status_has_ended(service: FakeService, records: list[t.Any]) -> None:
    unknown, end = {"Status": {"Id": 140, "Label": "Partly"}}, {"EndDate": "2026-01-01T00:00:00Z"}
    running = ({"Status": {"Id": status}, **end} for status in (134, 135))
    later = [unknown, *running, {"Status": None, **end}, {**unknown, **end}]
    service.answers, service.records = [ticket(134)], records
    service.tickets = [{**ticket(134), **one} for one in later]
    here = context(service, seconds=300.0)
    if records[-1] == LARGE:
        assert make(here, resize(here, service)) == LARGE
    else:
        with pytest.raises(errors.OperationFailed, match="ticket 50 does not tell how it ended, and nothing has"):
            make(here, resize(here, service))
    assert service.warned == [
        "Resizing: ticket 50 has ended with the unknown status Partly (140), so only the object shows what was done."
    ]
    assert service.asked.count(50) == len(later)


@pytest.mark.parametrize("member", ["OperationType", "ObjectType"])
def test_a_ticket_is_believed_only_about_its_own_operation(service: FakeService, member: str) -> None:
    own, others = {member: {"Id": 143}}, {member: {"Id": 144}}
    service.answers, service.records = [ticket(134, **own)], [SMALL, LARGE]
    service.tickets = [ticket(137, **others), ticket(135, **{member: None}), ticket(136, **others), ticket(136, **own)]
    here = context(service, seconds=300.0)
    assert make(here, resize(here, service)) == LARGE
    told = f"While waiting: Ticket 50 is about another operation: its {member} is 144, not 143. Trying again."
    assert service.warned == [told, told]


def removal(here: ChangeContext, service: FakeService) -> Change:
    return Change(here, 7, "Removing", service.send, lambda seen: seen is None, removes=True)


def test_a_removal_is_over_when_the_object_is_gone(service: FakeService) -> None:
    service.answers, service.tickets, service.records = [ticket(134)], [ticket(136)], [SMALL, None]
    here = context(service)
    assert make(here, removal(here, service)) is None
    assert service.asked == [50, 7, 7]


def test_a_removal_that_is_not_done_after_the_grace_time_fails(service: FakeService) -> None:
    service.answers, service.tickets, service.records = [ticket(134)], [ticket(136)], [SMALL]
    here = context(service)
    with pytest.raises(errors.OperationFailed, match="accepted it, but instance 7 is still there") as told:
        make(here, removal(here, service))
    assert GRACE <= service.clock.time < GRACE + 11
    assert errors.has_changed(told.value)


def test_a_removal_whose_ticket_vanishes_is_looked_after(service: FakeService) -> None:
    service.answers, service.tickets, service.records = [ticket(134)], [GONE], [SMALL, None]
    here = context(service)
    assert make(here, removal(here, service)) is None
    assert service.asked == [50, 7, 7]


@pytest.mark.parametrize(
    ("removes", "tickets", "raises"),
    [(True, [ticket(136)], False), (True, [GONE], True), (False, [ticket(136)], True)],
    ids=["removed", "removed-says-nobody", "changed"],
)
def test_what_cannot_be_read_any_more_was_removed_if_the_ticket_says_so(
    service: FakeService, removes: bool, tickets: list[t.Any], raises: bool
) -> None:
    forbidden = errors.Forbidden("403", status=403)
    service.answers, service.tickets, service.records = [ticket(134)], tickets, [forbidden]
    here = context(service)
    one = removal(here, service) if removes else resize(here, service)
    if not raises:
        assert make(here, one) is None
        return
    with pytest.raises(errors.Forbidden) as told:
        make(here, one)
    assert errors.has_changed(told.value)


@pytest.mark.parametrize("changed", [True, False])
def test_what_may_have_been_done_is_told_by_whatever_error_ends_it(service: FakeService, changed: bool) -> None:
    def cause() -> errors.FcdError:
        return errors.Unclear("reset") if changed else errors.RateLimited("429", gateway=True, status=429)

    service.answers, service.records = [cause()], [errors.Forbidden("403", status=403)]
    here = context(service)
    with pytest.raises(errors.Forbidden) as told:
        make(here, resize(here, service))
    assert errors.has_changed(told.value) is changed
    service.answers, service.records = [cause()], [SMALL]
    with pytest.raises(type(cause())) as last:  # no tracker to ask
        make(here._replace(changes=None), resize(here._replace(changes=None), service))
    assert errors.has_changed(last.value) is changed


REFUSED = errors.Rejected("no such size", status=400)


def test_a_refusal_is_the_end(service: FakeService) -> None:
    service.answers, service.records = [REFUSED], [SMALL]
    here = context(service)
    with pytest.raises(errors.Rejected) as told:
        make(here, resize(here, service))
    assert (told.value, service.sent, service.clock.time, errors.has_changed(told.value)) == (REFUSED, 1, 0.0, False)


def test_a_refusal_of_what_has_arrived_already_is_none(service: FakeService) -> None:
    service.answers, service.records = [REFUSED], [LARGE]
    here = context(service)
    assert make(here, resize(here, service)) == LARGE


@pytest.mark.parametrize("removes", [True, False])
def test_a_refusal_may_be_of_what_is_gone(service: FakeService, removes: bool) -> None:
    service.answers, service.records = [REFUSED], [None]
    here = context(service)
    if removes:
        assert make(here, Change(here, 7, "Removing", service.send, lambda seen: seen is None)) is None
        return
    with pytest.raises(errors.OperationFailed) as told:
        make(here, resize(here, service, kind="disk"))
    assert (told.value.__cause__, service.clock.time) == (REFUSED, 0.0)
    assert told.value.message == "Resizing: disk 7 no longer exists."
    assert (told.value.details, told.value.next_step) == ({"id": 7}, "Something else removed it; run the task again.")


def test_a_refused_removal_may_be_of_what_is_gone_at_the_second_look(service: FakeService) -> None:
    service.answers, service.records = [REFUSED], [SMALL, None]
    here = context(service)
    assert make(here, Change(here, 7, "Removing", service.send, lambda seen: seen is None)) is None
    assert service.sent == 1


@pytest.mark.parametrize("status", [400, 403])
def test_a_refusal_for_a_lock_is_repeated_when_that_is_gone(service: FakeService, status: int) -> None:
    service.answers = [errors.Rejected("locked", status=status), ticket(136)]
    service.records = [LOCKED, LOCKED, SMALL, LARGE]
    here = context(service)
    if status == 400:
        assert make(here, resize(here, service)) == LARGE
        assert (service.sent, service.told[0]) == (2, "Resizing: waiting for another operation")
        return
    with pytest.raises(errors.Rejected):
        make(here, resize(here, service))
    assert service.sent == 1


def test_a_conflict_is_waited_for_as_long_as_there_is_a_lock(service: FakeService) -> None:
    service.answers = [errors.Conflict("409", status=409)] * 5 + [ticket(136)]
    service.records = [LOCKED, LOCKED, SMALL] * 5 + [LARGE]
    here = context(service)
    assert make(here, resize(here, service)) == LARGE
    assert (service.sent, service.told[0]) == (6, "Resizing: waiting for another operation")


def test_a_conflict_without_a_lock_is_repeated_twice(service: FakeService) -> None:
    service.answers, service.records = [errors.Conflict("409", status=409)], [SMALL]
    here = context(service)
    with pytest.raises(errors.Conflict) as told:
        make(here, resize(here, service))
    assert (service.sent, errors.has_changed(told.value)) == (3, False)


def test_conflicts_without_a_lock_are_counted_anew_after_one_with_a_lock(service: FakeService) -> None:
    service.answers = [errors.Conflict("409", status=409)]
    service.records = [SMALL, SMALL, LOCKED, SMALL]
    here = context(service)
    with pytest.raises(errors.Conflict):
        make(here, resize(here, service))
    assert service.sent == 6


@pytest.mark.parametrize(
    "problem",
    [UNCLEAR, errors.ServiceError("500", status=500), errors.Unusable("303", status=303, redirect="https://x")],
)
def test_an_unclear_change_that_shows_is_not_sent_again(service: FakeService, problem: errors.FcdError) -> None:
    service.answers, service.records = [problem], [SMALL, LARGE]
    here = context(service)
    assert make(here, resize(here, service)) == LARGE
    assert service.sent == 1
    assert 0 < service.clock.time < 1
    assert service.told[0] == "Resizing: finding out the outcome: there"


def test_an_unclear_change_that_does_not_show_is_sent_thrice(service: FakeService) -> None:
    service.answers, service.records = [UNCLEAR], [SMALL]
    here = context(service)
    with pytest.raises(errors.Unclear) as told:
        make(here, resize(here, service))
    assert (service.sent, errors.has_changed(told.value)) == (3, True)
    assert 3 * SETTLE <= service.clock.time < 3 * SETTLE + 11
    del told.value.details["changed"]


def test_an_unclear_change_is_looked_for_no_longer_than_the_grace_time(service: FakeService) -> None:
    service.answers, service.records = [UNCLEAR, None], [SMALL]
    here = context(service, grace=0.0)
    assert make(here, resize(here, service)) == SMALL
    assert (service.sent, service.clock.time) == (2, 0.0)


def test_what_is_unclear_is_not_sent_again_while_something_runs(service: FakeService) -> None:
    service.answers, service.records = [UNCLEAR], [LOCKED] * 8 + [LARGE]
    here = context(service)
    assert make(here, resize(here, service)) == LARGE
    assert service.sent == 1
    assert service.clock.time > SETTLE


@pytest.mark.parametrize(("shown_after", "sent"), [(2.5, 1), (4.0, 2)])
def test_an_unclear_change_has_three_seconds_to_show(
    service: FakeService, monkeypatch: pytest.MonkeyPatch, shown_after: float, sent: int
) -> None:
    def slow(_number: int) -> Row:
        service.clock.time += 1.0
        return SMALL if service.clock.time < shown_after else LARGE

    service.answers = [UNCLEAR, None]
    monkeypatch.setattr(service, "by_id", slow)
    here = context(service)
    assert make(here, resize(here, service)) == LARGE
    assert service.sent == sent


def test_who_asks_for_the_same_elsewhere_has_done_nothing(service: FakeService) -> None:
    service.answers = [errors.Unusable("307", status=307, redirect="https://x")]
    here = context(service)
    with pytest.raises(errors.Unusable) as told:
        make(here, resize(here, service))
    assert (service.sent, service.asked, errors.has_changed(told.value)) == (1, [], False)


@pytest.mark.parametrize("given", [None, "Buy more."])
def test_a_lack_of_means_is_explained(service: FakeService, given: str | None) -> None:
    service.answers = [errors.Rejected("402", status=402, next_step=given)]
    here = context(service)
    with pytest.raises(errors.Rejected) as told:
        make(here, resize(here, service))
    assert str(told.value.next_step).startswith(given or "Nothing was done: the account cannot buy this.")


def test_nobody_need_want_to_know_of_changes(service: FakeService) -> None:
    service.answers = [ticket(137)]
    here = context(service)._replace(changes=None)
    with pytest.raises(errors.OperationFailed) as told:
        make(here, resize(here, service))
    assert not errors.has_changed(told.value)


# ---------------------------------------------------------------- waiting


@pytest.mark.parametrize("problem", [UNCLEAR, errors.Unreachable("refused"), errors.RateLimited("429", status=429)])
def test_five_reads_in_a_row_may_fail(service: FakeService, problem: errors.FcdError) -> None:
    service.records = [problem] * 5 + [SMALL] + [problem] * 5 + [LARGE]
    here = context(service)
    found = change.run_to_end(
        here, change.wait_for_object(here, 7, lambda seen: bool(seen and seen.get("size") == 2), "Waiting")
    )
    assert found == LARGE
    assert service.warned == [f"While waiting: {problem.message} Trying again."] * 10
    assert service.told == [
        "Waiting: cannot be read now, locked",
        "Waiting: there",
        "Waiting: cannot be read now, locked",
    ]


@pytest.mark.parametrize(
    ("problem", "reads"),
    [
        (UNCLEAR, 6),
        (errors.Forbidden("403", status=403), 1),
        (errors.Unusable("redirect", status=302, redirect="https://x"), 1),
    ],
)
def test_more_failures_or_clear_ones_end_a_wait(service: FakeService, problem: errors.FcdError, reads: int) -> None:
    service.records = [problem]
    here = context(service)
    with pytest.raises(type(problem)):
        change.run_to_end(here, change.wait_for_object(here, 7, lambda seen: seen is None, "Waiting"))
    assert len(service.asked) == reads


def test_each_success_begins_the_count_of_failures_anew(service: FakeService) -> None:
    service.records = [UNCLEAR, SMALL, UNCLEAR]
    here = context(service)
    with pytest.raises(errors.Unclear):
        change.run_to_end(here, change.wait_for_object(here, 7, lambda seen: seen is None, "Waiting"))
    assert len(service.asked) == 2 + 1 + change.TOLERATED


def test_no_read_is_repeated_after_the_time_of_the_task(service: FakeService) -> None:
    service.records, service.deadline = [UNCLEAR], Deadline(service.clock, 0.0)
    here = context(service)
    with pytest.raises(errors.Unclear):
        change.run_to_end(here, change.wait_for_object(here, 7, lambda seen: seen is None, "Waiting"))
    assert (len(service.asked), service.warned) == (1, [])


@pytest.mark.parametrize(
    ("record", "words"),
    [
        (None, "not there"),
        ({}, "there"),
        ({"status": None}, "status unknown"),
        ({"status": {"id": 4, "label": "stopped"}}, "stopped"),
        ({"status": {"id": 4, "label": None}}, "4"),
        ({"status": {"id": 4, "label": "stopped"}, "is_locked": True}, "stopped, locked"),
        ({"is_locked": True}, "locked"),
    ],
)
def test_what_is_told_of_an_object(service: FakeService, record: Row | None, words: str) -> None:
    service.records = [record, LARGE]
    here = context(service)
    change.run_to_end(here, change.wait_for_object(here, 7, lambda seen: seen == LARGE, "Waiting"))
    assert service.told == [f"Waiting: {words}"]


def test_a_new_object_may_be_missing_for_the_grace_time_and_no_longer(service: FakeService) -> None:
    service.records = [None]
    here = context(service)
    with pytest.raises(errors.OperationFailed, match="Creating: disk 7 no longer exists"):
        change.run_to_end(here, change.wait_for_new_object(here, 7, change.is_unlocked, "Creating", "disk"))
    assert GRACE <= service.clock.time < GRACE + 11
    service.records = [None, None, *[LOCKED] * 20, LARGE]
    assert change.run_to_end(here, change.wait_for_new_object(here, 7, change.is_unlocked, "Creating")) == LARGE


def test_without_a_grace_time_what_is_new_is_looked_for_once(service: FakeService) -> None:
    service.records = [None]
    here = context(service, grace=0.0)
    with pytest.raises(errors.OperationFailed):
        change.run_to_end(here, change.wait_for_new_object(here, 7, change.is_unlocked, "Creating"))
    with pytest.raises(errors.CannotDetermine):
        change.run_to_end(
            here, change.search_for_new_object(here, lambda: None, lambda: errors.CannotDetermine("none"), "Creating")
        )
    assert (service.asked, service.clock.time) == ([7], 0.0)


def test_what_has_no_number_is_looked_for_in_the_grace_time(service: FakeService) -> None:
    here = context(service)
    found: list[t.Any] = [None, UNCLEAR, LARGE]
    look = change.search_for_new_object(here, lambda: _next(found), lambda: errors.CannotDetermine("none"), "Creating")
    assert change.run_to_end(here, look) == LARGE
    assert service.told == ["Creating: looking for it by name"]
    service.clock.time = 0.0
    with pytest.raises(errors.CannotDetermine):
        change.run_to_end(
            here, change.search_for_new_object(here, lambda: None, lambda: errors.CannotDetermine("none"), "Creating")
        )
    assert GRACE <= service.clock.time < GRACE + 11


@pytest.mark.parametrize(
    ("seconds", "longest"), [(None, GRACE), (300.0, GRACE), (25.0, 14.0), (11.5, 0.5), (11.0, 0.0), (5.0, 0.0)]
)
def test_a_list_may_lag_and_what_is_done_stays_done(
    service: FakeService, seconds: float | None, longest: float
) -> None:
    here = context(service, seconds=seconds)
    change.run_to_end(here, change.wait_for_list(here, lambda: False, "Creating"))
    assert longest <= service.clock.time < longest + (11 if longest else 0.1)
    assert service.told == (["Creating: the list shows the old state"] if longest else [])


def test_a_list_that_shows_it_or_cannot_be_read_for_a_moment(service: FakeService) -> None:
    here = context(service)
    change.run_to_end(here, change.wait_for_list(here, lambda: True, "Creating"))
    assert service.clock.time == 0.0
    answers: list[t.Any] = [UNCLEAR, True]
    change.run_to_end(here, change.wait_for_list(here, lambda: bool(_next(answers)), "Creating"))
    assert 0 < service.clock.time < 1


def listed_once(service: FakeService, *reads: change.Listing) -> bool:
    left = list(reads)
    here = context(service)
    return change.run_to_end(
        here, change.wait_and_check_duplicates(here, lambda: t.cast("change.Listing", _next(left)), 7, "Creating")
    )


def test_what_a_list_shows_alone_is_made_once(service: FakeService) -> None:
    assert listed_once(service, change.Listing(True, {}))
    assert (service.clock.time, service.asked) == (0.0, [])


@pytest.mark.parametrize(
    ("took", "shown", "second", "told"),
    [  # seconds: the create's request, when the list shows the object, when the duplicate; whether it is found
        (0.0, 0.0, 0.1, False),  # a list in time is read once
        (0.4, 0.0, 0.3, True),
        (0.4, 0.0, 0.9, False),
        (1.5, 0.0, 1.0, True),
        (6.0, 0.0, 5.5, True),
        (6.0, 0.0, 20.0, False),
        (0.4, 0.5, 0.9, True),
        (0.4, 3.0, 6.0, True),
        (0.4, 9.0, 14.0, True),
        (6.0, 1.0, 6.5, True),
        (0.4, 20.0, 29.5, True),  # not later than the grace time
        (60.0, 0.0, 29.5, True),
        (60.0, 0.0, 50.0, False),
    ],
)
def test_what_came_before_the_answer_may_show_as_late_as_the_answer_or_the_list_was(
    service: FakeService, took: float, shown: float, second: float, told: bool
) -> None:
    reads: list[float] = []
    service.clock.time = begun = 100.0

    def read() -> change.Listing:
        passed = service.clock.time - begun
        reads.append(passed)
        return change.Listing(passed >= shown, {8: ""} if passed >= second else {})

    here = context(service)
    look = change.wait_and_check_duplicates(here, read, 7, "Creating", took)
    if told:
        with pytest.raises(errors.Ambiguous):
            change.run_to_end(here, look)
    else:
        assert change.run_to_end(here, look)
        assert len([when for when in reads if when >= shown]) == (2 if took or shown else 1)
    assert service.clock.time < begun + GRACE + 11


def test_a_second_one_may_be_gone_from_the_list_in_time(service: FakeService) -> None:
    assert listed_once(service, change.Listing(False, {}), change.Listing(True, {8: ""}), change.Listing(True, {}))
    assert 0 < service.clock.time < GRACE
    assert service.asked == []


def test_a_second_one_is_told_with_both_numbers(service: FakeService) -> None:
    with pytest.raises(errors.Ambiguous) as told:
        listed_once(service, change.Listing(True, {9: "at 192.0.2.1", 8: ""}))
    assert "created with the ID 7, and" in told.value.message
    assert told.value.message.endswith("there before: 8, 9 (at 192.0.2.1).")
    assert (told.value.details["ids"], service.asked) == ([7, 8, 9], [9, 8])
    assert GRACE <= service.clock.time < GRACE + 11


def test_a_list_that_there_is_no_time_to_read_shows_nothing(service: FakeService) -> None:
    here = context(service, seconds=5.0)
    look = change.wait_and_check_duplicates(here, lambda: pytest.fail("read"), 7, "Creating")
    assert change.run_to_end(here, look) is False


@pytest.mark.parametrize("shows", [True, False])
def test_a_second_one_that_only_the_list_knows_is_none(service: FakeService, shows: bool) -> None:
    service.records = [None]
    assert listed_once(service, change.Listing(shows, {8: ""})) is shows


# ---------------------------------------------------------------- requests that wait for a lock


def sent_when_free(
    service: FakeService, locks: list[bool], for_lock: t.Callable[[t.Any], bool] = lambda _refusal: True
) -> t.Any:
    def free() -> t.Iterator[t.Any]:
        yield from ()
        return locks.pop(0) if len(locks) > 1 else locks[0]

    here = context(service)
    return change.run_to_end(here, change.send_when_free(service.send, for_lock, t.cast("t.Any", free), "Creating"))


def test_what_is_refused_for_a_lock_is_sent_again(service: FakeService) -> None:
    service.answers = [REFUSED] * 9 + [ticket(134)]
    assert sent_when_free(service, [True]) == ticket(134)
    assert (service.sent, service.told) == (10, ["Creating: waiting for another operation"])


@pytest.mark.parametrize(("locks", "sent"), [([False], 4), ([False, False, True, False], 6)])
def test_what_is_refused_without_a_lock_is_repeated_thrice(service: FakeService, locks: list[bool], sent: int) -> None:
    service.answers = [REFUSED]
    with pytest.raises(errors.Rejected):
        sent_when_free(service, locks)
    assert service.sent == sent


def test_other_refusals_are_not_repeated(service: FakeService) -> None:
    service.answers = [REFUSED]
    with pytest.raises(errors.Rejected):
        sent_when_free(service, [True], lambda refusal: refusal is not REFUSED)
    assert service.sent == 1
