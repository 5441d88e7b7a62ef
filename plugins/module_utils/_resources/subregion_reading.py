# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Subregions, read only (wire-facts section 4)."""

from __future__ import annotations

from .._session.infrastructure import infrastructure
from .._session.operation import Operation, Params, Result
from .._session.options import REST
from .._session.task import Task
from .rest_reading import IDS, chosen, numbers_of, once_each
from .rest_records import plain

_PLAIN = {"id": "Id", "name": "Name", "is_active": "IsActive"}


def run(task: Task, params: Params) -> Result:
    """Return subregions, all or those asked for; one request."""
    numbers, names = numbers_of(params), params.get("name")
    records = [plain(subregion, _PLAIN) for subregion in infrastructure(task).list_subregions()]
    result: Result = {"changed": False}
    if numbers is not None:
        records, result["missing"] = chosen(records, numbers)
    if names is not None:
        records, result["missing"] = chosen(records, once_each(names), "name")
    active = params.get("is_active")
    result["subregions"] = [one for one in records if active is None or bool(one["is_active"]) is active]
    return result


OPERATION = Operation(
    "subregion_info",
    (REST,),
    {
        "id": {**IDS, "aliases": ["subregion_id"]},
        "name": {"type": "list", "elements": "str"},
        "is_active": {"type": "bool", "aliases": ["active"]},
    },
    run,
    {"mutually_exclusive": [("id", "name")]},
)
