# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Templates of virtual machines, their categories, icons and descriptions (contract/soap-common-fcd.md)."""

from __future__ import annotations

import typing as t

from .._contract import documents
from .._core.errors import InvalidInput
from .._core.names import fold
from .member_reading import Attribute, MemberReader
from .names_per_language import ALSO, OPTIONS, NamesPerLanguage
from .reading import Asked, Reading, Row, reader, with_attributes
from .type_structure import row_type

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
ICONS = documents.Documents("TemplateIcon", "icon_id", "icon")


def _categories(asked: Asked, found: list[Row]) -> list[Row]:
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


def _of_category(asked: Asked) -> t.Any:
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


def _templates(asked: Asked, found: list[Row]) -> list[Row]:
    """Return templates with number and name; of which type they are, only the WSDL says."""
    row = row_type(asked.api.contract, BY_CATEGORY)
    return found if row is None else with_attributes(asked.api, row, TEMPLATE, found)


_ONE = ("category_id",)
_BY_TEMPLATE = ("template_id", "client_id")
_BY_MACHINE = ("virtual_machine_id", "client_id")

OPERATION = reader(
    "template_info",
    {
        "categories": Reading(
            "GetTemplateCategories", also=ALSO, rows=CATEGORY_TYPE, finish=_categories, key="categories"
        ),
        "category": Reading(
            "GetTemplateCategoryById", _ONE, _ONE, also=ALSO, rows=CATEGORY_TYPE, finish=_categories, key="categories"
        ),
        "simple_categories": Reading(
            "GetTemplateCategoriesSimpleView",
            ("parent_template_category_id",),
            rows="TemplateCategorySimple",
            attributes=SIMPLE_CATEGORY,
            key="categories",
        ),
        "templates": Reading(
            "GetTemplatesSimple",
            ("type_dict_id",),
            ("type_dict_id",),
            rows="VirtualMachineTemplateSimple",
            attributes=TEMPLATE,
        ),
        "templates_of_category": Reading(
            _of_category,
            needs=_ONE,
            also=("category_id", "client_id", "inputs"),
            named=True,
            finish=_templates,
            key="templates",
        ),
        "icon": Reading(
            "GetTemplateIcon",
            ("icon_id",),
            ("icon_id",),
            also=documents.ALSO,
            rows="TemplateIcon",
            attributes=ICON,
            finish=ICONS.shown,
            more=ICONS.saved,
            key="icons",
        ),
        "description": Reading("GetFullTemplateDescription", _BY_TEMPLATE, ("template_id",)),
        "description_by_virtual_machine": Reading(
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
        **OPTIONS,
        **documents.OPTIONS,
    },
    documents.RULES,
)
