# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a run knows of a lock that it holds, and of who holds one: host, process, login and, where one runs it, the job.

Nothing else of the user is told. A process is known by its number together with when it began, the boot of the host and
its PID namespace, so that none is taken for another one.
"""

from __future__ import annotations

import datetime as dt
import getpass
import os
import socket
import typing as t
from urllib.parse import urlsplit

from .._core.errors import Busy

LONGEST = 200  # characters of a text that is told


def this_process(now: float) -> dict[str, t.Any]:
    """Return the facts of this process, plain values for JSON; ``now`` in seconds since the epoch."""
    return {
        **_this_boot(),
        "pid": os.getpid(),
        "started": _begun(os.getpid())[1],
        "user": _login(),
        "job": _job(),
        "since": as_text(now),
    }


def is_surely_dead(owner: t.Mapping[str, t.Any]) -> bool:
    """Whether the process is one of this host, since its last boot, and runs no more; False when in doubt."""
    if not _is_of_this_boot(owner):
        return False
    pid, started = owner.get("pid"), owner.get("started")
    if not isinstance(pid, int) or isinstance(pid, bool) or pid < 1 or started is None:
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):  # it is there and belongs to somebody else
        pass
    state, begun = _begun(pid)
    return begun is not None and (begun != started or state in "ZX")


def _this_boot() -> dict[str, str | None]:
    """Return what tells this host, its last boot and this PID namespace from others."""
    boot = _line("/proc/sys/kernel/random/boot_id")
    return {"host": socket.gethostname(), "boot": boot, "namespace": _pid_namespace()}


def _is_of_this_boot(owner: t.Mapping[str, t.Any]) -> bool:
    here = _this_boot()
    return all(here.values()) and all(owner.get(name) == value for name, value in here.items())


def told_owner(owner: t.Mapping[str, t.Any]) -> str:
    """Return who it is, for an error; what is not known is left out."""
    job = f", {_text(owner['job'])}" if owner.get("job") else ""
    since = f", since {_text(owner['since'])}" if owner.get("since") else ""
    if not owner.get("host"):
        return f"an unknown holder{job}{since}"
    who = f"{_text(owner['user'])} on " if owner.get("user") else ""
    return f"{who}{_text(owner['host'])} (process {_text(owner.get('pid'))}{job}){since}"


def as_text(moment: float) -> str:
    """Return a moment as 2026-11-21T12:00:00Z."""
    try:
        found = dt.datetime.fromtimestamp(moment, dt.timezone.utc)
    except (OverflowError, ValueError, OSError):
        return "a time that cannot be"
    return found.strftime("%Y-%m-%dT%H:%M:%SZ")


def _text(value: t.Any) -> str:
    """Return a value in one line; the file that it comes from may have been written by anybody."""
    plain = "".join(letter if letter.isprintable() else " " for letter in str(value))
    return plain[:LONGEST]


def _login() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):  # a user without an entry, as in containers
        return f"uid {os.getuid()}"


def _job() -> str | None:
    """Return the job that this runs in, by the variables that job systems set; addresses without what is secret."""
    number = os.environ.get("JOB_ID", "")
    if number.isascii() and number.isdigit():
        return f"job {number[:20]}"
    for name in ("CI_JOB_URL", "BUILD_URL"):
        address = _address(os.environ.get(name, ""))
        if address:
            return address
    server, repository, run = (os.environ.get(f"GITHUB_{name}", "") for name in ("SERVER_URL", "REPOSITORY", "RUN_ID"))
    return _address(f"{server}/{repository}/actions/runs/{run}") if server and run else None


def _address(url: str) -> str | None:
    """Return scheme, host, port and path of an address; no user, no password, no query."""
    try:
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return None
    return _text(f"{parts.scheme}://{parts.hostname}{port}{parts.path}")


def _pid_namespace() -> str | None:
    try:
        return os.readlink("/proc/self/ns/pid")
    except OSError:
        return None


def _line(path: str) -> str | None:
    try:
        with open(path, encoding="ascii", errors="replace") as handle:
            return handle.readline().strip() or None
    except OSError:
        return None


def _begun(pid: int) -> tuple[str, int | None]:
    """Return state and start (in ticks since the boot) of a process, None for the start where nobody tells."""
    line = _line(f"/proc/{pid}/stat") or ""
    fields = line.rpartition(")")[2].split()  # the name before it may have blanks and brackets
    return (fields[0], int(fields[19])) if len(fields) > 19 and fields[19].isdigit() else ("", None)


class HeldLock:
    """A lock that is held; this one, of a run that takes none, is never lost. Threads may share it.

    ``what`` it locks is for messages.
    """

    what = "the site"

    @property
    def lost(self) -> bool:
        """Whether it is ours no more: somebody broke it, or it could not be renewed in time."""
        return self.why_lost is not None

    @property
    def why_lost(self) -> str | None:
        """What became of it, in a sentence; None while it is held."""
        return None

    def check(self) -> None:
        """Raise Busy when it is lost: nothing may be written then. Call it before each write.

        It is cheap, but for a look at the lease every few seconds. The first call takes up to half a second.
        """
        why = self.why_lost
        if why is not None:
            raise Busy(
                f"The lock of {self.what} is lost: {why} Nothing more was written.",
                next_step="Wait for the other run to end, then run this one again.",
            )

    def release(self) -> None:
        """Let go of it."""


class Blocked(t.NamedTuple):
    """Why a lock cannot be had: who has which one. ``until`` is a text; ``passing``: it will be free in a moment."""

    lock: str
    owner: str
    until: str | None
    how_to_break: str
    passing: bool = False


Taken = t.Union[HeldLock, Blocked]
