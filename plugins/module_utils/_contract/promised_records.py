# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Users and warehouses as they will be after the earlier tasks of a run in check mode, which only promise them."""

from __future__ import annotations

import typing as t

from .._connection.check_mode_promises import Promises, is_promised
from .._core.text import number_in
from .attributes import USER_ATTRIBUTES, USER_SETTINGS, WAREHOUSE_ATTRIBUTES, WAREHOUSE_KEY, Attribute

if t.TYPE_CHECKING:
    from .._connection.task import Task
    from .api import CommonFcd, Members, Record

    _Interface = CommonFcd
else:
    _Interface = object  # the interface itself imports this


Keys = t.Dict[str, str]


class PromisedRead(t.NamedTuple):
    """Where objects of a kind are read: the type of what comes, and the input with the number of one."""

    kind: str
    type_name: str
    attributes: t.Sequence[Attribute]
    number: str = ""


SOURCES = {
    "GetUsers": PromisedRead("client_user", "UserResultItem", USER_ATTRIBUTES),
    "GetUser": PromisedRead("client_user", "User", (*USER_ATTRIBUTES, *USER_SETTINGS), "user_id"),
    "GetUserBySid": PromisedRead("client_user", "User", (*USER_ATTRIBUTES, *USER_SETTINGS), "sid"),
    "GetWarehouses": PromisedRead("warehouse", "WarehouseItem", WAREHOUSE_ATTRIBUTES),
    "GetWarehouse": PromisedRead("warehouse", "WarehouseItem", WAREHOUSE_ATTRIBUTES, "warehouse_id"),
}
PRIVILEGE = Attribute("privilege_id", ("Privilege",), ("privilege_id", "id"))


class ContractToBe(_Interface):
    """What the CommonFcd interface in check mode has before all else: what is promised, over what is there."""

    _promises: Promises
    _task: Task

    @classmethod
    def over(cls, api: CommonFcd, task: Task, promises: Promises) -> CommonFcd:
        """Return an interface with the same connection."""
        kind = type(cls.__name__, (cls, type(api)), {})
        to_be: t.Any = object.__new__(kind)
        vars(to_be).update(vars(api), _promises=promises, _task=task)
        return t.cast("CommonFcd", to_be)

    def search(self, operation: str, criteria: t.Mapping[str, t.Any], limit: int | None = None) -> list[Record]:
        """Return the rows of a paged search; what is promised fits criteria that it does not tell otherwise."""
        found = super().search(operation, criteria, limit)
        source = SOURCES.get(operation)
        if source is None:
            return found
        keys, rows = self._keys(source), []
        promised = self._promises.of(self._task, source.kind)
        for row in found:
            record = promised.get(row.get(keys["id"]), {})
            if record is not None:
                rows.append({**row, **_row(keys, record)})
        new = [{**_blank(keys), **_row(keys, one)} for one in self._promises.promised(self._task, source.kind)]
        return [*rows, *(row for row in new if all(_fits(row.get(name), given) for name, given in criteria.items()))]

    def record(self, operation: str, **values: t.Any) -> Record | None:
        """Call an operation that returns one object; None when there is none."""
        source = SOURCES.get(operation)
        promised = self._promises.of(self._task, source.kind) if source else {}
        number = number_in(str(values.get(source.number))) if source else None
        if source is None or number not in promised:
            return super().record(operation, **values)
        record = promised[number]
        if record is None:
            return None
        keys = self._keys(source)
        found = _blank(keys) if is_promised(number) else super().record(operation, **values)
        return {**(found or {}), **_row(keys, record)}

    def records(self, operation: str, **values: t.Any) -> list[Record]:
        """Call an operation that returns a list."""
        record = self._promises.of(self._task, "client_user").get(values.get("user_id"))
        if operation != "GetUserPrivileges" or record is None or "privileges" not in record:
            return [] if is_promised(values.get("user_id")) else super().records(operation, **values)
        key = self.members("UserPrivilege").find(PRIVILEGE.name, *PRIVILEGE.members)
        return [{key: number} for number in record["privileges"]]

    def is_true(self, operation: str, **values: t.Any) -> bool:
        """Call an operation that answers a question; null is no."""
        kinds = {
            "IsUserNameAlreadyTaken": ("client_user", ["user_name"]),
            "WarehouseExists": ("warehouse", list(WAREHOUSE_KEY)),
        }
        kind, names = kinds.get(operation, ("", []))
        new = self._promises.promised(self._task, kind) if kind else []
        if any(all(str(record.get(name)) == str(values.get(name)) for name in names) for record in new):
            return True
        return super().is_true(operation, **values)

    def _keys(self, source: PromisedRead) -> Keys:
        """Return the key that rows have for each attribute that the type has a member for."""
        members: Members = self.members(source.type_name)
        found = {item.name: members.find_if_any(item.name, *item.members) for item in source.attributes}
        return {name: key for name, key in found.items() if key is not None}


def _blank(keys: Keys) -> Record:
    """Return a row of an object of which nothing is known: what is a mark is not set."""
    return {key: False if name.startswith("is_") else None for name, key in keys.items()}


def _row(keys: Keys, record: Record) -> Record:
    """Return a record as a row of the service, as far as its type has members for it."""
    values = {**record, **(record.get("settings") or {})}
    return {key: values[name] for name, key in keys.items() if name in values}


def _fits(value: t.Any, given: t.Any) -> bool:
    return value is None or str(value) == str(given)
