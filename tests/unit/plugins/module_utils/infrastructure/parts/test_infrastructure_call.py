# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Any operation of the infrastructure interface, called by its name at the sandbox."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.infrastructure_call import (
    INFRASTRUCTURE_CALL,
    CachedReads,
)

from .conftest import Account, Result

KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOddOddOddOddOddOddOddOddOddOddOddOddOddOdd1 me@example.com"
DISK = {"disk_name": "scratch", "space_capacity": 10, "tier_id": 48, "subregion_id": 1}


class Caller:
    """Calls operations; ``fails`` returns what an error says."""

    def __init__(self, account: Account) -> None:
        self.account = account

    def __call__(
        self, operation: str, /, *, check_mode: bool = False, options: t.Any = None, **inputs: t.Any
    ) -> Result:
        params = {"operation": operation, "inputs": inputs, **(options or {})}
        return self.account.run("infrastructure_call", check_mode=check_mode, **params)

    def fails(self, kind: type[errors.FcdError], operation: str, /, **inputs: t.Any) -> errors.FcdError:
        with pytest.raises(kind) as caught:
            self(operation, **inputs)
        assert "\n" not in str(caught.value)
        return caught.value


@pytest.fixture
def call(account: Account) -> Caller:
    return Caller(account)


# ---------------------------------------------------------------- reads


def test_a_list_is_read_to_its_end(call: Caller) -> None:
    call.account.settings(longest_page=3)
    found = call("list_instance_types")
    assert (found["changed"], found["operation"]) == (False, "list_instance_types")
    assert len(found["result"]) == len({one["id"] for one in found["result"]}) > 3
    assert set(found["result"][0]) >= {"id", "name", "cpu", "ram"}
    assert len(call("GET /instances/types", page_size=2)["result"]) == 2
    assert call("list_disks", check_mode=True, query="nothing")["result"] == []


def test_one_object_is_read(call: Caller) -> None:
    assert call("read_private_network", id=41001)["result"]["name"] == "backend"
    assert call.fails(errors.NotFound, "read_account_ssh_key", ssh_key_id=3)


@pytest.mark.parametrize(("operation", "more"), [("read_instance", {}), ("instance_change_name", {"name": "web"})])
def test_what_is_refused_may_be_missing(call: Caller, operation: str, more: dict[str, t.Any]) -> None:
    refused = call.fails(errors.Forbidden, operation, id=3, **more)
    assert "The service answers 403 for missing objects, too: check the ID, " in str(refused)


def test_a_secret_in_an_answer_makes_it_secret(call: Caller) -> None:
    number = call.account.instance("web", InitScript="Y2FuYXJ5")
    secret = t.cast("t.Any", INFRASTRUCTURE_CALL.returns_secrets)
    script = call("read_instance_init_script", id=number)
    assert script["result"] == "Y2FuYXJ5"
    assert secret(script)
    assert not secret(call("read_instance", id=number))
    call.account.until(lambda: (call("read_instance_access_data", id=number)["result"] or {}).get("password"))
    assert not call.account.writes()


def test_a_lookup_only_reads(account: Account) -> None:
    reads = CachedReads(account.task(), 60.0)
    first = reads.answer("list_subregions", {})
    account.sandbox.clear_requests()
    assert reads.answer("ListSubregions", {}) == first != []
    assert account.sent() == []
    with pytest.raises(errors.InvalidInput, match="delete_disk changes something"):
        reads.answer("delete_disk", {"id": 1})


# ---------------------------------------------------------------- writes


def test_what_is_done_at_once(call: Caller) -> None:
    made = call("create_account_ssh_key", ssh_key_name="mine", ssh_key=KEY)
    assert (made["changed"], made["result"]["name"]) == (True, "mine")
    gone = call("delete_account_ssh_key", ssh_key_id=made["result"]["id"])
    assert (gone["changed"], gone["result"]) == (True, None)


def test_a_ticket_is_waited_for(call: Caller) -> None:
    started = call("create_disk", options={"wait": False}, **DISK)["result"]
    assert started["status"]["id"] in (134, 135)
    ended = call("create_disk", **{**DISK, "disk_name": "other"})["result"]
    assert ended["status"]["id"] == 136
    assert call("read_disk", id=ended["object_id"])["result"]["name"] == "other"


def test_a_ticket_that_fails_is_an_error(call: Caller) -> None:
    call.account.settings(fail_tickets="scratch")
    wrong = call.fails(errors.OperationFailed, "create_disk", **DISK)
    assert not errors.has_changed(wrong)


