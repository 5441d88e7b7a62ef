# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whose object an answer is about: nobody else's is changed, and a service that changes names gets one object."""

from __future__ import annotations

import itertools
import typing as t

import pytest
from sandbox.quick_clock import QuickClock

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import has_changed
from ansible_collections.fcd.cloud.plugins.module_utils._core.text import is_alike
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.rest_client import ListedValue

from .conftest import Account

PLACE = {"template": "CentOS 7", "subregion": "EU-001", "type": "v1.standard-2.2"}
KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOddOddOddOddOddOddOddOddOddOddOddOddOddOdd1"


class Kind(t.NamedTuple):
    """A kind of object: what creates one, its option of the name, where it is created and what the sandbox calls it."""

    wish: dict[str, t.Any]
    path: str
    table: str
    key: str = "name"


KINDS = {
    "disk": Kind({"size": 10, "disk_class": "48", "subregion": "1"}, "/disks", "disks"),
    "instance": Kind(PLACE, "/instances", "instances"),
    "ip_address": Kind({"subregion": "1"}, "/instances/ip_addresses", "ips", "comment"),
    "private_network": Kind({}, "/opns", "networks"),
    "snapshot": Kind({"instance": "web"}, "/instances/[0-9]+/snapshots", "snapshots"),
    "ssh_key": Kind({"public_key": KEY}, "/account/sshkeys", "keys"),
}


def names(account: Account, module: str) -> dict[int, str]:
    """Return the names of all objects of that kind, by their IDs."""
    member = KINDS[module].key.capitalize()
    return {one["Id"]: one[member] for one in account.truth(KINDS[module].table)}


def create(account: Account, module: str, name: str) -> dict[str, t.Any]:
    """Run the module that creates an object of that name."""
    return account.run(module, **{KINDS[module].key: name, **KINDS[module].wish}, create_grace=1.0)


def answer_of_create(account: Account, module: str, result: dict[str, t.Any]) -> dict[str, t.Any]:
    """Return what the service has answered to that create, or could have: the ticket, or the object."""
    if result["ticket"] is not None:
        return account.api.get_ticket(result["ticket"])
    return account.api.read_one("Read", f"{KINDS[module].path}/{result[module]['id']}")


@pytest.mark.parametrize(
    ("module", "spelling"),
    [*zip(KINDS, itertools.cycle(["lower", "cut"])), ("ip_address", "stripped")],
)
def test_a_service_that_changes_names_gets_one_object(account: Account, module: str, spelling: str) -> None:
    sent = "Name of it " if spelling == "stripped" else "Name of it"  # only a comment may end with a blank
    account.instance("web")
    before = names(account, module)
    account.settings(kept_names=spelling, copied_object_id="new")
    for run in range(3):
        with pytest.raises(errors.OperationFailed) as caught:
            create(account, module, sent)
        [(number, name)] = names(account, module).items() - before.items()
        assert f"{sent!r} was created with the ID {number}, but its" in caught.value.message
        assert f"is {name!r}." in caught.value.message
        assert has_changed(caught.value) is (run == 0)
        assert len(account.writes()) == (run == 0) + (run == 0 and module == "ip_address")
    assert account.run(module, id=number, state="absent")["changed"] is True
    account.settings(kept_names="as sent")
    assert create(account, module, sent)["changed"] is True


@pytest.mark.parametrize("done", [True, False])
@pytest.mark.parametrize("module", KINDS)
def test_a_create_that_is_answered_with_an_earlier_one(account: Account, module: str, done: bool) -> None:
    account.instance("web")
    answer = answer_of_create(account, module, create(account, module, "theirs"))
    before = names(account, module)
    account.fault(
        "status_after" if done else "status_before", "POST", f"{KINDS[module].path}$", status=200, body=answer
    )
    if done:
        result = create(account, module, "ours")
        assert result["changed"] is True
        assert names(account, module) == {**before, result[module]["id"]: "ours"}
    else:
        with pytest.raises(errors.CannotDetermine) as caught:
            create(account, module, "ours")
        assert has_changed(caught.value)
        assert names(account, module) == before


