# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A whole site in one task: plan all entries, and, outside check mode, do what is to be done."""

from __future__ import annotations

import functools
import typing as t

from ..._core.errors import FcdError, ImmutableChange, InvalidInput
from ..._engine.plan import DELETE
from ..._session.operation import Operation, Params, Result
from ..._session.options import REST, SOAP, STORAGE
from ..._session.task import Task
from ..site_ownership.registry import Ownership
from ..site_ownership.registry_names import owner_name
from ..site_ownership.site_lock import SiteLock, held
from .applying import Applying, break_off
from .entries import Declaration
from .options import OPTIONS, check
from .ownership_notes import Notes
from .plan_document import Scope, plan_of, told_error
from .plan_file import check_same, read_plan
from .planning import Planning
from .results import applied_result, planned_result
from .selection import check_limit, strangers_left, warn_of_spared, warn_of_strangers, wishes_of
from .warnings_of_entries import Warnings
from .wishes import CONTAINERS, Outcome, Waiting, Wish

TOLD = 5  # mistakes in one message


class Run:
    """One run of one site. What the plan of a file says is compared before anything is changed."""

    def __init__(self, task: Task, params: Params, declaration: Declaration, lock: SiteLock) -> None:
        self.task = task
        self.params = params
        self.declaration = declaration
        self.lock = lock
        self.waiting = Waiting(params["wait_timeout"], params["create_grace"])
        self.owner = owner_name(declaration.site, params["environment"])
        self.ownership = Ownership.opened(task, self.owner, declaration.registry, params["part"], lock)
        self.warnings = Warnings()
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
        wishes = wishes_of(self.params, self.declaration, self.owned, orphans)
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

    def _plan(self, wishes: t.Sequence[Wish]) -> None:
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
                wish.error, wish.planned = None, Outcome(DELETE, dict(wish.entry.identity), {})

    def _apply(self, wishes: t.Sequence[Wish]) -> FcdError | None:
        """Do the work; returns why it was broken off, or could not be noted in the end."""
        notes = Notes(self.ownership, self.task.clock, self.aside, adopt=self.params["adopt"])
        todo = sum(wish.changes for wish in wishes)
        done: list[Wish] = []

        def ended(wish: Wish) -> None:
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

    def _tell(self, wish: Wish, number: int, whole: int) -> None:
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


def run(declaration: Declaration, task: Task, params: Params) -> Result:
    """Bring the site to its state."""
    check(params)
    if params["plan"]:
        read_plan(params["plan"])  # what cannot be a plan is told before anything is read
    task.settings.require(services_of(declaration))
    for secret in secrets_of(declaration):
        task.redactor.add(secret)
    lock = held(
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
        return Run(task, params, declaration, held_lock).result()


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


def operation_of(declaration: Declaration) -> Operation:
    """Return the operation for a site that was loaded."""
    return OPERATION._replace(run=functools.partial(run, declaration))


def _refuse_mistakes(wishes: t.Sequence[Wish], task: Task) -> None:
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


def _not_here(task: Task, params: Params) -> Result:
    del task, params
    raise FcdError(
        "fcd.cloud.site runs on the controller, as an action plugin only.",
        next_step="Use it as a task of a play, without async.",
    )


OPERATION = Operation("site", (REST, SOAP, STORAGE), OPTIONS, _not_here)
