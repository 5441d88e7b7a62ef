# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every operation is called once with plausible inputs by zeep, which judges the answers for itself."""

from __future__ import annotations

from typing import Any

import pytest
import zeep
from sandbox.soap.families import handlers
from sandbox.soap.schema import contract
from sandbox.soap.service import SoapService

OPERATIONS = sorted(contract().operations)
VOID = {name for name, operation in contract().operations.items() if not contract().element(operation.output).members}

ADDRESS = {"AddressTypeDictId": 13, "City": "Southfield", "CountryDictId": 9052, "Street": "Mole", "ZipCode": "1"}
PHONE = {"CountryDictId": 9051, "PhoneNumber": "+48225550000"}
PIT_DATA = {"Pesel": "44051401458", "TaxOffice": "Northfield"}
FIXED_AMOUNT = {"Amount": "12.34", "ClientId": 100, "DateFrom": "2026-01-01T00:00:00"}
REFERRER = {"Commission": "1.5", "ReferrerId": 1, "User": {"UserId": 3}}

VALUES: dict[str, Any] = {
    "adLogin": "wilma.stoat",
    "adPassword": "fen-and-heather",
    "additionalEmailForInvoices": "bills@example.com",
    "addresses": {"Address": [ADDRESS]},
    "billingAddress": ADDRESS,
    "branch": {"DictionaryItemId": 9061},
    "categoryId": 3,
    "clientFixedAmountId": 1001,
    "clientId": 100,
    "clientsIds": {"int": [100, 101]},
    "codeId": 701,
    "comment": "because",
    "commission": "0.25",
    "company": {"CompanyName": "Example Rail", "VatId": "5260001246"},
    "correspondenceAddress": ADDRESS,
    "countryDictId": 9051,
    "cpHistoryId": 1,
    "dataStoreNumber": "ds-1",
    "defaultUser": {"FirstName": "Otto", "UserId": 1},
    "description": "seen",
    "dictionary": "VirtualMachineClass",
    "dictionaryId": 12,
    "dictionaryItemId": 1047,
    "domain": "blocked.example.com",
    "email": "second.user@example.com",
    "emailAddress": "c.vole@example.com",
    "firstName": "Cas",
    "iconId": 801,
    "ids": {"int": [12, 17]},
    "importId": 1201,
    "invoiceId": 1301,
    "lastName": "User",
    "mainAddress": ADDRESS,
    "namePrefix": "v1",
    "newPassword": "moss-and-lichen",
    "newPricelistId": 2,
    "newsId": 601,
    "ownerClientId": 100,
    "pesel": "44051401458",
    "phoneNumber": "+48225550002",
    "phones": {"Phone": [PHONE]},
    "pitData": PIT_DATA,
    "pricelistsIds": {"int": [3]},
    "privileges": {"int": [1, 2]},
    "queueCapacity": 4,
    "queueLength": 5,
    "referrer": REFERRER,
    "revenueId": 501,
    "status": "Suspended",
    "templateId": 765,
    "typeDictId": 0,
    "userEmail": "second.user@example.com",
    "userId": 2,
    "userIds": {"int": [2, 4]},
    "userName": "second.user",
    "vatId": "5260001246",
    "virtualMachineExportId": 1101,
    "virtualMachineId": 3001,
    "virtualMachineImport": {"ImportId": 1201},
    "warehouseId": 1001,
    "warehouseName": "north",
}
OWN: dict[str, dict[str, Any]] = {
    "ChangeCompanyClientType": {"clientId": 101},
    "CreateClientFixedAmount": {"clientFixedAmount": FIXED_AMOUNT},
    "CreateUserWithPrivileges": {"user": {"FirstName": "Wilma", "Email": "w@example.com"}},
    "DeletePricelists": {"clientId": 101},
    "GetClusters": {"onlyClientClusters": True},
    "GetRevenues": {"namePrefix": "north"},
    "UpdateClient": {"user": {"FirstName": "Otto", "UserId": 1}},
    "UpdateClientFixedAmount": {"clientFixedAmount": {**FIXED_AMOUNT, "Amount": "13", "ClientFixedAmountId": 1001}},
    "UpdateClientWithProjectName": {"user": {"FirstName": "Otto", "UserId": 1}},
}
BEFORE: dict[str, list[str]] = {
    "CleanLastLogonDate": ["LogonUser"],
    "DeleteClientFixedAmount": ["CreateClientFixedAmount"],
    "DeleteWarehouse": ["CreateWarehouse"],
    "GetClientFixedAmount": ["CreateClientFixedAmount"],
    "GetClientFixedAmountHistory": ["CreateClientFixedAmount"],
    "GetClientHistory": ["UpdateClientStatus"],
    "GetClientPitData": ["CreateOrUpdateClientPitData"],
    "GetReferrerUsers": ["UpdateIndividualClient"],
    "GetWarehouse": ["CreateWarehouse"],
    "GetWarehouses": ["CreateWarehouse"],
    "UnblockUser": ["BlockUser"],
    "UpdateClientFixedAmount": ["CreateClientFixedAmount"],
    "UpdateWarehouse": ["CreateWarehouse"],
    "WarehouseExists": ["CreateWarehouse"],
}


