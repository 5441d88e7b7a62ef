# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What tasks open, import and execute, as counts, which the load of the machine does not change.

``bench/task_cost.py`` prints them beside its times, and ``files_on_the_way.py`` the files whose functions are called. A
task is counted from the call of its action plugin to its end, in Ansible's task worker: what the worker itself does is
Ansible's.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import typing as t
from pathlib import Path

import collection_tree
from sandbox.process import SandboxProcess

Task = t.Mapping[str, t.Any]
PING: Task = {"ansible.builtin.ping": {}}
RECORDER = """
import atexit, json, os, sys, threading
log = os.open(os.environ["TASK_COUNTS"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
first, before, counted = os.getpid(), [], None
def write(record):
    os.write(log, (json.dumps(record) + "\\n").encode())
def note(event, arguments):
    if counted is None:
        return
    if event == "open" and isinstance(arguments[0], (str, bytes)):
        if arguments[1] is not None or os.fsdecode(arguments[0]) not in counted["files"][-1:]:
            counted["files"].append(os.fsdecode(arguments[0]))  # once, where open() has an opener that calls os.open()
    elif event == "import":
        counted["modules"].append(arguments[0])
def called(frame, event, argument):
    global counted
    code = frame.f_code
    if counted is None and code.co_name == "run" and code.co_filename.endswith("/plugin_utils/_action.py"):
        counted = {"files": [], "modules": [], "lines": 0, "passed": []}
        passes(code)
        return ends
    return within if passes(code) else None
def passes(code):
    _above, plugins, path = code.co_filename.partition("/fcd/cloud/plugins/")
    if counted is None or not plugins:
        return False
    if code.co_flags & 2 and path not in counted["passed"]:  # not the body of a module or a class
        counted["passed"].append(path)
    return True
def called_in_thread(frame, event, argument):
    passes(frame.f_code)
def within(frame, event, argument):
    if event == "line":
        counted["lines"] += 1
    return within
def ends(frame, event, argument):
    global counted
    within(frame, event, argument)
    if event == "return":
        record, counted = counted, None
        write(record)
    return ends
def packages():
    files = [(name.partition(".")[0], getattr(module, "__file__", None)) for name, module in list(sys.modules.items())]
    return {name for name, file in files if file and "site-packages" in file}
def forks():
    before[:] = before or [packages()]
@atexit.register
def ends_process():
    if os.getpid() == first:
        write({"packages": sorted(packages() - (before[0] if before else set())), "program": bool(before)})
sys.addaudithook(note)
def in_worker():
    sys.settrace(called)
    threading.settrace(called_in_thread)
os.register_at_fork(before=forks, after_in_child=in_worker)
"""


class TaskCounts(t.NamedTuple):
    """One run of an action plugin: each file that was opened, each module that was imported, lines of the collection.

    Paths and names are in their order; what was opened twice is there twice. ``passed`` are the files below
    ``plugins`` that have the functions which were called, in threads too.
    """

    files: list[str]
    modules: list[str]
    lines: int
    passed: list[str]


class Counted(t.NamedTuple):
    """A play: what each task did in the worker, and each item of a loop; the packages of others that it imported.

    ``in_modules`` are those that the process of each ordinary module imported. Neither has those that a task of Ansible
    itself needs.
    """

    tasks: list[TaskCounts]
    packages: set[str]
    in_modules: list[set[str]]


def count(sandbox: SandboxProcess, folder: Path, tasks: t.Sequence[Task], profile: t.Mapping[str, str]) -> Counted:
    """Run the tasks in one play on an account in a profile file. Raises RuntimeError if it fails."""
    (folder / "recorder").mkdir(exist_ok=True)
    (folder / "recorder" / "sitecustomize.py").write_text(RECORDER, encoding="utf-8")
    settings = folder / "profile.yml"
    settings.write_text(json.dumps({"default": profile}), encoding="utf-8")
    settings.chmod(0o600)
    log, play = folder / "counts", folder / "play.json"
    log.unlink(missing_ok=True)
    play.write_text(
        json.dumps([{"hosts": "localhost", "gather_facts": False, "tasks": [PING, *tasks]}]), encoding="utf-8"
    )
    variables = {
        **{name: value for name, value in os.environ.items() if not name.startswith(("ANSIBLE_", "FCD_"))},
        "ANSIBLE_COLLECTIONS_PATH": str(collection_tree.linked()),
        "ANSIBLE_HOME": str(folder / "ansible"),
        "ANSIBLE_LOCALHOST_WARNING": "false",
        "FCD_CONFIG_FILE": str(settings),
        "FCD_STATE_DIR": str(folder / "state"),
        "PYTHONPATH": str(folder / "recorder"),
        "TASK_COUNTS": str(log),
    }
    command = [str(Path(sys.executable).with_name("ansible-playbook")), play.name]
    done = subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"The play did not succeed:\n{done.stdout}{done.stderr}")
    records = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    processes = [record for record in records if "packages" in record]
    (packages,) = (set(one["packages"]) for one in processes if one["program"])
    of_ping, *in_modules = (set(one["packages"]) for one in processes if not one["program"])
    tasks_done = [TaskCounts(**record) for record in records if "lines" in record]
    return Counted(tasks_done, packages, [one - of_ping for one in in_modules])
