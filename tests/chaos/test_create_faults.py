# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A fault strikes once while an object is made: there is exactly one in the end, or a named error tells why not."""

from __future__ import annotations

import shutil
import typing as t
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from chaos.kinds import KINDS, Kind
from chaos.outcome_table import OutcomeTable
from chaos.playbook_run import WAYS, play, task
from chaos.task_process import Ended
from chaos.workplace import Entry, Workplace

NAME = "quokka"
SECRET_HEADERS = ("Authorization", "X-Auth-Token", "X-Auth-Key", "X-Auth-User", "Cookie")
LONG = 60


@dataclass(frozen=True)
class Fault:
    """A fault of the sandbox. ``at`` says on which request of the kind: create or read."""

    title: str
    name: str
    params: dict[str, t.Any] = field(default_factory=dict)
    at: str = "create"
    options: dict[str, t.Any] = field(default_factory=dict)
    times: int = 1

    def arm(self, place: Workplace, kind: Kind) -> None:
        """Make the next such request fail."""
        selection = kind.create if self.at == "create" else kind.read
        place.sandbox.fault(self.name, times=self.times, **selection, **self.params)


NINE = (
    Fault("504 after the object was made", "status_after", {"status": 504}),
    Fault("500 after the object was made", "status_after", {"status": 500}),
    Fault("reset after", "drop_after"),
    Fault("answer cut off", "cut"),
    Fault("silence, then reset", "hang_after", {"seconds": LONG}, options={"timeout": 2}),
    Fault("429, Retry-After: 3", "status_before", {"status": 429, "retry_after": 3}),
    Fault("503 once on the read", "status_before", {"status": 503}, at="read"),
    Fault("HTML with status 200 on the read", "html", at="read"),
    Fault("redirect to another host", "redirect", {"status": 307}, options={"retries": 1}, times=0),
)
AFTER = {fault.title for fault in NINE[:5]}
TIMES_SENT = {"429, Retry-After: 3": 2}
FURTHER = (
    Fault("reset before", "drop_before"),
    Fault("500 and nothing made", "status_before", {"status": 500}),
    Fault("503 and nothing made", "status_before", {"status": 503, "retry_after": 1}),
    Fault("HTML with status 200", "html"),
    Fault("silence, nothing made", "hang_before", {"seconds": LONG}, options={"timeout": 1}),
    Fault("cut off, no length", "cut_chunked"),
    Fault("one byte a second", "drip", options={"timeout": 1}),
    Fault("headers at one byte a second", "drip_headers", options={"timeout": 1}),
    Fault("reset on the read", "drop_before", at="read"),
    Fault("cut off on the read", "cut", at="read"),
    Fault("429 on the read", "status_before", {"status": 429, "retry_after": 1}, at="read"),
    Fault("redirect of the read", "redirect", {"status": 302}, at="read", options={"retries": 1}, times=0),
)
NAMED = {"CannotDetermine", "Unusable", "DeadlinePassed"}
LITTLE_GRACE = 0.5
REDIRECTED = {
    "identity": ("instance", {"service": "identity"}),
    "REST read": ("instance", {"service": "rest", "method": "GET"}),
    "REST write": ("instance", {"service": "rest", "method": "POST"}),
    "WSDL": ("warehouse", {"service": "soap", "method": "GET"}),
    "SOAP read": ("warehouse", {"service": "soap", "operation": "^GetWarehouses$"}),
    "SOAP write": ("client_user", {"service": "soap", "operation": "^CreateUserWithPrivileges$"}),
    "storage log-in": ("storage_object", {"service": "storage", "operation": "^GET auth$"}),
    "storage read": ("storage_object", {"service": "storage", "operation": "^HEAD "}),
    "storage write": ("storage_object", {"service": "storage", "operation": "^PUT "}),
}
each_kind = pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)


@each_kind
@pytest.mark.parametrize("fault", NINE, ids=lambda fault: fault.title)
def test_one_of_the_nine(place: Workplace, table: OutcomeTable, fault: Fault, kind: Kind) -> None:
    table.begin(fault.title, kind.module)
    _prepare(place, kind.module)
    fault.arm(place, kind)
    first = place.run(kind.module, {**kind.wanted(NAME), **fault.options})
    assert place.sandbox.faults()[0]["used"], "the fault has not struck"
    place.sandbox.clear_faults()
    _judge(place, fault, kind, first)
    assert not _leaked(place)
    made = place.objects(kind, NAME)
    second = place.make(kind, NAME).succeeded()
    assert second["changed"] is (made == 0)
    assert place.objects(kind, NAME) == 1
    table.fill(fault.title, kind.module, _told(first))


