# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Dictionaries, revenues, time zones, software, services and news.

Assumptions: a dictionary that does not exist is empty; only the variant "WithNotActive" shows items that are not
active; prefixes are compared in any case with the English name.
"""

from __future__ import annotations

from typing import Any

from sandbox.soap.constants import (
    CODES,
    DICTIONARIES,
    INACTIVE_ITEMS,
    NEWS,
    REVENUES,
    SERVICES,
    SOFTWARE,
    TIME_ZONES,
    dictionary_item,
    names,
)
from sandbox.soap.schema import contract
from sandbox.soap.search import has_text, page, parameters, read
from sandbox.soap.state import Inputs, Row, State


def GetDictionaryItemById(state: State, given: Inputs) -> Row | None:
    return dictionary_item(given["dictionaryItemId"])


def GetDictionaryItems(state: State, given: Inputs) -> list[Row]:
    """The dictionary travels by its name; the numbers of the names stand in the schema."""
    number = contract().local("Consts.DAL.Dictionary").numbers[given["dictionary"]]
    return [_item(item) for item in _active(number)]


def GetDictionariesItems(state: State, given: Inputs) -> list[Row]:
    return [_item(item) for number in given["ids"] or [] for item in _active(number)]


def GetDictionaryItemsByNamePrefix(state: State, given: Inputs) -> list[Row]:
    items = _active(given["dictionaryId"])
    return [_item(item) for item, label in items.items() if _starts(label, given["namePrefix"])]


def GetSimpleDictionaryItems(state: State, given: Inputs) -> list[Row]:
    return _simple(_active(given["dictionaryId"]))


def GetSimpleDictionaryItemsWithNotActive(state: State, given: Inputs) -> list[Row]:
    return _simple(DICTIONARIES.get(given["dictionaryId"], {}))


def GetDictionaryItemsWithNames(state: State, given: Inputs) -> list[Row]:
    items = _active(given["dictionaryId"])
    return [
        {"DictionaryItemId": item, "ItemName": label, "DictionaryItemNames": names(label)}
        for item, label in items.items()
    ]


def GetRevenues(state: State, given: Inputs) -> list[Row]:
    return [row for row in REVENUES.values() if _starts(row["Name"], given["namePrefix"])]


def GetRevenue(state: State, given: Inputs) -> Row | None:
    return read(state, "revenue", REVENUES, given["revenueId"])


def GetTimeZones(state: State, given: Inputs) -> list[Row]:
    return list(TIME_ZONES.values())


def GetApplications(state: State, given: Inputs) -> list[Row]:
    return [row for row in SOFTWARE if not row["IsOperatingSystem"]]


def GetApplicationsAndOperatingSystems(state: State, given: Inputs) -> list[Row]:
    return SOFTWARE


def GetServices(state: State, given: Inputs) -> list[Row]:
    return SERVICES


def GetNewses(state: State, given: Inputs) -> dict[str, Any]:
    params = parameters(given)
    rows = (row for row in NEWS.values() if has_text(params, row["Title"]))
    return page(state, params, ({name: row[name] for name in ("NewsId", "CreationDate", "Title")} for row in rows))


def GetNews(state: State, given: Inputs) -> Row | None:
    return read(state, "news item", NEWS, given["newsId"])


def GetCodeEditUI(state: State, given: Inputs) -> Row | None:
    return read(state, "code", CODES, given["codeId"])


def _active(dictionary: int) -> dict[int, str]:
    items = DICTIONARIES.get(dictionary, {})
    return {item: label for item, label in items.items() if item not in INACTIVE_ITEMS}


def _item(number: int) -> Row:
    found = dictionary_item(number)
    assert found is not None
    return found


def _simple(items: dict[int, str]) -> list[Row]:
    return [{"DictionaryItemId": item, "ItemName": label} for item, label in items.items()]


def _starts(label: str, prefix: str | None) -> bool:
    return label.casefold().startswith((prefix or "").casefold())
