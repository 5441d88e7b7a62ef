# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Statistics of instances and the account (docs/service/infrastructure.md, "Statistics"); all values are made up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sandbox.rest import lookup
from sandbox.rest.call import Call
from sandbox.rest.handlers import handles
from sandbox.rest.models import Instance
from sandbox.rest.paging import envelope
from sandbox.rest.refusal import Refusal
from sandbox.rest.times import parse, show

INTERVALS, TYPES = 176, 177
SECONDS = {1519: 20, 1520: 300, 1521: 3600}


def _samples(call: Call, step: int) -> Iterator[dict[str, Any]]:
    """A value of each type for each step of the time that has passed, the newest first."""
    first, last = parse(call, call.query["dateFrom"]), parse(call, call.query["dateTo"])
    if last < first:
        raise Refusal(400, "dateTo: it is before dateFrom.")
    for number in call.query["statisticTypes"]:
        lookup.item(call, TYPES, number, "statisticTypes")
        for moment in range(int(min(last, call.now)) // step * step, int(first) - 1, -step):
            yield {"StatisticType": {"Id": number}, "SampleTime": show(moment), "Value": moment // step % 100}


@handles("read_statistics_instance")
def read_of_instance(call: Call) -> Any:
    """Those of one instance."""
    number = lookup.addressed(call, Instance).id
    interval = lookup.item(call, INTERVALS, call.query["statisticInterval"], "statisticInterval")
    own = {"Instance": {"Id": number}, "Details": None}
    return envelope([{**one, **own} for one in _samples(call, SECONDS[interval])])


@handles("list_statistics_account")
def list_of_account(call: Call) -> Any:
    """Those of the account, one for each hour."""
    return envelope(list(_samples(call, SECONDS[1521])))


@handles("list_statistics_intervals")
def list_intervals(call: Call) -> Any:
    """What an instance may be measured in."""
    return envelope([call.world.dictionaries.value(INTERVALS, number) for number in SECONDS])
