# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Clients as the engine wants them. What only a change needs is imported by the functions that change."""

from __future__ import annotations

import typing as t

from ..._core.errors import InvalidInput, OperationFailed
from ..._engine.converge import Created
from ..._engine.fields import Field, never
from ..._engine.fields import Record as Values
from ..._engine.plan import UPDATE
from ..._session.operation import Params
from ..._session.task import Task
from ..clients import Clients
from ..common_fcd import CommonFcd
from ..typed_values import TypedValues
from .contacts import Contacts
from .inputs import ROLES, Inputs
from .record import CLIENT, ClientReader, Record
from .search import ClientSearch

LISTS = ("addresses", "phones")
REFERRED = {"default_user": "GetUser", "branch": "GetDictionaryItemById"}


class DeclaredClients:
    """Clients; ``wanted`` has what is wanted of the one at hand, by attribute."""

    kind = "client"

    def __init__(self, task: Task, api: CommonFcd, params: Params, typed: TypedValues, inputs: Inputs) -> None:
        self.task = task
        self.api = api
        self.typed = typed
        self.inputs = inputs
        self.number: int = params["id"]
        self.params = params
        self.wanted: Record = {}
        self.reader = ClientReader(api, typed, inputs, params["address_types"])
        self.search = ClientSearch(api, self.reader)
        self.deletion: Record | None = None
        self._lists: dict[str, Contacts] = {}
        self._blind: list[str] = []
        self._referred: dict[tuple[str, t.Any], Record] = {}

    @property
    def fields(self) -> t.Sequence[Field]:
        """The wanted attributes; one that cannot be read back never counts as different."""
        return [self._field(name) for name in self.wanted]

    def find(self, wanted: Values) -> Record | None:
        """Return the client, or None. Raises InvalidInput for one that is to be there and is not."""
        del wanted
        record = self.read()
        if self.params["state"] == "absent":
            return record
        if record is None:
            raise self._missing()
        self._check_readable(record)
        return record

    def read(self) -> Record | None:
        """Return the client as it is now, with what else is wanted of it."""
        row = self.search.present(self.number)
        if row is None:
            return None
        record = {**self.reader.record(row, self.wanted), "id": self.number}
        if any(name in self.wanted for name in ROLES):
            record = self.reader.with_roles(record, ROLES)
        if "pit_data" in self.wanted:
            record["pit_data"] = Clients(self.api.call).get_client_pit_data(self.number)
        return record

    def create(self, values: Values) -> Created:
        """Raise InvalidInput: there is no such operation."""
        del values
        raise self._missing()

    def alone(self, current: Values) -> t.ContextManager[None]:
        """Return the context in which no other task changes the client."""
        from ..changing_alone import changing_alone

        del current
        return changing_alone(self.task, self.kind, self.number)

    def update(self, current: Values, changes: Values) -> Record:
        """Change the client, with as few requests as the service lets it take."""
        from .updates import Updates

        return Updates(self, self.api.call).apply(dict(current), changes)

    def delete(self, current: Values) -> None:
        """Remove the client; one that is gone already is no error."""
        from ..._engine.change_tracking import mark_changed_on_error
        from ..confirmation import confirmed
        from .updates import delete

        del current
        confirmed(lambda: self._keep(delete(self)), lambda: self.read() is None, refusals=True)
        with mark_changed_on_error():
            left = self.read()
        if left is not None:
            raise OperationFailed(
                f"The service answered DeleteClient for the client {self.number}, and the client is still there.",
                next_step="Look into what the service says: delete_result.",
                delete_result=self.deletion,
            )

    def verify(self, action: str, changes: Values, current: Values | None) -> None:
        """Raise when the plan cannot be carried out: something to be sent along is unknown, or of another type."""
        if action == UPDATE and current is not None:
            from .updates import Updates

            for name in changes:
                if name in ROLES and self.wanted[name]:
                    self.reader.check_role(name, self.wanted[name])
            Updates(self, self.typed.check).check(dict(current), changes)

    def holds(self, name: str, wanted: t.Any, current: t.Any) -> bool:
        """Return whether the service has what is wanted of an attribute."""
        if name in LISTS:
            return self.contacts(name).hold(wanted or [], current)
        return (
            bool(wanted == current) if name == "type" else self.typed.holds(self.inputs.member(name), wanted, current)
        )

    def final(self, name: str, current: t.Any) -> t.Any:
        """Return an attribute as it is to be, complete."""
        wanted = self.wanted[name]
        if name in LISTS:
            return self.contacts(name).merged(current, wanted or [])
        if name == "type":
            return wanted
        if name in ROLES and current is None and wanted is not None:
            return {**self.reader.typed_as(name), **wanted}
        member = self.inputs.member(name)
        return self.typed.merged(member, self._laid_under(name, wanted, current), wanted)

    def contacts(self, name: str) -> Contacts:
        """Return the rules for one of the lists."""
        found = self._lists.get(name)
        if found is None:
            found = self._lists[name] = Contacts(self.typed, self.inputs.member(name), self.api.members, name)
            found.purge = bool(self.params[f"purge_{name}"])
        return found

    def _laid_under(self, name: str, wanted: t.Any, current: t.Any) -> t.Any:
        """Return what the wanted value is laid over: the object of the wanted number, where that is another one."""
        if name not in REFERRED or not isinstance(wanted, dict):
            return current
        key = self.inputs.member(name).type
        if current is not None and not self.typed.is_another(key, current, wanted):
            return current
        number = self.typed.identity(key)
        return current if number is None or number not in wanted else self._referred_to(name, number, wanted[number])

    def _referred_to(self, name: str, member: str, number: t.Any) -> Record:
        found = self._referred.get((name, number))
        if found is None:
            found = self.api.call(REFERRED[name], **{_input_of(REFERRED[name]): number})
            if found is None:
                raise InvalidInput(f"{name}.{member}: there is no {number}.", option=name)
            self._referred[name, number] = found
        return found

    def _missing(self) -> InvalidInput:
        gone = self.search.deleted
        return InvalidInput(
            f"The client {self.number} is deleted." if gone else f"There is no client with the number {self.number}.",
            next_step="No operation of the service brings a client back."
            if gone
            else "Check the number; no operation of the service creates a client.",
            option="id",
        )

    def _keep(self, answer: Record | None) -> None:
        self.deletion = answer

    def _field(self, name: str) -> Field:
        if name in self._blind:
            return Field(name, never)
        return Field(
            name,
            lambda wanted, current: self.holds(name, wanted, current),
            merge=lambda current, _wanted: self.final(name, current),
        )

    def _check_readable(self, record: Record) -> None:
        """Tell what cannot be compared. Raises InvalidInput where nothing would ever send it then."""
        if "status" in self.wanted:
            self.reader.needed("status")
        told, self._blind = self._blind, [name for name in self.wanted if name not in record]
        if self._blind and self._blind != told:
            self.task.warn(
                f"These cannot be compared, since the service's type {CLIENT} has no member for them: "
                f"{', '.join(self._blind)}. If it has, name it in soap_member_map "
                f'({{"{CLIENT}.{"company" if self._blind[0] == "type" else self._blind[0]}": ...}}).'
            )


def _input_of(operation: str) -> str:
    return "user_id" if operation == "GetUser" else "dictionary_item_id"
