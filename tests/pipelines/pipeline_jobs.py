# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The steps of the pipeline files, as plain data."""

from __future__ import annotations

import re
import typing as t
from pathlib import Path

import tree_yaml

PIPELINES = Path(__file__).resolve().parents[2] / "extensions" / "pipelines"
GITHUB = PIPELINES / "github" / "site.yml"
GITLAB = PIPELINES / "gitlab" / "site.gitlab-ci.yml"
INSTALLS_ANSIBLE = "pip install"
Job = t.Dict[str, t.Any]


def github() -> Job:
    """Return the workflow."""
    return dict(tree_yaml.of_file(GITHUB))


def gitlab() -> Job:
    """Return the pipeline."""
    return dict(tree_yaml.of_file(GITLAB))


def gitlab_jobs() -> dict[str, Job]:
    """Return the jobs as GitLab merges them, with what they extend."""
    pipeline = gitlab()
    reserved = {"stages", "workflow", "variables", "default"}
    jobs = {name: job for name, job in pipeline.items() if name not in reserved}
    whole = {name: {**jobs.get(job.get("extends", ""), {}), **job} for name, job in jobs.items()}
    for job in whole.values():
        job.setdefault("before_script", pipeline["default"]["before_script"])
    return {name: job for name, job in whole.items() if not name.startswith(".")}


def named_options() -> list[str]:
    """Return the names of the variables of the service in the workflow, each once."""
    return sorted(set(re.findall(r"\bFCD_[A-Z_]+(?=:)", GITHUB.read_text(encoding="utf-8"))))
