# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Users and warehouses as they will be after the earlier tasks of a run in check mode, which only promise them."""

from __future__ import annotations

import typing as t

from .._connection.check_mode_promises import is_promised
from .._core.text import number_in
from .attributes import PRIVILEGE_OF_USER, USER_ATTRIBUTES, USER_SETTINGS, WAREHOUSE_ATTRIBUTES, Attribute

if t.TYPE_CHECKING:
    from .._connection.check_mode_promises import Promises
    from .._connection.task import Task
    from .api import CommonFcd, Record, SoapCall

KeysOfRow = t.Dict[str, str]
"""The key that a row of the service has for each of our attributes."""


class PromisedRead(t.NamedTuple):
    """What an operation reads: the kind of object, the type of its rows, and the input with the number of one."""

    kind: str
    type_name: str
    attributes: t.Sequence[Attribute]
    number: str = ""


READS = {
    "GetUsers": PromisedRead("client_user", "UserResultItem", USER_ATTRIBUTES),
    "GetUser": PromisedRead("client_user", "User", (*USER_ATTRIBUTES, *USER_SETTINGS), "user_id"),
    "GetUserBySid": PromisedRead("client_user", "User", (*USER_ATTRIBUTES, *USER_SETTINGS), "sid"),
    "GetWarehouses": PromisedRead("warehouse", "WarehouseItem", WAREHOUSE_ATTRIBUTES),
    "GetWarehouse": PromisedRead("warehouse", "WarehouseItem", WAREHOUSE_ATTRIBUTES, "warehouse_id"),
}


QUESTIONS = {
    **dict.fromkeys(("IsUserNameAlreadyTaken", "IsEmailAlreadyTaken"), "GetUser"),
    **dict.fromkeys(("IsPeselAlreadyTaken", "IsPeselAlreadyTakenByOtherUser"), "GetUser"),
    "WarehouseExists": "GetWarehouse",
}
"""Operations that ask whether there is an object with some attributes, and what reads such an object."""


class PlannedRecords:
    """Calls in check mode; what the service has is read through ``api``."""

    def __init__(self, task: Task, promises: Promises, api: CommonFcd) -> None:
        self._task = task
        self._promises = promises
        self._call = api.caller
        self._members = api.members

    def call(self, call: SoapCall) -> t.Any:
        """Return what the service would answer."""
        if call.operation in QUESTIONS:
            return self._is_true(call)
        if call.operation == "GetUserPrivileges":
            return self._privileges(call)
        read = READS.get(call.operation)
        if read is None:
            return self._call(call)
        return self._rows(read, call) if call.paged else self._record(read, call)

    def _rows(self, read: PromisedRead, call: SoapCall) -> list[Record]:
        """Return the rows of a paged search; what is promised fits criteria that it does not tell otherwise."""
        keys, rows = self._keys(read), []
        promised = self._promises.of(self._task, read.kind)
        for row in self._call(call):
            record = promised.get(row.get(keys["id"]), {})
            if record is not None:
                rows.append({**row, **_row(keys, record)})
        new = [{**_blank(keys), **_row(keys, one)} for one in self._promises.promised(self._task, read.kind)]
        return [*rows, *(row for row in new if all(_fits(row.get(name), given) for name, given in call.values.items()))]

    def _record(self, read: PromisedRead, call: SoapCall) -> Record | None:
        """Return one object; None when there is none."""
        keys, promised = self._keys(read), self._promises.of(self._task, read.kind)
        number = number_in(str(call.values.get(read.number)))
        found: Record | None = None if is_promised(number) else self._call(call)
        record = promised.get(number if found is None else found.get(keys["id"]), {})
        if not record:
            return None if record is None else found
        return {**(found or _blank(keys)), **_row(keys, record)}

    def _privileges(self, call: SoapCall) -> list[Record]:
        user = call.values.get("user_id")
        record = self._promises.of(self._task, "client_user").get(user) or {}
        privileges = record.get("privileges")  # a list where they are known
        if not isinstance(privileges, list):
            found: list[Record] = [] if is_promised(user) else self._call(call)
            return found
        key = self._members("UserPrivilege").find(PRIVILEGE_OF_USER.name, *PRIVILEGE_OF_USER.members)
        return [{key: number} for number in privileges]

    def _is_true(self, call: SoapCall) -> bool:
        """Return the answer to a question. What would be removed is not asked about."""
        values, read = call.values, READS[QUESTIONS[call.operation]]
        asked = {name: value for name, value in values.items() if name != read.number}
        others = dict(self._promises.of(self._task, read.kind))
        others.pop(values.get(read.number), None)
        if any(_has(record, asked) for record in others.values()):
            return True
        return self._call(call) is True and not self._was_removed(call, others, asked)

    def _was_removed(self, call: SoapCall, others: t.Mapping[object, Record | None], asked: Record) -> bool:
        """Return whether something that would be removed has these attributes, as far as the service tells them."""
        operation = QUESTIONS[call.operation]
        read = READS[operation]
        keys = self._keys(read)
        for number in [number for number, record in others.items() if record is None and not is_promised(number)]:
            row = self._call(call._replace(operation=operation, values={read.number: number}))
            if _has(row, {keys[name]: value for name, value in asked.items() if name in keys}):
                return True
        return False

    def _keys(self, read: PromisedRead) -> KeysOfRow:
        """Return the key that rows have for each attribute that the type has a member for."""
        members = self._members(read.type_name)
        found = {item.name: members.find_if_any(item.name, *item.members) for item in read.attributes}
        return {name: key for name, key in found.items() if key is not None}


def _blank(keys: KeysOfRow) -> Record:
    """Return a row of an object of which nothing is known: what is a mark is not set."""
    return {key: False if name.startswith("is_") else None for name, key in keys.items()}


def _row(keys: KeysOfRow, record: Record) -> Record:
    """Return a record as a row of the service, as far as its type has members for it."""
    values = {**record, **(record.get("settings") or {})}
    return {key: values[name] for name, key in keys.items() if name in values}


def _fits(value: object, given: object) -> bool:
    return value is None or str(value) == str(given)


def _has(record: Record | None, asked: t.Mapping[str, object]) -> bool:
    """Return whether an object has all that is asked about; what is not told may be."""
    return record is not None and all(_fits(record.get(name), value) for name, value in asked.items())
