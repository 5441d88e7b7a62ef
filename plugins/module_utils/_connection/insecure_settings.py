# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Warns, once in each run of a playbook, of settings that allow others to read what is sent.

Each task of a run is a process of its own: empty files, named after run and warning, record what was already said.
"""

from __future__ import annotations

import contextlib
import os
import time
import typing as t
from urllib.parse import urlsplit

from .._core.errors import FcdError
from .._core.files import PRIVATE, private_folder
from .._core.text import digest
from .._http.messages import is_loopback
from .options import ADDRESSES

if t.TYPE_CHECKING:
    from .task import Task

UNCHECKED = (
    "validate_certs is false: certificates are not checked, so anyone on the network path can read and change what is "
    "sent, including the credentials. Set ca_path to the authority of the service instead."
)
A_DAY = 86400.0  # seconds after which a file belongs to a run that is over


def warn_of_insecure_settings(task: Task) -> None:
    """Warn of certificates that are not checked and of unencrypted addresses, unless a task of this run has done so."""
    for text in _insecure(task):
        if _is_first(task, text):
            task.warn(text)


def _insecure(task: Task) -> t.Iterator[str]:
    if not task.settings["validate_certs"]:
        yield UNCHECKED
    for name in (*ADDRESSES, "soap_wsdl"):
        parts = urlsplit(task.settings[name] or "")
        if parts.scheme.lower() == "http" and not is_loopback(parts.hostname or ""):
            yield (
                f"{name} starts with http://, which allow_plain_http allows: anyone on the path to {parts.hostname} "
                "can read and change everything that is sent, including the credentials."
            )


def _is_first(task: Task, text: str) -> bool:
    """Record that this is said, and return whether it is new; if that cannot be recorded, it is said again."""
    folder = os.path.join(task.state_dir, "warned")
    path = os.path.join(folder, digest(task.play or os.getpid(), text))
    try:
        private_folder(folder)
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, PRIVATE))
    except FileExistsError:
        return False
    except (FcdError, OSError):
        return True
    for entry in os.scandir(folder):
        with contextlib.suppress(FileNotFoundError):  # another process was faster
            if entry.stat(follow_symlinks=False).st_mtime < time.time() - A_DAY:
                os.unlink(entry.path)
    return True
