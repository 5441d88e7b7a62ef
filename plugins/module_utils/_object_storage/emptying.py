# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Empty a container and delete it; only tasks with ``force`` on a container that is not empty pay for this."""

from __future__ import annotations

import functools
import typing as t

from .._core.errors import Conflict, FcdError, ServiceError
from .._engine.change_tracking import note_change
from .._engine.scheduler import side_by_side
from .._session.task import Task
from .api import ObjectStorage
from .connection import service_features
from .large_objects import bulk_delete
from .names import Limits, check_object
from .object_versions import delete_version, list_versions
from .stated import number, section

ROUNDS = 5  # passes over the listing, which may lag behind or gain objects while it is emptied
PAUSE = 1.0  # seconds before another pass
BATCH = 1000  # objects in one bulk request: a few seconds of work for the service
AT_A_TIME = 4  # deletions where each takes a request of its own
SHOWN = 3  # names in an error

Entry = t.Dict[str, t.Any]


def empty_and_delete(storage: ObjectStorage, container: str, task: Task, *, versions: bool) -> None:
    """Delete every object that the container lists, page by page, then the container.

    ``versions``: it may hold versions, and all of them go. Otherwise only objects of this container are deleted:
    segments that a large object has elsewhere stay. Raises ServiceError when an object cannot be deleted, Conflict
    when the container fills faster than it is emptied; the error notes whether anything was deleted before.
    """
    emptying = _Emptying(storage, container, task)
    try:
        _empty_and_delete(emptying, emptying.versions if versions else emptying.way_for_objects())
    except FcdError as error:
        if emptying.deleted:
            note_change(error)
        raise


def _empty_and_delete(emptying: _Emptying, one_pass: t.Callable[[], None]) -> None:
    container, task = emptying.container, emptying.task
    for attempt in range(ROUNDS):
        if attempt:
            task.deadline.sleep(PAUSE)
        one_pass()
        try:
            emptying.storage.delete_container(container)
        except Conflict as exc:
            last = exc
        else:
            return
        task.tell(f"container {container}: {emptying.deleted} objects deleted, and it is still not empty")
    raise Conflict(
        f"The container {container!r} was emptied {ROUNDS} times and is still not empty.",
        next_step="Something writes to it, or its listing lags behind: run the task again later.",
        **last.details,
    )


class _Emptying:
    """Ways to go over the listing of a container once; ``deleted`` counts what is gone."""

    def __init__(self, storage: ObjectStorage, container: str, task: Task) -> None:
        self.storage = storage
        self.container = container
        self.task = task
        self.deleted = 0

    def way_for_objects(self) -> t.Callable[[], None]:
        """Return the way with many objects in a request where the service offers that."""
        bulk = section(service_features(self.task), "bulk_delete")
        if bulk is None:
            return self.objects
        return functools.partial(self.objects_in_bulk, min(BATCH, number(bulk, "max_deletes_per_request", BATCH)))

    def objects_in_bulk(self, size: int) -> None:
        """Delete ``size`` objects in a request."""
        for page in self._pages():
            for start in range(0, len(page), size):
                self.task.deadline.check(f"Emptying container {self.container}")
                paths = [(self.container, str(entry["name"])) for entry in page[start : start + size]]
                report = bulk_delete(self.storage, paths)
                self.deleted += int(report.get("Number Deleted") or 0)
                check_report(report, f"Emptying container {self.container!r}")
            self._tell("objects")

    def objects(self) -> None:
        """Delete one object in a request."""
        for page in self._pages():
            self._side_by_side(page, lambda entry: self.storage.delete_object(self.container, entry["name"]))
            self._tell("objects")

    def versions(self) -> None:
        """Delete all versions. The service deletes them one by one only.

        Deleting an object without its version would add a mark of the deletion, which is a version too.
        """
        query: dict[str, str] = {}
        while True:
            page = list_versions(self.storage, self.container, **query)
            if not page:
                return
            self._side_by_side(
                page, lambda entry: delete_version(self.storage, self.container, entry["name"], entry["version_id"])
            )
            query = {"marker": page[-1]["name"], "version_marker": page[-1]["version_id"]}
            self._tell("versions of objects")

    def _pages(self) -> t.Iterator[list[Entry]]:
        marker = ""
        while True:
            page = self.storage.list_objects(self.container, marker=marker)
            if not page:
                return
            yield page
            marker = str(page[-1]["name"])

    def _side_by_side(self, page: list[Entry], delete: t.Callable[[Entry], None]) -> None:
        for entry in page:  # as a path, such a name could be shortened to that of something else
            check_object(str(entry["name"]), Limits(dict), f"container {self.container}")

        def ended(entry: Entry, value: FcdError | None) -> None:
            del entry
            if value is not None:
                raise value
            self.deleted += 1

        side_by_side(page, delete, most=AT_A_TIME, deadline=self.task.deadline, ended=ended)

    def _tell(self, what: str) -> None:
        self.task.tell(f"container {self.container}: {self.deleted} {what} deleted")


def check_report(report: t.Mapping[str, t.Any], doing: str) -> None:
    """Raise ServiceError when a report on many deletions tells of failures; its HTTP status is always 200."""
    errors = report.get("Errors") or []
    status = str(report.get("Response Status", ""))
    if not errors and status.startswith("2"):
        return
    named = "; ".join(f"{path}: {words}" for path, words in errors[:SHOWN])
    more = f" and {len(errors) - SHOWN} more" if len(errors) > SHOWN else ""
    raise ServiceError(
        f"{doing}: the service could not delete everything ({named}{more})."
        if errors
        else f"{doing}: the service ended with {status}: {report.get('Response Body') or 'no reason given'}.",
        next_step="Run the task again once the cause is away; what is deleted stays deleted.",
        service_message=status,
        failed=len(errors),
    )
