# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Declared instances, one or several of one kind, each brought to its own state in one task.

Remote operations: wire-facts sections 5 and 8. What only a change needs is imported by the functions that change.
"""

from __future__ import annotations

import time
import typing as t
from functools import partial

from ..._connection.options import REST
from ..._connection.task import Operation, Result, Task
from ..._core.errors import CHANGED, FcdError, InvalidInput, WaitTimeout, has_changed
from ..._engine.plan import Plan
from ..._engine.reconcile import Outcome
from ..api import infrastructure
from ..rest_records import ReferenceNames, Row
from .instance_options import (
    COUNT,
    INSTANCE_OPTIONS,
    INSTANCE_RULES,
    Labels,
    Params,
    check_instance,
    instance_names,
    missing_options,
)
from .instance_planning import MADE, InstancePlanner, Wanted, with_labels
from .instance_records import (
    FIELDS,
    InstanceContext,
    InstanceSearch,
    context_of,
    instance_record,
    note_of_instance,
    only_instance,
    unsettled,
    without_later,
)

if t.TYPE_CHECKING:
    from ..._core.clock import Deadline
    from ..._engine.change import Ticket
    from ..._engine.scheduler import Job
    from ..api import Infrastructure
    from .instance_work import InstanceWork


class DeclaredInstance:
    """One declared instance, with what is known and planned of it, and in the end its outcome or error.

    ``under_way`` says that an earlier task has started its creation, and it cannot be seen yet. ``ticket`` is the
    number of the last operation that was started.
    """

    def __init__(self, name: str, params: Params, current: Row | None = None, error: FcdError | None = None) -> None:
        self.name = name
        self.params = params
        self.current = current
        self.error = error
        self.under_way = False
        self.wanted: Wanted = {}
        self.plan = Plan(None)
        self.outcome: Outcome | None = None
        self.ticket: int | None = None

    def ended(self) -> Outcome:
        """Return what came of it in the end, or raise its error."""
        if self.error is not None:
            raise self.error
        if self.outcome is None:
            raise AssertionError(self.name)
        return self.outcome


class DeclaredInstances:
    """The instances of one task: planned, then brought to their states side by side by the one scheduler.

    A fleet is the same with more of them: it shares what they read, and works on several at the same moment.
    """

    def __init__(self, task: Task, params: Params, api: Infrastructure) -> None:
        self.task = task
        self.params = params
        self.names = ReferenceNames(api)
        self.search = InstanceSearch(api, self.names)
        self.labels = Labels(api, self.names)

    def plan(self, instances: t.Sequence[DeclaredInstance]) -> None:
        """Plan for all in which nothing is wrong yet. Raises InvalidInput when an option is wrong."""
        for instance in instances:
            if instance.error is None:
                self.planner(instance.params).plan(instance)

    def planner(self, params: Params) -> InstancePlanner:
        """Return what plans for instances with these options."""
        return InstancePlanner(self.task, self.labels, params)

    def carry_out(self, instances: t.Sequence[DeclaredInstance], task: Task) -> None:
        """Carry out the plans and note in each instance what came of it.

        Without anything to do or to wait for it returns at once. The deadline of ``task`` bounds the wait for locks.
        """
        busy = {instance_key(one): one for one in instances if one.error is None and needs_work(one)}
        if not busy:
            return
        from .instance_work import InstanceWork

        works, deadline = {}, task.deadline.within(self.params["wait_timeout"], "wait")
        for key, one in busy.items():
            context = context_of(task, self.search_of_work(), one.params, deadline)
            works[key] = InstanceWork(context, one, self.planner(one.params))
        ended = self.run_jobs({key: self.job(work) for key, work in works.items()}, deadline)
        for key, one in busy.items():
            note_end(one, ended[key], works[key].context)

    def carry_out_surplus(
        self, members: t.Sequence[DeclaredInstance], extra: t.Sequence[DeclaredInstance], task: Task
    ) -> None:
        """Remove the surplus after the work on the others, unless some of these failed."""
        if extra:
            from .surplus_instances import keep_after_failures

            keep_after_failures(members, extra)
            self.carry_out(extra, task)

    def search_of_work(self) -> InstanceSearch:
        """Return what finds instances while one of them is worked on."""
        return self.search

    def job(self, work: InstanceWork) -> Job[Outcome]:
        """Return the job that carries out the plan of an instance."""
        return work.job()

    def run_jobs(self, jobs: t.Mapping[str, Job[Outcome]], deadline: Deadline) -> dict[str, Outcome | FcdError]:
        """Run all jobs to their ends in this thread."""
        from ..._engine.scheduler import run_jobs

        return run_jobs(jobs, deadline, tell=self.task.tell)

    def foresee(self, instances: t.Iterable[DeclaredInstance]) -> None:
        """Note in those that were not worked on what their plans say."""
        for instance in instances:
            if instance.error is None and instance.outcome is None:
                instance.outcome = foreseen_outcome(self.labels, instance)


def instance_key(instance: DeclaredInstance) -> str:
    """Return what no two instances share; those that are there may share a name."""
    return instance.name if instance.current is None else f"{instance.name} ({instance.current['id']})"


def run(task: Task, params: Params) -> Result:
    """Bring the declared instances to their state."""
    check_instance(params)
    declared = DeclaredInstances(task, params, infrastructure(task))
    members, extra = _found(task, declared.search, params)
    instances = [*members, *extra]
    declared.plan(instances)
    if extra:
        _keep_what_is_needed(task, params, members, extra)
    if not task.check_mode:
        declared.carry_out(members, task)
        declared.carry_out_surplus(members, extra, task)
    declared.foresee(instances)
    single = len(instances) == 1 and not params["purge_instances"]
    result = _result_of_one(instances[0]) if single else result_of_several(params["name"], instances)
    if params["access_data"]:
        from ..._core.errors import mark_changed_on_error

        with mark_changed_on_error(result["changed"] and not task.check_mode):
            result["access_data"] = _access_data(task, declared.search, instances[0])
    return result


def _keep_what_is_needed(
    task: Task, params: Params, members: t.Sequence[DeclaredInstance], extra: t.Sequence[DeclaredInstance]
) -> None:
    """Leave the surplus alone where it is certain that not all that is counted is there, or nobody waits for it."""
    from .surplus_instances import keep_after_failures, keep_while_coming

    keep_after_failures(members, extra)
    if not params["wait"]:
        keep_while_coming(members, extra, "purge_instances", task.warn)


def _found(task: Task, search: InstanceSearch, params: Params) -> tuple[list[DeclaredInstance], list[DeclaredInstance]]:
    """Return the declared instances and, where the count may shrink, those that it leaves out."""
    if params.get("id") is not None:
        return [_found_by_id(search, params)], []
    names = instance_names(params)
    extra: list[DeclaredInstance] = []
    if params["purge_instances"]:
        from .surplus_instances import surplus_of_count

        family = search.numbered(params["name"], COUNT[1])
        found = {name: family.get(name, []) for name in names}
        gone = {**params, "state": "absent"}
        extra = [DeclaredInstance(one["name"], gone, one) for one in surplus_of_count(params, family, names)]
    else:
        found = search.by_names(names)
        _warn_of_more(task, params, len(names), search.listed)
    instances = [instance_as_found(task, params, name, partial(found.__getitem__, name)) for name in names]
    for instance in instances:
        if instance.current is None and instance.error is None:
            find_under_way(task, search, instance)
    return instances, extra


def _warn_of_more(task: Task, params: Params, count: int, listed: t.Container[str | None]) -> None:
    """Say that instances with higher numbers are there, which a smaller count does not remove by itself."""
    higher = [f"{params['name']}-{number}" for number in range(count + 1, COUNT[1] + 1)]
    more = [name for name in higher if name in listed]
    if more and count > 1 and params["state"] != "absent":
        task.warn(
            f"instances_count is {count}, and {len(more)} more instance{'s exist' if len(more) > 1 else ' exists'}: "
            f"{', '.join(more)}. Set purge_instances: true to remove {'them' if len(more) > 1 else 'it'}."
        )


def instance_as_found(
    task: Task, params: Params, name: str, listed: t.Callable[[], t.Sequence[Row]]
) -> DeclaredInstance:
    """Return the declared instance with what a list has of that name; then the note of its create is dropped."""
    try:
        current = only_instance(name, listed())
    except FcdError as error:
        return DeclaredInstance(name, params, error=error)
    if current is not None:
        note_of_instance(task, name).shown()
    return DeclaredInstance(name, params, current)


def find_under_way(task: Task, search: InstanceSearch, instance: DeclaredInstance) -> None:
    """Look for what was made, or is being made, and the list does not show yet: by the note of an earlier task.

    Where nothing is created, or a create that is not needed would be refused, by the tickets too; otherwise the create
    itself looks there.
    """
    params = instance.params
    noted = note_of_instance(task, instance.name).lead() is not None
    final = looks_early(task, params) or bool(missing_options({**params, "name": instance.name}))
    if not noted and not final:
        return
    from .instance_creation import InstanceCreation

    creation = InstanceCreation(context_of(task, search, params), {"name": instance.name})
    found = (creation.noted() if noted else None) or (creation.ticketed() if final else None)
    if found is not None:
        instance.current = found["record"]
        instance.under_way = found["record"] is None


def looks_early(task: Task, params: Params) -> bool:
    """Return whether no create is going to look for it, or would be refused since the instance has the address."""
    return task.check_mode or params["state"] == "absent" or bool(params["ip_addresses"])


def _found_by_id(search: InstanceSearch, params: Params) -> DeclaredInstance:
    current = search.by_id(params["id"])
    if current is not None:
        return DeclaredInstance(str(current["name"]), params, current)
    if params["state"] != "absent":
        raise InvalidInput(
            f"There is no instance with the number {params['id']}.",
            next_step="Check the number; leave it out to have a new instance made.",
            option="id",
        )
    return DeclaredInstance(str(params["name"] or params["id"]), params)


def foreseen_outcome(labels: Labels, instance: DeclaredInstance) -> Outcome:
    """Return what a plan that is not carried out says."""
    plan, current = instance.plan, instance.current
    if plan.action is None:
        return Outcome(None, current, plan.before, plan.after)
    after = with_labels(plan.after, labels)
    record = {name: value for name, value in without_later(after).items() if name != "init_script"}
    return Outcome(plan.action, record or None, plan.before, after, plan.forced_by)


def needs_work(instance: DeclaredInstance) -> bool:
    """Return whether something has to be done or waited for."""
    if instance.plan.changed:
        return True
    params, current = instance.params, instance.current
    return bool(params["wait"] and params["state"] != "absent" and current is not None and unsettled(current))


def note_end(instance: DeclaredInstance, end: Outcome | FcdError, context: InstanceContext) -> None:
    """Note what came of the work."""
    if isinstance(end, Outcome):
        instance.outcome = end
        return
    instance.error = end
    from ..._engine.change import explain

    explain(end, context.change.changes)
    if instance.ticket is not None:
        end.details.setdefault("ticket", instance.ticket)
    elif isinstance(end, WaitTimeout) and instance.current is not None:
        name_ticket(context, instance.current, end)


def _result_of_one(instance: DeclaredInstance) -> Result:
    outcome = instance.ended()
    return {
        "changed": outcome.changed,
        "action": outcome.action or "none",
        "instance": outcome.record,
        "instances": [] if outcome.record is None else [outcome.record],
        "ticket": instance.ticket,
        "diff": outcome.diff,
        **({"forced_by": list(outcome.forced_by)} if outcome.forced_by else {}),
    }


def _access_data(task: Task, search: InstanceSearch, instance: DeclaredInstance) -> dict[str, t.Any] | None:
    """Return the access data of an instance that is there; only those of a new one are waited for.

    The service may show a password once: for an older instance there may never be more than it tells now.
    """
    outcome = instance.ended()
    number = (outcome.record or {}).get("id")
    if number is None:
        return None
    from .instance_creation import access_data

    fresh = outcome.action in MADE and not task.check_mode
    params = {**instance.params, "wait": instance.params["wait"] and fresh}
    return access_data(context_of(task, search, params), number, instance.name)


OPERATION = Operation(
    "instance",
    (REST,),
    INSTANCE_OPTIONS,
    run,
    INSTANCE_RULES,
    returns_secrets=lambda result: result.get("access_data") is not None,
    fields=FIELDS,
    told=tuple(instance_record({})),
)


def result_of_several(name: str, instances: t.Sequence[DeclaredInstance]) -> Result:
    """Return one result for all instances. With a failure among them it says ``failed``; the rest is finished."""
    outcomes = {instance.name: instance.outcome for instance in instances if instance.outcome is not None}
    failed = {instance.name: instance.error for instance in instances if instance.error is not None}
    result: Result = {
        "changed": any(map(has_changed_something, instances)),
        **records_and_diffs(instances),
        "actions": {one: outcome.action or "none" for one, outcome in outcomes.items()},
        "tickets": {instance.name: instance.ticket for instance in instances if instance.ticket is not None},
    }
    return {**result, **_failure(name, failed, len(instances))} if failed else result


def has_changed_something(instance: DeclaredInstance) -> bool:
    """Return whether the work on an instance has changed something."""
    if instance.error is not None:
        return has_changed(instance.error)
    return instance.outcome is not None and instance.outcome.changed


def records_and_diffs(instances: t.Sequence[DeclaredInstance]) -> Result:
    """Return the records of those that are there, and the differences of those that were changed."""
    outcomes = [(instance.name, instance.outcome) for instance in instances if instance.outcome is not None]
    return {
        "instances": [outcome.record for _name, outcome in outcomes if outcome.record is not None],
        "diff": [
            {**outcome.diff, "before_header": name, "after_header": name}
            for name, outcome in outcomes
            if outcome.changed
        ],
    }


def _failure(name: str, failed: t.Mapping[str, FcdError], count: int) -> Result:
    listed = "; ".join(f"{one}: {error}" for one, error in failed.items())
    return {
        "failed": True,
        "msg": f"{len(failed)} of the {count} instances {name}-1 to {name}-{count} failed: {listed}",
        "failures": [{"name": one, **failure_of(error)} for one, error in failed.items()],
    }


def failure_of(error: FcdError) -> Result:
    """Return what the result of several tells of one that failed."""
    told = error.as_result()
    return {"changed": bool(told["error"].pop(CHANGED, False)), **told}


OLDEST_TICKET = 24 * 3600.0  # seconds; a ticket that hangs may be old


def name_ticket(context: InstanceContext, current: Row, error: FcdError) -> None:
    """Add to the error which ticket runs on the instance or on its system disk, where the service lists one."""
    from ..._engine.change import is_over

    start = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(context.change.task.clock.now() - OLDEST_TICKET))
    try:
        tickets = context.api.list_tickets(creation_date_from=start)
    except FcdError:
        return
    running = [one for one in tickets if _is_on(one, current) and not is_over(one)]
    if running:
        newest = max(running, key=lambda one: int(one["Id"]))
        label = (newest.get("OperationType") or {}).get("Label")
        told = f"{f'{label}, ' if label else ''}{newest.get('Progress') or 0} %"
        error.message += f" Ticket {newest['Id']} runs on it ({told})."
        error.details["ticket"] = newest["Id"]


def _is_on(ticket: Ticket, current: Row) -> bool:
    from ..._engine.change import INSTANCE_OBJECT, object_type_of_ticket

    of_instance = object_type_of_ticket(ticket) == INSTANCE_OBJECT
    return bool(ticket.get("ObjectId") == (current["id"] if of_instance else current.get("system_disk_id", 0)))
