# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Users of clients, with their settings and privileges."""

from __future__ import annotations

import typing as t
from collections import Counter

from ..._contract.client_user_record import ATTRIBUTES, SETTINGS, UserReader, privileges_of
from ..._contract.members import MemberReader
from .account import Account, Record
from .found import CONCEALED, HOW, WAITING, Found, Table

TABLE = Table(
    "client_users",
    ("user_name", "id"),
    (
        "client_id",
        "state",
        "first_name",
        "last_name",
        "email",
        "phone_number",
        "is_default",
        "privileges",
        "settings",
    ),
    withheld={"user_password": CONCEALED, "pesel": CONCEALED},
    of_tasks={
        "sid": "the login or the number stands for it",
        "update_password": HOW,
        "privilege_type_id": "privileges are told by their numbers",
        "create_grace": WAITING["create_grace"],
    },
)
TEXTS = ("first_name", "last_name", "email", "phone_number")


def users(account: Account) -> Found:
    """Return the users. Raises InvalidInput when the WSDL does not tell their numbers."""
    found, api = Found(TABLE), account.soap
    row_reader = MemberReader(api.members("UserResultItem"), ATTRIBUTES)
    row_reader.needed("id")
    reader = UserReader(MemberReader(api.members("User"), (*ATTRIBUTES, *SETTINGS)), row_reader)
    rows = {row_reader.record(row)["id"]: row for row in api.get_users()}

    def read(number: int) -> Record | None:
        user = api.get_user(number)
        if user is None:
            return None
        return {**reader.record(user, rows[number]), "id": number, "privileges": privileges_of(api, number)}

    read_users = [record for record in account.each(sorted(rows), read) if record is not None]
    counts = Counter(record.get("user_name") for record in read_users)
    for record in sorted(read_users, key=lambda one: (str(one.get("user_name") or ""), one["id"])):
        login = record.get("user_name")
        if account.wanted(TABLE.kind, login or ""):
            unique = login and counts[login] == 1 and not account.holds_secret(login)
            _take_in(account, found, record, {"user_name": login} if unique else {"id": record["id"]})
    return found


def _take_in(account: Account, found: Found, record: Record, identity: Record) -> None:
    name = record.get("user_name") or record["id"]
    if "user_name" not in identity and record.get("user_name"):
        found.leave(name, f"others have the same login; it is declared by id {record['id']}", "user_name")
    told = {
        "client_id": record.get("client_id") or None,
        "state": "blocked" if record.get("is_blocked") and not _own(account, record) else None,
        **{option: record.get(option) or None for option in TEXTS},
        "is_default": True if record.get("is_default") else None,
        "privileges": [str(number) for number in record["privileges"]] or None,
        "settings": _settings(record),
    }
    found.add({**identity, **told})


def _own(account: Account, record: Record) -> bool:
    """Whether it is the user that logs in, whom no entry may have blocked."""
    from ..._contract.client_user import same_login

    return bool(same_login(record.get("user_name"), account.task.settings["username"]))


def _settings(record: Record) -> dict[str, t.Any] | None:
    """Return the settings that can be declared: numbers, and truth values of those that are such."""
    found = {}
    for item in SETTINGS:
        value = record["settings"].get(item.name)
        if isinstance(value, bool if item.name.startswith("is_") else int):
            found[item.name] = value
    return found or None
