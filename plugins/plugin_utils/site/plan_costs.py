# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the changes of a plan cost a month, by the price list that a client has: never an error.

Source: contract/soap-common-fcd.md (GetClientCurrentPricelist, GetClientsCurrencyCode). The members of a price list are
not known (wire-facts 9.4), nor is the time that a price is for: the rows with a price are looked for in what the
service sends, and the user says the time, and which row prices what.
"""

from __future__ import annotations

import re
import typing as t
from decimal import Decimal, InvalidOperation

from ...module_utils._connection.options import SOAP
from ...module_utils._connection.task import Task
from ...module_utils._core.errors import FcdError, InvalidInput
from ...module_utils._core.text import did_you_mean
from ...module_utils._engine.plan import CREATE, DELETE, REPLACE, UPDATE

A_MONTH = {"hour": Decimal(730), "day": Decimal(365) / 12, "month": Decimal(1)}
"""How many of each a month has, in the mean of a year."""

PRICED = (CREATE, UPDATE, REPLACE, DELETE)
BY_NAME = {"instances": "type"}
"""Kinds of which a row of the price list may bear the name: without an item for it, what this option says."""

SIDES = ("before", "after")
CENT = Decimal("0.01")
_PRICE = re.compile(r"(^|_)price($|_)")
_SERVICE = re.compile(r"(^|_)(service|product|name|label)s?$")

Item = t.Mapping[str, t.Any]
Prices = t.Dict[str, Decimal]


def with_costs(document: dict[str, t.Any], task: Task, costs: Item) -> None:
    """Add what changes cost to a plan: ``cost`` to each change that has a price, and to the whole.

    ``costs`` is the option: ``client_id``, ``per``, ``member`` and ``items``. What cannot be read or priced is told.
    """
    whole: dict[str, t.Any] = {"before": None, "after": None, "currency": "", "unpriced": [], "unavailable": ""}
    document["cost"] = whole
    try:
        prices, whole["currency"] = _read(task, costs)
        _check_items(costs, prices)
    except FcdError as error:
        whole["unavailable"] = str(error)
        return
    pricing, sums = _Pricing(costs, prices), [Decimal(0), Decimal(0)]
    for change in document["changes"]:
        if change["action"] in PRICED:
            before, after = (pricing.of(change, side) for side in SIDES)
            if isinstance(before, str) or isinstance(after, str):
                why = before if isinstance(before, str) else after
                whole["unpriced"].append({"kind": change["kind"], "name": change["name"], "why": why})
            else:
                change["cost"] = {**_both(before, after), "currency": whole["currency"]}
                sums = [sums[0] + before, sums[1] + after]
    whole.update(_both(*sums))


def _both(*prices: Decimal) -> dict[str, float]:
    return {side: float(price.quantize(CENT)) for side, price in zip(SIDES, prices)}


def _read(task: Task, costs: Item) -> tuple[Prices, str]:
    """Return the prices by service, and the currency, which may be unknown. Raises FcdError."""
    from ...module_utils._contract.api import common_fcd

    task.settings.require((SOAP,))
    api, client = common_fcd(task), costs["client_id"]
    pricelist = api.record("GetClientCurrentPricelist", owner_client_id=client)
    if pricelist is None:
        raise InvalidInput(f"costs: client {client} has no price list.", option="costs")
    prices = _prices_in(pricelist, costs.get("member"))
    try:
        return prices, str(api.call("GetClientsCurrencyCode", client_id=client) or "")
    except FcdError:
        return prices, ""


def _prices_in(pricelist: object, member: str | None) -> Prices:
    """Return the prices of all rows anywhere in a price list. Raises InvalidInput where there is none, or a choice."""
    found: Prices = {}
    for row in _rows(pricelist):
        numbers, service = _prices_of(row, member), _service_in(row)
        if len(numbers) > 1:
            raise InvalidInput(
                f"costs: the rows of the price list have several prices: {', '.join(sorted(numbers))}.",
                next_step="Select one with costs.member.",
                option="costs",
            )
        if numbers and service:
            found[service] = next(iter(numbers.values()))
    if not found:
        raise InvalidInput(
            "costs: no row of the price list has a service and a price.",
            next_step="Read it with fcd.cloud.pricelist_info, and name the member with its price in costs.member.",
            option="costs",
        )
    return found


def _prices_of(row: Item, member: str | None) -> Prices:
    """Return the numbers of a row by member: those of this one, or of all that are called a price."""
    named = {name: _number(value) for name, value in row.items() if (name == member if member else _PRICE.search(name))}
    return {name: price for name, price in named.items() if price is not None}


def _rows(value: object) -> t.Iterator[dict[str, t.Any]]:
    """Yield all mappings in lists within a value, at any depth."""
    for inside in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        if isinstance(value, list) and isinstance(inside, dict):
            yield inside
        yield from _rows(inside)


def _service_in(value: object) -> str:
    """Return what the service of a row is called: it may be a text, a record, or a list of names by language."""
    if isinstance(value, list):
        return next(filter(None, map(_service_in, value)), "")
    if not isinstance(value, dict):
        return ""
    meant = [value[name] for name in value if _SERVICE.search(name)]
    return next((one for one in meant if isinstance(one, str)), "") or next(filter(None, map(_service_in, meant)), "")


def _number(value: object) -> Decimal | None:
    try:
        number = Decimal(str(value)) if isinstance(value, (str, int, float)) and not isinstance(value, bool) else None
    except InvalidOperation:
        return None
    return number if number is not None and number.is_finite() else None


def _check_items(costs: Item, prices: Prices) -> None:
    for item in costs.get("items") or ():
        if item["service"] not in prices:
            raise InvalidInput(
                f"costs: the price list has no service {item['service']!r}. {did_you_mean(item['service'], prices)}",
                option="costs",
            )


class _Pricing:
    """The prices of one run, by the items that the user gave."""

    def __init__(self, costs: Item, prices: Prices) -> None:
        self._items = costs.get("items") or ()
        self._prices = prices
        self._by_name = {service.casefold(): price for service, price in prices.items()}
        self._per = A_MONTH[costs["per"]]

    def of(self, change: Item, side: str) -> Decimal | str:
        """Return what one side of a change costs a month, or why that is not known; nothing costs nothing."""
        if change["action"] == (CREATE if side == "before" else DELETE):
            return Decimal(0)
        options = {**change["before"], **(change["after"] if side == "after" else {})}
        items = [item for item in self._items if _is_for(item, change["kind"], options)]
        if items:
            return self._sum(items, options)
        option = BY_NAME.get(change["kind"], "")
        named = self._by_name.get(_label(options.get(option)).casefold())
        return f"no item of costs prices these {change['kind']}" if named is None else named * self._per

    def _sum(self, items: t.Sequence[Item], options: Item) -> Decimal | str:
        whole = Decimal(0)
        for item in items:
            times = item.get("times")
            number = Decimal(1) if times is None else _number(options.get(str(times), times))
            if number is None:
                return f"{times} is not known"
            whole += self._prices[item["service"]] * number * self._per
        return whole


def _is_for(item: Item, kind: str, options: Item) -> bool:
    desired = item.get("when") or {}
    return bool(item["kind"] == kind) and all(
        _label(options.get(name)).casefold() == str(value).casefold() for name, value in desired.items()
    )


def _label(value: object) -> str:
    """Return what an option is called: a plan shows things of the service as their number and label."""
    shown = value.get("label", value.get("name")) if isinstance(value, dict) else value
    return "" if shown is None else str(shown)
