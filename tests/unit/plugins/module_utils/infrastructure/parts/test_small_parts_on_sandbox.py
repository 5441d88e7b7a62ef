# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Private networks, SSH keys and snapshots at the sandbox."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.ssh_key import KeySearch, same_key

from .conftest import Site, operation

DATA = "AAAAC3NzaC1lZDI1NTE5AAAAIOddOddOddOddOddOddOddOddOddOddOddOddOddOdd1"
KEY = f"ssh-ed25519 {DATA} me@example.com"
OTHER = KEY.replace("Odd1", "Odd2")

# ---------------------------------------------------------------- private networks


def test_a_network_is_made_renamed_and_removed(site: Site) -> None:
    made = site.run("private_network", name="inner")
    number = made["private_network"]["id"]
    assert (made["action"], made["private_network"]["instances"]) == ("create", [])
    assert site.run("private_network", name="inner")["changed"] is False
    assert site.sent() == ["GET /opns"]
    assert site.run("private_network", id=number, name="outer", check_mode=True)["action"] == "update"
    assert site.writes() == []
    assert site.run("private_network", id=number, name="outer")["private_network"]["name"] == "outer"
    assert site.run("private_network", name="outer", state="absent")["action"] == "delete"
    for gone in ({"name": "outer"}, {"id": number}):
        assert site.run("private_network", state="absent", **gone)["changed"] is False


def test_a_network_with_instances_is_removed_only_on_request(site: Site) -> None:
    web = site.instance("web", OpnsIds=[41001])
    site.instance("db", OpnsIds=[41001])
    (found,) = site.run("private_network_info", instance="web")["private_networks"]
    assert {one["label"] for one in found["instances"]} == {"web", "db"}
    assert found["instances"][0]["address"].startswith("10.0.0.")
    said = site.fails(errors.InvalidInput, "private_network", name="backend", state="absent")
    assert f"web ({web})" in said
    assert site.writes() == []
    assert site.run("private_network", name="backend", state="absent", force_detach=True)["changed"] is True
    assert site.truth("networks") == []


@pytest.mark.parametrize("status", [403, 404, 405])
def test_a_network_that_cannot_be_read_by_its_number_is_found_in_the_list(site: Site, status: int) -> None:
    """The older line of the service knows only verbs that change one, and answers 405."""
    site.fault("status_before", "GET", r"/opns/\d", status=status, times=0)
    assert site.run("private_network", id=41001, name="backend")["changed"] is False
    assert [one["id"] for one in site.run("private_network_info", id=41001)["private_networks"]] == [41001]
    assert site.run("private_network_info", id=3)["private_networks"] == []


@pytest.mark.parametrize(("params", "count"), [({}, 1), ({"name": "backend"}, 1), ({"name": "x"}, 0), ({"id": 3}, 0)])
def test_networks_are_read(site: Site, params: dict[str, t.Any], count: int) -> None:
    assert len(site.run("private_network_info", **params)["private_networks"]) == count


# ---------------------------------------------------------------- SSH keys


def test_a_key_is_stored_and_removed(site: Site) -> None:
    made = site.run("ssh_key", name="mine", public_key=f"{KEY}\n")
    assert (made["action"], made["ssh_key"]["public_key"]) == ("create", KEY)
    again = site.run("ssh_key", name="mine", public_key=f"  ssh-ed25519   {DATA} somebody else")
    assert (again["changed"], site.sent()) == (False, ["GET /account/sshkeys"])
    assert site.run("ssh_key", name="mine")["changed"] is False
    assert site.run("ssh_key", name="mine", state="absent")["action"] == "delete"
    assert site.run("ssh_key", name="mine", state="absent")["changed"] is False
    assert len(site.truth("keys")) == 1


def test_another_key_of_that_name_is_an_error_or_stored_anew(site: Site) -> None:
    first = site.run("ssh_key", name="mine", public_key=KEY)["ssh_key"]["id"]
    said = site.fails(errors.ImmutableChange, "ssh_key", name="mine", public_key=OTHER)
    assert "recreate: true" in said
    assert site.writes() == []
    foreseen = site.run("ssh_key", name="mine", public_key=OTHER, recreate=True, check_mode=True)
    assert (foreseen["ssh_key"]["id"], foreseen["diff"]["after"]["id"]) == (None, "(known after apply)")
    assert site.writes() == []
    replaced = site.run("ssh_key", name="mine", public_key=OTHER, recreate=True)
    assert replaced["ssh_key"]["public_key"] == OTHER
    assert replaced["ssh_key"]["id"] != first
    assert site.run("ssh_key", name="mine", public_key=OTHER, recreate=True)["changed"] is False
    assert len(site.truth("keys")) == 2


