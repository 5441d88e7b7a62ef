# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Things that go wrong with some instances of a fleet: the others are finished, and each failure is told."""

from __future__ import annotations

import pytest

from chaos.fleets import CREATE, LONG, MODULE, failed, fleet, forced, kinds, once_each, really
from chaos.kinds import PLACE, Wish
from chaos.task_process import LONGEST, Ended
from chaos.workplace import FOR_EVER, GRACE, Workplace, until

pytestmark = pytest.mark.full

NUMBER = 10
TICKETS = {"service": "rest", "method": "GET", "path": r"/tickets\?"}
REMOVE = {"service": "rest", "method": "DELETE", "path": r"/instances/\d+"}
ANEW = {**PLACE, "template": "Debian 9", "recreate": True}
LISTS = {"service": "rest", "method": "GET", "path": r"/instances\?"}


def done_but_for(missing: int, place: Workplace) -> Ended:
    """Run a fleet whose time is over as soon as all is done but for so many."""
    task = place.start(MODULE, fleet("knot", NUMBER, wait_timeout=GRACE))
    task.wait_told(f"{NUMBER - missing} of {NUMBER} instances are done.")
    task.leap()
    return task.ended()


@pytest.mark.parametrize(
    ("setting", "kind"), [("fail_tickets", "OperationFailed"), ("hang_tickets", "WaitTimeout")], ids=["fails", "hangs"]
)
def test_a_ticket_that_fails_or_never_ends(place: Workplace, setting: str, kind: str) -> None:
    place.sandbox.settings(rest={setting: "knot-[35]$"})
    done = done_but_for(2, place) if setting == "hang_tickets" else place.run(MODULE, fleet("knot", NUMBER))
    assert done.failed
    assert done.result["changed"] is True
    under_way = kind == "WaitTimeout"
    assert {one["changed"] for one in failed(done).values()} == {under_way}
    assert kinds(done) == {"knot-3": kind, "knot-5": kind}
    assert all(one["ticket"] is not None for one in failed(done).values())
    assert done.result["counts"] == {"created": 8, "removed": 0, "changed": 0, "unchanged": 0, "failed": 2}
    assert done.message.startswith("2 of 10 instances failed (8 created): knot-3: Creating instance 'knot-3' ")


def test_a_failed_ticket_is_made_up_by_the_next_run(place: Workplace) -> None:
    place.sandbox.settings(rest={"fail_tickets": "knot-[35]$"})
    assert place.run(MODULE, fleet("knot", NUMBER)).failed
    place.sandbox.settings(rest={"fail_tickets": None})
    assert place.run(MODULE, fleet("knot", NUMBER)).succeeded()["counts"]["created"] == 2
    assert really(place, "knot") == once_each("knot", NUMBER)


def test_tickets_that_vanish(place: Workplace) -> None:
    """The instances are looked for by their names."""
    place.sandbox.settings(rest={"lost_tickets": "knot-[0-4]$"})
    told = place.run(MODULE, fleet("knot", NUMBER)).succeeded()
    assert told["counts"]["created"] == NUMBER
    assert really(place, "knot") == once_each("knot", NUMBER)


def test_an_instance_that_stays_locked(place: Workplace) -> None:
    place.sandbox.settings(rest={"stuck_locks": "knot-7"})
    done = done_but_for(1, place)
    assert kinds(done) == {"knot-7": "WaitTimeout"}
    assert "locked" in done.message
    assert done.result["counts"]["created"] == NUMBER - 1


def test_an_instance_that_disappears_between_read_and_change(place: Workplace) -> None:
    """Whoever changes it finds it gone; the others are changed."""
    instances = place.run(MODULE, fleet("knot", 4)).succeeded()["outcomes"]
    change_of_it: Wish = {"service": "rest", "method": "POST", "path": rf"/instances/{instances[2]['id']}/change_type"}
    place.sandbox.fault("hold", **change_of_it)
    larger = {"template": "CentOS 7", "subregion": "EU-001", "type": "v1.standard-4.4"}
    change = place.start(MODULE, fleet("knot", 4, instance_defaults=larger))
    place.wait_for(change_of_it)
    place.run(MODULE, {"instances": [{"name": "knot-2"}], "state": "absent", "wait_timeout": LONG}).succeeded()
    place.sandbox.clear_faults()
    done = change.ended()
    assert set(failed(done)) == {"knot-2"}
    assert done.result["counts"]["changed"] == 3
    assert really(place, "knot") == {f"knot-{one}": 1 for one in (0, 1, 3)}


