# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One entry of a run: what is desired of it, what is planned, what came of it, and how its module is run."""

from __future__ import annotations

import copy
import dataclasses
import typing as t

from ...module_utils._connection.options import own_options
from ...module_utils._connection.task import Params, Result, Task
from ...module_utils._core.errors import FcdError, InvalidInput, has_changed, note_change
from ...module_utils._engine.plan import CREATE, DELETE, LATER, REPLACE, UPDATE
from ...module_utils._engine.scheduler import run_in_threads
from ...module_utils._infrastructure.instance.instance import instance_key
from ...module_utils._infrastructure.instance.instance_fleet import MEMBER_OPTIONS, Fleet
from ...module_utils._infrastructure.instance.instance_options import check_instance
from ...module_utils._infrastructure.instance.instance_planning import DeclaredInstance
from .model import ADDRESSES, DISKS, INSTANCES, NAME, WAITING, Entry, levels, with_numbers

if t.TYPE_CHECKING:
    from ...module_utils._engine.plan import Outcome

ORPHAN, UNCHANGED, ERROR = "orphan", "unchanged", "error"
ADOPT, MOVE, RELEASE = "adopt", "move", "release"
NOTED = (ADOPT, MOVE, RELEASE)
"""Actions that change the registry alone."""
ATTACHED = (DISKS, ADDRESSES)
"""Kinds of which it is a property where they are attached, so that it goes with them."""

MADE = (CREATE, REPLACE)
MADE_AT = "creation_date"
"""What modules tell of when a thing was made."""

Options = t.Dict[str, t.Any]
Side = t.Mapping[str, t.Any]


class EntryResult(t.NamedTuple):
    """What an operation has done, or would do. ``action`` is create, update, replace, delete or None.

    ``number`` is the id. ``forced_by`` names the options that force a replacement. ``record`` is what the module tells
    of the thing, without its diff.
    """

    action: str | None
    before: t.Any
    after: t.Any
    number: t.Any = None
    forced_by: tuple[str, ...] = ()
    record: t.Mapping[str, t.Any] = {}


EntryEnd = t.Union[EntryResult, FcdError]


