# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Health checks and notifications as entries of a site: planned, applied, drifted, edited, exported and pruned."""

from __future__ import annotations

import json
import typing as t

import pytest
from sandbox.process import SandboxProcess

from sites import operations
from sites.plain_site import Content, named, run

pytestmark = pytest.mark.usefixtures("home")
SECRET = "odd-Ocelot-17"
FRONT = {"name": "front", "kind": "https", "address": "www.example.com", "port": 443, "notification_types": ["sms"]}
PHONES = {"name": "phones", "kind": "sip", "address": "sip.example.com", "sip_user_name": "watcher"}


def site(password: str = SECRET, **front: t.Any) -> Content:
    return {
        "health_checks": [{**FRONT, **front}, {**PHONES, "sip_password": password, "secrets": ["sip_password"]}],
        "health_check_notifications": [{"address": "ops@example.com", "type": kind} for kind in ("email", "sms")],
    }


def checks(sandbox: SandboxProcess) -> dict[str, t.Any]:
    return {one["Name"]: one for one in sandbox.state()["rest"]["health_checks"]}


def test_checks_and_notifications_are_entries(sandbox: SandboxProcess) -> None:
    assert run(site(), check_mode=True).counts == {"create": 4}
    run(site()).succeeded()
    assert run(site()).counts == {"unchanged": 4}
    assert len(sandbox.state()["rest"]["health_check_notifications"]) == 2

    operations.done(operations.part("_infrastructure.health_check").OPERATION, {"name": "front", "paused": True})
    drifted = run(site(paused=False), check_mode=True, drift=True)
    assert named(drifted)["health_checks front"]["action"] == "update"
    run(site(paused=False)).succeeded()
    assert checks(sandbox)["front"]["Paused"] is False

    edited = run(site(password=f"{SECRET}!"))
    assert [name for name, one in named(edited).items() if one["action"] == "update"] == ["health_checks phones"]
    assert SECRET not in json.dumps([edited.result, edited.told, edited.shown])
    replaced = run(site(password=f"{SECRET}!", kind="http", recreate=True, paused=False))
    assert named(replaced.succeeded())["health_checks front"]["action"] == "replace"

    exported = operations.done(operations.part("_site_export.export").OPERATION, {"kinds": ["health_checks"]})
    front = next(one for one in exported["site"]["health_checks"] if one["name"] == "front")
    assert (front["kind"], front["notification_types"], front["http_method"]) == ("http", ["sms"], "GET")
    assert ("sip_password", "it is a secret") in {(one["option"], one["reason"]) for one in exported["left_out"]}

    run({}, prune=True).succeeded()
    assert (checks(sandbox), sandbox.state()["rest"]["health_check_notifications"]) == ({}, [])