def test_lists_that_never_show_anything(place: Workplace) -> None:
    """Neither run is misled: the first waits for the lists no longer than it is told to, the second not at all."""
    place.sandbox.settings(rest={"visibility_delay": FOR_EVER})
    assert place.run(MODULE, fleet("knot", NUMBER, create_grace=1.0)).succeeded()["counts"]["created"] == NUMBER
    again = place.run(MODULE, fleet("knot", NUMBER, create_grace=GRACE)).succeeded()
    assert again["counts"]["created"] == 0
    assert really(place, "knot") == once_each("knot", NUMBER)


@pytest.mark.parametrize("fault", ["drop_after", "status_after", "cut", "html"])
def test_unclear_answers_to_some_creates(place: Workplace, fault: str) -> None:
    more = {"status": 504} if fault == "status_after" else {}
    place.sandbox.fault(fault, skip=2, times=4, **more, **CREATE)
    first = place.run(MODULE, fleet("knot", NUMBER, create_grace=1.5))
    if first.failed:
        assert set(kinds(first).values()) == {"CannotDetermine"}
        assert set(kinds(place.run(MODULE, fleet("knot", NUMBER, create_grace=1.5))).values()) <= {"CannotDetermine"}
        place.run(MODULE, forced("knot", NUMBER)).succeeded()
    assert really(place, "knot") == once_each("knot", NUMBER)


def test_lists_that_cannot_be_read_for_a_while(place: Workplace) -> None:
    place.sandbox.fault("status_before", status=503, skip=3, times=3, **TICKETS)
    place.sandbox.fault("drop_before", skip=4, times=2, **LISTS)
    assert place.run(MODULE, fleet("knot", NUMBER)).succeeded()["counts"]["created"] == NUMBER
    assert really(place, "knot") == once_each("knot", NUMBER)


def test_too_many_requests_are_a_pause_and_no_failure(place: Workplace) -> None:
    """More refusals than a task may repeat requests."""
    place.sandbox.fault("status_before", status=429, own_words=True, retry_after="0", times=60, **CREATE)
    told = place.run(MODULE, fleet("knot", NUMBER)).succeeded()
    assert told["counts"]["created"] == NUMBER
    assert len(place.seen(CREATE)) == NUMBER + 60


def test_too_many_requests_are_a_pause_for_what_is_made_anew(place: Workplace) -> None:
    """The old instance is removed once, and the new one made once."""
    place.run(MODULE, fleet("knot", 4)).succeeded()
    since = place.last()
    place.sandbox.fault("status_before", status=429, own_words=True, retry_after="0", times=30, **CREATE)
    place.sandbox.fault("status_before", status=429, retry_after="0", times=20, **REMOVE)
    told = place.run(MODULE, fleet("knot", 4, instance_defaults=ANEW)).succeeded()
    assert [one["action"] for one in told["outcomes"]] == ["replace"] * 4
    assert (len(place.seen(REMOVE, since)), len(place.seen(CREATE, since))) == (4 + 20, 4 + 30)
    assert really(place, "knot") == once_each("knot", 4)


def test_a_create_that_is_refused_after_the_removal_has_changed_something(place: Workplace) -> None:
    place.run(MODULE, fleet("knot", 2)).succeeded()
    place.sandbox.settings(rest={"payment_required": True})
    done = place.run(MODULE, fleet("knot", 2, instance_defaults=ANEW))
    assert done.failed
    assert done.result["changed"] is True
    assert [(one["action"], one["changed"]) for one in done.result["outcomes"]] == [("failed", True)] * 2
    assert "was removed, but not re-created" in done.message


