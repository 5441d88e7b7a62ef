# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that users name, read without waiting: a pipe would have a task wait for a writer, for ever."""

from __future__ import annotations

import errno
import os
import stat


def read_regular(path: str, most: int = -1) -> bytes:
    """Return what the file has, at most so many bytes. Raises OSError, also for what is no regular file."""
    with open(path, "rb", opener=_at_once) as handle:
        if not stat.S_ISREG(os.fstat(handle.fileno()).st_mode):
            raise OSError(errno.EINVAL, "it is no regular file", path)
        return handle.read(most)


def _at_once(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK)
