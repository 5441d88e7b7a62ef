# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One entry of a run: what is wanted of it, what is planned, what came of it, and how its module is run.

Which entries a run is about, and what is wanted of each (to be there, to be gone, or only to be looked at), is decided
here too.
"""

from __future__ import annotations

import copy
import re
import typing as t

from ...module_utils._connection.options import check_own_options
from ...module_utils._connection.task import Params, Result, Task
from ...module_utils._core.errors import FcdError, InvalidInput, has_changed, note_change
from ...module_utils._core.text import listed
from ...module_utils._engine.plan import CREATE, DELETE, LATER, REPLACE, UPDATE, RemovalLimit
from ...module_utils._engine.scheduler import side_by_side
from .model import (
    KINDS,
    NAME,
    WAITING,
    Declaration,
    Entry,
    Place,
    Target,
    levels,
    of_kinds,
    of_part,
    of_stage,
    with_refs,
)
from .state.registry_document import CREATING, Owned, differ

CONTAINERS, INSTANCES = "storage_containers", "instances"
ORPHAN, UNCHANGED, ERROR = "orphan", "unchanged", "error"
ATTACHED = ("disks", "ip_addresses")
"""Kinds of which it is a property where they are attached, so that it goes with them."""

NEEDS = {
    ("instances", "private_networks"): ("without_public_ip",),
    ("instances", "ssh_keys"): ("authorization_method", "authorization_method_id"),
}
"""Options that are refused without another one."""

ONLY_NEW = {
    INSTANCES: {"ssh_keys", "ip_address_id", "without_public_ip", "authorization_method", "authorization_method_id"}
}
"""Options that matter only when the thing is made: what they refer to may change without any change of the thing."""

MADE = (CREATE, REPLACE)
Options = t.Dict[str, t.Any]


class EntryResult(t.NamedTuple):
    """What an operation has done, or would do. ``action`` is create, update, replace, delete or None.

    ``number`` is the id. ``forced_by`` names the options that force a replacement.
    """

    action: str | None
    before: t.Any
    after: t.Any
    number: t.Any = None
    forced_by: tuple[str, ...] = ()


EntryEnd = t.Union[EntryResult, FcdError]


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
        self.place = entry.place
        self.removes = removes
        self.context = context
        self.orphan = orphan
        self.spared = spared
        self.planned: EntryResult | None = None
        self.done: EntryResult | None = None
        self.error: FcdError | None = None
        self.begun = False

    @property
    def verdict(self) -> str:
        """How the entry counts in the plan: its action, or orphan, unchanged, error."""
        if self.planned is None:
            return UNCHANGED if self.error is None else ERROR
        if self.planned.action is None:
            return UNCHANGED
        if self.spared:
            return ORPHAN if self.orphan else UNCHANGED
        return self.planned.action

    @property
    def changes(self) -> bool:
        """Whether something is to be done."""
        return self.planned is not None and self.planned.action is not None and not (self.context or self.spared)

    @property
    def changed_something(self) -> bool:
        """Whether the work on it has changed something."""
        if self.error is not None:
            return self.begun and has_changed(self.error)
        return self.done is not None and self.done.action is not None

    @property
    def coming(self) -> bool:
        """Whether it is not there yet, so that its number is not known."""
        outcome = self.done or self.planned
        return outcome is not None and outcome.action in MADE and outcome.number is None

    @property
    def replaced(self) -> t.Any:
        """The number of the thing that goes for another one to come, None where nothing is replaced."""
        planned = self.planned
        return planned.before.get("id") if planned is not None and planned.action == REPLACE else None

    @property
    def number(self) -> t.Any:
        """The number of the thing, None while nobody knows it."""
        outcome = self.done or self.planned
        return None if outcome is None else outcome.number

    @property
    def in_fleet(self) -> bool:
        """Whether this is an instance that a fleet finds: by its name alone."""
        return self.entry.kind == INSTANCES and self.entry.params.get("id") is None

    def __str__(self) -> str:
        """Return kind and name."""
        return f"{self.entry.kind} {self.entry.name}"


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

    def by_level(self) -> list[list[EntryPlan]]:
        """Return the entries in groups: those of one group refer to entries of earlier groups only."""
        return [[self.by_place[entry.place] for entry in level] for level in levels([one.entry for one in self.plans])]

    def referred(self, plan: EntryPlan) -> list[EntryPlan]:
        """Return the entries that this one refers to."""
        return [self.by_place[ref] for ref in plan.entry.refs if ref in self.by_place]

    def number(self, kind: str, name: str) -> t.Any:
        """Return the number of an entry, None while nobody knows it."""
        plan = self.by_place.get((kind, name))
        return None if plan is None else plan.number

    def options(self, plan: EntryPlan) -> Options:
        """Return the options that the operation gets, but for the numbers of others."""
        kind = plan.entry.of
        known = kind.operation().options
        waiting = {**self.params, "wait": True}
        of_run = {name: waiting[name] for name in WAITING if name in known}
        gone: Options = {"state": "absent"} if plan.removes else {}
        if plan.removes and not plan.entry.absent and kind.name in ATTACHED:
            gone["force_detach"] = True
        unsaid = {name: spec.get("default") for name, spec in known.items()}
        return {**unsaid, **plan.entry.params, **kind.fixed, **of_run, **gone}

    def do(self, jobs: t.Sequence[EntryJob], ended: t.Callable[[EntryPlan, EntryEnd], None]) -> None:
        """Do the jobs side by side; ``ended`` is called in this thread for each entry. Raises DeadlinePassed."""

        def job_ended(_job: EntryJob, ends: EntryEnds | FcdError) -> None:
            if isinstance(ends, FcdError):
                raise ends
            for plan, end in ends:
                ended(plan, end)

        most = self.params["concurrency"]
        side_by_side(jobs, lambda job: job(), most=most, deadline=self.task.deadline, ended=job_ended)


def run_operation(task: Task, plan: EntryPlan, params: Params) -> EntryResult:
    """Run the operation of an entry. Raises FcdError, also for a result that says failed."""
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
    records = [value for name, value in result.items() if name != "diff" and isinstance(value, dict) and "id" in value]
    number = records[0]["id"] if records else None
    return EntryResult(action_of(result), before, after, number, tuple(result.get("forced_by") or ()))


def action_of(result: Result) -> str | None:
    """Return create, update, replace, delete or None, whatever the module calls it."""
    if not result.get("changed"):
        return None
    action = result.get("action")
    return action if action in (*MADE, DELETE) else UPDATE


def without_coming(entry: Entry, params: Params, coming: t.Collection[Place]) -> tuple[Options, Options]:
    """Return the options without what refers to things that are not there yet, and what a plan shows of these options.

    ``params`` have None where a number is not known. Options that need what is left out are left out, too.
    """
    kept = dict(params)
    lost: Options = {}
    for option, target in entry.of.references.items():
        declared, value = entry.params.get(option), params.get(option)
        if declared is None or target.kind == CONTAINERS:  # nobody looks a container up by its name
            continue
        left = _left(declared, value, target, coming)
        if left is None or (isinstance(left, list) and len(left) < len(declared)):
            kept[option], lost[option] = left, LATER
            for name in NEEDS.get((entry.kind, option), ()) if not left else ():
                if kept.get(name) is not None:
                    lost[name], kept[name] = kept[name], None
    return kept, lost


def _left(declared: t.Any, value: t.Any, target: Target, coming: t.Collection[Place]) -> t.Any:
    """Return what is left of a value, or of a list of values, without what is not there yet."""

    def is_coming(given: t.Any) -> bool:
        return target.by == NAME and (target.kind, str(given)) in coming

    if isinstance(value, list):
        return [one for given, one in zip(declared, value) if one is not None and not is_coming(given)]
    return None if is_coming(declared) else value


def with_later(
    outcome: EntryResult, kind: str, lost: t.Mapping[str, t.Any], leaving: t.Collection[t.Any] = ()
) -> EntryResult:
    """Return the outcome of one whose options ``lost`` were left out, with what is to be shown of them.

    ``leaving`` are the numbers of things that are replaced: what refers to them does not any more.
    """
    if outcome.action not in MADE:
        lost = {option: shown for option, shown in lost.items() if option not in ONLY_NEW.get(kind, ())}
    if not lost:
        return outcome
    after = dict(outcome.after) if isinstance(outcome.after, t.Mapping) else {}
    after.update((option, _joined(after.get(option), shown, leaving)) for option, shown in lost.items())
    before = outcome.before if isinstance(outcome.before, t.Mapping) else {}
    return outcome._replace(action=outcome.action or UPDATE, before=dict(before), after=after)


def _joined(present: t.Any, coming: t.Any, leaving: t.Collection[t.Any]) -> t.Any:
    staying = [one for one in present if _number_in(one) not in leaving] if isinstance(present, list) else []
    return [*staying, coming] if staying else coming


def _number_in(item: t.Any) -> t.Any:
    return item.get("id") if isinstance(item, t.Mapping) else item


class EntryWarnings:
    """Collects warnings, from any thread."""

    def __init__(self) -> None:
        self._told: dict[str, None] = {}

    def add(self, plan: EntryPlan, text: str) -> None:
        """Take note of what the operation of an entry warns of; planning and doing often warn of the same."""
        self._told.setdefault(f"{plan}: {text}")

    def tell(self, warn: t.Callable[[str], None], most: int = 20) -> None:
        """Tell the first ones, and how many there are more."""
        whole = list(self._told)
        for text in whole[:most]:
            warn(text)
        if len(whole) > most:
            warn(f"There are {len(whole) - most} more warnings of entries; with kinds one sees those of a kind.")


CONCURRENCY = (1, 100)
_PART = re.compile(r"([1-9]\d{0,2})/([1-9]\d{0,2})")


def check_site_options(params: Params) -> None:
    """Raise InvalidInput for options that cannot be meant."""
    part_of(params)
    for option in ("max_delete", "max_replace"):
        RemovalLimit(params[option], option)
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
    lost = _chosen(params, declaration._replace(entries=_removable(orphans, declaration)))
    chosen = _chosen(params, declaration)
    if params["prune"]:
        return [EntryPlan(entry, removes=True, orphan=True) for entry in lost]
    all_go = params["state"] == "absent"
    if all_go:  # what does not belong to the site is spared
        chosen = tuple(entry for entry in chosen if _may_go(entry, declaration))
        plans = [EntryPlan(entry, removes=True, spared=_is_spared(entry, owned, params)) for entry in chosen]
    else:
        plans = [EntryPlan(entry, removes=entry.absent) for entry in chosen]
    plans += [EntryPlan(entry, context=True) for entry in with_refs(chosen, declaration.by_place())]
    return plans + [EntryPlan(entry, removes=True, orphan=True, spared=not all_go) for entry in lost]


def check_removal_limit(params: Params, plans: t.Sequence[EntryPlan], owned: Owners) -> None:
    """Raise InvalidInput when more would be removed, by prune or with the whole site, than may be."""
    going = [plan for plan in plans if plan.removes and plan.changes]
    if params["prune"] or params["state"] == "absent":
        _check_limit("max_delete", params["max_delete"], going, "removed", owned)


PRECIOUS = (INSTANCES, "disks")
"""Kinds of which nothing is replaced unless max_replace says so."""


def check_replacement_limit(params: Params, plans: t.Sequence[EntryPlan], owned: Owners) -> None:
    """Raise InvalidInput when more would be replaced than may be; a replacement counts as a removal, too."""
    replaced = [plan for plan in plans if plan.verdict == REPLACE and plan.changes]
    limited = [plan for plan in replaced if params["max_replace"] is not None or plan.entry.kind in PRECIOUS]
    how = "replaced, which removes it with all that is in it"
    _check_limit("max_replace", params["max_replace"] or "0", limited, how, owned)
    _check_limit("max_delete", params["max_delete"], replaced, how, owned)


def _check_limit(option: str, given: str, plans: t.Sequence[EntryPlan], how: str, owned: Owners) -> None:
    own = sum(one.prunable for one in owned.values())
    limit = RemovalLimit(given, option).of(own)
    if len(plans) > limit:
        raise InvalidInput(
            f"{len(plans)} of the {own} things that the site owns would be {how} ({_first_names(plans)}). "
            f"{option} allows {limit}. Nothing was changed.",
            next_step=f"Check the site file and the plan; if that is what you want, set {option} (in the playbooks "
            f"provision_{option}) to {len(plans)}.",
            option=option,
        )


def _chosen(params: Params, declaration: Declaration) -> tuple[Entry, ...]:
    part = part_of(params)
    if part is not None:
        declaration = of_part(declaration, *part)
    declaration = of_stage(declaration, params["stage"])
    return (declaration if params["kinds"] is None else of_kinds(declaration, params["kinds"])).entries


def _may_go(entry: Entry, declaration: Declaration) -> bool:
    """Return whether such a thing can be removed with its site; the container of the registry has to outlive it.

    What the service does not make on demand (a client) is never removed so.
    """
    holds_registry = entry.place == (CONTAINERS, declaration.registry.get("container"))
    return entry.of.removable and entry.of.makes and not holds_registry


def _removable(orphans: t.Sequence[Owned], declaration: Declaration) -> tuple[Entry, ...]:
    """Return as entries what the site owns and may remove; what one refers to is what its identity names."""
    found = []
    for owned in orphans:
        if owned.kind in KINDS:
            kind, identity = KINDS[owned.kind], dict(owned.identity)
            named = [(target, identity.get(option)) for option, target in kind.references.items() if target.by == NAME]
            refs = tuple((target.kind, name) for target, name in named if isinstance(name, str))
            stated = "no longer declared"
            found.append(Entry(owned.kind, owned.name, owned.name, identity, identity, stated, refs, kind.stage))
    return tuple(entry for entry in found if _may_go(entry, declaration))


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


def _is_spared(entry: Entry, owned: Owners, params: Params) -> bool:
    own = entry.place in owned and owned[entry.place].prunable
    return not (own or params["adopt"])


def _is_stranger(plan: EntryPlan, owned: Owners) -> bool:
    if not plan.removes or plan.entry.absent or plan.planned is None or plan.place not in owned:
        return False
    before = plan.planned.before
    shown = before.get("id") if isinstance(before, t.Mapping) else None
    if owned[plan.place].phase == CREATING:  # it may have another number: it was about to be made, or replaced
        return False
    return differ(owned[plan.place].id, shown if plan.planned.number is None else plan.planned.number)


def warn_of_spared(plans: t.Sequence[EntryPlan], warn: t.Callable[[str], None]) -> None:
    """Tell of what is declared, there and left alone, since the site has not made it."""
    spared = [plan for plan in plans if plan.spared and not plan.orphan and plan.planned and plan.planned.action]
    if spared:
        warn(
            f"{len(spared)} declared things are left alone, since this site has not made them "
            f"({_first_names(spared)}). With adopt they count as made by it."
        )


def _first_names(plans: t.Sequence[EntryPlan]) -> str:
    return ", ".join([*map(str, plans[:TOLD]), *(["..."] if len(plans) > TOLD else [])])
