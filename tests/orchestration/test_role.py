# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The role with both engines, and the way from one to the other: no instance is created twice."""

from __future__ import annotations

import typing as t

from chaos.playbook_run import Played, TaskItem, play
from orchestration.managed_folder import DB, WEB, ManagedFolder


def included(name: str, **variables: t.Any) -> TaskItem:
    """Return a task that runs the role."""
    own = {f"orchestrated_instances_{key}": value for key, value in variables.items()}
    return {"name": name, "ansible.builtin.include_role": {"name": "fcd.cloud.orchestrated_instances"}, "vars": own}


def told(name: str) -> TaskItem:
    """Return a task that shows what the role has done."""
    return {"name": name, "ansible.builtin.debug": {"var": "orchestrated_instances_result"}}


def result(done: Played, name: str) -> t.Any:
    """Return what it shows."""
    return done.of(name).result["orchestrated_instances_result"]


def test_from_one_engine_to_the_other_and_back(managed_1: ManagedFolder) -> None:
    managed = managed_1
    web, db = ({**one, "ip_address_id": managed.address(one["instance_name"])} for one in (WEB, DB))
    tool = {
        "engine": "orchestration",
        "path": str(managed.path),
        "executable": managed.executable,
        "plugin_path": managed.plugin,
    }
    tasks = [
        included("by the interface", present=[web]),
        included("taken over", present=[web, db], adopt=True, **tool),
        told("adopted"),
        included("again", present=[web, db], **tool),
        told("same"),
        included("back", present=[web, db]),
        told("by the interface again"),
        included("gone", present=[web, db], state="absent", **tool),
        told("removed"),
    ]
    folder = managed.path.with_name("play")
    done = play(managed.place, tasks, folder, environment=managed.variables)
    assert done.status == 0, done.stdout[-4000:]
    assert sorted(one["action"] for one in result(done, "adopted")["actions"]) == ["create", "import"]
    assert not result(done, "same")["changed"]
    assert not result(done, "by the interface again")["changed"]
    assert sorted(one["action"] for one in result(done, "removed")["actions"]) == ["delete", "delete"]
    assert managed.writes().count("create_instance") == 2
    assert managed.instances() == []
