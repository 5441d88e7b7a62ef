# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Policies keep a plan from being applied."""

from __future__ import annotations

import pytest
from sandbox.process import SandboxProcess

from sites.plain_site import run

DISK = {"name": "data", "size": 10, "disk_class": "Tier 1", "subregion": "EU-001"}
pytestmark = pytest.mark.usefixtures("home")


def test_a_policy_that_does_not_hold_keeps_all_from_being_done(sandbox: SandboxProcess) -> None:
    def check(plan: dict[str, object]) -> list[dict[str, object]]:
        return [{"name": "no disks", "file": "rules.yml:2", "message": "No disk here.", "passed": plan["entries"] == 0}]

    planned = run({"disks": [DISK]}, check_mode=True, policies=check)
    assert planned.result["failed"] is True
    assert planned.plan["policies"][0]["passed"] is False
    assert planned.counts == {"create": 1}
    ran = run({"disks": [DISK]}, policies=check)
    told = "Nothing was changed. A policy failed: no disks (rules.yml:2): No disk here. Change the site so "
    assert ran.result["msg"].startswith(told)
    assert ran.result["changed"] is False
    assert not any(one["write"] for one in sandbox.requests() if one["service"] == "rest")
    assert run({}, policies=check).succeeded().plan["policies"][0]["passed"] is True


def test_the_message_of_a_policy_is_a_sentence() -> None:
    told = [{"name": "no disks", "file": "rules.yml:2", "message": "too big", "passed": False}]
    ran = run({"disks": [DISK]}, policies=lambda _plan: told)
    assert ": too big. Change the site so " in ran.result["msg"]


def test_what_a_policy_says_shows_no_secret() -> None:
    def check(_plan: dict[str, object]) -> list[dict[str, object]]:
        return [{"name": "keys", "file": "rules.yml:2", "message": "The key is temp-url-key-77.", "passed": False}]

    content = {"storage_containers": [{"name": "assets", "temp_url_key": "temp-url-key-77"}]}
    ran = run(content, policies=check)
    assert "temp-url-key-77" not in str(ran.shown)
    assert ran.shown[0]["policies"][0]["message"].startswith("The key is ***")
    assert "temp-url-key-77" not in str(ran.result)
