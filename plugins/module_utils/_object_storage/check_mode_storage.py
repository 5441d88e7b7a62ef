# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The object storage as the earlier tasks of a run in check mode would leave it."""

from __future__ import annotations

import typing as t

from .._connection.check_mode_state import PlannedObjects
from .._connection.task import Task
from .._core.errors import NotFound
from .._core.later import LATER
from .._core.text import HIDDEN
from .._core.type_aliases import JsonObject
from .._http.messages import Response, number_of
from .api import (
    CONTENT,
    LISTING,
    ContentSink,
    Headers,
    ListingPage,
    ObjectStorage,
    StorageRead,
    may_hold_versions,
    name_of,
    pages_of,
)
from .container_settings import ACCOUNT_ITEMS
from .container_writes import container_headers, metadata_changes
from .object_properties import object_headers

Contents = t.Tuple[bool, t.Dict[str, t.Optional[JsonObject]]]
EntryOf = t.Callable[[str, JsonObject], JsonObject]
SET = ("x-account-meta-", "x-container-meta-")
"""Headers with these beginnings are all in a record."""


COUNT, BYTES = "x-container-object-count", "x-container-bytes-used"


class CheckModeStorage:
    """Reads of the object storage in check mode; what the service has is read through ``storage``."""

    def __init__(self, task: Task, planned_objects: PlannedObjects, storage: ObjectStorage) -> None:
        self._task = task
        self._planned_objects = planned_objects
        self._read = storage.read
        self._storage = storage.reading(self.read)
        self._index: dict[str, Contents] | None = None

    def read(self, request: StorageRead) -> t.Any:
        """Return what would be read. Raises NotFound for a page of a container that would be removed."""
        if request.shape == LISTING:
            return self._page(request)
        if request.container is None:
            return self._account(request)
        return self._container(request) if request.name is None else self._object(request)

    def _account(self, request: StorageRead) -> Headers | None:
        """Return the headers that the account would have."""
        found: Headers | None = self._read(request)
        record = self._planned_objects.of(self._task, "account").get(None)
        if found is None or record is None:
            return found
        metadata = metadata_changes(ACCOUNT_ITEMS, {}, _with_unknown_secrets(record))
        return _overlay(found, {f"x-account-meta-{name}": text for name, text in metadata.items()})

    def _container(self, request: StorageRead) -> Headers | None:
        container = str(request.container)
        record = self._containers().get(container, {})
        if record is None:
            return None
        emptied, objects = self._contents(container)
        found: Headers | None = None if emptied else self._read(request)
        if found is None and not record:
            return None
        whole = found or {}
        if record:
            whole = _overlay(whole, _lower(container_headers(_with_unknown_secrets(record))))
        return {**whole, **self._counts_with_versions(container, whole)} if objects or not found else whole

    def _object(self, request: StorageRead) -> Headers | Response | None:
        """Return headers, or hand over content; that of a planned object is known after apply."""
        emptied, objects = self._contents(str(request.container))
        record = objects.get(str(request.name), None if emptied else {})
        if record:
            return _planned_headers(record) if request.take is None else _planned_content(request.take)
        if record is None:
            return Response(404, {}, b"") if request.shape == CONTENT else None
        return t.cast("t.Union[Headers, Response, None]", self._read(request))

    def _page(self, request: StorageRead) -> ListingPage:
        """Return one page of a listing; versions are those that the service has."""
        container, containers, query = request.container, self._containers(), request.query
        record = {} if container is None else containers.get(container, {})
        if record is None:
            what = f"the container {container!r}"
            raise NotFound(f"{request.operation}: an earlier task would remove {what}.", status=404)
        headers: Headers = {}

        def ask(**asked: t.Any) -> list[JsonObject]:
            try:
                page: ListingPage = self._read(request._replace(query=asked))
            except NotFound:
                if not record:
                    raise
                return []
            headers.update(page.headers)
            return page.entries

        if container is None:
            entries = _add_planned(ask, query, containers, self._entry_of_container)
        elif query.get("versions"):
            entries = ask(**query)
        else:
            emptied, planned = self._contents(container)
            entries = _add_planned((lambda **_asked: []) if emptied else ask, query, planned, _entry)
        return ListingPage(entries, headers)

    def _entry_of_container(self, name: str, _record: JsonObject) -> JsonObject:
        counts = self._counts(name)
        return {"name": name, "count": int(counts[COUNT]), "bytes": int(counts[BYTES])}

    def _counts(self, container: str) -> Headers:
        """Return the headers that count what would be in a container."""
        count = size = 0
        for entry in self._storage.all_objects(container, ""):
            count, size = count + 1, size + int(entry["bytes"])
        return {COUNT: str(count), BYTES: str(size)}

    def _counts_with_versions(self, container: str, headers: Headers) -> Headers:
        """Return the counts; of a container that keeps versions, with the bytes of all that it ever got."""
        counts = self._counts(container)
        if not may_hold_versions(headers):
            return counts
        sizes: dict[t.Any, int] = {}  # of what earlier tasks would write; what they replace or remove stays there
        for kind, key, record in self._planned_objects.in_order(self._task, "container", "object"):
            if kind == "container" and key == container and record is None:
                sizes.clear()
            elif kind == "object" and key[0] == container and record is not None:
                sizes[key[1], record.get("etag")] = record.get("size") or 0
        return {**counts, BYTES: str((number_of(headers, BYTES) or 0) + sum(sizes.values()))}

    def _containers(self) -> dict[t.Any, JsonObject | None]:
        return self._planned_objects.of(self._task, "container")

    def _contents(self, container: str) -> Contents:
        """Return whether all that the service has in a container would be gone, and what is planned there since."""
        if self._index is None:
            self._index = {}
            for kind, key, record in self._planned_objects.in_order(self._task, "container", "object"):
                if kind == "object":
                    self._index.setdefault(key[0], (False, {}))[1][key[1]] = record
                elif record is None:
                    self._index[key] = (True, {})
        return self._index.get(container, (False, {}))


