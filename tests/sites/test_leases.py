# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Locks between hosts, by objects in a real Swift."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import typing as t
from pathlib import Path

import pytest
from chaos.workplace import PATIENCE, until
from sandbox.process import SandboxProcess

from ansible_collections.fcd.cloud.plugins.module_utils._core.clock import Clock
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import Busy, FcdError
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage import leases as lease_times
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.leases import HeldLock, this_process
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.registry.registry import Ownership
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.registry.site_lock import LockOptions, site_lock
from sites.registrar import CONTAINER, REGISTRY, Registrar

ROUNDS = [4, pytest.param(20, marks=pytest.mark.full)]
SITE = "web-shop"
LOCKS = f".fcd-sites/{SITE}/locks/"
HOLDER = """
import json, signal, sys
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.registry.registry import Ownership
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.registry.site_lock import site_lock
from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Settings, Task
connection, registry, part, ignored = json.loads(sys.argv[1])
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):  # whatever is inherited
    signal.signal(number, signal.SIG_IGN if number in ignored else signal.SIG_DFL)
with site_lock(Task(Settings.resolve(connection, ("storage",))), "web-shop", registry, part=part) as lock:
    lock.check()
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def user(sandbox: SandboxProcess, tmp_path: Path) -> Registrar:
    sandbox.reset()
    return Registrar(sandbox, tmp_path)


def hold(user: Registrar, **more: t.Any) -> t.ContextManager[HeldLock]:
    clock, part = more.pop("clock", None), more.pop("part", None)
    return site_lock(user.task(clock=clock), SITE, REGISTRY, LockOptions(**more), part=part)


def place_lease(user: Registrar, owner: dict[str, t.Any], lock: str = "whole", **headers: str) -> None:
    """Store the lease of another run, as it would look."""
    content = {"what": "lock of a site", "nonce": "another", "purpose": "run", "owner": owner, "lock": lock}
    user.objects().write(LOCKS + lock, json.dumps(content).encode(), **headers)


def elsewhere() -> dict[str, t.Any]:
    return {**this_process(0), "host": "other.example.com", "user": "operator", "job": "job 17"}


class Process:
    """A run in a process of its own, which holds the lock until it is told to end, or killed."""

    def __init__(self, user: Registrar, part: str | None = None, *, ignored: t.Collection[signal.Signals] = ()) -> None:
        wish = json.dumps([user.connection, REGISTRY, part, [*ignored]])
        self.process = subprocess.Popen(
            [sys.executable, "-c", HOLDER, wish],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": os.environ["ANSIBLE_COLLECTIONS_PATH"]},
        )
        assert self.process.stdout
        assert self.process.stdout.readline() == "held\n"

    def kill(self) -> None:
        self.process.kill()
        assert self.process.wait() == -signal.SIGKILL
        self._close()

    def end(self) -> None:
        self.process.communicate("")
        assert self.process.returncode == 0

    def _close(self) -> None:
        for stream in (self.process.stdin, self.process.stdout):
            if stream:
                stream.close()


def race(user: Registrar, number: int, **more: t.Any) -> list[int]:
    """Have so many runs ask at the same moment, and return which of them have the lock together."""
    start, asked, end = (threading.Barrier(number, timeout=PATIENCE) for _each in range(3))
    winners: list[int] = []
    odd: list[BaseException] = []

    def run(which: int) -> None:
        sure = False
        start.wait()
        try:
            with hold(user, **more) as lock:
                asked.wait()
                sure = True
                lock.check()  # nobody is about to make it any more
                winners.append(which)
                end.wait()
        except Busy:
            if not sure:
                asked.wait()
            end.wait()
        except BaseException as error:
            odd.append(error)
            asked.abort()
            end.abort()

    threads = [threading.Thread(target=run, args=(which,)) for which in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert odd == []
    return winners


@pytest.mark.parametrize("rounds", ROUNDS)
def test_one_of_many_at_the_same_moment(user: Registrar, monkeypatch: pytest.MonkeyPatch, rounds: int) -> None:
    monkeypatch.setattr(lease_times, "SETTLING", 0)  # all have asked when they look
    assert [len(race(user, 3)) for _round in range(rounds)] == [1] * rounds
    assert user.names() == []


@pytest.mark.parametrize("rounds", ROUNDS)
def test_one_of_many_takes_over_from_the_dead(user: Registrar, monkeypatch: pytest.MonkeyPatch, rounds: int) -> None:
    monkeypatch.setattr(lease_times, "SETTLING", 0)  # all have asked when they look
    dead = {**this_process(0), "started": 1}  # the number is in use again
    counts = []
    for _round in range(rounds):
        place_lease(user, dead)
        counts.append(len(race(user, 2)))
    assert counts == [1] * rounds


def test_who_waits_is_told_who_works(user: Registrar) -> None:
    with hold(user) as lock:
        assert not lock.lost
        assert user.names() == [".fcd-sites/web-shop/locks/whole"]  # in a container that it has made
        with pytest.raises(Busy) as told, hold(user, timeout=0.2):
            pass
    message = str(told.value)
    assert f"(process {this_process(0)['pid']}" in message
    assert "Its lease lasts until 20" in message
    assert (
        f"break_lock: true (in the playbooks provision_break_lock), or remove the object {CONTAINER}/{LOCKS}whole"
        in message
    )
    assert user.names() == []
    with hold(user) as again:
        again.check()


def test_it_is_had_as_soon_as_the_other_ends(user: Registrar) -> None:
    order: list[str] = []
    first = Process(user)

    def wait() -> None:
        with hold(user, timeout=PATIENCE):
            order.append("second")

    waiting = threading.Thread(target=wait)
    waiting.start()
    assert order == []
    first.end()
    waiting.join()
    assert order == ["second"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_run_that_is_told_to_end_gives_it_back(user: Registrar, number: signal.Signals) -> None:
    other = Process(user)
    assert user.names() != []
    other.process.send_signal(number)
    assert other.process.wait(PATIENCE) in (-number, 1)
    assert user.names() == []


def test_a_run_that_was_started_with_nohup_goes_on_without_its_terminal(user: Registrar) -> None:
    other = Process(user, ignored=[signal.SIGHUP])
    other.process.send_signal(signal.SIGHUP)
    other.end()
    assert user.names() == []


def test_a_killed_run_of_this_host_is_no_hindrance(user: Registrar) -> None:
    Process(user).kill()
    assert user.names() == [f"{LOCKS}whole"]
    with hold(user) as lock:
        lock.check()
    assert "was taken from" in user.warnings[0]
    Process(user, "1/2").kill()
    with hold(user):
        pass


def test_a_killed_run_of_another_host_ends_with_its_lease(user: Registrar) -> None:
    place_lease(user, elsewhere(), X_Delete_After="3600")
    with pytest.raises(Busy, match=r"operator on other\.example\.com \(process \d+, job 17\)"), hold(user):
        pass
    place_lease(user, elsewhere(), X_Delete_After="1")
    with hold(user, timeout=PATIENCE) as lock:
        lock.check()
    assert user.warnings == []


def test_a_service_that_removes_nothing(user: Registrar) -> None:
    class Later(Clock):
        def now(self) -> float:
            return super().now() + 7200  # this host is wrong by two hours, and that must not matter

    place_lease(user, elsewhere(), X_Object_Meta_Until=str(int(Clock().now()) + 3600))
    with pytest.raises(Busy), hold(user, clock=Later()):
        pass
    place_lease(user, elsewhere(), X_Object_Meta_Until=str(int(Clock().now()) - 60))
    with hold(user, clock=Later()) as lock:
        lock.check()
    assert len(user.warnings) == 1


def test_a_lease_is_renewed(user: Registrar, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lease_times, "MAX_PAUSE", 0.05)

    def end() -> int:
        found = user.objects().read(f"{LOCKS}whole")
        assert found is not None
        return int(found.headers["x-delete-at"])

    with hold(user, lease=3600) as lock:
        first = end()
        until(lambda: end() > first + 1, "a later end")  # real time has to pass: the service counts it
        lock.check()
        assert user.names() == [f"{LOCKS}whole"]


def test_a_broken_lock_is_lost(user: Registrar, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lease_times, "LOOK_AFTER", 0)
    with hold(user) as first:
        first.check()
        with hold(user, break_lock=True) as second:
            second.check()
            with pytest.raises(Busy, match="it was broken, and now"):
                first.check()
            assert first.lost
            assert not second.lost
        assert user.names() == []
    assert "was taken from" in user.warnings[0]


def test_an_object_that_is_no_lease_keeps_out_too(user: Registrar) -> None:
    user.objects().write(f"{LOCKS}whole", b"mine")
    with pytest.raises(Busy, match="an unknown holder"), hold(user):
        pass
    with hold(user, break_lock=True):
        pass


PARTS = [
    ("1/2", "2/2", True),
    ("1/2", "1/2", False),
    ("1/2", None, False),
    (None, "1/2", False),
    ("1/2", "1/3", False),
]


@pytest.mark.parametrize(("first", "second", "together"), PARTS)
def test_parts_and_the_whole(user: Registrar, first: str | None, second: str | None, together: bool) -> None:
    user.sandbox.settings(storage={"listing_lag": 60})  # nothing may depend on listings
    with hold(user, part=first):
        if together:
            with hold(user, part=second) as lock:
                lock.check()
        else:
            with pytest.raises(Busy), hold(user, part=second):
                pass
    with hold(user, part=second):
        pass


def test_parts_that_start_together_do_not_fail(user: Registrar) -> None:
    results: list[object] = []
    ready = threading.Barrier(4, timeout=PATIENCE)

    def run(number: int) -> None:
        try:
            with hold(user, part=f"{number}/4") as lock:
                ready.wait()  # all of them hold theirs
                lock.check()
                results.append(number)
        except (FcdError, threading.BrokenBarrierError) as error:
            results.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(results) == {1, 2, 3, 4}
    assert user.names() == [f".fcd-sites/{SITE}/parts.json"]
    Ownership.opened(user.task(), SITE, REGISTRY).settle()  # a whole run leaves nothing of them
    assert user.names() == []


@pytest.mark.parametrize("fault", ["drop_after", "status_after", "cut"])
def test_a_lease_whose_answer_was_lost_is_ours(user: Registrar, fault: str) -> None:
    user.objects().write("first", b"")
    user.sandbox.fault(fault, service="storage", method="PUT", path="locks/whole$")
    with hold(user) as lock:
        lock.check()
    assert user.names() == ["first"]


def test_a_lease_whose_making_failed_does_not_stay(user: Registrar) -> None:
    user.sandbox.fault("status_after", service="storage", method="PUT", path="/locks/", status=403)
    with pytest.raises(FcdError, match="403"), hold(user):
        pass
    assert user.names() == []


def test_a_lease_is_given_back_when_the_first_try_fails(user: Registrar) -> None:
    with hold(user):
        user.sandbox.fault("status_before", service="storage", path="/locks/whole", status=403)
    assert (user.names(), user.warnings) == ([], [])


def test_nothing_is_written_in_check_mode(user: Registrar) -> None:
    before = user.sandbox.counts()["writes"]
    with site_lock(user.task(check_mode=True), SITE, REGISTRY) as lock:
        lock.check()
    assert user.sandbox.counts()["writes"] == before


def test_a_lock_is_few_requests(user: Registrar) -> None:
    user.objects().write("first", b"")
    user.sandbox.clear_requests()
    with hold(user):
        pass
    assert user.sandbox.counts()["by"] == {"storage GET object": 4, "storage PUT object": 1, "storage DELETE object": 1}
