# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Clients, client users, warehouses and price lists of an account as entries."""

from __future__ import annotations

import typing as t
from collections import Counter

from .._contract.api import Attribute, MemberReader
from .._contract.client import NOT_SECRET, OPTIONS
from .._contract.client_changes import DeclaredClient
from .._contract.client_record import ROLES, ClientInputs
from .._contract.client_user_record import SETTINGS, UserReader, privileges_of
from .._contract.pricelist import NAMED, Assignments
from .._contract.typed_values import CYCLE
from .._contract.warehouse import ATTRIBUTES as WAREHOUSE_ATTRIBUTES
from .._contract.warehouse import KEY
from .._core.errors import InvalidInput
from .._core.names import fold, names_a_secret
from .account import (
    CONCEALED,
    HOW,
    NOT_DECLARED,
    WAITING,
    ExportedAccount,
    ExportedKind,
    Exporter,
    ExportTable,
    Record,
    UniqueLabels,
)

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
CLIENTS = ExportTable(
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


class ClientExport:
    """Reads clients; ``found`` has them."""

    def __init__(self, account: ExportedAccount) -> None:
        """Match the members. Raises InvalidInput when the WSDL does not tell the numbers of clients."""
        self._account = account
        self._api = account.soap
        self._inputs = ClientInputs(self._api)
        self._rows = MemberReader(self._api.members("ClientResultItem"), [Attribute("id", ("ClientId",))], ("id",))
        self.found = ExportedKind(CLIENTS)

    def read(self) -> ExportedKind:
        """Return what was found; deleted clients are not."""
        numbers = {self._rows.record(row)["id"] for row in self._api.search("GetClients", {})}
        wanted = sorted(number for number in numbers if self._account.wanted(CLIENTS.kind, number))
        for client, record in self._account.each(wanted, self._client):
            if record is not None:
                self._take_in(client, record)
        return self.found

    def _client(self, number: int) -> tuple[DeclaredClient, Record | None]:
        params = {**{name: spec.get("default") for name, spec in OPTIONS.items()}, "id": number}
        types = OPTIONS["address_types"]["options"]
        params["address_types"] = {role: spec["default"] for role, spec in types.items()}
        client = DeclaredClient(self._account.task, self._inputs, params)
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
        number = self._inputs.typed.identity(self._inputs.member(option).type)
        return {number: value[number]} if number is not None and value.get(number) else None

    def _why_not(self, client: DeclaredClient, option: str, value: t.Any, record: Record) -> str | None:
        """Return why an option cannot be declared."""
        if option == "type":
            return None
        try:
            member = self._inputs.member(option)
            checked = self._inputs.typed.checked(member, value, option)
            client.wanted = {option: checked}
            fits = client.holds(option, checked, record[option])
        except InvalidInput as wrong:
            return f"the module does not take it ({wrong.message.rstrip('.')})"
        return None if fits else "the module would change it"


def tidy(value: t.Any) -> t.Any:
    """Return a value without what is empty, secret, or a reference to something above it; None when nothing is left."""
    if isinstance(value, list):
        return [one for one in map(tidy, value) if one is not None] or None
    if isinstance(value, dict):
        return _tidy_mapping(value)
    return None if value == "" else value


def _tidy_mapping(value: dict[str, t.Any]) -> dict[str, t.Any] | None:
    if CYCLE in value:
        return None
    kept = {name: tidy(entry) for name, entry in value.items() if not _secret(name)}
    return {name: entry for name, entry in kept.items() if entry is not None} or None


def _secret(name: str) -> bool:
    return names_a_secret(name) and fold(name) not in NOT_SECRET


def export_clients(account: ExportedAccount) -> ExportedKind:
    """Return the clients."""
    return ClientExport(account).read()


CLIENT_USERS = ExportTable(
    "client_users",
    ("user_name", "id"),
    (
        "client_id",
        "state",
        "first_name",
        "last_name",
        "email",
        "phone_number",
        "is_default",
        "privileges",
        "settings",
    ),
    withheld={"user_password": CONCEALED, "pesel": CONCEALED},
    of_tasks={
        "sid": "the login or the number stands for it",
        "update_password": HOW,
        "privilege_type_id": "privileges are told by their numbers",
        "create_grace": WAITING["create_grace"],
    },
)
TEXTS = ("first_name", "last_name", "email", "phone_number")


def export_users(account: ExportedAccount) -> ExportedKind:
    """Return the users. Raises InvalidInput when the WSDL does not tell their numbers."""
    found, api = ExportedKind(CLIENT_USERS), account.soap
    reader = UserReader(api)
    reader.row.needed("id")
    rows = {reader.row.record(row)["id"]: row for row in api.search("GetUsers", {})}

    def read(number: int) -> Record | None:
        user = api.record("GetUser", user_id=number)
        if user is None:
            return None
        return {**reader.record(user, rows[number]), "id": number, "privileges": privileges_of(api, number)}

    users = [record for record in account.each(sorted(rows), read) if record is not None]
    logins = Counter(record.get("user_name") for record in users)
    for record in sorted(users, key=lambda one: (str(one.get("user_name") or ""), one["id"])):
        if account.wanted(CLIENT_USERS.kind, record.get("user_name") or ""):
            _add_user(account, found, record, _user_identity(account, record, logins))
    return found


def _user_identity(account: ExportedAccount, record: Record, logins: Counter[str | None]) -> Record:
    login = record.get("user_name")
    unique = login and logins[login] == 1 and not account.holds_secret(login)
    return {"user_name": login} if unique else {"id": record["id"]}


def _add_user(account: ExportedAccount, found: ExportedKind, record: Record, identity: Record) -> None:
    name = record.get("user_name") or record["id"]
    if "user_name" not in identity and record.get("user_name"):
        found.leave(name, f"others have the same login; it is declared by id {record['id']}", "user_name")
    told = {
        "client_id": record.get("client_id") or None,
        "state": _user_state(account, record),
        **{option: record.get(option) or None for option in TEXTS},
        "is_default": True if record.get("is_default") else None,
        "privileges": [str(number) for number in record["privileges"]] or None,
        "settings": _settings(record),
    }
    found.add({**identity, **told})


def _user_state(account: ExportedAccount, record: Record) -> str | None:
    return "blocked" if record.get("is_blocked") and not _is_logged_in(account, record) else None


def _is_logged_in(account: ExportedAccount, record: Record) -> bool:
    """Whether it is the user that logs in, whom no entry may have blocked."""
    from .._contract.client_user import same_login

    return bool(same_login(record.get("user_name"), account.task.settings["username"]))


def _settings(record: Record) -> dict[str, t.Any] | None:
    """Return the settings that can be declared: numbers, and truth values of those that are such."""
    found = {}
    for item in SETTINGS:
        value = record["settings"].get(item.name)
        if isinstance(value, bool if item.name.startswith("is_") else int):
            found[item.name] = value
    return found or None


WAREHOUSES = ExportTable(
    "warehouses",
    (*KEY, "id"),
    ("name", "queue_length"),
    of_tasks={"state": "all of them are there", "create_grace": WAITING["create_grace"]},
)


def export_warehouses(account: ExportedAccount) -> ExportedKind:
    """Return the warehouses. Raises InvalidInput when the WSDL does not tell their numbers and keys."""
    found, api = ExportedKind(WAREHOUSES), account.soap
    reader = MemberReader(api.members("WarehouseItem"), WAREHOUSE_ATTRIBUTES, ("id", *KEY))
    records = sorted(
        (reader.record(row) for row in api.search("GetWarehouses", {})),
        key=lambda one: (_warehouse_key(one), one["id"]),
    )
    counts = Counter(_warehouse_key(record) for record in records)
    for record in records:
        if not account.wanted(WAREHOUSES.kind, record.get("name") or ""):
            continue
        identity: Record = {"id": record["id"]}
        if counts[_warehouse_key(record)] == 1 and "" not in _warehouse_key(record):
            identity = {**{name: record[name] for name in KEY}, KEY[-1]: str(record[KEY[-1]])}
        else:
            why = f"others have the same, or none; it is declared by id {record['id']}"
            found.leave("/".join(_warehouse_key(record)), why, KEY[0])
        found.add({**identity, "name": record.get("name"), "queue_length": record.get("queue_length")})
    return found


def _warehouse_key(record: Record) -> tuple[str, ...]:
    return tuple("" if record.get(name) is None else str(record[name]) for name in KEY)


PRICELISTS = ExportTable(
    "client_pricelists",
    ("pricelist", "pricelist_id"),
    ("client_ids",),
    of_tasks={"owner_client_id": "the price list is named by its number where its name alone does not do"},
)
_ID = ("client_id", "pricelist_id", "id")
COLUMNS = (Attribute("client_id", ("Client",), _ID), Attribute("pricelist_id", ("Pricelist",), _ID))


def export_pricelists(account: ExportedAccount) -> ExportedKind:
    """Return the price lists that clients have. Raises InvalidInput when the WSDL does not tell who has which."""
    found, api = ExportedKind(PRICELISTS), account.soap
    reader = MemberReader(api.members("PricelistClientView"), COLUMNS, ("client_id", "pricelist_id"))
    names, by_list = _pricelist_names(account), _clients_by_pricelist(account, reader)
    for number in sorted(by_list):
        label = names.of(number)
        if account.wanted(PRICELISTS.kind, label or ""):
            which = {"pricelist": label} if label is not None else {"pricelist_id": number}
            found.add({**which, "client_ids": sorted(by_list[number])})
    return found


def _clients_by_pricelist(account: ExportedAccount, reader: MemberReader) -> dict[int, list[int]]:
    """Return the clients by price list; of one that is listed with several, the one that it has now counts."""
    lists: dict[int, set[int]] = {}
    for row in account.soap.search("GetPricelistsClients", {}):
        record = reader.record(row)
        if isinstance(record.get("client_id"), int) and isinstance(record.get("pricelist_id"), int):
            lists.setdefault(record["client_id"], set()).add(record["pricelist_id"])
    several = [client for client, numbers in lists.items() if len(numbers) > 1]
    current = account.each(several, lambda client: Assignments(account.soap, 0).read([client])[client])
    for client, number in zip(several, current):
        lists[client] = set() if number is None else {number}
    by_list: dict[int, list[int]] = {}
    for client, numbers in lists.items():
        for number in numbers:
            by_list.setdefault(number, []).append(client)
    return by_list


def _pricelist_names(account: ExportedAccount) -> UniqueLabels:
    """Return the names of the price lists; none where the WSDL has no member for them."""
    reader = MemberReader(account.soap.members("PricelistResultItem"), NAMED)
    if reader.key("id") is None or reader.key("name") is None:
        return UniqueLabels([])
    rows = [reader.record(row) for row in account.soap.search("GetPricelists", {})]
    return UniqueLabels((row["id"], row["name"]) for row in rows if not account.holds_secret(row["name"]))


EXPORTS: dict[str, Exporter] = {
    "clients": export_clients,
    "warehouses": export_warehouses,
    "client_users": export_users,
    "client_pricelists": export_pricelists,
}
