# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a site owns, what it removes, and where it notes that."""

from __future__ import annotations

import os
import typing as t
from pathlib import Path

import pytest
from sandbox.process import SandboxProcess

from ansible_collections.fcd.cloud.plugins.plugin_utils.site.report.terminal import plan_lines
from sites.operations import done, part
from sites.plain_site import CLERK, INSTANCE, Content, Given, chain, keep, named, run

pytestmark = pytest.mark.usefixtures("home")


def test_pruning_removes_what_is_owned_and_no_longer_declared(sandbox: SandboxProcess) -> None:
    content = chain()
    run(content).succeeded()
    less: Content = {**content, "instances": content["instances"][:1], "storage_objects": [], "disks": []}
    planned = run(less, check_mode=True).succeeded()
    assert planned.counts == {"orphan": 6, "unchanged": 6}
    assert planned.result["changed"] is False
    refused = run(less, prune=True, max_delete="5")
    assert "max_delete allows 5." in refused.result["msg"]
    dry = run(less, prune=True, check_mode=True).succeeded()
    assert dry.counts == {"delete": 6}
    writes = sandbox.counts()["writes"]
    assert run(less, prune=True).succeeded().result["counts"]["changed"] == 6
    assert sandbox.counts()["writes"] > writes
    assert run(less).succeeded().counts == {"unchanged": 6}
    assert [one["Name"] for one in sandbox.state()["rest"]["instances"] if one["Name"] in ("web", "db")] == ["web"]


def test_what_was_there_before_is_never_removed_unless_it_is_adopted(sandbox: SandboxProcess) -> None:
    found: Content = {"private_networks": [{"name": "backend"}, {"name": "inner"}]}
    run(found).succeeded()
    assert run({}, check_mode=True).succeeded().counts == {"orphan": 1}
    gone = run(found, state="absent").succeeded()
    assert gone.result["counts"]["changed"] == 1
    assert "private_networks backend" in gone.warnings[0]
    assert "backend" in [one["Name"] for one in sandbox.state()["rest"]["networks"]]
    run({}).succeeded()  # what was only found is forgotten
    run({"private_networks": found["private_networks"][:1]}, adopt=True).succeeded()
    assert run({}, check_mode=True).succeeded().counts == {"orphan": 1}


def test_a_whole_site_is_removed_users_of_a_thing_first(sandbox: SandboxProcess) -> None:
    before = sandbox.state()["rest"]
    run(chain()).succeeded()
    for check_mode in (True, False):
        refused = run(chain(), state="absent", check_mode=check_mode)
        assert refused.result["failed"]
        assert "max_delete allows 10." in refused.result["msg"]
        assert refused.shown[0]["counts"]["delete"] == 11, "all of it is shown"
    assert sandbox.counts()["by"].get("rest delete_instance") is None
    planned = run(chain(), state="absent", max_delete="100%", check_mode=True).succeeded()
    assert planned.counts == {"delete": 11}
    assert named(planned)["client_users shop.clerk"]["before"]["client_id"] == 100
    assert run(chain(), state="absent", max_delete="11").succeeded().result["counts"]["changed"] == 11
    after = sandbox.state()
    kinds = ("instances", "disks", "networks", "ips", "keys")
    assert {kind: len(after["rest"][kind]) for kind in kinds} == {kind: len(before[kind]) for kind in kinds}
    assert run(chain(), state="absent").succeeded().result["changed"] is False


