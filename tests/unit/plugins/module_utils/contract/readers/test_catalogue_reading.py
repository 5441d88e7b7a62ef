# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Dictionaries and the like, templates, and the language that names are told in."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._contract import catalogue_readers
from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.tests.unit.plugins.module_utils.soap.bench import Bench

CATALOGUE = catalogue_readers.CATALOGUE_INFO
TEMPLATES = catalogue_readers.TEMPLATE_INFO

ITEMS: dict[str, tuple[dict[str, t.Any], str, list[int]]] = {
    "by name": ({"dictionary": "disk_classes"}, "GetDictionaryItems", [48, 49, 50, 895, 896]),
    "by the schema's name": ({"dictionary": "DiskClasses"}, "GetDictionaryItems", [48, 49, 50, 895, 896]),
    "one": ({"dictionary_item_id": 49}, "GetDictionaryItemById", [49]),
    "no such": ({"dictionary_item_id": 5}, "GetDictionaryItemById", []),
    "of several": ({"ids": [16, 36]}, "GetDictionariesItems", [46, 47, 280, 115, 116, 565]),
    "by prefix": ({"dictionary_id": 17, "name_prefix": "tier 5"}, "GetDictionaryItemsByNamePrefix", [896]),
    "simple": ({"dictionary_id": 27}, "GetSimpleDictionaryItems", [86, 87, 1748]),
    "simple, not active too": (
        {"subject": "simple_items_with_not_active", "dictionary_id": 27},
        "GetSimpleDictionaryItemsWithNotActive",
        [86, 87, 126, 1748],
    ),
    "with names": (
        {"subject": "items_with_names", "dictionary_id": 36},
        "GetDictionaryItemsWithNames",
        [115, 116, 565],
    ),
}


@pytest.mark.parametrize(("options", "operation", "numbers"), ITEMS.values(), ids=list(ITEMS))
def test_items_of_dictionaries(bench: Bench, options: dict[str, t.Any], operation: str, numbers: list[int]) -> None:
    read = bench.run(CATALOGUE, **options)["dictionary_items"]
    assert [row["id"] for row in read] == numbers
    assert bench.sent == [operation]
    assert all(row["name"] and "(language" not in row["name"] for row in read)


@pytest.mark.parametrize("options", [{"dictionary_item_id": 49}, {"subject": "items_with_names", "dictionary_id": 17}])
def test_names_are_told_in_the_language_that_is_asked_for(bench: Bench, options: dict[str, t.Any]) -> None:
    for language, name in ((None, "Tier 2"), (2, "Tier 2"), (1, "Tier 2 (language 1)"), (3, None)):
        read = bench.run(CATALOGUE, **options, language_dict_id=language)["dictionary_items"]
        assert [row["name"] for row in read if row["id"] == 49] == [name]


def test_an_unknown_dictionary_is_refused_with_the_known_ones(bench: Bench) -> None:
    with pytest.raises(errors.InvalidInput, match="DiskClasses"):
        bench.run(CATALOGUE, dictionary="disk_clases")
    assert bench.sent == []


OTHERS: dict[str, tuple[dict[str, t.Any], str, str, list[tuple[int, str]]]] = {
    "applications": (
        {"subject": "applications"},
        "GetApplications",
        "software",
        [(302, "Example database"), (303, "Cache")],
    ),
    "systems too": (
        {"subject": "applications_and_operating_systems", "language_dict_id": 1},
        "GetApplicationsAndOperatingSystems",
        "software",
        [(301, "Example Linux 12"), (302, "Example database"), (303, "Cache")],
    ),
    "services": (
        {"subject": "services"},
        "GetServices",
        "services",
        [(401, "Processor time"), (402, "Memory"), (403, "Disk space")],
    ),
    "time zones": (
        {"subject": "time_zones", "language_dict_id": None},
        "GetTimeZones",
        "time_zones",
        [
            (1, "(UTC+00:00) Coordinated Universal Time"),
            (2, "(UTC+01:00) Central European Time"),
            (3, "(UTC-05:00) Eastern Time"),
        ],
    ),
    "revenues": (
        {"subject": "revenues", "name_prefix": "south"},
        "GetRevenues",
        "revenues",
        [(502, "Southfield tax office")],
    ),
    "revenue": ({"revenue_id": 501}, "GetRevenue", "revenues", [(501, "Northfield tax office")]),
}


@pytest.mark.parametrize(("options", "operation", "key", "found"), OTHERS.values(), ids=list(OTHERS))
def test_the_rest_of_the_catalogue(
    bench: Bench, options: dict[str, t.Any], operation: str, key: str, found: list[tuple[int, str]]
) -> None:
    read = bench.run(CATALOGUE, **options)
    assert set(read) - {"missing"} == {"changed", key}
    assert [(row["id"], row["name"]) for row in read[key]] == found
    assert bench.sent == [operation]


