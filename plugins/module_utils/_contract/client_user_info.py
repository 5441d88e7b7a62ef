# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Users of clients, read only (contract/soap-common-fcd.md, "Users and credentials")."""

from __future__ import annotations

import typing as t

from .._core.errors import InvalidInput
from .client_user_record import ATTRIBUTES, SETTINGS, UserReader, privilege_numbers, privileges_of, shown_user
from .members import MemberReader
from .subjects import ReadContext, Row, Subject, subject_reader

UNIQUE = ("user_name", "email", "pesel", "phone_number")


def _user(asked: ReadContext, users: list[Row]) -> list[Row]:
    return _records(asked, lambda reading, user: reading.record(user, None), users)


def _row(asked: ReadContext, rows: list[Row]) -> list[Row]:
    return _records(asked, lambda reading, row: reading.record(None, row), rows)


def _records(asked: ReadContext, record: t.Callable[[UserReader, Row], Row], rows: list[Row]) -> list[Row]:
    """Return users in the shape of the module client_user, laid over all that the service sent."""
    api = asked.api
    user = MemberReader(api.members("User"), (*ATTRIBUTES, *SETTINGS))
    reading = UserReader(user, MemberReader(api.members("UserResultItem"), ATTRIBUTES))
    found: list[Row] = []
    for row in rows:
        one = record(reading, row)
        if "privileges" in (asked.params["include"] or []):
            one["privileges"] = privileges_of(api, _number(reading, one))
        told = shown_user(one) or {}
        found.append({**row, **{name: value for name, value in told.items() if value is not None or name not in row}})
    return found


def _number(reading: UserReader, user: Row) -> int:
    if "id" not in user:
        reading.user.needed("id")
    number: int = user["id"]
    return number


def _taken(asked: ReadContext) -> dict[str, bool]:
    """Return for each thing that users may not share whether somebody has it."""
    api, params = asked.api, asked.params
    asked.task.redactor.add(params["pesel"])
    questions: dict[str, t.Callable[[], bool]] = {
        "user_name": lambda: api.is_user_name_already_taken(params["user_name"]),
        "email": lambda: api.is_email_already_taken(params["email"]),
        "pesel": lambda: _pesel_taken(asked),
        "phone_number": lambda: api.is_phone_number_exists(params["phone_number"]),
    }
    found = {name: questions[name]() for name in UNIQUE if params[name] is not None}
    if found:
        return found
    raise InvalidInput(f"The subject taken needs one of {', '.join(UNIQUE)}, or several.", option=UNIQUE[0])


def _pesel_taken(asked: ReadContext) -> bool:
    pesel, user = asked.params["pesel"], asked.params["user_id"]
    if user is None:
        return asked.api.is_pesel_already_taken(pesel)
    return asked.api.is_pesel_already_taken_by_other_user(pesel, user)


def _has_privileges(asked: ReadContext) -> bool:
    wanted = privilege_numbers(asked.api, asked.params["privileges"], asked.params["privilege_type_id"])
    return asked.api.call("HasUserPrivileges", user_id=asked.params["user_id"], privileges=wanted) is True


_ONE = ("user_id",)

OPERATION = subject_reader(
    "client_user_info",
    {
        "one": Subject.needing("GetUser", *_ONE, also=("include",), rows="User", finish=_user, key="users"),
        "by_sid": Subject.needing("GetUserBySid", "sid", also=("include",), rows="User", finish=_user, key="users"),
        "all": Subject(
            "GetUsers",
            ("client_id", "is_blocked"),
            also=("include",),
            searched=True,
            rows="UserResultItem",
            finish=_row,
            key="users",
        ),
        "taken": Subject(_taken, also=(*UNIQUE, "user_id")),
        "has_privileges": Subject(
            _has_privileges, needs=("user_id", "privileges"), also=("user_id", "privileges", "privilege_type_id")
        ),
    },
    {
        "user_id": {"type": "int", "aliases": ["id"]},
        "sid": {"type": "str"},
        "client_id": {"type": "int"},
        "is_blocked": {"type": "bool"},
        "include": {"type": "list", "elements": "str", "choices": ["privileges"]},
        "user_name": {"type": "str", "aliases": ["login"]},
        "email": {"type": "str", "aliases": ["email_address"]},
        "pesel": {"type": "str", "aliases": ["national_id"], "no_log": True},
        "phone_number": {"type": "str"},
        "privileges": {"type": "list", "elements": "str"},
        "privilege_type_id": {"type": "int"},
    },
)
