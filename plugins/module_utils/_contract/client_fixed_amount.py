# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The fixed amount of a client: one for each.

Remote operations: docs/service/contract.md, "Pricing and billing". The members of ClientFixedAmount are not known.
An update replaces the whole amount, so it is read, merged and sent. CreateClientFixedAmount returns nothing, so the new
amount is read back.

GetClientFixedAmount only ever shows one amount. A second one, made by a request that was delivered twice, only appears
in the history, which may also keep removed ones. So the numbers in the history are noted before a create and compared
after it, for a while also by later tasks. If the history cannot be read, a second amount goes unnoticed. And if the
history has numbers that were not there before the last create or removal, the amount may only not be shown yet.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import functools
import typing as t

from .._connection.options import SOAP
from .._connection.task import CREATE_OPTIONS, STATE, Operation, Params, Result, Task, non_null_options
from .._core.clock import wait_until
from .._core.errors import Ambiguous, InvalidInput, ServiceError, WaitTimeout
from .._core.type_aliases import JsonMapping as Values
from .._core.type_aliases import JsonObject
from .._engine.create_once import NO_EFFECT, create_note, has_create_note
from .._engine.plan import CREATE, DELETE, Created, Field, always_sent
from .._soap.codec import missing_in
from .api import may_mean_absent, member_advice, require_clients, unreadable_warning
from .attributes import FIXED_AMOUNT_ATTRIBUTES
from .soap_changes import AnswerlessCreate, incomplete_update
from .soap_resource import SoapResource
from .typed_values import Member, TypedValues

FIXED_AMOUNT_TYPE = "ClientFixedAmount"
FIXED_AMOUNT_MEMBERS = {item.name: () if item.inner else item.members for item in FIXED_AMOUNT_ATTRIBUTES}
"""The attributes with other possible names of their members; members that may hold an object have none."""
DECLARABLE = ("amount", "date_from", "date_to", "description")
DUPLICATE_PERIOD = 600.0  # seconds after a create in which a second delivery of it is looked for


