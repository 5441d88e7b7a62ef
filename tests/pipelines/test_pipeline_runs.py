# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Both pipelines and ansible-pull, run against the sandbox from a repository on the disk."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import typing as t
from pathlib import Path

import collection_tree
import pytest
from sandbox.process import SandboxProcess

from pipelines.forges import Forge, GitHub, GitLab, JobFailed
from pipelines.site_repository import PIPELINES, PROGRAMS, SITE, Repository, packed
from pipelines.test_plan_comment import TOKEN, forge
from pipelines.test_plan_comment import Forge as Comments

__all__ = ["forge"]  # a fixture
MAIN = "refs/heads/main"
VALIDATED = ["validate"]
SECRETS = ("FCD_API_CLIENT_SECRET", "FCD_PASSWORD", "FCD_STORAGE_KEY")


@pytest.fixture(scope="session")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the collection, packed."""
    return packed(tmp_path_factory.mktemp("collection"))


@pytest.fixture
def repository(archive: Path, tmp_path: Path, sandbox: SandboxProcess) -> t.Iterator[Repository]:
    """Return a repository; the sandbox is at its seed, and no message may break a description."""
    sandbox.reset()
    yield Repository(tmp_path, archive)
    assert sandbox.violations() == []
    assert sandbox.errors() == ""


def kept_plan(forge: Forge, name: str, file: str) -> t.Any:
    return json.loads((forge.kept / name / file).read_text(encoding="utf-8"))


def networks(sandbox: SandboxProcess) -> list[str]:
    """Return the names of the networks that the site has made, in the order of the alphabet."""
    names = [str(one["Name"]) for one in sandbox.state()["rest"]["networks"]]
    return sorted(name for name in names if name.startswith("shop-"))


def only_network(sandbox: SandboxProcess) -> dict[str, t.Any]:
    """Return the network that the site has made."""
    (found,) = (one for one in sandbox.state()["rest"]["networks"] if one["Name"] == "shop-inside")
    return dict(found)


def by_hand(sandbox: SandboxProcess, forge: Forge, module: str, options: str) -> None:
    """Somebody changes something with a single task."""
    more = {"HOME": str(forge.place / "home"), "ANSIBLE_COLLECTIONS_PATH": str(forge.place / "collections")}
    environment = {**os.environ, **sandbox.environment, **more}
    command = [str(PROGRAMS / "ansible"), "localhost", "-m", f"fcd.cloud.{module}", "-a", options]
    subprocess.run(command, env=environment, check=True, capture_output=True)


def take_away_the_page(sandbox: SandboxProcess, forge: Forge) -> None:
    by_hand(sandbox, forge, "storage_object", "container=site-assets name=index.html state=absent")


def no_secret_is_kept(forge: Forge) -> None:
    texts = [file.read_text(encoding="utf-8") for file in forge.kept.rglob("*") if file.is_file()]
    everything = "".join([*texts, *forge.said])
    assert len(everything) > 10_000
    assert {name for name in SECRETS if forge.service[name] in everything} == set()


def test_the_workflow_from_a_request_to_drift(
    repository: Repository, sandbox: SandboxProcess, forge: Comments, tmp_path: Path
) -> None:
    runner = GitHub(repository, sandbox, tmp_path / "github")
    first = repository.push("A shop", "shop")
    assert runner.run("push", first, "refs/heads/shop") == ["validate"]
    request = {"forge": forge.address}
    assert runner.run("pull_request", first, "refs/pull/7/merge", VALIDATED, **request) == ["validate", "plan"]
    (comment,) = forge.mine()
    assert "index.html" in comment["body"]
    assert "index.html" in runner.summary
    assert kept_plan(runner, "plan", "site.plan.json")["counts"]["create"] == 4
    assert {"plan.html", "plan.junit.xml"} <= set(os.listdir(runner.kept / "plan" / "reports"))
    strangers = {"github.event.pull_request.head.repo.full_name": "somebody/site", **request}
    assert runner.run("pull_request", first, "refs/pull/8/merge", VALIDATED, **strangers) == ["validate"]
    assert networks(sandbox) == []

    assert runner.run("push", first, MAIN, VALIDATED) == ["validate", "plan", "apply"]
    assert networks(sandbox) == ["shop-inside"]
    repository.write("site.yml", {**SITE, "outputs": {"inside": "private_networks.shop-inside.id"}})
    second = repository.push("An output")
    assert runner.run("push", second, MAIN, VALIDATED) == ["validate", "plan", "apply"]
    assert kept_plan(runner, "plan", "site.plan.json")["counts"]["unchanged"] == 4
    assert kept_plan(runner, "apply", "reports/outputs.json") == {"inside": only_network(sandbox)["Id"]}

    assert runner.run("schedule", first, MAIN) == ["drift"]
    take_away_the_page(sandbox, runner)
    with pytest.raises(JobFailed) as drift:
        runner.run("schedule", first, MAIN)
    assert (drift.value.step, drift.value.code) == ("Check for drift", 2)
    assert "index.html" in runner.summary
    assert len(list((runner.kept / "cache" / "reports" / "history").glob("*.json"))) == 2
    assert {"drift.html", "drift.json"} <= set(os.listdir(runner.kept / "drift" / "reports"))
    assert runner.skipped == {"Install Ansible"}
    no_secret_is_kept(runner)


def test_the_workflow_tells_mistakes_and_errors(
    repository: Repository, sandbox: SandboxProcess, tmp_path: Path
) -> None:
    runner = GitHub(repository, sandbox, tmp_path / "github")
    runner.lend(collection_tree.linked())
    repository.write("site.yml", {**SITE, "private_networks": [{"nam": "shop-inside"}]})
    with pytest.raises(JobFailed, match=r"site.yml:\d+: .*nam") as mistake:
        runner.run("push", repository.push("A mistake"), MAIN)
    assert (mistake.value.step, mistake.value.code) == ("Validate the site file", 2)
    repository.write("site.yml", SITE)
    commit = repository.push("Right")
    runner.service["FCD_STORAGE_KEY"] = "a-wrong-key"
    with pytest.raises(JobFailed, match="refused the login") as refused:
        runner.run("workflow_dispatch", commit, MAIN)
    assert (refused.value.step, refused.value.code) == ("Check for drift", 1)


def test_the_other_pipeline_from_a_request_to_drift(
    repository: Repository, sandbox: SandboxProcess, forge: Comments, tmp_path: Path
) -> None:
    runner = GitLab(repository, sandbox, tmp_path / "gitlab")
    runner.lend(collection_tree.linked())
    first = repository.push("A shop", "shop")
    request = {
        "CI_PIPELINE_SOURCE": "merge_request_event",
        "CI_MERGE_REQUEST_SOURCE_PROJECT_ID": "12",
        "CI_MERGE_REQUEST_IID": "7",
        "CI_API_V4_URL": f"{forge.address}/api/v4",
        "SITE_NOTE_TOKEN": TOKEN,
        "SITE_ENVIRONMENT": "production",
    }
    assert runner.run(first, VALIDATED, **{**request, "CI_MERGE_REQUEST_SOURCE_PROJECT_ID": "13"}) == ["validate"]
    assert runner.run(first, **request) == ["validate", "plan"]
    (comment,) = forge.mine()
    assert "shop-production" in comment["body"]
    branch = {"CI_PIPELINE_SOURCE": "push", "CI_COMMIT_BRANCH": "shop"}
    assert runner.run(first, **branch, CI_OPEN_MERGE_REQUESTS="web-shop/site!7") == []

    push = {"CI_PIPELINE_SOURCE": "push", "CI_COMMIT_BRANCH": "main", "SITE_ENVIRONMENT": "production"}
    assert runner.run(first, VALIDATED, **push) == ["validate", "plan main", "apply"]
    assert networks(sandbox) == ["shop-inside", "shop-production"]
    repository.write("site.yml", {**SITE, "outputs": {"inside": "private_networks.shop-inside.id"}})
    second = repository.push("An output")
    assert runner.run(second, VALIDATED, **push) == ["validate", "plan main", "apply"]
    assert kept_plan(runner, "apply", "reports/outputs.json") == {"inside": only_network(sandbox)["Id"]}
    take_away_the_page(sandbox, runner)
    schedule = {"CI_PIPELINE_SOURCE": "schedule", "CI_COMMIT_BRANCH": "main", "SITE_ENVIRONMENT": "production"}
    with pytest.raises(JobFailed) as drift:
        runner.run(first, **schedule)
    assert (drift.value.step, drift.value.code) == ("drift", 2)
    assert (runner.kept / "drift" / "reports" / "drift.junit.xml").exists()
    assert len(list((runner.kept / "cache" / "reports" / "history").glob("*.json"))) == 1
    assert len(runner.skipped) == 3  # those that install Ansible
    no_secret_is_kept(runner)


def test_an_apply_is_bound_to_its_plan(repository: Repository, sandbox: SandboxProcess, tmp_path: Path) -> None:
    """The world changes between the plan and the apply of one pipeline."""

    class Meanwhile(GitLab):
        def _run_job(self, name: str, job: t.Any, commit: str, given: t.Any) -> None:
            if name == "apply":
                by_hand(sandbox, self, "private_network", "name=shop-inside")
            super()._run_job(name, job, commit, given)

    runner = Meanwhile(repository, sandbox, tmp_path / "gitlab")
    runner.lend(collection_tree.linked())
    commit = repository.push("A shop")
    with pytest.raises(JobFailed, match="the required changes: private_networks shop-inside") as refused:
        runner.run(commit, VALIDATED, CI_PIPELINE_SOURCE="push", CI_COMMIT_BRANCH="main")
    assert refused.value.step == "apply"
    assert networks(sandbox) == ["shop-inside"]
    assert "index.html" not in json.dumps(sandbox.state()["storage"])


class Host:
    """A host with the recipe for ansible-pull."""

    def __init__(self, repository: Repository, sandbox: SandboxProcess, place: Path, collections: Path) -> None:
        place.mkdir()
        self.place = place
        self._environment = {
            **sandbox.environment,
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": str(place),
            "LC_ALL": "C.UTF-8",
            "SITE_REPOSITORY": str(repository.bare),
            "SITE_HOME": str(place),
            "SITE_TOOLS": str(PROGRAMS),
            "SITE_WAIT": "0",
            "FCD_STATE_DIR": str(place / "state"),
            "ANSIBLE_COLLECTIONS_PATH": str(collections),
            "ANSIBLE_LOCALHOST_WARNING": "0",
        }

    def pull(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = ["sh", str(PIPELINES / "ansible_pull" / "site-pull.sh"), *arguments]
        return subprocess.run(command, env=self._environment, capture_output=True, text=True, check=False)


def test_a_host_pulls_and_applies(repository: Repository, sandbox: SandboxProcess, tmp_path: Path) -> None:
    host = Host(repository, sandbox, tmp_path / "host", collection_tree.linked())
    looked = host.pull("--check", "--diff")
    assert looked.returncode == 0, looked.stdout + looked.stderr
    assert "shop-inside" in looked.stdout
    assert networks(sandbox) == []
    done = host.pull()
    assert done.returncode == 0, done.stdout + done.stderr
    assert networks(sandbox) == ["shop-inside"]
    assert (host.place / "reports" / "apply.html").exists()

    with open(host.place / "pull.lock", "w", encoding="ascii") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        assert host.pull().returncode == 75
