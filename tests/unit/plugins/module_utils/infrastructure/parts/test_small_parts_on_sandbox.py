# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Private networks, SSH keys and snapshots at the sandbox."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.ssh_key import KeySearch, same_key

from .conftest import Account, operation

DATA = "AAAAC3NzaC1lZDI1NTE5AAAAIOddOddOddOddOddOddOddOddOddOddOddOddOddOdd1"
KEY = f"ssh-ed25519 {DATA} me@example.com"
OTHER = KEY.replace("Odd1", "Odd2")

# ---------------------------------------------------------------- private networks


def test_a_network_is_made_renamed_and_removed(account: Account) -> None:
    made = account.run("private_network", name="inner")
    number = made["private_network"]["id"]
    assert (made["action"], made["private_network"]["instances"]) == ("create", [])
    assert account.run("private_network", name="inner")["changed"] is False
    assert account.sent() == ["GET /opns"]
    assert account.run("private_network", id=number, name="outer", check_mode=True)["action"] == "update"
    assert account.writes() == []
    assert account.run("private_network", id=number, name="outer")["private_network"]["name"] == "outer"
    assert account.run("private_network", name="outer", state="absent")["action"] == "delete"
    for gone in ({"name": "outer"}, {"id": number}):
        assert account.run("private_network", state="absent", **gone)["changed"] is False


def test_a_network_with_instances_is_removed_only_on_request(account: Account) -> None:
    web = account.instance("web", OpnsIds=[41001])
    account.instance("db", OpnsIds=[41001])
    (found,) = account.run("private_network_info", instance="web")["private_networks"]
    assert {one["label"] for one in found["instances"]} == {"web", "db"}
    assert found["instances"][0]["address"].startswith("10.0.0.")
    said = account.fails(errors.InvalidInput, "private_network", name="backend", state="absent")
    assert f"web ({web})" in said
    assert account.writes() == []
    assert account.run("private_network", name="backend", state="absent", force_detach=True)["changed"] is True
    assert account.truth("networks") == []


@pytest.mark.parametrize("status", [403, 404, 405])
def test_a_network_that_cannot_be_read_by_its_number_is_found_in_the_list(account: Account, status: int) -> None:
    """The older line of the service knows only verbs that change one, and answers 405."""
    account.fault("status_before", "GET", r"/opns/\d", status=status, times=0)
    assert account.run("private_network", id=41001, name="backend")["changed"] is False
    assert [one["id"] for one in account.run("private_network_info", id=41001)["private_networks"]] == [41001]
    assert account.run("private_network_info", id=3)["private_networks"] == []


@pytest.mark.parametrize(("params", "count"), [({}, 1), ({"name": "backend"}, 1), ({"name": "x"}, 0), ({"id": 3}, 0)])
def test_networks_are_read(account: Account, params: dict[str, t.Any], count: int) -> None:
    assert len(account.run("private_network_info", **params)["private_networks"]) == count


# ---------------------------------------------------------------- SSH keys


def test_a_key_is_stored_and_removed(account: Account) -> None:
    made = account.run("ssh_key", name="mine", public_key=f"{KEY}\n")
    assert (made["action"], made["ssh_key"]["public_key"]) == ("create", KEY)
    again = account.run("ssh_key", name="mine", public_key=f"  ssh-ed25519   {DATA} somebody else")
    assert (again["changed"], account.sent()) == (False, ["GET /account/sshkeys"])
    assert account.run("ssh_key", name="mine")["changed"] is False
    assert account.run("ssh_key", name="mine", state="absent")["action"] == "delete"
    assert account.run("ssh_key", name="mine", state="absent")["changed"] is False
    assert len(account.truth("keys")) == 1


