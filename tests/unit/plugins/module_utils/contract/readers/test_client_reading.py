# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Clients, their users and the privileges of those."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._contract import client_user, readers
from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.tests.unit.plugins.module_utils.soap.bench import Bench

CLIENT = readers.CLIENT_INFO
USER = readers.CLIENT_USER_INFO
PESEL = "90010112345"


def test_a_client_is_read_with_what_is_included_and_no_more(bench: Bench) -> None:
    read = bench.run(CLIENT, client_id=101)
    assert bench.sent == ["GetClient"]
    (client,) = read["clients"]
    assert (client["id"], client["status"], client["included"]) == (101, "Active", {})
    assert client["company"]["company_name"] == "Example Freight"
    read = bench.run(CLIENT, client_id=101, include=["has_freemium", "currency_code"])
    assert bench.sent == ["GetClient", "GetClientsCurrencyCode", "HasActiveFreemium"]
    assert read["clients"][0]["included"] == {"currency_code": "PLN", "has_freemium": False}


def test_all_there_is_to_know_of_a_client(bench: Bench) -> None:
    bench.state.pit_data[100] = {
        "BirthDate": "1990-01-01T00:00:00",
        "FatherName": "A",
        "MotherName": "B",
        "Pesel": PESEL,
        "TaxOffice": "0501",
    }
    bench.state.clients[100]["Referrer"] = {"Commission": "5", "ReferrerId": 1, "User": {"UserId": 3}}
    bench.state.users[3]["Pesel"] = PESEL
    (client,) = bench.run(CLIENT, client_id=100, include=["all"])["clients"]
    assert set(bench.sent) == {"GetClient", *readers.INCLUDED.values()}
    told = client["included"]
    assert list(told) == list(readers.INCLUDED)
    assert (told["currency_code"], told["salesman_name"]) == ("PLN", "Sales Desk")
    assert (told["has_users"], told["has_freemium"], told["has_automatic_card_payment"]) == (True, False, False)
    assert [user["user_id"] for user in told["billing_users"]] == [1, 2]
    assert told["default_user"]["full_name"] == "Panel Owner"
    assert told["referrer_periods"] == ["2025-06-01T09:30:00Z"]
    assert (told["referrer_users"][0]["user_id"], told["pit_data"]["tax_office"]) == (3, "0501")
    assert PESEL not in str(client)
    (client,) = bench.run(CLIENT, client_id=100, include=["pit_data"], show_pesel=True)["clients"]
    assert client["included"]["pit_data"]["pesel"] == PESEL


def test_a_deleted_client_is_read_on_request(bench: Bench) -> None:
    bench.state.clients[102].update(IsDeleted=True, Status="Deleted")
    assert bench.run(CLIENT, client_id=102, include=["all"]) == {"changed": False, "clients": [], "missing": [102]}
    assert bench.sent == ["GetClient"]
    (client,) = bench.run(CLIENT, client_id=102, include=["default_user"], include_deleted=True)["clients"]
    assert bench.sent == ["GetClientIncludingDeleted", "GetClientDefaultUserSimpleIncludingDeleted"]
    assert (client["is_deleted"], client["included"]["default_user"]["user_id"]) == (True, 4)


def test_clients_are_found_by_text_status_and_tax_number(bench: Bench) -> None:
    bench.state.clients[102].update(Status="WaitingForVerification", VatId="PL1")
    numbers = [row["id"] for row in bench.run(CLIENT, search_text="freight")["clients"]]
    assert numbers == [101]
    for options in ({"status": "waiting_for_verification"}, {"vat_id": "PL1"}):
        (row,) = bench.run(CLIENT, **options)["clients"]
        assert (row["id"], row["name"], row["status"]) == (102, "Fourth User", "WaitingForVerification")
    with pytest.raises(errors.InvalidInput, match="Suspended") as caught:
        bench.run(CLIENT, status="suspend")
    assert bench.sent == [], caught.value


def test_the_history_of_a_client(bench: Bench) -> None:
    for number, client, day in ((1, 100, "05"), (2, 100, "20"), (3, 101, "20")):
        bench.state.client_history.append(
            {
                "ClientHistoryId": number,
                "ClientId": client,
                "Comment": None,
                "CreationDate": f"2026-02-{day}T00:00:00Z",
                "OperationType": "Update",
                "User": {"UserId": 1, "Email": None, "FullName": None},
            }
        )
    assert [row["id"] for row in bench.run(CLIENT, subject="history")["history"]] == [3, 2, 1]
    read = bench.run(CLIENT, client_id=100, date_from="2026-02-10T00:00:00Z", date_to="2026-03-01T00:00:00Z")
    assert [(row["id"], row["client_id"]) for row in read["history"]] == [(2, 100)]
    assert bench.sent == ["GetClientHistory"]


def test_questions_with_a_plain_answer(bench: Bench) -> None:
    read = bench.run(CLIENT, partner_id=100, domain="Blocked.example.com")
    assert read == {"changed": False, "domain_blocked": True}
    assert bench.run(CLIENT, partner_id=100, domain="example.org")["domain_blocked"] is False
    assert bench.run(CLIENT, recommending_id=1)["recommending_exists"] is True
    assert bench.run(CLIENT, recommending_id=99)["recommending_exists"] is False
    read = bench.run(CLIENT, subject="customer_service_users")
    assert [user["user_id"] for user in read["customer_service_users"]] == [4]


