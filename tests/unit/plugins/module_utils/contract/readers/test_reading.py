# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which subject is meant, what is sent for it, what comes back: told on the reader of news and on invented ones."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Operation
from ansible_collections.fcd.cloud.plugins.module_utils._contract import catalogue_readers, readers
from ansible_collections.fcd.cloud.plugins.module_utils._contract.subjects import Subject, subject_reader
from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.tests.unit.plugins.module_utils.soap.bench import Bench

NEWS = catalogue_readers.NEWS_INFO

MEANT: dict[str, dict[str, dict[str, t.Any]]] = {
    "nothing": {"all": {}},
    "the number": {"one": {"news_id": 601}},
    "a search": {"all": {"search_text": "x", "limit": 2}},
    "an option of one": {"all": {"language_dict_id": 2}},
}


def test_the_options_say_which_subject_is_meant(bench: Bench, subtests: pytest.Subtests) -> None:
    for case in MEANT.values():
        with subtests.test(str(case)):
            ((subject, options),) = case.items()
            bench.run(NEWS, **options)
            assert bench.sent == ["GetNews" if subject == "one" else "GetNewses"]


WRONG: dict[str, tuple[dict[str, t.Any], str]] = {
    "two subjects at once": (
        {"news_id": 601, "limit": 1},
        "No subject takes news_id, limit together. Set subject to one of: one, all.",
    ),
    "an option of another subject": (
        {"subject": "one", "news_id": 601, "search_text": "x"},
        "search_text does not apply to the subject one, which takes news_id. Omit it, or use the subject all.",
    ),
    "an option is missing": ({"subject": "one"}, "The subject one needs news_id."),
    "a search text that the filters have too": (
        {"search_text": "x", "filters": {"SEARCH_TEXT": "y"}},
        "filters.SEARCH_TEXT: it is already given as search_text.",
    ),
    "an option that the filters have too": (
        {"language_dict_id": 2, "filters": {"LanguageDictId": 1}},
        "filters.LanguageDictId: it is already given as language_dict_id.",
    ),
    "no row": ({"limit": 0}, "limit: 0; it must be at least 1."),
    "an unknown filter": (
        {"filters": {"colour": "red"}},
        "GetNewses.searchParams.colour: there is no such member.",
    ),
    "a filter of a wrong type": ({"filters": {"language_dict_id": "x"}}, "GetNewses.searchParams.LanguageDictId: "),
}


def test_what_is_wrong_is_told_and_nothing_is_sent(bench: Bench, subtests: pytest.Subtests) -> None:
    for options, words in WRONG.values():
        with subtests.test(words):
            with pytest.raises(errors.InvalidInput) as caught:
                bench.run(NEWS, **options)
            assert str(caught.value).startswith(words)
            assert bench.sent == []


def test_rows_have_attributes_over_all_that_the_service_sends(bench: Bench) -> None:
    read = bench.run(NEWS, news_id=601)
    assert read == {
        "changed": False,
        "news": [
            {
                "id": 601,
                "news_id": 601,
                "title": "Maintenance window",
                "content": "Sunday night.",
                "creation_date": "2025-11-03T08:00:00Z",
            }
        ],
        "missing": [],
    }
    assert bench.run(NEWS, check_mode=True, news_id=601) == read


def test_an_attribute_without_a_member_is_left_out(bench: Bench) -> None:
    bench.hide_member("NewsResultItem", "Title")
    (row,) = bench.run(NEWS, news_id=601)["news"]
    assert sorted(row) == ["_unknown", "content", "creation_date", "id", "news_id"]
    bench.connection = {"soap_member_map": {"News.title": "Content"}}
    (row,) = bench.run(NEWS, news_id=601)["news"]
    assert row["title"] == "Sunday night."


def test_what_does_not_exist_is_an_empty_list_and_a_refusal_is_an_error(bench: Bench) -> None:
    assert bench.run(NEWS, news_id=999) == {"changed": False, "news": [], "missing": [999]}
    bench.service.settings["missing_reads"] = "fault"
    with pytest.raises(errors.Rejected, match="news item 999"):
        bench.run(NEWS, news_id=999)


