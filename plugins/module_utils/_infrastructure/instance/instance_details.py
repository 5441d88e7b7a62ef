# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What lists of the whole account tell about instances: groups, load balancers, schedules and health checks.

None of it is read for each instance. The members of groups take a request for each group.
"""

from __future__ import annotations

import typing as t
from functools import lru_cache

from ..health_check import HealthCheckSearch
from ..instance_schedule import InstanceScheduleSearch

if t.TYPE_CHECKING:
    from ..._core.type_aliases import JsonObject
    from ..api import Infrastructure

DETAILS = {
    "groups": "groups",
    "load_balancers": "load_balancers",
    "schedules": "schedules",
    "health_checks": "health_check_status",
}
"""What can be read, and the key of a record that then tells it."""

OF_SCHEDULE = ("id", "name", "action", "every", "at", "timezone", "start_date")


def add_details(api: Infrastructure, records: t.Collection[JsonObject], names: t.Collection[str]) -> None:
    """Add what is named to the records of instances, in place."""
    known = {record["id"]: record for record in records}
    for record in records:
        record.update({DETAILS[name]: None if name == "health_checks" else [] for name in names})

    @lru_cache(maxsize=None)
    def members(group_id: int) -> list[JsonObject]:
        rows = api.list_group_assignments(group_id)
        return [known[number] for number in dict.fromkeys(one.get("InstanceId") for one in rows) if number in known]

    groups: dict[str, t.Callable[[], list[tuple[int, object]]]] = {
        "groups": lambda: [(one["Id"], one.get("Name")) for one in api.list_groups()],
        "load_balancers": lambda: [(one["GroupId"], one.get("GroupName")) for one in api.list_load_balancers()],
    }
    for key in sorted(groups.keys() & set(names)):
        for number, name in sorted(groups[key](), key=lambda one: (str(one[1]), one[0])):
            for record in members(number):
                record[key].append(str(name or number))
    if "schedules" in names:
        _add_schedules(api, known)
    if "health_checks" in names:
        _add_health_checks(api, records)


def _add_schedules(api: Infrastructure, known: t.Mapping[object, JsonObject]) -> None:
    search = InstanceScheduleSearch(api)
    for schedule in sorted(map(search.describe, search.list_items()), key=lambda one: one["id"]):
        record = known.get((schedule["instance"] or {}).get("id"))
        if record is not None:
            record["schedules"].append({name: schedule[name] for name in OF_SCHEDULE})


def _add_health_checks(api: Infrastructure, records: t.Iterable[JsonObject]) -> None:
    """Name the check of each instance, and add its status."""
    search = HealthCheckSearch(api)
    checks = {one["id"]: one for one in map(search.describe, search.list_items())}
    for record in records:
        check = checks.get((record["health_check"] or {}).get("id"))
        if check is not None:
            record["health_check"] = {"id": check["id"], "label": check["name"]}
            record["health_check_status"] = check["status"]
