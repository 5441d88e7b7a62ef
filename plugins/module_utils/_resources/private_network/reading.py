# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Private networks, read only."""

from __future__ import annotations

import typing as t

from ..._session.operation import Params
from ..parts.reading import INSTANCE, QUERY, Filters, of_instance, part_reader
from .record import NetworkSearch

if t.TYPE_CHECKING:
    from ..parts.search import PartSearch


def _filters(parts: PartSearch, params: Params) -> Filters:
    query = {} if params.get("query") is None else {"query": params["query"]}
    return {**of_instance(parts, params), **query}


OPERATION = part_reader(
    "private_network_info",
    "private_networks",
    lambda api, _params: NetworkSearch(api),
    {"name": {"type": "str"}, **QUERY, **INSTANCE},
    _filters,
    {"mutually_exclusive": [("id", "name", "query"), ("id", "instance")]},
)