@pytest.mark.parametrize("check_mode", [True, False])
def test_a_number_that_is_not_there_is_told_before_anything_is_sent(place: Workplace, check_mode: bool) -> None:
    wish = fleet("knot", 3)
    wish["instances"][1].update(type_id=999999)
    wish["instances"][2].update(template_id=999998)
    done = place.run(MODULE, wish, check_mode=check_mode)
    assert done.kind == "InvalidInput"
    assert "knot-1: type: the service does not list 999999." in done.message
    assert "knot-2: template: the service does not list 999998." in done.message
    assert place.writes() == []


PRUNE = {"name_pattern": "knot-*", "max_delete": "100%"}


def test_without_waiting_nothing_is_pruned_while_instances_are_made(place: Workplace) -> None:
    """Nobody knows then whether they will be there; check mode says the same."""
    place.run(MODULE, fleet("knot", 2)).succeeded()
    place.sandbox.settings(rest={"fail_tickets": "knot-new"})
    wish = {**fleet("knot-new", 1), "prune": PRUNE, "wait": False}
    for check_mode in (True, False):
        done = place.run(MODULE, wish, check_mode=check_mode)
        assert done.succeeded()["counts"] == {"created": 1, "removed": 0, "changed": 0, "unchanged": 2, "failed": 0}
        assert [text for text in done.warnings if "2 instances that are no longer declared are kept" in text]
    until(lambda: "knot-new-0" not in really(place, "knot"), "the end of the instance that could not be made")
    place.sandbox.settings(rest={"fail_tickets": None})
    place.run(MODULE, {**wish, "wait": True, "prune": None}).succeeded()
    done = place.run(MODULE, wish)
    assert (done.succeeded()["counts"]["removed"], done.warnings) == (2, [])
    until(lambda: really(place, "knot") == {"knot-new-0": 1}, "the removal")


def test_nothing_is_pruned_when_a_create_fails_in_the_end(place: Workplace) -> None:
    place.run(MODULE, fleet("knot", 2)).succeeded()
    place.sandbox.settings(rest={"fail_tickets": "knot-new"})
    done = place.run(MODULE, {**fleet("knot-new", 1), "prune": PRUNE})
    assert done.failed
    assert done.result["changed"] is False
    assert really(place, "knot") == {"knot-0": 1, "knot-1": 1}


def test_an_account_that_cannot_pay(place: Workplace) -> None:
    place.sandbox.settings(rest={"payment_required": True})
    done = place.run(MODULE, fleet("knot", NUMBER))
    assert set(kinds(done).values()) == {"Rejected"}
    assert len(kinds(done)) == NUMBER
    assert done.message.count("knot-") == 5, "the message names some of them, the result all"
    assert really(place, "knot") == {}


def test_the_deadline_comes_while_the_service_is_silent(place: Workplace) -> None:
    """What is on its way ends with the time of a call, long before the silence does; nothing more is begun."""
    place.sandbox.fault("hang_before", seconds=2 * LONGEST, times=0, **CREATE)
    wish = fleet("knot", NUMBER, concurrency=2, wait_timeout=GRACE, create_grace=0.5)
    task = place.start(MODULE, wish, FCD_TIMEOUT="5")
    place.wait_for(CREATE, 2)
    task.leap()
    done = task.ended()
    assert done.result["counts"]["failed"] == NUMBER
    assert len(place.seen(CREATE)) == 2
    assert f"nothing was started within {GRACE:g} s" in str(failed(done)["knot-9"])


def test_check_mode_sends_nothing_and_tells_the_same(place: Workplace) -> None:
    foreseen = place.run(MODULE, fleet("knot", NUMBER), check_mode=True).succeeded()
    assert place.writes() == []
    done = place.run(MODULE, fleet("knot", NUMBER)).succeeded()
    assert foreseen["counts"] == done["counts"]
    assert [one["action"] for one in foreseen["outcomes"]] == [one["action"] for one in done["outcomes"]]
    until(lambda: really(place, "knot") == once_each("knot", NUMBER), "the fleet")
