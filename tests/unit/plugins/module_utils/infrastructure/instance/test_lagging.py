# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A service whose lists, tickets and locks do not change together, and that refuses a locked instance in either way."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.instance import (
    instance_acts,
    instance_creation,
)

from .conftest import Bench
from .in_process import SENT_BY_ALL, Fault, Json, Service

CLONE: dict[str, t.Any] = {"name": "web", "clone_name": "copy", "clone_type": "current_configuration"}
TICKETS: dict[str, list[Json]] = {
    "an end before the status": [
        {"Status": {"Id": 134}, "EndDate": None},
        {"Status": {"Id": 135}, "EndDate": "2026-01-02T03:04:05Z"},
        {"Status": {"Id": 136}, "EndDate": "2026-01-02T03:04:05Z"},
    ],
    "a status before the end": [{"Status": {"Id": 134}}, {"Status": {"Id": 136}, "EndDate": None}],
    "no status for a while": [{"Status": None, "Progress": None}, {"Status": {"Id": 136}, "Progress": None}],
}


def told_in_turn(service: Service, monkeypatch: pytest.MonkeyPatch, told: t.Sequence[Json]) -> list[Json]:
    """Have the tickets say these things, one after the other; returns what is still to be said."""
    real, left = service.get_ticket, list(told)

    def get_ticket(number: int) -> Json:
        ticket = real(number)
        return {**ticket, **(left.pop(0) if left else {})}

    monkeypatch.setattr(service, "get_ticket", get_ticket)
    return left


@pytest.mark.parametrize("told", TICKETS.values(), ids=TICKETS)
def test_the_status_of_a_ticket_decides(
    bench: Bench, service: Service, monkeypatch: pytest.MonkeyPatch, told: list[Json]
) -> None:
    service.settings["ticket_seconds"] = 0.0
    left = told_in_turn(service, monkeypatch, told)
    assert bench.present()["instance"]["status"]["id"] == 86
    assert left == []


@pytest.mark.parametrize("after", [{"Status": {"Id": 137}, "EndDate": None}, {"Status": {"Id": 137}, "ObjectId": None}])
def test_a_failed_ticket_needs_neither_end_nor_object(
    bench: Bench, service: Service, monkeypatch: pytest.MonkeyPatch, after: Json
) -> None:
    service.add("web")
    told_in_turn(service, monkeypatch, [{"Status": {"Id": 135}, "EndDate": "2026-01-02T03:04:05Z"}, after])
    with pytest.raises(errors.OperationFailed, match="ended with an error"):
        bench.present(type_id=35)


