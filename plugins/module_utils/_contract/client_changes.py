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
from .._core.errors import InvalidInput, OperationFailed, confirm_write, reading_back
from .._engine.plan import UPDATE, Created, Field, write_only
from .._engine.plan import Record as Values
from .api import CommonFcd, Record, member_advice, not_compared, would_be_lost
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
)
from .soap_resource import SoapRequest, changing_alone, send_in_order

LISTS = ("addresses", "phones")
REFERRED = {"default_user": ("GetUser", "user_id"), "branch": ("GetDictionaryItemById", "dictionary_item_id")}
"""What reads the objects that these name by a number, and its input."""
Request = t.Tuple[str, t.FrozenSet[str]]  # the operation and the attributes that it is for


class DeclaredClient:
    """Clients; ``desired`` has what is desired of the one at hand, by attribute."""

    kind = "client"

    def __init__(self, task: Task, inputs: ClientInputs, params: Params) -> None:
        self.task = task
        self.api = inputs.api
        self.typed = inputs.typed
        self.inputs = inputs
        self.number: int = params["id"]
        self.params = params
        self.desired: Record = {}
        self.reader = ClientReader(inputs, params["address_types"])
        self.search = ClientSearch(inputs.api, self.reader)
        self.deletion: Record | None = None
        self._lists: dict[str, Contacts] = {}
        self._blind: list[str] = []
        self._referred: dict[tuple[str, t.Any], Record] = {}

    @property
    def fields(self) -> t.Sequence[Field]:
        """The desired attributes; one that cannot be read back never counts as different."""

        def field(name: str) -> Field:
            if name in self._blind:
                return Field(name, write_only)
            return Field(
                name,
                lambda desired, current: self.holds(name, desired, current),
                merge=lambda current, _desired: self.final(name, current),
            )

        return [field(name) for name in self.desired]

    def find(self, desired: Values) -> Record | None:
        """Return the client, or None. Raises InvalidInput for one that is to be there and is not."""
        del desired
        record = self.read()
        if self.params["state"] == "absent":
            return record
        if record is None:
            raise self._missing()
        if "status" in self.desired:
            self.reader.needed("status")  # nothing would ever send it then
        told, self._blind = self._blind, [name for name in self.desired if name not in record]
        if self._blind and self._blind != told:
            first = "company" if self._blind[0] == "type" else self._blind[0]
            self.task.warn(not_compared(CLIENT, self._blind, first))
        return record

    def read(self) -> Record | None:
        """Return the client as it is now, with what else is desired of it."""
        row = self.search.present(self.number)
        if row is None:
            return None
        record = {**self.reader.record(row, self.desired), "id": self.number}
        if any(name in self.desired for name in ROLES):
            self.reader.add_roles(record)
        if "pit_data" in self.desired:
            record["pit_data"] = self.api.record("GetClientPitData", client_id=self.number)
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
        return ClientUpdates(self, self.api, dict(current)).apply(changes)

    def delete(self, current: Values) -> None:
        """Remove the client; one that is gone already is no error."""
        del current
        comment = _comment(self.params["delete_comment"])

        def send() -> None:
            self.deletion = self.api.record("DeleteClient", client_id=self.number, **comment)

        confirm_write(send, lambda: self.read() is None, refusals=True)
        with reading_back():
            left = self.read()
        if left is not None:
            raise OperationFailed(
                f"The service answered DeleteClient for the client {self.number}, but the client still exists.",
                next_step="See the response of the service in delete_result.",
                delete_result=self.deletion,
            )

    def verify(self, action: str, changes: Values, current: Values | None) -> None:
        """Raise when the plan cannot be carried out: something to be sent along is unknown, or of another type."""
        if action == UPDATE and current is not None:
            for name in changes:
                if name in ROLES and self.desired[name]:
                    self.reader.check_role(name, self.desired[name])
            ClientUpdates(self, self.api.checking(), dict(current)).check(changes)

    def holds(self, name: str, desired: t.Any, current: t.Any) -> bool:
        """Return whether the service has what is desired of an attribute."""
        if name in LISTS:
            return self.contacts(name).hold(desired or [], current)
        if name == "type":
            return bool(desired == current)
        return self.typed.holds(self.inputs.member(name), desired, current)

    def final(self, name: str, current: t.Any) -> t.Any:
        """Return an attribute as it is to be, complete."""
        desired = self.desired[name]
        if name in LISTS:
            return self.contacts(name).merged(current, desired or [])
        if name == "type":
            return desired
        if name in ROLES and current is None and desired is not None:
            return {**self.reader.typed_as(name), **desired}
        member = self.inputs.member(name)
        return self.typed.merged(member, self._laid_under(name, desired, current), desired)

    def contacts(self, name: str) -> Contacts:
        """Return the rules for one of the lists."""
        if name not in self._lists:
            self._lists[name] = Contacts(self.inputs, name, purge=bool(self.params[f"purge_{name}"]))
        return self._lists[name]

    def _laid_under(self, name: str, desired: t.Any, current: t.Any) -> t.Any:
        """Return what the desired value is laid over: the object of the desired number, where that is another one."""
        if name not in REFERRED or not isinstance(desired, dict):
            return current
        key = self.inputs.member(name).type
        if current is not None and not self.typed.is_another(key, current, desired):
            return current
        member = self.typed.identity(key)
        if member is None or member not in desired:
            return current
        number = desired[member]
        if (name, number) not in self._referred:
            operation, option = REFERRED[name]
            found = self.api.record(operation, **{option: number})
            if found is None:
                raise InvalidInput(f"{name}.{member}: there is no {number}.", option=name)
            self._referred[name, number] = found
        return self._referred[name, number]

    def _missing(self) -> InvalidInput:
        gone = self.search.deleted
        return InvalidInput(
            f"The client {self.number} is deleted." if gone else f"There is no client with the ID {self.number}.",
            next_step="The service has no operation that restores a client."
            if gone
            else "Check the ID; the service has no operation that creates a client.",
            option="id",
        )


