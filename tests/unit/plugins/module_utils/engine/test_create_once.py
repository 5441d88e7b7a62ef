# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Exactly once: every way a create can end, and what the next run does."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import types
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.plugins.module_utils._core.clock import Clock, Deadline
from ansible_collections.fcd.cloud.plugins.module_utils._core.text import digest
from ansible_collections.fcd.cloud.plugins.module_utils._engine import create_once as once_module
from ansible_collections.fcd.cloud.plugins.module_utils._engine.create_once import (
    CreateNote,
    CreateSettings,
    create_once,
)

IDENTITY = ("https://api.example.com", "thing", "web")


class SteppingClock(Clock):
    """A clock that only moves when somebody sleeps."""

    def __init__(self) -> None:
        self.time = 1000.0
        self._run = 50.0

    def now(self) -> float:
        return self.time

    def monotonic(self) -> float:
        return self._run

    def sleep(self, seconds: float) -> None:
        self.time += seconds
        self._run += seconds


class Service:
    """Things with names that are not unique; a create may fail before or after it had its effect."""

    def __init__(self, clock: SteppingClock) -> None:
        self.clock = clock
        self.things: list[tuple[float, dict[str, t.Any]]] = []
        self.sent = 0
        self.fails_with: Exception | None = None
        self.has_effect = True
        self.visible_after = 0.0

    def find(self) -> dict[str, t.Any] | None:
        seen = [thing for made, thing in self.things if made + self.visible_after <= self.clock.now()]
        return seen[0] if seen else None

    def send(self, intent: CreateNote) -> dict[str, t.Any]:
        del intent
        self.sent += 1
        if self.has_effect:
            self.things.append((self.clock.now(), {"id": len(self.things) + 1}))
        if self.fails_with is not None:
            raise self.fails_with
        return self.things[-1][1]

    def resume(self, facts: t.Mapping[str, t.Any]) -> dict[str, t.Any] | None:
        assert facts["time"] <= self.clock.now()
        return self.find()


@pytest.fixture
def clock() -> SteppingClock:
    return SteppingClock()


@pytest.fixture
def service(clock: SteppingClock) -> Service:
    return Service(clock)


@pytest.fixture
def once(tmp_path: pathlib.Path, clock: SteppingClock) -> CreateSettings:
    return CreateSettings(str(tmp_path / "creates"), clock, Deadline(clock, None), grace=6.0)


def intents(once: CreateSettings) -> list[str]:
    folder = os.path.join(once.folder, "intents")
    return os.listdir(folder) if os.path.isdir(folder) else []


def test_a_clear_answer_creates_and_leaves_no_note(once: CreateSettings, service: Service) -> None:
    created = create_once(once, IDENTITY, "thing web", service)
    assert (created.by_us, created.record, service.sent, intents(once)) == (True, {"id": 1}, 1, [])
    again = create_once(once, IDENTITY, "thing web", service)
    assert (again.by_us, service.sent) == (False, 1)


@pytest.mark.parametrize(
    "problem",
    [
        errors.Unclear("reset"),
        errors.DeadlinePassed("too slow"),
        errors.ServiceError("504", status=504),
        errors.ServiceError("500", status=500),
        errors.Unusable("half an answer"),
    ],
    ids=lambda problem: problem.message,
)
@pytest.mark.parametrize("visible_after", [0.0, 4.0])
def test_an_unclear_answer_after_the_effect_is_settled_by_reading(
    once: CreateSettings, service: Service, problem: Exception, visible_after: float
) -> None:
    service.fails_with, service.visible_after = problem, visible_after
    created = create_once(once, IDENTITY, "thing web", service)
    assert (created.by_us, service.sent, len(service.things), intents(once)) == (True, 1, 1, [])


def test_an_unclear_answer_without_effect_is_named_and_remembered(
    once: CreateSettings, service: Service, clock: SteppingClock
) -> None:
    service.fails_with, service.has_effect = errors.Unclear("reset"), False
    with pytest.raises(errors.CannotDetermine, match=r"Cannot determine whether thing web exists.*force_create: true"):
        create_once(once, IDENTITY, "thing web", service)
    assert (service.sent, clock.now(), len(intents(once))) == (1, 1006.0, 1)
    service.fails_with, service.has_effect = None, True
    with pytest.raises(
        errors.CannotDetermine, match=r"\(1970-01-01 00:16:40 UTC\).*This task has sent nothing.*force_create"
    ) as told:
        create_once(once, IDENTITY, "thing web", service)
    assert not errors.has_changed(told.value)
    assert (service.sent, clock.now(), len(intents(once))) == (1, 1006.0, 1), "it was looked for long enough before"
    with pytest.raises(errors.CannotDetermine):
        create_once(once._replace(grace=8.0), IDENTITY, "thing web", service)
    assert (service.sent, clock.now()) == (1, 1008.0)
    assert create_once(once._replace(force=True), IDENTITY, "thing web", service).by_us
    assert (service.sent, clock.now(), intents(once)) == (2, 1008.0, [])


