# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""System disk, private networks and public addresses of an instance that is there, and at its creation."""

from __future__ import annotations

import typing as t

import pytest
from sandbox.rest.attachment import detach_address
from sandbox.rest.models import Address, Disk, Instance

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors

from .conftest import Bench
from .in_process import Fault, Service

FULL: dict[str, t.Any] = {
    "disk_class": "Tier 2",
    "init_disk_size": 30,
    "private_networks": ["storage"],
    "purge_private_networks": True,
    "ip_addresses": ["203.0.113.3"],
    "purge_ip_addresses": True,
}


def acts(service: Service) -> list[str]:
    """Return the writing calls, those that travel as plain tickets by their paths."""
    return [
        args[2].rpartition("/")[2] if name == "start" else name
        for name, args, _kwargs in service.calls
        if name in service.writes()
    ]


def full(service: Service) -> Instance:
    """Put an instance there that is in one network and has one address."""
    instance = service.add("web", networks=[41001])
    service.connect(instance, address=120001)
    return instance


def test_all_is_changed_in_an_order_that_leaves_a_way_in(bench: Bench, service: Service) -> None:
    full(service)
    foreseen = bench.present(**FULL, check_mode=True)
    assert service.writes() == []
    result = bench.present(**FULL)
    assert acts(service) == [
        "change_disk_tier",
        "extend_disk",
        "attach_opn_ticket",
        "attach_ip_ticket",
        "detach_opn_ticket",
        "detach_ip_ticket",
    ]
    record = result["instance"]
    assert record["disk_class"] == {"id": 49, "label": "Tier 2"}
    assert record["init_disk_size"] == 30
    assert record["private_networks"] == [{"id": 41002, "label": "storage"}]
    assert record["ip_addresses"] == [{"id": 120002, "label": "203.0.113.3"}]
    for name in ("disk_class", "init_disk_size", "private_networks", "ip_addresses"):
        assert foreseen["diff"]["after"][name] == result["diff"]["after"][name] == record[name]
        assert foreseen["diff"]["before"][name] == result["diff"]["before"][name] != record[name]
    assert bench.present(**FULL)["changed"] is False
    assert len(service.names()) == 5  # the list, the subregions, the disk, the networks, the addresses


def test_without_purge_what_is_not_listed_stays(bench: Bench, service: Service) -> None:
    full(service)
    result = bench.present(private_networks=["storage"], ip_addresses=["120002"])
    assert acts(service) == ["attach_opn_ticket", "attach_ip_ticket"]
    assert [one["id"] for one in result["instance"]["private_networks"]] == [41001, 41002]
    assert [one["id"] for one in result["instance"]["ip_addresses"]] == [120001, 120002]
    assert bench.present(private_networks=["41002"], ip_addresses=["203.0.113.2"])["changed"] is False
    assert service.names() == ["list_instances", "list_subregions", "read_pages", "list_instance_ip_addresses"]


def test_the_same_given_twice_is_attached_once(bench: Bench, service: Service) -> None:
    full(service)
    bench.present(private_networks=["storage", "41002", "storage"])
    assert acts(service) == ["attach_opn_ticket"]


@pytest.mark.parametrize(
    "params",
    [
        {"private_networks": [], "purge_private_networks": True, "ip_addresses": [], "purge_ip_addresses": True},
        {"private_networks": [], "purge_private_networks": True},
    ],
)
def test_the_last_interface_is_never_taken(bench: Bench, service: Service, params: dict[str, t.Any]) -> None:
    instance = full(service)
    if "ip_addresses" not in params:
        detach_address(service.world, service.world.table(Address)[120001])
    with pytest.raises(errors.InvalidInput, match="would no longer have a network interface") as caught:
        bench.present(**params)
    assert caught.value.details["option"] == "private_networks"
    assert service.writes() == []
    assert instance.networks == [41001]


def test_a_network_goes_while_an_address_stays(bench: Bench, service: Service) -> None:
    full(service)
    assert bench.present(private_networks=[], purge_private_networks=True)["instance"]["private_networks"] == []
    assert acts(service) == ["detach_opn_ticket"]


