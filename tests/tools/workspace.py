# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The folder for everything that is built: ``.work`` of the checkout, ignored by git, removed by ``make clean``.

Ansible and ansible-test write the path of an interpreter into first lines of scripts and into shell commands without
quotes. A checkout whose path has a space or is very long therefore gets a folder below the temporary folder, and
``.work`` is a link to it. Standard library only; runs on Python 3.9 and newer.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import shutil
import subprocess
import sys
import tempfile
import typing as t
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
PLAIN = re.compile(r"[A-Za-z0-9._+/-]{1,90}")


def folder(checkout: Path = CHECKOUT) -> Path:
    """Return the real path of the folder; it is made when it is not there."""
    work = checkout / ".work"
    if work.is_symlink() and not work.exists():
        work.unlink()  # the temporary folder was emptied
    if not work.exists():
        _make(work)
    return work.resolve()


def _make(work: Path) -> None:
    if PLAIN.fullmatch(str(work.parent)):
        work.mkdir(mode=0o700, exist_ok=True)
        return
    bases = [base for base in (tempfile.gettempdir(), "/tmp", "/var/tmp") if PLAIN.fullmatch(base)]
    made = tempfile.mkdtemp(prefix="fcd-cloud-", dir=bases[0])
    try:
        work.symlink_to(made, target_is_directory=True)
    except FileExistsError:  # another command was faster
        os.rmdir(made)


def clean(checkout: Path = CHECKOUT) -> None:
    """Remove the folder, the links to it and into it, and what Python compiled beside its sources."""
    work = checkout / ".work"
    shutil.rmtree(work.resolve(), ignore_errors=True)
    for link in (work, checkout / ".venv"):
        if link.is_symlink():
            link.unlink()
    for name in _compiled(checkout):
        shutil.rmtree(checkout / name, ignore_errors=True)


def _compiled(checkout: Path) -> list[str]:
    """Return the folders of compiled files that git ignores; none where the checkout is no git work tree."""
    safe = ["-c", f"safe.directory={checkout}"]  # the checkout may belong to somebody else
    command = ["git", *safe, "ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"]
    try:
        done = subprocess.run(command, cwd=checkout, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        return []
    names = [os.fsdecode(name) for name in done.stdout.split(b"\0")]
    return [name for name in names if name.rstrip("/").split("/")[-1] == "__pycache__"]


@contextlib.contextmanager
def locked(name: str) -> t.Iterator[None]:
    """Hold the lock ``name``: two commands in one checkout build a thing once."""
    locks = folder() / "locks"
    locks.mkdir(exist_ok=True)
    with open(locks / name, "w", encoding="ascii") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print(f"Waiting for another command in this checkout ({name}) ...", file=sys.stderr, flush=True)
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield


if __name__ == "__main__":
    print(folder())