@pytest.mark.parametrize(
    "problem",
    [
        errors.Rejected("400"),
        errors.RateLimited("429"),
        errors.Unreachable("refused"),
        errors.InvalidInput("taken, found before anything was sent"),
    ],
)
def test_a_create_without_effect_leaves_no_note(once: CreateSettings, service: Service, problem: Exception) -> None:
    service.fails_with, service.has_effect = problem, False
    with pytest.raises(type(problem)):
        create_once(once, IDENTITY, "thing web", service)
    assert intents(once) == []


class Verified(Service):
    """A service that would refuse the create, and can be asked before."""

    problem: Exception | None = None

    def verify(self) -> None:
        if self.problem is not None:
            raise self.problem


@pytest.mark.parametrize("problem", [errors.InvalidInput("taken"), errors.Unusable("the check gave HTML")])
def test_what_is_found_before_sending_is_raised_as_it_is_and_leaves_no_note(
    once: CreateSettings, clock: SteppingClock, problem: Exception
) -> None:
    service = Verified(clock)
    service.problem = problem
    with pytest.raises(type(problem)):
        create_once(once, IDENTITY, "thing web", service)
    assert (service.sent, clock.now(), intents(once)) == (0, 1000.0, [])
    service.problem = None
    assert create_once(once, IDENTITY, "thing web", service).by_us


def test_an_object_that_an_earlier_run_made_is_found_before_anything_is_verified(
    once: CreateSettings, clock: SteppingClock
) -> None:
    service = Verified(clock)
    service.fails_with, service.visible_after = t.cast("Exception", Killed()), 5.0
    with pytest.raises(Killed):
        create_once(once, IDENTITY, "thing web", service)
    service.problem = errors.InvalidInput("taken")
    assert not create_once(once, IDENTITY, "thing web", service).by_us


def test_who_asks_for_the_same_elsewhere_has_done_nothing(
    once: CreateSettings, service: Service, clock: SteppingClock
) -> None:
    service.fails_with = errors.Unusable("redirect", redirect="https://other.example.com", status=307)
    service.has_effect = False
    with pytest.raises(errors.Unusable):
        create_once(once, IDENTITY, "thing web", service)
    assert (clock.now(), intents(once)) == (1000.0, [])


def test_a_redirect_is_no_clear_answer(once: CreateSettings, service: Service) -> None:
    service.fails_with = errors.Unusable("redirect", redirect="https://other.example.com")
    assert create_once(once, IDENTITY, "thing web", service).by_us
    assert intents(once) == []
    service.things.clear()
    service.has_effect = False
    with pytest.raises(errors.CannotDetermine, match="redirect") as told:
        create_once(once, IDENTITY, "thing web", service)
    assert errors.has_changed(told.value)
    assert len(intents(once)) == 1


@pytest.mark.parametrize("in_place", [True, False])
def test_a_disk_that_is_full_by_then_changes_nothing_of_what_was_done(
    once: CreateSettings, service: Service, monkeypatch: pytest.MonkeyPatch, in_place: bool
) -> None:
    def full(*_args: object, **_more: object) -> None:
        raise errors.InvalidInput("No space left on device.")

    def send(intent: CreateNote) -> dict[str, t.Any]:
        monkeypatch.setattr(once_module, "write_json", full)
        if not in_place:
            monkeypatch.setattr(once_module, "overwrite_json", full)
        found = Service.send(service, intent)
        intent.add_answer(id=7)
        return found

    monkeypatch.setattr(service, "send", send)
    created = create_once(once, IDENTITY, "thing web", service)
    assert (created.by_us, len(service.things)) == (True, 1)
    assert len(intents(once)) == 1
    monkeypatch.undo()
    assert not create_once(once, IDENTITY, "thing web", service).by_us
    assert len(service.things) == 1