SCHEDULE = {"action": "stop", "every": "1 day", "at": "22:00", "timezone": "Europe/Warsaw"}
KINDS_WITH_NUMBERS: dict[str, dict[str, t.Any]] = {
    "ssh_keys": {"name": "same", "public_key": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAo= k"},
    "private_networks": {"name": "same"},
    "ip_addresses": {"comment": "same", "subregion": "EU-001"},
    "instances": {"name": "same", **INSTANCE},
    "disks": {"name": "same", "size": 10, "disk_class": "Tier 1", "subregion": "EU-001"},
    "instance_schedules": {"name": "same", "instance": "same", **SCHEDULE},
    "warehouses": {"name": "s", "partner_id": 100, "template_id": 767, "data_store_number": "S", "queue_length": 5},
    "client_users": {**CLERK, "user_name": "same"},
}


@pytest.mark.parametrize("options", [{"prune": True}, pytest.param({"state": "absent"}, marks=pytest.mark.full)])
def test_another_thing_of_the_same_name_is_left_alone(sandbox: SandboxProcess, options: dict[str, t.Any]) -> None:
    """Somebody removes what the site has made and makes another one: that is not the site's own."""
    content: Content = {kind: [entry] for kind, entry in KINDS_WITH_NUMBERS.items()}
    run(content).succeeded()
    registry = {"container": "elsewhere"}
    gone: Content = {kind: [{**entry, "state": "absent"}] for kind, entry in KINDS_WITH_NUMBERS.items()}
    run(gone, site="somebody", registry=registry).succeeded()
    run(content, site="somebody", registry=registry).succeeded()
    declared = content if "state" in options else {}
    assert run(declared, check_mode=True, **options).succeeded().counts == {"unchanged": 8}
    ran = run(declared, **options).succeeded()
    assert ran.result["changed"] is False
    assert ran.warnings[0].startswith("Left alone, because something else has this name now")
    assert ran.warnings[0].endswith(" and 3 more."), "five are named"
    assert run(content, site="somebody", registry=registry).succeeded().counts == {"unchanged": 8}
    assert run({}, check_mode=True).succeeded().counts == {}, "they are forgotten"


def test_what_has_no_number_and_is_of_somebody_else_is_left_alone(sandbox: SandboxProcess) -> None:
    """Somebody replaces an object, and makes another one and a container again: only what the site has left goes."""
    keep: Content = {"storage_containers": [{"name": "keep"}]}
    whole: Content = {"storage_containers": [{"name": name} for name in ("keep", "made-again", "changed", "touched")]}
    names = ("edited", "again", "ours")
    ours = [{"container": "keep", "name": name, "content": f"old {name}"} for name in names]
    run({**whole, "storage_objects": ours}).succeeded()
    ours[2]["content"] = "ours"
    whole["storage_containers"][2]["metadata"] = {"a": "1"}
    done(part("_object_storage.container").OPERATION, {"name": "touched", "metadata": {"a": "1"}})
    run({**whole, "storage_objects": ours}).succeeded()
    registry = {"container": "elsewhere"}
    run({"storage_objects": [{**ours[1], "state": "absent"}]}, site="somebody", registry=registry).succeeded()
    theirs: Content = {"storage_objects": [{**one, "content": "theirs"} for one in ours[:2]]}
    run(theirs, site="somebody", registry=registry).succeeded()
    container, made_again = part("_object_storage.container").OPERATION, {"name": "made-again"}
    before = done(container, made_again)["container"]["last_modified"]
    while done(container, made_again)["container"]["last_modified"] == before:  # which is in seconds
        done(container, {**made_again, "state": "absent"})
    ran = run(keep, prune=True, max_delete="100%").succeeded()
    assert ran.warnings[0].startswith("Left alone, because something else has this name now")
    left = "storage_containers made-again, storage_objects keep/again, storage_objects keep/edited"
    assert ran.warnings[0].endswith(f": {left}.")
    assert {"changed", "touched"}.isdisjoint(sandbox.state()["storage"]["containers"])
    assert "made-again" in sandbox.state()["storage"]["containers"]
    assert sorted(sandbox.state()["storage"]["containers"]["keep"]["objects"]) == ["again", "edited"]
    assert run(keep, check_mode=True).succeeded().counts == {"unchanged": 1}, "they are forgotten"


def test_a_plan_promises_no_removal_of_what_holds_more(sandbox: SandboxProcess, home: Path) -> None:
    (home / "docs").mkdir()
    (home / "docs" / "a.html").write_text("a")
    content: Content = {
        "private_networks": [{"name": "inner"}, {"name": "outer"}],
        "storage_containers": [{"name": "assets"}, {"name": "other"}],
        "storage_objects": [{"container": one, "name": "f", "content": "x"} for one in ("assets", "other")],
        "storage_folders": [{"container": "assets", "prefix": "docs", "path": str(home / "docs")}],
        "instances": [{"name": "web", "private_networks": ["inner", "outer"], **INSTANCE}],
    }
    run(content).succeeded()
    run({"instances": [{"name": "guest", "private_networks": ["inner"], **INSTANCE}]}, site="guest").succeeded()
    for declared, options in ((content, {"state": "absent"}), ({}, {"prune": True})):
        planned = run(declared, check_mode=True, **options)
        told = {one["name"]: one["msg"] for one in planned.plan["errors"]}
        assert set(told) == {"assets", "inner"}
        assert "docs/a.html" in told["assets"]
        assert "guest" in told["inner"]
        assert planned.counts == {"delete": 5, "error": 2}
    forced = {**content, "storage_containers": [{"name": "assets", "force": True}, {"name": "other"}]}
    ran = run(forced, state="absent")
    assert (ran.counts, ran.result["counts"]["changed"]) == ({"delete": 6, "error": 1}, 6)
    assert list(sandbox.state()["storage"]["containers"]) == []


def test_a_network_goes_when_its_instances_have_moved(sandbox: SandboxProcess) -> None:
    web = {"name": "web", "purge_private_networks": True, **INSTANCE}
    run({"private_networks": [{"name": "old"}], "instances": [{**web, "private_networks": ["old"]}]}).succeeded()
    moved: Content = {
        "private_networks": [{"name": "old", "state": "absent"}, {"name": "new"}],
        "instances": [{**web, "private_networks": ["new"]}],
    }
    assert run(moved, check_mode=True).succeeded().counts == {"create": 1, "update": 1, "delete": 1}
    run(moved).succeeded()
    assert run(moved).succeeded().result["changed"] is False


def test_two_sites_do_not_own_the_same() -> None:
    run({"private_networks": [{"name": "inner"}]}, site="shop").succeeded()
    other = run({"private_networks": [{"name": "inner"}]}, site="blog")
    assert "shop" in other.result["msg"]
    assert "inner" in other.result["msg"]


@pytest.mark.parametrize("registry", [pytest.param({}, marks=pytest.mark.full), {"container": "state"}])
def test_environments_of_a_site_own_apart(sandbox: SandboxProcess, registry: dict[str, str]) -> None:
    test: Content = {"private_networks": [{"name": "inner"}]}
    production: Content = {"private_networks": [{"name": "outer"}]}
    for content, environment in ((test, None), (production, "production")):
        ran = run(content, registry=registry, environment=environment).succeeded()
        assert ran.counts == {"create": 1}
    for environment in (None, "production"):  # nobody sees what the other one has as no longer declared
        assert run({}, registry=registry, environment=environment, check_mode=True).succeeded().counts == {"orphan": 1}
    assert run(production, registry=registry, environment="production").succeeded().result["changed"] is False
    taken = run(production, registry=registry)
    assert "The sites 'shop' and 'shop.production' declare the same object" in taken.result["msg"]
    run({}, registry=registry, environment="production", prune=True).succeeded()
    assert [one["Name"] for one in sandbox.state()["rest"]["networks"] if one["Name"] in ("inner", "outer")] == [
        "inner"
    ]


def test_sites_that_declare_the_container_of_their_registries() -> None:
    content: Content = {"storage_containers": [{"name": "state"}]}
    for environment in ("test", "production", "test"):
        for adopt in (False, True):
            run(content, registry={"container": "state"}, environment=environment, adopt=adopt).succeeded()


@pytest.mark.parametrize(("lock", "options"), [("file", {}), ("lease", {"metadata": {"team": "web"}})])
def test_the_container_of_the_registry_counts_the_same_in_plan_and_apply(lock: str, options: dict[str, t.Any]) -> None:
    content: Content = {"storage_containers": [{"name": "state", **options}], "private_networks": [{"name": "inner"}]}
    registry = {"container": "state"}
    assert run(content, registry=registry, lock=lock, check_mode=True).succeeded().counts == {"create": 2}
    done = run(content, registry=registry, lock=lock).succeeded()
    assert (done.counts, done.result["counts"]["changed"]) == ({"create": 2}, 2)
    assert done.told[-1].endswith("(2 of 2)")
    assert run(content, registry=registry, lock=lock).succeeded().counts == {"unchanged": 2}


def test_a_file_of_the_registry_is_for_one_environment(home: Path) -> None:
    registry = {"path": str(home / "owned.json")}
    run({"private_networks": [{"name": "inner"}]}, registry=registry).succeeded()
    other = run({}, registry=registry, environment="production")
    assert "belongs to the site 'shop', not to 'shop.production'" in other.result["msg"]


def test_only_the_interfaces_of_what_is_declared_are_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith(("FCD_SOAP", "FCD_BASE", "FCD_AUTH", "FCD_API"))]:
        monkeypatch.delenv(name)
    run({"storage_containers": [{"name": "assets"}]}).succeeded()
    missing = run({"private_networks": [{"name": "inner"}]})
    assert missing.result["error"]["kind"] == "MissingSettings"
    assert "base_url" in missing.result["msg"]


