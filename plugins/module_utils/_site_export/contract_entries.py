# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Clients, client users, warehouses and price lists of an account as entries."""

from __future__ import annotations

import typing as t
from collections import Counter
from functools import partial

from .._connection.secret_inputs import HARMLESS
from .._contract.api import MemberReader
from .._contract.attributes import (
    CLIENT_NUMBER,
    PRICELIST_ATTRIBUTES,
    PRICELIST_OF_CLIENT,
    USER_SETTINGS,
    WAREHOUSE_ATTRIBUTES,
    WAREHOUSE_KEY,
)
from .._contract.client import CLIENT_OPTIONS, DeclaredClient
from .._contract.client_record import ROLES, ClientInputs
from .._contract.client_user_changes import same_login
from .._contract.client_user_record import UserReader, privileges_of
from .._contract.connection import common_fcd
from .._contract.pricelist import current_pricelist, pricelists_by_client
from .._contract.typed_values import known_members
from .._core.errors import InvalidInput
from .._core.text import fold, names_a_secret
from .._core.type_aliases import JsonObject
from .exported_account import HIDDEN_REASON, ExportedAccount, ExportedKind, ExportTable, UniqueLabels

if t.TYPE_CHECKING:
    from .._connection.task import Task
    from .._contract.api import CommonFcd

BY_NUMBER = ("default_user", "branch", "referrer")
"""Objects of their own, so an entry only has their numbers."""
PLAIN_CLIENT_OPTIONS = (
    *("company", "addresses", *ROLES, "phones", "project_type", "project_name", "commission"),
    *("additional_email_for_invoices", "vat_id", "external_account_number", "status"),
)
CLIENTS = ExportTable(
    "clients",
    ("id",),
    ("type", *BY_NUMBER, *PLAIN_CLIENT_OPTIONS),
    withheld={"pit_data": HIDDEN_REASON, "secret_fields": HIDDEN_REASON},
)
USER_TEXTS = ("first_name", "last_name", "email", "phone_number")
CLIENT_USERS = ExportTable(
    "client_users",
    ("user_name", "id"),
    ("client_id", "state", *USER_TEXTS, "is_default", "privileges", "settings"),
    withheld={"user_password": HIDDEN_REASON, "pesel": HIDDEN_REASON},
)
WAREHOUSE_TABLE = ExportTable("warehouses", (*WAREHOUSE_KEY, "id"), ("name", "queue_length"))
PRICELISTS = ExportTable("client_pricelists", ("pricelist", "pricelist_id"), ("client_ids",))


class ContractExport:
    """Reads the kinds of the SOAP interface; each raises InvalidInput if the WSDL has no member for numbers or keys."""

    def __init__(self, account: ExportedAccount) -> None:
        """Raise MissingSettings."""
        self._account = account
        self._api = common_fcd(account.task)

    def clients(self) -> ExportedKind:
        """Return the clients; deleted ones are not among them."""
        found, reader = ExportedKind(CLIENTS), ClientEntries(self._account.task, self._api)
        rows = MemberReader(self._api.members("ClientResultItem"), [CLIENT_NUMBER], ("id",))
        numbers = {rows.record(row)["id"] for row in self._api.search("GetClients", {})}
        selected = sorted(number for number in numbers if self._account.is_selected(CLIENTS.kind, number))
        for client, record in self._account.each(selected, reader.read):
            if record is not None:
                reader.add(found, client, record)
        return found

    def client_users(self) -> ExportedKind:
        found, api = ExportedKind(CLIENT_USERS), self._api
        reader = UserReader(api)
        reader.row.require_members("id")
        rows = {reader.row.record(row)["id"]: row for row in api.search("GetUsers", {})}

        def read(number: int) -> JsonObject | None:
            user = api.record("GetUser", user_id=number)
            if user is None:
                return None
            return {**reader.record(user, rows[number]), "id": number, "privileges": privileges_of(api, number)}

        users = [record for record in self._account.each(sorted(rows), read) if record is not None]
        for record, identity in self._account.identified(found, users, key="user_name"):
            told = self._told_of_user(record)
            found.add({**identity, **{option: value or None for option, value in told.items()}})
        return found

    def _told_of_user(self, record: JsonObject) -> JsonObject:
        is_blocked = bool(record.get("is_blocked"))
        if is_blocked:  # no entry may block the user that logs in
            is_blocked = not same_login(record.get("user_name") or "", self._account.task.settings["username"])
        settings = {}  # those that can be declared: booleans where the name begins with is_, else numbers
        for item in USER_SETTINGS:
            value = record["settings"].get(item.name)
            if isinstance(value, bool if item.name.startswith("is_") else int):
                settings[item.name] = value
        return {
            **{option: record.get(option) for option in ("client_id", *USER_TEXTS)},
            "is_default": bool(record.get("is_default")),
            "state": "blocked" if is_blocked else None,
            "privileges": list(map(str, record["privileges"])),
            "settings": settings,
        }

    def warehouses(self) -> ExportedKind:
        found = ExportedKind(WAREHOUSE_TABLE)
        reader = MemberReader(self._api.members("WarehouseItem"), WAREHOUSE_ATTRIBUTES, ("id", *WAREHOUSE_KEY))
        records = [reader.record(row) for row in self._api.search("GetWarehouses", {})]
        counts = Counter(_warehouse_key(record) for record in records)
        for record in sorted(records, key=lambda one: (_warehouse_key(one), one["id"])):
            if not self._account.is_selected(WAREHOUSE_TABLE.kind, record.get("name") or ""):
                continue
            key = _warehouse_key(record)
            values = {name: record.get(name) for name in ("name", "queue_length")}
            if counts[key] == 1 and "" not in key:
                values.update({name: record[name] for name in WAREHOUSE_KEY})
                values[WAREHOUSE_KEY[-1]] = key[-1]
            else:
                values["id"] = record["id"]
                why = f"others have the same, or none; it is declared by id {record['id']}"
                found.leave("/".join(key), why, WAREHOUSE_KEY[0])
            found.add(values)
        return found

    def client_pricelists(self) -> ExportedKind:
        found = ExportedKind(PRICELISTS)
        reader = MemberReader(
            self._api.members("PricelistClientView"), PRICELIST_OF_CLIENT, ("client_id", "pricelist_id")
        )
        names, by_list = self._pricelist_names(), self._clients_by_pricelist(reader)
        for number in sorted(by_list):
            label = names.of(number)
            if self._account.is_selected(PRICELISTS.kind, label or ""):
                which = {"pricelist": label} if label is not None else {"pricelist_id": number}
                found.add({**which, "client_ids": sorted(by_list[number])})
        return found

    def _pricelist_names(self) -> UniqueLabels:
        """Return the names of the price lists; none if the WSDL has no member for them."""
        reader = MemberReader(self._api.members("PricelistResultItem"), PRICELIST_ATTRIBUTES)
        if reader.key("id") is None or reader.key("name") is None:
            return UniqueLabels([])
        rows = [reader.record(row) for row in self._api.search("GetPricelists", {})]
        return UniqueLabels((row["id"], row["name"]) for row in rows if not self._account.holds_secret(row["name"]))

    def _clients_by_pricelist(self, reader: MemberReader) -> dict[int, list[int]]:
        """Return the clients by price list; if one is listed with several, its current one counts."""
        lists = pricelists_by_client(self._api, reader)
        several = [client for client, numbers in lists.items() if len(numbers) > 1]
        current = self._account.each(several, partial(current_pricelist, self._api))
        lists.update({client: set() if number is None else {number} for client, number in zip(several, current)})
        by_list: dict[int, list[int]] = {}
        for client, numbers in lists.items():
            for number in numbers:
                by_list.setdefault(number, []).append(client)
        return by_list