@pytest.mark.parametrize("leading", [False, True])
def test_a_note_that_cannot_be_removed_stays_and_changes_nothing(
    once: CreateSettings, clock: SteppingClock, monkeypatch: pytest.MonkeyPatch, leading: bool
) -> None:
    def read_only(*_args: object, **_more: object) -> None:
        raise errors.InvalidInput("Read-only file system.")

    service = Leading(clock) if leading else Service(clock)
    send = service.send

    def remounted(intent: CreateNote) -> dict[str, t.Any]:
        found = send(intent)
        for name in ("write_json", "overwrite_json", "remove"):
            monkeypatch.setattr(once_module, name, read_only)
        return found

    monkeypatch.setattr(service, "send", remounted)
    assert create_once(once, IDENTITY, "thing web", service).by_us
    for tell in (
        note(once).clear_lead,
        lambda: note(once).keep(1),
        note(once).clear,
        lambda: note(once).set_lead(id=1),
    ):
        tell()
    monkeypatch.setattr(once_module, "file_lock", read_only)
    note(once).keep(1)
    note(once).set_lead(id=1)
    assert len(intents(once)) == 1


class Killed(BaseException):
    """Stands for kill -9: nothing may catch it to tidy up the note."""


@pytest.mark.parametrize("visible_after", [0.0, 5.0])
def test_a_run_that_died_after_sending_is_continued_not_repeated(
    once: CreateSettings, service: Service, visible_after: float
) -> None:
    service.fails_with, service.visible_after = t.cast("Exception", Killed()), visible_after
    with pytest.raises(Killed):
        create_once(once, IDENTITY, "thing web", service)
    assert len(intents(once)) == 1
    service.fails_with = None
    second = create_once(once, IDENTITY, "thing web", service)
    assert (second.by_us, service.sent, len(service.things), intents(once)) == (False, 1, 1, [])


@pytest.mark.parametrize("leap", [-86400.0, 0.0, 5.0, 86400.0])
@pytest.mark.parametrize("force", [False, True])
def test_an_earlier_intent_is_looked_for_a_whole_grace_time_whatever_the_clock_says(
    once: CreateSettings, service: Service, clock: SteppingClock, leap: float, force: bool
) -> None:
    service.fails_with, service.has_effect = t.cast("Exception", Killed()), False
    with pytest.raises(Killed):
        create_once(once, IDENTITY, "thing web", service)
    clock.time += leap
    service.fails_with, service.has_effect = None, True
    before = clock.monotonic()
    if force:
        assert create_once(once._replace(force=True), IDENTITY, "thing web", service).by_us
    else:
        with pytest.raises(errors.CannotDetermine):
            create_once(once, IDENTITY, "thing web", service)
    assert clock.monotonic() - before == pytest.approx(once.grace)
    assert service.sent == 1 + force


@pytest.mark.parametrize("leap", [-86400.0, 86400.0])
def test_in_one_process_only_the_monotonic_clock_counts(
    once: CreateSettings, service: Service, clock: SteppingClock, monkeypatch: pytest.MonkeyPatch, leap: float
) -> None:
    send, begun = service.send, clock.monotonic()
    made_late: list[float] = []

    def leaps(intent: CreateNote) -> dict[str, t.Any]:
        clock.time += leap
        clock.sleep(2.0)
        return send(intent)

    def resume(_facts: t.Mapping[str, t.Any]) -> dict[str, t.Any] | None:
        made_late.append(clock.monotonic() - begun)
        return None

    monkeypatch.setattr(service, "send", leaps)
    monkeypatch.setattr(service, "resume", resume)
    service.fails_with = errors.Unclear("reset")
    with pytest.raises(errors.CannotDetermine):
        create_once(once, IDENTITY, "thing web", service)
    assert made_late[-1] == pytest.approx(once.grace)


