# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Users: creation, checks for what is taken, search, privileges, full replacement by updates, blocking, deletion."""

from __future__ import annotations

import hashlib
import json
from types import SimpleNamespace
from typing import Any

import pytest
from sandbox.soap.in_process import Answer, InProcess
from sandbox.soap.service import SoapService

WILMA = (
    "<m:Email>wilma@example.com</m:Email><m:FirstName>Wilma</m:FirstName><m:LastName>Stoat</m:LastName>"
    "<m:Pesel>44051401458</m:Pesel><m:PhoneNumber>+48225559999</m:PhoneNumber>"
)


def create(
    client: InProcess, login: str = "wilma.stoat", user: str = WILMA, password: str = "fen", privileges: str = "21"
) -> Answer:
    numbers = "".join(f"<n:int>{number}</n:int>" for number in privileges)
    return client.call(
        "CreateUserWithPrivileges",
        f"<adLogin>{login}</adLogin><adPassword>{password}</adPassword><user>{user}</user>"
        f"<privileges>{numbers}</privileges>",
    )


def row(service: SoapService, number: int = 1001) -> dict[str, Any]:
    (found,) = [user for user in service.snapshot()["users"] if user["UserId"] == number]
    return dict(found)


def says(client: InProcess, operation: str, inputs: str) -> bool:
    return client.call(operation, inputs).text(f"{operation}Result") == "true"


def search(client: InProcess, params: str = "") -> list[str]:
    ascending = "<m:SortingDirection>Ascending</m:SortingDirection>"
    order = params.replace("<m:SortingDirection/>", ascending) if params else ascending
    return client.call("GetUsers", f"<searchParams>{order}</searchParams>").texts("AdLogin")


def test_a_new_user(client: InProcess, service: SoapService) -> None:
    assert create(client).text("CreateUserWithPrivilegesResult") == "1001"
    user = row(service)
    assert user["AdLogin"] == "wilma.stoat"
    assert user["Privileges"] == [1, 2]
    assert user["ClientId"] == 100, "the caller's client"
    assert user["password_sha256"] == hashlib.sha256(b"fen").hexdigest()
    assert "fen" not in json.dumps(service.snapshot())
    answer = client.call("GetUser", "<userId>1001</userId>")
    result = {child.tag.split("}")[1]: child.text for child in answer.result}
    assert result["FullName"] == "Wilma Stoat"
    assert result["Pesel"] == "44051401458"
    assert result["IsBlocked"] == "false"
    assert answer.texts("ClientId") == ["100"]
    assert client.call("GetUserBySid", f"<sid>{user['AdSid']}</sid>").result[2].text == "1001"


def test_a_user_of_another_client(client: InProcess, service: SoapService) -> None:
    create(client, user="<m:Client><m:ClientId>101</m:ClientId></m:Client>")
    assert row(service)["ClientId"] == 101
    answer = create(client, "other", "<m:Client><m:ClientId>55</m:ClientId></m:Client>")
    assert answer.text("ErrorCode") == "1001"


@pytest.mark.parametrize(
    ("login", "user"),
    [
        ("WILMA.stoat", ""),
        ("other", "<m:Email>Wilma@example.com</m:Email>"),
        ("other", "<m:Pesel>44051401458</m:Pesel>"),
    ],
)
def test_what_is_taken_is_refused(client: InProcess, service: SoapService, login: str, user: str) -> None:
    create(client)
    assert create(client, login, user).text("ErrorCode") == "1002"
    assert len(service.snapshot()["users"]) == 5
    service.settings["refuse_duplicate_users"] = False
    assert create(client, login, user).status == 200


@pytest.mark.parametrize(("login", "password", "privileges"), [("", "fen", "1"), ("a", "", "1"), ("a", "fen", "9")])
def test_a_user_that_cannot_be(
    client: InProcess, service: SoapService, login: str, password: str, privileges: str
) -> None:
    answer = create(client, login, password=password, privileges=privileges)
    assert answer.text("ErrorCode") == "1004"
    assert len(service.snapshot()["users"]) == 4


