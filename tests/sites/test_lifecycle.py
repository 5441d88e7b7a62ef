# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What an entry says about how it may change: protected from going, changes that do not count, created before."""

from __future__ import annotations

import typing as t

import pytest
from sandbox.process import SandboxProcess

from sites import operations
from sites.plain_site import Given, run

INSTANCE = {"template": "CentOS 7", "subregion": "EU-001", "type": "v1.standard-2.2", "recreate": True}
PROTECTED = {"lifecycle": {"prevent_destroy": True}}
pytestmark = pytest.mark.usefixtures("home")


def instances(*given: t.Mapping[str, t.Any]) -> Given:
    return {"instances": [{**INSTANCE, **one} for one in given]}


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


BOX = {"name": "box", **PROTECTED}
IN_THE_WAY: dict[str, t.Callable[[SandboxProcess], t.Any]] = {
    "what others have put into it": lambda _sandbox: operations.done(
        operations.part("_object_storage.object").OPERATION, {"container": "box", "name": "foreign", "content": "x"}
    ),
    "it may not be read": lambda sandbox: sandbox.fault("status_before", **OF_BOX, status=403),
    "the service fails": lambda sandbox: sandbox.fault("status_before", **OF_BOX, status=500),
    "no answer": lambda sandbox: sandbox.fault("drop_before", **OF_BOX),
    "an answer that nobody understands": lambda sandbox: sandbox.fault("html", **OF_BOX),
}
OF_BOX: dict[str, t.Any] = {"service": "storage", "path": "/box($|[?])", "write": False, "times": 0}
REMOVALS: dict[str, tuple[Given, dict[str, t.Any]]] = {
    "all goes": ({"storage_containers": [BOX, {"name": "other"}]}, {"state": "absent"}),
    "what is no longer declared goes": ({}, {"prune": True}),
    "as the file says": ({"removed": [{"what": f"storage_containers.{name}"} for name in ("box", "other")]}, {}),
}


@pytest.mark.parametrize("removal", REMOVALS)
def test_no_other_error_hides_a_protection(
    sandbox: SandboxProcess, monkeypatch: pytest.MonkeyPatch, removal: str
) -> None:
    """It stops the run before what stops one entry only."""
    monkeypatch.setenv("FCD_RETRIES", "0")
    content, options = REMOVALS[removal]
    run({"storage_containers": [BOX, {"name": "other"}]}).succeeded()
    for case, stand_in_the_way in IN_THE_WAY.items():
        stand_in_the_way(sandbox)
        ran = run(content, **options)
        assert (ran.result["changed"], ran.result["failed"]) == (False, True), case
        assert "Nothing was changed, because some entries cannot be planned" in ran.result["msg"], case
        assert "lifecycle.prevent_destroy" in ran.result["msg"], case
        assert {"box", "other"} <= set(sandbox.state()["storage"]["containers"]), case
        sandbox.clear_faults()


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


FIRST = {"lifecycle": {"create_before_destroy": True}}


def replacing(template: str = "CentOS 7") -> dict[str, t.Any]:
    """Return an instance that is created first, with a disk and an address that hang on it."""
    return {
        "instances": [{"name": "web", **INSTANCE, "template": template, **FIRST}],
        "disks": [{"name": "data", "size": 10, "disk_class": "Tier 1", "instances": ["web"]}],
        "ip_addresses": [{"comment": "front", "subregion": "EU-001", "static": True, "instance": "web"}],
    }


def all_named(sandbox: SandboxProcess) -> list[str]:
    there = [one for one in sandbox.state()["rest"]["instances"] if one["Status"] != 126]
    return sorted(one["Name"] for one in there if one["Name"].startswith("web"))


def check_replaced(sandbox: SandboxProcess, content: Given) -> None:
    (new,) = rows(sandbox, "web")
    assert all_named(sandbox) == ["web"]
    rest = sandbox.state()["rest"]
    assert [one["Instances"] for one in rest["disks"] if one["Name"] == "data"] == [[new["Id"]]]
    assert [one["Instance"] for one in rest["ips"] if one["Comment"] == "front"] == [new["Id"]]
    for check_mode in (True, False):
        assert run(content, check_mode=check_mode).succeeded().counts == {"unchanged": 3}
    assert run({}, check_mode=True).succeeded().counts == {"orphan": 3}


def test_a_replacement_is_created_before_what_it_replaces_goes(sandbox: SandboxProcess) -> None:
    run(replacing()).succeeded()
    (old,) = rows(sandbox, "web")
    content = replacing("Debian 8")
    assert run(content, check_mode=True).succeeded().counts == {"replace": 1, "update": 2}
    sandbox.clear_requests()
    ran = run(content, max_replace="1").succeeded()
    assert ran.result["counts"]["changed"] == 3
    sent = [one["operation"] for one in sandbox.requests() if one.get("operation")]
    assert sent.index("create_instance") < sent.index("delete_instance")
    assert old["Id"] != rows(sandbox, "web")[0]["Id"]
    check_replaced(sandbox, content)


@pytest.mark.parametrize(
    ("method", "path", "left"),
    [
        ("POST", "/instances$", ["web (replaced {})"]),
        pytest.param("POST", "/change_name", ["web"], marks=pytest.mark.full),
        pytest.param("POST", "/attach_to_instance", ["web", "web (replaced {})"], marks=pytest.mark.full),
        pytest.param("DELETE", "/instances/", ["web", "web (replaced {})"], marks=pytest.mark.full),
    ],
)
def test_a_replacement_that_was_interrupted_is_gone_on_with(
    sandbox: SandboxProcess, method: str, path: str, left: list[str]
) -> None:
    run(replacing()).succeeded()
    (old,) = rows(sandbox, "web")
    content = replacing("Debian 8")
    sandbox.fault("status_before", service="rest", method=method, path=path, status=400, own_words=True, times=99)
    assert run(content, max_replace="1").result["failed"] is True
    sandbox.clear_faults()
    assert all_named(sandbox) == [name.format(old["Id"]) for name in left]
    run(content, max_replace="1").succeeded()
    check_replaced(sandbox, content)


def test_what_cannot_be_created_first_is_told() -> None:
    key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA{}o= k"
    content: dict[str, t.Any] = {"ssh_keys": [{"name": "k", "public_key": key.format("p"), "recreate": True, **FIRST}]}
    run(content).succeeded()
    content["ssh_keys"][0]["public_key"] = key.format("q")
    assert "ssh_keys cannot be given another name" in run(content, check_mode=True).result["msg"]
    told = run(content).result
    assert "Nothing was changed" in told["msg"]
