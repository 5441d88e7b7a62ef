# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Warehouses: found by partner, template and data store number, or by number.

Remote operations: docs/service/contract.md, "Catalogue and warehouses". The key is the input of WarehouseExists. It is
not known how a search compares: its rows are compared exactly here, and a warehouse only counts as missing if
WarehouseExists says so too. CreateWarehouse returns nothing: the new one is found by its key.
"""

from __future__ import annotations

import functools
import typing as t

from .._connection.options import SOAP, check_least
from .._connection.task import CREATE_OPTIONS, STATE, ManagedObject, Operation, Params, Result, Task, non_null_options
from .._core.errors import InvalidInput
from .._core.text import is_alike
from .._core.type_aliases import JsonMapping as Values
from .._core.type_aliases import JsonObject
from .._engine.plan import CREATE, UPDATE, Compare, Created, Field, always_sent
from .api import MemberReader, member_advice, read_if_exists, require_single, unreadable_warning
from .attributes import WAREHOUSE_ATTRIBUTES, WAREHOUSE_KEY
from .soap_changes import AnswerlessCreate, incomplete_update
from .soap_resource import SoapResource

WAREHOUSE_OPTIONS = tuple(item.name for item in WAREHOUSE_ATTRIBUTES if item.name != "id")


def key_in_words(key: Values) -> str:
    return ", ".join(f"{name.replace('_', ' ')} {key[name]}" for name in WAREHOUSE_KEY)


class DeclaredWarehouse(SoapResource):
    """A warehouse; a record has the attributes that can be read, and all of the service's ``members``.

    ``unlisted``: the key that was looked for last belongs to a warehouse that no search shows.
    """

    kind = "warehouse"
    key_options = WAREHOUSE_KEY

    def __init__(self, task: Task, params: Params) -> None:
        """Match the members. Raises InvalidInput if number or key of a warehouse cannot be read."""
        super().__init__(task, params)
        self.desired = non_null_options(params, WAREHOUSE_OPTIONS)
        self.unlisted = False
        self._reader = MemberReader(self.api.members("WarehouseItem"), WAREHOUSE_ATTRIBUTES, ("id", *WAREHOUSE_KEY))

    @property
    def fields(self) -> t.Sequence[Field]:
        """The attributes; those that cannot be read back always count as different."""

        def compare(name: str) -> Compare:
            return always_sent if name in self.unreadable_names else functools.partial(self._reader.holds, name)

        return [Field(name, compare(name), on_update=name not in WAREHOUSE_KEY) for name in WAREHOUSE_OPTIONS]

    def find(self, desired: Values) -> JsonObject | None:
        """Return the warehouse, or None. Raises Ambiguous; InvalidInput for a number that does not exist."""
        number = self.params["id"]
        record = self._by_id(number) if number is not None else self._by_key(desired)
        if number is not None and self.absent:
            self.require_same(record, lambda: self._by_key(desired))
        if record is not None:
            self.note_listed(self._note_key(record), record["id"])
        elif number is None:
            record = self.find_noted(self._note_key(desired))
        if record is not None:
            self._note_unreadable(record)
        elif number is not None and not self.absent:
            raise self.missing_error("id", "ID")
        elif number is None and self.absent and self.unlisted:
            self.task.warn(
                f"There is a warehouse with {key_in_words(desired)} according to WarehouseExists, but no search "
                "returns it."
            )
        return record

    def reread(self, current: Values) -> JsonObject | None:
        """Return the warehouse as it is now, or None if it is gone."""
        return self._by_id(current["id"])

    def create(self, values: Values) -> Created:
        """Create the warehouse exactly once."""
        self._check_complete(values)
        what = f"the warehouse with {key_in_words(values)}"
        key = {name: values[name] for name in WAREHOUSE_KEY}
        inputs = {"warehouse_name": values["name"], "queue_capacity": values["queue_length"], **key}
        creation = AnswerlessCreate(
            self,
            what,
            self.kind,
            lambda: self.api.call("CreateWarehouse", **inputs),
            lambda: self._by_key(key),
            lambda: self._check_before_create(key),
        )
        created = self.create_once(self._note_key(key), what, creation)
        self.note_listed(self._note_key(key), created.record["id"])  # only a search can have shown it
        self._note_unreadable(created.record)
        return created

    def update(self, current: Values, changes: Values) -> JsonObject:
        """Change name and queue length, which the service takes together."""
        inputs = {"warehouse_id": current["id"], **self._name_and_queue(current)}
        return self.send_update(current, changes, "UpdateWarehouse", **inputs)

    def delete(self, current: Values) -> None:
        """Remove the warehouse; one that is gone already is no error."""
        self.send_removal(current, "DeleteWarehouse", warehouse_id=current["id"])

    def verify(self, action: str, changes: Values, current: Values | None) -> None:
        """Raise when the service would refuse the plan, or when it cannot be carried out."""
        if action == CREATE:
            self._check_complete(changes)
            self._refuse_unlisted(changes)
        elif current is not None:
            if action == UPDATE:
                self._name_and_queue(current)
            self.require_key(current)

    def _note_unreadable(self, record: Values) -> None:
        self.note_unreadable(record, lambda names: unreadable_warning(self._reader.type_name, names, names[0]))

    def _note_key(self, key: Values) -> tuple[object, ...]:
        return self.note_key(self.kind, *(key[name] for name in WAREHOUSE_KEY))

    def _by_key(self, key: Values) -> JsonObject | None:
        """Return the warehouse with this partner, template and data store number. Raises Ambiguous."""
        key = {name: key[name] for name in WAREHOUSE_KEY}
        members = self.api.members("WarehouseSearchParams")
        criteria = {member: key[name] for name in key for member in [members.find_if_any(name)] if member is not None}
        record = self._matching(key, criteria)
        self.unlisted = record is None and self.api.is_true("WarehouseExists", **key)
        if self.unlisted and criteria:
            record = self._matching(key, {})
            self.unlisted = record is None
        return record

    def _matching(self, key: Values, criteria: JsonObject) -> JsonObject | None:
        records = map(self._record, self.api.search("GetWarehouses", criteria))
        found = [record for record in records if all(str(record.get(name)) == str(key[name]) for name in key)]
        ids = sorted(record["id"] for record in found)
        require_single(ids, f"{len(found)} warehouses have {key_in_words(key)}", "id")
        return found[0] if found else None

    def _by_id(self, number: int) -> JsonObject | None:
        """Return the warehouse with this number, or None."""
        row = read_if_exists(lambda: self.api.record("GetWarehouse", warehouse_id=number))
        if row is None:
            rows = self.api.search("GetWarehouses", {})
            row = next((one for one in rows if self._reader.record(one).get("id") == number), None)
        return None if row is None else self._record(row)

    def _record(self, row: JsonObject) -> JsonObject:
        return {**self._reader.record(row), "members": row}

    def _check_complete(self, values: Values) -> None:
        missing = [name for name in WAREHOUSE_OPTIONS if name not in values]
        if missing:
            raise InvalidInput(f"A new warehouse also requires {', '.join(missing)}.", missing=missing)

    def _check_before_create(self, key: Values) -> None:
        self._refuse_unlisted(key)
        self.known = [record["id"] for record in self.alike()]

    def alike(self) -> list[JsonObject]:
        """Return the warehouses of this partner and template whose data store number may be the one that was sent."""
        *exact, name = WAREHOUSE_KEY

        def may_be_it(record: Values) -> bool:
            same = all(str(record[option]) == str(self.params[option]) for option in exact)
            return same and is_alike(str(self.params[name]), str(record[name]))

        return [record for record in map(self._record, self.api.search("GetWarehouses", {})) if may_be_it(record)]

    def _refuse_unlisted(self, key: Values) -> None:
        """Raise InvalidInput when the warehouse exists although the search does not show it."""
        if self.unlisted:
            raise InvalidInput(
                f"The warehouse with {key_in_words(key)} exists according to WarehouseExists, but GetWarehouses does "
                "not return it.",
                next_step="Run the task again later, or give its ID in id.",
            )

    def _name_and_queue(self, current: Values) -> JsonObject:
        """Return the inputs of UpdateWarehouse: desired values, otherwise current ones."""
        values = {**current, **self.desired}
        missing = [name for name in WAREHOUSE_OPTIONS if name not in WAREHOUSE_KEY and values.get(name) is None]
        if missing:
            raise incomplete_update(missing, member_advice(self._reader.type_name, missing[0]))
        return {"warehouse_name": values["name"], "queue_length": values["queue_length"]}


def check_warehouse(params: Params) -> None:
    """Raise InvalidInput for a length that no queue can have."""
    check_least(params, queue_length=0)


def run(task: Task, params: Params) -> Result:
    check_warehouse(params)
    missing = [name for name in WAREHOUSE_KEY if params[name] is None]
    if params["id"] is None and missing:
        raise InvalidInput(
            f"The warehouse is not identified: give id, or {', '.join(WAREHOUSE_KEY[:-1])} and {WAREHOUSE_KEY[-1]}; "
            f"missing: {', '.join(missing)}.",
            missing=missing,
        )
    return DeclaredWarehouse(task, params).result("warehouse", {"id": None, **dict.fromkeys(WAREHOUSE_OPTIONS)})


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
    check=check_warehouse,
)
