# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Deletes containers with their contents, surplus objects of a sync, and large objects."""

from __future__ import annotations

import contextlib
import functools
import typing as t
from urllib.parse import quote, unquote

from .._connection.task import Task
from .._core.errors import Conflict, FcdError, Rejected, ServiceError, mark_changed_on_error, note_change
from .._core.text import number_in
from .._core.type_aliases import JsonMapping, JsonObject
from .._engine.scheduler import run_in_threads
from .api import (
    AT_A_TIME,
    GONE,
    Headers,
    ObjectPlace,
    ObjectStorage,
    keeps_old_versions,
    list_versions,
    may_hold_versions,
    pages_of,
)
from .connection import service_features
from .container_writes import STOP_ELSEWHERE, update_container_metadata
from .features import Features, feature_section, positive_number_in
from .properties import check_object, segment_container
from .remote_listing import Remote

MAX_PASSES = 5  # passes over the listing, which may lag behind or gain objects while it is emptied
PASS_PAUSE = 1.0  # seconds before another pass
BATCH = 1000  # objects in one bulk request: a few seconds of work for the service
MAX_SHOWN_ERRORS = 3  # names in an error
MAX_SINGLE_DELETES = 4  # objects for which asking for the service's features does not pay
OnEnd = t.Callable[[str, t.Optional[FcdError]], None]


class ContainerRemoval:
    """Removes a container, with ``force`` together with its contents; ``headers`` are those that describe it."""

    def __init__(
        self, storage: ObjectStorage, current: JsonMapping, headers: Headers, task: Task, *, force: bool
    ) -> None:
        self._storage = storage
        self._name: str = current["name"]
        self._current = current
        self._keeps_versions = may_hold_versions(headers)
        self._task = task
        self._force = force

    def run(self) -> None:
        """Remove it. Raises Conflict if it is not empty, and what ``empty_and_delete`` and ``require_gone`` raise."""
        try:
            self._storage.delete_container(self._name)
        except Conflict as exc:
            if not self._force:
                raise self._not_empty(exc.details) from None
            self._warn_of_leftovers()
            elsewhere = bool(self._current["versions_location"])
            if elsewhere:  # otherwise each deletion would restore a version, or add one there
                update_container_metadata(self._storage, self._name, STOP_ELSEWHERE)
            with mark_changed_on_error(elsewhere):
                empty_and_delete(self._storage, self._name, self._task, versions=self._keeps_versions)
        self._storage.require_gone(self._name)

    def foresee(self) -> None:
        """In check mode, raise the error of removing a container that is not empty, or warn as the removal would."""
        if self._current["object_count"] or (self._keeps_versions and self._current["bytes_used"]):
            if not self._force:
                raise self._not_empty({})
            self._warn_of_leftovers()

    def _warn_of_leftovers(self) -> None:
        """Warn of containers that hold leftovers of the objects, as far as their names are known and they exist."""
        known = {"Versions": self._current["versions_location"], "Segments": segment_container(self._name)}
        for what, place in known.items():
            with contextlib.suppress(Rejected):  # such as a name that is too long; it only matters for a warning
                if place and self._storage.container_metadata(place) is not None:
                    self._task.warn(f"{what} of objects of {self._name!r} stay in the container {place!r}.")

    def _not_empty(self, details: t.Mapping[str, object]) -> Conflict:
        count = self._current["object_count"]
        holds = f"it holds {count} objects" if count else "its count is 0, so objects are new or have expired"
        if not count and self._keeps_versions:
            holds = "it holds versions of objects"
        return Conflict(
            f"The container {self._name!r} is not empty ({holds}).",
            next_step="Set force to remove it with its contents. Expired objects count until the service clears them.",
            **details,
        )


