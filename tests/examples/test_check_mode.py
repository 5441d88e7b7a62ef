# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Playbooks in which everything is new, in check mode: later tasks know what earlier ones have planned."""

from __future__ import annotations

import re
import textwrap
import typing as t
from pathlib import Path

import pytest
import yaml
from chaos.playbook_run import Played, play, task
from chaos.workplace import Workplace

from examples.documentation import Documented, Setting
from examples.needs import NEEDS, Needs
from examples.readme_reader import ROOT
from examples.test_examples import HERE

LATER = "(known after apply)"
NEW: dict[str, t.Any] = {"template": "CentOS 7", "subregion": "EU-001", "type": "v1.standard-2.2"}
KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ8H0Hq0V1TnNE0aNXZBkrcUJoQm8g0Qf1DnG7pUQx1y new"
OTHER_KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIK1yZ0p3V2nTnNE0aNXZBkrcUJoQm8g0Qf1DnG7pUQx1 new"

CODE = re.compile(r"^( *)\.\. code-block:: yaml\n\n((?:\1 +.*\n|\n)+)", re.MULTILINE)


def plays_in(block: str) -> list[dict[str, t.Any]]:
    """Return the plays with tasks in a block of a guide."""
    found = yaml.safe_load(textwrap.dedent(block)) if "hosts:" in block else None
    entries = found if isinstance(found, list) else []
    return [one for one in entries if isinstance(one, dict) and "hosts" in one and "tasks" in one]


@pytest.mark.parametrize("plugin", HERE, ids=[f"{one.kind}-{one.name}" for one in HERE])
def test_examples_in_check_mode(place: Workplace, tmp_path: Path, plugin: Documented) -> None:
    """None fails, though nothing exists that an earlier task would create; and nothing is created."""
    needs = NEEDS.get(plugin.name, Needs())
    setting = Setting(place.sandbox.info, tmp_path / "run")
    variables = setting.supply(needs)
    tasks = setting.adapted([*needs.before, *plugin.examples])
    home = tmp_path / "run" / "project"
    done = play(place, tasks, tmp_path / "run", variables=variables, cmdline="--check", home=home)
    failures = [f"{one.name}: {one.message}" for one in done.results if one.failed]
    assert done.status == 0, failures or done.stdout[-3000:]


PLAYS = [
    (guide, play_)
    for guide in (
        "getting_started",
        "check_mode",
        "infrastructure",
        "object_storage",
        "soap_contract",
        "from_other_clouds",
    )
    for _indent, block in CODE.findall((ROOT / "docs" / "docsite" / "rst" / f"{guide}.rst").read_text(encoding="utf-8"))
    for play_ in plays_in(block)
]


EARLIER = {
    "object_storage": [task("storage_container", {"name": "site-assets"}, "container")],
    "infrastructure": [
        task("instance", {**NEW, "name": "shop", "instances_count": 2, "template": "Debian 9"}, "servers"),
        task("instance_group", {"name": "shop", "instances": ["shop-1", "shop-2"]}, "group"),
        task("load_balancer", {"group": "shop"}, "load balancer"),
    ],
}


