# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Readers of the catalogue: dictionaries, software, clusters, news, and templates of virtual machines.

Source: contract/soap-common-fcd.md, "Catalogue, templates, virtual machine records, warehouses"; wire-facts 9.4. Items
whose names come per language get the one that is asked for as ``name``: their record has a list with a name and the
number of its language in each entry (dictionary items, software and template categories were seen like that; 2 is
English). Members are looked up in the WSDL, so soap_member_map can name them, as in ``{"SoftwareName.name": "Label"}``.
"""

from __future__ import annotations

import typing as t

from .._core.errors import InvalidInput
from .._core.text import fold
from .api import CommonFcd
from .members import Attribute, MemberReader, Members
from .subjects import (
    DOCUMENT_OPTION_NAMES,
    DOCUMENT_OPTIONS,
    DOCUMENT_RULES,
    DocumentFiles,
    ReadContext,
    Row,
    Subject,
    subject_reader,
    with_attributes,
)
from .typed_values import entry_type, row_type

ENGLISH = 2
LANGUAGE = ("language_dict_id", "language_id", "language")
LISTS = ("DictionaryItemNames", "SoftwareNames", "TemplateCategoryNames", "ItemNames", "CategoryNames")
NAMES = ("ItemName", "CategoryName", "SoftwareName", "DisplayName", "Label")
DESCRIPTIONS = ("CategoryDescription", "ItemDescription")

LANGUAGE_OPTIONS: dict[str, dict[str, t.Any]] = {"language_dict_id": {"type": "int", "aliases": ["language_id"]}}
LANGUAGE_OPTION_NAMES = tuple(LANGUAGE_OPTIONS)


def with_name(rows: str) -> t.Callable[[ReadContext, list[Row]], list[Row]]:
    """Return what lays ``name``, and ``description`` where there is one, over records of the type ``rows``."""

    def finish(asked: ReadContext, found: list[Row]) -> list[Row]:
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
        if not entries:
            return {}
        entry = self._chosen(entries) or {}
        return {name: entry.get(self._keys[name]) for name in told}

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


def _items(operation: str, rows: str, *needs: str, takes: tuple[str, ...] = (), named: bool = False) -> Subject:
    also, finish = LANGUAGE_OPTION_NAMES, with_name(rows)
    takes = (*needs, *takes)
    return Subject(
        operation, takes, needs, also, named=named, rows=rows, attributes=ITEM, finish=finish, key="dictionary_items"
    )


def _software(operation: str) -> Subject:
    also, finish = LANGUAGE_OPTION_NAMES, with_name("Software")
    return Subject(
        operation, also=also, named=True, rows="Software", attributes=SOFTWARE, finish=finish, key="software"
    )


CATALOGUE_INFO = subject_reader(
    "catalogue_info",
    {
        "items": _items("GetDictionaryItems", "DictionaryItem", "dictionary"),
        "item": _items("GetDictionaryItemById", "DictionaryItem", "dictionary_item_id"),
        "items_of_several": _items("GetDictionariesItems", "DictionaryItem", "ids"),
        "items_by_name_prefix": _items(
            "GetDictionaryItemsByNamePrefix", "DictionaryItem", "dictionary_id", "name_prefix", takes=("is_logged",)
        ),
        "simple_items": _items("GetSimpleDictionaryItems", "DictionaryItemSimple", "dictionary_id"),
        "simple_items_with_not_active": _items(
            "GetSimpleDictionaryItemsWithNotActive", "DictionaryItemSimple", "dictionary_id", named=True
        ),
        "items_with_names": _items(
            "GetDictionaryItemsWithNames", "DictionaryItemWithNames", "dictionary_id", named=True
        ),
        "applications": _software("GetApplications"),
        "applications_and_operating_systems": _software("GetApplicationsAndOperatingSystems"),
        "services": Subject("GetServices", named=True, rows="Service", attributes=SERVICE),
        "time_zones": Subject("GetTimeZones", named=True, rows="TimeZone", attributes=TIME_ZONE),
        "revenues": Subject("GetRevenues", ("name_prefix",), named=True, rows="Revenue", attributes=REVENUE),
        "revenue": Subject.needing("GetRevenue", "revenue_id", rows="Revenue", attributes=REVENUE, key="revenues"),
        "code": Subject.needing("GetCodeEditUI", "code_id", rows="CodeEditUI", attributes=CODE, key="codes"),
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
        **LANGUAGE_OPTIONS,
    },
)


CLUSTER = (
    Attribute("id", ("ClusterId",)),
    Attribute("name", ("DisplayName", "ClusterName")),
    Attribute("is_active", ("Active",)),
)

CLUSTER_INFO = subject_reader(
    "cluster_info",
    {
        "clusters": Subject(
            "GetClusters", ("client_id", "only_client_clusters"), rows="ClusterSimple", attributes=CLUSTER
        )
    },
    {"client_id": {"type": "int"}, "only_client_clusters": {"type": "bool"}},
)


NEWS = (Attribute("id", ("NewsId",)), Attribute("title", ("Subject", "Name")))

NEWS_INFO = subject_reader(
    "news_info",
    {
        "one": Subject.needing("GetNews", "news_id", rows="News", attributes=NEWS, key="news"),
        "all": Subject(
            "GetNewses", ("language_dict_id",), searched=True, rows="NewsResultItem", attributes=NEWS, key="news"
        ),
    },
    {"news_id": {"type": "int", "aliases": ["id"]}, "language_dict_id": {"type": "int", "aliases": ["language_id"]}},
)


CATEGORY = (Attribute("id", ("TemplateCategoryId", "CategoryId")),)
CHILDREN = ("CategoryChildren", "TemplateCategoryChildren", "SubCategories")
SIMPLE_CATEGORY = (
    *CATEGORY,
    Attribute("name", ("CategoryName", "TemplateCategoryName")),
    Attribute("parent_id", ("ParentTemplateCategoryId", "ParentCategoryId", "Parent"), ("template_category_id", "id")),
)
TEMPLATE = (
    Attribute("id", ("TemplateId", "VirtualMachineTemplateId")),
    Attribute("name", ("TemplateName", "VirtualMachineTemplateName")),
)
ICON = (Attribute("id", ("IconId", "TemplateIconId")), Attribute("file_name", ("FileName", "Name")))

BY_CATEGORY = "GetTemplatesByCategory"
CATEGORY_TYPE = "TemplateCategory"
ICONS = DocumentFiles("TemplateIcon", "icon_id", "icon")


def _categories(asked: ReadContext, found: list[Row]) -> list[Row]:
    """Return categories with number and name, the categories in them too."""
    members = asked.api.members(CATEGORY_TYPE)
    reading = MemberReader(members, CATEGORY)
    names = NamesPerLanguage(asked.api, CATEGORY_TYPE, asked.params["language_dict_id"])
    inside = members.find_if_any("children", *CHILDREN)

    def category(row: Row) -> Row:
        told = {**row, **reading.record(row), **names.of(row)}
        if inside is not None:
            told.pop(inside, None)  # once is enough, it is the whole tree below
            told["children"] = [category(child) for child in row.get(inside) or [] if isinstance(child, dict)]
        return told

    return [category(row) for row in found]


def _of_category(asked: ReadContext) -> t.Any:
    """Return the templates of a category; what the operation takes besides its number is up to the user.

    Source: the contract shows the first input only; wire-facts 9.5 has further ones that were seen.
    """
    own = {"category_id": asked.params["category_id"], "client_id": asked.params["client_id"]}
    inputs = {name: value for name, value in own.items() if value is not None}
    for name, value in (asked.params["inputs"] or {}).items():
        if fold(str(name)) in map(fold, inputs):
            raise InvalidInput(f"inputs.{name}: there is an option for it, which is given too.", option="inputs")
        inputs[str(name)] = value
    return asked.api.call(BY_CATEGORY, **inputs)


def _templates(asked: ReadContext, found: list[Row]) -> list[Row]:
    """Return templates with number and name; of which type they are, only the WSDL says."""
    row = row_type(asked.api.contract, BY_CATEGORY)
    return found if row is None else with_attributes(asked.api, row, TEMPLATE, found)


_ONE = ("category_id",)
_BY_TEMPLATE = ("template_id", "client_id")
_BY_MACHINE = ("virtual_machine_id", "client_id")

TEMPLATE_INFO = subject_reader(
    "template_info",
    {
        "categories": Subject(
            "GetTemplateCategories",
            also=LANGUAGE_OPTION_NAMES,
            rows=CATEGORY_TYPE,
            finish=_categories,
            key="categories",
        ),
        "category": Subject.needing(
            "GetTemplateCategoryById",
            *_ONE,
            also=LANGUAGE_OPTION_NAMES,
            rows=CATEGORY_TYPE,
            finish=_categories,
            key="categories",
        ),
        "simple_categories": Subject(
            "GetTemplateCategoriesSimpleView",
            ("parent_template_category_id",),
            rows="TemplateCategorySimple",
            attributes=SIMPLE_CATEGORY,
            key="categories",
        ),
        "templates": Subject.needing(
            "GetTemplatesSimple", "type_dict_id", rows="VirtualMachineTemplateSimple", attributes=TEMPLATE
        ),
        "templates_of_category": Subject(
            _of_category,
            needs=_ONE,
            also=("category_id", "client_id", "inputs"),
            named=True,
            finish=_templates,
            key="templates",
        ),
        "icon": Subject.needing(
            "GetTemplateIcon",
            "icon_id",
            also=DOCUMENT_OPTION_NAMES,
            rows="TemplateIcon",
            attributes=ICON,
            finish=ICONS.shown,
            more=ICONS.saved,
            key="icons",
        ),
        "description": Subject("GetFullTemplateDescription", _BY_TEMPLATE, ("template_id",)),
        "description_by_virtual_machine": Subject(
            "GetFullTemplateDescriptionByVirtualMachineId", _BY_MACHINE, ("virtual_machine_id",), key="description"
        ),
    },
    {
        "category_id": {"type": "int"},
        "parent_template_category_id": {"type": "int", "aliases": ["parent_id"]},
        "type_dict_id": {"type": "int"},
        "client_id": {"type": "int"},
        "inputs": {"type": "dict"},
        "icon_id": {"type": "int"},
        "template_id": {"type": "int"},
        "virtual_machine_id": {"type": "int"},
        **LANGUAGE_OPTIONS,
        **DOCUMENT_OPTIONS,
    },
    DOCUMENT_RULES,
)
