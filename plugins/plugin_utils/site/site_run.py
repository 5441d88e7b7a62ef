# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A whole site in one task: plan all entries, and, outside check mode, do what is to be done.

What a run is going to make it notes in the registry of the site before, and its outcomes as it goes on.
"""

from __future__ import annotations

import typing as t

from ...module_utils._core.clock import Clock
from ...module_utils._core.errors import FcdError, ImmutableChange, InvalidInput, ServiceError, Unclear, Unreachable
from ...module_utils._engine.change_tracking import has_changed
from ...module_utils._engine.create_once import NO_EFFECT
from ...module_utils._engine.plan import CREATE, DELETE
from ...module_utils._session.operation import Params, Result
from ...module_utils._session.options import STORAGE
from ...module_utils._session.task import Task
from .applying import Applying, break_off
from .entry_plan import CONTAINERS, EntryPlan, EntryResult, EntryWarnings, Waiting
from .model import Declaration, Place
from .plan_document import Scope, applied_result, check_same, plan_of, planned_result, read_plan, told_error
from .planning import Planning
from .selection import (
    check_limit,
    check_site_options,
    entry_plans_of,
    strangers_left,
    warn_of_spared,
    warn_of_strangers,
)
from .state.lock_holder import SiteLock
from .state.registry import Ownership
from .state.registry_document import Known
from .state.registry_places import owner_name
from .state.site_lock import site_lock

TOLD = 5  # mistakes in one message


class SiteRun:
    """One run of one site. What the plan of a file says is compared before anything is changed."""

    def __init__(self, task: Task, params: Params, declaration: Declaration, lock: SiteLock) -> None:
        self.task = task
        self.params = params
        self.declaration = declaration
        self.lock = lock
        self.waiting = Waiting(params["wait_timeout"], params["create_grace"])
        self.owner = owner_name(declaration.site, params["environment"])
        self.ownership = Ownership.opened(task, self.owner, declaration.registry, params["part"], lock)
        self.warnings = EntryWarnings()
        self.owned = self.ownership.owned()
        self.aside = (CONTAINERS, str(declaration.registry.get("container")))  # who takes the lock makes it

    def result(self) -> Result:
        """Plan, and do what is planned unless in check mode."""
        try:
            return self._result()
        finally:
            self.warnings.tell(self.task.warn)

    def _result(self) -> Result:
        places = [entry.place for entry in self.declaration.entries]
        self.ownership.check_conflicts(places)
        orphans = self.ownership.orphans(places)
        wishes = entry_plans_of(self.params, self.declaration, self.owned, orphans)
        self._plan(wishes)
        warn_of_spared(wishes, self.task.warn)
        check_limit(self.params, wishes, self.owned)
        owners = {place: owned.origin for place, owned in self.owned.items()}
        plan = plan_of(self._scope(), wishes, owners, self.task, self.aside)
        if self.params["plan"]:
            check_same(self.params["plan"], read_plan(self.params["plan"]), plan, self.aside)
        if self.task.check_mode:
            return planned_result(plan, wishes)
        _refuse_mistakes(wishes, self.task)
        stopped = self._apply(wishes)
        return applied_result(plan, wishes, self.task.redactor, stopped)

    def _plan(self, wishes: t.Sequence[EntryPlan]) -> None:
        most, warn = self.params["concurrency"], self.warnings.add
        planning = Planning(self.task, wishes, most, self.waiting, self.owner, warn)
        planning.run()
        strangers = strangers_left(self.params, wishes, self.owned)
        planning.foresee_removals()
        strangers += strangers_left(self.params, wishes, self.owned)
        warn_of_strangers(strangers, self.task.warn)
        for wish in wishes:
            if wish.context:  # what could not be looked at is told by those that need it
                wish.error = None
            elif wish.spared and wish.error is not None:  # nobody is going to remove it now
                wish.error, wish.planned = None, EntryResult(DELETE, dict(wish.entry.identity), {})

    def _apply(self, wishes: t.Sequence[EntryPlan]) -> FcdError | None:
        """Do the work; returns why it was broken off, or could not be noted in the end."""
        notes = OwnershipNotes(self.ownership, self.task.clock, self.aside, adopt=self.params["adopt"])
        todo = sum(wish.changes for wish in wishes)
        done: list[EntryPlan] = []

        def ended(wish: EntryPlan) -> None:
            done.append(wish)
            self._tell(wish, len(done), todo)
            notes.ended(wish)

        if todo:
            notes.begin(wishes)
        most, warn = self.params["concurrency"], self.warnings.add
        try:
            Applying(self.task, wishes, most, self.waiting, self.lock.check, ended, warn).run()
            notes.end(wishes, {entry.place for entry in self.declaration.entries})
        except FcdError as error:
            if not any(wish.begun for wish in wishes):
                raise
            break_off(wishes)
            return error
        return None

    def _tell(self, wish: EntryPlan, number: int, whole: int) -> None:
        word = "failed" if wish.error is not None else "done"
        self.task.tell(f"site {self.owner}: {wish} {word} ({number} of {whole})")

    def _scope(self) -> Scope:
        params, check_mode = self.params, self.task.check_mode
        return Scope(
            site=self.declaration.site,
            environment=params["environment"] or None,
            stage=params["stage"],
            part=params["part"] or None,
            kinds=params["kinds"],
            state=params["state"],
            mode="prune" if params["prune"] else "plan" if check_mode else "apply",
            declaration_digest=self.declaration.digest,
        )


def run_site(declaration: Declaration, task: Task, params: Params) -> Result:
    """Bring the site to its state."""
    check_site_options(params)
    if params["plan"]:
        read_plan(params["plan"])  # what cannot be a plan is told before anything is read
    task.settings.require(services_of(declaration))
    for secret in secrets_of(declaration):
        task.redactor.add(secret)
    lock = site_lock(
        task,
        owner_name(declaration.site, params["environment"]),
        declaration.registry,
        part=params["part"] or None,
        how=params["lock"],
        timeout=params["lock_timeout"],
        lease=params["lock_lease"],
        break_lock=params["break_lock"],
    )
    with lock as held_lock:
        return SiteRun(task, params, declaration, held_lock).result()


def services_of(declaration: Declaration) -> tuple[str, ...]:
    """Return the services that a site needs, that of its registry included."""
    return tuple(dict.fromkeys((*declaration.services(), *((STORAGE,) if "container" in declaration.registry else ()))))


def secrets_of(declaration: Declaration) -> t.Iterator[str]:
    """Yield the secret values that are declared."""
    for entry in declaration.entries:
        for name, spec in entry.of.operation().options.items():
            value = entry.params.get(name)
            if spec.get("no_log") and isinstance(value, str):
                yield value


def _refuse_mistakes(wishes: t.Sequence[EntryPlan], task: Task) -> None:
    """Raise InvalidInput when an entry is declared wrong: then nothing is done."""
    wrong = [
        wish
        for wish in wishes
        if wish.planned is None and isinstance(wish.error, InvalidInput) and not isinstance(wish.error, ImmutableChange)
    ]
    if not wrong:
        return
    told = [f"{wish} ({wish.entry.source}): {wish.error}" for wish in wrong]
    more = f"; and {len(wrong) - TOLD} more" if len(wrong) > TOLD else ""
    raise InvalidInput(
        f"Nothing was changed, since not all entries are declared right. {'; '.join(told[:TOLD])}{more}",
        failed_entries=[task.redactor.value(told_error(wish)) for wish in wrong],
    )


EVERY = 5.0  # seconds between two notes while the work goes on


class OwnershipNotes:
    """The notes of one run. ``adopt`` makes what was there the site's own.

    ``aside``, the container of the registry, never is its own: it outlives the site, and others may have theirs in it.
    """

    def __init__(self, ownership: Ownership, clock: Clock, aside: Place, *, adopt: bool) -> None:
        self._ownership = ownership
        self._clock = clock
        self._adopt = adopt
        self._aside = aside
        self._last = clock.monotonic()
        self._new: list[EntryPlan] = []

    def begin(self, wishes: t.Sequence[EntryPlan]) -> None:
        """Note what is going to be made. Raises Busy when the lock is lost, InvalidInput for a conflict."""
        coming = [wish for wish in wishes if wish.changes and not wish.removes and _plans(wish) == CREATE]
        self._ownership.intend([wish.entry for wish in coming if wish.place != self._aside])

    def ended(self, wish: EntryPlan) -> None:
        """Take note of an entry that has ended, and write it down every few seconds.

        Raises Busy when this run may not write any more. Where the storage fails, the next note has all of it.
        """
        self._new.append(wish)
        if self._clock.monotonic() - self._last >= EVERY:
            try:
                self._settle(self._new)
                self._new = []
            except (ServiceError, Unclear, Unreachable):
                pass
            self._last = self._clock.monotonic()

    def end(self, wishes: t.Sequence[EntryPlan], declared: t.Collection[Place]) -> None:
        """Note all outcomes of the run; what was only found and is not declared any more is forgotten."""
        known = self._ownership.owned()
        forgotten = [place for place, owned in known.items() if not owned.prunable and place not in declared]
        self._settle([wish for wish in wishes if not wish.context], forgotten)

    def _settle(self, wishes: t.Sequence[EntryPlan], forgotten: t.Sequence[Place] = ()) -> None:
        there = [wish for wish in wishes if not wish.removes and wish.error is None]
        mine = [wish for wish in there if wish.place != self._aside]
        made = [wish for wish in mine if wish.done is not None and wish.done.action == CREATE]
        others = [_known(wish) for wish in mine if wish not in made and (wish.done or not wish.changes)]
        beside = [_known(wish) for wish in there if wish.place == self._aside]
        gone = [wish for wish in wishes if wish.removes and wish.error is None and _is_gone(wish)]
        self._ownership.settle(
            created=[_known(wish) for wish in made],
            found=beside if self._adopt else [*others, *beside],
            adopted=others if self._adopt else [],
            removed=[*(wish.place for wish in gone), *forgotten],
            not_made=[wish.place for wish in wishes if _was_not_made(wish)],
        )


def _known(wish: EntryPlan) -> Known:
    return Known.of(wish.entry, wish.number)


def _plans(wish: EntryPlan) -> str | None:
    return None if wish.planned is None else wish.planned.action


def _is_gone(wish: EntryPlan) -> bool:
    if wish.done is not None:
        return wish.done.action in (DELETE, None)
    return _plans(wish) is None and wish.planned is not None


def _was_not_made(wish: EntryPlan) -> bool:
    """Return whether it is certain that something which was to be made was not."""
    if wish.error is None or wish.removes or _plans(wish) != CREATE:
        return False
    return not wish.begun or (isinstance(wish.error, NO_EFFECT) and not has_changed(wish.error))
