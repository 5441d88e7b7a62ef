# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tickets: which are listed, what a failed one tells, and one loop with few requests for all that are waited for."""

from __future__ import annotations

import pathlib
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Settings, Task
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import (
    FcdError,
    Forbidden,
    InvalidInput,
    NotFound,
    Unreachable,
)
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure import tickets as ticket_reading
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.tickets import INFO as OPERATION

from .conftest import Account

LABELS = {134: "New", 135: "Running", 136: "Succeed", 137: "Error", 140: "Partly"}
Json = t.Dict[str, t.Any]


class Service:
    """Tickets that end at a time of the clock. It has the methods of the client and counts the calls."""

    def __init__(self, clock: t.Any) -> None:
        self.clock = clock
        self.start = clock.now()
        self.plans: dict[int, tuple[float, int]] = {}
        self.calls: list[str] = []
        self.failures: list[FcdError] = []
        self.events: list[Json] = []
        self.object_type = 139
        self.lost: set[int] = set()

    def plan(self, number: int, seconds: float, status: int = 136) -> None:
        """Have a ticket that ends after so many seconds with that status."""
        self.plans[number] = (seconds, status)

    def _ticket(self, number: int) -> Json:
        seconds, last = self.plans[number]
        passed = self.clock.now() - self.start
        status = last if passed >= seconds else 134 if passed < seconds / 10 else 135
        return {
            "Id": number,
            "Status": {"Id": status, "Label": LABELS[status]},
            "Progress": 100 if passed >= seconds else 7,
            "EndDate": "2026-01-01T00:00:00Z" if passed >= seconds else None,
            "OperationType": {"Id": 144, "Label": "Reconfiguring instance"},
            "ObjectType": {"Id": self.object_type},
            "ObjectId": 7,
            "ObjectName": "web",
        }

    def get_ticket(self, number: int) -> Json:
        self.calls.append(f"ticket {number}")
        if self.failures:
            raise self.failures.pop(0)
        if number not in self.plans or number in self.lost:
            raise NotFound(f"Ticket {number} does not exist.", status=404)
        return self._ticket(number)

    def list_tickets(self, *, status_id: int) -> list[Json]:
        self.calls.append(f"list {status_id}")
        every = [self._ticket(number) for number in self.plans if number not in self.lost]
        return [one for one in every if one["Status"]["Id"] == status_id]

    def list_instance_events(self, number: int) -> list[Json]:
        self.calls.append(f"events {number}")
        if isinstance(self.events, FcdError):
            raise self.events
        return self.events


def event(number: int, message: str, status: int = 137, operation: int = 144) -> Json:
    return {
        "Id": number,
        "OperationStatus": {"Id": status},
        "OperationType": {"Id": operation},
        "Message": message,
    }


@pytest.fixture
def service(fake_clock: t.Any, monkeypatch: pytest.MonkeyPatch) -> Service:
    made = Service(fake_clock)
    monkeypatch.setattr(ticket_reading, "infrastructure", lambda _task: made)
    return made


class Reader:
    """Reads tickets of the stand-in."""

    def __init__(self, service: Service, folder: pathlib.Path) -> None:
        self.service = service
        self.folder = folder
        self.warnings: list[str] = []
        self.told: list[str] = []
        self.task_timeout: float | None = None

    def __call__(self, **params: t.Any) -> Json:
        connection = {
            "base_url": "https://api.example.com/beta",
            "access_token": "bearer-of-the-tests",
            "state_dir": str(self.folder),
            "task_timeout": self.task_timeout,
        }
        task = Task(
            Settings.resolve(connection, ("rest",)),
            clock=self.service.clock,
            warn=self.warnings.append,
            tell=self.told.append,
        )
        defaults = {name: option.get("default") for name, option in OPERATION.options.items()}
        return OPERATION.run(task, {**defaults, **params})


@pytest.fixture
def read(service: Service, own_home: pathlib.Path, tmp_path: pathlib.Path) -> Reader:
    return Reader(service, tmp_path)


def statuses(result: Json) -> dict[int, str]:
    return {one["id"]: one["status"]["label"] for one in result["tickets"]}


# ---------------------------------------------------------------- reading


def test_tickets_by_number_are_read_as_they_are(read: Reader, service: Service) -> None:
    service.plan(5, 100)
    service.plan(6, 0)
    result = read(id=[6, 5, 9, 6])
    assert statuses(result) == {6: "Succeed", 5: "New"}
    assert list(statuses(result)) == [6, 5]
    assert result["missing"] == [9]
    assert service.calls == ["ticket 6", "ticket 5", "ticket 9"]


