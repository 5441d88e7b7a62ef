# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Headers of the account, of containers and objects, and the records of plain values that stand for them.

Source: wire-facts 10.3, 10.4, 10.5, 10.7.
"""

from __future__ import annotations

import datetime as dt
import re
import typing as t
from urllib.parse import quote, unquote

from .._connection.task import Result
from .._core.errors import Forbidden, InvalidInput, NotFound, Rejected
from .._engine.plan import CREATE, HIDDEN, LATER, Record
from .api import Headers, ObjectStorage, OneVersion, account_metadata, administrator_missing
from .limits import Features, Limits, check_container
from .metadata import (
    BYTES,
    FLAG,
    NUMBER,
    ORIGINS,
    TEMP_URL_KEYS,
    TEXT,
    WORDS,
    MetadataItem,
    metadata_of,
    pop_items,
    secret_options,
)

if t.TYPE_CHECKING:
    from .._engine.reconcile import Outcome

# The account

ACCOUNT_ITEMS: dict[str, MetadataItem] = {
    "quota_bytes": MetadataItem("quota-bytes", "account_quotas", BYTES),
    **TEMP_URL_KEYS,
}
ACCOUNT_SECRETS = secret_options(ACCOUNT_ITEMS)


def read_account(storage: ObjectStorage) -> dict[str, t.Any]:
    """Return the account as a result shows it, except that secrets are still in it. Raises Forbidden, NotFound."""
    try:
        headers = account_metadata(storage)
    except Forbidden as exc:
        raise administrator_missing(exc, "Reading the account") from None
    if headers is None:
        raise NotFound(
            f"There is no account at {storage.address()}.",
            next_step="The log-in named this address; perhaps nothing was ever stored there: make a container first.",
            operation="Account metadata",
            status=404,
        )
    return account_record(storage.address(), headers)


def account_record(url: str, headers: Headers) -> dict[str, t.Any]:
    """Return the record for the headers of an account."""
    metadata = metadata_of(headers, "account")
    items = pop_items(ACCOUNT_ITEMS, metadata)
    return {
        "url": url,
        "container_count": int(headers.get("x-account-container-count", 0)),
        "object_count": int(headers.get("x-account-object-count", 0)),
        "bytes_used": int(headers.get("x-account-bytes-used", 0)),
        "metadata": metadata,
        **items,
    }


UNKNOWN_ACCOUNT: dict[str, t.Any] = {**account_record("", {}), "url": None}


# How a container keeps old versions of its objects, only one way at a time. ``enabled``: it keeps them itself.
# ``stack`` and ``history``: they go to another container; a deletion brings the version before back (stack) or is
# noted there (history).

ENABLED, DISABLED, STACK, HISTORY = "enabled", "disabled", "stack", "history"
ELSEWHERE = {STACK: "X-Versions-Location", HISTORY: "X-History-Location"}
STOP_ELSEWHERE: Headers = {"X-Remove-Versions-Location": "x"}  # for both of them
SWITCH = "X-Versions-Enabled"

VERSIONING_OPTIONS: dict[str, dict[str, t.Any]] = {
    "versioning": {"type": "str", "choices": [ENABLED, DISABLED, STACK, HISTORY]},
    "versions_location": {"type": "str"},
}


def desired_versioning(params: t.Mapping[str, t.Any], limits: Limits) -> dict[str, t.Any]:
    """Return the desired values, nothing where nothing was given. Raises InvalidInput."""
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


# Containers

ACL_HEADERS = {"read_acl": "X-Container-Read", "write_acl": "X-Container-Write"}
REFERRERS = (".r", ".ref", ".referer", ".referrer")  # four spellings of one thing; the service stores the first
QUOTAS, SITES = "container_quotas", "staticweb"  # features, by the names that the service has for them

CONTAINER_ITEMS: dict[str, MetadataItem] = {
    "quota_bytes": MetadataItem("quota-bytes", QUOTAS, BYTES),
    "quota_count": MetadataItem("quota-count", QUOTAS, NUMBER),
    "web_index": MetadataItem("web-index", SITES, TEXT),
    "web_error": MetadataItem("web-error", SITES, TEXT),
    "web_listings": MetadataItem("web-listings", SITES, FLAG),
    "web_listings_css": MetadataItem("web-listings-css", SITES, TEXT),
    "web_listings_label": MetadataItem("web-listings-label", SITES, TEXT),
    "web_directory_type": MetadataItem("web-directory-type", SITES, TEXT),
    "cors_allow_origin": MetadataItem("access-control-allow-origin", None, ORIGINS),
    "cors_max_age": MetadataItem("access-control-max-age", None, NUMBER),
    "cors_expose_headers": MetadataItem("access-control-expose-headers", None, WORDS),
    **TEMP_URL_KEYS,
}


def container_record(name: str, url: str, headers: Headers) -> dict[str, t.Any]:
    """Return a container as a result shows it, except that secrets are still in it."""
    metadata = metadata_of(headers, "container")
    items = pop_items(CONTAINER_ITEMS, metadata)
    return {
        "name": name,
        "url": url,
        "object_count": int(headers.get("x-container-object-count", 0)),
        "bytes_used": int(headers.get("x-container-bytes-used", 0)),
        "metadata": metadata,
        "read_acl": headers.get("x-container-read", ""),
        "write_acl": headers.get("x-container-write", ""),
        "storage_policy": headers.get("x-storage-policy"),
        **versioning_of(headers),
        **items,
    }


UNKNOWN_CONTAINER: dict[str, t.Any] = {**container_record("", "", {}), "name": None, "url": None}


def normalized_acl(text: str) -> str:
    """Return an access list in the spelling in which the service stores and returns it."""
    parts = (part.strip() for part in text.split(","))
    return ",".join(_acl_part(part) for part in parts if part)


def _acl_part(part: str) -> str:
    first, colon, second = (piece.strip() for piece in part.partition(":"))
    if not colon or first not in REFERRERS:
        return part
    minus = "-" if second.startswith("-") else ""
    host = second[len(minus) :].strip()
    return f".r:{minus}{host[1:].strip() if host.startswith('*') and host != '*' else host}"


# Objects

OPTIONS_BY_HEADER = {  # what the user can set, besides metadata and expiry
    "content-type": "content_type",
    "content-disposition": "content_disposition",
    "content-encoding": "content_encoding",
    "cache-control": "cache_control",
}
KEPT_HEADERS = ("content-language", "expires", "x-robots-tag")  # no option, but lost in a POST that leaves them out
NEVER = "never"
HTTP_DATE = re.compile(r"[A-Z][a-z]{2}, (\d\d) ([A-Z][a-z]{2}) (\d{4}) (\d\d:\d\d:\d\d) GMT")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")  # whatever the locale
_DIGITS = re.compile(r"[0-9]{1,11}")


def object_record(container: str, name: str, headers: Headers) -> dict[str, t.Any]:
    """Return an object as a result shows it. Source: wire-facts 10.3 and 10.5.

    ``etag`` is without the quotes that it has on large objects; ``size`` is in bytes. Both are None for a large object
    of so many segments that the service does not add them up; it describes the empty manifest then, without quotes.
    """
    large, etag = _large_kind(headers), headers["etag"]
    added_up = not large or etag.startswith('"')
    return {
        "container": container,
        "name": name,
        "etag": etag.strip('"') if added_up else None,
        "size": int(headers.get("content-length", 0)) if added_up else None,
        **{option: headers.get(header) or None for header, option in OPTIONS_BY_HEADER.items()},
        "metadata": metadata_of(headers, "object"),
        "expires_at": from_unix(headers["x-delete-at"]) if headers.get("x-delete-at") else None,
        "last_modified": _moment_of(headers.get("last-modified", "")),
        "large_object": large,
    }


def object_headers(record: Record, kept: Headers, expires_in: int | None) -> Headers:
    """Return the complete set of headers that a PUT, POST or COPY needs for the object to be as in ``record``.

    ``kept`` are the headers of the object whose further properties stay. What is not in the set will be gone.
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
    return from_unix(str(_seconds(text)))


