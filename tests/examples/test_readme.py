# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the README files tell a reader to type is typed."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import typing as t
from pathlib import Path

import pytest
import yaml
from chaos.workplace import Workplace

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
OF_ANSIBLE = ("ansible ", "ansible-playbook ", "ansible-doc ")


def blocks(name: str, language: str) -> list[str]:
    """Return the blocks of code in a README file."""
    text = (ROOT / name).read_text(encoding="utf-8")
    return [block for its_language, block in BLOCK.findall(text) if its_language == language]


def commands(name: str) -> list[str]:
    """Return the commands of Ansible in it that are typed into a shell."""
    lines = [line for block in blocks(name, "shell") for line in block.splitlines()]
    return [line for line in lines if line.startswith(OF_ANSIBLE)]


class Reader:
    """Somebody with a profile file, a site file and nothing else."""

    def __init__(self, place: Workplace, folder: Path) -> None:
        """Write the profile as README.md shows it, with the values of the sandbox."""
        self._place = place
        self.folder = folder
        folder.mkdir()
        shutil.copy(ROOT / "playbooks" / "site.example.yml", folder / "site.yml")
        (shown,) = (block for block in blocks("README.md", "yaml") if block.startswith("default:"))
        service = place.sandbox.environment
        mine = {key: service["FCD_" + key.upper()] for key in yaml.safe_load(shown)["default"]}
        profile = place.home / ".config" / "fcd" / "cloud.yml"
        profile.parent.mkdir(parents=True)
        profile.touch(mode=0o600)
        profile.write_text(yaml.safe_dump({"default": mine}), encoding="utf-8")

    def type(self, line: str) -> str:
        """Run a command; return what it says."""
        words = shlex.split(line, comments=True)
        program = str(Path(sys.executable).parent / words[0])
        done = subprocess.run(
            [program, *words[1:]], cwd=self.folder, env=self._variables(), text=True, capture_output=True, check=False
        )
        assert done.returncode == 0, f"{line}\n{done.stdout[-3000:]}{done.stderr[-1000:]}"
        return done.stdout

    def _variables(self) -> t.Dict[str, str]:
        kept = {name: os.environ[name] for name in ("PATH", "ANSIBLE_COLLECTIONS_PATH")}
        return {
            **kept,
            "HOME": str(self._place.home),
            "LC_ALL": "C.UTF-8",
            "FCD_STATE_DIR": str(self._place.state_dir),
            "FCD_CA_PATH": self._place.sandbox.environment["FCD_CA_PATH"],
            "SITE_BILLING_READER_PASSWORD": "An-Odd-Example-Word-1",
        }


@pytest.fixture
def reader(place: Workplace, tmp_path: Path) -> Reader:
    """Nothing has been typed yet."""
    return Reader(place, tmp_path / "reader")


@pytest.mark.parametrize("name", ["README.md", "roles/provision/README.md"])
def test_commands(reader: Reader, name: str) -> None:
    """They run in their order."""
    lines = commands(name)
    assert lines
    for line in lines:
        reader.type(line)


def test_the_first_playbook(place: Workplace, reader: Reader) -> None:
    """The machine of README.md is made."""
    (text,) = (block for block in blocks("README.md", "yaml") if block.startswith("- hosts:"))
    (reader.folder / "first.yml").write_text(text, encoding="utf-8")
    assert "changed=1" in reader.type("ansible-playbook first.yml --check --diff")
    assert place.sandbox.counts()["writes"] == 0
    assert "changed=1" in reader.type("ansible-playbook first.yml")
    (made,) = place.sandbox.state()["rest"]["instances"]
    assert made["Name"] == yaml.safe_load(text)[0]["tasks"][0]["fcd.cloud.instance"]["name"]


def test_a_file_beside_the_site_file(place: Workplace, reader: Reader) -> None:
    """A relative src begins where the command is started, though the playbook is in the collection."""
    (reader.folder / "page.html").write_text("<p>found</p>", encoding="utf-8")
    site = {
        "provision_storage_containers": [{"name": "pages"}],
        "provision_storage_objects": [{"container": "pages", "name": "index.html", "src": "page.html"}],
    }
    (reader.folder / "own.yml").write_text(yaml.safe_dump(site), encoding="utf-8")
    assert "changed=2" in reader.type("ansible-playbook fcd.cloud.provision -e @own.yml")
    assert "changed=0" in reader.type("ansible-playbook fcd.cloud.provision -e @own.yml --check")
    assert "/pages/index.html" in str([entry["path"] for entry in place.sandbox.requests("storage")])
