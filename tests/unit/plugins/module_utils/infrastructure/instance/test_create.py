# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Instances that are made: exactly one, whatever happens on the way."""

from __future__ import annotations

import pathlib
import typing as t

import pytest
from sandbox.rest.attachment import detach_network
from sandbox.rest.models import Network

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import has_changed
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.instance.instance_creation import instance_body

from .conftest import Bench
from .in_process import Fault, Service

BARE: dict[str, t.Any] = {
    "name": "web",
    "template": {"id": 60001, "label": None},
    "subregion": {"id": 1, "label": "EU-001"},
    "type": {"id": 34, "label": None},
}
SENT = {"InstancesCount": 1, "InstanceName": "web", "TemplateId": 60001, "SubregionId": 1, "TypeId": 34}
UNCLEAR = [
    errors.ServiceError("HTTP 504", status=504),
    errors.ServiceError("HTTP 500", status=500),
    errors.Unclear("The connection was reset."),
    errors.Unclear("The answer was cut."),
]


def names(service: Service) -> list[str]:
    return sorted(instance.name for instance in service.instances.values())


def notes(folder: pathlib.Path) -> list[pathlib.Path]:
    """Return the notes of what no list has shown."""
    return [one for one in folder.glob("creates/intents/*") if '"listed":true' not in one.read_text(encoding="ascii")]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (
            BARE,
            {**SENT, "DiskClass": 48, "DiskSize": 5, "AuthorizationMethodId": 1399},
        ),
        (
            {
                **BARE,
                "disk_class": {"id": 49, "label": None},
                "init_disk_size": 20,
                "authorization_method": {"id": 1398, "label": None},
                "ssh_keys": [31001],
                "ip_address_id": 120001,
                "isfreemium": False,
            },
            {
                **SENT,
                "DiskClass": 49,
                "DiskSize": 20,
                "AuthorizationMethodId": 1398,
                "SshKeysIds": [31001],
                "IPAddressId": 120001,
                "Freemium": False,
            },
        ),
        (
            {**BARE, "ssh_keys": [31001], "without_public_ip": True, "private_networks": [{"id": 7, "label": None}]},
            {
                **SENT,
                "DiskClass": 48,
                "DiskSize": 5,
                "AuthorizationMethodId": 1398,
                "SshKeysIds": [31001],
                "WithoutPublicIp": True,
                "OpnsIds": [7],
            },
        ),
        (
            {**BARE, "ssh_keys": [], "without_public_ip": False, "private_networks": [], "ip_addresses": []},
            {**SENT, "DiskClass": 48, "DiskSize": 5, "AuthorizationMethodId": 1399, "SshKeysIds": []},
        ),
    ],
)
def test_the_body_holds_what_was_given_and_what_a_create_needs(values: dict[str, t.Any], expected: object) -> None:
    assert instance_body(values, None) == expected


def disk(size: int | None, tier: int | None, slot: int | None = 0, *, system: bool = True) -> dict[str, t.Any]:
    kind = None if tier is None else {"Id": tier}
    return {"SpaceCapacity": size, "Tier": kind, "Controller": 0, "Slot": slot, "IsSystemDisk": system}


@pytest.mark.parametrize(
    ("disks", "size", "tier"),
    [
        (None, 5, 48),
        ([], 5, 48),
        ([disk(3, 49)], 5, 49),
        ([disk(40, 50)], 40, 50),
        ([disk(None, None)], 5, 48),
        ([disk(90, 49, system=False), disk(20, 50, 1)], 20, 50),
        ([disk(10, 49, 1), disk(30, 50, 0)], 30, 50),
        ([disk(10, 49, None), disk(30, 50, 1)], 30, 50),
    ],
)
def test_the_disk_is_by_default_that_of_the_template(disks: t.Any, size: int, tier: int) -> None:
    sent = instance_body(BARE, {"Disks": disks})
    assert (sent["DiskSize"], sent["DiskClass"]) == (size, tier)


