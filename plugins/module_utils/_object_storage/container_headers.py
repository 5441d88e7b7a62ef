# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The headers that describe a container."""

from __future__ import annotations

from .._engine.plan import Record
from .api import Headers
from .metadata_items import (
    BYTES,
    FLAG,
    NUMBER,
    ORIGINS,
    TEMP_URL_KEYS,
    TEXT,
    TIME,
    WORDS,
    MetadataItem,
    metadata_changes,
)
from .versions import DISABLED, versioning_steps

ACL_HEADERS = {"read_acl": "X-Container-Read", "write_acl": "X-Container-Write"}
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
    "cors_max_age": MetadataItem("access-control-max-age", None, TIME),
    "cors_expose_headers": MetadataItem("access-control-expose-headers", None, WORDS),
    **TEMP_URL_KEYS,
}


def container_headers(values: Record) -> Headers:
    """Return the headers of a new container."""
    headers = container_changes({}, values)
    if values.get("versioning", DISABLED) != DISABLED:
        headers.update(versioning_steps({}, values)[0])
    return headers


def container_changes(current: Record, values: Record) -> Headers:
    """Return the headers that turn the current container into the desired one; an empty value removes."""
    headers = {ACL_HEADERS[option]: values[option] for option in ACL_HEADERS if option in values}
    if "storage_policy" in values and not current:
        headers["X-Storage-Policy"] = values["storage_policy"]
    metadata = metadata_changes(CONTAINER_ITEMS, current, values)
    headers.update({f"X-Container-Meta-{name}": value for name, value in metadata.items()})
    return headers
