# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A lock is held by one, waited for within a deadline, and let go whatever happens."""

from __future__ import annotations

import errno
import fcntl
import os
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core import private_files
from ansible_collections.fcd.cloud.plugins.module_utils._core.clock import Deadline
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import Busy, InvalidInput
from ansible_collections.fcd.cloud.plugins.module_utils._core.private_files import LOCK_POLL_PAUSE, file_lock


def lock(place: Path, clock: t.Any, *, key: str = "a", seconds: float = 1.0) -> t.ContextManager[None]:
    return file_lock(str(place), key, Deadline(clock, seconds), what="thing web")


def test_the_second_waits_within_its_deadline_and_says_for_what(tmp_path: Path, fake_clock: t.Any) -> None:
    fake_clock.time = 0.0
    with lock(tmp_path, fake_clock):
        with pytest.raises(Busy) as told, lock(tmp_path, fake_clock, seconds=4 * LOCK_POLL_PAUSE):
            pytest.fail("two hold the lock")
    assert fake_clock.pauses == pytest.approx([LOCK_POLL_PAUSE] * 4)
    assert told.value.message == "Another task on this host is working on thing web and did not finish within 0.2 s."
    assert told.value.next_step == "Wait until that task has finished, then run this one again."


def test_the_second_goes_on_when_the_first_has_ended(tmp_path: Path, fake_clock: t.Any) -> None:
    first = lock(tmp_path, fake_clock)
    first.__enter__()
    fake_clock.sleep = lambda _seconds: first.__exit__(None, None, None)
    with lock(tmp_path, fake_clock):
        pass


def test_locks_of_other_keys_and_places_are_free(tmp_path: Path, fake_clock: t.Any) -> None:
    with lock(tmp_path, fake_clock), lock(tmp_path, fake_clock, key="b", seconds=0.0):
        with lock(tmp_path / "other", fake_clock, seconds=0.0):
            assert sorted(os.listdir(tmp_path / "locks")) == ["a", "b"]


def test_a_lock_is_let_go_whatever_happens_and_its_file_stays(tmp_path: Path, fake_clock: t.Any) -> None:
    before = len(os.listdir("/proc/self/fd"))
    for _each in range(2):
        with pytest.raises(ZeroDivisionError), lock(tmp_path, fake_clock, seconds=0.0):
            raise ZeroDivisionError
    assert len(os.listdir("/proc/self/fd")) == before
    assert os.listdir(tmp_path / "locks") == ["a"]


def test_the_file_is_private_and_no_child_gets_it(tmp_path: Path, fake_clock: t.Any) -> None:
    with lock(tmp_path, fake_clock):
        status = os.stat(tmp_path / "locks" / "a")
        assert status.st_mode & 0o777 == 0o600
        descriptors = [int(number) for number in os.listdir("/proc/self/fd")]
        (own,) = [one for one in descriptors if _inode(one) == status.st_ino]
        assert fcntl.fcntl(own, fcntl.F_GETFD) & fcntl.FD_CLOEXEC


def _inode(descriptor: int) -> int | None:
    try:
        return os.fstat(descriptor).st_ino
    except OSError:
        return None


def test_a_file_system_without_locks_is_told(
    tmp_path: Path, fake_clock: t.Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def flock(_descriptor: int, _operation: int) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(private_files.fcntl, "flock", flock)
    with pytest.raises(InvalidInput, match=r"/locks cannot be used: No locks available\. Set state_dir"):
        with lock(tmp_path, fake_clock):
            pytest.fail("held without a lock")
    assert fake_clock.pauses == []


def test_a_lock_file_that_cannot_be_opened_is_told(tmp_path: Path, fake_clock: t.Any) -> None:
    (tmp_path / "locks" / "a").mkdir(parents=True)
    with pytest.raises(InvalidInput, match=r"/locks cannot be used: Is a directory"):
        with lock(tmp_path, fake_clock):
            pytest.fail("held without a lock")