def test_what_is_left_out_comes_from_the_template(bench: Bench, service: Service) -> None:
    service.odd[60001] = {"Disks": [disk(25, 49)], "DefaultInstanceType": {"Id": 35, "Label": "v1.standard-4.4"}}
    foreseen = bench.present(type_id=None, check_mode=True)
    made = bench.present(type_id=None)
    assert foreseen["instance"]["type"] == made["instance"]["type"] == {"id": 35, "label": "v1.standard-4.4"}
    sent = next(args[0] for name, args, _kwargs in service.calls if name == "create_instance")
    assert (sent["TypeId"], sent["DiskSize"], sent["DiskClass"]) == (35, 25, 49)
    assert service.names().count("read_one") == 1
    assert bench.present(type_id=34)["action"] == "update"
    assert bench.present(type_id=None)["changed"] is False  # what is not given stays as it is


@pytest.mark.parametrize("told", [{"DefaultInstanceType": None}])
@pytest.mark.parametrize("check_mode", [True, False])
def test_without_any_type_that_is_told(bench: Bench, service: Service, told: t.Any, check_mode: bool) -> None:
    service.odd[60001] = told
    with pytest.raises(errors.InvalidInput, match=r"type: template 60001 has no default type\. Give type or type_id\."):
        bench.present(type_id=None, check_mode=check_mode)
    assert service.writes() == []


def test_a_network_that_it_does_not_get_into_is_told(bench: Bench, service: Service) -> None:
    network = service.world.table(Network)[41001]
    service.later(19, lambda: detach_network(service.world, service.instances[250001], network))
    service.start = lambda *_what, **_how: service.reboot(250001)  # it ends well, and does nothing
    with pytest.raises(errors.OperationFailed) as caught:
        bench.present(private_networks=["backend"])
    assert "accepted the creation of instance 'web', but does not show it in: private_networks." in str(caught.value)
    assert has_changed(caught.value)
    del service.start
    assert bench.present(private_networks=["backend"])["action"] == "update"


def test_a_public_address_that_nobody_asked_for_is_told(bench: Bench, service: Service) -> None:
    service.later(5, lambda: service.connect(service.instances[250001], address=120001))
    wish: dict[str, t.Any] = {"private_networks": ["backend"], "without_public_ip": True}
    with pytest.raises(errors.OperationFailed) as caught:
        bench.present(**wish)
    assert str(caught.value) == (
        "Instance 'web' (250001) was created with the public address 203.0.113.2 (120001) "
        "despite without_public_ip. "
        "Detach it with ip_addresses: [] and purge_ip_addresses: true, or remove the instance."
    )
    assert has_changed(caught.value)
    assert bench.present(**wish, ip_addresses=[], purge_ip_addresses=True)["action"] == "update"
    assert service.addresses == {}


def test_without_one_all_is_well(bench: Bench, service: Service) -> None:
    assert bench.present(private_networks=["backend"], without_public_ip=True)["changed"] is True
    assert names(service) == ["web"]


def test_an_instance_is_made_and_waited_for(bench: Bench, service: Service) -> None:
    result = bench.present(authorization_method="user and password", init_disk_size=20)
    assert (result["changed"], result["action"], result["ticket"]) == (True, "create", 5_000_000_001)
    assert result["instance"]["status"]["label"] == "Powered On"
    assert result["instance"]["is_locked"] is False
    assert result["diff"]["before"] == {}
    assert result["diff"]["after"]["name"] == "web"
    sent = next(args[0] for name, args, _kwargs in service.calls if name == "create_instance")
    assert sent["AuthorizationMethodId"] == 1399
    assert (sent["InstancesCount"], sent["DiskClass"]) == (1, 48)
    assert result["instance"]["init_disk_size"] == 20
    assert result["instance"]["authorization_method"] == {"id": 1399, "label": "User and password"}
    assert result["diff"]["after"]["authorization_method"]["id"] == 1399
    assert bench.present()["changed"] is False
    assert names(service) == ["web"]
    assert notes(bench.folder) == []


