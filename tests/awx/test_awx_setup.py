# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The playbook awx_setup against a controller on this machine, with the real modules of awx.awx."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from awx.established import TOKEN, VAULT, Established
from awx.fake_controller import HIDDEN
from awx.jobs import chain

OBJECTS = {
    "organizations": 1,
    "credential_types": 5,
    "execution_environments": 1,
    "credentials": 2,
    "notification_templates": 1,
    "projects": 1,
    "project_updates": 1,
    "inventories": 2,
    "inventory_sources": 2,
    "job_templates": 14,
    "workflow_job_templates": 4,
    "workflow_job_template_nodes": 13,
    "workflow_approval_templates": 4,
    "schedules": 1,
}


def test_it_creates_everything(established: Established) -> None:
    """With templates for AWX in it that Ansible left alone, and no secret is said."""
    objects = established.controller.objects
    assert {kind: len(items) for kind, items in objects.kinds.items()} == OBJECTS
    secrets = established.sandbox.info["credentials"]
    credential, vault = (objects.named("credentials", name) for name in ("FCD credential", VAULT))
    assert credential["inputs"]["password"] == secrets["password"]
    assert objects.listed("credentials", {"name": credential["name"]})[0]["inputs"]["password"] == HIDDEN
    assert not any(
        secret in established.set_up.said
        for secret in (secrets["password"], secrets["api_client_secret"], secrets["storage_key"], TOKEN)
    )
    cloud = objects.named("credential_types", "FCD cloud")
    assert "{{ tower.filename.profile }}" in cloud["injectors"]["env"]["FCD_CONFIG_FILE"]
    plan = objects.named("job_templates", "FCD plan")
    validate = objects.named("job_templates", "FCD validate")
    assert objects.associated[f"{plan['url']}credentials"] == [credential["id"], vault["id"]]
    assert objects.associated[f"{validate['url']}credentials"] == [vault["id"]]
    assert objects.surveys[plan["url"]]["spec"][0]["default"] == "site.yml"
    rest = objects.named("job_templates", "FCD rest")
    assert (rest["job_slice_count"], rest["inventory"]) == (4, objects.named("inventories", "FCD parts")["id"])


def test_workflows_lead_from_job_to_job(established: Established) -> None:
    """Each in one line, with an approval before what changes anything."""
    objects = established.controller.objects
    workflows = {item["name"]: item["id"] for item in objects.kinds["workflow_job_templates"].values()}
    assert {name: [node["identifier"] for node in chain(objects, number)] for name, number in workflows.items()} == {
        "FCD change": ["plan", "approval", "apply"],
        "FCD change in parts": ["plan", "approval", "foundations", "rest"],
        "FCD prune after approval": ["dry run", "approval", "prune"],
        "FCD deprovision after approval": ["dry run", "approval", "deprovision"],
    }


def test_a_second_run_changes_nothing(established: Established) -> None:
    """And sends nothing. Without the secrets, too: a credential that is there is left alone."""
    objects = established.controller.objects
    writes = len(established.controller.writes)
    kept = json.dumps([objects.kinds, objects.associated, objects.surveys], sort_keys=True)
    done = established.set_up_again(awx_setup_credential_inputs={})
    assert done.status == 0, done.said
    assert established.set_up.totals["changed"] > 0
    assert done.totals["changed"] == 0, done.said
    assert json.dumps([objects.kinds, objects.associated, objects.surveys], sort_keys=True) == kept
    assert established.controller.writes[writes:] == []


def test_a_notification_changes_when_what_awx_shows_of_it_does(established: Established) -> None:
    """A changed token alone is sent only when that is asked for; the answer never has it."""
    notification = established.controller.objects.named("notification_templates", "FCD notification")
    token = {"token": "another-token", "channels": ["#operations"]}
    for variables, changed, kept in (
        ({"awx_setup_notification_configuration": token}, 0, TOKEN),
        ({"awx_setup_notification_configuration": {**token, "channels": ["#site"]}}, 1, "another-token"),
        ({"awx_setup_update_secrets": True}, 2, TOKEN),
    ):
        done = established.set_up_again(**variables)
        assert (done.status, done.totals["changed"]) == (0, changed), done.said
        assert notification["notification_configuration"]["token"] == kept
        assert "another-token" not in done.said


def test_a_project_that_lacks_a_playbook_is_synced_first(established: Established) -> None:
    """As after a first run that was interrupted, or for a job template that the role did not have before."""
    objects = established.controller.objects
    without_move(established)
    checked = established.set_up_again("--check")
    assert "AWX does not have FCD move yet. Run this without --check first" in " ".join(checked.said.split())
    objects.repositories_answer = False
    failed = established.set_up_again()
    assert (failed.status, failed.totals["failed"]) == (2, 1), failed.said
    assert "its job in AWX says why: open FCD project under Projects" in " ".join(failed.said.split())
    objects.repositories_answer = True
    done = established.set_up_again()
    assert done.status == 0, done.said
    assert objects.named("job_templates", "FCD move")["playbook"] == "move.yml"
    assert established.set_up_again().totals["changed"] == 0


def test_a_repository_that_lacks_a_playbook_is_named(established: Established) -> None:
    """With what to do about it."""
    playbook = (established.checkout / "move.yml").read_text("utf-8")
    without_move(established)
    established.push("move.yml", "# a file that is no playbook\n")
    done = established.set_up_again()
    assert (done.status, done.totals["failed"]) == (2, 1), done.said
    assert "branch main, lacks move.yml, which job templates of FCD project run." in " ".join(done.said.split())
    established.push("move.yml", playbook)
    assert established.set_up_again().status == 0


def without_move(established: Established) -> None:
    """Leave AWX without a job template and without its playbook."""
    objects = established.controller.objects
    del objects.kinds["job_templates"][objects.named("job_templates", "FCD move")["id"]]
    objects.playbooks[objects.named("projects", "FCD project")["id"]].remove("move.yml")


def test_a_check_of_a_second_run_foresees_no_change(established: Established) -> None:
    """And sends nothing that changes anything."""
    writes = len(established.controller.writes)
    done = established.set_up_again("--check", awx_setup_credential_inputs={})
    assert (done.status, done.totals["changed"]) == (0, 0), done.said
    assert len(established.controller.writes) == writes


def test_a_check_of_a_first_run_says_that_it_cannot_be(established: Established) -> None:
    """In words of its own, before an object is missed that another one depends on."""
    writes = len(established.controller.writes)
    done = established.set_up_again("--check", awx_setup_prefix="Other")
    assert (done.status, done.totals["failed"]) == (2, 1), done.said
    assert "AWX does not have Other project yet, nor 18 other projects and templates. Run" in " ".join(
        done.said.split()
    )
    assert "returned 0 items" not in done.said
    assert len(established.controller.writes) == writes


def test_without_its_modules_it_says_how_to_get_them(established: Established, tmp_path: Path) -> None:
    """Nothing is sent."""
    writes = len(established.controller.writes)
    done = subprocess.run(
        ["bash", "-c", "ansible-playbook fcd.cloud.awx_setup -e awx_setup_image=i -e awx_setup_project_url=u"],
        cwd=tmp_path,
        env=established.environment(established.collections),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    told = done.stdout + done.stderr
    assert "ansible-galaxy collection install awx.awx" in told
    assert told.count("[ERROR]") <= 1
    assert "rescued=0" in told
    assert len(established.controller.writes) == writes
