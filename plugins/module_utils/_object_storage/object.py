# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bring an object of the object storage to its wanted state."""

from __future__ import annotations

import typing as t

from .._core.errors import InvalidInput
from .._engine.converge import Created, converge
from .._engine.fields import Field, Fields, Record
from .._engine.plan import LATER
from .._session.operation import Operation, Params, Result
from .._session.task import Task
from .api import Headers, ObjectStorage
from .connection import object_storage, require_settings, service_features
from .content import Content, of_file, of_text
from .cutting import Cutting
from .features import Features
from .metadata import misplaced_secrets, settled
from .names import Limits
from .object_headers import headers_of, record_of, to_unix
from .object_wish import OPTIONS, RULES, TEXTS, Wish, checked
from .result import foreseen, storage_result

if t.TYPE_CHECKING:
    from .copy_source import Source

SETTABLE = (*TEXTS, "metadata", "expires_at")
FIELDS: Fields = tuple(Field(name) for name in ("container", "name", "etag", "size", *SETTABLE, "large_object"))
UNKNOWN: dict[str, t.Any] = {**dict.fromkeys(item.name for item in FIELDS), "metadata": {}, "last_modified": None}


def run(task: Task, params: Params) -> Result:
    """Do what the options of the module say."""
    require_settings(task)
    features = Features(lambda: service_features(task))
    limits = Limits(features.limits)
    for secret in misplaced_secrets(params["metadata"]):
        task.redactor.add(secret)
    wish = checked(params, limits)
    present = params["state"] == "present"
    content = _content(params) if present else None
    cutting = Cutting(features, params["segment_threshold"], params["segment_size"])
    target = Object(object_storage(task), wish, task, limits, cutting)
    wanted: dict[str, t.Any] = {}
    if present:
        target.fill_with(content)
        wanted = target.wanted()
        _check_expiry(wanted, target.current, task.clock.now())
    outcome = converge(target, wanted, params["state"], check_mode=task.check_mode)
    if task.check_mode:
        outcome = foreseen(outcome, new=("content_type",), changed=("last_modified",))
    return storage_result("object", outcome, UNKNOWN)


def _content(params: Params) -> Content | None:
    if params["content"] is not None:
        return of_text(params["content"])
    return None if params["src"] is None else of_file(params["src"])


def _check_expiry(wanted: Record, current: Record | None, now: float) -> None:
    moment = wanted.get("expires_at")
    if moment in (None, LATER) or moment == (current or {}).get("expires_at"):
        return
    if to_unix(moment) <= now:
        raise InvalidInput(
            f"expires_at: {moment} has passed, and the service takes only moments to come.",
            next_step="Set state to absent when the object is to be gone.",
            option="expires_at",
        )


