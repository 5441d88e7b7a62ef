# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Playbooks whose tasks build on each other, of every noun: check mode says of each task what the run then does.

The playbook that makes all of it is compared first, then the one that changes and removes it again.
"""

from __future__ import annotations

import typing as t
from pathlib import Path

import pytest
from chaos.kinds import client_user, warehouse
from chaos.playbook_run import Played, play, task
from chaos.workplace import Workplace

from examples.test_check_mode import KEY, NEW, OTHER_KEY

Tasks = t.List[t.Dict[str, t.Any]]
INFRASTRUCTURE, STORAGE, CONTRACT = "infrastructure", "storage", "contract"
TEMPLATE: dict[str, t.Any] = {
    "template_name": "made",
    "version": "1",
    "descriptions": [{"language": "English", "description": "one"}],
    "minimum_type": "v1.standard-1.09",
}


def steps(*given: tuple[str, dict[str, t.Any]], **keywords: t.Any) -> Tasks:
    """Return tasks that are numbered, each of a module and its options; none ends the play."""
    return [
        task(module, args, f"{number} {module} {args.get('state', '')}", ignore_errors=True, **keywords)
        for number, (module, args) in enumerate(given)
    ]


def _gone(module: str, **options: t.Any) -> tuple[str, dict[str, t.Any]]:
    return module, {**options, "state": "absent"}


SUBREGION = {"subregion": "EU-001"}
DISK = {"size": 10, "disk_class": "Tier 1"}
SCHEDULE = {"name": "night", "action": "stop", "every": "1 day", "at": "22:00", "timezone": "UTC"}
AUTOSCALER = {"group": "tier", "expansion": "clone", "min_instances": 1, "max_instances": 2}
MAKE: dict[str, list[tuple[str, dict[str, t.Any]]]] = {
    INFRASTRUCTURE: [
        ("ssh_key", {"name": "key", "public_key": KEY}),
        ("private_network", {"name": "inside"}),
        ("private_network", {"name": "outside"}),
        ("ip_address", {"comment": "front", **SUBREGION, "static": True}),
        ("ip_address", {"comment": "spare", **SUBREGION, "static": True}),
        ("instance", {**NEW, "name": "web", "ssh_keys": ["key"], "private_networks": ["inside", "outside"]}),
        ("instance_fleet", {"instances": [{**NEW, "name": "one"}, {**NEW, "name": "two"}]}),
        ("instance_group", {"name": "tier", "instances": ["one", "two"]}),
        ("instance_group", {"name": "tier", "instances": ["two"]}),
        ("load_balancer", {"group": "tier"}),
        ("load_balancer", {"group": "tier", "port": 80, "algorithm": "Round robin"}),
        ("load_balancer", {"group": "tier", "port": 80}),
        ("load_balancer_drain", {"group": "tier", "instance": "one"}),
        ("disk", {**DISK, "name": "data", "instances": ["web"]}),
        ("disk", {**DISK, "name": "of-one", "instances": ["one"]}),
        ("disk", {**DISK, "name": "free", **SUBREGION}),
        ("disk", {"name": "free", "instances": ["two"]}),
        ("disk", {"name": "free", "instances": ["two"]}),
        ("snapshot", {"name": "before", "instance": "web"}),
        ("instance_schedule", {**SCHEDULE, "instance": "web"}),
        ("instance_schedule", {**SCHEDULE, "instance": "web"}),
        ("instance_schedule", {**SCHEDULE, "instance": "two"}),
        ("instance_schedule", {**SCHEDULE, "instance": "web", "at": "23:00"}),
        ("group_schedule", {**SCHEDULE, "group": "tier", "instance": "two"}),
        ("group_schedule", {**SCHEDULE, "group": "tier", "instance": "two"}),
        ("instance_autoscaler", {"instance": "web", "mode": "notify", "min_ram": 1024, "max_ram": 2048}),
        ("instance_autoscaler", {"instance": "web", "mode": "notify"}),
        ("group_autoscaler", {**AUTOSCALER, "instances": ["one", "two"]}),
        ("group_autoscaler", {**AUTOSCALER, "instances": ["one", "two"]}),
        ("health_check_sensor", {"sensor": "Paris 1"}),
        ("health_check_sensor", {"sensor": "Paris 1"}),
        ("ip_address", {"comment": "front", "instance": "web"}),
        ("ip_address", {"comment": "front", "instance": "web"}),
        ("instance", {"name": "two", "ip_addresses": ["{{ addresses.ip_addresses[0].id }}"]}),
        ("instance", {"name": "two", "private_networks": ["inside"]}),
        ("instance", {"name": "two", "private_networks": ["inside"]}),
        (
            "instance_clone",
            {"name": "web", "clone_name": "copy", "clone_type": "current_configuration", "power_on": True},
        ),
        (
            "instance_clone",
            {"name": "web", "clone_name": "copy", "clone_type": "current_configuration", "power_on": True},
        ),
        ("instance", {"name": "copy", "state": "stopped"}),
        ("instance_clone", {"name": "web", "clone_name": "off", "clone_type": "current_configuration"}),
        ("instance", {"name": "off", "state": "stopped"}),
        ("instance", {"name": "off", "state": "started"}),
        ("ip_address", {"comment": "reserved", **SUBREGION, "instance": "off"}),
        _gone("instance", name="off"),
        ("ip_address", {"comment": "reserved", **SUBREGION}),
        ("ip_address", {"comment": "reserved", "detached": True}),
    ],
    STORAGE: [
        ("storage_container", {"name": "www", "metadata": {"owner": "me"}}),
        ("storage_container", {"name": "www", "metadata": {"owner": "me"}}),
        ("storage_container", {"name": "other"}),
        ("storage_object", {"container": "www", "name": "index", "content": "a page"}),
        ("storage_object", {"container": "www", "name": "index", "content": "a page"}),
        ("storage_object", {"container": "other", "name": "index", "copy_from": "www/index"}),
        ("storage_object", {"container": "other", "name": "index", "copy_from": "www/index"}),
        ("storage_sync", {"mode": "push", "path": "{{ playbook_dir }}/tree", "container": "www", "prefix": "tree/"}),
        ("storage_sync", {"mode": "push", "path": "{{ playbook_dir }}/tree", "container": "www", "prefix": "tree/"}),
        ("storage_object", {"container": "www", "name": "tree/a", "content": "first"}),
        ("storage_sync", {"mode": "copy", "source_container": "www", "container": "other"}),
        ("storage_sync", {"mode": "copy", "source_container": "www", "container": "other"}),
        ("storage_object", {"container": "other", "name": "tree/a", "metadata": {"made-by": "us"}}),
        ("storage_object", {"container": "other", "name": "tree/a", "metadata": {"made-by": "us"}}),
        ("storage_account", {"metadata": {"owner": "me"}}),
        ("storage_object", {"container": "nowhere", "name": "index", "content": "a page"}),
        ("storage_object", {"container": "nowhere", "name": "index", "copy_from": "www/index"}),
        ("storage_object", {"container": "www", "name": "nothing", "cache_control": "no-store"}),
        ("storage_sync", {"mode": "push", "path": "{{ playbook_dir }}/tree", "container": "nowhere"}),
        ("storage_sync", {"mode": "copy", "source_container": "www", "container": "nowhere"}),
        ("storage_sync", {"mode": "copy", "source_container": "nowhere", "container": "www"}),
        ("storage_container", {"name": "stacked", "versioning": "stack", "versions_location": "nowhere"}),
        ("storage_container", {"name": "kept", "versioning": "enabled"}),
        _gone("storage_container", name="kept"),
        ("storage_container", {"name": "kept", "versioning": "enabled"}),
        ("storage_object", {"container": "kept", "name": "index", "content": "a page"}),
        _gone("storage_object", container="kept", name="index"),
        _gone("storage_container", name="kept"),
    ],
    CONTRACT: [
        ("warehouse", warehouse("depot")),
        ("warehouse", warehouse("depot")),
        ("warehouse", {**warehouse("depot"), "queue_length": 9}),
        ("client_user", client_user("reader")),
        ("client_user", client_user("reader")),
        ("client_user", {"user_name": "reader", "state": "blocked"}),
        ("client_user", {"user_name": "reader", "state": "blocked"}),
        ("client_user", {**client_user("writer"), "privileges": None}),
        ("client_user", {"user_name": "writer", "privileges": ["4"]}),
        ("site_export", {"kinds": ["client_users"]}),
    ],
}
"""What makes everything, by the service: some of it twice, which changes nothing."""

UNMAKE: dict[str, list[tuple[str, dict[str, t.Any]]]] = {
    INFRASTRUCTURE: [
        _gone("ssh_key", name="key"),
        _gone("ssh_key", name="key"),
        ("ssh_key", {"name": "key", "public_key": OTHER_KEY}),
        ("load_balancer_drain", {"group": "tier", "instance": "one", "state": "active"}),
        ("load_balancer_drain", {"group": "tier", "instance": "one", "state": "active"}),
        ("load_balancer_drain", {"group": "tier", "instance": "one"}),
        _gone("group_autoscaler", group="tier"),
        _gone("group_autoscaler", group="tier"),
        _gone("health_check_sensor", sensor="Paris 1"),
        _gone("health_check_sensor", sensor="Paris 1"),
        ("health_check_sensor", {"sensor": "Paris 1"}),
        _gone("group_schedule", name="night", group="tier"),
        _gone("group_schedule", name="night", group="tier"),
        _gone("load_balancer", group="tier"),
        _gone("load_balancer", group="tier"),
        ("instance_group", {"name": "tier", "instances": ["one"], "purge_instances": True}),
        _gone("instance_group", name="tier"),
        _gone("instance_group", name="tier", force_detach=True),
        _gone("private_network", name="inside"),
        ("instance", {"name": "two", "private_networks": [], "purge_private_networks": True}),
        _gone("disk", name="data"),
        ("ip_address", {"comment": "front", "detached": True}),
        ("ip_address", {"comment": "front", "detached": True}),
        _gone("ip_address", comment="front"),
        _gone("ip_address", comment="front"),
        _gone("instance_autoscaler", instance="web"),
        _gone("instance_autoscaler", instance="web"),
        _gone("instance_schedule", name="night", instance="two"),
        _gone("instance_schedule", name="night", instance="two"),
        _gone("instance", name="web"),
        _gone("instance", name="web"),
        _gone("instance_schedule", name="night", instance="web"),
        _gone("instance_schedule", name="night"),
        _gone("snapshot", name="before", instance="web"),
        _gone("snapshot", name="before"),
        _gone("private_network", name="inside"),
        _gone("private_network", name="outside"),
        _gone("private_network", name="outside"),
        _gone("disk", name="data"),
        _gone("disk", name="data"),
        _gone("instance", name="one", delete_disks=True),
        _gone("disk", name="of-one"),
        _gone("disk", name="web"),
        ("disk", {"name": "free", "instances": []}),
        _gone("disk", name="free"),
        _gone("instance_fleet", instances=[{"name": "one"}, {"name": "two"}]),
        _gone("instance", name="two"),
        _gone("ip_address", comment="spare"),
        ("instance", {**NEW, "name": "web"}),
        _gone("instance", name="web"),
        ("instance_to_template", {"name": "copy", **TEMPLATE}),
        _gone("instance", name="copy"),
        ("instance", {**NEW, "name": "late", "template": "made"}),
    ],
    STORAGE: [
        _gone("storage_container", name="www"),
        _gone("storage_object", container="www", name="index"),
        _gone("storage_object", container="www", name="index"),
        _gone("storage_container", name="www"),
        (
            "storage_sync",
            {"mode": "copy", "source_container": "empty", "container": "www", "delete": True, "max_delete": "100%"},
        ),
        _gone("storage_container", name="www"),
        _gone("storage_container", name="www"),
        _gone("storage_container", name="other", force=True),
        ("storage_object", {"container": "other", "name": "index", "content": "a page"}),
        _gone("storage_container", name="kept"),
        ("storage_object", {"container": "kept", "name": "index", "content": "a page"}),
        _gone("storage_object", container="kept", name="index"),
        _gone("storage_container", name="kept"),
        _gone("storage_container", name="kept", force=True),
        ("storage_container", {"name": "kept"}),
        _gone("storage_container", name="kept"),
        ("storage_object_info", {"container": "other"}),
        ("storage_container", {"name": "other"}),
        _gone("storage_object", container="other", name="index"),
        _gone("storage_container", name="other"),
        ("storage_account", {"metadata": {"owner": None}}),
        ("storage_account", {"metadata": {"owner": None}}),
    ],
    CONTRACT: [
        _gone("warehouse", **warehouse("depot")),
        _gone("warehouse", **warehouse("depot")),
        ("warehouse", warehouse("depot")),
        ("client_user", {"user_name": "reader", "state": "unblocked"}),
        _gone("client_user", user_name="reader"),
        _gone("client_user", user_name="reader"),
        ("client_user", client_user("reader")),
    ],
}
"""What changes and removes it all, some of it in vain."""


def _before(service: str) -> Tasks:
    """Return what has to be there without being a part of the comparison."""
    if service == STORAGE:
        return [task("storage_container", {"name": "empty"}, "setup", check_mode=False)]
    return []


def _readings(service: str) -> Tasks:
    """Return what finds the address that has another name than its own."""
    read = task("ip_address_info", {"comment": "spare"}, "read", register="addresses")
    return [read] if service == INFRASTRUCTURE else []


def _said(played: Played) -> list[str]:
    return [
        f"{one.name}: {'failed' if one.failed else 'changed' if one.result.get('changed') else 'same'}"
        for one in played.results
        if one.name[0].isdigit()
    ]


def _whole(service: str, chain: list[tuple[str, dict[str, t.Any]]]) -> Tasks:
    tasks: Tasks = []
    for one in steps(*chain):
        tasks += _readings(service) if "{{ addresses" in str(one) else []
        tasks.append(one)
    return [*_before(service), *tasks]


@pytest.mark.parametrize(
    "service", [CONTRACT, *(pytest.param(one, marks=pytest.mark.full) for one in (INFRASTRUCTURE, STORAGE))]
)
def test_chains(place: Workplace, tmp_path: Path, service: str) -> None:
    tree = tmp_path / "run" / "project" / "tree"
    tree.mkdir(parents=True)
    (tree / "a").write_text("first", encoding="utf-8")
    (tree / "b").write_text("second", encoding="utf-8")
    for chain in (MAKE[service], UNMAKE[service]):
        tasks = _whole(service, chain)
        place.sandbox.clear_requests()
        checked = play(place, tasks, tmp_path / "run", cmdline="--check")
        done = play(place, tasks, tmp_path / "run")
        told = [one.message for one in checked.results if one.failed]
        assert _said(checked) == _said(done), (told, [one.message for one in done.results if one.failed])
        assert "80000" not in str([one.result for one in checked.results]), "a number of a planned object was shown"


def test_tasks_that_are_in_check_mode_by_themselves(place: Workplace, tmp_path: Path) -> None:
    """They know of each other as with --check, until a task really changes something; those that run know nothing."""
    check: dict[str, t.Any] = {"check_mode": True}
    key, disk = {"name": "key", "public_key": KEY}, {**DISK, "name": "data", "instances": ["web"]}
    web = {**NEW, "name": "web", "ssh_keys": ["{{ key.ssh_key.id }}"]}
    tasks = [
        task("ssh_key", key, "key", register="key", **check),
        {"name": "block", "block": [task("instance", web, "web"), task("disk", disk, "disk")], **check},
        task("disk", {**disk, "instances": ["{{ lookup('fcd.cloud.instances', 'web').id }}"]}, "again", **check),
        task("instance_info", {"name": "web"}, "nothing"),
        task("ssh_key", key, "made"),
        task("ssh_key", key, "there", **check),
        task("disk", disk, "forgotten", ignore_errors=True, **check),
    ]
    said = {one.name: one for one in play(place, tasks, tmp_path / "run").results}
    changed = [name for name, one in said.items() if one.result.get("changed")]
    assert changed == ["key", "web", "disk", "made"], {name: one.message for name, one in said.items()}
    assert said["web"].result["instance"]["id"] == "(known after apply: instance web)"
    assert said["nothing"].result["instances"] == []
    assert said["there"].result["ssh_key"]["id"] == said["made"].result["ssh_key"]["id"]
    assert "there is no instance 'web'" in said["forgotten"].message
    assert len(place.writes()) == 1