def test_keys_are_given_by_name_or_number(bench: Bench, service: Service) -> None:
    bench.present(authorization_method_id=1398, ssh_keys=["operations", "31002"])
    sent = next(args[0] for name, args, _kwargs in service.calls if name == "create_instance")
    assert sent["SshKeysIds"] == [31001, 31002]


@pytest.mark.parametrize(
    ("params", "error", "says"),
    [
        (
            {"template_id": None, "subregion_id": None},
            errors.InvalidInput,
            "these options are missing to create it: template (or template_id) and subregion (or subregion_id).",
        ),
        ({"authorization_method": "SSH keys"}, errors.InvalidInput, "ssh_keys: this authorization method needs"),
        ({"ssh_keys": ["nobody"]}, errors.InvalidInput, "there is no 'nobody' among the account's SSH keys"),
        ({"ssh_keys": ["twice"]}, errors.Ambiguous, "31002 = twice, 31003 = twice. Give the ID in ssh_keys."),
        (
            {"template_id": None, "template": "golden image"},
            errors.Ambiguous,
            "60001 = Golden image (2025-01), 60002 = Golden image (2025-02). Give the ID in template_id, or the",
        ),
        ({"instances_count": 51}, errors.InvalidInput, "instances_count: 51"),
    ],
)
@pytest.mark.parametrize("check_mode", [False, True])
def test_what_is_wrong_is_told_before_anything_is_sent(
    bench: Bench,
    service: Service,
    params: dict[str, t.Any],
    error: type[errors.FcdError],
    says: str,
    check_mode: bool,
) -> None:
    with pytest.raises(error) as caught:
        bench.present(check_mode=check_mode, **params)
    assert says in str(caught.value)
    assert service.writes() == []


def test_a_template_is_given_with_its_version(bench: Bench, service: Service) -> None:
    params = {"template_id": None, "template": "Golden image (2025-02)"}
    assert bench.present(**params)["instance"]["template"] == {"id": 60002, "label": "Golden image"}
    assert bench.present(**params)["changed"] is False
    with pytest.raises(errors.ImmutableChange):
        bench.present(template_id=None, template="Golden image (2025-01)")


def test_check_mode_tells_what_would_be_made(bench: Bench, service: Service) -> None:
    result = bench.present(check_mode=True, disk_class="Tier 2", init_disk_size=20)
    assert (result["changed"], result["action"]) == (True, "create")
    assert result["instance"]["id"] is None
    assert result["instance"]["type"] == {"id": 34, "label": "v1.standard-2.2"}
    assert result["instance"]["disk_class"] == {"id": 49, "label": "Tier 2"}
    assert result["diff"]["after"]["id"] == "(known after apply)"
    assert service.writes() == []
    assert notes(bench.folder) == []


@pytest.mark.parametrize("cause", UNCLEAR, ids=str)
@pytest.mark.parametrize("hidden", [0.0, 8.0])
def test_an_unclear_answer_ends_in_one_instance(
    bench: Bench, service: Service, cause: errors.FcdError, hidden: float
) -> None:
    service.settings["visibility_delay"] = hidden
    service.faults["create_instance"] = [Fault(cause, after=True)]
    result = bench.present()
    assert (result["changed"], result["instance"]["name"]) == (True, "web")
    assert service.writes() == ["create_instance"]
    assert bench.present()["changed"] is False
    assert names(service) == ["web"]
    assert notes(bench.folder) == []


@pytest.mark.parametrize("cause", UNCLEAR, ids=str)
def test_an_unclear_answer_without_an_effect_is_an_error_and_only_force_creates(
    bench: Bench, service: Service, cause: errors.FcdError
) -> None:
    service.faults["create_instance"] = [Fault(cause)]
    with pytest.raises(errors.CannotDetermine, match="whether instance 'web' exists"):
        bench.present(create_grace=10.0)
    assert service.writes() == ["create_instance"]
    with pytest.raises(errors.CannotDetermine, match=r"This task has sent nothing.*force_create: true"):
        bench.present(create_grace=10.0)
    assert service.writes() == []
    assert bench.present(create_grace=10.0, force_create=True)["changed"] is True
    assert names(service) == ["web"]


