# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The budget of retries that the tasks of a play share: what a retry takes, what comes back, and that nothing fails."""

from __future__ import annotations

import fcntl
import multiprocessing
import os
import stat
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.plugins.module_utils._core.clock import Clock
from ansible_collections.fcd.cloud.plugins.module_utils._http import client
from ansible_collections.fcd.cloud.plugins.module_utils._http.client import Exchange, Request
from ansible_collections.fcd.cloud.plugins.module_utils._http.retries import (
    COST,
    FULL_AFTER,
    RetryBudget,
    SharedRetries,
    cost_of,
)

from .conftest import Senders
from .raw_server import RawServer, Visit

URL = "https://api.example.com/beta/things"
CAPACITY = 50
Serve = t.Callable[..., RawServer]


class Play:
    """A state folder; ``told`` is what was shown."""

    def __init__(self, folder: Path, clock: Clock) -> None:
        self.folder = folder / "state" / "retries"
        self.file = self.folder / "play"
        self.clock = clock
        self.told: list[str] = []

    def shared(self, capacity: int = CAPACITY) -> SharedRetries:
        return SharedRetries(capacity, lambda _url: str(self.file), "this play", self.told.append)

    def budget(self, capacity: int = CAPACITY) -> RetryBudget:
        """What a task of the play has; each gets one of its own."""
        return RetryBudget(self.shared(capacity), URL, self.clock)

    def taken(self, cost: int = COST) -> int:
        """Return how many retries there are until it is spent."""
        number = 0
        while self.budget().take(cost):
            number += 1
        return number


@pytest.fixture
def play(tmp_path: Path, fake_clock: Clock) -> Play:
    return Play(tmp_path, fake_clock)


@pytest.mark.parametrize(
    ("error", "cost"),
    [
        (errors.Unreachable("x"), 5),
        (errors.Unreachable("x", timed_out=True), 10),
        (errors.Unclear("x"), 5),
        (errors.Unclear("x", timed_out=True), 10),
        (errors.RateLimited("x", status=429), 5),
        (errors.ServiceError("x", status=500), 5),
        (errors.ServiceError("x", status=503), 5),
        (errors.ServiceError("x", status=408), 10),
        (errors.ServiceError("x", status=504), 10),
    ],
)
def test_what_a_retry_takes(error: errors.FcdError, cost: int, play: Play) -> None:
    assert cost_of(error) == cost
    assert play.taken(cost) == CAPACITY // cost


def test_a_good_answer_gives_one_point_back(play: Play) -> None:
    assert play.taken() == 10
    for _answer in range(4):
        play.budget().give()
    assert not play.budget().take(COST)
    play.budget().give()
    assert play.budget().take(COST)
    assert not play.budget().take(COST)


def test_when_all_is_back_nothing_is_left_of_it(play: Play) -> None:
    assert play.budget().take(COST)
    for _answer in range(COST):
        assert play.file.exists()
        play.budget().give()
    assert not play.file.exists()
    play.budget().give()
    assert not play.file.exists()
    assert play.taken() == 10


@pytest.mark.parametrize(
    ("passed", "retries"),
    [(0.0, 0), (-86400.0, 0), (FULL_AFTER * 0.09, 0), (FULL_AFTER * 0.11, 1), (FULL_AFTER, 10), (1e9, 10)],
)
def test_time_gives_back_and_a_clock_that_goes_back_takes_nothing(play: Play, passed: float, retries: int) -> None:
    assert play.taken() == 10
    play.clock.time += passed  # type: ignore[attr-defined]
    assert play.taken() == retries


@pytest.mark.parametrize("content", [b"", b"x", b"1", b"nan 1", b"inf 0", b"\xff" * 900, b"1 2 3"])
def test_a_file_that_is_broken_counts_as_none(play: Play, content: bytes) -> None:
    assert play.budget().take(COST)
    play.file.write_bytes(content)
    assert play.taken() == 10


