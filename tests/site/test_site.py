# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Planning and applying a site against the sandbox."""

from __future__ import annotations

import json
import multiprocessing
import os
import threading
import typing as t
from pathlib import Path

import pytest
from chaos import leaping_clock
from chaos.workplace import PATIENCE, until
from large_site import large_site
from operations import done, part
from plain_site import CLERK, PASSWORD, QUICK, Ran, run
from sandbox.process import SandboxProcess

from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Settings, Task
from ansible_collections.fcd.cloud.plugins.module_utils._core.clock import Clock
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.api import infrastructure

INSTANCE = {"template": "CentOS 7", "subregion": "EU-001", "type": "v1.standard-2.2"}
LATER = "(known after apply)"
Content = t.Dict[str, t.List[t.Dict[str, t.Any]]]
pytestmark = pytest.mark.usefixtures("home")


def chain() -> Content:
    """Return new things that refer to one another."""
    return {
        "private_networks": [{"name": "inner"}],
        "ip_addresses": [{"comment": "front", "subregion": "EU-001", "static": True}],
        "storage_containers": [{"name": "assets"}],
        "clients": [{"id": 100, "project_name": "project 100"}],
        "instances": [
            {"name": "web", "private_networks": ["inner"], "ip_addresses": [{"ref": "ip_addresses.front"}], **INSTANCE},
            {"name": "db", "private_networks": ["inner"], **INSTANCE},
        ],
        "disks": [{"name": "data", "size": 10, "disk_class": "Tier 1", "instances": ["web"]}],
        "storage_objects": [{"container": "assets", "name": f"f{n}", "content": f"<{n}>"} for n in range(4)],
        "client_users": [{**CLERK, "client_id": {"ref": "clients.100"}}],
    }


def named(ran: Ran) -> dict[str, dict[str, t.Any]]:
    """Return what changes, by kind and name."""
    return {f"{one['kind']} {one['name']}": one for one in ran.plan["changes"]}


def test_what_the_site_declares_is_suggested_first() -> None:
    networks = [{"name": "s-inside"}, {"name": "s-inner", "state": "absent"}]
    content = {
        "private_networks": networks,
        "instances": [{"name": "web", "private_networks": ["s-insid"], **INSTANCE}],
    }
    for check_mode in (True, False):
        msg = run(content, check_mode=check_mode).result["msg"]
        assert "there is no 's-insid' among the account's private networks. Did you mean 's-inside'" in msg
        assert "s-inner" not in msg


def test_a_large_disk_needs_a_unit() -> None:
    disk = {"name": "data", "disk_class": "Tier 2", "subregion": "EU-001"}
    assert "20480 would be 20 TB" in run({"disks": [{**disk, "size": 20480}]}).result["msg"]
    assert run({"disks": [{**disk, "size": "20480GiB"}]}).succeeded().counts == {"create": 1}
    assert run({"disks": [{**disk, "size": 20480}]}).succeeded().counts == {"unchanged": 1}


def keep(home: Path, ran: Ran) -> str:
    """Write the plan of a run, and return the path."""
    path = home / "site.plan.json"
    path.write_text(json.dumps(ran.plan), encoding="utf-8")
    return str(path)


def test_a_chain_of_new_things_is_planned_made_and_then_left_alone(sandbox: SandboxProcess) -> None:
    planned = run(chain(), check_mode=True).succeeded()
    assert planned.counts == {"create": 11, "unchanged": 1}
    assert sandbox.counts()["writes"] == 0
    changes = named(planned)
    assert changes["disks data"]["after"]["instances"] == LATER
    assert changes["instances web"]["after"]["private_networks"] == LATER
    assert changes["instances web"]["after"]["ip_addresses"] == LATER
    assert [one["after_header"] for one in planned.result["diff"]][:2] == [
        "private_networks inner",
        "ip_addresses front",
    ]

    made = run(chain()).succeeded()
    assert made.result["changed"] is True
    assert made.result["counts"]["changed"] == 11
    rest = sandbox.state()["rest"]
    web = next(one for one in rest["instances"] if one["Name"] == "web")
    assert next(one for one in rest["ips"] if one["Comment"] == "front")["Instance"] == web["Id"]
    writes = sandbox.counts()["writes"]

    for check_mode in (True, False):
        again = run(chain(), check_mode=check_mode).succeeded()
        assert (again.result["changed"], again.result["diff"], again.counts) == (False, [], {"unchanged": 12})
    assert sandbox.counts()["writes"] == writes
    assert again.told == ["site shop: 12 of 12 planned"]