def test_an_export_that_is_answered_with_one_of_another_instance(account: Account) -> None:
    """Which no list of the own instance has shown before."""
    place = {"location": "exports", "project": "backups"}
    for name in ("ours", "theirs"):
        account.instance(name)
    made = account.run("instance_export", name="theirs", instance="theirs", **place)["instance_export"]["id"]
    account.fault("status_before", "POST", "/exports$", status=200, body=account.api.get_export(made))
    with pytest.raises(errors.CannotDetermine):
        account.run("instance_export", name="ours", instance="ours", **place, create_grace=1.0)
    assert len(account.truth("exports")) == 1


@pytest.mark.parametrize("module", KINDS)
def test_a_read_that_shows_another_object(account: Account, module: str) -> None:
    account.instance("web")
    theirs, ours = (create(account, module, name)[module]["id"] for name in ("theirs", "ours"))
    path, before = KINDS[module].path.replace("/instances/[0-9]+", ""), names(account, module)
    row = account.api.read_one("Read", f"{path}/{theirs}")
    account.fault("status_before", "GET", rf"{path}/{ours}$", status=200, body=row)
    with pytest.raises(errors.Unusable, match=f"is about another object, {theirs}"):
        account.run(module, id=ours, **{KINDS[module].key: "new"})
    assert names(account, module) == before


@pytest.mark.parametrize("module", ["disk", "instance"])
def test_a_ticket_that_shows_another_one(account: Account, module: str) -> None:
    account.instance("web")
    theirs = account.api.get_ticket(create(account, module, "theirs")["ticket"])
    before = names(account, module)
    account.fault("status_before", "GET", r"/tickets/[0-9]+$", status=200, body=theirs)
    made = create(account, module, "ours")[module]["id"]
    assert names(account, module) == {**before, made: "ours"}


@pytest.mark.parametrize("module", ["instance_clone", "snapshot"])
def test_a_copy_that_neither_its_name_nor_its_ticket_leads_to(account: Account, module: str) -> None:
    account.instance("web")
    account.settings(kept_names="lower", copied_object_id="source")
    clone = {"name": "web", "clone_name": "Copy", "clone_type": "current_configuration"}
    wish = clone if module == "instance_clone" else {"name": "Copy", "instance": "web"}
    for _run in range(2):
        told = account.fails(errors.OperationFailed, module, **wish, create_grace=0.5)
        assert "but its name is 'copy'" in told
    table = KINDS[module.removesuffix("_clone")].table
    assert [one["Name"] for one in account.truth(table) if one["Name"] != "web"] == ["copy"]


def test_a_template_whose_name_the_service_changes(account: Account) -> None:
    account.instance("web")
    account.settings(kept_names="lower")
    words = [{"language": "English", "description": "made by a test"}]
    wish = {"name": "web", "template_name": "Image", "version": "1", "descriptions": words}
    told = account.fails(errors.OperationFailed, "instance_to_template", **wish)
    assert "was created, but its name is 'image'" in told
    assert "There is the template 'image' (" in account.fails(errors.InvalidInput, "instance_to_template", **wish)


@pytest.mark.parametrize(
    ("kept", "alike"),
    [("WEB-SERVER 1", True), ("web-server", True), ("web-server 1", True), ("web-server 12", False), ("", False)],
)
def test_the_names_that_a_service_may_make_of_one(kept: str, alike: bool) -> None:
    assert is_alike("Web-Server  1 ", kept) is alike


def test_a_key_that_was_accepted_and_not_made(account: Account) -> None:
    account.settings(accept_only=True)
    told = account.fails(errors.OperationFailed, "ssh_key", name="ours", **KINDS["ssh_key"].wish, create_grace=0.5)
    assert "the service has accepted it, but there is no SSH key" in told


