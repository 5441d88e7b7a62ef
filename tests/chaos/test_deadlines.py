# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""No task outlives its task_timeout by more than a second, whatever the service does, and each says why it ended."""

from __future__ import annotations

import shutil
import typing as t
from concurrent.futures import ThreadPoolExecutor

import pytest

from chaos.kinds import CONTAINER, KINDS, Wish
from chaos.task_process import Ended, TaskProcess
from chaos.workplace import Workplace

pytestmark = pytest.mark.full

LIMIT, LOG_INS = 3.0, 25
"""Seconds that a task may take at least, and log-ins that have to find room in them, however slow these are now."""

TOLERANCE = 1.0
"""Seconds that it may take longer; those for which others had the processors are not its own."""

LONG = 600
NAME = "kiwi"
TELLING = {"DeadlinePassed", "CannotDetermine", "WaitTimeout", "Unusable", "Unclear", "RateLimited"}
WITHOUT_BODY = {"one byte a second": ["storage read", "storage write"]}
"""Answers that have no body cannot have a slow one; these tasks succeed."""


class Slow(t.NamedTuple):
    """A request that is slow, and the task that sends it."""

    module: str
    args: Wish
    selection: Wish


SLOW = {
    "log-in": Slow("dictionary_info", {"dictionary": "17"}, {"service": "identity"}),
    "REST read": Slow("dictionary_info", {}, {"service": "rest", "path": "/dictionaries"}),
    "REST write": Slow("instance", KINDS["instance"].args(NAME), KINDS["instance"].create),
    "WSDL": Slow("warehouse", KINDS["warehouse"].args(NAME), {"service": "soap", "method": "GET"}),
    "SOAP read": Slow(
        "client_user", KINDS["client_user"].args(NAME), {"service": "soap", "operation": "^(Is|GetUser)"}
    ),
    "SOAP write": Slow("warehouse", KINDS["warehouse"].args(NAME), KINDS["warehouse"].create),
    "storage log-in": Slow("storage_container", {"name": "first"}, {"service": "storage", "operation": " auth$"}),
    "storage read": Slow("storage_container", {"name": "second"}, {"service": "storage", "path": "/second$"}),
    "storage write": Slow(
        "storage_object", KINDS["storage_object"].args(NAME), {"service": "storage", "operation": "^PUT object$"}
    ),
}
STALLS: dict[str, tuple[str, dict[str, t.Any]]] = {
    "one byte a second": ("drip", {}),
    "headers at one byte a second": ("drip_headers", {}),
    "silence": ("hang_before", {"seconds": LONG}),
    "silence when it is done": ("hang_after", {"seconds": LONG}),
    "come again in a minute": ("status_before", {"status": 429, "retry_after": 60, "own_words": True}),
}


def _start(place: Workplace, name: str, limit: float) -> TaskProcess:
    """Start the task in a home of its own: another task's lock is no part of this."""
    slow = SLOW[name]
    own = place.another(name.replace(" ", "-"))
    cold = {"WSDL": "contracts", "log-in": "tokens", "storage log-in": "tokens"}
    if name in cold:
        shutil.rmtree(own.state_dir / cold[name])
    return own.start(slow.module, {**slow.args, "task_timeout": limit})


def _log_in(place: Workplace) -> float:
    """Get tokens of both kinds, which the tasks then find in their homes; return the time limit for these."""
    place.make_container()
    ended = place.run("dictionary_info", {"dictionary": "17"})
    ended.succeeded()
    return max(LIMIT, LOG_INS * ended.seconds)


def _late(ended: t.Mapping[str, Ended], limit: float) -> dict[str, Ended]:
    """Return the tasks that have taken longer than they may, by names."""
    return {name: one for name, one in ended.items() if one.seconds - one.kept > limit + TOLERANCE}


def _in_time(ended: t.Mapping[str, Ended], limit: float) -> None:
    assert _late(ended, limit) == {}, f"more than {limit + TOLERANCE:g} s"
    assert {name: one.kind for name, one in ended.items() if one.failed and one.kind not in TELLING} == {}
    assert all(one.message and "\n" not in one.message for one in ended.values() if one.failed)


