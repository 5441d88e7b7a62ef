# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Users of clients, read only (contract/soap-common-fcd.md, "Users and credentials")."""

from __future__ import annotations

import typing as t

from .._connection.task import given
from .._core.errors import InvalidInput
from .client_user_record import UserReader, privilege_numbers, privileges_of, shown_user
from .subjects import INT, TEXT, ReadContext, Row, Rows, Subject, subject_reader

QUESTIONS = {
    "user_name": "IsUserNameAlreadyTaken",
    "email": "IsEmailAlreadyTaken",
    "pesel": "IsPeselAlreadyTaken",
    "phone_number": "IsPhoneNumberExists",
}
"""What users may not share, and the operation that tells whether somebody has it."""
USERS = Rows("User", key="users")
USER_ROWS = Rows("UserResultItem", key="users")
INCLUDE = ("include",)


def _users(asked: ReadContext, found: list[Row]) -> list[Row]:
    return _records(asked, found, lambda reader, user: reader.record(user, None))


def _user_rows(asked: ReadContext, found: list[Row]) -> list[Row]:
    return _records(asked, found, lambda reader, row: reader.record(None, row))


def _records(asked: ReadContext, found: list[Row], record: t.Callable[[UserReader, Row], Row]) -> list[Row]:
    """Return users in the shape of the module client_user, laid over all that the service sent."""
    api, records = asked.api, []
    reader = UserReader(api)
    for row in found:
        one = record(reader, row)
        if "privileges" in (asked.params["include"] or []):
            if "id" not in one:
                reader.user.needed("id")
            one["privileges"] = privileges_of(api, one["id"])
        told = shown_user(one) or {}
        records.append({**row, **{name: value for name, value in told.items() if value is not None or name not in row}})
    return records


def _taken(asked: ReadContext) -> dict[str, bool]:
    """Return for each thing that users may not share whether somebody has it."""
    params = asked.params
    asked.task.redactor.add(params["pesel"])
    found: dict[str, bool] = {}
    for name in given(params, QUESTIONS):
        operation, inputs = QUESTIONS[name], {name: params[name]}
        if name == "pesel" and params["user_id"] is not None:
            operation, inputs = "IsPeselAlreadyTakenByOtherUser", {**inputs, "user_id": params["user_id"]}
        found[name] = asked.api.is_true(operation, **inputs)
    if found:
        return found
    raise InvalidInput(
        f"The subject taken requires at least one of {', '.join(QUESTIONS)}.", option=next(iter(QUESTIONS))
    )


def _has_privileges(asked: ReadContext) -> bool:
    desired = privilege_numbers(asked.api, asked.params["privileges"], asked.params["privilege_type_id"])
    return asked.api.is_true("HasUserPrivileges", user_id=asked.params["user_id"], privileges=desired)


OPERATION = subject_reader(
    "client_user_info",
    {
        "one": Subject.single("GetUser", "user_id", also=INCLUDE, rows=USERS, finish=_users),
        "by_sid": Subject.single("GetUserBySid", "sid", also=INCLUDE, rows=USERS, finish=_users),
        "all": Subject(
            "GetUsers", ("client_id", "is_blocked"), also=INCLUDE, rows=USER_ROWS, searched=True, finish=_user_rows
        ),
        "taken": Subject(_taken, also=(*QUESTIONS, "user_id")),
        "has_privileges": Subject(
            _has_privileges, needs=("user_id", "privileges"), also=("user_id", "privileges", "privilege_type_id")
        ),
    },
    {
        "user_id": {"type": "int", "aliases": ["id"]},
        "sid": TEXT,
        "client_id": INT,
        "is_blocked": {"type": "bool"},
        "include": {"type": "list", "elements": "str", "choices": ["privileges"]},
        "user_name": {"type": "str", "aliases": ["login"]},
        "email": {"type": "str", "aliases": ["email_address"]},
        "pesel": {"type": "str", "aliases": ["national_id"], "no_log": True},
        "phone_number": TEXT,
        "privileges": {"type": "list", "elements": "str"},
        "privilege_type_id": INT,
    },
)
