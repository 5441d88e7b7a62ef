# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What has another key or name now, and what a site gives away: nothing is made twice, nothing is lost."""

from __future__ import annotations

import json
import typing as t
from pathlib import Path

import pytest
from sandbox.process import SandboxProcess

from sites.plain_site import Given, Ran, run

INSTANCE = {"template": "CentOS 7", "subregion": "EU-001", "type": "v1.standard-2.2"}
KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIApo= k"
KINDS: dict[str, tuple[str, str, dict[str, t.Any]]] = {
    "private_networks": ("networks", "name", {}),
    "ip_addresses": ("ips", "comment", {"subregion": "EU-001"}),
    "instances": ("instances", "name", INSTANCE),
    "disks": ("disks", "name", {"size": 10, "disk_class": "Tier 1", "subregion": "EU-001"}),
}
pytestmark = pytest.mark.usefixtures("home")


def site(kind: str, *names: str, moved: str = "", **more: t.Any) -> Given:
    """Return things of one kind; ``moved`` is as ``old>new, older>newer``."""
    _rows, option, options = KINDS[kind]
    lines = [one.strip().split(">") for one in moved.split(",") if one]
    return {
        kind: [{option: name, **options} for name in names],
        "moved": [{"from": f"{kind}.{old}", "to": f"{kind}.{new}"} for old, new in lines],
        **more,
    }


def numbers(sandbox: SandboxProcess, kind: str, *names: str) -> dict[str, int]:
    """Return the numbers of those that are there, by name."""
    rows, option, _options = KINDS[kind]
    member = option.capitalize()
    there = [one for one in sandbox.state()["rest"][rows] if one.get("Status") != 126 and one[member] in names]
    assert len({one[member] for one in there}) == len(there), "two of one name"
    return {one[member]: one["Id"] for one in there}


def changes(ran: Ran) -> dict[str, tuple[str, str | None]]:
    return {one["name"]: (one["action"], one["moved_from"]) for one in ran.plan["changes"]}


def settled(content: Given, **options: t.Any) -> None:
    """Check that nothing is left to do, and nothing is done."""
    for check_mode in (True, False):
        ran = run(content, check_mode=check_mode, **options).succeeded()
        assert set(ran.counts) == {"unchanged"}, ran.plan["changes"]
        assert ran.result["changed"] is False


@pytest.mark.parametrize(
    "kind", ["instances", *(pytest.param(kind, marks=pytest.mark.full) for kind in KINDS if kind != "instances")]
)
def test_a_new_name_keeps_the_thing(sandbox: SandboxProcess, kind: str) -> None:
    run(site(kind, "old")).succeeded()
    before = numbers(sandbox, kind, "old")
    content = site(kind, "new", moved="old>new")
    sandbox.clear_requests()
    planned = run(content, check_mode=True).succeeded()
    assert sandbox.counts()["writes"] == 0
    assert changes(planned) == {"new": ("update", "old")}
    assert planned.plan["changes"][0]["id"] == before["old"]
    assert run(content).succeeded().counts == {"update": 1}
    assert numbers(sandbox, kind, "old", "new") == {"new": before["old"]}
    settled(content)
    settled(site(kind, "new"))
    run({}, prune=True).succeeded()
    assert numbers(sandbox, kind, "old", "new") == {}


def test_a_new_key_changes_the_registry_alone(sandbox: SandboxProcess) -> None:
    run({"private_networks": [{"name": "inner", "key": "one"}]}).succeeded()
    content: Given = {
        "private_networks": [{"name": "inner", "key": "two"}],
        "moved": [{"from": "private_networks.one", "to": "private_networks.two"}],
    }
    planned = run(content, check_mode=True).succeeded()
    assert changes(planned) == {"inner": ("move", "one")}
    assert planned.result["changed"] is True
    sandbox.clear_requests()
    assert run(content).succeeded().counts == {"move": 1}
    assert {one for one in sandbox.counts()["by"] if one.startswith("rest")} == {"rest list_private_networks"}
    settled(content)


@pytest.mark.parametrize(
    ("before", "after", "moved", "kept"),
    [
        (["a", "b"], ["b", "c"], "a>b,b>c", {"b": "a", "c": "b"}),
        (["a", "b"], ["a", "b"], "a>b,b>a", {"b": "a", "a": "b"}),
        (["web"], ["web-1", "web-2"], "web>web-1", {"web-1": "web"}),
    ],
    ids=["chain", "swap", "count"],
)
def test_several_at_once(
    sandbox: SandboxProcess, before: list[str], after: list[str], moved: str, kept: dict[str, str]
) -> None:
    run(site("instances", *before)).succeeded()
    were = numbers(sandbox, "instances", *before)
    content = site("instances", *after, moved=moved)
    run(content).succeeded()
    are = numbers(sandbox, "instances", *before, *after)
    assert set(are) == set(after)
    assert {new: are[new] for new in kept} == {new: were[old] for new, old in kept.items()}
    settled(content)
    settled(site("instances", *after))
    assert numbers(sandbox, "instances", *before, *after) == are


