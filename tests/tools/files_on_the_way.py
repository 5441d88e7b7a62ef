# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which files of the collection a task passes: ``python tests/tools/files_on_the_way.py [-v]``.

Each task creates its object on a sandbox in the hard preset. A file counts if one of its functions is called, in
ansible-playbook or in a process that it starts; being imported does not count. With ``-v``, the files are listed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import typing as t
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parent)]

import collection_tree
import workspace
from sandbox.process import SandboxProcess

Tasks = t.Sequence[t.Mapping[str, t.Any]]
PLUGINS = str(workspace.CHECKOUT / "plugins") + os.sep
RECORDER = """
import os, sys, threading
seen, log = set(), os.open(os.environ["FILES_CALLED"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
def note(frame, event, argument):
    code = frame.f_code
    if event == "call" and code not in seen:
        seen.add(code)
        if code.co_flags & 2:  # a function; the bodies of modules and classes run when they are imported
            os.write(log, (os.path.realpath(code.co_filename) + "\\n").encode())
sys.setprofile(note)
threading.setprofile(note)
"""
PUBLIC_KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFUBfAsXvx5dyRfRBvYVt9IFBfnMXBnZQMnXpEHdtwNH way"
INSTANCE = {"type_id": 34, "subregion_id": 1, "template_id": 304}
DEPOT = {"partner_id": 12, "template_id": 304, "data_store_number": "DS-01", "queue_length": 1}
SITE = {
    "site": "way",
    "registry": {"path": "registry.json"},
    "private_networks": [{"name": "inner"}],
    "instances": [{"name": "two", "private_networks": ["inner"], **INSTANCE}],
}
WAYS: dict[str, t.Mapping[str, t.Any]] = {
    "instance": {"name": "one", **INSTANCE},
    "ssh_key": {"name": "way", "public_key": PUBLIC_KEY},
    "warehouse": {"name": "way", **DEPOT},
    "storage_container": {"name": "way"},
    "storage_object": {"container": "way", "name": "greeting.txt", "content": "hello"},
    "site": {"src": "site.yml"},
}


class Ways:
    """Runs tasks on a sandbox, in a folder that also holds the site file."""

    def __init__(self, sandbox: SandboxProcess, folder: Path) -> None:
        self._folder = folder
        recorder = folder / "recorder"
        recorder.mkdir()
        (recorder / "sitecustomize.py").write_text(RECORDER, encoding="utf-8")
        (folder / "site.yml").write_text(json.dumps(SITE), encoding="utf-8")
        plain = {name: value for name, value in os.environ.items() if not name.startswith(("ANSIBLE_", "FCD_"))}
        self._variables = {
            **plain,
            **sandbox.environment,
            "ANSIBLE_COLLECTIONS_PATH": str(collection_tree.linked()),
            "ANSIBLE_HOME": str(folder / "ansible"),
            "ANSIBLE_LOCALHOST_WARNING": "false",
            "FCD_STATE_DIR": str(folder / "state"),
            "FILES_CALLED": str(folder / "called"),
            "PYTHONPATH": str(recorder),
        }

    def files(self, module: str) -> list[str]:
        """Run the module's task and return its files below plugins. Raises RuntimeError if nothing changes."""
        called, play = self._folder / "called", self._folder / "play.json"
        called.unlink(missing_ok=True)
        tasks = [
            {f"fcd.cloud.{module}": WAYS[module], "register": "done"},
            {"ansible.builtin.assert": {"that": "done.changed"}},
        ]
        play.write_text(json.dumps([{"hosts": "localhost", "gather_facts": False, "tasks": tasks}]), encoding="utf-8")
        command = [str(Path(sys.executable).with_name("ansible-playbook")), play.name]
        done = subprocess.run(
            command, cwd=self._folder, env=self._variables, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise RuntimeError(f"The task {module} did not create its object:\n{done.stdout}{done.stderr}")
        paths = set(called.read_text(encoding="utf-8").splitlines())
        return sorted(path[len(PLUGINS) :] for path in paths if path.startswith(PLUGINS))


def main() -> None:
    """Print the figures."""
    with SandboxProcess() as sandbox, tempfile.TemporaryDirectory(prefix="fcd-way-") as folder:
        ways = Ways(sandbox, Path(folder))
        for module in WAYS:
            files = ways.files(module)
            print(f"{module:<20}{len(files):3} files")
            if "-v" in sys.argv[1:]:
                print("".join(f"    {path}\n" for path in files), end="")


if __name__ == "__main__":
    main()