class Object:
    """One object. It is read once, when this is made."""

    kind = "object"
    fields = FIELDS

    def __init__(self, storage: ObjectStorage, wish: Wish, task: Task, limits: Limits, cutting: Cutting) -> None:
        self._storage = storage
        self._wish = wish
        self._task = task
        self._limits = limits
        self._cutting = cutting
        self._wanted: dict[str, t.Any] = {}
        self._headers: Headers = {}
        self._replaced_by: Content | Source | None = None
        self.current = self._read()

    def fill_with(self, content: Content | None) -> None:
        """Decide whether the content has to be written. Raises InvalidInput when it would have to and is not given."""
        wish = self._wish
        if content is None and wish.copy_from is None:
            if self.current is None:
                self._refuse_nothing()
        elif self.current is None or wish.overwrite:
            source = content or self._other_object()
            if self.current is None or not self._holds(self.current, source):
                self._replaced_by = source

    def _other_object(self) -> Source:
        from .copy_source import copy_source

        place = t.cast("tuple[str, str]", self._wish.copy_from)
        return copy_source(self._storage, place, version=self._wish.copy_version)

    def _refuse_nothing(self) -> None:
        wish = self._wish
        text = f"There is no object {wish.name!r} in a container {wish.container!r}, and nothing to make it of."
        if not self._task.check_mode:
            raise InvalidInput(text, next_step="Give one of content, src and copy_from.")
        self._task.warn(f"{text} Unless an earlier task makes it, this one will fail outside check mode.")

    def _holds(self, current: Record, source: Content | Source) -> bool:
        if not isinstance(source, Content):
            return bool((current["etag"], current["size"]) == (source.etag, source.size))
        if not current["large_object"]:
            return bool(current["size"] == source.size and current["etag"] == source.etag)
        from .large_object import same_content

        return same_content(self._storage, current, self._headers, source, self._cutting.wanted)

    def wanted(self) -> dict[str, t.Any]:
        """Return the complete wanted values; what is not among them stays as it is."""
        wish = self._wish
        start: Record = self.current or {}
        wanted: dict[str, t.Any] = {"container": wish.container, "name": wish.name}
        source = self._replaced_by
        if source is not None and not isinstance(source, Content):
            start = source.record
            wanted.update({option: start[option] for option in TEXTS}, expires_at=None)
        if source is not None:
            wanted.update(self._outcome(source), size=source.size)
        wanted.update(wish.texts)
        wanted["metadata"] = settled(wish.metadata, start.get("metadata", {}), self._limits, purge=wish.purge)
        if wish.expires_at is not None:
            wanted["expires_at"] = wish.expires_at[0]
        elif wish.expires_in is not None and (source is not None or not start.get("expires_at")):
            wanted["expires_at"] = LATER
        self._wanted = wanted
        return wanted

    def _outcome(self, source: Content | Source) -> dict[str, t.Any]:
        """Return the ETag and the kind of object that there will be; a file is read for it in check mode only."""
        if not isinstance(source, Content):
            return {"etag": source.etag, "large_object": "static" if source.segments else None}
        each = self._cutting.each(source.size)
        if each is not None:
            from .large_object import etag_of

            return {"etag": etag_of(source, each) if self._task.check_mode else LATER, "large_object": "static"}
        self._limits.check("max_file_size", source.size, "The content")
        known = source.etag if self._task.check_mode else source.known_etag
        return {"etag": LATER if known is None else known, "large_object": None}

    def find(self, wanted: Record) -> dict[str, t.Any] | None:
        """Return the object as it was when this was made."""
        del wanted
        return self.current

    def create(self, values: Record) -> Created:
        """Make the object. It may be one of another task, when that was quicker and nothing is to be replaced."""
        from .upload import ONLY_NEW, Exists

        guard = {} if self._wish.overwrite else ONLY_NEW
        try:
            return Created(self._written(values, guard))
        except Exists:
            self.current = self._read()
            if self.current is None:
                raise
        for name in ("etag", "size", "large_object"):
            self._wanted.pop(name)
        self._replaced_by = None
        return Created(self.current, by_us=False)

    def update(self, current: Record, changes: Record) -> dict[str, t.Any]:
        """Replace the object, or only what describes it when the content stays."""
        after = {**current, **changes}
        if self._replaced_by is not None:
            return self._written(after, {})
        headers = headers_of(after, self._headers, self._wish.expires_in)
        if self._headers.get("x-object-manifest"):
            headers["x-object-manifest"] = self._headers["x-object-manifest"]  # without it the object becomes empty
        self._storage.update_object_metadata(*self._wish.place, headers)
        return self._read_back(after)

    def delete(self, current: Record) -> None:
        """Remove the object, a static large one with its segments."""
        if current["large_object"] != "static":
            self._storage.delete_object(*self._wish.place)
            return
        from .large_object import delete_with_segments

        delete_with_segments(self._storage, *self._wish.place)

    def _written(self, record: Record, guard: Headers) -> dict[str, t.Any]:
        from .object_content import Writing

        source = t.cast("Content | Source", self._replaced_by)
        kept = self._headers if isinstance(source, Content) else source.headers
        headers = {**headers_of(record, kept, self._wish.expires_in), **guard}
        writing = Writing(self._task, self._storage, self._wish.place, self._wish.segment_container)
        replaced = writing.replaced(self.current, self._headers)
        if isinstance(source, Content):
            writing.store(source, headers, replaced, self._cutting.each(source.size), self._limits)
        else:
            writing.copy(source, headers, replaced)
        return self._read_back(record)

    def _read_back(self, record: Record) -> dict[str, t.Any]:
        """Return the object as it is now, and tell where the service keeps something else than was asked for."""
        from .._engine.change_tracking import mark_changed_on_error

        before = self._headers.get("x-timestamp")
        with mark_changed_on_error():
            found = self._read()
        if found is not None and self._headers.get("x-timestamp") != before:  # else a server that lags behind answers
            from .object_content import check_kept

            check_kept({name: record.get(name) for name in SETTABLE if name in self._wanted}, found)
        return found or {**UNKNOWN, **record}

    def _read(self) -> dict[str, t.Any] | None:
        headers = self._storage.object_metadata(*self._wish.place)
        self._headers = headers or {}
        return None if headers is None else record_of(*self._wish.place, headers)


OPERATION = Operation(name="storage_object", services=("storage",), options=OPTIONS, run=run, rules=RULES)
