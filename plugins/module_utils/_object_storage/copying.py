# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""From one container to another, or to another prefix: the service copies."""

from __future__ import annotations

import typing as t

from .._core.errors import FcdError, InvalidInput, NotFound
from .._session.task import Task
from .api import ObjectStorage
from .checksum_cache import Checksums
from .comparison import EMPTY_MD5, identity
from .copy_source import Source, copy_segments, copy_source
from .entries import Problem, Remote, Warn, merged
from .features import Features
from .names import check_object
from .object_headers import headers_of
from .planning import IGNORED, SURPLUS, Item, Verdict
from .remote_listing import taking_part
from .report import COPY, Done, described_object
from .sync_options import SIZE, Wish
from .to_container import HEADERS, ToContainer


class Copying(ToContainer):
    """Makes objects of objects."""

    def __init__(
        self, task: Task, wish: Wish, storage: ObjectStorage, features: Features, cache: Checksums, warn: Warn
    ) -> None:
        super().__init__(task, wish, storage, features)
        del cache, warn

    def pairs(self, problem: Problem) -> t.Iterator[tuple[str, t.Any, t.Any]]:
        """Yield each name with what has it on either side."""
        del problem
        wish = self.wish
        sides = (wish.source, (wish.container, wish.prefix))
        return merged(*(taking_part(self.task, self.storage, wish, side) for side in sides))

    def judge(self, name: str, source: Remote | None, target: Remote | None) -> Verdict:
        """Return what is to be done about a name, as far as the listings tell."""
        if source is None:
            return SURPLUS
        if source.is_folder and not self.wish.params["empty_directories"]:
            return IGNORED
        if target is None:
            return self._new(source)
        item = Item(name, source, target)
        if _alike(source, target, by_size=self.wish.params["compare"] == SIZE):
            return self.same(item)
        return Verdict(item if _maybe_dynamic(source) else item._replace(reason="content"))

    def _new(self, source: Remote) -> Verdict:
        try:
            check_object(self.wish.source[1] + source.name, self.limits)
            check_object(self.wish.prefix + source.name, self.limits)
        except FcdError as error:
            return Verdict(problem=error)
        return Verdict(Item(source.name, source, None, "new"))

    def reading(self, item: Item) -> None:
        """There is nothing to read."""

    def work(self, item: Item) -> Done:
        """Bring one object in sync, in a thread. Raises FcdError."""
        if item.reason == HEADERS:
            return self.update(item)
        container, prefix = self.wish.source
        place = (container, prefix + item.name)
        try:
            return self._work(item, place)
        except (NotFound, InvalidInput):
            if self.storage.object_metadata(*place) is not None:
                raise
            self.task.warn(f"{'/'.join(place)} is listed and not there: it has expired, or was deleted just now.")
            return Done(None)

    def _work(self, item: Item, place: tuple[str, str]) -> Done:
        large = None
        if item.source.large or _maybe_dynamic(item.source):
            large = copy_source(self.storage, place, "source_container")
            if not item.reason and item.target.large and large.etag == item.target.large:
                return self.update(item)
        size = item.source.size if large is None else large.size
        if not self.task.check_mode:
            self._copy(item, place, large)
        before = None if item.target is None else described_object(item.target)
        return Done(COPY, item.reason or "content", size, before, described_object(item.source))

    def _copy(self, item: Item, place: tuple[str, str], large: Source | None) -> None:
        old, target = self.old_segments(item), self.place(item.name)
        if large is None or not large.segments:
            self.storage.copy_object(place, target, self.new_headers(item.name), item.source.size)
            self.remove_segments(old)
            return
        wanted = self.wish.rules.of(item.name)
        record = large.record if wanted is None else wanted.over(large.record)
        with self.one_large:
            copy_segments(
                self.storage,
                large,
                target,
                headers_of(record, large.headers, None if wanted is None else wanted.expires_in),
                segment_container=self.wish.segment_container,
                deadline=self.task.deadline,
                warn=self.task.warn,
                replaced=old,
            )

    def learn(self, item: Item, done: Done) -> None:
        """There is nothing to remember."""


def _alike(source: Remote, target: Remote, *, by_size: bool) -> bool:
    if by_size:
        return source.size == target.size
    return source.size == target.size and identity(source) == identity(target)


def _maybe_dynamic(source: Remote) -> bool:
    """Return whether it may be a dynamic large object, which listings show as empty."""
    return source.size == 0 and source.hash == EMPTY_MD5 and not source.is_folder
