# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A warehouse from its create to its end, and everything that may be wrong with what is asked for."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors

from .conftest import KEY, NEW, WarehouseBench

SHOWN = {**NEW, "id": 1001}


def test_a_create_returns_what_was_made_and_a_second_run_changes_nothing(bench: WarehouseBench) -> None:
    made = bench(**NEW)
    looked = ["GetWarehouses", "WarehouseExists"]
    assert bench.sent == [*looked, *looked, "GetWarehouses", "CreateWarehouse", "GetWarehouses"]
    assert {name: made["warehouse"][name] for name in SHOWN} == SHOWN
    assert made["warehouse"]["members"]["warehouse_name"] == "spare"
    assert (made["changed"], made["action"], made["diff"]) == (True, "create", {"before": {}, "after": SHOWN})
    again = bench(**NEW)
    assert (again["changed"], again["action"], again["warehouse"]) == (False, "none", made["warehouse"])
    assert again["diff"] == {"before": SHOWN, "after": SHOWN}
    assert bench.sent == ["GetWarehouses"]
    assert bench.notes() == []


def test_check_mode_foresees_every_change_and_writes_nothing(bench: WarehouseBench) -> None:
    foreseen = bench(check_mode=True, **NEW)
    assert bench.writes == []
    assert foreseen["warehouse"] == {**NEW, "id": None}
    assert foreseen["diff"] == {"before": {}, "after": {**NEW, "id": "(known after apply)"}}
    bench(**NEW)
    for change in ({"queue_length": 9}, {"name": "other", "state": "present"}, {"state": "absent"}):
        foreseen = bench(check_mode=True, **{**KEY, **change})
        assert bench.writes == []
        done = bench(**{**KEY, **change})
        assert len(bench.writes) == 1
        assert {name: foreseen[name] for name in ("changed", "action", "diff")} == {
            name: done[name] for name in ("changed", "action", "diff")
        }
        assert done["changed"]
        assert not bench(**{**KEY, **change})["changed"]


def test_name_and_queue_length_are_changed_in_place_and_sent_together(bench: WarehouseBench) -> None:
    bench(**NEW)
    done = bench(**KEY, queue_length=8)
    assert bench.sent == ["GetWarehouses", "GetWarehouses", "GetWarehouse", "UpdateWarehouse", "GetWarehouse"]
    assert done["diff"] == {"before": SHOWN, "after": {**SHOWN, "queue_length": 8}}
    done = bench(id=1001, name="main")
    assert bench.sent == ["GetWarehouse", "GetWarehouse", "UpdateWarehouse", "GetWarehouse"]
    (row,) = bench.stored
    assert (row["WarehouseName"], row["QueueLength"]) == ("main", 8)
    assert (done["warehouse"]["name"], done["warehouse"]["members"]["queue_length"]) == ("main", 8)


def test_absent_by_key_and_by_number(bench: WarehouseBench) -> None:
    bench(**NEW)
    gone = bench(**KEY, state="absent")
    assert (gone["changed"], gone["action"], gone["warehouse"], bench.stored) == (True, "delete", None, [])
    assert gone["diff"] == {"before": SHOWN, "after": {}}
    assert not bench(**KEY, state="absent")["changed"]
    assert bench.sent == ["GetWarehouses", "WarehouseExists", "GetWarehouse", "GetWarehouses"]
    bench(**NEW)
    assert bench(id=1002, state="absent")["changed"]
    assert not bench(id=1002, state="absent")["changed"]
    assert bench.sent == ["GetWarehouse", "GetWarehouses"]


@pytest.mark.parametrize("wrong", [{"name": "other"}, {"data_store_number": "DS-02"}])
def test_an_id_beside_the_name_of_another_one_removes_nothing(bench: WarehouseBench, wrong: dict[str, t.Any]) -> None:
    bench(**NEW)
    (option,) = wrong
    for check_mode in (True, False):
        with pytest.raises(errors.InvalidInput, match=f"warehouse 1001 has the {option} {NEW[option]!r}, not"):
            bench(check_mode=check_mode, id=1001, **wrong, state="absent")
        with pytest.raises(errors.InvalidInput, match=r"there is no warehouse 77, but .* stands for 1001"):
            bench(check_mode=check_mode, id=77, **KEY, state="absent")
        assert bench.writes == []
    assert bench(id=1001, **NEW, state="absent")["changed"]
    assert not bench(id=1001, **NEW, state="absent")["changed"]


