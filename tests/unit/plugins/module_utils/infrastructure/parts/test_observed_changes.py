# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the service accepts and does not do is no success, and what it does not return of an instance is done."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import has_changed

from .conftest import Account
from .test_identity import KINDS, create, names


def ignore(account: Account, module: str, number: int, method: str, path: str) -> None:
    """Have such requests answered like those that succeed, and not carried out."""
    tickets = [one for one in account.api.list_tickets() if one["ObjectId"] == number]
    answer: dict[str, t.Any] = {"status": 204}
    if tickets and module != "ip_address":
        answer = {"status": 200, "body": account.api.get_ticket(tickets[0]["Id"])}
    account.fault("status_before", method, path, times=0, **answer)


@pytest.mark.parametrize("module", KINDS)
def test_a_removal_that_is_accepted_and_not_done(account: Account, module: str) -> None:
    account.instance("web")
    account.settings(copied_object_id="new")
    number = create(account, module, "ours")[module]["id"]
    ignore(account, module, number, "DELETE", ".")
    with pytest.raises(errors.OperationFailed, match=rf"has accepted it, but .* {number} is still there") as caught:
        account.run(module, id=number, state="absent", create_grace=1.0)
    assert has_changed(caught.value)
    assert number in names(account, module)


@pytest.mark.parametrize(
    ("module", "change", "method", "path"),
    [
        ("disk", {"size": 20}, "POST", "extend"),
        ("disk", {"name": "new"}, "PUT", "/disks/"),
        ("instance", {"type": "v1.standard-4.4", "force_stop": True}, "POST", "change_type"),
        ("instance", {"name": "new"}, "POST", "change_name"),
        ("ip_address", {"comment": "new"}, "PUT", "."),
        ("private_network", {"name": "new"}, "PUT", "."),
    ],
)
def test_a_change_that_is_accepted_and_not_done(
    account: Account, module: str, change: dict[str, t.Any], method: str, path: str
) -> None:
    number = create(account, module, "ours")[module]["id"]
    ignore(account, "ip_address" if module == "private_network" else module, number, method, path)
    with pytest.raises(errors.OperationFailed, match=f"but does not show it in: {next(iter(change))}") as caught:
        account.run(module, id=number, **change, create_grace=1.0)
    assert has_changed(caught.value)


@pytest.mark.parametrize(
    ("option", "value", "member"), [("type", "v1.standard-4.4", "Type"), ("state", "stopped", "Status")]
)
def test_what_the_service_does_not_return_of_an_instance_is_carried_out(
    account: Account, option: str, value: str, member: str
) -> None:
    number = create(account, "instance", "ours")["instance"]["id"]
    account.settings(null_members=[f"instance.{member}"])
    done = account.run("instance", id=number, force_stop=True, stop_timeout=5.0, **{option: value}, create_grace=1.0)
    account.settings(null_members=[])
    assert done["changed"] is True
    assert [one for one in account.warnings if f"does not return {member.lower()} of instance 'ours'" in one]
    account.sandbox.clear_faults()
    assert account.run("instance", id=number, **{option: value})["changed"] is False