def test_what_is_left_is_told(play: Play) -> None:
    play.budget().take(5)
    play.budget().give()
    play.budget().take(10)
    assert play.told == [
        "The retry budget of this play for https://api.example.com has 45 of 50 points left.",
        "The retry budget of this play for https://api.example.com has 36 of 50 points left.",
    ]


def test_the_file_is_private(play: Play) -> None:
    play.budget().take(COST)
    assert stat.S_IMODE(play.file.stat().st_mode) == 0o600
    assert stat.S_IMODE(play.folder.stat().st_mode) == 0o700


def test_the_files_of_earlier_plays_are_removed(play: Play) -> None:
    play.budget().take(COST)
    for name, age in (("recent", FULL_AFTER / 2), ("old", FULL_AFTER * 2)):
        (play.folder / name).write_text("1 1")
        os.utime(play.folder / name, (0, play.clock.now() - age))
    play.file.unlink()
    play.budget().take(COST)
    assert {entry.name for entry in play.folder.iterdir()} == {"play", "recent"}


def in_the_way(play: Play) -> None:
    play.folder.parent.write_text("a file")


def a_link(play: Play) -> None:
    play.folder.mkdir(parents=True)
    play.file.symlink_to(play.folder.parent.parent / "elsewhere")


def a_folder(play: Play) -> None:
    play.file.mkdir(parents=True)


def a_pipe(play: Play) -> None:
    play.folder.mkdir(parents=True)
    os.mkfifo(play.file)


@pytest.mark.parametrize("block", [in_the_way, a_link, a_folder, a_pipe])
def test_without_a_file_there_is_no_limit_and_no_failure(play: Play, block: t.Callable[[Play], None]) -> None:
    block(play)
    for _retry in range(30):
        assert play.budget().take(COST)
        play.budget().give()
    assert play.told == []
    assert not (play.folder.parent.parent / "elsewhere").exists()


def test_a_full_disk_is_no_failure(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_args: t.Any) -> t.NoReturn:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "pwrite", full)
    assert all(play.budget().take(COST) for _retry in range(30))


def test_who_hangs_with_the_lock_keeps_nobody(play: Play) -> None:
    play.budget().take(COST)
    with play.file.open("rb") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        assert all(play.budget().take(COST) for _retry in range(30))
    assert play.clock.now() - 1_700_000_000.0 < 30  # seconds of patience in all
    assert play.taken() == 9


def _take_many(play: Play, start: t.Any, answer: t.Any) -> None:
    start.wait()
    answer.put(sum(play.budget(500).take(COST) for _retry in range(40)))


def _come_and_go(play: Play, start: t.Any, answer: t.Any) -> None:
    """Spend a little and give it back, so that the file is made and removed all the time."""
    start.wait()
    for _retry in range(40):
        play.budget(500).take(1)
        play.budget(500).give()
    answer.put(0)


@pytest.mark.parametrize(("work", "retries"), [(_take_many, 100), (_come_and_go, 0)])
def test_processes_share_it(tmp_path: Path, work: t.Any, retries: int) -> None:
    play, context = Play(tmp_path, PatientClock()), multiprocessing.get_context("fork")
    start, answer = context.Event(), context.Queue()
    processes = [context.Process(target=work, args=(play, start, answer)) for _number in range(8)]
    for process in processes:
        process.start()
    start.set()
    assert sum(answer.get(timeout=120) for _process in processes) == retries
    for process in processes:
        process.join()
    assert play.file.exists() is bool(retries)


class PatientClock(Clock):
    """A clock at which nothing comes back by itself, however long the test takes."""

    def now(self) -> float:
        return 1_700_000_000.0


# ---------------------------------------------------------------- in an exchange


def get(server: RawServer, kind: str = "read") -> Request:
    return Request("List things", "GET", server.url, kind, json_answer=True)


def down(visit: Visit) -> None:
    """Be a service that is down."""
    while visit.read():
        visit.answer(b"", "503 Service Unavailable", "Retry-After: 7")


def up(visit: Visit) -> None:
    while visit.read():
        visit.answer()