def test_another_key_of_that_name_is_an_error_or_stored_anew(account: Account) -> None:
    first = account.run("ssh_key", name="mine", public_key=KEY)["ssh_key"]["id"]
    said = account.fails(errors.ImmutableChange, "ssh_key", name="mine", public_key=OTHER)
    assert "recreate: true" in said
    assert account.writes() == []
    foreseen = account.run("ssh_key", name="mine", public_key=OTHER, recreate=True, check_mode=True)
    assert (foreseen["ssh_key"]["id"], foreseen["diff"]["after"]["id"]) == (None, "(known after apply)")
    assert account.writes() == []
    replaced = account.run("ssh_key", name="mine", public_key=OTHER, recreate=True)
    assert replaced["ssh_key"]["public_key"] == OTHER
    assert replaced["ssh_key"]["id"] != first
    assert account.run("ssh_key", name="mine", public_key=OTHER, recreate=True)["changed"] is False
    assert len(account.truth("keys")) == 2


def test_a_run_that_died_between_the_two_halves_is_made_up_for(account: Account) -> None:
    account.run("ssh_key", name="mine", public_key=KEY)
    account.fault("status_before", "POST", "sshkeys", status=400, own_words=True)
    account.fails(errors.Rejected, "ssh_key", name="mine", public_key=OTHER, recreate=True)
    assert account.run("ssh_key", name="mine", public_key=OTHER, recreate=True)["action"] == "create"


def test_a_list_that_still_shows_the_old_key_does_not_keep_the_new_one_away(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = account.run("ssh_key", name="mine", public_key=KEY)["ssh_key"]
    stale = {"Id": old["id"], "Name": "mine", "Value": KEY}
    listed = KeySearch.list_items
    monkeypatch.setattr(
        KeySearch, "list_items", lambda self: [one for one in listed(self) if one["Id"] != old["id"]] + [stale]
    )
    replaced = account.run("ssh_key", name="mine", public_key=OTHER, recreate=True)
    assert replaced["ssh_key"]["public_key"] == OTHER


def test_a_private_key_goes_nowhere(account: Account) -> None:
    text = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk\n-----END OPENSSH PRIVATE KEY-----\n"
    said = account.fails(errors.InvalidInput, "ssh_key", name="mine", public_key=text)
    assert "b3Blb" not in said
    assert account.sent() == []
    task = account.task()
    with pytest.raises(errors.InvalidInput):
        operation("ssh_key").run(task, {"name": "mine", "public_key": text, "state": "present"})
    assert text in task.redactor.secrets  # so that no result shows the options as they were given


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("Sup3rSecret", "it must start with a type such as ssh-ed25519"),
        ("ssh-ed25519 Sup3r-Secret mine", "the data after the type is not base64"),
        (f"ssh-rsa {DATA}", "the data is not that of a key of the type before it"),
        (DATA, "it must start with a type such as ssh-ed25519"),
        (f"{KEY}\n{KEY}", "it must be a single line with one key"),
        ("---- BEGIN SSH2 PUBLIC KEY ----\nSup3r", "Convert it with ssh-keygen -i -f FILE"),
        ("ssh-ed25519 AAAA", "Check that the key is complete"),
    ],
)
@pytest.mark.parametrize("check_mode", [False, True])
def test_rubbish_is_no_key(account: Account, text: str, wrong: str, check_mode: bool) -> None:
    said = account.fails(errors.InvalidInput, "ssh_key", name="mine", public_key=text, check_mode=check_mode)
    assert wrong in said
    assert "Sup3r" not in said
    assert account.sent() == []


@pytest.mark.parametrize(
    ("desired", "current", "same"),
    [
        (KEY, KEY, True),
        (KEY, f"ssh-ed25519 {DATA}", True),
        (f"\n {KEY} \n", KEY, True),
        (KEY, OTHER, False),
        (KEY, KEY.replace("ssh-ed25519", "ssh-rsa"), False),
        ("some other form", "some other form ", True),
        ("some other form", "some other kind", False),
        (KEY, None, False),
        (f"{KEY}\n{OTHER}", f"{KEY}\n{KEY}", False),
        (f"{KEY}\n{OTHER}\n", f"{KEY}\n{OTHER}", True),
    ],
)
def test_comments_and_blanks_do_not_count(desired: str, current: str | None, same: bool) -> None:
    assert same_key(desired, current) is same


