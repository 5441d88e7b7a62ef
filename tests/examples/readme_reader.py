# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Somebody who types what the README files say."""

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
import yaml
from chaos.workplace import Workplace

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(name: str, language: str) -> list[str]:
    """Return the blocks of code in a README file."""
    text = (ROOT / name).read_text(encoding="utf-8")
    return [block for its_language, block in BLOCK.findall(text) if its_language == language]


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