def shaky(visit: Visit) -> None:
    """Fail once."""
    while visit.read():
        visit.answer(b"{}", "503 Service Unavailable" if len(visit.server.requests) == 1 else "200 OK")


def exchange(sender: Senders, play: Play, **settings: t.Any) -> Exchange:
    return sender(play.clock, shared=play.shared(), **settings)


def test_many_tasks_do_not_flood_a_service_that_is_down(sender: Senders, serve: Serve, play: Play) -> None:
    server = serve(down)
    told = []
    for _task in range(20):
        with pytest.raises(errors.ServiceError) as caught:
            exchange(sender, play).send(get(server))
        told.append(caught.value.message)
    assert len(server.requests) == 20 + CAPACITY // COST
    assert play.clock.pauses == [7.0] * 10  # type: ignore[attr-defined]
    assert "It was tried 4 times" in told[0]
    assert told[-1].endswith(
        f" It was not sent again: the retry budget of this play for {server.url} is spent; each good answer gives 1 of "
        "its 50 points back, a retry takes 5, and within 30 minutes it is full again."
    )


def test_without_a_budget_each_task_tries_as_before(sender: Senders, serve: Serve, play: Play) -> None:
    server = serve(down)
    for _task in range(20):
        with pytest.raises(errors.ServiceError, match="It was tried 4 times"):
            sender(play.clock).send(get(server))
    assert len(server.requests) == 20 * 4


def test_the_end_of_a_call_costs_nothing(sender: Senders, serve: Serve, play: Play) -> None:
    with pytest.raises(errors.ServiceError, match="does not fit into this call"):
        exchange(sender, play, timeout=5.0).send(get(serve(down)))
    assert not play.folder.exists()


def test_one_failure_is_soon_forgotten(sender: Senders, serve: Serve, play: Play) -> None:
    server = serve(shaky)
    exchange(sender, play).send(get(server))
    assert play.file.exists()
    for _task in range(COST - 1):  # each of the tasks that follow gives a point back
        exchange(sender, play).send(get(server))
    assert not play.file.exists()
    assert len(server.requests) == COST + 1
    assert len(sender.warnings) == len(play.told) == 1


def test_a_task_that_succeeds_at_once_looks_once_for_a_file(
    sender: Senders, serve: Serve, play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[str] = []
    monkeypatch.setattr(client.os.path, "exists", looks.append)
    one = exchange(sender, play)
    server = serve(up)
    for _request in range(3):
        one.send(get(server))
    assert looks == [str(play.file)]
    assert not play.folder.parent.exists()


def test_a_retry_that_another_makes_counts_too(sender: Senders, serve: Serve, play: Play) -> None:
    """SOAP sees by itself that an answer is of no use; an error that it was to be given gives nothing back."""
    server = serve(down)
    accepted = get(server)._replace(accept_statuses=frozenset({503}), json_answer=False)
    one = exchange(sender, play)
    number = 0
    while not (spent := one.spend_retry(server.url)):
        one.send(accepted)
        number += 1
    assert number == CAPACITY // COST
    assert spent.startswith("the retry budget of this play for http://127.0.0.1:")


def test_a_write_without_an_answer_costs_nothing(sender: Senders, serve: Serve, play: Play) -> None:
    with pytest.raises(errors.ServiceError):
        exchange(sender, play).send(get(serve(down), "write"))
    assert not play.folder.exists()


def test_a_time_out_costs_more_and_its_mark_stays_inside(
    sender: Senders, serve: Serve, play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nobody(*_args: t.Any) -> t.NoReturn:
        raise TimeoutError

    one = exchange(sender, play, direct=True)
    monkeypatch.setattr("socket.socket.connect", nobody)
    with pytest.raises(errors.Unreachable, match="no answer in time") as caught:
        one.send(Request("List things", "GET", "http://127.0.0.1:9/x", "read"))
    assert set(caught.value.details) == {"operation"}
    assert [line.rpartition(" has ")[2] for line in play.told] == [
        f"{left} of 50 points left." for left in (40, 30, 20)
    ]
