# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Places of registries in memory, which may fail, and a task with a folder of its own."""

from __future__ import annotations

import typing as t
from pathlib import Path

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Settings, Task
from ansible_collections.fcd.cloud.plugins.module_utils._core.clock import Clock
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import Unreachable
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.model import Place
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.registry.registry_document import KnownObject
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.registry.registry_places import (
    ContainerPlace,
    StoredContent,
)


class MemoryPlace(ContainerPlace):
    """The documents of one site; ``fails`` is ``before`` or ``after`` for the next write that is to fail so."""

    def __init__(self) -> None:
        self.stored: dict[str, bytes] = {}
        self.beside: dict[str, bytes] = {}
        self.writes: list[str] = []
        self.fails: str | None = None
        self.on_write: t.Callable[[], None] = lambda: None

    def text(self, document: str) -> str:
        return f"memory/{document}"

    def documents(self) -> set[str]:
        return set(self.stored)

    def read(self, document: str) -> StoredContent | None:
        content = self.stored.get(document)
        return None if content is None else StoredContent(content, self._tag(content))

    def tag(self, document: str) -> str | None:
        found = self.read(document)
        return found and found.tag

    def write(self, document: str, content: bytes) -> str:
        self._change(document, lambda: self.stored.update({document: content}))
        return self._tag(content)

    def remove(self, document: str) -> None:
        self._change(document, lambda: self.stored.pop(document, None))

    def forget_parts(self) -> None:
        self._change("index", lambda: None)

    def others(self) -> dict[str, str]:
        return {text: self._tag(content) for text, content in self.beside.items()}

    def read_other(self, text: str) -> bytes | None:
        return self.beside.get(text)

    def site_of(self, text: str) -> str | None:
        del text

    def _change(self, document: str, act: t.Callable[[], object]) -> None:
        fails, self.fails = self.fails, None
        if fails == "before":
            raise Unreachable("no way")
        act()
        self.writes.append(document)
        self.on_write()
        if fails == "after":
            raise Unreachable("no way back")

    @staticmethod
    def _tag(content: bytes) -> str:
        import hashlib

        return hashlib.md5(content).hexdigest()


def known(place: Place, number: int | str | None = None) -> KnownObject:
    return KnownObject(*place, number, {"name": place[1]})


class Bench:
    """Tasks with one state_dir."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.state_dir = folder / "state"
        self.warnings: list[str] = []
        self.told: list[str] = []

    def task(self, *, check_mode: bool = False, clock: Clock | None = None) -> Task:
        settings = Settings.resolve({"state_dir": str(self.state_dir)}, ("rest",))
        return Task(settings, check_mode=check_mode, clock=clock, warn=self.warnings.append, tell=self.told.append)


@pytest.fixture
def bench(tmp_path: Path, own_home: Path) -> Bench:
    return Bench(tmp_path)
