# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Clients: the declared values, checked against the types of the WSDL, and the requests that change them.

Remote operations: docs/service/contract.md, "Clients". Every update replaces all of its inputs, so they are read,
merged and sent. The contract says which update takes what; as few updates as possible are sent. A value that an update
would replace although it is unknown is an error before anything is sent.
"""

from __future__ import annotations

import functools
import typing as t

from .._connection.options import SOAP, OptionSpecs
from .._connection.secret_inputs import HARMLESS, find_secrets, merge_secrets
from .._connection.task import STATE, Operation, Params, Result, Task, non_null_options, result_of
from .._core.errors import InvalidInput, confirm_write, reading_back
from .._core.text import fold, leaf_texts
from .._core.type_aliases import JsonMapping as Values
from .._core.type_aliases import JsonObject
from .._engine.plan import UPDATE, Created, Field, always_sent, write_only
from .api import CommonFcd, member_advice, unreadable_warning
from .client_record import (
    BY_ROLE,
    CHANGE_OF_TYPE,
    CLIENT_RESULT,
    CLIENT_TYPE,
    COMPANY,
    INDIVIDUAL,
    PIT_DATA,
    ROLES,
    STATUS,
    WITH_PROJECT_NAME,
    ClientInputs,
    ClientReader,
)
from .connection import common_fcd
from .hidden_values import diff_without_secrets, without_secrets
from .soap_changes import SoapRequest, incomplete_update, send_in_order
from .soap_resource import SoapResource

ADDRESS_TYPES = {"main": 13, "correspondence": 12, "billing": 1015}  # items of a dictionary
_TEXT, _OBJECT, _LIST = {"type": "str"}, {"type": "dict"}, {"type": "list", "elements": "dict"}

CLIENT_OPTIONS: OptionSpecs = {
    "id": {"type": "int", "aliases": ["client_id"], "required": True},
    "type": {"type": "str", "choices": [INDIVIDUAL, COMPANY]},
    "default_user": _OBJECT,
    "company": _OBJECT,
    "addresses": _LIST,
    "purge_addresses": {"type": "bool", "default": False},
    "phones": _LIST,
    "purge_phones": {"type": "bool", "default": False},
    **dict.fromkeys(ROLES, _OBJECT),
    "address_types": {
        "type": "dict",
        "apply_defaults": True,
        "options": {role: {"type": "int", "default": number} for role, number in ADDRESS_TYPES.items()},
    },
    "branch": {"type": "raw"},
    **dict.fromkeys(("project_type", "project_name", "commission"), _TEXT),
    "referrer": _OBJECT,
    **dict.fromkeys(("additional_email_for_invoices", "vat_id", "external_account_number"), _TEXT),
    "pit_data": _OBJECT,
    "fields": _OBJECT,
    "secret_fields": {"type": "dict", "no_log": True},
    **dict.fromkeys(("status", "status_comment"), _TEXT),
    **STATE,
    "delete_comment": _TEXT,
}
CLIENT_ADDRESSES = ("addresses", *ROLES)
ABOUT_THE_TASK = ("purge_addresses", "purge_phones", "address_types", "status_comment", "state", "delete_comment")
DATA = tuple(name for name in CLIENT_OPTIONS if name not in ("id", "type", "fields", "secret_fields", *ABOUT_THE_TASK))
"""Options that are inputs of the operation that sets them."""
LIST_OPTIONS = ("addresses", "phones")
REFERRED = {"default_user": ("GetUser", "user_id"), "branch": ("GetDictionaryItemById", "dictionary_item_id")}
"""The operation, and its input, that reads the object named by its number in an option."""


class DeclaredClient(SoapResource):
    """A client; ``deletion`` is the service's answer to its removal."""

    kind = "client"

    def __init__(self, task: Task, params: Params, inputs: ClientInputs) -> None:
        super().__init__(task, params, inputs.api)
        self.number: int = params["id"]
        self.deletion: JsonObject | None = None
        self.reader = ClientReader(inputs, params["address_types"])
        self._inputs = inputs
        self._referred: dict[tuple[str, t.Any], JsonObject] = {}

    @property
    def fields(self) -> t.Sequence[Field]:
        """The desired attributes; those that cannot be read back always count as different, but for the type.

        A type that cannot be read is taken as it is given: it says which operation changes the others.
        """
        return [
            Field(
                name,
                functools.partial(self.holds, name)
                if name not in self.unreadable_names
                else (write_only if name == "type" else always_sent),
                merge=functools.partial(self._merged, name),
            )
            for name in self.desired
        ]

    def find(self, desired: Values) -> JsonObject | None:
        """Return the client, or None. Raises InvalidInput if it should exist and does not."""
        record = self.reread(desired)
        if self.absent:
            return record
        if record is None:
            raise self._missing()
        if set(self.desired) == {"type"} and "type" not in record:
            self.reader.require_members("is_company")  # alone, it would neither be compared nor sent
        if "status" in self.desired:
            self.reader.require_members("status")  # otherwise it would never be sent
        self.note_unreadable(
            record, lambda names: unreadable_warning(CLIENT_TYPE, names, "company" if names[0] == "type" else names[0])
        )
        return record

    def reread(self, current: Values) -> JsonObject | None:
        """Return the current client with the further attributes that are desired, or None."""
        del current
        row = self.reader.present(self.number)
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

    def update(self, current: Values, changes: Values) -> JsonObject:
        """Change the client with as few requests as the service allows."""

        def request(index: int, operation: str, names: set[str]) -> SoapRequest:
            def send() -> None:
                # the previous request has changed values that this one sends: new addresses now have numbers
                record = (self.reread(current) or current) if index else current
                self._send(self.api, record, operation, names)

            return SoapRequest(tuple(sorted(names)), send)

        requests = [request(index, *each) for index, each in enumerate(self._requests(current, changes))]
        send_in_order(self, current, requests, f"Client {self.number} exists")
        with reading_back():
            record = self.reread(current)
            if record is None:
                return {**current, **changes}
            return {**dict.fromkeys(self.reader.lacking.intersection(changes)), **record}

    def delete(self, current: Values) -> None:
        """Remove the client; one that is gone already is no error."""
        comment = _comment(self.params["delete_comment"])

        def send() -> None:
            self.deletion = self.api.record("DeleteClient", client_id=self.number, **comment)

        confirm_write(send, lambda: self.reread(current) is None, refusals=True)
        self.require_gone(current, "DeleteClient", delete_result=self.deletion)

    def verify(self, action: str, changes: Values, current: Values | None) -> None:
        """Raise if the plan cannot be carried out: a value that must be sent along is unknown, or of another type."""
        if action == UPDATE and current is not None:
            for name in changes:
                if name in ROLES and self.desired[name]:
                    self.reader.check_role(name, self.desired[name])
            for operation, names in self._requests(current, changes):
                self._send(self.api.checking(), current, operation, names)

    def unreadable(self, desired: Values, record: Values) -> list[str]:
        """Return the desired options that cannot be compared; what the answer lacks counts as empty."""
        return [name for name in super().unreadable(desired, record) if name not in self.reader.lacking]

    def holds(self, name: str, desired: t.Any, current: t.Any) -> bool:
        """Return whether the service has the desired value of an attribute."""
        if name in LIST_OPTIONS:
            purge = bool(self.params[f"purge_{name}"])
            return self._inputs.contacts(name).hold(desired or [], current, purge=purge)
        if name == "type":
            return bool(desired == current)
        return self._inputs.typed.holds(self._inputs.member(name), desired, current)

    def _merged(self, name: str, current: t.Any, desired: t.Any) -> object:
        """Return the complete new value of an attribute."""
        if name in LIST_OPTIONS:
            purge = bool(self.params[f"purge_{name}"])
            return self._inputs.contacts(name).merge(current, desired or [], purge=purge)
        if name == "type":
            return desired
        if name in ROLES and current is None and desired is not None:
            return {**self.reader.typed_as(name), **desired}
        if name in REFERRED and isinstance(desired, dict):
            current = self._referred_object(name, desired, current)
        return self._inputs.typed.merge(self._inputs.member(name), current, desired)

    def _referred_object(self, name: str, desired: JsonObject, current: t.Any) -> object:
        """Return what the desired value is merged into: the object with the desired number, if it is another one."""
        typed, key = self._inputs.typed, self._inputs.member(name).type
        member = typed.identity(key)
        if (current is not None and not typed.is_another(key, current, desired)) or member not in desired:
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
        if self.reader.deleted:
            return InvalidInput(
                f"The client {self.number} is deleted.",
                next_step="The service has no operation that restores a client.",
                option="id",
            )
        return InvalidInput(
            f"There is no client with the ID {self.number}.",
            next_step="Check the ID; the service has no operation that creates a client.",
            option="id",
        )

    def _requests(self, current: Values, changes: Values) -> list[tuple[str, set[str]]]:
        """Return the operations that make the changes, each with its attributes; the status comes last."""
        names = set(changes)
        kind = current.get("type") or self.params["type"]
        requests: list[tuple[str, set[str]]] = []
        if "type" in names:
            kind = self.desired["type"]
            operation = CHANGE_OF_TYPE[kind]
            requests.append((operation, {"type", *(names & set(self._inputs.of(operation)))}))
            names -= requests[0][1]
        data = names - {*ROLES, "pit_data", "status"}
        if data and kind is None:
            raise InvalidInput(
                f"Cannot determine whether the client is an individual or a company: no member of {CLIENT_TYPE} tells.",
                next_step=f'Give type, or name the member in soap_member_map: {{"{CLIENT_TYPE}.is_company": ...}}.',
                option="type",
            )
        covering = self._inputs.covering(kind, data) if data else []
        apart = ((BY_ROLE, names & set(ROLES)), (PIT_DATA, names & {"pit_data"}), (STATUS, names & {"status"}))
        return [*requests, *covering, *((operation, part) for operation, part in apart if part)]

    def _send(self, api: CommonFcd, current: Values, operation: str, names: set[str]) -> None:
        """Call an operation with all of its inputs: desired values, otherwise current ones."""
        if operation == STATUS:
            inputs = {"status": self.desired["status"], **_comment(self.params["status_comment"])}
        elif operation == PIT_DATA:
            inputs = {"pit_data": self._value("pit_data", current)}
        else:
            if operation == BY_ROLE:
                self._keep_further_addresses(current)
            # the project name is set, or could get lost
            if operation in WITH_PROJECT_NAME and ("project_name" in names or current.get("project_name", "unknown")):
                operation = WITH_PROJECT_NAME[operation]
            inputs = self._all_inputs(operation, current)
        api.call(operation, client_id=self.number, **inputs)

    def _all_inputs(self, operation: str, current: Values) -> JsonObject:
        inputs, known = self._inputs.of(operation), {*self.desired, *current}
        missing = [name for name in inputs if name not in known or self._is_lost(name)]
        if missing:
            raise incomplete_update(missing, member_advice(CLIENT_TYPE, missing[0]))
        values = {name: self._value(name, current) for name in inputs}
        if operation in CHANGE_OF_TYPE.values() and values.get("company", "") is None:
            raise InvalidInput("type: to change an individual to a company, give company.", option="company")
        return {
            member.name: values[name] for name, member in inputs.items() if values[name] is not None or member.nillable
        }

    def _is_lost(self, name: str) -> bool:
        """Return whether the value to send would empty what the answer lacks: the desired one is only a part of it."""
        part = isinstance(self.desired.get(name), (dict, list)) and name not in REFERRED
        return name in self.reader.lacking and part and not self.params.get(f"purge_{name}")

    def _value(self, name: str, current: Values) -> t.Any:
        value = current.get(name)
        if name in self.desired:
            value = self._merged(name, value, self.desired[name])
        return value

    def _keep_further_addresses(self, current: Values) -> None:
        known = [current[name] for name in ROLES if current.get(name) is not None]
        further = [entry for entry in current.get("addresses") or [] if entry not in known]
        if further and not self.params["purge_addresses"]:
            raise InvalidInput(
                f"The client has {len(further)} more besides the main, correspondence and billing addresses. "
                "UpdateClientAddresses takes only these three, so it might drop the others.",
                next_step="Declare all of them in addresses, or set purge_addresses to remove the others.",
                option="purge_addresses",
            )


