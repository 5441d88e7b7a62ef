# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The operations of the object storage interface, one method each.

Source: contract object-storage.md, wire-facts section 10. Names are ordinary text here and are percent-encoded on the
way. Header names come back in lower case.
"""

from __future__ import annotations

import math
import typing as t
from urllib.parse import quote

from .._core.errors import Unusable
from .._transport.exchange import Credentials, Exchange, Request, Response

Headers = t.Dict[str, str]
Body = t.Union[bytes, t.Callable[[], t.BinaryIO], None]

SLOWEST = 128 * 1024  # bytes a second that are expected at least
GONE = frozenset((404,))
TRIES = 3  # for an answer that is not the service's
TRANSACTION = ("x-trans-id", "x-openstack-request-id")  # one is on every answer of the service, behind all else
CONTAINER_MARKS = ("x-container-object-count",)
OBJECT_MARKS = ("etag", "x-timestamp")


def obtain_token(exchange: Exchange, base: str, user: str, key: str) -> dict[str, t.Any]:
    """Ask for a token: ``token``, ``url`` (storage address) and ``expires_in`` (seconds that are left; None: unknown).

    A live token is given out again. ``X-Auth-New-Token`` is never sent: it would revoke the token of parallel runs.
    """
    operation = "Obtain token"
    headers = {"X-Auth-User": user, "X-Auth-Key": key}
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


def read_features(exchange: Exchange, base: str) -> dict[str, t.Any] | None:
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


class ObjectStorage:
    """The containers and objects of one account. ``url`` is the storage address that came with the token."""

    def __init__(
        self, exchange: Exchange, credentials: Credentials, url: str, timeout: float, warn: t.Callable[[str], None]
    ) -> None:
        self._exchange = exchange
        self._credentials = credentials
        self._url = url
        self._timeout = timeout
        self._warn = warn

    # Containers

    def create_container(self, container: str, headers: Headers) -> None:
        """Create a container. On one that exists already the metadata is merged into its own."""
        self._send("Create container", "PUT", self._address(container), headers=headers)

    def delete_container(self, container: str) -> None:
        """Delete an empty container; one that is gone already is fine. Raises Conflict when it is not empty."""
        self._send("Delete container", "DELETE", self._address(container), accept_statuses=GONE)

    def container_metadata(self, container: str) -> Headers | None:
        """Return the headers that describe a container, or None when there is none."""
        return self._head("Container metadata", self._address(container), CONTAINER_MARKS)

    def update_container_metadata(self, container: str, headers: Headers) -> None:
        """Set or remove (empty value) what the headers name; all else stays."""
        self._send("Update container metadata", "POST", self._address(container), headers=headers)

    def list_objects(self, container: str, *, marker: str = "", prefix: str = "") -> list[dict[str, t.Any]]:
        """Return one page of a container's listing, the names after ``marker``; an empty page is the end."""
        params = {"format": "json", "marker": marker, "prefix": prefix}
        answer = self._send(
            "List objects",
            "GET",
            self._address(container),
            kind="read",
            params={name: value for name, value in params.items() if value},
            json_answer=True,
            empty_ok=True,
        )
        page = answer.json() if answer.body else []
        return t.cast("list[dict[str, t.Any]]", page)

    # Objects

    def create_object(self, container: str, name: str, headers: Headers, body: Body, length: int) -> None:
        """Create or replace an object by ``length`` bytes. ``body`` may be a function that opens the bytes anew.

        Much content may take as long as it moves: then only silence ends it.
        """
        self._send(
            "Create or overwrite object",
            "PUT",
            self._address(container, name),
            headers=headers,
            body=body,
            length=length,
            timeout=None if length <= self._timeout * SLOWEST else math.inf,
            marks=("etag",),
        )

    def copy_object(self, source: tuple[str, str], target: tuple[str, str], headers: Headers, length: int) -> None:
        """Copy an object of ``length`` bytes inside the service, which is silent meanwhile."""
        self._send(
            "Copy object",
            "COPY",
            self._address(*source),
            headers={"Destination": "/".join(quote(part) for part in target), **headers},
            timeout=self._timeout + length / SLOWEST,
            marks=("etag",),
        )

    def delete_object(self, container: str, name: str) -> None:
        """Delete an object; one that is gone already is fine."""
        self._send("Delete object", "DELETE", self._address(container, name), accept_statuses=GONE)

    def object_metadata(self, container: str, name: str) -> Headers | None:
        """Return the headers that describe an object, or None when there is none."""
        return self._head("Object metadata", self._address(container, name), OBJECT_MARKS)

    def update_object_metadata(self, container: str, name: str, headers: Headers) -> None:
        """Replace all metadata of an object by these headers; only its content and content type stay."""
        self._send("Update object metadata", "POST", self._address(container, name), headers=headers)

    # What the contract's compatibility with the open-source interface adds

    def read_manifest(self, container: str, name: str) -> list[dict[str, t.Any]]:
        """Return the segments of a static large object: ``name``, ``bytes``, ``hash`` and perhaps ``range``."""
        answer = self._send(
            "Read manifest",
            "GET",
            self._address(container, name),
            kind="read",
            params={"multipart-manifest": "get"},
            json_answer=True,
        )
        return t.cast("list[dict[str, t.Any]]", answer.json())

    def delete_large_object(self, container: str, name: str) -> dict[str, t.Any] | None:
        """Delete a static large object together with its segments; returns the report of the service, None if gone."""
        answer = self._send(
            "Delete large object",
            "DELETE",
            self._address(container, name),
            headers={"Accept": "application/json"},
            params={"multipart-manifest": "delete"},
            json_answer=True,
            accept_statuses=GONE,
        )
        return None if answer.status in GONE else t.cast("dict[str, t.Any]", answer.json())

    def bulk_delete(self, paths: t.Sequence[tuple[str, str]]) -> dict[str, t.Any]:
        """Delete many objects at once; returns the report of the service (its HTTP status is always 200)."""
        lines = [f"/{quote(container, safe='')}/{quote(name)}" for container, name in paths]
        answer = self._send(
            "Bulk delete",
            "POST",
            self._url,
            headers={"Accept": "application/json", "Content-Type": "text/plain"},
            params={"bulk-delete": "true"},
            body="\n".join(lines).encode("ascii"),
            json_answer=True,
        )
        return t.cast("dict[str, t.Any]", answer.json())

    # How they are sent

    def _address(self, container: str, name: str | None = None) -> str:
        address = f"{self._url}/{quote(container, safe='')}"
        return address if name is None else f"{address}/{quote(name)}"

    def _head(self, operation: str, url: str, marks: tuple[str, ...]) -> Headers | None:
        answer = self._send(operation, "HEAD", url, kind="read", accept_statuses=GONE, marks=marks)
        if answer.status in GONE:
            return None
        return dict(answer.headers)

    def _send(
        self,
        operation: str,
        method: str,
        url: str,
        *,
        kind: str = "idempotent",
        marks: tuple[str, ...] = (),
        **more: t.Any,
    ) -> Response:
        """Every write here may be repeated: it sets a whole state and adds nothing.

        Success mostly comes without a body here, so a page of a proxy, or an answer whose headers were cut off, looks
        like one. ``marks`` are headers that a good answer has; without them the request is sent again.
        """
        request = Request(operation=operation, method=method, url=url, kind=kind, **more)
        for left in reversed(range(TRIES)):
            answer = self._exchange.send(request, self._credentials)
            if _is_genuine(answer, marks):
                break
            problem = f"{operation}: the answer (HTTP {answer.status}) is not from the object storage, or was cut off."
            if not left:
                next_step = "Something on the way may answer in its place, such as a proxy or a log-in page."
                raise Unusable(problem, next_step=next_step, operation=operation, status=answer.status)
            self._warn(f"{problem} It is tried again.")
        return answer


def _is_genuine(answer: Response, marks: tuple[str, ...]) -> bool:
    if answer.status in GONE:
        marks = ()
    return any(name in answer.headers for name in TRANSACTION) and all(name in answer.headers for name in marks)
