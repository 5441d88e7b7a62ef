# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What exists and becomes a site's own: shown in the plan, bound by it, and removed with the site."""

from __future__ import annotations

import json
import typing as t
from pathlib import Path

import pytest
from sandbox.process import SandboxProcess

from sites.plain_site import Given, run

THEIRS: Given = {"private_networks": [{"name": "theirs"}]}
pytestmark = pytest.mark.usefixtures("home")


@pytest.fixture(autouse=True)
def theirs(home: Path) -> None:
    """A network that no site of this place has made."""
    run(THEIRS, site="elsewhere", registry={"path": str(home / "elsewhere.json")}).succeeded()


def adopting() -> Given:
    return {"private_networks": [{"name": "theirs", "adopt": True}, {"name": "ours", "adopt": True}]}


@pytest.mark.parametrize("how", ["run", "entry"])
def test_what_is_adopted_is_shown_once_and_removed_with_the_site(sandbox: SandboxProcess, how: str) -> None:
    content: Given = THEIRS if how == "run" else adopting()
    options: dict[str, t.Any] = {"adopt": True} if how == "run" else {}
    new = {} if how == "run" else {"create": 1}
    planned = run(content, check_mode=True, **options).succeeded()
    assert planned.counts == {"adopt": 1, **new}
    assert planned.result["changed"] is True
    (change,) = [one for one in planned.plan["changes"] if one["name"] == "theirs"]
    assert (change["action"], change["adopts"]) == ("adopt", True)
    assert run({}, check_mode=True).succeeded().counts == {}, "check mode has noted nothing"

    ran = run(content, **options).succeeded()
    assert ran.counts == {"adopt": 1, **new}
    assert ran.result["counts"]["changed"] == 1 + len(new)
    for check_mode in (True, False):
        again = run(content, check_mode=check_mode, **options).succeeded()
        assert again.counts == {"unchanged": 1 + len(new)}
        assert again.result["changed"] is False
    run({}, prune=True).succeeded()
    assert "theirs" not in {one["Name"] for one in sandbox.state()["rest"]["networks"]}


def test_an_adoption_is_bound_by_the_plan(home: Path, sandbox: SandboxProcess) -> None:
    for planned_with in (False, True):
        kept = home / f"{planned_with}.json"
        kept.write_text(json.dumps(run(THEIRS, check_mode=True, adopt=planned_with).plan))
    told = run(THEIRS, plan=str(home / "False.json"), adopt=True).result
    assert "is for adopt False, this run is for True" in told["msg"]
    assert "is for adopt True, this run is for False" in run(THEIRS, plan=str(home / "True.json")).result["msg"]
    assert run(THEIRS, state="absent").succeeded().result["changed"] is False
    assert "theirs" in {one["Name"] for one in sandbox.state()["rest"]["networks"]}
    assert run(THEIRS, plan=str(home / "True.json"), adopt=True).succeeded().counts == {"adopt": 1}


def test_what_changes_when_it_is_adopted_keeps_its_action(home: Path) -> None:
    key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA{}o= k"
    elsewhere = {"path": str(home / "elsewhere.json")}
    instance = {"name": "web", "template": "CentOS 7", "subregion": "EU-001", "type": "v1.standard-2.2"}
    before: Given = {"instances": [instance], "ssh_keys": [{"name": "k", "public_key": key.format("p")}]}
    run(before, site="elsewhere", registry=elsewhere).succeeded()
    after: Given = {
        "instances": [{**instance, "state": "stopped", "adopt": True}],
        "ssh_keys": [{"name": "k", "public_key": key.format("q"), "recreate": True, "adopt": True}],
    }
    planned = run(after, check_mode=True).succeeded()
    shown = {one["kind"]: (one["action"], one["adopts"]) for one in planned.plan["changes"]}
    assert shown == {"instances": ("update", True), "ssh_keys": ("replace", False)}
    run(after).succeeded()
    assert run({}, check_mode=True).succeeded().counts == {"orphan": 2}


def test_what_no_site_owns_is_not_adopted() -> None:
    content: Given = {"clients": [{"id": 100, "project_name": "shop"}], "storage_containers": [{"name": "state"}]}
    registry = {"container": "state"}
    for _time in range(2):
        ran = run(content, registry=registry, adopt=True).succeeded()
        assert "adopt" not in ran.counts
    assert run(content, registry=registry, adopt=True, check_mode=True).succeeded().counts == {"unchanged": 2}


KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAo= k"
RACED: Given = {
    "ssh_keys": [{"name": "raced", "public_key": KEY}],
    "private_networks": [{"name": "raced"}],
    "storage_containers": [{"name": "raced"}],
    "disks": [{"name": "raced", "size": 10, "disk_class": "Tier 1", "subregion": "EU-001"}],
    "storage_objects": [{"container": "raced", "name": "raced", "content": "ours"}],
}


def test_what_others_make_after_the_plan_is_kept(
    home: Path, sandbox: SandboxProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ansible_collections.fcd.cloud.plugins.plugin_utils.site.ownership_notes import OwnershipNotes

    theirs = {**RACED, "storage_objects": [{**RACED["storage_objects"][0], "content": "theirs"}]}
    begin = OwnershipNotes.begin

    def begin_and_lose(notes: OwnershipNotes, plans: t.Any) -> None:
        begin(notes, plans)
        monkeypatch.setattr(OwnershipNotes, "begin", begin)
        run(theirs, site="quicker", registry={"path": str(home / "quicker.json")}).succeeded()

    monkeypatch.setattr(OwnershipNotes, "begin", begin_and_lose)
    ran = run(RACED)
    failed = {one["kind"]: one["msg"] for one in ran.result["failed_entries"]}
    assert list(failed) == ["storage_objects"]
    assert "There is an object raced/raced already." in failed["storage_objects"]
    met = {text.partition(" ")[0] for text in ran.warnings if "Somebody else created it" in text}
    assert met == {"ssh_keys", "private_networks", "storage_containers", "disks"}
    assert run({}, prune=True).succeeded().counts == {}
    assert run(theirs, site="quicker", registry={"path": str(home / "quicker.json")}).counts == {"unchanged": 5}
