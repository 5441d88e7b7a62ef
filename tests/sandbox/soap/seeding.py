# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The objects that exist at the start: three clients, four users, three price lists."""

from __future__ import annotations

from typing import Any, Protocol

from sandbox.soap.constants import COMPANY, INDIVIDUAL, MAIN_ADDRESS, MAIN_PHONE, PRIVILEGES, SERVICES
from sandbox.soap.state import Row, State, digest
from sandbox.soap.users import new_user


class Login(Protocol):
    """The part of the sandbox's credentials that this service needs."""

    @property
    def username(self) -> str:
        """Login of the first user, without a prefix."""

    @property
    def password(self) -> str:
        """Password of the first user."""


_START = "2025-06-01T09:30:00Z"


def seeded(login: Login, settings: dict[str, Any]) -> State:
    """A new state. Client 100 and user 1 belong to the login; its password is the only known one."""
    state = State(settings)
    _clients(state)
    _users(state, login)
    _pricing(state)
    return state


def _clients(state: State) -> None:
    for number, user, kind in ((100, 1, INDIVIDUAL), (101, 3, COMPANY), (102, 4, INDIVIDUAL)):
        state.clients[number] = _client(number, user, kind)
    state.clients[101]["Company"] = {
        "BranchDictId": 9061,
        "CompanyId": 1,
        "CompanyName": "Example Freight",
        "RegistrationNumber": "000123456",
        "VatId": "5260001246",
    }
    state.cp_history[1] = "first entry"


def _client(number: int, user: int, kind: int) -> Row:
    return {
        "ClientId": number,
        "ClientTypeDictId": kind,
        "DefaultUserId": user,
        "AdditionalEmailForInvoices": None,
        "Addresses": [_address(number)],
        "Balance": "250.75",
        "BranchId": 9062,
        "Commission": "0",
        "Company": None,
        "CreationDate": _START,
        "CurrencyId": 9041,
        "ExternalAccountNumber": None,
        "HasCardPayment": number == 101,
        "HasFreemium": number == 102,
        "IsDeleted": False,
        "Phones": [_phone(number)],
        "ProjectName": f"project {number}",
        "ProjectType": "production",
        "Referrer": None,
        "Salesman": "Sales Desk",
        "Status": "Active",
        "VatId": None,
    }


def _address(number: int) -> Row:
    return {
        "AddressId": number,
        "AddressTypeDictId": MAIN_ADDRESS,
        "City": "Northfield",
        "CountryDictId": 9051,
        "FlatNumber": None,
        "HouseNumber": "7",
        "Street": "Quay",
        "ZipCode": "00-950",
    }


def _phone(number: int) -> Row:
    return {
        "CountryDictId": 9051,
        "IsVerified": True,
        "PhoneId": number,
        "PhoneNumber": f"+4822555{number:04}",
        "PhoneTypeDictId": MAIN_PHONE,
    }


def _users(state: State, login: Login) -> None:
    people: tuple[tuple[int, str, str, str, int, list[int]], ...] = (
        (1, login.username, "Panel", "Owner", 100, sorted(PRIVILEGES)),
        (2, "second.user", "Second", "User", 100, [1, 2]),
        (3, "third.user", "Third", "User", 101, [3, 4]),
        (4, "fourth.user", "Fourth", "User", 102, []),
    )
    for number, name, first, last, client, privileges in people:
        user = {
            "Email": name if "@" in name else f"{name}@example.com",
            "FirstName": first,
            "LastName": last,
            "IsDefault": number != 2,
            "PhoneNumber": f"+4822555{number:04}",
        }
        state.users[number] = {**new_user(number, name, user, client, privileges), "CreationDate": _START}
        state.passwords[number] = digest(login.password) if number == 1 else ""


def _pricing(state: State) -> None:
    for number, name, owner in ((1, "standard", 100), (2, "partner", 100), (3, "old", 101)):
        state.pricelists[number] = {
            "PricelistId": number,
            "Name": name,
            "IsActive": name != "old",
            "OwnerClientId": owner,
            "DateFrom": _START,
            "DateTo": None,
            "Items": [
                {"PricelistItemId": place, "Price": f"{number}.2500", "Service": service}
                for place, service in enumerate(SERVICES, 1)
            ],
        }
    state.client_pricelists.update({100: 1, 101: 1, 102: 2})
