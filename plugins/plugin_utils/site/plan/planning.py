# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Planning all entries of a site at one moment: each as its module does it in check mode, with shared reads.

Nothing but reads is sent.
"""

from __future__ import annotations

import functools
import typing as t

from ....module_utils._connection.task import Params, Task
from ....module_utils._core.clock import Memory
from ....module_utils._core.errors import FcdError, ImmutableChange, InvalidInput
from ....module_utils._core.later import LATER, UNLESS_CREATED
from ....module_utils._core.text import common_prefix, either, join_names, nearest, shortened
from ....module_utils._core.type_aliases import JsonMapping, JsonObject
from ....module_utils._engine.plan import CREATE, REPLACE, UPDATE, Fields
from ....module_utils._object_storage.connection import object_storage
from ....module_utils._object_storage.content import text_content
from ....module_utils._object_storage.source_file import file_content
from ..entry_operations import EntryWork, by_level, run_instances, run_operation, with_own_number
from ..model import (
    CONTAINERS,
    GROUP_AUTOSCALERS,
    GROUPS,
    INSTANCES,
    KINDS,
    NAME,
    OBJECTS,
    RUN_OPTIONS,
    Entry,
    Place,
    Target,
    unknown_numbers,
)
from ..shared_reads import RememberingClients, searched_often
from ..stages import MADE, EntryOutcome, EntryResult, Read, Selected, as_mapping
from .removal_checks import RemovalChecks, is_same_thing

STEP = 100  # entries after which it is told how many are planned

NEEDS = {
    (INSTANCES, "private_networks"): ("without_public_ip",),
    (INSTANCES, "ssh_keys"): ("authorization_method", "authorization_method_id"),
    (GROUPS, "instances"): ("ip_addresses",),
}
"""Options that are refused without another one."""

STAND_FOR = {("disks", "instances"): ("subregion",), (GROUP_AUTOSCALERS, "instances"): ("instances",)}
"""Options, and those that something new needs unless these are given; what is referred to may have them, too."""

ONE_BY_ONE = {
    "storage_containers",
    "clients",
    "storage_folders",
    "client_users",
    "client_pricelists",
    "client_fixed_amounts",
}
"""Kinds of which each is asked for, whatever lists have brought."""


class _PreparedEntry(t.NamedTuple):
    """An entry that can be planned, with its options. ``lost`` are those that wait for something to be made."""

    selected: Selected
    left_out: t.Collection[str]
    params: JsonObject
    lost: JsonObject


class Planning(EntryWork[Read]):
    """The planning of one run; ``site`` is its name for people, ``moving`` are places that entries have only now."""

    def __init__(
        self,
        task: Task,
        selected: t.Sequence[Selected],
        params: Params,
        warn: t.Callable[[Selected, str], None],
        site: str,
        moving: t.Collection[Place] = (),
    ) -> None:
        super().__init__(task, params, warn)
        self.task.check_mode = True
        self._selected = selected
        objects = [(one, self.options(one, one.ignored)) for one in selected if one.entry.kind == OBJECTS]
        self._listings = ObjectListings(self.task, objects)
        often = searched_often(one.entry.kind for one in selected)
        self.task.clients = RememberingClients(self.task, often, self._listings.prefixes)
        self._moving = moving
        self._moving_numbers = {str(one.registered) for one in selected if one.former is not None}
        self._sends: dict[Place, dict[str, str]] = {one.place: {} for one in selected}
        self._site = site

    def run(self) -> list[Read]:
        """Return what each is expected to do, or why that cannot be said. Raises DeadlinePassed."""
        for level in by_level(self._selected):
            ready = []
            for one in level:
                end = one.known or self._refusal(one)
                if end is None:
                    ready.append(self._ready(one, one.ignored))
                else:
                    self._note(self._read(one, end))
            self.run_jobs(self._jobs(ready), self._note)
            # what is to be made is planned once more, with all options: some may count for that only
            new = [one.selected for one in ready if one.left_out and _may_be_made(self.known[one.selected.place])]
            self.run_jobs(self._jobs([self._ready(one, ()) for one in new]), self._note)
        return [self.known[one.place] for one in self._selected]

    def _note(self, read: Read) -> None:
        again = read.place in self.known
        self.known[read.place] = read
        number, whole = len(self.known), len(self._selected)
        if not again and (number % STEP == 0 or number == whole):
            self.task.tell(f"site {self._site}: {number} of {whole} planned")

    def _read(self, one: Selected, end: EntryOutcome, *, by_number: bool = False, **more: t.Any) -> Read:
        """Return the entry with what came of the look at it."""
        if self.params["drift"] and isinstance(end, FcdError) and end.difference is not None:
            before, after = end.difference
            end = EntryResult(UPDATE, before, after, before.get("id"), record=before, refusal=str(end))
        if isinstance(end, EntryResult):
            end = with_computed(end, one.entry.kind)
        else:
            suggest_declared(one.entry, end, [other.place for other in self._selected if not other.removes])
        has_moved = isinstance(end, FcdError) or not by_number or is_same_thing(one, end)
        moved_from = None if has_moved and one.place not in self._moving else one.former
        return Read.of(
            one, expected=end, by_number=by_number, moved_from=moved_from, sends=self._sends[one.place], **more
        )

    def _refusal(self, one: Selected) -> FcdError | None:
        """Return why it cannot be planned, where what it refers to cannot be."""
        failed = next((other for other in self.references_of(one) if other.error is not None), None)
        if failed is None or one.removes:
            return None
        why = "See the error there." if not failed.context else str(failed.error)
        return FcdError(f"It refers to {failed}, which cannot be planned.", next_step=why)

    def _ready(self, one: Selected, left_out: t.Collection[str]) -> _PreparedEntry:
        """Return the entry with its options as far as they are known."""
        params = self.options(one, left_out)
        coming = {other.place for other in self.references_of(one) if other.coming}
        unknown = bool(unknown_numbers(params, self.number))
        params = self.with_known_numbers(one, params)
        if one.removes or not (coming or unknown):
            return _PreparedEntry(one, left_out, params, {})
        kept, lost = without_coming(one.entry, params, coming)
        return _PreparedEntry(
            one, left_out, kept, {option: shown for option, shown in lost.items() if option not in left_out}
        )

    def _jobs(self, ready: t.Sequence[_PreparedEntry]) -> list[t.Callable[[], list[Read]]]:
        """Return the work; what waits for the service longest comes first.

        That is one of each kind, whose search may be that of all others, then what is asked for one by one.
        """
        fleet: list[_PreparedEntry] = []
        others: list[_PreparedEntry] = []
        for one in ready:
            (fleet if one.selected.in_fleet else others).append(one)
        first: dict[str, _PreparedEntry] = {}
        for one in others:
            first.setdefault(one.selected.entry.kind, one)
        later = [one for one in others if first[one.selected.entry.kind] is not one]
        later.sort(key=lambda one: one.selected.entry.kind not in ONE_BY_ONE)
        jobs: list[t.Callable[[], list[Read]]] = [functools.partial(self._plan_fleet, fleet)] if fleet else []
        return jobs + [functools.partial(self._plan_one, one) for one in [*first.values(), *later]]

    def _plan_fleet(self, fleet: t.Sequence[_PreparedEntry]) -> list[Read]:
        by_place = {one.selected.place: one for one in fleet}
        ends = run_instances(self.task, [(one.selected, one.params) for one in fleet], self.params)
        return [self._found(by_place[selected.place], end) for selected, end in ends]

    def _plan_one(self, one: _PreparedEntry) -> list[Read]:
        known = self._listings.outcome(one.selected, one.params)
        if known is not None:
            return [self._read(one.selected, known, left_out=one.left_out)]
        return [self._found(one, self._run(one.selected, one.params))]

    def _found(self, one: _PreparedEntry, by_name: EntryOutcome) -> Read:
        """Return the entry as its name shows it, or a look at the thing itself, by its number, in its place.

        A list may not show yet what is new, and show what was changed as it was before.
        """
        if not one.lost.keys().isdisjoint(one.selected.entry.identity):
            return self._read(one.selected, _of_coming(one, by_name), left_out=one.left_out)
        end, by_number = self._with_former_name(one, by_name) or self._with_number(one, by_name)
        return self._read(one.selected, self._with_lost(one, end), by_number=by_number, left_out=one.left_out)

    def _with_number(self, one: _PreparedEntry, by_name: EntryOutcome) -> tuple[EntryOutcome, bool]:
        """Return what is planned, and whether only the number leads to the thing."""
        missed = _is_missed(one.selected, by_name)
        changing = by_name.number if isinstance(by_name, EntryResult) and by_name.action == UPDATE else None
        number = one.selected.registered if missed else changing
        if number is None or "id" not in one.selected.entry.of.options() or one.params.get("id") is not None:
            return by_name, False
        found = self._look_by(one, number)
        if not is_same_thing(one.selected, found) or (isinstance(found, FcdError) and not missed):
            return by_name, False
        return (found._replace(number=number) if isinstance(found, EntryResult) else found), missed

    def _with_former_name(self, one: _PreparedEntry, by_name: EntryOutcome) -> tuple[EntryOutcome, bool] | None:
        """Return what is planned for a thing that moved and does not show by its new name: what its number leads to.

        Of all that move, some may still have the names of others. None for what did not move, or shows by its name.
        """
        selected = one.selected
        if not _has_another_name(selected, by_name):
            return None
        found_ids = by_name.details.get("ids") or () if isinstance(by_name, FcdError) else (by_name.number,)
        numbers = [number for number in found_ids if number is not None]
        others = [str(number) for number in numbers if str(number) not in self._moving_numbers]
        if others:
            return InvalidInput(
                f"{selected.former} ({selected.registered}) cannot get this name, because {join_names(others)} already "
                "has it.",
                next_step="Remove or rename that one, or choose another name.",
            ), False
        found = self._look_by(one, selected.registered)
        if isinstance(found, ImmutableChange):
            return InvalidInput(
                f"It was {selected.former} and cannot be changed to its new state in place. {found.message}",
                next_step="Keep what cannot be changed, or remove the item from moved to create a new object.",
            ), False
        if isinstance(found, FcdError):
            is_gone = found.details.get("option") == "id" and not numbers
            return (by_name if is_gone else found), False
        return found._replace(number=selected.registered), True

    def _look_by(self, one: _PreparedEntry, number: object) -> EntryOutcome:
        return self._run(one.selected, with_own_number(one.selected, one.params, number))

    def _run(self, one: Selected, params: JsonObject) -> EntryOutcome:
        """Return what the module would do, or its error."""
        task = self.task_of(self._sends[one.place])
        coming = any(other.coming for other in self.references_of(one))
        of_coming = "here is no container", UNLESS_CREATED  # what modules say of a container that this run makes
        task.warn = lambda text: None if coming and all(part in text for part in of_coming) else self.warn(one, text)
        try:
            return run_operation(task, one, params)
        except FcdError as error:
            return error

    def _with_lost(self, one: _PreparedEntry, end: EntryOutcome) -> EntryOutcome:
        """Return the end of a planning in which some options had to be left out.

        Where the error says no more than that what these options stand for is missing, that is taken from what they
        refer to; where it is not known there either, it is planned without them.
        """
        if isinstance(end, EntryResult):
            return self._with_later(one, end)
        stood_for = {name for option in one.lost for name in STAND_FOR.get((one.selected.entry.kind, option), ())}
        named = end.details.get("options") or ()
        if not isinstance(end, InvalidInput) or not named or not stood_for.issuperset(named):
            return end
        known = self._of_referred(one.selected, named)
        if known is None:
            return self._end_without(one)
        found = self._run(one.selected, {**one.params, **known})
        return self._with_later(one, found) if isinstance(found, EntryResult) else found

    def _of_referred(self, one: Selected, options: t.Collection[str]) -> JsonObject | None:
        """Return what the first thing that it refers to will have of these options, by number; None if not all."""
        sides = [other.planned.after for other in self.references_of(one) if other.planned is not None]
        after = next((side for side in sides if isinstance(side, t.Mapping)), {})
        numbers = {name: after[name].get("id") for name in options if isinstance(after.get(name), t.Mapping)}
        whole = len(numbers) == len(options) and None not in numbers.values()
        return {name: str(number) for name, number in numbers.items()} if whole else None

    def _end_without(self, one: _PreparedEntry) -> EntryOutcome:
        """Plan for one that cannot be planned without the things that are to be made, by whether it is there."""
        entry = one.selected.entry
        options = entry.of.operation().options
        if "state" not in options:
            return EntryResult(UPDATE, {}, one.lost)
        given = {name: value for name, value in one.params.items() if name in entry.identity or name in RUN_OPTIONS}
        found = self._run(one.selected, {**entry.of.defaults(), **given, "state": "absent"})
        if isinstance(found, FcdError):
            return found
        if found.action is None:
            return _as_new(one)
        return self._with_later(one, EntryResult(None, found.before, found.before, found.number))

    def _with_later(self, one: _PreparedEntry, outcome: EntryResult) -> EntryResult:
        leaving = {other.replaced for other in self.references_of(one.selected)} - {None}
        return with_later(outcome, one.selected.entry.kind, one.lost, leaving)

    def check_removals(self, reads: t.Sequence[Read], own_disks: t.Collection[str]) -> list[Read]:
        """Return what will come of removals and replacements, and of what refers to those that cannot be done."""
        self.known = {one.place: one for one in reads}
        checks = RemovalChecks(self.task, reads, own_disks)
        seen = checks.run(reads, lambda one: self.with_known_numbers(one, self.options_of(one)))
        self.known = {one.place: one for one in seen}
        for level in by_level(seen):
            for one in level:
                refusal = None if one.error is not None else self._refusal(one)
                if refusal is not None:
                    self.known[one.place] = one.with_fields(expected=refusal)
        return [self.known[one.place] for one in seen]


def _as_new(one: _PreparedEntry) -> EntryResult:
    """Return the plan for one that is made, of which only the options are known."""
    entry = one.selected.entry
    options = entry.of.operation().options
    shown = {name: value for name, value in entry.given.items() if not options.get(name, {}).get("no_log")}
    return EntryResult(CREATE, {}, {**shown, **one.lost})


def _of_coming(one: _PreparedEntry, end: EntryOutcome) -> EntryOutcome:
    """Return the plan for one that belongs to something that is to be made, or made anew: there is none in it."""
    if isinstance(end, FcdError) and not one.lost.keys() >= {
        *(end.details.get("options") or [end.details.get("option")])
    }:
        return end
    return _as_new(one)


def _is_missed(one: Selected, end: EntryOutcome) -> bool:
    """Return whether a thing was not found by its name."""
    if isinstance(end, EntryResult):
        return end.action == (None if one.removes else CREATE) and end.number is None
    return isinstance(end, InvalidInput)


def _has_another_name(one: Selected, by_name: EntryOutcome) -> bool:
    """Return whether its new name does not lead to a thing that has moved."""
    if one.former is None or one.registered is None:
        return False
    if isinstance(by_name, EntryResult):
        found = by_name.before.get("id") if by_name.action == REPLACE else by_name.number
        return str(found) != str(one.registered)
    return not isinstance(by_name, ImmutableChange)


def _may_be_made(read: Read) -> bool:
    if read.planned is not None:
        return read.planned.action in MADE
    return isinstance(read.error, InvalidInput) and not isinstance(read.error, ImmutableChange)


ENOUGH = 3  # objects of one container for which a listing is less than asking for each
LISTED_OPTIONS = {"container", "name", "content", "src", "content_type", "state"}
"""Options that a listing can answer; all others have to stand at their defaults."""


class ObjectListings:
    """The listings of the containers of one run, each read when it is asked for first.

    ``prefixes`` has for each container that is listed what the names of its objects begin with.
    """

    def __init__(self, task: Task, objects: t.Iterable[tuple[Selected, JsonObject]]) -> None:
        self._task = task
        self._read = Memory()
        names: dict[str, list[str]] = {}
        for one, params in objects:
            if _is_listed_whole(one, params):
                names.setdefault(params["container"], []).append(params["name"])
        self.prefixes = {place: common_prefix(found) for place, found in names.items() if len(found) >= ENOUGH}

    def outcome(self, one: Selected, params: JsonObject) -> EntryResult | None:
        """Return that nothing is to be done, None where the thing has to be looked at by itself."""
        if one.entry.kind != OBJECTS:
            return None
        container = params["container"]
        if container not in self.prefixes or not _is_listed_whole(one, params):
            return None
        try:
            found = self._read.answer(container, lambda: self._listing(container)).get(params["name"])
            if found is None or not _same(params, found):
                return None
        except FcdError:
            return None  # whoever looks at the object itself tells what is wrong
        of_listing = {"etag": found["hash"], "size": found.get("bytes"), "content_type": found.get("content_type")}
        return EntryResult(None, {}, {}, record={"container": container, "name": found["name"], **of_listing})

    def _listing(self, container: str) -> dict[str, JsonMapping]:
        """Return a page of what begins as all these names do; what comes behind it is asked for one by one."""
        found = object_storage(self._task).list_objects(container, prefix=self.prefixes[container])
        return {str(entry["name"]): entry for entry in found}


def _is_listed_whole(one: Selected, params: JsonObject) -> bool:
    if params["state"] != "present" or (params["content"] is None and params["src"] is None):
        return False
    options = one.entry.of.operation().options
    others = {name: value for name, value in params.items() if name in options and name not in LISTED_OPTIONS}
    return all(value is None or value == options[name].get("default") for name, value in others.items())


def _same(params: Params, found: t.Mapping[str, object]) -> bool:
    """Return whether a listed object is as declared. An empty one may be the manifest of a large object."""
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
        asked = advice[len(ASKS) :] if advice.startswith(ASKS) else ""
        rest = f"{', ' if ' or ' in asked else ' or '}{asked}" if asked else f"? {advice}".rstrip()
        error.next_step = f"{ASKS}{', '.join(new) if asked else either(new)}{rest}"


def _similar(given: object, error: FcdError, names: t.Sequence[str]) -> list[str]:
    """Return the names that are similar to the value that the error is about."""
    labels = [str(one).strip() for one in (given if isinstance(given, list) else [given])]
    wrong = next((one for one in labels if f"there is no {shortened(one)!r} among" in error.message), None)
    return [] if wrong is None else nearest(wrong, names)


# ---------------------------------------------------------------- what is to come


def without_coming(entry: Entry, params: Params, coming: t.Collection[Place]) -> tuple[JsonObject, JsonObject]:
    """Return the options without what refers to things that are not there yet, and what a plan shows of these options.

    ``params`` have None where a number is not known. Options that need what is left out are left out, too.
    """
    kept = dict(params)
    lost: JsonObject = {}
    for option, target in entry.of.references.items():
        declared, value = entry.params.get(option), params.get(option)
        if declared is None or target.kind == CONTAINERS:  # nobody looks a container up by its name
            continue
        left = _left(declared, value, target, coming)
        if left is None or (isinstance(left, list) and len(left) < len(declared)):
            if option in entry.identity:
                lost[option] = declared  # without it, another one would be found
                continue
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
    action, forced_by = outcome.action or UPDATE, list(outcome.forced_by)
    for item in fields:
        after.update(dict.fromkeys(item.follows if item.name in lost else (), LATER))
        if item.name in lost and item.on_update is False and action != CREATE:
            action, forced_by = REPLACE, [*forced_by, item.name]
    after.update((option, _joined(after.get(option), shown, leaving)) for option, shown in lost.items())
    named = tuple(dict.fromkeys(forced_by))
    return outcome._replace(action=action, before=before, after=after, forced_by=named)


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
