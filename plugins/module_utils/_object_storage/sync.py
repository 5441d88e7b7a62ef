# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bring a folder and the objects below a prefix in sync, or two prefixes.

Remote operations: contract object-storage.md, wire-facts section 10.
"""

from __future__ import annotations

import os
import typing as t

from .._core.errors import DeadlinePassed, FcdError, Unauthorized, Unreachable
from .._engine.removal_limit import RemovalLimit
from .._engine.scheduler import side_by_side
from .._session.operation import Operation, Params, Result
from .._session.task import Task
from .checksum_cache import Checksums
from .connection import object_storage, require_settings, service_features
from .features import Features
from .few_warnings import FewWarnings
from .metadata import misplaced_secrets
from .names import Limits
from .planning import Item, Plan, make_plan
from .report import Done, Report
from .small_files import Read, ToDo, read_all
from .surplus import check_surplus
from .sync_options import COPY, OPTIONS, PULL, PUSH, RULES, SIZE, Wish, checked

CACHE = "checksums.sqlite"
HOPELESS = (Unauthorized, Unreachable, DeadlinePassed)  # what fails so for one fails so for all


def run(task: Task, params: Params) -> Result:
    """Do what the options of the module say."""
    require_settings(task)
    features = Features(lambda: service_features(task))
    for secret in (secret for rule in params["headers"] for secret in misplaced_secrets(rule.get("metadata"))):
        task.redactor.add(secret)
    wish = checked(params, Limits(features.limits))
    limit = RemovalLimit(params["max_delete"], "max_delete")
    cache = Checksums(_cache_path(task, params), task.warn)
    try:
        return Sync(task, wish, features, cache).run(limit)
    finally:
        cache.close()


def _cache_path(task: Task, params: Params) -> str | None:
    unused = not params["checksum_cache"] or params["mode"] == COPY or params["compare"] == SIZE
    return None if unused else os.path.join(task.state_dir, CACHE)


class Sync:
    """One run: plan, check the bounds, transfer, and delete when all else has gone well."""

    def __init__(self, task: Task, wish: Wish, features: Features, cache: Checksums) -> None:
        self._task = task
        self._wish = wish
        self._report = Report(wish.params["list_limit"], task.clock, task.tell)
        self._cache = cache
        storage = object_storage(task)
        self._warnings = FewWarnings(task.warn)
        self._way = _way(wish)(task, wish, storage, features, cache, self._warnings.add)

    def run(self, limit: RemovalLimit) -> Result:
        """Return the result. Raises FcdError when nothing was done."""
        plan = make_plan(self._way.pairs(self._report.fail), self._way.judge, self._report.fail)
        self._warnings.end()
        if not (plan.items or plan.same or self._report.failures):
            self._tell_of_nothing()
        self._report.counts["unchanged"] = plan.same
        if not self._wish.params["delete"]:
            plan.surplus = []
        check_surplus([entry.name for entry in plan.surplus], plan.whole, limit, self._way.surplus_is)
        if plan.items:
            self._prepare(plan.items)
            self._transfer(plan)
        if plan.surplus:
            self._remove(plan)
        return self._report.result(self._way.target)

    def _tell_of_nothing(self) -> None:
        from .empty_source import told_of_nothing

        told = told_of_nothing(self._wish)
        if told is not None:
            self._task.warn(told)

    def _prepare(self, items: t.Sequence[Item]) -> None:
        """Raise InvalidInput when none of the items can be written, before any is fetched."""
        if self._wish.mode != PULL:
            return
        from .file_places import prepare_root

        sure = all(item.reason in ("new", "content") for item in items)
        names = [item.name for item in items] if sure else None
        prepare_root(self._wish.root, names, self._wish.directory_mode, check_mode=self._task.check_mode)

    def _transfer(self, plan: Plan) -> None:
        todo = ToDo(plan.items, self._way.reading)
        left = len(plan.items)

        def ended(job: Item | list[Item], value: t.Any) -> None:
            nonlocal left
            left -= self._read(job, value, todo) if isinstance(job, list) else self._done(job, value, todo)
            self._report.progress(len(plan.items))

        try:
            most = self._wish.params["connections"]
            side_by_side(todo, self._work, most=most, deadline=self._task.deadline, ended=ended)
        except DeadlinePassed as error:
            self._report.stopped = error
        self._report.counts["not_tried"] = left

    def _work(self, job: Item | list[Item]) -> t.Any:
        """Do one piece of work, in a thread. Raises FcdError."""
        return read_all(map(self._way.reading, job)) if isinstance(job, list) else self._way.work(job)

    def _done(self, item: Item, value: Done | FcdError, todo: ToDo) -> int:
        """Take note of what came of an item, and return that it is one."""
        if isinstance(value, FcdError):
            if isinstance(value, HOPELESS):
                todo.stop()
            self._report.fail(item.name, value)
        else:
            self._way.learn(item, value)
            self._report.add(item.name, value)
        return 1

    def _read(self, items: list[Item], found: list[Read | None], todo: ToDo) -> int:
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

    def _compared(self, item: Item, read: Read) -> Item | None:
        """Return what there is to do about a file that was read."""
        file, known = self._way.reading(item), item.known._replace(md5=read.md5)
        if read.md5 != file.remote.hash:
            return item._replace(reason="content", known=known)
        self._cache.keep(file.path, file.stamp, known, read.read_at)
        return t.cast("t.Optional[Item]", self._way.same(item).item)

    def _remove(self, plan: Plan) -> None:
        if self._report.failed:
            self._task.warn(f"Nothing was deleted, since not all else went well: {len(plan.surplus)} are surplus.")
            return
        try:
            self._way.remove(plan.surplus, self._report)
        except DeadlinePassed as error:
            self._report.stopped = error


def _way(wish: Wish) -> t.Any:
    """Return the class for a mode; only that one is imported."""
    if wish.mode == PUSH:
        from .push import Push

        return Push
    if wish.mode == PULL:
        from .pull import Pull

        return Pull
    from .copying import Copying

    return Copying


OPERATION = Operation("storage_sync", ("storage",), OPTIONS, run, RULES)