@pytest.mark.parametrize("module", ["disk", "instance"])
def test_rows_that_do_not_tell_a_name(account: Account, module: str) -> None:
    theirs, ours = (create(account, module, name)[module]["id"] for name in ("theirs", "ours"))
    rows = [{"Id": number} for number in (theirs, ours)]
    account.fault("status_before", "GET", rf"/{module}s\?", times=2, status=200, body={"Items": rows})
    assert account.run(module, name="ours", state="absent")["changed"]
    assert ours not in names(account, module)
    assert theirs in names(account, module)
    rows = [{"Id": number} for number in range(theirs, theirs + 101)]
    account.fault("status_before", "GET", rf"/{module}s\?", times=0, status=200, body={"Items": rows})
    assert "rows in the list of the" in account.fails(errors.Unusable, module, name="theirs", state="absent")


def test_instances_of_a_fleet_whose_names_the_service_changes(account: Account) -> None:
    account.settings(kept_names="lower")
    wish = {"instances": [{"name": "Web"}, {"name": "db"}], "instance_defaults": PLACE}
    for _run in range(2):
        result = account.run("instance_fleet", **wish, create_grace=1.0)
        assert [one["action"] == "failed" for one in result["outcomes"]] == [True, False]
        assert "'Web' was created with the ID" in result["msg"]
        assert sorted(names(account, "instance").values()) == ["db", "web"]


def test_a_row_that_is_listed_before_its_name(account: Account) -> None:
    number = create(account, "ssh_key", "theirs")["ssh_key"]["id"]
    listed = account.api.list_ssh_keys()
    rows = [*listed, {**listed[-1], "Id": number + 1, "Name": None}]
    answer = {"status": 200, "body": {"Items": rows, "Meta": {"Total": len(rows)}}}
    account.fault(
        "status_before", "GET", r"/sshkeys\?", skip=2, times=0, **answer
    )  # after both looks for an existing one
    assert create(account, "ssh_key", "ours")["ssh_key"]["id"] == number + 1
    account.sandbox.clear_faults()
    account.fault("status_before", "GET", r"/sshkeys\?", times=0, **answer)
    assert create(account, "ssh_key", "ours")["changed"] is False
    assert account.writes() == []


TIMES = {"every": "1 day", "at": "22:00", "timezone": "Europe/Warsaw"}
REMOVABLE = {
    **KINDS,
    "health_check": Kind({"kind": "ping", "address": "192.0.2.7"}, "", "health_checks"),
    "health_check_notification": Kind({"type": "email"}, "", "health_check_notifications", "address"),
    "instance_group": Kind({}, "", "groups"),
    "instance_schedule": Kind({"instance": "web", "action": "stop", **TIMES}, "", "schedules"),
}


@pytest.mark.parametrize("module", REMOVABLE)
def test_an_id_beside_the_name_of_another_object_removes_nothing(account: Account, module: str) -> None:
    account.instance("web")
    wish, key = REMOVABLE[module].wish, REMOVABLE[module].key
    more = {"type": "email"} if module == "health_check_notification" else {}
    made = [account.run(module, **{key: name, **wish}) for name in ("first@example.com", "second@example.com")]
    first, second = (one[module]["id"] for one in made)
    for check_mode in (True, False):
        wrong = {"id": first, key: "second@example.com", **more, "state": "absent", "check_mode": check_mode}
        said = account.fails(errors.InvalidInput, module, **wrong)
        assert f" {first} has the {key} 'first@example.com', not 'second@example.com'. Nothing was changed." in said
        assert account.writes() == []
    assert account.run(module, id=first, **{key: "first@example.com"}, **more, state="absent")["changed"] is True
    said = account.fails(errors.InvalidInput, module, id=first, **{key: "second@example.com"}, **more, state="absent")
    assert f" {first}, but {key}" in said
    assert f" stands for {second}. Nothing was changed." in said
    assert account.writes() == []
    assert account.run(module, id=first, **{key: "first@example.com"}, **more, state="absent")["changed"] is False
    assert account.run(module, id=second, state="absent")["changed"] is True


