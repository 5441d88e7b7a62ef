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
from .._connection.task import (
    CREATE_OPTIONS,
    STATE,
    ManagedObject,
    Operation,
    Params,
    Result,
    Task,
    non_null_options,
    result_of,
)
from .._core.errors import Ambiguous, InvalidInput, confirm_write, reading_back
from .._engine.create_once import note_of_create
from .._engine.plan import CREATE, UPDATE, Created, Field, reconcile, same, write_only
from .._engine.plan import Record as Values
from .api import CommonFcd, MemberReader, Record, common_fcd, member_advice, not_compared, read_or_listed, would_be_lost
from .attributes import WAREHOUSE_ATTRIBUTES, WAREHOUSE_KEY
from .soap_resource import AnswerlessCreate, confirmed_removal, identity_in_contract

NAMES = tuple(item.name for item in WAREHOUSE_ATTRIBUTES if item.name != "id")
CHANGEABLE = tuple(name for name in NAMES if name not in WAREHOUSE_KEY)


def key_in_words(key: Values) -> str:
    """Return the key in words."""
    return ", ".join(f"{name.replace('_', ' ')} {key[name]}" for name in WAREHOUSE_KEY)


class Warehouses:
    """Warehouses as the engine wants them; a record has the attributes that can be read, and ``members``: all of it.

    ``unseen`` says that the key looked for last belongs to a warehouse that no search shows.
    """

    kind = "warehouse"

    def __init__(self, task: Task, api: CommonFcd, params: Params) -> None:
        """Match the members. Raises InvalidInput when number or key of a warehouse cannot be read."""
        self._task = task
        self._api = api
        self._params = params
        self._desired = non_null_options(params, NAMES)
        self._reader = MemberReader(api.members("WarehouseItem"), WAREHOUSE_ATTRIBUTES, ("id", *WAREHOUSE_KEY))
        self._blind: list[str] = []
        self.unseen = False

    @property
    def fields(self) -> t.Sequence[Field]:
        """The attributes; one that cannot be read back never counts as different."""
        return [
            Field(name, write_only if name in self._blind else same, on_update=name not in WAREHOUSE_KEY)
            for name in NAMES
        ]

    def find(self, desired: Values) -> Record | None:
        """Return the warehouse, or None. Raises Ambiguous; InvalidInput for a number that is not there."""
        number, absent = self._params["id"], self._params["state"] == "absent"
        record = self._by_key(desired) if number is None else self._by_id(number)
        if record is not None:
            note_of_create(self._task, self._identity(record)).clear()
            self._tell_blind(record)
        elif number is not None and not absent:
            raise InvalidInput(
                f"There is no warehouse with the ID {number}.",
                next_step="Check the ID; omit it to create a new warehouse.",
                option="id",
            )
        elif number is None and absent and self.unseen:
            self._task.warn(
                f"There is a warehouse with {key_in_words(desired)} according to WarehouseExists, but no search "
                "returns it."
            )
        return record

    def create(self, values: Values) -> Created:
        """Make the warehouse exactly once."""
        from .._engine.create_once import create_once  # most tasks create nothing

        self._check_complete(values)
        what = f"the warehouse with {key_in_words(values)}"
        key = {name: values[name] for name in WAREHOUSE_KEY}
        inputs = {"warehouse_name": values["name"], "queue_capacity": values["queue_length"], **key}
        grace: float = self._params["create_grace"]
        creation = AnswerlessCreate(
            self._task,
            what,
            self.kind,
            grace,
            lambda: self._api.call("CreateWarehouse", **inputs),
            lambda: self._by_key(key),
            lambda: self._refuse_unseen(what),
        )
        once = self._task.create_settings(grace, force=self._params["force_create"])
        created = create_once(once, self._identity(key), what, creation)
        self._tell_blind(created.record)
        return created

    def update(self, current: Values, changes: Values) -> Record:
        """Change name and queue length, which the service takes together."""
        both, number = self._both(current), current["id"]
        inputs = {"warehouse_name": both["name"], "queue_length": both["queue_length"]}

        def done() -> bool:
            record = self._by_id(number)
            return record is not None and all(name in record and record[name] == changes[name] for name in changes)

        confirm_write(lambda: self._api.call("UpdateWarehouse", warehouse_id=number, **inputs), done)
        with reading_back():
            return self._by_id(number) or {**current, **changes}

    def delete(self, current: Values) -> None:
        """Remove the warehouse; one that is gone already is no error."""
        number = current["id"]
        confirmed_removal(self._api, "DeleteWarehouse", lambda: self._by_id(number) is None, warehouse_id=number)

    def verify(self, action: str, changes: Values, current: Values | None) -> None:
        """Raise when the service would refuse the plan, or when it cannot be carried out."""
        if action == CREATE:
            self._check_complete(changes)
            self._refuse_unseen(f"the warehouse with {key_in_words(changes)}")
        elif action == UPDATE and current is not None:
            self._both(current)

    def _identity(self, key: Values) -> tuple[object, ...]:
        return identity_in_contract(self._task, self.kind, *(key[name] for name in WAREHOUSE_KEY))

    def _by_key(self, key: Values) -> Record | None:
        """Return the warehouse with this partner, template and data store number. Raises Ambiguous."""
        members = self._api.members("WarehouseSearchParams")
        found = {name: members.find_if_any(name) for name in WAREHOUSE_KEY}
        criteria = {member: key[name] for name, member in found.items() if member is not None}
        record = self._matching(key, criteria)
        self.unseen = record is None and self._api.is_true(
            "WarehouseExists", **{name: key[name] for name in WAREHOUSE_KEY}
        )
        if self.unseen and criteria:
            record = self._matching(key, {})
            self.unseen = record is None
        return record

    def _matching(self, key: Values, criteria: Record) -> Record | None:
        records = [self._record(row) for row in self._api.search("GetWarehouses", criteria)]
        found = [record for record in records if all(str(record.get(name)) == str(key[name]) for name in WAREHOUSE_KEY)]
        if len(found) > 1:
            ids = sorted(record["id"] for record in found)
            raise Ambiguous(
                f"{len(found)} warehouses have {key_in_words(key)}: {', '.join(map(str, ids))}.",
                next_step="Say which one is meant with id.",
                ids=ids,
            )
        return found[0] if found else None

    def _by_id(self, number: int) -> Record | None:
        """Return the warehouse with this number, or None."""

        def listed() -> Record | None:
            rows = self._api.search("GetWarehouses", {})
            return next((row for row in rows if self._reader.record(row).get("id") == number), None)

        row = read_or_listed(lambda: self._api.record("GetWarehouse", warehouse_id=number), listed)
        return None if row is None else self._record(row)

    def _record(self, row: Record) -> Record:
        return {**self._reader.record(row), "members": row}

    def _refuse_unseen(self, what: str) -> None:
        """Raise InvalidInput when the warehouse exists although the search does not show it."""
        if self.unseen:
            raise InvalidInput(
                f"{what[0].upper()}{what[1:]} exists according to WarehouseExists, but GetWarehouses does not return "
                "it.",
                next_step="Run the task again later, or give its ID in id.",
            )

    def _tell_blind(self, record: Values) -> None:
        self._blind = [name for name in self._desired if name not in record]
        if self._blind and self._params["state"] == "present":
            self._task.warn(not_compared(self._reader.type_name, self._blind, self._blind[0]))

    def _check_complete(self, values: Values) -> None:
        missing = [name for name in NAMES if name not in values]
        if missing:
            raise InvalidInput(f"A new warehouse also requires {', '.join(missing)}.", missing=missing)

    def _both(self, current: Values) -> Record:
        """Return what UpdateWarehouse takes: as desired, else as it is."""
        both = {**current, **self._desired}
        missing = [name for name in CHANGEABLE if name not in both]
        if missing:
            raise would_be_lost(missing, member_advice(self._reader.type_name, missing[0]))
        return both


def run(task: Task, params: Params) -> Result:
    """Bring the warehouse to its state."""
    missing = [name for name in WAREHOUSE_KEY if params[name] is None]
    if params["id"] is None and missing:
        raise InvalidInput(
            f"The warehouse is not identified: give id, or {', '.join(WAREHOUSE_KEY[:-1])} and {WAREHOUSE_KEY[-1]}; "
            f"missing: {', '.join(missing)}.",
            missing=missing,
        )
    resource = Warehouses(task, common_fcd(task), params)
    outcome = reconcile(
        resource,
        non_null_options(params, NAMES),
        params["state"],
        check_mode=task.check_mode,
        expects_new=task.expects_new,
    )
    for side in (outcome.before, outcome.after):
        side.pop("members", None)  # all of it is there by our own names
    record = outcome.record and {"id": None, **dict.fromkeys(NAMES), **outcome.record}
    return {**result_of("warehouse", outcome), "warehouse": record}


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
        **CREATE_OPTIONS,
    },
    run,
    manages=ManagedObject("warehouse", "warehouse"),
)