def empty_and_delete(storage: ObjectStorage, container: str, task: Task, *, versions: bool) -> None:
    """Delete every object that the container lists, page by page, then the container.

    ``versions``: it may hold versions, and all of them are deleted. Otherwise only objects of this container are
    deleted, many in a request if the service offers that: segments of large objects elsewhere stay. Raises ServiceError
    if an object cannot be deleted, Conflict if the container fills faster than it is emptied; the error notes whether
    anything was deleted before.
    """
    emptying = _Emptying(storage, container, task, versions=versions)
    try:
        size = 0 if versions else _bulk_size(task)
        for attempt in range(MAX_PASSES):
            if attempt:
                task.deadline.sleep(PASS_PAUSE)
            emptying.delete_all(size)
            try:
                storage.delete_container(container)
            except Conflict as exc:
                last = exc
            else:
                return
            task.tell(f"container {container}: {emptying.deleted} objects deleted, and it is still not empty")
        raise Conflict(
            f"The container {container!r} was emptied {MAX_PASSES} times and is still not empty.",
            next_step="Something writes to it, or its listing lags behind: run the task again later.",
            **last.details,
        )
    except FcdError as error:
        if emptying.deleted:
            note_change(error)
        raise


class _Emptying:
    """Deletes what a container lists; ``deleted`` counts it."""

    def __init__(self, storage: ObjectStorage, container: str, task: Task, *, versions: bool) -> None:
        self._storage = storage
        self._container = container
        self._task = task
        self._versions = versions
        self.deleted = 0

    def delete_all(self, size: int) -> None:
        """Delete everything listed, ``size`` objects in a request, or one by one without a size.

        Versions are always deleted one by one: deleting an object without its version would add a delete marker, which
        is a version too.
        """
        storage, container = self._storage, self._container
        ask, what = functools.partial(storage.list_objects, container), "objects"
        if self._versions:
            ask, what = functools.partial(list_versions, storage, container), "versions of objects"
        for page in pages_of(ask):
            if not size:
                self._delete_in_threads(page)
            for start in range(0, len(page), size) if size else ():
                self._task.deadline.check(f"Emptying container {container}")
                places = [(container, str(entry["name"])) for entry in page[start : start + size]]
                report = bulk_delete(storage, places)
                self.deleted += number_in(str(report.get("Number Deleted"))) or 0
                check_report(report, f"Emptying container {container!r}")
            self._task.tell(f"container {container}: {self.deleted} {what} deleted")

    def _delete_in_threads(self, page: list[JsonObject]) -> None:
        for entry in page:  # in a path, such a name could be normalized to that of another object
            check_object(str(entry["name"]), Features(), f"container {self._container}")

        def delete(entry: JsonObject) -> None:
            if self._versions:
                delete_version(self._storage, self._container, entry["name"], entry["version_id"])
            else:
                self._storage.delete_object(self._container, entry["name"])

        def ended(_entry: JsonObject, error: FcdError | None) -> None:
            if error is not None:
                raise error
            self.deleted += 1

        run_in_threads(page, delete, most=AT_A_TIME, deadline=self._task.deadline, ended=ended)


def delete_version(storage: ObjectStorage, container: str, name: str, version: str) -> None:
    """Delete one version of an object for good; one that is gone already is fine."""
    storage.send(
        "Delete version",
        "DELETE",
        storage.address(container, name),
        params={"version-id": version},
        accept_statuses=GONE,
    )


def _bulk_size(task: Task) -> int:
    """Return how many objects fit into a request, 0 if the service does not offer that."""
    bulk = feature_section(service_features(task), "bulk_delete")
    return 0 if bulk is None else min(BATCH, positive_number_in(bulk, "max_deletes_per_request", BATCH))


def check_report(report: t.Mapping[str, t.Any], doing: str) -> None:
    """Raise ServiceError if a report on many deletions has failures; its HTTP status is always 200."""
    errors = report.get("Errors") or []
    status = str(report.get("Response Status", ""))
    if not errors and status.startswith("2"):
        return
    named = "; ".join(f"{path}: {words}" for path, words in errors[:MAX_SHOWN_ERRORS])
    more = f" and {len(errors) - MAX_SHOWN_ERRORS} more" if len(errors) > MAX_SHOWN_ERRORS else ""
    raise ServiceError(
        f"{doing}: the service could not delete everything ({named}{more})."
        if errors
        else f"{doing}: the service ended with {status}: {report.get('Response Body') or 'no reason given'}.",
        next_step="Remove the cause and run the task again; what was deleted stays deleted.",
        service_message=status,
        failed=len(errors),
    )