def test_what_refers_to_a_moved_thing_stays_as_it_is(sandbox: SandboxProcess) -> None:
    def content(name: str, **more: t.Any) -> Given:
        disk = {"name": "data", "size": 10, "disk_class": "Tier 1", "instances": [name]}
        network = {"name": f"{name}-net"}
        instance = {"name": name, "private_networks": [network["name"]], **INSTANCE}
        return {"private_networks": [network], "instances": [instance], "disks": [disk], **more}

    run(content("old")).succeeded()
    kinds = ("instances", "private_networks")
    names = {"instances": "new", "private_networks": "new-net"}
    moved = [{"from": f"{kind}.{names[kind].replace('new', 'old')}", "to": f"{kind}.{names[kind]}"} for kind in kinds]
    assert run(content("new", moved=moved)).succeeded().counts == {"update": 2, "unchanged": 1}
    settled(content("new", moved=moved))


def test_a_run_that_died_on_its_way_is_gone_on_with(sandbox: SandboxProcess) -> None:
    run(site("private_networks", "a", "b")).succeeded()
    were = numbers(sandbox, "private_networks", "a", "b")
    content = site("private_networks", "b", "c", moved="a>b,b>c")
    number = were["a"]
    sandbox.fault("status_before", service="rest", method="PUT", path=f"/opns/{number}", status=400, times=9)
    assert run(content).result["failed"] is True
    sandbox.clear_faults()
    assert numbers(sandbox, "private_networks", "a", "b", "c") == {"a": were["a"], "c": were["b"]}
    again = site("private_networks", "b", "c")  # the registry knows it, whatever the file says now
    assert changes(run(again, check_mode=True).succeeded()) == {"b": ("update", "a")}
    run(again).succeeded()
    assert numbers(sandbox, "private_networks", "a", "b", "c") == {"b": were["a"], "c": were["b"]}
    settled(again)


