# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Users and warehouses as they will be after the earlier tasks of a run in check mode, which only plan them."""

from __future__ import annotations

import typing as t

from .._connection.check_mode_state import PlannedObjects, is_planned
from .._connection.task import Task
from .._core.text import number_in
from .._core.type_aliases import JsonObject
from .api import CommonFcd, SoapCall
from .attributes import PRIVILEGE_OF_USER, USER_ATTRIBUTES, USER_SETTINGS, WAREHOUSE_ATTRIBUTES, Attribute

KeysOfRow = t.Dict[str, str]
"""The key in the service's rows, by attribute."""


class PlannedRead(t.NamedTuple):
    """What an operation reads: the kind of object, the type of its rows, and the input that selects one by number."""

    kind: str
    type_name: str
    attributes: t.Sequence[Attribute]
    number: str = ""


PLANNED_READS = {
    "GetUsers": PlannedRead("client_user", "UserResultItem", USER_ATTRIBUTES),
    "GetUser": PlannedRead("client_user", "User", (*USER_ATTRIBUTES, *USER_SETTINGS), "user_id"),
    "GetUserBySid": PlannedRead("client_user", "User", (*USER_ATTRIBUTES, *USER_SETTINGS), "sid"),
    "GetWarehouses": PlannedRead("warehouse", "WarehouseItem", WAREHOUSE_ATTRIBUTES),
    "GetWarehouse": PlannedRead("warehouse", "WarehouseItem", WAREHOUSE_ATTRIBUTES, "warehouse_id"),
}


QUESTIONS = {
    **dict.fromkeys(("IsUserNameAlreadyTaken", "IsEmailAlreadyTaken"), "GetUser"),
    **dict.fromkeys(("IsPeselAlreadyTaken", "IsPeselAlreadyTakenByOtherUser"), "GetUser"),
    "WarehouseExists": "GetWarehouse",
}
"""Operations that ask whether an object with certain attributes exists, and the operation that reads it."""


class CheckModeContract:
    """Calls in check mode; what the service has is read through ``api``."""

    def __init__(self, task: Task, planned_objects: PlannedObjects, api: CommonFcd) -> None:
        self._task = task
        self._planned_objects = planned_objects
        self._call = api.caller
        self._members = api.members

    def call(self, call: SoapCall) -> t.Any:
        """Return what the service would answer."""
        if call.operation in QUESTIONS:
            return self._is_true(call)
        if call.operation == "GetUserPrivileges":
            return self._privileges(call)
        read = PLANNED_READS.get(call.operation)
        if read is None:
            return self._call(call)
        return self._rows(read, call) if call.paged else self._record(read, call)

    def _rows(self, read: PlannedRead, call: SoapCall) -> list[JsonObject]:
        """Return the rows of a paged search; a planned object matches criteria on attributes that it does not have."""
        keys, rows = self._keys(read), []
        planned = self._planned_objects.of(self._task, read.kind)
        for row in self._call(call):
            record = planned.get(row.get(keys["id"]), {})
            if record is not None:
                rows.append({**row, **_row(keys, record)})
        new = [{**_blank(keys), **_row(keys, one)} for one in self._planned_objects.planned(self._task, read.kind)]
        return [*rows, *(row for row in new if all(_fits(row.get(name), given) for name, given in call.values.items()))]

    def _record(self, read: PlannedRead, call: SoapCall) -> JsonObject | None:
        """Return one object; None when there is none."""
        keys, planned = self._keys(read), self._planned_objects.of(self._task, read.kind)
        number = number_in(str(call.values.get(read.number)))
        found: JsonObject | None = None if is_planned(number) else self._call(call)
        record = planned.get(number if found is None else found.get(keys["id"]), {})
        if not record:
            return None if record is None else found
        return {**(found or _blank(keys)), **_row(keys, record)}

    def _privileges(self, call: SoapCall) -> list[JsonObject]:
        user = call.values.get("user_id")
        record = self._planned_objects.of(self._task, "client_user").get(user) or {}
        privileges = record.get("privileges")  # a list where they are known
        if not isinstance(privileges, list):
            found: list[JsonObject] = [] if is_planned(user) else self._call(call)
            return found
        key = self._members("UserPrivilege").find(PRIVILEGE_OF_USER.name, *PRIVILEGE_OF_USER.members)
        return [{key: number} for number in privileges]

    def _is_true(self, call: SoapCall) -> bool:
        """Return the answer to a question. What would be removed is not asked about."""
        values, read = call.values, PLANNED_READS[QUESTIONS[call.operation]]
        asked = {name: value for name, value in values.items() if name != read.number}
        others = dict(self._planned_objects.of(self._task, read.kind))
        others.pop(values.get(read.number), None)
        if any(_has(record, asked) for record in others.values()):
            return True
        return self._call(call) is True and not self._was_removed(call, others, asked)

    def _was_removed(self, call: SoapCall, others: t.Mapping[object, JsonObject | None], asked: JsonObject) -> bool:
        """Return whether an object that would be removed has these attributes, as far as the service returns them."""
        operation = QUESTIONS[call.operation]
        read = PLANNED_READS[operation]
        keys = self._keys(read)
        for number in [number for number, record in others.items() if record is None and not is_planned(number)]:
            row = self._call(call._replace(operation=operation, values={read.number: number}))
            if _has(row, {keys[name]: value for name, value in asked.items() if name in keys}):
                return True
        return False

    def _keys(self, read: PlannedRead) -> KeysOfRow:
        """Return the key that rows have for each attribute that the type has a member for."""
        members = self._members(read.type_name)
        found = {item.name: members.find_if_any(item.name, *item.members) for item in read.attributes}
        return {name: key for name, key in found.items() if key is not None}


def _blank(keys: KeysOfRow) -> JsonObject:
    """Return a row of an object of which nothing is known: flags are not set."""
    return {key: False if name.startswith("is_") else None for name, key in keys.items()}


def _row(keys: KeysOfRow, record: JsonObject) -> JsonObject:
    """Return a record as a row of the service, as far as its type has members for it."""
    values = {**record, **(record.get("settings") or {})}
    return {key: values[name] for name, key in keys.items() if name in values}


def _fits(value: object, given: object) -> bool:
    return value is None or str(value) == str(given)


def _has(record: JsonObject | None, asked: t.Mapping[str, object]) -> bool:
    """Return whether an object has the attributes; those that are unknown count as equal."""
    return record is not None and all(_fits(record.get(name), value) for name, value in asked.items())
