# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What an entry says about how it may change: protected from going, changes that do not count, created before."""

from __future__ import annotations

import typing as t

import pytest
from plain_site import Given, run
from sandbox.process import SandboxProcess

MACHINE = {"template": "CentOS 7", "subregion": "EU-001", "type": "v1.standard-2.2", "recreate": True}
PROTECTED = {"lifecycle": {"prevent_destroy": True}}
pytestmark = pytest.mark.usefixtures("home")


def instances(*given: t.Mapping[str, t.Any]) -> Given:
    return {"instances": [{**MACHINE, **one} for one in given]}


def rows(sandbox: SandboxProcess, name: str) -> list[dict[str, t.Any]]:
    """Return the instances of that name."""
    found = sandbox.state()["rest"]["instances"]
    return [one for one in found if one["Name"] == name and one["Status"] != 126]


@pytest.mark.parametrize(
    ("content", "options"),
    [
        (instances({"name": "web", "template": "Debian 8", **PROTECTED}), {"max_replace": "9"}),
        (instances({"name": "web", "state": "absent", **PROTECTED}), {}),
        (instances({"name": "web", **PROTECTED}), {"state": "absent"}),
    ],
)
def test_what_is_protected_stops_the_run_before_anything_is_sent(
    sandbox: SandboxProcess, content: Given, options: dict[str, t.Any]
) -> None:
    run(instances({"name": "web", **PROTECTED})).succeeded()
    content = {**content, "private_networks": [{"name": "new"}]}
    before = sandbox.counts()["writes"]
    planned = run(content, check_mode=True, **options)
    assert planned.result["failed"] is True
    (error,) = planned.plan["errors"]
    assert (error["name"], "lifecycle.prevent_destroy" in error["msg"]) == ("web", True)
    assert planned.counts["error"] == 1
    told = run(content, **options).result
    assert "Nothing was changed" in told["msg"]
    assert told["changed"] is False
    assert len(rows(sandbox, "web")) == 1
    assert "new" not in [one["Name"] for one in sandbox.state()["rest"]["networks"]]
    assert sandbox.counts()["writes"] - before <= 3, "nothing but the lock"


def test_changes_that_are_ignored_count_when_it_is_created(sandbox: SandboxProcess) -> None:
    ignored = {"lifecycle": {"ignore_changes": ["type", "template"]}}
    content = {
        **instances({"name": "web", **ignored}),
        "disks": [{"name": "d", "size": 10, "disk_class": "Tier 1", "subregion": "EU-001", "instances": ["web"]}],
    }
    content["disks"][0]["lifecycle"] = {"ignore_changes": ["size", "instances"]}
    assert run(content, check_mode=True).succeeded().counts == {"create": 2}
    run(content).succeeded()
    (disk,) = [one for one in sandbox.state()["rest"]["disks"] if one["Name"] == "d"]
    assert disk["Instances"] == [rows(sandbox, "web")[0]["Id"]]
    content["instances"][0].update(template="Debian 8", type="v1.highcpu-4.4")
    content["disks"][0].update(size=20, instances=[])
    for check_mode in (True, False):
        assert run(content, check_mode=check_mode).succeeded().counts == {"unchanged": 2}


def test_an_ignored_reference_to_something_new_changes_nothing() -> None:
    content: Given = {
        **instances({"name": "web", "lifecycle": {"ignore_changes": ["private_networks"]}}),
    }
    run(content).succeeded()
    content = {
        "private_networks": [{"name": "inner"}],
        "instances": [{**content["instances"][0], "private_networks": ["inner"]}],
    }
    for check_mode in (True, False):
        assert run(content, check_mode=check_mode).succeeded().counts == {"create": 1, "unchanged": 1}
