# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bring an object of the object storage to its wanted state."""

from __future__ import annotations

import typing as t

from ..._api.object_storage import Headers, ObjectStorage
from ..._core.errors import InvalidInput
from ..._engine.converge import Created, converge
from ..._engine.fields import Field, Fields, Record
from ..._engine.plan import LATER
from ..._session.object_storage import object_storage, require_settings, service_limits
from ..._session.operation import STATE, Operation, Params, Result
from ..._session.task import Task
from .content import Content, of_file, of_text
from .metadata import check_text, settled, wishes
from .names import Limits, check_container, check_object, source_of_copy
from .object_headers import OPTIONS_BY_HEADER, expiry, headers_of, record_of, to_unix
from .result import foreseen, storage_result

TEXTS = tuple(OPTIONS_BY_HEADER.values())
FIELDS: Fields = tuple(Field(name) for name in ("container", "name", "etag", "size", *TEXTS, "metadata", "expires_at"))
SOURCES = ("content", "src", "copy_from")
UNKNOWN: dict[str, t.Any] = {
    **dict.fromkeys(item.name for item in FIELDS),
    "metadata": {},
    "last_modified": None,
    "large_object": None,
}

OPTIONS: dict[str, dict[str, t.Any]] = {
    "container": {"type": "str", "required": True},
    "name": {"type": "str", "required": True, "aliases": ["object"]},
    "content": {"type": "raw"},
    "src": {"type": "path"},
    "remote_src": {"type": "bool", "default": False},
    "copy_from": {"type": "raw"},
    "content_type": {"type": "str"},
    "content_disposition": {"type": "str"},
    "content_encoding": {"type": "str"},
    "cache_control": {"type": "str"},
    "metadata": {"type": "dict"},
    "purge_metadata": {"type": "bool", "default": False},
    "expires_at": {"type": "str", "aliases": ["delete_at"]},
    "expires_in": {"type": "int", "aliases": ["delete_after"]},
    **STATE,
}
RULES = {"mutually_exclusive": [SOURCES, ("expires_at", "expires_in")]}


class Wish(t.NamedTuple):
    """The options after their checks. None: not given."""

    container: str
    name: str
    texts: dict[str, str | None]
    metadata: dict[str, str | None] | None
    purge: bool
    copy_from: tuple[str, str] | None
    expires_in: int | None
    expires_at: tuple[str | None] | None  # in a tuple, for None is a value here: never


def run(task: Task, params: Params) -> Result:
    """Do what the options of the module say."""
    require_settings(task)
    limits = Limits(lambda: service_limits(task))
    wish = _checked(params, limits)
    wanted_present = params["state"] == "present"
    content = _content(params, limits) if wanted_present else None
    storage = object_storage(task)
    target = Object(storage, wish, task, limits)
    wanted: Record = {}
    if wanted_present:
        source = content if wish.copy_from is None else _other_object(storage, wish.copy_from)
        target.fill_with(source)
        wanted = _wanted(wish, target, limits)
        _check_expiry(wanted, target.current, task.clock.now())
    outcome = converge(target, wanted, params["state"], check_mode=task.check_mode)
    if task.check_mode:
        outcome = foreseen(outcome, new=("content_type",), changed=("last_modified",))
    return storage_result("object", outcome, UNKNOWN)


def _checked(params: Params, limits: Limits) -> Wish:
    seconds, moment = params["expires_in"], params["expires_at"]
    if seconds is not None and seconds < 1:
        raise InvalidInput(f"expires_in: {seconds} seconds; it must be at least 1.", option="expires_in")
    texts = {option: check_text(option, params[option]) or None for option in TEXTS if params[option] is not None}
    if "content_type" in texts and texts["content_type"] is None:
        raise InvalidInput("content_type: every object has one, so it cannot be empty.", option="content_type")
    given, copy_from = params["metadata"], params["copy_from"]
    wish = Wish(
        container=check_container(params["container"], limits, "container"),
        name=check_object(params["name"], limits),
        texts=texts,
        metadata=None if given is None else wishes(given, limits, empty_removes=False),
        purge=params["purge_metadata"],
        copy_from=None if copy_from is None else source_of_copy(copy_from, limits),
        expires_in=seconds,
        expires_at=None if moment is None else (expiry(moment),),
    )
    if wish.copy_from == (wish.container, wish.name):
        raise InvalidInput("copy_from: an object cannot be made by copying itself.", option="copy_from")
    return wish


def _content(params: Params, limits: Limits) -> Content | None:
    if params["content"] is not None:
        content = of_text(params["content"])
    elif params["src"] is not None:
        content = of_file(params["src"])
    else:
        return None
    limits.check("max_file_size", content.size, "The content")
    return content


class Other(t.NamedTuple):
    """The object to copy: its record and its headers."""

    record: dict[str, t.Any]
    headers: Headers


