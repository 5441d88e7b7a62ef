# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings with which others can read what is sent are told once in a run, by whichever task is the first."""

from __future__ import annotations

import os
import stat
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._connection import task as task_at_hand
from ansible_collections.fcd.cloud.plugins.module_utils._connection import task as task_module
from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import PLAY_VARIABLE, exchange

from .conftest import Tasks

UNCHECKED = {"validate_certs": False}
CLEAR = {"base_url": "http://api.example.com/beta", "allow_plain_http": True}


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({}, []),
        (UNCHECKED, ["validate_certs is false"]),
        (CLEAR, ["base_url starts with http://"]),
        ({**CLEAR, **UNCHECKED, "auth_url": "http://auth.example.com"}, ["validate_certs", "base_url", "auth_url"]),
        ({"base_url": "http://localhost:8080/beta", "auth_url": "http://127.0.0.1:1", "allow_plain_http": True}, []),
        ({"allow_plain_http": True}, []),
    ],
)
def test_once_for_all_tasks_of_a_run(tasks: Tasks, settings: dict[str, t.Any], words: list[str]) -> None:
    for _task in range(3):
        exchange(tasks(**settings))
    assert len(tasks.warnings) == len(words)
    assert [word for word, warning in zip(words, tasks.warnings) if word not in warning] == []
    assert tasks.state.exists() is bool(words)


def test_of_several_processes_one_tells(tasks: Tasks) -> None:
    """The tasks of a run are forks of one process, here of this one."""
    run = task_at_hand.this_run()
    reader, writer = os.pipe()
    for _fork in range(8):
        if os.fork() == 0:
            task = tasks(**UNCHECKED)
            task.runner = "module"
            os.environ[PLAY_VARIABLE] = run
            exchange(task)
            os.write(writer, b"x" * len(tasks.warnings))
            os._exit(0)
    os.close(writer)
    for _fork in range(8):
        os.wait()
    with open(reader, "rb") as told:
        assert told.read() == b"x"


def test_another_run_is_told_again(tasks: Tasks, monkeypatch: pytest.MonkeyPatch) -> None:
    for run in ("1 1", "2 2", "2 2"):
        monkeypatch.setattr(task_at_hand, "this_run", lambda run=run: run)
        exchange(tasks(**UNCHECKED))
    assert len(tasks.warnings) == 2


def test_notes_are_private_and_old_ones_go(tasks: Tasks, monkeypatch: pytest.MonkeyPatch) -> None:
    exchange(tasks(**UNCHECKED))
    (note,) = (tasks.state / "warned").iterdir()
    assert stat.S_IMODE(note.stat().st_mode) == 0o600
    os.utime(note, (0, 0))
    monkeypatch.setattr(task_at_hand, "this_run", lambda: "another")
    exchange(tasks(**UNCHECKED))
    assert len(list((tasks.state / "warned").iterdir())) == 1
    assert not note.exists()


def test_without_a_folder_it_is_told_all_the_same(tasks: Tasks) -> None:
    tasks.state.write_text("a file")
    for _task in range(2):
        exchange(tasks(**UNCHECKED))
    assert tasks.warnings == [task_module.UNCHECKED] * 2
