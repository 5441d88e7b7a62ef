# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The six warehouse operations, and the traps around finding a warehouse that was just created."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from sandbox.soap.in_process import Answer, InProcess
from sandbox.soap.service import SoapService


def create(client: InProcess, name: str, store: str = "ds-1", template: int = 765, partner: int = 7) -> Answer:
    return client.call(
        "CreateWarehouse",
        f"<warehouseName>{name}</warehouseName><queueCapacity>4</queueCapacity><dataStoreNumber>{store}"
        f"</dataStoreNumber><templateId>{template}</templateId><partnerId>{partner}</partnerId>",
    )


def exists(client: InProcess, partner: int = 7, template: int = 765, store: str = "ds-1") -> bool:
    answer = client.call(
        "WarehouseExists",
        f"<partnerId>{partner}</partnerId><templateId>{template}</templateId>"
        f"<dataStoreNumber>{store}</dataStoreNumber>",
    )
    return answer.text("WarehouseExistsResult") == "true"


def search(client: InProcess, params: str = "") -> list[str]:
    """The names that GetWarehouses finds, in its order."""
    return client.call("GetWarehouses", f"<searchParams>{params}</searchParams>").texts("WarehouseName")


def test_the_life_of_a_warehouse(client: InProcess, service: SoapService) -> None:
    created = create(client, "north")
    assert created.result is None
    (row,) = service.snapshot()["warehouses"]
    assert row.pop("CreationDate").endswith("Z")
    assert row == {
        "DataStoreNumber": "ds-1",
        "PartnerId": 7,
        "QueueLength": 4,
        "TemplateId": 765,
        "WarehouseId": 1001,
        "WarehouseName": "north",
    }
    read = client.call("GetWarehouse", "<warehouseId>1001</warehouseId>")
    assert [read.text(name) for name in row] == [str(value) for value in row.values()]
    update = "<warehouseId>1001</warehouseId><warehouseName>south</warehouseName><queueLength>9</queueLength>"
    assert client.call("UpdateWarehouse", update).status == 200
    (changed,) = service.snapshot()["warehouses"]
    assert (changed["WarehouseName"], changed["QueueLength"], changed["PartnerId"]) == ("south", 9, 7)
    assert client.call("DeleteWarehouse", "<warehouseId>1001</warehouseId>").status == 200
    assert service.snapshot()["warehouses"] == []
    assert client.call("DeleteWarehouse", "<warehouseId>1001</warehouseId>").text("ErrorCode") == "1001"


def test_what_an_update_leaves_out_is_emptied(client: InProcess, service: SoapService) -> None:
    create(client, "north")
    client.call("UpdateWarehouse", "<warehouseId>1001</warehouseId>")
    (row,) = service.snapshot()["warehouses"]
    assert (row["WarehouseName"], row["QueueLength"]) == (None, 0)


def test_the_key_is_partner_template_and_store(client: InProcess) -> None:
    create(client, "north")
    assert exists(client)
    assert not exists(client, partner=8)
    assert not exists(client, template=2002)
    assert not exists(client, store="DS-1")


def test_duplicates(client: InProcess, service: SoapService) -> None:
    assert [create(client, "one").status, create(client, "two").status] == [200, 200]
    assert [row["WarehouseId"] for row in service.snapshot()["warehouses"]] == [1001, 1002]
    service.settings["refuse_duplicates"] = True
    assert create(client, "three").text("ErrorCode") == "1002"
    assert create(client, "three", store="ds-2").status == 200
    assert len(service.snapshot()["warehouses"]) == 3


def test_search(client: InProcess) -> None:
    for number in range(1, 6):
        create(client, f"House {number}", store=f"ds-{number}", partner=number % 2)
    assert search(client) == ["House 5", "House 4", "House 3", "House 2", "House 1"]
    ascending = "<m:SortingDirection>Ascending</m:SortingDirection>"
    assert search(client, f"<m:PageSize>2</m:PageSize>{ascending}") == ["House 1", "House 2"]
    third = f"<m:PageNumber>3</m:PageNumber><m:PageSize>2</m:PageSize>{ascending}"
    assert search(client, third) == ["House 5"]
    assert search(client, third.replace("3", "4")) == []
    assert search(client, "<m:SearchText>OUSE 3</m:SearchText>") == ["House 3"]
    assert search(client, "<m:DataStoreNumber>ds-4</m:DataStoreNumber>") == ["House 4"]
    assert search(client, "<m:PartnerId>1</m:PartnerId>") == ["House 5", "House 3", "House 1"]
    assert search(client, "<m:PartnerId>1</m:PartnerId><m:TemplateId>1</m:TemplateId>") == []


def test_pages(client: InProcess, service: SoapService) -> None:
    for number in range(25):
        create(client, f"House {number:02}")
    answer = client.call("GetWarehouses")
    assert (len(answer.texts("WarehouseItem")), answer.text("_totalCount")) == (20, "25")
    service.settings.update(default_page_size=3, maximum_page_size=5, first_page=0)
    assert search(client) == ["House 24", "House 23", "House 22"]
    assert len(search(client, "<m:PageSize>100</m:PageSize>")) == 5
    assert search(client, "<m:PageNumber>1</m:PageNumber>") == ["House 21", "House 20", "House 19"]


def test_nothing_found_is_null(client: InProcess) -> None:
    answer = client.call("GetWarehouses")
    assert answer.root.find(".//{*}_results").get("{http://www.w3.org/2001/XMLSchema-instance}nil") == "true"


def test_a_new_warehouse_may_stay_hidden(
    client: InProcess, service: SoapService, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [1000.0]
    monkeypatch.setattr("sandbox.soap.state.time", SimpleNamespace(time=lambda: clock[0]))
    service.settings["visibility_delay"] = 2
    create(client, "north")
    assert (exists(client), search(client)) == (False, [])
    clock[0] += 2
    assert (exists(client), search(client)) == (True, ["north"])


@pytest.mark.parametrize(("setting", "status"), [("nil", 200), ("fault", 500)])
def test_reading_what_is_not_there(client: InProcess, service: SoapService, setting: str, status: int) -> None:
    service.settings["missing_reads"] = setting
    answer = client.call("GetWarehouse", "<warehouseId>5</warehouseId>")
    assert answer.status == status
    assert answer.texts("ErrorCode") == ([] if status == 200 else ["1001"])


def test_changes_may_be_accepted_and_never_happen(client: InProcess, service: SoapService) -> None:
    create(client, "north")
    service.settings["accept_only"] = True
    assert create(client, "south").status == 200
    assert client.call("DeleteWarehouse", "<warehouseId>1001</warehouseId>").status == 200
    assert search(client) == ["north"]


def test_reset_goes_back_to_the_seed(client: InProcess, service: SoapService) -> None:
    seed = service.snapshot()
    create(client, "north")
    client.call("GetUser", "<userId>x</userId>")
    service.reset()
    assert service.snapshot() == seed
    assert service.violations == []
    create(client, "north")
    assert [row["WarehouseId"] for row in service.snapshot()["warehouses"]] == [1001]


def test_a_snapshot_is_a_copy(client: InProcess, service: SoapService) -> None:
    create(client, "north")
    rows: list[dict[str, Any]] = service.snapshot()["warehouses"]
    rows[0]["WarehouseName"] = "changed"
    assert search(client) == ["north"]
