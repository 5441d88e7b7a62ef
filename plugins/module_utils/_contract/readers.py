# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The modules that only read: clients, users, warehouses, fixed amounts, price lists, privileges, invoices, transfers.

Source: docs/service/contract.md, "Operations". Those of the catalogue are in ``catalogue_readers``; users and
warehouses have the form of the modules that manage them.
"""

from __future__ import annotations

import typing as t

from .._connection.task import non_null_options
from .._core.errors import InvalidInput
from .._core.type_aliases import JsonObject
from .._soap.codec import UNKNOWN_KEY
from .api import MemberReader
from .attributes import (
    CLIENT_ID,
    CLIENT_NUMBER,
    FIXED_AMOUNT_ATTRIBUTES,
    PRICELIST_ATTRIBUTES,
    PRICELIST_OF_CLIENT,
    PRIVILEGE_ATTRIBUTES,
    WAREHOUSE_ATTRIBUTES,
    WAREHOUSE_KEY,
    Attribute,
)
from .client_user_record import UserReader, privilege_numbers, privileges_of, user_result
from .hidden_values import SHOW, hide_personal
from .subjects import (
    BOOL,
    DOCUMENT_OPTIONS,
    INT,
    TEXT,
    ReadContext,
    RowType,
    Subject,
    subject_reader,
    without_documents,
)

CLIENT_ATTRIBUTES = (
    CLIENT_NUMBER,
    Attribute("name", ("ClientName", "FullName", "DisplayName")),
    Attribute("status", ("ClientStatus",)),
    Attribute("vat_id"),
    Attribute("is_deleted", ("Deleted",)),
)
CLIENT_HISTORY = (Attribute("id", ("ClientHistoryId", "HistoryId")), CLIENT_ID)
INCLUDED = {
    "billing_users": "GetClientUsersSimpleForBillingFilter",
    "currency_code": "GetClientsCurrencyCode",
    "default_user": "GetClientDefaultUserSimple",
    "has_automatic_card_payment": "HasActiveAutomaticCardBalancePayment",
    "has_freemium": "HasActiveFreemium",
    "has_users": "HasClientUsers",
    "pit_data": "GetClientPitData",
    "referrer_periods": "GetReferrerPeriods",
    "referrer_users": "GetReferrerUsers",
    "salesman_name": "GetClientSalesmanName",
}
ALL = "all"
DELETED_TOO = {
    "GetClient": "GetClientIncludingDeleted",
    "GetClientDefaultUserSimple": "GetClientDefaultUserSimpleIncludingDeleted",
}


def _ask_client(context: ReadContext, operation: str = "GetClient") -> object:
    """Return the result of an operation for the client."""
    if context.params["include_deleted"]:
        operation = DELETED_TOO.get(operation, operation)
    return context.api.call(operation, client_id=context.params["client_id"])


def _add_included(context: ReadContext, clients: list[JsonObject]) -> list[JsonObject]:
    """Return the client with the requested additions, each of which is a request of its own."""
    desired = context.params["include"] or []
    names = INCLUDED if ALL in desired else [name for name in INCLUDED if name in desired]
    for client in clients:
        told = {name: _ask_client(context, INCLUDED[name]) for name in names}
        client["included"] = hide_personal(context.task, context.params, told)
    return clients


CLIENT_INFO = subject_reader(
    "client_info",
    {
        "one": Subject(
            _ask_client,
            needs=("client_id",),
            own_options=("client_id", "include", "include_deleted", SHOW),
            rows=RowType("Client", CLIENT_ATTRIBUTES, "clients"),
            finish=_add_included,
            identity="client_id",
        ),
        "all": Subject(
            "GetClients",
            ("status", "vat_id"),
            own_options=(SHOW,),
            rows=RowType("ClientResultItem", CLIENT_ATTRIBUTES, "clients"),
            names={"status": "client_status"},
            searched=True,
        ),
        "history": Subject(
            "GetClientHistory",
            ("client_id", "date_from", "date_to"),
            own_options=(SHOW,),
            rows=RowType("ClientHistory", CLIENT_HISTORY),
            searched=True,
        ),
        "customer_service_users": Subject("GetCustomerServiceUsers", own_options=(SHOW,)),
        "domain_blocked": Subject.needing("IsDomainBlocked", "partner_id", "domain"),
        "recommending_exists": Subject.needing("VerifyDoesRecommendingExist", "recommending_id"),
    },
    {
        "client_id": {"type": "int", "aliases": ["id"]},
        "include": {"type": "list", "elements": "str", "choices": [ALL, *INCLUDED]},
        "include_deleted": BOOL,
        SHOW: BOOL,
        **dict.fromkeys(("status", "vat_id", "date_from", "date_to"), TEXT),
        "partner_id": INT,
        "domain": TEXT,
        "recommending_id": INT,
    },
)


FIXED_AMOUNTS = RowType("ClientFixedAmount", FIXED_AMOUNT_ATTRIBUTES, "client_fixed_amounts")
FIXED_AMOUNT_INFO = subject_reader(
    "client_fixed_amount_info",
    {
        "current": Subject.needing("GetClientFixedAmount", "client_id", rows=FIXED_AMOUNTS),
        "history": Subject.needing("GetClientFixedAmountHistory", "client_id", rows=FIXED_AMOUNTS),
    },
    {"client_id": {"type": "int", "required": True}},
)


PRICELIST = (*PRICELIST_ATTRIBUTES, Attribute("is_active", ("Active",)))
_OWNER = {"client_id": "owner_client_id"}


def _of_client(operation: str, type_name: str, **more: t.Any) -> Subject:
    more = {"names": _OWNER, "explicit": True, **more}
    return Subject.needing(operation, "client_id", rows=RowType(type_name, PRICELIST, "pricelists"), **more)


PRICELIST_INFO = subject_reader(
    "pricelist_info",
    {
        "all": Subject(
            "GetPricelists",
            ("client_id", "only_active"),
            rows=RowType("PricelistResultItem", PRICELIST, "pricelists"),
            names=_OWNER,
            searched=True,
        ),
        "simple": _of_client("GetPricelistsSimple", "PricelistSimple", names={}),
        "of_client": _of_client("GetClientPricelists", "Pricelist", explicit=False),
        "of_client_simple": _of_client("GetClientPricelistsSimple", "PricelistSimple"),
        "current": _of_client("GetClientCurrentPricelist", "Pricelist"),
        "clients": Subject(
            "GetPricelistsClients",
            ("pricelist_id",),
            rows=RowType("PricelistClientView", PRICELIST_OF_CLIENT),
            searched=True,
        ),
    },
    {
        "client_id": {"type": "int", "aliases": ["owner_client_id"]},
        "only_active": BOOL,
        "pricelist_id": {"type": "int", "aliases": ["id"]},
    },
)


PRIVILEGE = (*PRIVILEGE_ATTRIBUTES, Attribute("description"))
PRIVILEGE_INFO = subject_reader(
    "privilege_info",
    {
        "privileges": Subject(
            "GetPrivileges", ("type_dict_id",), rows=RowType("Privilege", PRIVILEGE), identity="type_dict_id"
        )
    },
    {"type_dict_id": {"type": "int", "required": True, "aliases": ["privilege_type_id"]}},
)


INVOICES = RowType("Invoice", (Attribute("id", ("InvoiceId",)), Attribute("number", ("InvoiceNumber",)), CLIENT_ID))
INVOICE_INFO = subject_reader(
    "invoice_info",
    {
        "invoices": Subject(
            "GetInvoice",
            ("invoice_id",),
            own_options=(*DOCUMENT_OPTIONS,),
            rows=INVOICES,
            finish=without_documents(INVOICES.type_name),
            identity="invoice_id",
        )
    },
    {"invoice_id": {"type": "int", "required": True, "aliases": ["id"]}, **DOCUMENT_OPTIONS},
)


EXPORTS = RowType(
    "VirtualMachineExport", (Attribute("id", ("VirtualMachineExportId", "ExportId")), CLIENT_ID), "exports"
)
IMPORTS = RowType(
    "VirtualMachineImport", (Attribute("id", ("ImportId", "VirtualMachineImportId")), CLIENT_ID), "imports"
)
IMPORT_DISKS = RowType(
    "VirtualMachineImportHdd",
    (
        Attribute("id", ("VirtualMachineImportHddId", "ImportHddId", "HddId")),
        Attribute("name", ("HddName",)),
        Attribute("capacity_gb", ("Capacity", "SizeGB")),
    ),
    "disks",
)
_IMPORT = ("import_id", "client_id")


def _disks(context: ReadContext) -> object:
    """Return the disks of an import; GetVirtualMachineImportHdds takes the record of the import itself."""
    client = context.params["client_id"]
    record = context.api.call("GetVirtualMachineImport", import_id=context.params["import_id"], client_id=client)
    if not record:
        return []
    return context.api.call("GetVirtualMachineImportHdds", virtual_machine_import=_known_part(record), client_id=client)


def _known_part(value: object) -> object:
    """Return what is known of the value: nothing is changed by this, so it need not be complete."""
    if isinstance(value, dict):
        return {name: _known_part(entry) for name, entry in value.items() if not (entry is None or name == UNKNOWN_KEY)}
    return [_known_part(entry) for entry in value] if isinstance(value, list) else value


TRANSFER_INFO = subject_reader(
    "virtual_machine_transfer_info",
    {
        "export": Subject.single(
            "GetVirtualMachineExport", "export_id", rows=EXPORTS, names={"export_id": "virtual_machine_export_id"}
        ),
        "import": Subject.single("GetVirtualMachineImport", *_IMPORT, rows=IMPORTS),
        "import_disks": Subject(_disks, needs=_IMPORT, own_options=_IMPORT, rows=IMPORT_DISKS, explicit=True),
    },
    {"export_id": {"type": "int", "aliases": ["virtual_machine_export_id"]}, "import_id": INT, "client_id": INT},
)


WAREHOUSE_ROWS = RowType("WarehouseItem", key="warehouses")


def _warehouses(context: ReadContext, found: list[JsonObject]) -> list[JsonObject]:
    reader = MemberReader(context.api.members(WAREHOUSE_ROWS.type_name), WAREHOUSE_ATTRIBUTES)
    blank = dict.fromkeys(item.name for item in WAREHOUSE_ATTRIBUTES)
    return [{**blank, **reader.record(row), "members": row} for row in found]


WAREHOUSE_INFO = subject_reader(
    "warehouse_info",
    {
        "one": Subject.single("GetWarehouse", "warehouse_id", rows=WAREHOUSE_ROWS, finish=_warehouses),
        "all": Subject("GetWarehouses", WAREHOUSE_KEY, rows=WAREHOUSE_ROWS, searched=True, finish=_warehouses),
        "exists": Subject.needing("WarehouseExists", *WAREHOUSE_KEY, explicit=True),
    },
    {
        "warehouse_id": {"type": "int", "aliases": ["id"]},
        "partner_id": INT,
        "template_id": INT,
        "data_store_number": TEXT,
    },
)


UNIQUE = {
    "user_name": "IsUserNameAlreadyTaken",
    "email": "IsEmailAlreadyTaken",
    "pesel": "IsPeselAlreadyTaken",
    "phone_number": "IsPhoneNumberExists",
}
"""Attributes that must be unique, with the operation that asks whether a value is taken."""


def _users(context: ReadContext, found: list[JsonObject], *, listed: bool = False) -> list[JsonObject]:
    """Return users, or the rows of a search, in the form of the module client_user, over the service's members."""
    reader, users = UserReader(context.api), []
    for row in found:
        user = reader.record(None, row) if listed else reader.record(row, None)
        if "privileges" in (context.params["include"] or []):
            if "id" not in user:
                reader.user.require_members("id")
            user["privileges"] = privileges_of(context.api, user["id"])
        known = {name: value for name, value in user_result(user).items() if value is not None or name not in row}
        users.append({**row, **known})
    return users