@pytest.mark.parametrize(
    ("events", "message"),
    [
        ([], None),
        ([event(1, "No room."), event(2, " Too small. ")], "Too small."),
        ([event(1, "No room."), event(2, "Another operation.", operation=143)], "No room."),
        ([event(2, "Another operation.", operation=143)], "Another operation."),
        ([event(1, "A number of its own.", status=151, operation=146)], "A number of its own."),
        ([event(1, "fine", status=136)], None),
        ([event(1, "")], None),
        (Forbidden("Not for you.", status=403), None),
    ],
)
def test_a_failed_ticket_tells_what_the_events_say(
    read: Reader, service: Service, events: t.Any, message: str | None
) -> None:
    service.plan(5, 0, 137)
    service.events = events
    assert read(id=[5])["tickets"][0]["message"] == message


@pytest.mark.parametrize(("kind", "status"), [(276, 137), (139, 136)])
def test_events_are_asked_for_failed_tickets_of_instances_only(
    read: Reader, service: Service, kind: int, status: int
) -> None:
    service.plan(5, 0, status)
    service.object_type = kind
    service.events = [event(1, "of an instance that has the number of a disk")]
    assert read(id=[5])["tickets"][0]["message"] is None
    assert service.calls == ["ticket 5"]


# ---------------------------------------------------------------- waiting


def test_one_ticket_is_waited_for(read: Reader, service: Service) -> None:
    service.plan(5, 30)
    result = read(id=[5], wait=True)
    assert statuses(result) == {5: "Succeed"}
    assert not result.get("failed")
    assert set(service.calls) == {"ticket 5"}
    assert len(service.calls) < 12
    assert read.told == ["Ticket 5: 7 %"]


def test_two_hundred_tickets_are_two_lists_a_round_and_a_request_for_each_end(read: Reader, service: Service) -> None:
    for number in range(1, 201):
        service.plan(number, number / 4)
    result = read(id=list(range(1, 201)), wait=True)
    assert set(statuses(result).values()) == {"Succeed"}
    assert service.clock.now() - service.start < 50 + 10
    lists = [call for call in service.calls if call.startswith("list")]
    assert lists[:2] == ["list 134", "list 135"]
    assert len(lists) <= 2 * len(service.clock.pauses) + 2
    assert len(service.calls) - len(lists) <= 200 + 2 * len(service.clock.pauses)
    assert read.told[-1].startswith("Waiting for 200 tickets: ")


def test_all_are_waited_for_and_each_trouble_is_told(read: Reader, service: Service) -> None:
    for number, status in ((1, 136), (2, 137), (3, 137), (4, 136)):
        service.plan(number, number * 10, status)
    service.events = [event(1, "No room.")]
    result = read(id=[1, 2, 3, 4, 9], wait=True)
    assert result["failed"] is True
    assert result["missing"] == [9]
    assert statuses(result) == {1: "Succeed", 2: "Error", 3: "Error", 4: "Succeed"}
    assert [one["error"]["kind"] for one in result["failures"]] == ["NotFound", "OperationFailed", "OperationFailed"]
    assert "Ticket 2 (Reconfiguring instance, 'web') ended with an error: No room." in result["msg"]


def test_one_trouble_is_told_as_such(read: Reader, service: Service) -> None:
    service.plan(1, 5, 137)
    result = read(id=[1], wait=True)
    assert result["error"] == {"kind": "OperationFailed", "ticket": 1, "object_id": 7}
    assert "gives no reason" in result["msg"]
    assert "failures" not in result


def test_an_end_with_an_unknown_status_cannot_be_judged(read: Reader, service: Service) -> None:
    service.plan(1, 5, 140)
    result = read(id=[1], wait=True)
    assert result["error"] == {"kind": "CannotDetermine", "ticket": 1, "object_id": 7}
    assert "Ticket 1 (Reconfiguring instance, 'web') ended with the unknown status Partly (140), so" in result["msg"]
    assert "failed" not in read(id=[1])


def test_a_ticket_that_vanishes_cannot_be_judged(read: Reader, service: Service) -> None:
    service.lost.add(5)
    result = read(id=[5], wait=True)
    assert (result["failed"], result["missing"], result["tickets"]) == (True, [5], [])
    assert "The service does not know ticket 5" in result["msg"]
    assert result["error"]["kind"] == "NotFound"


@pytest.mark.parametrize("task_timeout", [None, 20.0])
def test_what_does_not_end_ends_with_the_time(read: Reader, service: Service, task_timeout: float | None) -> None:
    read.task_timeout = task_timeout
    for number in range(1, 6):
        service.plan(number, 1e9 if number > 2 else 3)
    result = read(id=[1, 2, 3, 4, 5], wait=True, wait_timeout=60.0)
    limit = task_timeout or 60.0
    assert service.clock.now() - service.start == pytest.approx(limit)
    assert result["error"] == {"kind": "WaitTimeout", "tickets": [3, 4, 5]}
    assert f"Tickets 3, 4, 5 did not end within {limit:g} s." in result["msg"]
    assert statuses(result) == {1: "Succeed", 2: "Succeed", 3: "New", 4: "New", 5: "New"}
    assert result["missing"] == []


