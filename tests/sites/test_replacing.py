# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a site replaces: planned as that, limited, owned, and with what hangs on it in the same run."""

from __future__ import annotations

import typing as t

import pytest
from sandbox.process import SandboxProcess

from sites.plain_site import Ran, run

INSTANCE = {"template": "CentOS 7", "subregion": "EU-001", "type": "v1.standard-2.2", "recreate": True}
OTHER = {**INSTANCE, "template": "Debian 8"}
KEYS = [f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA{letter}o= k" for letter in "pq"]
LATER = "(known after apply)"
Content = t.Dict[str, t.List[t.Dict[str, t.Any]]]
pytestmark = pytest.mark.usefixtures("home")


def instance(**options: t.Any) -> Content:
    """Return an instance with a disk and an address that hang on it."""
    return {
        "ssh_keys": [{"name": "ops", "public_key": KEYS[0], "recreate": True}],
        "instances": [{"name": "web", "ssh_keys": ["ops"], **INSTANCE, **options}],
        "disks": [{"name": "data", "size": 10, "disk_class": "Tier 1", "instances": ["web"]}],
        "ip_addresses": [{"comment": "front", "subregion": "EU-001", "instance": "web"}],
    }


def change(ran: Ran, kind: str) -> dict[str, t.Any]:
    """Return what changes of the one thing of a kind."""
    (found,) = [one for one in ran.plan["changes"] if one["kind"] == kind]
    return t.cast("dict[str, t.Any]", found)


def test_a_key_that_is_replaced_stays_the_sites_own(sandbox: SandboxProcess) -> None:
    run({"ssh_keys": [{"name": "k", "public_key": KEYS[0], "recreate": True}]}).succeeded()
    other: Content = {"ssh_keys": [{"name": "k", "public_key": KEYS[1], "recreate": True}]}
    planned = run(other, check_mode=True).succeeded()
    assert planned.counts == {"replace": 1}
    assert change(planned, "ssh_keys")["forced_by"] == ["public_key"]
    assert run(other).succeeded().result["counts"]["replace"] == 1
    assert run({}, check_mode=True).succeeded().counts == {"orphan": 1}
    assert run({}, prune=True).succeeded().counts == {"delete": 1}
    assert "k" not in [one["Name"] for one in sandbox.state()["rest"]["keys"]]


@pytest.mark.parametrize("end", [{"prune": True}, {"state": "absent"}])
def test_an_instance_is_replaced_with_what_hangs_on_it(sandbox: SandboxProcess, end: dict[str, t.Any]) -> None:
    run(instance()).succeeded()
    content = instance(**OTHER)
    planned = run(content, check_mode=True).succeeded()
    assert planned.counts == {"replace": 1, "update": 2, "unchanged": 1}
    assert change(planned, "instances")["forced_by"] == ["template"]
    assert change(planned, "disks")["after"]["instances"] == LATER
    assert "An apply would be rejected. 1 of the 4 objects that the site owns would be replaced" in planned.warnings[0]

    refused = run(content)
    assert "provision_max_replace) to 1" in refused.result["msg"]
    assert refused.result["changed"] is False

    made = run(content, max_replace="1").succeeded()
    assert {name: made.result["counts"][name] for name in ("replace", "changed")} == {"replace": 1, "changed": 3}
    rest = sandbox.state()["rest"]
    (web,) = [one for one in rest["instances"] if one["Name"] == "web" and one["Status"] != 126]
    assert [one["Instances"] for one in rest["disks"] if one["Name"] == "data"] == [[web["Id"]]]
    assert [one["Instance"] for one in rest["ips"] if one["Comment"] == "front"] == [web["Id"]]
    for check_mode in (True, False):
        assert run(content, check_mode=check_mode).succeeded().counts == {"unchanged": 4}

    run({} if "prune" in end else content, **end).succeeded()
    left = sandbox.state()["rest"]
    assert "web" not in [one["Name"] for one in left["instances"] if one["Status"] != 126]
    assert "data" not in [one["Name"] for one in left["disks"]]


def test_a_key_that_comes_again_changes_no_instance_that_is_there() -> None:
    content = instance()
    run(content).succeeded()
    content["ssh_keys"][0]["public_key"] = KEYS[1]
    planned = run(content, check_mode=True).succeeded()
    assert planned.counts == {"replace": 1, "unchanged": 3}
    assert run(content).succeeded().result["counts"]["changed"] == 1
    content["ssh_keys"][0]["public_key"] = KEYS[0]
    content["instances"][0].update(OTHER)
    planned = run(content, check_mode=True).succeeded()
    assert change(planned, "instances")["after"]["ssh_keys"] == LATER, "the new instance gets the new key"


def test_what_was_found_and_is_not_replaced_in_the_end_is_not_owned(sandbox: SandboxProcess) -> None:
    run({"instances": [{"name": "web", **INSTANCE}]}, site="somebody", registry={"container": "elsewhere"}).succeeded()
    run({"instances": [{"name": "web", **INSTANCE}]}).succeeded()
    sandbox.fault("status_before", service="rest", method="DELETE", path="/instances/", status=400, times=9)
    ran = run({"instances": [{"name": "web", **OTHER}]}, max_replace="1")
    assert ran.result["failed"] is True
    sandbox.clear_faults()
    assert run({}, check_mode=True).succeeded().counts == {}, "it is only found"
    run({"instances": [{"name": "web", **INSTANCE}]}).succeeded()
    run({"instances": [{"name": "web", **OTHER}]}, max_replace="1").succeeded()
    assert run({}, check_mode=True).succeeded().counts == {"orphan": 1}, "what a site replaces it owns"


def test_what_was_removed_and_not_made_again_is_made_by_the_next_run(sandbox: SandboxProcess) -> None:
    run({"instances": [{"name": "web", **INSTANCE}]}).succeeded()
    content: Content = {"instances": [{"name": "web", **OTHER}]}
    sandbox.fault(
        "status_before", service="rest", method="POST", path="/instances$", status=400, own_words=True, times=9
    )
    ran = run(content, max_replace="1")
    assert (ran.result["failed"], ran.result["changed"]) == (True, True)
    sandbox.clear_faults()
    assert run({}, check_mode=True).succeeded().counts == {}, "it is neither declared nor there"
    assert run(content).succeeded().counts == {"create": 1}
    assert run({}, check_mode=True).succeeded().counts == {"orphan": 1}
