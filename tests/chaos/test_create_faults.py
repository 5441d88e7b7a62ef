# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A fault strikes once while an object is made: there is exactly one in the end, or a named error tells why not."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass, field

import pytest

from chaos.kinds import KINDS, Kind
from chaos.outcome_table import OutcomeTable
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
each_kind = pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)


@pytest.fixture(autouse=True)
def _ready(place: Workplace) -> None:
    place.make_container()
    place.sandbox.clear_requests()


@each_kind
@pytest.mark.parametrize("fault", NINE, ids=lambda fault: fault.title)
def test_one_of_the_nine(place: Workplace, table: OutcomeTable, fault: Fault, kind: Kind) -> None:
    table.begin(fault.title, kind.module)
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
