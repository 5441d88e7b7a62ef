# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Old versions of objects: how a container keeps them, listing, reading and deleting them.

Only one way at a time. ``enabled``: the container keeps them itself. ``stack`` and ``history``: they go to another
container; a deletion brings the version before back (stack) or is noted there (history). Source: wire-facts 10.7.
"""

from __future__ import annotations

import typing as t
from urllib.parse import quote, unquote

from .._core.errors import InvalidInput, Rejected
from .._engine.plan import Record
from .._http.messages import Response
from .api import GONE, Headers, ObjectStorage
from .limits import Features, check_container

DELETED = "application/x-deleted;swift_versions_deleted=1"  # content type of a mark of a deletion in a listing


class OneVersion(ObjectStorage):
    """A client whose requests for objects are for one version: reading them, and copying them elsewhere."""

    def __init__(self, storage: ObjectStorage, version: str) -> None:
        self.__dict__.update(storage.__dict__)
        self._version = version

    def send(self, operation: str, method: str, url: str, **more: t.Any) -> Response:
        """Send as for the current version, except that a request for an object names the version."""
        if "/" in url[len(self.address()) + 1 :]:
            more["params"] = {**(more.get("params") or {}), "version-id": self._version}
        return super().send(operation, method, url, **more)


def list_versions(storage: ObjectStorage, container: str, **query: str | int | None) -> list[dict[str, t.Any]]:
    """Return one page of all versions in a container, marks of deletions among them; an empty page is the end.

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


ENABLED, DISABLED, STACK, HISTORY = "enabled", "disabled", "stack", "history"
ELSEWHERE = {STACK: "X-Versions-Location", HISTORY: "X-History-Location"}
STOP_ELSEWHERE: Headers = {"X-Remove-Versions-Location": "x"}  # for both of them
SWITCH = "X-Versions-Enabled"
VERSIONING_OPTIONS: dict[str, dict[str, t.Any]] = {
    "versioning": {"type": "str", "choices": [ENABLED, DISABLED, STACK, HISTORY]},
    "versions_location": {"type": "str"},
}


def desired_versioning(params: t.Mapping[str, t.Any], features: Features) -> dict[str, t.Any]:
    """Return the desired values, nothing where nothing was given. Raises InvalidInput."""
    way, location = params["versioning"], params["versions_location"]
    if way in ELSEWHERE and location is None:
        raise InvalidInput(f"versions_location: versioning {way} requires a container for versions.")
    if way not in ELSEWHERE and location is not None:
        raise InvalidInput(
            "versions_location: it applies only to versioning stack or history.", option="versions_location"
        )
    if way is None:
        return {}
    if location is not None:
        check_container(location, features, "versions_location")
        if location == params["name"]:
            raise InvalidInput("versions_location: a container cannot hold its own versions in this way.")
    return {"versioning": way, "versions_location": location}


def versioning_of(headers: Headers) -> dict[str, t.Any]:
    """Return how a container keeps versions."""
    for way, header in ELSEWHERE.items():
        if headers.get(header.lower()):
            return {"versioning": way, "versions_location": unquote(headers[header.lower()])}
    return {"versioning": ENABLED if _is_on(headers) else DISABLED, "versions_location": None}


def _is_on(headers: Headers) -> bool:
    """Whether a container keeps versions itself."""
    return headers.get(SWITCH.lower(), "").lower() == "true"


def keeps_old_versions(storage: ObjectStorage, container: str) -> bool:
    """Whether objects of a container that are replaced or deleted may be there as versions."""
    headers = storage.container_metadata(container) or {}
    return may_hold_versions(headers) or any(headers.get(header.lower()) for header in ELSEWHERE.values())


def may_hold_versions(headers: Headers) -> bool:
    """Whether a container keeps versions itself, or did so once."""
    return SWITCH.lower() in headers


def versioning_steps(headers: Headers, desired: Record) -> list[Headers]:
    """Return the headers of the requests, one after the other, that lead from the present way to the desired one.

    The service refuses to begin one way while another is on, even when the same request ends that.
    """
    way = desired["versioning"]
    elsewhere = any(headers.get(header.lower()) for header in ELSEWHERE.values())
    ways: list[Headers] = []
    if elsewhere and (way not in ELSEWHERE or _is_on(headers)):
        ways.append(dict(STOP_ELSEWHERE))
    if _is_on(headers) != (way == ENABLED):
        ways.append({SWITCH: "true" if way == ENABLED else "false"})
    if way in ELSEWHERE:
        ways.append({ELSEWHERE[way]: quote(desired["versions_location"], safe="")})
    return ways


def check_versioning(desired: Record, features: Features) -> None:
    """Raise InvalidInput when the service tells its features and the desired way is not among them."""
    way = desired.get("versioning")
    if way == ENABLED:
        features.check("object_versioning", "versioning")
    elif way in ELSEWHERE:
        features.check("versioned_writes", "versioning", ELSEWHERE[way].lower())


BAD_REQUEST = 400  # no version id at all, or a container that keeps no versions


def read_version(
    storage: ObjectStorage, place: tuple[str, str], version: str, option: str
) -> tuple[ObjectStorage, Headers]:
    """Return a client that reads this version of the object in place of the current one, and the headers of it.

    Raises InvalidInput when there is no such version, or when it only marks a deletion.
    """
    reader = OneVersion(storage, version)
    try:
        headers = reader.object_metadata(*place)
    except Rejected as error:
        if error.status != BAD_REQUEST:
            raise
        headers = None
    if headers is None:
        container, name = place
        raise InvalidInput(
            f"{option}: {container!r} has no version {version!r} of {name!r} to read.",
            next_step="List the versions with fcd.cloud.storage_object_info and versions: true.",
            option=option,
        )
    return reader, headers