def test_an_id_beside_another_owner_or_type_removes_nothing(account: Account) -> None:
    """What else a name is unique in identifies as well."""
    for name in ("web", "db"):
        account.instance(name)
    snapshot = create(account, "snapshot", "before")["snapshot"]["id"]
    plan = {"name": "nightly", **REMOVABLE["instance_schedule"].wish}
    schedule = account.run("instance_schedule", **plan)["instance_schedule"]["id"]
    notified = {"address": "ops@example.com", "type": "email"}
    notification = account.run("health_check_notification", **notified)["health_check_notification"]["id"]
    address = create(account, "ip_address", "ours")["ip_address"]
    theirs = create(account, "ip_address", "theirs")["ip_address"]
    for module, wrong, says in (
        ("snapshot", {"id": snapshot, "instance": "db"}, "has the instance web"),
        ("instance_schedule", {"id": schedule, "instance": "db"}, "has the instance web"),
        ("health_check_notification", {"id": notification, **notified, "type": "sms"}, "has the type"),
        ("ip_address", {"id": address["id"], "address": theirs["address"]}, f"has the address '{address['address']}'"),
        ("ip_address", {"address": address["address"], "comment": "theirs"}, "has the comment 'ours'"),
    ):
        assert says in account.fails(errors.InvalidInput, module, **wrong, state="absent")
        assert account.writes() == []
    ours = {"id": address["id"], "address": address["address_v6"] or address["address"], "comment": "ours"}
    assert account.run("ip_address", **ours, state="absent")["changed"] is True


def test_an_id_beside_the_name_of_another_snapshot_restores_nothing(account: Account) -> None:
    account.instance("web")
    first, _second = (create(account, "snapshot", name)["snapshot"]["id"] for name in ("first", "second"))
    said = account.fails(errors.InvalidInput, "snapshot_restore", id=first, name="second")
    assert "has the name 'first', not 'second'" in said
    assert account.writes() == []


WAITING: dict[str, tuple[str, str, dict[str, t.Any]]] = {
    "instance retyped": ("instance", "instance", {"name": "ours", "type": "v1.standard-4.4"}),
    "instance removed": ("instance", "instance", {"name": "ours", "state": "absent"}),
    "instance rebooted": ("instance", "instance_power", {"name": "ours", "action": "reboot"}),
    "snapshot of it": ("instance", "snapshot", {"name": "before", "instance": "ours"}),
    "disk grown": ("disk", "disk", {"name": "ours", "size": 20}),
    "disk removed": ("disk", "disk", {"name": "ours", "state": "absent"}),
}


class FirstWait(QuickClock):
    """Does something when a task waits for the first time."""

    def __init__(self, begins: t.Callable[[], None]) -> None:
        super().__init__()
        self._begins: list[t.Callable[[], None]] = [begins]

    def sleep(self, seconds: float) -> None:
        """Wait."""
        if self._begins:
            self._begins.pop()()
        super().sleep(seconds)


@pytest.mark.parametrize("case", WAITING)
def test_what_somebody_renames_during_a_wait_is_left_alone(account: Account, case: str) -> None:
    kind, module, wish = WAITING[case]
    made = create(account, kind, "ours")[kind]["id"]
    account.settings(hang_tickets="ours")
    account.run(kind, id=made, name="theirs", wait=False)
    accepted = len(account.truth("tickets"))
    account.clock = FirstWait(lambda: account.settings(hang_tickets=None))
    said = account.fails(errors.Unconfirmed, module, **wish)
    assert f" {made} as 'ours', but the object itself says 'theirs': the list is late, or something else has" in said
    assert (len(account.truth("tickets")), names(account, kind)[made]) == (accepted, "theirs")


def test_what_several_threads_confirm_at_the_same_time(account: Account) -> None:
    """The instances of a fleet name the same network."""
    network = create(account, "private_network", "ours")["private_network"]["id"]
    api, key = account.api, ("private network", network)

    def read() -> dict[str, t.Any]:
        api.unconfirmed.pop(key, None)  # as another thread does that was faster
        return api.get_network(network)

    api.unconfirmed[key] = ListedValue("private network", read, "Name", "ours")
    api.confirm({"PrivateNetworks": [network]})
    assert api.unconfirmed == {}