STAMP = '"format":1,"boot":"","up":1.0'
BROKEN = {
    "empty": "",
    "cut": '{"format":1,"time":10',
    "a list": "[]",
    "nested": "[" * 100_000,
    "another format": '{"format":2,"time":1000.0}',
    "no format": '{"time":1000.0}',
    "facts one level deeper": f'{{{STAMP},"create":{{"time":1000.0}}}}',
    "no time": f"{{{STAMP}}}",
    "a lead without a time": f'{{{STAMP},"time":1.0,"lead":{{"id":7}}}}',
    "a lead that is a number": f'{{{STAMP},"time":1.0,"lead":7}}',
    "an unknown member": f'{{{STAMP},"time":1.0,"since":1.0}}',
    **{
        f"a time that is {value}": f'{{{STAMP},"time":{value}}}'
        for value in ("NaN", "Infinity", '"soon"', "null", "-1", "true", "9" * 400)
    },
    **{
        f"an ID that is {value}": f'{{{STAMP},"time":1.0,"id":{value}}}'
        for value in ('"7"', "0", "1.5", "9" * 31, "true")
    },
    "a ticket that is an object": f'{{{STAMP},"time":1.0,"ticket":{{}}}}',
    "known that is a number": f'{{{STAMP},"time":1.0,"known":7}}',
}


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
@pytest.mark.parametrize("made", [False, True])
def test_a_note_that_cannot_be_understood_may_be_that_of_a_create(
    once: CreateSettings, service: Service, text: str, made: bool
) -> None:
    service.fails_with, service.has_effect = t.cast("Exception", Killed()), made
    with pytest.raises(Killed):
        create_once(once, IDENTITY, "thing web", service)
    service.fails_with, service.has_effect = None, True
    (path,) = pathlib.Path(once.folder, "intents").iterdir()
    path.write_text(text, encoding="ascii")
    if made:
        assert not create_once(once, IDENTITY, "thing web", service).by_us
    else:
        with pytest.raises(errors.CannotDetermine, match=rf"its note {path} cannot be understood: it\w* "):
            create_once(once, IDENTITY, "thing web", service)
        assert service.sent == 1
        assert create_once(once._replace(force=True), IDENTITY, "thing web", service).by_us
    assert intents(once) == []


def test_a_note_that_others_could_have_changed_is_not_believed(once: CreateSettings) -> None:
    note(once).write(id=7)
    (path,) = pathlib.Path(once.folder, "intents").iterdir()
    path.chmod(0o644)
    assert (note(once).read() or {}).get("broken") == "other users can read or change it"


@pytest.mark.parametrize("same_boot", [True, False])
@pytest.mark.parametrize("leap", [-86400.0, 0.0, 86400.0])
def test_what_has_not_appeared_after_an_hour_was_not_done(
    once: CreateSettings,
    service: Service,
    clock: SteppingClock,
    monkeypatch: pytest.MonkeyPatch,
    leap: float,
    same_boot: bool,
) -> None:
    """Only after a restart of the machine is the time of day all that there is."""
    service.fails_with, service.has_effect = t.cast("Exception", Killed()), False
    with pytest.raises(Killed):
        create_once(once, IDENTITY, "thing web", service)
    service.fails_with, service.has_effect = None, True
    (path,) = pathlib.Path(once.folder, "intents").iterdir()
    os.utime(path, (1000.0, 1000.0))
    if not same_boot:
        monkeypatch.setattr(once_module, "this_boot", lambda: "another")
    clock.sleep(once_module.SETTLED - 10.0)
    clock.time += leap
    if leap <= 0 or same_boot:
        with pytest.raises(errors.CannotDetermine):
            create_once(once, IDENTITY, "thing web", service)
        for _run in range(6):
            clock.sleep(600.0)
            if _run < 5:
                with pytest.raises(errors.CannotDetermine):
                    create_once(once, IDENTITY, "thing web", service)
    assert create_once(once, IDENTITY, "thing web", service).by_us


REFUSED_FOR_NOW = {"gateway": True, "status": 429}


@pytest.mark.parametrize("visible_after", [0.0, 4.0])
def test_what_a_gateway_calls_refused_is_looked_for_before_it_is_sent_again(
    once: CreateSettings, service: Service, visible_after: float
) -> None:
    service.fails_with, service.visible_after = errors.RateLimited("429", **REFUSED_FOR_NOW), visible_after
    created = create_once(once, IDENTITY, "thing web", service)
    assert (created.by_us, service.sent, len(service.things), intents(once)) == (True, 1, 1, [])


@pytest.mark.parametrize(("asked", "waits"), [(None, 6.0), (3.0, 6.0), (8.0, 8.0), (1e6, 60.0)])
@pytest.mark.parametrize("refusals", [1, 3, 4])
def test_what_a_gateway_has_refused_is_sent_again_a_few_times(
    once: CreateSettings,
    service: Service,
    clock: SteppingClock,
    monkeypatch: pytest.MonkeyPatch,
    refusals: int,
    asked: float | None,
    waits: float,
) -> None:
    send = service.send

    def refusing(intent: CreateNote) -> dict[str, t.Any]:
        if service.sent < refusals:
            service.sent += 1
            raise errors.RateLimited("429", retry_after=asked, **REFUSED_FOR_NOW)
        return send(intent)

    monkeypatch.setattr(service, "send", refusing)
    if refusals <= once_module.REPEATS:
        assert create_once(once, IDENTITY, "thing web", service).by_us
        assert service.sent == refusals + 1
    else:
        with pytest.raises(errors.RateLimited) as told:
            create_once(once, IDENTITY, "thing web", service)
        assert not errors.has_changed(told.value)
    assert (clock.now(), intents(once)) == (1000.0 + refusals * waits, [])


