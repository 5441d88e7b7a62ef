# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Nothing twice, nothing lost, in whatever order things go wrong: hypothesis makes up the orders.

``EXAMPLES_OF_CREATES=2000`` in the environment tries that many of them, and says how many there were.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import typing as t

import hypothesis
import hypothesis.strategies as st
import pytest
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors, private_files
from ansible_collections.fcd.cloud.plugins.module_utils._core.clock import Deadline, wait_until
from ansible_collections.fcd.cloud.plugins.module_utils._core.text import digest
from ansible_collections.fcd.cloud.plugins.module_utils._engine.change import (
    Change,
    ChangeContext,
    Listing,
    make_changes,
    run_to_end,
    wait_and_check_duplicates,
)
from ansible_collections.fcd.cloud.plugins.module_utils._engine.create_once import (
    CreateNote,
    CreateSettings,
    create_once,
)
from ansible_collections.fcd.cloud.plugins.module_utils._engine.plan import Created, Field, Outcome, reconcile

from .thing_service import ANSWERS, SOMEBODY, Disk, OwnClock, Service, Thing

GRACE = 10.0
LOCK_WAIT = 5.0
LONGEST = 2 * (6 * GRACE + LOCK_WAIT)  # for a task, in the middle of which another one may run
DAY = 86400.0
IDENTITY = ("https://api.example.com", "thing", "web")
TIMES, STEPS = 5, 8  # as many orders as examples of other tests, and how much happens in each
VARIABLE = "EXAMPLES_OF_CREATES"


WHO = st.integers(0, 1)
AFTER = st.sampled_from([0.0, 5.0, 11.0, 60.0, 4000.0])  # seconds since the last task
ANSWER = st.sampled_from([*["good", "twice", "lost", "late"] * 2, *sorted(ANSWERS)])
LAG = st.sampled_from([0.0, 3.0, 15.0, 40.0, 400.0])
BEHIND = st.sampled_from([0.0] * 4 + [60.0, 600.0])
MOMENT = st.sampled_from([*range(1, 9), *range(1, 21)])
TROUBLE = st.sampled_from(
    [*["killed", "clock_back", "rival"] * 2, "disk_full", "disk_broken", "clock_ahead", "somebody_is_faster"]
)


class Killed(BaseException):
    """Stands for kill -9."""


