# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The steps that change a machine in place, in an order that never leaves it without a way in.

A machine that is to be stopped is stopped first, and one that is to run is started last; its name changes late, so that
the name leads to it for as long as it lasts. Remote operations: wire-facts section 5.4.
"""

from __future__ import annotations

import typing as t

from ..._api.addresses import Addresses
from ..._api.networks import Networks
from ..._engine.plan import Plan
from .record import DISK_FIELDS, POWERED_OFF, POWERED_ON, Record, numbers, status_of
from .shutdown import Shutdown
from .step import Step
from .steps import Site, Test, Ticket

Send = t.Callable[[], Ticket]


def steps_of(site: Site, name: str, plan: Plan, current: Record) -> list[Step]:
    """Return the steps of a plan for a machine that is there."""
    return list(_Steps(site, name, plan, current).in_order())


class _Steps:
    def __init__(self, site: Site, name: str, plan: Plan, current: Record) -> None:
        self._site = site
        self._name = name
        self._plan = plan
        self._current = current
        self._number: int = current["id"]

    def in_order(self) -> t.Iterator[Step]:
        power = (self._plan.values.get("status") or {}).get("id")
        if power == POWERED_OFF:
            yield Shutdown(self._site, self._number, self._name)
        yield from self._of_size()
        yield from self._of_network()
        if "name" in self._plan.values:
            yield self._rename(self._plan.values["name"])
        if power == POWERED_ON:
            yield self._start()

    def _of_size(self) -> t.Iterator[Step]:
        values, api = self._plan.values, self._site.api
        if "type" in values:
            type_id = values["type"]["id"]
            yield self._step("Changing type", lambda: api.change_type(self._number, type_id), _item_is("type", type_id))
        disk: int = self._current.get("system_disk_id") or 0
        if "disk_class" in values:
            tier = values["disk_class"]["id"]
            arrived = _item_is("disk_class", tier)
            yield self._step("Changing disk_class", lambda: api.change_disk_tier(disk, tier), arrived, DISK_FIELDS)
        if "init_disk_size" in values:
            size = values["init_disk_size"]
            grown = _at_least("init_disk_size", size)
            yield self._step("Growing the system disk", lambda: api.extend_disk(disk, size), grown, DISK_FIELDS)

    def _of_network(self) -> t.Iterator[Step]:
        networks, addresses = Networks(self._site.api), Addresses(self._site.api)
        yield from self._attached("private_networks", "private network", networks.attach_network)
        yield from self._attached("ip_addresses", "address", addresses.attach_address)
        yield from self._detached("private_networks", "private network", networks.detach_network)
        yield from self._detached("ip_addresses", "address", addresses.detach_address)

    def _attached(self, option: str, word: str, attach: t.Callable[[int, int], Ticket]) -> t.Iterator[Step]:
        for one in self._missing(self._plan.after, self._current, option):
            send, arrived = _bound(attach, one["id"], self._number), _in_list(option, one["id"])
            yield self._step(f"Attaching {word} {_called(one)}", send, arrived, (option,), "to")

    def _detached(self, option: str, word: str, detach: t.Callable[[int, int], Ticket]) -> t.Iterator[Step]:
        for one in self._missing(self._current, self._plan.after, option):
            send, arrived = _bound(detach, one["id"], self._number), _not_in_list(option, one["id"])
            yield self._step(f"Detaching {word} {_called(one)}", send, arrived, (option,), "from")

    def _missing(self, side: Record, other: Record, option: str) -> list[Record]:
        if option not in self._plan.values:
            return []
        have = numbers(other.get(option))
        return [one for one in side.get(option) or () if one["id"] not in have]

    def _rename(self, name: str) -> Step:
        api = self._site.api

        def arrived(record: Record | None) -> bool:
            return record is not None and record["name"] == name

        return self._step("Changing name", lambda: api.change_name(self._number, name), arrived)

    def _start(self) -> Step:
        api, what = self._site.api, f"Starting instance {self._name!r}"
        return Step(self._site, self._number, what, lambda: api.power_on(self._number), _is_on, strict=True)

    def _step(self, doing: str, send: Send, arrived: Test, asked: t.Sequence[str] = (), link: str = "of") -> Step:
        return Step(self._site, self._number, f"{doing} {link} instance {self._name!r}", send, arrived, asked=asked)


def _bound(act: t.Callable[[int, int], Ticket], number: int, instance_id: int) -> Send:
    return lambda: act(number, instance_id)


def _called(item: Record) -> str:
    return str(item["label"] if item["label"] is not None else item["id"])


def _item_is(name: str, number: int) -> Test:
    return lambda record: record is not None and (record.get(name) or {}).get("id") == number


def _at_least(name: str, size: int) -> Test:
    return lambda record: record is not None and (record.get(name) or 0) >= size


def _in_list(name: str, number: int) -> Test:
    return lambda record: record is not None and number in numbers(record.get(name))


def _not_in_list(name: str, number: int) -> Test:
    return lambda record: record is not None and number not in numbers(record.get(name))


def _is_on(record: Record | None) -> bool:
    return record is not None and status_of(record) == POWERED_ON