class ClientUpdates:
    """Changes one client from what it is now, ``record``; ``api`` sends the requests, or only checks their inputs."""

    def __init__(self, clients: DeclaredClient, api: CommonFcd, record: Record) -> None:
        self._clients = clients
        self._api = api
        self._record = record

    def check(self, changes: Values) -> None:
        """Raise InvalidInput when one of the requests could not be sent."""
        for operation, names in self._requests(changes):
            self._send(operation, names)

    def apply(self, changes: Values) -> Record:
        """Make the changes and return the client as it is then. An error tells what was done and what was not."""
        requests = self._requests(changes)
        steps = [self._step(request, fresh=index == 0) for index, request in enumerate(requests)]
        send_in_order(steps, f"Client {self._clients.number} exists")
        with reading_back():
            record = self._clients.read()
            if record is None:
                return {**self._record, **changes}
            other = [name for name in changes if name in record and not self._holds(name, record)]
        if other:
            self._clients.task.warn(
                f"The service accepted the change of client {self._clients.number}, but reports other values than the "
                f"desired ones for: {', '.join(other)}."
            )
        return record

    def _step(self, request: Request, *, fresh: bool) -> SoapRequest:
        operation, names = request

        def send() -> None:
            if not fresh:  # the request before has changed what this one sends along: new addresses have numbers now
                self._record = self._clients.read() or self._record
            self._send(operation, names)

        def done() -> bool:
            """Return whether all of these are as desired; False when one of them cannot be read."""
            record = self._clients.read()
            return record is not None and all(name in record and self._holds(name, record) for name in names)

        return SoapRequest(tuple(sorted(names)), send, done)

    def _requests(self, changes: Values) -> list[Request]:
        """Return the requests that make the changes, the status last."""
        names = set(changes)
        kind = self._record.get("type") or self._clients.params["type"]
        requests: list[Request] = []
        if "type" in names:
            kind = self._clients.desired["type"]
            operation = CHANGE_OF_TYPE[kind]
            requests.append((operation, frozenset({"type", *(names & set(self._clients.inputs.of(operation)))})))
            names -= requests[0][1]
        data = names - {*ROLES, "pit_data", "status"}
        if data and kind is None:
            raise InvalidInput(
                f"Cannot determine whether the client is an individual or a company: {CLIENT} has no member for it.",
                next_step=f'Give type, or name the member in soap_member_map: {{"{CLIENT}.is_company": ...}}.',
                option="type",
            )
        covering = self._clients.inputs.covering(kind, data) if data and kind else []
        apart = ((BY_ROLE, names & set(ROLES)), (PIT_DATA, names & {"pit_data"}), (STATUS, names & {"status"}))
        return requests + [(operation, frozenset(part)) for operation, part in (*covering, *apart) if part]

    def _send(self, operation: str, names: t.AbstractSet[str]) -> None:
        called, inputs = self._call(operation, names)
        self._api.call(called, client_id=self._clients.number, **inputs)

    def _call(self, operation: str, names: t.AbstractSet[str]) -> tuple[str, Record]:
        """Return the operation to call and its inputs besides the client's number."""
        if operation == STATUS:
            comment = _comment(self._clients.params["status_comment"])
            return operation, {"status": self._clients.desired["status"], **comment}
        if operation == PIT_DATA:
            return operation, {"pit_data": self._value("pit_data")}
        if operation == BY_ROLE:
            self._keep_further_addresses()
        # the project name is to be set, or might get lost
        if operation in WITH_PROJECT_NAME and ("project_name" in names or self._record.get("project_name")):
            operation = WITH_PROJECT_NAME[operation]
        return operation, self._inputs(operation)

    def _inputs(self, operation: str) -> Record:
        """Return all that an operation takes: as desired, else as it is."""
        known = {*self._clients.desired, *self._record}
        inputs = self._clients.inputs.of(operation)
        missing = [name for name in inputs if name not in known]
        if missing:
            raise would_be_lost(missing, member_advice(CLIENT, missing[0]))
        values = {name: self._value(name) for name in inputs}
        if operation in CHANGE_OF_TYPE.values() and values.get("company", "") is None:
            raise InvalidInput("type: to change an individual to a company, give company.", option="company")
        return {
            member.name: values[name] for name, member in inputs.items() if values[name] is not None or member.nillable
        }

    def _value(self, name: str) -> t.Any:
        current = self._record.get(name)
        value = self._clients.final(name, current) if name in self._clients.desired else current
        return self._clients.typed.sendable(self._clients.inputs.member(name), value)

    def _keep_further_addresses(self) -> None:
        known = [self._record[name] for name in ROLES if self._record.get(name) is not None]
        further = [entry for entry in self._record.get("addresses") or [] if entry not in known]
        if further and not self._clients.params["purge_addresses"]:
            raise InvalidInput(
                f"The client has {len(further)} more besides the main, correspondence and billing addresses. "
                "UpdateClientAddresses takes only these three, so it might drop the others.",
                next_step="Declare all of them in addresses, or set purge_addresses to remove the others.",
                option="purge_addresses",
            )

    def _holds(self, name: str, record: Record) -> bool:
        return self._clients.holds(name, self._clients.desired[name], record.get(name))


def _comment(value: str | None) -> Record:
    return {} if value is None else {"comment": value}
