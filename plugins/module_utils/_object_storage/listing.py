# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The account, containers, objects and versions, read only: one by its name, or page after page of a listing."""

from __future__ import annotations

import datetime as dt
import functools
import itertools
import typing as t

from .._connection.options import OptionSpecs, check_least
from .._connection.task import Operation, Params, Result, Task
from .._core.errors import Forbidden, InvalidInput, NotFound, Rejected, Unusable
from .._core.type_aliases import JsonMapping, JsonObject
from .._engine.scheduler import map_in_threads
from .access import administrator_missing
from .api import ObjectStorage, list_versions, name_of, pages_of
from .connection import features_of, object_storage
from .container import container_record
from .container_settings import CONTAINER_ITEMS, secret_options
from .object_properties import object_record
from .properties import check_container, check_object, hide_secrets, in_bytes
from .tree_merge import compile_patterns

USUAL_PAGE = 10000  # entries in a page, unless the service is set otherwise
TOO_MANY = 412  # status for a limit above the service's own


def check_apart(params: Params, option: str, others: t.Iterable[str], next_step: str) -> None:
    """Raise InvalidInput when ``option`` and one of the others are given."""
    both = [other for other in others if params[option] and params[other]]
    if both:
        raise InvalidInput(
            f"{option}: it cannot be given together with {', '.join(both)}.", next_step=next_step, option=option
        )


def query_of(params: Params) -> dict[str, str]:
    """Return the parts of the query that are names, as far as they are given. Raises InvalidInput."""
    query = {option: params[option] for option in ("prefix", "delimiter", "marker") if params[option]}
    for option, text in query.items():
        in_bytes(text, option)
    return query


def listing_entries(
    ask: t.Callable[..., t.List[JsonObject]], limit: int | None, **query: str | None
) -> t.Iterator[JsonObject]:
    """Yield the entries of a listing; a page is requested when its first entry is needed.

    ``ask`` returns a page for ``marker``, ``limit`` and the ``query``. An entry has a ``name``, or only a ``subdir``
    where there is a delimiter.
    """
    in_page = limit if limit is not None and limit < USUAL_PAGE else None

    def page(**position: str) -> list[JsonObject]:
        nonlocal in_page
        try:
            return ask(limit=in_page, **position)
        except Rejected as exc:
            if exc.status != TOO_MANY or in_page is None:
                raise
        in_page = None
        return ask(limit=None, **position)

    given = {name: value for name, value in query.items() if value is not None}
    return itertools.islice(itertools.chain.from_iterable(pages_of(page, **given)), limit)


LISTING_OPTIONS: OptionSpecs = {
    **{name: {"type": "str"} for name in ("prefix", "delimiter", "marker")},
    "format": {"type": "str", "choices": ["json", "xml", "text"], "default": "json"},
}


# Containers


def list_containers(storage: ObjectStorage, **query: str | int | None) -> list[JsonObject]:
    """Return one page of the account's listing: ``name``, ``count``, ``bytes``, ``last_modified``.

    An empty page is the end. ``query`` as for objects. Raises Forbidden without the administrator role.
    """
    return storage.page("List containers", None, query).entries


def listing_text(storage: ObjectStorage, container: str | None, form: str, **query: str | int | None) -> str:
    """Return one page of a listing in the contract's other formats: ``xml`` or ``text`` (one name a line)."""
    operation = "List containers" if container is None else "List objects"
    answer = storage.send(
        operation,
        "GET",
        storage.address(container),
        kind="read",
        params={"format": form, **{name: value for name, value in query.items() if value not in (None, "")}},
    )
    return answer.body.decode("utf-8", "replace")


CONTAINER_INFO_OPTIONS: OptionSpecs = {
    "name": {"type": "str", "aliases": ["container"]},
    **LISTING_OPTIONS,
    "limit": {"type": "int"},
}


