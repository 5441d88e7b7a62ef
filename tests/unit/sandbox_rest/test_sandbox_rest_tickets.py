# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tickets."""

from __future__ import annotations

from typing import Any

import pytest

NEW = {"InstanceName": "web", "TemplateId": 765}


def test_a_missing_ticket_is_404(client: Any) -> None:
    assert client.get("/tickets/9007199254740993").status == 404
    assert client.get("/tickets/9223372036854775808").status == 400


def test_a_ticket_may_be_new_first(client: Any) -> None:
    client.settings.update(ticket_new_seconds=1, ticket_seconds=2)
    number = client.post("/instances", NEW).data["Id"]
    seen = []
    for _ in range(3):
        seen.append(client.get(f"/tickets/{number}").data["Status"]["Label"])
        client.clock.pass_by(1)
    assert seen == ["New", "Running", "Succeed"]


def test_a_ticket_may_not_end_before_the_setting_does(client: Any) -> None:
    client.settings["hang_tickets"] = "create_instance"
    number = client.post("/instances", NEW).data["Id"]
    client.clock.pass_by(1_000_000)
    ticket = client.get(f"/tickets/{number}").data
    assert (ticket["Status"]["Id"], ticket["Progress"], ticket["EndDate"]) == (135, 99, None)
    assert client.get("/instances").items[0]["IsLocked"] is True
    client.settings["hang_tickets"] = None
    assert client.get(f"/tickets/{number}").data["Status"]["Id"] == 136
    client.clock.pass_by(1)
    assert client.get("/instances").items[0]["IsLocked"] is False


def test_a_ticket_may_vanish_while_its_operation_goes_on(client: Any) -> None:
    client.settings["lost_tickets"] = "create_instance"
    number = client.post("/instances", NEW).data["Id"]
    assert client.get(f"/tickets/{number}").status == 404
    assert client.get("/tickets").total == 0
    client.clock.pass_by(1)
    assert client.get("/instances").items[0]["Status"]["Id"] == 86


def test_changes_may_be_accepted_and_never_happen(client: Any) -> None:
    number = client.make("web")
    client.settings["accept_only"] = True
    renamed = client.post(f"/instances/{number}/change_name_ticket?name=x")
    made = client.post("/opns", {"OpnName": "net"})
    removed = client.delete(f"/instances/{number}")
    client.clock.pass_by(10)
    tickets = [client.get(f"/tickets/{one.data['Id']}").data for one in (renamed, made, removed)]
    assert [one["Status"]["Id"] for one in tickets] == [136, 136, 136]
    assert [one["Name"] for one in client.get("/opns").items] == ["backend"]
    assert [(one["Name"], one["Status"]["Id"]) for one in client.get("/instances").items] == [("web", 86)]


@pytest.fixture
def three(client: Any) -> Any:
    """Three tickets, a minute apart: one good, one failed, one running."""
    number = client.make()
    client.clock.pass_by(60)
    client.settings["fail_tickets"] = "renaming"
    client.post(f"/instances/{number}/change_name_ticket?name=x")
    client.clock.pass_by(60)
    client.post(f"/instances/{number}/reset_ticket")
    return client


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", [136, 137, 135]),
        ("?statusId=137", [137]),
        ("?statusId=134", []),
        ("?orderBy=Status", [137, 135, 136]),
        ("?orderBy=OperationType", [136, 135, 137]),
        ("?pageSize=1&pageNumber=2", [137]),
        ("?creationDateFrom=2025-06-15T15:07:40Z", [137, 135]),
        ("?creationDateTo=2025-06-15T15:07:40", [136, 137]),
        ("?creationDateFrom=2025-06-15T15:07:00Z&creationDateTo=2025-06-15T17:08:00%2B02:00", [137]),
    ],
)
def test_lists(three: Any, query: str, found: list[int]) -> None:
    assert [one["Status"]["Id"] for one in three.get(f"/tickets{query}").items] == found


def test_impossible_time_is_refused(client: Any) -> None:
    client.make()
    assert client.get("/tickets?creationDateFrom=2025-13-40").status == 400


def test_reset_forgets_everything(three: Any) -> None:
    three.service.reset()
    truth = three.service.snapshot()
    assert (truth["tickets"], truth["instances"]) == ([], [])
    assert [one["Id"] for one in truth["keys"]] == [31001]
    assert [one["Name"] for one in truth["networks"]] == ["backend"]
