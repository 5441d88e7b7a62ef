# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Groups of instances and their load balancers in a site."""

from __future__ import annotations

import typing as t

import pytest
from sandbox.process import SandboxProcess

from sites.operations import done, part
from sites.plain_site import INSTANCE, LATER, Content, named, run
from sites.test_model import operation

pytestmark = pytest.mark.usefixtures("home")

TIER: Content = {
    "ip_addresses": [{"comment": "front", "subregion": "EU-001", "static": True}],
    "instances": [{"name": "web-1", **INSTANCE}, {"name": "web-2", **INSTANCE}],
    "instance_groups": [{"name": "tier", "instances": ["web-1", "web-2"], "affinity": "Maximize separation"}],
    "load_balancers": [{"group": "tier", "target_port": 8080, "ip_address": {"ref": "ip_addresses.front"}}],
}
SCALED: Content = {
    "instances": TIER["instances"],
    "instance_groups": [{"name": "tier", "instances": ["web-1", "web-2"]}],
    "instance_autoscalers": [{"instance": "web-1", "mode": "notify", "min_ram": 1024, "max_ram": 8192}],
    "group_autoscalers": [
        {"group": "tier", "expansion": "clone", "min_instances": 1, "max_instances": 2, "instances": ["web-1", "web-2"]}
    ],
}
OF_GROUP, OF_INSTANCE = (part(f"_infrastructure.{noun}_autoscaler").OPERATION for noun in ("group", "instance"))


def groups(sandbox: SandboxProcess) -> list[t.Any]:
    found: list[t.Any] = sandbox.state()["rest"]["groups"]
    return found


def test_a_web_tier_is_made_kept_and_removed(sandbox: SandboxProcess) -> None:
    planned = run(TIER, check_mode=True).succeeded()
    assert (planned.counts, groups(sandbox)) == ({"create": 5}, [])
    assert run(TIER).succeeded().counts == {"create": 5}
    (tier,) = groups(sandbox)
    assert (len(tier["Assignments"]), tier["IsLoadBalancer"]) == (2, True)
    assert run(TIER, check_mode=True).succeeded().counts == {"unchanged": 5}

    fewer = {**TIER, "instances": TIER["instances"][:1], "instance_groups": [{"name": "tier", "instances": ["web-1"]}]}
    done(operation("load_balancers"), {"group": "tier", "target_port": 9090})  # by hand
    drifted = run(fewer, check_mode=True).succeeded()
    assert drifted.counts == {"update": 1, "unchanged": 3, "orphan": 1}
    assert named(drifted)["load_balancers tier"]["before"]["target_port"] == 9090
    assert run(fewer, prune=True).succeeded().counts == {"delete": 1}
    assert run(fewer).succeeded().counts == {"update": 1, "unchanged": 3}
    assert len(groups(sandbox)[0]["Assignments"]) == 1

    more = {**fewer, "instance_groups": [{"name": "tier", "instances": ["web-1", "web-3"]}]}
    more["instances"] = [*fewer["instances"], {"name": "web-3", **INSTANCE}]
    planned = run(more, check_mode=True).succeeded()
    assert planned.counts == {"create": 1, "update": 1, "unchanged": 3}
    assert run(more).succeeded().counts == planned.counts
    assert len(groups(sandbox)[0]["Assignments"]) == 2

    other = {**more, "instances": [{**one, "template": "Debian 9", "recreate": True} for one in more["instances"]]}
    planned = run(other, check_mode=True, max_replace="100%").succeeded()
    assert planned.counts == {"replace": 2, "update": 1, "unchanged": 2}
    assert run(other, max_replace="100%").succeeded().counts == planned.counts
    assert len(groups(sandbox)[0]["Assignments"]) == 2

    assert run(other, state="absent", max_delete="100%").succeeded().counts == {"delete": 5}
    assert groups(sandbox) == []


def test_a_group_is_not_removed_with_a_load_balancer_of_somebody_else(sandbox: SandboxProcess) -> None:
    content: Content = {"instance_groups": [{"name": "tier"}]}
    run(content).succeeded()
    done(operation("load_balancers"), {"group": "tier"})
    refused = run({}, prune=True)
    assert (
        "together with its load balancer, which this run does not remove" in refused.result["failed_entries"][0]["msg"]
    )
    assert len(groups(sandbox)) == 1
    done(operation("load_balancers"), {"group": "tier", "state": "absent"})
    run({}, prune=True).succeeded()
    assert groups(sandbox) == []


