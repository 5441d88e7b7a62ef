# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Clients as the engine wants them, and the requests that change one.

Every update replaces all that its inputs name, so all of it is read, merged and sent. Which update takes what is in the
contract; the fewest that take everything are sent. What an update would replace and nobody knows is an error before
anything is sent.
"""

from __future__ import annotations

import typing as t

from .._connection.task import Params, Task
from .._core.errors import InvalidInput, OperationFailed, mark_changed_on_error
from .._engine.plan import UPDATE, Field, never
from .._engine.plan import Record as Values
from .._engine.reconcile import Created
from .api import CommonFcd
from .client_record import (
    BY_ROLE,
    CHANGE_OF_TYPE,
    CLIENT,
    PIT_DATA,
    ROLES,
    STATUS,
    WITH_PROJECT_NAME,
    ClientInputs,
    ClientReader,
    ClientSearch,
    Contacts,
    Record,
)
from .confirmed_writes import SoapRequest, changing_alone, confirmed, send_in_order
from .members import member_advice, not_compared, would_be_lost
from .typed_values import TypedValues

LISTS = ("addresses", "phones")
REFERRED = {"default_user": "GetUser", "branch": "GetDictionaryItemById"}
Request = t.Tuple[str, t.FrozenSet[str]]  # the operation and the attributes that it is for


class DeclaredClient:
    """Clients; ``wanted`` has what is wanted of the one at hand, by attribute."""

    kind = "client"

    def __init__(self, task: Task, api: CommonFcd, params: Params, typed: TypedValues, inputs: ClientInputs) -> None:
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
            record["pit_data"] = self.api.get_client_pit_data(self.number)
        return record

    def create(self, values: Values) -> Created:
        """Raise InvalidInput: there is no such operation."""
        del values
        raise self._missing()

    def alone(self, current: Values) -> t.ContextManager[None]:
        """Return the context in which no other task changes the client."""
        del current
        return changing_alone(self.task, self.kind, self.number)

    def update(self, current: Values, changes: Values) -> Record:
        """Change the client, with as few requests as the service lets it take."""
        return ClientUpdates(self, self.api).apply(dict(current), changes)

    def delete(self, current: Values) -> None:
        """Remove the client; one that is gone already is no error."""
        del current
        comment = _if_given("comment", self.params["delete_comment"])
        confirmed(
            lambda: self._keep(self.api.delete_client(self.number, **comment)),
            lambda: self.read() is None,
            refusals=True,
        )
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
            for name in changes:
                if name in ROLES and self.wanted[name]:
                    self.reader.check_role(name, self.wanted[name])
            ClientUpdates(self, self.api.checking()).check(dict(current), changes)

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
            first = "company" if self._blind[0] == "type" else self._blind[0]
            self.task.warn(not_compared(CLIENT, self._blind, first))


def _input_of(operation: str) -> str:
    return "user_id" if operation == "GetUser" else "dictionary_item_id"


class ClientUpdates:
    """Changes one client; ``api`` sends the requests, or only checks their inputs."""

    def __init__(self, clients: DeclaredClient, api: CommonFcd) -> None:
        self._clients = clients
        self._api = api
        self._record: Record = {}

    def check(self, current: Record, changes: Values) -> None:
        """Raise InvalidInput when one of the requests could not be sent."""
        self._record = current
        for operation, names in self._requests(changes):
            self._send(operation, names)

    def apply(self, current: Record, changes: Values) -> Record:
        """Make the changes and return the client as it is then. An error tells what was done and what was not."""
        self._record = current
        requests = self._requests(changes)
        steps = [self._step(request, fresh=index == 0) for index, request in enumerate(requests)]
        if len(steps) == 1:
            steps[0].send()
        else:
            send_in_order(steps, f"Client {self._clients.number} exists")
        with mark_changed_on_error():
            return self._reread(changes)

    def _step(self, request: Request, *, fresh: bool) -> SoapRequest:
        operation, names = request

        def send() -> None:
            if not fresh:  # the request before has changed what this one sends along: new addresses have numbers now
                self._record = self._clients.read() or self._record
            self._send(operation, names)

        return SoapRequest(tuple(sorted(names)), lambda: confirmed(send, lambda: self._done(names)))

    def _requests(self, changes: Values) -> list[Request]:
        """Return the requests that make the changes, the status last."""
        names = set(changes)
        kind = self._record.get("type") or self._clients.params["type"]
        requests: list[Request] = []
        if "type" in names:
            kind = self._clients.wanted["type"]
            operation = CHANGE_OF_TYPE[kind]
            requests.append((operation, frozenset({"type", *(names & set(self._clients.inputs.of(operation)))})))
            names -= requests[0][1]
        data = names - {*ROLES, "pit_data", "status"}
        if data:
            requests += [(operation, frozenset(part)) for operation, part in self._covering(kind, data)]
        apart = ((BY_ROLE, names & set(ROLES)), (PIT_DATA, names & {"pit_data"}), (STATUS, names & {"status"}))
        return requests + [(operation, frozenset(part)) for operation, part in apart if part]

    def _covering(self, kind: str | None, names: set[str]) -> list[tuple[str, set[str]]]:
        if kind is None:
            raise InvalidInput(
                f"Nothing tells whether the client is an individual or a company: {CLIENT} has no member for it.",
                next_step=f'Give type, or name the member in soap_member_map: {{"{CLIENT}.is_company": ...}}.',
                option="type",
            )
        return self._clients.inputs.covering(kind, names)

    def _send(self, operation: str, names: t.AbstractSet[str]) -> None:
        number = self._clients.number
        if operation == STATUS:
            comment = _if_given("comment", self._clients.params["status_comment"])
            self._api.update_client_status(number, self._clients.wanted["status"], **comment)
        elif operation == PIT_DATA:
            self._api.create_or_update_client_pit_data(number, self._value("pit_data"))
        else:
            if operation == BY_ROLE:
                self._keep_further_addresses()
            if operation in WITH_PROJECT_NAME and self._with_project_name(names):
                operation = WITH_PROJECT_NAME[operation]
            self._api.update_client(operation, number, **self._inputs(operation))

    def _with_project_name(self, names: t.AbstractSet[str]) -> bool:
        """Whether the project name is to be set, or might get lost."""
        return "project_name" in names or bool(self._record.get("project_name"))

    def _inputs(self, operation: str) -> Record:
        """Return all that an operation takes: as wanted, else as it is."""
        known = {*self._clients.wanted, *self._record}
        inputs = self._clients.inputs.of(operation)
        missing = [name for name in inputs if name not in known]
        if missing:
            raise would_be_lost(missing, member_advice(CLIENT, missing[0]))
        values = {name: self._value(name) for name in inputs}
        if operation in CHANGE_OF_TYPE.values() and values.get("company", "") is None:
            raise InvalidInput("type: an individual becomes a company only with company.", option="company")
        return {
            member.name: values[name] for name, member in inputs.items() if values[name] is not None or member.nillable
        }

    def _value(self, name: str) -> t.Any:
        current = self._record.get(name)
        value = self._clients.final(name, current) if name in self._clients.wanted else current
        return self._clients.typed.sendable(self._clients.inputs.member(name), value)

    def _keep_further_addresses(self) -> None:
        further = self._clients.reader.further_addresses(self._record)
        if further and not self._clients.params["purge_addresses"]:
            raise InvalidInput(
                f"The client has {len(further)} more than the main address and those for letters and bills, and "
                "UpdateClientAddresses, which takes those three, might drop them.",
                next_step="Declare the addresses in addresses, or let the others go with purge_addresses.",
                option="purge_addresses",
            )

    def _done(self, names: t.AbstractSet[str]) -> bool:
        """Return whether all of these are as wanted; False when one of them cannot be read."""
        record = self._clients.read()
        return record is not None and all(name in record and self._holds(name, record) for name in names)

    def _holds(self, name: str, record: Record) -> bool:
        return self._clients.holds(name, self._clients.wanted[name], record.get(name))

    def _reread(self, changes: Values) -> Record:
        record = self._clients.read()
        if record is None:
            return {**self._record, **changes}
        other = [name for name in changes if name in record and not self._holds(name, record)]
        if other:
            self._clients.task.warn(
                f"The service took the change of client {self._clients.number}, but tells other values than wanted "
                f"of: {', '.join(other)}."
            )
        return record


def _if_given(name: str, value: t.Any) -> Record:
    return {} if value is None else {name: value}