@dataclasses.dataclass(eq=False)
class EntryPlan:
    """One entry with what is planned for it, and in the end with what came of it.

    ``removes``: it is to be gone. ``context``: it is only looked at, since others refer to it. ``orphan``: the site
    owns it and no longer declares it. ``spared``: it would have to go and is left alone all the same. ``left_out`` are
    options that do not count as long as it exists. ``secrets`` are the options that are secret, or were when they were
    applied last.
    """

    entry: Entry
    removes: bool = False
    context: bool = False
    orphan: bool = False
    spared: bool = False
    registered: object = None
    """Its number by the registry."""
    adopts: bool = False
    """What exists becomes the site's own."""
    moved_from: str | None = None
    """The key or name by which the site has owned it until now."""
    released: bool = False
    """The site owns it no longer, and it stays."""
    edited: bool | None = None
    """Since the last apply its declaration was edited; None where nobody knows."""
    drifted: bool | None = None
    """Since then it was changed at the service."""
    by_number: bool = False
    """Only its number by the registry leads to it, for no list shows it."""
    creates_first: bool = False
    """It is replaced by something that is created first."""
    waits_for: t.Sequence[EntryPlan] = ()
    """What has to have ended well before it is removed."""
    sends: dict[str, str] = dataclasses.field(default_factory=dict)
    """That of its task, where contents are bound."""
    forced: bool = False
    """Its removal detaches it first, from what goes as well."""
    planned: EntryResult | None = None
    done: EntryResult | None = None
    error: FcdError | None = None
    started: bool = False
    half_done: bool = False
    """A try that is repeated may have made it."""

    def __post_init__(self) -> None:
        """Take over what its entry says."""
        self.place = self.entry.place
        self.secrets = self.entry.secrets
        self.left_out: t.Collection[str] = () if self.removes else self.entry.lifecycle.ignore_changes

    @property
    def verdict(self) -> str:
        """How the entry counts in the plan: its action, or orphan, unchanged, error."""
        if self.planned is None:
            return UNCHANGED if self.error is None else ERROR
        if self.released:
            return RELEASE
        if self.planned.action is None:
            return ADOPT if self.adopts else UNCHANGED if self.moved_from is None else MOVE
        if self.spared:
            return ORPHAN if self.orphan else UNCHANGED
        return self.planned.action

    @property
    def changes(self) -> bool:
        """Whether something is to be done."""
        return self.planned is not None and self.planned.action is not None and not (self.context or self.spared)

    @property
    def is_news(self) -> bool:
        """Whether something is to be done, be it in the registry alone."""
        return self.changes or (self.verdict in NOTED and not self.context)

    @property
    def changed_something(self) -> bool:
        """Whether the work on it has changed something, at the service or in the registry."""
        if self.error is not None:
            return self.started and has_changed(self.error)
        return self.is_news if self.done is None else self.done.action is not None

    @property
    def may_change(self) -> bool:
        """Whether something is to be done, or might be: guards are asked also of what cannot be planned."""
        return self.changes or (self.error is not None and not (self.context or self.spared))

    @property
    def goes(self) -> bool:
        """Whether the thing that is there is to be removed, be it for another one."""
        return self.removes or self.replaces

    @property
    def replaces(self) -> bool:
        """Whether another thing is to take the place of the one that is there."""
        return self.planned is not None and self.planned.action == REPLACE

    @property
    def outcome(self) -> EntryResult | None:
        """What was done, or else what is planned."""
        return self.done or self.planned

    @property
    def before(self) -> Side:
        """What the service shows of the thing now; nothing where that is not known."""
        return as_mapping(None if self.planned is None else self.planned.before)

    @property
    def after(self) -> Side:
        """What is planned for the thing; nothing where that is not known."""
        return as_mapping(None if self.planned is None else self.planned.after)

    @property
    def coming(self) -> bool:
        """Whether it is not there yet, so that its number is not known."""
        return self.outcome is not None and self.outcome.action in MADE and self.outcome.number is None

    @property
    def replaced(self) -> t.Any:
        """The number of the thing that goes for another one to come, None where nothing is replaced."""
        return self.before.get("id") if self.replaces else None

    @property
    def number(self) -> t.Any:
        """The number of the thing, None while nobody knows it."""
        return None if self.outcome is None else self.outcome.number

    @property
    def made_at(self) -> str | None:
        """When the service says that it was made, None where it does not say so."""
        made_at = None if self.outcome is None else self.outcome.record.get(MADE_AT)
        return made_at if isinstance(made_at, str) else None

    @property
    def forces_detach(self) -> bool:
        """Whether it is detached where it is to be gone although no entry says so."""
        return self.removes and (self.forced or not self.entry.absent) and self.entry.kind in ATTACHED

    @property
    def in_fleet(self) -> bool:
        """Whether this is an instance that a fleet finds: by its name alone."""
        alone = self.by_number or self.creates_first or self.entry.params.get("id") is not None
        return self.entry.kind == INSTANCES and not alone

    def __str__(self) -> str:
        """Return kind and name."""
        return f"{self.entry.kind} {self.entry.name}"


def as_mapping(side: object) -> Side:
    """Return one side of a diff as fields; that of a folder is a text, and has none."""
    return side if isinstance(side, t.Mapping) else {}


EntryEnds = t.List[t.Tuple[EntryPlan, EntryEnd]]
EntryJob = t.Callable[[], EntryEnds]


