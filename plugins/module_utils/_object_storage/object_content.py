# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Write an object in the way that its content needs; only tasks that change content or properties import this."""

from __future__ import annotations

import typing as t

from .._core.errors import OperationFailed
from .._engine.plan import LATER
from .._session.task import Task
from .api import Headers, ObjectStorage
from .content import Content, of_text
from .copy_source import Source, copy_segments
from .names import Limits
from .segments import Segment, remove_segments, segment_container
from .upload import Place, copy, upload

Record = t.Mapping[str, t.Any]


class Writing:
    """Writes the object at ``place``."""

    def __init__(self, task: Task, storage: ObjectStorage, place: Place, segments: str | None) -> None:
        self._task = task
        self._storage = storage
        self._place = place
        self._segment_container = segments or segment_container(place[0])

    def replaced(self, current: Record | None, headers: Headers) -> list[Segment]:
        """Return the segments of the present object that are to go with it."""
        if current is None or not current["large_object"]:
            return []
        from .large_object import own_segments

        return own_segments(self._storage, current, headers, self._task.warn)

    def store(
        self, content: Content, headers: Headers, replaced: list[Segment], each: int | None, limits: Limits
    ) -> None:
        """Store the content, as a large object in segments of ``each`` bytes where that is given."""
        if each is None:
            upload(self._storage, self._place, headers, content, limits)
            self._remove(replaced)
            return
        from .large_upload import upload_segments

        upload_segments(
            self._storage,
            self._place,
            headers,
            content,
            segment_size=each,
            segment_container=self._segment_container,
            deadline=self._task.deadline,
            tell=self._task.tell,
            warn=self._task.warn,
            replaced=replaced,
        )

    def copy(self, source: Source, headers: Headers, replaced: list[Segment]) -> None:
        """Copy the other object."""
        if source.segments:
            copy_segments(
                self._storage,
                source,
                self._place,
                headers,
                segment_container=self._segment_container,
                deadline=self._task.deadline,
                warn=self._task.warn,
                replaced=replaced,
            )
            return
        if source.record["large_object"]:  # one without any segments
            upload(self._storage, self._place, headers, of_text(""), Limits(dict))
        else:
            guardless = {name: value for name, value in headers.items() if name != "If-None-Match"}
            copy(source.reader or self._storage, source.place, self._place, guardless, source.size)
        self._remove(replaced)

    def _remove(self, replaced: list[Segment]) -> None:
        if replaced:
            container, task = self._place[0], self._task
            remove_segments(self._storage, container, replaced, [], deadline=task.deadline, warn=task.warn)


def check_kept(wanted: Record, found: Record) -> None:
    """Raise OperationFailed when the service keeps other properties than it was given: they would never settle."""
    for name, value in wanted.items():
        if value == LATER or (name == "content_type" and value is None) or found[name] == value:
            continue
        if name == "metadata":
            differing = sorted({item for item, _text in set(value.items()) ^ set(found[name].items())})
            told = f"other metadata than it was given: {', '.join(differing)}"
        else:
            told = f"{name} {found[name]!r} in place of {value!r}"
        raise OperationFailed(
            f"{found['container']}/{found['name']} is stored, but the service keeps {told}.",
            next_step=f"Give {name} as the service keeps it; else every run would change it again.",
            changed=True,
        )
