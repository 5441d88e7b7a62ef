# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which objects a reader returns: its options, patterns among them, and the records that they select."""

from __future__ import annotations

import typing as t
from fnmatch import fnmatchcase

from .._connection.options import OptionSpec
from .._connection.task import Params
from .._core.type_aliases import JsonObject
from .named_instances import instance_of
from .rest_records import RestSearch, check_numbers

_Key = t.TypeVar("_Key", int, str)
IDS: OptionSpec = {"type": "list", "elements": "int"}


def ids_in(params: Params) -> list[int] | None:
    """Return the IDs that the option ``id`` gives, each once, None without it.

    Raises InvalidInput for an ID in any option that cannot exist.
    """
    check_numbers(params)
    return None if params.get("id") is None else unique_keys(params["id"])


def unique_keys(keys: t.Iterable[_Key]) -> list[_Key]:
    """Return the keys in their order, each once."""
    return list(dict.fromkeys(keys))


def pick_records(
    records: t.Iterable[JsonObject], keys: t.Sequence[_Key], attribute: str = "id"
) -> tuple[list[JsonObject], list[_Key]]:
    """Return the records that have one of the keys, in the order of the keys, and the keys that none has.

    A key that is a pattern stands for all that match it.
    """
    found: dict[_Key, list[JsonObject]] = {key: [] for key in keys}
    patterns = [key for key in found if is_pattern(key)]
    for record in records:
        for key in _keys_of(record.get(attribute), found, patterns):
            found[key].append(record)
    whole = {id(record): record for same in found.values() for record in same}
    return list(whole.values()), [key for key in keys if not found[key]]


def select_listed(params: Params, records: list[JsonObject]) -> tuple[list[JsonObject], JsonObject]:
    """Return the records of a whole list that ``id`` or ``name`` select, and as ``missing`` what none of them has."""
    numbers, names = ids_in(params), params.get("name")
    missing: t.Sequence[int | str] = ()
    if numbers is not None:
        records, missing = pick_records(records, numbers)
    elif names is not None:
        records, missing = pick_records(records, unique_keys(names), "name")
    else:
        return records, {}
    return records, {"missing": missing}


def _keys_of(value: object, keys: t.Collection[_Key], patterns: t.Iterable[_Key]) -> list[_Key]:
    """Return the keys that a value has or, as patterns, fits."""
    same: list[t.Any] = [value] if value in keys else []
    return [*same, *(key for key in patterns if key != value and fnmatchcase(str(value), str(key)))]


def is_pattern(name: object) -> bool:
    """Return whether a name contains wildcards: readers support them, the service does not."""
    return isinstance(name, str) and any(mark in name for mark in "*?[")


def select_records(search: RestSearch, params: Params, filters: JsonObject) -> list[JsonObject]:
    """Return the records that the options of a reader select: ``id``, ``instance``, ``query``, and the name."""
    if params.get("id") is not None:
        record = search.by_id(params["id"])
        return [] if record is None else [record]
    if params.get("instance") is not None:
        filters["instance_id"] = instance_of(search, params["instance"])["id"]
    if params.get("query") is not None:
        filters["query"] = params["query"]
    name = params.get(search.key)
    if name is None:
        return [search.describe(item) for item in search.whole(search.list_items(**filters))]
    wild = is_pattern(name)  # the service does not support wildcards
    queried = search.queries and not wild
    found = search.match(name, search.list_items(**filters, query=name)) if queried else []
    return found or search.match(name, search.list_items(**filters), wild=wild)
