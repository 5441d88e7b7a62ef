# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Disks, read only."""

from __future__ import annotations

import typing as t

from ..._session.operation import Params
from ..parts.reading import INSTANCE, QUERY, Filters, of_instance, part_reader
from .record import DiskSearch

if t.TYPE_CHECKING:
    from ..parts.search import PartSearch

TYPES = {"all": None, "system": "System", "custom": "Custom"}


def _filters(parts: PartSearch, params: Params) -> Filters:
    given = {"disk_type": TYPES[params["disk_type"]], "query": params.get("query")}
    return {**of_instance(parts, params), **{name: value for name, value in given.items() if value is not None}}


OPERATION = part_reader(
    "disk_info",
    "disks",
    lambda api, _params: DiskSearch(api),
    {
        "name": {"type": "str"},
        **QUERY,
        **INSTANCE,
        "disk_type": {"type": "str", "choices": list(TYPES), "default": "all"},
    },
    _filters,
    {"mutually_exclusive": [("id", "name", "query"), ("id", "instance")]},
)
