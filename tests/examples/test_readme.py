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
REMOVAL = "ansible-playbook fcd.cloud.deprovision -e @site.yml"
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
        done = self.run(line)
        assert done.returncode == 0, f"{line}\n{done.stdout[-3000:]}{done.stderr[-1000:]}"
        return done.stdout

    def run(self, line: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run a command that may fail."""
        words = shlex.split(line, comments=True)
        program = str(Path(sys.executable).parent / words[0])
        given = {**self._variables(), **variables}
        return subprocess.run(
            [program, *words[1:]], cwd=self.folder, env=given, text=True, capture_output=True, check=False
        )

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


def test_a_forgotten_password(place: Workplace, reader: Reader) -> None:
    """It stops a site before the first change, and the removal of one not at all; check mode foresees that."""
    forgotten = {"SITE_BILLING_READER_PASSWORD": ""}
    said = reader.run("ansible-playbook fcd.cloud.provision -e @site.yml", **forgotten)
    assert said.returncode != 0
    assert "user_password is empty for billing.reader." in said.stdout + said.stderr
    assert place.sandbox.counts()["writes"] == 0
    reader.type("ansible-playbook fcd.cloud.provision -e @site.yml")
    writes = place.sandbox.counts()["writes"]
    recaps = []
    for line in ("ansible-playbook fcd.cloud.deprovision -e @site.yml --check --diff", REMOVAL):
        assert place.sandbox.counts()["writes"] == writes
        said = reader.run(line, **forgotten)
        assert said.returncode == 0, said.stdout
        recaps.append(re.findall(r"changed=\d+", said.stdout))
    assert recaps[0] == recaps[1]
    assert place.sandbox.state()["rest"]["instances"] == []
    assert "changed=0" in reader.run(REMOVAL, **forgotten).stdout


def test_check_mode_sees_what_a_site_does_not_declare(place: Workplace, reader: Reader) -> None:
    """A container with an object of somebody else stays, and check mode says so as the removal does."""
    ours, theirs = ({"container": "pages", "name": name, "content": name} for name in ("ours", "theirs"))
    site = {"provision_storage_containers": [{"name": "pages"}], "provision_storage_objects": [ours, theirs]}
    (reader.folder / "both.yml").write_text(yaml.safe_dump(site), encoding="utf-8")
    site["provision_storage_objects"] = [ours]
    (reader.folder / "site.yml").write_text(yaml.safe_dump(site), encoding="utf-8")
    reader.type("ansible-playbook fcd.cloud.provision -e @both.yml")
    before = place.sandbox.counts()["writes"]
    foreseen = reader.run(f"{REMOVAL} --check")
    assert place.sandbox.counts()["writes"] == before
    for said in (foreseen, reader.run(REMOVAL)):
        assert said.returncode != 0
        assert "The container 'pages' is not empty" in said.stdout + said.stderr
    for line in (f"{REMOVAL.replace('site', 'both')} --check", REMOVAL.replace("site", "both")):
        assert "failed=0" in reader.type(line)
