# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A plan tells what was edited in the file since the last apply from what was changed at the service since then."""

from __future__ import annotations

import copy
import json
import os
import typing as t
from pathlib import Path

import pytest
from sandbox.process import SandboxProcess

from sites.plain_site import INSTANCE, run

Content = t.Dict[str, t.List[t.Dict[str, t.Any]]]
KEYS = [f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA{letter}o= k" for letter in "pq"]
BOTH = ("edited", "drifted")
pytestmark = pytest.mark.usefixtures("home")


def account() -> Content:
    return copy.deepcopy(
        {
            "ssh_keys": [{"name": "k", "public_key": KEYS[0], "recreate": True}],
            "disks": [{"name": "d", "size": 10, "disk_class": "Tier 1", "subregion": "EU-001"}],
            "storage_containers": [{"name": "c", "metadata": {"a": "b"}, "temp_url_key": "first-secret"}],
            "storage_objects": [{"container": "c", "name": f"o{number}", "content": "old"} for number in range(3)],
        }
    )


def by_hand(content: Content, folder: Path) -> None:
    """Have somebody who knows nothing of the site change what it has."""
    run(content, site="hand", registry={"path": str(folder / "elsewhere.json")}).succeeded()


def told(content: Content, **options: t.Any) -> dict[str, tuple[bool | None, bool | None]]:
    """Return by kind what a plan says of the changes: edited, and drifted."""
    planned = run(content, check_mode=True, **options).succeeded().plan
    found = {f"{one['kind']} {one['name']}": one for one in planned["changes"]}
    return {name: (one["edited"], one["drifted"]) for name, one in found.items()}


def registry() -> Path:
    return Path(os.environ["FCD_STATE_DIR"]) / "sites" / "shop.json"


def test_each_alone_and_both(tmp_path: Path) -> None:
    content, hand = account(), account()
    run(content).succeeded()
    assert told(content) == {}
    content["disks"][0]["size"] = 20
    content["storage_objects"][0]["content"] = "new"
    content["storage_containers"][0]["metadata"] = {"a": "mine"}
    hand["storage_containers"][0]["metadata"] = {"a": "theirs"}
    hand["storage_objects"][1]["content"] = "theirs"
    by_hand(hand, tmp_path)
    assert told(content) == {
        "disks d": (True, False),
        "storage_containers c": (True, True),
        "storage_objects c/o0": (True, False),
        "storage_objects c/o1": (False, True),
    }
    run(content).succeeded()
    assert told(content) == {}
    before = registry().read_bytes()
    run(content).succeeded()
    assert registry().read_bytes() == before, "nothing new is written"


def test_what_is_new_and_what_was_removed_by_hand(tmp_path: Path) -> None:
    content = account()
    run(content).succeeded()
    content["private_networks"] = [{"name": "new"}]
    del content["storage_objects"][2]
    by_hand({"disks": [{"name": "d", "state": "absent"}]}, tmp_path)
    assert told(content) == {
        "private_networks new": (None, False),
        "disks d": (False, True),
        "storage_objects c/o2": (None, None),
    }


@pytest.mark.full
def test_a_replaced_key_is_no_drift_of_what_refers_to_it(sandbox: SandboxProcess) -> None:
    content = account()
    content["instances"] = [{"name": "web", "template": "CentOS 7", "subregion": "EU-001", "type": "v1.standard-2.2"}]
    content["instances"][0].update(ssh_keys=["k"], recreate=True)
    content["disks"][0]["instances"] = ["web"]
    run(content).succeeded()
    content["ssh_keys"][0]["public_key"] = KEYS[1]
    content["instances"][0]["template"] = "Debian 8"
    assert told(content) == {"ssh_keys k": (True, False), "instances web": (True, False), "disks d": (False, False)}
    sandbox.fault("status_before", method="POST", path=r"/disks/\d+/attach", status=400, times=0)
    assert run(content, max_replace="5").result["failed"]
    sandbox.clear_faults()
    planned = told(content)
    assert planned in ({}, {"disks d": (None, None)}), "nobody changed it by hand"
    run(content).succeeded()
    assert told(content) == {}


def test_another_name_is_an_edit() -> None:
    content = account()
    run(content).succeeded()
    content["disks"][0]["name"] = "data"
    moved: t.Any = {**content, "moved": [{"from": "disks.d", "to": "disks.data"}]}
    assert told(moved) == {"disks data": (True, False)}
    run(moved).succeeded()
    assert told(moved) == {}
    content["disks"][0]["key"] = "volume"
    assert told({**content, "moved": [{"from": "disks.data", "to": "disks.volume"}]}) == {"disks data": (True, False)}


def test_a_secret_is_not_in_the_note_and_its_change_is_an_edit() -> None:
    content = account()
    run(content).succeeded()
    text = registry().read_text(encoding="utf-8")
    assert "first-secret" not in text
    assert KEYS[0] not in text
    content["storage_containers"][0]["temp_url_key"] = "second-secret"
    assert told(content) == {"storage_containers c": (True, False)}


def test_a_registry_without_notes_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FCD_SITE_KEY")
    content = account()
    run(content).succeeded()
    document = json.loads(registry().read_text(encoding="utf-8"))
    for one in document["entries"]:
        one["applied"] = None
    registry().write_text(json.dumps(document), encoding="utf-8")
    content["disks"][0]["size"] = 20
    content["private_networks"] = [{"name": "new"}]
    assert told(content) == {"disks d": (None, None), "private_networks new": (None, None)}
    run(content).succeeded()
    content["disks"][0]["size"] = 30
    assert told(content) == {"disks d": (True, False)}


@pytest.mark.full
def test_a_part_that_failed_is_edited_still(sandbox: SandboxProcess) -> None:
    content = account()
    run(content).succeeded()
    content["disks"][0]["size"] = 20
    content["storage_objects"][0]["content"] = "new"
    sandbox.fault("status_before", method="POST", path=r"extend_ticket", status=400, times=0)
    assert run(content).result["failed"]
    sandbox.clear_faults()
    assert told(content) == {"disks d": (True, False)}


def test_it_costs_no_request(sandbox: SandboxProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FCD_SITE_KEY")
    content = account()
    run(content).succeeded()
    run(content).succeeded()  # by now all lists show it
    content["disks"][0]["size"] = 20
    sandbox.clear_requests()
    assert told(content) == {"disks d": (True, False)}
    with_notes = sandbox.counts()["by"]
    document = json.loads(registry().read_text(encoding="utf-8"))
    for one in document["entries"]:
        one["applied"] = None
    registry().write_text(json.dumps(document), encoding="utf-8")
    sandbox.clear_requests()
    assert told(content) == {"disks d": (None, None)}
    assert sandbox.counts()["by"] == with_notes


def test_a_difference_that_no_apply_can_undo_is_drift_all_the_same(sandbox: SandboxProcess, tmp_path: Path) -> None:
    sandbox.settings(rest={"list_lag": 0.0})  # else the instance may still be shown as turned off by hand
    disk = {"name": "d", "size": 10, "disk_class": "Tier 1", "subregion": "EU-001"}
    web = {"name": "web", **INSTANCE, "init_disk_size": 10}
    key = {"name": "k", "public_key": KEYS[0], "recreate": True}
    content: Content = {
        "disks": [disk],
        "instances": [web, {"name": "db", **INSTANCE}],
        "ssh_keys": [{**key, "lifecycle": {"prevent_destroy": True}}],
    }
    run(content).succeeded()
    others = [{**web, "init_disk_size": 20}, {"name": "db", **INSTANCE, "subregion": "EU-002", "force_stop": True}]
    by_hand(
        {"disks": [{**disk, "size": 20}], "instances": others, "ssh_keys": [{**key, "public_key": KEYS[1]}]}, tmp_path
    )
    drifted = run(content, check_mode=True, drift=True).succeeded()
    assert drifted.counts == {"update": 3, "replace": 1}
    changes = {one["name"]: one for one in drifted.plan["changes"]}
    assert (changes["d"]["before"]["size"], changes["d"]["after"]["size"]) == (20, 10)
    for name, why in (("d", "can only grow"), ("web", "can only grow"), ("db", "force_stop"), ("k", "prevent_destroy")):
        assert why in changes[name]["refusal"]
    assert run(content, check_mode=True).counts == {"error": 4}