def test_an_address_of_another_instance_is_not_taken_away(bench: Bench, service: Service) -> None:
    full(service)
    service.connect(service.add("other"), address=120002)
    for name in ("web", "new"):
        with pytest.raises(
            errors.InvalidInput, match=r"203.0.113.3 \(120002\) is attached to instance other \(250002\)"
        ):
            bench.present(name=name, ip_addresses=["203.0.113.3"])
        assert service.writes() == []


@pytest.mark.parametrize(
    ("params", "says"),
    [
        (
            {"private_networks": ["bakend"]},
            "private_networks: there is no 'bakend' among the account's private networks",
        ),
        ({"ip_addresses": ["192.0.2.1"]}, "ip_addresses: there is no '192.0.2.1' among the account's public addresses"),
    ],
)
def test_unknown_ones_are_told(bench: Bench, service: Service, params: dict[str, t.Any], says: str) -> None:
    full(service)
    with pytest.raises(errors.InvalidInput) as caught:
        bench.present(**params)
    assert says in str(caught.value)
    assert service.writes() == []


def test_a_new_instance_has_them_from_the_start(bench: Bench, service: Service) -> None:
    wish = {"private_networks": ["backend"], "init_script": "#!/bin/sh\necho ä\n"}
    result = bench.present(**wish, ip_addresses=["203.0.113.3", "120001"])
    sent = next(args[0] for name, args, _kwargs in service.calls if name == "create_instance")
    assert sent["OpnsIds"] == [41001]
    assert sent["IPAddressId"] == 120002
    assert sent["InitScript"] == "IyEvYmluL3NoCmVjaG8gw6QK"
    assert "WithoutPublicIp" not in sent
    assert result["action"] == "create"
    assert "echo" not in str(result)
    assert {one["id"] for one in result["instance"]["ip_addresses"]} == {120001, 120002}
    assert {one["id"] for one in result["instance"]["private_networks"]} == {41001}


def test_in_check_mode_a_new_instance_shows_them(bench: Bench, service: Service) -> None:
    wish = {"private_networks": ["41001"], "ip_addresses": ["120001"], "init_script": "echo", "state": "stopped"}
    result = bench.present(**wish, check_mode=True)
    assert result["diff"]["after"]["private_networks"] == [{"id": 41001, "label": "backend"}]
    assert result["instance"]["ip_addresses"] == [{"id": 120001, "label": "203.0.113.2"}]
    assert result["instance"]["status"] == {"id": 87, "label": "Powered Off"}
    assert "echo" not in str(result)
    assert service.writes() == []


def test_without_a_public_address_a_network_is_needed(bench: Bench, service: Service) -> None:
    with pytest.raises(
        errors.InvalidInput, match="without_public_ip: the new instance would have no network interface"
    ):
        bench.present(without_public_ip=True)
    assert bench.present(without_public_ip=True, private_networks=["backend"])["action"] == "create"
    sent = next(args[0] for name, args, _kwargs in service.calls if name == "create_instance")
    assert (sent["WithoutPublicIp"], sent["OpnsIds"]) == (True, [41001])
    assert bench.present(without_public_ip=True)["changed"] is False


@pytest.mark.parametrize(("size", "says"), [(301, "init_disk_size: 301 is not between 5 and 300 GB."), (4, "4 is not")])
def test_the_bounds_of_a_new_disk(bench: Bench, service: Service, size: int, says: str) -> None:
    with pytest.raises(errors.InvalidInput, match=says):
        bench.present(init_disk_size=size)
    assert service.writes() == []


def test_a_disk_may_grow_beyond_what_a_new_one_may_have(bench: Bench, service: Service) -> None:
    service.add("web")
    assert bench.present(init_disk_size=900)["instance"]["init_disk_size"] == 900
    with pytest.raises(errors.InvalidInput, match="init_disk_size is in GB; 20480 would be 20 TB"):
        bench.present(init_disk_size=20480)


STEPS: dict[str, tuple[str, dict[str, t.Any]]] = {
    "tier": ("change_disk_tier", {"disk_class": "Tier 2"}),
    "extend": ("extend_disk", {"init_disk_size": 30}),
    "attach_opn_ticket": ("start", {"private_networks": ["storage"]}),
    "attach_ip_ticket": ("start", {"ip_addresses": ["120002"]}),
    "detach_opn_ticket": ("start", {"private_networks": [], "purge_private_networks": True}),
    "detach_ip_ticket": ("start", {"ip_addresses": [], "purge_ip_addresses": True}),
    "type": ("change_type", {"type_id": 35}),
    "shutdown": ("shutdown", {"state": "stopped"}),
}


