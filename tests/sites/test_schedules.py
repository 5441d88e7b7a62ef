# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Schedules in a site: each belongs to an instance of the site, and comes and goes with it."""

from __future__ import annotations

import typing as t

import pytest
from sandbox.process import SandboxProcess

from sites.operations import done, part
from sites.plain_site import INSTANCE, Content, named, run

pytestmark = pytest.mark.usefixtures("home")
NIGHT: dict[str, t.Any] = {"name": "night", "action": "stop", "every": "1 day", "at": "22:00", "timezone": "UTC"}


def _site(**changes: t.Any) -> Content:
    instances = [
        {"name": "web", "recreate": True, "force_stop": True, **INSTANCE, **changes},
        {"name": "db", **INSTANCE},
    ]
    schedules = [{**NIGHT, "instance": name} for name in ("web", "db")]
    return {"instances": instances, "instance_schedules": schedules}


def _there(sandbox: SandboxProcess) -> list[int]:
    """Return the instances of the schedules that are not deleted."""
    return [one["Instance"] for one in sandbox.state()["rest"]["instance_schedules"] if one["Status"] == 112]


def test_schedules_live_with_their_instances(sandbox: SandboxProcess) -> None:
    planned = run(_site(), check_mode=True).succeeded()
    assert planned.counts == {"create": 4}
    change = named(planned)["instance_schedules web/night"]
    assert (change["after"]["instance"], change["after"]["at"]) == ("web", "22:00")
    run(_site()).succeeded()
    assert run(_site()).succeeded().counts == {"unchanged": 4}
    late = _site()
    late["instance_schedules"][0]["at"] = "23:00"
    assert run(late).succeeded().counts == {"unchanged": 3, "update": 1}
    before = _there(sandbox)
    replaced = run({**late, "instances": _site(template="Debian 8")["instances"]}, max_replace="1").succeeded()
    assert replaced.counts == {"unchanged": 2, "replace": 1, "create": 1}
    assert len(_there(sandbox)) == 2
    assert set(_there(sandbox)) != set(before)
    moved = {**late, "instances": _site(template="Debian 8")["instances"]}
    assert run(moved).succeeded().counts == {"unchanged": 4}
    exported = done(part("_site_export.export").OPERATION, {"kinds": ["instance_schedules"]})["site"]
    schedule, defaults = part("_infrastructure.instance_schedule").OPERATION, exported["defaults"]["instance_schedules"]
    assert [one["name"] for one in exported["instance_schedules"]] == ["night", "night"]
    for one in exported["instance_schedules"]:
        assert done(schedule, {**defaults, **one}, check_mode=True)["changed"] is False
    moved["instance_schedules"].pop()
    assert run(moved, prune=True).succeeded().counts == {"delete": 1}
    assert run({}, prune=True, max_delete="3").succeeded().counts == {"delete": 3}
    assert _there(sandbox) == []
    assert run(_site(), state="absent").succeeded().result["changed"] is False


def test_what_a_schedule_lacks_is_told_with_the_plan(sandbox: SandboxProcess) -> None:
    content = _site()
    del content["instance_schedules"][0]["every"]
    refused = run(content, check_mode=True)
    assert "missing to create it: every." in refused.result["msg"]
    assert sandbox.counts()["writes"] == 0


def test_schedules_of_a_group_that_is_to_be_made(sandbox: SandboxProcess) -> None:
    content: Content = {
        "instances": [{"name": "web", **INSTANCE}],
        "instance_groups": [{"name": "tier", "instances": ["web"]}],
        "group_schedules": [{**NIGHT, "group": "tier", "instance": "web"}],
    }
    planned = run(content, check_mode=True).succeeded()
    assert planned.counts == {"create": 3}
    assert named(planned)["group_schedules tier/night"]["after"]["group"] == "tier"
    run(content).succeeded()
    assert run(content).succeeded().counts == {"unchanged": 3}
    exported = done(part("_site_export.export").OPERATION, {"kinds": ["group_schedules"]})["site"]
    (one,) = exported["group_schedules"]
    assert (one["group"], one["instance"]) == ("tier", "web")  # as the site declares them
    assert done(part("_infrastructure.group_schedule").OPERATION, one, check_mode=True)["changed"] is False
    assert run(content, state="absent").succeeded().counts == {"delete": 3}
