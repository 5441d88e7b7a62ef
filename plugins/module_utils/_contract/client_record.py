# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A client as the service returns it, by the names of our options, and the inputs of its updates.

Source: docs/service/contract.md, "Clients". The inputs of the updates are read from the WSDL, so that
undocumented ones count as well. The only member of Client that was ever seen is ClientId, so an attribute without a
member cannot be read.
"""

from __future__ import annotations

import typing as t

from .._core.errors import Ambiguous, InvalidInput
from .._core.text import did_you_mean, fold, snake
from .._core.type_aliases import JsonObject
from .._soap.codec import missing_in
from .._soap.contract import local
from .api import CommonFcd, MemberReader, read_if_exists
from .attributes import CLIENT_NUMBER
from .typed_values import Member, TypedValues

INDIVIDUAL, COMPANY = "individual", "company"
OF_TYPE = {INDIVIDUAL: "UpdateIndividualClient", COMPANY: "UpdateCompanyClient"}
OF_ANY = "UpdateClient"
CHANGE_OF_TYPE = {COMPANY: "ChangeIndividualClientType", INDIVIDUAL: "ChangeCompanyClientType"}
WITH_PROJECT_NAME = {
    "UpdateIndividualClient": "UpdateIndividualClientWithProjectName",
    "UpdateCompanyClient": "UpdateCompanyClientWithProjectName",
    "UpdateClient": "UpdateClientWithProjectName",
}
BY_ROLE, PIT_DATA, STATUS = "UpdateClientAddresses", "CreateOrUpdateClientPitData", "UpdateClientStatus"
ROLES = {"main_address": "main", "correspondence_address": "correspondence", "billing_address": "billing"}

_OTHERWISE = {"user": "default_user"}  # an input whose option has another name
ClientRows = t.List[JsonObject]
CLIENT_TYPE = "Client"
CLIENT_MEMBERS: dict[str, tuple[str, ...]] = {
    "id": ("ClientId",),
    "default_user": ("User",),
    "company": ("CompanyData",),
    "addresses": ("ClientAddresses", "AddressList"),
    "phones": ("ClientPhones", "PhoneNumbers", "PhoneList"),
    "branch": ("BranchDict", "BranchDictId", "BranchId"),
    "project_type": (),
    "commission": (),
    "referrer": (),
    "additional_email_for_invoices": ("AdditionalEmail", "AdditionalInvoiceEmail"),
    "project_name": (),
    "vat_id": ("Vat", "VatNumber"),
    "external_account_number": ("ExternalAccount",),
    "main_address": (),
    "correspondence_address": (),
    "billing_address": ("InvoiceAddress",),
    "status": ("ClientStatus",),
    "is_company": ("IsCompanyClient",),
    "is_deleted": ("Deleted",),
}
"""Other possible names of the member for an attribute."""
CLIENT_FLAGS = ("is_company", "is_deleted")  # properties of the client that are no options
READABLE = tuple(name for name in CLIENT_MEMBERS if name not in CLIENT_FLAGS)
CLIENT_RESULT = ("id", "type", *(name for name in READABLE if name != "id" and name not in ROLES))


class ClientInputs:
    """The inputs of the updates, by our names, and the values of their types, ``typed``."""

    def __init__(self, api: CommonFcd) -> None:
        self.api = api
        self.typed = TypedValues(api.contract)
        self._known: dict[str, dict[str, Member]] = {}
        self._contacts: dict[str, Contacts] = {}
        updates = filter(self.typed.offers, (OF_ANY, *reversed(list(OF_TYPE.values()))))
        others = filter(self.typed.offers, (STATUS, PIT_DATA, BY_ROLE, *reversed(list(CHANGE_OF_TYPE.values()))))
        # of several inputs for one attribute the last one counts
        self._updatable = {name: item for operation in updates for name, item in self.of_update(operation).items()}
        self._others = {name: item for operation in others for name, item in self.of(operation).items()}

    def of(self, operation: str) -> dict[str, Member]:
        """Return the inputs of an operation besides the client's number. Raises InvalidInput if it does not exist."""
        if operation not in self._known:
            members = [item for item in self.typed.inputs(operation) if fold(item.name) != "clientid"]
            names = [_OTHERWISE.get(fold(item.name), snake(item.name)) for item in members]
            self._known[operation] = dict(zip(names, members))
        return self._known[operation]

    def of_update(self, operation: str) -> dict[str, Member]:
        """Return what an update takes, with or without a project name."""
        named = WITH_PROJECT_NAME[operation]
        return {**self.of(operation), **(self.of(named) if self.typed.offers(named) else {})}

    def member(self, name: str) -> Member:
        """Return the input behind an attribute. Raises InvalidInput when no operation takes it."""
        found = self._updatable.get(name) or self._others.get(name)
        if found is None:
            raise InvalidInput(f"{name}: the service has no operation that sets it for a client.", option=name)
        return found

    def contacts(self, option: str) -> Contacts:
        """Return the rules for the entries of addresses or phones."""
        if option not in self._contacts:
            self._contacts[option] = Contacts(self, option)
        return self._contacts[option]

    def field(self, given: str) -> str:
        """Return the attribute that a key of the option fields means. Raises InvalidInput."""
        desired = fold(_OTHERWISE.get(fold(given), given))
        for name in self._updatable:
            if fold(name) == desired:
                return name
        raise InvalidInput(
            f"fields.{given}: no update operation of clients takes such a value.",
            next_step=did_you_mean(given, sorted(self._updatable)),
            option="fields",
        )

    def covering(self, kind: str, names: set[str]) -> list[tuple[str, set[str]]]:
        """Return the updates that a client of this type needs, each with its attributes. Raises InvalidInput."""
        own = set(self.of_update(OF_TYPE[kind]))
        general = set(self.of_update(OF_ANY)) if self.typed.offers(OF_ANY) else set()
        left = sorted(names - own - general)
        if left:
            other = INDIVIDUAL if kind == COMPANY else COMPANY
            raise InvalidInput(
                f"{left[0]}: the client's type is {kind}, and its update operations do not take this.",
                next_step=f"Omit it, or change the type of the client with type: {other}.",
                option=left[0],
            )
        if names <= general and not names <= own:
            return [(OF_ANY, names)]
        parts = [(OF_TYPE[kind], names & own), (OF_ANY, names - own)]
        return [(operation, part) for operation, part in parts if part]


