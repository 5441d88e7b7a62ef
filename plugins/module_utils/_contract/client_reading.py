# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Clients, read only (contract/soap-common-fcd.md, "Clients" and the flags of "Pricing and billing")."""

from __future__ import annotations

import typing as t

from .member_reading import Attribute
from .personal import SHOW, hidden
from .reading import Asked, Reading, Row, reader

ATTRIBUTES = (
    Attribute("id", ("ClientId",)),
    Attribute("name", ("ClientName", "FullName", "DisplayName")),
    Attribute("status", ("ClientStatus",)),
    Attribute("vat_id"),
    Attribute("is_deleted", ("Deleted",)),
)
HISTORY = (
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


def _client(asked: Asked) -> t.Any:
    return _asked_of(asked, "GetClient")


def _asked_of(asked: Asked, operation: str) -> t.Any:
    """Return what an operation says of the client."""
    if asked.params["include_deleted"]:
        operation = DELETED_TOO.get(operation, operation)
    return asked.api.call(operation, client_id=asked.params["client_id"])


def _with_included(asked: Asked, clients: list[Row]) -> list[Row]:
    """Return the client with what else was asked for; each of it is a request of its own."""
    wanted = asked.params["include"] or []
    names = INCLUDED if ALL in wanted else [name for name in INCLUDED if name in wanted]
    for client in clients:
        told = {name: _asked_of(asked, INCLUDED[name]) for name in names}
        client["included"] = hidden(asked.task, asked.params, told)
    return clients


_ID = ("client_id",)

OPERATION = reader(
    "client_info",
    {
        "one": Reading(
            _client,
            needs=_ID,
            also=("client_id", "include", "include_deleted", SHOW),
            rows="Client",
            attributes=ATTRIBUTES,
            finish=_with_included,
            key="clients",
        ),
        "all": Reading(
            "GetClients",
            ("status", "vat_id"),
            also=(SHOW,),
            names={"status": "client_status"},
            searched=True,
            rows="ClientResultItem",
            attributes=ATTRIBUTES,
            key="clients",
        ),
        "history": Reading(
            "GetClientHistory",
            ("client_id", "date_from", "date_to"),
            also=(SHOW,),
            searched=True,
            rows="ClientHistory",
            attributes=HISTORY,
        ),
        "customer_service_users": Reading("GetCustomerServiceUsers", also=(SHOW,)),
        "domain_blocked": Reading("IsDomainBlocked", ("partner_id", "domain"), needs=("partner_id", "domain")),
        "recommending_exists": Reading("VerifyDoesRecommendingExist", ("recommending_id",), needs=("recommending_id",)),
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
