# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Readers of the catalogue: dictionaries, software, clusters, news, and templates of virtual machines.

Source: docs/service/contract.md, "Catalogue and warehouses" and "Types". Items that have a name in each language get
the requested one as ``name``: their record has a list of names with the number of the language (seen in dictionary
items, software and template categories; 2 is English). Members are looked up in the WSDL, so soap_member_map can name
them, as in ``{"SoftwareName.name": "Label"}``.
"""

from __future__ import annotations

import typing as t

from .._connection.options import OptionSpecs
from .._core.errors import InvalidInput
from .._core.text import fold
from .._core.type_aliases import JsonObject
from .._soap.contract import Contract, SchemaField, local
from .api import CommonFcd, MemberReader
from .attributes import Attribute
from .subjects import (
    DOCUMENT_OPTIONS,
    INT,
    TEXT,
    ReadContext,
    RowType,
    Subject,
    subject_reader,
    with_attributes,
    without_documents,
)

ENGLISH = 2
LANGUAGE = ("language_dict_id", "language_id", "language")
LIST_MEMBERS = ("DictionaryItemNames", "SoftwareNames", "TemplateCategoryNames", "ItemNames", "CategoryNames")
NAME_MEMBERS = ("ItemName", "CategoryName", "SoftwareName", "DisplayName", "Label")
DESCRIPTION_MEMBERS = ("CategoryDescription", "ItemDescription")

LANGUAGE_OPTIONS: OptionSpecs = {"language_dict_id": {"type": "int", "aliases": ["language_id"]}}


def with_name(rows: str) -> t.Callable[[ReadContext, list[JsonObject]], list[JsonObject]]:
    """Return a function that adds ``name`` and, if there is one, ``description`` to records of the type ``rows``."""

    def finish(context: ReadContext, found: list[JsonObject]) -> list[JsonObject]:
        names = NamesPerLanguage(context.api, rows, context.params["language_dict_id"])
        return [{**row, **names.of(row)} for row in found]

    return finish


class NamesPerLanguage:
    """Chooses among the names of records of one type."""

    def __init__(self, api: CommonFcd, type_name: str, desired: int | None) -> None:
        self._desired = desired
        self._list = api.members(type_name).find_if_any("names", *LIST_MEMBERS)
        entry_type = None if self._list is None else list_entry_type(api.contract, type_name, self._list)
        self._keys: dict[str, str] = {}
        if entry_type is not None:
            entries = api.members(entry_type)
            candidates = {LANGUAGE[0]: LANGUAGE, "name": NAME_MEMBERS, "description": DESCRIPTION_MEMBERS}
            found = {name: entries.find_if_any(name, *others) for name, others in candidates.items()}
            self._keys = {name: key for name, key in found.items() if key is not None}

    def of(self, row: JsonObject) -> JsonObject:
        """Return name and description in the desired language, else in English, else in the first one; {} for none.

        They are None if a language is requested and nothing is in it.
        """
        found = row.get(self._list or "")
        entries = [entry for entry in found if isinstance(entry, dict)] if isinstance(found, list) else []
        if not entries:
            return {}
        key = self._keys.get(LANGUAGE[0], "")
        by_language = {entry.get(key): entry for entry in reversed(entries)}
        desired, other = (ENGLISH, entries[0]) if self._desired is None else (self._desired, {})
        entry = by_language.get(desired, other)
        return {name: entry.get(key) for name, key in self._keys.items() if name != LANGUAGE[0]}


def list_entry_type(contract: Contract, type_name: str, key: str) -> str | None:
    """Return the type of the entries in the member with this key in results; None for plain values."""
    for type_key in contract.keys(type_name):
        if contract.simple(type_key) is None and key in contract.members(type_key):
            return _entry_type(contract, contract.members(type_key)[key])
    return None


def _entry_type(contract: Contract, field: SchemaField) -> str | None:
    item = None if field.repeated else contract.item(field.type)
    key = field.type if item is None else item.type
    return local(key) if contract.simple(key) is None else None


ITEM = (
    Attribute("id", ("DictionaryItemId", "ItemId")),
    Attribute("name", ("ItemName", "DisplayName", "Label")),
    Attribute("dictionary_id", ("Dictionary", "DictId"), ("dictionary_id", "id")),
    Attribute("is_active", ("Active",)),
)
TIME_ZONES = RowType("TimeZone", (Attribute("id", ("TimeZoneId",)), Attribute("name", ("DisplayName", "TimeZoneName"))))
SERVICES = RowType("Service", (Attribute("id", ("ServiceId",)), Attribute("name", ("ServiceName", "DisplayName"))))
REVENUES = RowType(
    "Revenue", (Attribute("id", ("RevenueId",)), Attribute("name", ("RevenueName", "DisplayName"))), "revenues"
)
SOFTWARE = (Attribute("id", ("SoftwareId",)), Attribute("name", ("SoftwareName", "DisplayName")))
CODES = RowType("CodeEditUI", (Attribute("id", ("CodeId",)), Attribute("code", ("CodeName", "Name"))), "codes")


def _items(operation: str, type_name: str, *needs: str, **more: t.Any) -> Subject:
    rows, takes = RowType(type_name, ITEM, "dictionary_items"), (*needs, *more.pop("takes", ()))
    return Subject(operation, takes, needs, (*LANGUAGE_OPTIONS,), rows, finish=with_name(type_name), **more)


def _software(operation: str) -> Subject:
    rows = RowType("Software", SOFTWARE, "software")
    return Subject(operation, own_options=(*LANGUAGE_OPTIONS,), rows=rows, explicit=True, finish=with_name("Software"))


CATALOGUE_INFO = subject_reader(
    "catalogue_info",
    {
        "items": _items("GetDictionaryItems", "DictionaryItem", "dictionary"),
        "item": _items("GetDictionaryItemById", "DictionaryItem", "dictionary_item_id", identity="dictionary_item_id"),
        "items_of_several": _items("GetDictionariesItems", "DictionaryItem", "ids"),
        "items_by_name_prefix": _items(
            "GetDictionaryItemsByNamePrefix", "DictionaryItem", "dictionary_id", "name_prefix", takes=("is_logged",)
        ),
        "simple_items": _items("GetSimpleDictionaryItems", "DictionaryItemSimple", "dictionary_id"),
        "simple_items_with_not_active": _items(
            "GetSimpleDictionaryItemsWithNotActive", "DictionaryItemSimple", "dictionary_id", explicit=True
        ),
        "items_with_names": _items(
            "GetDictionaryItemsWithNames", "DictionaryItemWithNames", "dictionary_id", explicit=True
        ),
        "applications": _software("GetApplications"),
        "applications_and_operating_systems": _software("GetApplicationsAndOperatingSystems"),
        "services": Subject("GetServices", rows=SERVICES, explicit=True),
        "time_zones": Subject("GetTimeZones", rows=TIME_ZONES, explicit=True),
        "revenues": Subject("GetRevenues", ("name_prefix",), rows=REVENUES, explicit=True),
        "revenue": Subject.single("GetRevenue", "revenue_id", rows=REVENUES),
        "code": Subject.single("GetCodeEditUI", "code_id", rows=CODES),
    },
    {
        "dictionary": TEXT,
        "dictionary_id": INT,
        "dictionary_item_id": {"type": "int", "aliases": ["item_id"]},
        "ids": {"type": "list", "elements": "int"},
        "name_prefix": TEXT,
        "is_logged": {"type": "bool"},
        "revenue_id": INT,
        "code_id": {"type": "int", "no_log": False},
        **LANGUAGE_OPTIONS,
    },
)

CLUSTERS = RowType(
    "ClusterSimple",
    (
        Attribute("id", ("ClusterId",)),
        Attribute("name", ("DisplayName", "ClusterName")),
        Attribute("is_active", ("Active",)),
    ),
)
CLUSTER_INFO = subject_reader(
    "cluster_info",
    {"clusters": Subject("GetClusters", ("client_id", "only_client_clusters"), rows=CLUSTERS)},
    {"client_id": INT, "only_client_clusters": {"type": "bool"}},
)

NEWS = (Attribute("id", ("NewsId",)), Attribute("title", ("Subject", "Name")))
NEWS_INFO = subject_reader(
    "news_info",
    {
        "one": Subject.single("GetNews", "news_id", rows=RowType("News", NEWS, "news")),
        "all": Subject("GetNewses", (*LANGUAGE_OPTIONS,), rows=RowType("NewsResultItem", NEWS, "news"), searched=True),
    },
    {"news_id": {"type": "int", "aliases": ["id"]}, **LANGUAGE_OPTIONS},
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
CATEGORIES = RowType("TemplateCategory", key="categories")
SIMPLE_CATEGORIES = RowType("TemplateCategorySimple", SIMPLE_CATEGORY, "categories")
ICONS = RowType("TemplateIcon", ICON, "icons")


def _categories(context: ReadContext, found: list[JsonObject]) -> list[JsonObject]:
    """Return categories with number and name, including those inside them."""
    members = context.api.members(CATEGORIES.type_name)
    reading = MemberReader(members, CATEGORY)
    names = NamesPerLanguage(context.api, CATEGORIES.type_name, context.params["language_dict_id"])
    inside = members.find_if_any("children", *CHILDREN)

    def category(row: JsonObject) -> JsonObject:
        told = {**row, **reading.record(row), **names.of(row)}
        if inside is not None:
            told.pop(inside, None)  # once is enough: it holds the whole tree below
            told["children"] = [category(child) for child in row.get(inside) or [] if isinstance(child, dict)]
        return told

    return [category(row) for row in found]


def _of_category(context: ReadContext) -> object:
    """Return the templates of a category; further inputs of the operation are up to the user.

    The contract only shows the first input; clients give more.
    """
    own = {"category_id": context.params["category_id"], "client_id": context.params["client_id"]}
    inputs = {name: value for name, value in own.items() if value is not None}
    for name, value in (context.params["inputs"] or {}).items():
        if fold(str(name)) in map(fold, inputs):
            raise InvalidInput(f"inputs.{name}: the option of this name is given as well.", option="inputs")
        inputs[str(name)] = value
    return context.api.call(BY_CATEGORY, **inputs)


def _templates(context: ReadContext, found: list[JsonObject]) -> list[JsonObject]:
    """Return templates with number and name; only the WSDL says what type they have."""
    contract = context.api.contract
    output = contract.operation(BY_CATEGORY).output
    fields = [] if output is None else contract.fields(output[1])
    row = _entry_type(contract, fields[0]) if len(fields) == 1 else None
    return found if row is None else with_attributes(context.api, RowType(row, TEMPLATE), found)


TEMPLATE_INFO = subject_reader(
    "template_info",
    {
        "categories": Subject(
            "GetTemplateCategories", own_options=(*LANGUAGE_OPTIONS,), rows=CATEGORIES, finish=_categories
        ),
        "category": Subject.single(
            "GetTemplateCategoryById",
            "category_id",
            own_options=(*LANGUAGE_OPTIONS,),
            rows=CATEGORIES,
            finish=_categories,
        ),
        "simple_categories": Subject(
            "GetTemplateCategoriesSimpleView", ("parent_template_category_id",), rows=SIMPLE_CATEGORIES
        ),
        "templates": Subject.needing(
            "GetTemplatesSimple", "type_dict_id", rows=RowType("VirtualMachineTemplateSimple", TEMPLATE)
        ),
        "templates_of_category": Subject(
            _of_category,
            needs=("category_id",),
            own_options=("category_id", "client_id", "inputs"),
            explicit=True,
            finish=_templates,
            key="templates",
        ),
        "icon": Subject.single(
            "GetTemplateIcon",
            "icon_id",
            own_options=(*DOCUMENT_OPTIONS,),
            rows=ICONS,
            finish=without_documents(ICONS.type_name),
        ),
        "description": Subject("GetFullTemplateDescription", ("template_id", "client_id"), ("template_id",)),
        "description_by_virtual_machine": Subject(
            "GetFullTemplateDescriptionByVirtualMachineId",
            ("virtual_machine_id", "client_id"),
            ("virtual_machine_id",),
            key="description",
        ),
    },
    {
        "category_id": INT,
        "parent_template_category_id": {"type": "int", "aliases": ["parent_id"]},
        "type_dict_id": INT,
        "client_id": INT,
        "inputs": {"type": "dict"},
        **dict.fromkeys(("icon_id", "template_id", "virtual_machine_id"), INT),
        **LANGUAGE_OPTIONS,
        **DOCUMENT_OPTIONS,
    },
)
