# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a fleet knows of the instances that it has made, also after interruptions: nothing else is ever pruned."""

from __future__ import annotations

import json
import typing as t
from pathlib import Path

import pytest

from chaos.fleets import CREATE, MODULE, fleet, really
from chaos.kinds import PLACE
from chaos.workplace import FOR_EVER, Workplace, until

pytestmark = pytest.mark.full

PRUNE = {"from_journal": True, "max_delete": "100%"}


def noted(place: Workplace) -> dict[str, t.Any]:
    """Return the only note."""
    return t.cast("dict[str, t.Any]", json.loads(path(place).read_text(encoding="utf-8")))


def path(place: Workplace) -> Path:
    """Return where the only note is."""
    (found,) = (place.state_dir / "fleets").glob("*.json")
    return found


def names(place: Workplace) -> list[str]:
    """Return the names that are known."""
    return sorted(noted(place)["made"].values())


def test_what_was_there_before_is_not_known(place: Workplace) -> None:
    place.run("instance", {"name": "scaup-0", **PLACE}).succeeded()
    place.run(MODULE, fleet("scaup", 3, fleet="f")).succeeded()
    assert names(place) == ["scaup-1", "scaup-2"]
    place.run(MODULE, {**fleet("other", 1, fleet="f"), "prune": PRUNE}).succeeded()
    assert really(place, "scaup") == {"scaup-0": 1}
    assert names(place) == ["other-0"]


def test_after_an_interruption_the_next_run_gets_to_know_what_was_made(place: Workplace) -> None:
    place.sandbox.settings(rest={"visible_after": 0.0, "list_lag": 0.0})
    place.sandbox.fault("hang_after", seconds=600, times=0, **CREATE)
    victim = place.start(MODULE, fleet("scaup", 4, fleet="f"))
    until(lambda: sum(really(place, "scaup").values()) == 4, "the instances at the service")
    assert victim.kill()
    place.sandbox.clear_faults()
    assert noted(place) == {"asked_for": {f"scaup-{number}": None for number in range(4)}, "made": {}}
    done = place.run(MODULE, {**fleet("scaup", 3, fleet="f"), "prune": PRUNE})
    assert done.succeeded()["counts"]["removed"] == 0, "nobody has seen the number of the fourth"
    assert [text for text in done.warnings if "scaup-3" in text]
    assert names(place) == ["scaup-0", "scaup-1", "scaup-2"]
    place.run(MODULE, fleet("scaup", 4, fleet="f")).succeeded()
    told = place.run(MODULE, {**fleet("scaup", 3, fleet="f"), "prune": PRUNE}).succeeded()
    assert told["counts"]["removed"] == 1
    assert really(place, "scaup") == {f"scaup-{number}": 1 for number in range(3)}
    assert noted(place)["asked_for"] == {}


@pytest.mark.parametrize("visible_after", [0.0, FOR_EVER])
def test_an_instance_that_is_made_anew_is_known_by_its_new_number(place: Workplace, visible_after: float) -> None:
    place.sandbox.settings(rest={"visible_after": visible_after})
    briefly = {"fleet": "f", "create_grace": 1.0}
    place.run(MODULE, fleet("scaup", 1, **briefly)).succeeded()
    anew = {**PLACE, "template": "Debian 9", "recreate": True}
    foreseen = place.run(MODULE, fleet("scaup", 1, **briefly, instance_defaults=anew), check_mode=True).succeeded()
    assert foreseen["outcomes"][0]["action"] == "replace"
    told = place.run(MODULE, fleet("scaup", 1, **briefly, instance_defaults=anew)).succeeded()
    assert told["outcomes"][0]["action"] == "replace"
    assert noted(place)["made"] == {str(told["instances"][0]["id"]): "scaup-0"}


def test_another_instance_of_a_known_name_is_left_alone(place: Workplace) -> None:
    """It was removed and made by hand; its number is another."""
    place.run(MODULE, fleet("scaup", 2, fleet="f")).succeeded()
    place.run("instance", {"name": "scaup-1", "state": "absent"}).succeeded()
    place.run("instance", {"name": "scaup-1", **PLACE}).succeeded()
    told = place.run(MODULE, {**fleet("scaup", 1, fleet="f"), "prune": PRUNE}).succeeded()
    assert told["counts"]["removed"] == 0
    assert really(place, "scaup") == {"scaup-0": 1, "scaup-1": 1}


def test_fleets_and_accounts_have_notes_of_their_own(place: Workplace) -> None:
    place.run(MODULE, fleet("scaup", 2, fleet="f")).succeeded()
    told = place.run(MODULE, {**fleet("scaup", 1, fleet="g"), "prune": PRUNE}).succeeded()
    assert told["counts"]["removed"] == 0


