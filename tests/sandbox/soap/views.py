# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows of users and clients in the form of messages."""

from __future__ import annotations

from sandbox.soap.codec import DERIVED
from sandbox.soap.constants import PRIVILEGES, TIME_ZONES, dictionary_item
from sandbox.soap.state import Row, State

_USER_MEMBERS = [
    "UserId",
    "AdLogin",
    "AdSid",
    "AvailabilityZone",
    "CreationDate",
    "Email",
    "FirstName",
    "Is24HourClock",
    "IsBlocked",
    "IsDefault",
    "IsMarketingInformationSubscriber",
    "IsTechnicalAnnouncementSubscriber",
    "LastLogonDate",
    "LastName",
    "Pesel",
    "PhoneNumber",
]
_ITEM_MEMBERS = [
    "UserId",
    "AdLogin",
    "ClientId",
    "Email",
    "FirstName",
    "IsBlocked",
    "LastLogonDate",
    "LastName",
    "PhoneNumber",
]
_CLIENT_MEMBERS = [
    "ClientId",
    "AdditionalEmailForInvoices",
    "Addresses",
    "Balance",
    "ClientTypeDictId",
    "Commission",
    "Company",
    "CreationDate",
    "ExternalAccountNumber",
    "IsDeleted",
    "Phones",
    "ProjectName",
    "ProjectType",
    "Referrer",
    "Status",
    "VatId",
]


def full_name(row: Row) -> str | None:
    """First and last name of a user."""
    return " ".join(filter(None, (row["FirstName"], row["LastName"]))) or None


def user(state: State, row: Row) -> Row:
    """The ``User`` type, with the user's client (which has no default user unless ``rich_answers`` is set)."""
    owner = state.clients.get(row["ClientId"])
    rich = state.settings["rich_answers"]
    return {**_user(row), "Client": None if owner is None else client(state, owner, with_user=rich)}


def user_simple(state: State, row: Row) -> Row:
    """The ``UserSimple`` type; with ``rich_answers`` the derived ``User``."""
    if state.settings["rich_answers"]:
        return {**_user(row), DERIVED: "User"}
    return plain_user(row)


def plain_user(row: Row) -> Row:
    """The ``UserSimple`` type itself."""
    return {"UserId": row["UserId"], "Email": row["Email"], "FullName": full_name(row)}


def user_item(row: Row) -> Row:
    """The ``UserResultItem`` type."""
    return {**{name: row[name] for name in _ITEM_MEMBERS}, "FullName": full_name(row)}


def user_privilege(row: Row, number: int) -> Row:
    """The ``UserPrivilege`` type."""
    return {
        "Privilege": PRIVILEGES[number],
        "PrivilegeId": number,
        "UserId": row["UserId"],
        "UserPrivilegeId": row["UserId"] * 100 + number,
    }


def client(state: State, row: Row, *, with_user: bool = True) -> Row:
    """The ``Client`` type; its default user has no client."""
    default = state.users.get(row["DefaultUserId"]) if with_user else None
    return {
        **{name: row[name] for name in _CLIENT_MEMBERS},
        "Branch": dictionary_item(row["BranchId"]),
        "Currency": dictionary_item(row["CurrencyId"]),
        "DefaultUser": None if default is None else _user(default),
    }


def client_name(state: State, row: Row) -> str | None:
    """The company's name, or that of the default user."""
    if row["Company"]:
        return str(row["Company"]["CompanyName"])
    default = state.users.get(row["DefaultUserId"])
    return None if default is None else full_name(default)


def client_item(state: State, row: Row) -> Row:
    """The ``ClientResultItem`` type."""
    members = ("ClientId", "CreationDate", "IsDeleted", "Status", "VatId")
    return {**{name: row[name] for name in members}, "Name": client_name(state, row)}


def _user(row: Row) -> Row:
    return {
        **{name: row[name] for name in _USER_MEMBERS},
        "Currency": dictionary_item(9041),
        "DateFormat": dictionary_item(row["DateFormatId"]),
        "FullName": full_name(row),
        "Language": dictionary_item(row["LanguageId"]),
        "TimeZone": TIME_ZONES.get(row["TimeZoneId"]),
    }
