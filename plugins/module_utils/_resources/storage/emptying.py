# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Empty a container and delete it; only tasks with ``force`` on a container that is not empty pay for this."""

from __future__ import annotations

import typing as t

from ..._api.large_objects import bulk_delete
from ..._api.object_storage import ObjectStorage
from ..._api.object_versions import delete_version, list_versions
from ..._core.errors import Conflict, ServiceError
from ..._session.object_storage import service_features
from ..._session.task import Task

ROUNDS = 5  # passes over the listing, which may lag behind or gain objects while it is emptied
PAUSE = 1.0  # seconds before another pass
BATCH = 1000  # objects in one bulk request: a few seconds of work for the service
SHOWN = 3  # names in an error


def empty_and_delete(storage: ObjectStorage, container: str, task: Task, *, versions: bool) -> None:
    """Delete every object that the container lists, page by page, then the container.

    ``versions``: it may hold versions, and all of them go. Otherwise only objects of this container are deleted:
    segments that a large object has elsewhere stay. Raises ServiceError when an object cannot be deleted, Conflict
    when the container fills faster than it is emptied.
    """
    bulk = None if versions else service_features(task).get("bulk_delete")
    size = 0 if bulk is None else min(BATCH, int(bulk.get("max_deletes_per_request", BATCH)))
    for attempt in range(ROUNDS):
        if attempt:
            task.deadline.sleep(PAUSE)
        deleted = _versions_pass(storage, container, task) if versions else _pass(storage, container, task, size)
        try:
            storage.delete_container(container)
        except Conflict as exc:
            last = exc
        else:
            return
        task.tell(f"container {container}: {deleted} objects deleted, and it is still not empty")
    raise Conflict(
        f"The container {container!r} was emptied {ROUNDS} times and is still not empty.",
        next_step="Something writes to it, or its listing lags behind: run the task again later.",
        **last.details,
    )


def _pass(storage: ObjectStorage, container: str, task: Task, size: int) -> int:
    """Go over the listing once; ``size`` objects at a time where the service deletes in bulk, else (0) one by one."""
    deleted, marker = 0, ""
    while True:
        page = storage.list_objects(container, marker=marker)
        if not page:
            return deleted
        names = [str(entry["name"]) for entry in page]
        for start in range(0, len(names), size or 1):
            task.deadline.check(f"Emptying container {container}")
            _delete(storage, container, names[start : start + (size or 1)], bulk=size > 0)
        deleted, marker = deleted + len(names), names[-1]
        task.tell(f"container {container}: {deleted} objects deleted")


def _versions_pass(storage: ObjectStorage, container: str, task: Task) -> int:
    """Go over the listing of all versions once. The service deletes versions only one by one.

    Deleting an object without its version would add a mark of the deletion, which is a version too.
    """
    deleted, last = 0, ("", "")
    while True:
        page = list_versions(storage, container, marker=last[0], version_marker=last[1])
        if not page:
            return deleted
        for entry in page:
            task.deadline.check(f"Emptying container {container}")
            delete_version(storage, container, str(entry["name"]), str(entry["version_id"]))
        deleted += len(page)
        last = str(page[-1]["name"]), str(page[-1]["version_id"])
        task.tell(f"container {container}: {deleted} versions of objects deleted")


def _delete(storage: ObjectStorage, container: str, names: t.Sequence[str], *, bulk: bool) -> None:
    if bulk:
        report = bulk_delete(storage, [(container, name) for name in names])
        check_report(report, f"Emptying container {container!r}")
        return
    for name in names:
        storage.delete_object(container, name)


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
