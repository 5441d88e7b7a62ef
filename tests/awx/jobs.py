# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Jobs as AWX runs them, from what a controller was told: a private data directory for each, run by ansible-runner.

In it are a copy of the project, the inventory as a script, the credential's files and variables, and the answers to the
survey. Nothing outlives a job but what the service has and what set_stats hands on.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import typing as t
from pathlib import Path

import ansible_runner
import yaml

from awx.awx_rules import inject, refused_answers
from awx.fake_controller import FakeController, Item

SCRIPT = "#!{python}\nimport json\nprint(json.dumps(json.loads({data!r})))\n"
IDENT = "job"


class Ended(t.NamedTuple):
    """A job that ended: its status, the totals by host, the results of the modules, and what it hands on."""

    status: str
    totals: dict[str, dict[str, int]]
    results: list[dict[str, t.Any]]
    handed_on: dict[str, t.Any]
    folder: Path

    @property
    def said(self) -> str:
        """All that it printed."""
        return (self.folder / "artifacts" / IDENT / "stdout").read_text("utf-8")

    def total(self, name: str) -> int:
        """Return a total of all hosts, such as changed."""
        return sum(host.get(name, 0) for host in self.totals.values())


class Jobs:
    """Runs what the controller has, one job after the other, below a folder."""

    def __init__(self, controller: FakeController, folder: Path, collections: Path) -> None:
        """Have run none. Jobs find the collection below ``collections``."""
        self.objects = controller.objects
        self._folder = folder
        self._collections = collections
        self._count = 0
        self._hosts: dict[int, Item] = {}

    def folder(self) -> Path:
        """Make a private data directory."""
        self._count += 1
        place = self._folder / f"{self._count}"
        for name in ("", "env", "inventory", "home"):
            (place / name).mkdir(mode=0o700, parents=True)
        return place

    def environment(self, folder: Path, credentials: t.Iterable[int], seen_as: Path) -> dict[str, str]:
        """Return the variables of a job that sees its folder under that name: its credentials, and this machine's."""
        variables = {
            "ANSIBLE_COLLECTIONS_PATH": str(self._collections),
            "ANSIBLE_INVENTORY_UNPARSED_FAILED": "True",
            "ANSIBLE_LOCALHOST_WARNING": "False",
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "HOME": str(seen_as / "home"),
            "LANG": "C.UTF-8",
        }
        for number in credentials:
            credential = self.objects.one("credentials", number)
            kind = self.objects.one("credential_types", credential["credential_type"])
            variables.update(inject(kind, credential["inputs"], folder, str(seen_as)))
        return variables

    def hosts(self, inventory: int) -> Item:
        """Return the hosts of an inventory, which is updated once: AWX may keep it for a while."""
        if inventory not in self._hosts:
            self._hosts[inventory] = self.update(inventory)
        return self._hosts[inventory]

    def update(self, inventory: int) -> Item:
        """Return the hosts that the source of an inventory has, as ansible-inventory tells them."""
        [source] = [item for item in self.objects.kinds["inventory_sources"].values() if item["inventory"] == inventory]
        folder = self.folder()
        self._project(source["source_project"], folder)
        credentials = [source["credential"]] if "credential" in source else []
        environment = self.environment(folder, credentials, folder)
        said, wrong, status = ansible_runner.run_command(
            "ansible-inventory",
            ["--list", "--export", "-i", source["source_path"]],
            private_data_dir=str(folder),
            host_cwd=str(folder / "project"),
            envvars=environment,
            runner_mode="subprocess",
            ident=IDENT,
            quiet=True,
        )
        assert status == 0, wrong
        return t.cast("Item", json.loads(said))

    def launch(self, name: str, answers: Item | None = None, slice_number: int = 1, slice_count: int = 1) -> Ended:
        """Run a job template, or one slice of it, with the defaults of its survey where there are no answers."""
        folder, playbook = self.prepared(name, answers, slice_number, slice_count)
        ansible_runner.run(private_data_dir=str(folder), playbook=playbook, ident=IDENT, quiet=True)
        return ended(folder)

    def launch_slices(self, name: str, answers: Item, count: int) -> list[Ended]:
        """Run all slices of a job template side by side, each by a worker with a folder of its own.

        The folder goes to the worker through a pipe, and what came of the job comes back, as between the nodes of AWX.
        """
        return run_by_workers([self.prepared(name, answers, at + 1, count, by_worker=True) for at in range(count)])

    def prepared(
        self,
        name: str,
        answers: Item | None = None,
        slice_number: int = 1,
        slice_count: int = 1,
        *,
        by_worker: bool = False,
    ) -> tuple[Path, str]:
        """Return the private data directory of a job that is ready to run, and its playbook."""
        template = self.objects.named("job_templates", name)
        survey = self.objects.survey_of(template["id"])
        assert refused_answers(survey, answers or {}) == []
        folder = self.folder()
        self._project(template["project"], folder)
        hosts = sliced(self.hosts(template["inventory"]), slice_number, slice_count)
        script = folder / "inventory" / "hosts"
        script.write_text(SCRIPT.format(python=sys.executable, data=json.dumps(hosts)), encoding="utf-8")
        script.chmod(0o700)
        credentials = self.objects.associated.get(f"{template['url']}credentials", ())
        environment = self.environment(folder, credentials, of_worker(folder) if by_worker else folder)
        variables = {
            **json.loads(template.get("extra_vars") or "{}"),
            **_defaults(survey),
            **(answers or {}),
        }
        (folder / "env" / "envvars").write_text(yaml.safe_dump(environment), encoding="utf-8")
        (folder / "env" / "extravars").write_text(json.dumps(variables), encoding="utf-8")
        (folder / "env" / "cmdline").write_text("--diff" if template.get("diff_mode") else "", encoding="utf-8")
        return folder, template["playbook"]

    def run_workflow(self, name: str, answers: Item | None = None) -> dict[str, Ended]:
        """Run the jobs of a workflow while they succeed, with these answers to its survey and all approvals given."""
        workflow = self.objects.named("workflow_job_templates", name)
        assert refused_answers(self.objects.survey_of(workflow["id"]), answers or {}) == []
        handed_on: Item = {**(answers or {})}
        jobs: dict[str, Ended] = {}
        for node in chain(self.objects, workflow["id"]):
            kind = next(k for k in ("job_templates", "workflow_approval_templates") if self._is(k, node))
            if kind == "job_templates":
                template = self.objects.one(kind, node["unified_job_template"])
                jobs[node["identifier"]] = self.launch(template["name"], handed_on)
                handed_on |= jobs[node["identifier"]].handed_on
                if jobs[node["identifier"]].status != "successful":
                    break
        return jobs

    def _is(self, kind: str, node: Item) -> bool:
        return node["unified_job_template"] in self.objects.kinds[kind]

    def _project(self, number: int, folder: Path) -> None:
        """Bring the branch of the project's repository into the folder, as the update of a project does."""
        project = self.objects.one("projects", number)
        command = ["git", "clone", "--quiet", "--depth", "1", "--branch", project["scm_branch"], project["scm_url"]]
        subprocess.run([*command, str(folder / "project")], check=True, capture_output=True, stdin=subprocess.DEVNULL)
        shutil.rmtree(folder / "project" / ".git")