def test_no_time_to_wait_is_one_look(read: Reader, service: Service) -> None:
    service.plan(1, 0)
    assert statuses(read(id=[1], wait=True, wait_timeout=0.0)) == {1: "Succeed"}
    assert service.calls == ["ticket 1"]


def test_failures_that_may_pass_do_not_end_the_wait(read: Reader, service: Service) -> None:
    service.plan(1, 3)
    service.failures = [Unreachable("No connection.")] * 3
    assert statuses(read(id=[1], wait=True)) == {1: "Succeed"}
    assert len(read.warnings) == 3


def test_tickets_that_were_never_read_are_late_and_not_missing(read: Reader, service: Service) -> None:
    service.plan(1, 3)
    service.failures = [Unreachable("No connection.")] * 3
    result = read(id=[1], wait=True, wait_timeout=0.0)
    assert (result["tickets"], result["missing"]) == ([], [])
    assert result["error"]["kind"] == "WaitTimeout"


def test_what_does_not_pass_ends_it(read: Reader, service: Service) -> None:
    service.failures = [Forbidden("Not for you.", status=403)]
    with pytest.raises(Forbidden):
        read(id=[1], wait=True)


def test_nothing_to_wait_for(read: Reader, service: Service) -> None:
    assert read(id=[], wait=True) == {"changed": False, "tickets": [], "missing": []}
    assert service.calls == []


# ---------------------------------------------------------------- at the sandbox


def test_the_filters_of_the_list(account: Account) -> None:
    account.create("web")
    account.settings(hang_tickets="stuck", fail_tickets="broken")
    account.create("stuck")
    account.create("broken")
    assert [one["object_name"] for one in account.read(OPERATION)["tickets"]] == ["web", "stuck", "broken"]
    assert account.sent() == ["GET /tickets"]
    (running,) = account.read(OPERATION, status="running")["tickets"]
    assert (running["object_name"], running["end_date"]) == ("stuck", None)
    assert account.sent() == ["GET /dictionaries/40", "GET /tickets"]
    (failed,) = account.read(OPERATION, status="137", creation_date_from="2020-01-01")["tickets"]
    assert failed["object_name"] == "broken"
    assert "message" not in failed
    assert account.sent() == ["GET /tickets"]
    assert account.read(OPERATION, creation_date_to="2020-01-01")["tickets"] == []


def test_waiting_at_the_sandbox(account: Account) -> None:
    account.settings(ticket_seconds=0.4, lost_tickets="lost", fail_tickets="Renaming")
    numbers = [account.create(name) for name in ("a", "b", "c", "d")]
    assert set(statuses(account.read(OPERATION, id=numbers, wait=True)).values()) == {"Succeed"}
    lost = account.create("lost")
    (instance,) = [one["Id"] for one in account.api().list_instances() if one["Name"] == "a"]
    renaming = account.api().change_name(instance, "z")["Id"]
    result = account.read(OPERATION, id=[renaming, lost], wait=True)
    assert [one["error"]["kind"] for one in result["failures"]] == ["NotFound", "OperationFailed"]
    assert result["tickets"][0]["message"] in result["msg"]


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        ("2026-11-21", "2026-11-21T00:00:00Z"),
        ("2026-11-21T08:30:00Z", "2026-11-21T08:30:00Z"),
        (" 2026-11-21t08:30:00z ", "2026-11-21T08:30:00Z"),
        ("2026-11-21 08:30:00.999999", "2026-11-21T08:30:00Z"),
        ("2026-11-21T00:30:00+02:00", "2026-11-20T22:30:00Z"),
    ],
)
def test_moments(account: Account, given: str, sent: str) -> None:
    account.read(OPERATION, creation_date_from=given)
    assert account.sandbox.requests("rest")[-1]["query"].count(sent.replace(":", "%3A")) == 1


@pytest.mark.parametrize("given", ["", "yesterday", "21.11.2026", "2026-13-01", "0001-01-01T00:00:00+05:00"])
def test_what_is_no_moment_is_told_before_anything_is_sent(account: Account, given: str) -> None:
    with pytest.raises(InvalidInput, match=r"creation_date_to: .* is not a date and time in ISO 8601"):
        account.read(OPERATION, creation_date_to=given, status="Running")
    assert account.sent() == []