@pytest.mark.parametrize("act", STEPS)
def test_a_ticket_that_fails(bench: Bench, service: Service, act: str) -> None:
    full(service)
    service.fail(act)
    with pytest.raises(errors.OperationFailed, match="ended with an error") as caught:
        bench.present(**STEPS[act][1])
    assert caught.value.details["ticket"] == 5_000_000_001
    service.fail()
    assert bench.present(**STEPS[act][1])["changed"] is True


@pytest.mark.parametrize("act", STEPS)
def test_a_ticket_that_never_ends(bench: Bench, service: Service, act: str) -> None:
    full(service)
    service.settings["ticket_seconds"] = 1e9
    start = service.clock.time
    with pytest.raises(errors.WaitTimeout, match="did not finish within 100 s"):
        bench.present(**STEPS[act][1], wait_timeout=100.0)
    assert service.clock.time - start == pytest.approx(100)


@pytest.mark.parametrize("act", STEPS)
@pytest.mark.parametrize("fails", [False, True])
def test_a_ticket_that_vanishes(bench: Bench, service: Service, act: str, fails: bool) -> None:
    full(service)
    service.settings["lost_tickets"] = "."
    if not fails:
        assert bench.present(**STEPS[act][1])["changed"] is True
        assert bench.present(**STEPS[act][1])["changed"] is False
        return
    service.fail(act)
    start = service.clock.time
    with pytest.raises(errors.OperationFailed, match=r"ticket 5000000001 does not tell how it ended, and nothing"):
        bench.present(**STEPS[act][1])
    assert service.clock.time - start < 60


@pytest.mark.parametrize("act", STEPS)
@pytest.mark.parametrize("after", [False, True])
def test_an_answer_that_is_unclear(bench: Bench, service: Service, act: str, after: bool) -> None:
    full(service)
    method, params = STEPS[act]
    service.faults[method] = [Fault(errors.Unclear("Reset."), after)]
    assert bench.present(**params)["changed"] is True
    assert service.writes() == [method] * (1 if after else 2)


@pytest.mark.parametrize("act", STEPS)
def test_a_lock_that_comes_between_is_waited_out(bench: Bench, service: Service, act: str) -> None:
    instance = full(service)
    method, params = STEPS[act]
    service.faults[method] = [Fault(errors.Conflict("Locked.", status=409))]
    service.lock(instance, 50)
    assert bench.present(**params, wait=False)["changed"] is True


@pytest.mark.parametrize("act", STEPS)
@pytest.mark.parametrize("refusal", [errors.Forbidden("None.", status=403), errors.NotFound("None.", status=404)])
def test_an_instance_that_disappears_before_the_change_is_told(
    bench: Bench, service: Service, act: str, refusal: errors.ServiceError
) -> None:
    full(service)
    method, params = STEPS[act]
    original = getattr(service, method)

    def vanished(*args: t.Any, **kwargs: t.Any) -> t.Any:
        service.vanish()
        service.faults[method] = [Fault(refusal)]
        return original(*args, **kwargs)

    setattr(service, method, vanished)
    with pytest.raises(errors.OperationFailed, match=r"instance 250001 no longer exists\. Something"):
        bench.present(**params)


@pytest.mark.parametrize("act", STEPS)
def test_an_instance_that_disappears_after_the_change_is_told(bench: Bench, service: Service, act: str) -> None:
    full(service)

    def vanish() -> None:
        service.vanish()

    service.later(25, vanish)
    service.settings["lost_tickets"] = "."
    service.settings["ticket_seconds"] = 30
    with pytest.raises(errors.OperationFailed, match="instance 250001 no longer exists"):
        bench.present(**STEPS[act][1])


def test_a_disk_that_stays_locked_after_its_instance_is_waited_for(bench: Bench, service: Service) -> None:
    instance = full(service)
    service.lock(service.world.table(Disk)[instance.disks[0]], 90)
    start = service.clock.time
    bench.present(init_disk_size=30)
    assert service.clock.time - start >= 90
