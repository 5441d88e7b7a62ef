# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Who holds a lock, and when it is certain that they run no more."""

from __future__ import annotations

import getpass
import os
import subprocess
import sys
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._object_storage import leases
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.leases import (
    as_text,
    describe_owner,
    is_surely_dead,
    this_process,
)

JOB_VARIABLES = ("JOB_ID", "CI_JOB_URL", "BUILD_URL", "GITHUB_SERVER_URL", "GITHUB_REPOSITORY", "GITHUB_RUN_ID")


@pytest.fixture(autouse=True)
def no_job(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in JOB_VARIABLES:
        monkeypatch.delenv(name, raising=False)


def test_this_process_lives() -> None:
    me = this_process(0)
    assert me["pid"] == os.getpid()
    assert not is_surely_dead(me)


def test_one_that_was_killed() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        state, started = leases._state_and_start(process.pid)
        theirs = {**this_process(0), "pid": process.pid, "started": started}
        assert state
        assert not is_surely_dead(theirs)
        process.kill()
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)  # nobody has asked for its end yet
        assert is_surely_dead(theirs)
        process.wait()
        assert is_surely_dead(theirs)


DOUBTS = [
    {"host": "other.example.com"},
    {"boot": "another"},
    {"namespace": "pid:[1]"},
    {"host": None},
    {"boot": None},
    {"namespace": None},
    {"started": None},
    {"pid": None},
    {"pid": True},
    {"pid": 0},
    {"pid": -1},
    {"pid": "1"},
]


def test_nobody_is_dead_when_in_doubt() -> None:
    for doubt in DOUBTS:
        dead = {**this_process(0), "started": 1}  # the number is that of another process now
        assert is_surely_dead(dead)
        assert not is_surely_dead({**dead, **doubt})


def test_without_proc_nobody_is_dead(monkeypatch: pytest.MonkeyPatch) -> None:
    dead = {**this_process(0), "started": 1}

    def no_proc(path: str) -> str:
        raise FileNotFoundError(path)

    monkeypatch.setattr(os, "readlink", no_proc)
    assert not is_surely_dead(dead)
    assert not is_surely_dead({**dead, "namespace": None})


JOBS = [
    ({}, None),
    ({"JOB_ID": "17"}, "job 17"),
    ({"JOB_ID": "17; rm"}, None),
    (
        {"CI_JOB_URL": "https://user:secret@ci.example.com:8443/g/p/-/jobs/5?token=x"},
        "https://ci.example.com:8443/g/p/-/jobs/5",
    ),
    ({"CI_JOB_URL": "file:///etc/passwd"}, None),
    ({"BUILD_URL": "http://[broken"}, None),
    (
        {"GITHUB_SERVER_URL": "https://git.example.com", "GITHUB_REPOSITORY": "o/r", "GITHUB_RUN_ID": "5"},
        "https://git.example.com/o/r/actions/runs/5",
    ),
]


@pytest.mark.parametrize(("variables", "job"), JOBS)
def test_the_job(monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], job: str | None) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert this_process(0)["job"] == job


def test_description_of_an_owner() -> None:
    owner = {"host": "h", "user": "u", "pid": 5, "job": "job 17", "since": as_text(0)}
    assert describe_owner(owner) == "u on h (process 5, job 17), since 1970-01-01T00:00:00Z"
    assert describe_owner({}) == "an unknown holder"
    assert describe_owner({"host": "a\nb" + "x" * 1000}).isprintable()
    assert len(describe_owner({"host": "x" * 1000})) < 300
    assert as_text(1e300) == "a time that cannot be"


def test_a_user_without_an_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown() -> t.NoReturn:
        raise KeyError

    monkeypatch.setattr(getpass, "getuser", unknown)
    assert this_process(0)["user"] == f"uid {os.getuid()}"