class Task:
    """A task for the thing as the nouns of the services are: a resource, its create, and the host of its changes."""

    kind = "thing"
    fields = (Field("name"),)
    warn = tell = staticmethod(lambda _text: None)

    def __init__(self, service: Service, folder: str, clock: OwnClock, *, numbered: bool, force: bool = False) -> None:
        self.service, self.folder, self.clock = service, folder, clock
        self.numbered, self.force = numbered, force
        self.maybe_done = self.done = False
        self.last_list: list[Thing] = []
        self.deadline = Deadline(clock, None)
        self.note = CreateNote(folder, digest(*IDENTITY), clock)
        self.context = ChangeContext(t.cast("t.Any", self), t.cast("t.Any", self), self.deadline, True, GRACE)

    def find(self, _desired: t.Any = None) -> dict[str, t.Any] | None:
        listed = self._listed()
        if listed is not None:
            self.forget(listed["id"])
            return listed
        lead = self.note.lead()
        found = lead and self.by_id(lead["id"])
        if lead and not found and self.note.lead() == lead:
            self.note.clear_lead()
        return found

    def forget(self, number: int) -> None:
        """Forget the create, but for the number where that can be read."""
        if self.numbered:
            self.note.keep(number)
        else:
            self.note.clear()

    def _listed(self) -> dict[str, t.Any] | None:
        found = self._read_list()
        if len(found) > 1:
            raise errors.Ambiguous("several things", ids=[one.number for one in found])
        return _record(found[0]) if found else None

    def _read_list(self) -> list[Thing]:
        self.last_list = self.service.listed(self.folder)
        return self.last_list

    def by_id(self, number: int) -> dict[str, t.Any] | None:
        found = self.service.by_number(number)
        return _record(found) if found else None

    def create(self, _values: t.Any) -> Created:
        once = CreateSettings(self.folder, self.clock, self.deadline, GRACE, force=self.force, lock_wait=LOCK_WAIT)
        created = create_once(once, IDENTITY, "thing web", self)
        with errors.mark_changed_on_error(created.by_us):
            if run_to_end(
                self.context, wait_and_check_duplicates(self.context, lambda: self._listing(created), 0, "Creating")
            ):
                self.forget(created.record["id"])
        return created

    def _listing(self, created: Created) -> Listing:
        numbers = [one.number for one in self._read_list()]
        own = created.record["id"]
        return Listing(own in numbers, {one: "" for one in numbers if one != own and created.by_us})

    def send(self, intent: CreateNote) -> dict[str, t.Any]:
        number = self._requested(lambda: self.service.create(self.folder))
        if self.numbered:
            intent.add_answer(id=number)
            self.service.moment()
            return {"name": "web", "id": number}
        with errors.mark_changed_on_error():
            limit = self.deadline.within(GRACE, "read back")
            return wait_until(self._listed, bool, limit, what="thing web") or {}

    def _requested(self, send: t.Callable[[], t.Any]) -> t.Any:
        answer = ANSWERS[self.service.answer]
        self.maybe_done = self.maybe_done or answer.maybe
        self.done = self.done or answer.times > 0
        try:
            return send()
        finally:
            if self.force and answer.maybe:  # before a list can show what was given up, and take it for the new one
                self.service.give_up(self.folder)

    def resume(self, facts: t.Mapping[str, t.Any]) -> dict[str, t.Any] | None:
        noted = self.by_id(facts["id"]) if "id" in facts else None
        found = noted or self._listed()
        if found and not noted and self.numbered:
            self.note.add_answer(id=found["id"])
        return found

    def has_failed(self, facts: t.Mapping[str, t.Any], looked: bool) -> bool:
        return looked and "id" in facts

    def update(self, current: t.Any, _changes: t.Any) -> t.Any:
        raise AssertionError(current)

    def delete(self, current: t.Any) -> None:
        number = current["id"]
        send = t.cast("t.Any", lambda: self._requested(lambda: self.service.delete(number)))
        removal = Change(self.context, number, "Removing", send, lambda seen: seen is None, kind="thing", removes=True)
        run_to_end(self.context, make_changes([removal], lambda _ticket: None))


def _record(thing: Thing) -> dict[str, t.Any]:
    return {"id": thing.number, "name": "web"}