def test_a_list_that_is_behind_leads_to_no_second_change(
    bench: Bench, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    service.add("web")
    bench.present()
    behind = [dict(one) for one in service.list_instances()]
    assert bench.present(type_id=35, force_stop=True)["changed"] is True
    monkeypatch.setattr(service, "list_instances", lambda **_filters: behind)
    again = bench.present(type_id=35, force_stop=True, create_grace=5.0)
    assert (again["changed"], again["instance"]["type"]["id"], service.writes()) == (False, 35, [])


def test_a_second_one_is_told_with_both_numbers(
    bench: Bench, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    send = service.create_instance
    with monkeypatch.context() as fault:
        fault.setattr(service, "create_instance", lambda body: (send(body), send(body))[0])
        with pytest.raises(errors.Ambiguous, match="there is now another one that was not there before") as caught:
            bench.present(create_grace=10.0)
    assert errors.has_changed(caught.value)
    assert sorted(service.instances) == caught.value.details["ids"]
    with pytest.raises(errors.Ambiguous):
        bench.present(create_grace=10.0)
    assert service.writes() == []


def test_an_instance_that_shows_up_after_the_grace_time_is_not_made_again(bench: Bench, service: Service) -> None:
    service.settings["visibility_delay"] = 60.0
    service.settings["ticket_seconds"] = 80.0
    service.faults["create_instance"] = [Fault(errors.Unclear("Reset."), after=True)]
    service.faults["list_tickets"] = [None, Fault(errors.Unclear("Reset."))]
    with pytest.raises(errors.Unclear):
        bench.present(create_grace=10.0)
    service.clock.sleep(70)
    service.faults.clear()
    assert bench.present()["changed"] is False
    assert names(service) == ["web"]


@pytest.mark.parametrize(
    "error",
    [
        errors.Rejected("Payment required.", status=402),
        errors.Forbidden("Read only.", status=403),
        errors.Unreachable("No connection."),
    ],
)
def test_a_clear_refusal_leaves_nothing_behind(bench: Bench, service: Service, error: errors.FcdError) -> None:
    service.faults["create_instance"] = [Fault(error)]
    with pytest.raises(type(error)):
        bench.present()
    assert notes(bench.folder) == []
    assert bench.present()["changed"] is True
    assert names(service) == ["web"]


class Killed(BaseException):
    """Stands for kill -9: nothing of ours runs after it."""


def kill_after(service: Service, method: str, times: int = 1) -> None:
    """Kill the process when this method has had its effect for the n-th time."""
    original, left = getattr(service, method), [times]

    def call(*args: t.Any, **kwargs: t.Any) -> t.Any:
        answer = original(*args, **kwargs)
        left[0] -= 1
        if left[0] == 0:
            setattr(service, method, original)
            raise Killed
        return answer

    setattr(service, method, call)


@pytest.mark.parametrize("hidden", [0.0, 15.0, 1000.0])
@pytest.mark.parametrize(("method", "times"), [("create_instance", 1), ("get_ticket", 1), ("get_ticket", 3)])
@pytest.mark.parametrize("pause", [0.0, 500.0])
def test_after_a_kill_the_next_run_finds_the_one_instance(
    bench: Bench, service: Service, hidden: float, method: str, times: int, pause: float
) -> None:
    service.settings["visibility_delay"] = hidden
    kill_after(service, method, times)
    with pytest.raises(Killed):
        bench.present()
    service.clock.sleep(pause)
    result = bench.present()
    assert result["changed"] is False
    assert result["instance"]["status"]["label"] == "Powered On"
    assert names(service) == ["web"]
    assert bench.present()["changed"] is False
    service.clock.sleep(hidden)
    bench.run(name="web", state="absent")
    start = service.clock.time
    assert bench.present(wait=False)["changed"] is True  # what is left of the first run does not hold this one up
    assert service.clock.time - start == 0
    assert names(service) == ["web"]


def test_another_run_on_the_same_name_sees_the_create_that_is_under_way(bench: Bench, service: Service) -> None:
    service.settings["visibility_delay"] = 1000.0
    first = bench.present(wait=False)
    assert (first["changed"], first["ticket"]) == (True, 5_000_000_001)
    assert first["instance"] == {
        "id": None,
        "name": "web",
        "template": {"id": 60001, "label": "Golden image"},
        "subregion": {"id": 1, "label": "EU-001"},
        "type": {"id": 34, "label": None},
    }
    second = bench.present(wait=False)
    assert (second["changed"], second["ticket"], second["action"]) == (False, 5_000_000_001, "none")
    assert service.writes() == []
    third = bench.present()
    assert (third["changed"], third["instance"]["status"]["id"]) == (False, 86)
    assert names(service) == ["web"]


def test_a_controller_without_the_notes_sees_the_ticket(bench: Bench, service: Service, tmp_path: pathlib.Path) -> None:
    service.settings["visibility_delay"] = 1000.0
    bench.present(wait=False)
    bench.folder = tmp_path / "elsewhere"
    assert bench.present()["changed"] is False
    assert names(service) == ["web"]


def test_what_another_run_made_is_compared_and_changed(bench: Bench, service: Service) -> None:
    service.settings["visibility_delay"] = 1000.0
    bench.present(wait=False)
    result = bench.present(type_id=35)
    assert (result["action"], result["instance"]["type"]["id"]) == ("update", 35)
    assert names(service) == ["web"]


def test_without_wait_what_another_run_has_made_meanwhile_is_compared(bench: Bench, service: Service) -> None:
    listed = service.list_instances

    def made_while_listing(query: str | None = None) -> t.Any:
        answer = listed(query)
        if query is None:
            service.add("web")
        return answer

    service.list_instances = made_while_listing  # type: ignore[method-assign]
    result = bench.present(wait=False, type_id=35)
    assert (result["action"], result["instance"]["id"]) == ("update", 250001)
    assert names(service) == ["web"]


def test_the_note_of__an_instance_that_was_removed_does_not_matter(bench: Bench, service: Service) -> None:
    bench.present(wait=False)
    service.clock.sleep(60)
    bench.run(name="web", state="absent")
    assert bench.present()["changed"] is True
    assert names(service) == ["web"]


def test_a_removal_that_runs_is_not_taken_for_a_create(bench: Bench, service: Service) -> None:
    service.add("web")
    bench.run(name="web", state="absent", wait=False)
    service.change(service.instances[250001], status=126)
    real = service.list_instances
    service.list_instances = lambda query=None: [
        one for one in real(query) if one["Id"] != 250001
    ]  # it hides it already
    result = bench.present(wait=False)
    assert (result["changed"], result["ticket"]) == (True, 5_000_000_002)


def test_a_failed_create_is_told_and_the_next_run_makes_another(bench: Bench, service: Service) -> None:
    service.fail("create")
    with pytest.raises(errors.OperationFailed, match="Creating instance 'web' failed: ticket 5000000001") as caught:
        bench.present()
    assert caught.value.details["ticket"] == 5_000_000_001
    service.vanish()
    service.fail()
    assert bench.present()["changed"] is True
    assert names(service) == ["web"]


def test_a_failed_create_after_an_unclear_answer_is_an_error(bench: Bench, service: Service) -> None:
    service.fail("create")
    service.settings["visibility_delay"] = 1e6
    service.settings["ticket_seconds"] = 0.1
    service.faults["create_instance"] = [Fault(errors.Unclear("Reset."), after=True)]
    with pytest.raises(errors.FcdError):
        bench.present(create_grace=5.0)


@pytest.mark.parametrize("hidden", [0.0, 15.0])
def test_a_ticket_that_vanishes_leads_to_the_instance_all_the_same(
    bench: Bench, service: Service, hidden: float
) -> None:
    service.settings["visibility_delay"] = hidden
    service.settings["lost_tickets"] = "."
    result = bench.present()
    assert (result["changed"], result["instance"]["status"]["id"]) == (True, 86)
    assert names(service) == ["web"]


def test_a_ticket_that_vanishes_and_leads_nowhere_is_an_error(bench: Bench, service: Service) -> None:
    service.settings["visibility_delay"] = 1000.0
    service.settings["lost_tickets"] = "."
    with pytest.raises(errors.CannotDetermine, match="returned no ID for it, and none of that name is") as caught:
        bench.present()
    assert caught.value.details["ticket"] == 5_000_000_001


def test_a_ticket_that_never_ends_ends_the_task_at_the_wait_timeout(bench: Bench, service: Service) -> None:
    service.settings["ticket_seconds"] = 1e9
    with pytest.raises(errors.WaitTimeout, match=r"last seen: ticket 5000000001, 0 %") as caught:
        bench.present(wait_timeout=60.0)
    assert caught.value.details["ticket"] == 5_000_000_001


def test_notes_hold_no_secret_and_no_other_user_can_read_them(bench: Bench, service: Service) -> None:
    bench.present(wait=False)
    found = notes(bench.folder)
    assert len(found) == 1
    assert "bearer-of-the-tests" not in found[0].read_text(encoding="utf-8")
    assert found[0].stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("moment", [0.0, 30.0])
@pytest.mark.parametrize("state", ["present", "started", "stopped"])
def test_a_create_that_is_under_way_can_be_waited_for_by_the_name_alone(
    bench: Bench, service: Service, moment: float, state: str
) -> None:
    service.settings["visibility_delay"] = 1000.0
    bench.present(wait=False)
    service.clock.sleep(moment)
    result = bench.run(name="web", state=state)
    assert result["instance"]["id"] == 250001
    assert result["instance"]["status"]["label"] == ("Powered Off" if state == "stopped" else "Powered On")
    assert result["changed"] is (state == "stopped")
    assert "create_instance" not in service.names()


@pytest.mark.parametrize("moment", [0.0, 30.0])
def test_a_create_that_is_under_way_can_be_removed(
    bench: Bench, service: Service, tmp_path: pathlib.Path, moment: float
) -> None:
    service.settings["visibility_delay"] = 1000.0
    bench.present(wait=False)
    service.clock.sleep(moment)
    assert bench.run(name="web", state="absent", check_mode=True)["changed"] is True
    assert service.writes() == []
    assert bench.run(name="web", state="absent")["changed"] is True
    assert service.instances == {}
    assert bench.run(name="web", state="absent")["changed"] is False
    assert service.names() == ["list_instances"] * 2 + ["list_tickets", "get_instance", "list_instances"]


@pytest.mark.parametrize("state", ["present", "stopped", "absent"])
def test_a_list_that_is_stale_after_a_create_does_not_hide_the_instance(
    bench: Bench, service: Service, state: str
) -> None:
    service.settings["visibility_delay"] = 30.0
    made = bench.present()
    result = bench.run(name="web", state=state)
    assert result["changed"] is (state != "present")
    assert (result["instance"] or made["instance"])["id"] == made["instance"]["id"]
    assert len(service.instances) == (state != "absent")


def test_a_create_that_failed_is_no_instance(bench: Bench, service: Service, tmp_path: pathlib.Path) -> None:
    service.settings["visibility_delay"] = 1000.0
    service.fail("create")
    bench.present(wait=False)
    service.clock.sleep(60)
    with pytest.raises(errors.InvalidInput, match="these options are missing to create it"):
        bench.run(name="web")
    assert bench.run(name="web", state="absent")["changed"] is False
