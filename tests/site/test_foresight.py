# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a plan promises comes true: nothing is promised that the service refuses, or that only the service knows."""

from __future__ import annotations

import typing as t

import operations
import pytest
from plain_site import Ran, run
from sandbox.process import SandboxProcess

MACHINE = {"template": "CentOS 7", "subregion": "EU-001", "type": "v1.standard-2.2"}
KEYS = [f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA{letter}o= k" for letter in "pq"]
LATER = "(known after apply)"
Content = t.Dict[str, t.List[t.Dict[str, t.Any]]]
pytestmark = pytest.mark.usefixtures("home")


def named(ran: Ran) -> dict[str, dict[str, t.Any]]:
    """Return what changes, by kind and name."""
    return {f"{one['kind']} {one['name']}": one for one in ran.plan["changes"]}


def check_promises(planned: Ran, done: Ran) -> None:
    """Require that what was promised of each thing came, and that nothing came that the plan does not name."""
    came = {one["after_header"]: one["after"] for one in done.result["diff"]}
    for name, change in named(planned).items():
        if change["action"] == "orphan":
            continue
        promised = {field: value for field, value in change["after"].items() if LATER not in str(value)}
        assert promised == {field: came[name].get(field) for field in promised}, name
        assert set(came[name]) <= set(change["after"]), name


def by_hand(module: str, **options: t.Any) -> None:
    """Remove something without the site."""
    operations.done(operations.part(module).OPERATION, {"state": "absent", **options})


# ---------------------------------------------------------------- known after apply


def of_each_kind(**machine: t.Any) -> Content:
    """Return one new thing of each kind of which the service computes something."""
    return {
        "ssh_keys": [{"name": "k", "public_key": KEYS[0], "recreate": True}],
        "private_networks": [{"name": "inner"}],
        "ip_addresses": [{"comment": "front", "subregion": "EU-001", "instance": "web"}],
        "instances": [{"name": "web", "ssh_keys": ["k"], "private_networks": ["inner"], **MACHINE, **machine}],
        "disks": [{"name": "data", "size": 10, "disk_class": "Tier 1", "instances": ["web"]}],
        "storage_containers": [{"name": "assets"}],
        "storage_objects": [{"container": "assets", "name": "f", "content": "x"}],
        "warehouses": [{"name": "w", "partner_id": 12, "template_id": 304, "data_store_number": "S", "queue_length": 4}],
        "client_users": [
            {
                "user_name": "shop.clerk",
                "client_id": 100,
                "user_password": "Pelican-over-9-bridges",
                "first_name": "Shop",
                "last_name": "Clerk",
                "email": "clerk@example.com",
                "phone_number": "+48225550199",
            }
        ],
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
