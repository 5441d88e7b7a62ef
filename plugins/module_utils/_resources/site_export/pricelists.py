# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which clients have which price list: an entry for each price list."""

from __future__ import annotations

from ..._contract.members import Attribute, MemberReader
from ..._contract.pricelist import NAMED, Assignments
from .account import Account, Labels
from .found import Found, Table

TABLE = Table(
    "client_pricelists",
    ("pricelist", "pricelist_id"),
    ("client_ids",),
    of_tasks={"owner_client_id": "the price list is named by its number where its name alone does not do"},
)
_ID = ("client_id", "pricelist_id", "id")
COLUMNS = (Attribute("client_id", ("Client",), _ID), Attribute("pricelist_id", ("Pricelist",), _ID))


def pricelists(account: Account) -> Found:
    """Return the price lists that clients have. Raises InvalidInput when the WSDL does not tell who has which."""
    found, api = Found(TABLE), account.soap
    reader = MemberReader(api.members("PricelistClientView"), COLUMNS)
    reader.needed("client_id", "pricelist_id")
    names, by_list = _names(account), _clients(account, reader)
    for number in sorted(by_list):
        label = names.of(number)
        if account.wanted(TABLE.kind, label or ""):
            which = {"pricelist": label} if label is not None else {"pricelist_id": number}
            found.add({**which, "client_ids": sorted(by_list[number])})
    return found


def _clients(account: Account, reader: MemberReader) -> dict[int, list[int]]:
    """Return the clients by price list; of one that is listed with several, the one that it has now counts."""
    lists: dict[int, set[int]] = {}
    for row in account.soap.get_pricelists_clients():
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


def _names(account: Account) -> Labels:
    """Return the names of the price lists; none where the WSDL has no member for them."""
    reader = MemberReader(account.soap.members("PricelistResultItem"), NAMED)
    if reader.key("id") is None or reader.key("name") is None:
        return Labels([])
    rows = [reader.record(row) for row in account.soap.get_pricelists()]
    return Labels((row["id"], row["name"]) for row in rows if not account.holds_secret(row["name"]))