@pytest.mark.parametrize("kind", ["folder", "dangling link"])
def test_a_lock_that_cannot_be_opened_is_told(once: CreateSettings, service: Service, kind: str) -> None:
    create_once(once, IDENTITY, "thing web", service)
    (lock,) = pathlib.Path(once.folder, "locks").iterdir()
    lock.unlink()
    if kind == "folder":
        lock.mkdir()
    else:
        lock.symlink_to("/nowhere/at/all")
    with pytest.raises(errors.InvalidInput, match=r"The folder \S+/locks cannot be used: .*Set state_dir"):
        create_once(once, IDENTITY, "thing web", service)


def test_the_lock_is_waited_for_and_then_named(once: CreateSettings, service: Service, clock: SteppingClock) -> None:
    class Nested(Service):
        def send(self, intent: CreateNote) -> dict[str, t.Any]:
            with pytest.raises(errors.Busy, match="thing web"):
                create_once(once, IDENTITY, "thing web", service)
            return super().send(intent)

    outer = Nested(clock)
    assert create_once(once, IDENTITY, "thing web", outer).by_us
    assert service.sent == 0


def test_what_is_meant_by_default(tmp_path: pathlib.Path, service: Service, clock: SteppingClock) -> None:
    class Nested(Service):
        looks = 0

        def send(self, intent: CreateNote) -> dict[str, t.Any]:
            with pytest.raises(errors.Busy, match=r"within 600 s"):
                create_once(once, IDENTITY, "thing web", service)
            raise errors.Unclear("reset")

        def resume(self, facts: t.Mapping[str, t.Any]) -> None:
            del facts
            self.looks += 1

    once, outer = CreateSettings(str(tmp_path), clock, Deadline(clock, None)), Nested(clock)
    with pytest.raises(errors.CannotDetermine):
        create_once(once, IDENTITY, "thing web", outer)
    assert (outer.looks, clock.monotonic()) == (1, pytest.approx(650.0))  # the grace time was over by then
    with pytest.raises(errors.CannotDetermine):
        create_once(once, IDENTITY, "thing web", outer)
    assert (outer.looks, clock.monotonic()) == (2, pytest.approx(650.0))


def test_the_last_look_begins_after_the_grace_time(once: CreateSettings, clock: SteppingClock) -> None:
    """A look that takes long, as on a busy machine, is not the last one."""

    class SlowService(Service):
        def resume(self, facts: t.Mapping[str, t.Any]) -> dict[str, t.Any] | None:
            found = super().resume(facts)
            clock.sleep(once.grace + 1)
            return found

    service = SlowService(clock)
    service.fails_with, service.visible_after = errors.Unclear("reset"), once.grace - 1
    assert create_once(once, IDENTITY, "thing web", service).by_us
    assert service.sent == 1


def test_the_search_takes_no_longer_than_the_grace_time(
    once: CreateSettings, service: Service, clock: SteppingClock
) -> None:
    service.fails_with, service.has_effect = errors.Unclear("reset"), False
    with pytest.raises(errors.CannotDetermine):
        create_once(once._replace(grace=6.2), IDENTITY, "thing web", service)
    assert clock.monotonic() == pytest.approx(56.2)


def test_the_deadline_of_the_task_ends_the_search(
    tmp_path: pathlib.Path, service: Service, clock: SteppingClock
) -> None:
    once = CreateSettings(str(tmp_path), clock, Deadline(clock, 2.0), grace=60.0)
    service.fails_with, service.has_effect = errors.Unclear("reset"), False
    with pytest.raises(errors.DeadlinePassed, match="Before that, the create had no clear answer: reset"):
        create_once(once, IDENTITY, "thing web", service)
    assert clock.now() == pytest.approx(1002.0)
    assert len(intents(once)) == 1


class Leading(Service):
    """A service whose answer leads to an object that lists may show later."""

    dies = False
    failed = False

    def send(self, intent: CreateNote) -> dict[str, t.Any]:
        made = super().send(intent)
        intent.add_answer(id=made["id"])
        if self.dies:
            raise Killed
        return made

    def has_failed(self, facts: t.Mapping[str, t.Any], *, looked: bool) -> bool:
        """What was removed is gone for certain when it was looked for; what failed is known at once."""
        return self.failed or (looked and "id" in facts and not self.things)


def note(once: CreateSettings) -> CreateNote:
    return CreateNote(once.folder, digest(*IDENTITY), once.clock)