def test_what_was_renamed_and_not_noted_is_noted_by_the_next_run(
    home: Path, sandbox: SandboxProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FCD_SITE_KEY")  # with one, the older registry would be told
    registry = {"path": str(home / "owned.json")}
    run(site("instances", "old"), registry=registry).succeeded()
    kept = (home / "owned.json").read_bytes()
    content = site("instances", "new", moved="old>new")
    run(content, registry=registry).succeeded()
    (home / "owned.json").write_bytes(kept)
    assert changes(run(content, registry=registry, check_mode=True).succeeded()) == {"new": ("move", "old")}
    run(content, registry=registry).succeeded()
    settled(content, registry=registry)
    assert len(numbers(sandbox, "instances", "old", "new")) == 1


def test_what_cannot_be_renamed_is_told_before_anything_is_sent(sandbox: SandboxProcess) -> None:
    before: Given = {
        "ssh_keys": [{"name": "old", "public_key": KEY}],
        "storage_containers": [{"name": "assets"}],
        "private_networks": [{"name": "a"}, {"name": "b"}],
    }
    run(before).succeeded()

    def told(kind: str, content: Given) -> str:
        for check_mode in (True, False):
            sandbox.clear_requests()
            ran = run({**before, "instances": [{"name": "web", **INSTANCE}], **content}, check_mode=check_mode).result
            assert ran["failed"] is True
            assert ran["changed"] is False or check_mode
            assert not [one for one in sandbox.counts()["by"] if one.startswith("rest create")]
        assert kind in ran["msg"]
        return str(ran["msg"])

    key = {"ssh_keys": [{"name": "new", "public_key": KEY}], "moved": [{"from": "ssh_keys.old", "to": "ssh_keys.new"}]}
    assert "It was old and cannot be changed to its new state in place" in told("ssh_keys new", key)
    moved = [{"from": "storage_containers.assets", "to": "storage_containers.pages"}]
    text = told("assets", {"storage_containers": [{"name": "pages"}], "moved": moved})
    assert "cannot be renamed to pages in place, because storage_containers have no IDs" in text
    text = told("'a'", site("private_networks", "b", moved="a>b"))
    assert "cannot become private_networks 'b'" in text


def test_a_name_that_somebody_else_has_is_not_given_twice(home: Path, sandbox: SandboxProcess) -> None:
    theirs = {"path": str(home / "theirs.json")}
    run(site("private_networks", "new"), site="elsewhere", registry=theirs).succeeded()
    run(site("private_networks", "old")).succeeded()
    ran = run(site("private_networks", "new", moved="old>new")).result
    assert "already has it" in ran["msg"]
    assert set(numbers(sandbox, "private_networks", "old", "new")) == {"old", "new"}


@pytest.mark.parametrize("options", [{"prune": True}, pytest.param({"state": "absent"}, marks=pytest.mark.full)])
def test_what_has_moved_is_no_orphan_and_goes_with_the_site(sandbox: SandboxProcess, options: dict[str, t.Any]) -> None:
    run(site("instances", "old")).succeeded()
    run(site("instances", "new", moved="old>new"), **options).succeeded()
    assert len(numbers(sandbox, "instances", "old", "new")) == ("prune" in options)
    assert run({}, check_mode=True).succeeded().counts == ({"orphan": 1} if "prune" in options else {})


def removing(destroy: bool, kind: str = "private_networks") -> Given:
    return {"removed": [{"what": f"{kind}.b", "destroy": destroy}], "private_networks": [{"name": "a"}]}


@pytest.mark.parametrize(
    "options", [{"prune": True}, *(pytest.param(one, marks=pytest.mark.full) for one in ({}, {"state": "absent"}))]
)
def test_what_is_released_stays_and_is_forgotten(sandbox: SandboxProcess, options: dict[str, t.Any]) -> None:
    run(site("private_networks", "a", "b")).succeeded()
    planned = run(removing(destroy=False), check_mode=True, **options).succeeded()
    assert changes(planned)["b"] == ("release", None)
    run(removing(destroy=False), **options).succeeded()
    assert "b" in numbers(sandbox, "private_networks", "b")
    assert "orphan" not in run(removing(destroy=False), check_mode=True).succeeded().counts
    assert run({}, check_mode=True).succeeded().counts == ({} if "state" in options else {"orphan": 1})


def test_what_is_removed_goes_under_the_limit(sandbox: SandboxProcess) -> None:
    run(site("private_networks", "a", "b")).succeeded()
    refused = run(removing(destroy=True), max_delete="0").result
    assert "max_delete allows 0" in refused["msg"]
    planned = run(removing(destroy=True), check_mode=True).succeeded()
    assert changes(planned) == {"b": ("delete", None)}
    assert run(removing(destroy=True)).succeeded().result["counts"]["changed"] == 1
    assert set(numbers(sandbox, "private_networks", "a", "b")) == {"a"}
    settled(removing(destroy=True))


def test_a_thing_passes_from_one_site_to_another(home: Path, sandbox: SandboxProcess) -> None:
    registry = {"container": "state"}
    run(site("private_networks", "a", "b"), registry=registry).succeeded()
    other: Given = {"private_networks": [{"name": "b", "adopt": True}]}
    told = run(other, site="blog", registry=registry).result["msg"]
    assert "removed" in told
    assert "adopt" in told
    run(removing(destroy=False), registry=registry).succeeded()
    assert run(other, site="blog", registry=registry).succeeded().counts == {"adopt": 1}
    assert run({}, site="blog", registry=registry, prune=True).succeeded().counts == {"delete": 1}
    assert set(numbers(sandbox, "private_networks", "a", "b")) == {"a"}


def test_what_was_protected_stays_so_when_its_entry_is_gone(sandbox: SandboxProcess) -> None:
    protected = {"name": "b", "lifecycle": {"prevent_destroy": True}}
    run({"private_networks": [{"name": "a"}, protected]}).succeeded()
    tries: list[tuple[Given, dict[str, t.Any]]] = [
        (site("private_networks", "a"), {"prune": True}),
        (site("private_networks", "a"), {"state": "absent"}),
        (removing(destroy=True), {}),
    ]
    for content, options in tries:
        for check_mode in (True, False):
            told = run(content, check_mode=check_mode, **options).result
            assert "its last entry had lifecycle.prevent_destroy" in told["msg"]
    assert set(numbers(sandbox, "private_networks", "a", "b")) == {"a", "b"}
    assert run(removing(destroy=False)).succeeded().counts == {"release": 1, "unchanged": 1}


def test_a_move_is_bound_by_the_plan(home: Path) -> None:
    run(site("private_networks", "a")).succeeded()
    kept = home / "plan.json"
    kept.write_text(json.dumps(run(site("private_networks", "b", moved="a>b"), check_mode=True).plan))
    run(site("private_networks", "b", moved="a>b"), plan=str(kept)).succeeded()
    again = run(site("private_networks", "b", moved="a>b"), plan=str(kept))
    assert "no longer matches the required changes" in again.result["msg"]
