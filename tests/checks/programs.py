# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Run a program to its end; a failure shows all that it printed."""

from __future__ import annotations

import os
import subprocess
import typing as t
from pathlib import Path

import workspace


def run(
    *words: str | Path, folder: Path = workspace.CHECKOUT, environment: t.Mapping[str, str] = os.environ
) -> subprocess.CompletedProcess[str]:
    """Run it in the folder, with nothing to read; a status other than 0 fails the test, with all that was printed."""
    done = subprocess.run(
        [str(word) for word in words],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{' '.join(done.args)} ended with status {done.returncode}\n{done.stdout}"
    return done
