# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Syncs a folder and the objects below a prefix, or two prefixes.

Remote operations: docs/service/storage.md.
"""

from __future__ import annotations

import os
import typing as t

from .._connection.task import Operation, Params, Result, Task
from .._core.errors import DeadlinePassed, FcdError, InvalidInput, Unauthorized, Unreachable, Unusable
from .._core.text import join_names
from .._engine.plan import RemovalLimit
from .._engine.scheduler import map_in_threads, run_in_threads
from .checksum_cache import ChecksumCache
from .connection import features_of
from .features import UNLIMITED, Features
from .properties import misplaced_secrets
from .pull import Pull
from .push import ContainerCopy, Push
from .sync_mode import BlockedItem, Replacement, SyncItem, SyncJob, SyncMode, SyncPlan, SyncRun, Verdict, WorkQueue
from .sync_report import ItemResult, SyncReport, WarningLimit
from .sync_spec import COPY, PULL, PUSH, SIZE, SYNC_OPTIONS, SYNC_RULES, SyncSpec, sync_spec

MAX_SHOWN_DELETIONS = 10  # names in a message
CACHE = "checksums.sqlite"
MODE_CLASSES: t.Mapping[str, type[SyncMode[t.Any, t.Any]]] = {PULL: Pull, PUSH: Push, COPY: ContainerCopy}
HOPELESS = (Unauthorized, Unreachable, DeadlinePassed)  # errors that all other names would meet too


def _check(params: Params) -> None:
    sync_spec(params, UNLIMITED)
    RemovalLimit(params["max_delete"], "max_delete")


def run(task: Task, params: Params) -> Result:
    features = features_of(task)
    task.redactor.add(*(secret for rule in params["headers"] for secret in misplaced_secrets(rule.get("metadata"))))
    spec = sync_spec(params, features)
    limit = RemovalLimit(params["max_delete"], "max_delete")
    unused = not params["checksum_cache"] or spec.mode == COPY or params["compare"] == SIZE
    cache = ChecksumCache(None if unused else os.path.join(task.state_dir, CACHE), task.warn)
    try:
        return Sync(task, spec, features, cache).run(limit)
    finally:
        cache.close()


class Sync:
    """One run: plan, check the limits, transfer, and delete if everything else has succeeded."""

    def __init__(self, task: Task, spec: SyncSpec, features: Features, cache: ChecksumCache) -> None:
        self._task = task
        self._spec = spec
        self._report = SyncReport(spec.params["list_limit"], task.clock, task.tell)
        self._warnings = WarningLimit(task.warn)
        self._mode = MODE_CLASSES[spec.mode](SyncRun(task, spec, features, cache, self._warnings.add))

    def run(self, limit: RemovalLimit) -> Result:
        """Return the result. Raises FcdError if nothing was done."""
        plan = self._plan()
        self._warnings.end()
        if not (plan.items or plan.same or self._report.failures):
            warn_of_nothing(self._spec, self._task.warn)
        self._report.counts["unchanged"] = plan.same
        surplus = plan.surplus if self._spec.params["delete"] else []
        items = plan.items + [item for job in plan.replacements for item in job.items]
        self._check_removals(plan, surplus, items, limit)
        if items or surplus:
            self._task.begun.add("sync")
        if items:
            self._mode.prepare(items)
            self._within_time(self._transfer, plan, len(items))
            self._confirm()
        if surplus and self._report.failed:
            self._task.warn(f"Nothing was deleted, since there were failures: {len(surplus)} are surplus.")
        elif surplus:
            self._report.begin(f"surplus {self._mode.surplus_is}", len(surplus))
            self._within_time(self._mode.remove, surplus, self._report)
            self._confirm()
        return self._report.result(self._mode.target)

    def _plan(self) -> SyncPlan:
        """Compare the two sides. Only what there is to do is kept."""
        items: list[SyncItem] = []
        blocked: list[BlockedItem] = []
        surplus: list[t.Any] = []
        whole = same = 0
        for name, source, target in self._mode.pairs(self._report.fail):
            self._report.progress()
            whole += target is not None
            found = self._mode.judge(name, source, target)
            if isinstance(found, SyncItem):
                items.append(found)
            elif isinstance(found, BlockedItem):
                blocked.append(found)
            elif isinstance(found, FcdError):
                self._report.fail(name, found)
            elif found is Verdict.SURPLUS:
                surplus.append(target)
            else:
                same += found is Verdict.SAME
        plan = SyncPlan(items, [], surplus, whole, same)
        self._mode.settle(plan, blocked, self._report.fail)
        return plan

    def _check_removals(
        self, plan: SyncPlan, surplus: t.Sequence[t.Any], items: t.Sequence[SyncItem], limit: RemovalLimit
    ) -> None:
        """Raise InvalidInput if more would be removed than allowed.

        Raises Unusable if the source has an object of a name that is surplus, so that its listing is not complete.
        """
        replaced = [entry for job in plan.replacements for entry in job.surplus]
        names = sorted(entry.name for entry in [*surplus, *replaced])
        check_surplus(names, plan.whole, limit, self._mode.surplus_is)
        listed = {item.name for item in items}  # what is replaced makes room for an object of the same name
        names = [name for name in names if name not in listed]
        most = self._spec.params["connections"]
        found = map_in_threads(names, self._mode.source_has, deadline=self._task.deadline, most=most)
        unlisted = [repr(name) for name, is_there in zip(names, found) if is_there]
        if unlisted:
            raise Unusable(
                "delete: the listing of the source is not complete: it lacks "
                f"{join_names(unlisted, MAX_SHOWN_DELETIONS)}, which exist. Nothing was done.",
                next_step="Run the task again later.",
                operation="List objects",
            )

    def _confirm(self) -> None:
        """Take back what the service has accepted, and not done."""
        written, report = self._report.unconfirmed, self._report
        if written and not self._task.check_mode and report.stopped is None:
            try:
                for name in self._mode.undone(written):
                    report.take_back(name)
            except FcdError as error:
                report.stopped = error
        written.clear()

    def _within_time(self, act: t.Callable[..., None], *arguments: object) -> None:
        try:
            act(*arguments)
        except DeadlinePassed as error:
            self._report.stopped = error

    def _transfer(self, plan: SyncPlan, number: int) -> None:
        mode, report = self._mode, self._report
        report.counts["not_tried"] = number
        report.begin("objects", number)
        todo = WorkQueue(mode.send_together(plan.items, report), plan.replacements)

        def work(job: SyncJob) -> object:
            if isinstance(job, Replacement):
                return mode.replace(job)
            return [mode.read_small(item) for item in job] if isinstance(job, list) else mode.work(job)

        def ended(job: SyncJob, value: t.Any) -> None:
            done = 1
            if isinstance(job, Replacement):
                for name, one in value:
                    note(name, one)
                done = 1 if isinstance(value[0][1], FcdError) else len(job.items)
            elif isinstance(job, list):
                more = [item for item in map(mode.judge_small, job, value) if item is not None]
                todo.jobs.extendleft(
                    reversed(more)
                )  # before more is compared, so that an interrupted run has made progress
                done = len(job) - len(more)
                report.counts["unchanged"] += done
            else:
                if not isinstance(value, FcdError):
                    mode.remember(job, value)
                note(job.name, value)
            report.counts["not_tried"] -= done
            report.progress(done)

        def note(name: str, value: ItemResult | FcdError) -> None:
            if isinstance(value, FcdError):
                todo.stopped = todo.stopped or isinstance(value, HOPELESS)
                report.fail(name, value)
            else:
                report.add(name, value)

        most = self._spec.params["connections"]
        run_in_threads(todo, work, most=most, deadline=self._task.deadline, ended=ended)


def check_surplus(names: t.Sequence[str], whole: int, limit: RemovalLimit, what: str) -> None:
    """Raise InvalidInput if more would be deleted than allowed; ``whole`` is the number of objects or files there."""
    most = limit.of(whole)
    if len(names) > most:
        raise InvalidInput(
            f"delete: {len(names)} of {whole} {what} would be deleted "
            f"({join_names([repr(name) for name in names], MAX_SHOWN_DELETIONS)}), but at most {most} may be deleted. "
            "Nothing was done.",
            next_step=f"Check the source. To delete them, set max_delete to {len(names)}.",
            option="max_delete",
        )


def warn_of_nothing(spec: SyncSpec, warn: t.Callable[[str], None]) -> None:
    """Warn that nothing is selected, unless an empty source may be intended."""
    include, container, prefix = spec.params["include"], spec.container, spec.prefix
    option = "prefix"
    if spec.mode == COPY:
        option, (container, prefix) = "source_prefix", spec.source
    where = f"the container {container!r} below {prefix!r}" if prefix else f"the container {container!r}"
    if include:
        where = f"the folder {spec.root}" if spec.mode == PUSH else where
        warn(f"include: nothing in {where} is selected; check the patterns, {', '.join(map(repr, include))}.")
    elif prefix and spec.mode != PUSH:
        warn(f"{option}: nothing in {where} is selected; check the prefix.")


OPERATION = Operation("storage_sync", ("storage",), SYNC_OPTIONS, run, SYNC_RULES, check=_check)
