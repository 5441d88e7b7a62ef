# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests that start a sandbox or another process have a mark, and others cannot start any."""

from __future__ import annotations

import importlib
import sys
import typing as t
from pathlib import Path

import process_marks
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))


@pytest.fixture
def guard(request: pytest.FixtureRequest) -> t.Iterator[process_marks.Guard]:
    """The guard of this run; what it hears in the test is meant, and not told again."""
    guard = request.config.pluginmanager.get_plugin("process marks")
    yield guard
    guard.started.clear()


@pytest.fixture
def box() -> t.Any:
    return "a fixture that SandboxProcess stands in as a text only"


@pytest.mark.parametrize(("module", "attribute"), [("sandbox.process", "SandboxProcess"), ("subprocess", "Popen")])
def test_nothing_is_started_without_a_mark(guard: process_marks.Guard, module: str, attribute: str, box: t.Any) -> None:
    """The names are hidden in texts here, so this test has no mark."""
    starter = getattr(importlib.import_module(module), attribute)
    with pytest.raises(RuntimeError, match="this test has no mark and starts a process"):
        starter(["/bin/true"]).start() if attribute == "Popen" else starter().start()
    assert guard.started


def starts_one() -> None:
    importlib.import_module("sandbox")
    SandboxProcess().start()  # type: ignore[name-defined]  # noqa: F821


class Bench:
    """Something that a fixture would hand out."""

    @property
    def sandbox(self) -> None:
        return starts_one()


class Special(Bench):
    """One of them."""


def calls_a_class_that_starts_one() -> None:
    Special()


def starts_a_child() -> list[t.Any]:
    return [multiprocessing.Process() for _number in range(2)]  # type: ignore[name-defined]  # noqa: F821


@pytest.mark.parametrize(
    ("function", "marks"),
    [
        (calls_a_class_that_starts_one, {"sandbox"}),
        (starts_a_child, {"process"}),
        (test_nothing_is_started_without_a_mark, set()),
    ],
)
def test_what_a_function_names_marks_it(function: t.Any, marks: set[str]) -> None:
    assert process_marks._started_by(function) == marks
