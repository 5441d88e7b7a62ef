# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every operation is called by zeep, which judges the answers for itself: with plausible inputs, none, and nulls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import zeep
from sandbox.soap.families import handlers
from sandbox.soap.schema import contract
from sandbox.soap.service import SoapService

Start = Callable[[], tuple[SoapService, Any]]

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


class Called:
    """A fresh service, and one operation of it that zeep calls."""

    def __init__(self, name: str, start: Start) -> None:
        self.name = name
        self.service, self.peer = start()
        self.members = contract().element(contract().operations[name].input).members
        self.secrets = self._secrets()

    def __call__(self, **inputs: Any) -> Any:
        return getattr(self.peer, self.name)(**inputs)

    def stands(self, **inputs: Any) -> None:
        """The answer is a result or a fault with a code, never a broken message."""
        try:
            self(**inputs)
        except zeep.exceptions.Fault as fault:
            assert "ErrorDescription" in fault.detail[0].tag
        assert self.service.violations == []

    def inputs(self, name: str = "") -> dict[str, Any]:
        """Plausible inputs, only those that the operation has."""
        name = name or self.name
        values = {**VALUES, **self.secrets, "searchParams": {"PageSize": 5}, **OWN.get(name, {})}
        members = contract().element(contract().operations[name].input).members
        return {member.name: values[member.name] for member in members if member.name in values}

    def _secrets(self) -> dict[str, Any]:
        """Inputs that are known only when the service runs: passwords, tokens and codes."""
        login, password = self.service._credentials.username, self.service._credentials.password
        found: dict[str, Any] = {"user": login, "password": password, "userAgent": "test", "ipAddress": "127.0.0.1"}
        found["adSid"] = found["sid"] = found["currentUserSID"] = self.service._state.users[1]["AdSid"]
        found["oldPassword"] = password
        if self.name == "ChangeUserPassword":
            found["userId"] = 1
        if self.name in {"ValidateToken", "ResetPassword"}:
            self.peer.RequestForResetPassword(email="second.user@example.com")
            (found["token"],) = self.service.snapshot()["reset_tokens"]
        if self.name == "SaveClientPhoneVerificationResult":
            self.peer.SendClientPhoneVerificationCode(phoneNumber="+48225551111", countryDictId=9051)
            (found["phoneVerification"],) = self.service.snapshot()["phone_codes"]
        return found


def test_all_operations_answer(start: Start, subtests: pytest.Subtests) -> None:
    for name in OPERATIONS:
        with subtests.test(name):
            called = Called(name, start)
            for earlier in BEFORE.get(name, []):
                getattr(called.peer, earlier)(**called.inputs(earlier))
            before = called.service.snapshot()
            answer = called(**called.inputs())
            assert called.service.violations == []
            if name in VOID:
                assert answer is None
            else:
                assert answer not in (None, [], {}, "")
            changes_nothing = not contract().operations[name].writes or name == "ImpersonateUser"
            assert (called.service.snapshot() == before) is changes_nothing


def test_every_operation_has_one_function() -> None:
    assert len(handlers()) == len(contract().operations) == 108
    assert len(VOID) == 33


def test_all_operations_stand_an_empty_request_and_null_inputs(start: Start, subtests: pytest.Subtests) -> None:
    for name in OPERATIONS:
        with subtests.test(name):
            Called(name, start).stands()
            called = Called(name, start)
            nulls = {member.name: zeep.xsd.Nil for member in called.members if member.nillable}
            if nulls:
                called.stands(**{**called.inputs(), **nulls})
