# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Users and warehouses as they will be after the earlier tasks of a run in check mode, which only promise them."""

from __future__ import annotations

import typing as t

from .._connection.check_mode_promises import PromisesOver, is_promised
from .._core.text import number_in
from .attributes import PRIVILEGE_OF_USER, USER_ATTRIBUTES, USER_SETTINGS, WAREHOUSE_ATTRIBUTES, Attribute

if t.TYPE_CHECKING:
    from .api import CommonFcd, Members, Record

    _Interface = CommonFcd
else:
    _Interface = object  # the interface itself imports this


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


class ContractToBe(PromisesOver, _Interface):
    """The CommonFcd interface in check mode."""

    def search(self, operation: str, criteria: t.Mapping[str, object], limit: int | None = None) -> list[Record]:
        """Return the rows of a paged search; what is promised fits criteria that it does not tell otherwise."""
        found = super().search(operation, criteria, limit)
        read = READS.get(operation)
        if read is None:
            return found
        keys, rows = self._keys(read), []
        promised = self._promises.of(self._task, read.kind)
        for row in found:
            record = promised.get(row.get(keys["id"]), {})
            if record is not None:
                rows.append({**row, **_row(keys, record)})
        new = [{**_blank(keys), **_row(keys, one)} for one in self._promises.promised(self._task, read.kind)]
        return [*rows, *(row for row in new if all(_fits(row.get(name), given) for name, given in criteria.items()))]

    def record(self, operation: str, **values: t.Any) -> Record | None:
        """Call an operation that returns one object; None when there is none."""
        read = READS.get(operation)
        if read is None:
            return super().record(operation, **values)
        keys, promised = self._keys(read), self._promises.of(self._task, read.kind)
        number = number_in(str(values.get(read.number)))
        found = None if is_promised(number) else super().record(operation, **values)
        record = promised.get(number if found is None else found.get(keys["id"]), {})
        if not record:
            return None if record is None else found
        return {**(found or _blank(keys)), **_row(keys, record)}

    def records(self, operation: str, **values: t.Any) -> list[Record]:
        """Call an operation that returns a list."""
        record = self._promises.of(self._task, "client_user").get(values.get("user_id")) or {}
        privileges = record.get("privileges")  # a list where they are known
        if operation != "GetUserPrivileges" or not isinstance(privileges, list):
            return [] if is_promised(values.get("user_id")) else super().records(operation, **values)
        key = self.members("UserPrivilege").find(PRIVILEGE_OF_USER.name, *PRIVILEGE_OF_USER.members)
        return [{key: number} for number in privileges]

    def is_true(self, operation: str, **values: object) -> bool:
        """Call an operation that answers a question; null is no. What would be removed is not asked about."""
        if operation not in QUESTIONS:
            return super().is_true(operation, **values)
        read = READS[QUESTIONS[operation]]
        asked = {name: value for name, value in values.items() if name != read.number}
        others = dict(self._promises.of(self._task, read.kind))
        others.pop(values.get(read.number), None)
        if any(_has(record, asked) for record in others.values()):
            return True
        return super().is_true(operation, **values) and not self._was_removed(operation, others, asked)

    def _was_removed(self, operation: str, others: t.Mapping[object, Record | None], asked: Record) -> bool:
        """Return whether something that would be removed has these attributes, as far as the service tells them."""
        read = READS[QUESTIONS[operation]]
        keys = self._keys(read)
        for number in [number for number, record in others.items() if record is None and not is_promised(number)]:
            row = super().record(QUESTIONS[operation], **{read.number: number})
            if _has(row, {keys[name]: value for name, value in asked.items() if name in keys}):
                return True
        return False

    def _keys(self, read: PromisedRead) -> KeysOfRow:
        """Return the key that rows have for each attribute that the type has a member for."""
        members: Members = self.members(read.type_name)
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