def test_autoscalers_are_made_kept_and_removed(sandbox: SandboxProcess) -> None:
    planned = run(SCALED, check_mode=True).succeeded()
    assert planned.counts == {"create": 5}
    assert named(planned)["group_autoscalers tier"]["after"]["instances"] == LATER
    assert run(SCALED).succeeded().counts == {"create": 5}
    assert run(SCALED, check_mode=True).succeeded().counts == {"unchanged": 5}

    done(OF_GROUP, {"group": "tier", "max_instances": 3})  # by hand
    done(OF_INSTANCE, {"instance": "web-1", "max_ram": 4096})
    drifted = run(SCALED, check_mode=True).succeeded()
    assert drifted.counts == {"replace": 1, "update": 1, "unchanged": 3}
    assert named(drifted)["group_autoscalers tier"]["before"]["max_instances"] == 3
    assert run(SCALED).succeeded().counts == drifted.counts

    (autoscaler,) = SCALED["group_autoscalers"]
    alone: Content = {**SCALED, "group_autoscalers": [{**autoscaler, "instances": ["web-1"]}]}
    assert run(alone).succeeded().counts == {"replace": 1, "unchanged": 4}
    for declared, template in ((alone, "Debian 9"), (SCALED, "Debian 8")):  # all of its instances, then one of them
        first = {**declared["instances"][0], "template": template, "recreate": True}
        site = {**declared, "instances": [first, declared["instances"][1]]}
        planned = run(site, check_mode=True, max_replace="2").succeeded()
        assert planned.counts == {"replace": 2, "create": 1, "update": 1, "unchanged": 1}
        change = named(planned)["group_autoscalers tier"]
        assert (change["forced_by"], LATER in change["after"]["instances"]) == (["instances"], True)
        assert run(site, max_replace="2").succeeded().counts == planned.counts
        assert run(site, check_mode=True).succeeded().counts == {"unchanged": 5}

    kept = {**site, "group_autoscalers": []}
    assert run(kept, prune=True).succeeded().counts == {"delete": 1}
    assert groups(sandbox)[0]["Autoscaler"] is None
    assert run(kept, state="absent").succeeded().counts == {"delete": 4}
    assert run(kept, state="absent").succeeded().result["changed"] is False


@pytest.mark.parametrize(
    ("kind", "lacking", "says"),
    [
        ("group_autoscalers", "max_instances", "missing to create it: max_instances."),
        ("instance_autoscalers", "mode", "missing to create it: mode."),
        ("instance_autoscalers", "max_ram", "min_ram: it also needs max_ram."),
    ],
)
def test_what_a_new_autoscaler_lacks_is_told_with_the_plan(
    sandbox: SandboxProcess, kind: str, lacking: str, says: str
) -> None:
    (entry,) = SCALED[kind]
    wrong = {**SCALED, kind: [{name: value for name, value in entry.items() if name != lacking}]}
    assert says in run(wrong, check_mode=True).result["msg"]
    assert sandbox.counts()["writes"] == 0


def test_an_export_of_autoscalers_changes_nothing(sandbox: SandboxProcess) -> None:
    run(SCALED).succeeded()
    kinds = ["group_autoscalers", "instance_autoscalers"]
    site = done(part("_site_export.export").OPERATION, {"kinds": kinds})["site"]
    assert {kind: site[kind] for kind in kinds} == {kind: SCALED[kind] for kind in kinds}
    chosen = {"kinds": kinds, "names": {"group_autoscalers": ["web*"], "instance_autoscalers": ["web*"]}}
    assert done(part("_site_export.export").OPERATION, chosen)["counts"] == {
        "instance_autoscalers": 1,
        "group_autoscalers": 0,
    }


def test_an_export_changes_nothing(sandbox: SandboxProcess) -> None:
    run(TIER).succeeded()
    site = done(operation("exports"), {"kinds": ["instance_groups", "load_balancers"]})["site"]
    assert site["instance_groups"] == [
        {"name": "tier", "affinity": "Maximize separation", "instances": ["web-1", "web-2"]}
    ]
    (balancer,) = site["load_balancers"]
    address = next(one["Address"] for one in sandbox.state()["rest"]["ips"] if one["Comment"] == "front")
    assert (balancer["group"], balancer["target_port"], balancer["ip_address"]) == ("tier", 8080, address)
    exported = {kind: site[kind] for kind in ("instance_groups", "load_balancers")}
    assert run({**TIER, **exported}, check_mode=True).succeeded().counts == {"unchanged": 5}