def run_container_info(task: Task, params: Params) -> Result:
    """Do what the options of the module say."""
    features = features_of(task)
    limit, form, name = params["limit"], params["format"], params["name"]
    check_least(params, limit=1)
    others = ("prefix", "delimiter", "marker", "limit")
    check_apart(params, "name", others, "Leave name out to list containers.")
    if name is not None:
        if form != "json":
            raise InvalidInput(f"format: {form} is for listings; omit it with name.", option="format")
        check_container(name, features)
        return _one_container(object_storage(task), name)
    query, storage = query_of(params), object_storage(task)
    try:
        if form != "json":
            return {"changed": False, "listing": listing_text(storage, None, form, limit=limit, **query)}
        found = list(listing_entries(functools.partial(list_containers, storage), limit, **query))
    except Forbidden as exc:
        otherwise = ", or ask for a single container by its name"
        raise administrator_missing(exc, "Listing the containers of the account", otherwise) from None
    containers = [
        {
            "name": entry["name"],
            "url": storage.address(entry["name"]),
            "object_count": entry.get("count"),
            "bytes_used": entry.get("bytes"),
            "last_modified": moment_from_listing(str(entry["last_modified"])) if entry.get("last_modified") else None,
            "storage_policy": entry.get("storage_policy"),
        }
        for entry in found
        if "name" in entry
    ]
    return {"changed": False, "containers": containers, "prefixes": _prefixes(found)}


def _one_container(storage: ObjectStorage, name: str) -> Result:
    headers, found = storage.container_metadata(name), []
    if headers is not None:
        record = container_record(name, storage.address(name), headers)
        found.append(hide_secrets(record, secret_options(CONTAINER_ITEMS)))
    return {"changed": False, "containers": found, "prefixes": []}


def _prefixes(entries: t.Iterable[JsonObject]) -> list[str]:
    return [str(entry["subdir"]) for entry in entries if "subdir" in entry]


MAX_DETAIL_CONNECTIONS = 8  # for the details of listed objects
OBJECT_INFO_OPTIONS: OptionSpecs = {
    "container": {"type": "str", "required": True},
    "name": {"type": "str", "aliases": ["object"]},
    **LISTING_OPTIONS,
    "glob": {"type": "list", "elements": "str"},
    "limit": {"type": "int", "default": 10000},
    "details": {"type": "bool"},
    "versions": {"type": "bool", "default": False},
    "version_marker": {"type": "str"},
}


def run_object_info(task: Task, params: Params) -> Result:
    """Do what the options of the module say."""
    features = features_of(task)
    container, name = check_container(params["container"], features, "container"), params["name"]
    if name is not None:
        check_object(name, features)
    _check_options(params)
    storage = object_storage(task)
    try:
        if params["versions"]:
            return _versions(storage, params)
        if name is not None:
            headers = storage.object_metadata(container, name)
            found = [] if headers is None else [object_record(container, name, headers)]
            return {"changed": False, "objects": found, "prefixes": [], "next_marker": None}
        if params["format"] != "json":
            limit = params["limit"] if params["limit"] != OBJECT_INFO_OPTIONS["limit"]["default"] else None
            text = listing_text(storage, container, params["format"], limit=limit, **query_of(params))
            return {"changed": False, "listing": text}
        return _objects(task, storage, params)
    except NotFound as exc:
        raise NotFound(
            f"There is no container {container!r}.", next_step="Check its name and the account.", **exc.details
        ) from None


def _check_options(params: Params) -> None:
    """Raise InvalidInput for options that exclude each other."""
    check_least(params, limit=1)
    for option in ("name", "glob", "details", "versions"):
        if params["format"] != "json" and params[option]:
            raise InvalidInput(
                f"format: {params['format']} gives the listing as the service writes it, so {option} does not apply.",
                option="format",
            )
    others = ("prefix", "delimiter", "glob", "marker", "details")
    check_apart(params, "name", others, "Leave name out to list objects.")
    check_apart(params, "glob", ("delimiter",), "Choose one: a delimiter lists one level, glob all names that fit.")
    if params["versions"]:
        check_apart(params, "versions", ("delimiter", "details"), "Leave it out.")
    elif params["version_marker"]:
        raise InvalidInput("version_marker: it requires versions.", option="version_marker")