class EntryWork:
    """What planning and applying share. ``params`` are those of the site; ``warn`` may be called in any thread."""

    def __init__(
        self, task: Task, plans: t.Sequence[EntryPlan], params: Params, warn: t.Callable[[EntryPlan, str], None]
    ) -> None:
        self.task = copy.copy(task)
        self.plans = plans
        self.params = params
        self.warn = warn
        self.by_place = {plan.place: plan for plan in plans}

    def task_of(self, plan: EntryPlan) -> Task:
        """Return a task of its own for an entry."""
        task = copy.copy(self.task)
        if task.sends is not None:
            task.sends = plan.sends
        return task

    def by_level(self) -> list[list[EntryPlan]]:
        """Return the entries in groups: those of one group refer to entries of earlier groups only."""
        return [[self.by_place[entry.place] for entry in level] for level in levels([one.entry for one in self.plans])]

    def references_of(self, plan: EntryPlan) -> list[EntryPlan]:
        """Return the entries that this one refers to."""
        return [self.by_place[ref] for ref in plan.entry.refs if ref in self.by_place]

    def number(self, kind: str, name: str) -> t.Any:
        """Return the number of an entry, None while nobody knows it."""
        plan = self.by_place.get((kind, name))
        return None if plan is None else plan.number

    def options(self, plan: EntryPlan) -> Options:
        """Return the options that the operation gets, but for the numbers of others."""
        kind = plan.entry.of
        unsaid, waiting = kind.defaults(), {**self.params, "wait": True}
        of_run = {name: waiting[name] for name in WAITING if name in unsaid}
        gone: Options = {"state": "absent"} if plan.removes else {}
        if plan.forces_detach:
            gone["force_detach"] = True
        declared = {name: value for name, value in plan.entry.params.items() if name not in plan.left_out}
        whole = {**unsaid, **declared, **kind.fixed, **of_run, **gone}
        return with_own_number(whole, plan.registered) if plan.by_number else whole

    def with_known_numbers(self, plan: EntryPlan, params: Options) -> Options:
        """Return the options with the numbers of other entries, also where they are given by their names.

        What this run has made or found it knows: the lists, which names are looked up in, may not show it yet.
        """
        whole: Options = with_numbers(params, self.number)

        def by_number(kind: str, value: object) -> object:
            if isinstance(value, list):
                return [by_number(kind, one) for one in value]
            number = self.number(kind, str(value))
            return value if number is None else str(number)

        for option, target in plan.entry.of.references.items():
            if target.by == NAME and not plan.removes:
                whole[option] = by_number(target.kind, whole.get(option))
        return whole

    def run_jobs(self, jobs: t.Sequence[EntryJob], ended: t.Callable[[EntryPlan, EntryEnd], None]) -> None:
        """Do the jobs side by side; ``ended`` is called in this thread for each entry. Raises DeadlinePassed."""

        def job_ended(_job: EntryJob, ends: EntryEnds | FcdError) -> None:
            if isinstance(ends, FcdError):
                raise ends
            for plan, end in ends:
                ended(plan, end)

        most = self.params["concurrency"]
        run_in_threads(jobs, lambda job: job(), most=most, deadline=self.task.deadline, ended=job_ended)


def with_own_number(params: Options, number: object) -> Options:
    """Return the options for a thing that is found by its number; one that is known so is never made anew."""
    return {**params, "id": number, **({"recreate": False} if "recreate" in params else {})}


def run_operation(task: Task, plan: EntryPlan, params: Params) -> EntryResult:
    """Run the operation of an entry. Raises FcdError, also for a result that says failed."""
    operation = plan.entry.of.operation()
    result = operation.run(task, own_options(operation.options, params))
    if result.get("failed"):
        error = FcdError(result["msg"], **result.get("error", {}))  # the details have the kind
        if result.get("changed"):
            note_change(error)
        raise error
    return outcome_of(result)