def test_checks(client: InProcess) -> None:
    create(client)
    assert says(client, "IsUserNameAlreadyTaken", "<userName>Wilma.Stoat</userName>")
    assert not says(client, "IsUserNameAlreadyTaken", "<userName>wilma</userName>")
    assert says(client, "IsEmailAlreadyTaken", "<email>wilma@example.com</email>")
    assert not says(client, "IsEmailAlreadyTaken", "<email/>")
    assert says(client, "IsPhoneNumberExists", "<phoneNumber>+48225559999</phoneNumber>")
    assert says(client, "IsPeselAlreadyTaken", "<pesel>44051401458</pesel>")
    assert not says(client, "IsPeselAlreadyTaken", '<pesel i:nil="true"/>')
    other = "<pesel>44051401458</pesel><userId>{}</userId>"
    assert says(client, "IsPeselAlreadyTakenByOtherUser", other.format(2))
    assert not says(client, "IsPeselAlreadyTakenByOtherUser", other.format(1001))
    assert says(client, "VerifyDoesRecommendingExist", "<recommendingId>1001</recommendingId>")
    assert not says(client, "VerifyDoesRecommendingExist", "<recommendingId>9</recommendingId>")


def test_search(client: InProcess) -> None:
    create(client)
    everyone = ["panel.owner@example.com", "second.user", "third.user", "fourth.user", "wilma.stoat"]
    assert search(client) == everyone
    assert search(client, "<m:PageNumber>2</m:PageNumber><m:PageSize>2</m:PageSize><m:SortingDirection/>") == [
        "third.user",
        "fourth.user",
    ]
    assert search(client, "<m:SearchText>ILMA S</m:SearchText>") == ["wilma.stoat"]
    assert search(client, "<m:SearchText>fourth.user@</m:SearchText>") == ["fourth.user"]
    assert search(client, "<m:ClientId>101</m:ClientId>") == ["third.user"]
    client.call("BlockUser", "<userId>3</userId>")
    assert search(client, "<m:IsBlocked>true</m:IsBlocked>") == ["third.user"]
    assert len(search(client, "<m:IsBlocked>false</m:IsBlocked>")) == 4


