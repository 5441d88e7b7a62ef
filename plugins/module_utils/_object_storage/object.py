# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bring an object of the object storage to its desired state."""

from __future__ import annotations

import contextlib
import typing as t

from .._connection.options import WHOLE_SECONDS, OptionSpecs, check_least
from .._connection.task import STATE, ManagedObject, Operation, Params, Result, Task
from .._core.errors import InvalidInput, NotFound, OperationFailed
from .._core.later import LATER
from .._core.type_aliases import JsonMapping, JsonObject
from .._engine.plan import Created, Field, Fields, Outcome, reconcile
from .api import Headers, ObjectPlace, ObjectStorage
from .connection import features_of, object_storage
from .content import ASK_FROM, ObjectContent, check_bound, text_content
from .copies import CopySource, copy_object, copy_source, source_of_copy
from .deletion import delete_with_segments
from .features import UNLIMITED, Features
from .object_properties import HEADER_OPTIONS, expiry, object_headers, object_record, to_unix
from .object_writes import (
    CREATE_ONLY_HEADER,
    ObjectExists,
    check_stored,
    lock_object,
    missing_container,
    update_object,
    upload,
)
from .option_values import check_text, desired_metadata
from .properties import (
    SEGMENT_OPTIONS,
    check_container,
    check_object,
    merge_metadata,
    misplaced_secrets,
    outcome_in_check_mode,
    segment_container,
    storage_result,
)
from .segments import ObjectWriter, etag_in_segments, own_segments, same_content, size_of_segments
from .source_file import file_content

CONTENT_SOURCES = ("content", "src", "copy_from")
OBJECT_OPTIONS: OptionSpecs = {
    "container": {"type": "str", "required": True},
    "name": {"type": "str", "required": True, "aliases": ["object"]},
    "content": {"type": "raw"},
    "src": {"type": "path"},
    "remote_src": {"type": "bool", "default": False},
    "copy_from": {"type": "raw"},
    "overwrite": {"type": "bool", "default": True},
    **{name: {"type": "str"} for name in HEADER_OPTIONS},
    "metadata": {"type": "dict"},
    "purge_metadata": {"type": "bool", "default": False},
    "expires_at": {"type": "str", "aliases": ["delete_at"]},
    "expires_in": {"type": WHOLE_SECONDS, "aliases": ["delete_after"]},
    **SEGMENT_OPTIONS,
    **STATE,
}
OBJECT_RULES = {"mutually_exclusive": [CONTENT_SOURCES, ("expires_at", "expires_in")]}


class ObjectSpec(t.NamedTuple):
    """The options, and the values of those that need parsing. None: not given."""

    params: Params
    place: ObjectPlace
    texts: dict[str, str | None]
    metadata: dict[str, str | None] | None
    copy_from: tuple[ObjectPlace, str | None] | None  # with the version
    expires_at: tuple[str | None] | None  # in a tuple, because None is a value: never
    segment_container: str


def object_spec(params: Params, features: Features) -> ObjectSpec:
    """Return the desired object. Raises InvalidInput."""
    check_least(params, expires_in=1, segment_threshold=1, segment_size=1)
    moment, segments = params["expires_at"], params["segment_container"]
    container = check_container(params["container"], features, "container")
    place = container, check_object(params["name"], features)
    texts, metadata = _given_properties(params, features)
    copy_from = None
    if params["copy_from"] is not None:
        copy_from = source_of_copy(params["copy_from"], features)
    if copy_from == (place, None):
        raise InvalidInput(
            "copy_from: an object cannot be copied to itself.",
            next_step="An older version of it can be copied: give its version_id.",
            option="copy_from",
        )
    expires_at = None if moment is None else (expiry(moment),)
    segments = check_container(segments, features, "segment_container") if segments else segment_container(container)
    return ObjectSpec(params, place, texts, metadata, copy_from, expires_at, segments)


def _given_properties(params: Params, features: Features) -> tuple[dict[str, str | None], dict[str, str | None] | None]:
    """Return the given texts (an empty one as None) and the metadata. Raises InvalidInput."""
    given, metadata = {name: params[name] for name in HEADER_OPTIONS if params[name] is not None}, params["metadata"]
    if not given and metadata is None:
        return {}, None

    texts = {option: check_text(option, text) or None for option, text in given.items()}
    if texts.get("content_type", "") is None:
        raise InvalidInput("content_type: every object has one, so it cannot be empty.", option="content_type")
    return texts, None if metadata is None else desired_metadata(metadata, features, empty_removes=False)


SETTABLE = (*HEADER_OPTIONS, "metadata", "expires_at")
OBJECT_FIELDS: Fields = tuple(Field(name) for name in ("container", "name", "etag", "size", *SETTABLE, "large_object"))
UNKNOWN: dict[str, object] = {
    **dict.fromkeys(item.name for item in OBJECT_FIELDS),
    "metadata": {},
    "last_modified": None,
}


def _check(params: Params) -> None:
    object_spec(params, UNLIMITED)


