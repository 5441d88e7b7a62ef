# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Price lists: deleting those of a client, and assigning one to many clients.

Remote operations: docs/service/contract.md, "Pricing and billing". One search shows who has which price list; a few
clients are read one by one.
"""

from __future__ import annotations

import contextlib
import typing as t

from .._connection.options import SOAP
from .._connection.task import Operation, Params, Result, Task
from .._core.errors import Forbidden, InvalidInput, OperationFailed, confirm_write, reading_back
from .._core.text import did_you_mean
from .._core.type_aliases import JsonObject
from .api import SEARCH_TEXT, CommonFcd, MemberReader, no_such_ids, require_clients, require_single
from .attributes import PRICELIST_ATTRIBUTES, PRICELIST_OF_CLIENT
from .connection import common_fcd

MAX_CLIENT_READS = 5  # clients that are read one by one, which costs less than a search
OWNER = ("client_id", "OwnerClientId")


def _send(operation: str, send: t.Callable[[], object], left: t.Callable[[], t.Sequence[int]], where: str) -> None:
    """Send what changes price lists, and read what is left to do, for which ``where`` is the word.

    Raises OperationFailed if that is anything.
    """
    confirm_write(send, lambda: not left(), refusals=True)
    with reading_back():
        rest = left()
        if rest:
            raise OperationFailed(
                f"The service has accepted {operation}, but it was not done for the {where}: "
                f"{', '.join(map(str, rest))}.",
                next_step="Run the task again later; it does what is left then.",
                ids=rest,
            )


def delete_pricelists(task: Task, params: Params) -> Result:
    """Delete the price lists that exist; those already gone are no error."""
    api, client = common_fcd(task), params["client_id"]
    reader = MemberReader(
        api.members("PricelistSimple"), PRICELIST_ATTRIBUTES, ("id", "name") if params["names"] else ("id",)
    )

    def read() -> list[JsonObject]:
        rows = api.records("GetClientPricelistsSimple", owner_client_id=client)
        return [{"name": None, **reader.record(row)} for row in rows]

    present = read()
    ids = _ids_to_delete(present, params)
    deleted = [record for record in present if record["id"] in ids]
    numbers = [record["id"] for record in deleted]
    if deleted and not task.check_mode:
        _send(
            "DeletePricelists",
            lambda: api.call("DeletePricelists", pricelists_ids=numbers, client_id=client),
            lambda: [record["id"] for record in read() if record["id"] in numbers],
            "price lists",
        )
    diff = {"before": {"pricelists": deleted}, "after": {"pricelists": []}}
    return {"changed": bool(deleted), "deleted": deleted, "diff": diff}


def _ids_to_delete(present: t.Sequence[JsonObject], params: Params) -> set[int]:
    """Return the given numbers, and those of the price lists with the given names. Raises Ambiguous."""
    ids = set(params["ids"] or [])
    for name in params["names"] or []:
        found = [record["id"] for record in present if record["name"] == name]
        require_single(found, f"names: the client has {len(found)} price lists {name!r}", "ids")
        ids.update(found)
    return ids


PRICELIST_DELETE = Operation(
    "pricelist_delete",
    (SOAP,),
    {
        "client_id": {"type": "int", "required": True},
        "ids": {"type": "list", "elements": "int"},
        "names": {"type": "list", "elements": "str"},
    },
    delete_pricelists,
    {"required_one_of": [["ids", "names"]]},
)


def _pricelists_of(api: CommonFcd, clients: t.Sequence[int]) -> dict[int, int | None]:
    """Return the price list of each client, None for one that has none.

    The search reads all rows: those of the desired price list alone would not show whether a client has another one by
    now. Clients are read one by one if they are few, or if the rows of the search lack members.
    """
    row = MemberReader(api.members("PricelistClientView"), PRICELIST_OF_CLIENT)
    if len(clients) <= MAX_CLIENT_READS or any(row.key(item.name) is None for item in PRICELIST_OF_CLIENT):
        return {client: current_pricelist(api, client) for client in clients}
    found = {**{client: set() for client in clients}, **pricelists_by_client(api, row)}
    return {
        client: current_pricelist(api, client) if len(found[client]) > 1 else next(iter(found[client]), None)
        for client in clients
    }


def pricelists_by_client(api: CommonFcd, reader: MemberReader) -> dict[int, set[int]]:
    """Return the price lists that a search shows for each client; of several, the current one counts."""
    found: dict[int, set[int]] = {}
    for record in map(reader.record, api.search("GetPricelistsClients", {})):
        if record.get("client_id") is not None and record.get("pricelist_id") is not None:
            found.setdefault(record["client_id"], set()).add(record["pricelist_id"])
    return found


def current_pricelist(api: CommonFcd, client: int) -> int | None:
    """Return the current price list of a client, or None."""
    reader = MemberReader(api.members("Pricelist"), PRICELIST_ATTRIBUTES[:1], ("id",))
    row = api.record("GetClientCurrentPricelist", owner_client_id=client)
    return None if row is None else reader.record(row)["id"]


def assign_pricelist(task: Task, params: Params) -> Result:
    api = common_fcd(task)
    number = params["pricelist_id"]
    if number is None:
        number = pricelist_number(api, params["pricelist"], params["owner_client_id"])
    clients = list(dict.fromkeys(params["client_ids"]))
    before = _pricelists_of(api, clients)
    others = [client for client, has in before.items() if has != number]
    require_clients(api, [client for client in others if before[client] is None], "client_ids")
    if others and params["pricelist_id"] is not None and number not in before.values():
        _require_pricelist(api, number)
    if others and not task.check_mode:
        _send(
            "ChangePricelist",
            lambda: api.call("ChangePricelist", clients_ids=others, new_pricelist_id=number),
            lambda: [client for client, has in _pricelists_of(api, others).items() if has != number],
            "clients",
        )
    return {
        "changed": bool(others),
        "client_pricelist": {"pricelist_id": number, "client_ids": clients, "changed_client_ids": others},
        "diff": {
            "before": {str(client): before[client] for client in others},
            "after": {str(client): number for client in others},
        },
    }


def _require_pricelist(api: CommonFcd, number: int) -> None:
    """Raise InvalidInput if there is no price list with this number, as far as they may be listed."""
    reader = MemberReader(api.members("PricelistResultItem"), PRICELIST_ATTRIBUTES, ("id",))
    with contextlib.suppress(Forbidden):
        if all(reader.record(row)["id"] != number for row in api.search("GetPricelists", {})):
            raise no_such_ids("pricelist_id", "price list", [number])


def pricelist_number(api: CommonFcd, name: str, owner: int | None) -> int:
    """Return the number of the price list with this name. Raises InvalidInput with the nearest names, Ambiguous."""
    reader = MemberReader(api.members("PricelistResultItem"), PRICELIST_ATTRIBUTES, ("id", "name"))
    members = api.search_members("GetPricelists")
    criteria = {} if owner is None else {members.find(*OWNER): owner}
    text = members.find_if_any(*SEARCH_TEXT)
    rows = api.search("GetPricelists", {**criteria, **({} if text is None else {text: name})})
    found = _ids_with_name(map(reader.record, rows), name)
    if found:
        return found[0]
    every = [reader.record(row) for row in (rows if text is None else api.search("GetPricelists", criteria))]
    found = _ids_with_name(every, name) or _ids_with_name(every, name, str.casefold)
    if found:
        return found[0]
    raise InvalidInput(
        f"pricelist: there is no price list {name!r}.",
        next_step=did_you_mean(name, [record["name"] for record in every if record["name"]]),
        option="pricelist",
    )


def _ids_with_name(records: t.Iterable[JsonObject], name: str, normalize: t.Callable[[str], str] = str) -> list[int]:
    """Return the number of the price list with this name. Raises Ambiguous if there are several."""
    found = sorted({record["id"] for record in records if normalize(record["name"] or "") == normalize(name)})
    require_single(found, f"pricelist: {len(found)} price lists have the name {name!r}", "pricelist_id")
    return found


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