def _seconds(text: str) -> int:
    if _DIGITS.fullmatch(text):
        return int(text)
    try:
        moment = dt.datetime.fromisoformat(re.sub("[zZ]$", "+00:00", text))
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=dt.timezone.utc)
        return int(moment.astimezone(dt.timezone.utc).timestamp())
    except (ValueError, OverflowError):
        raise InvalidInput(
            f"expires_at: {text!r} is not a point in time.",
            next_step="Write seconds since 1970, ISO 8601 such as 2030-01-31T12:00:00Z, or 'never'.",
            option="expires_at",
        ) from None


def from_unix(seconds: str) -> str:
    """Return ``2030-01-31T12:00:00Z`` for seconds since 1970."""
    moment = dt.datetime.fromtimestamp(int(seconds), dt.timezone.utc)
    return moment.isoformat().replace("+00:00", "Z")  # strftime writes years before 1000 with fewer digits


def from_listing(moment: str) -> str:
    """Return ``2030-01-31T12:00:00Z`` for a moment of a listing, in whole seconds as the header Last-Modified has it.

    The service rounds up there.
    """
    parsed = dt.datetime.fromisoformat(moment)
    if parsed.microsecond:
        parsed = parsed.replace(microsecond=0) + dt.timedelta(seconds=1)
    return f"{parsed.replace(tzinfo=None).isoformat()}Z"


