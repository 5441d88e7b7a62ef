# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is protected, given away or half replaced is never removed by the way: found by an attack from outside."""

from __future__ import annotations

import importlib
import threading
import typing as t
from pathlib import Path

import pytest
from sandbox.process import SandboxProcess

from sites.operations import done
from sites.plain_site import Given, Ran, run

INSTANCE = {"template": "CentOS 7", "subregion": "EU-001", "type": "v1.standard-2.2", "recreate": True}
FIRST = {"name": "web", **INSTANCE, "lifecycle": {"create_before_destroy": True}}
OTHER = {**FIRST, "template": "Debian 8"}
KEPT = {"prevent_destroy": True}
pytestmark = pytest.mark.usefixtures("home")


def instances(sandbox: SandboxProcess) -> list[int]:
    return [one["Id"] for one in sandbox.state()["rest"]["instances"] if one["Status"] != 126]


def half_replaced(sandbox: SandboxProcess, path: str) -> list[int]:
    """Have a replacement fail at a request; return the numbers of the instances that there are then."""
    run({"instances": [FIRST]}).succeeded()
    sandbox.fault("status_before", service="rest", method="POST", path=path, status=400, own_words=True, times=0)
    assert run({"instances": [OTHER]}, max_replace="1").result["failed"]
    sandbox.clear_faults()
    return instances(sandbox)


UNWANTED: list[tuple[Given, dict[str, t.Any]]] = [
    ({}, {}),
    ({"removed": [{"what": "instances.web", "destroy": False}]}, {}),
    ({"instances": [{**FIRST, "name": "shop"}], "moved": [{"from": "instances.web", "to": "instances.shop"}]}, {}),
    ({"instances": [FIRST]}, {"part": "1/2", "stage": "rest", "lock": "file"}),
    ({"instances": [FIRST]}, {"part": "2/2", "stage": "rest", "lock": "file"}),
]


unwanted = pytest.mark.parametrize(
    ("content", "options"), [UNWANTED[0], *(pytest.param(*row, marks=pytest.mark.full) for row in UNWANTED[1:])]
)


@unwanted
def test_what_was_not_renamed_in_the_end_stays(
    sandbox: SandboxProcess, content: Given, options: dict[str, t.Any]
) -> None:
    before = half_replaced(sandbox, "/change_name")
    run({"instances": [FIRST]}).succeeded()
    run(content, check_mode=True, **options).succeeded()
    run(content, **options).succeeded()
    assert instances(sandbox) == before


@unwanted
def test_what_has_no_successor_stays(sandbox: SandboxProcess, content: Given, options: dict[str, t.Any]) -> None:
    before = half_replaced(sandbox, "/instances$")
    run(content, **options)
    there = instances(sandbox)
    assert len(there) == len(before)
    assert there == before or options.get("part") == "1/2", "the part that the entry is in makes a new one"


def test_what_has_a_successor_goes_in_the_next_run(sandbox: SandboxProcess) -> None:
    before = half_replaced(sandbox, "/instances$")
    run({"instances": [OTHER]}, max_replace="1").succeeded()
    assert len(instances(sandbox)) == 1
    assert instances(sandbox) != before
    assert run({"instances": [OTHER]}, check_mode=True).succeeded().counts == {"unchanged": 1}


def test_a_name_too_long_to_be_changed_is_told_by_the_plan() -> None:
    long = {**FIRST, "name": "w" * 30}
    run({"instances": [long]}).succeeded()
    planned = run({"instances": [{**long, "template": "Debian 8"}]}, check_mode=True, max_replace="1")
    assert "its name is too long for a temporary one" in planned.result["msg"]


WEB = {"name": "web", **INSTANCE, "delete_disks": True}
RELEASED = [{"what": "disks.data", "destroy": False}]


@pytest.mark.parametrize(
    ("protected", "content", "options"),
    [
        (True, {"instances": [{**WEB, "state": "absent"}]}, {}),
        pytest.param(True, None, {"state": "absent", "targets": ["instances.web"]}, marks=pytest.mark.full),
        (True, {"instances": [{**WEB, "template": "Debian 8"}]}, {"kinds": ["instances"], "max_replace": "1"}),
        (False, {"instances": [{**WEB, "state": "absent"}], "removed": RELEASED}, {}),
        pytest.param(
            *(False, {"instances": [{**WEB, "template": "Debian 8"}], "removed": RELEASED}, {"max_replace": "1"}),
            marks=pytest.mark.full,
        ),
    ],
)
def test_no_disk_goes_along_that_is_to_stay(
    sandbox: SandboxProcess, protected: bool, content: Given | None, options: dict[str, t.Any]
) -> None:
    data = {"name": "data", "size": 10, "disk_class": "Tier 1", "instances": ["web"]}
    whole: Given = {"instances": [WEB], "disks": [{**data, "lifecycle": KEPT if protected else {}}]}
    run(whole).succeeded()
    ran = run(whole if content is None else content, **options)
    stops_all = protected and "max_replace" not in options
    told = "it would take along disks or addresses" if stops_all else "which this run does not remove"
    assert told in ran.result["msg"]
    assert "data" in [one["Name"] for one in sandbox.state()["rest"]["disks"]]


