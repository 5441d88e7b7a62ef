# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Price lists: deleting those of a client, and the one that each of many clients has.

Remote operations: contract/soap-common-fcd.md (DeletePricelists, GetClientPricelistsSimple, ChangePricelist,
GetPricelists, GetPricelistsClients, GetClientCurrentPricelist). One search tells who has which price list; a few
clients are asked for one by one.
"""

from __future__ import annotations

import typing as t

from .._connection.options import SOAP
from .._connection.task import Operation, Params, Result, Task
from .._core.errors import Ambiguous, InvalidInput
from .._core.text import did_you_mean
from .api import CommonFcd, common_fcd
from .confirmed_writes import confirmed
from .members import SEARCH_TEXT, Attribute, MemberReader

Row = t.Dict[str, t.Any]

FEW = 5  # clients, for which one request each is less than a search
NUMBER = Attribute("id", ("PricelistId",))
NAMED = (NUMBER, Attribute("name", ("PricelistName",)))
_ID = ("client_id", "pricelist_id", "id")
OWNER = ("client_id", "OwnerClientId")

Lists = t.Dict[int, t.Optional[int]]  # by client; None: it has none


class ClientPricelists:
    """The price lists of one client."""

    def __init__(self, api: CommonFcd, client: int, *, by_name: bool) -> None:
        """Match the members. Raises InvalidInput when number or, if that is wanted, name cannot be read."""
        self._api = api
        self._client = client
        self._reader = MemberReader(api.members("PricelistSimple"), NAMED)
        self._reader.needed(*(("id", "name") if by_name else ("id",)))

    def read(self) -> list[Row]:
        """Return them with number and name."""
        rows = self._api.get_client_pricelists_simple(self._client)
        return [{"name": None, **self._reader.record(row)} for row in rows]

    def delete(self, numbers: t.Sequence[int]) -> None:
        """Delete some; those that are gone already are no error."""
        confirmed(
            lambda: self._api.delete_pricelists(numbers, self._client),
            lambda: not any(record["id"] in numbers for record in self.read()),
            refusals=True,
        )


def delete_pricelists(task: Task, params: Params) -> Result:
    """Delete the price lists that are there."""
    names = params["names"] or []
    pricelists = ClientPricelists(common_fcd(task), params["client_id"], by_name=bool(names))
    present = pricelists.read()
    meant = {*(params["ids"] or []), *_named_in(present, names)}
    deleted = [record for record in present if record["id"] in meant]
    if deleted and not task.check_mode:
        pricelists.delete([record["id"] for record in deleted])
    return {
        "changed": bool(deleted),
        "deleted": deleted,
        "diff": {"before": {"pricelists": deleted}, "after": {"pricelists": []}},
    }


def _named_in(present: t.Sequence[Row], names: t.Sequence[str]) -> t.Iterator[int]:
    """Yield the number of each price list with one of these names, as far as there is one. Raises Ambiguous."""
    for name in names:
        found = [record["id"] for record in present if record["name"] == name]
        yield from _only(f"names: the client has {len(found)} price lists {name!r}", "ids", found)


def _only(told: str, option: str, found: list[int]) -> list[int]:
    """Return the number that was found, if any. Raises Ambiguous, in the words of ``told``, when there are several."""
    if len(found) > 1:
        raise Ambiguous(
            f"{told}: {', '.join(map(str, found))}.",
            next_step=f"Say which one is meant with {option}.",
            ids=found,
        )
    return found


PRICELIST = Operation(
    "pricelist",
    (SOAP,),
    {
        "client_id": {"type": "int", "required": True},
        "ids": {"type": "list", "elements": "int"},
        "names": {"type": "list", "elements": "str"},
        "state": {"type": "str", "choices": ["absent"], "required": True},
    },
    delete_pricelists,
    {"required_one_of": [["ids", "names"]]},
)


class Assignments:
    """Who has which price list."""

    def __init__(self, api: CommonFcd, wanted: int) -> None:
        """Match the members of the search, and where it does not tell enough do without it."""
        self._api = api
        self._wanted = wanted
        self._current = MemberReader(api.members("Pricelist"), [NUMBER])
        columns = (Attribute("client_id", ("Client",), _ID), Attribute("pricelist_id", ("Pricelist",), _ID))
        self._row = MemberReader(api.members("PricelistClientView"), columns)
        self._searchable = all(self._row.key(item.name) is not None for item in columns)

    def read(self, clients: t.Sequence[int]) -> Lists:
        """Return the price list of each client.

        All rows are read: those of the wanted price list alone would not tell whether a client has another one by now.
        """
        if len(clients) <= FEW or not self._searchable:
            return {number: self._of(number) for number in clients}
        found: dict[int, set[int]] = {}
        for record in map(self._row.record, self._api.get_pricelists_clients()):
            found.setdefault(record["client_id"], set()).add(record["pricelist_id"])
        return {number: self._one(number, found.get(number, set())) for number in clients}

    def change(self, clients: t.Sequence[int]) -> None:
        """Give these clients the price list; when the answer is unclear, reading tells whether they have it."""
        confirmed(lambda: self._api.change_pricelist(clients, self._wanted), lambda: self._have(clients))

    def _have(self, clients: t.Sequence[int]) -> bool:
        return all(number == self._wanted for number in self.read(clients).values())

    def _one(self, client: int, found: set[int]) -> int | None:
        """Return the price list of a client; of one that is listed with several, the one that it has now."""
        return self._of(client) if len(found) > 1 else next(iter(found), None)

    def _of(self, client: int) -> int | None:
        self._current.needed("id")
        row = self._api.get_client_current_pricelist(client)
        return None if row is None else self._current.record(row)["id"]


def assign_pricelist(task: Task, params: Params) -> Result:
    """Give the clients their price list."""
    api = common_fcd(task)
    number = params["pricelist_id"]
    if number is None:
        number = pricelist_number(api, params["pricelist"], params["owner_client_id"])
    clients = list(dict.fromkeys(params["client_ids"]))
    assignments = Assignments(api, number)
    before = assignments.read(clients)
    others = [client for client, has in before.items() if has != number]
    if others and not task.check_mode:
        assignments.change(others)
    return {
        "changed": bool(others),
        "client_pricelist": {"pricelist_id": number, "client_ids": clients, "changed_client_ids": others},
        "diff": {
            "before": {str(client): before[client] for client in others},
            "after": {str(client): number for client in others},
        },
    }


def pricelist_number(api: CommonFcd, name: str, owner: int | None) -> int:
    """Return the number of the price list with this name. Raises InvalidInput with the nearest names, Ambiguous."""
    reader = MemberReader(api.members("PricelistResultItem"), NAMED)
    reader.needed("id", "name")
    members = api.search_members("GetPricelists")
    criteria = {} if owner is None else {members.find(*OWNER): owner}
    text = members.find_if_any(*SEARCH_TEXT)
    rows = api.get_pricelists(**criteria, **({} if text is None else {text: name}))
    found = _named(map(reader.record, rows), name)
    if found:
        return found[0]
    every = [reader.record(row) for row in (rows if text is None else api.get_pricelists(**criteria))]
    found = _named(every, name) or _named(every, name, str.casefold)
    if found:
        return found[0]
    raise InvalidInput(
        f"pricelist: there is no price list {name!r}.",
        next_step=did_you_mean(name, [record["name"] for record in every if record["name"]]),
        option="pricelist",
    )


def _named(records: t.Iterable[Row], name: str, spelled: t.Callable[[str], str] = str) -> list[int]:
    """Return the number of the price list with the name. Raises Ambiguous when there are several."""
    found = sorted({record["id"] for record in records if spelled(record["name"] or "") == spelled(name)})
    return _only(f"pricelist: {len(found)} price lists have the name {name!r}", "pricelist_id", found)


CLIENT_PRICELIST = Operation(
    "client_pricelist",
    (SOAP,),
    {
        "client_ids": {"type": "list", "elements": "int", "required": True},
        "pricelist_id": {"type": "int"},
        "pricelist": {"type": "str", "aliases": ["pricelist_name"]},
        "owner_client_id": {"type": "int"},
    },
    assign_pricelist,
    {"mutually_exclusive": [["pricelist", "pricelist_id"]], "required_one_of": [["pricelist", "pricelist_id"]]},
)