def test_a_user_has_the_shape_of_the_module_client_user(bench: Bench) -> None:
    bench.state.users[2]["Pesel"] = PESEL
    declared = bench.run(client_user.OPERATION, id=2)["client_user"]
    (user,) = bench.run(USER, user_id=2, include=["privileges"])["users"]
    assert bench.sent == ["GetUser", "GetUserPrivileges"]
    assert user == {**user, **declared, "privileges": [1, 2]}
    assert (user["ad_login"], user["pesel"]) == ("second.user", "(hidden)")
    assert PESEL not in str(user)
    (same,) = bench.run(USER, sid=user["ad_sid"])["users"]
    assert bench.sent == ["GetUserBySid"]
    assert (same["id"], same["privileges"], same["settings"]) == (2, None, declared["settings"])


def test_users_are_found(bench: Bench) -> None:
    bench.state.users[2]["IsBlocked"] = True
    assert [user["id"] for user in bench.run(USER)["users"]] == [4, 3, 2, 1]
    for options, numbers in (
        ({"client_id": 100}, [2, 1]),
        ({"is_blocked": True}, [2]),
        ({"is_blocked": False, "client_id": 100}, [1]),
        ({"search_text": "third"}, [3]),
        ({"limit": 2}, [4, 3]),
    ):
        assert [user["id"] for user in bench.run(USER, **options)["users"]] == numbers
    (user,) = bench.run(USER, search_text="third", include=["privileges"])["users"]
    assert (user["user_name"], user["client_id"], user["privileges"]) == ("third.user", 101, [3, 4])
    assert bench.sent == ["GetUsers", "GetUserPrivileges"]
    assert bench.run(USER, user_id=99, include=["privileges"]) == {"changed": False, "users": [], "missing": [99]}


def test_privileges_need_the_number_of_the_user(bench: Bench) -> None:
    bench.hide_member("UserSimple", "UserId")
    (user,) = bench.run(USER, user_id=2)["users"]
    assert (user["id"], user["user_name"]) == (None, "second.user")
    with pytest.raises(errors.InvalidInput, match="type User has no member that could be id"):
        bench.run(USER, user_id=2, include=["privileges"])
    assert bench.sent == ["GetUser"]


def test_taken_logins_are_reported(bench: Bench) -> None:
    bench.state.users[2]["Pesel"] = PESEL
    asked: dict[str, t.Any] = {
        "user_name": "second.user",
        "email": "nobody@example.com",
        "phone_number": "+48225550002",
        "pesel": PESEL,
    }
    read = bench.run(USER, **asked)
    assert read["taken"] == {"user_name": True, "email": False, "pesel": True, "phone_number": True}
    assert bench.run(USER, subject="taken", pesel=PESEL, user_id=2)["taken"] == {"pesel": False}
    assert bench.sent == ["IsPeselAlreadyTakenByOtherUser"]
    with pytest.raises(errors.InvalidInput, match="requires at least one of user_name, email, pesel, phone_number"):
        bench.run(USER, subject="taken")
    assert USER.options["pesel"]["no_log"]


def test_privileges_of_a_user_by_number_and_name(bench: Bench) -> None:
    assert bench.run(USER, user_id=2, privileges=["1", "2"]) == {"changed": False, "has_privileges": True}
    assert bench.sent == ["HasUserPrivileges"]
    named = bench.run(USER, user_id=2, privileges=["manageusers", "1"], privilege_type_id=9071)
    assert (named["has_privileges"], bench.sent) == (False, ["GetPrivileges", "HasUserPrivileges"])
    with pytest.raises(errors.InvalidInput, match="privilege_type_id"):
        bench.run(USER, user_id=2, privileges=["ManageUsers"])


def test_privileges_of_a_type(bench: Bench) -> None:
    found = bench.run(readers.PRIVILEGE_INFO, type_dict_id=9072)
    read = found["privileges"]
    assert [(row["id"], row["name"]) for row in read] == [
        (6, "UseInterfaces"),
        (7, "UseStorage"),
        (8, "ManageWarehouses"),
    ]
    assert read[0]["description"] == "UseInterfaces in the panel"
    assert found["missing"] == []
    nothing = bench.run(readers.PRIVILEGE_INFO, type_dict_id=999)
    assert (nothing["privileges"], nothing["missing"]) == ([], [999])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"status": "Sleeping"}, "status: must be one of "),
        ({"subject": "history", "date_from": "yesterday"}, "date_from: must be a date and time"),
        ({"filters": {"status": "Sleeping"}}, "GetClients.searchParams."),
    ],
)
def test_a_wrong_value_is_told_by_the_name_of_the_option(bench: Bench, options: dict[str, t.Any], words: str) -> None:
    with pytest.raises(errors.InvalidInput) as caught:
        bench.run(CLIENT, **options)
    assert str(caught.value).startswith(words)