def _moment_of(header: str) -> str | None:
    """Return the same for the header; a text of another form stays as it is."""
    found = HTTP_DATE.fullmatch(header)
    if found is None or found[2] not in MONTHS:
        return header or None
    return f"{found[3]}-{MONTHS.index(found[2]) + 1:02}-{found[1]}T{found[4]}Z"


def to_unix(text: str) -> int:
    """Return the seconds since 1970 for what ``from_unix`` returns."""
    moment = dt.datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=dt.timezone.utc)
    return int(moment.timestamp())


def _large_kind(headers: Headers) -> str | None:
    if headers.get("x-static-large-object", "").lower() == "true":
        return "static"
    return "dynamic" if headers.get("x-object-manifest") else None


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


# Results: containers, objects and the account have no id, and some of their attributes are secret


def storage_result(
    key: str, outcome: Outcome, unknown: t.Mapping[str, t.Any], secret: t.Collection[str] = ()
) -> Result:
    """Return the result; what is not known yet (in check mode) is there with the value from ``unknown``."""
    record = None if outcome.record is None else {**unknown, **hide_secrets(_without_id(outcome.record), secret)}
    diff = {name: _without_id(side) for name, side in outcome.diff.items()}
    if outcome.action == CREATE:  # in check mode it has only what is asked for
        diff["after"] = {**unknown, **diff["after"]}
    return {"changed": outcome.changed, key: record, "action": outcome.action or "none", "diff": diff}


def outcome_in_check_mode(outcome: Outcome, *, new: t.Sequence[str] = (), changed: t.Sequence[str] = ()) -> Outcome:
    """Return the outcome in check mode: what only the service will know reads ``(known after apply)``.

    ``new`` names what it decides about something new, ``changed`` what it decides with every change.
    """
    if outcome.record is None or not outcome.changed:
        return outcome
    names = changed
    if outcome.action == CREATE:
        names = [name for name in (*new, *changed) if name not in outcome.record]
    later = dict.fromkeys(names, LATER)
    return outcome._replace(record={**outcome.record, **later}, after={**outcome.after, **later})


def hide_secrets(record: t.Mapping[str, t.Any], secret: t.Collection[str]) -> dict[str, t.Any]:
    """Return the record with ``(hidden)`` in place of the secret attributes that are set."""
    return {name: HIDDEN if name in secret and value else value for name, value in record.items()}


def _without_id(record: t.Mapping[str, t.Any]) -> dict[str, t.Any]:
    return {name: value for name, value in record.items() if name != "id"}
