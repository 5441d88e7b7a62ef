# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The environment that the module orchestration is tried in: standard library only."""

from __future__ import annotations

import platform
import sys
from pathlib import Path

import enter
import virtual_environment
import workspace

REQUIREMENTS = workspace.CHECKOUT / "tests" / "tools" / "requirements-orchestration.txt"
OLDEST_GLIBC = (2, 35)


def missing() -> str:
    """Why the core of the tool cannot be installed here; empty when it can."""
    machine = platform.machine()
    if sys.platform == "darwin":
        return "" if machine == "arm64" else f"there is no core of the tool for macOS on {machine}"
    library, version = platform.libc_ver()
    if sys.platform != "linux" or machine != "x86_64" or library != "glibc":
        return f"there is no core of the tool for {sys.platform} on {machine} with {library or 'another C library'}"
    number = tuple(int(part) for part in version.split(".")[:2])
    return "" if number >= OLDEST_GLIBC else f"the core of the tool needs glibc 2.35, this is {version}"


def python() -> Path:
    """Return the Python of the environment. Raises SystemExit when it cannot be built."""
    with workspace.locked("orchestration-tools"):
        return virtual_environment.build(workspace.folder() / "orchestration", enter.controller(), [REQUIREMENTS])
