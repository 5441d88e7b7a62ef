# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Planning all entries of a site at one moment: each as its module does it in check mode, with shared reads.

Nothing but reads is sent.
"""

from __future__ import annotations

import functools
import typing as t

from ...module_utils._connection.task import Params, Task
from ...module_utils._core.clock import Memory
from ...module_utils._core.errors import FcdError, ImmutableChange, InvalidInput
from ...module_utils._core.text import common_prefix, nearest, shortened
from ...module_utils._engine.plan import CREATE, LATER, UNLESS_CREATED, UPDATE, Fields
from .entry_plan import (
    MADE,
    EntryEnd,
    EntryEnds,
    EntryJob,
    EntryPlan,
    EntryResult,
    EntryWork,
    Options,
    Side,
    as_mapping,
    run_instances,
    run_operation,
    with_own_number,
)
from .foresight import Foresight, is_same_thing
from .model import CONTAINERS, INSTANCES, KINDS, NAME, OBJECTS, WAITING, Entry, Place, Target, unknown_numbers
from .ownership import has_another_name, moved_end
from .shared_reads import RememberingClients, searched_often

STEP = 100  # entries after which it is told how many are planned

NEEDS = {
    (INSTANCES, "private_networks"): ("without_public_ip",),
    (INSTANCES, "ssh_keys"): ("authorization_method", "authorization_method_id"),
}
"""Options that are refused without another one."""

STAND_FOR = {("disks", "instances"): ("subregion",)}
"""Options that may be given in place of others that something new needs; what is referred to has them, too."""

ONE_BY_ONE = {
    "storage_containers",
    "clients",
    "storage_folders",
    "client_users",
    "client_pricelists",
    "client_fixed_amounts",
}
"""Kinds of which each is asked for, whatever lists have brought."""


class _Ready(t.NamedTuple):
    """An entry that can be planned: its options, and those that wait for something to be made."""

    plan: EntryPlan
    params: Options
    lost: Options


class Planning(EntryWork):
    """The planning of one run; ``site`` is its name for people."""

    def __init__(
        self,
        task: Task,
        plans: t.Sequence[EntryPlan],
        params: Params,
        warn: t.Callable[[EntryPlan, str], None],
        site: str,
    ) -> None:
        super().__init__(task, plans, params, warn)
        self.task.check_mode = True
        objects = [(plan, self.options(plan)) for plan in plans if plan.entry.kind == OBJECTS]
        self._listings = ObjectListings(self.task, objects)
        often = searched_often(plan.entry.kind for plan in plans)
        self.task.clients = RememberingClients(self.task, often, self._listings.prefixes)
        self._moving = {str(plan.registered) for plan in plans if plan.moved_from is not None}
        self._site = site
        self._planned = 0

    def run(self) -> None:
        """Fill in what is planned for each, or why it cannot be. Raises DeadlinePassed."""
        for level in self.by_level():
            ready = [self._ready(plan) for plan in level if plan.planned is None and self._can_be_planned(plan)]
            self.run_jobs(self._jobs(ready), self._note)
            self._plan_whole([one.plan for one in ready])
            planned = {one.plan for one in ready}
            for plan in level:
                if plan not in planned and plan.error is not None:
                    self._note(plan, plan.error)

    def _plan_whole(self, plans: t.Sequence[EntryPlan]) -> None:
        """Plan once more, with all options, what is to be made: some may count for that only."""
        new = [plan for plan in plans if plan.left_out and _may_be_made(plan)]
        self._planned -= len(new)
        for plan in new:
            plan.left_out, plan.planned, plan.error = (), None, None
        self.run_jobs(self._jobs([self._ready(plan) for plan in new]), self._note)

    def _note(self, plan: EntryPlan, end: EntryEnd) -> None:
        if isinstance(end, EntryResult):
            plan.planned = with_computed(end, plan.entry.kind)
        else:
            plan.error = end
            suggest_declared(plan.entry, end, [one.place for one in self.plans if not one.removes])
        self._planned += 1
        if self._planned % STEP == 0 or self._planned == len(self.plans):
            self.task.tell(f"site {self._site}: {self._planned} of {len(self.plans)} planned")

    def _can_be_planned(self, plan: EntryPlan) -> bool:
        """Return whether it can be planned, else note why not: what it refers to cannot be."""
        failed = next((one for one in self.references_of(plan) if one.error is not None), None)
        if failed is not None and not plan.removes:
            why = "See the error there." if not failed.context else str(failed.error)
            plan.error = FcdError(f"It refers to {failed}, which cannot be planned.", next_step=why)
        return plan.error is None

    def _ready(self, plan: EntryPlan) -> _Ready:
        """Return the entry with its options as far as they are known."""
        params = self.options(plan)
        coming = {one.place for one in self.references_of(plan) if one.coming}
        unknown = bool(unknown_numbers(params, self.number))
        params = self.with_known_numbers(plan, params)
        if plan.removes or not (coming or unknown):
            return _Ready(plan, params, {})
        kept, lost = without_coming(plan.entry, params, coming)
        return _Ready(plan, kept, {option: shown for option, shown in lost.items() if option not in plan.left_out})

    def _jobs(self, ready: t.Sequence[_Ready]) -> list[EntryJob]:
        """Return the work; what waits for the service longest comes first.

        That is one of each kind, whose search may be that of all others, then what is asked for one by one.
        """
        fleet: list[_Ready] = []
        others: list[_Ready] = []
        for one in ready:
            (fleet if one.plan.in_fleet else others).append(one)
        first: dict[str, _Ready] = {}
        for one in others:
            first.setdefault(one.plan.entry.kind, one)
        later = [one for one in others if first[one.plan.entry.kind] is not one]
        later.sort(key=lambda one: one.plan.entry.kind not in ONE_BY_ONE)
        jobs: list[EntryJob] = [functools.partial(self._plan_fleet, fleet)] if fleet else []
        return jobs + [functools.partial(self._plan_one, one) for one in [*first.values(), *later]]

    def _plan_fleet(self, fleet: t.Sequence[_Ready]) -> EntryEnds:
        by_plan = {one.plan: one for one in fleet}
        ends = run_instances(self.task, [(one.plan, one.params) for one in fleet], self.params)
        return [(plan, self._with_lost(by_plan[plan], self._by_number(by_plan[plan], end))) for plan, end in ends]

    def _plan_one(self, one: _Ready) -> EntryEnds:
        known = self._listings.outcome(one.plan, one.params)
        if known is not None:
            return [(one.plan, known)]
        end = self._run(one.plan, one.params)
        return [(one.plan, self._with_lost(one, self._by_number(one, end)))]

    def _by_number(self, one: _Ready, end: EntryEnd) -> EntryEnd:
        """Return the end of a planning by name, or what a look at the thing itself, by its number, says in its place.

        A list may not show yet what is new, and show what was changed as it was before.
        """
        plan = one.plan
        if has_another_name(plan, end):
            return moved_end(plan, end, lambda: self._look_by(one, plan.registered), self._moving)
        missed = _is_missed(plan, end)
        number = plan.registered if missed else _number_to_change(end)
        if number is None or "id" not in plan.entry.of.options() or one.params.get("id") is not None:
            return end
        found = self._look_by(one, number)
        if not is_same_thing(plan, found) or (isinstance(found, FcdError) and not missed):
            return end
        plan.by_number = missed
        return found._replace(number=number) if isinstance(found, EntryResult) else found

    def _look_by(self, one: _Ready, number: object) -> EntryEnd:
        return self._run(one.plan, with_own_number(one.params, number))

    def _run(self, plan: EntryPlan, params: Options) -> EntryEnd:
        """Return what the module would do, or its error."""
        task = self.task_of(plan)
        coming = any(one.coming for one in self.references_of(plan))
        of_coming = "here is no container", UNLESS_CREATED  # what modules say of a container that this run makes
        task.warn = lambda text: None if coming and all(part in text for part in of_coming) else self.warn(plan, text)
        try:
            return run_operation(task, plan, params)
        except FcdError as error:
            return error

    def _with_lost(self, one: _Ready, end: EntryEnd) -> EntryEnd:
        """Return the end of a planning in which some options had to be left out.

        Where the error says no more than that what these options stand for is missing, that is taken from what they
        refer to; where it is not known there either, it is planned without them.
        """
        if isinstance(end, EntryResult):
            return self._with_later(one, end)
        stood_for = {name for option in one.lost for name in STAND_FOR.get((one.plan.entry.kind, option), ())}
        named = end.details.get("options") or ()
        if not isinstance(end, InvalidInput) or not named or not stood_for.issuperset(named):
            return end
        known = self._of_referred(one, named)
        if known is None:
            return self._end_without(one)
        found = self._run(one.plan, {**one.params, **known})
        return self._with_later(one, found) if isinstance(found, EntryResult) else found

    def _of_referred(self, one: _Ready, options: t.Collection[str]) -> Options | None:
        """Return what the first thing that it refers to will have of these options, by number; None if not all."""
        sides = [other.planned.after for other in self.references_of(one.plan) if other.planned is not None]
        after = next((side for side in sides if isinstance(side, t.Mapping)), {})
        numbers = {name: after[name].get("id") for name in options if isinstance(after.get(name), t.Mapping)}
        whole = len(numbers) == len(options) and None not in numbers.values()
        return {name: str(number) for name, number in numbers.items()} if whole else None

    def _end_without(self, one: _Ready) -> EntryEnd:
        """Plan for one that cannot be planned without the things that are to be made, by whether it is there."""
        entry = one.plan.entry
        options = entry.of.operation().options
        if "state" not in options:
            return EntryResult(UPDATE, {}, one.lost)
        given = {name: value for name, value in one.params.items() if name in entry.identity or name in WAITING}
        found = self._run(one.plan, {**entry.of.defaults(), **given, "state": "absent"})
        if isinstance(found, FcdError):
            return found
        if found.action is None:
            shown = {name: value for name, value in entry.given.items() if not options.get(name, {}).get("no_log")}
            return EntryResult(CREATE, {}, {**shown, **one.lost})
        return self._with_later(one, EntryResult(None, found.before, found.before, found.number))

    def _with_later(self, one: _Ready, outcome: EntryResult) -> EntryResult:
        leaving = {other.replaced for other in self.references_of(one.plan)} - {None}
        return with_later(outcome, one.plan.entry.kind, one.lost, leaving)

    def foresee_removals(self, own_disks: t.Collection[str]) -> None:
        """Say what will come of removals and replacements, and of what refers to those that cannot be done."""
        Foresight(self.task, self.plans, own_disks).run(lambda plan: self._ready(plan).params)
        for level in self.by_level():
            for plan in level:
                if plan.error is None and not self._can_be_planned(plan):
                    plan.planned = None


def _is_missed(plan: EntryPlan, end: EntryEnd) -> bool:
    """Return whether a thing was not found by its name."""
    if isinstance(end, EntryResult):
        return end.action == (None if plan.removes else CREATE) and end.number is None
    return isinstance(end, InvalidInput)


def _number_to_change(end: EntryEnd) -> object:
    return end.number if isinstance(end, EntryResult) and end.action == UPDATE else None


def _may_be_made(plan: EntryPlan) -> bool:
    if plan.planned is not None:
        return plan.planned.action in MADE
    return isinstance(plan.error, InvalidInput) and not isinstance(plan.error, ImmutableChange)


ENOUGH = 3  # objects of one container for which a listing is less than asking for each
LISTED_OPTIONS = {"container", "name", "content", "src", "content_type", "state"}
"""Options that a listing can answer; all others have to stand at their defaults."""


class ObjectListings:
    """The listings of the containers of one run, each read when it is asked for first.

    ``prefixes`` has for each container that is listed what the names of its objects begin with.
    """

    def __init__(self, task: Task, objects: t.Iterable[tuple[EntryPlan, Options]]) -> None:
        self._task = task
        self._read = Memory()
        names: dict[str, list[str]] = {}
        for plan, params in objects:
            if _is_listed_whole(plan, params):
                names.setdefault(params["container"], []).append(params["name"])
        self.prefixes = {place: common_prefix(found) for place, found in names.items() if len(found) >= ENOUGH}

    def outcome(self, plan: EntryPlan, params: Options) -> EntryResult | None:
        """Return that nothing is to be done, None where the thing has to be looked at by itself."""
        if plan.entry.kind != OBJECTS:
            return None
        container = params["container"]
        if container not in self.prefixes or not _is_listed_whole(plan, params):
            return None
        try:
            found = self._read.answer(container, lambda: self._listing(container)).get(params["name"])
            if found is None or not _same(params, found):
                return None
        except FcdError:
            return None  # whoever looks at the object itself tells what is wrong
        of_listing = {"etag": found["hash"], "size": found.get("bytes"), "content_type": found.get("content_type")}
        return EntryResult(None, {}, {}, record={"container": container, "name": found["name"], **of_listing})

    def _listing(self, container: str) -> dict[str, Side]:
        """Return a page of what begins as all these names do; what comes behind it is asked for one by one."""
        from ...module_utils._object_storage.connection import object_storage

        found = object_storage(self._task).list_objects(container, prefix=self.prefixes[container])
        return {str(entry["name"]): entry for entry in found}


def _is_listed_whole(plan: EntryPlan, params: Options) -> bool:
    if params["state"] != "present" or (params["content"] is None and params["src"] is None):
        return False
    options = plan.entry.of.operation().options
    others = {name: value for name, value in params.items() if name in options and name not in LISTED_OPTIONS}
    return all(value is None or value == options[name].get("default") for name, value in others.items())


def _same(params: Params, found: t.Mapping[str, object]) -> bool:
    """Return whether a listed object is as declared. An empty one may be the manifest of a large object."""
    from ...module_utils._object_storage.content import text_content
    from ...module_utils._object_storage.source_file import file_content

    content = text_content(params["content"]) if params["content"] is not None else file_content(params["src"])
    same_kind = params["content_type"] in (None, found.get("content_type"))
    return bool(same_kind and content.size and content.size == found.get("bytes") and content.etag == found["hash"])


ASKS = "Did you mean "


def suggest_declared(entry: Entry, error: FcdError, declared: t.Iterable[Place]) -> None:
    """Suggest similar entries in an error about a label, before what the service has."""
    option = error.details.get("option", "")
    target = KINDS[entry.kind].references.get(option)
    if target is None:
        return
    names = [name for kind, name in declared if kind == target.kind]
    advice = error.next_step or ""
    new = [repr(name) for name in _similar(entry.params.get(option), error, names) if repr(name) not in advice]
    if new:
        rest = f" or {advice[len(ASKS) :]}" if advice.startswith(ASKS) else f"? {advice}".rstrip()
        error.next_step = f"{ASKS}{' or '.join(new)}{rest}"


def _similar(given: object, error: FcdError, names: t.Sequence[str]) -> list[str]:
    """Return the names that are similar to the value that the error is about."""
    labels = [str(one).strip() for one in (given if isinstance(given, list) else [given])]
    wrong = next((one for one in labels if f"there is no {shortened(one)!r} among" in error.message), None)
    return [] if wrong is None else nearest(wrong, names)


# ---------------------------------------------------------------- what is to come


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


def _left(declared: t.Any, value: t.Any, target: Target, coming: t.Collection[Place]) -> object:
    """Return what is left of a value, or of a list of values, without what is not there yet."""

    def is_coming(given: object) -> bool:
        return target.by == NAME and (target.kind, str(given)) in coming

    if isinstance(value, list):
        return [one for given, one in zip(declared, value) if one is not None and not is_coming(given)]
    return None if is_coming(declared) else value


def with_later(
    outcome: EntryResult, kind: str, lost: t.Mapping[str, object], leaving: t.Collection[object] = ()
) -> EntryResult:
    """Return the outcome of one whose options ``lost`` were left out, with what is to be shown of them.

    ``leaving`` are the numbers of things that are replaced: what refers to them does not any more.
    """
    fields = KINDS[kind].operation().fields
    if outcome.action not in MADE:
        lost = _without_only_new(lost, fields)
    if not lost:
        return outcome
    before, after = dict(as_mapping(outcome.before)), dict(as_mapping(outcome.after))
    for item in fields:
        after.update(dict.fromkeys(item.follows if item.name in lost else (), LATER))
    after.update((option, _joined(after.get(option), shown, leaving)) for option, shown in lost.items())
    return outcome._replace(action=outcome.action or UPDATE, before=before, after=after)


def _without_only_new(lost: t.Mapping[str, object], fields: Fields) -> dict[str, object]:
    """Leave out what matters only when a thing is made: that may change without any change of the thing."""
    only_new = {item.name for item in fields if item.only_new}
    names = {option: {option, option.rpartition("_id")[0]} for option in lost}  # some are given by their numbers
    return {option: shown for option, shown in lost.items() if only_new.isdisjoint(names[option])}


def _joined(present: object, coming: object, leaving: t.Collection[object]) -> object:
    items = present if isinstance(present, list) else []
    staying = [one for one in items if (one.get("id") if isinstance(one, t.Mapping) else one) not in leaving]
    return [*staying, coming] if staying else coming


def with_computed(outcome: EntryResult, kind: str) -> EntryResult:
    """Return the outcome with all that the service computes of a thing that is made, which is known after apply."""
    members = KINDS[kind].operation().members
    if outcome.action not in MADE or not isinstance(outcome.after, t.Mapping):
        return outcome
    return outcome._replace(after={**outcome.after, **{name: LATER for name in members if name not in outcome.after}})
