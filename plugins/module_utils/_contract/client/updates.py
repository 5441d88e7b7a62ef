# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes of a client. Every update replaces all that its inputs name, so all of it is read, merged and sent.

Which update takes what is in the contract; the fewest that take everything are sent. What an update would replace and
nobody knows is an error before anything is sent.
"""

from __future__ import annotations

import typing as t

from ..._core.errors import InvalidInput
from ..._engine.change_tracking import mark_changed_on_error
from ..._engine.fields import Record as Values
from ..clients import ClientChanges, Send
from ..steps_in_order import Step, carry_out
from .inputs import BY_ROLE, CHANGE_OF_TYPE, PIT_DATA, ROLES, STATUS, WITH_PROJECT_NAME
from .record import CLIENT, Record

if t.TYPE_CHECKING:
    from .clients import DeclaredClients

Request = t.Tuple[str, t.FrozenSet[str]]  # the operation and the attributes that it is for


def delete(clients: DeclaredClients) -> Record | None:
    """Delete the client."""
    comment = clients.params["delete_comment"]
    return ClientChanges(clients.api.call).delete_client(clients.number, **_if_given("comment", comment))


class Updates:
    """Changes one client; ``send`` sends a request, or only checks it."""

    def __init__(self, clients: DeclaredClients, send: Send) -> None:
        self._clients = clients
        self._changes = ClientChanges(send)
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
        carry_out(steps, f"Client {self._clients.number}")
        with mark_changed_on_error():
            return self._reread(changes)

    def _step(self, request: Request, *, fresh: bool) -> Step:
        operation, names = request

        def send() -> None:
            if not fresh:  # the request before has changed what this one sends along: new addresses have numbers now
                self._record = self._clients.read() or self._record
            self._send(operation, names)

        return Step(tuple(sorted(names)), send, lambda: self._done(names))

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
            self._changes.update_client_status(number, self._clients.wanted["status"], **comment)
        elif operation == PIT_DATA:
            self._changes.create_or_update_client_pit_data(number, self._value("pit_data"))
        else:
            if operation == BY_ROLE:
                self._keep_further_addresses()
            if operation in WITH_PROJECT_NAME and self._with_project_name(names):
                operation = WITH_PROJECT_NAME[operation]
            self._changes.update(operation, number, **self._inputs(operation))

    def _with_project_name(self, names: t.AbstractSet[str]) -> bool:
        """Whether the project name is to be set, or might get lost."""
        return "project_name" in names or bool(self._record.get("project_name"))

    def _inputs(self, operation: str) -> Record:
        """Return all that an operation takes: as wanted, else as it is."""
        known = {*self._clients.wanted, *self._record}
        inputs = self._clients.inputs.of(operation)
        missing = [name for name in inputs if name not in known]
        if missing:
            raise InvalidInput(
                "The service replaces these together with what changes, and does not tell what they are now: "
                f"{', '.join(missing)}.",
                next_step=f"Give {', '.join(missing)}, or name the member in soap_member_map "
                f'({{"{CLIENT}.{missing[0]}": ...}}).',
                missing=missing,
            )
        if operation in CHANGE_OF_TYPE.values() and "company" in inputs and self._value("company") is None:
            raise InvalidInput("type: an individual becomes a company only with company.", option="company")
        values = {member.name: self._value(name) for name, member in inputs.items()}
        return {name: values[name] for name in values if values[name] is not None or _nillable(inputs, name)}

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


def _nillable(inputs: t.Mapping[str, t.Any], name: str) -> bool:
    return any(member.name == name and member.nillable for member in inputs.values())


def _if_given(name: str, value: t.Any) -> Record:
    return {} if value is None else {name: value}