def test_secrets_of_entries_are_nowhere(home: Path) -> None:
    for check_mode in (True, False):
        ran = run(chain(), check_mode=check_mode)
        assert PASSWORD not in json.dumps([ran.result, ran.warnings, ran.told])
    files = [path for path in (home / "state").rglob("*") if path.is_file()]
    assert not [path for path in files if PASSWORD.encode() in path.read_bytes()]
    assert [path for path in files if path.parent.name == "sites"]


def test_a_second_run_asks_little(sandbox: SandboxProcess) -> None:
    """It takes a list for each kind and each container, and one request for each thing that no list describes.

    The listing of a container, with its objects, tells of the container itself.
    Two lists tell of instances: the fleet's own, and all with their names, which addresses and disks tell by number.
    """
    content = large_site(0.3)
    run(content).succeeded()
    sandbox.clear_requests()
    again = run(content).succeeded()
    assert again.result["changed"] is False
    counts = sandbox.counts()
    assert counts["writes"] == 0
    assert counts["by"]["rest list_instances"] == 2
    assert {"storage HEAD object", "storage HEAD container"}.isdisjoint(counts["by"])
    per_thing = counts["by"]["storage GET container"] + counts["by"]["soap GetUser"] + counts["by"]["soap GetClient"]
    assert counts["total"] <= per_thing + 25, counts["by"]


def test_a_first_run_asks_little_for_each_entry(sandbox: SandboxProcess) -> None:
    """What each needs for itself is exact; what is read for many at once takes a few requests, as quick as they are.

    An instance, a private network or a disk takes its create and a look at it; a user these too, and whether login and
    e-mail address are taken: asked by the plan, and under the lock; an object its content, and a look after it.
    """
    content = large_site(0.3)
    sandbox.clear_requests()
    run(content).succeeded()
    counts = sandbox.counts()
    by = counts["by"]
    many = {kind: len(entries) for kind, entries in content.items()}
    assert by["rest create_instance"] == many["instances"]
    assert by["rest read_instance"] == many["instances"]
    assert by["rest create_private_network"] == by["rest read_private_network"] == many["private_networks"]
    assert by["rest create_disk"] == by["rest read_disk"] == many["disks"]
    assert by["storage PUT object"] == by["storage HEAD object"] == many["storage_objects"]
    assert by["storage GET container"] == many["storage_containers"], "none of them is there"
    assert by["soap CreateUserWithPrivileges"] == by["soap GetUser"] == many["client_users"]
    assert by["soap IsUserNameAlreadyTaken"] == by["soap IsEmailAlreadyTaken"] == 2 * many["client_users"]
    assert by["soap CreateWarehouse"] == many["warehouses"]
    assert by["soap WarehouseExists"] == 2 * many["warehouses"]
    assert by.get("rest list_instance_private_networks", 0) <= 3, by
    assert by["rest list_subregions"] <= 3
    assert counts["total"] <= 4 * sum(many.values()), by


@pytest.mark.parametrize(("content", "by"), [("<p>theirs</p>", "them"), ("<p>ours</p>", "them"), ("<p>ours</p>", "us")])
def test_an_object_that_comes_after_the_plan_is_not_overwritten_unseen(
    sandbox: SandboxProcess, content: str, by: str
) -> None:
    """Nothing asks for a new object before it is sent, and the service refuses to replace one."""
    page = {"container": "shop", "name": "page.html", "content": "<p>ours</p>", "metadata": {"by": "us"}}
    done(part("_object_storage.container").OPERATION, {"name": "shop"})

    def somebody_is_quicker(_plan: t.Any) -> list[t.Any]:
        done(part("_object_storage.object").OPERATION, {**page, "content": content, "metadata": {"by": by}})
        sandbox.clear_requests()
        return []

    ran = run({"storage_objects": [page]}, policies=somebody_is_quicker)
    assert [one["status"] for one in sandbox.requests("storage") if one["method"] == "PUT"][:1] == [412]
    if "theirs" in content:
        (failed,) = ran.result["failed_entries"]
        assert "There is an object shop/page.html already" in failed["msg"]
        assert run({"storage_objects": [page]}, check_mode=True).succeeded().counts == {"update": 1}
        return
    ran.succeeded()
    assert any("Somebody else created it" in text for text in ran.warnings)
    assert run({"storage_objects": [page]}, check_mode=True).succeeded().counts == {"unchanged": 1}
    assert run({}, check_mode=True).succeeded().counts == {}, "it would be pruned"


