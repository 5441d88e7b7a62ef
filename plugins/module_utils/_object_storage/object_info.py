# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects, read only: one by its name, or a listing of a container."""

from __future__ import annotations

import functools
import itertools
import typing as t

from .._core.errors import InvalidInput, NotFound
from .._session.operation import Operation, Params, Result
from .._session.task import Task
from .api import ObjectStorage
from .connection import object_storage, require_settings, service_limits
from .listing import check_apart, check_limit, entries, query_of
from .names import Limits, check_container, check_object
from .object_headers import from_listing, record_of

CONNECTIONS = 8  # for the details of listed objects
OF_LISTING = ("prefix", "delimiter", "glob", "marker", "details")
NOT_OF_VERSIONS = ("delimiter", "details")
OPTIONS: dict[str, dict[str, t.Any]] = {
    "container": {"type": "str", "required": True},
    "name": {"type": "str", "aliases": ["object"]},
    "prefix": {"type": "str"},
    "delimiter": {"type": "str"},
    "glob": {"type": "list", "elements": "str"},
    "marker": {"type": "str"},
    "limit": {"type": "int", "default": 10000},
    "details": {"type": "bool"},
    "versions": {"type": "bool", "default": False},
    "version_marker": {"type": "str"},
    "format": {"type": "str", "choices": ["json", "xml", "text"], "default": "json"},
}
Record = t.Dict[str, t.Any]


def run(task: Task, params: Params) -> Result:
    """Do what the options of the module say."""
    require_settings(task)
    limits = Limits(lambda: service_limits(task))
    container, name = check_container(params["container"], limits, "container"), params["name"]
    if name is not None:
        check_object(name, limits)
    _check_options(params)
    storage = object_storage(task)
    if name is not None and not params["versions"]:
        return _one(storage, container, name)
    try:
        if params["versions"]:
            from .object_versions_info import versions_of

            return versions_of(storage, params)
        return _text(storage, container, params) if params["format"] != "json" else _listing(task, storage, params)
    except NotFound as exc:
        raise NotFound(
            f"There is no container {container!r}.", next_step="Check its name and the account.", **exc.details
        ) from None


def _check_options(params: Params) -> None:
    """Raise InvalidInput for what cannot be meant together."""
    check_limit(params["limit"])
    if params["format"] != "json":
        _check_plain(params)
    check_apart(params, "name", OF_LISTING, "Leave name out to list objects.")
    check_apart(params, "glob", ("delimiter",), "Choose one: a delimiter lists one level, glob all names that fit.")
    if params["versions"]:
        check_apart(params, "versions", NOT_OF_VERSIONS, "Leave it out.")
    elif params["version_marker"]:
        raise InvalidInput("version_marker: it has a meaning only with versions.", option="version_marker")


def _check_plain(params: Params) -> None:
    for option in ("name", "glob", "details", "versions"):
        if params[option]:
            raise InvalidInput(
                f"format: {params['format']} gives the listing as the service writes it, so {option} is not for it.",
                option="format",
            )


def _one(storage: ObjectStorage, container: str, name: str) -> Result:
    headers = storage.object_metadata(container, name)
    found = [] if headers is None else [record_of(container, name, headers)]
    return {"changed": False, "objects": found, "prefixes": [], "next_marker": None}


def _text(storage: ObjectStorage, container: str, params: Params) -> Result:
    from .storage_account import listing_text

    limit = params["limit"] if params["limit"] != OPTIONS["limit"]["default"] else None
    text = listing_text(storage, container, params["format"], limit=limit, **query_of(params))
    return {"changed": False, "listing": text}


def _listing(task: Task, storage: ObjectStorage, params: Params) -> Result:
    """Take one entry more than is wanted: only that tells whether there are more."""
    container, limit = params["container"], params["limit"]
    ask = functools.partial(storage.list_objects, container)
    wanted = entries(ask, None if params["glob"] else limit + 1, **query_of(params))
    if params["glob"]:
        from .filters import matcher

        fits = matcher(params["glob"], "glob").fullmatch
        wanted = (entry for entry in wanted if fits(str(entry["name"])))
    found = list(itertools.islice(wanted, limit + 1))
    more, found = len(found) > limit, found[:limit]
    records = [listed(container, entry) for entry in found if "name" in entry]
    if params["details"]:
        records = _detailed(task, storage, container, records)
    return {
        "changed": False,
        "objects": records,
        "prefixes": [str(entry["subdir"]) for entry in found if "subdir" in entry],
        "next_marker": str(found[-1].get("name", found[-1].get("subdir"))) if more else None,
    }


def listed(container: str, entry: t.Mapping[str, t.Any]) -> Record:
    """Return what a listing tells of an object; what it does not tell is None."""
    unknown = record_of(container, str(entry["name"]), {"etag": ""})
    static = entry.get("slo_etag")
    return {
        **dict.fromkeys(unknown),
        "container": container,
        "name": str(entry["name"]),
        "etag": (static or str(entry["hash"])).strip('"'),
        "size": int(entry["bytes"]),
        "content_type": entry.get("content_type"),
        "last_modified": from_listing(str(entry["last_modified"])),
        "large_object": "static" if static else None,
    }


def _detailed(task: Task, storage: ObjectStorage, container: str, records: t.Sequence[Record]) -> list[Record]:
    """Ask for each object. Those that have gone meanwhile are left out."""
    from .segments import in_order

    def asked(record: Record) -> Record | None:
        headers = storage.object_metadata(container, record["name"])
        return None if headers is None else record_of(container, record["name"], headers)

    found = in_order(records, asked, deadline=task.deadline, most=CONNECTIONS)
    return [record for record in found if record is not None]


OPERATION = Operation(name="storage_object_info", services=("storage",), options=OPTIONS, run=run)
