# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The demo: one site on a simulated service: planned, applied, applied again, changed by hand, compared."""

from __future__ import annotations

import contextlib
import json
import os
import re
import select
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import FrameType

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

import collection_tree
from sandbox.process import SandboxProcess

SITE = ROOT / "playbooks" / "site.example.yml"
REPORTS = ROOT / ".work" / "demo"
"""Kept after the demo: a folder for each step, with its page."""

BY_HAND = (
    ("the metadata of the container", "storage_container", "name=site-assets metadata={'tier':'gold'}"),
    ("the content of an object", "storage_object", "container=site-assets name=robots.txt content='Disallow: /'"),
    ("the queue of the warehouse", "warehouse", "partner_id=12 template_id=304 data_store_number=DS-01 queue_length=9"),
    ("the first name of the user", "client_user", "user_name=billing.reader first_name=Wrong"),
)
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
PATIENCE = 5.0
"""Seconds for Ansible, and then for its workers, to go when they are told to."""

RECAP = re.compile(r"changed=(\d+).*failed=(\d+)")
DRIFT = 2  # exit code


class DemoError(Exception):
    """The demo did not show what it has to show."""


def main() -> int:
    """Run the demo and clean up after it, whatever ends it."""
    for number in SIGNALS:
        signal.signal(number, _interrupted)
    started = time.monotonic()
    try:
        with (
            tempfile.TemporaryDirectory(prefix="fcd-demo-") as work,
            SandboxProcess("--ticket-seconds", "1") as sandbox,
        ):
            heading("A simulated service listens on 127.0.0.1, with dummy credentials")
            counted = show(Ansible(environment(work, sandbox), repository(work)), sandbox)
    except DemoError as problem:
        sys.stdout.write(f"\nThe demo failed: {problem}\n")
        return 1
    except KeyboardInterrupt:
        sys.stdout.write("\nInterrupted: the service is stopped and its files are removed.\n")
        return 130
    summary(counted, time.monotonic() - started)
    return 0


class Ansible:
    """Runs Ansible's commands against the sandbox."""

    def __init__(self, variables: dict[str, str], folder: Path) -> None:
        """Remember the environment and the folder to run in."""
        self._variables = variables
        self._folder = folder

    def play(self, name: str, *options: str, code: int = 0) -> int:
        """Run a playbook of the collection, which is to end with a code; returns how many tasks changed something."""
        output = self._run("ansible-playbook", f"fcd.cloud.{name}", *options, code=code)
        found = RECAP.search(output)
        if found is None:
            raise DemoError("the playbook did not end well")
        return int(found.group(1))

    def by_hand(self, module: str, arguments: str) -> None:
        """Change something the way a colleague at a shell would."""
        self._run("ansible", "localhost", "-m", f"fcd.cloud.{module}", "-a", arguments, show=False)

    def _run(self, program: str, *arguments: str, show: bool = True, code: int = 0) -> str:
        if show:
            sys.stdout.write(f"$ {shlex.join([program, *arguments])}\n")
            sys.stdout.flush()
        command = [str(Path(sys.executable).parent / program), *arguments]
        lines = []
        family, held = os.pipe()  # workers inherit one end; when the last of them is gone, the other end tells
        with subprocess.Popen(
            command,
            env=self._variables,
            cwd=self._folder,
            text=True,
            stdout=subprocess.PIPE,
            start_new_session=True,
            pass_fds=[held],
        ) as process:
            os.close(held)
            try:
                for line in process.stdout or ():
                    lines.append(line)
                    if show:
                        sys.stdout.write(line)
                        sys.stdout.flush()
            except BaseException:
                end(process, family)
                raise
            finally:
                os.close(family)
        if process.returncode != code:
            raise DemoError(f"{program} ended with {process.returncode}" + ("" if show else ":\n" + "".join(lines)))
        return "".join(lines)