def test_a_create_whose_ticket_leads_to_nothing_is_found_by_name(
    bench: Bench, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    service.settings["ticket_seconds"] = 0.0
    told_in_turn(service, monkeypatch, [{"Status": {"Id": 136}, "ObjectId": None}] * 9)
    assert bench.present()["instance"]["name"] == "web"
    assert service.writes() == ["create_instance"]


CHANGES: dict[str, t.Callable[[Bench], dict[str, t.Any]]] = {
    "change": lambda bench: bench.present(type_id=35),
    "stop": lambda bench: bench.present(state="stopped"),
    "remove": lambda bench: bench.run(name="web", state="absent"),
    "restart": lambda bench: bench.act(instance_acts.INSTANCE_POWER, name="web", action="reset"),
    "clone": lambda bench: bench.act(instance_acts.INSTANCE_CLONE, **CLONE),
}
SENT = {"change": "change_type", "stop": "shutdown", "remove": "delete_instance", "restart": "reset", "clone": "start"}


@pytest.mark.parametrize("kind", CHANGES)
@pytest.mark.parametrize("status", [400, 409])
def test_a_lock_that_a_list_does_not_show_yet_is_waited_for(
    bench: Bench, service: Service, monkeypatch: pytest.MonkeyPatch, kind: str, status: int
) -> None:
    instance = service.add("web")
    service.lock(instance)
    service.settings["locked_status"] = status
    service.later(100, lambda: service.unlock(instance))
    real, start = service.list_instances, service.clock.time
    monkeypatch.setattr(
        service, "list_instances", lambda query=None: [{**one, "IsLocked": False} for one in real(query)]
    )
    assert CHANGES[kind](bench)["changed"] is True
    assert service.clock.time - start >= 100
    read_before = kind in ("change", "stop")  # by its number, which shows the lock
    assert service.writes() == [SENT[kind]] * (1 if read_before else 2)


@pytest.mark.parametrize("kind", CHANGES)
def test_a_refusal_of_a_free_instance_is_told_at_once(bench: Bench, service: Service, kind: str) -> None:
    service.add("web")
    service.faults[SENT[kind]] = [Fault(errors.Rejected("Not like this.", status=400))]
    with pytest.raises(errors.Rejected, match="Not like this"):
        CHANGES[kind](bench)
    assert service.writes() == [SENT[kind]]


@pytest.mark.parametrize("ticket_is_lost", [False, True])
def test_a_removed_instance_is_waited_for_until_no_list_shows_it(
    bench: Bench, service: Service, ticket_is_lost: bool
) -> None:
    service.add("web")
    service.lag = 12.0
    if ticket_is_lost:
        service.settings["lost_tickets"] = "."
    assert bench.run(name="web", state="absent")["changed"] is True
    assert service.list_instances() == []
    assert bench.present()["action"] == "create"


def test_a_list_that_goes_on_showing_it_is_not_believed_for_ever(bench: Bench, service: Service) -> None:
    service.add("web")
    service.lag = 1e6
    start = service.clock.time
    assert bench.run(name="web", state="absent", create_grace=30.0)["changed"] is True
    assert service.clock.time - start < service.settings["ticket_seconds"] + 60


def test_without_its_ticket__an_instance_that_goes_on_to_be_listed_may_be_there(bench: Bench, service: Service) -> None:
    service.add("web")
    service.lag = 1e6
    service.settings["lost_tickets"] = "."
    with pytest.raises(errors.Forbidden):
        bench.run(name="web", state="absent")


def test_an_instance_that_is_made_anew_is_not_the_one_that_a_list_still_shows(bench: Bench, service: Service) -> None:
    old = service.add("web").id
    service.lag = 12.0
    result = bench.present(template_id=765, recreate=True)
    assert result["action"] == "replace"
    assert list(service.instances) == [result["instance"]["id"]] != [old]


def test_two_tasks_that_make_it_anew_leave_one(bench: Bench, service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other one has made its own while this one waits for the removal, and no list shows that yet."""
    old = service.add("web").id
    made: list[int] = []

    def other() -> None:
        ticket = service.create_instance(
            {"InstanceName": "web", "TemplateId": 765, "SubregionId": 1, "TypeId": 34, **SENT_BY_ALL}
        )
        instance_creation.instance_create_note(bench.task(), "web").add_answer(ticket=ticket["Id"])
        made.append(ticket["Id"])

    service.lag = service.settings["visibility_delay"] = 1e6
    monkeypatch.setattr(service, "list_tickets", lambda creation_date_from=None: [])
    service.later(service.settings["ticket_seconds"] / 2, other)
    bench.present(template_id=765, recreate=True, create_grace=1.0)
    assert len(made) == 1
    assert len(service.instances) == 1
    assert old not in service.instances


@pytest.mark.parametrize(
    ("before", "change", "after"),
    [
        ({}, {"state": "stopped"}, {"state": "started"}),
        ({}, {"type_id": 35}, {"type_id": 34}),
        ({}, {"type_id": 35}, {}),
    ],
)
@pytest.mark.parametrize("lag", [12.0, 1e6])
def test_a_changed_instance_is_waited_for_until_a_list_shows_it(
    bench: Bench,
    service: Service,
    monkeypatch: pytest.MonkeyPatch,
    before: Json,
    change: dict[str, t.Any],
    after: dict[str, t.Any],
    lag: float,
) -> None:
    old = service.row(service.add("web", **before))
    real, start = service.list_instances, service.clock.time
    end = start + service.settings["ticket_seconds"] + lag

    def list_instances(query: str | None = None) -> list[Json]:
        return real(query=query) if service.clock.time >= end else [old]

    monkeypatch.setattr(service, "list_instances", list_instances)
    assert bench.present(**change)["changed"] is True
    assert service.clock.time - start < service.settings["ticket_seconds"] + 60
    assert (service.clock.time >= end) is (lag < 60)
    if lag < 60:
        assert bench.present(**{**change, **after})["changed"] is bool(after)


def test_a_renamed_instance_is_found_by_its_new_name_at_once(
    bench: Bench, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = service.row(service.add("web"))
    real, end = service.list_instances, service.clock.time + service.settings["ticket_seconds"] + 12

    def list_instances(query: str | None = None) -> list[Json]:
        return real(query=query) if service.clock.time >= end else [old]

    monkeypatch.setattr(service, "list_instances", list_instances)
    assert bench.run(id=old["Id"], name="www")["changed"] is True
    assert bench.present(name="www")["changed"] is False
    assert len(service.instances) == 1


@pytest.mark.parametrize("answer_is_lost", [False, True])
def test_a_made_instance_is_known_by_its_note_until_a_list_shows_it(
    bench: Bench, service: Service, monkeypatch: pytest.MonkeyPatch, answer_is_lost: bool
) -> None:
    if answer_is_lost:
        service.faults["create_instance"] = [Fault(errors.Unclear("cut off"), after=True)]
    with monkeypatch.context() as lag:
        lag.setattr(service, "list_instances", lambda query=None: [])
        assert bench.present()["action"] == "create"
        lag.setattr(service, "list_tickets", lambda creation_date_from: [])
        service.clock.sleep(3600)
        assert bench.present()["action"] == "none"
        assert service.writes() == []
        assert len(list(bench.folder.glob("creates/intents/*"))) == 1
    assert bench.present()["action"] == "none"


@pytest.mark.parametrize("answer_is_lost", [False, True])
def test_an_instance_that_a_list_has_shown_is_known_where_another_list_is_late(
    bench: Bench, service: Service, monkeypatch: pytest.MonkeyPatch, answer_is_lost: bool
) -> None:
    """As with two replicas, one of which is late with lists and tickets."""
    if answer_is_lost:
        service.faults["create_instance"] = [Fault(errors.Unclear("cut off"), after=True)]
    assert bench.present()["action"] == "create"
    with monkeypatch.context() as late:
        late.setattr(service, "list_instances", lambda query=None: [])
        late.setattr(service, "list_tickets", lambda creation_date_from: [])
        service.clock.sleep(3600)
        assert bench.present()["action"] == "none"
        assert service.writes() == []
    service.clock.sleep(2 * 86400)
    assert bench.present()["action"] == "none"
    assert list(bench.folder.glob("creates/intents/*")) == []
