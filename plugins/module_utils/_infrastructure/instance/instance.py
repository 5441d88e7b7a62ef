# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Declared instances, one or several of one kind, each brought to its own state in one task.

Remote operations: docs/service/infrastructure.md.
"""

from __future__ import annotations

import typing as t
from functools import partial

from ..._connection.options import REST
from ..._connection.task import ManagedObject, Operation, Params, Result, Task
from ..._core.clock import Deadline
from ..._core.errors import FcdError, InvalidInput, OperationFailed, has_changed, mark_changed_on_error
from ..._core.type_aliases import JsonObject
from ..._engine.plan import DELETE, REPLACE, Outcome, predict
from ..._engine.scheduler import Job, run_jobs
from ..api import Infrastructure, infrastructure
from ..rest_creation import RestCreation
from .desired_instance import NAMELESS
from .instance_change_plans import with_labels
from .instance_creation import access_data
from .instance_failures import explain_failure, failure_of_several
from .instance_options import (
    COUNT,
    INSTANCE_OPTIONS,
    INSTANCE_RULES,
    Labels,
    check_instance,
    instance_names,
    missing_options,
    numbered_names,
)
from .instance_planning import CREATING, DeclaredInstance, InstanceSequence
from .instance_records import (
    INSTANCE_FIELDS,
    InstanceSearch,
    instance_record,
    is_busy,
    only_instance,
)
from .instance_surplus import keep_after_failures, retain_pending, surplus_of_count


class DeclaredInstances:
    """The instances of one task: planned, then brought to their states side by side by the one scheduler.

    A fleet is the same with more of them: it shares what they read, and works on several at the same time.
    """

    def __init__(self, task: Task, params: Params, api: Infrastructure) -> None:
        self.task = task
        self.params = params
        self.labels = Labels(api)
        self.search = InstanceSearch(api, self.labels)

    def bring_about(self, members: InstanceSequence, extra: InstanceSequence, option: str) -> InstanceSequence:
        """Bring all instances to their states and return them; ``option`` is what asks to remove the ``extra`` ones.

        In check mode, the outcome of each plan is noted instead. Raises InvalidInput if an option is wrong.
        """
        instances = [*members, *extra]
        self.plan(instances)
        if extra:
            keep_after_failures(members, extra)
            if not self.params["wait"]:
                retain_pending(members, extra, option, self.task.warn)
        if not self.task.check_mode:
            self.work(members, extra)
        for instance in instances:
            if instance.error is None and instance.outcome is None:
                instance.outcome = predict_outcome(instance)
                self._record_planned_removal_of_disks(instance)
            outcome = instance.outcome
            if outcome is not None:  # what was read meanwhile names both sides of a diff
                sides = (outcome.record or {}, outcome.before, outcome.after)
                self.labels.fill(sides, *NAMELESS, ask=False)
        return instances

    def plan(self, instances: InstanceSequence) -> None:
        """Plan for all that have no error yet. Raises InvalidInput if an option is wrong."""
        for instance in instances:
            if instance.error is None:
                instance.make_plan()

    def work(self, members: InstanceSequence, extra: InstanceSequence) -> None:
        """Carry out the plans, those of the surplus last."""
        self.carry_out(members, self.task)
        self.remove_surplus(members, extra, self.task)

    def remove_surplus(self, members: InstanceSequence, extra: InstanceSequence, task: Task) -> None:
        """Remove the surplus after the work on the others, unless some of these failed."""
        if extra:
            keep_after_failures(members, extra)
            self.carry_out(extra, task)

    def carry_out(self, instances: InstanceSequence, task: Task) -> None:
        """Carry out the plans and note the outcome in each instance.

        Returns at once if there is nothing to do or to wait for. The deadline of ``task`` limits the wait for locks.
        """
        busy = {instance_key(one): one for one in instances if one.error is None and _needs_work(one)}
        if not busy:
            return
        for one in busy.values():
            one.task, one.search = task, self.search_for_work()
        deadline = task.deadline.within(self.params["wait_timeout"], "wait")
        results = self.run_jobs({key: self.job(one) for key, one in busy.items()}, deadline)
        for key, one in busy.items():
            result = results[key]
            if isinstance(result, Outcome):
                one.outcome = result
            else:
                one.error = result
                explain_failure(one, result)

    def search_for_work(self) -> InstanceSearch:
        """Return what finds instances while one of them is being worked on."""
        return self.search

    def job(self, instance: DeclaredInstance) -> Job[Outcome]:
        """Return the job that carries out the plan of an instance."""
        return instance.job()

    def run_jobs(self, jobs: t.Mapping[str, Job[Outcome]], deadline: Deadline) -> dict[str, Outcome | FcdError]:
        """Run all jobs to their ends in this thread."""
        return run_jobs(jobs, deadline, tell=self.task.tell)

    def _record_planned_removal_of_disks(self, instance: DeclaredInstance) -> None:
        """Have later tasks of a run in check mode know which disks go with an instance."""
        planned_objects, current = self.task.planned_objects, instance.current
        removed = instance.plan.action in (DELETE, REPLACE) and instance.params.get("delete_disks")
        if planned_objects is None or current is None or not removed:
            return
        for disk in self.search.api.list_instance_disks(current["id"]):
            if len(disk.get("Connections") or ()) == 1:
                planned_objects.add(self.task, "disk", disk["Id"], None)


def instance_key(instance: DeclaredInstance) -> str:
    """Return a key that is different for each instance; existing ones may share a name."""
    return instance.name if instance.current is None else f"{instance.name} ({instance.current['id']})"


def run(task: Task, params: Params) -> Result:
    """Bring the declared instances to their state."""
    check_instance(params)
    declared = DeclaredInstances(task, params, infrastructure(task))
    members, extra = _find_instances(task, declared.search, params)
    instances = declared.bring_about(members, extra, "purge_instances")
    single = len(instances) == 1 and not params["purge_instances"]
    result = _result_of_one(instances[0]) if single else result_of_several(params["name"], instances)
    if params["access_data"]:
        with mark_changed_on_error(result["changed"] and not task.check_mode):
            result["access_data"] = _read_access_data(instances[0])
    return result


# ---------------------------------------------------------------- finding


def _find_instances(task: Task, search: InstanceSearch, params: Params) -> tuple[InstanceSequence, InstanceSequence]:
    """Return the declared instances and, if the count may shrink, those that it leaves out."""
    if params.get("id") is not None:
        return [_find_by_id(task, search, params)], []
    names = instance_names(params)
    extra: list[DeclaredInstance] = []
    if params["purge_instances"]:
        family = search.in_whole_list(numbered_names(params["name"], COUNT[1]))
        found = {name: family.get(name, []) for name in names}
        absent = {**params, "state": "absent"}
        surplus = surplus_of_count(params, family, names)
        extra = [DeclaredInstance(task, search, absent, one["name"], one) for one in surplus]
    else:
        found = search.by_names(names)
        _check_more(task, params, names, search.listed)
        _check_single(params, names, search.listed)
    instances = [declared_instance(task, search, params, name, partial(found.__getitem__, name)) for name in names]
    for instance in instances:
        if instance.current is None and instance.error is None:
            find_under_way(instance)
    return instances, extra


def _find_by_id(task: Task, search: InstanceSearch, params: Params) -> DeclaredInstance:
    current, absent = search.by_id(params["id"]), params["state"] == "absent"
    if current is None and not absent:
        raise InvalidInput(
            f"There is no instance with the ID {params['id']}.",
            next_step="Check the ID; omit it to have a new instance created.",
            option="id",
        )
    name = params["name"] or params["id"] if current is None else current["name"]
    found = DeclaredInstance(task, search, params, str(name), current)
    if absent:
        found.require_same(current)
    return found


def _check_more(task: Task, params: Params, names: t.Collection[str], listed: t.Container[str | None]) -> None:
    """Say that instances with other numbers are there, which a smaller count does not remove by itself.

    Raises InvalidInput where one without a number would be created beside them.
    """
    count, name = params["instances_count"], params["name"]
    more = [one for one in numbered_names(name, COUNT[1]) if one in listed and one not in names]
    if count is None or not more:
        return
    if count > 1 or params["state"] == "absent":
        exist, them = ("instances exist", "them") if len(more) > 1 else ("instance exists", "it")
        problem = f"instances_count is {count}, and {len(more)} more {exist}: {', '.join(more)}."
        task.warn(f"{problem} Set purge_instances: true to remove {them}.")
    elif name not in listed:
        raise InvalidInput(
            f"instances_count: with 1, {name!r} would be created beside {', '.join(more)}. Nothing was done.",
            next_step=f"To keep only {name}-1, set purge_instances: true. To create {name!r}, omit instances_count.",
            option="instances_count",
        )


def _check_single(params: Params, names: t.Sequence[str], listed: t.Container[str | None]) -> None:
    """Raise InvalidInput where the first ones with numbers would be created beside one without a number."""
    name = params["name"]
    if params["state"] == "absent" or name not in listed or names == [name] or any(one in listed for one in names):
        return
    raise InvalidInput(
        f"instances_count: {', '.join(names)} would be created beside {name!r}. Nothing was done.",
        next_step=f"To keep {name!r} as the first one, rename it: id, with name: {name}-1. To keep it as it is, omit "
        "instances_count, or give another name.",
        option="instances_count",
    )


def declared_instance(
    task: Task, search: InstanceSearch, params: Params, name: str, read: t.Callable[[], t.Sequence[JsonObject]]
) -> DeclaredInstance:
    """Return the declared instance with what a list has of that name; the note of its create keeps the number."""
    instance = DeclaredInstance(task, search, params, name)
    try:
        instance.current = only_instance(name, read())
    except FcdError as error:
        instance.error = error
    if instance.current is not None and instance.has_note():
        instance.trace(name).note.keep(instance.current["id"])
    return instance


def find_under_way(instance: DeclaredInstance) -> None:
    """Look for what was or is being created and the list does not show yet: by the note of an earlier task.

    If nothing is created, or a needless create would be refused, also by the tickets; otherwise the create itself looks
    there.
    """
    params, noted = instance.params, instance.has_note()
    final = looks_early(instance.task, params) or bool(missing_options({**params, "name": instance.name}))
    if not noted and not final:
        return

    creation = RestCreation(instance, {"name": instance.name})
    try:
        found = creation.trace.find() if noted else None
    except OperationFailed as error:  # it has another name
        instance.error = error
        return
    if found is None and final:
        found = creation.find_in_tickets(instance.task.clock.now())
    if found is not None:
        instance.current = found.record
        instance.under_way = found.record is None


def looks_early(task: Task, params: Params) -> bool:
    """Return whether no create will look for it, or would be refused because the instance has the address."""
    return task.check_mode or params["state"] == "absent" or bool(params["ip_addresses"])


# ---------------------------------------------------------------- outcomes


def predict_outcome(instance: DeclaredInstance) -> Outcome:
    """Return the outcome of a plan that is not carried out."""
    plan = instance.plan
    if plan.changed:
        plan = plan._replace(after=with_labels(plan.after, instance.labels))
    return predict(instance.fields, plan, instance.current)


def _needs_work(instance: DeclaredInstance) -> bool:
    """Return whether there is anything to do or to wait for."""
    params, current = instance.params, instance.current
    waits = params["wait"] and params["state"] != "absent"
    return instance.plan.changed or bool(waits and current is not None and is_busy(current))


def _read_access_data(instance: DeclaredInstance) -> JsonObject | None:
    """Return the access data of an existing instance; only those of a new one are waited for.

    The service may show a password only once: for an older instance, there may never be more than now.
    """
    outcome = instance.require_outcome()
    number = (outcome.record or {}).get("id")
    if number is None:
        return None

    is_new = outcome.action in CREATING and not instance.task.check_mode
    return access_data(instance, number, wait=is_new and instance.params["wait"])


# ---------------------------------------------------------------- results


def _result_of_one(instance: DeclaredInstance) -> Result:
    outcome = instance.require_outcome()
    return {
        "changed": outcome.changed,
        "action": outcome.action or "none",
        "instance": outcome.record,
        "instances": [] if outcome.record is None else [outcome.record],
        "ticket": instance.ticket,
        "diff": outcome.diff,
        **({"forced_by": list(outcome.forced_by)} if outcome.forced_by else {}),
    }


def result_of_several(name: str, instances: InstanceSequence) -> Result:
    """Return one result for all instances. If one of them failed, it says ``failed``; the rest is finished."""
    result: Result = {
        "changed": any(map(has_changed_something, instances)),
        **records_and_diffs(instances),
        "actions": {one.name: one.outcome.action or "none" for one in instances if one.outcome is not None},
        "tickets": {one.name: one.ticket for one in instances if one.ticket is not None},
    }
    failed = {one.name: one.error for one in instances if one.error is not None}
    if not failed:
        return result

    return {**result, **failure_of_several(name, failed, len(instances))}


def has_changed_something(instance: DeclaredInstance) -> bool:
    """Return whether the work on an instance has changed something."""
    if instance.error is not None:
        return has_changed(instance.error)
    return instance.outcome is not None and instance.outcome.changed


def records_and_diffs(instances: InstanceSequence) -> Result:
    """Return the records of existing instances, and the diffs of those that were changed."""
    outcomes = [(instance.name, instance.outcome) for instance in instances if instance.outcome is not None]
    return {
        "instances": [outcome.record for _name, outcome in outcomes if outcome.record is not None],
        "diff": [
            {**outcome.diff, "before_header": name, "after_header": name}
            for name, outcome in outcomes
            if outcome.changed
        ],
    }


OPERATION = Operation(
    "instance",
    (REST,),
    INSTANCE_OPTIONS,
    run,
    INSTANCE_RULES,
    returns_secrets=lambda result: result.get("access_data") is not None,
    fields=INSTANCE_FIELDS,
    members=tuple(instance_record({})),
    manages=ManagedObject("instance", "instances"),
    check=check_instance,
)