def test_keys_are_read(account: Account) -> None:
    (seed,) = account.run("ssh_key_info")["ssh_keys"]
    assert account.run("ssh_key_info", name="operations")["ssh_keys"] == [seed]
    assert account.run("ssh_key_info", id=seed["id"])["ssh_keys"] == [seed]
    assert account.run("ssh_key_info", id=5)["ssh_keys"] == []


# ---------------------------------------------------------------- snapshots


def test_a_snapshot_is_made_described_and_removed(account: Account) -> None:
    web = account.instance("web")
    wish = {"name": "before", "instance": "web", "description": "before the update"}
    made = account.run("snapshot", **wish)
    assert made["snapshot"]["instance"] == {"id": web, "label": "web"}
    again = account.run("snapshot", **wish)
    assert (again["changed"], again["snapshot"]) == (False, made["snapshot"])
    assert account.sent() == ["GET /instances", f"GET /instances/{web}/snapshots"]
    changed = account.run("snapshot", **{**wish, "description": "other"})
    assert (changed["action"], changed["snapshot"]["description"]) == ("update", "other")
    renamed = account.run("snapshot", id=made["snapshot"]["id"], name="after")
    assert (renamed["snapshot"]["name"], renamed["snapshot"]["description"]) == ("after", "other")
    assert account.run("snapshot", name="after", state="absent")["action"] == "delete"
    assert account.run("snapshot", name="after", state="absent")["changed"] is False
    assert account.truth("snapshots") == []


def test_snapshots_of_two_instances_may_have_one_name(account: Account) -> None:
    web, db = account.instance("web"), account.instance("db")
    numbers = [account.run("snapshot", name="before", instance=str(one))["snapshot"]["id"] for one in (web, db)]
    assert account.run("snapshot", name="before", instance="db")["snapshot"]["id"] == numbers[1]
    assert "2 snapshots" in account.fails(errors.Ambiguous, "snapshot", name="before", state="absent")
    (found,) = account.run("snapshot_info", instance="web")["snapshots"]
    assert (found["id"], found["instance"]) == (numbers[0], {"id": web, "label": "web"})
    assert account.sent() == ["GET /instances", f"GET /instances/{web}/snapshots"]
    assert len(account.run("snapshot_info", name="before")["snapshots"]) == 2
    assert "instance is web" in account.fails(errors.ImmutableChange, "snapshot", id=numbers[0], instance="db")


def test_an_instance_is_meant_by_its_name_as_by_its_number(account: Account) -> None:
    """The service names the instance of a snapshot by its number only."""
    account.settings(restore_while_running=True)
    web = account.instance("web")
    made = account.run("snapshot", name="before", instance="web")["snapshot"]
    for instance in ("web", str(web), " web "):
        assert account.run("snapshot", name="before", instance=instance)["changed"] is False
        assert [one["id"] for one in account.run("snapshot_info", instance=instance)["snapshots"]] == [made["id"]]
        restored = account.run("snapshot_restore", name="before", instance=instance)
        assert (restored["snapshot"]["id"], restored["snapshot"]["instance"]["label"]) == (made["id"], "web")
    assert len(account.truth("snapshots")) == 1
    assert account.run("snapshot", name="before", instance="web", state="absent")["action"] == "delete"
    assert account.run("snapshot", name="before", instance="web", state="absent")["changed"] is False
    assert account.truth("snapshots") == []


def test_a_snapshot_of_another_instance_is_not_restored(account: Account) -> None:
    account.instance("web")
    db = account.instance("db")
    number = account.run("snapshot", name="before", instance=str(db))["snapshot"]["id"]
    said = account.fails(errors.InvalidInput, "snapshot_restore", id=number, instance="web")
    assert said.startswith(f"There is no snapshot {number} of instance web.")
    assert "no instance 'nobody'" in account.fails(errors.InvalidInput, "snapshot_restore", name="x", instance="nobody")
    assert "no instance 'nobody'" in account.fails(errors.InvalidInput, "snapshot_info", instance="nobody")
    assert account.writes() == []


def test_what_a_snapshot_lacks(account: Account) -> None:
    assert "missing to create it: instance" in account.fails(errors.InvalidInput, "snapshot", name="before")
    assert "no instance 'nobody'" in account.fails(errors.InvalidInput, "snapshot", name="before", instance="nobody")
    assert account.run("snapshot", name="before", instance="nobody", state="absent")["changed"] is False