def test_what_the_service_answered_outlives_the_create(once: CreateSettings, clock: SteppingClock) -> None:
    create_once(once, IDENTITY, "thing web", Leading(clock))
    assert (note(once).read(), note(once).lead(), len(intents(once))) == (None, {"id": 1, "time": 1000.0}, 1)
    note(once).set_lead(id=1, known=[2])
    assert note(once).lead() == {"id": 1, "known": [2], "time": 1000.0}
    note(once).clear_lead()
    note(once).clear_lead()
    assert intents(once) == []


def test_a_run_that_died_after_the_answer_leaves_an_intent_and_a_lead(
    once: CreateSettings, clock: SteppingClock
) -> None:
    service = Leading(clock)
    service.dies = True
    with pytest.raises(Killed):
        create_once(once, IDENTITY, "thing web", service)
    assert note(once).read() == note(once).lead() == {"id": 1, "time": 1000.0}
    note(once).clear_lead()
    assert (note(once).read(), note(once).lead()) == ({"id": 1, "time": 1000.0}, None)


@pytest.mark.parametrize("problem", [errors.Rejected("400"), Killed()], ids=["refused", "killed"])
def test_the_next_create_leaves_the_lead_of_the_one_before(
    once: CreateSettings, clock: SteppingClock, problem: BaseException
) -> None:
    service = Leading(clock)
    create_once(once, IDENTITY, "thing web", service)
    service.things.clear()
    service.fails_with, service.has_effect = t.cast("Exception", problem), False
    with pytest.raises(type(problem)):
        create_once(once, IDENTITY, "thing web", service)
    assert note(once).lead() == {"id": 1, "time": 1000.0}
    assert (note(once).read() is None) is isinstance(problem, errors.Rejected)


def test_what_is_gone_was_looked_for_a_whole_grace_time(once: CreateSettings, clock: SteppingClock) -> None:
    service = Leading(clock)
    create_once(once, IDENTITY, "thing web", service)
    service.things.clear()
    assert create_once(once, IDENTITY, "thing web", service).by_us
    assert clock.monotonic() == 50.0 + once.grace


def test_an_intent_that_has_failed_does_not_come_back(once: CreateSettings, clock: SteppingClock) -> None:
    service = Leading(clock)
    service.dies = True
    with pytest.raises(Killed):
        create_once(once, IDENTITY, "thing web", service)
    service.failed, service.things = True, []
    service.fails_with, service.has_effect = errors.Rejected("400"), False
    with pytest.raises(errors.Rejected):
        create_once(once, IDENTITY, "thing web", service)
    assert note(once).read() is None


def test_a_refusal_says_nothing_of_an_earlier_create(
    once: CreateSettings, service: Service, clock: SteppingClock
) -> None:
    service.fails_with, service.has_effect = t.cast("Exception", Killed()), False
    with pytest.raises(Killed):
        create_once(once, IDENTITY, "thing web", service)
    service.fails_with = errors.Rejected("400")
    with pytest.raises(errors.Rejected):
        create_once(once._replace(force=True), IDENTITY, "thing web", service)
    assert (note(once).read(), clock.now()) == ({"time": 1000.0}, 1006.0)


def test_what_is_refused_after_the_create_says_nothing_of_it(once: CreateSettings, service: Service) -> None:
    """The request that completes a new object is refused: the object is there all the same."""
    refused = errors.NotFound("404")
    errors.note_change(refused)
    service.fails_with, service.visible_after = refused, 5.0
    with pytest.raises(errors.NotFound):
        create_once(once, IDENTITY, "thing web", service)
    service.fails_with = None
    assert create_once(once, IDENTITY, "thing web", service)[:2] == ({"id": 1}, False)
    assert service.sent == 1


def test_what_was_sent_is_looked_for_even_when_the_note_has_vanished(
    once: CreateSettings, clock: SteppingClock
) -> None:
    class Vanishing(Service):
        def send(self, intent: CreateNote) -> dict[str, t.Any]:
            super().send(intent)
            (found,) = pathlib.Path(once.folder, "intents").iterdir()
            found.unlink()
            raise errors.Unclear("reset")

    assert create_once(once, IDENTITY, "thing web", Vanishing(clock)).by_us


def test_a_lead_is_left_alone_while_a_create_holds_the_lock(once: CreateSettings, clock: SteppingClock) -> None:
    class Listed(Leading):
        def send(self, intent: CreateNote) -> dict[str, t.Any]:
            begun = clock.now()
            note(once).clear_lead()
            assert clock.now() == begun
            assert note(once).lead() is not None
            assert note(once).read() is not None
            return super().send(intent)

    create_once(once, IDENTITY, "thing web", Leading(clock))
    assert create_once(once, IDENTITY, "thing web", Listed(clock)).by_us


