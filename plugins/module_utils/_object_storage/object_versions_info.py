# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The versions of objects in a container that keeps them itself, read only."""

from __future__ import annotations

import itertools
import typing as t

from .._core.errors import Unusable
from .._session.operation import Params, Result
from .api import ObjectStorage
from .listing import Entry, query_of
from .object_info import listed
from .object_versions import DELETED, list_versions


def versions_of(storage: ObjectStorage, params: Params) -> Result:
    """Return the versions that the options ask for, one more being read to know whether there are more."""
    container, limit = params["container"], params["limit"]
    found = list(itertools.islice(_fitting(storage, params), limit + 1))
    more, found = len(found) > limit, found[:limit]
    return {
        "changed": False,
        "objects": [_record(container, entry) for entry in found],
        "prefixes": [],
        "next_marker": str(found[-1]["name"]) if more else None,
        "next_version_marker": str(found[-1]["version_id"]) if more else None,
    }


def _fitting(storage: ObjectStorage, params: Params) -> t.Iterator[Entry]:
    name, pages = params["name"], _entries(storage, params)
    if name is not None:  # which is the first one of all that begin so
        yield from itertools.takewhile(lambda entry: entry["name"] == name, pages)
    elif params["glob"]:
        from .filters import matcher

        fits = matcher(params["glob"], "glob").fullmatch
        yield from (entry for entry in pages if fits(str(entry["name"])))
    else:
        yield from pages


def _entries(storage: ObjectStorage, params: Params) -> t.Iterator[Entry]:
    """Go through the listing. Raises Unusable where the service does not know versions."""
    query: dict[str, t.Any] = {"prefix": params["name"], **query_of(params)}
    marks = {"marker": params["marker"], "version_marker": params["version_marker"]}
    if params["name"] is not None and marks["version_marker"]:
        marks["marker"] = params["name"]
    while True:
        page = list_versions(storage, params["container"], **{**query, **marks})
        if not page:
            return
        if any("version_id" not in entry for entry in page):
            raise Unusable(
                "versions: the service lists no versions, only objects.",
                next_step="It may not know versioning: enabled; see the features of storage_account_info.",
                operation="List versions",
            )
        yield from page
        marks = {"marker": str(page[-1]["name"]), "version_marker": str(page[-1]["version_id"])}


def _record(container: str, entry: Entry) -> dict[str, t.Any]:
    deleted = str(entry.get("content_type", "")).replace(" ", "") == DELETED
    return {
        **listed(container, entry),
        "version_id": str(entry["version_id"]),
        "is_latest": bool(entry.get("is_latest")),
        "deleted": deleted,
    }
