# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings that decide who can read what is sent: the file of authorities, and those that let others read it.

A task warns of the latter once in each run of a playbook. Each task of a run is a process of its own: empty files,
named after run and warning, record what was already said.
"""

from __future__ import annotations

import functools
import os
import ssl
import time
import typing as t
from urllib.parse import urlsplit

from .._core.errors import FcdError, InvalidInput
from .._core.files import PRIVATE, private_folder, remove_older
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


def check_transport(task: Task, verify: bool | str) -> None:
    """Warn of what lets others read or change what is sent, unless a task of this run has done so.

    ``verify`` is False, True or a file of authorities. Raises InvalidInput if it is not one.
    """
    for text in _dangers(task):
        if _is_first(task, text):
            task.warn(text)
    if isinstance(verify, str):
        try:
            status = os.stat(verify)
            with open(verify, "rb") as handle:
                handle.read(1)
        except OSError as exc:
            raise _wrong(verify, f"cannot be read ({exc.strerror})") from None
        try:
            _load_authorities(verify, status.st_mtime_ns, status.st_size)
        except (OSError, ValueError):
            raise _wrong(verify, "holds no certificates in PEM form") from None


@functools.lru_cache(maxsize=8)
def _load_authorities(path: str, _changed: int, _size: int) -> None:
    """Try whether the file holds certificates, once until it changes. Raises OSError, ValueError."""
    new_context().load_verify_locations(cafile=path)


@functools.lru_cache(maxsize=1)
def new_context() -> ssl.SSLContext:
    """Return the context that files are tried with, and no connection uses; creating one takes 2 ms."""
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def _wrong(path: str, problem: str) -> InvalidInput:
    return InvalidInput(
        f"ca_path: {path} {problem}.",
        next_step="Give a file with the certificates of the authorities (-----BEGIN CERTIFICATE-----).",
        option="ca_path",
    )


def _dangers(task: Task) -> t.Iterator[str]:
    if not task.settings["validate_certs"]:
        yield UNCHECKED
    for name in (*ADDRESSES, "soap_wsdl") if task.settings["allow_plain_http"] else ():
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
    remove_older(folder, time.time() - A_DAY)
    return True