def _comment(value: str | None) -> JsonObject:
    return {} if value is None else {"comment": value}


def check_client(params: Params) -> None:
    """Raise InvalidInput for what the contract is not needed to see."""
    if params["purge_addresses"] and all(params[name] is None for name in CLIENT_ADDRESSES):
        raise InvalidInput("purge_addresses needs addresses, or one of the addresses by role.", option="addresses")
    if params["purge_phones"] and params["phones"] is None:
        next_step = "To remove all, give an empty list."
        raise InvalidInput("purge_phones needs phones.", next_step=next_step, option="phones")


def run(task: Task, params: Params) -> Result:
    check_client(params)
    inputs = ClientInputs(common_fcd(task))
    resource = DeclaredClient(task, params, inputs)
    task.redactor.add(*leaf_texts(params["secret_fields"]))
    if not resource.absent:
        resource.desired = desired_client(params, inputs)
    outcome = resource.reconcile()
    before, after = diff_without_secrets(task, outcome.before, outcome.after)
    result = result_of("client", outcome._replace(before=before, after=after))
    blank = {**dict.fromkeys(CLIENT_RESULT), "pit_data": None}
    result["client"] = outcome.record and without_secrets(task, {**blank, **outcome.record})
    if resource.absent:
        answer = without_secrets(task, resource.deletion)
        result.update(deleted=outcome.changed or resource.reader.deleted, delete_result=answer)
    return result


