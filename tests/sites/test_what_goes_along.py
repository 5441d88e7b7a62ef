# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What goes along with something that is removed or replaced is guarded like the thing itself."""

from __future__ import annotations

import typing as t
from pathlib import Path

import pytest
from sandbox.process import SandboxProcess

from sites.plain_site import INSTANCE, Given, Ran, run

KEPT = {"lifecycle": {"prevent_destroy": True}}
WEB = {"name": "web", **INSTANCE, "recreate": True}
pytestmark = pytest.mark.usefixtures("home")


@pytest.mark.parametrize("kind", ["disks", "ip_addresses"])
def test_what_goes_with_an_instance_protects_it(sandbox: SandboxProcess, kind: str) -> None:
    """Its system disk and its automatic address, which were found with it, and belong to no site."""
    run({"instances": [WEB]}).succeeded()
    (web,) = [one for one in sandbox.state()["rest"]["instances"] if one["Name"] == "web"]
    number = {"disks": web["SystemDisk"], "ip_addresses": web["IpAddresses"][0]}[kind]
    kept: Given = {kind: [{"id": str(number), **KEPT}]}
    run({"instances": [WEB], **kept}).succeeded()
    run({"instances": [WEB]}).succeeded()  # taking the entry out lifts nothing
    other = {**WEB, "template": "Debian 8"}
    tries: list[tuple[Given, dict[str, t.Any]]] = [
        (kept, {"prune": True}),
        ({}, {"prune": True}),
        ({"instances": [{**WEB, "state": "absent"}], **kept}, {}),
        ({"instances": [other], **kept}, {"max_replace": "1"}),
        ({"instances": [{**other, "lifecycle": {"create_before_destroy": True}}], **kept}, {"max_replace": "1"}),
        ({"instances": [WEB]}, {"state": "absent"}),
    ]
    for content, options in tries:
        ran = run(content, check_mode=True, **options)
        verb = "replaced" if "max_replace" in options else "removed"
        assert f"It is not {verb}: it would take along disks or addresses" in ran.result["msg"], (content, options)
        assert f"#{number}" in ran.result["msg"]
    ran = run(kept, prune=True)
    assert "Nothing was changed" in ran.result["msg"]
    run({"instances": [WEB], kind: [{"id": str(number)}]}).succeeded()
    assert run({}, prune=True).succeeded().counts == {"delete": 1}


def test_what_another_site_protects_is_not_taken_along(sandbox: SandboxProcess, tmp_path: Path) -> None:
    place: dict[str, t.Any] = {"registry": {"container": "regs"}}
    box = {"name": "box", "force": True}
    run({"storage_containers": [box]}, site="a", **place).succeeded()
    kept = {"container": "box", "name": "o", "content": "x"}
    run({"storage_objects": [{**kept, **KEPT}]}, site="b", **place).succeeded()
    folder = {"container": "box", "path": str(tmp_path), "delete": True, "max_delete": "9"}
    tries: list[tuple[Given, dict[str, t.Any]]] = [
        ({"storage_containers": [box]}, {"state": "absent"}),
        ({"storage_containers": [{**box, "state": "absent"}]}, {}),
        ({"storage_containers": [box], "storage_folders": [folder]}, {}),
    ]
    for content, options in tries:
        ran = run(content, check_mode=True, site="a", **place, **options)
        assert "lifecycle.prevent_destroy in their entries: box/o (of the site b)" in ran.result["msg"]
    run({"storage_objects": [kept]}, site="b", **place).succeeded()
    run({"storage_containers": [box]}, site="a", state="absent", **place).succeeded()
    assert "box" not in sandbox.state()["storage"]["containers"]


REGISTRY = {"container": "regs", "name": ".fcd-sites/shop/whole.json"}
EVERYTHING = {"container": "regs", "delete": True}


def test_no_run_touches_the_registries_beside_its_own(sandbox: SandboxProcess, tmp_path: Path) -> None:
    def site(name: str = "shop", *folders: Given, check_mode: bool = False, **content: t.Any) -> Ran:
        rows = [{"path": str(tmp_path), "max_delete": "9", **folder} for folder in folders]
        whole = {"private_networks": [{"name": name}], "storage_folders": rows, **content}
        return run(whole, check_mode=check_mode, site=name, registry={"container": "regs"})

    for name in ("shop", "other"):
        site(name).succeeded()
    box = {"name": "regs", "force": True, "state": "absent"}
    removing: dict[str, t.Any] = {"storage_containers": [box], "storage_objects": [{**REGISTRY, "state": "absent"}]}
    tries: list[tuple[Given, dict[str, t.Any]]] = [
        (EVERYTHING, removing),
        ({**EVERYTHING, "exclude": [".fcd-sites/shop/"]}, {"storage_objects": [{**REGISTRY, "content": "{}"}]}),
        ({"container": "regs", "prefix": ".fcd-sites"}, {}),
    ]
    for folder, content in tries:
        planned = site("shop", folder, check_mode=True, **content)
        wrong = {one["kind"]: one["msg"] for one in planned.plan["errors"]}
        assert set(wrong) == {"storage_folders", *content}, wrong
        assert "it would change or remove the registry, which is in .fcd-sites/" in wrong["storage_folders"]
    told = site("shop", **removing).result["msg"]
    assert "Nothing was changed" in told
    assert "It is not removed: the registry of this site is in it, and has to outlive it" in told
    assert "only sites themselves write and remove what is in .fcd-sites/" in told
    aside = {**EVERYTHING, "exclude": [".fcd-sites/"]}
    site("shop", aside, {**EVERYTHING, "prefix": "x"}).succeeded()
    assert site("shop", check_mode=True).succeeded().counts == {"unchanged": 1}


def test_nothing_takes_the_segments_of_a_protected_object_along(sandbox: SandboxProcess, tmp_path: Path) -> None:
    large = {"container": "box", "name": "o", "content": "x" * 30, "segment_threshold": 10, "segment_size": 10}
    whole: Given = {"storage_containers": [{"name": "box"}], "storage_objects": [{**large, **KEPT}]}
    run(whole).succeeded()
    segments = {"name": "box_segments", "force": True, "state": "absent"}
    folder = {"container": "box_segments", "path": str(tmp_path), "delete": True, "max_delete": "9"}
    for content in ({"storage_containers": [segments]}, {"storage_folders": [folder]}):
        ran = run(content, check_mode=True)
        assert "objects with lifecycle.prevent_destroy in their entries: box/o" in ran.result["msg"]
    run({**whole, "storage_objects": [large]}).succeeded()
    run({"storage_containers": [segments]}).succeeded()
    assert "box_segments" not in sandbox.state()["storage"]["containers"]


@pytest.mark.parametrize("again", [True, False])
def test_a_container_does_not_take_a_protected_folder_along(tmp_path: Path, again: bool) -> None:
    (tmp_path / "x").write_text("x", encoding="utf-8")
    box = {"name": "box", "force": True}
    folder: Given = {"storage_folders": [{"container": "box", "prefix": "docs", "path": str(tmp_path), **KEPT}]}
    run({"storage_containers": [box], **folder}).succeeded()
    content: Given = {"storage_containers": [{**box, "state": "absent"}], **(folder if again else {})}
    told = run(content, check_mode=True).result["msg"]
    assert "it contains objects with lifecycle.prevent_destroy in their entries: box/docs" in told