def end(process: subprocess.Popen[str], family: int) -> None:
    """End Ansible, which ends its workers, so that nobody writes any more when the folders are removed."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError, subprocess.TimeoutExpired):
            os.killpg(process.pid, number)
            process.wait(PATIENCE)
    select.select([family], [], [], PATIENCE)  # workers have sessions of their own


def repository(work: str) -> Path:
    """Return a folder with the example site and what it publishes, as a repository would have it."""
    folder = Path(work) / "web-shop"
    (folder / "public").mkdir(parents=True)
    (folder / "public" / "news.txt").write_text("Open on Sunday.\n", encoding="utf-8")
    shutil.copy(SITE, folder / "site.yml")
    shutil.rmtree(REPORTS, ignore_errors=True)
    return folder


def environment(work: str, sandbox: SandboxProcess) -> dict[str, str]:
    """Return the variables of a shell that points at the sandbox and leaves nothing in the user's home."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("FCD_", "ANSIBLE_"))}
    return {
        **kept,
        **sandbox.environment,
        "PYTHONUNBUFFERED": "1",
        "TMPDIR": work,  # ansible-core 2.21 leaves a folder of multiprocessing there when it is killed
        "FCD_STATE_DIR": str(Path(work) / "state"),
        "ANSIBLE_HOME": str(Path(work) / "ansible"),
        "ANSIBLE_REMOTE_TEMP": str(Path(work) / "ansible" / "tmp"),
        "ANSIBLE_LOCALHOST_WARNING": "false",
        "ANSIBLE_INVENTORY_UNPARSED_WARNING": "false",
        "ANSIBLE_DISPLAY_SKIPPED_HOSTS": "false",
        "ANSIBLE_CALLBACK_RESULT_FORMAT": "yaml",
        "ANSIBLE_COLLECTIONS_PATH": str(collection_tree.linked()),
        "ANSIBLE_FORCE_COLOR": "true" if sys.stdout.isatty() else "false",
        "SITE_BILLING_READER_PASSWORD": "An-Odd-Demo-Word-1",
    }


def show(ansible: Ansible, sandbox: SandboxProcess) -> dict[str, int]:
    """Run the playbooks; returns what was counted. Raises DemoError."""
    heading("Plan the site of playbooks/site.example.yml: only read requests are sent")
    ansible.play("plan", *reports("plan"))
    counted = {"planning": int(sandbox.counts()["writes"])}
    heading("Apply exactly this plan: if the file or the service had changed since, apply would refuse")
    ansible.play("apply", *reports("apply"), "-e", "provision_plan_file=site.plan.json")
    counted["made"] = changes("apply")
    heading("Apply again: nothing is left to do")
    counted["again"] = ansible.play("apply", *reports("again"))
    heading("Now a colleague changes things by hand: " + ", ".join(what for what, _module, _arguments in BY_HAND))
    for _what, module, arguments in BY_HAND:
        ansible.by_hand(module, arguments)
    sandbox.clear_requests()
    heading(f"Report the drift: exactly these changes; nothing is touched, and the exit code is {DRIFT}")
    ansible.play("drift", *reports("drift"), "--diff", code=DRIFT)
    counted.update(drift=changes("drift"), writes=int(sandbox.counts()["writes"]))
    expected = {"planning": 0, "again": 0, "drift": len(BY_HAND), "writes": 0}
    wrong = {name: counted[name] for name, value in expected.items() if counted[name] != value}
    if wrong or not counted["made"]:
        raise DemoError(f"counted {counted}, expected {expected}")
    return counted


def reports(step: str) -> tuple[str, str]:
    """Return the options with which a playbook keeps the reports of a step; the path may have spaces."""
    return "-e", json.dumps({"provision_reports": str(REPORTS / step)})


def changes(step: str) -> int:
    """Return how many changes the report of a step lists."""
    return len(json.loads((REPORTS / step / f"{step}.json").read_text(encoding="utf-8"))["changes"])


def heading(text: str) -> None:
    """Print what comes next."""
    sys.stdout.write(f"\n=== {text}\n\n")
    sys.stdout.flush()


def summary(counted: dict[str, int], seconds: float) -> None:
    """Print what was shown and what to try next."""
    sys.stdout.write(f"""
=== What you saw, in {seconds:.0f} s

  plan    shows what would change; saves a plan that apply must match
          {REPORTS / "plan" / "plan.html"}
  apply   {counted["made"]} objects created or changed: instances, a disk, containers, a warehouse, a user and more
          {REPORTS / "apply" / "apply.html"}
  again   {counted["again"]} changes
          {REPORTS / "again" / "apply.html"}
  drift   {counted["drift"]} changes made by hand reported; {counted["writes"] or "no"} write requests sent
          {REPORTS / "drift" / "drift.html"}

Open the pages in a browser. Beside them are the same reports for pipelines: .md, .json and .junit.xml.

The simulated service is stopped and its data deleted. What to try next:

  make sandbox   keeps the service running, and prints how to use it from another shell
  README.md      "Installation" takes you to a first run with your own account; docs/modules.md lists all modules

In a shell with the lines of make sandbox, "ansible-doc fcd.cloud.instance" shows what a module can do, with examples.
""")


def _interrupted(number: int, frame: FrameType | None) -> None:
    del number, frame
    for other in SIGNALS:  # a second one would interrupt the cleaning up
        signal.signal(other, signal.SIG_IGN)
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main())