@pytest.mark.parametrize("missing_reads", ["nil", "fault"])
def test_a_number_that_does_not_exist(bench: WarehouseBench, missing_reads: str) -> None:
    bench.service.settings["missing_reads"] = missing_reads
    assert not bench(id=77, state="absent")["changed"]
    with pytest.raises(errors.InvalidInput, match="no warehouse with the ID 77"):
        bench(id=77, name="x")
    assert bench.writes == []


def test_what_cannot_be_changed_is_named(bench: WarehouseBench) -> None:
    bench(**NEW)
    for check_mode in (True, False):
        with pytest.raises(errors.ImmutableChange, match="template_id is 304, wanted 341") as caught:
            bench(check_mode=check_mode, id=1001, template_id=341, data_store_number="DS-02", name="n")
        assert caught.value.details["fields"] == ["template_id", "data_store_number"]
    assert bench.writes == []
    assert not bench(id=1001, **NEW)["changed"]


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({}, "missing: partner_id, template_id, data_store_number"),
        ({"template_id": 3, "name": "x"}, "missing: partner_id, data_store_number"),
        ({**KEY, "data_store_number": None, "state": "absent"}, "missing: data_store_number"),
        (KEY, "A new warehouse also requires name, queue_length"),
        ({**KEY, "name": "x"}, "A new warehouse also requires queue_length"),
        ({**NEW, "queue_length": 1 << 40}, "queueCapacity"),
        ({**NEW, "queue_length": -1}, "queue_length: -1; it must be at least 0"),
        ({**NEW, "partner_id": 1 << 40}, "PartnerId"),
    ],
)
def test_bad_input_is_told_in_one_line_before_anything_is_written(
    bench: WarehouseBench, params: dict[str, t.Any], words: str
) -> None:
    with pytest.raises(errors.InvalidInput, match=words) as caught:
        bench(**params)
    assert "\n" not in str(caught.value)
    assert bench.writes == []
    assert bench.notes() == []


def test_what_is_missing_is_told_in_check_mode_too(bench: WarehouseBench) -> None:
    with pytest.raises(errors.InvalidInput, match="name, queue_length"):
        bench(check_mode=True, **KEY)


def test_two_that_fit_are_named(bench: WarehouseBench) -> None:
    bench(**NEW)
    bench.state.warehouses[1002] = {**bench.stored[0], "WarehouseId": 1002}
    for state in ("present", "absent"):
        with pytest.raises(errors.Ambiguous, match="1001, 1002") as caught:
            bench(**NEW, state=state)
        assert caught.value.details["ids"] == [1001, 1002]
    assert bench(id=1002, state="absent")["changed"]
    assert not bench(**NEW)["changed"]


def test_rows_are_compared_exactly_whatever_the_search_answers(bench: WarehouseBench) -> None:
    for index, other in enumerate(({"partner_id": 13}, {"template_id": 341}, {"data_store_number": "DS-011"})):
        bench(**{**NEW, **other})
        assert len(bench.stored) == index + 1
    for member in ("PartnerId", "TemplateId", "DataStoreNumber"):
        bench.hide_member("WarehouseSearchParams", member)
    assert bench(**NEW)["warehouse"]["id"] == 1004
    assert not bench(**NEW)["changed"]
    assert "PartnerId" not in bench.bodies[0]


def test_a_search_with_many_pages(bench: WarehouseBench) -> None:
    bench(**NEW)
    row = bench.stored[0]
    for number in range(1100, 1350):
        bench.state.warehouses[number] = {**row, "WarehouseId": number, "DataStoreNumber": f"DS-{number}"}
    for member in ("PartnerId", "TemplateId", "DataStoreNumber"):
        bench.hide_member("WarehouseSearchParams", member)
    assert not bench(**NEW)["changed"]
    assert len(bench.sent) > 2  # 251 rows, the one that is wanted last
