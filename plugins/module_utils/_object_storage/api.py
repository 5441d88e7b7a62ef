# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The client of the object storage interface: how each request is sent, and those that most tasks need.

What creates and changes is in ``container_writes.py`` and ``object_writes.py``.

Source: docs/service/storage.md. Names are ordinary text here and are percent-encoded on the way. Header names come
back in lower case.
"""

from __future__ import annotations

import copy
import functools
import math
import typing as t
from urllib.parse import quote

from .._core.errors import (
    GATEWAY,
    OperationFailed,
    PageLimit,
    Rejected,
    Unusable,
    confirm_write,
    mark_changed_on_error,
    note_change,
)
from .._core.text import shortened
from .._core.type_aliases import JsonObject
from .._http.client import Exchange
from .._http.messages import IDEMPOTENT, NO_HEADERS, READ, WRITE, Credentials, Request, Response
from .access import explain_refusal

Headers = t.Dict[str, str]
ObjectPlace = t.Tuple[str, str]  # container and object
ReadHeaders = t.Callable[[], t.Optional[Headers]]
ContentSink = t.Callable[[bytes], None]  # is handed the pieces of a content
SLOWEST = 128 * 1024  # bytes a second that are expected at least
GONE = frozenset((404,))
NOT_READ = frozenset((304, 404, 412, 416))
MAX_LIST_TRIES = 3  # for an answer that is not the service's
TRANSACTION = ("x-trans-id", "x-openstack-request-id")  # one is on every answer of the service, behind all else
OBJECT_MARKS = ("etag", "x-timestamp")
RESPONSE_MARKS = ("x-account-container-count",), ("x-container-object-count",), OBJECT_MARKS
"""Headers that are always among those of the account, of a container, of an object."""


HEADERS, LISTING, CONTENT = "headers", "listing", "content"  # the shapes of what is read
NO_QUERY: t.Mapping[str, t.Any] = {}


class ListingPage(t.NamedTuple):
    """A page of a listing as the service writes it, and the headers that came with it."""

    entries: list[JsonObject]
    headers: Headers


class StorageRead(t.NamedTuple):
    """What is to be read of the account, of a container or of an object; ``operation`` is its name for a person.

    Headers are None where there is nothing. A listing is a ListingPage. Content goes to ``take``; the answer is what is
    returned. ``length`` is how many bytes of it are expected.
    """

    operation: str
    shape: str
    container: str | None = None
    name: str | None = None
    query: t.Mapping[str, t.Any] = NO_QUERY
    take: ContentSink | None = None
    headers: t.Mapping[str, str] = NO_HEADERS
    length: int = 0

    @property
    def question(self) -> tuple[t.Hashable, ...] | None:
        """What is the same in all reads with the same answer; None for content, which nobody remembers."""
        if self.shape == CONTENT:
            return None
        return (self.shape, self.container, self.name, *sorted(_given(self.query).items()))


StorageReader = t.Callable[[StorageRead], t.Any]


def _given(query: t.Mapping[str, t.Any]) -> dict[str, str]:
    return {name: str(value) for name, value in query.items() if value not in (None, "")}


MAX_LISTING_PAGES = 5000  # of a listing, usually of 10000 entries each
MAX_OBJECT_NAME = 4096  # characters; the service usually allows 1024 bytes


def pages_of(ask: t.Callable[..., t.List[JsonObject]], **query: str) -> t.Iterator[list[JsonObject]]:
    """Yield the pages of a listing, each requested when needed. ``ask`` returns a page, an empty one at the end.

    Raises Unusable if a page does not go on behind the one before it, or if there are too many.
    """
    versions: set[str] = set()  # of one name, at the ends of pages
    limit = PageLimit("Listing in the object storage", MAX_LISTING_PAGES)
    while True:
        page = ask(**query)
        if not page:
            return
        limit.count(len(page))
        name, version, before = name_of(page[-1]), page[-1].get("version_id"), query.get("marker") or ""
        if name > before:
            versions.clear()
        elif name < before or version is None or str(version) in versions:
            raise Unusable(
                f"Listing in the object storage: the page behind {shortened(before)!r} ends with {shortened(name)!r}.",
                next_step="Something on the way may ignore which page is requested.",
            )
        yield page
        query["marker"] = name
        if version is not None:
            versions.add(str(version))
            query["version_marker"] = str(version)


def name_of(entry: JsonObject) -> str:
    """Return the name of an entry, or of what stands for all names with the same beginning."""
    return str(entry.get("name", entry.get("subdir")))


def _is_entry(levels: bool, of_objects: bool, entry: object) -> bool:
    if not isinstance(entry, dict):
        return False
    name, size = entry.get("name", entry.get("subdir") if levels else None), entry.get("bytes", 0)
    if of_objects and "name" in entry:
        size = entry.get("bytes")
        if not (isinstance(entry.get("hash"), str) and isinstance(entry.get("last_modified"), str)):
            return False
    return isinstance(name, str) and len(name) <= MAX_OBJECT_NAME and isinstance(size, int) and 0 <= size < 1 << 63


class ObjectStorage:
    """The containers and objects of one account. ``url`` is the storage address that came with the token.

    ``user`` is for error messages: whom the service refused something. All reads but those of manifests, and of
    listings that are no JSON, go through ``read``, which others may wrap.
    """

    def __init__(
        self,
        exchange: Exchange,
        credentials: Credentials,
        url: str,
        timeout: float,
        warn: t.Callable[[str], None],
        user: str = "",
    ) -> None:
        self.exchange = exchange
        self._credentials = credentials
        self._url = url
        self.timeout = timeout
        self.warn = warn
        self._user = user
        self.version: str | None = None
        self.read: StorageReader = self.read_from_service

    def reading(self, read: StorageReader) -> ObjectStorage:
        """Return a client with the same connection that reads with ``read``, which mostly wraps that of this one."""
        storage = copy.copy(self)
        storage.read = read
        return storage

    def of_version(self, version: str) -> ObjectStorage:
        """Return a client whose requests for objects are for one version: reading them, and copying them elsewhere.

        Only the service has versions, so it is always asked.
        """
        storage = copy.copy(self)
        storage.version = version
        return storage.reading(storage.read_from_service)

    # Containers

    def delete_container(self, container: str) -> None:
        """Delete an empty container; one that is gone already is fine. Raises Conflict when it is not empty."""
        url = self.address(container)
        self._delete("Delete container", url, lambda: self.container_metadata(container))

    def container_metadata(self, container: str) -> Headers | None:
        """Return the headers that describe a container, or None when there is none."""
        return self._headers(StorageRead("Container metadata", HEADERS, container))

    def list_objects(self, container: str, **query: str | int | None) -> list[JsonObject]:
        """Return one page of a container's listing; an empty page is the end, and only that.

        ``query``: ``marker`` (names after it), ``end_marker`` (names before it), ``prefix``, ``delimiter``, ``limit``.
        Entries have ``name``, ``hash``, ``bytes``, ``content_type`` and ``last_modified``, or only ``subdir``.
        """
        return self.page("List objects", container, query).entries

    def all_objects(self, container: str, prefix: str) -> t.Iterator[JsonObject]:
        """Yield all objects whose names begin with ``prefix``, page by page."""
        for page in pages_of(functools.partial(self.list_objects, container), prefix=prefix):
            yield from page

    # Objects

    def read_object(
        self, container: str, name: str, take: ContentSink, headers: Headers | None = None, length: int = 0
    ) -> Response:
        """Hand the content piece by piece to ``take``, and return the answer without it.

        ``headers`` may hold ``Range``, ``If-Match`` and the like: besides 200 and 206 the answer may be 304, 404, 412
        or 416, and then ``take`` was not called. ``length`` is how many bytes are expected. Raises Unclear or Unusable
        when the answer breaks off; what was handed over until then is right.
        """
        request = StorageRead("Read object", CONTENT, container, name, take=take, headers=headers or {}, length=length)
        return t.cast("Response", self.read(request))

    def delete_object(self, container: str, name: str) -> None:
        """Delete an object; one that is gone already is fine."""
        url = self.address(container, name)
        self._delete("Delete object", url, lambda: self.object_metadata(container, name))

    def object_metadata(self, container: str, name: str, **query: str) -> Headers | None:
        """Return the headers that describe an object, or None when there is none."""
        return self._headers(StorageRead("Object metadata", HEADERS, container, name, query))

    # What was written

    def newest(self, container: str, name: str | None = None) -> Headers | None:
        """Return the headers of a container or an object, None if it is gone, as the newest of all servers has them.

        A usual read may be answered by a server that lags behind.
        """
        operation = "Container metadata" if name is None else "Object metadata"
        request = StorageRead(operation, HEADERS, container, name, headers={"X-Newest": "true"})
        return t.cast("t.Optional[Headers]", self.read_from_service(request))

    def written(self, container: str, name: str | None = None, before: str | None = None) -> Headers:
        """Return the headers of what was just written. Raises OperationFailed if it is not there.

        ``before`` is the time of the object that it has replaced.
        """
        with mark_changed_on_error():
            now = self.container_metadata(container) if name is None else self.object_metadata(container, name)
            if now is None or now["x-timestamp"] == before:
                now = self.newest(container, name)
            if now is None:
                raise OperationFailed(
                    f"The service has accepted {_in_words(container, name)}, but it is not there.",
                    next_step="Check whether somebody has removed it before you run the task again.",
                )
        return now

    def require_gone(self, container: str, name: str | None = None, before: Headers | None = None) -> None:
        """Raise OperationFailed if what was removed is still there.

        An object that was made at another time than that ``before`` is another one, such as an older version.
        """
        with mark_changed_on_error():
            now = self.newest(container, name)
            if now is None or (before is not None and now["x-timestamp"] != before["x-timestamp"]):
                return
            raise OperationFailed(
                f"The service has accepted the removal of {_in_words(container, name)}, but it is still there.",
                next_step="Check whether somebody has created it again before you run the task again.",
            )

    # How they are sent

    def address(self, container: str | None = None, name: str | None = None) -> str:
        """Return the address of an object, of a container, or of the account."""
        parts = [self._url]
        if container is not None:
            parts.append(quote(container, safe=""))
        if name is not None:
            parts.append(quote(name))
        return "/".join(parts)

    def account_metadata(self) -> Headers | None:
        """Return the headers that describe the account."""
        return self._headers(StorageRead("Account metadata", HEADERS))

    def page(self, operation: str, container: str | None, query: t.Mapping[str, object]) -> ListingPage:
        """Return one page of the listing of a container, or of the account."""
        return t.cast("ListingPage", self.read(StorageRead(operation, LISTING, container, query=query)))

    def _headers(self, request: StorageRead) -> Headers | None:
        return t.cast("t.Optional[Headers]", self.read(request))

    def read_from_service(self, request: StorageRead) -> t.Any:
        """Read past whatever wraps the reads."""
        url = self.address(request.container, request.name)
        if request.shape == HEADERS:
            return self._read_headers(request, url)
        if request.shape == LISTING:
            return self._read_page(request, url)
        return self.send(
            request.operation,
            "GET",
            url,
            kind="read",
            headers=request.headers,
            stream_to=request.take,
            stream_marks=OBJECT_MARKS,
            timeout=self.time_for(request.length),
            accept_statuses=NOT_READ,
            marks=OBJECT_MARKS,
        )

    def _read_page(self, request: StorageRead, url: str) -> ListingPage:
        operation, params = request.operation, {"format": "json", **_given(request.query)}
        answer = self.send(operation, "GET", url, kind="read", params=params, json_answer=True, empty_ok=True)
        entries = answer.json() if answer.body else []
        is_entry = functools.partial(_is_entry, bool(request.query.get("delimiter")), request.container is not None)
        if not isinstance(entries, list) or not all(map(is_entry, entries)):
            raise Unusable(
                f"{operation}: the answer (HTTP {answer.status}) is not a list of names with their sizes.",
                next_step="A proxy or a login page may have answered in its place.",
                operation=operation,
                status=answer.status,
                request_id=answer.request_id,
            )
        return ListingPage(entries, dict(answer.headers))

    def time_for(self, length: int) -> float | None:
        """Return the time limit of a request that moves so many bytes: much may take as long as it moves."""
        return None if length <= self.timeout * SLOWEST else math.inf

    def _read_headers(self, request: StorageRead, url: str) -> Headers | None:
        """Return the headers of something, None if it does not exist.

        The answer is not decoded: Content-Encoding may be any word that the owner of an object has chosen.
        """
        answer = self.send(
            request.operation,
            "HEAD",
            url,
            kind="read",
            params=request.query,
            headers=request.headers,
            accept_statuses=GONE,
            marks=RESPONSE_MARKS[(request.container is not None) + (request.name is not None)],
            stream_to=bytearray().extend,
        )
        return None if answer.status in GONE else dict(answer.headers)

    def set(self, operation: str, method: str, url: str, headers: Headers, read: ReadHeaders) -> None:
        """Send headers; when the answer is unclear, those that ``read`` returns tell whether they were taken."""
        confirm_write(lambda: self.send(operation, method, url, headers=headers), lambda: shows(read(), headers))

    def _delete(self, operation: str, url: str, read: ReadHeaders) -> None:
        confirm_write(lambda: self.send(operation, "DELETE", url, accept_statuses=GONE), lambda: read() is None)

    def send(
        self,
        operation: str,
        method: str,
        url: str,
        *,
        kind: str = IDEMPOTENT,
        marks: tuple[str, ...] = (),
        **more: t.Any,
    ) -> Response:
        """Every write here may be repeated: it sets a whole state and adds nothing. With WRITE, the caller does it.

        Success mostly comes without a body here, so a page of a proxy, or an answer whose headers were cut off, looks
        like one. ``marks`` are headers that a good answer has; without them the request is sent again.
        """
        if self.version is not None and "/" in url[len(self.address()) + 1 :]:
            more["params"] = {**(more.get("params") or {}), "version-id": self.version}
        request = Request(operation=operation, method=method, url=url, kind=kind, **more)
        doubtful = False  # whether a try before this one may have been carried out
        for left in reversed(range(MAX_LIST_TRIES)):
            try:
                with mark_changed_on_error(doubtful):
                    answer = self.exchange.send(request, self._credentials)
            except Rejected as error:
                if "request_id" not in error.details:  # each answer of the service has one
                    error.details[GATEWAY] = True

                raise explain_refusal(error, self._user, method, url[len(self._url) + 1 :]) from None
            doubtful = kind != READ
            if _is_genuine(answer, marks):
                break
            problem = f"{operation}: the answer (HTTP {answer.status}) is not from the object storage, or was cut off."
            if not left or kind == WRITE:
                next_step = "A proxy or a login page may have answered in its place."
                unusable = Unusable(problem, next_step=next_step, operation=operation, status=answer.status)
                if doubtful:
                    note_change(unusable)
                raise unusable
            self.warn(f"{problem} It is tried again.")
        return answer


def _in_words(container: str, name: str | None) -> str:
    return f"the container {container!r}" if name is None else f"the object {container}/{name}"


def shows(there: Headers | None, sent: Headers) -> bool:
    """Return whether the service shows these headers as they were sent."""
    return there is not None and all(there.get(name.lower(), "") == value for name, value in sent.items())


def _is_genuine(answer: Response, marks: tuple[str, ...]) -> bool:
    if not 200 <= answer.status < 300:
        marks = ()
    return any(name in answer.headers for name in TRANSACTION) and all(name in answer.headers for name in marks)


AT_A_TIME = 4  # requests, where each is long or more of them gain little: segments, deletions


def list_versions(storage: ObjectStorage, container: str, **query: str | int | None) -> list[JsonObject]:
    """Return one page of all versions in a container, delete markers included; an empty page is the end.

    Entries have ``version_id`` and ``is_latest`` besides what a listing has. ``query``: ``marker`` (a name) together
    with ``version_marker`` (a version of it), ``prefix``, ``limit``.
    """
    return storage.page("List versions", container, {"versions": "true", **query}).entries


STACK, HISTORY = "stack", "history"
ELSEWHERE = {STACK: "X-Versions-Location", HISTORY: "X-History-Location"}
VERSIONS_HEADER = "X-Versions-Enabled"


def keeps_old_versions(storage: ObjectStorage, container: str) -> bool:
    """Whether objects of a container that are replaced or deleted may be there as versions."""
    headers = storage.container_metadata(container) or {}
    return may_hold_versions(headers) or any(headers.get(header.lower()) for header in ELSEWHERE.values())


def may_hold_versions(headers: Headers) -> bool:
    """Whether a container keeps versions itself, or did so once."""
    return VERSIONS_HEADER.lower() in headers
