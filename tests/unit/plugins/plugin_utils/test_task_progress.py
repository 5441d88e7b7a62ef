# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The lines of progress: what they are made of, when they come, and what is never in them."""

from __future__ import annotations

import threading
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Operation, Settings, Task
from ansible_collections.fcd.cloud.plugins.plugin_utils import _action, _screen
from ansible_collections.fcd.cloud.plugins.plugin_utils._action import TaskProgress

PATIENCE = 60.0
FIRST = _action.FIRST_REPORT
SECRET = "An-Odd-Example-Word-1"
Work = t.Callable[[TaskProgress], None]


class Screen:
    """Takes the lines; ``shown`` is set as soon as there is another one."""

    def __init__(self) -> None:
        self.verbosity = self.log_verbosity = 0
        self.lines: list[str] = []
        self.verbose: list[str] = []
        self.shown = threading.Event()

    def display(self, line: str, color: str | None) -> None:
        del color
        self.lines.append(line)
        self.shown.set()

    def v(self, text: str, host: str) -> None:
        self.verbose.append(f"<{host}> {text}")

    def wait(self) -> None:
        """Wait for the next line."""
        self.shown.clear()
        assert self.shown.wait(PATIENCE)


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Screen:
    """A screen for lines that come at once."""
    screen = Screen()
    monkeypatch.setattr(_action, "display", screen)
    monkeypatch.setattr(_screen, "display", screen)
    monkeypatch.setattr(_action, "FIRST_REPORT", 0.01)
    return screen


def watched(work: Work, *, no_log: bool = False, host: str = "shop", label: str | None = None, **params: t.Any) -> None:
    """Do the work as a task does."""
    progress = TaskProgress(host, no_log=no_log, label=label)
    operation = Operation("instance_fleet", (), {}, lambda _task, _params: work(progress) or {})
    task = Task(Settings.resolve(params, ()), tell=progress.tell)
    task.redactor.add(SECRET)
    progress.watch(operation, task, params)


def test_the_latest_report_is_shown_with_its_state_and_the_object(screen: Screen) -> None:
    def work(progress: TaskProgress) -> None:
        progress.announce("site shop: first begins", "site shop: 0 of 2 entries are done")
        progress.tell("older")
        progress.tell("newer.")
        screen.wait()

    watched(work, name="teal")
    assert "[shop] instance_fleet teal: site shop: first begins" in screen.lines
    assert screen.lines[-1].startswith("[shop] instance_fleet teal: site shop: 0 of 2 entries are done; newer (")


@pytest.mark.parametrize(
    ("label", "line"),
    [
        ("x", "[shop] instance_fleet x: still running (0 s so far)"),
        ("", "[shop] instance_fleet: still running (0 s so far)"),
        ("teal one", "[shop] instance_fleet: all are done; 'teal' waits (0 s so far)"),
    ],
)
def test_what_the_label_of_a_loop_hides_is_not_shown(screen: Screen, label: str, line: str) -> None:
    def work(progress: TaskProgress) -> None:
        progress.announce("teal begins", "all are done")
        progress.tell("'teal' waits")
        screen.wait()
        screen.wait()

    watched(work, label=label, name="teal")
    assert line in screen.lines
    assert label == "teal one" or not any("teal" in one for one in screen.lines)


def test_the_first_line_is_due_when_the_documentation_says() -> None:
    assert FIRST == 5.0


def test_without_a_report_a_task_is_still_running(screen: Screen) -> None:
    watched(lambda _progress: screen.wait(), id=7)
    assert screen.lines[0] == "[shop] instance_fleet 7: still running (0 s so far)"


def test_no_line_has_a_secret_or_a_command_for_a_terminal_and_none_is_endless(screen: Screen) -> None:
    def work(progress: TaskProgress) -> None:
        progress.announce(f"\x1b[2J{SECRET} begins\n", SECRET)
        progress.tell(f"{'x' * 1000}{SECRET}")
        screen.wait()
        screen.wait()

    watched(work, host="shop\n::error", name=f"{SECRET}\x9b")
    assert len(screen.lines) >= 2
    for line in screen.lines:
        assert SECRET not in line
        assert line.isprintable()
        assert line.startswith("[shop\\n::error] instance_fleet ********")
        assert len(line) < 400


@pytest.mark.parametrize("verbosity", [0, 1])
def test_a_task_that_hides_its_log_says_nothing(screen: Screen, verbosity: int) -> None:
    screen.verbosity = verbosity

    def work(progress: TaskProgress) -> None:
        progress.announce("begins", "")
        progress.tell("something")

    watched(work, no_log=True, progress="always")
    assert screen.lines == screen.verbose == []


@pytest.mark.parametrize(
    ("callback", "desired", "alive"),
    [
        ("default", "auto", True),
        ("default", "never", False),
        ("awx_display", "auto", False),
        ("awx_display", "always", True),
        ("ansible.posix.json", "always", False),
    ],
)
def test_who_sees_lines(
    screen: Screen, monkeypatch: pytest.MonkeyPatch, callback: str, desired: str, *, alive: bool
) -> None:
    monkeypatch.setattr(_action.constants.config, "get_config_value", lambda _name: callback)
    before = threading.active_count()
    seen: list[bool] = []
    watched(lambda _progress: seen.append(threading.active_count() > before), progress=desired)
    assert seen == [alive]
    assert threading.active_count() == before, "the thread outlives the task"


def test_what_fails_ends_the_lines_too(screen: Screen) -> None:
    def work(_progress: TaskProgress) -> None:
        raise KeyError("a defect")

    before = threading.active_count()
    with pytest.raises(KeyError):
        watched(work)
    assert threading.active_count() == before
