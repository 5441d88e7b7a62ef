# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The environment that rulebooks and pipeline files are tried in: standard library only."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import enter
import virtual_environment
import workspace

REQUIREMENTS = workspace.CHECKOUT / "tests" / "tools" / "requirements-automation.txt"
OLDEST_JAVA = 17


def no_java() -> str:
    """Why ansible-rulebook cannot run here; empty when it can."""
    home = os.environ.get("JAVA_HOME")
    java = shutil.which("java", path=os.path.join(home, "bin") if home else None)
    if not java:
        return f"there is no Java {OLDEST_JAVA} or newer for ansible-rulebook"
    said = subprocess.run([java, "-version"], capture_output=True, text=True, check=False).stderr
    version = re.search(r'version "(\d+)', said)
    newer = version and int(version[1]) >= OLDEST_JAVA
    return "" if newer else f"ansible-rulebook needs Java {OLDEST_JAVA} or newer; {java} is none"


def python() -> Path:
    """Return the Python of the environment. Raises SystemExit when it cannot be built."""
    with workspace.locked("automation-tools"):
        return virtual_environment.build(workspace.folder() / "automation", enter.controller(), [REQUIREMENTS])