def run(task: Task, params: Params) -> Result:
    features = features_of(task)
    task.redactor.add(*misplaced_secrets(params["metadata"]))
    spec, present = object_spec(params, features), params["state"] == "present"
    content: ObjectContent | None = None
    if present and params["content"] is not None:
        content = text_content(params["content"])
    elif present and params["src"] is not None:
        content = file_content(params["src"])
    outcome = None if content is None or not task.expects_new else _create_unseen(task, spec, features, content)
    outcome = outcome or _reconcile(task, StorageObject(object_storage(task), spec, task, features), content)
    if task.check_mode:
        outcome = outcome_in_check_mode(outcome, new=("content_type",), changed=("last_modified",))
    return storage_result("object", outcome, UNKNOWN)


def _create_unseen(task: Task, spec: ObjectSpec, features: Features, content: ObjectContent) -> Outcome | None:
    """Create an object without looking for it: the service refuses to replace one.

    Returns None if another task was quicker and the object must not be overwritten or has this content already, or if
    the object does not read as it was written. Raises ObjectExists for one with other content.
    """
    storage = object_storage(task)
    try:
        return _reconcile(task, StorageObject(storage, spec, task, features, unseen=True), content)
    except ObjectExists as error:
        if spec.params["overwrite"] and not StorageObject(storage, spec, task, features).holds(content):
            error.next_step = "Somebody else created it after it was planned. Check what it is, then run this again."
            raise
    except OperationFailed:
        pass
    return None


def _reconcile(task: Task, target: StorageObject, content: ObjectContent | None) -> Outcome:
    desired: JsonObject = {}
    if target.state == "present":
        desired = target.plan(content)
        moment = desired.get("expires_at")
        is_new = moment not in (LATER, (target.current or {}).get("expires_at"))
        if moment is not None and is_new and to_unix(moment) <= task.clock.now():
            raise InvalidInput(
                f"expires_at: {moment} has passed, and the service accepts only times in the future.",
                next_step="To remove the object, set state to absent.",
                option="expires_at",
            )
    return reconcile(target, desired, target.state, check_mode=task.check_mode)


