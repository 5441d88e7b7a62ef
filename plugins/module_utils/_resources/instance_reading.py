# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Instances, read only (wire-facts section 5.2)."""

from __future__ import annotations

import typing as t

from .._core.errors import Forbidden, NotFound
from .._session.infrastructure import infrastructure
from .._session.operation import Operation, Params, Result, given
from .._session.options import REST
from .._session.task import Task
from .instance.listing import read
from .instance.record import DELETED, described, status_of
from .instance.search import Search
from .reference_names import SUBREGION, TEMPLATE, ReferenceNames
from .rest_reading import IDS, TEMPLATE_TYPES, chosen, number_of, numbers_of, once_each
from .rest_records import Row

if t.TYPE_CHECKING:
    from .._api.infrastructure import Infrastructure, Items

FILTERS: dict[str, dict[str, t.Any]] = {
    "query": {"type": "str"},
    "is_turned_on": {"type": "bool"},
    "subregion": {"type": "str"},
    "subregion_id": {"type": "int"},
    "type": {"type": "str"},
    "type_id": {"type": "int"},
    "template_type": {"type": "str"},
    "template_type_id": {"type": "int"},
}
SECRET = ("access_data", "init_script")
INCLUDED = (
    "disks",
    "ip_addresses",
    "private_networks",
    "ssh_keys",
    "snapshots",
    "events",
    "software",
    *SECRET,
)
FEW = 5  # so many instances are read one by one; more of them come from the list


def run(task: Task, params: Params) -> Result:
    """Return instances, those with the given numbers or names or those that fit all filters."""
    api, numbers, names = infrastructure(task), numbers_of(params), params.get("name")
    missing: list[t.Any] = []
    known = ReferenceNames(api)
    if numbers is not None:
        records, missing = _numbered(api, known, numbers)
    elif names is not None:
        records, missing = _named(api, known, once_each(names))
    else:
        records = _filtered(api, known, params)
    if params.get("include"):
        from .instance_included import with_included

        all_of_them = records
        records = with_included(api, known, records, once_each(params["include"]), params["include_limit"])
        key, there = "name" if numbers is None else "id", {record["id"] for record in records}
        missing += [record[key] for record in all_of_them if record["id"] not in there]
    known.fill(records, SUBREGION, TEMPLATE)
    found: Result = {"changed": False, "instances": records}
    return found if numbers is None and names is None else {**found, "missing": once_each(missing)}


def _numbered(api: Infrastructure, known: ReferenceNames, numbers: t.Sequence[int]) -> tuple[list[Row], list[int]]:
    """Return the instances with these numbers, and the numbers that there are not.

    403 is said of what is not there and of missing rights (wire-facts section 2.1); the list tells these apart.
    """
    if len(numbers) > FEW:
        return chosen(read(api, {}, known), numbers)
    records: list[Row] = []
    refused: dict[int, Forbidden | NotFound] = {}
    for number in numbers:
        try:
            records.append(described(api.get_instance(number)))
        except (Forbidden, NotFound) as refusal:
            refused[number] = refusal
    for record in read(api, {}, known) if refused else ():
        if record["id"] in refused:
            raise refused[record["id"]]
    return chosen((record for record in records if status_of(record) != DELETED), numbers)


def _named(api: Infrastructure, known: ReferenceNames, names: t.Sequence[str]) -> tuple[list[Row], list[str]]:
    """Return the instances with these names, which are not unique, and the names that none bears."""
    if len(names) != 1:
        return chosen(read(api, {}, known) if names else [], names, "name")
    found = Search(api).by_names(names, names[0])[names[0]]
    return found, [] if found else list(names)


def _filtered(api: Infrastructure, known: ReferenceNames, params: Params) -> list[Row]:
    """Return the instances that fit the filters; a label is looked up first."""
    labels: dict[str, tuple[t.Callable[[], Items], str]] = {
        SUBREGION: (lambda: known.entries(SUBREGION), "the subregions"),
        "type": (api.list_instance_types, "the instance types"),
        "template_type": (lambda: api.get_dictionary(TEMPLATE_TYPES), "the template types"),
    }
    query = given(params, [name for name in FILTERS if name not in labels])
    for name, (entries, where) in labels.items():
        number = number_of(name, params.get(name), entries, where)
        if number is not None:
            query[f"{name}_id"] = number
    return read(api, query, known)


def holds_secrets(result: Result) -> bool:
    """Return whether a password, or a script that may have one in it, was read."""
    return any(name in (record.get("included") or {}) for record in result.get("instances") or () for name in SECRET)


OPERATION = Operation(
    "instance_info",
    (REST,),
    {
        "id": {**IDS, "aliases": ["instance_id"]},
        "name": {"type": "list", "elements": "str", "aliases": ["instance_name"]},
        **FILTERS,
        "include": {"type": "list", "elements": "str", "choices": list(INCLUDED)},
        "include_limit": {"type": "int", "default": 100},
    },
    run,
    {
        "mutually_exclusive": [
            ("id", "name"),
            *[(key, name) for key in ("id", "name") for name in FILTERS],
            ("subregion", "subregion_id"),
            ("type", "type_id"),
            ("template_type", "template_type_id"),
        ]
    },
    returns_secrets=holds_secrets,
)
