# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fleets: many instances with their own names and options, brought to their state side by side."""

from __future__ import annotations

import copy
import typing as t
from collections import Counter

from ..._connection.options import REST, OptionSpecs
from ..._connection.task import WAIT_OPTIONS, ManagedObject, Operation, Params, Result, Task
from ..._core.clock import Deadline
from ..._core.errors import Ambiguous, FcdError, InvalidInput, RateLimited, mark_changed_on_error
from ..._core.text import join_names
from ..._core.type_aliases import JsonObject
from ..._engine.create_once import NO_EFFECT
from ..._engine.plan import CREATE, DELETE, REPLACE, UPDATE, Outcome
from ..._engine.scheduler import Job, Progress, run_jobs
from ..api import infrastructure
from .instance import (
    DeclaredInstances,
    declared_instance,
    find_under_way,
    has_changed_something,
    looks_early,
    records_and_diffs,
)
from .instance_failures import failure_of
from .instance_fleet_view import FleetLists, FleetView
from .instance_options import INSTANCE_OPTIONS as INSTANCE
from .instance_options import INSTANCE_RULES, check_instance, reference
from .instance_planning import CREATING, DeclaredInstance, InstanceSequence
from .instance_records import InstanceSearch, instance_record
from .instance_surplus import FleetJournal, check_prune, surplus_of_fleet

TASK_OPTIONS = (
    *("state", "id", "instances_count", "purge_instances", "max_delete"),
    *("wait", "wait_timeout", "create_grace", "force_create", "access_data"),
)
"""Options of ``instance`` that an instance of a fleet does not have: they are for the whole, or one at a time."""

CONCURRENCY_RANGE = (1, 100)
FAILED = "failed"
FLEET_EXCLUSIVE: list[tuple[str, ...]] = [
    group for group in INSTANCE_RULES["mutually_exclusive"] if not set(group) & set(TASK_OPTIONS)
]


MEMBER_OPTIONS = {  # without defaults, so that it is known what was given
    name: {key: value for key, value in spec.items() if key != "default"}
    for name, spec in INSTANCE.items()
    if name not in TASK_OPTIONS
}
SHARED_OPTIONS = {
    name: spec for name, spec in MEMBER_OPTIONS.items() if name not in ("name", "ip_address_id", "ip_addresses")
}

FLEET_OPTIONS: OptionSpecs = {
    "state": INSTANCE["state"],
    "instances": {
        "type": "list",
        "elements": "dict",
        "required": True,
        "options": {**MEMBER_OPTIONS, "name": {**MEMBER_OPTIONS["name"], "required": True}},
        "mutually_exclusive": FLEET_EXCLUSIVE,
    },
    "instance_defaults": {
        "type": "dict",
        "options": SHARED_OPTIONS,
        "mutually_exclusive": [group for group in FLEET_EXCLUSIVE if set(group) <= set(SHARED_OPTIONS)],
    },
    "concurrency": {"type": "int", "default": 20},
    "fleet": {"type": "str"},
    "prune": {
        "type": "dict",
        "options": {
            "name_pattern": {"type": "str"},
            "from_journal": {"type": "bool", "default": False},
            "max_delete": {"type": "str"},
            "delete_disks": {"type": "bool"},
        },
    },
    **WAIT_OPTIONS,
    "create_grace": INSTANCE["create_grace"],
    "force_create": INSTANCE["force_create"],
}


def member_params(params: Params) -> list[JsonObject]:
    """Return the options of each instance in the form that ``instance`` takes. Raises InvalidInput."""
    own = {name: params[name] for name in ("wait", "wait_timeout", "create_grace", "force_create", "state")}
    shared = params.get("instance_defaults") or {}
    whole = [{**_merged(shared, instance), **own} for instance in params["instances"]]
    counts = Counter(instance["name"] for instance in whole)
    double = sorted(name for name, count in counts.items() if count > 1)
    if double:
        raise InvalidInput(f"instances: these names occur more than once: {', '.join(double)}.", option="instances")
    for number, instance in enumerate(whole):
        try:
            check_instance(instance)
        except FcdError as error:
            error.message = f"instances[{number}] ({instance['name']}): {error.message}"
            raise
    return whole


def _merged(shared: Params, instance: Params) -> JsonObject:
    """Return the options of an instance, with the common ones as defaults.

    If there are two ways to set one thing (ID, label), the instance's own setting overrides both.
    """
    given = {name for name in MEMBER_OPTIONS if instance.get(name) is not None}
    void = set().union(*(group for group in FLEET_EXCLUSIVE if given & set(group))) - given
    merged = {name: spec.get("default") for name, spec in INSTANCE.items()}
    merged.update((name, shared[name]) for name in SHARED_OPTIONS if shared.get(name) is not None and name not in void)
    merged.update((name, instance[name]) for name in given)
    return merged


