# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Public addresses that somebody has reserved; those that come and go with an instance are none of them."""

from __future__ import annotations

import typing as t

from ..ip_address import AUTOMATIC, HOST_NAME, LONGEST_COMMENT
from ..rest_options import check_name
from .account import Account, Record
from .found import HOW, WAITING, Found, Table
from .naming import named

TABLE = Table(
    "ip_addresses",
    ("comment", "address", "id"),
    ("subregion", "static", "reverse_dns", "reverse_dns_v6"),
    of_tasks={
        "state": "all of them are there",
        "instance": "an instance names its addresses",
        "detached": "an instance names its addresses",
        "force_detach": HOW,
        **WAITING,
    },
)
HOSTS = ("reverse_dns", "reverse_dns_v6")


def addressed(account: Account) -> dict[int, t.Any]:
    """Return what stands for each reserved address in the entry of its instance: a reference, or the address itself."""
    asked, listed = account.params["kinds"], _records(account)
    found: dict[int, t.Any] = {record["id"]: record["address"] or str(record["id"]) for record in listed}
    if asked is None or TABLE.kind in asked:
        for record, identity in _identified(account, Found(TABLE), listed):
            if "comment" in identity:
                found[record["id"]] = {"ref": f"{TABLE.kind}.{identity['comment']}"}
    return found


def _records(account: Account) -> list[Record]:
    return [{**one, "address": one["address"] or one["address_v6"]} for one in reserved(account)]


def _identified(account: Account, found: Found, records: list[Record]) -> t.Iterator[tuple[Record, Record]]:
    return named(account, found, records, _check, "comment", "address")


def _check(comment: str) -> None:
    check_name(comment, LONGEST_COMMENT, any_letters=True, option="comment")


def reserved(account: Account) -> list[Record]:
    """Return the addresses that stay when no instance has them."""
    return [one for one in account.infrastructure.addresses if one["instance"] is None or not _automatic(one)]


def _automatic(record: Record) -> bool:
    return bool((record["type"] or {}).get("id") == AUTOMATIC)


def addresses(account: Account) -> Found:
    """Return the reserved addresses."""
    found = Found(TABLE)
    subregions = account.infrastructure.labels("subregion")
    records = _records(account)
    for record, identity in _identified(account, found, records):
        name = record["comment"] or record["address"]
        if None in identity.values():
            identity.update(id=record["id"])
        place = record["subregion"]
        hosts = {option: record[option] for option in HOSTS if _host(found, name, option, record[option])}
        subregion = subregions.said(place["id"]) if place else None
        found.add({**identity, "subregion": subregion, "static": record["static"], **hosts})
    left = len(account.infrastructure.addresses) - len(records)
    if left:
        found.leave(f"{left} addresses", "they are automatic: each comes and goes with its instance")
    return found


def _host(found: Found, name: str, option: str, host: str | None) -> bool:
    """Return whether there is a host name that the module takes."""
    if host and not HOST_NAME.fullmatch(host):
        found.leave(name, "the module does not take this host name", option)
        return False
    return bool(host)
