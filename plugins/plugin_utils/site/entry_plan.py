# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One entry of a run: what is wanted of it, what is planned, what came of it, and how its module is run.

Instances that are known by their names are run together, as fleets.
"""

from __future__ import annotations

import typing as t

from ...module_utils._connection.task import Params, Result, Task
from ...module_utils._core.errors import FcdError, InvalidInput, note_change
from ...module_utils._engine.plan import CREATE, DELETE, LATER, UPDATE
from ...module_utils._infrastructure.instance.declared_instances import DeclaredInstance
from ...module_utils._infrastructure.instance.instance_options import check_instance
from ...module_utils._infrastructure.instance_fleet.fleet import Fleet
from ...module_utils._infrastructure.instance_fleet.fleet_options import OF_A_MEMBER
from .kinds import NAME, EntryKind
from .model import Entry, Place, with_numbers

if t.TYPE_CHECKING:
    from ...module_utils._engine.reconcile import Outcome as Done


Numbers = t.Callable[[str, str], t.Optional[int]]
ORPHAN = "orphan"
CONTAINERS = "storage_containers"
ATTACHED = ("disks", "ip_addresses")
"""Kinds of which it is a property where they are attached, so that it goes with them."""

NEEDS = {
    ("instances", "private_networks"): ("without_public_ip",),
    ("instances", "ssh_keys"): ("authorization_method", "authorization_method_id"),
}
"""Options that are refused without another one."""


class EntryResult(t.NamedTuple):
    """What an operation has done, or would do. ``action`` is create, update, delete or None; ``number`` is the id."""

    action: str | None
    before: t.Any
    after: t.Any
    number: t.Any = None


class EntryPlan:
    """One entry with what is planned for it, and in the end with what came of it.

    ``removes`` says that it is to be gone. ``context`` marks an entry that is only looked at, since others refer to it.
    ``orphan`` marks one that the site owns and no longer declares. ``spared`` is one that would have to go and is left
    alone all the same.
    """

    def __init__(
        self, entry: Entry, *, removes: bool = False, context: bool = False, orphan: bool = False, spared: bool = False
    ) -> None:
        self.entry = entry
        self.removes = removes
        self.context = context
        self.orphan = orphan
        self.spared = spared
        self.planned: EntryResult | None = None
        self.done: EntryResult | None = None
        self.error: FcdError | None = None
        self.begun = False

    @property
    def place(self) -> Place:
        """Kind and name."""
        return self.entry.place

    @property
    def changes(self) -> bool:
        """Whether something is to be done."""
        return self.planned is not None and self.planned.action is not None and not (self.context or self.spared)

    @property
    def coming(self) -> bool:
        """Whether it is not there yet, so that its number is not known."""
        outcome = self.done or self.planned
        return outcome is not None and outcome.action == CREATE and outcome.number is None

    @property
    def number(self) -> t.Any:
        """The number of the thing, None while nobody knows it."""
        outcome = self.done or self.planned
        return None if outcome is None else outcome.number

    def take(self, end: EntryResult | FcdError) -> None:
        """Take note of what came of the work."""
        if isinstance(end, EntryResult):
            self.done = end
        else:
            self.error = end

    def __str__(self) -> str:
        """Return kind and name."""
        return f"{self.entry.kind} {self.entry.name}"


def plans_by_reference(plans: t.Iterable[EntryPlan]) -> dict[Place, list[EntryPlan]]:
    """Return for each place those that refer to it."""
    found: dict[Place, list[EntryPlan]] = {}
    for plan in plans:
        for ref in plan.entry.refs:
            found.setdefault(ref, []).append(plan)
    return found


class Waiting(t.NamedTuple):
    """How long a run waits for what the service does, and for something new to show, both in seconds."""

    timeout: float
    grace: float

    def of(self, kind: EntryKind) -> dict[str, t.Any]:
        """Return the options of this kind that say so."""
        known = {"wait": True, "wait_timeout": self.timeout, "create_grace": self.grace}
        return {name: value for name, value in known.items() if name in kind.operation().options}


def complete(plan: EntryPlan, waiting: Waiting) -> dict[str, t.Any]:
    """Return the options that the operation gets, but for the numbers of others."""
    kind = plan.entry.of
    unsaid = {name: spec.get("default") for name, spec in kind.operation().options.items()}
    gone: dict[str, t.Any] = {"state": "absent"} if plan.removes else {}
    if plan.removes and not plan.entry.absent and kind.name in ATTACHED:
        gone["force_detach"] = True
    return {**unsaid, **plan.entry.params, **kind.fixed, **waiting.of(kind), **gone}


def run_operation(task: Task, plan: EntryPlan, params: Params) -> EntryResult:
    """Run the operation of an entry. Raises FcdError, also for a result that says failed."""
    from ...module_utils._connection.options import check_own_options

    operation = plan.entry.of.operation()
    check_own_options(operation.options, params)
    result = operation.run(task, params)
    if result.get("failed"):
        error = FcdError(result["msg"])
        if result.get("changed"):
            note_change(error)
        raise error
    return outcome_of(result)


def outcome_of(result: Result) -> EntryResult:
    """Return what the result of a module says."""
    diff = result.get("diff") or {}
    before, after = ({}, {}) if isinstance(diff, list) else (diff.get("before"), diff.get("after"))
    number = next((value["id"] for name, value in result.items() if _is_record(name, value)), None)
    return EntryResult(action_of(result), before, after, number)


def action_of(result: Result) -> str | None:
    """Return create, update, delete or None, whatever the module calls it."""
    if not result.get("changed"):
        return None
    action = result.get("action")
    return action if action in (CREATE, DELETE) else UPDATE


def _is_record(name: str, value: t.Any) -> bool:
    return name != "diff" and isinstance(value, dict) and "id" in value


def with_known_numbers(params: Params, numbers: Numbers) -> dict[str, t.Any]:
    """Return the options with the numbers of other entries in them."""
    return t.cast("dict[str, t.Any]", with_numbers(dict(params), numbers))


def without_coming(
    entry: Entry, params: Params, coming: t.Collection[Place]
) -> tuple[dict[str, t.Any], dict[str, t.Any]]:
    """Return the options without what refers to things that are not there yet, and what a plan shows of these options.

    ``params`` have None where a number is not known. Options that need what is left out are left out, too.
    """
    kept = dict(params)
    lost: dict[str, t.Any] = {}
    for option, target in entry.of.references.items():
        declared, value = entry.params.get(option), params.get(option)
        if declared is None or target.kind == CONTAINERS:  # nobody looks a container up by its name
            continue
        left = _left(declared, value, target.kind, target.by == NAME, coming)
        if left != declared and _size(left) < _size(declared):
            kept[option], lost[option] = left, LATER
            for name in NEEDS.get((entry.kind, option), ()) if not left else ():
                if kept.get(name) is not None:
                    lost[name], kept[name] = kept[name], None
    return kept, lost


def _size(value: t.Any) -> int:
    return len(value) if isinstance(value, list) else int(value is not None)


def _left(declared: t.Any, value: t.Any, kind: str, by_name: bool, coming: t.Collection[Place]) -> t.Any:
    if isinstance(value, list):
        whole = zip(declared, value)
        return [one for given, one in whole if one is not None and not (by_name and (kind, str(given)) in coming)]
    return None if by_name and (kind, str(declared)) in coming else value


def with_later(outcome: EntryResult, lost: t.Mapping[str, t.Any]) -> EntryResult:
    """Return the outcome of one whose options ``lost`` were left out, with what is to be shown of them."""
    if not lost:
        return outcome
    after = dict(outcome.after) if isinstance(outcome.after, t.Mapping) else {}
    for option, shown in lost.items():
        present = after.get(option)
        after[option] = [*present, shown] if isinstance(present, list) and present else shown
    before = outcome.before if isinstance(outcome.before, t.Mapping) else {}
    return outcome._replace(action=outcome.action or UPDATE, before=dict(before), after=after)


INSTANCES = "instances"
EntryEnd = t.Union[EntryResult, FcdError]


class SiteFleet(Fleet):
    """A fleet in which an instance that is declared wrong keeps none of the others back."""

    by_name: t.Mapping[str, DeclaredInstance] = {}

    def plan(self, instances: t.Sequence[DeclaredInstance]) -> None:
        """Plan for all."""
        self.by_name = {instance.name: instance for instance in instances}
        for instance in instances:
            if instance.error is None:
                try:
                    self.planner(instance.params).plan(instance)
                except InvalidInput as error:
                    instance.error = error


def in_fleet(plan: EntryPlan) -> bool:
    """Return whether this is an instance that a fleet finds: by its name alone."""
    return plan.entry.kind == INSTANCES and plan.entry.params.get("id") is None


def run_instances(
    task: Task, instances: t.Sequence[tuple[EntryPlan, Params]], concurrency: int, waiting: Waiting
) -> list[tuple[EntryPlan, EntryEnd]]:
    """Bring instances to their states; returns what came of each. All of one state are one fleet."""
    ends: list[tuple[EntryPlan, EntryEnd]] = []
    fleets: dict[str, list[tuple[EntryPlan, Params]]] = {}
    for plan, params in instances:
        try:
            check_instance(params)
        except InvalidInput as error:
            ends.append((plan, error))
        else:
            fleets.setdefault(params["state"], []).append((plan, params))
    for state, members in fleets.items():
        ends += _run_fleet(task, state, members, concurrency, waiting)
    return ends


def _run_fleet(
    task: Task, state: str, members: t.Sequence[tuple[EntryPlan, Params]], concurrency: int, waiting: Waiting
) -> list[tuple[EntryPlan, EntryEnd]]:
    params = {
        "state": state,
        "machines": [{name: one.get(name) for name in OF_A_MEMBER} for _plan, one in members],
        "machine_defaults": None,
        "concurrency": concurrency,
        "fleet": None,
        "prune": None,
        "wait": True,
        "wait_timeout": waiting.timeout,
        "create_grace": waiting.grace,
    }
    try:
        fleet = SiteFleet(task, params)
        fleet.run()
    except FcdError as error:
        return [(plan, error) for plan, _params in members]
    return [(plan, _instance_end(fleet.by_name[one["name"]])) for plan, one in members]


def _instance_end(instance: DeclaredInstance) -> EntryEnd:
    if instance.error is not None:
        return instance.error
    outcome = t.cast("Done", instance.outcome)
    action = action_of({"changed": outcome.changed, "action": outcome.action})
    number = (outcome.record or instance.current or {}).get("id")
    if instance.under_way and number is None and action is None:  # others have to wait for it as for a new one
        return EntryResult(CREATE, {}, {"name": instance.name, "id": LATER})
    return EntryResult(action, outcome.before, outcome.after, number)


MOST = 20


class EntryWarnings:
    """Collects warnings, from any thread."""

    def __init__(self) -> None:
        self._told: dict[str, None] = {}

    def add(self, plan: EntryPlan, text: str) -> None:
        """Take note of what the operation of an entry warns of; planning and doing often warn of the same."""
        self._told.setdefault(f"{plan}: {text}")

    def tell(self, warn: t.Callable[[str], None]) -> None:
        """Tell the first ones, and how many there are more."""
        whole = list(self._told)
        for text in whole[:MOST]:
            warn(text)
        if len(whole) > MOST:
            warn(f"There are {len(whole) - MOST} more warnings of entries; with kinds one sees those of a kind.")
