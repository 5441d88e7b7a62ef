# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which files of the collection a task passes: ``python tests/tools/files_on_the_way.py [-v]``.

Each task creates its object on a sandbox in the hard preset. A file counts if one of its functions is called; being
imported does not count. With ``-v``, the files are listed.
"""

from __future__ import annotations

import json
import sys
import tempfile
import typing as t
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parent)]

import task_counts
from sandbox.process import SandboxProcess

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


def files(sandbox: SandboxProcess, folder: Path, module: str) -> list[str]:
    """Run the module's task, and return its files below ``plugins``. Raises RuntimeError if nothing changes."""
    (folder / "site.yml").write_text(json.dumps(SITE), encoding="utf-8")
    tasks: list[task_counts.Task] = [
        {f"fcd.cloud.{module}": WAYS[module], "register": "done"},
        {"ansible.builtin.assert": {"that": "done.changed"}},
    ]
    profile = {name[4:].lower(): value for name, value in sandbox.environment.items()}
    return sorted(task_counts.count(sandbox, folder, tasks, profile).tasks[0].passed)


def main() -> None:
    """Print the figures."""
    with SandboxProcess() as sandbox, tempfile.TemporaryDirectory(prefix="fcd-way-") as folder:
        for module in WAYS:
            passed = files(sandbox, Path(folder), module)
            print(f"{module:<20}{len(passed):3} files")
            if "-v" in sys.argv[1:]:
                print("".join(f"    {path}\n" for path in passed), end="")


if __name__ == "__main__":
    main()