def test_a_new_object_whose_answer_is_lost_is_the_sites_own(sandbox: SandboxProcess) -> None:
    page = {"container": "shop", "name": "page.html", "content": "<p>ours</p>"}
    done(part("_object_storage.container").OPERATION, {"name": "shop"})
    sandbox.fault("drop_after", service="storage", method="PUT", path="/shop/page.html$", times=1)
    assert run({"storage_objects": [page]}).succeeded().counts == {"create": 1}
    assert run({}, check_mode=True).succeeded().counts == {"orphan": 1}


@pytest.mark.parametrize("declared", [{}, {"metadata": {"by": "us"}}])
def test_a_container_that_comes_between_look_and_create_is_not_the_sites_own(
    sandbox: SandboxProcess, monkeypatch: pytest.MonkeyPatch, declared: dict[str, t.Any]
) -> None:
    from ansible_collections.fcd.cloud.plugins.module_utils._object_storage import container_writes

    create = container_writes.create_container

    def lose_the_race(storage: t.Any, name: str, headers: dict[str, str]) -> bool:
        monkeypatch.setattr(container_writes, "create_container", create)
        done(part("_object_storage.container").OPERATION, {"name": name})
        return create(storage, name, headers)

    monkeypatch.setattr(container_writes, "create_container", lose_the_race)
    ran = run({"storage_containers": [{"name": "raced", **declared}]}).succeeded()
    assert [one["status"] for one in sandbox.requests("storage") if one["method"] == "PUT"] == [201, 202]
    assert ran.result["counts"]["changed"] == len(declared)
    assert any("Somebody else created it" in text for text in ran.warnings)
    assert run({}, check_mode=True).succeeded().counts == {}, "it would be pruned"


