# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The fixed amount of a client: one for each.

Remote operations: contract/soap-common-fcd.md (GetClientFixedAmount, CreateClientFixedAmount, UpdateClientFixedAmount,
DeleteClientFixedAmount, GetClientFixedAmountHistory). The members of ClientFixedAmount are not known (wire-facts 9.4).
An update replaces the whole amount, so it is read, merged and sent. CreateClientFixedAmount returns nothing, so the new
amount is read back.
"""

from __future__ import annotations

import typing as t

from .._connection.options import SOAP
from .._connection.task import STATE, Operation, Params, Result, Task, given, result_of
from .._core.errors import InvalidInput, ServiceError
from .._engine.create_once import create_once, note_of_create
from .._engine.plan import CREATE, UPDATE, Field
from .._engine.plan import Record as Values
from .._engine.reconcile import Created, reconcile
from .api import CommonFcd, common_fcd
from .confirmed_writes import AnswerlessCreate, confirmed, may_mean_absent, service_origin
from .typed_values import Member, TypedValues

Record = t.Dict[str, t.Any]

TYPE = "ClientFixedAmount"
MEMBERS: dict[str, tuple[str, ...]] = {
    "id": ("ClientFixedAmountId", "FixedAmountId"),
    "client_id": (),
    "amount": ("FixedAmount", "Value"),
    "date_from": ("From", "StartDate", "ValidFrom"),
    "date_to": ("To", "EndDate", "ValidTo"),
    "description": ("Comment",),
}
"""The attributes, and what the member for each may be called besides its own name."""
WANTED = ("amount", "date_from", "date_to", "description")


class FixedAmounts:
    """Fixed amounts as the engine wants them; a record has our attributes, and the rest of ``members``."""

    kind = "fixed amount"

    def __init__(self, task: Task, api: CommonFcd, params: Params) -> None:
        """Check what is wanted against the type of the WSDL. Raises InvalidInput."""
        self._task = task
        self._api = api
        self._typed = TypedValues(api.contract)
        self._client: int = params["client_id"]
        self._grace: float = params["create_grace"]
        members = api.members(TYPE)
        self._keys: dict[str, str | None] = {}
        for name, others in MEMBERS.items():
            key = members.find_if_any(name, *others)
            self._keys[name] = None if key in self._keys.values() else key  # a member holds one attribute
        for name in ("id", "client_id", *given(params, WANTED)):
            members.find(name, *MEMBERS[name])
        self._type = self._typed.inputs("CreateClientFixedAmount")[0]
        self._members = self._typed.members(self._type.type)
        self.wanted = self._checked(params)

    @property
    def fields(self) -> t.Sequence[Field]:
        """The wanted attributes, compared as their types ask for."""
        return [self._field(name, self._members[self._key(name)]) for name in self.wanted]

    def find(self, wanted: Values) -> Record | None:
        """Return the client's fixed amount, or None."""
        del wanted
        row = self._read()
        if row is None:
            return None
        note_of_create(self._task, self.identity()).clear()
        members = {name: key for name, key in self._keys.items() if key is not None}
        members.update({name: name for name in self.wanted if name not in MEMBERS})
        rest = {key: value for key, value in row.items() if key not in members.values()}
        return {**{name: row.get(key) for name, key in members.items()}, "members": rest}

    def create(self, values: Values) -> Created:
        """Make the fixed amount exactly once."""
        amount = self._new(values)
        creation = AnswerlessCreate(
            self._task,
            self.what,
            "amount",
            self._grace,
            lambda: self._api.create_client_fixed_amount(amount),
            lambda: self.find({}),
        )
        return create_once(self._task.once(self._grace), self.identity(), self.what, creation)

    def update(self, current: Values, changes: Values) -> Record:
        """Replace the fixed amount by what it is with the changes."""
        amount = self._merged(current, changes)
        confirmed(lambda: self._api.update_client_fixed_amount(amount), lambda: self._holds(changes))
        return self.find({}) or {**current, **changes}

    def delete(self, current: Values) -> None:
        """Remove the fixed amount; one that is gone already is no error."""
        number = current["id"]
        confirmed(lambda: self._api.delete_client_fixed_amount(number), lambda: self._read() is None, refusals=True)

    def verify(self, action: str, changes: Values, current: Values | None) -> None:
        """Raise InvalidInput when the plan could not be sent."""
        if action == CREATE:
            self._api.checking().create_client_fixed_amount(self._new(changes))
        elif action == UPDATE and current is not None:
            self._api.checking().update_client_fixed_amount(self._merged(current, changes))

    def identity(self) -> tuple[str, ...]:
        """Return what stands for the fixed amount in locks and notes: service, account and client."""
        username = str(self._task.settings["username"])
        return service_origin(self._task), username, "client_fixed_amount", str(self._client)

    @property
    def what(self) -> str:
        """What a person calls this one."""
        return f"the fixed amount of client {self._client}"

    def _read(self) -> Record | None:
        """Return what the service has. A fault says that there is none where the client never had one."""
        try:
            return self._api.get_client_fixed_amount(self._client)
        except ServiceError as problem:
            if not may_mean_absent(problem) or self._api.get_client_fixed_amount_history(self._client):
                raise
            return None

    def _checked(self, params: Params) -> Record:
        """Return what is wanted by attribute, members of ``fields`` by their own keys."""
        checked = self._typed.checked(self._type, params["fields"] or {}, "fields")
        known = {key: name for name, key in self._keys.items() if key is not None}
        wanted = {known.get(key, key): value for key, value in checked.items()}
        for name, value in given(params, WANTED).items():
            if name in wanted:
                raise InvalidInput(f"fields: {name} is given twice.", option="fields")
            wanted[name] = self._typed.checked(self._members[self._key(name)], value, name)
        for name in ("id", "client_id"):
            if name in wanted:
                raise InvalidInput(f"fields: {name} is not to be changed.", option="fields")
        return wanted

    def _key(self, name: str) -> str:
        """Return the member behind an attribute."""
        return self._keys.get(name) or name

    def _field(self, name: str, member: Member) -> Field:
        return Field(
            name,
            lambda wanted, current: self._typed.holds(member, wanted, current),
            merge=lambda current, wanted: self._typed.merged(member, current, wanted),
        )

    def _merged(self, current: Values, changes: Values) -> Record:
        """Return the whole amount to be sent."""
        laid = {
            name: self._typed.merged(self._members[self._key(name)], current.get(name), value)
            for name, value in changes.items()
        }
        known = {name: value for name, value in current.items() if name != "members"}
        return self._sendable({**current.get("members", {}), **known, **laid})

    def _sendable(self, values: Values) -> Record:
        amount = {self._key(name): value for name, value in values.items()}
        return t.cast("Record", self._typed.sendable(self._type, amount))

    def _new(self, values: Values) -> Record:
        """Return the whole of a new amount to be sent. Raises InvalidInput for one that lacks something."""
        if "amount" not in values:
            raise InvalidInput(f"{self.what[0].upper()}{self.what[1:]} is a new one: it needs amount.", option="amount")
        return self._sendable({**values, "client_id": self._client})

    def _holds(self, changes: Values) -> bool:
        record = self.find({})
        return record is not None and all(
            self._typed.holds(self._members[self._key(name)], value, record.get(name))
            for name, value in changes.items()
        )


def run(task: Task, params: Params) -> Result:
    """Bring the fixed amount to its state."""
    resource = FixedAmounts(task, common_fcd(task), params)
    outcome = reconcile(resource, resource.wanted, params["state"], check_mode=task.check_mode)
    for side in (outcome.before, outcome.after):
        side.pop("members", None)
    blank = {**dict.fromkeys(MEMBERS), "client_id": params["client_id"], "members": {}}
    record = outcome.record and {**blank, **outcome.record}
    return {**result_of("client_fixed_amount", outcome), "client_fixed_amount": record}


OPERATION = Operation(
    "client_fixed_amount",
    (SOAP,),
    {
        "client_id": {"type": "int", "required": True},
        **{name: {"type": "str"} for name in WANTED},
        "fields": {"type": "dict"},
        **STATE,
        "create_grace": {"type": "float", "default": 30.0},
    },
    run,
)