def _planned_headers(record: JsonObject) -> Headers:
    size = {"content-length": str(record.get("size") or 0)}
    told = {"content-type": LATER, "last-modified": LATER, **_lower(object_headers(record, {}, None))}
    if record.get("large_object") == "static":
        return {**told, **size, "etag": f'"{record.get("etag") or LATER}"', "x-static-large-object": "true"}
    return {**told, **size, "etag": record.get("etag") or LATER}


def _planned_content(take: ContentSink) -> Response:
    take(LATER.encode())
    return Response(200, {"etag": f'"{LATER}"'}, b"")


def _add_planned(
    ask: t.Callable[..., t.List[JsonObject]],
    query: t.Mapping[str, object],
    planned: t.Mapping[str, JsonObject | None],
    entry_of: EntryOf,
) -> list[JsonObject]:
    """Return a page of a listing with what is planned at its place; where all are removed, what comes after it."""
    if not planned or query.get("delimiter"):
        return ask(**query)
    behind = dict(query)
    for page in pages_of(ask, **t.cast("t.Dict[str, str]", query)):
        merged = _merge(page, behind, planned, entry_of)
        if merged:
            return merged
        behind["marker"] = name_of(page[-1])
    return _merge([], behind, planned, entry_of)


def _merge(
    page: list[JsonObject], query: t.Mapping[str, object], planned: t.Mapping[str, JsonObject | None], entry_of: EntryOf
) -> list[JsonObject]:
    last = page[-1]["name"] if page else None
    inside = {name: record for name, record in planned.items() if _is_inside(name, query, last)}
    new = [entry_of(name, record) for name, record in inside.items() if record is not None]
    kept = [entry for entry in page if entry.get("name") not in planned]
    return sorted([*kept, *new], key=lambda entry: str(entry["name"]))


def _is_inside(name: str, query: t.Mapping[str, t.Any], last: str | None) -> bool:
    """Return whether the page of a listing that ends with ``last`` has that name; the last page has all that follow."""
    begin, end = query.get("marker") or "", query.get("end_marker")
    desired = name.startswith(query.get("prefix") or "") and name > begin and (not end or name < end)
    return desired and (last is None or name <= last)


def _with_unknown_secrets(record: JsonObject) -> JsonObject:
    return {name: LATER if value == HIDDEN else value for name, value in record.items() if value is not None}


def _overlay(found: Headers, known: Headers) -> Headers:
    """Return headers with all that are ``known`` of a record; what it does not have is gone."""
    kept = {name: text for name, text in found.items() if not name.startswith(SET)}
    return {**kept, **{name: text for name, text in known.items() if text}}


def _lower(headers: Headers) -> Headers:
    return {name.lower(): str(value) for name, value in headers.items()}


def _entry(name: str, record: JsonObject) -> JsonObject:
    """Return what a listing has of an object."""
    etag = record.get("etag") or LATER
    return {
        "name": name,
        "hash": etag,
        "bytes": record.get("size") or 0,
        "content_type": record.get("content_type") or LATER,
        "last_modified": LATER,
        **({"slo_etag": f'"{etag}"'} if record.get("large_object") == "static" else {}),
    }
