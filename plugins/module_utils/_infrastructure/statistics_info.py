# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Statistics of an instance or of the account (docs/service/infrastructure.md, "Statistics")."""

from __future__ import annotations

import typing as t

from .._connection.options import REST
from .._connection.task import Operation, Params, Result, Task
from .._core.errors import InvalidInput
from .api import infrastructure
from .instance.instance_records import InstanceSearch
from .named_instances import instance_of
from .reference_names import resolve_id
from .rest_records import check_not_empty, plain_members
from .time_options import RANGE, time_range

if t.TYPE_CHECKING:
    from .._core.type_aliases import JsonObject, JsonObjects

STATISTIC_TYPES = 177  # dictionary
TYPES = {
    "cpu_usage": 1522,
    "cpu_average": 1523,
    "memory_average": 1524,
    "memory_available": 1525,
    "memory_allocated": 1526,
    "memory_consumed": 1527,
    "packets_received": 1528,
    "packets_sent": 1529,
    "receive_rate": 1530,
    "send_rate": 1531,
    "uptime": 1534,
    "read_latency": 1580,
    "write_latency": 1581,
    "heartbeats": 1588,
    "power": 1590,
}
INTERVALS = {"20s": 1519, "5m": 1520, "1h": 1521}
USUAL_INTERVAL = "5m"
HOUR = 60 * 60
_SAMPLE = {"time": "SampleTime", "value": "Value", "details": "Details"}


def read_statistics(task: Task, params: Params) -> Result:
    """Return the samples of each type, the oldest first."""
    check_not_empty(params, "instance", "interval")
    interval = params.get("interval")
    if interval is not None and params.get("instance") is None:
        raise InvalidInput(
            "interval: statistics of the account have none.",
            next_step="Leave it out, or add instance.",
            option="interval",
        )
    if not params["types"]:
        raise InvalidInput("types: the list is empty.", option="types")
    query: dict[str, t.Any] = time_range(params, task.clock.now(), HOUR)
    api = infrastructure(task)
    known = api.get_dictionary(STATISTIC_TYPES)
    given = (_number("types", one, TYPES, lambda: known, "the statistics types") for one in params["types"])
    numbers = tuple(dict.fromkeys(given))
    if params.get("instance") is None:
        samples = api.list_account_statistics(**query, statistic_types=numbers)
    else:
        steps = _number("interval", interval or USUAL_INTERVAL, INTERVALS, api.list_intervals, "the intervals")
        instance = instance_of(InstanceSearch(api), params["instance"])
        samples = api.list_instance_statistics(
            instance["id"], **query, statistic_types=numbers, statistic_interval=steps
        )
    labels = {one["Id"]: one.get("Label") for one in known}
    return {
        "changed": False,
        "statistics": [
            {"type": {"id": number, "label": labels.get(number)}, "samples": _samples(samples, number)}
            for number in numbers
        ],
    }


def _number(
    option: str, given: str, words: t.Mapping[str, int], entries: t.Callable[[], JsonObjects], where: str
) -> int:
    """Return the ID for a word of ours, an ID, or a label of the service. Raises InvalidInput."""
    known = words.get(given.strip().lower())
    if known is not None:
        return known
    ours = [{"Id": number, "Label": word} for word, number in words.items()]
    return t.cast("int", resolve_id(option, given, lambda: [*ours, *entries()], where))


def _samples(samples: JsonObjects, number: int) -> list[JsonObject]:
    found = [plain_members(one, _SAMPLE) for one in samples if (one.get("StatisticType") or {}).get("Id") == number]
    return sorted(found, key=lambda one: (one["time"] or "", one["details"] or ""))


INFO = Operation(
    "statistics_info",
    (REST,),
    {
        "instance": {"type": "str", "aliases": ["instance_id"]},
        "types": {"type": "list", "elements": "str", "required": True},
        "interval": {"type": "str"},
        **RANGE,
    },
    read_statistics,
)
