# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The whole life of instances in one playbook: with every tool of the controller, as people use it."""

from __future__ import annotations

import stat
import typing as t

from chaos.playbook_run import TaskItem, play, task
from orchestration.managed_folder import DB, WEB, ManagedFolder

LARGER = {**WEB, "init_disk_size": 20}


def tasks(managed: ManagedFolder) -> list[TaskItem]:
    """Return the playbook."""

    def step(name: str, *instances: t.Any, check: bool = False, **more: t.Any) -> TaskItem:
        keywords = {"check_mode": True, "diff": True} if check else {}
        return task("orchestration", managed.args(*instances, **more), name=name, **keywords)

    return [
        step("plan", WEB, check=True),
        {"name": "look", "ansible.builtin.stat": {"path": str(managed.path)}},
        step("create", WEB),
        step("again", WEB),
        step("plan a change", LARGER, check=True),
        step("change one and add one", LARGER, DB),
        step("remove", state="absent"),
        step("remove again", state="absent"),
    ]


def test_with_every_tool(executed: ManagedFolder, tools: dict[str, str], each_tool: str) -> None:
    executed.executable = tools[each_tool]
    done = play(executed.place, tasks(executed), executed.path.with_name("play"))
    assert done.status == 0, done.stdout[-4000:]
    results = {one.name: one.result for one in done.results}
    acted = {name: sorted(one["action"] for one in result.get("actions", ())) for name, result in results.items()}
    assert acted == {
        "plan": ["create"],
        "look": [],
        "create": ["create"],
        "again": [],
        "plan a change": ["update"],
        "change one and add one": ["create", "update"],
        "remove": ["delete", "delete"],
        "remove again": [],
    }
    assert {name: bool(actions) for name, actions in acted.items()} == {
        name: result["changed"] for name, result in results.items()
    }
    assert not results["look"]["stat"]["exists"]
    assert results["again"]["instances"] == results["create"]["instances"]
    assert "diff" not in results["change one and add one"], "the play does not ask for it"
    planned = results["plan a change"]["diff"]
    sizes = [planned[side]["service_oci.web"]["init_disk_size"] for side in ("before", "after")]
    assert sizes == [10, 20]
    assert results["remove"]["instances"] == {}
    assert executed.instances() == []
    modes = {stat.S_IMODE(file.stat().st_mode) & 0o077 for file in executed.path.iterdir() if file.is_file()}
    assert modes == {0}


def test_as_an_ordinary_module(managed: ManagedFolder) -> None:
    done = play(
        managed.place, tasks(managed)[:4], managed.path.with_name("play"), way="module", environment=managed.variables
    )
    assert done.status == 0, done.stdout[-4000:]
    assert [done.of(name).result["changed"] for name in ("plan", "create", "again")] == [True, True, False]
    assert len(managed.instances()) == 1
