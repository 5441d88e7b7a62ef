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

from chaos.kinds import KINDS, Kind, Wish
from chaos.outcome_table import OutcomeTable
from chaos.playbook_run import WAYS, play, task
from chaos.task_process import Ended
from chaos.workplace import Entry, Workplace

NAME = "quokka"
SECRET_HEADERS = ("Authorization", "X-Auth-Token", "X-Auth-Key", "X-Auth-User", "Cookie")
LONG = 600


@dataclass(frozen=True)
class Fault:
    """A fault of the sandbox. ``at`` says on which request of the kind: create or read."""

    title: str
    name: str
    params: dict[str, t.Any] = field(default_factory=dict)
    at: str = "create"
    options: dict[str, t.Any] = field(default_factory=dict)
    times: int = 1

    def arm(self, place: Workplace, kind: Kind) -> int:
        """Make the next such request fail; return the number of the fault."""
        selection = kind.create if self.at == "create" else kind.read
        return place.sandbox.fault(self.name, times=self.times, **selection, **self.params)


NINE = (
    Fault("504 after the object was made", "status_after", {"status": 504}),
    Fault("500 after the object was made", "status_after", {"status": 500}),
    Fault("reset after", "drop_after"),
    Fault("answer cut off", "cut"),
    Fault("silence, then reset", "hang_after", {"seconds": LONG}, options={"timeout": 3}),
    Fault("429, Retry-After: 3", "status_before", {"status": 429, "retry_after": 3, "own_words": True}),
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
    Fault("silence, nothing made", "hang_before", {"seconds": LONG}, options={"timeout": 3}),
    Fault("cut off, no length", "cut_chunked"),
    Fault("one byte a second", "drip", options={"timeout": 3}),
    Fault("headers at one byte a second", "drip_headers", options={"timeout": 3}),
    Fault("reset on the read", "drop_before", at="read"),
    Fault("cut off on the read", "cut", at="read"),
    Fault("429 on the read", "status_before", {"status": 429, "retry_after": 1}, at="read"),
    Fault("redirect of the read", "redirect", {"status": 302}, at="read", options={"retries": 1}, times=0),
)
NAMED = {"CannotDetermine", "Unusable", "DeadlinePassed"}
GRACE, LITTLE_GRACE = 30.0, 0.5
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
each_kind = pytest.mark.parametrize("kind", KINDS)


@dataclass(frozen=True)
class Evidence:
    """What a fault has done to one kind: two runs, the objects after each, and the creates that were sent in the first.

    ``struck`` says whether the fault has met a request at all.
    """

    first: Ended
    made: int
    sent: list[Entry]
    struck: bool
    second: Ended
    in_the_end: int


Kept = t.Dict[str, t.Dict[str, Evidence]]


@pytest.fixture(scope="module")
def kept() -> Kept:
    """Evidence by fault and kind. All kinds are tried at the same time, since they mostly wait."""
    return {}


def _evidence(place: Workplace, kept: Kept, fault: Fault, grace: float) -> dict[str, Evidence]:
    if fault.title not in kept:
        kept[fault.title] = _tried(place, fault, grace)
    return kept[fault.title]


def _tried(place: Workplace, fault: Fault, grace: float) -> dict[str, Evidence]:
    _prepare(place, "storage_object")
    armed = {name: fault.arm(place, kind) for name, kind in KINDS.items()}
    first = _all_at_once(place, grace, fault.options)
    used = {one["id"]: one["used"] for one in place.sandbox.faults()}
    place.sandbox.clear_faults()
    made, sent = _counted(place), {name: place.seen(kind.create) for name, kind in KINDS.items()}
    second = _all_at_once(place, grace, {})
    assert _counted(place) == {name: made[name] or int(not second[name].failed) for name in KINDS}
    for name in [name for name, ended in second.items() if ended.kind == "CannotDetermine" and not made[name]]:
        second[name] = place.force(KINDS[name], NAME)
    in_the_end = _counted(place)
    assert _leaked(place) == []
    return {
        name: Evidence(first[name], made[name], sent[name], bool(used[armed[name]]), second[name], in_the_end[name])
        for name in KINDS
    }


def _all_at_once(place: Workplace, grace: float, options: Wish) -> dict[str, Ended]:
    running = {name: place.start(name, {**kind.desired(NAME, grace), **options}) for name, kind in KINDS.items()}
    return {name: one.ended() for name, one in running.items()}


def _counted(place: Workplace) -> dict[str, int]:
    state = place.sandbox.state()
    return {name: kind.objects(state, NAME) for name, kind in KINDS.items()}


