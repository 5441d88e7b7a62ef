# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""From a folder to a container."""

from __future__ import annotations

import os
import time
import typing as t

from ..._api.object_storage import Headers, ObjectStorage
from ..._core.errors import FcdError
from ..._session.task import Task
from ..storage.content import Content, of_file, of_text
from ..storage.names import Limits, check_object
from ..storage.upload import upload
from .checksum_cache import NOTHING, Checksums, Known
from .comparison import Found, at_once, by_reading, remember
from .deletion import delete_objects
from .entries import EMPTY, KEPT, MARKER_TYPE, Local, Problem, Remote, merged
from .header_rules import Wanted
from .header_update import update_headers
from .local_tree import Tree, check_root
from .mtime import MTIME, mtime_text
from .options import SIZE, Wish
from .planning import IGNORED, SAME, SURPLUS, Item, Verdict
from .remote_listing import taking_part
from .report import UPDATE, UPLOAD, Done, Report, described, described_object


class Push:
    """Makes objects of files."""

    surplus_is = "objects"

    def __init__(self, task: Task, wish: Wish, storage: ObjectStorage, limits: Limits, cache: Checksums) -> None:
        self._task = task
        self._wish = wish
        self._storage = storage
        self._limits = limits
        self._cache = cache
        self._kept_below: str | None = None
        self.target = f"{wish.container}/{wish.prefix}"
        check_root(wish.root)

    def pairs(self, problem: Problem) -> t.Iterator[tuple[str, t.Any, t.Any]]:
        """Yield each name with what has it on either side."""
        wish = self._wish
        tree = Tree(
            wish.root,
            wish.names,
            symlinks=wish.params["symlinks"],
            warn=self._task.warn,
            problem=problem,
            empty=wish.params["empty_directories"],
        )
        return merged(tree, taking_part(self._task, self._storage, wish, (wish.container, wish.prefix)))

    def judge(self, name: str, local: Local | None, remote: Remote | None) -> Verdict:
        """Return what is to be done about a name, as far as listing and cache tell."""
        if local is None:
            return self._without_file(t.cast(Remote, remote))
        if local.kind == KEPT:
            self._kept_below = name if name.endswith("/") else self._kept_below
            return IGNORED
        if remote is None:
            return self._new(local)
        if local.kind == EMPTY:
            return SAME if remote.is_folder else Verdict(Item(name, local, remote, "content"))
        return self._both(local, remote)

    def _without_file(self, remote: Remote) -> Verdict:
        if self._kept_below is not None and remote.name.startswith(self._kept_below):
            return IGNORED
        if remote.is_folder and os.path.isdir(self._path(remote.name)):
            return IGNORED
        return SURPLUS

    def _new(self, local: Local) -> Verdict:
        try:
            check_object(self._wish.prefix + local.name, self._limits)
        except FcdError as error:
            return Verdict(problem=error)
        return Verdict(Item(local.name, local, None, "new"))

    def _both(self, local: Local, remote: Remote) -> Verdict:
        stamp = local.stamp
        if stamp is None:
            raise AssertionError(local)
        by_size = self._wish.params["compare"] == SIZE
        known = self._cache.find(self._path(local.name), stamp)
        same = at_once(stamp, remote, known, by_size=by_size)
        wanted = self._wish.rules.of(local.name)
        if (
            same
            and wanted is not None
            and (wanted.other_type(remote.content_type) or self._wish.params["verify_headers"])
        ):
            return Verdict(Item(local.name, local, remote, "headers", known))
        if same:
            return SAME
        return Verdict(Item(local.name, local, remote, "content" if same is False else "", known))

    def work(self, item: Item) -> Done:
        """Bring one object in sync, in a thread. Raises FcdError."""
        local, remote = t.cast(Local, item.source), t.cast("t.Optional[Remote]", item.target)
        wanted = self._wish.rules.of(item.name)
        if local.kind == EMPTY:
            return self._marker(item)
        if item.reason == "headers" and remote is not None and wanted is not None:
            return self._update(item, wanted, None)
        found = None
        if not item.reason and remote is not None:
            found = by_reading(self._storage, self._place(item.name), self._path(item.name), remote, item.known)
            if found.same:
                return self._same(item, found, wanted)
        return self._send(item, found, wanted)

    def learn(self, item: Item, done: Done) -> None:
        """Remember what the work has found out."""
        if done.known != NOTHING and item.source.stamp is not None:
            remember(self._cache, self._path(item.name), item.source.stamp, done.known, done.read_at)

    def _same(self, item: Item, found: Found, wanted: Wanted | None) -> Done:
        done = Done(None)
        verify = self._wish.params["verify_headers"]
        if wanted is not None and (verify or wanted.other_type(item.target.content_type)):
            done = self._update(item, wanted, found.headers)
        return done._replace(known=found.known, read_at=found.read_at)

    def _update(self, item: Item, wanted: Wanted, headers: Headers | None) -> Done:
        place = self._place(item.name)
        changes = update_headers(self._storage, place, wanted, headers, write=not self._task.check_mode)
        return Done(None) if changes is None else Done(UPDATE, "headers", 0, *changes)

    def _send(self, item: Item, found: Found | None, wanted: Wanted | None) -> Done:
        local, reason = item.source, item.reason or "content"
        before = None if item.target is None else described_object(item.target)
        if self._task.check_mode:
            etag = None if found is None else found.known.md5
            return Done(UPLOAD, reason, local.stamp.size, before, described(local.stamp.size, etag))
        read_at = time.time_ns() if found is None else found.read_at
        content = of_file(self._path(item.name), "path") if found is None else found.content
        headers = {} if wanted is None else wanted.headers()
        if self._wish.params["preserve_mtime"]:
            headers[MTIME] = mtime_text(local.stamp.mtime)
        etag, known = self._store(item, content, headers)
        return Done(UPLOAD, reason, content.size, before, described(content.size, etag), known, read_at)

    def _store(self, item: Item, content: Content, headers: Headers) -> tuple[str, Known]:
        etag = upload(self._storage, self._place(item.name), headers, content, self._limits)
        return etag, Known(etag)

    def _marker(self, item: Item) -> Done:
        before = None if item.target is None else described_object(item.target)
        done = Done(UPLOAD, item.reason, 0, before, "empty folder")
        if not self._task.check_mode:
            place = self._place(item.name)
            upload(self._storage, place, {"Content-Type": MARKER_TYPE}, of_text(""), self._limits)
        return done

    def remove(self, surplus: t.Sequence[Remote], report: Report) -> None:
        """Delete what is there no more."""
        wish = self._wish
        delete_objects(self._task, self._storage, (wish.container, wish.prefix), surplus, report)

    def _path(self, name: str) -> str:
        return os.path.join(self._wish.root, name)

    def _place(self, name: str) -> tuple[str, str]:
        return self._wish.container, self._wish.prefix + name
