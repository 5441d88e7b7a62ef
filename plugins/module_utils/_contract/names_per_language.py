# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The name of an object that has one for each language: a list with a name and the number of its language in each.

Source: wire-facts 9.4 (dictionary items, software and template categories were seen like that; 2 is English). Members
are looked up in the WSDL, so soap_member_map can name them, for example ``{"SoftwareName.name": "Label"}``.
"""

from __future__ import annotations

import typing as t

from .common_fcd import CommonFcd
from .members import Members
from .reading import Asked, Row
from .type_structure import entry_type

ENGLISH = 2
LANGUAGE = ("language_dict_id", "language_id", "language")
LISTS = ("DictionaryItemNames", "SoftwareNames", "TemplateCategoryNames", "ItemNames", "CategoryNames")
NAMES = ("ItemName", "CategoryName", "SoftwareName", "DisplayName", "Label")
DESCRIPTIONS = ("CategoryDescription", "ItemDescription")

OPTIONS: dict[str, dict[str, t.Any]] = {"language_dict_id": {"type": "int", "aliases": ["language_id"]}}
ALSO = tuple(OPTIONS)


def named(rows: str) -> t.Callable[[Asked, list[Row]], list[Row]]:
    """Return what lays ``name``, and ``description`` where there is one, over records of the type ``rows``."""

    def finish(asked: Asked, found: list[Row]) -> list[Row]:
        names = NamesPerLanguage(asked.api, rows, asked.params["language_dict_id"])
        return [{**row, **names.of(row)} for row in found]

    return finish


class NamesPerLanguage:
    """Chooses among the names of records of one type."""

    def __init__(self, api: CommonFcd, type_name: str, wanted: int | None) -> None:
        self._wanted = wanted
        self._list = api.members(type_name).find_if_any("names", *LISTS)
        entries = None if self._list is None else _entries(api, type_name, self._list)
        self._keys: dict[str, str] = {}
        if entries is not None:
            found = {
                "language": entries.find_if_any("language_dict_id", *LANGUAGE),
                "name": entries.find_if_any("name", *NAMES),
                "description": entries.find_if_any("description", *DESCRIPTIONS),
            }
            self._keys = {name: key for name, key in found.items() if key is not None}

    def of(self, row: Row) -> Row:
        """Return name and description in the wanted language, else in English, else in the first one; {} for none.

        They are None where a language is asked for and there is nothing in it.
        """
        told = [name for name in ("name", "description") if name in self._keys]
        found = row.get(self._list or "")
        entries = [entry for entry in found if isinstance(entry, dict)] if isinstance(found, list) else []
        if not told or not entries:
            return {}
        entry = self._chosen(entries)
        return {name: None if entry is None else entry.get(self._keys[name]) for name in told}

    def _chosen(self, entries: list[Row]) -> Row | None:
        key = self._keys.get("language", "")
        by_language = {entry.get(key): entry for entry in reversed(entries)}
        if self._wanted is not None:
            return by_language.get(self._wanted)
        return by_language.get(ENGLISH, entries[0])


def _entries(api: CommonFcd, type_name: str, key: str) -> Members | None:
    """Return the members of what is in the list that records have under ``key``."""
    held = entry_type(api.contract, type_name, key)
    return None if held is None else api.members(held)