def test_a_registry_in_a_declared_container(sandbox: SandboxProcess, home: Path) -> None:
    """The run itself makes the container, before or after it plans: a plan from before that still holds."""
    content: Content = {"storage_containers": [{"name": "state"}, {"name": "assets"}]}
    registry = {"container": "state"}
    planned = run(content, registry=registry, check_mode=True).succeeded()
    assert planned.counts == {"create": 2}
    assert sandbox.counts()["writes"] == 0
    run(content, registry=registry, plan=keep(home, planned)).succeeded()
    assert run(content, registry=registry).succeeded().result["changed"] is False
    gone = run(content, registry=registry, state="absent").succeeded()
    assert gone.counts == {"delete": 1}
    assert list(sandbox.state()["storage"]["containers"]) == ["state"]


REFUSED: list[tuple[Given, dict[str, t.Any], str]] = [
    ({"instances": [{"name": "web", **INSTANCE, "template": "no such"}]}, {}, "some entries cannot be planned"),
    (
        {},
        {"policies": lambda _plan: [{"name": "a", "file": "b", "message": "No.", "passed": False}]},
        "A policy failed",
    ),
    ({}, {"targets": ["private_networks.other"]}, "nothing is declared as 'private_networks.other'"),
]


@pytest.mark.parametrize(("more", "options", "told"), REFUSED, ids=["entry", "policy", "target"])
def test_the_container_of_the_registry_is_not_created_by_a_run_that_is_refused(
    sandbox: SandboxProcess, more: Given, options: dict[str, t.Any], told: str
) -> None:
    before = sandbox.state()["storage"]
    content = {"private_networks": [{"name": "inner"}], **more}
    refused = run(content, registry={"container": "state"}, **options)
    assert told in refused.result["msg"]
    assert refused.result["changed"] is False
    assert len(refused.shown) == ("targets" not in options)
    assert sandbox.state()["storage"] == before
    assert sandbox.counts()["writes"] == 1, "the attempt to lock what is not there"