def test_only_the_lead_that_is_meant_is_forgotten(once: CreateSettings, clock: SteppingClock) -> None:
    note(once).write()
    note(once).clear_lead({"id": 1})
    assert note(once).read() == {"time": 1000.0}
    note(once).set_lead(id=1)
    note(once).clear_lead({"id": 2, "time": 1000.0})
    assert note(once).lead() == {"id": 1, "time": 1000.0}
    clock.sleep(5.0)
    note(once).clear_lead({"id": 1, "time": 1005.0})
    assert (note(once).lead(), note(once).read()) == (None, {"time": 1000.0})


def test_an_intent_keeps_room_for_what_is_added_later(once: CreateSettings) -> None:
    note(once).write()
    (found,) = pathlib.Path(once.folder, "intents").iterdir()
    assert found.stat().st_size == 2048


def test_notes_and_locks_are_private(once: CreateSettings, service: Service) -> None:
    service.fails_with = t.cast("Exception", Killed())
    with pytest.raises(Killed):
        create_once(once, IDENTITY, "thing web", service)
    for folder, _folders, files in os.walk(once.folder):
        assert os.stat(folder).st_mode & 0o077 == 0
        assert all(os.stat(os.path.join(folder, name)).st_mode & 0o077 == 0 for name in files)
        assert not any("web" in name for name in files)


NOTHING, INTENT, LEAD, FAILED_LEAD = "nothing", "an intent", "a lead", "a lead to what failed"
NEVER = 1e9


@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize("shows_after", [0.0, 4.0, NEVER])
@pytest.mark.parametrize("left", [NOTHING, INTENT, LEAD, FAILED_LEAD])
def test_what_the_next_run_does(
    once: CreateSettings, clock: SteppingClock, left: str, shows_after: float, force: bool
) -> None:
    """By what an earlier run has left, and by when a list shows what it has made."""
    service = Leading(clock)
    service.visible_after = shows_after
    if left == INTENT:
        service.fails_with = t.cast("Exception", Killed())
        with pytest.raises(Killed):
            create_once(once, IDENTITY, "thing web", service)
        service.fails_with = None
    elif left != NOTHING:
        create_once(once, IDENTITY, "thing web", service)
    if left == FAILED_LEAD:
        service.things, service.failed = [], True
    before, begun = service.sent, clock.monotonic()
    made = left in (INTENT, LEAD)
    if made and shows_after == NEVER and not force:
        with pytest.raises(errors.CannotDetermine, match="This task has sent nothing") as told:
            create_once(once._replace(force=force), IDENTITY, "thing web", service)
        assert not errors.has_changed(told.value)
        sends = 0
    else:
        sends = int(not made or shows_after == NEVER)
        assert create_once(once._replace(force=force), IDENTITY, "thing web", service).by_us is bool(sends)
    assert service.sent - before == sends
    assert clock.monotonic() - begun == pytest.approx(min(shows_after, once.grace) if made else 0.0, abs=once.pause)
    shown = left == INTENT and shows_after != NEVER
    assert len(intents(once)) == int(not shown), "the lead of what was made stays until its user sees it in a list"


@pytest.mark.parametrize("kind", [errors.Ambiguous, errors.CannotDetermine, errors.WaitTimeout])
def test_whatever_fails_after_sending_says_changed_and_leaves_the_note(
    once: CreateSettings, service: Service, kind: type[errors.FcdError]
) -> None:
    service.fails_with = kind("it was sent")
    with pytest.raises(kind) as told:
        create_once(once, IDENTITY, "thing web", service)
    assert errors.has_changed(told.value)
    assert len(intents(once)) == 1


def test_what_becomes_known_is_added_to_an_intent_and_makes_none(once: CreateSettings, clock: SteppingClock) -> None:
    note(once).add(known=[1])
    assert intents(once) == []
    note(once).write()
    clock.sleep(5.0)
    note(once).add(known=[1])
    note(once).add(ticket=2)
    assert note(once).read() == {"ticket": 2, "known": [1], "time": 1000.0}


