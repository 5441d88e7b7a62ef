# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One entry of a run: what is wanted of it, what is planned, what came of it, and how its module is run.

Instances that are known by their names are run together, as fleets.
"""

from __future__ import annotations

import re
import typing as t

from ...module_utils._connection.operation import Params, Result
from ...module_utils._connection.task import Task
from ...module_utils._core.errors import FcdError, InvalidInput
from ...module_utils._core.names import listed
from ...module_utils._engine.change_tracking import note_change
from ...module_utils._engine.plan import CREATE, DELETE, LATER, UPDATE
from ...module_utils._engine.removal_limit import RemovalLimit
from ...module_utils._infrastructure.instance.declared_instances import DeclaredInstance, plan_instance
from ...module_utils._infrastructure.instance.instance_options import check_instance
from ...module_utils._infrastructure.instance_fleet.fleet import Fleet, FleetMember
from ...module_utils._infrastructure.instance_fleet.fleet_options import OF_A_MEMBER
from .model import (
    KINDS,
    NAME,
    Declaration,
    Entry,
    EntryKind,
    Place,
    of_kinds,
    of_part,
    of_stage,
    with_numbers,
    with_refs,
)
from .state.registry_document import Owned, differ

if t.TYPE_CHECKING:
    from ...module_utils._engine.converge import Outcome as Done


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

    def _plan(self, members: t.Sequence[FleetMember]) -> None:
        self.by_name = {instance.name: instance for instance, _params in members}
        for instance, params in members:
            if instance.error is None:
                try:
                    plan_instance(self._planner(params), params, instance)
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


CONCURRENCY = (1, 100)
_PART = re.compile(r"([1-9]\d{0,2})/([1-9]\d{0,2})")


def check_site_options(params: Params) -> None:
    """Raise InvalidInput for options that cannot be meant."""
    part_of(params)
    RemovalLimit(params["max_delete"], "max_delete")
    least, most = CONCURRENCY
    if not least <= params["concurrency"] <= most:
        raise InvalidInput(
            f"concurrency: {params['concurrency']} is not between {least} and {most}.", option="concurrency"
        )
    if params["prune"] and params["state"] == "absent":
        raise InvalidInput("prune: with state=absent all that the site owns is removed anyway.", option="prune")
    if params["kinds"] == []:
        raise InvalidInput(
            "kinds: the list is empty, so that there is nothing to do.",
            next_step="Name the kinds that are meant, or leave it out for all.",
            option="kinds",
        )


def part_of(params: Params) -> tuple[int, int] | None:
    """Return number and count of the part that is meant, None for the whole. Raises InvalidInput."""
    given = params["part"]
    if given in (None, ""):
        return None
    match = _PART.fullmatch(given)
    if match is None or int(match[1]) > int(match[2]):
        raise InvalidInput(
            f"part: {given!r} is no part.", next_step="Write it as 2/4: the second of four parts.", option="part"
        )
    return int(match[1]), int(match[2])


TOLD = 5  # names in one message
Owners = t.Mapping[Place, Owned]


def entry_plans_of(
    params: Params, declaration: Declaration, owned: Owners, orphans: t.Sequence[Owned]
) -> list[EntryPlan]:
    """Return what is wanted of each entry of this run, in the order of the kinds.

    With ``prune`` only what the site owns and no longer declares is meant; with state=absent that, and all that is
    declared and owned.
    """
    lost = _chosen(params, declaration._replace(entries=_removable(orphans, declaration))).entries
    chosen = _chosen(params, declaration).entries
    if params["prune"]:
        return [EntryPlan(entry, removes=True, orphan=True) for entry in lost]
    whole = declaration.by_place()
    if params["state"] == "absent":
        going = [entry for entry in chosen if _may_go(entry, declaration)]
        wanted = _removals(going, owned, adopt=params["adopt"])
        return [*wanted, *_context(going, whole), *_orphans(lost, spared=False)]
    wanted = [EntryPlan(entry, removes=entry.absent) for entry in chosen]
    return [*wanted, *_context(chosen, whole), *_orphans(lost, spared=True)]


def check_removal_limit(params: Params, plans: t.Sequence[EntryPlan], owned: Owners) -> None:
    """Raise InvalidInput when more would be pruned than may be."""
    going = [plan for plan in plans if plan.orphan and plan.changes]
    own = sum(one.prunable for one in owned.values())
    limit = RemovalLimit(params["max_delete"], "max_delete").of(own)
    if params["prune"] and len(going) > limit:
        names = ", ".join(str(plan) for plan in going[:TOLD])
        raise InvalidInput(
            f"prune: {len(going)} of {own} things that the site owns would be removed ({names}"
            f"{', ...' if len(going) > TOLD else ''}), and at most {limit} may be. Nothing was changed.",
            next_step=f"Check the site file; if they are to go, set max_delete to {len(going)}.",
            option="max_delete",
        )


def _chosen(params: Params, declaration: Declaration) -> Declaration:
    part = part_of(params)
    if part is not None:
        declaration = of_part(declaration, *part)
    declaration = of_stage(declaration, params["stage"])
    return declaration if params["kinds"] is None else of_kinds(declaration, params["kinds"])


def _context(chosen: t.Sequence[Entry], whole: t.Mapping[Place, Entry]) -> list[EntryPlan]:
    """Return what the chosen entries refer to and is not chosen itself: it is only looked at."""
    return [EntryPlan(entry, context=True) for entry in with_refs(chosen, whole)]


def _orphans(entries: t.Iterable[Entry], *, spared: bool) -> list[EntryPlan]:
    return [EntryPlan(entry, removes=True, orphan=True, spared=spared) for entry in entries]


def _removals(entries: t.Sequence[Entry], owned: Owners, *, adopt: bool) -> list[EntryPlan]:
    """Return the declared entries that are to be gone; those that do not belong to the site are spared."""
    return [EntryPlan(entry, removes=True, spared=not (adopt or _is_own(entry, owned))) for entry in entries]


def _may_go(entry: Entry, declaration: Declaration) -> bool:
    """Return whether such a thing can be removed with its site; the container of the registry has to outlive it.

    What the service does not make on demand (a client) is never removed so.
    """
    holds_registry = entry.place == (CONTAINERS, declaration.registry.get("container"))
    return entry.of.removable and entry.of.makes and not holds_registry


def _removable(orphans: t.Sequence[Owned], declaration: Declaration) -> tuple[Entry, ...]:
    entries = [_entry_of(one) for one in orphans if one.kind in KINDS]
    return tuple(entry for entry in entries if _may_go(entry, declaration))


def _is_own(entry: Entry, owned: Owners) -> bool:
    return entry.place in owned and owned[entry.place].prunable


def strangers_left(params: Params, plans: t.Sequence[EntryPlan], owned: Owners) -> list[EntryPlan]:
    """Leave alone, and return, what only bears the name of something that the site owned: its number is another one.

    It counts as gone, and is not the site's own any more. What is declared to be absent goes, whose it ever was.
    """
    strangers = [plan for plan in plans if _is_stranger(plan, owned) and (plan.orphan or not params["adopt"])]
    for plan in strangers:
        plan.planned = EntryResult(None, {}, {})
    return strangers


def warn_of_strangers(strangers: t.Sequence[EntryPlan], warn: t.Callable[[str], None]) -> None:
    """Tell of what is left alone, since it is not what the site has made."""
    if strangers:
        warn(
            f"{len(strangers)} things are left alone, since they are not those that this site has made but others of "
            f"the same name ({listed(list(map(str, strangers)), TOLD)})."
        )


def _is_stranger(plan: EntryPlan, owned: Owners) -> bool:
    if not plan.removes or plan.entry.absent or plan.planned is None or plan.place not in owned:
        return False
    before = plan.planned.before
    shown = before.get("id") if isinstance(before, t.Mapping) else None
    return differ(owned[plan.place].id, shown if plan.planned.number is None else plan.planned.number)


def warn_of_spared(plans: t.Sequence[EntryPlan], warn: t.Callable[[str], None]) -> None:
    """Tell of what is declared, there and left alone, since the site has not made it."""
    spared = [plan for plan in plans if plan.spared and not plan.orphan and plan.planned and plan.planned.action]
    if spared:
        names = ", ".join(map(str, spared[:TOLD]))
        warn(
            f"{len(spared)} declared things are left alone, since this site has not made them ({names}"
            f"{', ...' if len(spared) > TOLD else ''}). With adopt they count as made by it."
        )


def _entry_of(owned: Owned) -> Entry:
    """Return something that the site owns as an entry; what it refers to is what its identity names."""
    kind, identity = KINDS[owned.kind], dict(owned.identity)
    refs = tuple(
        (target.kind, str(identity[option]))
        for option, target in kind.references.items()
        if target.by == NAME and isinstance(identity.get(option), str)
    )
    return Entry(owned.kind, owned.name, owned.name, identity, identity, "no longer declared", refs, kind.stage)