def run_by_workers(jobs: t.Sequence[tuple[Path, str]]) -> list[Ended]:
    """Run prepared jobs, each in a folder of a worker beside its own."""
    runner = str(Path(sys.executable).with_name("ansible-runner"))
    coming_back = []
    for folder, playbook in jobs:
        sent = _runs([runner, "transmit", str(folder), "-p", playbook, "-i", IDENT], subprocess.DEVNULL)
        worker = _runs([runner, "worker", "--private-data-dir", str(of_worker(folder))], sent.stdout)
        coming_back.append(_runs([runner, "process", str(folder), "-i", IDENT], worker.stdout))
    for process in coming_back:
        said = process.communicate()[0].decode()
        assert process.returncode == 0, said
    return [ended(folder) for folder, _playbook in jobs]


def of_worker(folder: Path) -> Path:
    """Return the folder in which a worker does the job of this one; in a container both are /runner."""
    return folder.with_name(f"{folder.name}-worker")


def _runs(command: list[str], source: t.Any) -> subprocess.Popen[bytes]:
    """Start a command of ansible-runner that reads from there; its end of the pipe is then its own."""
    process = subprocess.Popen(command, stdin=source, stdout=subprocess.PIPE)
    if hasattr(source, "close"):
        source.close()
    return process


def chain(objects: t.Any, workflow: int) -> list[Item]:
    """Return the nodes of a workflow in the order in which success leads through them."""
    nodes = {item["id"]: item for item in objects.kinds["workflow_job_template_nodes"].values()}
    nodes = {number: item for number, item in nodes.items() if item["workflow_job_template"] == workflow}
    after = {number: objects.associated.get(f"{item['url']}success_nodes", []) for number, item in nodes.items()}
    at = list(set(nodes) - {number for numbers in after.values() for number in numbers})
    found: list[Item] = []
    while at:
        assert len(at) == 1
        found.append(nodes[at[0]])
        at = after[at[0]]
    return found


def sliced(inventory: Item, number: int, count: int) -> Item:
    """Return the inventory with every ``count``-th host in the order of their names, from the ``number``-th on."""
    hosts = sorted(inventory.get("_meta", {}).get("hostvars", {}))
    kept = set(hosts[number - 1 :: count])
    variables = {host: inventory["_meta"]["hostvars"][host] for host in kept}
    groups = {
        name: {**group, "hosts": [host for host in group["hosts"] if host in kept]} if "hosts" in group else group
        for name, group in inventory.items()
        if name != "_meta"
    }
    return {**groups, "_meta": {"hostvars": variables}}


def ended(folder: Path) -> Ended:
    """Return what came of a job, from what ansible-runner wrote into its folder."""
    artifacts = folder / "artifacts" / IDENT
    events = [json.loads(file.read_bytes()) for file in (artifacts / "job_events").glob("*.json")]
    results = [event["event_data"]["res"] for event in events if event["event"] in ("runner_on_ok", "runner_on_failed")]
    [stats] = [event["event_data"] for event in events if event["event"] == "playbook_on_stats"]
    names = ("ok", "changed", "failures")
    hosts = {host for name in names for host in stats[name]}
    totals = {host: {name: stats[name].get(host, 0) for name in names} for host in hosts}
    status = (artifacts / "status").read_text("ascii")
    return Ended(status, totals, results, stats.get("artifact_data", {}), folder)


def _defaults(survey: t.Mapping[str, t.Any]) -> Item:
    return {question["variable"]: question["default"] for question in survey.get("spec", ()) if "default" in question}
