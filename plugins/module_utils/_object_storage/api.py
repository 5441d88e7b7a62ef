# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The operations of the object storage interface, one method or function each, and what a refusal means.

Source: contract object-storage.md, wire-facts section 10. Names are ordinary text here and are percent-encoded on the
way. Header names come back in lower case.
"""

from __future__ import annotations

import functools
import math
import typing as t
from urllib.parse import quote, unquote

from .._core.errors import (
    GATEWAY,
    FcdError,
    Forbidden,
    NotFound,
    Rejected,
    Unusable,
    confirm_write,
    mark_changed_on_error,
    note_change,
    outcome_unknown,
)
from .._http.client import Exchange
from .._http.messages import IDEMPOTENT, READ, WRITE, Credentials, Request, Response

if t.TYPE_CHECKING:
    from .._engine.plan import Row

Headers = t.Dict[str, str]
Entry = t.Dict[str, t.Any]  # of a listing
Place = t.Tuple[str, str]  # container and object
ReadHeaders = t.Callable[[], t.Optional[Headers]]
ContentSink = t.Callable[[bytes], None]  # is handed the pieces of a content
OnHeaders = t.Callable[[Headers], None]
Body = t.Union[bytes, t.Callable[[], t.BinaryIO], None]
SLOWEST = 128 * 1024  # bytes a second that are expected at least
GONE = frozenset((404,))
EXISTED = 202  # what a create answers where there is a container already; 201 is a new one (wire-facts 10.2)
NOT_READ = frozenset((304, 404, 412, 416))
TRIES = 3  # for an answer that is not the service's
TRANSACTION = ("x-trans-id", "x-openstack-request-id")  # one is on every answer of the service, behind all else
FRESH = "X-Fresh-Metadata"  # the copy gets none of the source's
DESCRIBING = ("x-object-meta-", "x-delete-at", "content-disposition", "content-encoding", "cache-control")
CONTAINER_MARKS = ("x-container-object-count",)
OBJECT_MARKS = ("etag", "x-timestamp")


def obtain_token(
    exchange: Exchange, base: str, user: str, key: str, *, lifetime: int | None = None, renewed: bool = False
) -> Row:
    """Ask for a token: ``token``, ``url`` (storage address) and ``expires_in`` (seconds that are left; None: unknown).

    A token that is still valid is returned again. With ``renewed``, a new one revokes it, also for parallel runs.
    ``lifetime`` (seconds) counts only for a new token.
    """
    operation = "Obtain token"
    headers = {"X-Auth-User": user, "X-Auth-Key": key}
    if lifetime is not None:
        headers["X-Auth-Token-Lifetime"] = str(lifetime)
    if renewed:
        headers["X-Auth-New-Token"] = "true"
    answer = exchange.send(
        Request(operation=operation, method="GET", url=f"{base}/auth/v1.0", kind="login", headers=headers, fixed=True)
    )
    token = answer.headers.get("x-storage-token") or answer.headers.get("x-auth-token")
    url = answer.headers.get("x-storage-url")
    if not token or not url:
        raise Unusable(
            f"{operation}: the answer (HTTP {answer.status}) has no X-Storage-Token or no X-Storage-Url.",
            next_step="Check storage_base: it must be the address of the object storage, without a path.",
            operation=operation,
            status=answer.status,
            request_id=answer.request_id,
        )
    left = answer.headers.get("x-auth-token-expires", "")
    return {"token": token, "url": url.rstrip("/"), "expires_in": int(left) if left.isdigit() else None}


def read_features(exchange: Exchange, base: str) -> dict[str, object] | None:
    """Return what ``/info`` says about limits and features, or None where it is switched off. Needs no token."""
    answer = exchange.send(
        Request(
            operation="Read the features of the object storage",
            method="GET",
            url=f"{base}/info",
            kind="read",
            accept_statuses=frozenset((401, 403, 404)),
            json_answer=True,
        )
    )
    features = answer.json() if answer.status < 300 else None
    return features if isinstance(features, dict) else None


def pages_of(ask: t.Callable[..., t.List[Entry]], **query: str) -> t.Iterator[list[Entry]]:
    """Yield the pages of a listing, each requested when needed. ``ask`` returns a page, an empty one at the end."""
    while True:
        page = ask(**query)
        if not page:
            return
        yield page
        query["marker"] = str(page[-1].get("name", page[-1].get("subdir")))
        if "version_id" in page[-1]:
            query["version_marker"] = str(page[-1]["version_id"])


class ObjectStorage:
    """The containers and objects of one account. ``url`` is the storage address that came with the token.

    ``user`` is for error messages: whom the service refused something.
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
        self._exchange = exchange
        self._credentials = credentials
        self._url = url
        self._timeout = timeout
        self._warn = warn
        self._user = user

    # Containers

    def create_container(self, container: str, headers: Headers) -> bool:
        """Create a container; return False where there was one, into which the metadata was merged.

        After an unclear answer, one that is there at once is ours. One that is there only when the request was sent
        again may be somebody else's, who was quicker, and counts as that.
        """
        request = Request(operation="Create container", method="PUT", url=self.address(container), kind=IDEMPOTENT)
        answers: list[Response] = []

        def write(kind: str) -> None:
            confirm_write(
                lambda: answers.append(
                    self.send(request.operation, request.method, request.url, kind=kind, headers=headers)
                ),
                lambda: _shows(self.container_metadata(container), headers),
            )

        try:
            write(WRITE)
        except FcdError as unclear:
            if not outcome_unknown(unclear):
                raise
            self._exchange.wait_to_repeat(request, unclear)
        else:
            return not any(answer.status == EXISTED for answer in answers)
        with mark_changed_on_error():
            write(IDEMPOTENT)
        if any(answer.status != EXISTED for answer in answers):
            return True
        self._warn(
            f"The container {container!r} existed when its create was sent again after an unclear answer: it counts as "
            "somebody else's, which a site does not remove."
        )
        return False

    def delete_container(self, container: str) -> None:
        """Delete an empty container; one that is gone already is fine. Raises Conflict when it is not empty."""
        url = self.address(container)
        self._delete("Delete container", url, lambda: self.container_metadata(container))

    def container_metadata(self, container: str) -> Headers | None:
        """Return the headers that describe a container, or None when there is none."""
        return self.head("Container metadata", self.address(container), CONTAINER_MARKS)

    def update_container_metadata(self, container: str, headers: Headers) -> None:
        """Set or remove (empty value) what the headers name; all else stays."""
        url = self.address(container)
        self.set("Update container metadata", "POST", url, headers, lambda: self.container_metadata(container))

    def list_objects(self, container: str, **query: str | int | None) -> list[Row]:
        """Return one page of a container's listing; an empty page is the end, and only that.

        ``query``: ``marker`` (names after it), ``end_marker`` (names before it), ``prefix``, ``delimiter``, ``limit``.
        Entries have ``name``, ``hash``, ``bytes``, ``content_type`` and ``last_modified``, or only ``subdir``.
        """
        return self.listing("List objects", self.address(container), query)

    def all_objects(self, container: str, prefix: str) -> t.Iterator[Row]:
        """Yield all objects whose names begin with ``prefix``, page by page."""
        for page in pages_of(functools.partial(self.list_objects, container), prefix=prefix):
            yield from page

    # Objects

    def create_object(self, container: str, name: str, headers: Headers, body: Body, length: int) -> Headers:
        """Create or replace an object by ``length`` bytes, and return the headers of the answer.

        ``body`` may be a function that opens the bytes anew. Much content may take as long as it moves: then only
        silence ends it.
        """
        answer = self.send(
            "Create or overwrite object",
            "PUT",
            self.address(container, name),
            headers=headers,
            body=body,
            length=length,
            timeout=self._time_for(length),
            marks=("etag",),
        )
        return dict(answer.headers)

    def read_object(
        self, container: str, name: str, take: ContentSink, headers: Headers | None = None, length: int = 0
    ) -> Response:
        """Hand the content piece by piece to ``take``, and return the answer without it.

        ``headers`` may hold ``Range``, ``If-Match`` and the like: besides 200 and 206 the answer may be 304, 404, 412
        or 416, and then ``take`` was not called. ``length`` is how many bytes are expected. Raises Unclear or Unusable
        when the answer breaks off; what was handed over until then is right.
        """
        return self.send(
            "Read object",
            "GET",
            self.address(container, name),
            kind="read",
            headers=headers or {},
            stream_to=take,
            stream_marks=OBJECT_MARKS,
            timeout=self._time_for(length),
            accept_statuses=NOT_READ,
            marks=OBJECT_MARKS,
        )

    def copy_object(self, source: tuple[str, str], target: tuple[str, str], headers: Headers, length: int) -> None:
        """Copy an object of ``length`` bytes inside the service, which is silent meanwhile."""

        def send() -> None:
            self.send(
                "Copy object",
                "COPY",
                self.address(*source),
                headers={"Destination": "/".join(quote(part) for part in target), **headers},
                timeout=self._timeout + length / SLOWEST,
                marks=("etag",),
            )

        def done() -> bool:
            copied, there = self.object_metadata(*source), self.object_metadata(*target)
            own = {name: value for name, value in headers.items() if name != FRESH}
            return copied is not None and _describes(there, {**own, "ETag": copied["etag"]})

        confirm_write(send, done)

    def delete_object(self, container: str, name: str) -> None:
        """Delete an object; one that is gone already is fine."""
        url = self.address(container, name)
        self._delete("Delete object", url, lambda: self.object_metadata(container, name))

    def object_metadata(self, container: str, name: str) -> Headers | None:
        """Return the headers that describe an object, or None when there is none."""
        return self.head("Object metadata", self.address(container, name), OBJECT_MARKS)

    def update_object_metadata(self, container: str, name: str, headers: Headers) -> None:
        """Replace all metadata of an object by these headers; only its content and content type stay."""
        url = self.address(container, name)
        confirm_write(
            lambda: self.send("Update object metadata", "POST", url, headers=headers),
            lambda: _describes(self.object_metadata(container, name), headers),
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

    def listing(
        self, operation: str, url: str, query: t.Mapping[str, object], on_headers: OnHeaders | None = None
    ) -> list[Row]:
        """Return one page of a listing as the service writes it in JSON; ``on_headers`` gets the headers."""
        params = {"format": "json", **{name: value for name, value in query.items() if value not in (None, "")}}
        answer = self.send(operation, "GET", url, kind="read", params=params, json_answer=True, empty_ok=True)
        if on_headers is not None:
            on_headers(dict(answer.headers))
        return t.cast("list[Row]", answer.json() if answer.body else [])

    def _time_for(self, length: int) -> float | None:
        return None if length <= self._timeout * SLOWEST else math.inf

    def head(self, operation: str, url: str, marks: tuple[str, ...]) -> Headers | None:
        """Return the headers of something, None if it does not exist.

        The answer is not decoded: Content-Encoding may be any word that the owner of an object has chosen.
        """
        answer = self.send(
            operation, "HEAD", url, kind="read", accept_statuses=GONE, marks=marks, stream_to=bytearray().extend
        )
        if answer.status in GONE:
            return None
        return dict(answer.headers)

    def set(self, operation: str, method: str, url: str, headers: Headers, read: ReadHeaders) -> None:
        """Send headers; when the answer is unclear, those that ``read`` returns tell whether they were taken."""
        confirm_write(lambda: self.send(operation, method, url, headers=headers), lambda: _shows(read(), headers))

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
        request = Request(operation=operation, method=method, url=url, kind=kind, **more)
        doubtful = False  # whether a try before this one may have been carried out
        for left in reversed(range(TRIES)):
            try:
                with mark_changed_on_error(doubtful):
                    answer = self._exchange.send(request, self._credentials)
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
            self._warn(f"{problem} It is tried again.")
        return answer


def _shows(there: Headers | None, sent: Headers) -> bool:
    """Return whether the service shows these headers as they were sent."""
    return there is not None and all(there.get(name.lower(), "") == value for name, value in sent.items())


def _describes(there: Headers | None, sent: Headers) -> bool:
    """Return whether an object has these headers, and no others that describe it."""
    names = {name.lower() for name in sent}
    return _shows(there, sent) and not any(name.startswith(DESCRIBING) for name in set(there or ()) - names)


def _is_genuine(answer: Response, marks: tuple[str, ...]) -> bool:
    if not 200 <= answer.status < 300:
        marks = ()
    return any(name in answer.headers for name in TRANSACTION) and all(name in answer.headers for name in marks)


ACCOUNT_MARKS = ("x-account-container-count",)


def account_metadata(storage: ObjectStorage) -> Headers | None:
    """Return the headers that describe the account."""
    return storage.head("Account metadata", storage.address(), ACCOUNT_MARKS)


def update_account_metadata(storage: ObjectStorage, headers: Headers) -> None:
    """Set or remove (empty value) what the headers name; all else stays. Raises Forbidden without the right to."""
    storage.set("Update account metadata", "POST", storage.address(), headers, lambda: account_metadata(storage))


TOO_LARGE = 413
READING = ("GET", "HEAD")


def explain_refusal(error: Rejected, user: str, method: str, path: str) -> Rejected:
    """Return the error with user, place and next step; ``path`` is the part of the address after the account."""
    container, _slash, name = (unquote(part) for part in path.partition("/"))
    if isinstance(error, Forbidden):
        return _forbidden(error, user, method, container, name)
    if error.status == TOO_LARGE and "quota" in str(error.details.get("service_message", "")).lower():
        error.next_step = (
            f"Raise the quota (quota_bytes, quota_count of the container {container!r}, or that of the account), "
            "or remove what is not needed."
        )
    return error


def _forbidden(error: Forbidden, user: str, method: str, container: str, name: str) -> Forbidden:
    place = f" for {'/'.join(part for part in (container, name) if part)!r}" if container else ""
    to_whom = f"the service denies it to the user {user!r}" if user else "the service refuses it"
    use = "Use"
    if name or (container and method in READING):  # settings of containers are for administrators only
        access = "read_acl" if method in READING else "write_acl"
        use = f"Let {access} of the container {container!r} name that user, or use"
    return Forbidden(
        f"{error.message.rstrip('.')}: {to_whom}{place}.",
        next_step=f"{use} storage_user and storage_key of a user with the administrator role.",
        **error.details,
    )


def administrator_missing(error: Forbidden, doing: str, otherwise: str = "") -> Forbidden:
    """Return the error about the missing role; ``doing`` begins its sentence, ``otherwise`` is one more way out."""
    return Forbidden(
        f"{doing} needs a token of a user with the administrator role in the account, and storage_user does not have "
        "it.",
        next_step=f"Set storage_user and storage_key to those of such a user{otherwise}.",
        **error.details,
    )


def missing_container(container: str, error: NotFound, doubt: str = "") -> NotFound:
    """Return the error that names a missing container and how to create it."""
    return NotFound(
        f"There is no container {container!r}{doubt}.",
        next_step=f"Create it first, with fcd.cloud.storage_container and name: {container}.",
        **error.details,
    )


AT_A_TIME = 4  # requests, where each is long or more of them gain little: segments, deletions


def list_versions(storage: ObjectStorage, container: str, **query: str | int | None) -> list[Row]:
    """Return one page of all versions in a container, delete markers included; an empty page is the end.

    Entries have ``version_id`` and ``is_latest`` besides what a listing has. ``query``: ``marker`` (a name) together
    with ``version_marker`` (a version of it), ``prefix``, ``limit``.
    """
    return storage.listing("List versions", storage.address(container), {"versions": "true", **query})


def delete_version(storage: ObjectStorage, container: str, name: str, version: str) -> None:
    """Delete one version of an object for good; one that is gone already is fine."""
    storage.send(
        "Delete version",
        "DELETE",
        storage.address(container, name),
        params={"version-id": version},
        accept_statuses=GONE,
    )


STACK, HISTORY = "stack", "history"
ELSEWHERE = {STACK: "X-Versions-Location", HISTORY: "X-History-Location"}
SWITCH = "X-Versions-Enabled"


def keeps_old_versions(storage: ObjectStorage, container: str) -> bool:
    """Whether objects of a container that are replaced or deleted may be there as versions."""
    headers = storage.container_metadata(container) or {}
    return may_hold_versions(headers) or any(headers.get(header.lower()) for header in ELSEWHERE.values())


def may_hold_versions(headers: Headers) -> bool:
    """Whether a container keeps versions itself, or did so once."""
    return SWITCH.lower() in headers