def concurrency(params: Params) -> int:
    """Return how many requests may be in progress at the same time. Raises InvalidInput."""
    number: int = params["concurrency"]
    if not CONCURRENCY_RANGE[0] <= number <= CONCURRENCY_RANGE[1]:
        raise InvalidInput(
            f"concurrency: {number} is not between {CONCURRENCY_RANGE[0]} and {CONCURRENCY_RANGE[1]}.",
            option="concurrency",
        )
    return number


MAX_WAITING = 2  # names in a line of progress
MAX_TOLD = 5  # of names, and of different errors in one message
MAX_PAUSE, PAUSE = 60.0, 1.0  # seconds after too many requests: the most that is waited, and the default


class Fleet(DeclaredInstances):
    """The instances of one task, which share what they read and are worked on under one deadline."""

    def __init__(self, task: Task, params: Params) -> None:
        self.threads = concurrency(params)
        if params.get("prune") is not None:
            check_prune(params)
        self.instance_params = member_params(params)
        self.lists = FleetLists(
            infrastructure(task), task.clock, [instance["name"] for instance in self.instance_params]
        )
        view = FleetView(self.lists, self.lists.round)  # to plan, every list is read once
        super().__init__(task, params, view.api)
        self.journal: FleetJournal | None = None
        if params.get("fleet"):
            self.journal = FleetJournal(task, params["fleet"])
            if (params.get("prune") or {}).get("from_journal"):
                self.journal.require_whole()
            self.journal.warn_if_damaged()
        self._counts = self._last_told = ""  # how many have ended, and what was last said of the others, for a person

    def run(self) -> Result:
        """Bring all instances to their state; those that are to go are removed when all others exist."""
        members = self._find_members()
        extra = self._surplus()
        if any(isinstance(reference(one.params, "template"), str) for one in members):
            # planning would ask for the name of each template in use separately
            self.labels.fill((one.current for one in members if one.current is not None), "template")
        instances = self.bring_about(members, extra, "prune")
        if self.journal is not None and not self.task.check_mode:
            with mark_changed_on_error(any(map(has_changed_something, instances))):
                self.journal.note_results(instances)
        return fleet_result(instances)

    def _find_members(self) -> list[DeclaredInstance]:
        """Return the instances with the existing ones of their names.

        The filter for names is described as free text and no more, so what it does not find only counts as missing
        after the whole list was read. What an earlier task has started to create may be in no list yet. If instances
        are created, the create itself looks for that, for all of them in parallel; but one that must have a certain
        address would be refused before, because it already has it.
        """
        if not self.instance_params:
            return []
        found = self.lists.found.since(self.lists.round).by_name
        if any(params["name"] not in found for params in self.instance_params):
            found = self.lists.whole.since(self.lists.round).by_name
        members = [self._member(params, found.get(params["name"], [])) for params in self.instance_params]
        for one in members:
            if one.current is None and one.error is None and looks_early(self.task, one.params):
                find_under_way(one)
        return members

    def _member(self, params: Params, entries: t.Sequence[JsonObject]) -> DeclaredInstance:
        search = self.search
        instance = declared_instance(self.task, search, params, params["name"], lambda: search.records(entries))
        if isinstance(instance.error, Ambiguous):  # other errors come from naming what the instance refers to
            instance.error.next_step = "Remove or rename the others; their IDs identify them."
        return instance

    def _surplus(self) -> list[DeclaredInstance]:
        """Return the instances to remove because they are no longer declared."""
        prune = self.params.get("prune")
        if prune is None:
            return []

        listed = self.lists.whole.since(self.lists.round).all
        records = surplus_of_fleet(self.params, listed, self.journal, self.task.warn)
        self.search.name_references(*records)
        params = {**self.instance_params[0], "state": "absent", "delete_disks": prune["delete_disks"]}
        return [
            DeclaredInstance(self.task, self.search, {**params, "name": one["name"]}, one["name"], one)
            for one in records
        ]

    def plan(self, instances: InstanceSequence) -> None:
        """Plan for all. Raises InvalidInput if an option of any is wrong, before anything is sent."""
        wrong: dict[str, str] = {}
        for instance in instances:
            try:
                super().plan([instance])
            except InvalidInput as error:
                wrong[instance.name] = str(error).replace(f"Instance {instance.name!r}", "it")
        if not wrong:
            return
        names: dict[str, list[str]] = {}
        for name, text in wrong.items():
            names.setdefault(text, []).append(name)
        errors = [f"{join_names(some, MAX_TOLD)}: {text}" for text, some in names.items()]  # each is told once
        more = f" And so on, for {len(wrong)} instances." if len(errors) > MAX_TOLD else ""
        raise InvalidInput(
            f"Nothing was done, because not all instances are declared correctly. {' '.join(errors[:MAX_TOLD])}{more}",
            option="instances",
            names=list(wrong),
        )

    # ---------------------------------------------------------------- work

    def work(self, members: InstanceSequence, extra: InstanceSequence) -> None:
        """Carry out the plans. What is created is noted before; what was certainly not created is forgotten after."""
        task, journal = copy.copy(self.task), self.journal
        task.deadline = task.deadline.within(self.params["wait_timeout"], "wait")  # also limits the wait for locks
        if journal is None:
            self.carry_out(members, task)
        else:
            before, new = journal.requested(), [one for one in members if one.plan.action in CREATING]
            journal.note_requests({one.name: (one.current or {}).get("id") for one in new})
            self.carry_out(members, task)
            with mark_changed_on_error(any(map(has_changed_something, members))):
                # if nothing was created for certain, any instance of that name is somebody else's
                not_made = [one for one in new if one.ticket is None and isinstance(one.error, NO_EFFECT)]
                journal.forget_requests([one.name for one in not_made if one.name not in before])
        self.remove_surplus(members, extra, task)

    def search_for_work(self) -> InstanceSearch:
        """Return what finds instances for one of them; it never reads its own changes from an older list."""
        return InstanceSearch(FleetView(self.lists).api, self.labels)

    def job(self, instance: DeclaredInstance) -> Job[Outcome]:
        """Return the job; if all of it can be done again, too many requests cause a pause, not a failure."""
        again = instance.plan.action in (CREATE, DELETE, REPLACE)
        return self._pausing_job(instance) if again else instance.job()

    def _pausing_job(self, instance: DeclaredInstance) -> Job[Outcome]:
        clock = self.task.clock
        while True:
            try:
                return (yield from instance.job())
            except RateLimited as refusal:
                asked = refusal.details.get("retry_after")
                end = clock.monotonic() + min(PAUSE if asked is None else float(asked), MAX_PAUSE)
            while clock.monotonic() < end:
                yield Progress(f"Instance {instance.name!r}", "the service has had too many requests")

    def run_jobs(self, jobs: t.Mapping[str, Job[Outcome]], deadline: Deadline) -> dict[str, Outcome | FcdError]:
        """Run all jobs to their ends, with at most so many requests at the same time."""
        self._counts = f"0 of {len(jobs)} instances are done."
        return run_jobs(
            jobs,
            deadline,
            threads=self.threads,
            round_begins=self._begin_round,
            progress=lambda ended: self.report_ended(ended, len(jobs)),
        )

    def _begin_round(self, waiting: t.Mapping[str, Progress]) -> None:
        self.lists.round = self.task.clock.monotonic()  # whatever asks next has everything read again
        names = [f"{name} ({seen.progress})" if seen.progress else name for name, seen in waiting.items()]
        text = f"{self._counts} Waiting for {join_names(names, MAX_WAITING)}."
        if names and text != self._last_told:
            self.task.tell(text)
            self._last_told = text

    def report_ended(self, ended: t.Mapping[str, Outcome | FcdError], whole: int) -> None:
        """Report how many have ended, after each round in which one has."""
        failed = sum(isinstance(end, FcdError) for end in ended.values())
        more = f", {failed} of them failed" if failed else ""
        self._counts = f"{len(ended)} of {whole} instances are done{more}."
        self.task.tell(self._counts)


