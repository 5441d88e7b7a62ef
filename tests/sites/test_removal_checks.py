# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a plan promises comes true: nothing is planned that the service refuses, or that only the service knows."""

from __future__ import annotations

import typing as t
from pathlib import Path

import pytest
from sandbox.process import SandboxProcess

from sites import operations
from sites.plain_site import CLERK, Ran, run

INSTANCE = {"template": "CentOS 7", "subregion": "EU-001", "type": "v1.standard-2.2"}
KEYS = [f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA{letter}o= k" for letter in "pq"]
LATER = "(known after apply)"
Content = t.Dict[str, t.List[t.Dict[str, t.Any]]]
pytestmark = pytest.mark.usefixtures("home")


def named(ran: Ran) -> dict[str, dict[str, t.Any]]:
    """Return what changes, by kind and name."""
    return {f"{one['kind']} {one['name']}": one for one in ran.plan["changes"]}


def check_promises(planned: Ran, done: Ran) -> None:
    """Require that what was promised of each thing came, and that nothing came that the plan does not name."""
    came = {one["after_header"]: one["after"] for one in done.diff}  # what differs, and no null
    for name, change in named(planned).items():
        if change["action"] == "orphan":
            continue
        promised = {field: value for field, value in change["after"].items() if LATER not in str(value)}
        assert promised == {field: came[name].get(field, change["before"].get(field)) for field in promised}, name
        assert set(came[name]) <= set(change["after"]), name


def by_hand(module: str, **options: t.Any) -> None:
    """Remove something without the site."""
    operations.done(operations.part(module).OPERATION, {"state": "absent", **options})


# ---------------------------------------------------------------- known after apply


def of_each_kind(**instance: t.Any) -> Content:
    """Return one new thing of each kind of which the service computes something."""
    return {
        "ssh_keys": [{"name": "k", "public_key": KEYS[0], "recreate": True}],
        "private_networks": [{"name": "inner"}],
        "ip_addresses": [{"comment": "front", "subregion": "EU-001", "instance": "web"}],
        "instances": [{"name": "web", "ssh_keys": ["k"], "private_networks": ["inner"], **INSTANCE, **instance}],
        "disks": [{"name": "data", "size": 10, "disk_class": "Tier 1", "instances": ["web"]}],
        "storage_containers": [{"name": "assets"}],
        "storage_objects": [{"container": "assets", "name": "f", "content": "x"}],
        "warehouses": [
            {"name": "w", "partner_id": 12, "template_id": 304, "data_store_number": "S", "queue_length": 4}
        ],
        "client_users": [CLERK],
        "client_fixed_amounts": [{"client_id": 100, "amount": "12.00", "date_from": "2026-01-01", "description": "x"}],
    }


def test_all_that_the_service_computes_of_new_things_is_known_after_apply() -> None:
    content = of_each_kind()
    planned = run(content, check_mode=True).succeeded()
    changes = named(planned)
    for name, field in (("instances web", "ip_address"), ("ip_addresses front", "address"), ("disks data", "id")):
        assert changes[name]["after"][field] == LATER
    assert changes["disks data"]["after"]["disk_class"] == {"id": 48, "label": "Tier 1"}
    check_promises(planned, run(content).succeeded())
    assert run(content, check_mode=True).succeeded().counts == {"unchanged": 10}


@pytest.mark.full
def test_all_that_the_service_computes_of_replaced_things_is_known_after_apply() -> None:
    run(of_each_kind(recreate=True)).succeeded()
    content = of_each_kind(recreate=True, template="Debian 8")
    content["ssh_keys"][0]["public_key"] = KEYS[1]
    planned = run(content, check_mode=True).succeeded()
    key, web = named(planned)["ssh_keys k"], named(planned)["instances web"]
    assert (key["action"], key["after"]["creation_date"]) == ("replace", LATER)
    assert (web["action"], web["after"]["ssh_keys"], web["after"]["ip_address"]) == ("replace", LATER, LATER)
    check_promises(planned, run(content, max_replace="9").succeeded())


def test_what_follows_from_a_change_is_known_after_apply() -> None:
    content = of_each_kind()
    run(content).succeeded()
    content["ip_addresses"][0]["static"] = True
    planned = run(content, check_mode=True).succeeded()
    front = named(planned)["ip_addresses front"]
    assert (front["before"]["static"], front["after"]["static"], front["after"]["type"]) == (False, True, LATER)
    check_promises(planned, run(content).succeeded())

    content["private_networks"][0]["name"] = "other"
    content["instances"][0]["private_networks"] = ["other"]
    planned = run(content, check_mode=True).succeeded()
    web = named(planned)["instances web"]
    assert web["after"]["private_ip_address"] == LATER
    check_promises(planned, run(content).succeeded())


@pytest.mark.full
def test_a_key_that_was_removed_by_hand_changes_no_instance() -> None:
    content = of_each_kind()
    run(content).succeeded()
    by_hand("_infrastructure.ssh_key", name="k")
    planned = run(content, check_mode=True).succeeded()
    assert planned.counts == {"create": 1, "unchanged": 9}
    assert run(content).succeeded().result["counts"]["changed"] == 1


@pytest.mark.parametrize("declared", [True, False])
def test_nobody_asks_for_the_objects_of_a_container_that_is_not_there(sandbox: SandboxProcess, declared: bool) -> None:
    objects = [{"container": "assets", "name": f"f{number}", "content": "x"} for number in range(40)]
    content: Content = {"storage_containers": [{"name": "assets"}] if declared else [], "storage_objects": objects}
    sandbox.clear_requests()
    planned = run(content, check_mode=True).succeeded()
    assert planned.counts == {"create": 40 + declared}
    assert sandbox.counts()["total"] <= 10, sandbox.counts()["by"]


# ---------------------------------------------------------------- what stands in the way

LAST = "the last network interface of instance web"
ADDRESS = {"comment": "front", "subregion": "EU-001", "static": True}
WEB = {"name": "web", **INSTANCE}
GONE = {"state": "absent"}


def errors(ran: Ran) -> dict[str, str]:
    """Return what cannot be planned, by kind and name."""
    return {f"{one['kind']} {one['name']}": one["msg"] for one in ran.plan["errors"]}


def refused_by_the_plan(sandbox: SandboxProcess, content: Content, entry: str, why: str, **options: t.Any) -> None:
    """Require an error of the plan of this one entry, and an apply that sends nothing for it."""
    planned = run(content, check_mode=True, **options)
    assert set(errors(planned)) == {entry}, planned.plan
    assert why in errors(planned)[entry]
    assert planned.plan["errors"][0]["next_step"]
    sandbox.clear_requests()
    ran = run(content, **options)
    assert errors(ran) == errors(planned)
    assert not [name for name in sandbox.counts()["by"] if "detach" in name or "delete" in name.split("_")[0]]


def last_address() -> Content:
    """Return an instance whose one interface is a declared address."""
    return {"ip_addresses": [ADDRESS], "instances": [{**WEB, "ip_addresses": [{"ref": "ip_addresses.front"}]}]}


@pytest.mark.full
def test_prune_never_promises_the_last_address_of_an_instance(sandbox: SandboxProcess) -> None:
    run(last_address()).succeeded()
    refused_by_the_plan(sandbox, {"instances": [WEB]}, "ip_addresses front", LAST, prune=True)
    joined: Content = {"private_networks": [{"name": "inner"}], "instances": [{**WEB, "private_networks": ["inner"]}]}
    run(joined).succeeded()
    assert run(joined, check_mode=True, prune=True).succeeded().counts == {"delete": 1}
    assert run(joined, prune=True).succeeded().counts == {"delete": 1}
    assert run(joined, check_mode=True, prune=True).succeeded().counts == {}


def test_an_address_goes_when_its_instance_gets_a_network_in_the_same_run() -> None:
    run(last_address()).succeeded()
    content: Content = {
        "private_networks": [{"name": "inner"}],
        "ip_addresses": [{**ADDRESS, **GONE, "force_detach": True}],
        "instances": [{**WEB, "private_networks": ["inner"]}],
    }
    assert run(content, check_mode=True).succeeded().counts == {"create": 1, "update": 1, "delete": 1}
    assert run(content).succeeded().result["counts"]["changed"] == 3


@pytest.mark.parametrize(
    "address", [{**ADDRESS, **GONE, "force_detach": True}, {**ADDRESS, "detached": True}, {**ADDRESS, "instance": "db"}]
)
def test_no_entry_takes_the_last_address(sandbox: SandboxProcess, address: dict[str, t.Any]) -> None:
    run({**last_address(), "instances": [*last_address()["instances"], {**WEB, "name": "db"}]}).succeeded()
    content: Content = {"ip_addresses": [address], "instances": [WEB, {**WEB, "name": "db"}]}
    refused_by_the_plan(sandbox, content, "ip_addresses front", LAST)


def test_a_network_is_not_forced_away_where_it_is_the_last_interface(sandbox: SandboxProcess) -> None:
    web = {**WEB, "private_networks": ["inner"], "without_public_ip": True}
    run({"private_networks": [{"name": "inner"}], "instances": [web]}).succeeded()
    content: Content = {"private_networks": [{"name": "inner", **GONE, "force_detach": True}], "instances": [WEB]}
    refused_by_the_plan(sandbox, content, "private_networks inner", LAST)
    run({"private_networks": [{"name": "inner"}], "instances": [{**web, **GONE}]}).succeeded()
    assert run(content).succeeded().counts == {"delete": 1, "create": 1}


def test_the_last_address_goes_after_its_instance(sandbox: SandboxProcess) -> None:
    web = {**WEB, "private_networks": ["inner"], "without_public_ip": True}
    content: Content = {
        "private_networks": [{"name": "inner"}],
        "instances": [web],
        "ip_addresses": [{**ADDRESS, "instance": "web"}],
    }
    run(content).succeeded()
    content["instances"] = [{**WEB, "private_networks": [], "purge_private_networks": True}]
    run(content).succeeded()
    assert run(content, check_mode=True, state="absent").succeeded().counts == {"delete": 3}
    assert run(content, state="absent").succeeded().result["counts"]["changed"] == 3


def test_what_is_attached_to_an_instance_that_goes_is_detached_first() -> None:
    content: Content = {
        "instances": [WEB],
        "ip_addresses": [{**ADDRESS, "instance": "web"}],
        "disks": [{"name": "data", "size": 10, "disk_class": "Tier 1", "instances": ["web"]}],
    }
    run(content).succeeded()
    staying = {kind: [{**one, **(GONE if kind != "instances" else {})} for one in content[kind]] for kind in content}
    assert set(errors(run(staying, check_mode=True))) == {"ip_addresses front", "disks data"}
    going = {kind: [{**one, **GONE} for one in content[kind]] for kind in content}
    assert run(going, check_mode=True).succeeded().counts == {"delete": 3}
    assert run(going).succeeded().result["counts"]["changed"] == 3
    assert run(going, check_mode=True).succeeded().counts == {"unchanged": 3}


def test_no_instance_takes_a_disk_along_that_stays_declared(sandbox: SandboxProcess) -> None:
    web = {**WEB, "recreate": True, "delete_disks": True}
    data = {"name": "data", "size": 10, "disk_class": "Tier 1", "instances": ["web"]}
    run({"instances": [web], "disks": [data]}).succeeded()
    planned = run({"instances": [{**web, "template": "Debian 8"}], "disks": [data]}, check_mode=True)
    assert "it would also remove disk 'data'" in errors(planned)["instances web"]
    assert "cannot be planned" in errors(planned)["disks data"]
    content: Content = {"instances": [{**web, **GONE}], "disks": [{**data, "instances": []}]}
    assert run(content).succeeded().result["counts"]["changed"] == 2
    assert "data" in [one["Name"] for one in sandbox.state()["rest"]["disks"]]


@pytest.mark.full
def test_no_instance_takes_a_shared_disk_along() -> None:
    both: list[dict[str, t.Any]] = [{**WEB, "delete_disks": True}, {**WEB, "name": "db"}]
    data = {"name": "data", "size": 10, "disk_class": "Tier 1", "shared_disk_type": "Linux cluster file system"}
    run({"instances": both, "disks": [{**data, "instances": ["web", "db"]}]}).succeeded()
    planned = run({"instances": [{**both[0], **GONE}, both[1]]}, check_mode=True)
    assert "which other instances use, too" in errors(planned)["instances web"]


def test_an_automatic_address_is_not_lost_with_an_instance_that_is_replaced(sandbox: SandboxProcess) -> None:
    run({"instances": [WEB]}).succeeded()
    (own,) = [one["Address"] for one in sandbox.state()["rest"]["ips"] if one["Instance"]]
    content: Content = {
        "instances": [{**WEB, "recreate": True, "template": "Debian 8"}],
        "ip_addresses": [{"address": own, "instance": "web"}],
    }
    planned = run(content, check_mode=True)
    assert "is automatic" in errors(planned)[f"ip_addresses {own}"]


def test_nobody_minds_the_removal_of_a_key_in_use(sandbox: SandboxProcess) -> None:
    key = {"name": "k", "public_key": KEYS[0]}
    run({"ssh_keys": [key], "instances": [{**WEB, "ssh_keys": ["k"]}]}).succeeded()
    assert run({"instances": [WEB]}, prune=True).succeeded().counts == {"delete": 1}
    assert sandbox.state()["rest"]["keys"] == [] or "k" not in [one["Name"] for one in sandbox.state()["rest"]["keys"]]


@pytest.mark.full
def test_a_stack_of_versions_keeps_its_container(sandbox: SandboxProcess) -> None:
    content: Content = {
        "storage_containers": [
            {"name": "old"},
            {"name": "assets", "versioning": "stack", "versions_location": "old"},
        ],
        "storage_objects": [{"container": "assets", "name": "f", "content": "x"}],
    }
    run(content).succeeded()
    assert run(content, check_mode=True, state="absent").succeeded().counts == {"delete": 3}
    content["storage_objects"][0]["content"] = "y"
    run(content).succeeded()
    planned = run(content, check_mode=True, state="absent")
    assert set(errors(planned)) == {"storage_containers assets", "storage_containers old"}


@pytest.mark.full
def test_a_history_of_versions_is_kept_by_what_goes(sandbox: SandboxProcess) -> None:
    content: Content = {
        "storage_containers": [
            {"name": "old"},
            {"name": "assets", "versioning": "history", "versions_location": "old"},
        ],
        "storage_objects": [{"container": "assets", "name": "f", "content": "x"}],
    }
    run(content).succeeded()
    refused = run(content, check_mode=True, state="absent")
    assert set(errors(refused)) == {"storage_containers old"}
    assert refused.counts == {"delete": 2, "error": 1}
    content["storage_containers"][0]["force"] = True
    assert run(content, state="absent").succeeded().counts == {"delete": 3}
    assert list(sandbox.state()["storage"]["containers"]) == []


# ---------------------------------------------------------------- what the run makes itself


def test_a_container_that_the_plan_makes_is_not_missed(home: Path) -> None:
    (home / "docs").mkdir()
    (home / "docs" / "a.html").write_text("a")
    folder = {"container": "assets", "prefix": "docs", "path": str(home / "docs")}
    content: Content = {"storage_containers": [{"name": "assets"}], "storage_folders": [folder]}
    for empty in (False, True):
        if empty:
            content["storage_objects"] = [{"container": "assets", "name": "empty"}]
        warnings = [text for text in run(content, check_mode=True).warnings if "earlier task" in text]
        assert [text.split(":")[0] for text in warnings] == ["storage_objects assets/empty"] * empty