@each_kind
@pytest.mark.parametrize("fault", FURTHER, ids=lambda fault: fault.title)
def test_a_further_fault(place: Workplace, fault: Fault, kind: Kind) -> None:
    """The first run ends well with one object, or says by name that nobody knows; never two, and the second is well."""
    _prepare(place, kind.module)
    fault.arm(place, kind)
    first = place.run(kind.module, {**kind.wanted(NAME, LITTLE_GRACE), **fault.options})
    assert place.sandbox.faults()[0]["used"], "the fault has not struck"
    place.sandbox.clear_faults()
    made = place.objects(kind, NAME)
    if first.failed:
        assert first.kind in NAMED, first.result
        assert first.result["changed"] is False
    else:
        assert (first.result["changed"], made) == (True, 1)
    second = place.run(kind.module, kind.wanted(NAME, LITTLE_GRACE)).succeeded()
    assert second["changed"] is (made == 0)
    assert place.objects(kind, NAME) == 1
    assert len(place.seen(kind.create)) <= 2
    assert not _leaked(place)


@pytest.mark.parametrize("status", [302, 307])
@pytest.mark.parametrize("request_kind", REDIRECTED)
def test_no_redirect_is_followed(place: Workplace, request_kind: str, status: int) -> None:
    """Not with the credentials, and not without them either: the other host gets nothing at all."""
    module, selection = REDIRECTED[request_kind]
    _prepare(place, module)
    if request_kind == "WSDL":
        shutil.rmtree(place.state_dir / "contracts")
    if request_kind == "storage log-in":
        shutil.rmtree(place.state_dir / "tokens")
    place.sandbox.fault("redirect", times=0, status=status, **selection)
    ended = place.run(module, {**KINDS[module].wanted(NAME), "retries": 0})
    assert ended.kind == "Unusable", ended.result
    assert place.sandbox.info["foreign_url"] in ended.message
    assert place.sandbox.requests("foreign") == []


def _prepare(place: Workplace, module: str) -> None:
    """Make what has to be there before; the log begins after that."""
    if module == "storage_object":
        place.make_container()
        place.sandbox.clear_requests()


def _judge(place: Workplace, fault: Fault, kind: Kind, first: Ended) -> None:
    if fault.name == "redirect":
        _refused_to_follow(place, kind, first)
        return
    sent = place.seen(kind.create)
    assert first.succeeded()["changed"] is True
    assert place.objects(kind, NAME) == 1
    limit = 2 if _harmless(kind, fault) else TIMES_SENT.get(fault.title, 1)
    assert len(sent) <= limit, "the create was sent again"
    if fault.title in TIMES_SENT:
        assert sent[1]["time"] - sent[0]["time"] >= 3.0, "Retry-After was not honoured"
        assert any("429" in warning for warning in first.warnings), "the repetition was not shown"


def _harmless(kind: Kind, fault: Fault) -> bool:
    """Whether a second create does no harm: a PUT of the same object."""
    return kind.module == "storage_object" and fault.title in AFTER


def _refused_to_follow(place: Workplace, kind: Kind, first: Ended) -> None:
    assert (first.kind, first.result["changed"]) == ("Unusable", False)
    foreign = place.sandbox.info["foreign_url"]
    assert f"sends the request on to {foreign}; it was not followed" in first.message
    assert first.result["error"]["redirect"] == foreign
    assert place.objects(kind, NAME) == 0


def _leaked(place: Workplace) -> list[Entry]:
    """Return what reached the other host with anything secret in it."""
    there = place.sandbox.requests("foreign")
    return [one for one in there if set(SECRET_HEADERS) & set(one["headers"]) or one["body_bytes"] != 0]


def _told(first: Ended) -> str:
    word = f"error {first.kind}" if first.failed else "changed"
    return f"{word}, {first.seconds:.1f} s"


@pytest.mark.parametrize("way", WAYS)
def test_in_a_playbook(place: Workplace, tmp_path: Path, way: str) -> None:
    """What the plain processes above show holds under Ansible, as twin and as module."""
    _prepare(place, "storage_object")
    tasks = [task(kind.module, kind.wanted(NAME)) for kind in KINDS.values()]
    for fault, kind in zip(NINE, KINDS.values()):
        fault.arm(place, kind)
    first = play(place, tasks, tmp_path / "first", way=way)
    assert [one.result.get("changed") for one in first.results] == [True] * len(KINDS), first.stdout
    assert [one["used"] for one in place.sandbox.faults()] == [1] * len(KINDS)
    second = play(place, tasks, tmp_path / "second", way=way)
    assert [one.result.get("changed") for one in second.results] == [False] * len(KINDS), second.stdout
    assert [place.objects(kind, NAME) for kind in KINDS.values()] == [1] * len(KINDS)
    assert {one["headers"]["User-Agent"].rpartition(" ")[2] for one in place.sandbox.requests("rest")} == {f"({way})"}