def _find_taken(context: ReadContext) -> dict[str, bool]:
    """Return for each attribute that must be unique whether its value is taken."""
    params = context.params
    context.task.redactor.add(params["pesel"])
    found: dict[str, bool] = {}
    for name, value in non_null_options(params, UNIQUE).items():
        operation, inputs = UNIQUE[name], {name: value}
        if name == "pesel" and params["user_id"] is not None:
            operation, inputs = "IsPeselAlreadyTakenByOtherUser", {**inputs, "user_id": params["user_id"]}
        found[name] = context.api.is_true(operation, **inputs)
    if not found:
        raise InvalidInput(
            f"The subject taken requires at least one of {', '.join(UNIQUE)}.", option=next(iter(UNIQUE))
        )
    return found


def _has_privileges(context: ReadContext) -> bool:
    desired = privilege_numbers(context.api, context.params["privileges"], context.params["privilege_type_id"])
    return context.api.is_true("HasUserPrivileges", user_id=context.params["user_id"], privileges=desired)


USERS = RowType("User", key="users")
CLIENT_USER_INFO = subject_reader(
    "client_user_info",
    {
        "one": Subject.single("GetUser", "user_id", own_options=("include",), rows=USERS, finish=_users),
        "by_sid": Subject.single("GetUserBySid", "sid", own_options=("include",), rows=USERS, finish=_users),
        "all": Subject(
            "GetUsers",
            ("client_id", "is_blocked"),
            own_options=("include",),
            rows=RowType("UserResultItem", key="users"),
            searched=True,
            finish=lambda context, found: _users(context, found, listed=True),
        ),
        "taken": Subject(_find_taken, own_options=(*UNIQUE, "user_id")),
        "has_privileges": Subject(
            _has_privileges, needs=("user_id", "privileges"), own_options=("user_id", "privileges", "privilege_type_id")
        ),
    },
    {
        "user_id": {"type": "int", "aliases": ["id"]},
        "sid": TEXT,
        "client_id": INT,
        "is_blocked": BOOL,
        "include": {"type": "list", "elements": "str", "choices": ["privileges"]},
        "user_name": {"type": "str", "aliases": ["login"]},
        "email": {"type": "str", "aliases": ["email_address"]},
        "pesel": {"type": "str", "aliases": ["national_id"], "no_log": True},
        "phone_number": TEXT,
        "privileges": {"type": "list", "elements": "str"},
        "privilege_type_id": INT,
    },
)