def test_a_process_notes_again_what_has_vanished_with_the_folder(once: CreateSettings) -> None:
    first, dropped, last = (CreateNote(once.folder, key, once.clock) for key in ("first", "dropped", "last"))
    for number, one in enumerate((first, dropped, last), 1):
        one.write()
        one.add_answer(id=number)
    dropped.drop()
    shutil.rmtree(once.folder)
    last.clear()
    leads = [CreateNote(once.folder, key, once.clock).lead() for key in ("first", "dropped", "last")]
    assert [lead and lead["id"] for lead in leads] == [1, None, 3]


@pytest.mark.parametrize("left", ["an intent", "a lead", "a broken note"])
def test_what_a_list_has_shown_stays_noted_for_a_day(once: CreateSettings, clock: SteppingClock, left: str) -> None:
    note(once).keep(1)
    assert intents(once) == [], "nothing was created here"
    note(once).write()
    if left == "a lead":
        note(once).add_answer(id=1)
        note(once).clear()
    elif left == "a broken note":
        pathlib.Path(note(once).path).write_text("", encoding="ascii")
    for _look in range(3):
        note(once).keep(1)
        assert (note(once).read(), note(once).lead()) == (None, {"id": 1, "listed": True, "time": 1000.0})
        clock.time += 86400.0 / 2
    clock.time += 0.5 - 86400.0 / 2
    note(once).keep(1)
    assert intents(once) == []


def test_what_was_listed_is_looked_for_once_when_it_is_gone(once: CreateSettings, clock: SteppingClock) -> None:
    service = Leading(clock)
    create_once(once, IDENTITY, "thing web", service)
    note(once).keep(1)
    service.things.clear()
    assert create_once(once, IDENTITY, "thing web", service).by_us
    assert clock.now() == 1000.0


@pytest.mark.parametrize("cause", [errors.Unclear("reset"), errors.CannotDetermine("accepted, and not shown")])
def test_a_note_that_has_vanished_is_written_again(once: CreateSettings, service: Service, cause: Exception) -> None:
    def send(intent: CreateNote) -> dict[str, t.Any]:
        intent.add(known=[5])
        shutil.rmtree(once.folder)
        raise cause

    service.send = send  # type: ignore[method-assign]
    with pytest.raises(errors.CannotDetermine):
        create_once(once, IDENTITY, "thing web", service)
    noted = note(once).read() or {}
    assert (noted["known"], noted["time"]) == ([5], 1000.0)


@pytest.mark.parametrize("seconds", [3599.5, 3600.0])
def test_what_has_not_appeared_after_an_hour_is_decided_once(
    once: CreateSettings, service: Service, clock: SteppingClock, seconds: float
) -> None:
    service.fails_with, service.has_effect = t.cast("Exception", Killed()), False
    with pytest.raises(Killed):
        create_once(once, IDENTITY, "thing web", service)
    clock.sleep(seconds - once.grace)  # for which it looks
    if seconds < 3600.0:
        with pytest.raises(errors.CannotDetermine):
            create_once(once, IDENTITY, "thing web", service)
        return
    service.fails_with = errors.Rejected("no money")
    for run in range(2):
        with pytest.raises(errors.Rejected):
            create_once(once, IDENTITY, "thing web", service)
        assert (intents(once), service.sent) == ([], run + 2)


@pytest.mark.parametrize(
    ("member", "value", "is_understood"),
    [
        ("id", 1, True),
        ("id", (1 << 63) - 1, True),
        ("id", 0, False),
        ("id", 1 << 63, False),
        ("id", True, False),
        ("id", "7", False),
        ("looked", 0, True),
        ("looked", 999999999999.5, True),
        ("looked", 1e12, False),
        ("looked", -1, False),
        ("looked", True, False),
        ("colour", 1, False),
    ],
)
def test_a_note_whose_members_are_odd_is_not_understood(
    once: CreateSettings, member: str, value: object, is_understood: bool
) -> None:
    note(once).write()
    path = pathlib.Path(note(once).path)
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), member: value}), "utf-8")
    assert ("broken" in note(once).content()) is not is_understood


def test_the_time_of_a_note_that_cannot_be_understood_is_that_of_its_file(once: CreateSettings) -> None:
    assert note(once).age() == 0.0
    note(once).write()
    pathlib.Path(note(once).path).write_text("", "utf-8")
    os.utime(note(once).path, (700.0, 700.0))
    assert (note(once).content()["time"], note(once).age()) == (700.0, 300.0)


def test_all_notes_are_found_by_their_files(tmp_path: pathlib.Path, once: CreateSettings) -> None:
    note(once).write()
    task: t.Any = types.SimpleNamespace(state_dir=str(tmp_path), clock=once.clock)
    assert [one.path for one in once_module.all_notes(task)] == [note(once).path]
