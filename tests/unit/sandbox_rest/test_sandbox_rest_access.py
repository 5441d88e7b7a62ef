# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Who may do what: tokens and scopes."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.mark.parametrize("token", [None, "", "expired"])
def test_no_live_token_is_401(client: Any, token: str | None) -> None:
    reply = client.get("/dictionaries/", token=token)
    assert reply.status == 401
    assert set(reply.data) == {"Message", "ErrorId"}
    assert client.violations == []


def test_basic_instead_of_bearer_is_401(client: Any) -> None:
    assert client.get("/dictionaries/", HTTP_AUTHORIZATION="Basic all").status == 401


def test_the_reading_scope_reads(client: Any) -> None:
    assert client.get("/instances", token="read").status == 200


@pytest.mark.parametrize(
    ("method", "target", "body"),
    [
        ("POST", "/instances", {"InstanceName": "web", "TemplateId": 765}),
        ("DELETE", "/instances/1", None),
        ("POST", "/instances/1/reboot_ticket", None),
    ],
)
def test_the_reading_scope_changes_nothing(client: Any, method: str, target: str, body: Any) -> None:
    reply = client.call(method, target, body, token="read")
    assert reply.status == 403
    assert "scope" in reply.message
    assert client.service.snapshot()["tickets"] == []
