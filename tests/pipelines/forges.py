# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a forge does with a pipeline file: chooses the jobs of an event, and runs their shell in order."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import typing as t
from pathlib import Path

from sandbox.process import SandboxProcess
from site_keys import public_key

from pipelines.pipeline_jobs import INSTALLS_ANSIBLE, github, gitlab, gitlab_jobs, named_options
from pipelines.site_repository import PROGRAMS, Repository

INSTALLS_COLLECTION = "ansible-galaxy collection install"
Values = t.Dict[str, t.Any]


class JobFailed(Exception):
    """A step ended with another code than 0; ``code`` is it."""

    def __init__(self, step: str, code: int, said: str) -> None:
        super().__init__(f"{step} ended with {code}:\n{said[-3000:]}")
        self.step = step
        self.code = code
        self.said = said


class Forge:
    """The parts that both forges have: where jobs work, what they keep, what they are given."""

    def __init__(self, repository: Repository, sandbox: SandboxProcess, place: Path) -> None:
        """Take the repository; ``place`` gets a work tree for each job, and what is kept."""
        self.repository = repository
        self.place = place
        self.service = {name: sandbox.environment[name] for name in named_options()}
        self.kept = place / "kept"
        self.said: list[str] = []
        self.skipped: set[str] = set()
        self._more = {name: value for name, value in sandbox.environment.items() if name not in self.service}
        self._jobs = 0
        (place / "home").mkdir(parents=True)

    def site_key(self, environment: str) -> str:
        """Return the key that the jobs of an environment have: those that plan need the public one only."""
        private = self.service["FCD_SITE_KEY"]
        return public_key(private) if environment == "plan" else private

    def new_tree(self, commit: str) -> Path:
        """Return a fresh work tree of the commit."""
        self._jobs += 1
        tree = self.place / f"job-{self._jobs}"
        self.repository.check_out(tree, commit)
        return tree

    def shell(self, shell: t.Sequence[str], step: str, text: str, tree: Path, values: t.Mapping[str, str]) -> None:
        """Run a piece of shell. Raises JobFailed."""
        environment = {
            "PATH": os.pathsep.join([str(PROGRAMS), os.environ.get("PATH", os.defpath)]),
            "HOME": str(self.place / "home"),
            "LC_ALL": "C.UTF-8",
            **self._more,
            **values,
        }
        done = subprocess.run(
            [*shell, text],
            cwd=tree,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        self.said.append(done.stdout)
        if done.returncode:
            raise JobFailed(step, done.returncode, done.stdout)

    def installed(self, tree: Path) -> bool:
        """Whether an earlier job has installed the collection; then it is there for this one too."""
        kept = self.place / "collections"
        if kept.exists():
            (tree / ".collections").symlink_to(kept)
        return kept.exists()

    def lend(self, collections: Path) -> None:
        """Let all jobs find the collection there, as if an earlier one had installed it."""
        (self.place / "collections").symlink_to(collections)

    def keep_collections(self, tree: Path) -> None:
        """Keep what was installed."""
        shutil.copytree(tree / ".collections", self.place / "collections")

    def keep(self, name: str, tree: Path, paths: t.Iterable[str]) -> None:
        """Keep files of a job; those that are not there are left out, as forges do."""
        target = self.kept / name
        shutil.rmtree(target, ignore_errors=True)
        target.mkdir(parents=True)
        for path in paths:
            if (tree / path).is_dir():
                shutil.copytree(tree / path, target / path)
            elif (tree / path).exists():
                (target / path).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(tree / path, target / path)

    def fetch(self, name: str, tree: Path) -> None:
        """Put what was kept into a work tree."""
        if (self.kept / name).exists():
            shutil.copytree(self.kept / name, tree, dirs_exist_ok=True, copy_function=shutil.copyfile)  # modes get lost


class GitHub(Forge):
    """Runs the workflow for an event; ``outputs`` and ``summary`` are those of the last jobs."""

    def __init__(self, repository: Repository, sandbox: SandboxProcess, place: Path) -> None:
        super().__init__(repository, sandbox, place)
        self.outputs: Values = {}
        self.summary = ""

    def run(self, event: str, commit: str, ref: str, done: t.Sequence[str] = (), **more: str) -> list[str]:
        """Run the jobs that the event chooses, in order; return their names. Raises JobFailed.

        Jobs in ``done`` count as passed, and are not run.
        """
        values: Values = {
            "github.event_name": event,
            "github.ref": ref,
            "github.repository": "web-shop/site",
            "github.event.repository.default_branch": "main",
            "github.event.pull_request.head.repo.full_name": "web-shop/site",
            "github.run_id": "7",
            "github.run_attempt": str(self._jobs),
            "github.token": "a-token-of-the-forge",
            **{f"vars.{name}": value for name, value in self.service.items()},
            **{f"secrets.{name}": value for name, value in self.service.items()},
            **more,
        }
        passed: list[str] = []
        for name, job in github()["jobs"].items():
            needs = job.get("needs")
            if (needs is None or needs in passed) and self._value(job.get("if", "true"), values, Path()):
                if name not in done:
                    self._run_job(name, job, commit, values)
                passed.append(name)
        return passed

    def _run_job(self, name: str, job: Values, commit: str, values: Values) -> None:
        tree = self.new_tree(commit)
        key = self.site_key(job.get("environment", ""))
        values = {**values, "github.workspace": str(tree), "secrets.FCD_SITE_KEY": key}
        files = {key: self.place / key.lower() for key in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "GITHUB_PATH")}
        for file in files.values():
            file.write_text("", encoding="utf-8")
        given = {**self._filled(github()["env"], values, tree), **{key: str(file) for key, file in files.items()}}
        given |= {"GITHUB_ACTIONS": "true", "GITHUB_REF": values["github.ref"], "GITHUB_REPOSITORY": "web-shop/site"}
        given["GITHUB_API_URL"] = values.get("forge", "http://127.0.0.1:9")
        given["GITHUB_GRAPHQL_URL"] = given["GITHUB_API_URL"] + "/graphql"
        failure: JobFailed | None = None
        for step in job["steps"]:
            condition = step.get("if", "success()")
            if failure and "always()" not in condition:
                continue
            if not self._value(condition.replace("success()", "true"), values, tree):
                continue
            try:
                self._step(step, tree, values, given)
            except JobFailed as problem:
                failure = failure or problem
        outputs = dict(line.split("=", 1) for line in files["GITHUB_OUTPUT"].read_text("utf-8").splitlines())
        (step,) = [step["id"] for step in job["steps"] if "id" in step] or ["none"]
        of_steps = {f"steps.{step}.outputs.{key}": value for key, value in outputs.items()}
        for key, expression in job.get("outputs", {}).items():
            self.outputs[f"needs.{name}.outputs.{key}"] = self._text(expression, {**values, **of_steps}, tree)
        self.summary = files["GITHUB_STEP_SUMMARY"].read_text("utf-8")
        if failure:
            raise failure

    def _step(self, step: Values, tree: Path, values: Values, given: t.Mapping[str, str]) -> None:
        if "run" in step:
            self._shell_step(step, tree, {**given, **self._filled(step.get("env", {}), values, tree)})
            return
        action = step["uses"].partition("@")[0]
        desired = step.get("with", {})
        if action == "actions/upload-artifact":
            self.keep(desired["name"], tree, desired["path"].split())
        elif action == "actions/download-artifact":
            self.fetch(desired["name"], tree)
        elif action == "actions/cache/save":
            self.keep("cache", tree, [desired["path"]])
        elif action == "actions/cache/restore":
            self.fetch("cache", tree)
        else:
            assert action == "actions/checkout", action

    def _shell_step(self, step: Values, tree: Path, given: t.Mapping[str, str]) -> None:
        if INSTALLS_ANSIBLE in step["run"]:
            self.skipped.add(step["name"])
            return
        installs = INSTALLS_COLLECTION in step["run"]
        if installs and self.installed(tree):
            return
        shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c"]
        self.shell(shell, step["name"], step["run"], tree, given)
        if installs:
            self.keep_collections(tree)

    def _filled(self, texts: t.Mapping[str, t.Any], values: Values, tree: Path) -> dict[str, str]:
        return {name: self._text(str(text), values, tree) for name, text in texts.items()}

    def _text(self, text: str, values: Values, tree: Path) -> str:
        return re.sub(r"\$\{\{ (.*?) \}\}", lambda found: str(self._value(found[1], values, tree) or ""), text)

    def _value(self, expression: str, values: Values, tree: Path) -> t.Any:
        """Return what an expression of the workflow is; names that nobody gave are empty, as there."""
        known = {**values, **self.outputs}
        python = expression.replace("&&", " and ").replace("||", " or ")
        names = re.compile(r"'[^']*'|\b(?:github|vars|secrets|needs|steps)\.[\w.]+")
        python = names.sub(lambda found: found[0] if found[0][0] == "'" else repr(known.get(found[0], "")), python)
        functions = {
            "always": lambda: True,
            "true": True,
            "format": str.format,
            "hashFiles": lambda path: "hash" if (tree / path).exists() else "",
        }
        return eval(f"({python})", {"__builtins__": {}}, functions)  # our own file, in a test


