# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A working folder, and the tasks that work with it."""

from __future__ import annotations

import json
import typing as t
from pathlib import Path

from chaos.task_process import Ended, TaskProcess
from chaos.workplace import Workplace

Entry = t.Dict[str, t.Any]
WEB: Entry = {
    "instance_name": "web",
    "template_id": 304,
    "subregion_id": 1,
    "type_id": 34,
    "disk_class": "48",
    "init_disk_size": 10,
    "authorization_method_id": 1399,
}
DB: Entry = {**WEB, "instance_name": "db"}


class ManagedFolder:
    """One folder at one service."""

    def __init__(self, place: Workplace, path: Path, executable: str, plugin: str) -> None:
        """Take them; the folder is not made."""
        self.place = place
        self.sandbox = place.sandbox
        self.path = path
        self.executable = executable
        self.plugin = plugin
        self.variables: dict[str, str] = {}

    def args(self, *instances: Entry, **more: t.Any) -> Entry:
        """Return the options of a task."""
        own = {"path": str(self.path), "executable": self.executable, "plugin_path": self.plugin}
        desired = {} if more.get("state") == "absent" else {"instances": list(instances)}
        return {**own, **desired, **more}

    def start(self, *instances: Entry, check_mode: bool = False, **more: t.Any) -> TaskProcess:
        """Start a task."""
        args = self.args(*instances, **more)
        return self.place.start("orchestration", args, check_mode=check_mode, **self.variables)

    def run(self, *instances: Entry, check_mode: bool = False, **more: t.Any) -> Ended:
        """Run a task to its end."""
        return self.start(*instances, check_mode=check_mode, **more).ended()

    def address(self, comment: str = "web") -> int:
        """Create a public address and return its ID."""
        made = self.place.run("ip_address", {"comment": comment, "subregion": "EU-001"}).succeeded()
        return int(made["ip_address"]["id"])

    def instances(self) -> list[Entry]:
        """Return the instances that there are really, those of the seed aside."""
        return [one for one in self.sandbox.state()["rest"]["instances"] if one["Name"] in ("web", "db", "third")]

    def writes(self) -> list[str]:
        """Return what was asked of the service that changes something."""
        return [one["operation"] for one in self.sandbox.requests("rest") if one["write"]]

    def state(self) -> Entry:
        """Return the state in the folder."""
        found: Entry = json.loads((self.path / "terraform.tfstate").read_text(encoding="utf-8"))
        return found

    def files(self) -> dict[str, bytes]:
        """Return the content of all files in the folder, by path."""
        every = [file for file in self.path.rglob("*") if file.is_file() and not file.is_symlink()]
        return {str(file.relative_to(self.path)): file.read_bytes() for file in every}