def test_a_new_user_may_stay_hidden(client: InProcess, service: SoapService, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [1000.0]
    monkeypatch.setattr("sandbox.soap.state.time", SimpleNamespace(time=lambda: clock[0]))
    service.settings["users_visibility_delay"] = 2
    create(client)
    taken = "<userName>wilma.stoat</userName>"
    assert (len(search(client)), says(client, "IsUserNameAlreadyTaken", taken)) == (4, False)
    assert create(client).text("ErrorCode") == "1002", "hidden, but taken"
    clock[0] += 2
    assert (len(search(client)), says(client, "IsUserNameAlreadyTaken", taken)) == (5, True)


def test_privileges(client: InProcess) -> None:
    assert client.call("GetPrivileges").texts("PrivilegeId") == ["1", "2", "3", "4", "5", "6", "7", "8"]
    assert client.call("GetPrivileges", "<typeDictId>9072</typeDictId>").texts("PrivilegeId") == ["6", "7", "8"]
    own = client.call("GetUserPrivileges", "<userId>2</userId>")
    assert own.texts("Name") == ["ManageInstances", "ManageNetworks"]
    has = "<userId>2</userId><privileges>{}</privileges>"
    assert says(client, "HasUserPrivileges", has.format("<n:int>2</n:int><n:int>1</n:int>"))
    assert not says(client, "HasUserPrivileges", has.format("<n:int>2</n:int><n:int>3</n:int>"))
    assert client.call("GetUserPrivileges", "<userId>4</userId>").result is None


def test_an_update_replaces_everything(client: InProcess, service: SoapService) -> None:
    create(client)
    client.call(
        "UpdateUserInfoAndPrivileges",
        "<userId>1001</userId><firstName>Willa</firstName><lastName>Stoat</lastName><emailAddress>w@example.com"
        "</emailAddress><phoneNumber>1</phoneNumber><pesel>2</pesel><isDefault>true</isDefault>"
        "<privileges><n:int>5</n:int><n:int>3</n:int><n:int>5</n:int></privileges>",
    )
    user = row(service)
    assert (user["FirstName"], user["Email"], user["Pesel"]) == ("Willa", "w@example.com", "2")
    assert (user["IsDefault"], user["Privileges"]) == (True, [3, 5])

    client.call("UpdateUserInfoAndPrivileges", "<userId>1001</userId><lastName>Stoat</lastName>")
    user = row(service)
    assert [user[name] for name in ("FirstName", "Email", "PhoneNumber", "Pesel")] == [None] * 4
    assert (user["IsDefault"], user["Privileges"], user["LastName"]) == (False, [], "Stoat")

    unknown = "<userId>1001</userId><lastName>X</lastName><privileges><n:int>77</n:int></privileges>"
    assert client.call("UpdateUserInfoAndPrivileges", unknown).text("ErrorCode") == "1004"
    assert row(service) == user


def test_settings(client: InProcess, service: SoapService) -> None:
    given = (
        "<userId>2</userId><languageId>1</languageId><timeZoneId>3</timeZoneId><availabilityZone>9101"
        "</availabilityZone><dateFormatId>178</dateFormatId><is24HourClock>true</is24HourClock>"
        "<isMarketingInformationSubscriber>true</isMarketingInformationSubscriber>"
        "<isTechnicalAnnouncementSubscriber>true</isTechnicalAnnouncementSubscriber>"
    )
    client.call("UpdateUserSettings", given)
    answer = client.call("GetUser", "<userId>2</userId>").result
    assert answer.find("{*}Language/{*}DictionaryItemId").text == "1"
    assert answer.find("{*}TimeZone/{*}DisplayName").text == "(UTC-05:00) Eastern Time"
    assert answer.find("{*}DateFormat/{*}DictionaryItemId").text == "178"
    assert answer.find("{*}AvailabilityZone").text == "9101"
    assert answer.find("{*}Is24HourClock").text == "true"

    service.settings["settings_replace"] = False
    client.call("UpdateUserSettings", "<userId>2</userId><languageId>2</languageId>")
    assert (row(service, 2)["LanguageId"], row(service, 2)["TimeZoneId"]) == (2, 3)
    service.settings["settings_replace"] = True
    client.call("UpdateUserSettings", "<userId>2</userId><languageId>2</languageId>")
    user = row(service, 2)
    assert (user["LanguageId"], user["TimeZoneId"], user["Is24HourClock"]) == (2, 0, False)


def test_blocking(client: InProcess, service: SoapService) -> None:
    for _ in range(2):
        assert client.call("BlockUser", "<userId>2</userId>").status == 200
        assert row(service, 2)["IsBlocked"] is True
    assert client.call("UnblockUser", "<userId>2</userId>").status == 200
    assert row(service, 2)["IsBlocked"] is False
    assert client.call("BlockUser", "<userId>99</userId>").text("ErrorCode") == "1001"


def test_deletion_is_all_or_nothing(client: InProcess, service: SoapService) -> None:
    answer = client.call("DeleteUsers", "<userIds><n:int>2</n:int><n:int>99</n:int></userIds>")
    assert (answer.status, len(service.snapshot()["users"])) == (500, 4)
    client.call("DeleteUsers", "<userIds><n:int>2</n:int><n:int>3</n:int><n:int>2</n:int></userIds>")
    assert [user["UserId"] for user in service.snapshot()["users"]] == [1, 4]
    assert client.call("GetUser", "<userId>2</userId>").result is None


def test_zeep_reads_a_page_of_users(peer: Any) -> None:
    page = peer.GetUsers({"PageSize": 2})
    assert [user.AdLogin for user in page._results.UserResultItem] == ["fourth.user", "third.user"]
    assert page._results.UserResultItem[0].FullName == "Fourth User"


def test_rich_answers_nest_and_derive(client: InProcess, service: SoapService) -> None:
    plain = client.call("GetUser", "<userId>2</userId>").result
    assert plain.findall(".//{*}DefaultUser/{*}UserId") == []
    service.settings["rich_answers"] = True
    rich = client.call("GetUser", "<userId>2</userId>").result
    assert [node.text for node in rich.findall("{*}Client/{*}DefaultUser/{*}UserId")] == ["1"]
    simple = client.call("GetClientDefaultUserSimple", "<clientId>100</clientId>").result
    assert simple.get("{http://www.w3.org/2001/XMLSchema-instance}type") == "b:User"
    assert simple.find("{*}AdLogin").text == "panel.owner@example.com"
    assert service.violations == []
