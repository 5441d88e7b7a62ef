# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What was done, with one instance or all (docs/service/infrastructure.md, "Events")."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from sandbox.rest import lookup
from sandbox.rest.call import Call
from sandbox.rest.handlers import handles
from sandbox.rest.models import Event, Instance
from sandbox.rest.paging import Order, page
from sandbox.rest.refusal import Refusal
from sandbox.rest.times import parse, show

STATUSES = {136: 150, 137: 151}
OPERATIONS = dict(
    zip(
        (138, 141, 142, 143, 144, 145, 149, 153, 154, 158, 206, 207, 208, 249, 595, 867, 1101, 1172, 1287, 1331),
        (159, 175, 122, 121, 146, 123, 148, 128, 129, 159, 248, 209, 210, 261, 203, 868, 872, 1173, 1288, 1329),
        strict=True,
    )
)
"""The numbers of events for those of tickets; one that is not here has the number of the ticket."""


def _describe(call: Call, one: Event) -> dict[str, Any]:
    return {
        "Id": one.id,
        "Date": show(one.date),
        "Instance": {"Id": one.instance, "Name": one.instance_name},
        "User": call.world.account.user,
        "OperationType": _operation(call, one),
        "OperationStatus": _status(call, one),
        "Message": one.message,
    }


def _status(call: Call, one: Event) -> dict[str, Any] | None:
    """While it runs, an event with numbers of its own has none."""
    if call.settings["event_numbers"] == "ticket":
        return call.world.dictionaries.value(40, one.status)
    number = STATUSES.get(one.status)
    return None if number is None else call.world.dictionaries.value(90222, number)


def _operation(call: Call, one: Event) -> dict[str, Any]:
    number = OPERATIONS.get(one.operation)
    if call.settings["event_numbers"] == "ticket" or number is None:
        return call.world.dictionaries.value(41, one.operation)
    return call.world.dictionaries.value(90221, number)


def _number(value: dict[str, Any] | None) -> int | None:
    return None if value is None else value["Id"]


def _asked(call: Call, name: str) -> int | None:
    """The only ID in a text; several are refused, because nobody knows how to write them."""
    text = call.query.get(name)
    if text is not None and not text.isdigit():
        raise Refusal(400, f"{name}: {text} is no ID.")
    return None if text is None else int(text)


def _in_time(call: Call, events: Iterable[Event]) -> Iterator[Event]:
    first, last = call.query.get("dateFrom"), call.query.get("dateTo")
    for one in events:
        if (first is None or one.date >= parse(call, first)) and (last is None or int(one.date) <= parse(call, last)):
            yield one


@handles("list_events")
def list_events(call: Call) -> Any:
    """Those of all instances; what they could be ordered by is not known."""
    kind, status = _asked(call, "typeIds"), _asked(call, "statusIds")
    found = [
        one
        for one in _in_time(call, chain.from_iterable(call.world.events.values()))
        if kind in (None, _operation(call, one)["Id"]) and status in (None, _number(_status(call, one)))
    ]
    return page(call, found, lambda one: _describe(call, one))


@handles("list_instance_events")
def list_instance_events(call: Call) -> Any:
    """What was done with the instance, and how it ended."""
    kind, user = call.query.get("operationTypeId"), call.query.get("userId")
    found = [
        one
        for one in _in_time(call, call.world.events.get(lookup.addressed(call, Instance).id, []))
        if kind in (None, _operation(call, one)["Id"]) and user in (None, call.world.account.user["Id"])
    ]
    order: Order = {
        "Date": lambda one: one.date,
        "Instance": lambda one: one.instance_name,
        "User": lambda _one: call.world.account.user["Login"],
        "OperationType": lambda one: _operation(call, one)["Label"],
        "OperationStatus": lambda one: (_status(call, one) or {}).get("Label", ""),
    }
    return page(call, found, lambda one: _describe(call, one), order)
