# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every workflow and pipeline that is in this repository: permissions, words of strangers, pins."""

from __future__ import annotations

import subprocess
import typing as t
from pathlib import Path

import cores
import pytest
import tree_yaml

from pipelines.conftest import EXTENSIONS
from pipelines.pipeline_jobs import GITHUB, GITLAB
from pipelines.workflow_rules import github_findings, gitlab_findings

CHECKOUT = EXTENSIONS.parent
WORKFLOWS = CHECKOUT / ".github" / "workflows"
OF_USERS = EXTENSIONS / "testing" / "github" / "test.yml"
OF_GITHUB = [*sorted(WORKFLOWS.glob("*.y*ml")), GITHUB, OF_USERS]
Break = t.Callable[[t.Any], t.Any]


def parsed(file: Path) -> t.Any:
    return tree_yaml.of_file(file)


def test_no_workflow_is_overlooked() -> None:
    """Whatever has jobs or stages is one of those that the rules look at."""
    found = []
    for folder in (".github", "extensions", "roles", "playbooks", "tests/pipelines"):
        for file in (CHECKOUT / folder).rglob("*.y*ml"):
            content = None if {"awx", "awx_setup"} & set(file.parts) else parsed(file)
            if isinstance(content, dict) and {"jobs", "stages"} & set(content):
                found.append(file)
    assert sorted(found) == sorted([*OF_GITHUB, GITLAB])


@pytest.mark.parametrize("file", OF_GITHUB, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_the_workflow_keeps_the_rules(file: Path) -> None:
    assert github_findings(parsed(file)) == []


def test_the_pipeline_keeps_the_rules() -> None:
    assert gitlab_findings(parsed(GITLAB)) == []


def test_zizmor_finds_nothing(programs: Path) -> None:
    options = ["--offline", "--no-config", "--no-progress", "--collect=all"]
    done = subprocess.run([programs / "zizmor", *options, *OF_GITHUB], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "No findings to report" in done.stdout


def test_each_workflow_has_its_purpose() -> None:
    """Pull requests have `make test` with each core; what was merged has everything; a tag is built."""
    triggers = {file.stem: parsed(file)["on"] for file in WORKFLOWS.iterdir()}
    assert triggers == {
        "pull-request": {"pull_request": None},
        "main": {"push": {"branches": ["main"]}, "schedule": [{"cron": "17 3 * * *"}]},
        "release": {"push": {"tags": ["[0-9]+.[0-9]+.[0-9]+*"]}},
    }
    test = parsed(WORKFLOWS / "pull-request.yml")["jobs"]["test"]
    assert test["strategy"]["matrix"]["core"] == [core.series for core in cores.CORES]
    assert {"run": "make test", "env": {"CORE": "${{ matrix.core }}"}}.items() <= test["steps"][-1].items()
    assert commands("main", "all") == [".ci/run"]
    assert commands("main", "night") == ["make night"]
    assert commands("release", "build") == ['make release VERSION="$VERSION"']


def commands(workflow: str, job: str) -> list[str]:
    steps = parsed(WORKFLOWS / f"{workflow}.yml")["jobs"][job]["steps"]
    return [step["run"] for step in steps if "run" in step]


def test_forms_and_updates_follow_their_schemas(programs: Path) -> None:
    forms = sorted((CHECKOUT / ".github" / "ISSUE_TEMPLATE").glob("[!c]*.yml"))
    checked = {"vendor.github-issue-forms": forms, "vendor.dependabot": [CHECKOUT / ".github" / "dependabot.yml"]}
    for schema, files in checked.items():
        command = [str(programs / "check-jsonschema"), "--builtin-schema", schema, *map(str, files)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    assert len(forms) == 3


def plan_step(workflow: t.Any, name: str) -> t.Any:
    (found,) = [step for step in workflow["jobs"]["plan"]["steps"] if step["name"] == name]
    return found


BREAKS: dict[str, Break] = {
    "trigger pull_request_target": lambda it: it["on"].update(pull_request_target=None),
    "trigger issue_comment": lambda it: it.update(on="issue_comment"),
    "the workflow itself has permissions": lambda it: it.pop("permissions"),
    "no permissions of its own": lambda it: it["jobs"]["plan"].pop("permissions"),
    "may write contents": lambda it: it["jobs"]["plan"]["permissions"].update(contents="write"),
    "no timeout-minutes": lambda it: it["jobs"]["plan"].pop("timeout-minutes"),
    "an image": lambda it: it["jobs"]["plan"].update(container="python:3"),
    "another workflow": lambda it: it["jobs"]["plan"].update(secrets="inherit"),
    "a secret for the whole job": lambda it: it["jobs"]["plan"].update(env={"A": "${{ secrets.A }}"}),
    "an expression in a shell": lambda it: plan_step(it, "Plan").update(
        run="echo ${{ github.event.pull_request.title }}"
    ),
    "runs text": lambda it: plan_step(it, "Plan").update(run='eval "$TITLE"'),
    "Plan: runs text": lambda it: plan_step(it, "Plan").update(run='echo "$GITHUB_HEAD_REF"'),
    "is pinned to no commit": lambda it: plan_step(it, "Check out").update(uses="actions/checkout@v4"),
    "credentials are left": lambda it: plan_step(it, "Check out").pop("with"),
    "words of strangers for an action": lambda it: plan_step(it, "Check out")["with"].update(
        ref="${{ github.head_ref }}"
    ),
    "env TITLE": lambda it: plan_step(it, "Plan")["env"].update(TITLE="${{ github.event.pull_request.title }}"),
    "env BODY": lambda it: it["env"].update(BODY="${{ toJSON(github.event) }}"),
}
GITLAB_BREAKS: dict[str, Break] = {
    "include is taken from elsewhere": lambda it: it.update(include=[{"remote": "https://example.com/x.yml"}]),
    "plan: runs text": lambda it: it["plan"]["script"].append('echo "$CI_MERGE_REQUEST_TITLE"'),
    "default: runs text": lambda it: it["default"]["before_script"].append("curl https://example.com/x | sh"),
    "drift: the image python:3": lambda it: it["drift"].update(image="python:3"),
    "default: the image python:3": lambda it: it["default"].update(image="python:3"),
    "the image is whatever the runner has": lambda it: it["default"].pop("image"),
    "variable SITE_NOTE_TOKEN": lambda it: it["variables"].update(SITE_NOTE_TOKEN="x"),
    "apply: id_tokens": lambda it: it["apply"].update(id_tokens={}),
}


@pytest.mark.parametrize("told", BREAKS)
def test_each_rule_can_be_broken(told: str) -> None:
    workflow = parsed(GITHUB)
    BREAKS[told](workflow)
    (finding,) = github_findings(workflow)
    assert told in finding


@pytest.mark.parametrize("told", GITLAB_BREAKS)
def test_each_rule_of_the_other_can_be_broken(told: str) -> None:
    pipeline = parsed(GITLAB)
    GITLAB_BREAKS[told](pipeline)
    (finding,) = gitlab_findings(pipeline)
    assert told in finding
