# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Find the real Python interpreters of this machine: each is run before it is believed.

Version managers put shims on PATH: scripts that look like an interpreter and may end with "version not installed".
ansible-test and nox stumble over them, so a shim is only asked which interpreter it would start.
Standard library only; runs on Python 3.9 and newer.
"""

from __future__ import annotations

import functools
import glob
import json
import os
import re
import subprocess
import sys
import typing as t
from pathlib import Path

import workspace

VERSIONS = ("3.9", "3.10", "3.11", "3.12", "3.13", "3.14")
PROBE = """
import json, os, sys
try:
    import ensurepip, ssl, venv, zlib
    complete = True
except ImportError:
    complete = False
real = os.path.realpath(sys.executable)
print(json.dumps(["%d.%d" % sys.version_info[:2], real, sys.prefix == sys.base_prefix, complete]))
"""
SECONDS_TO_ANSWER = 20


class Interpreter(t.NamedTuple):
    """One that has run."""

    version: str
    path: str
    complete: bool
    """Whether it can make virtual environments and reach a package index; some systems split that off."""


def find() -> dict[str, str]:
    """Return the interpreters found, as ``{"3.11": "/usr/bin/python3.11", ...}``, oldest first."""
    found = {version: best(version) for version in VERSIONS}
    return {version: one.path for version, one in found.items() if one}


@functools.lru_cache(maxsize=None)
def best(version: str) -> Interpreter | None:
    """Return the first complete one of that version, else the first that runs at all."""
    first = None
    for candidate in _candidates(version):
        answer = _ask(candidate)
        if answer and answer.version == version:
            if answer.complete:
                return answer
            first = first or answer
    return first


def _candidates(version: str) -> t.Iterator[str]:
    """Yield what may be that Python: real files first, shims last; none that a checkout has built below ``.work``."""
    folders = [folder for folder in os.environ.get("PATH", "").split(os.pathsep) if folder and not _is_built(folder)]
    shims = [folder for folder in folders if Path(folder).name == "shims"]
    plain = [folder for folder in folders if folder not in shims]
    places = [*plain, *_managed(shims, version), "/usr/local/bin", "/usr/bin", *shims]
    for place in dict.fromkeys(places):
        for name in (f"python{version}", "python3"):
            path = os.path.join(place, name)
            if os.access(path, os.X_OK):
                yield path


def _is_built(folder: str) -> bool:
    return ".work" in Path(folder).parts or os.path.realpath(folder).startswith(f"{workspace.folder()}{os.sep}")


def _managed(shims: list[str], version: str) -> t.Iterator[str]:
    """Yield the ``bin`` folders of that version under each pyenv root, newest patch level first.

    A root may belong to somebody else: what cannot be read is as good as not there.
    """
    roots = [os.environ.get("PYENV_ROOT", ""), *(os.path.dirname(folder) for folder in shims), "~/.pyenv"]
    for root in dict.fromkeys(filter(None, roots)):
        versions = glob.escape(os.path.join(os.path.expanduser(root), "versions"))
        yield from sorted(glob.glob(f"{versions}/{version}.*/bin"), key=_patch_level, reverse=True)


def _patch_level(folder: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", Path(folder).parent.name)]


@functools.lru_cache(maxsize=None)
def _ask(path: str) -> Interpreter | None:
    """Run it; return None where it is broken or belongs to a virtual environment."""
    try:
        done = subprocess.run(
            [path, "-I", "-c", PROBE],
            capture_output=True,
            check=True,
            stdin=subprocess.DEVNULL,
            timeout=SECONDS_TO_ANSWER,
        )
        version, real, outside, complete = json.loads(done.stdout)
    except (OSError, subprocess.SubprocessError, ValueError):
        return None
    return Interpreter(version, real, complete) if outside else None


if __name__ == "__main__":
    print(json.dumps(find(), indent=2))
    sys.exit(not find())