def test_a_container_that_comes_between_two_tries_is_not_the_sites_own(
    sandbox: SandboxProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    sandbox.fault("status_before", service="storage", method="PUT", path="/raced$", status=503, times=1)
    sleep = Clock.sleep

    def somebody_is_quicker(clock: Clock, seconds: float) -> None:
        monkeypatch.setattr(Clock, "sleep", sleep)
        assert "raced" not in sandbox.state()["storage"]["containers"]
        done(part("_object_storage.container").OPERATION, {"name": "raced"})
        sleep(clock, seconds)

    monkeypatch.setattr(Clock, "sleep", somebody_is_quicker)
    ran = run({"storage_containers": [{"name": "raced"}]}).succeeded()
    assert statuses(sandbox) == [503, 201, 202]
    assert ran.result["counts"]["changed"] == 0
    assert any("'raced' existed when its create was sent again" in text for text in ran.warnings)
    assert run({}, prune=True).succeeded().counts == {}
    assert run({"storage_containers": [{"name": "raced"}]}, state="absent").succeeded().counts.get("delete") is None
    assert "raced" in sandbox.state()["storage"]["containers"]


@pytest.mark.parametrize(
    ("fault", "answers"),
    [("drop_after", [None]), ("status_after", [500]), ("html", [200, 201]), ("drop_before", [None, 201])],
)
def test_a_new_container_whose_answer_is_unclear_is_the_sites_own(
    sandbox: SandboxProcess, fault: str, answers: list[int | None]
) -> None:
    sandbox.fault(fault, service="storage", method="PUT", path="/shop$", times=1)
    assert run({"storage_containers": [{"name": "shop"}]}).succeeded().counts == {"create": 1}
    assert statuses(sandbox) == answers
    assert run({}, check_mode=True).succeeded().counts == {"orphan": 1}


def statuses(sandbox: SandboxProcess) -> list[int | None]:
    """Return the statuses of the containers' creates."""
    return [one["status"] for one in sandbox.requests("storage") if one["operation"] == "PUT container"]


def test_what_fails_keeps_back_only_what_refers_to_it(sandbox: SandboxProcess) -> None:
    sandbox.fault("status_before", service="rest", method="POST", path="/opns$", status=422, own_words=True, times=0)
    ran = run(chain())
    assert ran.result["failed"] is True
    assert ran.result["changed"] is True
    failed = {f"{one['kind']} {one['name']}": one for one in ran.result["failed_entries"]}
    assert {name: one["action"] for name, one in failed.items()} == {
        "private_networks inner": "failed",
        "instances web": "not_begun",
        "instances db": "not_begun",
        "disks data": "not_begun",
    }
    assert "private_networks inner failed" in failed["instances db"]["msg"]
    assert ran.result["counts"]["changed"] == 7
    sandbox.clear_faults()
    assert run(chain()).succeeded().result["counts"]["changed"] == 4


def test_what_needs_something_new_is_planned_all_the_same(sandbox: SandboxProcess) -> None:
    """The modules refuse an instance without any interface, and keys as the way to log in without a key."""
    content: Content = {
        "ssh_keys": [{"name": "admin", "public_key": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAo= k"}],
        "private_networks": [{"name": "inner"}],
        "instances": [
            {
                "name": "db",
                "private_networks": ["backend", "inner"],
                "without_public_ip": True,
                "ssh_keys": ["admin"],
                "authorization_method_id": 1398,
                **INSTANCE,
            },
            {"name": "app", "private_networks": ["inner"], "without_public_ip": True, **INSTANCE},
        ],
    }
    planned = named(run(content, check_mode=True).succeeded())
    assert planned["instances app"]["after"]["without_public_ip"] is True
    assert planned["instances app"]["after"]["private_networks"] == LATER
    assert [one if one == LATER else one["label"] for one in planned["instances db"]["after"]["private_networks"]] == [
        "backend",
        LATER,
    ]
    run(content).succeeded()
    assert run(content).succeeded().result["changed"] is False
    more = {**content, "private_networks": [{"name": "inner"}, {"name": "outer"}]}
    more["instances"] = [content["instances"][0], {**content["instances"][1], "private_networks": ["inner", "outer"]}]
    planned = named(run(more, check_mode=True).succeeded())
    assert set(planned) == {"private_networks outer", "instances app"}
    assert planned["instances app"]["action"] == "update"
    assert sandbox.counts()["by"]["rest create_instance"] == 2


def test_an_entry_that_is_wrong_keeps_everything_back(sandbox: SandboxProcess) -> None:
    content = chain()
    content["instances"][0]["template"] = "CentOS 77"
    planned = run(content, check_mode=True)
    assert planned.result["failed"] is True
    assert planned.counts == {"create": 9, "unchanged": 1, "error": 2}
    ran = run(content)
    assert (ran.result["failed"], ran.result["changed"]) == (True, False)
    assert "CentOS 7" in ran.result["msg"]
    assert sandbox.counts()["writes"] == 0


def test_a_plan_binds_an_apply(sandbox: SandboxProcess, home: Path) -> None:
    content = chain()
    plan = keep(home, run(content, check_mode=True))
    other = {**content, "private_networks": [{"name": "outer"}, *content["private_networks"]]}
    wrong = [
        run(other, plan=plan),
        run(content, plan=plan, stage="foundations"),
        run(content, plan=plan, environment="x"),
    ]
    assert ["the declaration and the required changes" in one.result["msg"] for one in wrong] == [True, False, False]
    assert "private_networks outer (unchanged, now create)" in wrong[0].result["msg"]
    assert "is for stage all, this run is for foundations" in wrong[1].result["msg"]
    assert "is for environment none, this run is for x" in wrong[2].result["msg"]
    assert sandbox.counts()["writes"] == 0
    run(content, plan=plan).succeeded()
    late = run(content, plan=plan)
    assert "no longer matches the required changes" in late.result["msg"]
    assert "Make a new plan" in late.result["msg"]
    assert late.result["changed"] is False


def test_stages_and_parts_together_are_the_whole() -> None:
    content = chain()
    run(content, stage="foundations").succeeded()
    first = run(content, stage="rest", part="1/2").succeeded()
    second = run(content, stage="rest", part="2/2").succeeded()
    assert first.counts["create"] + second.counts["create"] == 8
    assert run(content).succeeded().counts == {"unchanged": 12}


def test_the_rest_without_its_foundations_tells_what_is_missing() -> None:
    content = chain()
    planned = run(content, stage="rest", check_mode=True).succeeded()
    assert named(planned)["instances web"]["after"]["ip_addresses"] == LATER
    ran = run(content, stage="rest")
    failed = {one["name"]: one["msg"] for one in ran.result["failed_entries"]}
    assert "ip_addresses front is not known" in failed["web"]


def test_what_is_only_looked_at_is_told_by_those_that_need_it(sandbox: SandboxProcess) -> None:
    content: Content = {
        "clients": [{"id": 100, "status": "Gold"}, {"id": 101}],
        "client_users": [
            {"user_name": "second.user", "client_id": {"ref": "clients.100"}},
            {"user_name": "third.user", "client_id": {"ref": "clients.101"}},
        ],
    }
    ran = run(content, stage="rest")
    (failed,) = ran.result["failed_entries"]
    assert failed["name"] == "second.user"
    assert "clients 100, which cannot be planned" in failed["msg"]
    assert "Gold" in failed["next_step"]
    assert ran.plan["entries"] == 2
    assert sandbox.counts()["writes"] == 0


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


KINDS_WITH_NUMBERS: dict[str, dict[str, t.Any]] = {
    "ssh_keys": {"name": "same", "public_key": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAo= k"},
    "private_networks": {"name": "same"},
    "ip_addresses": {"comment": "same", "subregion": "EU-001"},
    "instances": {"name": "same", **INSTANCE},
    "disks": {"name": "same", "size": 10, "disk_class": "Tier 1", "subregion": "EU-001"},
    "warehouses": {"name": "s", "partner_id": 100, "template_id": 767, "data_store_number": "S", "queue_length": 5},
    "client_users": {**CLERK, "user_name": "same"},
}


@pytest.mark.parametrize("options", [{"prune": True}, {"state": "absent"}])
def test_another_thing_of_the_same_name_is_left_alone(sandbox: SandboxProcess, options: dict[str, t.Any]) -> None:
    """Somebody removes what the site has made and makes another one: that is not the site's own."""
    content: Content = {kind: [entry] for kind, entry in KINDS_WITH_NUMBERS.items()}
    run(content).succeeded()
    registry = {"container": "elsewhere"}
    gone: Content = {kind: [{**entry, "state": "absent"}] for kind, entry in KINDS_WITH_NUMBERS.items()}
    run(gone, site="somebody", registry=registry).succeeded()
    run(content, site="somebody", registry=registry).succeeded()
    declared = content if "state" in options else {}
    assert run(declared, check_mode=True, **options).succeeded().counts == {"unchanged": 7}
    ran = run(declared, **options).succeeded()
    assert ran.result["changed"] is False
    assert "7 objects are left alone" in ran.warnings[0]
    assert run(content, site="somebody", registry=registry).succeeded().counts == {"unchanged": 7}
    assert run({}, check_mode=True).succeeded().counts == {}, "they are forgotten"


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


@pytest.mark.parametrize("registry", [{}, {"container": "state"}])
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


@pytest.mark.parametrize("lock", ["file", "lease"])
@pytest.mark.parametrize("options", [{}, {"metadata": {"team": "web"}}])
def test_the_container_of_the_registry_counts_the_same_in_plan_and_apply(lock: str, options: dict[str, t.Any]) -> None:
    content: Content = {"storage_containers": [{"name": "state", **options}], "private_networks": [{"name": "inner"}]}
    registry = {"container": "state"}
    counts = {"create": 1, **({"update": 1} if options else {"unchanged": 1})}
    assert run(content, registry=registry, lock=lock, check_mode=True).succeeded().counts == counts
    assert run(content, registry=registry, lock=lock).succeeded().counts == counts
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
    assert planned.counts == {"create": 1, "unchanged": 1}
    assert sandbox.counts()["writes"] == 0
    run(content, registry=registry, plan=keep(home, planned)).succeeded()
    assert run(content, registry=registry).succeeded().result["changed"] is False
    gone = run(content, registry=registry, state="absent").succeeded()
    assert gone.counts == {"delete": 1}
    assert list(sandbox.state()["storage"]["containers"]) == ["state"]


def test_what_is_declared_otherwise_is_changed_by_its_plan(home: Path) -> None:
    run(chain()).succeeded()
    changed = chain()
    changed["storage_objects"][2]["content"] = "<other>"
    changed["instances"][1]["type"] = "v1.standard-4.4"
    planned = run(changed, check_mode=True).succeeded()
    assert {name: one["action"] for name, one in named(planned).items()} == {
        "instances db": "update",
        "storage_objects assets/f2": "update",
    }
    done = run(changed, plan=keep(home, planned)).succeeded()
    assert [one["after_header"] for one in done.result["diff"]] == ["instances db", "storage_objects assets/f2"]
    assert run(changed).succeeded().result["changed"] is False


def test_nobody_changes_what_was_read_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers are shared by all entries of a planning, so they have to be the same at its end."""
    from ansible_collections.fcd.cloud.plugins.module_utils._core.clock import Memory

    kept: list[tuple[t.Any, str]] = []
    answer = Memory.answer

    def answered(self: t.Any, question: t.Any, work_out: t.Any) -> t.Any:
        def worked_out() -> t.Any:
            value = work_out()
            parsed = (
                value.json() if getattr(value, "body", b"")[:1] in (b"{", b"[") else getattr(value, "headers", value)
            )
            kept.append((parsed, json.dumps(parsed, default=repr)))
            return value

        return answer(self, question, worked_out)

    content = large_site(0.1)
    run(content).succeeded()
    content["client_users"][0]["first_name"] = "Other"
    content["instances"][0]["type"] = "v1.standard-4.4"
    content["disks"][0]["size"] = 20
    monkeypatch.setattr(Memory, "answer", answered)
    assert run(content, check_mode=True).succeeded().counts["update"] == 3
    assert len(kept) > 20
    assert [text for value, text in kept if json.dumps(value, default=repr) != text] == []


def test_a_folder_is_published_and_a_file_that_fails_is_told(sandbox: SandboxProcess, tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    for name in ("a.html", "b.html"):
        (docs / name).write_text(name)
    content: Content = {
        "storage_containers": [{"name": "assets"}],
        "storage_folders": [{"container": "assets", "prefix": "docs", "path": str(docs)}],
    }
    planned = run(content, check_mode=True).succeeded()
    assert (planned.counts, planned.warnings) == ({"create": 1, "update": 1}, [])
    sandbox.fault("status_before", service="storage", method="PUT", path="/docs/b", status=403, times=0)
    ran = run(content)
    assert (ran.result["failed"], ran.result["changed"]) == (True, True)
    assert "b.html" in ran.result["failed_entries"][0]["msg"]
    sandbox.clear_faults()
    run(content).succeeded()
    assert run(content).succeeded().result["changed"] is False


def test_a_create_without_a_clear_end_is_sent_again_by_force_alone(sandbox: SandboxProcess) -> None:
    content: Content = {
        "private_networks": [{"name": "inner"}],
        "instances": [{"name": "web", **INSTANCE}],
        "disks": [{"name": "data", "size": 10, "disk_class": "Tier 1", "instances": ["web"]}],
    }
    for path in ("/instances$", "/opns$"):
        sandbox.fault("status_before", service="rest", method="POST", path=path, status=500, times=0)
    assert run(content, create_grace=0.1).result["failed"] is True
    sandbox.clear_faults()
    assert run(content, check_mode=True).succeeded().counts == {"create": 3}
    writes = sandbox.counts()["writes"]
    again = run(content, create_grace=0.1).result
    kinds = {one["name"]: one["error"]["kind"] for one in again["failed_entries"]}
    assert kinds == {"inner": "CannotDetermine", "web": "CannotDetermine", "data": "FcdError"}
    assert "force_create: true (in the playbooks provision_force_create: true) creates it anyway." in again["msg"]
    assert (again["changed"], sandbox.counts()["writes"]) == (False, writes)
    run(content, create_grace=0.1, force_create=True).succeeded()
    rest = sandbox.state()["rest"]
    assert [one["Name"] for one in rest["networks"] if one["Name"] == "inner"] == ["inner"]
    assert [one["Name"] for one in rest["instances"] if one["Name"] == "web"] == ["web"]
    assert run(content).succeeded().counts == {"unchanged": 3}


@pytest.mark.parametrize("check_mode", [True, False])
def test_the_numbers_of_what_has_one_name_are_for_programs_too(check_mode: bool) -> None:
    account = infrastructure(Task(Settings.resolve({}, ("rest",))))
    for _time in range(2):
        account.create_network("inner")

    def numbers() -> list[int]:
        return sorted(one["Id"] for one in account.list_networks() if one["Name"] == "inner")

    until(lambda: len(numbers()) == 2, "both networks")
    ran = run({"private_networks": [{"name": "inner"}]}, check_mode=check_mode)
    (failed,), (planned,) = ran.result["failed_entries"], ran.plan["errors"]
    assert (failed["error"]["kind"], sorted(failed["error"]["ids"])) == ("Ambiguous", numbers())
    assert failed == {**planned, "action": "failed"}


def test_what_was_done_is_told_when_it_cannot_be_noted(sandbox: SandboxProcess) -> None:
    content: Content = {"private_networks": [{"name": "inner"}, {"name": "outer"}]}
    registry = {"container": "state"}
    sandbox.fault("status_before", service="storage", method="PUT", path="whole.json", status=403, skip=1, times=0)
    ran = run(content, registry=registry)
    assert (ran.result["failed"], ran.result["changed"], ran.result["counts"]["changed"]) == (True, True, 2)
    assert ran.result["msg"].startswith("registry (state/.fcd-sites/shop/whole.json): ")
    assert len(ran.result["diff"]) == 2
    sandbox.clear_faults()
    run(content, registry=registry).succeeded()
    assert run({}, registry=registry, check_mode=True).succeeded().counts == {"orphan": 2}


def test_after_the_time_of_the_task_nothing_is_begun(sandbox: SandboxProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    """The time is over as soon as the service has been asked for the first thing, which takes longer."""
    sandbox.settings(rest={**QUICK, "ticket_seconds": 30.0})
    monkeypatch.setenv("FCD_TASK_TIMEOUT", str(leaping_clock.AHEAD / 2))
    monkeypatch.setenv("FCD_TIMEOUT", str(leaping_clock.AHEAD * 2))
    leaps: list[float] = []
    first = "create_private_network"
    leaping_clock.replace(Clock, leaps, monkeypatch.setattr)

    def leap() -> None:
        until(lambda: [one for one in sandbox.requests("rest") if one["over"] and one["operation"] == first], first)
        leaps.append(leaping_clock.AHEAD)

    leaping = threading.Thread(target=leap)
    leaping.start()
    ran = run({**chain(), "clients": [], "client_users": []})
    leaping.join()
    assert (ran.result["failed"], ran.result["changed"]) == (True, True)
    told = {f"{one['kind']} {one['name']}": one["action"] for one in ran.result["failed_entries"]}
    assert told["private_networks inner"] == "failed"
    assert told["disks data"] == "not_begun"


def test_two_parts_at_the_same_time_are_the_whole(sandbox: SandboxProcess) -> None:
    """Each in a process of its own, as on two hosts; the registry is in the object storage."""
    content, registry = large_site(0.1), {"container": "shop-state"}
    content.pop("client_users")
    run({"storage_containers": [{"name": "shop-state"}]}).succeeded()
    run(content, stage="foundations", registry=registry).succeeded()
    workers = [
        multiprocessing.get_context("fork").Process(
            target=_apply_part, args=(content, registry, f"{number}/2"), daemon=True
        )
        for number in (1, 2)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(PATIENCE)
    assert [worker.exitcode for worker in workers] == [0, 0]
    names = [one["Name"] for one in sandbox.state()["rest"]["instances"] if one["Name"].startswith("web-")]
    assert sorted(names) == sorted(one["name"] for one in content["instances"])
    again = run(content, registry=registry).succeeded()
    assert again.result["changed"] is False
    assert run({}, registry=registry, check_mode=True).succeeded().counts["orphan"] == again.plan["entries"] - 4


def _apply_part(content: Content, registry: dict[str, str], part: str) -> None:
    run(content, stage="rest", registry=registry, part=part, lock_timeout=PATIENCE).succeeded()