@pytest.mark.parametrize("options", [{}, {"state": "absent", "targets": ["storage_containers.assets"]}])
def test_no_container_takes_a_protected_object_along(options: dict[str, t.Any]) -> None:
    box = {"name": "assets", "force": True}
    kept = {"container": "assets", "name": "x", "content": "x", "lifecycle": KEPT}
    run({"storage_containers": [box], "storage_objects": [kept]}).succeeded()
    gone: Given = {"storage_containers": [{**box, "state": "absent"}]}
    for check_mode in (True, False):
        ran = run({"storage_containers": [box]} if options else gone, check_mode=check_mode, **options)
        assert "it contains objects with lifecycle.prevent_destroy in their entries: assets/x" in ran.result["msg"]


def test_removed_means_one_thing(sandbox: SandboxProcess) -> None:
    """The key of one is the name of another: the key counts."""
    run({"private_networks": [{"name": "b", "key": "a"}, {"name": "c", "key": "b"}]}).succeeded()
    assert run({"removed": [{"what": "private_networks.b", "destroy": True}]}).succeeded().counts["delete"] == 1
    assert [one["Name"] for one in sandbox.state()["rest"]["networks"] if one["Name"] in "bc"] == ["b"]


def test_two_sites_do_not_adopt_one_thing_at_the_same_moment() -> None:
    registry = {"container": "state"}
    run({"private_networks": [{"name": "other"}]}, registry=registry).succeeded()
    face = importlib.import_module("ansible_collections.fcd.cloud.plugins.modules.private_network")
    done(face.OPERATION, {"name": "shared"})
    content: Given = {"private_networks": [{"name": "shared", "adopt": True}]}
    ends: dict[str, Ran] = {}

    def adopt(site: str) -> None:
        ends[site] = run(content, site=site, registry=registry)

    threads = [threading.Thread(target=adopt, args=(site,)) for site in ("one", "two", "three")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(not end.result.get("failed") for end in ends.values()) <= 1
    later = [run(content, site=site, registry=registry) for site in ends]
    assert sum(not end.result.get("failed") for end in later) <= 1


def test_what_has_moved_can_be_replaced() -> None:
    one = {"name": "one", **INSTANCE}
    run({"instances": [one]}).succeeded()
    moved: Given = {
        "instances": [{**one, "name": "two"}],
        "moved": [{"from": "instances.one", "to": "instances.two"}],
    }
    run(moved).succeeded()
    other = {**moved, "instances": [{**one, "name": "two", "template": "Debian 8"}]}
    assert run(other, check_mode=True, max_replace="1").succeeded().counts == {"replace": 1}
    assert run(other, max_replace="1").succeeded().counts == {"replace": 1}


def test_protection_is_not_taken_out_by_what_removes_it(sandbox: SandboxProcess) -> None:
    net, web = {"name": "net"}, {"name": "web", **INSTANCE}
    whole: Given = {"private_networks": [net], "instances": [web]}
    run({kind: [{**one, "lifecycle": KEPT} for one in entries] for kind, entries in whole.items()}).succeeded()
    before = sandbox.state()["rest"]
    tries: list[tuple[Given, dict[str, t.Any]]] = [
        ({"private_networks": [{**net, "state": "absent"}]}, {}),
        ({"private_networks": [{**net, "state": "absent", "lifecycle": KEPT}]}, {}),
        ({"private_networks": [net]}, {"state": "absent"}),
        ({"instances": [{**web, "template": "Debian 8"}]}, {"max_replace": "9"}),
        ({"instances": [OTHER]}, {"max_replace": "9"}),
    ]
    for content, options in tries:
        for check_mode in (True, False):
            ran = run(content, check_mode=check_mode, **options)
            assert "Remove prevent_destroy and apply that" in ran.result["msg"]
            assert check_mode or "some entries cannot be planned" in ran.result["msg"]
    assert sandbox.state()["rest"] == before
    run(whole).succeeded()
    both = {**tries[0][0], **tries[3][0]}
    assert run(both, max_replace="9").succeeded().counts == {"delete": 1, "replace": 1}


def test_no_folder_removes_a_protected_object(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("new", encoding="utf-8")
    boxes: Given = {"storage_containers": [{"name": "assets"}]}
    kept = {"container": "assets", "name": "docs/x", "content": "x", "lifecycle": KEPT}
    run({**boxes, "storage_objects": [kept]}).succeeded()
    folder = {"container": "assets", "path": str(tmp_path), "prefix": "docs", "delete": True, "max_delete": "5"}
    for check_mode in (True, False):
        ran = run({**boxes, "storage_folders": [folder]}, check_mode=check_mode)
        assert "with delete: true it would remove objects with lifecycle.prevent_destroy" in ran.result["msg"]
        assert "assets/docs/x" in ran.result["msg"]
    run({**boxes, "storage_folders": [{**folder, "delete": False}]}, check_mode=True).succeeded()
    run({**boxes, "storage_folders": [{**folder, "prefix": "doc"}]}, check_mode=True).succeeded()
    (tmp_path / "x").write_text("x", encoding="utf-8")
    run({**boxes, "storage_folders": [folder]}).succeeded()
