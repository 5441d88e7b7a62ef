# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The modules that only read: clients, fixed amounts, price lists, privileges, invoices, transfers of machines.

Source: contract/soap-common-fcd.md. Those of the catalogue are in ``catalogue_readers``; users and warehouses are read
in the shape of the modules that manage them.
"""

from __future__ import annotations

import typing as t

from .hidden_values import SHOW, hide_personal
from .members import Attribute
from .subjects import (
    DOCUMENT_OPTION_NAMES,
    DOCUMENT_OPTIONS,
    DOCUMENT_RULES,
    DocumentFiles,
    ReadContext,
    Row,
    Subject,
    subject_reader,
)

CLIENT = (
    Attribute("id", ("ClientId",)),
    Attribute("name", ("ClientName", "FullName", "DisplayName")),
    Attribute("status", ("ClientStatus",)),
    Attribute("vat_id"),
    Attribute("is_deleted", ("Deleted",)),
)
CLIENT_HISTORY = (
    Attribute("id", ("ClientHistoryId", "HistoryId")),
    Attribute("client_id", ("Client",), ("client_id", "id")),
)
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


def _client(asked: ReadContext) -> t.Any:
    return _asked_of(asked, "GetClient")


def _asked_of(asked: ReadContext, operation: str) -> t.Any:
    """Return what an operation says of the client."""
    if asked.params["include_deleted"]:
        operation = DELETED_TOO.get(operation, operation)
    return asked.api.call(operation, client_id=asked.params["client_id"])


def _with_included(asked: ReadContext, clients: list[Row]) -> list[Row]:
    """Return the client with what else was asked for; each of it is a request of its own."""
    wanted = asked.params["include"] or []
    names = INCLUDED if ALL in wanted else [name for name in INCLUDED if name in wanted]
    for client in clients:
        told = {name: _asked_of(asked, INCLUDED[name]) for name in names}
        client["included"] = hide_personal(asked.task, asked.params, told)
    return clients


_ID = ("client_id",)

CLIENT_INFO = subject_reader(
    "client_info",
    {
        "one": Subject(
            _client,
            needs=_ID,
            also=("client_id", "include", "include_deleted", SHOW),
            rows="Client",
            attributes=CLIENT,
            finish=_with_included,
            key="clients",
        ),
        "all": Subject(
            "GetClients",
            ("status", "vat_id"),
            also=(SHOW,),
            names={"status": "client_status"},
            searched=True,
            rows="ClientResultItem",
            attributes=CLIENT,
            key="clients",
        ),
        "history": Subject(
            "GetClientHistory",
            ("client_id", "date_from", "date_to"),
            also=(SHOW,),
            searched=True,
            rows="ClientHistory",
            attributes=CLIENT_HISTORY,
        ),
        "customer_service_users": Subject("GetCustomerServiceUsers", also=(SHOW,)),
        "domain_blocked": Subject.needing("IsDomainBlocked", "partner_id", "domain"),
        "recommending_exists": Subject.needing("VerifyDoesRecommendingExist", "recommending_id"),
    },
    {
        "client_id": {"type": "int", "aliases": ["id"]},
        "include": {"type": "list", "elements": "str", "choices": [ALL, *INCLUDED]},
        "include_deleted": {"type": "bool"},
        SHOW: {"type": "bool"},
        "status": {"type": "str"},
        "vat_id": {"type": "str"},
        "date_from": {"type": "str"},
        "date_to": {"type": "str"},
        "partner_id": {"type": "int"},
        "domain": {"type": "str"},
        "recommending_id": {"type": "int"},
    },
)


ROW = "ClientFixedAmount"
FIXED_AMOUNT = (
    Attribute("id", ("ClientFixedAmountId", "FixedAmountId")),
    Attribute("client_id", ("Client",), ("client_id", "id")),
    Attribute("amount", ("FixedAmount", "Value")),
    Attribute("date_from", ("From", "StartDate", "ValidFrom")),
    Attribute("date_to", ("To", "EndDate", "ValidTo")),
    Attribute("description", ("Comment",)),
)


FIXED_AMOUNT_INFO = subject_reader(
    "client_fixed_amount_info",
    {
        "current": Subject.needing(
            "GetClientFixedAmount", *_ID, rows=ROW, attributes=FIXED_AMOUNT, key="client_fixed_amounts"
        ),
        "history": Subject.needing(
            "GetClientFixedAmountHistory", *_ID, rows=ROW, attributes=FIXED_AMOUNT, key="client_fixed_amounts"
        ),
    },
    {"client_id": {"type": "int", "required": True}},
)


PRICELIST = (
    Attribute("id", ("PricelistId",)),
    Attribute("name", ("PricelistName",)),
    Attribute("is_active", ("Active",)),
)
PRICELIST_CLIENT = (
    Attribute("client_id", ("Client",), ("client_id", "id")),
    Attribute("pricelist_id", ("Pricelist",), ("pricelist_id", "id")),
)

_OWNER = {"client_id": "owner_client_id"}


def _of_client(operation: str, rows: str, *, named: bool = True, owner: bool = True) -> Subject:
    names = _OWNER if owner else {}
    return Subject(operation, _ID, _ID, names=names, named=named, rows=rows, attributes=PRICELIST, key="pricelists")


PRICELIST_INFO = subject_reader(
    "pricelist_info",
    {
        "all": Subject(
            "GetPricelists",
            ("client_id", "only_active"),
            names=_OWNER,
            searched=True,
            rows="PricelistResultItem",
            attributes=PRICELIST,
            key="pricelists",
        ),
        "simple": _of_client("GetPricelistsSimple", "PricelistSimple", owner=False),
        "of_client": _of_client("GetClientPricelists", "Pricelist", named=False),
        "of_client_simple": _of_client("GetClientPricelistsSimple", "PricelistSimple"),
        "current": _of_client("GetClientCurrentPricelist", "Pricelist"),
        "clients": Subject(
            "GetPricelistsClients",
            ("pricelist_id",),
            searched=True,
            rows="PricelistClientView",
            attributes=PRICELIST_CLIENT,
        ),
    },
    {
        "client_id": {"type": "int", "aliases": ["owner_client_id"]},
        "only_active": {"type": "bool"},
        "pricelist_id": {"type": "int", "aliases": ["id"]},
    },
)


PRIVILEGE = (
    Attribute("id", ("PrivilegeId",)),
    Attribute("name", ("PrivilegeName", "DisplayName")),
    Attribute("description"),
)

PRIVILEGE_INFO = subject_reader(
    "privilege_info",
    {"privileges": Subject("GetPrivileges", ("type_dict_id",), rows="Privilege", attributes=PRIVILEGE)},
    {"type_dict_id": {"type": "int", "required": True, "aliases": ["privilege_type_id"]}},
)


INVOICE_ROW = "Invoice"
INVOICE = (
    Attribute("id", ("InvoiceId",)),
    Attribute("number", ("InvoiceNumber",)),
    Attribute("client_id", ("Client",), ("client_id", "id")),
)
INVOICE_FILES = DocumentFiles(INVOICE_ROW, "invoice_id", "invoice")

INVOICE_INFO = subject_reader(
    "invoice_info",
    {
        "invoices": Subject(
            "GetInvoice",
            ("invoice_id",),
            also=DOCUMENT_OPTION_NAMES,
            rows=INVOICE_ROW,
            attributes=INVOICE,
            finish=INVOICE_FILES.shown,
            more=INVOICE_FILES.saved,
        )
    },
    {"invoice_id": {"type": "int", "required": True, "aliases": ["id"]}, **DOCUMENT_OPTIONS},
    DOCUMENT_RULES,
)


EXPORT = (
    Attribute("id", ("VirtualMachineExportId", "ExportId")),
    Attribute("client_id", ("Client",), ("client_id", "id")),
)
IMPORT = (
    Attribute("id", ("ImportId", "VirtualMachineImportId")),
    Attribute("client_id", ("Client",), ("client_id", "id")),
)
DISK = (
    Attribute("id", ("VirtualMachineImportHddId", "ImportHddId", "HddId")),
    Attribute("name", ("HddName",)),
    Attribute("capacity_gb", ("Capacity", "SizeGB")),
)


def _disks(asked: ReadContext) -> t.Any:
    """Return the disks of an import; GetVirtualMachineImportHdds takes the record of the import itself."""
    client = asked.params["client_id"]
    record = asked.api.call("GetVirtualMachineImport", import_id=asked.params["import_id"], client_id=client)
    if not record:
        return []
    return asked.api.call("GetVirtualMachineImportHdds", virtual_machine_import=_filled(record), client_id=client)


def _filled(value: t.Any) -> t.Any:
    """Return what was read without the members that had nothing in them, on any level: not all may be sent as null."""
    if isinstance(value, dict):
        return {name: _filled(entry) for name, entry in value.items() if entry is not None}
    return [_filled(entry) for entry in value] if isinstance(value, list) else value


_IMPORT = ("import_id", "client_id")

TRANSFER_INFO = subject_reader(
    "virtual_machine_transfer_info",
    {
        "export": Subject.needing(
            "GetVirtualMachineExport",
            "export_id",
            names={"export_id": "virtual_machine_export_id"},
            rows="VirtualMachineExport",
            attributes=EXPORT,
            key="exports",
        ),
        "import": Subject.needing(
            "GetVirtualMachineImport", *_IMPORT, rows="VirtualMachineImport", attributes=IMPORT, key="imports"
        ),
        "import_disks": Subject(
            _disks,
            needs=_IMPORT,
            also=_IMPORT,
            named=True,
            rows="VirtualMachineImportHdd",
            attributes=DISK,
            key="disks",
        ),
    },
    {
        "export_id": {"type": "int", "aliases": ["virtual_machine_export_id"]},
        "import_id": {"type": "int"},
        "client_id": {"type": "int"},
    },
)