def test_a_code_is_shown_for_it_lets_nobody_in(bench: Bench) -> None:
    (code,) = bench.run(CATALOGUE, code_id=701)["codes"]
    assert (code["id"], code["code"], code["discount"]) == (701, "WELCOME", "12.50")
    assert bench.sent == ["GetCodeEditUI"]


def test_nothing_says_what_is_to_be_read(bench: Bench) -> None:
    with pytest.raises(errors.InvalidInput, match="No subject is given"):
        bench.run(CATALOGUE)


def test_members_of_other_names_can_be_named(bench: Bench) -> None:
    bench.connection = {"soap_member_map": {"DictionaryItem.names": "IsActive"}}
    (item,) = bench.run(CATALOGUE, dictionary_item_id=49)["dictionary_items"]
    assert "name" not in item
    bench.connection = {"soap_member_map": {"SoftwareName.name": "LanguageDictId"}}
    read = bench.run(CATALOGUE, subject="applications", language_dict_id=1)["software"]
    assert [row["name"] for row in read] == [1, 1]
    bench.connection = {}
    bench.hide_member("DictionaryItemName", "LanguageDictId")
    (item,) = bench.run(CATALOGUE, dictionary_item_id=49)["dictionary_items"]
    assert item["name"] == "Tier 2 (language 1)"  # nothing tells languages apart: the first
    bench.hide_member("DictionaryItemName", "ItemName")
    (item,) = bench.run(CATALOGUE, dictionary_item_id=49)["dictionary_items"]
    assert "name" not in item


def test_names_that_are_null_are_none(bench: Bench) -> None:
    api = catalogue_readers.NamesPerLanguage
    names = api(_api(bench), "DictionaryItem", None)
    assert names.of({"dictionary_item_names": []}) == {}
    assert names.of({"dictionary_item_names": None}) == {}
    assert names.of({"dictionary_item_names": [None, {"item_name": "x", "language_dict_id": 9}]}) == {"name": "x"}


def _api(bench: Bench) -> t.Any:
    from ansible_collections.fcd.cloud.plugins.module_utils._contract import connection

    return connection.common_fcd(bench.task())


def test_categories_of_templates(bench: Bench) -> None:
    (top,) = bench.run(TEMPLATES)["categories"]
    assert bench.sent == ["GetTemplateCategories"]
    assert (top["id"], top["name"], top["description"]) == (1, "All templates", "About All templates")
    assert not [key for key in top if "children" in key and key != "children"]  # the tree is there once
    assert [(child["id"], child["name"], child["children"]) for child in top["children"]] == [
        (2, "Systems", []),
        (3, "Applications", []),
    ]
    (one,) = bench.run(TEMPLATES, category_id=3)["categories"]
    assert (bench.sent, one["name"]) == (["GetTemplateCategoryById"], "Applications")
    assert bench.run(TEMPLATES, category_id=9)["categories"] == []
    read = bench.run(TEMPLATES, subject="simple_categories")["categories"]
    assert [(row["id"], row["name"], row["parent_id"]) for row in read] == [(1, "All templates", None)]
    read = bench.run(TEMPLATES, parent_template_category_id=1)["categories"]
    assert bench.sent == ["GetTemplateCategoriesSimpleView"]
    assert [(row["id"], row["parent_id"]) for row in read] == [(2, 1), (3, 1)]
    bench.hide_member("TemplateCategory", "CategoryChildren")
    assert "children" not in bench.run(TEMPLATES)["categories"][0]


def test_templates_of_a_type_and_of_a_category(bench: Bench) -> None:
    read = bench.run(TEMPLATES, type_dict_id=173)["templates"]
    assert [(row["id"], row["name"], bench.sent) for row in read] == [(2003, "Web shop", ["GetTemplatesSimple"])]
    read = bench.run(TEMPLATES, subject="templates_of_category", category_id=3, client_id=100, inputs={"Type": 324})[
        "templates"
    ]
    assert bench.sent == ["GetTemplatesByCategory"]
    assert [(row["id"], row["name"]) for row in read] == [(2002, "Debian 9 with database")]
    for inputs, words in (
        ({"colour": 1}, "GetTemplatesByCategory.colour: there is no such member"),
        ({"CategoryId": 2}, r"inputs\.CategoryId: the option of this name"),
    ):
        with pytest.raises(errors.InvalidInput, match=words):
            bench.run(TEMPLATES, subject="templates_of_category", category_id=3, inputs=inputs)
        assert bench.sent == []


def test_descriptions_of_templates(bench: Bench) -> None:
    text = "<p>Debian 9 &amp; its documentation</p>"
    assert bench.run(TEMPLATES, template_id=765, client_id=100) == {"changed": False, "description": text}
    assert bench.sent == ["GetFullTemplateDescription"]
    assert bench.run(TEMPLATES, virtual_machine_id=3001, client_id=100)["description"] == text
    assert bench.sent == ["GetFullTemplateDescriptionByVirtualMachineId"]
    assert bench.run(TEMPLATES, template_id=9)["description"] is None
