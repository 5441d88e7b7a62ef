# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Other clients of the object storage, as commands, and ours, at one sandbox."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import typing as t
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import peer_programs
from chaos.task_process import Ended
from chaos.workplace import Workplace
from sandbox.process import SandboxProcess

LONGEST = 60


class Storage:
    """One sandbox; commands run in ``folder``, with settings that point at it."""

    def __init__(self, sandbox: SandboxProcess, folder: Path) -> None:
        self.sandbox = sandbox
        self.folder = folder
        self.place = Workplace(sandbox, folder / "home")
        given = sandbox.environment
        base, user, key = (given[f"FCD_STORAGE_{name}"] for name in ("BASE", "USER", "KEY"))
        (folder / "rclone.conf").touch()
        self._environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder / "home"),
            "LANG": "C.UTF-8",
            "RCLONE_CONFIG": str(folder / "rclone.conf"),
            "RCLONE_CA_CERT": given["FCD_CA_PATH"],
            "RCLONE_CONFIG_BOX_TYPE": "swift",
            "RCLONE_CONFIG_BOX_AUTH": f"{base}/auth/v1.0",
            "RCLONE_CONFIG_BOX_USER": user,
            "RCLONE_CONFIG_BOX_KEY": key,
            "ST_AUTH": f"{base}/auth/v1.0",
            "ST_USER": user,
            "ST_KEY": key,
            "OS_CACERT": given["FCD_CA_PATH"],
        }

    def rclone(self, *arguments: str) -> str:
        """Run rclone; the remote is ``box:``. Returns what it printed."""
        return self._run("rclone", *arguments)

    def rclone_json(self, *arguments: str) -> t.Any:
        """Run rclone and read what it printed."""
        return json.loads(self.rclone(*arguments))

    def swift(self, *arguments: str, place: Path | None = None) -> str:
        """Run the command of python-swiftclient in a folder. Returns what it printed."""
        return self._run(str(peer_programs.swift()), "--auth-version", "1", *arguments, place=place)

    def ours(self, module: str, **options: t.Any) -> Ended:
        """Run one of our tasks, which has to succeed."""
        ended = self.place.run(module, options)
        ended.succeeded()
        return ended

    def sync(self, mode: str, folder: Path, container: str, **more: t.Any) -> dict[str, t.Any]:
        """Run storage_sync; returns its result."""
        return self.ours("storage_sync", mode=mode, path=str(folder), container=container, **more).result

    def seen(self) -> list[str]:
        """Return the operations since the log was cleared."""
        return [entry["operation"] for entry in self.sandbox.requests("storage")]

    def _run(self, *command: str, place: Path | None = None) -> str:
        done = subprocess.run(
            command,
            cwd=place or self.folder,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=LONGEST,
            check=False,
        )
        assert done.returncode == 0, f"{' '.join(command)}: {done.stdout} {done.stderr}"
        return done.stdout
