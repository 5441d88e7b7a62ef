# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The examples of every plugin run, in their order, in one play on a fresh service."""

from __future__ import annotations

from pathlib import Path

import pytest
from chaos.playbook_run import Played, Result, play
from chaos.workplace import Workplace

from examples.documentation import Documented, Setting, documented
from examples.needs import NEEDS, Needs

OF_EVERY_TASK = {"changed", "diff", "failed", "invocation", "warnings", "deprecations"}
ALL = documented()
ELSEWHERE = {"orchestration"}
"""Examples that need a program which only the session of that name installs; it runs them."""

HERE = [one for one in ALL if one.name not in ELSEWHERE]


def run(place: Workplace, plugin: Documented, folder: Path) -> Played:
    """Run what the examples need, then the examples."""
    needs = NEEDS.get(plugin.name, Needs())
    setting = Setting(place.sandbox.info, folder)
    variables = setting.supply(needs)
    tasks = setting.adapted([*needs.before, *plugin.examples])
    return play(place, tasks, folder, variables=variables, home=folder / "project")


def own(plugin: Documented, done: Played) -> list[Result]:
    """Return the results of those tasks that run the module itself."""
    names = {task["name"] for task in plugin.examples if plugin.task_key in task}
    return [one for one in done.results if one.name in names]


@pytest.mark.parametrize("plugin", HERE, ids=[f"{one.kind}-{one.name}" for one in HERE])
def test_examples_run(place: Workplace, tmp_path: Path, plugin: Documented) -> None:
    """None fails; what is returned is documented; what is there to change something does."""
    done = run(place, plugin, tmp_path / "run")
    assert done.status == 0, done.stdout[-4000:]
    assert [one.name for one in done.results if one.failed] == []
    assert len({one.name for one in done.results}) >= len(plugin.examples), "one is skipped, or two share a name"
    unchanged = NEEDS.get(plugin.name, Needs()).unchanged
    for one in own(plugin, done):
        if "censored" in one.result:  # it has no_log
            continue
        told = {name for name in one.result if not name.startswith("_ansible")}
        assert told - OF_EVERY_TASK <= set(plugin.returned), one.name
        if plugin.writes:
            assert one.result["changed"] is (one.name not in unchanged), one.name


def test_every_plugin_shows_itself() -> None:
    """Each has an example in which it is used, by its full name."""
    shown = {plugin.name for plugin in ALL if plugin.task_key in str(plugin.examples)}
    assert {plugin.name for plugin in ALL} - shown == set()


def test_needs_are_of_plugins() -> None:
    """What is supplied is supplied to somebody."""
    assert set(NEEDS) <= {plugin.name for plugin in ALL}
