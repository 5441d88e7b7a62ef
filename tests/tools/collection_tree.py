# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Place the collection where Ansible looks for it: ``<root>/ansible_collections/fcd/cloud``.

Ansible itself, pytest and mypy are content with a link to the checkout. ansible-test resolves links and wants to stand
in such a path, outside any other git work tree: below an ignored folder it would skip everything and report success.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import tempfile
import typing as t
from pathlib import Path

import workspace

PLACE = Path("ansible_collections", "fcd", "cloud")
NEEDED = ("meta", "playbooks", "plugins", "roles")
"""The folders with which alone a collection must work: packages of distributions leave out all others."""


def linked() -> Path:
    """Return a root in which the collection is a link to the checkout."""
    root = workspace.folder() / "collections"
    link = root / PLACE
    link.parent.mkdir(parents=True, exist_ok=True)
    if not (link.is_symlink() and link.resolve() == workspace.CHECKOUT):
        link.unlink(missing_ok=True)
        with contextlib.suppress(FileExistsError):  # another command was faster
            link.symlink_to(workspace.CHECKOUT, target_is_directory=True)
    return root


def stripped(root: Path) -> Path:
    """Copy into ``root`` what the collection needs to work, and nothing else; return ``root``."""
    _copy([name for name in _files() if name.split("/")[0] in NEEDED], root / PLACE)
    return root


@contextlib.contextmanager
def copied() -> t.Iterator[Path]:
    """Yield the path of a copy of the collection in a temporary tree: all files but those that git ignores."""
    with tempfile.TemporaryDirectory(prefix="tree-", ignore_cleanup_errors=True) as root:
        place = Path(root).resolve() / PLACE
        _copy(_files(), place)
        subprocess.run(["git", "init", "--quiet", str(place)], check=True)  # no other work tree around it counts then
        yield place


def _copy(names: t.Iterable[str], place: Path) -> None:
    for name in names:
        target = place / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(workspace.CHECKOUT / name, target, follow_symlinks=False)


def _files() -> list[str]:
    safe = ["-c", f"safe.directory={workspace.CHECKOUT}"]  # the checkout may belong to somebody else
    command = ["git", *safe, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    done = subprocess.run(command, cwd=workspace.CHECKOUT, check=True, capture_output=True)
    names = dict.fromkeys(os.fsdecode(name) for name in done.stdout.split(b"\0") if name)
    return [name for name in names if os.path.lexists(workspace.CHECKOUT / name)]
