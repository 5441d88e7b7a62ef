# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What describes the account, and the record of plain values that stands for it. Source: wire-facts 10.3, 10.7."""

from __future__ import annotations

import typing as t

from .._core.errors import Forbidden, NotFound
from .administrator import administrator_missing
from .api import Headers, ObjectStorage
from .known_items import BYTES, TEMP_URL_KEYS, Item, secrets_of, taken_from
from .metadata import from_headers
from .storage_account import account_metadata

ITEMS: dict[str, Item] = {"quota_bytes": Item("quota-bytes", "account_quotas", BYTES), **TEMP_URL_KEYS}
SECRET = secrets_of(ITEMS)


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
    return record_of(storage.address(), headers)


def record_of(url: str, headers: Headers) -> dict[str, t.Any]:
    """Return the record for the headers of an account."""
    metadata = from_headers(headers, "account")
    items = taken_from(ITEMS, metadata)
    return {
        "url": url,
        "container_count": int(headers.get("x-account-container-count", 0)),
        "object_count": int(headers.get("x-account-object-count", 0)),
        "bytes_used": int(headers.get("x-account-bytes-used", 0)),
        "metadata": metadata,
        **items,
    }


UNKNOWN: dict[str, t.Any] = {**record_of("", {}), "url": None}