SINGLE: list[tuple[Operation, dict[str, t.Any]]] = [
    (readers.CLIENT_INFO, {"client_id": 999}),
    (readers.INVOICE_INFO, {"invoice_id": 999}),
    (readers.TRANSFER_INFO, {"export_id": 999}),
    (readers.TRANSFER_INFO, {"import_id": 999, "client_id": 100}),
    (readers.CLIENT_USER_INFO, {"user_id": 999}),
    (readers.CLIENT_USER_INFO, {"sid": "S-1-5-21-999"}),
    (readers.WAREHOUSE_INFO, {"warehouse_id": 999}),
    (NEWS, {"news_id": 999}),
    (catalogue_readers.CATALOGUE_INFO, {"dictionary_item_id": 99999}),
    (catalogue_readers.CATALOGUE_INFO, {"revenue_id": 999}),
    (catalogue_readers.CATALOGUE_INFO, {"code_id": 999}),
    (catalogue_readers.TEMPLATE_INFO, {"category_id": 999}),
    (catalogue_readers.TEMPLATE_INFO, {"icon_id": 999}),
]


def test_a_reader_of_one_record_tells_that_its_id_does_not_exist(bench: Bench, subtests: pytest.Subtests) -> None:
    for reader, options in SINGLE:
        with subtests.test(reader.name):
            told = bench.run(reader, **options)
            assert told["missing"] == [next(iter(options.values()))]
            assert [value for name, value in told.items() if name not in ("changed", "missing")] == [[]]


def test_a_list_has_nothing_that_could_be_missing(bench: Bench) -> None:
    assert "missing" not in bench.run(NEWS)
    assert "missing" not in bench.run(readers.CLIENT_INFO, subject="history", client_id=999)


def test_search_text_filters_and_limit_reach_the_service(bench: Bench) -> None:
    read = bench.run(NEWS, search_text="n", filters={"SortingDirection": "ascending"}, limit=1, language_dict_id=2)
    assert [row["id"] for row in read["news"]] == [601]
    (body,) = bench.bodies
    for piece in (">n<", ">Ascending<", "LanguageDictId>2<", "PageSize>100<"):
        assert piece in body


def test_a_search_input_of_another_name_is_found_or_told(bench: Bench) -> None:
    bench.hide_member("SearchParams", "SearchText")
    with pytest.raises(errors.InvalidInput, match="NewsesSearchParams has no member that could be search_text"):
        bench.run(NEWS, search_text="n")
    bench.hide_member("NewsesSearchParams", "LanguageDictId")
    with pytest.raises(errors.InvalidInput, match="no member that could be language_dict_id: it has Page"):
        bench.run(NEWS, language_dict_id=2)


def test_a_search_of_thousands_is_paged(bench: Bench) -> None:
    for number in range(2000, 3250):
        bench.state.warehouses[number] = {
            "CreationDate": "2026-01-01T00:00:00Z",
            "DataStoreNumber": "DS",
            "PartnerId": 12,
            "QueueLength": 1,
            "TemplateId": 304,
            "WarehouseId": number,
            "WarehouseName": f"w{number}",
        }
    found = bench.run(readers.WAREHOUSE_INFO, partner_id=12)["warehouses"]
    assert {row["id"] for row in found} == set(range(2000, 3250))
    assert bench.sent == ["GetWarehouses"] * 14  # 13 pages; the first one is asked for with and without its number
    assert len(bench.run(readers.WAREHOUSE_INFO, partner_id=12, limit=150)["warehouses"]) == 150
    assert len(bench.sent) == 3


def test_a_reader_of_one_thing_asks_for_no_subject(bench: Bench) -> None:
    assert "subject" not in catalogue_readers.CLUSTER_INFO.options
    read = bench.run(catalogue_readers.CLUSTER_INFO, client_id=100, only_client_clusters=True)
    assert read["clusters"] == [
        {
            "id": 1,
            "name": "Subregion A",
            "is_active": True,
            "cluster_id": 1,
            "display_name": "Subregion A",
        }
    ]
    assert len(bench.run(catalogue_readers.CLUSTER_INFO)["clusters"]) == 3


def test_a_subject_that_has_to_be_said_is_never_guessed(bench: Bench) -> None:
    odd = subject_reader(
        "odd", {"a": Subject("GetServices", explicit=True), "b": Subject("GetTimeZones", explicit=True)}, {}
    )
    with pytest.raises(errors.InvalidInput) as caught:
        bench.run(odd)
    assert str(caught.value) == "No subject is given. Set subject to one of: a, b."
    assert len(bench.run(odd, subject="a")["a"]) == 3
    assert bench.sent == ["GetServices"]