@pytest.fixture
def secrets(service: SoapService, peer: Any, request: pytest.FixtureRequest) -> dict[str, Any]:
    """Inputs that are known only when the service runs: passwords, tokens and codes."""
    name = request.node.callspec.params["name"]
    login, password = service._credentials.username, service._credentials.password
    found: dict[str, Any] = {"user": login, "password": password, "userAgent": "test", "ipAddress": "127.0.0.1"}
    found["adSid"] = found["sid"] = found["currentUserSID"] = service._state.users[1]["AdSid"]
    found["oldPassword"] = password
    if name == "ChangeUserPassword":
        found["userId"] = 1
    if name in {"ValidateToken", "ResetPassword"}:
        peer.RequestForResetPassword(email="second.user@example.com")
        (found["token"],) = service.snapshot()["reset_tokens"]
    if name == "SaveClientPhoneVerificationResult":
        peer.SendClientPhoneVerificationCode(phoneNumber="+48225551111", countryDictId=9051)
        (found["phoneVerification"],) = service.snapshot()["phone_codes"]
    return found


def inputs(name: str, secrets: dict[str, Any]) -> dict[str, Any]:
    """Plausible inputs, only those that the operation has."""
    members = contract().element(contract().operations[name].input).members
    values = {**VALUES, **secrets, "searchParams": {"PageSize": 5}, **OWN.get(name, {})}
    return {member.name: values[member.name] for member in members if member.name in values}


@pytest.mark.parametrize("name", OPERATIONS)
def test_it_answers(name: str, service: SoapService, peer: Any, secrets: dict[str, Any]) -> None:
    for earlier in BEFORE.get(name, []):
        getattr(peer, earlier)(**inputs(earlier, secrets))
    before = service.snapshot()
    answer = getattr(peer, name)(**inputs(name, secrets))
    assert service.violations == []
    if name in VOID:
        assert answer is None
    else:
        assert answer not in (None, [], {}, "")
    changes_nothing = not contract().operations[name].writes or name == "ImpersonateUser"
    assert (service.snapshot() == before) is changes_nothing


def test_every_operation_has_one_function() -> None:
    assert len(handlers()) == len(contract().operations) == 108
    assert len(VOID) == 33


@pytest.mark.parametrize("name", OPERATIONS)
def test_it_stands_an_empty_request(name: str, service: SoapService, peer: Any) -> None:
    """Every input is optional: the answer is a result or a fault with a code, never a broken message."""
    try:
        getattr(peer, name)()
    except zeep.exceptions.Fault as fault:
        assert "ErrorDescription" in fault.detail[0].tag
    assert service.violations == []


def with_nil_inputs() -> list[str]:
    def nillable(name: str) -> bool:
        return any(member.nillable for member in contract().element(contract().operations[name].input).members)

    return [name for name in OPERATIONS if nillable(name)]


@pytest.mark.parametrize("name", with_nil_inputs())
def test_it_stands_null_inputs(name: str, service: SoapService, peer: Any, secrets: dict[str, Any]) -> None:
    members = contract().element(contract().operations[name].input).members
    values = {**inputs(name, secrets), **{member.name: zeep.xsd.Nil for member in members if member.nillable}}
    try:
        getattr(peer, name)(**values)
    except zeep.exceptions.Fault as fault:
        assert "ErrorDescription" in fault.detail[0].tag
    assert service.violations == []
