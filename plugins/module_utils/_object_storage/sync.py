# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bring a folder and the objects below a prefix in sync, or two prefixes.

Remote operations: contract object-storage.md, wire-facts section 10.
"""

from __future__ import annotations

import os
import typing as t

from .._connection.task import Operation, Params, Result, Task
from .._core.errors import DeadlinePassed, FcdError, InvalidInput, Unauthorized, Unreachable
from .._core.text import listed
from .._engine.plan import RemovalLimit
from .._engine.scheduler import side_by_side
from .checksum_cache import ChecksumCache
from .connection import object_storage, require_settings, service_features
from .limits import Features, Limits
from .local_tree import Problem
from .march import FileDigest, FileToRead, SyncItem, SyncPlan, SyncRun, Verdict, WorkQueue, compare_trees, read_all
from .metadata import misplaced_secrets
from .sync_report import ItemResult, SyncReport, WarningLimit
from .sync_spec import COPY, OPTIONS, PULL, PUSH, RULES, SIZE, SyncSpec, sync_spec

SHOWN = 10  # names in a message
CACHE = "checksums.sqlite"
HOPELESS = (Unauthorized, Unreachable, DeadlinePassed)  # what fails so for one fails so for all


def run(task: Task, params: Params) -> Result:
    """Do what the options of the module say."""
    require_settings(task)
    features = Features(lambda: service_features(task))
    for secret in (secret for rule in params["headers"] for secret in misplaced_secrets(rule.get("metadata"))):
        task.redactor.add(secret)
    spec = sync_spec(params, Limits(features.limits))
    limit = RemovalLimit(params["max_delete"], "max_delete")
    cache = ChecksumCache(_cache_path(task, params), task.warn)
    try:
        return Sync(task, spec, features, cache).run(limit)
    finally:
        cache.close()


def _cache_path(task: Task, params: Params) -> str | None:
    unused = not params["checksum_cache"] or params["mode"] == COPY or params["compare"] == SIZE
    return None if unused else os.path.join(task.state_dir, CACHE)


class SyncMode(t.Protocol):
    """One of push, pull and copy: what is on both sides, what is to be done about each name, and doing it."""

    target: str
    surplus_is: str

    def pairs(self, problem: Problem) -> t.Iterator[tuple[str, t.Any, t.Any]]:
        """Yield each name with what has it on either side."""

    def judge(self, name: str, source: t.Any, target: t.Any) -> Verdict:
        """Return what is to be done about a name, as far as can be told without reading."""

    def same(self, item: SyncItem) -> Verdict:
        """Return what is to be done about an item whose content is as desired."""

    def file_to_read(self, item: SyncItem) -> FileToRead | None:
        """Return what there is to read, where that alone tells whether there is anything to do."""

    def work(self, item: SyncItem) -> ItemResult:
        """Bring one item in sync, in a thread. Raises FcdError."""

    def learn(self, item: SyncItem, done: ItemResult) -> None:
        """Remember what the work has found out."""

    def remove(self, surplus: t.Sequence[t.Any], report: SyncReport) -> None:
        """Delete what has no source any more. Raises DeadlinePassed."""


class Sync:
    """One run: plan, check the bounds, transfer, and delete when all else has gone well."""

    def __init__(self, task: Task, spec: SyncSpec, features: Features, cache: ChecksumCache) -> None:
        self._task = task
        self._spec = spec
        self._report = SyncReport(spec.params["list_limit"], task.clock, task.tell)
        self._cache = cache
        self._warnings = WarningLimit(task.warn)
        run = SyncRun(task, spec, object_storage(task), features, cache, self._warnings.add)
        self._mode = _mode_class(spec)(run)

    def run(self, limit: RemovalLimit) -> Result:
        """Return the result. Raises FcdError when nothing was done."""
        plan = compare_trees(self._mode.pairs(self._report.fail), self._mode.judge, self._report.fail)
        self._warnings.end()
        if not (plan.items or plan.same or self._report.failures):
            self._tell_of_nothing()
        self._report.counts["unchanged"] = plan.same
        if not self._spec.params["delete"]:
            plan.surplus = []
        check_surplus([entry.name for entry in plan.surplus], plan.whole, limit, self._mode.surplus_is)
        if plan.items:
            self._prepare(plan.items)
            self._transfer(plan)
        if plan.surplus:
            self._remove(plan)
        return self._report.result(self._mode.target)

    def _tell_of_nothing(self) -> None:
        told = nothing_found(self._spec)
        if told is not None:
            self._task.warn(told)

    def _prepare(self, items: t.Sequence[SyncItem]) -> None:
        """Raise InvalidInput when none of the items can be written, before any is fetched."""
        if self._spec.mode != PULL:
            return
        from .file_places import prepare_root

        sure = all(item.reason in ("new", "content") for item in items)
        names = [item.name for item in items] if sure else None
        prepare_root(self._spec.root, names, self._spec.directory_mode, check_mode=self._task.check_mode)

    def _transfer(self, plan: SyncPlan) -> None:
        todo = WorkQueue(plan.items, self._mode.file_to_read)
        left = len(plan.items)

        def ended(job: SyncItem | list[SyncItem], value: t.Any) -> None:
            nonlocal left
            left -= self._read(job, value, todo) if isinstance(job, list) else self._done(job, value, todo)
            self._report.progress(len(plan.items))

        try:
            most = self._spec.params["connections"]
            side_by_side(todo, self._work, most=most, deadline=self._task.deadline, ended=ended)
        except DeadlinePassed as error:
            self._report.stopped = error
        self._report.counts["not_tried"] = left

    def _work(self, job: SyncItem | list[SyncItem]) -> t.Any:
        """Do one piece of work, in a thread. Raises FcdError."""
        return read_all(map(self._mode.file_to_read, job)) if isinstance(job, list) else self._mode.work(job)

    def _done(self, item: SyncItem, value: ItemResult | FcdError, todo: WorkQueue) -> int:
        """Take note of what came of an item, and return that it is one."""
        if isinstance(value, FcdError):
            if isinstance(value, HOPELESS):
                todo.stop()
            self._report.fail(item.name, value)
        else:
            self._mode.learn(item, value)
            self._report.add(item.name, value)
        return 1

    def _read(self, items: list[SyncItem], found: list[FileDigest | None], todo: WorkQueue) -> int:
        """Take note of what reading small files has shown; returns for how many of them there is nothing to do."""
        same = 0
        for item, read in zip(items, found):
            more = item if read is None else self._compared(item, read)
            if more is None:
                same += 1
            else:
                todo.put_back(more)
        self._report.counts["unchanged"] += same
        return same

    def _compared(self, item: SyncItem, read: FileDigest) -> SyncItem | None:
        """Return what there is to do about a file that was read."""
        file, known = self._mode.file_to_read(item), item.known._replace(md5=read.md5)
        if file is None or read.md5 != file.remote.hash:
            return item._replace(reason="content", known=known)
        self._cache.keep(file.path, file.stamp, known, read.read_at)
        return self._mode.same(item).item

    def _remove(self, plan: SyncPlan) -> None:
        if self._report.failed:
            self._task.warn(f"Nothing was deleted, since not all else went well: {len(plan.surplus)} are surplus.")
            return
        try:
            self._mode.remove(plan.surplus, self._report)
        except DeadlinePassed as error:
            self._report.stopped = error


def _mode_class(spec: SyncSpec) -> t.Callable[[SyncRun], SyncMode]:
    """Return the class for a mode; only that one is imported."""
    if spec.mode == PUSH:
        from .push import Push

        return Push
    if spec.mode == PULL:
        from .pull import Pull

        return Pull
    from .push import ContainerCopy

    return ContainerCopy


def check_surplus(names: t.Sequence[str], whole: int, limit: RemovalLimit, what: str) -> None:
    """Raise InvalidInput when more would be deleted than may be; ``whole`` is how many there are on the target."""
    most = limit.of(whole)
    if len(names) > most:
        raise InvalidInput(
            f"delete: {len(names)} of {whole} {what} would be deleted "
            f"({listed([repr(name) for name in names], SHOWN)}), and at most {most} may be. Nothing was done.",
            next_step=f"Check the source; if they are to go, set max_delete to {len(names)}.",
            option="max_delete",
        )


def nothing_found(spec: SyncSpec) -> str | None:
    """Return the warning, or None where an empty source may well be meant."""
    include, container, prefix = spec.params["include"], spec.container, spec.prefix
    option = "prefix"
    if spec.mode == COPY:
        option, (container, prefix) = "source_prefix", spec.source
    if include:
        where = f"the folder {spec.root}" if spec.mode == PUSH else _where(container, prefix)
        return f"include: nothing in {where} takes part; check the patterns, {', '.join(map(repr, include))}."
    if prefix and spec.mode in (PULL, COPY):
        return f"{option}: nothing in {_where(container, prefix)} takes part; check the prefix."
    return None


def _where(container: str, prefix: str) -> str:
    return f"the container {container!r} below {prefix!r}" if prefix else f"the container {container!r}"


OPERATION = Operation("storage_sync", ("storage",), OPTIONS, run, RULES)