class GitLab(Forge):
    """Runs the pipeline for an event."""

    def run(self, commit: str, done: t.Sequence[str] = (), **variables: str) -> list[str]:
        """Run the jobs that the variables choose, in the order of the stages; return their names. Raises JobFailed.

        Jobs in ``done`` count as passed, and are not run.
        """
        pipeline = gitlab()
        image = f"python:3.12-slim@sha256:{'7' * 64}"
        given = {"CI_PROJECT_ID": "12", "CI_DEFAULT_BRANCH": "main", "SITE_IMAGE": image, **variables}
        jobs = gitlab_jobs()
        if not any(rule.get("when") != "never" for rule in self._first(pipeline["workflow"]["rules"], given)):
            return []
        chosen = [name for name, job in jobs.items() if self._first(job["rules"], given)]
        chosen.sort(key=lambda name: [".pre", *pipeline["stages"]].index(jobs[name]["stage"]))
        for name in chosen:
            if name not in done:
                self._run_job(name, jobs[name], commit, {**pipeline["variables"], **given})
        return chosen

    def _first(self, rules: t.Iterable[Values], given: t.Mapping[str, str]) -> list[Values]:
        """Return the first rule that holds, as a list of one or none."""
        return [rule for rule in rules if self._holds(rule["if"], given)][:1]

    def _holds(self, condition: str, given: t.Mapping[str, str]) -> bool:
        python = condition.replace("&&", " and ").replace("||", " or ")
        python = re.sub(r"(\$\w+) !~ /(.+)/", lambda found: f"not search({found[2]!r}, {found[1]})", python)
        python = re.sub(r"\$(\w+)", lambda found: repr(given.get(found[1], "")), python)
        return bool(eval(python, {"__builtins__": {}}, {"search": re.search}))  # our own file, in a test

    def _run_job(self, name: str, job: Values, commit: str, given: t.Mapping[str, str]) -> None:
        tree = self.new_tree(commit)
        for needed in job.get("needs", []):
            self.fetch(needed, tree)
        cached = "cache" in job
        if cached:
            self.fetch("cache", tree)
        key = self.site_key(job.get("environment", {}).get("name", ""))
        values = {**given, **self.service, "FCD_SITE_KEY": key, "CI_PROJECT_DIR": str(tree), "GITLAB_CI": "true"}
        values = {key: value.replace("$CI_PROJECT_DIR", str(tree)) for key, value in values.items()}
        first = not self.installed(tree)
        lines = [line for line in [*job["before_script"], *job["script"]] if self._desired(line, first=first)]
        try:
            self.shell(["sh", "-e", "-c"], name, "\n".join(lines), tree, values)
        finally:
            artefacts = job.get("artifacts", {})
            self.keep(name, tree, [*artefacts.get("paths", []), *artefacts.get("reports", {}).values()])
            if cached:
                self.keep("cache", tree, job["cache"]["paths"])
        if first:
            self.keep_collections(tree)

    def _desired(self, line: str, *, first: bool) -> bool:
        """Whether a line is run: Ansible is here already, and the collection is installed by the first job."""
        if INSTALLS_ANSIBLE in line or ".tools" in line:
            self.skipped.add(line)
            return False
        return first or INSTALLS_COLLECTION not in line
