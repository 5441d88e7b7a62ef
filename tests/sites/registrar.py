# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tasks that work with the registry and the locks of a site in the sandbox's object storage."""

from __future__ import annotations

import typing as t
from pathlib import Path

from chaos.workplace import UNTIMED
from sandbox.process import SandboxProcess

from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Settings, Task
from ansible_collections.fcd.cloud.plugins.module_utils._core.clock import Clock
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.small_objects import SmallObjects

CONTAINER = "web-shop-state"
REGISTRY = {"container": CONTAINER}


class Registrar:
    """One user of the storage, on one host."""

    def __init__(self, sandbox: SandboxProcess, folder: Path) -> None:
        """Take both as they are."""
        self.sandbox = sandbox
        self.folder = folder
        self.warnings: list[str] = []

    @property
    def connection(self) -> dict[str, t.Any]:
        """The options of a task."""
        known = self.sandbox.info["credentials"]
        return {
            "storage_base": self.sandbox.info["storage_base"],
            "storage_user": known["storage_user"],
            "storage_key": known["storage_key"],
            "ca_path": self.sandbox.info["ca_path"],
            "state_dir": str(self.folder / "state"),
            "timeout": float(UNTIMED),
            "site_key": self.sandbox.environment["FCD_SITE_KEY"],
        }

    def task(self, *, check_mode: bool = False, clock: Clock | None = None) -> Task:
        """Return a new task."""
        settings = Settings.resolve(self.connection, ("storage", "site"))
        return Task(settings, check_mode=check_mode, clock=clock, warn=self.warnings.append)

    def objects(self) -> SmallObjects:
        """Return the objects of the container."""
        return SmallObjects(self.task(), CONTAINER)

    def names(self) -> list[str]:
        """Return what the container holds; nothing where there is none."""
        containers = self.sandbox.state()["storage"]["containers"]
        return sorted(containers[CONTAINER]["objects"]) if CONTAINER in containers else []