def _objects(task: Task, storage: ObjectStorage, params: Params) -> Result:
    container, limit = params["container"], params["limit"]
    ask = functools.partial(storage.list_objects, container)
    entries = listing_entries(ask, None if params["glob"] else limit + 1, **query_of(params))
    found, more = _first_fitting(entries, params)
    records = [object_from_listing(container, entry) for entry in found if "name" in entry]
    if params["details"]:

        def read_details(record: JsonMapping) -> JsonMapping | None:
            headers = storage.object_metadata(container, record["name"])
            return None if headers is None else object_record(container, record["name"], headers)

        detailed = map_in_threads(records, read_details, deadline=task.deadline, most=MAX_DETAIL_CONNECTIONS)
        records = [record for record in detailed if record is not None]  # the others have gone meanwhile
    return {
        "changed": False,
        "objects": records,
        "prefixes": _prefixes(found),
        "next_marker": name_of(found[-1]) if more else None,
    }


def _first_fitting(entries: t.Iterable[JsonObject], params: Params) -> tuple[list[JsonObject], bool]:
    """Return the first matching entries, and whether there are more, which takes one entry more."""
    if params["glob"]:
        fits = compile_patterns(params["glob"], "glob").fullmatch
        entries = (entry for entry in entries if fits(str(entry["name"])))
    found = list(itertools.islice(entries, params["limit"] + 1))
    return found[: params["limit"]], len(found) > params["limit"]


def object_from_listing(container: str, entry: t.Mapping[str, t.Any]) -> JsonMapping:
    """Return what a listing says about an object; the rest is None."""
    unknown = object_record(container, str(entry["name"]), {"etag": ""})
    static = entry.get("slo_etag")
    return {
        **dict.fromkeys(unknown),
        "container": container,
        "name": str(entry["name"]),
        "etag": (static or str(entry["hash"])).strip('"'),
        "size": int(entry["bytes"]),
        "content_type": entry.get("content_type"),
        "last_modified": moment_from_listing(str(entry["last_modified"])),
        "large_object": "static" if static else None,
    }


def _versions(storage: ObjectStorage, params: Params) -> Result:
    container, name = params["container"], params["name"]
    entries: t.Iterable[JsonObject] = _version_entries(storage, params)
    if name is not None:  # which is the first one of all that begin so
        entries = itertools.takewhile(lambda entry: entry["name"] == name, entries)
    found, more = _first_fitting(entries, params)
    return {
        "changed": False,
        "objects": [
            {
                **object_from_listing(container, entry),
                "version_id": str(entry["version_id"]),
                "is_latest": bool(entry.get("is_latest")),
                "deleted": str(entry.get("content_type", "")).replace(" ", "") == DELETION_MARK,
            }
            for entry in found
        ],
        "prefixes": [],
        "next_marker": str(found[-1]["name"]) if more else None,
        "next_version_marker": str(found[-1]["version_id"]) if more else None,
    }


def _version_entries(storage: ObjectStorage, params: Params) -> t.Iterator[JsonObject]:
    """Go through the listing. Raises Unusable where the service does not know versions."""
    query = {**query_of(params), "version_marker": params["version_marker"]}
    if params["name"] is not None:
        query.update(prefix=params["name"], marker=params["name"] if params["version_marker"] else None)
    given = {name: value for name, value in query.items() if value}
    for page in pages_of(functools.partial(list_versions, storage, params["container"]), **given):
        if any("version_id" not in entry for entry in page):
            raise Unusable(
                "versions: the service lists no versions, only objects.",
                next_step="It may not support versioning: enabled; see the features of storage_account_info.",
                operation="List versions",
            )
        yield from page


def moment_from_listing(moment: str) -> str:
    """Return ``2030-01-31T12:00:00Z`` for a moment of a listing, in whole seconds as the header Last-Modified has it.

    The service rounds up there. A text of another form stays as it is, such as that of what is only planned.
    """
    try:
        parsed = dt.datetime.fromisoformat(moment)
        if parsed.microsecond:
            parsed = parsed.replace(microsecond=0) + dt.timedelta(seconds=1)
    except (ValueError, OverflowError):
        return moment
    return f"{parsed.replace(tzinfo=None).isoformat()}Z"


CONTAINER_INFO = Operation("storage_container_info", ("storage",), CONTAINER_INFO_OPTIONS, run_container_info)
OBJECT_INFO = Operation("storage_object_info", ("storage",), OBJECT_INFO_OPTIONS, run_object_info)
DELETION_MARK = "application/x-deleted;swift_versions_deleted=1"  # content type of a mark of a deletion in a listing
