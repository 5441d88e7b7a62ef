# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Price lists, fixed amounts, invoices and payment flags."""

from __future__ import annotations

from sandbox.soap.in_process import InProcess
from sandbox.soap.service import SoapService

AMOUNT = "<m:Amount>{}</m:Amount><m:ClientFixedAmountId>{}</m:ClientFixedAmountId><m:ClientId>{}</m:ClientId>"


def fixed(client: InProcess, operation: str, amount: str, number: int = 0, owner: int = 100) -> int:
    members = AMOUNT.format(amount, number, owner)
    return client.call(operation, f"<clientFixedAmount>{members}</clientFixedAmount>").status


def test_price_lists(client: InProcess) -> None:
    found = client.call("GetPricelists")
    assert (found.texts("Name"), found.texts("ClientsCount")) == (["old", "partner", "standard"], ["0", "1", "2"])
    active = "<searchParams><m:OnlyActive>true</m:OnlyActive></searchParams>"
    assert client.call("GetPricelists", active).texts("Name") == ["partner", "standard"]
    owned = "<searchParams><m:ClientId>101</m:ClientId></searchParams>"
    assert client.call("GetPricelists", owned).texts("Name") == ["old"]
    assert client.call("GetPricelistsSimple", "<clientId>100</clientId>").texts("Name") == ["standard", "partner"]
    owner = "<ownerClientId>101</ownerClientId>"
    assert client.call("GetClientPricelistsSimple", owner).texts("PricelistId") == ["3"]
    assert client.call("GetClientPricelists", owner).texts("Price") == ["3.2500"] * 3
    assert client.call("GetClientCurrentPricelist", owner).texts("PricelistId") == ["1"]


def test_clients_change_their_price_list(client: InProcess, service: SoapService) -> None:
    change = "<clientsIds><n:int>100</n:int><n:int>101</n:int></clientsIds><newPricelistId>{}</newPricelistId>"
    assert client.call("ChangePricelist", change.format(2)).status == 200
    assert service.snapshot()["client_pricelists"] == {"100": 2, "101": 2, "102": 2}
    assert client.call("ChangePricelist", change.format(9)).text("ErrorCode") == "1001"
    assert client.call("ChangePricelist", change.replace("101", "55").format(1)).text("ErrorCode") == "1001"
    assert service.snapshot()["client_pricelists"]["100"] == 2
    view = "<searchParams><m:PricelistId>2</m:PricelistId></searchParams>"
    assert client.call("GetPricelistsClients", view).texts("ClientId") == ["102", "101", "100"]


def test_deletion(client: InProcess, service: SoapService) -> None:
    delete = "<pricelistsIds><n:int>{}</n:int></pricelistsIds><clientId>{}</clientId>"
    assert client.call("DeletePricelists", delete.format(1, 100)).text("ErrorCode") == "1002"
    assert client.call("DeletePricelists", delete.format(3, 100)).text("ErrorCode") == "1004"
    assert client.call("DeletePricelists", delete.format(3, 101)).status == 200
    assert [row["PricelistId"] for row in service.snapshot()["pricelists"]] == [1, 2]


def test_fixed_amounts(client: InProcess, service: SoapService) -> None:
    assert fixed(client, "CreateClientFixedAmount", "10.10") == 200
    assert fixed(client, "UpdateClientFixedAmount", "20.20", number=1001) == 200
    assert fixed(client, "UpdateClientFixedAmount", "1", number=7) == 500
    assert fixed(client, "CreateClientFixedAmount", "1", owner=55) == 500
    assert client.call("GetClientFixedAmount", "<clientId>100</clientId>").text("Amount") == "20.20"
    assert client.call("GetClientFixedAmount", "<clientId>101</clientId>").result is None
    history = client.call("GetClientFixedAmountHistory", "<clientId>100</clientId>")
    assert history.texts("Amount") == ["10.10", "20.20"]
    delete = "<clientFixedAmountId>1001</clientFixedAmountId>"
    assert client.call("DeleteClientFixedAmount", delete).status == 200
    assert service.snapshot()["fixed_amounts"] == []
    assert client.call("DeleteClientFixedAmount", delete).text("ErrorCode") == "1001"
    assert client.call("CreateClientFixedAmount").text("ErrorCode") == "1004"


def test_invoice(client: InProcess) -> None:
    invoice = client.call("GetInvoice", "<invoiceId>1301</invoiceId>")
    assert invoice.texts("GrossValue") == ["1230.00", "1230.00"]
    assert client.call("GetInvoice", "<invoiceId>1</invoiceId>").result is None


def test_flags_of_clients(client: InProcess, service: SoapService) -> None:
    ask = "<clientId>{}</clientId>"
    card = "HasActiveAutomaticCardBalancePayment"
    assert [client.call(card, ask.format(number)).result.text for number in (100, 101)] == ["false", "true"]
    free = "HasActiveFreemium"
    assert [client.call(free, ask.format(number)).result.text for number in (55, 102)] == ["false", "true"]
    assert client.call("GetClientsCurrencyCode", ask.format(100)).result.text == "PLN"
    client.call("AcceptRegulations", ask.format(100))
    assert service.snapshot()["accepted_regulations"] == [100]
    client.call("UpdateCpHistory", "<cpHistoryId>1</cpHistoryId><description>x</description>")
    assert service.snapshot()["cp_history"] == {"1": "x"}
    assert client.call("UpdateCpHistory", "<cpHistoryId>9</cpHistoryId>").text("ErrorCode") == "1004"
