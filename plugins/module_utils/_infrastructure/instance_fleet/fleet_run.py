# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Carrying out the plans of a fleet: many instances at the same time, under one deadline."""

from __future__ import annotations

import copy
import typing as t

from ..._connection.task import Task
from ..._core.errors import FcdError, RateLimited
from ..._engine.plan import CREATE, DELETE, REPLACE
from ..._engine.reconcile import Outcome
from ..._engine.scheduler import Job, Progress, run_jobs
from ..instance.declared_instances import DeclaredInstance, context_of, needs_work, note_end
from ..instance.instance_options import Params
from ..instance.instance_planning import InstancePlanner
from ..instance.instance_records import InstanceSearch
from ..instance.instance_work import InstanceWork
from ..rest_records import ReferenceNames
from .fleet_view import FleetLists, FleetView

if t.TYPE_CHECKING:
    from .fleet import FleetMember

LONGEST_REST, REST = 60.0, 1.0  # seconds after a refusal for too many requests: what may be asked for, and without


class FleetRun:
    """Works on instances, at most ``most`` at the same moment, under one deadline for the whole task."""

    def __init__(
        self,
        task: Task,
        lists: FleetLists,
        names: ReferenceNames,
        params: Params,
        most: int,
        planner: t.Callable[[Params], InstancePlanner],
    ) -> None:
        self._task = copy.copy(task)  # with the deadline of the waiting, which locks are waited for by, too
        self._task.deadline = self._deadline = task.deadline.within(params["wait_timeout"], "wait")
        self._lists = lists
        self._names = names
        self._most = most
        self._planner = planner

    def work(self, members: t.Sequence[FleetMember]) -> None:
        """Carry out the plans and note in each instance what came of it."""
        busy = [
            member for member in members if member.instance.error is None and needs_work(member.params, member.instance)
        ]
        if not busy:
            return
        works = {_key(instance): self._work_of(instance, params) for instance, params in busy}
        jobs = {_key(instance): self._job(works[_key(instance)], instance) for instance, _params in busy}
        ended = run_jobs(
            jobs,
            self._deadline,
            threads=self._most,
            round_begins=self._lists.begin_round,
            progress=lambda done: self._tell(done, len(busy)),
        )
        for instance, _params in busy:
            note_end(instance, ended[_key(instance)], works[_key(instance)])

    def _work_of(self, instance: DeclaredInstance, params: Params) -> InstanceWork:
        context = context_of(self._task, InstanceSearch(FleetView(self._lists), self._names), params)
        context = context._replace(change=context.change._replace(deadline=self._deadline))
        return InstanceWork(context, instance.name, instance.wanted, self._planner(params))

    def _job(self, work: InstanceWork, instance: DeclaredInstance) -> Job[Outcome]:
        """Return the job; where all of it can be done again, too many requests are no failure but a pause."""
        if instance.plan.action not in (CREATE, DELETE, REPLACE):
            return work.job(instance.plan, instance.current)
        return self._patient(work, instance)

    def _patient(self, work: InstanceWork, instance: DeclaredInstance) -> Job[Outcome]:
        clock = self._task.clock
        while True:
            try:
                return (yield from work.job(instance.plan, instance.current))
            except RateLimited as refusal:
                asked = refusal.details.get("retry_after")
                end = clock.monotonic() + min(REST if asked is None else float(asked), LONGEST_REST)
            while clock.monotonic() < end:
                yield Progress(f"Instance {instance.name!r}", "the service has had too many requests")

    def _tell(self, ended: t.Mapping[str, t.Any], whole: int) -> None:
        failed = sum(isinstance(end, FcdError) for end in ended.values())
        self._task.tell(f"{len(ended)} of {whole} instances are done{f', {failed} of them failed' if failed else ''}.")


def _key(instance: DeclaredInstance) -> str:
    """Return what no two instances share; those that are there may share a name."""
    return instance.name if instance.current is None else f"{instance.name} ({instance.current['id']})"
