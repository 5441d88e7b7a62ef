# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs of single entries and of what these need."""

from __future__ import annotations

import json
import typing as t
from pathlib import Path

import pytest
from sandbox.process import SandboxProcess

from sites.plain_site import run

INSTANCE = {"template": "CentOS 7", "subregion": "EU-001", "type": "v1.standard-2.2"}
SITE: dict[str, list[dict[str, t.Any]]] = {
    "private_networks": [{"name": "inner"}, {"name": "outer"}],
    "instances": [{"name": "web", "key": "front", "private_networks": ["inner"], **INSTANCE}],
    "disks": [{"name": "data", "size": 10, "disk_class": "Tier 1", "instances": ["web"]}],
}
pytestmark = pytest.mark.usefixtures("home")


def networks(sandbox: SandboxProcess) -> set[str]:
    return {one["Name"] for one in sandbox.state()["rest"]["networks"]} & {"inner", "outer", "old"}


@pytest.mark.parametrize("target", ["instances.front", "instances.web"])
def test_a_target_and_what_it_refers_to(sandbox: SandboxProcess, target: str) -> None:
    run({"private_networks": [{"name": "old"}]}).succeeded()
    planned = run(SITE, targets=[target], check_mode=True).succeeded()
    assert planned.counts == {"create": 2}
    assert planned.result["targets"] == planned.plan["targets"] == [target]
    run(SITE, targets=[target]).succeeded()
    assert networks(sandbox) == {"inner", "old"}
    assert run(SITE, check_mode=True).succeeded().counts == {"create": 2, "unchanged": 2, "orphan": 1}


def test_a_target_that_is_not_declared() -> None:
    told = run(SITE, targets=["instances.fornt"]).result
    assert told["failed"] is True
    assert "targets: nothing is declared as 'instances.fornt'. Did you mean 'instances.front'" in told["msg"]
    assert run(SITE, targets=[]).result["failed"] is True
    assert "takes no targets" in run(SITE, targets=["instances.web"], prune=True).result["msg"]


def test_only_targets_are_removed(sandbox: SandboxProcess) -> None:
    run({**SITE, "private_networks": [*SITE["private_networks"], {"name": "old"}]}).succeeded()
    removed = run(SITE, targets=["disks.data", "private_networks.old"], state="absent").succeeded()
    assert removed.counts == {"delete": 2}
    assert networks(sandbox) == {"inner", "outer"}
    assert run(SITE, check_mode=True).succeeded().counts == {"create": 1, "unchanged": 3}


def test_a_plan_is_for_its_targets(home: Path) -> None:
    kept = home / "plan.json"
    kept.write_text(json.dumps(run(SITE, targets=["instances.web"], check_mode=True).plan))
    refused = run(SITE, plan=str(kept))
    assert "is for targets instances.web, this run is for none" in refused.result["msg"]
    assert run(SITE, plan=str(kept), targets=["instances.web"]).succeeded().result["counts"]["changed"] == 2
