# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Dictionaries, revenues, software, news, templates, and the records of virtual machines."""

from __future__ import annotations

import pytest
from sandbox.soap.constants import DICTIONARIES
from sandbox.soap.in_process import InProcess
from sandbox.soap.schema import contract

NIL = "{http://www.w3.org/2001/XMLSchema-instance}nil"


def test_dictionaries_travel_by_name(client: InProcess) -> None:
    answer = client.call("GetDictionaryItems", "<dictionary>VirtualMachineClass</dictionary>")
    assert answer.texts("DictionaryItemId") == [str(number) for number in DICTIONARIES[12]]
    assert set(answer.texts("DictionaryId")) == {"12"}


def test_every_named_dictionary_has_items() -> None:
    assert set(contract().local("Consts.DAL.Dictionary").numbers.values()) == set(DICTIONARIES)


def test_an_item_has_a_name_in_each_language(client: InProcess) -> None:
    item = client.call("GetDictionaryItemById", "<dictionaryItemId>48</dictionaryItemId>")
    assert item.texts("ItemName") == ["Tier 1 (language 1)", "Tier 1"]
    assert item.texts("LanguageDictId") == ["1", "2"]
    assert client.call("GetDictionaryItemById").result is None


def test_items_of_several_dictionaries(client: InProcess) -> None:
    ids = "<ids><n:int>17</n:int><n:int>999</n:int><n:int>159</n:int></ids>"
    assert client.call("GetDictionariesItems", ids).texts("DictionaryItemId") == [
        "48", "49", "50", "895", "896", "1398", "1399",
    ]  # fmt: skip


def test_items_by_prefix(client: InProcess) -> None:
    ask = "<dictionaryId>17</dictionaryId><namePrefix>TIER 5</namePrefix>"
    assert client.call("GetDictionaryItemsByNamePrefix", ask).texts("DictionaryItemId") == ["896"]
    assert client.call("GetRevenues", "<namePrefix>south</namePrefix>").text("RevenueId") == "502"
    assert len(client.call("GetRevenues").texts("Revenue")) == 2


def test_simple_items(client: InProcess) -> None:
    ask = "<dictionaryId>27</dictionaryId>"
    assert client.call("GetSimpleDictionaryItems", ask).texts("DictionaryItemId") == ["86", "87", "1748"]
    assert client.call("GetSimpleDictionaryItemsWithNotActive", ask).texts("ItemName")[2] == "Deleted"
    assert len(client.call("GetDictionaryItemsWithNames", ask).texts("LanguageDictId")) == 6


def test_an_empty_array_is_null(client: InProcess) -> None:
    answer = client.call("GetSimpleDictionaryItems", "<dictionaryId>999</dictionaryId>")
    assert answer.root.find(".//{*}GetSimpleDictionaryItemsResult").get(NIL) == "true"


def test_software(client: InProcess) -> None:
    assert client.call("GetApplications").texts("SoftwareId") == ["302", "303"]
    assert len(client.call("GetApplicationsAndOperatingSystems").texts("SoftwareId")) == 3


def test_news(client: InProcess) -> None:
    text = "<searchParams><m:SearchText>disk</m:SearchText></searchParams>"
    assert client.call("GetNewses", text).texts("NewsId") == ["602"]
    assert client.call("GetNews", "<newsId>601</newsId>").text("Content") == "Sunday night."


@pytest.mark.parametrize(("kind", "found"), [(0, ["765", "2002", "2003"]), (324, ["2002"]), (1, [])])
def test_templates_by_type(client: InProcess, kind: int, found: list[str]) -> None:
    assert client.call("GetTemplatesSimple", f"<typeDictId>{kind}</typeDictId>").texts("TemplateId") == found


def test_templates_by_category(client: InProcess) -> None:
    ask = '<categoryId>3</categoryId><categorySystemId i:nil="true"/>{}'
    both = client.call("GetTemplatesByCategory", ask.format('<type i:nil="true"/>'))
    assert both.texts("TemplateId") == ["2002", "2003"]
    assert client.call("GetTemplatesByCategory", ask.format("<type>173</type>")).texts("TemplateId") == ["2003"]


def test_categories_are_a_tree(client: InProcess) -> None:
    (root,) = client.call("GetTemplateCategories").result
    children = root.findall("{*}CategoryChildren/{*}TemplateCategory/{*}TemplateCategoryId")
    assert [child.text for child in children] == ["2", "3"]
    assert client.call("GetTemplateCategoriesSimpleView").texts("TemplateCategoryId") == ["1"]
    below = "<parentTemplateCategoryId>1</parentTemplateCategoryId>"
    assert client.call("GetTemplateCategoriesSimpleView", below).texts("CategoryName") == ["Systems", "Applications"]
    assert client.call("GetTemplateCategoryById", "<categoryId>2</categoryId>").text("CategoryName") == "Systems"


def test_descriptions(client: InProcess) -> None:
    template = client.call("GetFullTemplateDescription", "<templateId>765</templateId>").result.text
    machine = "<virtualMachineId>3001</virtualMachineId>"
    assert client.call("GetFullTemplateDescriptionByVirtualMachineId", machine).result.text == template
    assert client.call("GetFullTemplateDescription").result is None


def test_records_of_virtual_machines(client: InProcess) -> None:
    ask = "<importId>1201</importId><clientId>{}</clientId>"
    assert client.call("GetVirtualMachineImport", ask.format(100)).text("FileName") == "machine.ova"
    assert client.call("GetVirtualMachineImport", ask.format(101)).result is None
    disks = "<virtualMachineImport><m:ImportId>1201</m:ImportId></virtualMachineImport>"
    assert client.call("GetVirtualMachineImportHdds", disks).texts("CapacityGB") == ["40", "200"]
    export = client.call("GetVirtualMachineExport", "<virtualMachineExportId>1101</virtualMachineExportId>")
    assert export.text("SizeBytes") == "12884901888"


def test_clusters(client: InProcess) -> None:
    assert client.call("GetClusters").texts("ClusterId") == ["1", "2", "3"]
    own = "<onlyClientClusters>true</onlyClientClusters>"
    assert client.call("GetClusters", own).texts("DisplayName") == ["Subregion A"]