PLACES: list[tuple[dict[str, str], dict[str, str]]] = [
    ({}, {"path": "other.json"}),
    ({"path": "one.json"}, {"path": "other.json"}),
    ({"container": "one"}, {"container": "other"}),
]


@pytest.mark.parametrize(("former", "new"), PLACES, ids=["default", "file", "container"])
def test_another_registry_stops_the_site_until_the_former_one_is_gone(
    monkeypatch: pytest.MonkeyPatch, sandbox: SandboxProcess, home: Path, former: dict[str, str], new: dict[str, str]
) -> None:
    monkeypatch.chdir(home)
    content: Content = {"private_networks": [{"name": "inner"}]}
    run(content, registry=former).succeeded()
    assert run(content, registry=former).succeeded().plan["not_owned"] == 0
    writes = sandbox.counts()["writes"]
    for check_mode in (True, False):
        refused = run(content, registry=new, check_mode=check_mode).result
        assert "by which the site 'shop' owns one object. " in refused["msg"]
        assert "Nothing was done." in refused["msg"]
    assert sandbox.counts()["writes"] == writes
    run({"removed": [{"what": "private_networks.inner", "destroy": False}]}, registry=former).succeeded()
    planned = run(content, registry=new, check_mode=True).succeeded().plan
    assert (planned["not_owned"], planned["registry_is_new"]) == (1, True)
    line = "The registry is new, so 1 declared object is not the site's own: prune keeps it."
    assert any(line in one.text for one in plan_lines(planned))


def test_what_was_made_again_by_hand_is_not_the_sites_own(tmp_path: Path) -> None:
    content: Content = {"private_networks": [{"name": "inner"}]}
    run(content).succeeded()
    elsewhere = {"path": str(tmp_path / "elsewhere.json")}
    run({"private_networks": [{"name": "inner", "state": "absent"}]}, site="hand", registry=elsewhere).succeeded()
    assert run({}, check_mode=True).succeeded().counts == {}, "it is neither declared nor there"
    run(content, site="hand", registry=elsewhere).succeeded()
    planned = run(content, check_mode=True).succeeded()
    assert (planned.counts, planned.plan["not_owned"], planned.plan["registry_is_new"]) == ({"unchanged": 1}, 1, False)
