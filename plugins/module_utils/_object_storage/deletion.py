# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Delete objects that are surplus: many at once where the service can, else one by one."""

from __future__ import annotations

import typing as t
from urllib.parse import unquote

from .._core.errors import FcdError, ServiceError
from .._engine.change_tracking import note_change
from .._engine.scheduler import side_by_side
from .._session.task import Task
from .api import ObjectStorage
from .connection import service_features
from .entries import Remote
from .large_objects import bulk_delete
from .names import Limits, check_object
from .report import DELETE, Done, Report, described_object
from .stated import number, section

BATCH = 1000  # objects in one bulk request: a few seconds of work for the service
FEW = 4  # objects for which it is not worth to ask what the service can


def delete_objects(
    task: Task, storage: ObjectStorage, place: tuple[str, str], surplus: t.Sequence[Remote], report: Report, most: int
) -> None:
    """Delete the objects below ``place`` (container, prefix), static large ones with their segments.

    Where it is one by one, ``most`` at a time.
    """
    if task.check_mode:
        for entry in surplus:
            report.add(entry.name, _done(entry))
        return
    plain = [entry for entry in surplus if not entry.large]
    size = _batch_size(task) if len(plain) > FEW else 0
    if size:
        for start in range(0, len(plain), size):
            task.deadline.check("Deleting objects")
            _delete_at_once(storage, place, plain[start : start + size], report)
            report.progress(len(surplus))
    _delete_each(task, storage, place, [entry for entry in surplus if entry.large or not size], report, most)


def _batch_size(task: Task) -> int:
    bulk = section(service_features(task), "bulk_delete")
    return 0 if bulk is None else min(BATCH, number(bulk, "max_deletes_per_request", BATCH))


def _delete_at_once(
    storage: ObjectStorage, place: tuple[str, str], entries: t.Sequence[Remote], report: Report
) -> None:
    container, prefix = place
    try:
        told = bulk_delete(storage, [(container, prefix + entry.name) for entry in entries])
        failed = _failed(told, f"/{container}/{prefix}")
    except FcdError as error:
        failed = {entry.name: error for entry in entries}
    known = failed.keys() <= {entry.name for entry in entries}
    for name, reason in failed.items():
        if not known:  # the service calls them otherwise than we do: which of them are gone cannot be told
            note_change(reason)
        report.fail(name, reason)
    for entry in entries if known else ():
        if entry.name not in failed:
            report.add(entry.name, _done(entry))


def _failed(told: t.Mapping[str, t.Any], start: str) -> dict[str, FcdError]:
    """Return what could not be deleted. Raises ServiceError when the request failed as a whole."""
    failed: dict[str, FcdError] = {}
    for path, words in told.get("Errors") or []:
        name = unquote(str(path))[len(start) :]
        failed[name] = ServiceError(f"It could not be deleted: {words}.", service_message=str(words))
    status = str(told.get("Response Status", ""))
    if not failed and not status.startswith("2"):
        words = told.get("Response Body") or "no reason given"
        raise ServiceError(f"It could not be deleted: {status} ({words}).", service_message=status)
    return failed


def _delete_each(
    task: Task, storage: ObjectStorage, place: tuple[str, str], entries: t.Sequence[Remote], report: Report, most: int
) -> None:
    container, prefix = place

    def delete(entry: Remote) -> None:
        check_object(prefix + entry.name, Limits(dict))  # one with a part of dots could be shortened to another
        if entry.large:
            from .large_object import delete_with_segments

            delete_with_segments(storage, container, prefix + entry.name)
        else:
            storage.delete_object(container, prefix + entry.name)

    def ended(entry: Remote, value: FcdError | None) -> None:
        if isinstance(value, FcdError):
            report.fail(entry.name, value)
        else:
            report.add(entry.name, _done(entry))
        report.progress(len(entries))

    side_by_side(entries, delete, most=most, deadline=task.deadline, ended=ended)


def _done(entry: Remote) -> Done:
    return Done(DELETE, "surplus", entry.size, described_object(entry))
