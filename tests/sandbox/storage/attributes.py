# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Extended attributes of files, in which Swift keeps the metadata of objects, and a stand-in where there are none."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

ROOM = 4 << 30
"""Bytes that must be free in memory before it is preferred to the disk."""


def supported(directory: Path) -> bool:
    """Whether files in that directory can carry user attributes."""
    try:
        with tempfile.NamedTemporaryFile(dir=directory) as file:
            os.setxattr(file.name, "user.swift.probe", b"1")
    except OSError:
        return False
    return True


def best_parent() -> Path:
    """Directory for throw-away files: memory when there is room, else the disk; with attributes if possible."""
    found = [Path(name) for name in ("/dev/shm", tempfile.gettempdir(), "/var/tmp") if os.access(name, os.W_OK)]
    roomy = [path for path in found if shutil.disk_usage(path).free >= ROOM] or found
    return next((path for path in roomy if supported(path)), roomy[0])


class MemoryAttributes:
    """The three functions of ``xattr`` that Swift uses, kept in this process by device and inode."""

    def __init__(self) -> None:
        self._store: dict[tuple[int, int], dict[str, bytes]] = {}

    @staticmethod
    def _key(target: Any) -> tuple[int, int]:
        if hasattr(target, "fileno"):
            target = target.fileno()
        status = os.stat(target)
        return status.st_dev, status.st_ino

    def setxattr(self, target: Any, name: str, value: bytes, *_options: Any) -> None:
        self._store.setdefault(self._key(target), {})[name] = bytes(value)

    def getxattr(self, target: Any, name: str, *_options: Any) -> bytes:
        """Read one attribute; OSError ENODATA when there is none."""
        try:
            return self._store[self._key(target)][name]
        except KeyError:
            raise OSError(errno.ENODATA, "no such attribute") from None

    def removexattr(self, target: Any, name: str, *_options: Any) -> None:
        self._store.get(self._key(target), {}).pop(name, None)
