# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Keeping old versions of objects: three ways of the service, only one of which a container uses at a time.

``enabled``: the container keeps them itself. ``stack`` and ``history``: they go to another container; a deletion brings
the version before back (stack) or is noted there (history). Source: wire-facts 10.7.
"""

from __future__ import annotations

import typing as t
from urllib.parse import quote, unquote

from .._core.errors import InvalidInput
from .._engine.fields import Record
from .api import Headers, ObjectStorage
from .features import Features
from .names import Limits, check_container

ENABLED, DISABLED, STACK, HISTORY = "enabled", "disabled", "stack", "history"
ELSEWHERE = {STACK: "X-Versions-Location", HISTORY: "X-History-Location"}
STOP_ELSEWHERE: Headers = {"X-Remove-Versions-Location": "x"}  # for both of them
SWITCH = "X-Versions-Enabled"

OPTIONS: dict[str, dict[str, t.Any]] = {
    "versioning": {"type": "str", "choices": [ENABLED, DISABLED, STACK, HISTORY]},
    "versions_location": {"type": "str"},
}


def asked_for(params: t.Mapping[str, t.Any], limits: Limits) -> dict[str, t.Any]:
    """Return the wanted values, nothing where nothing was given. Raises InvalidInput."""
    way, location = params["versioning"], params["versions_location"]
    if way in ELSEWHERE and location is None:
        raise InvalidInput(f"versions_location: versioning {way} needs a container for versions.")
    if way not in ELSEWHERE and location is not None:
        raise InvalidInput(
            "versions_location: it has a meaning only with versioning stack or history.", option="versions_location"
        )
    if way is None:
        return {}
    if location is not None:
        check_container(location, limits, "versions_location")
        if location == params["name"]:
            raise InvalidInput("versions_location: a container cannot hold its own versions in this way.")
    return {"versioning": way, "versions_location": location}


def read(headers: Headers) -> dict[str, t.Any]:
    """Return how a container keeps versions."""
    for way, header in ELSEWHERE.items():
        if headers.get(header.lower()):
            return {"versioning": way, "versions_location": unquote(headers[header.lower()])}
    return {"versioning": ENABLED if is_on(headers) else DISABLED, "versions_location": None}


def is_on(headers: Headers) -> bool:
    """Whether a container keeps versions itself."""
    return headers.get(SWITCH.lower(), "").lower() == "true"


def kept_somewhere(storage: ObjectStorage, container: str) -> bool:
    """Whether objects of a container that are replaced or deleted may be there as versions."""
    headers = storage.container_metadata(container) or {}
    return may_hold_versions(headers) or any(headers.get(header.lower()) for header in ELSEWHERE.values())


def may_hold_versions(headers: Headers) -> bool:
    """Whether a container keeps versions itself, or did so once."""
    return SWITCH.lower() in headers


def steps(headers: Headers, wanted: Record) -> list[Headers]:
    """Return the headers of the requests, one after the other, that lead from the present way to the wanted one.

    The service refuses to begin one way while another is on, even when the same request ends that.
    """
    way = wanted["versioning"]
    elsewhere = any(headers.get(header.lower()) for header in ELSEWHERE.values())
    ways: list[Headers] = []
    if elsewhere and (way not in ELSEWHERE or is_on(headers)):
        ways.append(dict(STOP_ELSEWHERE))
    if is_on(headers) != (way == ENABLED):
        ways.append({SWITCH: "true" if way == ENABLED else "false"})
    if way in ELSEWHERE:
        ways.append({ELSEWHERE[way]: quote(wanted["versions_location"], safe="")})
    return ways


def check_feature(wanted: Record, features: Features) -> None:
    """Raise InvalidInput when the service tells its features and the wanted way is not among them."""
    way = wanted.get("versioning")
    if way == ENABLED:
        features.check("object_versioning", "versioning")
    elif way in ELSEWHERE:
        features.check("versioned_writes", "versioning", ELSEWHERE[way].lower())
