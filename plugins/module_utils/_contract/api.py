# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The CommonFcd interface: its operations, and the members of its types by the names of our options.

Source: docs/service/contract.md. Records are dictionaries with keys in snake_case, as the WSDL declares them. Errors:
those of SoapClient.call.

Hardly any member is documented, so the member for an attribute is looked up in the WSDL, or given by the user
in soap_member_map. An attribute without a member is left out of records: it cannot be read, and nothing is assumed
about it.
"""

from __future__ import annotations

import contextlib
import copy
import functools
import typing as t

from .._core.clock import Memory
from .._core.errors import PLAIN_REFUSALS, Ambiguous, Forbidden, InvalidInput, ServiceError, Unusable
from .._core.text import did_you_mean, fold, snake
from .._core.type_aliases import JsonObject
from .._engine.plan import same
from .._soap.client import SoapClient, is_read
from .._soap.codec import Encoder, is_identifier, shape_of
from .._soap.contract import Contract, local
from .attributes import Attribute
from .search_pages import all_rows

FAULT_STATUSES = (200, 400, 500)
SEARCH_TEXT = ("search_text", "text", "search_phrase", "phrase")
"""Possible names of a search text (seen: SearchText). What it is compared with is not known."""


class SoapCall(t.NamedTuple):
    """One call of an operation; or, if it is ``paged``, the whole of a search, or at most ``limit`` rows of it.

    The values of a search are members of its input.
    """

    operation: str
    values: t.Mapping[str, t.Any]
    paged: bool = False
    limit: int | None = None

    def __repr__(self) -> str:
        """Name the operation only: the values may be secret."""
        return f"<SoapCall {self.operation}>"

    @property
    def question(self) -> tuple[t.Hashable, ...]:
        """What is the same in all calls with the same answer."""
        return self.operation, self.paged, self.limit, repr(sorted(self.values.items()))


Caller = t.Callable[[SoapCall], t.Any]


class CommonFcd:
    """The service's operations; ``member_map`` is the option soap_member_map.

    All calls go through ``caller``, which others may wrap.
    """

    def __init__(self, client: SoapClient, member_map: t.Mapping[str, str] | None = None) -> None:
        self.client = client
        self._member_map = member_map
        self._members = Memory()
        self.caller: Caller = self._call_service

    def calling(self, caller: Caller) -> CommonFcd:
        """Return one with the same connection that calls with ``caller``, which mostly wraps that of this one."""
        api = copy.copy(self)
        api.caller = caller
        return api

    def _call_service(self, call: SoapCall) -> t.Any:
        if call.paged:
            return all_rows(self.client.contract, self.client.call, call.operation, call.values, call.limit)
        return self.client.call(call.operation, call.values)

    def call(self, operation: str, **values: t.Any) -> t.Any:
        """Call any operation. Inputs in any spelling; one that is not given is left out, None is sent as null.

        Raises Unusable if the answer to a read with one number shows the object of another number.
        """
        found = self.caller(SoapCall(operation, values))
        if isinstance(found, dict):
            self._require_asked(operation, values, [found])
        return found

    def record(self, operation: str, **values: t.Any) -> JsonObject | None:
        """Call an operation that returns one object; None when there is none."""
        found: JsonObject | None = self.call(operation, **values)
        return found

    def records(self, operation: str, **values: t.Any) -> list[JsonObject]:
        """Call an operation that returns a list. Raises Unusable if it has rows of another than the one asked about."""
        found: list[JsonObject] = self.call(operation, **values)
        self._require_asked(operation, values, found)
        return found

    def _require_asked(self, operation: str, values: t.Mapping[str, object], rows: t.Sequence[JsonObject]) -> None:
        """Raise Unusable if a row says another number than the one asked about; what says none is believed.

        Of an operation whose name does not have the kind of the number, it is not known what the number says: a client
        may have the price list of another owner.
        """
        name, asked = next(iter(values.items())) if len(values) == 1 else ("", None)
        word, named = snake(name).rpartition("_")[0], fold(operation)
        key = self.contract.result_type(operation) if rows and is_identifier(name) and fold(word) in named else None
        if key is None or not is_read(operation):
            return
        item = self.contract.item(key)
        own = Attribute("id" if named == f"get{fold(word)}" else name, (name, word), (name, "id"))
        reader = MemberReader(self.members(local(key if item is None else item.type)), [own])
        shown = {str(number) for row in rows for number in reader.record(row).values() if number is not None}
        wrong = ", ".join(sorted(shown - {str(asked)}))
        if wrong:
            problem = f"{operation}: the answer is about another object: {name} is {wrong} instead of {asked}."
            raise Unusable(problem, operation=operation)

    def is_true(self, operation: str, **values: object) -> bool:
        """Call an operation that answers a question; null is no."""
        return self.call(operation, **values) is True

    def checking(self) -> CommonFcd:
        """Return a client whose operations only check their inputs, as ``call`` does."""
        return self.calling(self._check)

    def _check(self, call: SoapCall) -> None:
        Encoder(self.contract).message(*self.contract.operation(call.operation).input, call.values)

    def members(self, type_name: str) -> Members:
        """Return the members of a type of the contract, or of the input of an operation. Raises InvalidInput."""
        return self._members.answer(type_name, lambda: Members(self.contract, type_name, self._member_map))

    def search(self, operation: str, criteria: t.Mapping[str, object], limit: int | None = None) -> list[JsonObject]:
        """Return the rows of a paged search, whatever the number of pages; ``criteria`` are members of its input."""
        rows: list[JsonObject] = self.caller(SoapCall(operation, criteria, paged=True, limit=limit))
        return rows

    def search_members(self, operation: str) -> Members:
        """Return the members of the input of a paged search. Raises InvalidInput."""
        return self.members(local(self.contract.inputs(operation)[0].type))

    @property
    def contract(self) -> Contract:
        """The compiled WSDL."""
        return self.client.contract


def read_if_exists(read: t.Callable[[], JsonObject | None]) -> JsonObject | None:
    """Return what ``read`` gives for one number; None for null, or for a fault that may mean the same.

    How the service answers for an object that does not exist is not known (docs/service/contract.md, "Faults").
    """
    try:
        return read()
    except ServiceError as problem:
        if not may_mean_absent(problem):
            raise
        return None


def require_clients(api: CommonFcd, numbers: t.Iterable[int], option: str) -> None:
    """Raise InvalidInput if there is no client with one of these numbers; one that may not be read counts as there."""
    unknown = []
    for number in numbers:
        with contextlib.suppress(Forbidden):
            if read_if_exists(functools.partial(api.record, "GetClient", client_id=number)) is None:
                unknown.append(number)
    if unknown:
        raise no_such_ids(option, "client", unknown)


def no_such_ids(option: str, kind: str, numbers: t.Iterable[int]) -> InvalidInput:
    """Return the error that an option names objects by IDs that the service does not have."""
    unknown = sorted(numbers)
    ids = "the ID" if len(unknown) == 1 else "any of the IDs"
    return InvalidInput(f"{option}: there is no {kind} with {ids} {', '.join(map(str, unknown))}.", option=option)


def may_mean_absent(problem: ServiceError) -> bool:
    """Return whether a fault may be how the service says that there is no such object."""
    return not isinstance(problem, (*PLAIN_REFUSALS, Unusable)) and problem.status in FAULT_STATUSES


class Members:
    """The members of one type. ``overrides`` is the option soap_member_map: ``{"Type.attribute": "Member"}``."""

    def __init__(self, contract: Contract, type_name: str, overrides: t.Mapping[str, str] | None = None) -> None:
        """Look the type up: a complex type, or else the input of an operation. Raises InvalidInput."""
        self.type_name = type_name
        type_key = type_key_of(contract, type_name)
        self._zeros = shape_of(contract, type_key).zeros
        self._keys = {field.name: key for key, field in contract.members(type_key).items()}
        self._overrides = {
            attribute: member
            for name, member in (overrides or {}).items()
            for type_part, _dot, attribute in (name.rpartition("."),)
            if fold(type_part) == fold(type_name)
        }

    def find(self, attribute: str, *candidates: str) -> str:
        """Return the key that results have for ``attribute``; requests take it too.

        It is the member given in soap_member_map, else the first of ``attribute`` and ``candidates`` that exists, in
        any spelling. Raises InvalidInput, naming the members of the type, if none does.
        """
        found = self.find_if_any(attribute, *candidates)
        if found is not None:
            return found
        raise InvalidInput(
            f"The service's type {self.type_name} has no member that could be {attribute}: "
            f"it has {', '.join(self._keys) or 'none'}.",
            next_step=f'Name the member in soap_member_map: {{"{self.type_name}.{attribute}": ...}}.',
            type=self.type_name,
            attribute=attribute,
        )

    def zero(self, key: str | None) -> object:
        """Return what it means that an object leaves out a member: 0 or false if it cannot be null, else None."""
        return self._zeros.get(key or "")

    def find_if_any(self, attribute: str, *candidates: str) -> str | None:
        """Like ``find``, but return None if no member fits."""
        if attribute in self._overrides:
            desired = self._overrides[attribute]
            fitting = self._spelled(desired)
            if not fitting:
                raise InvalidInput(
                    f"soap_member_map: the service's type {self.type_name} has no member {desired!r}.",
                    next_step=did_you_mean(desired, self._keys),
                    type=self.type_name,
                    attribute=attribute,
                )
            return self._keys[fitting[0]]
        for candidate in (attribute, *candidates):
            fitting = self._spelled(candidate)
            if len(fitting) == 1:
                return self._keys[fitting[0]]
        return None

    def _spelled(self, name: str) -> list[str]:
        """Return the member with this name, else those that differ in the spelling only."""
        return [name] if name in self._keys else self._spellings.get(fold(name), [])

    @functools.cached_property
    def _spellings(self) -> dict[str, list[str]]:
        """The members by their folded names; a task looks up many."""
        found: dict[str, list[str]] = {}
        for name in self._keys:
            found.setdefault(fold(name), []).append(name)
        return found


def type_key_of(contract: Contract, name: str) -> str:
    """Return the key of a complex type, or else of the input of an operation. Raises InvalidInput."""
    for key in contract.keys(name):
        if contract.simple(key) is None:
            return key
    if any(fold(name) == fold(operation) for operation in contract.operations()):
        return contract.operation(name).input[1]
    raise InvalidInput(
        f"The WSDL {contract.source} has no type {name!r}.", next_step=did_you_mean(name, contract.type_names())
    )


def require_single(ids: t.Sequence[int], message: str, option: str) -> None:
    """Raise Ambiguous with ``message`` if there are several objects; ``option`` can name the right one."""
    if len(ids) > 1:
        listed = ", ".join(map(str, ids))
        raise Ambiguous(f"{message}: {listed}.", next_step=f"Say which one is meant with {option}.", ids=list(ids))


def member_advice(type_name: str, attribute: str) -> str:
    """Return the advice to name the member of a type that holds an attribute."""
    return f'soap_member_map ({{"{type_name}.{attribute}": ...}})'


def unreadable_warning(type_name: str, names: t.Sequence[str], attribute: str) -> str:
    """Return the warning that these cannot be compared; ``attribute`` is the first of them."""
    return (
        f"These cannot be compared, since no member of the service's type {type_name} shows them, so they are sent "
        f"each time: {', '.join(names)}. If a member of another name does, give it in "
        f"{member_advice(type_name, attribute)}."
    )


class MemberReader:
    """Reads objects of one type."""

    def __init__(self, members: Members, attributes: t.Sequence[Attribute], needed: t.Sequence[str] = ()) -> None:
        """Match the attributes with the members.

        Raises InvalidInput if soap_member_map names a wrong one, or if an attribute that is ``needed`` has no member.
        """
        self.type_name = members.type_name
        self._members = members
        self._needed = needed
        self._attributes = {item.name: item for item in attributes}
        self._keys = {item.name: members.find_if_any(item.name, *item.members) for item in attributes}
        self.require_members(*needed)

    def key(self, name: str) -> str | None:
        """Return the key that objects of this type have for the attribute, None when no member fits."""
        return self._keys[name]

    def holds(self, name: str, desired: object, current: object) -> bool:
        """Return whether an object has the desired value; what it leaves out is 0 or false, if it cannot be null."""
        return same(desired, self._members.zero(self._keys[name]) if current is None else current)

    def require_members(self, *names: str) -> None:
        """Raise InvalidInput, naming the existing members, if one of these attributes has none."""
        for name in names:
            if self._keys[name] is None:
                self._members.find(name, *self._attributes[name].members)

    def record(self, row: t.Mapping[str, object]) -> JsonObject:
        """Return what can be read of an object, by the names of the attributes.

        Raises Unusable if it lacks an attribute that is needed: nothing stands for the number of an object.
        """
        found: JsonObject = {}
        for name, key in self._keys.items():
            if key is None or key not in row:
                continue
            value = row[key]
            if not isinstance(value, dict):
                found[name] = value
                continue
            plain = {fold(word): part for word, part in reversed(value.items()) if not isinstance(part, (dict, list))}
            inside = next((fold(word) for word in self._attributes[name].inner if fold(word) in plain), None)
            if inside is not None:
                found[name] = plain[inside]
        for name in self._needed:
            if name not in found or (found[name] is None and is_identifier(name)):
                raise Unusable(
                    f"An object of the service's type {self.type_name} has no value for {name}.",
                    next_step=f"If another member has it, name that in {member_advice(self.type_name, name)}.",
                    type=self.type_name,
                    attribute=name,
                )
        return found
