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

import forked_ansible
import pytest
import yaml
from chaos.workplace import Workplace

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NAMED = re.compile(r"# (\w+\.yml)$", re.MULTILINE)
REMOVAL = "ansible-playbook fcd.cloud.deprovision -e provision_max_delete=100% -e provision_confirm=web-shop"
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

    def __init__(self, place: Workplace, folder: Path, collections: Path) -> None:
        """Write the profile as README.md shows it, with the values of the sandbox."""
        self._collections = collections
        self._place = place
        self.folder = folder
        folder.mkdir()
        shutil.copy(ROOT / "playbooks" / "site.example.yml", folder / "site.yml")
        (folder / "public").mkdir()
        (folder / "public" / "news.txt").write_text("Open on Sunday.", encoding="utf-8")
        (shown,) = (block for block in blocks("README.md", "yaml") if block.startswith("default:"))
        service = place.sandbox.environment
        mine = {key: service["FCD_" + key.upper()] for key in yaml.safe_load(shown)["default"]}
        profile = place.home / ".config" / "fcd" / "cloud.yml"
        profile.parent.mkdir(parents=True)
        profile.touch(mode=0o600)
        profile.write_text(yaml.safe_dump({"default": mine}), encoding="utf-8")

    def type(self, line: str) -> str:
        """Run a command; return what it says."""
        done = self.run(line)
        assert done.returncode == 0, f"{line}\n{done.stdout[-3000:]}{done.stderr[-1000:]}"
        return done.stdout

    def run(self, line: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run a command that may fail."""
        return forked_ansible.run(self.words(line), self.folder, {**self.variables(), **variables})

    @staticmethod
    def words(line: str) -> list[str]:
        """Return the words of a command, with the program that belongs to these tests."""
        program, *words = shlex.split(line, comments=True)
        return [str(Path(sys.executable).parent / program), *words]

    def variables(self) -> t.Dict[str, str]:
        """Return the environment of a command."""
        return {
            "PATH": os.environ["PATH"],
            "ANSIBLE_COLLECTIONS_PATH": str(self._collections),
            "HOME": str(self._place.home),
            "LC_ALL": "C.UTF-8",
            "FCD_STATE_DIR": str(self._place.state_dir),
            "FCD_CA_PATH": self._place.sandbox.environment["FCD_CA_PATH"],
            "SITE_BILLING_READER_PASSWORD": "An-Odd-Example-Word-1",
            "FREIGHT_READER_PASSWORD": "An-Odd-Example-Word-2",
        }


@pytest.fixture
def reader(place: Workplace, tmp_path: Path, collections: Path) -> Reader:
    """Nothing has been typed yet."""
    return Reader(place, tmp_path / "reader", collections)


@pytest.mark.parametrize("name", ["README.md", "roles/provision/README.md"])
def test_commands(reader: Reader, name: str) -> None:
    """They run in their order."""
    lines = commands(name)
    assert lines
    for line in lines:
        reader.type(line)


@pytest.mark.parametrize("role", ["instances", "warehouses", "client_onboarding", "credentials"])
def test_commands_of_a_role(reader: Reader, role: str) -> None:
    """They run in their order with the files that are shown, each of which begins with its name."""
    name = f"roles/{role}/README.md"
    for text in blocks(name, "yaml"):
        file = NAMED.search(text)
        assert file is not None
        (reader.folder / file.group(1)).write_text(text, encoding="utf-8")
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


def test_publishing_files(place: Workplace, reader: Reader) -> None:
    """The commands of the role object_storage with the files that it shows."""
    name = "roles/object_storage/README.md"
    (text,) = blocks(name, "yaml")
    (reader.folder / "files.yml").write_text(text, encoding="utf-8")
    for file in ("site/index.html", "site/404error.html", "reports/may.txt"):
        (reader.folder / file).parent.mkdir(exist_ok=True)
        (reader.folder / file).write_text(file, encoding="utf-8")
    foreseen, real = commands(name)
    assert "changed=5" in reader.type(foreseen)
    assert place.sandbox.counts()["writes"] == 0
    assert "changed=5" in reader.type(real)
    assert "changed=0" in reader.type(real)


def test_a_forgotten_password(place: Workplace, reader: Reader) -> None:
    """It stops a site before the first change, and its validation and removal not at all; check mode foresees that."""
    forgotten = {"SITE_BILLING_READER_PASSWORD": ""}
    said = reader.run("ansible-playbook fcd.cloud.apply", **forgotten)
    assert said.returncode != 0
    assert "billing.reader" in said.stdout + said.stderr
    assert place.sandbox.counts()["writes"] == 0
    assert reader.run("ansible-playbook fcd.cloud.validate", **forgotten).returncode == 0
    reader.type("ansible-playbook fcd.cloud.apply")
    writes = place.sandbox.counts()["writes"]
    told = []
    for line in (f"{REMOVAL} --check --diff", REMOVAL):
        assert place.sandbox.counts()["writes"] == writes
        told.append(re.findall(r"(\d+) to delete", reader.type(line)))
    assert told[0] == told[1]
    assert place.sandbox.state()["rest"]["instances"] == []
    assert "changed=0" in reader.type(REMOVAL)
