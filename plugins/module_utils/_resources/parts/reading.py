# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Readers of parts: those of the account, of one instance, or the one that is named or numbered."""

from __future__ import annotations

import typing as t

from ..._session.infrastructure import infrastructure
from ..._session.operation import Operation, Params, Result
from ..._session.options import REST
from ..._session.task import Task
from ..object_numbers import check_numbers
from .options import NUMBER, check_not_empty, instance_of
from .search import PartSearch, Record

if t.TYPE_CHECKING:
    from ..._api.infrastructure import Infrastructure

Filters = t.Dict[str, t.Any]
INSTANCE: dict[str, dict[str, t.Any]] = {"instance": {"type": "str", "aliases": ["instance_id"]}}
QUERY: dict[str, dict[str, t.Any]] = {"query": {"type": "str"}}


def part_reader(
    name: str,
    key: str,
    search: t.Callable[[Infrastructure, Params], PartSearch],
    options: t.Mapping[str, dict[str, t.Any]],
    filters: t.Callable[[PartSearch, Params], Filters],
    rules: t.Mapping[str, t.Any],
) -> Operation:
    """Return the operation of a module that reads parts; ``key`` is the name of the list in the result.

    ``filters`` says what of the options the service selects by.
    """

    def run(task: Task, params: Params) -> Result:
        check_not_empty(params, *(option for option in params if option in own))
        check_numbers(params)
        parts = search(infrastructure(task), params)
        found = _found(parts, params, lambda: filters(parts, params))
        parts.name_references(*found)
        return {"changed": False, key: found}

    own = {**NUMBER, **options}
    return Operation(name, (REST,), own, run, rules)


def of_instance(parts: PartSearch, params: Params) -> Filters:
    """Return the filter for the instance that was given, by number or name."""
    if params.get("instance") is None:
        return {}
    return {"instance_id": instance_of(parts, params["instance"], "instance")["id"]}


def _found(search: PartSearch, params: Params, filters: t.Callable[[], Filters]) -> list[Record]:
    if params.get("id") is not None:
        record = search.by_id(params["id"])
        return [] if record is None else [record]
    selected, name = filters(), params.get(search.key)
    if name is None:
        return [search.described(item) for item in search.listed(**selected)]
    found = search.exactly(name, search.listed(**selected, query=name)) if search.queries else []
    return found or search.exactly(name, search.listed(**selected))
