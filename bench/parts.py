# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
r"""What a large site costs that several workers plan and apply in parts, as the jobs of a sliced job template do.

    python bench/parts.py [--instances N] [--objects N] [--sizes 1] [--workers 1 2 4] [--latency SECONDS] \
        [--plan-only | --no-loss]

A worker is ``ansible-runner transmit | ansible-runner worker | ansible-runner process``: it gets a folder through a
pipe and shares nothing with the others but the service. Each has one part of the site. With ``--sizes 3``, sites of a
quarter and half of the size come first. At the end, unless with ``--no-loss``, one of two workers is killed when a
third of the instances is there, and another worker does its part again.

After each apply the whole site is compared once more in one run. Exits with 1 when anything is there twice, or is
missing; nothing fails on a clock. The simulated service runs on the same processors: its own time is told too.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import typing as t
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "tools")]

import collection_tree
import figures
from sandbox.process import SandboxProcess
from site_keys import private_key

FOLDERS = 16
IN_A_NETWORK = 200  # instances; a private network has no room for more than 253
PROGRAMS = Path(sys.executable).parent
REPORTS = "{{ lookup('ansible.builtin.env', 'AWX_ISOLATED_DATA_DIR') }}/reports"  # what a worker sends back
PLAYBOOKS = {"plan": "fcd.cloud.plan", "apply": "fcd.cloud.apply"}
DEFAULTS = {
    "template": "Debian 9",
    "subregion": "EU-001",
    "type": "v1.standard-1.09",
    "disk_class": "Tier 1",
    "init_disk_size": 10,
    "authorization_method": "user and password",
}


class Size(t.NamedTuple):
    """How many instances a site has, and how many objects in its folders."""

    instances: int
    objects: int

    @property
    def things(self) -> int:
        """Instances and objects."""
        return self.instances + self.objects


class Took(t.NamedTuple):
    """Wall and processor seconds of all workers, the most MiB of one, requests, processor seconds of the service."""

    seconds: float
    busy: float
    memory: float
    requests: int
    service: float


class Worker:
    """A worker with one part of the site."""

    def __init__(self, folder: Path) -> None:
        """Send the folder to it."""
        self.folder = folder
        runner = str(PROGRAMS / "ansible-runner")
        sent = _piped([runner, "transmit", str(folder), "-p", "play.yml", "-i", "job"], subprocess.DEVNULL)
        self.process = _piped([runner, "worker", "--private-data-dir", f"{folder}-worker"], sent.stdout)
        with Path(f"{folder}-process.log").open("wb") as log:
            self._back = _piped([runner, "process", str(folder), "-i", "job"], self.process.stdout, log)
        self._sent = sent

    def wait(self) -> tuple[float, float]:
        """Wait for its end; returns its processor seconds and MiB, with the processes that it started."""
        _pid, status, usage = os.wait4(self.process.pid, 0)
        self.process.returncode = os.waitstatus_to_exitcode(status)
        self._back.wait()
        self._sent.wait()
        return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024

    def kill(self) -> None:
        """Kill it and all that it started, as when its host is lost."""
        for pid in [self.process.pid, *descendants(self.process.pid)]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def require_success(self) -> None:
        """Exit with what the job printed unless it was successful."""
        artifacts = self.folder / "artifacts" / "job"
        status = (artifacts / "status").read_text("ascii") if (artifacts / "status").exists() else "lost"
        if status != "successful":
            said = (artifacts / "stdout").read_text("utf-8") if (artifacts / "stdout").exists() else ""
            sys.exit(f"a worker ended as {status}:\n{said[-3000:]}")


def _piped(command: list[str], source: t.Any, target: t.Any = subprocess.PIPE) -> subprocess.Popen[bytes]:
    process = subprocess.Popen(command, stdin=source, stdout=target)
    if hasattr(source, "close"):
        source.close()
    return process


def descendants(pid: int) -> list[int]:
    """Return the processes that a process has started, and those that they have."""
    parents: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = stat.read_text("utf-8", "replace").rpartition(")")[2].split()
            parents.setdefault(int(fields[1]), []).append(int(stat.parent.name))
    found = [pid]
    for one in found:
        found += parents.get(one, [])
    return found[1:]


class Bench:
    """One site at one simulated service."""

    def __init__(self, work: Path, sandbox: SandboxProcess, size: Size, latency: float) -> None:
        """Write the site, and empty the service."""
        self._sandbox = sandbox
        self._work = work
        self._size = size
        self.project = work / f"project-{size.things}"
        if not self.project.exists():
            _write_project(self.project, size)
        sandbox.reset()
        sandbox.fault("delay", seconds=latency, times=0)

    def job(self, what: str, part: str, **variables: str) -> Worker:
        """Start a worker that plans or applies a part, or with ``1/1`` the whole."""
        folder = Path(tempfile.mkdtemp(prefix="job-", dir=self._work))
        shutil.copytree(self.project, folder / "project")
        play = {"import_playbook": PLAYBOOKS[what], "name": what, "vars": {"provision_hosts": "parts"}}
        (folder / "project" / "play.yml").write_text(json.dumps([play]))
        for name in ("inventory", "env"):
            (folder / name).mkdir()
        hosts = {"parts": {"hosts": {"part": {"provision_part": "" if part == "1/1" else part}}}}
        (folder / "inventory" / "hosts.yml").write_text(json.dumps(hosts))
        (folder / "env" / "envvars").write_text(json.dumps(self._environment(folder)))
        told = {"provision_reports": REPORTS, "provision_report_formats": ["json"], **variables}
        (folder / "env" / "extravars").write_text(json.dumps(told))
        return Worker(folder)

    def _environment(self, folder: Path) -> dict[str, str]:
        home = Path(f"{folder}-home")
        home.mkdir()
        return {
            **self._sandbox.environment,
            "FCD_STATE_DIR": str(home / "state"),
            "FCD_SITE_KEY": private_key("scale"),
            "ANSIBLE_COLLECTIONS_PATH": str(collection_tree.linked()),
            "ANSIBLE_LOCALHOST_WARNING": "false",
            "PYTHONPYCACHEPREFIX": os.environ.get("PYTHONPYCACHEPREFIX", str(self._work / "byte-code")),
            "PATH": f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(home),
            "LANG": "C.UTF-8",
        }

    def side_by_side(self, what: str, workers: int, **variables: str) -> Took:
        """Have so many workers do their parts at the same time; their reports are those of the whole."""
        with self._measured() as told:
            parts = [self.job(what, f"{number}/{workers}", **variables) for number in range(1, workers + 1)]
            told["used"] = [worker.wait() for worker in parts]
        self._require_success(parts, what)
        return _took(told)

    def with_one_lost(self) -> Took:
        """Have two workers apply their parts, kill one on the way, and have another do its part again."""
        with self._measured() as told:
            parts = [self.job("apply", f"{number}/2", provision_stage="rest") for number in (1, 2)]
            while self.made() < self._size.instances // 3:
                if parts[0].process.poll() is not None:
                    parts[0].require_success()
                    sys.exit("the worker that was to be killed ended before")
                time.sleep(0.05)
            parts[0].kill()
            lost = parts[0].wait()
            made = self.made()
            again = self.job("apply", "1/2", provision_stage="rest")
            told["used"] = [lost, parts[1].wait(), again.wait()]
        self._require_success([again, parts[1]], "apply")
        print(f"  killed when {made} of {self._size.instances} instances were there")
        return _took(told)

    def _require_success(self, workers: t.Sequence[Worker], what: str) -> None:
        """Exit unless all ended well, and put their reports together in one."""
        for worker in workers:
            worker.require_success()
        files = [str(file) for worker in workers for file in worker.folder.glob("artifacts/job/reports/*.json")]
        task = {"fcd.cloud.site_report": {"parts": files, "dest": str(self._work / "reports"), "formats": ["json"]}}
        play = self._work / "report.json"
        play.write_text(json.dumps([{"hosts": "localhost", "gather_facts": False, "tasks": [{"name": what, **task}]}]))
        command = [str(PROGRAMS / "ansible-playbook"), str(play)]
        variables = {**os.environ, **self._environment(Path(tempfile.mkdtemp(dir=self._work)))}
        done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"the reports of the parts do not go together:\n{done.stdout[-3000:]}{done.stderr[-1000:]}")
        told = json.loads((self._work / "reports" / "plan.json").read_text("utf-8"))
        print(f"    one report of {len(files)}: {told['entries']} entries, {_told(told['counts'])}")

    def made(self) -> int:
        """Return how many instances were asked for."""
        return int(self._sandbox.counts()["by"].get("rest create_instance", 0))

    @contextlib.contextmanager
    def _measured(self) -> t.Iterator[dict[str, t.Any]]:
        self._sandbox.clear_requests()
        told: dict[str, t.Any] = {}
        begun, before = time.monotonic(), _busy(self._sandbox.pid)
        yield told
        told["seconds"] = time.monotonic() - begun
        told["service"] = _busy(self._sandbox.pid) - before
        told["requests"] = self._sandbox.counts()["total"]

    def require_all_once(self) -> None:
        """Exit unless each instance and each object is there once."""
        state = self._sandbox.state()
        names = sorted(one["Name"] for one in state["rest"]["instances"] if one["Name"].startswith("node-"))
        desired = sorted(f"node-{number}" for number in range(self._size.instances))
        if names != desired:
            sys.exit(f"{len(names)} instances are there, {len(set(names))} different ones, of {len(desired)}")
        if self.made() != len(desired):
            sys.exit(f"{self.made()} creates were sent for {len(desired)} instances")
        objects = state["storage"]["containers"]["many"]["objects"]
        if len(objects) != self._size.objects:
            sys.exit(f"{len(objects)} objects are there, not {self._size.objects}")


def _took(told: t.Mapping[str, t.Any]) -> Took:
    used = told["used"]
    return Took(
        told["seconds"], sum(one[0] for one in used), max(one[1] for one in used), told["requests"], told["service"]
    )


def _told(counts: t.Mapping[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.items() if count) or "nothing to do"


def _busy(pid: int | None) -> float:
    """Return the processor seconds of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _write_project(folder: Path, size: Size) -> None:
    """Write the site file and the folders that it publishes."""
    for number in range(size.objects):
        file = folder / "public" / f"{number % FOLDERS:02}" / f"page-{number}.html"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"<p>{number}</p>\n")
    site = {
        "site": "many",
        "registry": {"container": "many-state"},
        "defaults": {"instances": DEFAULTS},
        "private_networks": [{"name": f"inner-{number}"} for number in range(-(-size.instances // IN_A_NETWORK))],
        "storage_containers": [{"name": "many"}],
        "storage_folders": [
            {"container": "many", "prefix": f"{number:02}", "path": f"public/{number:02}"}
            for number in range(min(FOLDERS, size.objects))
        ],
        "instances": [
            {"instance_name": f"node-{number}", "private_networks": [f"inner-{number // IN_A_NETWORK}"]}
            for number in range(size.instances)
        ],
    }
    (folder / "site.yml").write_text(yaml.safe_dump(site, sort_keys=False))


def tell(what: str, workers: int, size: Size, took: Took) -> None:
    """Print the figures of one run, and report them."""
    who = f"ours, {workers} worker{'s' if workers > 1 else ''}"
    print(
        f"  {what + ', ' + who:<44}{took.seconds:8.1f} s{took.busy:8.1f} s busy{took.memory:6.0f} MiB{took.requests:7}"
        f" requests; the service {took.service:.1f} s busy",
        flush=True,
    )
    figures.note(
        what,
        who,
        entries=size.things,
        seconds=took.seconds,
        busy=took.busy,
        memory=took.memory,
        requests=took.requests,
    )


def measure(work: Path, sandbox: SandboxProcess, size: Size, given: argparse.Namespace) -> None:
    """Plan and apply a site with each number of workers."""
    print(f"{size.instances} instances and {size.objects} objects; {_load()}", flush=True)
    for workers in given.workers:
        bench = Bench(work, sandbox, size, given.latency)
        if workers == given.workers[0] or given.plan_only:
            planned = bench.side_by_side("plan", workers, provision_stage="rest")
            tell("a site planned in parts", workers, size, planned)
        if not given.plan_only:
            bench.side_by_side("apply", 1, provision_stage="foundations")
            tell("a site applied in parts", workers, size, bench.side_by_side("apply", workers, provision_stage="rest"))
            bench.require_all_once()
    if not given.plan_only:
        tell("the whole site compared", 1, size, bench.side_by_side("plan", 1))


def measure_loss(work: Path, sandbox: SandboxProcess, size: Size, given: argparse.Namespace) -> None:
    """Kill a worker on the way."""
    bench = Bench(work, sandbox, size, given.latency)
    bench.side_by_side("apply", 1, provision_stage="foundations")
    tell("a site applied in parts with a worker killed", 2, size, bench.with_one_lost())
    bench.require_all_once()


def _load() -> str:
    return f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors"


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description="What a large site costs that several workers apply in parts.")
    parser.add_argument("--instances", type=int, default=200)
    parser.add_argument("--objects", type=int, default=1000)
    parser.add_argument("--sizes", type=int, default=1, help="how many sizes are measured, each half of the next")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--latency", type=float, default=0.02, help="seconds by which each answer comes later")
    parser.add_argument("--plan-only", action="store_true", help="apply nothing")
    parser.add_argument("--no-loss", action="store_true", help="kill no worker at the end")
    given = parser.parse_args()
    with (
        SandboxProcess("--ticket-seconds", "0.2", timeout=600) as sandbox,
        tempfile.TemporaryDirectory(prefix="fcd-bench-") as folder,
    ):
        for half in reversed(range(given.sizes)):
            size = Size(max(3, given.instances >> half), max(1, given.objects >> half))
            measure(Path(folder), sandbox, size, given)
        if not given.plan_only and not given.no_loss:
            measure_loss(Path(folder), sandbox, size, given)
        if sandbox.violations() or sandbox.errors():
            sys.exit(f"the sandbox complains: {sandbox.violations()[:3]} {sandbox.errors()}")


if __name__ == "__main__":
    main()
