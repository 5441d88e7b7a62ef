# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Build the virtual environment ``.venv`` when it is missing or out of date, then run a script or ``-m MODULE`` in it.

``python enter.py SCRIPT [ARGUMENTS]``; without a script it only builds, with ``--clean`` it removes all that was built.
The variable CORE names another series of ansible-core, ``2.19``, for an environment of its own.
Standard library only; runs on Python 3.9 and newer.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import cores
import workspace

UNWANTED = (
    *("PYTHONDONTWRITEBYTECODE", "PYTHONHOME", "PYTHONPATH", "PYTHONSTARTUP"),
    *("VIRTUAL_ENV", "__PYVENV_LAUNCHER__"),
)


def controller() -> str:
    """Return the interpreter that environments of tools are built with."""
    python = cores.newest().controller()
    assert python
    return python.path


def build() -> Path:
    """Return the Python of the environment of the core that the variable CORE names, or else of the newest one."""
    python = cores.named(os.environ.get("CORE", "")).build()
    if python.parent.parent.name == "venv":
        _link(workspace.CHECKOUT / ".venv")
    return python


def _link(link: Path) -> None:
    """Let ``.venv`` lead to the environment, where editors and people look for it."""
    if link.is_dir() and not link.is_symlink():
        shutil.rmtree(link)
    if not link.exists():
        link.unlink(missing_ok=True)
        link.symlink_to(os.path.join(".work", "venv"), target_is_directory=True)


def settle_environment(python: Path) -> None:
    """Make the environment variables the same on every machine: this virtual environment first, UTF-8, nothing odd."""
    for name in UNWANTED:
        os.environ.pop(name, None)
    # With byte code, ansible-playbook starts in half the time.
    os.environ["PYTHONPYCACHEPREFIX"] = str(workspace.folder() / "byte-code")
    os.environ["PATH"] = os.pathsep.join([str(python.parent), os.environ.get("PATH", os.defpath)])
    locale = os.environ.get("LC_ALL") or os.environ.get("LC_CTYPE") or os.environ.get("LANG") or ""
    if "utf" not in locale.lower():  # Ansible refuses anything else
        os.environ["LC_ALL"] = "C.UTF-8"


def main() -> None:
    """Build, then become the script."""
    if sys.argv[1:] == ["--clean"]:
        workspace.clean()
        return
    python = build()
    settle_environment(python)
    if len(sys.argv) > 1:
        sys.stdout.flush()
        os.execv(python, [str(python), *sys.argv[1:]])


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        raise SystemExit(130) from None
