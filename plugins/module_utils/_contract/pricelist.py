# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Price lists of a client, which the contract can only delete.

Remote operations: contract/soap-common-fcd.md (DeletePricelists, GetClientPricelistsSimple).
"""

from __future__ import annotations

import typing as t

from .._core.errors import Ambiguous
from .._session.operation import Operation, Params, Result
from .._session.options import SOAP
from .._session.task import Task
from .common_fcd import CommonFcd
from .confirmation import confirmed
from .member_reading import Attribute, MemberReader
from .pricing import Pricing
from .task_client import common_fcd

Row = t.Dict[str, t.Any]

ATTRIBUTES = (Attribute("id", ("PricelistId",)), Attribute("name", ("PricelistName",)))


class ClientPricelists:
    """The price lists of one client."""

    def __init__(self, api: CommonFcd, client: int, *, by_name: bool) -> None:
        """Match the members. Raises InvalidInput when number or, if that is wanted, name cannot be read."""
        self._api = Pricing(api)
        self._client = client
        self._reader = MemberReader(api.members("PricelistSimple"), ATTRIBUTES)
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


def run(task: Task, params: Params) -> Result:
    """Delete the price lists that are there."""
    names = params["names"] or []
    pricelists = ClientPricelists(common_fcd(task), params["client_id"], by_name=bool(names))
    present = pricelists.read()
    meant = {*(params["ids"] or []), *(number for name in names for number in _named(present, name))}
    deleted = [record for record in present if record["id"] in meant]
    if deleted and not task.check_mode:
        pricelists.delete([record["id"] for record in deleted])
    return {
        "changed": bool(deleted),
        "deleted": deleted,
        "diff": {"before": {"pricelists": deleted}, "after": {"pricelists": []}},
    }


def _named(present: t.Sequence[Row], name: str) -> list[int]:
    """Return the number of the price list with this name, if there is one. Raises Ambiguous."""
    found = [record["id"] for record in present if record["name"] == name]
    if len(found) > 1:
        raise Ambiguous(
            f"names: the client has {len(found)} price lists {name!r}: {', '.join(map(str, found))}.",
            next_step="Say which one is meant with ids.",
            ids=found,
        )
    return found


OPERATION = Operation(
    "pricelist",
    (SOAP,),
    {
        "client_id": {"type": "int", "required": True},
        "ids": {"type": "list", "elements": "int"},
        "names": {"type": "list", "elements": "str"},
        "state": {"type": "str", "choices": ["absent"], "required": True},
    },
    run,
    {"required_one_of": [["ids", "names"]]},
)
