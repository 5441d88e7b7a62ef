# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Planning and applying a site against the sandbox."""

from __future__ import annotations

import json
import multiprocessing
import threading
import typing as t
from pathlib import Path

import pytest
from chaos import leaping_clock
from chaos.workplace import PATIENCE, until
from sandbox.process import SandboxProcess

from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Settings, Task
from ansible_collections.fcd.cloud.plugins.module_utils._core.clock import Clock
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.api import infrastructure
from sites.large_site import large_site
from sites.operations import done, part
from sites.plain_site import INSTANCE, LATER, PASSWORD, QUICK, Content, chain, keep, named, run

pytestmark = pytest.mark.usefixtures("home")


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

    The listing of a container, with its objects, tells of the container itself. Two lists tell of instances: the
    fleet's own, and all with their names, which addresses and disks tell by number.
    """
    content = large_site(0.3)
    run(content).succeeded()
    sandbox.clear_requests()
    again = run(content).succeeded()
    assert again.result["changed"] is False
    counts = sandbox.counts()
    many = {kind: len(entries) for kind, entries in content.items()}
    assert counts["by"] == {
        "rest list_account_ssh_keys": 1,
        "rest list_disks": 1,
        "rest list_instances": 2,
        "rest list_ip_addresses": 1,
        "rest list_private_networks": 1,
        "rest list_subregions": 1,
        "rest read_template": 1,
        "soap GetClient": many["clients"],
        "soap GetClientCurrentPricelist": len(content["client_pricelists"][0]["client_ids"]),
        "soap GetUser": many["client_users"],
        "soap GetUsers": 1,
        "soap GetWarehouses": many["warehouses"],  # with more than three, a list has all
        "storage GET container": many["storage_containers"],
    }


FOR_MANY = {"rest read_ticket", "soap GetUsers", "soap GetWarehouses"}
"""Besides lists of the infrastructure, what is read for many entries: the longer they take, the more often."""


def test_a_first_run_asks_little_for_each_entry(sandbox: SandboxProcess) -> None:
    """What each needs for itself is exact; how often is read for many at once depends on how long they take.

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
    in_time = sum(number for name, number in by.items() if name.startswith("rest list_") or name in FOR_MANY)
    assert counts["total"] - in_time <= 3 * sum(many.values()), by


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
    from ansible_collections.fcd.cloud.plugins.module_utils._object_storage import container, container_writes

    create = container_writes.create_container

    def lose_the_race(storage: t.Any, name: str, headers: dict[str, str]) -> tuple[bool, bool]:
        monkeypatch.setattr(container, "create_container", create)
        done(part("_object_storage.container").OPERATION, {"name": name})
        return create(storage, name, headers)

    monkeypatch.setattr(container, "create_container", lose_the_race)
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
    assert ran.result["counts"]["changed"] == 1, "the first request may have made it"
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
    first = run(content, stage="rest", part="1/2", lock="file").succeeded()
    second = run(content, stage="rest", part="2/2", lock="file").succeeded()
    assert first.counts["create"] + second.counts["create"] == 8
    assert run(content).succeeded().counts == {"unchanged": 12}


def test_a_part_needs_a_registry_that_all_workers_share(sandbox: SandboxProcess) -> None:
    for check_mode in (True, False):
        ran = run(chain(), stage="rest", part="1/2", check_mode=check_mode)
        assert "the registry of the site has to be in a container" in ran.result["msg"]
    assert sandbox.counts()["writes"] == 0


def test_what_another_run_creates_meanwhile_is_not_counted(sandbox: SandboxProcess) -> None:
    """The report of an apply says what this run did, not what it had planned."""
    content: Content = {"private_networks": [{"name": "theirs"}, {"name": "ours"}]}

    def meanwhile(_plan: t.Any) -> list[t.Any]:
        done(part("_infrastructure.private_network").OPERATION, {"name": "theirs"})
        return []

    ran = run(content, policies=meanwhile).succeeded()
    assert ran.counts == {"create": 1, "unchanged": 1}
    assert list(named(ran)) == ["private_networks ours"]
    assert ran.plan["by_kind"]["private_networks"]["create"] == 1
    assert ran.result["counts"]["changed"] == 1


def test_a_run_that_only_makes_the_container_of_its_registry_has_changed_something() -> None:
    content = {"private_networks": [{"name": "inner"}], "instances": [chain()["instances"][1]]}
    ran = run(content, stage="rest", registry={"container": "shop-state"})
    assert (ran.result["failed"], ran.result["counts"]["changed"]) == (True, 0)
    assert ran.result["changed"] is True


def test_the_rest_without_its_foundations_tells_what_is_missing(sandbox: SandboxProcess) -> None:
    content = chain()
    planned = run(content, stage="rest", check_mode=True).succeeded()
    (warning,) = planned.warnings
    assert "by this run: storage_containers assets, private_networks inner, ip_addresses front. First" in warning
    assert named(planned)["instances web"]["after"]["ip_addresses"] == LATER
    ran = run(content, stage="rest")
    failed = {one["name"]: one for one in ran.result["failed_entries"]}
    assert failed["web"]["msg"].startswith("It was not begun, since ip_addresses front is not there yet")
    assert failed["web"]["next_step"].startswith("First apply the stage foundations")
    assert failed["assets/f2"]["msg"].startswith("It was not begun, since storage_containers assets is not there yet")
    assert failed.keys() == {"web", "db", "data", *(f"assets/f{n}" for n in range(4))}, "the client is there"
    assert "rest create_instance" not in sandbox.counts()["by"]


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
    assert "force_create: true (in the playbooks provision_force_create: true) does so at once." in again["msg"]
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


@pytest.mark.full
def test_two_parts_at_the_same_time_are_the_whole(sandbox: SandboxProcess) -> None:
    """Each in a process of its own, as on two hosts; the registry is in the object storage."""
    content, registry = large_site(0.1), {"container": "shop-state"}
    content.pop("client_users")
    run({"storage_containers": [{"name": "shop-state"}]}, site="storage").succeeded()
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