class Contacts:
    """The entries of one option (addresses or phones); with ``purge``, those that are not declared are removed."""

    def __init__(self, inputs: ClientInputs, option: str) -> None:
        self._typed = inputs.typed
        item = self._typed.item(inputs.member(option))
        if item is None:
            raise InvalidInput(f"{option}: the service takes no list here.", option=option)
        self._item = item
        self._option = option
        name = self._type_name = local(item.type)
        known = inputs.api.members(name)
        self._number = known.find_if_any("id", f"{name}Id", f"Client{name}Id")
        self._type = known.find_if_any(
            "type_id", f"{name}TypeDictId", f"{name}TypeId", f"{name}Type", f"{name}TypeDict", "TypeDictId", "Type"
        )

    def type_of(self, entry: JsonObject) -> object:
        """Return the number of an entry's type, or None."""
        value = entry.get(self._type) if self._type is not None else None
        if isinstance(value, dict):
            return next((part for key, part in value.items() if key.endswith("id")), None)
        return value

    def of_type(self, entries: ClientRows, kind: int) -> JsonObject | None:
        """Return the entry of a type. Raises InvalidInput when the service's type has no member for it."""
        self._type_member()
        return next((entry for entry in entries if self.type_of(entry) == kind), None)

    def typed_as(self, kind: int) -> JsonObject:
        """Return the member that gives a new entry this type."""
        member = self._type_member()
        return {member: kind} if member.endswith("id") else {}

    def hold(self, desired: ClientRows, current: ClientRows | None, *, purge: bool) -> bool:
        """Return whether all desired entries are there."""
        matches = self._matches(desired, current or [])
        if purge and len(matches) != len(current or []):
            return False
        return all(old is not None and self._same(entry, old) for entry, old in zip(desired, matches))

    def merge(self, current: ClientRows | None, desired: ClientRows, *, purge: bool) -> ClientRows:
        """Return all entries with the desired ones merged in."""
        pairs = list(zip(desired, self._matches(desired, current or [])))
        changed = {
            id(old): self._typed.merge(self._item, old, self._content(entry)) for entry, old in pairs if old is not None
        }
        kept = [changed.get(id(old), old) for old in current or [] if id(old) in changed or not purge]
        return [*kept, *(entry for entry, old in pairs if old is None)]

    def _same(self, desired: JsonObject, current: JsonObject) -> bool:
        return self._typed.holds(self._item, self._content(desired), current)

    def _content(self, entry: JsonObject) -> JsonObject:
        """Return the content of an entry; a 0 instead of a number means none."""
        return {name: value for name, value in entry.items() if name != self._number or value}

    def _matches(self, desired: ClientRows, current: ClientRows) -> list[JsonObject | None]:
        """Return the current entry that each desired one stands for, or None. Raises InvalidInput, Ambiguous."""
        matches: list[JsonObject | None] = [None] * len(desired)
        left = list(current)

        def by_content(entry: JsonObject, left: ClientRows, _path: str) -> JsonObject | None:
            return next((old for old in left if self._same(entry, old)), None)

        for find in (self._by_number, by_content, self._by_type):
            for index, entry in enumerate(desired):
                if matches[index] is None:
                    matches[index] = found = find(entry, left, f"{self._option}[{index}]")
                    left = [old for old in left if old is not found]
        return matches

    def _by_number(self, entry: JsonObject, left: ClientRows, path: str) -> JsonObject | None:
        number = entry.get(self._number) if self._number else None
        if self._number is None or not number:
            return None
        found = next((old for old in left if old.get(self._number) == number), None)
        if found is None:
            raise InvalidInput(
                f"{path}: the client has none with the {self._number} {number}, or it is given twice.",
                next_step=f"Known: {', '.join(str(old.get(self._number)) for old in left) or 'none'}.",
                option=self._option,
            )
        return found

    def _by_type(self, entry: JsonObject, left: ClientRows, path: str) -> JsonObject | None:
        if self._number is not None and self._number in entry:
            return None
        kind = self.type_of(entry)
        if kind is None and left:
            ways = " or ".join(filter(None, (self._number, self._type)))
            raise InvalidInput(
                f"{path}: it does not identify one of the client's {self._option}.",
                next_step=f"Give its {ways}" + (f"; {self._number}: 0 creates another one." if self._number else "."),
                option=self._option,
            )
        found = [old for old in left if self.type_of(old) == kind]
        if len(found) > 1:
            raise self._ambiguous(found, kind, path)
        return found[0] if found else None

    def _ambiguous(self, found: ClientRows, kind: object, path: str) -> Ambiguous:
        ids = [old.get(self._number) for old in found] if self._number else []
        return Ambiguous(
            f"{path}: the client has {len(found)} of the type {kind}: {', '.join(map(str, ids))}.",
            next_step=f"Say which one is meant with {self._number or 'soap_member_map'}.",
            ids=ids,
        )

    def _type_member(self) -> str:
        if self._type is None:
            raise InvalidInput(
                f"{self._option}: the service's type {self._type_name} has no member for the type of an address.",
                next_step=f'Name it in soap_member_map: {{"{self._type_name}.type_id": ...}}.',
                option=self._option,
            )
        return self._type


