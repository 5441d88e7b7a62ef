# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The cases of the infrastructure."""

from __future__ import annotations

import typing as t

from chaos.kinds import PLACE, instance
from chaos.matrix_case import OTHER, Args, Case, State, first, having, traits
from chaos.workplace import Workplace

PUBLIC_KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMatrixMatrixMatrixMatrixMatrixMatrixMatrix matrix@example.com"
POST: t.Mapping[str, t.Any] = {"service": "rest", "method": "POST"}
CHANGE: t.Mapping[str, t.Any] = {"service": "rest", "reads": False}
SOFT_REBOOT, RESTORATION = 1368, 90009
GONE = (126, 113)
"""Statuses of instances and schedules that are deleted, and stay listed."""
FIRST_ADDRESS = 120001
"""The number that the sandbox gives the first address that is reserved."""

FIRST_GROUP = 71101
"""The number that the sandbox gives the first group."""
OWN_TEMPLATE: Args = {"name": "Golden image", "version": "2025-01"}
"""One of the seed, 60001."""
FIRST_INTERFACE = 700001

BY_TICKET = traits("lists", "tickets", "names")
INSTANCE = having("instance", **instance("NAME"))
HEALTH_CHECK: Args = {"kind": "http", "address": "www.example.com"}
DISK: Args = {"size": 20, "disk_class": "Tier 2", "subregion": "EU-001"}

SCHEDULE: Args = {"action": "stop", "every": "1 day", "at": "22:00", "timezone": "Europe/Warsaw"}
SCHEDULED = first(INSTANCE, having("instance_schedule", name="NAME", instance="NAME", **SCHEDULE))


def _named(kind: str, name_of: str = "{}") -> t.Callable[[State, str], int]:
    def count(state: State, name: str) -> int:
        rows = state["rest"][kind]
        return sum(one["Name"] == name_of.format(name) and one.get("Status") not in GONE for one in rows)

    return count


def _none(kind: str) -> t.Callable[[State, str], int]:
    return lambda state, name: int(_named(kind)(state, name) == 0)


def _has(kind: str, member: str, value: t.Any) -> t.Callable[[State, str], int]:
    def count(state: State, name: str) -> int:
        rows = [one for one in state["rest"][kind] if one["Name"] == name and one.get("Status") not in GONE]
        return sum(_number(one[member]) == value for one in rows) if len(rows) == 1 else len(rows)

    return count


def _number(value: t.Any) -> t.Any:
    return value["Id"] if isinstance(value, dict) and "Id" in value else value


def _fleet(name: str) -> Args:
    return {"instances": [{"name": f"{name}-{number}"} for number in range(3)], "instance_defaults": PLACE}


def _fleet_count(state: State, name: str) -> int:
    counts = [_named("instances", f"{{}}-{number}")(state, name) for number in range(3)]
    return max(counts) if min(counts) else 0


def _addresses(state: State, name: str) -> int:
    """All addresses count but somebody else's: a second one without a comment is nobody's."""
    known = [one for one in state["rest"]["ips"] if one.get("Comment") != OTHER]
    return len(known) if any(one.get("Comment") == name for one in known) else 0


def _unnamed_addresses(state: State) -> int:
    return sum(not one.get("Comment") for one in state["rest"]["ips"])


def _members(state: State, name: str) -> int:
    return sum(len(one["Instances"]) for one in state["rest"]["networks"] if one["Name"] == name)


def _acts(operation: int) -> t.Callable[[State, str], int]:
    return lambda state, _name: sum(one["OperationType"] == operation for one in state["rest"]["tickets"])


def _template(name: str) -> Args:
    words = [{"language": "English", "description": "made by a test"}]
    return {"name": name.strip(), "template_name": f"of {name}", "version": "1", "descriptions": words}


def _import(name: str) -> Args:
    return {"name": name, "location": f"exports/{name}.ovf", "project": "backups"}


def _templates(state: State, name: str) -> int:
    return sum(one["Name"] == f"of {name}" for one in state["rest"]["templates"])


