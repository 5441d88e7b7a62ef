# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What can be said of the files without running them: their schemas, their shell, and who may do what."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import typing as t
from pathlib import Path

import pytest
import yaml

from ansible_collections.fcd.cloud.plugins.module_utils._connection.options import OPTIONS, environment_name
from pipelines.conftest import EXTENSIONS, loaded
from pipelines.pipeline_jobs import GITHUB, GITLAB, PIPELINES, github, gitlab_jobs, named_options

SOURCES = sorted((EXTENSIONS / "eda" / "plugins" / "event_source").glob("*.py"))
RULEBOOKS = sorted((EXTENSIONS / "eda" / "rulebooks").glob("*.yml"))
PINNED = re.compile(r"uses: [a-z-]+/[a-z/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$")
EXPRESSION = re.compile(r"\$\{\{")


def _check(programs: Path, *arguments: str) -> None:
    done = subprocess.run([programs / "check-jsonschema", *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_workflow_follows_its_schema(programs: Path) -> None:
    for schema in ("vendor.github-workflows", "custom.github-workflows-require-timeout"):
        _check(programs, "--builtin-schema", schema, str(GITHUB))


def test_the_gitlab_pipeline_follows_its_schema(programs: Path) -> None:
    _check(programs, "--builtin-schema", "vendor.gitlab-ci", "--data-transform", "gitlab-ci", str(GITLAB))


def test_the_rulebooks_follow_their_schema(programs: Path) -> None:
    (schema,) = programs.parent.glob("lib/python*/site-packages/ansible_rulebook/schema/ruleset_schema.json")
    _check(programs, "--schemafile", str(schema), *map(str, RULEBOOKS))


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.stem)
def test_the_schema_of_an_event_source_says_what_its_documentation_says(source: Path) -> None:
    schema = json.loads((source.parent / "schemas" / f"{source.stem}.json").read_text(encoding="utf-8"))
    documented = yaml.safe_load(loaded(f"{source.stem}_documented", source).DOCUMENTATION)
    kinds = {"str": "string", "int": "integer", "float": "number", "bool": "boolean"}
    expected = {
        name: {
            "title": name.replace("_", " ").capitalize(),
            "description": re.sub(r"[A-Z]\(([^)]*)\)", r"\1", " ".join(option["description"])),
            "type": kinds[option["type"]],
            **({"default": option["default"]} if "default" in option else {}),
        }
        for name, option in documented["options"].items()
    }
    assert schema["properties"] == expected
    assert schema["required"] == [name for name, option in documented["options"].items() if option.get("required")]
    assert schema["description"] == documented["short_description"]


def _shell() -> dict[str, str]:
    """Return all shell text in the pipeline files, with the shell it is for as first line."""
    found = {"site-pull.sh": (PIPELINES / "ansible_pull" / "site-pull.sh").read_text(encoding="utf-8")}
    for name, job in github()["jobs"].items():
        for step in job["steps"]:
            if "run" in step:
                found[f"github: {name}: {step['name']}"] = f"#!/bin/bash\n{step['run']}"
    for name, job in gitlab_jobs().items():
        found[f"gitlab: {name}"] = "\n".join(["#!/bin/sh", *job["before_script"], *job["script"], ""])
    return found


def test_shellcheck_finds_nothing(tmp_path: Path) -> None:
    files = []
    for number, (name, text) in enumerate(_shell().items()):
        files.append(tmp_path / f"{number:02} {re.sub('[^a-z]', '-', name)}.sh")
        files[-1].write_text(text, encoding="utf-8")
    program = Path(sys.executable).with_name("shellcheck")
    done = subprocess.run([program, "--norc", *files], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_actions_are_pinned_to_commits() -> None:
    uses = [line.strip().removeprefix("- ") for line in GITHUB.read_text("utf-8").splitlines() if "uses:" in line]
    assert uses
    assert [line for line in uses if not PINNED.fullmatch(line)] == []
    by_action: dict[str, set[str]] = {}
    for line in uses:
        name, _, pin = line.partition("@")
        by_action.setdefault(name, set()).add(pin)
    assert {name: pins for name, pins in by_action.items() if len(pins) > 1} == {}


def test_jobs_may_do_no_more_than_they_need() -> None:
    jobs = github()["jobs"]
    assert github()["permissions"] == {}
    assert {name: job["permissions"] for name, job in jobs.items()} == {
        "validate": {"contents": "read"},
        "plan": {"contents": "read", "pull-requests": "write"},
        "apply": {"contents": "read"},
        "drift": {"contents": "read"},
    }
    checkouts = [step for step in _steps() if "actions/checkout@" in step.get("uses", "")]
    assert {step["with"]["persist-credentials"] for step in checkouts} == {False}


def _steps() -> list[dict[str, t.Any]]:
    return [step for job in github()["jobs"].values() for step in job["steps"]]


def test_no_expression_is_pasted_into_a_shell() -> None:
    assert [step["name"] for step in _steps() if EXPRESSION.search(step.get("run", ""))] == []


def test_secrets_reach_only_the_steps_that_need_them() -> None:
    assert "secrets." not in str(github()["env"])
    holders = {step["name"] for step in _steps() if "secrets." in str(step)}
    planning = {"Plan", "Apply", "Check for drift"}
    assert holders == {*planning, "Comment on the pull request"}
    assert all("secrets." not in str({**step, "env": ""}) for step in _steps())
    (comment,) = [step["env"] for step in _steps() if step["name"] in holders - planning]
    assert re.findall(r"secrets\.\w+", str(comment)) == ["secrets.FCD_SITE_KEY"]
    environments = [step["env"] for step in _steps() if step["name"] in planning]
    assert all(one == environments[0] for one in environments)
    for job in github()["jobs"].values():
        assert "secrets." not in str({**job, "steps": ""})


def test_each_variable_of_the_service_is_an_option() -> None:
    needed = {environment_name(name) for name, option in OPTIONS.items() if option.needed}
    assert set(named_options()) == needed | {"FCD_SITE_KEY"}
    readme = (PIPELINES / "README.md").read_text(encoding="utf-8")
    assert sorted(set(re.findall(r"\bFCD_[A-Z_]+\b", readme))) == named_options()
    secret = {environment_name(name) for name, option in OPTIONS.items() if option.secret and option.needed}
    plan = next(step["env"] for step in _steps() if step["name"] == "Plan")
    assert {name for name in secret if "secrets." not in plan[name]} == set()


def test_credentials_are_not_for_strangers() -> None:
    condition = github()["jobs"]["plan"]["if"]
    assert "github.event.pull_request.head.repo.full_name == github.repository" in condition
    assert {name: job.get("environment") for name, job in github()["jobs"].items() if "environment" in job} == {
        "plan": "plan",
        "apply": "production",
        "drift": "plan",
    }
    (rule,) = gitlab_jobs()["plan"]["rules"]
    assert "$CI_MERGE_REQUEST_SOURCE_PROJECT_ID == $CI_PROJECT_ID" in rule["if"]


def test_a_request_from_a_fork_reaches_nothing_secret() -> None:
    """Jobs with an environment run for the repository itself only, and no other job has a secret."""
    ours = {"github.event_name == 'push'", "github.event_name == 'schedule'"}
    for name, job in github()["jobs"].items():
        if "environment" in job:
            condition = job["if"]
            assert any(one in condition for one in ours), name
            asked = "github.event.pull_request.head.repo.full_name == github.repository"
            assert ("'pull_request'" in condition) == (asked in condition), name
        else:
            assert "secrets." not in str(job), name
            assert job.get("needs") == "plan" or job["permissions"] == {"contents": "read"}, name
    for name, job in gitlab_jobs().items():
        secret = "environment" in job
        for rule in job["rules"]:
            of_requests = "merge_request_event" in rule["if"]
            of_ours = "$CI_MERGE_REQUEST_SOURCE_PROJECT_ID == $CI_PROJECT_ID" in rule["if"]
            kept = "$CI_COMMIT_BRANCH" in rule["if"] or rule["if"] == '$CI_PIPELINE_SOURCE == "schedule"'
            assert not secret or of_ours or (kept and not of_requests), name
        assert secret or name in ("validate", "image without a digest")


def test_both_install_the_collection_in_the_same_way() -> None:
    (line,) = {step["run"] for step in _steps() if step["name"] == "Install the collection"}
    assert line in gitlab_jobs()["plan"]["before_script"]


def test_two_applies_never_overlap() -> None:
    assert github()["jobs"]["apply"]["concurrency"] == {"group": "site-apply", "cancel-in-progress": False}
    assert github()["concurrency"]["cancel-in-progress"] == "${{ github.event_name == 'pull_request' }}"
    jobs = gitlab_jobs()
    assert jobs["apply"]["resource_group"] == jobs["plan main"]["resource_group"]
    assert not jobs["apply"]["interruptible"]
    assert not jobs["plan main"]["interruptible"]


@pytest.mark.parametrize("unit", ["site-pull.service", "site-pull.timer"])
def test_units_name_what_the_recipe_installs(unit: str) -> None:
    text = (PIPELINES / "ansible_pull" / unit).read_text(encoding="utf-8")
    recipe = (PIPELINES / "ansible_pull" / "README.md").read_text(encoding="utf-8")
    for path in re.findall(r"/etc/site/\S+", text):
        assert Path(path).name in recipe
        assert (PIPELINES / "ansible_pull" / Path(path).name).exists()


def test_rulebooks_name_only_playbooks_that_there_are() -> None:
    for file in RULEBOOKS:
        for ruleset in yaml.safe_load(file.read_text(encoding="utf-8")):
            for rule in ruleset["rules"]:
                name = rule["action"]["run_playbook"]["name"].removeprefix("fcd.cloud.")
                assert (EXTENSIONS.parent / "playbooks" / f"{name}.yml").exists(), name
