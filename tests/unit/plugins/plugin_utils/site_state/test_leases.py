# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Leases on a storage in memory, with a clock that is set; with a real one they are tried in tests/sites."""

from __future__ import annotations

import email.utils
import itertools
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.clock import Clock, Deadline
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import Busy, Rejected, Unreachable
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage import leases
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.create_locks import CreateLocks
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.leases import (
    BlockedLock,
    Lease,
    LeaseObjects,
    this_process,
)
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.small_objects import Stored
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.registry.site_lock import SiteLeases

from .conftest import Bench

FOLDER = ".fcd-sites/web-shop/locks/"
WHOLE = f"{FOLDER}whole"


class Service:
    """Objects that end at their time by the clock of the service, unless it ``keeps`` them."""

    def __init__(self, clock: Clock, *, keeps: bool = False, tells_time: bool = True) -> None:
        self.clock = clock
        self.keeps, self.tells_time = keeps, tells_time
        self.stored: dict[str, tuple[bytes, dict[str, str]]] = {}
        self.broken = False
        self.made_container = False
        self.before_write: t.Callable[[], None] = lambda: None

    def text(self, name: str) -> str:
        return f"c/{name}"

    def read(self, name: str) -> Stored | None:
        self._answer()
        if name not in self.stored:
            return None
        content, headers = self.stored[name]
        return Stored(content, "tag", {**headers, **self._date()})

    def write(self, name: str, content: bytes, **headers: str) -> tuple[str, dict[str, str]]:
        act, self.before_write = self.before_write, lambda: None
        act()
        self._answer()
        if headers.pop("If_None_Match", None) and name in self.stored:
            raise Rejected("it is there", status=412)
        self.stored[name] = (content, {})
        self.describe(name, {key.replace("_", "-"): value for key, value in headers.items()})
        return "tag", self._date()

    def describe(self, name: str, headers: dict[str, str]) -> bool:
        self._answer()
        if name not in self.stored:
            return False
        kept = {key.lower(): value for key, value in headers.items() if key != "X-Delete-After"}
        if not self.keeps and "X-Delete-After" in headers:
            kept["x-delete-at"] = str(int(self._now()) + int(headers["X-Delete-After"]))
        self.stored[name] = (self.stored[name][0], kept)
        return True

    def remove(self, name: str) -> None:
        self._answer()
        self.stored.pop(name, None)

    def _answer(self) -> None:
        if self.broken:
            raise Unreachable("no way")
        ended = [
            name
            for name, (_content, kept) in self.stored.items()
            if int(kept.get("x-delete-at", 10**12)) <= self._now()
        ]
        for name in ended:
            del self.stored[name]

    def _now(self) -> float:
        return self.clock.now()

    def _date(self) -> dict[str, str]:
        return {"date": email.utils.formatdate(self._now(), usegmt=True)} if self.tells_time else {}


class WrongClock(Clock):
    """The clock of a host that is so many seconds ahead."""

    def __init__(self, right: Clock, ahead: float) -> None:
        self.right, self.ahead = right, ahead

    def now(self) -> float:
        return self.right.now() + self.ahead

    def monotonic(self) -> float:
        return self.right.monotonic() + 1000

    def sleep(self, seconds: float) -> None:
        self.right.sleep(seconds)


class Hosts:
    """Runs that are on different hosts, so that none can see whether another one lives."""

    def __init__(self, bench: Bench, clock: t.Any, monkeypatch: pytest.MonkeyPatch, **service: t.Any) -> None:
        self.bench, self.clock = bench, clock
        self.service = Service(clock, **service)
        self.numbers = itertools.count(1)
        monkeypatch.setattr(
            leases,
            "this_process",
            lambda now: {**this_process(now), "host": f"host-{next(self.numbers)}.example.com"},
        )

    def take(self, name: str = "whole", **more: t.Any) -> t.Any:
        """Take a lease; its thread is ended, so that only the tests renew it."""
        task = self.bench.task(clock=more.get("clock", self.clock))
        objects: t.Any = self.service
        found = SiteLeases(
            task, objects, "web-shop", more.get("seconds", 900), break_lock=more.get("break_lock", False)
        )
        taken = found.take(name)
        if isinstance(taken, Lease):
            taken._stop.set()
        return taken


@pytest.fixture
def hosts(bench: Bench, fake_clock: t.Any, monkeypatch: pytest.MonkeyPatch) -> Hosts:
    return Hosts(bench, fake_clock, monkeypatch)


def test_it_ends_with_its_time_on_another_host(hosts: Hosts) -> None:
    assert isinstance(hosts.take(), Lease)
    hosts.clock.time += 895
    blocked = hosts.take()
    assert isinstance(blocked, BlockedLock)
    assert blocked.owner.partition(" (")[0].endswith("host-1.example.com")
    assert blocked.until == "2023-11-14T22:28:21Z"
    hosts.clock.time += 10
    assert isinstance(hosts.take(), Lease)