def _group(state: State, name: str, member: str) -> int:
    return sum(bool(one[member]) for one in state["rest"]["groups"] if one["Name"] == name)


def _tier(place: Workplace, name: str) -> None:
    place.run("instance_group", {"name": name, "instances": [name.strip()]}).succeeded()


CASES = (
    Case(
        "instance",
        "instance",
        {**POST, "path": "/instances$"},
        instance,
        _named("instances"),
        creates=True,
        traits=BY_TICKET | {"pages"},
    ),
    Case(
        "instance_fleet",
        "instance_fleet",
        {**POST, "path": "/instances$"},
        _fleet,
        _fleet_count,
        creates=True,
        traits=BY_TICKET | {"many", "pages"},
    ),
    Case(
        "instance_clone",
        "instance_clone",
        {**POST, "path": "clone"},
        lambda name: {"name": name.strip(), "clone_name": f"copy-of-{name}", "clone_type": "current_configuration"},
        _named("instances", "copy-of-{}"),
        there=INSTANCE,
        creates=True,
        traits=BY_TICKET,
    ),
    Case(
        "instance_to_template",
        "instance_to_template",
        CHANGE,
        _template,
        _templates,
        there=INSTANCE,
        creates=True,
        traits=BY_TICKET,
    ),
    Case(
        "disk",
        "disk",
        {**POST, "path": "/disks$"},
        lambda name: {"name": name, **DISK},
        _named("disks"),
        creates=True,
        traits=BY_TICKET,
    ),
    Case(
        "ip_address",
        "ip_address",
        {**POST, "path": "/ip_addresses$"},
        lambda name: {"comment": name, "subregion": "EU-001"},
        _addresses,
        creates=True,
        traits=traits("lists", "names"),
        left=_unnamed_addresses,
    ),
    Case(
        "private_network",
        "private_network",
        {**POST, "path": "/opns$"},
        lambda name: {"name": name},
        _named("networks"),
        creates=True,
        traits=traits("lists", "names"),
    ),
    Case(
        "ssh_key",
        "ssh_key",
        {**POST, "path": "/sshkeys$"},
        lambda name: {"name": name, "public_key": PUBLIC_KEY},
        _named("keys"),
        creates=True,
        traits=traits("lists", "names", "pages"),
    ),
    Case(
        "health_check",
        "health_check",
        {**POST, "path": "/healthchecks/http$"},
        lambda name: {"name": name, **HEALTH_CHECK},
        _named("health_checks"),
        creates=True,
        traits=traits("lists", "names"),
    ),
    Case(
        "health_check (update)",
        "health_check",
        CHANGE,
        lambda name: {"name": name, **HEALTH_CHECK, "paused": True},
        _has("health_checks", "Paused", True),
        there=having("health_check", name="NAME", **HEALTH_CHECK),
        traits=traits("lists", "removable"),
    ),
    Case(
        "health_check_notification",
        "health_check_notification",
        {**POST, "path": "/notifications$"},
        lambda name: {"address": name, "type": "sms"},
        _named("health_check_notifications"),
        creates=True,
        traits=traits("lists"),
    ),
    Case(
        "snapshot",
        "snapshot",
        {**POST, "path": "/snapshots$"},
        lambda name: {"name": name, "instance": name.strip()},
        _named("snapshots"),
        there=INSTANCE,
        creates=True,
        traits=BY_TICKET,
    ),
    Case(
        "instance_group",
        "instance_group",
        {**POST, "path": "/groups$"},
        lambda name: {"name": name},
        _named("groups"),
        creates=True,
        traits=traits("lists", "names"),
    ),
    Case(
        "instance_export",
        "instance_export",
        {**POST, "path": "/exports$"},
        lambda name: {"name": name, "instance": name.strip(), "location": "exports", "project": "backups"},
        _named("exports"),
        there=INSTANCE,
        creates=True,
        traits=traits("lists", "names"),
    ),
    Case(
        "instance_schedule",
        "instance_schedule",
        {**POST, "path": "/schedulers$"},
        lambda name: {**SCHEDULE, "name": name, "instance": name.strip()},
        _named("instance_schedules"),
        there=INSTANCE,
        creates=True,
        traits=traits("lists", "names"),
    ),
    Case(
        "instance_group (update)",
        "instance_group",
        CHANGE,
        lambda name: {"name": name, "instances": [name.strip()]},
        lambda state, name: _group(state, name, "Assignments"),
        there=first(INSTANCE, having("instance_group", name="NAME")),
        traits=traits("lists"),
    ),
    Case(
        "load_balancer",
        "load_balancer",
        CHANGE,
        lambda name: {"group": name},
        lambda state, name: _group(state, name, "IsLoadBalancer"),
        there=having("instance_group", name="NAME"),
    ),
    Case(
        "load_balancer_drain",
        "load_balancer_drain",
        CHANGE,
        lambda name: {"group": FIRST_GROUP, "instance": name.strip(), "port": 80},
        lambda state, name: _group(state, name, "Out"),
        there=first(
            INSTANCE,
            _tier,
            having("load_balancer", group="NAME"),
        ),
    ),
    Case(
        "instance_import",
        "instance_import",
        {**POST, "path": "/imports$"},
        _import,
        _named("imports"),
        creates=True,
        traits=traits("lists", "names"),
    ),
    Case(
        "instance_import_run",
        "instance_import_run",
        {**POST, "path": "/run_ticket$"},
        lambda name: {
            "name": name,
            "instance_name": name,
            "type": "v1.standard-2.2",
            "disk_class": "Tier 1",
            "networks": [{"public": True}],
        },
        _named("instances"),
        there=having("instance_import", **_import("NAME")),
        creates=True,
        traits=traits("lists", "tickets"),
    ),
    Case(
        "instance (update)",
        "instance",
        CHANGE,
        lambda name: {**instance(name), "type": "v1.standard-4.4", "force_stop": True},
        _has("instances", "Type", 35),
        there=INSTANCE,
        traits=BY_TICKET | {"many", "pages", "removable"},
    ),
    Case(
        "disk (update)",
        "disk",
        CHANGE,
        lambda name: {"name": name, **DISK, "size": 40},
        _has("disks", "SpaceCapacity", 40),
        there=having("disk", name="NAME", **DISK),
        traits=BY_TICKET | {"removable"},
    ),
    Case(
        "ip_address (update)",
        "ip_address",
        CHANGE,
        lambda name: {"id": FIRST_ADDRESS, "comment": f"{name}-new"},
        lambda state, name: _addresses(state, f"{name}-new"),
        there=having("ip_address", comment="NAME", subregion="EU-001"),
        traits=traits("lists"),
    ),
    Case(
        "instance_template (update)",
        "instance_template",
        CHANGE,
        lambda name: {**OWN_TEMPLATE, "descriptions": [{"language": "English", "description": name}]},
        lambda state, name: sum(one["Description"] == name for one in state["rest"]["templates"]),
        traits=traits("lists"),
    ),
    Case(
        "instance_template (absent)",
        "instance_template",
        CHANGE,
        lambda _name: {**OWN_TEMPLATE, "state": "absent"},
        lambda state, _name: int(all(one["Id"] != 60001 for one in state["rest"]["templates"])),
        traits=traits("lists"),
    ),
    Case(
        "instance_import (absent)",
        "instance_import",
        CHANGE,
        lambda name: {"name": name, "state": "absent"},
        lambda state, name: int(all(one["Name"] != name or one["Status"] == 886 for one in state["rest"]["imports"])),
        there=having("instance_import", **_import("NAME")),
        traits=traits("lists"),
    ),
    Case(
        "group_schedule",
        "group_schedule",
        {**POST, "path": "/schedulers$"},
        lambda name: {**SCHEDULE, "name": name, "group": FIRST_GROUP, "instance": name.strip()},
        _named("group_schedules"),
        there=first(INSTANCE, having("instance_group", name="NAME")),
        creates=True,
        traits=traits("lists", "names"),
    ),
    Case(
        "group_autoscaler",
        "group_autoscaler",
        CHANGE,
        lambda name: {"group": name, "expansion": "clone", "min_instances": 1, "max_instances": 2, "instances": [name]},
        lambda state, name: sum(
            one["Name"] == name and one["Autoscaler"] is not None for one in state["rest"]["groups"]
        ),
        there=first(INSTANCE, having("instance_group", name="NAME")),
    ),
    Case(
        "health_check_sensor",
        "health_check_sensor",
        CHANGE,
        lambda _name: {"sensor": "Paris 1"},
        lambda state, _name: sum(one["Sensor"] == 53003 for one in state["rest"]["sensor_assignments"]),
    ),
    Case(
        "instance_autoscaler",
        "instance_autoscaler",
        CHANGE,
        lambda name: {"instance": name, "mode": "notify", "min_ram": 1024, "max_ram": 8192},
        _has("instances", "AutoscalingType", 235),
        there=INSTANCE,
        traits=traits("tickets"),
    ),
    Case(
        "instance_schedule (update)",
        "instance_schedule",
        CHANGE,
        lambda name: {**SCHEDULE, "name": name, "instance": name, "action": "start"},
        _has("instance_schedules", "ActionType", 69),
        there=SCHEDULED,
        traits=traits("lists"),
    ),
    Case(
        "instance (absent)",
        "instance",
        CHANGE,
        lambda name: {"name": name, "state": "absent", "force_stop": True},
        _none("instances"),
        there=INSTANCE,
        traits=BY_TICKET | {"many"},
    ),
    Case(
        "disk (absent)",
        "disk",
        CHANGE,
        lambda name: {"name": name, "state": "absent"},
        _none("disks"),
        there=having("disk", name="NAME", **DISK),
        traits=BY_TICKET,
    ),
    Case(
        "instance_schedule (absent)",
        "instance_schedule",
        CHANGE,
        lambda name: {"name": name, "instance": name, "state": "absent"},
        _none("instance_schedules"),
        there=SCHEDULED,
        traits=traits("lists"),
    ),
    Case(
        "instance_power",
        "instance_power",
        CHANGE,
        lambda name: {"name": name, "action": "reboot"},
        _acts(SOFT_REBOOT),
        there=INSTANCE,
        act=True,
        traits=traits("tickets"),
    ),
    Case(
        "instance (moved)",
        "instance",
        CHANGE,
        lambda name: {"name": name, "subregion": "EU-002", "force_stop": True},
        _has("instances", "Subregion", 4),
        there=INSTANCE,
        traits=BY_TICKET | {"many"},
    ),
    Case(
        "instance_console",
        "instance_console",
        CHANGE,
        lambda name: {"name": name, "source_ip": "203.0.113.7"},
        _has("instances", "Console", "203.0.113.7"),
        there=INSTANCE,
    ),
    Case(
        "instance_interface",
        "instance_interface",
        CHANGE,
        lambda name: {"name": name, "interface_id": FIRST_INTERFACE, "private_network": f"{name}-b"},
        lambda state, name: _members(state, f"{name}-b"),
        there=first(
            having("private_network", name="NAME-a"),
            having("private_network", name="NAME-b"),
            having("instance", **{**instance("NAME"), "private_networks": "NAME-a", "without_public_ip": True}),
        ),
        traits=traits("tickets"),
    ),
    Case(
        "snapshot_restore",
        "snapshot_restore",
        CHANGE,
        lambda name: {"name": name, "instance": name},
        _acts(RESTORATION),
        there=first(
            INSTANCE,
            having("snapshot", name="NAME", instance="NAME"),
            having("instance", name="NAME", state="stopped", force_stop=True),
        ),
        act=True,
        traits=traits("tickets"),
    ),
    Case(
        "infrastructure_call (write)",
        "infrastructure_call",
        CHANGE,
        lambda name: {
            "operation": "create_disk",
            "inputs": {"disk_name": name, "space_capacity": 20, "tier_id": 49, "subregion_id": 1},
        },
        _named("disks"),
        act=True,
        traits=traits("tickets"),
    ),
)
