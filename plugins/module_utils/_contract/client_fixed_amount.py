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
from urllib.parse import urlsplit

from .._core.errors import CannotDetermine, FcdError, InvalidInput, ServiceError, Unusable, WaitTimeout
from .._engine.converge import Created, converge
from .._engine.fields import Field
from .._engine.fields import Record as Values
from .._engine.journal import Intent
from .._engine.plan import CREATE, UPDATE
from .._engine.waiting import wait_until
from .._session.operation import STATE, Operation, Params, Result, given, result_of
from .._session.options import SOAP
from .._session.task import Task
from .api import CommonFcd, common_fcd
from .confirmed_writes import FAULT_STATUSES, PLAIN, confirmed, note_of_create
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
        keys = {key: name for name, key in self._keys.items() if key is not None}
        further = [name for name in self.wanted if name not in MEMBERS]
        record = {name: row.get(key) for key, name in keys.items()}
        record.update({name: row.get(name) for name in further})
        return {**record, "members": {key: row[key] for key in row if key not in keys and key not in further}}

    def create(self, values: Values) -> Created:
        """Make the fixed amount exactly once."""
        from .._engine.create_once import create_once

        self._check_complete(values)
        amount = self._sendable({**values, "client_id": self._client})
        creation = FixedAmountCreation(self._task, self, amount, self._grace)
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
            self._check_complete(changes)
            amount = self._sendable({**changes, "client_id": self._client})
            self._api.checking().create_client_fixed_amount(amount)
        elif action == UPDATE and current is not None:
            amount = self._merged(current, changes)
            self._api.checking().update_client_fixed_amount(amount)

    def send(self, amount: Record) -> None:
        """Send a new fixed amount."""
        self._api.create_client_fixed_amount(amount)

    def identity(self) -> tuple[str, ...]:
        """Return what stands for the fixed amount in locks and notes: service, account and client."""
        parts = urlsplit(self._task.settings["soap_url"])
        where = f"{parts.scheme}://{parts.netloc}"
        return where, str(self._task.settings["username"]), "client_fixed_amount", str(self._client)

    @property
    def what(self) -> str:
        """What a person calls this one."""
        return f"the fixed amount of client {self._client}"

    def _read(self) -> Record | None:
        """Return what the service has. A fault says that there is none where the client never had one."""
        try:
            return self._api.get_client_fixed_amount(self._client)
        except ServiceError as problem:
            if isinstance(problem, (*PLAIN, Unusable)) or problem.status not in FAULT_STATUSES:
                raise
            if self._api.get_client_fixed_amount_history(self._client):
                raise
            return None

    def _checked(self, params: Params) -> Record:
        """Return what is wanted by attribute, members of ``fields`` by their own keys."""
        checked = self._typed.checked(self._type, params["fields"] or {}, "fields") or {}
        known = {key: name for name, key in self._keys.items() if key is not None}
        wanted = {known.get(key, key): value for key, value in checked.items()}
        for name, value in given(params, WANTED).items():
            if name in wanted:
                raise InvalidInput(f"fields: {name} is given twice.", option="fields")
            wanted[name] = self._typed.checked(self._members[self._key(name)], value, name)
        fixed = [name for name in ("id", "client_id") if name in wanted]
        if fixed:
            raise InvalidInput(f"fields: {fixed[0]} is not to be changed.", option="fields")
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

    def _check_complete(self, values: Values) -> None:
        if "amount" not in values:
            raise InvalidInput(f"{self.what[0].upper()}{self.what[1:]} is a new one: it needs amount.", option="amount")

    def _holds(self, changes: Values) -> bool:
        record = self.find({})
        return record is not None and all(
            self._typed.holds(self._members[self._key(name)], value, record.get(name))
            for name, value in changes.items()
        )


DAY = 86400.0  # seconds


class FixedAmountCreation:
    """One create. ``grace`` is how long, in seconds, the new amount may stay invisible."""

    def __init__(self, task: Task, amounts: FixedAmounts, amount: Record, grace: float) -> None:
        self._task = task
        self._amounts = amounts
        self._amount = amount
        self._grace = grace
        self._accepted: float | None = None  # when an earlier run had a good answer, in seconds since the epoch

    def find(self) -> Record | None:
        """Return the fixed amount, if the client has one."""
        return self._amounts.find({})

    def resume(self, facts: t.Mapping[str, t.Any]) -> Record | None:
        """Return the fixed amount that an earlier run has made."""
        self._accepted = float(facts["time"]) if facts.get("accepted") else None
        return self.find()

    def verify(self) -> None:
        """Raise when a second amount would be made, although the service shows none."""
        if self._accepted is not None and self._task.clock.now() - self._accepted < DAY:
            raise CannotDetermine(
                f"An earlier run has made {self._amounts.what}, and the service does not show it yet.",
                next_step="Run the task again later, with a larger create_grace. "
                "If the service has not shown it after a day, the task makes another one.",
            )

    def send(self, intent: Intent) -> Record:
        """Send the create and wait until the service shows the fixed amount."""
        self._amounts.send(self._amount)
        intent.add(accepted=True)
        limit = self._task.deadline.within(self._grace, "wait for the new fixed amount")
        what = self._amounts.what
        try:
            return t.cast(
                "Record", wait_until(self.find, lambda found: found is not None, limit, what=what, longest=2.0)
            )
        except FcdError as problem:
            why = (
                f"it did not show within {self._grace:g} s"
                if isinstance(problem, WaitTimeout)
                else f"it could not be read back: {problem.message}"
            )
            raise CannotDetermine(
                f"The service accepted the create of {what}, but {why}.",
                next_step="Run the task again later; it looks for the amount before it makes another one.",
                cause=type(problem).__name__,
            ) from problem


def run(task: Task, params: Params) -> Result:
    """Bring the fixed amount to its state."""
    resource = FixedAmounts(task, common_fcd(task), params)
    outcome = converge(resource, resource.wanted, params["state"], check_mode=task.check_mode)
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
