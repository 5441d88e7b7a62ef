# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The object storage as it will be after the earlier tasks of a run in check mode, which have only promised it."""

from __future__ import annotations

import functools
import typing as t

from .._connection.check_mode_promises import Promises
from .._core.errors import NotFound
from .._engine.plan import HIDDEN, LATER
from .._http.messages import Response
from .api import Headers, ObjectStorage
from .container_headers import container_headers
from .properties import object_headers

if t.TYPE_CHECKING:
    from .._connection.task import Task

Record = t.Dict[str, t.Any]
EntryOf = t.Callable[[str, Record], Record]
KEYS = ("temp-url-key", "temp-url-key-2")
NEW_CONTAINER = {"x-container-object-count": "0", "x-container-bytes-used": "0"}


class StorageToBe(ObjectStorage):
    """The object storage in check mode, with what is promised laid over what is there."""

    _promises: Promises
    _task: Task

    @classmethod
    def over(cls, api: ObjectStorage, task: Task, promises: Promises) -> StorageToBe:
        """Return one with the same connection."""
        to_be = cls.__new__(cls)
        vars(to_be).update(vars(api), _promises=promises, _task=task)
        return to_be

    def container_metadata(self, container: str) -> Headers | None:
        """Return the headers that describe a container, or None when there is none."""
        promised = self._promises.of(self._task, "container")
        found = super().container_metadata(container)
        if container not in promised:
            return found
        record = promised[container]
        return None if record is None else {**(found or NEW_CONTAINER), **_lower(container_headers(_shown(record)))}

    def head(self, operation: str, url: str, marks: tuple[str, ...]) -> Headers | None:
        """Return the headers of what may not be there; those of the account with the keys that it would have."""
        found = super().head(operation, url, marks)
        account = self._promises.of(self._task, "account").get(None) if url == self.address() else None
        if found is None or account is None:
            return found
        return {**found, **{f"x-account-meta-{name}": LATER for name in KEYS if account.get(name.replace("-", "_"))}}

    def read_object(
        self,
        container: str,
        name: str,
        take: t.Callable[[bytes], None],
        headers: Headers | None = None,
        length: int = 0,
    ) -> Response:
        """Hand the content piece by piece to ``take``; that of a promised object is known after apply."""
        if self._objects().get((container, name)) is None:
            return super().read_object(container, name, take, headers, length)
        take(LATER.encode())
        return Response(200, {"etag": f'"{LATER}"'}, b"")

    def object_metadata(self, container: str, name: str) -> Headers | None:
        """Return the headers that describe an object, or None when there is none."""
        promised = self._objects()
        if (container, name) in promised:
            record = promised[container, name]
            return None if record is None else _headers_of_object(record)
        return None if self._is_removed(container) else super().object_metadata(container, name)

    def list_objects(self, container: str, **query: str | int | None) -> list[Record]:
        """Return one page of a container's listing. Raises NotFound."""
        if self._is_removed(container):
            raise NotFound(f"List objects: an earlier task would remove the container {container!r}.", status=404)
        promised = {name: record for (place, name), record in self._objects().items() if place == container}
        ask = functools.partial(super().list_objects, container)
        return _with_promised(ask, query, promised, _entry)

    def listing(
        self,
        operation: str,
        url: str,
        query: t.Mapping[str, t.Any],
        heard: t.Callable[[Headers], None] | None = None,
    ) -> list[Record]:
        """Return one page of a listing as the service writes it; what is promised only has nothing else in it."""
        containers = self._promises.of(self._task, "container")

        def ask(**asked: t.Any) -> list[Record]:
            return super(StorageToBe, self).listing(operation, url, asked, heard)

        if url == self.address():
            return _with_promised(ask, query, containers, lambda name, _record: {"name": name, "count": 0, "bytes": 0})
        try:
            return ask(**query)
        except NotFound:
            if url not in [self.address(name) for name, record in containers.items() if record is not None]:
                raise
            return []

    def _is_removed(self, container: str) -> bool:
        return self._promises.of(self._task, "container").get(container, {}) is None

    def _objects(self) -> dict[t.Any, Record | None]:
        return self._promises.of(self._task, "object")


def _with_promised(
    ask: t.Callable[..., t.List[Record]],
    query: t.Mapping[str, t.Any],
    promised: t.Mapping[str, Record | None],
    entry_of: EntryOf,
) -> list[Record]:
    """Return a page of a listing with what is promised at its place; where all are removed, what comes after it."""
    page = ask(**query)
    if not promised or query.get("delimiter"):
        return page
    merged = _merged(page, query, promised, entry_of)
    if page and not merged:
        return _with_promised(ask, {**query, "marker": page[-1]["name"]}, promised, entry_of)
    return merged


def _merged(
    page: list[Record], query: t.Mapping[str, t.Any], promised: t.Mapping[str, Record | None], entry_of: EntryOf
) -> list[Record]:
    last = page[-1]["name"] if page else None
    inside = {name: record for name, record in promised.items() if _is_inside(name, query, last)}
    new = [entry_of(name, record) for name, record in inside.items() if record is not None]
    kept = [entry for entry in page if entry.get("name") not in promised]
    return sorted([*kept, *new], key=lambda entry: str(entry["name"]))


def _is_inside(name: str, query: t.Mapping[str, t.Any], last: str | None) -> bool:
    """Return whether the page of a listing that ends with ``last`` has that name; the last page has all that follow."""
    begin, end = query.get("marker") or "", query.get("end_marker")
    wanted = name.startswith(query.get("prefix") or "") and name > begin and (not end or name < end)
    return wanted and (last is None or name <= last)


def _shown(record: Record) -> Record:
    return {name: LATER if value == HIDDEN else value for name, value in record.items()}


def _lower(headers: Headers) -> Headers:
    return {name.lower(): str(value) for name, value in headers.items()}


def _headers_of_object(record: Record) -> Headers:
    size = {"content-length": str(record.get("size", 0))}
    return {**_lower(object_headers(record, {}, None)), "etag": record.get("etag", ""), **size}


def _entry(name: str, record: Record) -> Record:
    """Return what a listing has of an object."""
    return {
        "name": name,
        "hash": record.get("etag", ""),
        "bytes": record.get("size", 0),
        "content_type": record.get("content_type", "application/octet-stream"),
        "last_modified": "1970-01-01T00:00:00.000000",
    }
