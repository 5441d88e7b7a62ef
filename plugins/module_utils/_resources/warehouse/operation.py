# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Warehouses: found by partner, template and data store number, or by number.

Remote operations: contract/soap-common-fcd.md (CreateWarehouse, WarehouseExists, GetWarehouses, GetWarehouse,
UpdateWarehouse, DeleteWarehouse). What only a change needs is imported by the functions that change.
"""

from __future__ import annotations

import typing as t

from ..._api.common_fcd import CommonFcd
from ..._core.errors import InvalidInput
from ..._engine.converge import Created, converge
from ..._engine.fields import Field, Record, never
from ..._engine.journal import note_of_create
from ..._engine.plan import CREATE, UPDATE
from ..._session.common_fcd import common_fcd
from ..._session.operation import STATE, Operation, Params, Result, given, result_of
from ..._session.options import SOAP
from ..._session.task import Task
from ..confirmation import confirmed
from .search import ATTRIBUTES, KEY, WarehouseSearch, identity, said

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
            note_of_create(self._task, identity(self._task, record)).clear()
            self._tell_blind(record)
        return record

    def create(self, values: Record) -> Created:
        """Make the warehouse exactly once."""
        from .creation import WarehouseCreation

        self._check_complete(values)
        creation = WarehouseCreation(self._task, self._api, self._search, values, self._params["create_grace"])
        created = creation.once()
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
            from .creation import WarehouseCreation

            self._check_complete(changes)
            WarehouseCreation(self._task, self._api, self._search, changes, 0.0).verify()
        elif action == UPDATE and current is not None:
            self._both(current)

    def _by_key(self, wanted: Record) -> dict[str, t.Any] | None:
        record = self._search.by_key(wanted)
        if self._search.unseen and self._params["state"] == "absent":
            self._task.warn(f"There is a warehouse with {said(wanted)} (WarehouseExists says) that no search shows.")
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
            self._task.warn(
                f"These cannot be compared, since the service's type {self._search.type_name} has no member for them: "
                f"{', '.join(self._blind)}. If it has, name it in soap_member_map "
                f'({{"{self._search.type_name}.{self._blind[0]}": ...}}).'
            )

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
                next_step=f"Give {', '.join(missing)}, or name the member in soap_member_map "
                f'({{"{self._search.type_name}.{missing[0]}": ...}}).',
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
    outcome = converge(resource, given(params, NAMES), params["state"], check_mode=task.check_mode)
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