def test_a_ticket_that_does_not_end_counts_as_a_change(call: Caller) -> None:
    call.account.settings(hang_tickets="scratch")
    wrong = call.fails(errors.WaitTimeout, "create_disk", options={"wait_timeout": 1.0}, **DISK)
    assert errors.has_changed(wrong)


def test_a_locked_object_is_waited_for(call: Caller) -> None:
    number = call.account.instance("web")
    call.account.settings(lock_tail=0.5)
    for name in ("first", "second"):
        assert call("instance_change_name", id=number, name=name)["result"]["status"]["id"] == 136
    assert len(call.account.writes()) > 1
    call.account.until(lambda: not call("read_instance", id=number)["result"]["is_locked"])
    call.fails(errors.Rejected, "instance_change_type", id=number, type_id=999)
    assert len(call.account.writes()) == 1


def test_check_mode_sends_no_write(call: Caller) -> None:
    foreseen = call("create_disk", check_mode=True, options={"secret_inputs": {"tier_id": 49}}, **DISK)
    assert foreseen["would_send"] == {
        "method": "POST",
        "path": "/disks",
        "query": {},
        "body": {"DiskName": "scratch", "SpaceCapacity": 10, "TierId": "(hidden)", "SubregionId": 1},
    }
    assert (foreseen["changed"], call.account.writes()) == (True, [])
    assert "result" not in foreseen


def test_wrong_inputs_are_refused_before_anything_is_sent(call: Caller) -> None:
    for name, inputs, words in (
        ("create_disks", DISK, "There is no operation 'create_disks'. Did you mean 'create_disk'"),
        ("create_disk", {**DISK, "name": "a"}, "create_disk.name: there is no such input."),
        ("create_health_check_sip", {"sip_password": "canary"}, "inputs: sip_password is a secret, by its name."),
        ("create_instance", {"init_script": "canary"}, "inputs: init_script is a secret, by its name."),
    ):
        wrong = call.fails(errors.InvalidInput, name, **inputs)
        assert words in str(wrong)
        assert "canary" not in str(wrong)
        assert call.account.sent() == []


def test_the_older_line_is_found_out_before_a_write(call: Caller) -> None:
    call.account.settings(line="D1")
    assert "does not have this operation" in str(call.fails(errors.InvalidInput, "create_floating_ip", subregion_id=1))
    assert "required inputs are missing: is_shared" in str(call.fails(errors.InvalidInput, "create_disk", **DISK))
    assert call.account.writes() == []
    assert call("create_disk", is_shared=False, **DISK)["changed"] is True


def test_an_unclear_outcome_names_what_can_show_it(call: Caller) -> None:
    call.account.fault("drop_after", "POST", "/account/sshkeys")
    wrong = call.fails(errors.Unclear, "create_account_ssh_key", ssh_key_name="mine", ssh_key=KEY)
    assert errors.has_changed(wrong)
    assert "It may have been done. Check with list_account_ssh_keys before you send it again." in str(wrong)
    assert call.account.writes() == ["POST /account/sshkeys"]


# ---------------------------------------------------------------- what a PUT replaces


def test_a_put_that_would_lose_something_is_refused(call: Caller) -> None:
    owner = call.account.instance("web")
    ended = call("create_instance_snapshot", id=owner, name="before", description="kept")["result"]
    assert ended["status"]["id"] == 136
    call.account.until(lambda: call("list_instance_snapshots", id=owner)["result"] != [])
    (made,) = call("list_instance_snapshots", id=owner)["result"]
    wrong = call.fails(errors.InvalidInput, "update_snapshot", id=made["id"], name="after")
    assert "update_snapshot may replace what is left out: description (now 'kept')." in str(wrong)
    assert wrong.details["missing"] == ["description"]
    assert call.account.writes() == []
    for more in ({"description": "new"}, {"options": {"allow_missing_inputs": True}}):
        assert call("update_snapshot", id=made["id"], name="after", **more)["changed"] is True


def test_what_has_no_value_cannot_be_lost(call: Caller) -> None:
    number = call("create_ip_address", subregion_id=1)["result"]["id"]
    wrong = call.fails(errors.InvalidInput, "update_ip_address", id=number, comment="mine")
    assert wrong.details["missing"] == ["restore_rev_dns", "restore_rev_dns_v6", "set_static"]
    assert "restore_rev_dns (its value cannot be read)" in str(wrong)
    others = dict.fromkeys(wrong.details["missing"], False)
    assert call("update_ip_address", id=number, comment="mine", **others)["result"] is None