def run(task: Task, params: Params) -> Result:
    """Bring the declared instances to their state."""
    return Fleet(task, params).run()


OUTCOME_WORDS = {CREATE: "created", DELETE: "removed", UPDATE: "changed", None: "unchanged", FAILED: FAILED}


def fleet_result(instances: InstanceSequence) -> Result:
    """Return the result. If one of them failed, it says ``failed``; the rest is finished."""
    actions = Counter(
        OUTCOME_WORDS.get(FAILED if one.outcome is None else one.outcome.action, "changed") for one in instances
    )
    counts = {word: actions[word] for word in OUTCOME_WORDS.values()}
    outcomes = [_member_result(one) for one in instances]
    result: Result = {
        "changed": any(one["changed"] for one in outcomes),
        "outcomes": outcomes,
        **records_and_diffs(instances),
        "counts": counts,
    }
    return {**result, **_failure(instances, counts)} if counts[FAILED] else result


def _failure(instances: InstanceSequence, counts: t.Mapping[str, int]) -> Result:
    failed = [f"{one.name}: {one.error}" for one in instances if one.error is not None]
    more = f"; and {len(failed) - MAX_TOLD} more, see outcomes" if len(failed) > MAX_TOLD else ""
    done = ", ".join(f"{number} {word}" for word, number in counts.items() if number and word != FAILED)
    summary = f"{len(failed)} of {len(instances)} instances failed{f' ({done})' if done else ''}"
    return {"failed": True, "msg": f"{summary}: {'; '.join(failed[:MAX_TOLD])}{more}"}


def _member_result(instance: DeclaredInstance) -> Result:
    record = (instance.outcome and instance.outcome.record) or instance.current or {}
    known = {"name": instance.name, "id": record.get("id"), "ticket": instance.ticket}
    if instance.error is not None:
        return {**known, "action": FAILED, **failure_of(instance.error)}
    outcome = instance.require_outcome()
    return {**known, "action": outcome.action or "none", "changed": outcome.changed}


OPERATION = Operation(
    "instance_fleet",
    (REST,),
    FLEET_OPTIONS,
    run,
    members=tuple(instance_record({})),
    manages=ManagedObject("instance", "instances"),
)