class DeclaredFixedAmount(SoapResource):
    """The fixed amount of a client; a record has our attributes, and the rest of ``members``."""

    kind = "fixed amount"

    def __init__(self, task: Task, params: Params) -> None:
        """Check what is desired against the type of the WSDL. Raises InvalidInput."""
        super().__init__(task, params)
        self._client: int = params["client_id"]
        self._what = f"the fixed amount of client {self._client}"
        self._note_key = self.note_key("client_fixed_amount", self._client)
        self._before = create_note(task, (*self._note_key, "before"))  # numbers before the last create
        members = self.api.members(FIXED_AMOUNT_TYPE)
        self._keys: dict[str, str | None] = {}
        for name, others in FIXED_AMOUNT_MEMBERS.items():
            key = members.find_if_any(name, *others)
            self._keys[name] = None if key in self._keys.values() else key  # a member holds one attribute
        for name in ("id", "client_id", *non_null_options(params, DECLARABLE)):
            members.find(name, *FIXED_AMOUNT_MEMBERS[name])
        self._typed = TypedValues(self.api.contract)
        self._type = self._typed.inputs("CreateClientFixedAmount")[0]
        self._members = self._typed.members(self._type.type)
        self.desired = self._desired_values(params)
        self._lacking: set[str] = set()  # what the last answer lacks

    @property
    def fields(self) -> t.Sequence[Field]:
        """The desired attributes, compared according to their types."""

        def field(name: str, member: Member) -> Field:
            return Field(
                name,
                always_sent if name in self.unreadable_names else functools.partial(self._typed.holds, member),
                merge=lambda current, desired: self._typed.merge(member, current, desired),
            )

        return [field(name, self._member(name)) for name in self.desired]

    def find(self, desired: Values) -> JsonObject | None:
        """Return the client's fixed amount, or None. Raises Ambiguous if a create has left two."""
        del desired
        row = self._read()
        if row is None and not self.absent:
            row = self._shown_late()
        if row is None:
            return None
        if has_create_note(self.task, self._note_key):
            create_note(self.task, self._note_key).clear()
        if not self.absent:
            self._require_one()
        members = {name: key for name, key in self._keys.items() if key is not None}
        members.update({name: name for name in self.desired if name not in FIXED_AMOUNT_MEMBERS})
        record: JsonObject = {name: row[key] for name, key in members.items() if key in row}
        names = {key: name for name, key in members.items()}
        self._lacking = {names.get(key, key) for key in missing_in(row)}
        self.note_unreadable(record, lambda names: unreadable_warning(FIXED_AMOUNT_TYPE, names, names[0]))
        rest = {key: value for key, value in row.items() if key not in members.values()}
        return {**record, "members": rest}

    def reread(self, current: Values) -> JsonObject | None:
        """Return the fixed amount as it is now, or None if it is gone."""
        return self.find(current)

    def create(self, values: Values) -> Created:
        """Create the fixed amount exactly once."""
        amount = self._whole_amount(values, None)
        creation = AnswerlessCreate(
            self,
            self._what,
            "amount",
            lambda: self.api.call("CreateClientFixedAmount", client_fixed_amount=amount),
            lambda: self.find({}),
            self._note_numbers,
        )
        try:
            return self.create_once(self._note_key, self._what, creation)
        except NO_EFFECT:
            self._before.withdraw()
            raise

    def update(self, current: Values, changes: Values) -> JsonObject:
        """Replace the fixed amount by one with the changes."""
        amount = self._whole_amount(changes, current)
        self._before.clear()  # from here on, the history may have several entries of this amount
        return self.send_update(current, changes, "UpdateClientFixedAmount", client_fixed_amount=amount)

    def delete(self, current: Values) -> None:
        """Remove the fixed amount; one that is gone already is no error."""
        self.send_removal(current, "DeleteClientFixedAmount", client_fixed_amount_id=current["id"])
        with contextlib.suppress(InvalidInput):  # without the note, the next create only waits
            self._note_numbers()

    def verify(self, action: str, changes: Values, current: Values | None) -> None:
        """Raise InvalidInput when the plan could not be sent."""
        if action != DELETE:
            operation = "CreateClientFixedAmount" if action == CREATE else "UpdateClientFixedAmount"
            self.api.checking().call(operation, client_fixed_amount=self._whole_amount(changes, current))

    def _read(self) -> JsonObject | None:
        """Return the service's amount. For a client that never had one, a fault may say so."""
        try:
            return self.api.record("GetClientFixedAmount", client_id=self._client)
        except ServiceError as problem:
            if not may_mean_absent(problem):
                raise
            if self.api.records("GetClientFixedAmountHistory", client_id=self._client):
                raise
            return None

    def _shown_late(self) -> JsonObject | None:
        """Return the amount if the history has one that may exist, and the service shows it within the grace time."""
        known = (self._before.read() or {}).get("ids", ())
        if set(self._numbers() or ()).issubset(known):
            return None
        limit = self.task.deadline.within(self.params["create_grace"], f"wait for {self._what}, which the history has")
        with contextlib.suppress(WaitTimeout):
            return wait_until(lambda: self._read() or {}, bool, limit, what=self._what, longest=2.0)
        return None

    def _note_numbers(self) -> None:
        """Note the numbers in the history, so that new ones can be recognized. Raises InvalidInput."""
        numbers = self._numbers()
        if numbers is None:
            self._before.clear()
        else:
            self._before.write(ids=numbers)

    def _require_one(self) -> None:
        """Raise Ambiguous when two amounts have begun since the numbers were noted."""
        known = self._before.read()
        before = None if known is None else known.get("ids")
        new = [] if before is None else [one for one in self._numbers() or () if one not in before]
        if len(new) > 1:
            raise Ambiguous(
                f"Creating {self._what}: {len(new)} were created, with the IDs {', '.join(map(str, new))}.",
                next_step="The request was delivered twice, or another task created one at the same time. Run the task "
                "with state: absent, which removes the one that the service shows, and then run it again.",
                ids=new,
            )
        if known is not None and self.task.clock.now() - known["time"] > max(
            DUPLICATE_PERIOD, self.params["create_grace"]
        ):
            self._before.clear()

    def _numbers(self) -> list[int] | None:
        """Return the numbers of all amounts that the client has or had; None when the service does not say."""
        try:
            rows = self.api.records("GetClientFixedAmountHistory", client_id=self._client)
        except (InvalidInput, ServiceError):
            return None
        return sorted({row[self._keys["id"]] for row in rows if self._keys["id"] in row})

    def _desired_values(self, params: Params) -> JsonObject:
        """Return the desired values by attribute, members of ``fields`` by their own keys."""
        checked = self._typed.check(self._type, params["fields"] or {}, "fields")
        known = {key: name for name, key in self._keys.items() if key is not None}
        desired = {known.get(key, key): value for key, value in checked.items()}
        for name, value in non_null_options(params, DECLARABLE).items():
            if name in desired:
                raise InvalidInput(f"fields: {name} is given twice.", option="fields")
            desired[name] = self._typed.check(self._member(name), value, name)
        for name in ("id", "client_id"):
            if name in desired:
                raise InvalidInput(f"fields: {name} cannot be changed.", option="fields")
        return desired

    def _member(self, name: str) -> Member:
        return self._members[self._keys.get(name) or name]

    def _whole_amount(self, changes: Values, current: Values | None) -> JsonObject:
        """Return the whole amount to send. Raises InvalidInput for a new one that cannot be made."""
        if current is not None:
            missing = sorted(self._lacking.difference(self.desired))
            if missing:
                raise incomplete_update(missing, member_advice(FIXED_AMOUNT_TYPE, missing[0]))
            known = {name: value for name, value in current.items() if name != "members"}
            merged = {name: self._typed.merge(self._member(name), current.get(name), changes[name]) for name in changes}
            given = {name: self.desired[name] for name in self._lacking}
            values = {**current.get("members", {}), **known, **given, **merged}
        elif "amount" in changes:
            require_clients(self.api, [self._client], "client_id")
            values = {**changes, "client_id": self._client}
        else:
            raise InvalidInput(
                f"The fixed amount of client {self._client} does not exist yet, so amount is required.", option="amount"
            )
        return {self._keys.get(name) or name: value for name, value in values.items()}


def check_fixed_amount(params: Params) -> None:
    """Raise InvalidInput for a period that ends before it begins, as far as both are dates of the same form."""
    first, last = params.get("date_from"), params.get("date_to")
    with contextlib.suppress(TypeError, ValueError):
        if dt.datetime.fromisoformat(str(first)) > dt.datetime.fromisoformat(str(last)):
            raise InvalidInput(f"date_to: {last} is before date_from, {first}.", option="date_to")


def run(task: Task, params: Params) -> Result:
    check_fixed_amount(params)
    blank = {**dict.fromkeys(FIXED_AMOUNT_MEMBERS), "client_id": params["client_id"], "members": {}}
    return DeclaredFixedAmount(task, params).result("client_fixed_amount", blank)


OPERATION = Operation(
    "client_fixed_amount",
    (SOAP,),
    {
        "client_id": {"type": "int", "required": True},
        **{name: {"type": "str"} for name in DECLARABLE},
        "fields": {"type": "dict"},
        **STATE,
        **CREATE_OPTIONS,
    },
    run,
    members=tuple(FIXED_AMOUNT_MEMBERS),
    check=check_fixed_amount,
)