def _other_object(storage: ObjectStorage, place: tuple[str, str]) -> Other:
    headers = storage.object_metadata(*place)
    container, name = place
    if headers is None:
        raise InvalidInput(f"copy_from: there is no object {name!r} in a container {container!r}.", option="copy_from")
    record = record_of(container, name, headers)
    if record["large_object"]:
        raise InvalidInput(
            f"copy_from: {container}/{name} is a large object ({record['large_object']}), made of segments.",
            next_step="A copy of it could not be told from other content later, so this module does not make one.",
            option="copy_from",
        )
    return Other(record, headers)


def _wanted(wish: Wish, target: Object, limits: Limits) -> dict[str, t.Any]:
    """Return the complete wanted values; what is not among them stays as it is."""
    start: Record = target.current or {}
    wanted: dict[str, t.Any] = {"container": wish.container, "name": wish.name}
    if target.replaced_by is not None:
        source = target.replaced_by
        if isinstance(source, Other):
            start = source.record
            wanted.update({option: start[option] for option in TEXTS}, expires_at=None)
        wanted.update(etag=_etag(source), size=_size(source))
    wanted.update(wish.texts)
    wanted["metadata"] = settled(wish.metadata, start.get("metadata", {}), limits, purge=wish.purge)
    if wish.expires_at is not None:
        wanted["expires_at"] = wish.expires_at[0]
    elif wish.expires_in is not None and (target.replaced_by is not None or not start.get("expires_at")):
        wanted["expires_at"] = LATER
    return wanted


def _etag(source: Content | Other) -> str:
    return source.etag if isinstance(source, Content) else t.cast(str, source.record["etag"])


def _size(source: Content | Other) -> int:
    return source.size if isinstance(source, Content) else t.cast(int, source.record["size"])


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

    def __init__(self, storage: ObjectStorage, wish: Wish, task: Task, limits: Limits) -> None:
        self._storage = storage
        self._wish = wish
        self._task = task
        self._limits = limits
        self._headers = storage.object_metadata(wish.container, wish.name)
        self.current = None if self._headers is None else record_of(wish.container, wish.name, self._headers)
        self.replaced_by: Content | Other | None = None

    def fill_with(self, source: Content | Other | None) -> None:
        """Decide whether the content has to be written. Raises InvalidInput when it would have to and is not given."""
        if source is None:
            if self.current is None:
                self._refuse_nothing()
        elif self.current is None or not self._holds(source):
            self.replaced_by = source

    def _refuse_nothing(self) -> None:
        wish = self._wish
        text = f"There is no object {wish.name!r} in a container {wish.container!r}, and nothing to make it of."
        if not self._task.check_mode:
            raise InvalidInput(text, next_step="Give one of content, src and copy_from.")
        self._task.warn(f"{text} Unless an earlier task makes it, this one will fail outside check mode.")

    def _holds(self, source: Content | Other) -> bool:
        current = t.cast("dict[str, t.Any]", self.current)
        if not current["large_object"]:
            return bool(_etag(source) == current["etag"])
        if not isinstance(source, Content):
            return False  # what is copied is never large
        from .large_object import same_content

        return same_content(self._storage, current, t.cast("Headers", self._headers), source)

    def find(self, wanted: Record) -> dict[str, t.Any] | None:
        """Return the object as it was when this was made."""
        del wanted
        return self.current

    def create(self, values: Record) -> Created:
        """Make the object."""
        return Created(self._write(values, {}))

    def update(self, current: Record, changes: Record) -> dict[str, t.Any]:
        """Replace the object, or only what describes it when the content stays."""
        after = {**current, **changes}
        kept = self._headers or {}
        if self.replaced_by is not None:
            return self._write(after, kept)
        headers = headers_of(after, kept, self._wish.expires_in)
        if kept.get("x-object-manifest"):
            headers["x-object-manifest"] = kept["x-object-manifest"]  # without it the object would become empty
        self._storage.update_object_metadata(self._wish.container, self._wish.name, headers)
        return self._read() or after

    def delete(self, current: Record) -> None:
        """Remove the object, a static large one with its segments."""
        place = (self._wish.container, self._wish.name)
        if current["large_object"] != "static":
            self._storage.delete_object(*place)
            return
        from .large_object import delete_with_segments

        delete_with_segments(self._storage, *place)

    def _write(self, record: Record, kept: Headers) -> dict[str, t.Any]:
        from .upload import copy, upload

        source = self.replaced_by
        place = (self._wish.container, self._wish.name)
        if isinstance(source, Other):
            headers = headers_of(record, source.headers, self._wish.expires_in)
            copy(self._storage, t.cast("tuple[str, str]", self._wish.copy_from), place, headers, _size(source))
        else:
            headers = headers_of(record, kept, self._wish.expires_in)
            upload(self._storage, place, headers, t.cast(Content, source), self._limits)
        if record.get("large_object"):
            text = f"{'/'.join(place)} was a large object ({record['large_object']}); the segments of it stay."
            self._task.warn(text)
        return self._read() or {**UNKNOWN, **record}

    def _read(self) -> dict[str, t.Any] | None:
        headers = self._storage.object_metadata(self._wish.container, self._wish.name)
        return None if headers is None else record_of(self._wish.container, self._wish.name, headers)


OPERATION = Operation(name="storage_object", services=("storage",), options=OPTIONS, run=run, rules=RULES)
