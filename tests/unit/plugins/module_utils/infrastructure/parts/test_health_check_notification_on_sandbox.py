# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Notifications of health checks at the sandbox."""

from __future__ import annotations

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors

from .conftest import Account

MODULE = "health_check_notification"
ADDRESS = "ops@example.com"
WISH = {"address": ADDRESS, "type": "email"}


@pytest.mark.parametrize("line", ["D1", "D2"])
def test_a_notification_is_created_changed_and_removed(account: Account, line: str) -> None:
    account.settings(line=line)
    foreseen = account.run(MODULE, **WISH, check_mode=True)
    assert account.writes() == []
    made = account.run(MODULE, **WISH)
    number = made[MODULE]["id"]
    assert (foreseen["action"], made["action"], made[MODULE]["type"]["id"]) == ("create", "create", 1539)
    again = account.run(MODULE, **WISH)
    assert (again["changed"], again[MODULE], account.sent()) == (
        False,
        made[MODULE],
        ["GET /watch/healthchecks/notifications"],
    )
    other = {"address": ADDRESS, "type": "sms"}
    assert account.run(MODULE, id=number, **other, check_mode=True)["action"] == "update"
    assert account.writes() == []
    changed = account.run(MODULE, id=number, **other)
    assert (changed["action"], changed["diff"]["before"]["type"]["id"]) == ("update", 1539)
    assert account.truth("health_check_notifications") == [{"Id": number, "Name": ADDRESS, "Type": 1545}]
    assert account.run(MODULE, **other, state="absent")["action"] == "delete"
    for gone in (other, {"id": number}):
        assert account.run(MODULE, state="absent", **gone)["changed"] is False


def test_one_address_is_notified_in_two_ways(account: Account) -> None:
    made = [account.run(MODULE, address=ADDRESS, type=kind)[MODULE] for kind in ("email", "1541")]
    assert [one["type"]["id"] for one in made] == [1539, 1541]
    read = account.run(f"{MODULE}_info", address="ops@*")[f"{MODULE}s"]
    assert sorted(read, key=lambda one: int(one["id"])) == made
    account.run(MODULE, **WISH, state="absent")
    assert account.run(f"{MODULE}_info")[f"{MODULE}s"] == made[1:]
    assert account.run(f"{MODULE}_info", id=made[1]["id"])[f"{MODULE}s"] == made[1:]


@pytest.mark.parametrize("shown", ["masked", "null"])
def test_an_address_that_is_not_shown_is_not_taken_for_a_missing_one(account: Account, shown: str) -> None:
    account.settings(notification_address=shown)
    said = account.fails(errors.OperationFailed, MODULE, **WISH)
    number = account.truth("health_check_notifications")[0]["Id"]
    assert f"was created with the ID {number}" in said
    for state in ("present", "absent"):
        said = account.fails(errors.CannotDetermine, MODULE, **WISH, state=state)
        assert str(number) in said
        assert account.writes() == []
    assert account.run(MODULE, id=number, state="absent")["action"] == "delete"


def test_bad_input_is_refused_before_anything_is_sent(account: Account) -> None:
    assert "Did you mean 'email'" in account.fails(errors.InvalidInput, MODULE, address=ADDRESS, type="mail")
    said = account.fails(errors.InvalidInput, MODULE, address="ops.example.com", type="email_short")
    assert said.startswith("address: 'ops.example.com' is not an e-mail address. Give one")
    assert "address: the text is empty" in account.fails(errors.InvalidInput, MODULE, address=" ", type="email")
    assert account.sent() == []
