# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Virtual machine templates, their categories, descriptions and icons.

Assumptions: the type 0 asks for templates of all types; the simple view without a parent shows the top categories.
"""

from __future__ import annotations

from sandbox.soap.constants import CATEGORIES, ENGLISH, ICONS, MACHINE_TEMPLATES, TEMPLATES, dictionary_item
from sandbox.soap.search import read
from sandbox.soap.state import Inputs, Row, State


def GetTemplatesSimple(state: State, given: Inputs) -> list[Row]:
    return [_template(row) for row in TEMPLATES.values() if given["typeDictId"] in {0, row["TypeDictId"]}]


def GetTemplatesByCategory(state: State, given: Inputs) -> list[Row]:
    rows = (row for row in TEMPLATES.values() if row["category"] == given["categoryId"])
    return [_template(row) for row in rows if given["type"] in {None, row["TypeDictId"]}]


def GetTemplateCategories(state: State, given: Inputs) -> list[Row]:
    return [_category(number) for number, row in CATEGORIES.items() if row["parent"] is None]


def GetTemplateCategoriesSimpleView(state: State, given: Inputs) -> list[Row]:
    return [
        {"TemplateCategoryId": number, "CategoryName": row["name"], "ParentTemplateCategoryId": row["parent"]}
        for number, row in CATEGORIES.items()
        if row["parent"] == given["parentTemplateCategoryId"]
    ]


def GetTemplateCategoryById(state: State, given: Inputs) -> Row | None:
    row = read(state, "template category", CATEGORIES, given["categoryId"])
    return None if row is None else _category(given["categoryId"])


def GetTemplateIcon(state: State, given: Inputs) -> Row | None:
    return read(state, "icon", ICONS, given["iconId"])


def GetFullTemplateDescription(state: State, given: Inputs) -> str | None:
    return _description(state, given["templateId"])


def GetFullTemplateDescriptionByVirtualMachineId(state: State, given: Inputs) -> str | None:
    return _description(state, MACHINE_TEMPLATES.get(given["virtualMachineId"], 0))


def _template(row: Row) -> Row:
    return {name: row[name] for name in ("TemplateId", "TemplateName", "TypeDictId")}


def _category(number: int) -> Row:
    name = CATEGORIES[number]["name"]
    return {
        "TemplateCategoryId": number,
        "TemplateCategoryNames": [
            {"CategoryName": name, "CategoryDescription": f"About {name}", "LanguageDictId": ENGLISH}
        ],
        "CategoryChildren": [_category(child) for child, row in CATEGORIES.items() if row["parent"] == number],
        "CategoryColumns": [{"ColumnNameDict": dictionary_item(257)}],
    }


def _description(state: State, template: int) -> str | None:
    row = read(state, "template", TEMPLATES, template)
    return None if row is None else f"<p>{row['TemplateName']} &amp; its documentation</p>"
