# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A client as the service tells it, by the names of our options.

Source: contract/soap-common-fcd.md (inputs of the updates); of the members of Client only ClientId was seen (wire-facts
9.4), so an attribute that no member fits cannot be read.
"""

from __future__ import annotations

import typing as t

from ..._core.errors import InvalidInput
from ..common_fcd import CommonFcd
from ..typed_values import TypedValues
from .contacts import Contacts
from .inputs import COMPANY, INDIVIDUAL, ROLES, Inputs

Record = t.Dict[str, t.Any]

CLIENT = "Client"
MEMBERS: dict[str, tuple[str, ...]] = {
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
"""What the member for an attribute may be called besides its own name."""

MARKS = ("is_company", "is_deleted")  # they say something of the client, and are no options
RESULT = ("id", "type", *(name for name in MEMBERS if name not in ("id", *MARKS, *ROLES)))


class ClientReader:
    """Reads clients; a record has the attributes that can be read, and the rest of ``members``."""

    def __init__(self, api: CommonFcd, typed: TypedValues, inputs: Inputs, address_types: t.Mapping[str, int]) -> None:
        """Match the members. Raises InvalidInput when the WSDL has no such type or soap_member_map is wrong."""
        self._members = api.members(CLIENT)
        self._keys = {name: self._members.find_if_any(name, *others) for name, others in MEMBERS.items()}
        self._api = api
        self._typed = typed
        self._inputs = inputs
        self._address_types = address_types
        self._addresses: Contacts | None = None

    def key(self, name: str) -> str | None:
        """Return the member behind an attribute; one that only the WSDL knows is looked for by its own name."""
        if name not in self._keys:
            self._keys[name] = self._members.find_if_any(name)
        return self._keys[name]

    def needed(self, name: str) -> None:
        """Raise InvalidInput, naming the members that there are, when no member fits the attribute."""
        if self.key(name) is None:
            self._members.find(name, *MEMBERS.get(name, ()))

    def is_deleted(self, row: Record) -> bool | None:
        """Whether the service says that the client is deleted; None when it does not say."""
        key = self.key("is_deleted")
        return None if key is None or row.get(key) is None else bool(row[key])

    def record(self, row: Record, further: t.Iterable[str] = ()) -> Record:
        """Return what can be read of a client; ``further`` are attributes beyond those that we know."""
        record: Record = {}
        for name in (*(name for name in MEMBERS if name not in MARKS), *further):
            key = self.key(name)
            if key is not None:
                record[name] = self._as_sent(name, row.get(key))
        kind = self.type_of(row)
        if kind is not None:
            record["type"] = kind
        told = {self.key(name) for name in record}
        return {**record, "members": {key: value for key, value in row.items() if key not in told}}

    def type_of(self, row: Record) -> str | None:
        """Return the type: what a member says that soap_member_map may name, else whether there is a company."""
        key = self.key("is_company") or self.key("company")
        return None if key is None else COMPANY if row.get(key) else INDIVIDUAL

    def with_roles(self, record: Record, names: t.Iterable[str]) -> Record:
        """Return the record with the addresses of these roles. Raises InvalidInput when nothing tells them."""
        found = {name: self._by_role(record, name) for name in names if name not in record}
        return {**record, **found} if found else record

    def further_addresses(self, record: Record) -> list[Record]:
        """Return the addresses that are none of the three that UpdateClientAddresses sets."""
        known = [record[name] for name in ROLES if record.get(name) is not None]
        return [entry for entry in record.get("addresses") or [] if entry not in known]

    def check_role(self, name: str, wanted: Record) -> None:
        """Raise InvalidInput for an address that says to be of another type than the one of its role."""
        number = self._address_types[ROLES[name]]
        kind = self._contacts().type_of(wanted) if self.key(name) is None else None
        if kind not in (None, number):
            raise InvalidInput(
                f"{name}: it says to be of the type {kind}, and addresses of this role are of the type {number}.",
                next_step=f"Leave the type out, or change it in address_types.{ROLES[name]}.",
                option=name,
            )

    def typed_as(self, role: str) -> Record:
        """Return what makes a new address one of this role, where the addresses of a client are one list."""
        return {} if self.key(role) is not None else self._contacts().typed_as(self._address_types[ROLES[role]])

    def _by_role(self, record: Record, name: str) -> Record | None:
        if "addresses" not in record:
            self.needed(name)
        return self._contacts().of_type(record["addresses"] or [], self._address_types[ROLES[name]])

    def _contacts(self) -> Contacts:
        if self._addresses is None:
            self._addresses = Contacts(self._typed, self._inputs.member("addresses"), self._api.members, "addresses")
        return self._addresses

    def _as_sent(self, name: str, value: t.Any) -> t.Any:
        """Return a value in the form that updates take: a plain number stands for an object of that number."""
        if name != "branch" or not isinstance(value, int):
            return value
        number = self._typed.identity(self._inputs.member(name).type)
        return value if number is None else {number: value}