def test_a_running_instance_may_have_to_be_turned_off_first(account: Account) -> None:
    account.instance("web")
    account.run("snapshot", name="before", instance="web")
    said = account.fails(errors.OperationFailed, "snapshot_restore", name="before", instance="web")
    assert said.endswith("If the instance is running, turn it off first: instance with state: stopped.")
    account.api.power_off(account.truth("instances")[0]["Id"])
    assert account.run("snapshot_restore", name="before", instance="web")["changed"] is True


def test_a_snapshot_is_restored(account: Account) -> None:
    account.instance("web")
    account.settings(lock_tail=0.0, restore_while_running=True)
    made = account.run("snapshot", name="before", instance="web")["snapshot"]
    assert account.run("snapshot_restore", name="before", check_mode=True) == {
        "changed": True,
        "snapshot": made,
        "ticket": None,
    }
    assert account.writes() == []
    done = account.run("snapshot_restore", name="before", instance="web")
    assert done["ticket"] > 0
    assert account.writes() == [f"POST /snapshots/{made['id']}/restore_ticket"]
    assert "There is no snapshot 'x'" in account.fails(errors.InvalidInput, "snapshot_restore", name="x")


def test_an_unclear_restore_is_never_sent_again(account: Account) -> None:
    account.instance("web")
    number = account.run("snapshot", name="before", instance="web")["snapshot"]["id"]
    account.fault("drop_after", "POST", "restore", times=0)
    assert "it is not known whether it has started" in account.fails(
        errors.CannotDetermine, "snapshot_restore", id=number
    )
    assert len(account.writes()) == 1


def test_a_redirected_restore_was_certainly_not_done(account: Account) -> None:
    account.instance("web")
    number = account.run("snapshot", name="before", instance="web")["snapshot"]["id"]
    account.fault("redirect", "POST", "restore", status=307)
    assert "this was not followed" in account.fails(errors.Unusable, "snapshot_restore", id=number)


def test_a_locked_instance_is_waited_for(account: Account) -> None:
    web = account.instance("web")
    account.settings(ticket_seconds=0.2, restore_while_running=True)
    account.api.change_name(web, "other")
    made = account.run("snapshot", name="before", instance=str(web))
    assert made["changed"] is True
    account.api.change_name(web, "web")
    assert account.run("snapshot_restore", name="before")["changed"] is True
    account.api.change_name(web, "other")
    assert account.run("snapshot", name="before", state="absent")["changed"] is True


# ---------------------------------------------------------------- new names


def two_of(account: Account, kind: str) -> list[int]:
    """Make two objects of a kind, which are called one and two; return their IDs."""
    more: dict[str, dict[str, t.Any]] = {
        "instance": {"template": "Debian 9", "subregion": "EU-001", "type": "v1.standard-2.2"},
        "disk": {"size": 10, "disk_class": "Tier 1", "subregion": "EU-001"},
        "snapshot": {"instance": "web"},
    }
    return [account.run(kind, name=name, **more.get(kind, {}))[kind]["id"] for name in ("one", "two")]


@pytest.mark.parametrize("kind", ["instance", "disk", "snapshot", "private_network"])
def test_no_object_gets_the_name_of_another_one(account: Account, kind: str) -> None:
    if kind == "snapshot":
        account.instance("web")
    one, two = two_of(account, kind)
    for check_mode in (True, False):
        said = account.fails(errors.InvalidInput, kind, id=two, name="one", check_mode=check_mode)
        assert f"cannot get the name 'one', which another one has: {one}." in said
        assert account.writes() == []
    assert account.run(kind, id=two, name="three")[kind]["name"] == "three"


def test_snapshots_of_two_instances_may_share_a_name(account: Account) -> None:
    for name in ("web", "db"):
        account.instance(name)
    account.run("snapshot", name="daily", instance="web")
    number = account.run("snapshot", name="weekly", instance="db")["snapshot"]["id"]
    assert account.run("snapshot", id=number, name="daily")["snapshot"]["name"] == "daily"