def test_what_was_refused_is_not_known_when_somebody_else_makes_it(place: Workplace) -> None:
    place.sandbox.settings(rest={"payment_required": True})
    assert place.run(MODULE, fleet("scaup", 2, fleet="f")).failed
    assert noted(place) == {"asked_for": {}, "made": {}}
    place.sandbox.settings(rest={"payment_required": False})
    place.run("instance", {"name": "scaup-1", **PLACE}).succeeded()
    place.run(MODULE, fleet("scaup", 2, fleet="f")).succeeded()
    told = place.run(MODULE, {**fleet("scaup", 1, fleet="f"), "prune": PRUNE}).succeeded()
    assert told["counts"]["removed"] == 0, "the fleet has not made it"
    assert really(place, "scaup") == {"scaup-0": 1, "scaup-1": 1}


def test_what_is_under_way_and_not_listed_yet_is_removed_when_it_is_made(place: Workplace) -> None:
    place.sandbox.settings(rest={"visible_after": 3.0, "ticket_seconds": 1.0})
    place.run(MODULE, {**fleet("scaup", 2, fleet="f"), "wait": False}).succeeded()
    gone = {**fleet("scaup", 2, fleet="f"), "state": "absent"}
    assert place.run(MODULE, fleet("scaup", 2, fleet="f"), check_mode=True).succeeded()["counts"]["created"] == 0
    assert place.run(MODULE, gone, check_mode=True).succeeded()["counts"]["removed"] == 2
    assert place.run(MODULE, gone).succeeded()["counts"]["removed"] == 2
    assert not really(place, "scaup")
    assert noted(place) == {"asked_for": {}, "made": {}}


ANEW = {**PLACE, "template": "Debian 9", "recreate": True}


def test_an_instance_that_was_only_going_to_be_made_anew_is_not_the_fleets(place: Workplace) -> None:
    """The run ended before the removal, so the instance that is there is still somebody else's."""
    old = place.run("instance", {"name": "scaup-0", **PLACE}).succeeded()["instance"]["id"]
    removal = {"service": "rest", "method": "DELETE", "path": rf"/instances/{old}"}
    place.sandbox.fault("hang_before", seconds=600, times=0, **removal)
    victim = place.start(MODULE, fleet("scaup", 1, fleet="f", instance_defaults=ANEW))
    place.wait_for(removal)
    assert victim.kill()
    place.sandbox.clear_faults()
    assert noted(place) == {"asked_for": {"scaup-0": old}, "made": {}}
    place.run(MODULE, fleet("scaup", 1, fleet="f")).succeeded()
    assert noted(place) == {"asked_for": {}, "made": {}}
    done = place.run(MODULE, {**fleet("other", 1, fleet="f"), "prune": PRUNE})
    assert done.succeeded()["counts"]["removed"] == 0
    assert done.warnings == []
    assert really(place, "scaup") == {"scaup-0": 1}


def test_an_instance_made_anew_in_an_interrupted_run_is_the_fleets(place: Workplace) -> None:
    place.run("instance", {"name": "scaup-0", **PLACE}).succeeded()
    place.sandbox.fault("hang_after", seconds=600, times=0, **CREATE)
    victim = place.start(MODULE, fleet("scaup", 1, fleet="f", instance_defaults=ANEW))
    place.wait_for(CREATE, 2)
    until(lambda: sum(really(place, "scaup").values()) == 1, "the new instance")
    assert victim.kill()
    place.sandbox.clear_faults()
    told = place.run(MODULE, fleet("scaup", 1, fleet="f", instance_defaults=ANEW)).succeeded()
    assert noted(place) == {"asked_for": {}, "made": {str(told["instances"][0]["id"]): "scaup-0"}}


@pytest.mark.parametrize("text", ["", "{", '{"made": []}', '{"made": {"x": "y"}, "asked_for": {}}', "open"])
def test_a_damaged_note(place: Workplace, text: str) -> None:
    place.run(MODULE, fleet("scaup", 2, fleet="f")).succeeded()
    note = path(place)
    note.chmod(0o644) if text == "open" else note.write_text(text, encoding="utf-8")
    last = place.last()
    refused = place.run(MODULE, {**fleet("scaup", 1, fleet="f"), "prune": PRUNE})
    assert refused.kind == "InvalidInput"
    assert refused.message.startswith(f"prune.from_journal: the note of fleet 'f' in {note} is damaged or open")
    assert place.last() == last, "nothing was sent"
    told = place.run(MODULE, fleet("scaup", 3, fleet="f"))
    assert told.succeeded()["counts"]["created"] == 1
    assert [str(note) in text and "no longer knows" in text for text in told.warnings] == [True]
    assert names(place) == ["scaup-2"]
    done = place.run(MODULE, {**fleet("scaup", 1, fleet="f"), "prune": PRUNE})
    assert (done.succeeded()["counts"]["removed"], done.warnings) == (1, [])
    assert really(place, "scaup") == {"scaup-0": 1, "scaup-1": 1}
