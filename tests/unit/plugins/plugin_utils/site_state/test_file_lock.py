# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The lock of a site on one host, and what cannot be meant by the options of locks."""

from __future__ import annotations

import multiprocessing
import os
import stat
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import Busy, InvalidInput
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.leases import HeldLock
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.registry.site_lock import LockOptions, site_lock

from .conftest import Bench


def hold(bench: Bench, part: str | None = None, site: str = "web-shop", **more: t.Any) -> t.ContextManager[HeldLock]:
    clock, registry = more.pop("clock", None), more.pop("registry", None)
    return site_lock(bench.task(clock=clock), site, registry, LockOptions(**{"how": "file", **more}), part=part)


def test_one_at_a_time(bench: Bench) -> None:
    with hold(bench) as lock:
        assert not lock.lost
        with pytest.raises(Busy) as told, hold(bench):
            pass
        with hold(bench, site="blog"):
            pass
    assert f"(process {os.getpid()}" in told.value.message
    assert "waited 0 s" in told.value.message
    assert f"end the process {os.getpid()}" in str(told.value.next_step)
    with hold(bench) as lock:
        lock.check()
    for file in (bench.state_dir / "locks").iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_waiting_has_an_end(bench: Bench, fake_clock: t.Any) -> None:
    with hold(bench), pytest.raises(Busy, match="waited 3 s"), hold(bench, timeout=3, clock=fake_clock):
        pass
    assert sum(fake_clock.pauses) == pytest.approx(3)
    assert len(bench.told) == 1


@pytest.mark.parametrize(
    ("first", "second", "together"),
    [("1/2", "2/2", True), ("1/2", "1/2", False), ("1/2", None, False), (None, "1/2", False), ("1/2", "1/3", False)],
)
def test_parts_and_the_whole(bench: Bench, first: str | None, second: str | None, together: bool) -> None:
    with hold(bench, first):
        if together:
            with hold(bench, second):
                pass
        else:
            with pytest.raises(Busy) as told, hold(bench, second):
                pass
            assert ("Divide the site into 2 parts here too" in str(told.value)) is (second == "1/3")
    with hold(bench, second):
        pass


def hold_until_killed(bench: Bench, say: t.Any) -> None:
    with hold(bench):
        say.send("held")
        say.recv()


def test_a_killed_process_lets_go(bench: Bench) -> None:
    forks = multiprocessing.get_context("fork")
    here, there = forks.Pipe()
    process = forks.Process(target=hold_until_killed, args=(bench, there))
    process.start()
    assert here.recv() == "held"
    with pytest.raises(Busy, match=f"process {process.pid}"), hold(bench):
        pass
    process.kill()
    process.join()
    with hold(bench):
        pass


def test_a_file_that_was_removed(bench: Bench) -> None:
    with hold(bench) as lock:
        for file in (bench.state_dir / "locks").iterdir():
            file.unlink()
        assert lock.lost
        with pytest.raises(Busy, match="was removed"):
            lock.check()


def test_two_registries_are_two_sites(bench: Bench) -> None:
    with hold(bench, registry={"path": str(bench.folder / "a.json")}):
        with hold(bench, registry={"path": str(bench.folder / "b.json")}):
            pass
        with pytest.raises(Busy), hold(bench, registry={"path": f"{bench.folder}/./a.json"}):
            pass


def test_without_a_lock(bench: Bench) -> None:
    with hold(bench, how="none") as lock, hold(bench, how="none"):
        lock.check()
    assert not bench.state_dir.exists()


def test_nothing_is_locked_in_check_mode(bench: Bench) -> None:
    with (
        site_lock(bench.task(check_mode=True), "web-shop", None),
        site_lock(bench.task(check_mode=True), "web-shop", None),
    ):
        pass
    assert not bench.state_dir.exists()


def test_impossible_settings_are_refused(bench: Bench) -> None:
    for wrong, why in [
        ({"how": "lease"}, "a lease needs a registry in a container"),
        ({"how": "flock"}, "'flock' is not a kind of lock"),
        ({"lease": 0.5}, "too short"),
        ({"lease": float("nan")}, "too short"),
        ({"timeout": -1}, "is negative"),
        ({"part": "x"}, "not a part"),
        ({"site": "X"}, "cannot be the name of a site"),
    ]:
        with pytest.raises(InvalidInput, match=why), hold(bench, **wrong):
            pass