def _warehouse_key(record: JsonObject) -> tuple[str, ...]:
    return tuple("" if record.get(name) is None else str(record[name]) for name in WAREHOUSE_KEY)


class ClientEntries:
    """Reads clients and turns them into entries that the module would leave unchanged."""

    def __init__(self, task: Task, api: CommonFcd) -> None:
        self._task = task
        self._inputs = ClientInputs(api)

    def read(self, number: int) -> tuple[DeclaredClient, JsonObject | None]:
        """Return a client, and its record, None if it is gone or deleted."""
        params = {**{name: spec.get("default") for name, spec in CLIENT_OPTIONS.items()}, "id": number}
        types = CLIENT_OPTIONS["address_types"]["options"]
        params["address_types"] = {role: spec["default"] for role, spec in types.items()}
        client = DeclaredClient(self._task, params, self._inputs)
        return client, client.reread({})

    def add(self, found: ExportedKind, client: DeclaredClient, record: JsonObject) -> None:
        values: JsonObject = {"id": client.number}
        for option in ("type", *BY_NUMBER, *PLAIN_CLIENT_OPTIONS):
            value = self._value(option, record)
            if value is None or (option in ROLES and "addresses" in values):
                continue
            why = None if option == "type" else self._why_not(client, option, value, record)
            if why is None:
                values[option] = value
            else:
                found.leave(client.number, why, option)
        found.add(values)

    def _value(self, option: str, record: JsonObject) -> t.Any:
        """Return the value of an option, None if it is left out."""
        value = record.get(option)
        if option not in BY_NUMBER:
            return tidy(value)
        if not isinstance(value, dict):
            return None
        number = self._inputs.typed.identity(self._inputs.member(option).type)
        return {number: value[number]} if number is not None and value.get(number) else None

    def _why_not(self, client: DeclaredClient, option: str, value: object, record: JsonObject) -> str | None:
        try:
            checked = self._inputs.typed.check(self._inputs.member(option), value, option)
            client.desired = {option: checked}
            return None if client.holds(option, checked, record[option]) else "the module would change it"
        except InvalidInput as wrong:
            return f"the module does not take it ({wrong.message.rstrip('.')})"


def tidy(value: object) -> object:
    """Return a value without what is empty, secret, or a reference to something above it; None if nothing is left."""
    if isinstance(value, list):
        return [one for one in map(tidy, value) if one is not None] or None
    if isinstance(value, dict):
        return _tidy_mapping(value)
    return None if value == "" else value


def _tidy_mapping(value: JsonObject) -> JsonObject | None:
    known = known_members(value)
    told = {name: tidy(one) for name, one in known.items() if not names_a_secret(name) or fold(name) in HARMLESS}
    return {name: one for name, one in told.items() if one is not None} or None
