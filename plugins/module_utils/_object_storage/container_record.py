# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A container's headers, and the record of plain values that stands for them. Source: wire-facts 10.3, 10.4, 10.7."""

from __future__ import annotations

import typing as t

from . import container_versioning as versioning
from .api import Headers
from .known_items import BYTES, FLAG, NUMBER, ORIGINS, TEMP_URL_KEYS, TEXT, WORDS, Item, taken_from
from .metadata import from_headers

ACL_HEADERS = {"read_acl": "X-Container-Read", "write_acl": "X-Container-Write"}
REFERRERS = (".r", ".ref", ".referer", ".referrer")  # four spellings of one thing; the service stores the first
QUOTAS, SITES = "container_quotas", "staticweb"  # features, by the names that the service has for them

ITEMS: dict[str, Item] = {
    "quota_bytes": Item("quota-bytes", QUOTAS, BYTES),
    "quota_count": Item("quota-count", QUOTAS, NUMBER),
    "web_index": Item("web-index", SITES, TEXT),
    "web_error": Item("web-error", SITES, TEXT),
    "web_listings": Item("web-listings", SITES, FLAG),
    "web_listings_css": Item("web-listings-css", SITES, TEXT),
    "web_listings_label": Item("web-listings-label", SITES, TEXT),
    "web_directory_type": Item("web-directory-type", SITES, TEXT),
    "cors_allow_origin": Item("access-control-allow-origin", None, ORIGINS),
    "cors_max_age": Item("access-control-max-age", None, NUMBER),
    "cors_expose_headers": Item("access-control-expose-headers", None, WORDS),
    **TEMP_URL_KEYS,
}


def record_of(name: str, url: str, headers: Headers) -> dict[str, t.Any]:
    """Return a container as a result shows it, except that secrets are still in it."""
    metadata = from_headers(headers, "container")
    items = taken_from(ITEMS, metadata)
    return {
        "name": name,
        "url": url,
        "object_count": int(headers.get("x-container-object-count", 0)),
        "bytes_used": int(headers.get("x-container-bytes-used", 0)),
        "metadata": metadata,
        "read_acl": headers.get("x-container-read", ""),
        "write_acl": headers.get("x-container-write", ""),
        "storage_policy": headers.get("x-storage-policy"),
        **versioning.read(headers),
        **items,
    }


UNKNOWN: dict[str, t.Any] = {**record_of("", "", {}), "name": None, "url": None}


def acl(text: str) -> str:
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