class ClientReader:
    """Reads clients; a record has the attributes that can be read, and the rest of ``members``.

    ``deleted``: the client that was looked for last exists but is deleted. ``lacking``: the attributes that the answer
    with the last one lacks, which are not in its record.
    """

    def __init__(self, inputs: ClientInputs, address_types: t.Mapping[str, int]) -> None:
        """Match the members. Raises InvalidInput when the WSDL has no such type or soap_member_map is wrong."""
        self.deleted = False
        self.lacking: set[str] = set()
        self._api = inputs.api
        self._members = self._api.members(CLIENT_TYPE)
        self._keys = {name: self._members.find_if_any(name, *others) for name, others in CLIENT_MEMBERS.items()}
        self._inputs = inputs
        self._address_types = address_types

    def key(self, name: str) -> str | None:
        """Return the member for an attribute; one that only the WSDL knows is looked up by its own name."""
        if name not in self._keys:
            self._keys[name] = self._members.find_if_any(name)
        return self._keys[name]

    def require_members(self, name: str) -> None:
        """Raise InvalidInput, naming the existing members, if none fits the attribute."""
        if self.key(name) is None:
            self._members.find(name, *CLIENT_MEMBERS.get(name, ()))

    def present(self, number: int) -> JsonObject | None:
        """Return the client as the service sends it, None when it is deleted or there is none."""

        def read(operation: str) -> JsonObject | None:
            return read_if_exists(lambda: self._api.record(operation, client_id=number))

        row = read("GetClient")
        if row is not None:
            self.deleted = bool(self._deletion_mark(row))
            return None if self.deleted else row
        row = read("GetClientIncludingDeleted")
        mark = None if row is None else self._deletion_mark(row)
        if row is not None and mark is None:
            listed = MemberReader(self._api.members("ClientResultItem"), [CLIENT_NUMBER], ("id",))
            mark = all(listed.record(one)["id"] != number for one in self._api.search("GetClients", {}))
        self.deleted = bool(mark)
        if row is None or mark:
            return None
        return self._api.record("GetClient", client_id=number) or row  # or its fault

    def _deletion_mark(self, row: JsonObject) -> object:
        key = self.key("is_deleted")
        return None if key is None else row.get(key)

    def record(self, row: JsonObject, further: t.Iterable[str] = ()) -> JsonObject:
        """Return what can be read of a client; ``further`` are attributes that we do not know."""
        keys, missing = {name: self.key(name) for name in (*READABLE, *further)}, missing_in(row)
        self.lacking = {name for name, key in keys.items() if key in missing}
        record: JsonObject = {name: row[key] for name, key in keys.items() if key in row and key not in missing}
        if isinstance(record.get("branch"), int):
            record["branch"] = self._branch_object(record["branch"])
        is_company = self.key("is_company") or self.key("company")
        if is_company in row and is_company not in missing:
            record["type"] = COMPANY if row[is_company] else INDIVIDUAL
        known = set(map(self.key, record))
        return {**record, "members": {key: value for key, value in row.items() if key not in known}}

    def _branch_object(self, number: int) -> object:
        """Return a branch as updates take it: a plain number stands for an object of that number."""
        member = self._inputs.typed.identity(self._inputs.member("branch").type)
        return number if member is None else {member: number}

    def add_roles(self, record: JsonObject) -> None:
        """Add the addresses by their roles to the record. Raises InvalidInput if nothing distinguishes them."""
        for name in ROLES:
            if name not in record and self.lacking.isdisjoint((name, "addresses")) and "addresses" not in record:
                self.require_members(name)
            if name not in record and "addresses" in record:
                addresses = self._inputs.contacts("addresses")
                record[name] = addresses.of_type(record["addresses"] or [], self._address_types[ROLES[name]])

    def check_role(self, name: str, desired: JsonObject) -> None:
        """Raise InvalidInput for an address whose type contradicts its role."""
        number = self._address_types[ROLES[name]]
        kind = self._inputs.contacts("addresses").type_of(desired) if self.key(name) is None else None
        if kind not in (None, number):
            raise InvalidInput(
                f"{name}: its type is {kind}, but addresses of this role have the type {number}.",
                next_step=f"Omit the type, or change it in address_types.{ROLES[name]}.",
                option=name,
            )

    def typed_as(self, role: str) -> JsonObject:
        """Return the member that gives a new address this role, if all addresses of a client are in one list."""
        if self.key(role) is not None:
            return {}
        return self._inputs.contacts("addresses").typed_as(self._address_types[ROLES[role]])
