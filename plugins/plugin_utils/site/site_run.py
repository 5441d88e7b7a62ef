# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A whole site in one task: plan all entries, and, outside check mode, do what is to be done.

What a run is going to make it notes in the registry of the site before, and its outcomes as it goes on.
"""

from __future__ import annotations

import copy
import dataclasses
import typing as t

from ...module_utils._connection.check_mode_state import PlannedObjects
from ...module_utils._connection.options import STORAGE
from ...module_utils._connection.task import Params, Result, Task
from ...module_utils._core.errors import FcdError, ImmutableChange, InvalidInput, note_change
from ...module_utils._core.text import Redacted, join_names
from ...module_utils._object_storage.leases import HeldLock
from .applying import Applying, RunProgress
from .binding import Binding, check_same, limits_of_the_plan
from .model import CONTAINERS, DISKS, Declaration, Place
from .outputs import outputs_of, with_outputs
from .ownership_notes import DeclaredDigests, OwnershipNotes
from .plan.goes_along import Protected, ProtectedContents, registry_refusal
from .plan.plan_document import (
    PlanDocument,
    applied_result,
    error_item,
    plan_of,
    planned_result,
    read_plan,
    redacted_item,
    refused_by_policies,
    secret_texts,
)
from .plan.plan_policies import policies_digest
from .plan.plan_rules import (
    as_gone,
    over_removal_limit,
    over_replacement_limit,
    predecessors,
    refuse_disagreements,
    settle,
    strangers_among,
    warn_of_counted,
    warn_of_spared,
)
from .plan.planning import Planning
from .registry.last_registry import check_last_registry
from .registry.registry import Ownership, require_key
from .registry.registry_document import Owned
from .registry.registry_places import owner_name
from .registry.site_lock import LockOptions, site_lock
from .selection import check_site_options, pending_moves, select, with_moves
from .site_key import check_can_sign, user_key
from .stages import Done, Planned, Read, Selected

MADE_BY_OTHERS = (
    "Somebody else created it after it was planned, so it does not belong to the site, and prune keeps it. To have it "
    "belong to the site, set adopt: true in its entry and apply again."
)

Policies = t.Callable[[PlanDocument], t.List[t.Dict[str, object]]]
OverLimits = t.Tuple[t.Optional[InvalidInput], t.Optional[InvalidInput]]


class RunObserver(t.NamedTuple):
    """Who looks on: gets lines of progress and how far all of it is, in any thread, and the plan."""

    progress: t.Callable[[str, str], None]
    plan: t.Callable[[PlanDocument], None] | None = None


def run_site(
    declaration: Declaration,
    task: Task,
    params: Params,
    policies: Policies = lambda _plan: [],
    observer: RunObserver | None = None,
) -> Result:
    """Bring the site to its state; ``policies`` tries the checks of the user on its plan.

    The watcher sees the plan before anything is done.
    """
    approved = read_plan(params["plan"]) if params["plan"] else None
    params = {**params, **({} if approved is None else limits_of_the_plan(params, approved))}
    check_site_options(params, check_mode=task.check_mode)
    registry = (STORAGE,) if "container" in declaration.registry else ()
    task.settings.require(tuple(dict.fromkeys((*declaration.services(), *registry))))
    check_can_sign(task)
    owner = owner_name(declaration.site, params["environment"])
    require_key(task, owner, declaration.registry)
    for text in secret_texts(declaration):
        task.redactor.add(text)
    planned_objects, task.planned_objects = task.planned_objects, None  # a site is planned by what is there
    check_last_registry(task, owner, declaration.registry)
    task.knows_last_apply = True
    observer = observer or RunObserver(lambda line, _state: task.tell(line))

    def rehearse() -> None:
        SiteRun(copy.copy(task), params, declaration, HeldLock(), policies, observer).check(approved)

    lock = site_lock(
        task,
        owner,
        declaration.registry,
        LockOptions.of(params),
        part=params["part"] or None,
        before_create=rehearse,
    )
    with lock as held_lock:
        run = SiteRun(task, params, declaration, held_lock, policies, observer)
        try:
            result = run.result(approved, planned_objects)  # its plan is sealed: what is hidden later breaks the seal
            result["changed"] |= held_lock.made_container
            return Redacted(result, **({"msg": task.redactor.text(result["msg"])} if "msg" in result else {}))
        except FcdError as error:
            if held_lock.made_container:
                note_change(error)
            raise
        finally:
            run.warnings.pass_on(task.warn)


class EntryWarnings:
    """Collects warnings, from any thread."""

    def __init__(self) -> None:
        self._texts: dict[str, None] = {}

    def add(self, one: Selected, text: str) -> None:
        """Take note of what the operation of an entry warns of; planning and doing often warn of the same."""
        self._texts.setdefault(f"{one}: {text}")

    def pass_on(self, warn: t.Callable[[str], None], most: int = 20) -> None:
        """Pass on the first ones, and how many there are more."""
        for text in list(self._texts)[:most]:
            warn(text)
        if len(self._texts) > most:
            warn(
                f"There are {len(self._texts) - most} more warnings about entries. To see those of one kind, limit the "
                "run with kinds."
            )


@dataclasses.dataclass(eq=False)
class SiteRun:
    """One run of one site. What the plan of a file says is compared before anything is changed."""

    task: Task
    params: Params
    declaration: Declaration
    lock: HeldLock
    policies: Policies
    observer: RunObserver

    def __post_init__(self) -> None:
        """Open the registry, with what has moved in the file as moved."""
        registry, part = self.declaration.registry, self.params["part"]
        self.owner = owner_name(self.declaration.site, self.params["environment"])
        self.ownership = Ownership.opened(self.task, self.owner, registry, part, self.lock)
        self.warnings = EntryWarnings()
        self.moves = pending_moves(self.declaration, self.ownership)
        self.owned = with_moves(self.ownership.owned(), self.moves)
        self.task.sends = {} if self.task.check_mode or self.params["plan"] else None  # contents are bound
        self.registry_place = (CONTAINERS, str(registry.get("container") or ""))  # who takes the lock makes it

    def result(self, approved: PlanDocument | None, planned_objects: PlannedObjects | None = None) -> Result:
        """Plan, and do what is planned unless in check mode; that has to be what was ``approved``, if anything was.

        In check mode, ``planned_objects`` tell later tasks what is planned.
        """
        document, plans, over_limit = self._planned(approved)
        if self.observer.plan is not None:
            self.observer.plan(document)
        if self.task.check_mode:
            if planned_objects is not None:
                self._report_planned(plans, planned_objects)
            removals, replacements = over_limit
            if replacements is not None:
                self.task.warn(f"An apply would be rejected. {replacements}")
            missing = [str(plan) for plan in plans if plan.missing]
            if missing:
                self.task.warn(
                    f"Entries refer to what is not there yet and is not created by this run: {join_names(missing, 5)}. "
                    "First apply the stage foundations, or apply the whole site."
                )
            return self._with_outputs(planned_result(document, plans, removals), plans)
        self._refuse(document, plans, over_limit)
        return self._applied(document, plans)

    def check(self, approved: PlanDocument | None) -> None:
        """Raise what an apply is refused for, and show the plan then; nothing but reads is sent."""
        document, plans, over_limit = self._planned(approved)
        try:
            self._refuse(document, plans, over_limit)
        except FcdError:
            if self.observer.plan is not None:
                self.observer.plan(document)
            self.warnings.pass_on(self.task.warn)
            raise

    def _planned(self, approved: PlanDocument | None) -> tuple[PlanDocument, list[Planned], OverLimits]:
        """Return the plan, also as a document, and the errors of its limits for removals and replacements."""
        self.ownership.check_conflicts(entry.place for entry in self.declaration.entries)
        orphans = self.ownership.orphans(self._known_places())
        digests = DeclaredDigests(self.task)
        plans = self._plan(select(self.params, self.declaration, self.owned, orphans, digests))
        warn_of_spared(plans, self.task.warn)
        warn_of_counted(plans, self.task.warn)
        removals = over_removal_limit(self.params, plans, self.owned)
        replacements = over_replacement_limit(self.params, plans, self.owned)
        document = plan_of(self._scope(), plans, self.owned, self.task, self.registry_place)
        binding = self._binding(plans, document, approved)
        tried = [redacted_item(self.task.redactor, one) for one in self.policies(document)]
        document = {**document, "policies": tried}
        if binding is not None:
            document = binding.sealed(document)
        return document, plans, (removals, replacements)

    def _refuse(self, document: PlanDocument, plans: list[Planned], over_limit: OverLimits) -> None:
        """Raise InvalidInput for a plan that mistakes, limits, policies or outputs keep from being applied."""
        _refuse_mistakes(plans, self.task)
        for error in filter(None, over_limit):
            raise error
        refused = refused_by_policies(document)
        if refused:
            advice = "Change the site so that it passes. If a policy is wrong, change it first, on its own."
            texts = [*map(Redacted, document["policies"])]
            stop = "" if refused.endswith((".", "!", "?")) else "."
            raise InvalidInput(f"Nothing was changed. {refused}{stop}", next_step=advice, policies=texts)
        if self.declaration.outputs:
            wrong = outputs_of(self.declaration, plans)[1]
            if wrong:
                raise InvalidInput(f"Nothing was changed. {' '.join(wrong)}", option="outputs")

    def _applied(self, document: PlanDocument, plans: list[Planned]) -> Result:
        """Do what is planned."""
        going = predecessors(plans)
        entries, stopped = self._apply([*plans, *going])
        later = {plan.place for plan in going}
        done = [one for one in entries if one.place not in later or one.error is not None]
        return self._with_outputs(applied_result(document, done, self.task.redactor, stopped), done)

    def _report_planned(self, plans: t.Sequence[Planned], planned_objects: PlannedObjects) -> None:
        for plan in plans:
            planned, operation = plan.planned, plan.entry.of.operation()
            if planned is not None and plan.changes and operation.manages is not None:
                diff = {"before": planned.before, "after": planned.after}
                stays = [dict(planned.record)] if planned.record and not plan.removes else []
                planned_objects.add_outcome(self.task, operation.manages.kind, operation.members, [diff], stays)

    def _binding(
        self, plans: t.Sequence[Planned], document: PlanDocument, approved: PlanDocument | None
    ) -> Binding | None:
        """Return what binds the plan, which has to be what was ``approved``; None where no plan is made or given."""
        if self.task.sends is None or self.params["drift"]:
            return None
        registry = (STORAGE,) if "container" in self.declaration.registry else ()
        binding = Binding.of(self.task, plans, approved, registry)
        if approved is not None:
            check_same(self.params["plan"], approved, document, binding, self.registry_place)
        return binding

    def _with_outputs(self, result: Result, plans: t.Sequence[Planned]) -> Result:
        if not (self.declaration.outputs or self.params["hosts"]):
            return result

        return with_outputs(result, plans, self.declaration, self.params, self.task)

    def _known_places(self) -> set[Place]:
        """Return the places of all that is declared, and those that it has had where that is not noted yet."""
        return {*(entry.place for entry in self.declaration.entries), *(old for old, _known in self.moves)}

    def _plan(self, selected: t.Sequence[Selected]) -> list[Planned]:
        moving = {known.place for _old, known in self.moves}
        planning = Planning(self.task, selected, self.params, self.warnings.add, self.owner, moving)
        reads = planning.run()
        foreign = strangers_among(self.params, reads, self.owned)
        own_disks = {str(one.id) for one in self.owned.values() if one.kind == DISKS and one.prunable}
        reads = planning.check_removals(as_gone(reads, foreign), own_disks)
        more = strangers_among(self.params, reads, self.owned)
        reads = as_gone(reads, more)
        if foreign or more:
            names = [str(one) for one in (*foreign, *more)]
            self.task.warn(
                f"Left alone, because something else has this name now, or somebody else has changed it since the last "
                f"apply: {join_names(names, 5)}."
            )
        others = self.ownership.owned_by_others()
        signed, drift = user_key(self.task) is not None, self.params["drift"]
        reads = refuse_disagreements(reads, self.owned, others, signed=signed, drift=drift)
        contents = ProtectedContents(planning.task, reads, self._protected(reads))
        container, sites = self.registry_place[1], {self.owner, *others.values()}

        def guard(read: Read) -> FcdError | None:
            return registry_refusal(read, container, sites) or contents.refusal(read)

        return settle(
            reads, self.params, self.owned, self.registry_place, guard, made_registry=self.lock.made_container
        )

    def _protected(self, reads: t.Iterable[Read]) -> list[Protected]:
        """Return what must not be destroyed by the site file, the registry, and those of other sites beside it."""
        numbers = {place: one.id for place, one in self.owned.items()}
        numbers.update((one.place, one.number) for one in reads if one.number is not None)
        own = {place: one for place, one in self.owned.items() if one.protected}
        for entry in self.declaration.entries:
            if entry.lifecycle.prevent_destroy:
                number = numbers.get(entry.place) or entry.params.get("id")
                own[entry.place] = Owned(entry.kind, entry.name, number, entry.params)
        return [*((one, "") for one in own.values()), *self.ownership.protected_by_others()]

    def _apply(self, plans: t.Sequence[Planned]) -> tuple[list[Done], FcdError | None]:
        """Do the work; returns what came of each, and why it was broken off, or could not be noted in the end."""
        notes = OwnershipNotes(self.ownership, self.task.clock, self.registry_place, self.declaration.moved)
        todo = sum(plan.changes for plan in plans)
        noted = sum(plan.is_news and not plan.changes for plan in plans)
        progress = RunProgress(self.owner, self.task.clock, noted + todo, self.observer.progress, done=noted)

        def ended(one: Done) -> None:
            progress.end(one)
            notes.ended(one)
            if notes.is_met(one):
                self.warnings.add(one, MADE_BY_OTHERS)

        notes.move(plans, self.moves)
        if todo or any(plan.adopts for plan in plans):
            notes.begin(plans)
        applying = Applying(self.task, plans, self.params, self.warnings.add, self.lock.check, ended, progress)
        try:
            applying.run()
            notes.end(applying.entries, self._known_places())
        except FcdError as error:
            if not any(one.started for one in applying.entries):
                raise
            applying.abort()
            return applying.entries, error
        return applying.entries, None

    def _scope(self) -> dict[str, t.Any]:
        """Return which run of which site the plan is for."""
        paths, digest = [*self.declaration.policies, *self.params["policies"]], None
        if paths:
            digest = policies_digest(paths)
        mode = "drift" if self.params["drift"] else "plan" if self.task.check_mode else "apply"
        return {
            "site": self.declaration.site,
            "environment": self.params["environment"] or None,
            "registry": self.declaration.registry.get("container"),
            "stage": self.params["stage"],
            "part": self.params["part"] or None,
            "kinds": self.params["kinds"],
            "targets": self.params["targets"] and sorted(set(self.params["targets"])),
            "state": self.params["state"],
            "adopt": self.params["adopt"],
            "force_create": self.params["force_create"],
            "max_delete": self.params["max_delete"],
            "max_replace": self.params["max_replace"] or None,
            "mode": "prune" if self.params["prune"] else mode,
            "declaration_digest": self.declaration.digest,
            "policies_digest": digest,
        }


def _refuse_mistakes(plans: t.Sequence[Planned], task: Task, most: int = 5) -> None:
    """Raise InvalidInput when an entry is declared wrong: then nothing is done. The message has ``most`` of them."""
    wrong = [
        (plan, plan.error)
        for plan in plans
        if plan.planned is None and isinstance(plan.error, InvalidInput) and not isinstance(plan.error, ImmutableChange)
    ]
    if not wrong:
        return
    texts = [f"{plan} ({plan.entry.source}): {error}" for plan, error in wrong]
    more = f"; and {len(wrong) - most} more" if len(wrong) > most else ""
    raise InvalidInput(
        f"Nothing was changed, because some entries cannot be planned. {'; '.join(texts[:most])}{more}",
        failed_entries=[Redacted(redacted_item(task.redactor, error_item(plan, error))) for plan, error in wrong],
    )
