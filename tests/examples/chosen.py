# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which plugins have their examples run by ``make test``: those that have changed, by git, and some that always are."""

from __future__ import annotations

import re
import subprocess
import typing as t
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
MAIN = "origin/main"
KINDS = ("action", "filter", "inventory", "lookup", "modules")
IMPORTED = re.compile(r"^from \.\.(module_utils\.(?!_ansible\b)[\w.]+) import", re.MULTILINE)
"""What does the work of a plugin; what runs it is that of all of them."""

ALWAYS = frozenset(
    (
        *("instance", "instance_fleet", "disk", "ip_address", "ssh_key"),
        *("site", "storage_object", "storage_sync", "client_user", "contract_call"),
    )
)
"""Some of each interface, and those whose examples have the most to go wrong."""


class Choice(t.NamedTuple):
    """Names of plugins, and what is told of how they were chosen."""

    names: frozenset[str]
    words: str


def choice() -> Choice:
    """Return what ``make test`` runs."""
    base = _base()
    files = _changed(base) if base else None
    if base is None or files is None:
        return Choice(ALWAYS, f"the fixed {len(ALWAYS)}, for git cannot say what has changed")
    changed = _plugins_of(files) - ALWAYS
    told = f" and, changed since {base[:12]}: {', '.join(sorted(changed))}" if changed else ""
    return Choice(ALWAYS | changed, f"the fixed {len(ALWAYS)}{told or f'; no others have changed since {base[:12]}'}")


def _base() -> str | None:
    """Return the commit where this branch began, the one before without a branch to compare with, or None."""
    for command in (["merge-base", MAIN, "HEAD"], ["rev-parse", "--verify", "--quiet", "HEAD~1"]):
        said = _git(*command)
        if said:
            return said[0]
    return None


def _changed(base: str) -> set[str] | None:
    """Return the paths that are others than there, or new."""
    known, new = _git("diff", "--name-only", base), _git("ls-files", "--others", "--exclude-standard")
    return None if known is None or new is None else {*known, *new}


def _plugins_of(files: set[str]) -> set[str]:
    """Return the plugins that a file is of: its own, the action of a module, or what does the work of either."""
    found = set()
    for place in (path for kind in KINDS for path in (CHECKOUT / "plugins" / kind).glob("[!_]*.py")):
        of_work = IMPORTED.findall(place.read_text(encoding="utf-8"))
        own = {str(place.relative_to(CHECKOUT)), *(f"plugins/{name.replace('.', '/')}.py" for name in of_work)}
        if own & files:
            found.add(place.stem)
    return found


def _git(*words: str) -> list[str] | None:
    """Return the lines that git says; None where it is not there, or refuses."""
    command = ["git", "-c", f"safe.directory={CHECKOUT}", *words]
    try:
        done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=False)
    except OSError:
        return None
    return None if done.returncode else done.stdout.splitlines()
