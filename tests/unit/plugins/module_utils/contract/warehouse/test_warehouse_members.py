# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Members that the WSDL does not have, or calls otherwise."""

from __future__ import annotations

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors

from .conftest import KEY, NEW, WarehouseBench


@pytest.mark.parametrize("member", ["WarehouseId", "PartnerId", "TemplateId", "DataStoreNumber"])
def test_without_a_member_of_the_key_nothing_is_done(bench: WarehouseBench, member: str) -> None:
    bench.hide_member("WarehouseItem", member)
    with pytest.raises(errors.InvalidInput, match=r"WarehouseItem has no member .* soap_member_map"):
        bench(**NEW)
    assert bench.sent == []


def test_a_member_is_named_by_hand(bench: WarehouseBench) -> None:
    bench.hide_member("WarehouseItem", "QueueLength")
    bench.connection["soap_member_map"] = {"WarehouseItem.name": "DataStoreNumber"}
    with pytest.raises(errors.OperationFailed, match="creation of warehouse 'DS-01'"):
        bench(**NEW)
    assert bench(**KEY)["warehouse"]["name"] == "DS-01"
    bench.connection["soap_member_map"] = {"WarehouseItem.name": "Nonsense"}
    with pytest.raises(errors.InvalidInput, match="no member 'Nonsense'"):
        bench(**NEW)


def test_what_cannot_be_read_back_is_sent_each_time_and_a_warning_says_so(bench: WarehouseBench) -> None:
    bench.hide_member("WarehouseItem", "QueueLength")
    assert bench(**NEW)["changed"]
    again = bench(**{**NEW, "queue_length": 99})
    assert (again["changed"], again["warehouse"]["queue_length"]) == (True, None)
    assert bench.stored[0]["QueueLength"] == 99
    (warning,) = bench.warnings
    assert "queue_length" in warning
    assert '{"WarehouseItem.queue_length": ...}' in warning
    bench(**KEY, state="absent", queue_length=5)
    assert bench.warnings == []


@pytest.mark.parametrize("check_mode", [True, False])
def test_an_update_that_lacks_what_must_be_sent_along_is_refused_before(
    bench: WarehouseBench, check_mode: bool
) -> None:
    bench.hide_member("WarehouseItem", "QueueLength")
    bench(**NEW)
    with pytest.raises(errors.InvalidInput, match="does not report what they are now: queue_length") as caught:
        bench(check_mode=check_mode, **KEY, name="other")
    assert "WarehouseItem.queue_length" in str(caught.value)
    assert bench.writes == []
    assert bench(**KEY, name="other", queue_length=7)["changed"]
    assert bench.stored[0]["QueueLength"] == 7


def test_a_rivals_warehouse_with_unreadable_members_is_taken_over(bench: WarehouseBench) -> None:
    bench.hide_member("WarehouseItem", "QueueLength")
    bench(**NEW)
    rows = dict(bench.state.warehouses)
    bench.state.warehouses.clear()
    bench.after("GetWarehouses", lambda: bench.state.warehouses.update(rows))
    result = bench(**NEW)
    assert (result["changed"], result["warehouse"]["id"], bench.writes) == (True, 1001, ["UpdateWarehouse"])
