# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Public addresses, read only."""

from __future__ import annotations

import typing as t

from ..._session.operation import Params
from ..parts.reading import INSTANCE, Filters, of_instance, part_reader
from .record import AddressSearch

if t.TYPE_CHECKING:
    from ..._api.infrastructure import Infrastructure
    from ..parts.search import PartSearch


class OneAddress(AddressSearch):
    """Finds addresses by themselves."""

    key = "address"
    member = "Address"


def _search(api: Infrastructure, params: Params) -> AddressSearch:
    return AddressSearch(api) if params.get("address") is None else OneAddress(api)


def _filters(parts: PartSearch, params: Params) -> Filters:
    return {**of_instance(parts, params), **({"only_free": True} if params["only_free"] else {})}


OPERATION = part_reader(
    "ip_address_info",
    "ip_addresses",
    _search,
    {
        "address": {"type": "str", "aliases": ["ip_address"]},
        "comment": {"type": "str"},
        **INSTANCE,
        "only_free": {"type": "bool", "default": False},
    },
    _filters,
    {"mutually_exclusive": [("id", "address", "comment"), ("id", "instance", "only_free")]},
)
