# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Clients, with what can be read of them and declared without changing it.

Which members a client has is only known from the WSDL, so each value is checked and compared as the module does it.
"""

from __future__ import annotations

import typing as t

from ..._contract.client import NOT_SECRET, OPTIONS
from ..._contract.client_changes import DeclaredClient
from ..._contract.client_record import ROLES, ClientInputs
from ..._contract.members import Attribute, MemberReader
from ..._contract.typed_values import CYCLE, TypedValues
from ..._core.errors import InvalidInput
from ..._core.names import fold, names_a_secret
from .account import Account, Record
from .found import CONCEALED, HOW, NOT_DECLARED, Found, Table

BY_NUMBER = ("default_user", "branch", "referrer")
"""Objects of their own: an entry tells their numbers only."""
PLAIN = (
    "company",
    "addresses",
    *ROLES,
    "phones",
    "project_type",
    "project_name",
    "commission",
    "additional_email_for_invoices",
    "vat_id",
    "external_account_number",
    "status",
)
TABLE = Table(
    "clients",
    ("id",),
    ("type", *BY_NUMBER, *PLAIN),
    withheld={"pit_data": CONCEALED, "secret_fields": CONCEALED},
    of_tasks={
        "state": "all of them are there",
        "purge_addresses": NOT_DECLARED,
        "purge_phones": NOT_DECLARED,
        "address_types": "those of the collection fit, or addresses are not told by their roles",
        "fields": "inputs beyond the contract are known to nobody",
        "status_comment": HOW,
        "delete_comment": HOW,
    },
)


class Clients:
    """Reads clients; ``found`` has them."""

    def __init__(self, account: Account) -> None:
        """Match the members. Raises InvalidInput when the WSDL does not tell the numbers of clients."""
        self._account = account
        self._api = account.soap
        self._typed = TypedValues(self._api.contract)
        self._inputs = ClientInputs(self._typed)
        self._rows = MemberReader(self._api.members("ClientResultItem"), [Attribute("id", ("ClientId",))])
        self._rows.needed("id")
        self.found = Found(TABLE)

    def read(self) -> Found:
        """Return what was found; deleted clients are not."""
        numbers = {self._rows.record(row)["id"] for row in self._api.search("GetClients", {})}
        wanted = sorted(number for number in numbers if self._account.wanted(TABLE.kind, number))
        for client, record in self._account.each(wanted, self._client):
            if record is not None:
                self._take_in(client, record)
        return self.found

    def _client(self, number: int) -> tuple[DeclaredClient, Record | None]:
        params = {**{name: spec.get("default") for name, spec in OPTIONS.items()}, "id": number}
        types = OPTIONS["address_types"]["options"]
        params["address_types"] = {role: spec["default"] for role, spec in types.items()}
        client = DeclaredClient(self._account.task, self._api, params, self._typed, self._inputs)
        return client, client.read()

    def _take_in(self, client: DeclaredClient, record: Record) -> None:
        values: Record = {"id": client.number}
        for option in ("type", *BY_NUMBER, *PLAIN):
            value = self._value(option, record)
            if value is None or (option in ROLES and "addresses" in values):
                continue
            why = self._why_not(client, option, value, record)
            if why is None:
                values[option] = value
            else:
                self.found.leave(client.number, why, option)
        self.found.add(values)

    def _value(self, option: str, record: Record) -> t.Any:
        """Return what an entry would say, None when there is nothing to say."""
        value = record.get(option)
        if option not in BY_NUMBER:
            return tidy(value)
        if not isinstance(value, dict):
            return None
        number = self._typed.identity(self._inputs.member(option).type)
        return {number: value[number]} if number is not None and value.get(number) else None

    def _why_not(self, client: DeclaredClient, option: str, value: t.Any, record: Record) -> str | None:
        """Return why an option cannot be declared."""
        if option == "type":
            return None
        try:
            member = self._inputs.member(option)
            checked = self._typed.checked(member, value, option)
            client.wanted = {option: checked}
            fits = client.holds(option, checked, record[option])
        except InvalidInput as wrong:
            return f"the module does not take it ({wrong.message.rstrip('.')})"
        return None if fits else "the module would change it"


def tidy(value: t.Any) -> t.Any:
    """Return a value without what is empty, secret, or a reference to something above it; None when nothing is left."""
    if isinstance(value, list):
        return [one for one in map(tidy, value) if one is not None] or None
    if not isinstance(value, dict):
        return None if value == "" else value
    if CYCLE in value:
        return None
    kept = {name: tidy(entry) for name, entry in value.items() if not _secret(name)}
    return {name: entry for name, entry in kept.items() if entry is not None} or None


def _secret(name: str) -> bool:
    return names_a_secret(name) and fold(name) not in NOT_SECRET


def clients(account: Account) -> Found:
    """Return the clients."""
    return Clients(account).read()