@pytest.mark.parametrize("stall", STALLS)
def test_a_stalled_service(place: Workplace, stall: str) -> None:
    """All tasks wait at the same time, each on its own kind of request."""
    limit = _log_in(place)
    fault, params = STALLS[stall]
    for slow in SLOW.values():
        place.sandbox.fault(fault, times=0, **slow.selection, **params)
    running = {name: _start(place, name, limit) for name in SLOW}
    ended = {name: one.ended() for name, one in running.items()}
    assert [one for one in place.sandbox.faults() if not one["used"]] == []
    _in_time(ended, limit)
    assert [name for name, one in ended.items() if not one.failed] == WITHOUT_BODY.get(stall, [])


@pytest.mark.parametrize("name", [name for name in SLOW if not name.startswith("storage")])
def test_an_answer_without_an_end(place: Workplace, name: str) -> None:
    slow = SLOW[name]
    limit = _log_in(place)
    place.sandbox.fault("oversize", times=0, mebibytes=100_000, **slow.selection)
    ended = _start(place, name, limit).ended()
    assert ended.failed
    _in_time({name: ended}, limit)


def _log_in_of_another(place: Workplace, limit: float) -> Ended:
    """Wait for another task, which holds the lock of the token store and is stuck in its log-in."""
    shutil.rmtree(place.state_dir / "tokens")
    place.sandbox.fault("hang_before", seconds=LONG, times=0, service="identity")
    stuck = place.start("dictionary_info", {"dictionary": "17", "timeout": LONG})
    place.wait_for({"service": "identity"})
    ended = place.run("dictionary_info", {"dictionary": "17", "task_timeout": limit})
    stuck.kill()
    return ended


def _create_of_another(place: Workplace, limit: float) -> Ended:
    """Wait for another task, which is stuck in the create of the same object."""
    kind = KINDS["warehouse"]
    place.sandbox.fault("hang_before", seconds=LONG, times=0, **kind.create)
    stuck = place.start(kind.module, {**kind.args(NAME), "timeout": LONG})
    place.wait_for(kind.create)
    ended = place.run(kind.module, {**kind.args(NAME), "task_timeout": limit})
    stuck.kill()
    return ended


def _operation(place: Workplace, limit: float) -> Ended:
    """Wait for a ticket that never ends."""
    place.sandbox.settings(rest={"hang_tickets": "create_instance"})
    return place.run("instance", {**KINDS["instance"].args(NAME), "wait_timeout": LONG, "task_timeout": limit})


def _outcome(place: Workplace, limit: float) -> Ended:
    """Look for what a create without a clear answer has made; the grace time is longer than the task may take."""
    kind = KINDS["client_user"]
    place.sandbox.fault("drop_before", **kind.create)
    return place.run(kind.module, {**kind.args(NAME), "create_grace": LONG, "task_timeout": limit})


def _upload(place: Workplace, limit: float) -> Ended:
    """Send a large file, of which the service reads nothing."""
    file = place.home / "large"
    with file.open("wb") as handle:
        handle.truncate(256 << 20)
    wish = {"container": CONTAINER, "name": NAME, "src": str(file), "remote_src": True, "task_timeout": limit}
    place.sandbox.fault("hang_before", seconds=LONG, times=0, service="storage", operation="^PUT object$")
    return place.run("storage_object", wish)


STUCK: dict[str, tuple[t.Callable[[Workplace, float], Ended], set[str]]] = {
    "the log-in of another task": (_log_in_of_another, TELLING | {"Busy"}),
    "the create of another task": (_create_of_another, {"Busy", "DeadlinePassed"}),
    "an operation that never ends": (_operation, {"WaitTimeout", "DeadlinePassed"}),
    "the outcome of a create": (_outcome, {"CannotDetermine", "DeadlinePassed"}),
    "an upload": (_upload, TELLING),
}


def test_what_tasks_wait_for(place: Workplace) -> None:
    """All at the same time, each in a home of its own."""
    limit = _log_in(place)
    with ThreadPoolExecutor(len(STUCK)) as pool:
        futures = {
            name: pool.submit(work, place.another(name.replace(" ", "-")), limit)
            for name, (work, _kinds) in STUCK.items()
        }
    ended = {name: future.result() for name, future in futures.items()}
    assert {name: one.kind for name, one in ended.items() if one.kind not in STUCK[name][1]} == {}
    assert _late(ended, limit) == {}
