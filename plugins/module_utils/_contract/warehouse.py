# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Warehouses: found by partner, template and data store number, or by number.

Remote operations: contract/soap-common-fcd.md (CreateWarehouse, WarehouseExists, GetWarehouses, GetWarehouse,
UpdateWarehouse, DeleteWarehouse). The key is what WarehouseExists takes. What a search makes of its members is not
known (wire-facts 9.2): its rows are compared exactly here, and before a warehouse counts as not there, WarehouseExists
has said so too. CreateWarehouse returns nothing: the new one is found by its key.
"""

from __future__ import annotations

import typing as t

from .._connection.options import SOAP
from .._connection.task import STATE, Operation, Params, Result, Task, given, result_of
from .._core.errors import Ambiguous, InvalidInput
from .._engine.create_once import create_once, note_of_create
from .._engine.plan import CREATE, UPDATE, Field, Record, never
from .._engine.reconcile import Created, reconcile
from .api import CommonFcd, common_fcd
from .confirmed_writes import AnswerlessCreate, confirmed, read_or_listed, service_origin
from .members import Attribute, MemberReader, member_advice, not_compared
from .subjects import ReadContext, Row, Subject, subject_reader

KEY = ("partner_id", "template_id", "data_store_number")
ATTRIBUTES = (
    Attribute("id", ("WarehouseId",)),
    Attribute("name", ("WarehouseName",)),
    Attribute("partner_id", ("Partner",), ("partner_id", "client_id", "id")),
    Attribute("template_id", ("Template",), ("template_id", "id")),
    Attribute("data_store_number", ("DataStore",), ("data_store_number", "number")),
    Attribute("queue_length", ("QueueCapacity", "Queue"), ("length", "queue_length")),
)


class WarehouseSearch:
    """Finds warehouses; a record has the attributes that can be read, and ``members``: all that the service sent.

    ``unseen`` says that the key looked for last belongs to a warehouse that no search shows.
    """

    def __init__(self, api: CommonFcd) -> None:
        """Match the members. Raises InvalidInput when number or key of a warehouse cannot be read."""
        self._api = api
        self._reader = MemberReader(api.members("WarehouseItem"), ATTRIBUTES)
        self._reader.needed("id", *KEY)
        self.type_name = self._reader.type_name
        self.unseen = False

    def by_key(self, key: t.Mapping[str, t.Any]) -> Row | None:
        """Return the warehouse with this partner, template and data store number. Raises Ambiguous."""
        criteria = self._criteria(key)
        found = self._matching(key, criteria)
        self.unseen = found is None and self._api.warehouse_exists(**{name: key[name] for name in KEY})
        if self.unseen and criteria:
            found = self._matching(key, {})
            self.unseen = found is None
        return found

    def _matching(self, key: t.Mapping[str, t.Any], criteria: Row) -> Row | None:
        records = [self._record(row) for row in self._api.get_warehouses(**criteria)]
        found = [record for record in records if all(str(record.get(name)) == str(key[name]) for name in KEY)]
        if len(found) > 1:
            ids = sorted(record["id"] for record in found)
            raise Ambiguous(
                f"{len(found)} warehouses have {key_in_words(key)}: {', '.join(map(str, ids))}.",
                next_step="Say which one is meant with id.",
                ids=ids,
            )
        return found[0] if found else None

    def by_id(self, number: int) -> Row | None:
        """Return the warehouse with this number, or None."""
        row = read_or_listed(lambda: self._api.get_warehouse(number), lambda: self._listed(number))
        return None if row is None else self._record(row)

    def _listed(self, number: int) -> Row | None:
        rows = self._api.get_warehouses()
        return next((row for row in rows if self._reader.record(row).get("id") == number), None)

    def _criteria(self, key: t.Mapping[str, t.Any]) -> Row:
        """Return as much of the key as the search takes."""
        members = self._api.members("WarehouseSearchParams")
        found = {name: members.find_if_any(name) for name in KEY}
        return {member: key[name] for name, member in found.items() if member is not None}

    def _record(self, row: Row) -> Row:
        return {**self._reader.record(row), "members": row}


def key_in_words(key: t.Mapping[str, t.Any]) -> str:
    """Return the key in words."""
    return ", ".join(f"{name.replace('_', ' ')} {key[name]}" for name in KEY)


def warehouse_identity(task: Task, key: t.Mapping[str, t.Any]) -> tuple[object, ...]:
    """Return what stands for a warehouse in locks and notes: service, account and key."""
    return (service_origin(task), task.settings["username"], "warehouse", *(key[name] for name in KEY))


NAMES = tuple(item.name for item in ATTRIBUTES if item.name != "id")
FIELDS = tuple(Field(name, on_update=name not in KEY) for name in NAMES)
CHANGEABLE = tuple(name for name in NAMES if name not in KEY)


class Warehouses:
    """Warehouses as the engine wants them."""

    kind = "warehouse"

    def __init__(self, task: Task, api: CommonFcd, params: Params) -> None:
        self._task = task
        self._api = api
        self._params = params
        self._wanted = given(params, NAMES)
        self._search = WarehouseSearch(api)
        self._blind: list[str] = []

    @property
    def fields(self) -> t.Sequence[Field]:
        """The attributes; one that cannot be read back never counts as different."""
        return [item._replace(compare=never) if item.name in self._blind else item for item in FIELDS]

    def find(self, wanted: Record) -> dict[str, t.Any] | None:
        """Return the warehouse, or None. Raises Ambiguous; InvalidInput for a number that is not there."""
        number = self._params["id"]
        record = self._by_key(wanted) if number is None else self._by_number(number)
        if record is not None:
            note_of_create(self._task, warehouse_identity(self._task, record)).clear()
            self._tell_blind(record)
        return record

    def create(self, values: Record) -> Created:
        """Make the warehouse exactly once."""
        self._check_complete(values)
        what = f"the warehouse with {key_in_words(values)}"
        key = {name: values[name] for name in KEY}
        inputs = {"warehouse_name": values["name"], "queue_capacity": values["queue_length"], **key}
        grace: float = self._params["create_grace"]
        creation = AnswerlessCreate(
            self._task,
            what,
            "warehouse",
            grace,
            lambda: self._api.create_warehouse(**inputs),
            lambda: self._search.by_key(key),
            lambda: self._refuse_unseen(what),
        )
        created = create_once(self._task.once(grace), warehouse_identity(self._task, key), what, creation)
        self._tell_blind(created.record)
        return created

    def update(self, current: Record, changes: Record) -> dict[str, t.Any]:
        """Change name and queue length, which the service takes together."""
        both = self._both(current)
        number = current["id"]
        confirmed(
            lambda: self._api.update_warehouse(number, both["name"], both["queue_length"]),
            lambda: self._holds(number, changes),
        )
        return self._search.by_id(number) or {**current, **changes}

    def delete(self, current: Record) -> None:
        """Remove the warehouse; one that is gone already is no error."""
        number = current["id"]
        confirmed(lambda: self._api.delete_warehouse(number), lambda: self._search.by_id(number) is None, refusals=True)

    def verify(self, action: str, changes: Record, current: Record | None) -> None:
        """Raise when the service would refuse the plan, or when it cannot be carried out."""
        if action == CREATE:
            self._check_complete(changes)
            self._refuse_unseen(f"the warehouse with {key_in_words(changes)}")
        elif action == UPDATE and current is not None:
            self._both(current)

    def _refuse_unseen(self, what: str) -> None:
        """Raise InvalidInput when the warehouse exists although the search does not show it."""
        if self._search.unseen:
            raise InvalidInput(
                f"{what[0].upper()}{what[1:]} exists (WarehouseExists says), but GetWarehouses does not show it.",
                next_step="Run the task again later, or give its number in id.",
            )

    def _by_key(self, wanted: Record) -> dict[str, t.Any] | None:
        record = self._search.by_key(wanted)
        if self._search.unseen and self._params["state"] == "absent":
            self._task.warn(
                f"There is a warehouse with {key_in_words(wanted)} (WarehouseExists says) that no search shows."
            )
        return record

    def _by_number(self, number: int) -> dict[str, t.Any] | None:
        record = self._search.by_id(number)
        if record is None and self._params["state"] == "present":
            raise InvalidInput(
                f"There is no warehouse with the number {number}.",
                next_step="Check the number; leave it out to have a new warehouse made.",
                option="id",
            )
        return record

    def _tell_blind(self, record: Record) -> None:
        self._blind = [name for name in self._wanted if name not in record]
        if self._blind and self._params["state"] == "present":
            self._task.warn(not_compared(self._search.type_name, self._blind, self._blind[0]))

    def _check_complete(self, values: Record) -> None:
        missing = [name for name in NAMES if name not in values]
        if missing:
            raise InvalidInput(f"A new warehouse needs {', '.join(missing)} too.", missing=missing)

    def _both(self, current: Record) -> dict[str, t.Any]:
        """Return what UpdateWarehouse takes: as wanted, else as it is."""
        both = {**current, **self._wanted}
        missing = [name for name in CHANGEABLE if name not in both]
        if missing:
            raise InvalidInput(
                f"UpdateWarehouse sets name and queue length together, and the service does not tell the present "
                f"{', '.join(missing)}.",
                next_step=f"Give {', '.join(missing)}, or name the member in "
                f"{member_advice(self._search.type_name, missing[0])}.",
                missing=missing,
            )
        return both

    def _holds(self, number: int, changes: Record) -> bool:
        record = self._search.by_id(number)
        return record is not None and all(name in record and record[name] == changes[name] for name in changes)


def run(task: Task, params: Params) -> Result:
    """Bring the warehouse to its state."""
    _check(params)
    resource = Warehouses(task, common_fcd(task), params)
    outcome = reconcile(resource, given(params, NAMES), params["state"], check_mode=task.check_mode)
    for side in (outcome.before, outcome.after):
        side.pop("members", None)  # all of it is there by our own names
    record = outcome.record and {"id": None, **dict.fromkeys(NAMES), **outcome.record}
    return {**result_of("warehouse", outcome), "warehouse": record}


def _check(params: Params) -> None:
    missing = [name for name in KEY if params[name] is None]
    if params["id"] is None and missing:
        raise InvalidInput(
            f"Which warehouse is meant is not said: give id, or {', '.join(KEY[:-1])} and {KEY[-1]}; missing: "
            f"{', '.join(missing)}.",
            missing=missing,
        )


OPERATION = Operation(
    "warehouse",
    (SOAP,),
    {
        "id": {"type": "int", "aliases": ["warehouse_id"]},
        "name": {"type": "str", "aliases": ["warehouse_name"]},
        "partner_id": {"type": "int"},
        "template_id": {"type": "int"},
        "data_store_number": {"type": "str"},
        "queue_length": {"type": "int", "aliases": ["queue_capacity"]},
        **STATE,
        "create_grace": {"type": "float", "default": 30.0},
    },
    run,
)


ROW = "WarehouseItem"


def _reader_rows(asked: ReadContext, rows: list[Row]) -> list[Row]:
    """Return warehouses in the shape of the module warehouse."""
    reading = MemberReader(asked.api.members(ROW), ATTRIBUTES)
    blank = dict.fromkeys(item.name for item in ATTRIBUTES)
    return [{**blank, **reading.record(row), "members": row} for row in rows]


WAREHOUSE_INFO = subject_reader(
    "warehouse_info",
    {
        "one": Subject.needing("GetWarehouse", "warehouse_id", rows=ROW, finish=_reader_rows, key="warehouses"),
        "all": Subject("GetWarehouses", KEY, searched=True, rows=ROW, finish=_reader_rows, key="warehouses"),
        "exists": Subject.needing("WarehouseExists", *KEY, named=True),
    },
    {
        "warehouse_id": {"type": "int", "aliases": ["id"]},
        "partner_id": {"type": "int"},
        "template_id": {"type": "int"},
        "data_store_number": {"type": "str"},
    },
)
