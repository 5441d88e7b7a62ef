# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading, searching, changing and deleting clients.

Assumptions: every update replaces all that its inputs name (what is left out is emptied); the user given with a client
must exist, and its names, e-mail, phone and national id are replaced; a deleted client is hidden, not gone.
"""

from __future__ import annotations

from typing import Any

from sandbox.soap import views
from sandbox.soap.constants import BLOCKED_DOMAINS, COMPANY, INDIVIDUAL
from sandbox.soap.search import agrees, has_text, page, parameters, read, write
from sandbox.soap.state import Inputs, Row, State, now

_PLAIN = {
    "additionalEmailForInvoices": "AdditionalEmailForInvoices",
    "commission": "Commission",
    "company": "Company",
    "externalAccountNumber": "ExternalAccountNumber",
    "projectName": "ProjectName",
    "projectType": "ProjectType",
    "referrer": "Referrer",
    "vatId": "VatId",
}
_NUMBERED = {"addresses": ("Addresses", "AddressId"), "phones": ("Phones", "PhoneId")}
_USER_INFO = ("FirstName", "LastName", "Email", "PhoneNumber", "Pesel")


def GetClient(state: State, given: Inputs) -> Row | None:
    row = read(state, "client", _present(state), given["clientId"])
    return None if row is None else views.client(state, row)


def GetClientIncludingDeleted(state: State, given: Inputs) -> Row | None:
    row = read(state, "client", state.clients, given["clientId"])
    return None if row is None else views.client(state, row)


def GetClientDefaultUserSimple(state: State, given: Inputs) -> Row | None:
    return _default_user(state, _present(state), given["clientId"])


def GetClientDefaultUserSimpleIncludingDeleted(state: State, given: Inputs) -> Row | None:
    return _default_user(state, state.clients, given["clientId"])


def GetClients(state: State, given: Inputs) -> dict[str, Any]:
    params = parameters(given)
    rows = (row for row in _present(state).values() if _matches(state, params, row))
    return page(state, params, (views.client_item(state, row) for row in rows))


def GetClientHistory(state: State, given: Inputs) -> dict[str, Any]:
    params = parameters(given)
    first, last = params.get("DateFrom") or "", params.get("DateTo") or "9999"
    rows = (row for row in state.client_history if first <= row["CreationDate"] <= last)
    return page(state, params, (row for row in rows if agrees(params, row, "ClientId")))


def HasClientUsers(state: State, given: Inputs) -> bool:
    return any(row["ClientId"] == given["clientId"] for row in state.users.values())


def UpdateIndividualClient(state: State, given: Inputs) -> None:
    _update(state, given)


def UpdateIndividualClientWithProjectName(state: State, given: Inputs) -> None:
    _update(state, given)


def UpdateCompanyClient(state: State, given: Inputs) -> None:
    _update(state, given)


def UpdateCompanyClientWithProjectName(state: State, given: Inputs) -> None:
    _update(state, given)


def UpdateClient(state: State, given: Inputs) -> None:
    _update(state, given)


def UpdateClientWithProjectName(state: State, given: Inputs) -> None:
    _update(state, given)


def ChangeIndividualClientType(state: State, given: Inputs) -> None:
    _update(state, given)["ClientTypeDictId"] = COMPANY


def ChangeCompanyClientType(state: State, given: Inputs) -> None:
    _update(state, given).update(ClientTypeDictId=INDIVIDUAL, Company=None)


def UpdateClientStatus(state: State, given: Inputs) -> None:
    write("client", _present(state), given["clientId"])["Status"] = given["status"]
    note(state, given["clientId"], "UpdateClientStatus", given["comment"])


def DeleteClient(state: State, given: Inputs) -> Row:
    row = write("client", state.clients, given["clientId"])
    if row["IsDeleted"]:
        return {"IsDeleted": False}
    row.update(IsDeleted=True, Status="Deleted")
    note(state, given["clientId"], "DeleteClient", given["comment"])
    return {"IsDeleted": True}


def CreateOrUpdateClientPitData(state: State, given: Inputs) -> None:
    write("client", _present(state), given["clientId"])
    state.pit_data[given["clientId"]] = given["pitData"]


def GetClientPitData(state: State, given: Inputs) -> Row | None:
    return state.pit_data.get(given["clientId"])


def GetReferrerUsers(state: State, given: Inputs) -> list[Row]:
    referrer = state.clients.get(given["clientId"], {}).get("Referrer") or {}
    row = state.users.get((referrer.get("User") or {}).get("UserId", 0))
    return [] if row is None else [views.user(state, row)]


def GetReferrerPeriods(state: State, given: Inputs) -> list[str]:
    row = state.clients.get(given["clientId"])
    return [] if row is None else [row["CreationDate"]]


def IsDomainBlocked(state: State, given: Inputs) -> bool:
    return (given["domain"] or "").casefold() in BLOCKED_DOMAINS


def GetClientUsersSimpleForBillingFilter(state: State, given: Inputs) -> list[Row]:
    rows = state.users.values()
    return [views.user_simple(state, row) for row in rows if row["ClientId"] == given["clientId"]]


def GetClientSalesmanName(state: State, given: Inputs) -> str | None:
    row = read(state, "client", _present(state), given["clientId"])
    return None if row is None else row["Salesman"]


def GetCustomerServiceUsers(state: State, given: Inputs) -> list[Row]:
    return [views.plain_user(row) for row in state.users.values() if row["ClientId"] == 102]


def note(state: State, client: int, operation: str, comment: str | None = None) -> None:
    """Write a line of a client's history."""
    state.client_history.append(
        {
            "ClientHistoryId": state.number("client history"),
            "ClientId": client,
            "Comment": comment,
            "CreationDate": now(),
            "OperationType": operation,
            "User": views.plain_user(state.caller),
        }
    )


def replace_numbered(state: State, row: Row, name: str, values: list[Row] | None) -> None:
    """Replace a client's addresses or phones; an entry with the number 0 gets a new one."""
    member, key = _NUMBERED[name]
    row[member] = [{**value, key: value[key] or state.number(name)} for value in values or [] if value]


def _present(state: State) -> dict[int, Row]:
    return {number: row for number, row in state.clients.items() if not row["IsDeleted"]}


def _default_user(state: State, clients: dict[int, Row], number: int) -> Row | None:
    row = read(state, "client", clients, number)
    user = None if row is None else state.users.get(row["DefaultUserId"])
    return None if user is None else views.user_simple(state, user)


def _matches(state: State, params: Inputs, row: Row) -> bool:
    if not agrees(params, row, "VatId", "Status"):
        return False
    return has_text(params, views.client_name(state, row), row["ProjectName"])


def _update(state: State, given: Inputs) -> Row:
    """Replace what the inputs name; the inputs of all updates have the same meaning."""
    row = write("client", _present(state), given["clientId"])
    if "defaultUser" in given or "user" in given:
        row["DefaultUserId"] = _store_user(state, given.get("defaultUser") or given.get("user"))
    if "branch" in given:
        row["BranchId"] = (given["branch"] or {}).get("DictionaryItemId", 0)
    for name in _NUMBERED.keys() & given.keys():
        replace_numbered(state, row, name, given[name])
    row.update({member: given[name] for name, member in _PLAIN.items() if name in given})
    note(state, given["clientId"], "Update")
    return row


def _store_user(state: State, user: Row | None) -> int:
    if user is None:
        return 0
    row = write("user", state.users, user["UserId"])
    row.update({name: user.get(name) for name in _USER_INFO})
    return int(row["UserId"])
