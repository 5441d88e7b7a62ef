# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Price lists, fixed amounts, invoices and the payment flags of clients.

Assumptions: a client has one current price list; a list that a client uses cannot be deleted; a client has at most
one fixed amount in force, and each change of it leaves a line in its history.
"""

from __future__ import annotations

from typing import Any

from sandbox.soap import views
from sandbox.soap.constants import DICTIONARIES, INVOICES, dictionary_item
from sandbox.soap.faults import INVALID, TAKEN, business
from sandbox.soap.search import agrees, has_text, page, parameters, read, write
from sandbox.soap.state import Inputs, Row, State, now


def GetInvoice(state: State, given: Inputs) -> Row | None:
    row = read(state, "invoice", INVOICES, given["invoiceId"])
    if row is None:
        return None
    members = {name: value for name, value in row.items() if name != "currency"}
    return {**members, "Currency": dictionary_item(row["currency"])}


def GetClientsCurrencyCode(state: State, given: Inputs) -> str | None:
    row = read(state, "client", state.clients, given["clientId"])
    return None if row is None else DICTIONARIES[904][row["CurrencyId"]]


def GetPricelists(state: State, given: Inputs) -> dict[str, Any]:
    params = parameters(given)
    rows = (row for row in state.pricelists.values() if _matches(params, row))
    return page(state, params, ({**_simple(row), "ClientsCount": len(_clients(state, row))} for row in rows))


def GetPricelistsSimple(state: State, given: Inputs) -> list[Row]:
    return [_simple(row) for row in _owned(state, given["clientId"])]


def GetClientPricelistsSimple(state: State, given: Inputs) -> list[Row]:
    return [_simple(row) for row in _owned(state, given["ownerClientId"])]


def GetClientPricelists(state: State, given: Inputs) -> list[Row]:
    return [_full(row) for row in _owned(state, given["ownerClientId"])]


def GetClientCurrentPricelist(state: State, given: Inputs) -> Row | None:
    number = state.client_pricelists.get(given["ownerClientId"], 0)
    row = read(state, "price list", state.pricelists, number)
    return None if row is None else _full(row)


def GetPricelistsClients(state: State, given: Inputs) -> dict[str, Any]:
    params = parameters(given)
    rows = (_client_view(state, client, number) for client, number in sorted(state.client_pricelists.items()))
    found = (row for row in rows if agrees(params, row, "PricelistId") and has_text(params, row["ClientName"]))
    return page(state, params, found)


def ChangePricelist(state: State, given: Inputs) -> None:
    write("price list", state.pricelists, given["newPricelistId"])
    clients = given["clientsIds"] or []
    for number in clients:
        write("client", state.clients, number)
    state.client_pricelists.update(dict.fromkeys(clients, given["newPricelistId"]))


def DeletePricelists(state: State, given: Inputs) -> None:
    numbers = set(given["pricelistsIds"] or [])
    for number in numbers:
        row = write("price list", state.pricelists, number)
        if row["OwnerClientId"] != given["clientId"]:
            raise business(INVALID, f"price list {number} belongs to another client")
        if _clients(state, row):
            raise business(TAKEN, f"price list {number} is in use")
    for number in numbers:
        del state.pricelists[number]


def GetClientFixedAmount(state: State, given: Inputs) -> Row | None:
    rows = [row for row in state.fixed_amounts.values() if row["ClientId"] == given["clientId"]]
    return rows[-1] if rows else None


def CreateClientFixedAmount(state: State, given: Inputs) -> None:
    amount = _amount(given)
    write("client", state.clients, amount["ClientId"])
    number = state.number("fixed amount")
    _keep(state, {**amount, "ClientFixedAmountId": number, "CreationDate": now()})


def UpdateClientFixedAmount(state: State, given: Inputs) -> None:
    amount = _amount(given)
    known = write("fixed amount", state.fixed_amounts, amount["ClientFixedAmountId"])
    _keep(state, {**amount, "CreationDate": known["CreationDate"]})


def DeleteClientFixedAmount(state: State, given: Inputs) -> None:
    write("fixed amount", state.fixed_amounts, given["clientFixedAmountId"])
    del state.fixed_amounts[given["clientFixedAmountId"]]


def GetClientFixedAmountHistory(state: State, given: Inputs) -> list[Row]:
    return [row for row in state.fixed_amount_history if row["ClientId"] == given["clientId"]]


def UpdateCpHistory(state: State, given: Inputs) -> None:
    if given["cpHistoryId"] not in state.cp_history:
        raise business(INVALID, f"history entry {given['cpHistoryId']} does not exist")
    state.cp_history[given["cpHistoryId"]] = given["description"]


def HasActiveAutomaticCardBalancePayment(state: State, given: Inputs) -> bool:
    return bool(state.clients.get(given["clientId"], {}).get("HasCardPayment"))


def HasActiveFreemium(state: State, given: Inputs) -> bool:
    return bool(state.clients.get(given["clientId"], {}).get("HasFreemium"))


def AcceptRegulations(state: State, given: Inputs) -> None:
    write("client", state.clients, given["clientId"])
    state.accepted_regulations.append(given["clientId"])


def _matches(params: Inputs, row: Row) -> bool:
    if params.get("ClientId") not in {None, 0, row["OwnerClientId"]}:
        return False
    return has_text(params, row["Name"]) and (row["IsActive"] or not params.get("OnlyActive"))


def _owned(state: State, client: int) -> list[Row]:
    return [row for row in state.pricelists.values() if row["OwnerClientId"] == client]


def _clients(state: State, row: Row) -> list[int]:
    return [client for client, number in state.client_pricelists.items() if number == row["PricelistId"]]


def _simple(row: Row) -> Row:
    return {name: row[name] for name in ("IsActive", "Name", "PricelistId")}


def _full(row: Row) -> Row:
    return {**row, "Currency": dictionary_item(9041)}


def _client_view(state: State, client: int, pricelist: int) -> Row:
    row = state.clients[client]
    return {"ClientId": client, "ClientName": views.client_name(state, row), "PricelistId": pricelist}


def _amount(given: Inputs) -> Row:
    amount: Row | None = given["clientFixedAmount"]
    if amount is None:
        raise business(INVALID, "a fixed amount is needed")
    return amount


def _keep(state: State, amount: Row) -> None:
    state.fixed_amounts[amount["ClientFixedAmountId"]] = amount
    state.fixed_amount_history.append(dict(amount))