@each_kind
@pytest.mark.parametrize("fault", NINE, ids=lambda fault: fault.title)
def test_one_of_the_nine(place: Workplace, kept: Kept, table: OutcomeTable, fault: Fault, kind: str) -> None:
    table.begin(fault.title, kind)
    found = _evidence(place, kept, fault, GRACE)[kind]
    assert found.struck, "the fault has not struck"
    if fault.name == "redirect":
        _refused_to_follow(place, found)
    else:
        _converged(found, fault, kind)
    assert found.second.succeeded()["changed"] is (found.made == 0)
    assert found.in_the_end == 1
    table.fill(fault.title, kind, _told(found.first))


def _converged(found: Evidence, fault: Fault, kind: str) -> None:
    assert found.first.succeeded()["changed"] is True
    assert found.made == 1
    limit = 2 if _harmless(kind, fault) else TIMES_SENT.get(fault.title, 1)
    assert len(found.sent) <= limit, "the create was sent again"
    if fault.title in TIMES_SENT:
        assert found.sent[1]["time"] - found.sent[0]["time"] >= 3.0, "Retry-After was not honoured"
        assert any("429" in warning for warning in found.first.warnings), "the repetition was not shown"


def _harmless(kind: str, fault: Fault) -> bool:
    """Whether a second create does no harm: a PUT of the same object."""
    return kind == "storage_object" and fault.title in AFTER


def _refused_to_follow(place: Workplace, found: Evidence) -> None:
    assert (found.first.kind, found.first.result["changed"], found.made) == ("Unusable", False, 0)
    foreign = place.sandbox.info["foreign_url"]
    assert f"redirects to {foreign}; this was not followed" in found.first.message
    assert found.first.result["error"]["redirect"] == foreign


def _told(first: Ended) -> str:
    word = f"error {first.kind}" if first.failed else "changed"
    return f"{word}, {first.seconds:.1f} s"


@each_kind
@pytest.mark.parametrize("fault", FURTHER, ids=lambda fault: fault.title)
def test_a_further_fault(place: Workplace, kept: Kept, fault: Fault, kind: str) -> None:
    """The first run ends well with one object, or says by name that nobody knows; never two, and the second is well."""
    found = _evidence(place, kept, fault, LITTLE_GRACE)[kind]
    assert found.struck, "the fault has not struck"
    if found.first.failed:
        assert found.first.kind in NAMED, found.first.result
        assert found.first.result["changed"] is bool(found.sent), "what was sent may have been done, and nothing else"
    else:
        assert (found.first.result["changed"], found.made) == (True, 1)
    assert found.second.succeeded()["changed"] is (found.made == 0)
    assert found.in_the_end == 1
    assert len(found.sent) <= 1 or kind == "storage_object"


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
    ended = place.run(module, {**KINDS[module].desired(NAME), "retries": 0})
    unclear = status == 302 and request_kind in ("REST write", "SOAP write")  # 307 asks for the same elsewhere
    assert ended.kind == ("CannotDetermine" if unclear else "Unusable"), ended.result
    assert place.sandbox.info["foreign_url"] in ended.message
    assert place.sandbox.requests("foreign") == []


def _prepare(place: Workplace, module: str) -> None:
    """Make what has to be there before; the log begins after that."""
    if module == "storage_object":
        place.make_container()
        place.sandbox.clear_requests()


def _leaked(place: Workplace) -> list[Entry]:
    """Return what reached the other host with anything secret in it."""
    there = place.sandbox.requests("foreign")
    return [one for one in there if set(SECRET_HEADERS) & set(one["headers"]) or one["body_bytes"] != 0]


@pytest.mark.parametrize("way", WAYS)
def test_in_a_playbook(place: Workplace, tmp_path: Path, way: str) -> None:
    """What the plain processes above show holds under Ansible, as twin and as module."""
    _prepare(place, "storage_object")
    tasks = [task(kind.module, kind.desired(NAME)) for kind in KINDS.values()]
    for fault, kind in zip(NINE, KINDS.values()):
        fault.arm(place, kind)
    first = play(place, tasks, tmp_path / "first", way=way)
    assert [one.result.get("changed") for one in first.results] == [True] * len(KINDS), first.stdout
    assert [one["used"] for one in place.sandbox.faults()] == [1] * len(KINDS)
    second = play(place, tasks, tmp_path / "second", way=way)
    assert [one.result.get("changed") for one in second.results] == [False] * len(KINDS), second.stdout
    assert [place.objects(kind, NAME) for kind in KINDS.values()] == [1] * len(KINDS)
    assert {one["headers"]["User-Agent"].rpartition(" ")[2] for one in place.sandbox.requests("rest")} == {f"({way})"}
