# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The cases of the matrix: what every changing module makes or changes, and how that is counted at the service."""

from __future__ import annotations

import typing as t

from chaos.kinds import CONTAINER, PLACE, client_user, instance, storage_object, warehouse
from chaos.workplace import Workplace

State = t.Mapping[str, t.Any]
Args = t.Dict[str, t.Any]
REST_GRACE = frozenset({"instance", "instance_fleet", "disk", "ip_address", "private_network", "ssh_key", "snapshot"})
PUBLIC_KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMatrixMatrixMatrixMatrixMatrixMatrixMatrix matrix@example.com"


class Case(t.NamedTuple):
    """``write`` selects the requests that change something. ``found`` counts what is wanted; 1 is right.

    ``there`` is what must be there before, made without faults. ``creates``: something new is made.
    """

    name: str
    module: str
    write: t.Mapping[str, t.Any]
    args: t.Callable[[str], Args]
    found: t.Callable[[State, str], int]
    there: t.Callable[[Workplace, str], None] = lambda _place, _name: None
    creates: bool = True


def _rest(kind: str, member: str = "Name") -> t.Callable[[State, str], int]:
    return lambda state, name: sum(one.get(member) == name and one.get("Status") != 126 for one in state["rest"][kind])


def _has(kind: str, name_of: str, member: str, value: t.Any) -> t.Callable[[State, str], int]:
    def count(state: State, name: str) -> int:
        return sum(one[name_of] == name and _number(one[member]) == value for one in state["rest"][kind])

    return count


def _number(value: t.Any) -> t.Any:
    return value["Id"] if isinstance(value, dict) and "Id" in value else value


def _run(module: str, **args: t.Any) -> t.Callable[[Workplace, str], None]:
    def there(place: Workplace, name: str) -> None:
        own = {key: value.replace("NAME", name) if isinstance(value, str) else value for key, value in args.items()}
        place.run(module, own).succeeded()

    return there


def _containers(place: Workplace, _name: str) -> None:
    place.make_container()


def _fleet(name: str) -> Args:
    return {"instances": [{"name": f"{name}-{number}"} for number in range(3)], "instance_defaults": PLACE}


def _fleet_count(state: State, name: str) -> int:
    names = [one["Name"] for one in state["rest"]["instances"] if one["Status"] != 126]
    counts = [names.count(f"{name}-{number}") for number in range(3)]
    return max(counts) if min(counts) else 0


def _addresses(state: State, name: str) -> int:
    """All addresses count: a second one without a comment is nobody's."""
    known = state["rest"]["ips"]
    return len(known) if any(one.get("Comment") == name for one in known) else 0


def _object(state: State, name: str) -> int:
    return int(name in state["storage"]["containers"].get(CONTAINER, {"objects": {}})["objects"])


def _changed_type(place: Workplace, name: str) -> None:
    place.run("instance", instance(name)).succeeded()


REST_POST = {"service": "rest", "method": "POST"}
SOAP = {"service": "soap"}
STORAGE = {"service": "storage", "reads": False}

CASES = (
    Case("instance", "instance", {**REST_POST, "path": "/instances$"}, instance, _rest("instances")),
    Case("instance_fleet", "instance_fleet", {**REST_POST, "path": "/instances$"}, _fleet, _fleet_count),
    Case(
        "disk",
        "disk",
        {**REST_POST, "path": "/disks$"},
        lambda name: {"name": name, "size": 20, "disk_class": "Tier 2", "subregion": "EU-001"},
        _rest("disks"),
    ),
    Case(
        "ip_address",
        "ip_address",
        {**REST_POST, "path": "/ip_addresses$"},
        lambda name: {"comment": name, "subregion": "EU-001"},
        _addresses,
    ),
    Case(
        "private_network",
        "private_network",
        {**REST_POST, "path": "/opns$"},
        lambda name: {"name": name},
        _rest("networks"),
    ),
    Case(
        "ssh_key",
        "ssh_key",
        {**REST_POST, "path": "/sshkeys$"},
        lambda name: {"name": name, "public_key": PUBLIC_KEY},
        _rest("keys"),
    ),
    Case(
        "snapshot",
        "snapshot",
        {**REST_POST, "path": "/snapshots$"},
        lambda name: {"name": name, "instance": f"of-{name}"},
        _rest("snapshots"),
        there=lambda place, name: _changed_type(place, f"of-{name}"),
    ),
    Case(
        "warehouse",
        "warehouse",
        {**SOAP, "operation": "^CreateWarehouse$"},
        warehouse,
        lambda state, name: sum(one["WarehouseName"] == name for one in state["soap"]["warehouses"]),
    ),
    Case(
        "client_user",
        "client_user",
        {**SOAP, "operation": "^CreateUserWithPrivileges$"},
        client_user,
        lambda state, name: sum(one["AdLogin"] == name for one in state["soap"]["users"]),
    ),
    Case(
        "client_fixed_amount",
        "client_fixed_amount",
        {**SOAP, "operation": "FixedAmount$", "reads": False},
        lambda _name: {"client_id": 100, "amount": "120.00", "date_from": "2026-01-01", "description": "hosting"},
        lambda state, _name: len(state["soap"]["fixed_amounts"]),
    ),
    Case(
        "client (update)",
        "client",
        {**SOAP, "operation": "^(Update|Set|Change)"},
        lambda _name: {"id": 100, "commission": "7.50"},
        lambda state, _name: int(
            any(one["ClientId"] == 100 and float(one["Commission"]) == 7.5 for one in state["soap"]["clients"])
        ),
        creates=False,
    ),
    Case(
        "storage_container",
        "storage_container",
        {**STORAGE, "method": "PUT"},
        lambda name: {"name": name},
        lambda state, name: int(name in state["storage"]["containers"]),
    ),
    Case("storage_object", "storage_object", {**STORAGE, "method": "PUT"}, storage_object, _object, there=_containers),
    Case(
        "instance (update)",
        "instance",
        {"service": "rest", "reads": False},
        lambda name: {**instance(name), "type": "v1.standard-4.4", "force_stop": True},
        _has("instances", "Name", "Type", 35),
        there=_changed_type,
        creates=False,
    ),
    Case(
        "disk (update)",
        "disk",
        {"service": "rest", "reads": False},
        lambda name: {"name": name, "size": 40},
        _has("disks", "Name", "SpaceCapacity", 40),
        there=_run("disk", name="NAME", size=20, disk_class="Tier 2", subregion="EU-001"),
        creates=False,
    ),
    Case(
        "storage_container (update)",
        "storage_container",
        {**STORAGE, "method": "POST"},
        lambda name: {"name": name, "metadata": {"owner": "matrix"}},
        lambda state, name: int("owner" in str(state["storage"]["containers"].get(name, {})).lower()),
        there=_run("storage_container", name="NAME"),
        creates=False,
    ),
)
"""The changing modules; a module may stand here more than once."""
