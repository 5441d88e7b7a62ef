# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What filling a container from a folder and from another container have in common."""

from __future__ import annotations

import threading
import typing as t

from .._session.task import Task
from .api import Headers, ObjectStorage
from .cutting import Cutting
from .deletion import delete_objects
from .entries import Remote
from .features import Features
from .header_rules import Wanted
from .header_update import update_headers
from .names import Limits
from .object_headers import record_of
from .planning import SAME, Item, Verdict
from .report import UPDATE, Done, Report
from .sync_options import Wish

if t.TYPE_CHECKING:
    from .segments import Segment

HEADERS = "headers"  # why an object is updated


class ToContainer:
    """The objects below the prefix of the wish, as target."""

    surplus_is = "objects"

    def __init__(self, task: Task, wish: Wish, storage: ObjectStorage, features: Features) -> None:
        self.task = task
        self.wish = wish
        self.storage = storage
        self.limits = Limits(features.limits)
        self.cutting = Cutting(features, wish.params["segment_threshold"], wish.params["segment_size"])
        self.target = f"{wish.container}/{wish.prefix}"
        self.one_large = threading.Lock()  # one of those that are in segments at a time: these go side by side already

    def place(self, name: str) -> tuple[str, str]:
        """Return container and object for a relative name."""
        return self.wish.container, self.wish.prefix + name

    def same(self, item: Item) -> Verdict:
        """Return what is to be done about an object whose content is as it is to be."""
        wanted = self.wish.rules.of(item.name)
        if wanted is not None and self._may_differ(wanted, item.target):
            return Verdict(item._replace(reason=HEADERS))
        return SAME

    def update(self, item: Item, headers: Headers | None = None) -> Done:
        """Have the headers of an object as wanted; ``headers`` are those it has, where they are known."""
        wanted = self.wish.rules.of(item.name)
        if wanted is None or not self._may_differ(wanted, item.target):
            return Done(None)
        changes = update_headers(self.storage, self.place(item.name), wanted, headers, write=not self.task.check_mode)
        return Done(None) if changes is None else Done(UPDATE, HEADERS, 0, *changes)

    def _may_differ(self, wanted: Wanted, remote: Remote) -> bool:
        return bool(self.wish.params["verify_headers"]) or wanted.other_type(remote.content_type)

    def new_headers(self, name: str) -> Headers:
        """Return what the rules say of an object that is written."""
        wanted = self.wish.rules.of(name)
        return {} if wanted is None else wanted.headers()

    def old_segments(self, item: Item, headers: Headers | None = None) -> list[Segment]:
        """Return the segments that are to go when the object is replaced."""
        if item.target is None or not (item.target.large or headers is not None):
            return []
        place = self.place(item.name)
        headers = self.storage.object_metadata(*place) if headers is None else headers
        record = None if headers is None else record_of(*place, headers)
        if headers is None or record is None or not record["large_object"]:
            return []
        from .large_object import own_segments

        return own_segments(self.storage, record, headers, self.task.warn)

    def remove_segments(self, segments: t.Sequence[Segment]) -> None:
        """Delete the segments of an object that is replaced by now."""
        if segments:
            from .segments import remove_segments

            container, task = self.wish.container, self.task
            remove_segments(self.storage, container, segments, [], deadline=task.deadline, warn=task.warn)

    def remove(self, surplus: t.Sequence[Remote], report: Report) -> None:
        """Delete what has no source any more."""
        place, most = (self.wish.container, self.wish.prefix), self.wish.params["connections"]
        delete_objects(self.task, self.storage, place, surplus, report, most)