def outcome_of(result: Result) -> EntryResult:
    """Return what the result of a module says; the thing is the first part of it with a number, or the first one."""
    diff = result.get("diff") or {}
    before, after = ({}, {}) if isinstance(diff, list) else (diff.get("before"), diff.get("after"))
    parts = [value for name, value in result.items() if name not in ("diff", "error") and isinstance(value, dict)]
    record = next((part for part in parts if "id" in part), parts[0] if parts else {})
    return EntryResult(action_of(result), before, after, record.get("id"), tuple(result.get("forced_by") or ()), record)


def action_of(result: Result) -> str | None:
    """Return create, update, replace, delete or None, whatever the module calls it."""
    if not result.get("changed"):
        return None
    action = result.get("action")
    return action if action in (*MADE, DELETE) else UPDATE


# ---------------------------------------------------------------- instances: those of one state are run together

Members = t.Sequence[t.Tuple[EntryPlan, Params]]


class SiteFleet(Fleet):
    """A fleet in which an instance that is declared wrong keeps none of the others back."""

    by_name: t.Mapping[str, DeclaredInstance] = {}
    ended: t.Callable[[str], None] | None = None  # gets the name of each that has ended well, at once and perhaps again

    def plan(self, instances: t.Sequence[DeclaredInstance]) -> None:
        """Plan for all."""
        self.by_name = {instance.name: instance for instance in instances}
        for instance in instances:
            if instance.error is None:
                try:
                    self.planner.plan(instance)
                except InvalidInput as error:
                    instance.error = error

    def report_ended(self, ended: t.Mapping[str, Outcome | FcdError], whole: int) -> None:
        """Tell of each as well."""
        super().report_ended(ended, whole)
        if self.ended is None:
            return
        for name, instance in self.by_name.items():
            key = instance_key(instance)
            if key in ended and not isinstance(ended[key], FcdError):
                self.ended(name)


def run_instances(
    task: Task, members: Members, site: Params, ended: t.Callable[[EntryPlan], None] | None = None
) -> EntryEnds:
    """Bring instances to their states and return what came of each; ``site`` are the options of the site's task.

    ``ended`` gets those that have ended well while others go on.
    """
    ends: EntryEnds = []
    fleets: dict[str, list[tuple[EntryPlan, Params]]] = {}
    for plan, params in members:
        try:
            check_instance(params)
        except InvalidInput as error:
            ends.append((plan, error))
        else:
            fleets.setdefault(params["state"], []).append((plan, params))
    for state, alike in fleets.items():
        ends += _run_fleet(task, state, alike, site, ended)
    return ends


def _run_fleet(
    task: Task, state: str, members: Members, site: Params, ended: t.Callable[[EntryPlan], None] | None
) -> EntryEnds:
    params = {
        "state": state,
        "instances": [{name: one.get(name) for name in MEMBER_OPTIONS} for _plan, one in members],
        "instance_defaults": None,
        "concurrency": site["concurrency"],
        "fleet": None,
        "prune": None,
        "wait": True,
        "wait_timeout": site["wait_timeout"],
        "create_grace": site["create_grace"],
        "force_create": site["force_create"],
    }
    try:
        fleet = SiteFleet(task, params)
        if ended is not None:
            plans = {one["name"]: plan for plan, one in members}
            fleet.ended = lambda name: ended(plans[name])
        fleet.run()
    except FcdError as error:
        return [(plan, error) for plan, _params in members]
    return [(plan, _instance_end(fleet.by_name[one["name"]])) for plan, one in members]


def _instance_end(instance: DeclaredInstance) -> EntryEnd:
    if instance.error is not None:
        return instance.error
    outcome = t.cast("Outcome", instance.outcome)
    action = action_of({"changed": outcome.changed, "action": outcome.action})
    record = outcome.record or instance.current or {}
    number = record.get("id")
    if instance.under_way and number is None and action is None:  # others have to wait for it as for a new one
        return EntryResult(CREATE, {}, {"name": instance.name, "id": LATER})
    return EntryResult(action, outcome.before, outcome.after, number, outcome.forced_by, record)
