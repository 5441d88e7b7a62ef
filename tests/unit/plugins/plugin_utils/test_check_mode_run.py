# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The note of a run in check mode: what is in it, who can read it, and what becomes of a damaged one."""

from __future__ import annotations

import stat
import typing as t
from pathlib import Path

import pytest
from cryptography.fernet import Fernet

from ansible_collections.fcd.cloud.plugins.module_utils._ansible.execution import PLANNED_OBJECTS
from ansible_collections.fcd.cloud.plugins.plugin_utils import _check_mode_run
from ansible_collections.fcd.cloud.plugins.plugin_utils._check_mode_run import NOTE, CheckModeRun

ENTRY = ["account", "object", ["www", "secrets.ini"], {"etag": "5f4dcc3b5aa765d61d8327deb882cf99"}]
MUCH = [["account", "container", f"container-{number}", {"name": "x" * 100}] for number in range(2000)]


@pytest.fixture
def note(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The note of a run that has just begun."""
    monkeypatch.setitem(vars(_check_mode_run.constants), "DEFAULT_LOCAL_TMP", str(tmp_path))
    return tmp_path / NOTE


@pytest.fixture
def warnings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What Ansible shows."""
    found: list[str] = []
    monkeypatch.setattr(_check_mode_run.Display, "warning", lambda _self, text: found.append(text))
    return found


def known() -> t.Any:
    """Return what the next task gets for a module."""
    return CheckModeRun().for_module({})[PLANNED_OBJECTS]


def test_the_note_is_for_the_run_alone(note: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even a name can be read in it, and another run has another key."""
    CheckModeRun().keep({PLANNED_OBJECTS: [ENTRY]})
    assert stat.S_IMODE(note.stat().st_mode) == 0o600
    assert not any(word in note.read_bytes() for word in (b"secrets", b"www", b"5f4dcc3b"))
    assert known() == [ENTRY]
    monkeypatch.setattr(_check_mode_run, "NOTE_KEY", Fernet.generate_key())
    monkeypatch.setattr(_check_mode_run.Display, "warning", lambda _self, _text: None)
    assert known() == []


def test_nothing_is_too_much(note: Path, warnings: list[str]) -> None:
    """A module gets all of it, however much that is."""
    del note
    CheckModeRun().keep({PLANNED_OBJECTS: [*MUCH, ENTRY]})
    assert known() == [*MUCH, ENTRY]
    assert warnings == []


def test_failed_tasks_promise_nothing(note: Path) -> None:
    assert CheckModeRun().keep({PLANNED_OBJECTS: [ENTRY], "failed": True}) == {"failed": True}
    assert not note.exists()


@pytest.mark.parametrize("damage", [b"nonsense\n", b"00\n", b"\xff\xfe\n", b"ab" * 40])
def test_a_damaged_note_is_told(note: Path, warnings: list[str], damage: bytes) -> None:
    """The rest of it counts."""
    CheckModeRun().keep({PLANNED_OBJECTS: [ENTRY]})
    note.write_bytes(note.read_bytes() + damage)
    assert known() == [ENTRY]
    assert len(warnings) == 1 and "cannot be read" in warnings[0]


def test_a_note_that_cannot_be_kept_is_told(note: Path, warnings: list[str]) -> None:
    """The task itself goes on."""
    note.mkdir()
    assert CheckModeRun().keep({PLANNED_OBJECTS: [ENTRY], "changed": True}) == {"changed": True}
    assert warnings
