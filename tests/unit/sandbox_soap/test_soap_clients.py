# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Clients: reading, search, updates that replace, status, deletion, tax data, addresses, phones."""

from __future__ import annotations

from typing import Any

import pytest
from sandbox.soap.in_process import InProcess
from sandbox.soap.service import SoapService

ADDRESSES = "<addresses><m:Address><m:City>Southfield</m:City></m:Address></addresses>"
PHONES = "<phones><m:Phone><m:PhoneNumber>+4711</m:PhoneNumber></m:Phone></phones>"
COMPANY = "<company><m:CompanyName>Example Rail</m:CompanyName></company>"


def row(service: SoapService, number: int = 100) -> dict[str, Any]:
    (found,) = [client for client in service.snapshot()["clients"] if client["ClientId"] == number]
    return dict(found)


def names(client: InProcess, params: str) -> list[str]:
    return client.call("GetClients", f"<searchParams>{params}</searchParams>").texts("Name")


def test_reading(client: InProcess) -> None:
    company = client.call("GetClient", "<clientId>101</clientId>").result
    assert company.find("{*}Company/{*}CompanyName").text == "Example Freight"
    assert company.find("{*}DefaultUser/{*}UserId").text == "3"
    assert company.find("{*}DefaultUser/{*}Client").get("{http://www.w3.org/2001/XMLSchema-instance}nil") == "true"
    simple = client.call("GetClientDefaultUserSimple", "<clientId>101</clientId>").result
    assert [child.text for child in simple] == ["third.user@example.com", "Third User", "3"]
    assert client.call("GetClient", "<clientId>55</clientId>").result is None
    assert client.call("GetClientSalesmanName", "<clientId>100</clientId>").result.text == "Sales Desk"
    users = client.call("GetClientUsersSimpleForBillingFilter", "<clientId>100</clientId>")
    assert users.texts("UserId") == ["1", "2"]
    assert client.call("HasClientUsers", "<clientId>55</clientId>").result.text == "false"
    assert client.call("GetCustomerServiceUsers").texts("UserId") == ["4"]
    assert client.call("GetReferrerPeriods", "<clientId>100</clientId>").texts("dateTime") == ["2025-06-01T09:30:00Z"]


def test_search(client: InProcess) -> None:
    assert names(client, "") == ["Fourth User", "Example Freight", "Panel Owner"]
    assert names(client, "<m:SearchText>freight</m:SearchText>") == ["Example Freight"]
    assert names(client, "<m:SearchText>project 102</m:SearchText>") == ["Fourth User"]
    client.call("UpdateClientStatus", "<clientId>101</clientId><status>Suspended</status><comment>late</comment>")
    assert names(client, "<m:Status>Suspended</m:Status>") == ["Example Freight"]
    assert names(client, "<m:VatId>1</m:VatId>") == []


def test_the_status_leaves_a_line_in_the_history(client: InProcess, service: SoapService) -> None:
    client.call("UpdateClientStatus", "<clientId>101</clientId><status>Blocked</status><comment>late</comment>")
    assert row(service, 101)["Status"] == "Blocked"
    history = client.call("GetClientHistory", "<searchParams><m:ClientId>101</m:ClientId></searchParams>")
    assert (history.text("Comment"), history.text("FullName")) == ("late", "Panel Owner")
    later = "<searchParams><m:ClientId>101</m:ClientId><m:DateFrom>2999-01-01T00:00:00</m:DateFrom></searchParams>"
    assert client.call("GetClientHistory", later).texts("Comment") == []
    other = "<searchParams><m:ClientId>100</m:ClientId></searchParams>"
    assert client.call("GetClientHistory", other).texts("Comment") == []


def test_deletion_hides(client: InProcess, service: SoapService) -> None:
    delete = "<clientId>102</clientId><comment>bye</comment>"
    assert client.call("DeleteClient", delete).text("IsDeleted") == "true"
    assert client.call("DeleteClient", delete).text("IsDeleted") == "false"
    assert client.call("DeleteClient", "<clientId>55</clientId>").text("ErrorCode") == "1001"
    assert client.call("GetClient", "<clientId>102</clientId>").result is None
    assert client.call("GetClientDefaultUserSimple", "<clientId>102</clientId>").result is None
    assert client.call("GetClientIncludingDeleted", "<clientId>102</clientId>").result is not None
    assert client.call("GetClientDefaultUserSimpleIncludingDeleted", "<clientId>102</clientId>").result is not None
    assert "Fourth User" not in names(client, "")
    assert (row(service, 102)["IsDeleted"], row(service, 102)["Status"]) == (True, "Deleted")


def test_an_individual_client_is_replaced(client: InProcess, service: SoapService) -> None:
    client.call(
        "UpdateIndividualClientWithProjectName",
        "<clientId>100</clientId><defaultUser><m:UserId>2</m:UserId><m:FirstName>Cas</m:FirstName></defaultUser>"
        f"{ADDRESSES}{PHONES}<branch><m:DictionaryItemId>9061</m:DictionaryItemId></branch>"
        "<projectType>trial</projectType><commission>1.25</commission><referrer><m:User><m:UserId>3</m:UserId>"
        "</m:User></referrer><additionalEmailForInvoices>b@example.com</additionalEmailForInvoices>"
        "<projectName>mine</projectName>",
    )
    changed = row(service)
    assert (changed["DefaultUserId"], changed["BranchId"], changed["ProjectName"]) == (2, 9061, "mine")
    assert (changed["Commission"], changed["ProjectType"]) == ("1.25", "trial")
    assert [(address["City"], address["AddressId"]) for address in changed["Addresses"]] == [("Southfield", 1001)]
    assert [phone["PhoneNumber"] for phone in changed["Phones"]] == ["+4711"]
    user = client.call("GetUser", "<userId>2</userId>").result
    assert user.find("{*}FullName").text == "Cas", "what the user lacks is emptied"
    assert client.call("GetReferrerUsers", "<clientId>100</clientId>").result.findtext("{*}User/{*}UserId") == "3"

    client.call("UpdateIndividualClient", "<clientId>100</clientId>")
    emptied = row(service)
    assert (emptied["DefaultUserId"], emptied["BranchId"], emptied["ProjectName"]) == (0, 0, "mine")
    assert (emptied["Addresses"], emptied["Phones"], emptied["Referrer"]) == ([], [], None)
    assert emptied["Commission"] == "0"