def desired_client(params: Params, inputs: ClientInputs) -> JsonObject:
    """Return the values by attribute, in the form of answers. Raises InvalidInput with the path of a mistake."""
    raw: JsonObject = non_null_options(params, DATA)
    for key, value in (params["fields"] or {}).items():
        name = inputs.field(str(key))
        if name in raw:
            raise InvalidInput(f"fields.{key}: it is already given as {name}.", option="fields")
        raw[name] = value
    _refuse_secrets(raw)
    for key, value in (params["secret_fields"] or {}).items():
        name = next((option for option in DATA if fold(option) == fold(str(key))), None) or inputs.field(str(key))
        raw[name] = merge_secrets(raw.get(name), value, f"secret_fields.{key}")
    desired = {name: _typed_value(name, value, inputs) for name, value in raw.items()}
    return {**desired, **non_null_options(params, ["type"])}


def _refuse_secrets(raw: JsonObject) -> None:
    """Raise InvalidInput for a member that must not be in the log of the task."""
    for path, _value in find_secrets(raw, HARMLESS):
        raise InvalidInput(
            f"{path}: a value of this kind would be logged with the task.",
            next_step="Give it in secret_fields, in the same place.",
            option=path.partition(".")[0],
        )


def _typed_value(name: str, value: object, inputs: ClientInputs) -> object:
    typed, member = inputs.typed, inputs.member(name)
    if name == "branch" and not isinstance(value, (dict, type(None))):
        number = typed.identity(member.type)
        if number is not None:
            return {number: typed.check(typed.members(member.type)[number], value, name)}
    return typed.check(member, value, name)


OPERATION = Operation(
    "client",
    (SOAP,),
    CLIENT_OPTIONS,
    run,
    {"mutually_exclusive": [["addresses", name] for name in CLIENT_ADDRESSES[1:]]},
    check=check_client,
)
