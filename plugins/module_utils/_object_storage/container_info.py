# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Containers, read only: one by its name, or the listing of the account."""

from __future__ import annotations

import functools
import typing as t

from .._core.errors import Forbidden, InvalidInput
from .._session.operation import Operation, Params, Result
from .._session.task import Task
from .administrator import administrator_missing
from .api import ObjectStorage
from .connection import object_storage, require_settings, service_limits
from .container_record import ITEMS, record_of
from .known_items import secrets_of
from .listing import check_apart, check_limit, entries, query_of
from .names import Limits, check_container
from .object_headers import from_listing
from .result import shown
from .storage_account import list_containers, listing_text

OF_LISTING = ("prefix", "delimiter", "marker", "limit")
OPTIONS: dict[str, dict[str, t.Any]] = {
    "name": {"type": "str", "aliases": ["container"]},
    "prefix": {"type": "str"},
    "delimiter": {"type": "str"},
    "marker": {"type": "str"},
    "limit": {"type": "int"},
    "format": {"type": "str", "choices": ["json", "xml", "text"], "default": "json"},
}


def run(task: Task, params: Params) -> Result:
    """Do what the options of the module say."""
    require_settings(task)
    limit, form, name = check_limit(params["limit"]), params["format"], params["name"]
    check_apart(params, "name", OF_LISTING, "Leave name out to list containers.")
    if name is not None:
        if form != "json":
            raise InvalidInput(f"format: {form} is for listings; leave it out with name.", option="format")
        check_container(name, Limits(lambda: service_limits(task)))
        return _one(object_storage(task), name)
    query = query_of(params)
    storage = object_storage(task)
    try:
        return _text(storage, form, limit, query) if form != "json" else _listing(storage, limit, query)
    except Forbidden as exc:
        otherwise = ", or ask for a single container by its name"
        raise administrator_missing(exc, "Listing the containers of the account", otherwise) from None


def _text(storage: ObjectStorage, form: str, limit: int | None, query: t.Mapping[str, str]) -> Result:
    return {"changed": False, "listing": listing_text(storage, None, form, limit=limit, **query)}


def _listing(storage: ObjectStorage, limit: int | None, query: t.Mapping[str, str]) -> Result:
    found = list(entries(functools.partial(list_containers, storage), limit, **query))
    return {
        "changed": False,
        "containers": [_listed(storage, entry) for entry in found if "name" in entry],
        "prefixes": [str(entry["subdir"]) for entry in found if "subdir" in entry],
    }


def _one(storage: ObjectStorage, name: str) -> Result:
    headers = storage.container_metadata(name)
    if headers is None:
        return {"changed": False, "containers": [], "prefixes": []}
    record = record_of(name, storage.address(name), headers)
    return {"changed": False, "containers": [shown(record, secrets_of(ITEMS))], "prefixes": []}


def _listed(storage: ObjectStorage, entry: t.Mapping[str, t.Any]) -> dict[str, t.Any]:
    return {
        "name": entry["name"],
        "url": storage.address(entry["name"]),
        "object_count": entry.get("count"),
        "bytes_used": entry.get("bytes"),
        "last_modified": from_listing(entry["last_modified"]) if entry.get("last_modified") else None,
        "storage_policy": entry.get("storage_policy"),
    }


OPERATION = Operation(name="storage_container_info", services=("storage",), options=OPTIONS, run=run)