def test_a_derived_type_is_understood(client: InProcess, service: SoapService) -> None:
    user = '<m:User i:type="m:User"><m:UserId>3</m:UserId><m:AdLogin>x</m:AdLogin></m:User>'
    client.call("UpdateCompanyClient", f"<clientId>101</clientId><referrer>{user}</referrer>")
    assert row(service, 101)["Referrer"]["User"]["AdLogin"] == "x"
    assert service.violations == []


def test_a_company_is_replaced(client: InProcess, service: SoapService) -> None:
    client.call("UpdateCompanyClient", f"<clientId>101</clientId>{COMPANY}{ADDRESSES}")
    changed = row(service, 101)
    assert (changed["Company"]["CompanyName"], changed["Company"]["VatId"]) == ("Example Rail", None)
    assert (changed["Phones"], changed["ProjectName"]) == ([], "project 101")
    client.call("UpdateCompanyClientWithProjectName", "<clientId>101</clientId>")
    assert (row(service, 101)["Company"], row(service, 101)["ProjectName"]) == (None, None)


def test_any_client_is_replaced(client: InProcess, service: SoapService) -> None:
    client.call(
        "UpdateClient",
        "<clientId>100</clientId><user><m:UserId>1</m:UserId><m:LastName>Owner</m:LastName></user><vatId>77</vatId>"
        "<externalAccountNumber>99</externalAccountNumber>",
    )
    changed = row(service)
    assert (changed["VatId"], changed["ExternalAccountNumber"]) == ("77", "99")
    assert (changed["ProjectName"], changed["DefaultUserId"]) == ("project 100", 1)
    client.call("UpdateClientWithProjectName", "<clientId>100</clientId><projectName>new</projectName>")
    assert (row(service)["ProjectName"], row(service)["VatId"]) == ("new", None)


def test_a_change_of_type(client: InProcess, service: SoapService) -> None:
    client.call("ChangeIndividualClientType", f"<clientId>100</clientId>{COMPANY}")
    assert (row(service)["ClientTypeDictId"], row(service)["Company"]["CompanyName"]) == (9082, "Example Rail")
    user = "<defaultUser><m:UserId>1</m:UserId></defaultUser>"
    client.call("ChangeCompanyClientType", f"<clientId>100</clientId>{user}")
    assert (row(service)["ClientTypeDictId"], row(service)["Company"]) == (9081, None)


@pytest.mark.parametrize("inputs", ["<clientId>55</clientId>", "<clientId>100</clientId><defaultUser/>"])
def test_an_update_of_what_is_not_there(client: InProcess, service: SoapService, inputs: str) -> None:
    before = service.snapshot()
    assert client.call("UpdateIndividualClient", inputs).text("ErrorCode") == "1001"
    assert service.snapshot() == before


def test_addresses(client: InProcess, service: SoapService) -> None:
    client.call(
        "UpdateClientAddresses",
        "<clientId>100</clientId><mainAddress><m:AddressId>5</m:AddressId></mainAddress>"
        "<billingAddress><m:City>Southfield</m:City></billingAddress>",
    )
    found = [(address["AddressTypeDictId"], address["AddressId"]) for address in row(service)["Addresses"]]
    assert found == [(13, 5), (1015, 1001)]


def test_tax_data(client: InProcess) -> None:
    read = "<clientId>100</clientId>"
    assert client.call("GetClientPitData", read).result is None
    client.call("CreateOrUpdateClientPitData", f"{read}<pitData><m:TaxOffice>North</m:TaxOffice></pitData>")
    assert client.call("GetClientPitData", read).text("TaxOffice") == "North"


def test_a_phone_is_verified_by_its_code(client: InProcess, service: SoapService) -> None:
    sent = client.call("SendClientPhoneVerificationCode", "<phoneNumber>+4712</phoneNumber>")
    assert sent.text("VerificationCode") == "", "the code goes to the phone"
    (code,) = service.snapshot()["phone_codes"]
    save = (
        "<clientId>100</clientId><phoneVerification><m:VerificationCode>{}</m:VerificationCode>"
        f"<m:VerificationId>{sent.text('VerificationId')}</m:VerificationId></phoneVerification>"
    )
    assert client.call("SaveClientPhoneVerificationResult", save.format("x")).text("ErrorCode") == "1004"
    right = save.format(code["VerificationCode"])
    assert client.call("SaveClientPhoneVerificationResult", right).status == 200
    assert [(phone["PhoneNumber"], phone["IsVerified"]) for phone in row(service)["Phones"]][1:] == [("+4712", True)]
    assert client.call("SaveClientPhoneVerificationResult", right).text("ErrorCode") == "1004"
    assert client.call("SendClientPhoneVerificationCode").text("ErrorCode") == "1004"


def test_blocked_domains(client: InProcess) -> None:
    ask = "<partnerId>1</partnerId><domain>{}</domain>"
    assert client.call("IsDomainBlocked", ask.format("Blocked.example.com")).result.text == "true"
    assert client.call("IsDomainBlocked", ask.format("example.com")).result.text == "false"
