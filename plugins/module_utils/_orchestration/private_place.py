# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A folder that nobody else can look into: older tools write the token into plans.

A task that was killed leaves its folder; the next task removes it.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import tempfile
import time
import typing as t

PREFIX = "fcd-orchestration-"
YOUNG = 60.0  # seconds within which a folder may not have its lock yet, and a tool may not have read its plan


@contextlib.contextmanager
def private_place() -> t.Iterator[str]:
    """Have a folder while the block runs, and a lock on it that the kernel lets go of when this process dies."""
    _remove_left_ones(tempfile.gettempdir())
    path = tempfile.mkdtemp(prefix=PREFIX)
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        with contextlib.suppress(OSError):  # a file system without locks; then nobody removes it for us
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield path
    finally:
        os.close(descriptor)
        shutil.rmtree(path, ignore_errors=True)


def _remove_left_ones(folder: str) -> None:
    with contextlib.suppress(OSError):
        for name in os.listdir(folder):
            if name.startswith(PREFIX):
                _remove_if_left(os.path.join(folder, name))


def _remove_if_left(path: str) -> None:
    """Remove a folder of this user that no process has a lock on."""
    with contextlib.suppress(OSError):
        descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            status = os.fstat(descriptor)
            if status.st_uid == os.geteuid() and time.time() - status.st_mtime > YOUNG:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(path, ignore_errors=True)
        finally:
            os.close(descriptor)
