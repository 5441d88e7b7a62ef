# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What no workflow or pipeline that we ship may do: each rule looks at a parsed file and names what breaks it."""

from __future__ import annotations

import re
import typing as t

Values = t.Dict[str, t.Any]

PINNED = re.compile(r"[A-Za-z0-9_.-]+/[A-Za-z0-9_./-]+@[0-9a-f]{40}")
TRIGGERS = {"push", "pull_request", "schedule", "workflow_dispatch"}
"""Events that give a pull request of a stranger no more than it may have; pull_request_target is none of them."""
WRITES = {"pull-requests", "security-events"}
RUNNERS_OWN = re.compile(r"\$\{?(?:CI|GITLAB|TRIGGER|GITHUB)_\w+")
"""Variables that forges set. Some hold words of strangers: titles, branches, messages."""
HARMLESS = {"$GITHUB_PATH", "$GITHUB_OUTPUT", "$GITHUB_STEP_SUMMARY"}
RUNS_TEXT = re.compile(r"\beval\b|\b(?:ba)?sh -c\b|\b(?:curl|wget)\b[^\n]*\|")


def github_findings(workflow: Values) -> list[str]:
    """Return what is wrong with a workflow of GitHub."""
    triggers = workflow["on"] if isinstance(workflow["on"], (dict, list)) else [workflow["on"]]
    found = [f"trigger {name}" for name in triggers if name not in TRIGGERS]
    if workflow.get("permissions") != {}:
        found.append("the workflow itself has permissions")
    found += [f"env {name}: {value}" for name, value in workflow.get("env", {}).items() if _of_strangers(value)]
    for name, job in workflow["jobs"].items():
        found += [f"{name}: {finding}" for finding in _job_findings(job)]
    return found


def _job_findings(job: Values) -> t.Iterator[str]:
    permissions = job.get("permissions")
    if not isinstance(permissions, dict):
        yield "no permissions of its own"
    else:
        yield from (f"may {right} {name}" for name, right in permissions.items() if not _modest(name, right))
    if "timeout-minutes" not in job:
        yield "no timeout-minutes"
    if "container" in job or "services" in job:
        yield "an image"
    if "uses" in job or job.get("secrets") == "inherit":
        yield "another workflow"
    if "secrets." in str({**job, "steps": ()}):
        yield "a secret for the whole job"
    for step in job.get("steps", ()):
        yield from (f"{step.get('name')}: {finding}" for finding in _step_findings(step))


def _modest(name: str, right: str) -> bool:
    return right in ("read", "none") or (name in WRITES and right == "write")


def _step_findings(step: Values) -> t.Iterator[str]:
    if "${{" in step.get("run", "") or "${{" in step.get("shell", ""):
        yield "an expression in a shell"
    if not _harmless(step.get("run", "")):
        yield "runs text"
    if "uses" in step and not PINNED.fullmatch(step["uses"]):
        yield f"{step['uses']} is pinned to no commit"
    desired = step.get("with", {})
    if step.get("uses", "").startswith("actions/checkout@") and desired.get("persist-credentials") is not False:
        yield "credentials are left in the work tree"
    if _of_strangers(desired.get("script", "")) or _of_strangers(desired.get("ref", "")):
        yield "words of strangers for an action"
    yield from (f"env {name}: {value}" for name, value in step.get("env", {}).items() if _of_strangers(value))


def _of_strangers(value: t.Any) -> bool:
    """Whether an expression hands on what the sender of an event wrote."""
    return bool(re.search(r"\$\{\{[^}]*(?:github\.event\.|github\.head_ref|toJSON)", str(value)))


def _harmless(shell: str) -> bool:
    return not RUNS_TEXT.search(shell) and set(RUNNERS_OWN.findall(shell)) <= HARMLESS


def gitlab_findings(pipeline: Values) -> list[str]:
    """Return what is wrong with a pipeline of GitLab."""
    found = [f"{name} is taken from elsewhere" for name in ("include", "services") if name in pipeline]
    jobs = {
        name: job for name, job in pipeline.items() if isinstance(job, dict) and name not in ("variables", "workflow")
    }
    for name, job in jobs.items():
        found += [f"{name}: {finding}" for finding in _gitlab_job_findings(job)]
    if "image" not in pipeline.get("default", {}):
        found.append("the image is whatever the runner has")
    secret = re.compile(r"key|secret|password|token", re.IGNORECASE)
    found += [
        f"variable {name}" for name, value in pipeline.get("variables", {}).items() if secret.search(name) and value
    ]
    return found


def _gitlab_job_findings(job: Values) -> t.Iterator[str]:
    for line in [*job.get("before_script", ()), *job.get("script", ()), *job.get("after_script", ())]:
        if not _harmless(line):
            yield f"runs text: {line}"
    for name in ("services", "trigger", "id_tokens"):
        if name in job:
            yield name
    image = job.get("image", "$SITE_IMAGE")
    if image != "$SITE_IMAGE":
        yield f"the image {image}"
