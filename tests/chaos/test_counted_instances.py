# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A count of instances is interrupted while it grows or shrinks: the next run makes up exactly what is missing."""

from __future__ import annotations

import signal
import time
import typing as t
from collections import Counter

import pytest

from chaos.fleets import CREATE, LONG, really
from chaos.kinds import PLACE, Wish
from chaos.moments import Strike, spread
from chaos.workplace import Workplace

pytestmark = pytest.mark.full

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGKILL)
TRIES, FEW, MANY = 6, 2, 5
STALE, LAG = 0.3, 0.1
REMOVE: Wish = {"service": "rest", "method": "DELETE", "path": "/instances/"}


def counted(name: str, count: int, **more: t.Any) -> Wish:
    """Return the options of a task that has so many instances and no more."""
    purge = {"instances_count": count, "purge_instances": True, "max_delete": "100%"}
    return {"name": name, **purge, **PLACE, "wait_timeout": LONG, "create_grace": LAG, **more}


def numbered(name: str, count: int) -> Counter[str]:
    return Counter(f"{name}-{one}" for one in range(1, count + 1))


def _strikes(place: Workplace, name: str, count: int) -> list[Strike]:
    whole = place.start("instance", counted(name, count), strike=Strike(reads=False)).ended()
    whole.succeeded()
    moments = spread(whole.moments, TRIES)
    return [Strike(moment, SIGNALS[one % len(SIGNALS)], reads=False) for one, moment in enumerate(moments)]


def test_while_it_grows_and_while_it_shrinks(place: Workplace) -> None:
    place.sandbox.settings(rest={"visibility_delay": STALE, "ticket_list_lag": LAG})
    place.run("instance", counted("whole", FEW)).succeeded()
    growing = _strikes(place, "whole", MANY)
    shrinking = _strikes(place, "whole", FEW)
    cut_short = 0
    for number, (grow, shrink) in enumerate(zip(growing, shrinking)):
        name = f"at{number}"
        place.run("instance", counted(name, FEW)).succeeded()
        since = place.last()
        cut_short += place.start("instance", counted(name, MANY), strike=grow).struck()
        place.wait_until_over(CREATE, since)
        time.sleep(STALE)  # the lists show all that was made
        again = place.run("instance", counted(name, MANY))
        kinds = {one["error"]["kind"] for one in again.result.get("failures", ())}
        assert kinds <= {"CannotDetermine"}
        place.run("instance", counted(name, MANY, force_create=True)).succeeded()
        assert really(place, name) == numbered(name, MANY)
        since = place.last()
        cut_short += place.start("instance", counted(name, FEW), strike=shrink).struck()
        place.wait_until_over(REMOVE, since)
        assert numbered(name, FEW) <= really(place, name) <= numbered(name, MANY)
        place.run("instance", counted(name, FEW)).succeeded()
        assert really(place, name) == numbered(name, FEW)
        assert place.run("instance", counted(name, FEW)).succeeded()["changed"] is False
    place.forgive_half_requests()
    assert cut_short > TRIES / 2, "most of the signals came too late to interrupt anything"


def test_a_create_that_fails_spares_the_surplus(place: Workplace) -> None:
    place.run("instance", counted("spare", 4)).succeeded()
    record = next(one for one in place.sandbox.state()["rest"]["instances"] if one["Name"] == "spare-1")
    place.run("instance", {"id": record["Id"], "state": "absent"}).succeeded()
    place.sandbox.fault("status_before", status=402, times=0, **CREATE)
    ended = place.run("instance", counted("spare", 2))
    place.sandbox.clear_faults()
    assert ended.result["failed"] is True
    assert really(place, "spare") == numbered("spare", 4) - Counter(["spare-1"])
    place.run("instance", counted("spare", 2, force_create=True)).succeeded()  # those words were not the service's
    assert really(place, "spare") == numbered("spare", 2)
