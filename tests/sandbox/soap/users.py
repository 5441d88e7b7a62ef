# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading, creating and changing users, and their privileges (passwords and log-in: logon.py).

Assumptions: login, e-mail and national id are unique among the users; a deleted user is gone; blocking a blocked user
is no error; a user created without a client belongs to the caller's; the default user of a client is the one who was
marked last, and there is none when its mark was taken away.
"""

from __future__ import annotations

from typing import Any

from sandbox.soap import views
from sandbox.soap.constants import PRIVILEGES
from sandbox.soap.faults import INVALID, TAKEN, business
from sandbox.soap.search import agrees, has_text, page, parameters, read, write
from sandbox.soap.state import Inputs, Row, State, digest, now

SETTINGS = {
    "languageId": "LanguageId",
    "timeZoneId": "TimeZoneId",
    "availabilityZone": "AvailabilityZone",
    "dateFormatId": "DateFormatId",
    "is24HourClock": "Is24HourClock",
    "isMarketingInformationSubscriber": "IsMarketingInformationSubscriber",
    "isTechnicalAnnouncementSubscriber": "IsTechnicalAnnouncementSubscriber",
}
"""Inputs of UpdateUserSettings and the members of a user's row that they set."""


def CreateUserWithPrivileges(state: State, given: Inputs) -> int:
    user = given["user"] or {}
    login = given["adLogin"] or ""
    if not login or not given["adPassword"]:
        raise business(INVALID, "a login and a password are needed")
    if state.settings["refuse_duplicate_users"]:
        _refuse_taken(state, login, user)
    _check_privileges(given["privileges"] or [])
    number = state.number("user")
    state.users[number] = new_user(number, login, user, _client_number(state, user), given["privileges"] or [])
    state.passwords[number] = digest(given["adPassword"])
    _mark(state, state.users[number])
    return number


def IsUserNameAlreadyTaken(state: State, given: Inputs) -> bool:
    return any(_same(row["AdLogin"], given["userName"]) for row in _visible(state))


def IsEmailAlreadyTaken(state: State, given: Inputs) -> bool:
    return any(_same(row["Email"], given["email"]) for row in _visible(state))


def IsPhoneNumberExists(state: State, given: Inputs) -> bool:
    return any(_same(row["PhoneNumber"], given["phoneNumber"]) for row in _visible(state))


def IsPeselAlreadyTaken(state: State, given: Inputs) -> bool:
    return any(_same(row["Pesel"], given["pesel"]) for row in _visible(state))


def IsPeselAlreadyTakenByOtherUser(state: State, given: Inputs) -> bool:
    others = (row for row in _visible(state) if row["UserId"] != given["userId"])
    return any(_same(row["Pesel"], given["pesel"]) for row in others)


def VerifyDoesRecommendingExist(state: State, given: Inputs) -> bool:
    return given["recommendingId"] in state.users


def GetUser(state: State, given: Inputs) -> Row | None:
    row = read(state, "user", state.users, given["userId"])
    return None if row is None else views.user(state, row)


def GetUserBySid(state: State, given: Inputs) -> Row | None:
    number = next((row["UserId"] for row in state.users.values() if row["AdSid"] == given["sid"]), 0)
    row = read(state, "user", state.users, number)
    return None if row is None else views.user(state, row)


def GetUsers(state: State, given: Inputs) -> dict[str, Any]:
    params = parameters(given)
    return page(state, params, (views.user_item(row) for row in _visible(state) if _matches(params, row)))


def GetUserPrivileges(state: State, given: Inputs) -> list[Row]:
    row = read(state, "user", state.users, given["userId"])
    return [] if row is None else [views.user_privilege(row, number) for number in row["Privileges"]]


def GetPrivileges(state: State, given: Inputs) -> list[Row]:
    rows = PRIVILEGES.values()
    return [row for row in rows if given["typeDictId"] in {0, row["TypeDictId"]}]


def HasUserPrivileges(state: State, given: Inputs) -> bool:
    row = read(state, "user", state.users, given["userId"])
    return row is not None and set(given["privileges"] or []) <= set(row["Privileges"])