def delete_objects(
    task: Task, storage: ObjectStorage, place: ObjectPlace, surplus: t.Sequence[Remote], *, most: int, ended: OnEnd
) -> None:
    """Delete the objects below ``place`` (container, prefix), static large ones with their segments.

    Many are deleted in one request if the service offers that, otherwise ``most`` at a time, one per request. ``ended``
    gets the name of each and its error, if any. Raises DeadlinePassed.
    """
    container, prefix = place
    large = [entry for entry in surplus if entry.large]
    plain = [entry.name for entry in surplus if not entry.large]
    size = _bulk_size(task) if len(plain) > MAX_SINGLE_DELETES else 0
    if size:
        for start in range(0, len(plain), size):
            task.deadline.check("Deleting objects")
            _delete_batch(storage, place, plain[start : start + size], ended)

    def delete(entry: Remote) -> None:
        check_object(prefix + entry.name, Features())  # a name with a part of dots could be normalized to another
        if entry.large:
            delete_with_segments(storage, container, prefix + entry.name)
        else:
            storage.delete_object(container, prefix + entry.name)

    def done(entry: Remote, error: FcdError | None) -> None:
        ended(entry.name, error)

    run_in_threads(large if size else surplus, delete, most=most, deadline=task.deadline, ended=done)


def _delete_batch(storage: ObjectStorage, place: ObjectPlace, names: t.Sequence[str], ended: OnEnd) -> None:
    container, prefix = place
    try:
        report = bulk_delete(storage, [(container, prefix + name) for name in names])
        errors = report.get("Errors") or []
        if not errors:
            check_report(report, "It could not be deleted")
        start = len(f"/{container}/{prefix}")
        failed: dict[str, FcdError] = {
            unquote(str(path))[start:]: ServiceError(f"It could not be deleted: {words}.", service_message=str(words))
            for path, words in errors
        }
    except FcdError as error:
        failed = dict.fromkeys(names, error)
    if failed.keys() <= set(names):
        for name in names:
            ended(name, failed.get(name))
        return
    for name, reason in failed.items():  # the service spells them differently: which are gone is unknown
        note_change(reason)
        ended(name, reason)


def delete_with_segments(storage: ObjectStorage, container: str, name: str) -> None:
    """Delete a static large object and its segments. Raises ServiceError if a part stays.

    If the container keeps versions, the segments stay: a version needs them.
    """
    if keeps_old_versions(storage, container):
        storage.delete_object(container, name)
        return
    report = delete_large_object(storage, container, name)
    if report is not None:
        check_report(report, f"Deleting {container}/{name}")


def delete_large_object(storage: ObjectStorage, container: str, name: str) -> JsonObject | None:
    """Delete a static large object together with its segments; returns the report of the service, None if gone."""
    answer = storage.send(
        "Delete large object",
        "DELETE",
        storage.address(container, name),
        headers={"Accept": "application/json"},
        params={"multipart-manifest": "delete"},
        json_answer=True,
        accept_statuses=GONE,
    )
    return None if answer.status in GONE else t.cast("JsonObject", answer.json())


def bulk_delete(storage: ObjectStorage, paths: t.Sequence[tuple[str, str]]) -> JsonObject:
    """Delete many objects at once; returns the report of the service (its HTTP status is always 200)."""
    lines = [f"/{quote(container, safe='')}/{quote(name)}" for container, name in paths]
    answer = storage.send(
        "Bulk delete",
        "POST",
        storage.address(),
        headers={"Accept": "application/json", "Content-Type": "text/plain"},
        params={"bulk-delete": "true"},
        body="\n".join(lines).encode("ascii"),
        json_answer=True,
    )
    return t.cast("JsonObject", answer.json())