@pytest.mark.full
@pytest.mark.parametrize(("guide", "shown"), PLAYS, ids=[guide for guide, _play in PLAYS])
def test_guides_in_check_mode(place: Workplace, tmp_path: Path, guide: str, shown: dict[str, t.Any]) -> None:
    """The plays that guides show, before anything of them exists but what an earlier play of the guide creates."""
    home = tmp_path / "run" / "project"
    for path in (home / "public" / "index.html", home / ".ssh" / "id_ed25519.pub"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(KEY, encoding="utf-8")
    tasks, variables = (
        [*EARLIER.get(guide, ()), *shown["tasks"]],
        {**shown.get("vars", {}), "vault_billing_reader_password": "An-Odd-Word-1"},
    )
    done = play(place, tasks, tmp_path / "run", variables=variables, cmdline="--check", home=home)
    assert done.status == 0, done.stdout[-4000:]


def web_tier() -> list[dict[str, t.Any]]:
    """Return tasks of which each refers to what those before it create, by name, by number and in a loop."""
    return [
        task("ssh_key", {"name": "new", "public_key": KEY}, "key", register="key"),
        task("private_network", {"name": "inside"}, "network", register="network"),
        task("ip_address", {"comment": "front", "subregion": "EU-001", "static": True}, "address", register="address"),
        task(
            "instance",
            {
                **NEW,
                "name": "web-{{ item }}",
                "ssh_keys": ["{{ key.ssh_key.id }}"],
                "private_networks": ["inside"],
            },
            "instances",
            loop=[1, 2],
            register="web",
        ),
        task(
            "instance",
            {**NEW, "name": "front", "ssh_keys": ["new"], "ip_addresses": ["{{ address.ip_address.id }}"]},
            "front",
        ),
        task(
            "disk",
            {
                "name": "data-{{ item.instance.name }}",
                "size": 10,
                "disk_class": "Tier 1",
                "instances": ["{{ item.instance.id }}"],
            },
            "disks",
            loop="{{ web.results }}",
        ),
        task("instance", {"name": "web-2", "state": "stopped"}, "stop", register="stopped"),
        task("instance", {"name": "web-1", **NEW}, "again"),
        task("instance_power", {"name": "web-1", "action": "reboot"}, "reboot"),
        task("snapshot", {"name": "before", "instance": "web-1"}, "snapshot", register="snapshot"),
        task("snapshot", {"id": "{{ snapshot.snapshot.id }}", "state": "absent"}, "remove the snapshot"),
        task("snapshot", {"name": "before", "instance": "web-1", "state": "absent"}, "remove it again"),
        task("instance_info", {"name": ["web-1"]}, "read", register="read"),
        task("health_check", {"name": "www", "kind": "http", "address": "www.example.com"}, "check", register="check"),
        task("health_check", {"id": "{{ check.health_check.id }}", "paused": True}, "pause"),
        task("health_check", {"name": "www", "kind": "http", "port": 80, "paused": True}, "check again"),
        task("health_check", {"name": "www", "kind": "https", "port": 443, "recreate": True}, "other check"),
        task("health_check_notification", {"address": "ops@example.com", "type": "sms"}, "notification"),
        task("health_check_notification", {"address": "ops@example.com", "type": "sms"}, "notification again"),
        task("storage_container", {"name": "www"}, "container"),
        task("storage_object", {"container": "www", "name": "index.html", "content": "a page"}, "object"),
        task("storage_object", {"container": "www", "name": "index.html", "content": "a page"}, "object again"),
        task("storage_object_info", {"container": "www"}, "objects"),
    ]


UNCHANGED = {"again", "check again", "notification again", "read", "remove it again", "object again", "objects"}
AS_MODULES = {
    *("key", "address", "instances", "disks", "snapshot", "remove the snapshot", "read"),
    *("container", "object", "objects"),
}
"""Tasks that plan something, are given its number or find it: these are ordinary modules in the second run."""


@pytest.mark.parametrize("way", ["worker", pytest.param("module", marks=pytest.mark.full)])
def test_what_it_says_is_what_is_done(place: Workplace, tmp_path: Path, way: str) -> None:
    """Check mode says of every task what the run then does; what a module plans, the worker knows, and back."""
    tasks = web_tier()
    for one in tasks:
        if way == "module" and one["name"] in AS_MODULES:
            one["environment"] = {"OWN_PROCESS": "1"}
    checked = play(place, tasks, tmp_path / "run", cmdline="--check")
    assert checked.status == 0, checked.stdout[-3000:]
    assert "[WARNING]" not in checked.stdout
    assert "800000" not in str(checked.results), "a number of a planned object was shown"
    assert checked.of("key").result["ssh_key"]["id"] == "(known after apply: ssh key new)"
    (read,) = checked.of("read").result["instances"]
    assert (read["name"], read["type"]["label"]) == ("web-1", "v1.standard-2.2")
    assert read["id"] == "(known after apply: instance web-1)"
    if way == "worker":  # once is enough for the real one
        done = play(place, web_tier(), tmp_path / "run")
        assert done.status == 0, done.stdout[-3000:]
        assert _changed(checked) == _changed(done)
    assert {name for name, changed in _changed(checked) if not changed} == UNCHANGED


def _changed(played: Played) -> list[tuple[str, bool]]:
    return [(one.name, bool(one.result["changed"])) for one in played.results]


@pytest.mark.parametrize("there", [True, False])
def test_what_is_replaced_is_there_once(place: Workplace, tmp_path: Path, there: bool) -> None:
    """A key that is made anew takes the place of the old one, whether that is there or planned."""
    old = {"name": f"twice-{there}", "public_key": KEY}
    first = task("ssh_key", old, "first")
    if there:
        assert not play(place, [first], tmp_path / "run").status
    tasks = [
        first,
        task("ssh_key", {**old, "public_key": OTHER_KEY, "recreate": True}, "anew"),
        task("ssh_key", {**old, "public_key": OTHER_KEY}, "again"),
        task("ssh_key", {"name": old["name"], "state": "absent"}, "remove"),
        task("ssh_key", {"name": old["name"], "state": "absent"}, "remove again"),
    ]
    done = play(place, tasks, tmp_path / "run", cmdline="--check")
    assert done.status == 0, done.stdout[-3000:]
    assert [changed for _name, changed in _changed(done)] == [not there, True, False, True, False]


def test_typos_fail(place: Workplace, tmp_path: Path) -> None:
    """Only what was planned is known, and no longer than the run."""
    creation = task("ssh_key", {"name": "new", "public_key": KEY}, "key")
    typo = task("instance", {**NEW, "name": "web", "ssh_keys": ["nwe"]}, "typo")
    refers = task("instance", {**NEW, "name": "web", "ssh_keys": ["new"]}, "refers")
    done = play(place, [creation, typo], tmp_path / "run", cmdline="--check")
    assert done.of("typo").message.startswith("ssh_keys: there is no 'nwe' among the account's SSH keys.")
    assert not play(place, [creation, refers], tmp_path / "run", cmdline="--check").status
    done = play(place, [refers], tmp_path / "run", cmdline="--check")
    assert done.of("refers").failed
    done = play(place, [{**creation, "check_mode": True}, refers], tmp_path / "run")
    assert done.of("refers").failed, "a task in check mode leaves nothing to a real run"


def test_lookups_of_real_tasks(place: Workplace, tmp_path: Path) -> None:
    """A lookup believes what is planned in a task in check mode only, with and without a loop."""
    text, real = "{{ lookup('fcd.cloud.storage_object', 'real/cfg') }}", {"check_mode": False}
    cfg = {"container": "real", "name": "cfg"}
    debug = {"ansible.builtin.debug": {"msg": text}}
    tasks = [
        task("storage_container", {"name": "real"}, "container", **real),
        task("storage_object", {**cfg, "content": "there"}, "object", **real),
        task("storage_object", {**cfg, "content": "planned"}, "creation"),
        {"name": "checked", **debug},
        {"name": "real", **debug, **real},
        {"name": "block", "block": [{"name": "in a block", **debug}], **real},
        {"name": "loop", "ansible.builtin.debug": {"msg": "{{ item }}"}, "loop": [text], **real},
        {"name": "template", **debug, "check_mode": "{{ not ansible_check_mode }}"},
    ]
    done = play(place, tasks, tmp_path / "run", cmdline="--check")
    assert done.status == 0, done.stdout[-3000:]
    assert done.of("checked").message == LATER
    said = {one.message for one in done.results if one.name in ("real", "in a block", "template", "loop")}
    assert "there" in said, said
    assert LATER not in done.stdout.partition("TASK [real]")[2]


def test_shown_id_means_that_planned_object(place: Workplace, tmp_path: Path) -> None:
    """What is shown as the ID of a planned object means that one; a removal by ID leaves nothing behind."""
    new: dict[str, t.Any] = {"disk_class": "Tier 1", "subregion": "EU-001"}
    number = "{{ second.disk.id }}"
    facts = {"name": "fact", "ansible.builtin.set_fact": {"known": "{{ {'id': first.disk.id} | to_json | from_json }}"}}
    tasks = [
        task("disk", {**new, "name": "e1", "size": 10}, "first", register="first"),
        task("disk", {**new, "name": "e2", "size": 20}, "second", register="second"),
        facts,
        task("disk", {"id": "{{ known.id }}", "size": 10}, "same first"),
        task("disk", {"id": number, "size": 20}, "same second"),
        task("disk", {"id": number, "state": "absent"}, "remove"),
        task("disk", {**new, "name": "e2", "size": 20}, "again"),
        task("disk_info", {}, "read"),
        task("storage_container", {"name": "acct-8012345678901234"}, "digits"),
    ]
    done = play(place, tasks, tmp_path / "run", cmdline="--check")
    assert done.status == 0, done.stdout[-3000:]
    assert {name for name, changed in _changed(done) if not changed} == {"fact", "same first", "same second", "read"}
    assert sorted(one["name"] for one in done.of("read").result["disks"]) == ["e1", "e2"]
    assert done.of("digits").result["container"]["name"] == "acct-8012345678901234"
    assert "800000" not in str(done.results)
