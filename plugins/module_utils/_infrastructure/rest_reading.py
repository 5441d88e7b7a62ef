# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Readers of REST resources: what is asked for by number, name or filter, and what of it is missing."""

from __future__ import annotations

import typing as t

from .._connection.options import REST
from .._connection.task import Operation, Params, Result, Task
from .._core.errors import InvalidInput
from .._core.text import number_in
from .._engine.labels import resolve
from .api import infrastructure
from .rest_options import NUMBER, check_not_empty, instance_of
from .rest_records import Row, check_numbers
from .rest_search import RestSearch

if t.TYPE_CHECKING:
    from .api import Infrastructure
    from .rest_client import Items

Key = t.TypeVar("Key", int, str)

IDS: dict[str, t.Any] = {"type": "list", "elements": "int"}
TYPE_CATEGORIES, TEMPLATE_TYPES, TICKET_STATUSES = 141, 52, 40  # dictionaries, wire-facts section 3.1


def numbers_of(params: t.Mapping[str, t.Any]) -> list[int] | None:
    """Return the numbers that the option ``id`` gives, each once, None without it.

    Raises InvalidInput for a number of any option that nothing can have.
    """
    check_numbers(params)
    return None if params.get("id") is None else once_each(params["id"])


def once_each(keys: t.Iterable[Key]) -> list[Key]:
    """Return the keys in their order, each once."""
    return list(dict.fromkeys(keys))


def chosen(records: t.Iterable[Row], keys: t.Sequence[Key], attribute: str = "id") -> tuple[list[Row], list[Key]]:
    """Return the records that have one of the keys, in the order of the keys, and the keys that none has."""
    found: dict[Key, list[Row]] = {key: [] for key in keys}
    for record in records:
        if record.get(attribute) in found:
            found[record[attribute]].append(record)
    return [record for same in found.values() for record in same], [key for key in keys if not found[key]]


def number_of(option: str, given: str | None, entries: t.Callable[[], Items], where: str) -> int | None:
    """Return the number that an option gives, by itself or by its label among the entries.

    A number costs no request. Raises InvalidInput with the nearest labels.
    """
    if given is None:
        return None
    text = given.strip()
    if not text:
        raise InvalidInput(f"{option}: the label is empty.", option=option)
    number = number_in(text)
    if number is not None:
        return number
    items = [(entry["Id"], str(entry.get("Label") or entry.get("Name"))) for entry in entries()]
    return resolve(text, items, option=option, where=where)


def filters(**values: t.Any) -> dict[str, t.Any]:
    """Return the filters that have a value."""
    return {name: value for name, value in values.items() if value is not None}


Filters = t.Dict[str, t.Any]
INSTANCE: dict[str, dict[str, t.Any]] = {"instance": {"type": "str", "aliases": ["instance_id"]}}
QUERY: dict[str, dict[str, t.Any]] = {"query": {"type": "str"}}


def rest_reader(
    name: str,
    key: str,
    search: t.Callable[[Infrastructure, Params], RestSearch],
    options: t.Mapping[str, dict[str, t.Any]],
    filters: t.Callable[[RestSearch, Params], Filters],
    rules: t.Mapping[str, t.Any],
) -> Operation:
    """Return the operation of a module that reads objects of one kind; ``key`` is the name of the list in the result.

    ``filters`` says what of the options the service selects by.
    """

    def run(task: Task, params: Params) -> Result:
        check_not_empty(params, *(option for option in params if option in own))
        check_numbers(params)
        finder = search(infrastructure(task), params)
        found = _found(finder, params, lambda: filters(finder, params))
        finder.name_references(*found)
        return {"changed": False, key: found}

    own = {**NUMBER, **options}
    return Operation(name, (REST,), own, run, rules)


def of_instance(search: RestSearch, params: Params) -> Filters:
    """Return the filter for the instance that was given, by number or name."""
    if params.get("instance") is None:
        return {}
    return {"instance_id": instance_of(search, params["instance"], "instance")["id"]}


def _found(search: RestSearch, params: Params, filters: t.Callable[[], Filters]) -> list[Row]:
    if params.get("id") is not None:
        record = search.by_id(params["id"])
        return [] if record is None else [record]
    selected, name = filters(), params.get(search.key)
    if name is None:
        return [search.described(item) for item in search.listed(**selected)]
    found = search.exactly(name, search.listed(**selected, query=name)) if search.queries else []
    return found or search.exactly(name, search.listed(**selected))