class StorageObject:
    """One object, read once, in the constructor. ``unseen``: it is not read, and only created if it is new."""

    kind = "object"
    fields = OBJECT_FIELDS

    def __init__(
        self, storage: ObjectStorage, spec: ObjectSpec, task: Task, features: Features, *, unseen: bool = False
    ) -> None:
        self._storage = storage
        self._spec = spec
        self._task = task
        self._features = features
        self._desired: dict[str, object] = {}
        self._headers: Headers = {}
        self._content: ObjectContent | None = None
        self._new_content: ObjectContent | CopySource | None = None
        self.state: str = spec.params["state"]
        self._unseen = unseen
        self.current = None if unseen else self._read()

    def plan(self, content: ObjectContent | None) -> JsonObject:
        """Return the complete desired values, with this content. Raises InvalidInput if it is needed and missing."""
        self._content = content
        self._plan_content(content)
        self._desired = self._desired_values()
        return self._desired

    @contextlib.contextmanager
    def lock(self, current: JsonMapping) -> t.Iterator[JsonObject]:
        """Keep other tasks of this host from changing the object while the block runs: a change sends all headers.

        Reads the object again and yields the values desired for it. Raises Busy.
        """
        del current

        with lock_object(self._task, self._storage, self._spec.place):
            self.current = self._read()
            yield self.plan(self._content)

    def _plan_content(self, content: ObjectContent | None) -> None:
        """Decide whether the content has to be written."""
        self._new_content = None
        if content is None and self._spec.copy_from is None:
            if self.current is None:
                container, name = self._spec.place
                text = f"There is no object {name!r} in a container {container!r}, and no content to create it from."
                self._task.refuse_missing(InvalidInput(text, next_step="Give one of content, src and copy_from."))
        elif self.current is None or self._spec.params["overwrite"]:
            source: ObjectContent | CopySource | None = content
            if self._spec.copy_from is not None:
                place, version = self._spec.copy_from
                source = copy_source(self._storage, place, version=version)
            if source is not None and not self.holds(source):
                self._new_content = source
                self._foresee_refusal()

    def _foresee_refusal(self) -> None:
        """Raise NotFound if it is known in check mode that the container of a new object will be missing."""
        container = self._spec.place[0]
        if self._task.planned_objects is None or self.current is not None:
            return
        if self._storage.container_metadata(container) is None:
            raise missing_container(container, NotFound("Create or overwrite object", status=404))

    def holds(self, source: ObjectContent | CopySource) -> bool:
        """Return whether the object existed with this content when it was read."""
        if self.current is None:
            return False
        if isinstance(source, ObjectContent) and self.current["large_object"]:
            preferred = self._spec.params["segment_size"]
            return same_content(self._storage, self.current, self._headers, source, preferred)
        return bool(self.current["size"] == source.size and self.current["etag"] == source.etag)

    def _segment_size(self, size: int) -> int | None:
        """Return the size of the segments for a content of ``size`` bytes, None if it is stored as one object."""
        if size <= ASK_FROM and self._spec.params["segment_threshold"] is None:
            return None

        return size_of_segments(self._features, self._spec.params, size)

    def _desired_values(self) -> dict[str, object]:
        """Return the complete desired values; all others stay unchanged."""
        spec, source = self._spec, self._new_content
        start: JsonMapping = self.current or {}
        desired: JsonObject = dict(zip(("container", "name"), spec.place))
        if source is not None:
            if not isinstance(source, ObjectContent):
                start = source.record
                desired.update({option: start[option] for option in HEADER_OPTIONS}, expires_at=None)
            desired.update(self._foresee(source), size=source.size)
        desired.update(spec.texts)
        have, purge = start.get("metadata", {}), spec.params["purge_metadata"]
        desired["metadata"] = merge_metadata(spec.metadata, have, self._features, purge=purge)
        if spec.expires_at is not None:
            desired["expires_at"] = spec.expires_at[0]
        elif spec.params["expires_in"] is not None and (source is not None or not start.get("expires_at")):
            desired["expires_at"] = LATER
        return desired

    def _foresee(self, source: ObjectContent | CopySource) -> dict[str, object]:
        """Return the ETag and the kind of the future object; a file is only read for it in check mode."""
        if not isinstance(source, ObjectContent):
            return {"etag": source.etag, "large_object": "static" if source.segments else None}
        check_bound(self._task, self._spec.place, source)
        each = self._segment_size(source.size)
        if each is not None:
            return {
                "etag": etag_in_segments(source, each) if self._task.check_mode else LATER,
                "large_object": "static",
            }
        self._features.check_limit("max_file_size", source.size, "The content")
        known = source.etag if self._task.check_mode else source.known_etag
        return {"etag": LATER if known is None else known, "large_object": None}

    def find(self, desired: JsonMapping) -> JsonObject | None:
        """Return the object as the constructor read it."""
        del desired
        return self.current

    def create(self, values: JsonMapping) -> Created:
        """Create the object, or return that of a quicker task.

        Raises ObjectExists if an ``unseen`` one exists, or one that cannot be read and must not be replaced.
        """
        overwrite = self._spec.params["overwrite"]
        try:
            return Created(self._write(values, CREATE_ONLY_HEADER))
        except ObjectExists:
            self.current = None if self._unseen else self._read()
            if self.current is None and (self._unseen or not overwrite):
                raise
        if self.current is None:  # the service counts one that has expired, or is shown late
            return Created(self._write(values, {}))
        if overwrite:
            return Created(self.current, by_us=False)
        for name in ("etag", "size", "large_object"):
            self._desired.pop(name)
        self._new_content = None
        return Created(self.current, by_us=False)

    def update(self, current: JsonMapping, changes: JsonMapping) -> JsonObject:
        """Replace the object, or only its properties if the content stays."""
        after = {**current, **changes}
        if self._new_content is not None:
            return self._write(after, {})

        update_object(self._storage, self._spec.place, after, self._headers, self._spec.params["expires_in"])
        return self._read_back(after)

    def delete(self, current: JsonMapping) -> None:
        """Remove the object, a static large one with its segments."""
        if current["large_object"] == "static":
            delete_with_segments(self._storage, *self._spec.place)
        else:
            self._storage.delete_object(*self._spec.place)
        self._storage.require_gone(*self._spec.place, self._headers)

    def _write(self, record: JsonMapping, guard: Headers) -> JsonObject:
        spec, source = self._spec, self._new_content
        kept = self._headers if source is None or isinstance(source, ObjectContent) else source.headers
        headers = {**object_headers(record, kept, spec.params["expires_in"]), **guard}
        each = self._segment_size(source.size) if isinstance(source, ObjectContent) else None
        is_large = each is not None or (self.current is not None and self.current["large_object"])
        if isinstance(source, ObjectContent) and not is_large:
            upload(self._storage, spec.place, headers, source, self._features)
            return self._read_back(record)

        writer = ObjectWriter(self._task, self._storage, self._features, spec.segment_container)
        replaced = own_segments(self._storage, self.current, self._headers, self._task.warn)
        if isinstance(source, ObjectContent):
            writer.store(spec.place, source, headers, replaced, each)
        elif source is not None:
            copy_object(writer, source, spec.place, headers, replaced)
        return self._read_back(record)

    def _read_back(self, record: JsonMapping) -> dict[str, object]:
        """Return the object as it is now. Raises OperationFailed if the service keeps other properties than it got."""
        before = self._headers.get("x-timestamp")
        self._headers = self._storage.written(*self._spec.place, before)
        found = object_record(*self._spec.place, self._headers)
        if self._headers["x-timestamp"] != before:  # else nothing was written, which the engine sees
            check_stored({name: record.get(name) for name in SETTABLE if name in self._desired}, found)
        return found

    def _read(self) -> JsonObject | None:
        headers = self._storage.object_metadata(*self._spec.place)
        self._headers = headers or {}
        return None if headers is None else object_record(*self._spec.place, headers)


OPERATION = Operation(
    "storage_object",
    ("storage",),
    OBJECT_OPTIONS,
    run,
    OBJECT_RULES,
    manages=ManagedObject("object", "object"),
    check=_check,
)