@pytest.mark.parametrize("ahead", [-7200.0, 0.0, 7200.0])
def test_only_the_clock_of_the_service_counts(
    bench: Bench, fake_clock: t.Any, monkeypatch: pytest.MonkeyPatch, ahead: float
) -> None:
    hosts = Hosts(bench, fake_clock, monkeypatch, keeps=True)
    first = hosts.take(clock=WrongClock(fake_clock, -ahead))
    other = WrongClock(fake_clock, ahead)
    fake_clock.time += 890
    assert isinstance(hosts.take(clock=other), BlockedLock)
    fake_clock.time += 20
    assert isinstance(hosts.take(clock=other), Lease)
    with pytest.raises(Busy):
        first.check()


def test_without_a_date_the_clock_of_this_host_counts(
    bench: Bench, fake_clock: t.Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    hosts = Hosts(bench, fake_clock, monkeypatch, keeps=True, tells_time=False)
    hosts.take()
    fake_clock.time += 890
    assert isinstance(hosts.take(), BlockedLock)
    fake_clock.time += 20
    assert isinstance(hosts.take(), Lease)


def test_renewing(hosts: Hosts) -> None:
    lease = hosts.take()
    for _time in range(5):
        hosts.clock.time += 600
        lease.renew()
        lease.check()
    assert isinstance(hosts.take(), BlockedLock)


def test_one_that_cannot_be_renewed_is_lost_before_others_may_have_it(hosts: Hosts) -> None:
    lease = hosts.take()
    hosts.service.broken = True
    hosts.clock.time += 600
    lease.renew()
    assert not lease.lost
    hosts.clock.time += 211
    assert lease.lost
    with pytest.raises(Busy, match="could not be renewed in time"):
        lease.check()
    hosts.service.broken = False
    assert isinstance(hosts.take(), BlockedLock)


def test_one_that_was_removed_is_lost(hosts: Hosts) -> None:
    lease = hosts.take()
    hosts.service.stored.clear()
    lease.renew()
    with pytest.raises(Busy, match="it was removed"):
        lease.check()


def test_one_that_was_broken_is_not_made_longer_and_not_removed(hosts: Hosts) -> None:
    first, second = hosts.take(), hosts.take(break_lock=True)
    assert hosts.bench.warnings
    first.renew()
    with pytest.raises(Busy, match=r"broken, and now .*host-\d\.example\.com"):
        first.check()
    first.release()
    second.renew()
    second.check()


def test_two_who_pass_at_once(hosts: Hosts) -> None:
    """The service looks when a request begins; the other's content comes over that of the first one later."""
    first = hosts.take()
    content, _headers = hosts.service.stored.pop(WHOLE)
    second = hosts.take()
    assert isinstance(second, Lease)
    assert hosts.service.stored[WHOLE][0] != content
    with pytest.raises(Busy, match="it was broken"):
        first.check()
    second.check()
    assert hosts.clock.pauses  # each has waited a moment before it believed what it saw


def test_a_lease_that_ends_while_another_one_comes(hosts: Hosts) -> None:
    other: list[t.Any] = []
    hosts.service.before_write = lambda: other.append(hosts.take())
    blocked = hosts.take()
    assert isinstance(other[0], Lease)
    assert isinstance(blocked, BlockedLock)
    assert "example.com" in blocked.owner


def test_who_breaks_breaks_only_who_was_there(hosts: Hosts) -> None:
    hosts.take()
    breaking = SiteLeases(
        hosts.bench.task(clock=hosts.clock), t.cast("t.Any", hosts.service), "web-shop", 900, break_lock=True
    )
    hosts.service.before_write = lambda: None
    later: list[t.Any] = []

    def come_between() -> None:
        hosts.service.stored.pop(WHOLE)
        later.append(hosts.take())

    hosts.service.before_write = come_between
    assert isinstance(breaking.take("whole"), BlockedLock)
    assert isinstance(breaking.take("whole"), BlockedLock)
    later[0].check()


@pytest.mark.parametrize("keeps", [False, True])
def test_one_breaks_at_a_time(bench: Bench, fake_clock: t.Any, monkeypatch: pytest.MonkeyPatch, *, keeps: bool) -> None:
    hosts = Hosts(bench, fake_clock, monkeypatch, keeps=keeps)
    hosts.take()
    objects = LeaseObjects(t.cast("t.Any", hosts.service), FOLDER, hosts.clock, "the site")
    assert objects.make("whole.breaking", 60)
    blocked = hosts.take(break_lock=True)
    assert isinstance(blocked, BlockedLock)
    assert blocked.passing
    hosts.clock.time += 70
    if keeps:  # what another run has left there is removed, and the next try breaks
        assert isinstance(hosts.take(break_lock=True), BlockedLock)
    assert isinstance(hosts.take(break_lock=True), Lease)


def test_a_lease_of_the_dead(hosts: Hosts, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leases, "this_process", lambda now: {**this_process(now), "started": 1})
    hosts.take()
    lease = hosts.take()
    assert isinstance(lease, Lease)
    assert "was taken from" in hosts.bench.warnings[0]


def test_a_release_that_fails_is_told(hosts: Hosts) -> None:
    lease = hosts.take()
    hosts.service.broken = True
    lease.release()
    assert "ends by itself within 900 s: no way" in hosts.bench.warnings[0]


def test_a_part_killed_at_the_gate(hosts: Hosts) -> None:
    LeaseObjects(t.cast("t.Any", hosts.service), FOLDER, hosts.clock, "the site").make("whole", 60, "gate")
    for name in ("whole", "part-1-of-2"):
        blocked = hosts.take(name, break_lock=True)
        assert isinstance(blocked, BlockedLock)
        assert blocked.passing
    hosts.clock.time += 70
    assert isinstance(hosts.take("part-1-of-2"), Lease)
    assert isinstance(hosts.take("part-2-of-2"), Lease)
    assert isinstance(hosts.take("part-1-of-3"), BlockedLock)
    assert isinstance(hosts.take(), BlockedLock)
    assert list(hosts.service.stored) == [
        ".fcd-sites/web-shop/parts.json",
        ".fcd-sites/web-shop/locks/part-1-of-2",
        ".fcd-sites/web-shop/locks/part-2-of-2",
    ]
    hosts.clock.time += 1000
    assert isinstance(hosts.take("part-1-of-3"), Lease)


class Note:
    """The note of a create on one host."""

    def __init__(self) -> None:
        self.noted: dict[str, t.Any] = {}

    def content(self) -> dict[str, t.Any]:
        return dict(self.noted)

    def adopt(self, content: dict[str, t.Any]) -> None:
        self.noted = dict(content)


KEY = ".fcd-locks/key"


def hold_create(hosts: Hosts, note: Note, seconds: float = 5.0) -> t.ContextManager[t.Callable[[], None]]:
    task = hosts.bench.task(clock=hosts.clock)
    locks = CreateLocks(task, "c", task.settings)
    locks._objects = t.cast("t.Any", hosts.service)
    return locks.hold("key", "disk 'data'", Deadline(hosts.clock, seconds), note)


def test_a_create_waits_for_another_controller(hosts: Hosts) -> None:
    with hold_create(hosts, Note()), pytest.raises(Busy) as told, hold_create(hosts, Note()):
        pass
    assert "Another controller is working on disk 'data': " in told.value.message
    assert f"remove the object c/{KEY}." in (told.value.next_step or "")
    assert hosts.service.stored == {}
    with hold_create(hosts, Note()):
        assert list(hosts.service.stored) == [KEY]


def test_what_a_dead_controller_has_sent_is_handed_on(hosts: Hosts) -> None:
    first = hold_create(hosts, Note())
    before_sending = first.__enter__()  # of a process that is killed
    before_sending()
    sent = hosts.clock.now()
    hosts.clock.time += 70  # its lease is over
    second = Note()
    with hold_create(hosts, second) as check:
        assert second.noted == {"time": sent}
        with pytest.raises(Busy, match=r"The lock of disk 'data' is lost: .* Nothing more was written"):
            before_sending()
        check()
        second.noted = {"lead": {"id": 7}}
    assert list(hosts.service.stored) == [f"{KEY}.note"]
    third = Note()
    with hold_create(hosts, third):
        assert third.noted == {"lead": {"id": 7}}
        third.noted = {}
    assert hosts.service.stored == {}


def test_a_create_whose_lease_was_removed_leaves_the_note_of_others(hosts: Hosts) -> None:
    with hold_create(hosts, Note()) as before_sending:
        del hosts.service.stored[KEY]
        hosts.service.stored[f"{KEY}.note"] = (b'{"time": 1.0}', {})
        with pytest.raises(Busy, match="it was removed"):
            before_sending()
    assert hosts.service.stored == {f"{KEY}.note": (b'{"time": 1.0}', {})}


def test_what_is_known_to_be_made_is_forgotten_in_the_end(hosts: Hosts) -> None:
    for content, ends in (({"lead": {"id": 7}}, True), ({"time": 1.0, "lead": {"id": 7}}, False)):
        note = Note()
        with hold_create(hosts, note):
            note.noted = content
        assert ("x-delete-at" in hosts.service.stored[f"{KEY}.note"][1]) is ends
