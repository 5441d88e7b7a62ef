# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Doing what is planned: each entry as its module does it, after those that it refers to; removals come last.

Each operation reads anew; where a create looks under its lock, what is to be new is looked for only there. What fails
stops only what refers to it.
"""

from __future__ import annotations

import copy
import functools
import threading
import typing as t

from ...module_utils._connection.task import Params, Task
from ...module_utils._core.clock import Clock
from ...module_utils._core.errors import (
    Conflict,
    DeadlinePassed,
    FcdError,
    InvalidInput,
    RateLimited,
    has_changed,
    mark_changed_on_error,
    note_change,
)
from ...module_utils._core.text import name_in_line
from ...module_utils._core.type_aliases import JsonObject
from ...module_utils._engine.plan import CREATE, REPLACE
from .entry_operations import EntryOutcomes, EntryWork, by_level, run_instances, run_operation
from .model import KINDS, RUN_OPTIONS, Place, unknown_numbers
from .registry.registry_document import name_of_predecessor
from .shared_reads import SideBySideClients, searched_often
from .stages import Done, EntryOutcome, EntryResult, Planned, Selected, followers_of

TRANSIENT_WAIT = 60.0  # seconds for reasons that pass: something new is locked, or there are too many requests
FIRST, GROWTH = 0.5, 1.6  # the first pause in seconds, and by what the next ones grow


Ends = EntryOutcomes[Planned]
EntryJob = t.Callable[[], Ends]


class Applying(EntryWork[Done]):
    """The work of one run.

    ``check`` raises when nothing may be begun any more. ``on_end`` is called, in the calling thread, for each entry
    that ends. ``progress`` learns in any thread when one begins, and may know of instances that end before others.
    """

    def __init__(
        self,
        task: Task,
        plans: t.Sequence[Planned],
        params: Params,
        warn: t.Callable[[Selected, str], None],
        check: t.Callable[[], None],
        on_end: t.Callable[[Done], None],
        progress: RunProgress,
    ) -> None:
        super().__init__(task, params, warn)
        self.known = {plan.place: Done.of(plan) for plan in plans}
        self._plans = plans
        self._progress = progress
        many = searched_often(plan.entry.kind for plan in plans if plan.changes)
        self.task.clients = SideBySideClients(self.task, many)
        self._check = check
        self._on_end = on_end
        self._followers: dict[Place, list[Place]] = {}  # for a removal what has to have ended well before
        for plan in plans:
            self._followers.setdefault(plan.place, []).extend(followers_of(plan, plans))
            for ref in plan.entry.refs if plan.removes else ():
                self._followers.setdefault(ref, []).append(plan.place)

    @property
    def entries(self) -> list[Done]:
        """All entries, with what has come of them until now."""
        return [self.known[plan.place] for plan in self._plans]

    def run(self) -> None:
        """Do everything. Nothing is begun any more after the deadline."""
        for step in self._steps():
            try:
                self._do_step([plan for plan in step if plan.changes])
            except DeadlinePassed as error:
                for one in self._open():
                    self._note(one, actual=error)
                return

    def abort(self) -> None:
        """Note of all that have not ended that nothing more is done; of those under way nobody knows how they end."""
        for one in self._open():
            how = "under way" if one.started else "not begun"
            error = FcdError(f"It was {how} when the run was broken off.", next_step="Run this again.")
            if one.started:
                note_change(error)
            self._note(one, actual=error)

    def _open(self) -> list[Done]:
        return [one for one in self.entries if one.changes and one.actual is None]

    def _note(self, plan: Planned, **more: t.Any) -> Done:
        """Keep what has come of an entry; only the thread that works on it, or has waited for that, does so."""
        self.known[plan.place] = self.known[plan.place].with_fields(**more)
        return self.known[plan.place]

    def _steps(self) -> list[list[Planned]]:
        """Return what may be done side by side, step by step: what is to be there by references, then what is to go.

        What goes does so kind by kind, for of what is not declared any more nobody knows the references.
        """
        order = by_level(self._plans)
        steps = [[plan for plan in level if not plan.removes] for level in order]
        for level in reversed(order):
            going = [plan for plan in level if plan.removes]
            steps += [[plan for plan in going if plan.entry.kind == kind] for kind in reversed(KINDS)]
        return steps

    def _do_step(self, todo: t.Sequence[Planned]) -> None:
        """Do what is ready, and once more what was refused for a reason that passes."""
        ready = [plan for plan in todo if self._is_ready(plan)]
        patience = self.task.deadline.within(TRANSIENT_WAIT, "wait")
        pause = FIRST
        while ready:
            again = self._do_once(ready, retry=not patience.over)
            if again:
                patience.sleep(pause)
                pause *= GROWTH
            ready = again

    def _do_once(self, plans: t.Sequence[Planned], *, retry: bool) -> list[Planned]:
        """Do these, and return those that are worth another try if there is one."""
        again: list[Planned] = []

        def ended(pair: tuple[Planned, EntryOutcome]) -> None:
            plan, end = pair
            if retry and self._is_passing(plan, end):
                if isinstance(end, FcdError) and has_changed(end):
                    self._note(plan, half_done=True)
                again.append(plan)
            else:
                self._on_end(self._note(plan, actual=end))

        self.run_jobs(self._jobs(plans), ended)
        return again

    def _jobs(self, plans: t.Sequence[Planned]) -> list[EntryJob]:
        fleet: list[Planned] = []
        others: list[Planned] = []
        for plan in plans:
            alone = not plan.in_fleet or plan.by_number or plan.creates_first
            (others if alone else fleet).append(plan)
        jobs: list[EntryJob] = [functools.partial(self._apply_fleet, fleet)] if fleet else []
        return jobs + [functools.partial(self._apply_one, plan) for plan in others]

    def _is_passing(self, plan: Planned, end: EntryOutcome) -> bool:
        """Return whether a refusal is worth another try: too many requests, or what was made or removed just now."""
        if not isinstance(end, Conflict):
            return isinstance(end, RateLimited)
        before = self.entries if plan.orphan else self._before(plan)
        return any(one.done is not None and one.done.action for one in before)

    def _is_ready(self, plan: Planned) -> bool:
        """Return whether it can be begun, else note what keeps it back."""
        before = self._before(plan)
        failed = next((one for one in before if one.error is not None), None)
        missing = next((one for one in before if one.missing), None)
        if failed is not None:
            why, advice = f"{failed} failed", "Mend that, and run this again."
        elif missing is not None:
            why = f"{missing} is not there yet, and this run does not create it"
            advice = f"First apply the stage {missing.entry.stage}, or apply the whole site."
        else:
            return True
        self._on_end(self._note(plan, actual=FcdError(f"It was not begun, since {why}.", next_step=advice)))
        return False

    def _before(self, plan: Planned) -> list[Done]:
        """Return what has to have ended well before this: what it refers to, or for a removal what refers to it."""
        if plan.removes:
            return [self.known[place] for place in self._followers[plan.place]]
        return self.references_of(plan)

    def _apply_fleet(self, fleet: t.Sequence[Planned]) -> Ends:
        members: list[tuple[Planned, Params]] = []
        ends: Ends = []
        for plan in fleet:
            try:
                members.append((plan, self._options(plan)))
            except InvalidInput as error:
                ends.append((plan, error))
        if not members:
            return ends
        try:
            self._check()
        except FcdError as error:
            return ends + [(plan, error) for plan, _params in members]
        for plan, _params in members:
            self._begin(plan)
        return ends + run_instances(self.task, members, self.params, self._progress.end)

    def _begin(self, plan: Planned) -> None:
        self._note(plan, started=True)
        self._progress.start(plan)

    def _apply_one(self, plan: Planned) -> Ends:
        task = self.task_of(plan.sends)
        task.warn = lambda text: self.warn(plan, text)
        task.tell = lambda text: self.task.tell(f"{plan}: {text}")
        task.expects_new = plan.planned is not None and plan.planned.action == CREATE and not plan.removes
        try:
            self._check()
            params = self._options(plan)
            self._begin(plan)
            if not plan.creates_first:
                return [(plan, run_operation(task, plan, params))]
            return [(plan, _create_first(task, plan, params))]
        except FcdError as error:
            return [(plan, error)]

    def _options(self, plan: Planned) -> JsonObject:
        """Return the options with all numbers. Raises InvalidInput for one that nobody knows."""
        params = self.options_of(plan)
        unknown = unknown_numbers(params, self.number)
        if unknown and not plan.removes:
            raise InvalidInput(
                f"The number of {unknown[0].kind} {unknown[0].name} is not known.",
                next_step="Apply the stage that makes it first.",
            )
        return self.with_known_numbers(plan, params)


def _create_first(task: Task, plan: Planned, params: Params) -> EntryResult:
    """Give the old thing another name and create the new one. Raises Conflict while the old one still has the name."""
    unsaid = plan.entry.of.defaults()
    of_run = {name: params[name] for name in RUN_OPTIONS if name in unsaid}
    name = name_of_predecessor(plan.entry.name, plan.replaced)
    run_operation(task, plan, {**unsaid, **of_run, "id": plan.replaced, "name": name})
    with mark_changed_on_error():
        looking = copy.copy(task)
        looking.check_mode = True
        if run_operation(looking, plan, params).action != CREATE:
            raise Conflict(
                f"{plan} was renamed to {name!r}, and the service still shows it by its old name.",
                next_step="Run this again to create the new one.",
            )
        made = run_operation(task, plan, params)
    before, forced_by = (plan.planned.before, plan.planned.forced_by) if plan.planned is not None else ({}, ())
    return made._replace(action=REPLACE, before=before, forced_by=forced_by)


class RunProgress:
    """Reports each entry once, whatever thread it is worked on in and however often it is tried.

    ``tell`` gets a line, and how far the whole run is. ``done`` of the ``whole`` need no work, such as the container of
    the registry.
    """

    def __init__(
        self, site: str, clock: Clock, whole: int, tell: t.Callable[[str, str], None], *, done: int = 0
    ) -> None:
        self._site = site
        self._clock = clock
        self._whole = whole
        self._tell = tell
        self._done = done
        self._lock = threading.Lock()
        self._start_times: dict[Place, float] = {}
        self._ended: set[Place] = set()

    def start(self, plan: Planned) -> None:
        """Report that the work on an entry begins."""
        with self._lock:
            again = plan.place in self._start_times
            self._start_times.setdefault(plan.place, self._clock.monotonic())
            number = self._done + len(self._ended)
        if not again:
            verb = "" if plan.planned is None or plan.planned.action is None else f" ({plan.planned.action})"
            self._report(f"{name_in_line(str(plan))}{verb} begins", number)

    def end(self, plan: Planned) -> None:
        """Report that an entry has ended, how, and after how many seconds."""
        with self._lock:
            if plan.place in self._ended:
                return
            self._ended.add(plan.place)
            number, since = self._done + len(self._ended), self._start_times.get(plan.place)
        how, span = ("failed", "after") if plan.error is not None else ("done", "in")
        seconds = "" if since is None else f" {span} {self._clock.monotonic() - since:.0f} s"
        self._report(f"{name_in_line(str(plan))} {how}{seconds} ({number} of {self._whole})", number)

    def _report(self, line: str, number: int) -> None:
        self._tell(f"site {self._site}: {line}", f"site {self._site}: {number} of {self._whole} entries are done")
