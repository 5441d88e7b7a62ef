# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Dictionaries, software, services, time zones and the like (contract/soap-common-fcd.md, "Catalogue").

Items whose names come per language get the one that is asked for as ``name``.
"""

from __future__ import annotations

from .member_reading import Attribute
from .names_per_language import ALSO, OPTIONS, named
from .reading import Reading, reader

ITEM = (
    Attribute("id", ("DictionaryItemId", "ItemId")),
    Attribute("name", ("ItemName", "DisplayName", "Label")),
    Attribute("dictionary_id", ("Dictionary", "DictId"), ("dictionary_id", "id")),
    Attribute("is_active", ("Active",)),
)
TIME_ZONE = (Attribute("id", ("TimeZoneId",)), Attribute("name", ("DisplayName", "TimeZoneName")))
SERVICE = (Attribute("id", ("ServiceId",)), Attribute("name", ("ServiceName", "DisplayName")))
REVENUE = (Attribute("id", ("RevenueId",)), Attribute("name", ("RevenueName", "DisplayName")))
SOFTWARE = (Attribute("id", ("SoftwareId",)), Attribute("name", ("SoftwareName", "DisplayName")))
CODE = (Attribute("id", ("CodeId",)), Attribute("code", ("CodeName", "Name")))

_DICTIONARY = ("dictionary_id",)
_PREFIX = ("dictionary_id", "name_prefix")


def _items(operation: str, takes: tuple[str, ...], needs: tuple[str, ...], rows: str, *, named_only: bool) -> Reading:
    return Reading(
        operation,
        takes,
        needs,
        also=ALSO,
        named=named_only,
        rows=rows,
        attributes=ITEM,
        finish=named(rows),
        key="dictionary_items",
    )


def _software(operation: str) -> Reading:
    return Reading(
        operation,
        also=ALSO,
        named=True,
        rows="Software",
        attributes=SOFTWARE,
        finish=named("Software"),
        key="software",
    )


OPERATION = reader(
    "catalogue_info",
    {
        "items": _items("GetDictionaryItems", ("dictionary",), ("dictionary",), "DictionaryItem", named_only=False),
        "item": _items(
            "GetDictionaryItemById",
            ("dictionary_item_id",),
            ("dictionary_item_id",),
            "DictionaryItem",
            named_only=False,
        ),
        "items_of_several": _items("GetDictionariesItems", ("ids",), ("ids",), "DictionaryItem", named_only=False),
        "items_by_name_prefix": _items(
            "GetDictionaryItemsByNamePrefix", (*_PREFIX, "is_logged"), _PREFIX, "DictionaryItem", named_only=False
        ),
        "simple_items": _items(
            "GetSimpleDictionaryItems", _DICTIONARY, _DICTIONARY, "DictionaryItemSimple", named_only=False
        ),
        "simple_items_with_not_active": _items(
            "GetSimpleDictionaryItemsWithNotActive", _DICTIONARY, _DICTIONARY, "DictionaryItemSimple", named_only=True
        ),
        "items_with_names": _items(
            "GetDictionaryItemsWithNames", _DICTIONARY, _DICTIONARY, "DictionaryItemWithNames", named_only=True
        ),
        "applications": _software("GetApplications"),
        "applications_and_operating_systems": _software("GetApplicationsAndOperatingSystems"),
        "services": Reading("GetServices", named=True, rows="Service", attributes=SERVICE),
        "time_zones": Reading("GetTimeZones", named=True, rows="TimeZone", attributes=TIME_ZONE),
        "revenues": Reading("GetRevenues", ("name_prefix",), named=True, rows="Revenue", attributes=REVENUE),
        "revenue": Reading(
            "GetRevenue", ("revenue_id",), ("revenue_id",), rows="Revenue", attributes=REVENUE, key="revenues"
        ),
        "code": Reading("GetCodeEditUI", ("code_id",), ("code_id",), rows="CodeEditUI", attributes=CODE, key="codes"),
    },
    {
        "dictionary": {"type": "str"},
        "dictionary_id": {"type": "int"},
        "dictionary_item_id": {"type": "int", "aliases": ["item_id"]},
        "ids": {"type": "list", "elements": "int"},
        "name_prefix": {"type": "str"},
        "is_logged": {"type": "bool"},
        "revenue_id": {"type": "int"},
        "code_id": {"type": "int", "no_log": False},
        **OPTIONS,
    },
)
