# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Types of instances, read only (wire-facts section 4)."""

from __future__ import annotations

import typing as t

from .._session.infrastructure import infrastructure
from .._session.operation import Operation, Params, Result
from .._session.options import REST
from .._session.task import Task
from .rest_reading import IDS, TYPE_CATEGORIES, chosen, filters, number_of, numbers_of, once_each
from .rest_records import Row, items, plain

_PLAIN = {
    "id": "Id",
    "name": "Name",
    "cpu_number": "Cpu",
    "ram_mb": "Ram",
    "available_for_freemium": "AvailableForFreemium",
}
_NAMED = {"category": "Category"}


def described(kind: t.Mapping[str, t.Any]) -> Row:
    """Return the record of a type."""
    return {**plain(kind, _PLAIN), **items(kind, _NAMED)}


def run(task: Task, params: Params) -> Result:
    """Return types of instances, all or those asked for; one request, and one for the label of a category."""
    numbers, names = numbers_of(params), params.get("name")
    api = infrastructure(task)
    category = number_of(
        "category",
        params.get("category"),
        lambda: api.get_dictionary(TYPE_CATEGORIES),
        "the categories of instance types",
    )
    query = filters(
        category_id=category,
        available_for_freemium=params.get("available_for_freemium"),
    )
    records = [described(kind) for kind in api.list_instance_types(**query)]
    result: Result = {"changed": False, "instance_types": records}
    if numbers is not None:
        result["instance_types"], result["missing"] = chosen(records, numbers)
    if names is not None:
        result["instance_types"], result["missing"] = chosen(records, once_each(names), "name")
    return result


OPERATION = Operation(
    "instance_type_info",
    (REST,),
    {
        "id": {**IDS, "aliases": ["type_id"]},
        "name": {"type": "list", "elements": "str"},
        "category": {"type": "str", "aliases": ["category_id"]},
        "available_for_freemium": {"type": "bool", "aliases": ["isfreemium", "is_freemium"]},
    },
    run,
    {"mutually_exclusive": [("id", "name")]},
)