def UpdateUserInfoAndPrivileges(state: State, given: Inputs) -> None:
    row = write("user", state.users, given["userId"])
    _check_privileges(given["privileges"] or [])
    row.update(
        FirstName=given["firstName"],
        LastName=given["lastName"],
        Email=given["emailAddress"],
        PhoneNumber=given["phoneNumber"],
        Pesel=given["pesel"],
        IsDefault=given["isDefault"],
        Privileges=sorted(set(given["privileges"] or [])),
    )
    _mark(state, row)


def UpdateUserSettings(state: State, given: Inputs) -> None:
    row = write("user", state.users, given["userId"])
    for name, member in SETTINGS.items():
        value = given[name]
        if value is None and state.settings["settings_replace"]:
            value = type(row[member])()
        if value is not None:
            row[member] = value


def BlockUser(state: State, given: Inputs) -> None:
    write("user", state.users, given["userId"])["IsBlocked"] = True


def UnblockUser(state: State, given: Inputs) -> None:
    write("user", state.users, given["userId"])["IsBlocked"] = False


def DeleteUsers(state: State, given: Inputs) -> None:
    numbers = given["userIds"] or []
    for number in numbers:
        write("user", state.users, number)
    for number in set(numbers):
        del state.users[number]
        del state.passwords[number]


def new_user(number: int, login: str, user: Row, client: int, privileges: list[int]) -> Row:
    """The row of a user from what a client gave as its ``User`` value."""
    flags = ("Is24HourClock", "IsMarketingInformationSubscriber", "IsTechnicalAnnouncementSubscriber", "IsDefault")
    return {
        "UserId": number,
        "AdLogin": login,
        "AdSid": f"S-1-5-21-1004336348-1177238915-682003330-{number}",
        "AvailabilityZone": user.get("AvailabilityZone") or 0,
        "ClientId": client,
        "CreationDate": now(),
        "DateFormatId": (user.get("DateFormat") or {}).get("DictionaryItemId", 177),
        "IsBlocked": False,
        "LanguageId": (user.get("Language") or {}).get("DictionaryItemId", 2),
        "LastLogonDate": None,
        "Privileges": sorted(set(privileges)),
        "TimeZoneId": (user.get("TimeZone") or {}).get("TimeZoneId", 1),
        **{name: user.get(name, False) for name in flags},
        **{name: user.get(name) for name in ("Email", "FirstName", "LastName", "Pesel", "PhoneNumber")},
    }


def _mark(state: State, row: Row) -> None:
    """Make a user marked as default the only one of its client."""
    client = state.clients[row["ClientId"]]
    if row["IsDefault"]:
        client["DefaultUserId"] = row["UserId"]
        for other in state.users.values():
            other["IsDefault"] = other["IsDefault"] and (other is row or other["ClientId"] != row["ClientId"])
    elif client["DefaultUserId"] == row["UserId"]:
        client["DefaultUserId"] = 0


def _same(one: str | None, other: str | None) -> bool:
    return bool(one) and (one or "").casefold() == (other or "").casefold()


def _visible(state: State) -> list[Row]:
    return [row for row in state.users.values() if state.visible("user", row["UserId"], "users_visibility_delay")]


def _refuse_taken(state: State, login: str, user: Row) -> None:
    for row in state.users.values():
        if _same(row["AdLogin"], login):
            raise business(TAKEN, "the user name is taken")
        for member in ("Email", "Pesel"):
            if _same(row[member], user.get(member)):
                raise business(TAKEN, f"another user has the same {member}")


def _check_privileges(numbers: list[int]) -> None:
    unknown = sorted(set(numbers) - set(PRIVILEGES))
    if unknown:
        raise business(INVALID, f"unknown privileges: {', '.join(map(str, unknown))}")


def _client_number(state: State, user: Row) -> int:
    number = (user.get("Client") or {}).get("ClientId") or state.caller["ClientId"]
    write("client", state.clients, number)
    return int(number)


def _matches(params: Inputs, row: Row) -> bool:
    blocked = params.get("IsBlocked")
    texts = (row["AdLogin"], row["Email"], views.full_name(row))
    return agrees(params, row, "ClientId") and blocked in {None, row["IsBlocked"]} and has_text(params, *texts)