def test_a_run_that_died_between_the_two_halves_is_made_up_for(site: Site) -> None:
    site.run("ssh_key", name="mine", public_key=KEY)
    site.fault("status_before", "POST", "sshkeys", status=400, own_words=True)
    site.fails(errors.Rejected, "ssh_key", name="mine", public_key=OTHER, recreate=True)
    assert site.run("ssh_key", name="mine", public_key=OTHER, recreate=True)["action"] == "create"


def test_a_list_that_still_shows_the_old_key_does_not_keep_the_new_one_away(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = site.run("ssh_key", name="mine", public_key=KEY)["ssh_key"]
    stale = {"Id": old["id"], "Name": "mine", "Value": KEY}
    listed = KeySearch.list_items
    monkeypatch.setattr(
        KeySearch, "list_items", lambda self: [one for one in listed(self) if one["Id"] != old["id"]] + [stale]
    )
    replaced = site.run("ssh_key", name="mine", public_key=OTHER, recreate=True)
    assert replaced["ssh_key"]["public_key"] == OTHER


def test_a_private_key_goes_nowhere(site: Site) -> None:
    text = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk\n-----END OPENSSH PRIVATE KEY-----\n"
    said = site.fails(errors.InvalidInput, "ssh_key", name="mine", public_key=text)
    assert "b3Blb" not in said
    assert site.sent() == []
    task = site.task()
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
def test_rubbish_is_no_key(site: Site, text: str, wrong: str, check_mode: bool) -> None:
    said = site.fails(errors.InvalidInput, "ssh_key", name="mine", public_key=text, check_mode=check_mode)
    assert wrong in said
    assert "Sup3r" not in said
    assert site.sent() == []


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


def test_keys_are_read(site: Site) -> None:
    (seed,) = site.run("ssh_key_info")["ssh_keys"]
    assert site.run("ssh_key_info", name="operations")["ssh_keys"] == [seed]
    assert site.run("ssh_key_info", id=seed["id"])["ssh_keys"] == [seed]
    assert site.run("ssh_key_info", id=5)["ssh_keys"] == []


# ---------------------------------------------------------------- snapshots


def test_a_snapshot_is_made_described_and_removed(site: Site) -> None:
    web = site.instance("web")
    wish = {"name": "before", "instance": "web", "description": "before the update"}
    made = site.run("snapshot", **wish)
    assert made["snapshot"]["instance"] == {"id": web, "label": "web"}
    again = site.run("snapshot", **wish)
    assert (again["changed"], again["snapshot"]) == (False, made["snapshot"])
    assert site.sent() == ["GET /instances", f"GET /instances/{web}/snapshots"]
    changed = site.run("snapshot", **{**wish, "description": "other"})
    assert (changed["action"], changed["snapshot"]["description"]) == ("update", "other")
    renamed = site.run("snapshot", id=made["snapshot"]["id"], name="after")
    assert (renamed["snapshot"]["name"], renamed["snapshot"]["description"]) == ("after", "other")
    assert site.run("snapshot", name="after", state="absent")["action"] == "delete"
    assert site.run("snapshot", name="after", state="absent")["changed"] is False
    assert site.truth("snapshots") == []


def test_snapshots_of_two_instances_may_have_one_name(site: Site) -> None:
    web, db = site.instance("web"), site.instance("db")
    numbers = [site.run("snapshot", name="before", instance=str(one))["snapshot"]["id"] for one in (web, db)]
    assert site.run("snapshot", name="before", instance="db")["snapshot"]["id"] == numbers[1]
    assert "2 snapshots" in site.fails(errors.Ambiguous, "snapshot", name="before", state="absent")
    (found,) = site.run("snapshot_info", instance="web")["snapshots"]
    assert (found["id"], found["instance"]) == (numbers[0], {"id": web, "label": "web"})
    assert site.sent() == ["GET /instances", f"GET /instances/{web}/snapshots"]
    assert len(site.run("snapshot_info", name="before")["snapshots"]) == 2
    assert "instance is web" in site.fails(errors.ImmutableChange, "snapshot", id=numbers[0], instance="db")


def test_an_instance_is_meant_by_its_name_as_by_its_number(site: Site) -> None:
    """The service names the instance of a snapshot by its number only."""
    site.settings(restore_while_running=True)
    web = site.instance("web")
    made = site.run("snapshot", name="before", instance="web")["snapshot"]
    for instance in ("web", str(web), " web "):
        assert site.run("snapshot", name="before", instance=instance)["changed"] is False
        assert [one["id"] for one in site.run("snapshot_info", instance=instance)["snapshots"]] == [made["id"]]
        restored = site.run("snapshot_restore", name="before", instance=instance)
        assert (restored["snapshot"]["id"], restored["snapshot"]["instance"]["label"]) == (made["id"], "web")
    assert len(site.truth("snapshots")) == 1
    assert site.run("snapshot", name="before", instance="web", state="absent")["action"] == "delete"
    assert site.run("snapshot", name="before", instance="web", state="absent")["changed"] is False
    assert site.truth("snapshots") == []


def test_a_snapshot_of_another_instance_is_not_restored(site: Site) -> None:
    site.instance("web")
    db = site.instance("db")
    number = site.run("snapshot", name="before", instance=str(db))["snapshot"]["id"]
    said = site.fails(errors.InvalidInput, "snapshot_restore", id=number, instance="web")
    assert said.startswith(f"There is no snapshot {number} of instance web.")
    assert "no instance 'nobody'" in site.fails(errors.InvalidInput, "snapshot_restore", name="x", instance="nobody")
    assert "no instance 'nobody'" in site.fails(errors.InvalidInput, "snapshot_info", instance="nobody")
    assert site.writes() == []


def test_what_a_snapshot_lacks(site: Site) -> None:
    assert "missing to create it: instance" in site.fails(errors.InvalidInput, "snapshot", name="before")
    assert "no instance 'nobody'" in site.fails(errors.InvalidInput, "snapshot", name="before", instance="nobody")
    assert site.run("snapshot", name="before", instance="nobody", state="absent")["changed"] is False


def test_a_running_instance_may_have_to_be_turned_off_first(site: Site) -> None:
    site.instance("web")
    site.run("snapshot", name="before", instance="web")
    said = site.fails(errors.OperationFailed, "snapshot_restore", name="before", instance="web")
    assert said.endswith("If the instance is running, turn it off first: instance with state: stopped.")
    site.api.power_off(site.truth("instances")[0]["Id"])
    assert site.run("snapshot_restore", name="before", instance="web")["changed"] is True


def test_a_snapshot_is_restored(site: Site) -> None:
    site.instance("web")
    site.settings(lock_tail=0.0, restore_while_running=True)
    made = site.run("snapshot", name="before", instance="web")["snapshot"]
    assert site.run("snapshot_restore", name="before", check_mode=True) == {
        "changed": True,
        "snapshot": made,
        "ticket": None,
    }
    assert site.writes() == []
    done = site.run("snapshot_restore", name="before", instance="web")
    assert done["ticket"] > 0
    assert site.writes() == [f"POST /snapshots/{made['id']}/restore_ticket"]
    assert "There is no snapshot 'x'" in site.fails(errors.InvalidInput, "snapshot_restore", name="x")


def test_an_unclear_restore_is_never_sent_again(site: Site) -> None:
    site.instance("web")
    number = site.run("snapshot", name="before", instance="web")["snapshot"]["id"]
    site.fault("drop_after", "POST", "restore", times=0)
    assert "it is not known whether it has started" in site.fails(errors.CannotDetermine, "snapshot_restore", id=number)
    assert len(site.writes()) == 1


def test_a_redirected_restore_was_certainly_not_done(site: Site) -> None:
    site.instance("web")
    number = site.run("snapshot", name="before", instance="web")["snapshot"]["id"]
    site.fault("redirect", "POST", "restore", status=307)
    assert "this was not followed" in site.fails(errors.Unusable, "snapshot_restore", id=number)


def test_a_locked_instance_is_waited_for(site: Site) -> None:
    web = site.instance("web")
    site.settings(ticket_seconds=0.2, restore_while_running=True)
    site.api.change_name(web, "other")
    made = site.run("snapshot", name="before", instance=str(web))
    assert made["changed"] is True
    site.api.change_name(web, "web")
    assert site.run("snapshot_restore", name="before")["changed"] is True
    site.api.change_name(web, "other")
    assert site.run("snapshot", name="before", state="absent")["changed"] is True
