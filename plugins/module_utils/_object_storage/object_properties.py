# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The properties of an object: its record, as results show it, and the headers that carry it.

Source: docs/service/storage.md, "Listings" and "Content".
"""

from __future__ import annotations

import datetime as dt
import re

from .._core.errors import InvalidInput
from .._core.later import LATER
from .._core.type_aliases import JsonMapping, JsonObject
from .._http.messages import number_of
from .api import Headers
from .properties import metadata_of

OPTIONS_BY_HEADER = {  # options besides metadata and expiry
    "content-type": "content_type",
    "content-disposition": "content_disposition",
    "content-encoding": "content_encoding",
    "cache-control": "cache_control",
}

HEADER_OPTIONS = tuple(OPTIONS_BY_HEADER.values())
KEPT_HEADERS = ("content-language", "expires", "x-robots-tag")  # no options, but lost in a POST without them
NEVER = "never"
HTTP_DATE = re.compile(r"[A-Z][a-z]{2}, (\d\d) ([A-Z][a-z]{2}) (\d{4}) (\d\d:\d\d:\d\d) GMT")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")  # whatever the locale
LAST_MOMENT = 10**11 - 1  # seconds since 1970
_DIGITS = re.compile(r"[0-9]{1,11}")


def object_record(container: str, name: str, headers: Headers) -> JsonObject:
    """Return an object as a result shows it.

    ``etag`` is without the quotes that it has on large objects; ``size`` is in bytes. Both are None for a large object
    with so many segments that the service does not add them up; then it describes the empty manifest, without quotes.
    """
    is_static, etag = headers.get("x-static-large-object", "").lower() == "true", headers["etag"]
    large = "static" if is_static else "dynamic" if headers.get("x-object-manifest") else None
    added_up = not large or etag.startswith('"')
    return {
        "container": container,
        "name": name,
        "etag": etag.strip('"') if added_up else None,
        "size": number_of(headers, "content-length") if added_up else None,
        **{option: headers.get(header) or None for header, option in OPTIONS_BY_HEADER.items()},
        "metadata": metadata_of(headers, "object"),
        "expires_at": _expiry_in(headers),
        "last_modified": moment_of(headers.get("last-modified", "")),
        "large_object": large,
    }


def _expiry_in(headers: Headers) -> str | None:
    if "x-delete-after" in headers:  # of an object that is only planned
        return LATER
    moment = number_of(headers, "x-delete-at")
    return None if moment is None or moment > LAST_MOMENT else from_unix(str(moment))


def object_headers(record: JsonMapping, kept: Headers, expires_in: int | None) -> Headers:
    """Return the complete set of headers that a PUT, POST or COPY needs for the object to be as in ``record``.

    ``kept`` are the current headers, whose further properties are kept. Anything not in the set is lost.
    """
    headers = {name: kept[name] for name in KEPT_HEADERS if kept.get(name)}
    headers.update({header: record[name] for header, name in OPTIONS_BY_HEADER.items() if record.get(name) is not None})
    headers.update({f"x-object-meta-{name}": value for name, value in record.get("metadata", {}).items()})
    expires_at = record.get("expires_at")
    if expires_at == LATER:
        headers["x-delete-after"] = str(expires_in)
    elif expires_at is not None:
        headers["x-delete-at"] = str(to_unix(expires_at))
    return headers


def expiry(text: str) -> str | None:
    """Return the option ``expires_at`` as UTC in ISO 8601, or None for ``never``. Raises InvalidInput."""
    text = text.strip()
    if text.lower() == NEVER:
        return None
    if _DIGITS.fullmatch(text):
        return from_unix(text)
    try:
        moment = dt.datetime.fromisoformat(re.sub("[zZ]$", "+00:00", text))
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=dt.timezone.utc)
        seconds = int(moment.astimezone(dt.timezone.utc).timestamp())
    except (ValueError, OverflowError):
        raise InvalidInput(
            f"expires_at: {text!r} is not a point in time.",
            next_step="Write seconds since 1970, ISO 8601 such as 2030-01-31T12:00:00Z, or 'never'.",
            option="expires_at",
        ) from None
    return from_unix(str(seconds))


def from_unix(seconds: str) -> str:
    """Return ``2030-01-31T12:00:00Z`` for seconds since 1970."""
    moment = dt.datetime.fromtimestamp(int(seconds), dt.timezone.utc)
    return moment.isoformat().replace("+00:00", "Z")  # strftime writes years before 1000 with fewer digits


def moment_of(header: str) -> str | None:
    """Return the same for the header; a text in another form stays unchanged."""
    found = HTTP_DATE.fullmatch(header)
    if found is None or found[2] not in MONTHS:
        return header or None
    return f"{found[3]}-{MONTHS.index(found[2]) + 1:02}-{found[1]}T{found[4]}Z"


def to_unix(text: str) -> int:
    """Return the seconds since 1970 for what ``from_unix`` returns."""
    moment = dt.datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=dt.timezone.utc)
    return int(moment.timestamp())