class Creates(RuleBasedStateMachine):
    """Two controllers, with one state folder or two, one service, and what may happen to them."""

    examples = tasks = 0

    def __init__(self, disk: Disk) -> None:
        super().__init__()
        type(self).examples += 1
        self.service = disk.service = Service()
        self.disk = disk
        self.place = tempfile.mkdtemp()

    @initialize(shared=st.booleans(), numbered=st.booleans())
    def begin(self, shared: bool, numbered: bool) -> None:
        self.numbered = numbered
        folders = [os.path.join(self.place, name) for name in ("a", "a" if shared else "b")]
        self.clocks = [OwnClock(self.service) for _each in folders]
        self.clocks = self.clocks[:1] * 2 if shared else self.clocks  # of one machine
        self.folders = folders

    def teardown(self) -> None:
        try:
            if hasattr(self, "folders"):
                self.come_to_rest()
        finally:
            shutil.rmtree(self.place)

    @rule(after=AFTER, who=WHO, answer=ANSWER, lag=LAG, behind=BEHIND, force=st.sampled_from([False] * 5 + [True]))
    def task(self, after: float, who: int, answer: str, lag: float, behind: float, force: bool) -> None:
        self.service.time += after
        self.service.answer, self.service.lag = answer, lag
        self.service.behind = behind if self.numbered and not force else 0.0
        self.run(who, force=force)
        self.service.behind = 0.0

    @rule(after=AFTER, who=WHO, answer=ANSWER, lag=LAG, moment=MOMENT, trouble=TROUBLE, absent=st.booleans())
    def task_in_trouble(
        self, after: float, who: int, answer: str, lag: float, moment: int, trouble: str, absent: bool
    ) -> None:
        self.service.time += after
        self.service.answer, self.service.lag = answer, lag
        self.service.strikes(moment, getattr(self, trouble))
        with contextlib.suppress(Killed):
            self.run(who, "absent" if absent and trouble == "killed" else "present")
        self.service.strikes(0, None)
        self.disk.full = self.disk.broken = False

    @rule(after=AFTER, who=WHO, answer=ANSWER, lag=LAG)
    def removal(self, after: float, who: int, answer: str, lag: float) -> None:
        self.service.time += after
        self.service.answer, self.service.lag = answer, lag
        self.run(who, "absent")

    @precondition(lambda self: self.service.living())
    @rule(one=st.booleans(), lag=LAG)
    def removed_by_hand(self, one: bool, lag: float) -> None:
        there = [thing for thing in self.service.living() if thing.made <= self.service.time]
        for thing in there[: 1 if one else None]:
            self.service.remove(thing, lag)

    def killed(self) -> None:
        raise Killed

    def disk_full(self) -> None:
        self.disk.full = True

    def disk_broken(self) -> None:
        self.disk.broken = True

    def clock_ahead(self) -> None:
        self.clocks[0].ahead += DAY

    def clock_back(self) -> None:
        self.clocks[0].ahead -= DAY

    def rival(self) -> None:
        self.run(1)

    def somebody_is_faster(self) -> None:
        self.service.add(SOMEBODY, self.service.time, self.service.time + self.service.lag)

    def run(self, who: int, state: str = "present", *, force: bool = False) -> Outcome | errors.FcdError:
        """Run a task to its end, and judge what it says of itself."""
        type(self).tasks += 1
        begun = self.service.time
        task = Task(self.service, self.folders[who], self.clocks[who], numbered=self.numbered, force=force)
        end: Outcome | errors.FcdError
        try:
            end = reconcile(task, {"name": "web"}, state, check_mode=False)
        except errors.FcdError as error:
            end = error
        assert self.service.time - begun <= LONGEST
        says_changed = errors.has_changed(end) if isinstance(end, errors.FcdError) else end.changed
        assert says_changed or not (task.maybe_done if isinstance(end, errors.FcdError) else task.done)
        assert task.maybe_done or not says_changed or state == "absent"  # what is gone already was removed
        assert isinstance(end, errors.FcdError) or len(task.last_list) <= 1, "a second one was not told"
        return end

    @invariant()
    def no_request_is_repeated(self) -> None:
        for folder in getattr(self, "folders", ()):
            made = {one.request for one in self.made_from(folder) if folder not in one.mistaken_by}
            assert len(made) <= 1, f"made twice: {self.service.things}"

    @invariant()
    def nothing_is_forgotten(self) -> None:
        for folder in getattr(self, "folders", ()):
            unseen = [one for one in self.made_from(folder) if folder not in one.seen_by]
            assert not unseen or self.noted(folder), f"forgotten: {unseen}"

    def made_from(self, folder: str) -> list[Thing]:
        """Return what exists; but the number of what a request made when it came twice is nothing one can know."""
        halved = {one.request for one in self.service.things if one.removed <= self.service.time}
        return [one for one in self.service.living(folder) if one.request not in halved]

    def noted(self, folder: str) -> bool:
        return self.note(folder).read() is not None or self.note(folder).lead() is not None

    def note(self, folder: str) -> CreateNote:
        return CreateNote(folder, digest(*IDENTITY), self.clocks[self.folders.index(folder)])

    def come_to_rest(self) -> None:
        """When nothing goes wrong any more, all is as declared in the end, and no create is in doubt."""
        self.service.time += 5000.0
        self.service.answer, self.service.lag = "good", 0.0
        end = self.run(0)
        if isinstance(end, errors.Ambiguous):
            assert len(self.service.listing()) > 1
            return
        assert isinstance(end, Outcome), end
        again = self.run(0)
        assert isinstance(again, Outcome), again
        assert not again.changed
        assert len(self.service.listing()) == 1
        assert (self.note(self.folders[0]).lead() or {"listed": True}).get("listed")
        assert self.note(self.folders[0]).read() is None


def test_nothing_is_made_twice_and_nothing_is_forgotten(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    disk = Disk()
    monkeypatch.setattr(private_files, "os", disk)
    monkeypatch.setattr(private_files, "tempfile", disk)
    desired = os.environ.get(VARIABLE)
    usual = hypothesis.settings.default
    examples = int(desired) if desired else TIMES * usual.max_examples
    settings = hypothesis.settings(usual, max_examples=examples, stateful_step_count=STEPS)
    run_state_machine_as_test(lambda: Creates(disk), settings=settings)
    if desired:
        with capsys.disabled():
            print(f"\n{Creates.examples} orders with {Creates.tasks} tasks")
