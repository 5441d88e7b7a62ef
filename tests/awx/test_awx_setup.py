# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The playbook awx_setup against a controller on this machine, with the real modules of awx.awx."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import typing as t
from pathlib import Path

import collection_tree
import pytest

from awx import awx_collection
from awx.fake_controller import HIDDEN, FakeController

SECRET = "quagga-orchid-9"
VARIABLES = {
    "awx_setup_project_url": "https://git.example.com/web-shop.git",
    "awx_setup_image": "registry.example.com/fcd-execution-environment:0.1.0",
    "awx_setup_credential_inputs": {"username": "panel.owner@example.com", "password": SECRET, "base_url": "https://a"},
    "awx_setup_notification_type": "webhook",
    "awx_setup_notification_configuration": {"url": "https://chat.example.com/hook", "http_method": "POST"},
}
OBJECTS = {
    "organizations": 1,
    "credential_types": 4,
    "execution_environments": 1,
    "credentials": 1,
    "notification_templates": 1,
    "projects": 1,
    "inventories": 2,
    "inventory_sources": 2,
    "job_templates": 9,
    "workflow_job_templates": 3,
    "workflow_job_template_nodes": 10,
    "workflow_approval_templates": 3,
    "schedules": 1,
}


class Said(t.NamedTuple):
    """What ansible-playbook said."""

    status: int
    output: str
    totals: dict[str, int]


def set_up(controller: FakeController, folder: Path, *roots: Path, **variables: t.Any) -> Said:
    """Run the playbook with collections from these roots besides our own."""
    variables_file = folder / "variables.json"
    variables_file.write_text(json.dumps({**VARIABLES, **variables}), encoding="utf-8")
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "ANSIBLE_COLLECTIONS_PATH": os.pathsep.join(map(str, [collection_tree.linked(), *roots])),
        "ANSIBLE_STDOUT_CALLBACK": "ansible.builtin.default",
        "ANSIBLE_SHOW_CUSTOM_STATS": "false",
        "ANSIBLE_LOCALHOST_WARNING": "false",
        "ANSIBLE_NOCOLOR": "1",
        "LANG": "C.UTF-8",
        **controller.environment,
    }
    command = [
        str(Path(sys.executable).with_name("ansible-playbook")),
        "fcd.cloud.awx_setup",
        "-e",
        f"@{variables_file}",
    ]
    done = subprocess.run(
        command, env=environment, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    recap = done.stdout.rpartition("PLAY RECAP")[2].partition("localhost")[2]
    totals = {name: int(number) for name, number in (part.split("=") for part in recap.split() if "=" in part)}
    return Said(done.returncode, done.stdout + done.stderr, totals)


@pytest.fixture
def controller() -> t.Iterator[FakeController]:
    """One with nothing in it."""
    with FakeController() as fake:
        yield fake


def test_it_creates_everything_and_then_nothing(controller: FakeController, tmp_path: Path) -> None:
    """A second run sends nothing that changes anything, and no secret is said."""
    modules = awx_collection.root()
    first = set_up(controller, tmp_path, modules)
    assert first.status == 0, first.output
    objects = controller.objects
    assert {kind: len(items) for kind, items in objects.kinds.items()} == OBJECTS
    assert first.totals["changed"] > 0
    assert SECRET not in first.output
    kept = json.dumps([objects.kinds, objects.associated, objects.surveys], sort_keys=True)
    second = set_up(controller, tmp_path, modules)
    assert second.status == 0, second.output
    assert second.totals["changed"] == 0, second.output
    assert json.dumps([objects.kinds, objects.associated, objects.surveys], sort_keys=True) == kept
    _check(controller)


def _check(controller: FakeController) -> None:
    objects = controller.objects
    [credential] = objects.kinds["credentials"].values()
    assert credential["inputs"]["password"] == SECRET
    assert objects.listed("credentials", {})[0]["inputs"]["password"] == HIDDEN
    cloud = objects.named("credential_types", "FCD cloud")
    assert "{{ tower.filename.profile }}" in cloud["injectors"]["env"]["FCD_CONFIG_FILE"]
    plan = objects.named("job_templates", "FCD plan")
    assert objects.associated[f"{plan['url']}credentials"] == [credential["id"]]
    assert objects.surveys[plan["url"]]["spec"][0]["default"] == "site.yml"
    rest = objects.named("job_templates", "FCD rest")
    assert (rest["job_slice_count"], rest["inventory"]) == (4, objects.named("inventories", "FCD parts")["id"])
    workflow = objects.named("workflow_job_templates", "FCD change")
    assert _chain(controller, workflow["id"]) == ["plan", "approval", "apply"]


def _chain(controller: FakeController, workflow: int) -> list[str]:
    """Return the nodes of a workflow in the order in which success leads through them."""
    objects = controller.objects
    nodes = {item["id"]: item for item in objects.kinds["workflow_job_template_nodes"].values()}
    nodes = {number: item for number, item in nodes.items() if item["workflow_job_template"] == workflow}
    after = {number: objects.associated.get(f"{item['url']}success_nodes", []) for number, item in nodes.items()}
    [at] = set(nodes) - {number for numbers in after.values() for number in numbers}
    names = [nodes[at]["identifier"]]
    while after[at]:
        [at] = after[at]
        names.append(nodes[at]["identifier"])
    return names


def test_without_its_modules_it_says_how_to_get_them(controller: FakeController, tmp_path: Path) -> None:
    """Nothing is sent."""
    said = set_up(controller, tmp_path)
    assert said.status == 2
    assert "ansible-galaxy collection install awx.awx" in said.output
    assert controller.writes == []
