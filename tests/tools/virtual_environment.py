# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Build a virtual environment from pinned requirements, once for each content of them.

pip does the work, so whatever index, mirror, proxy or certificate this machine's pip is configured for is used. One pip
serves all environments: unpacking it into each would take longer than most installations (5 s against 2 s, measured).
Standard library only; runs on Python 3.9 and newer.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import time
import typing as t
from pathlib import Path

import workspace

CONSTRAINTS = Path(__file__).resolve().parent / "constraints.txt"
PIP = "25.3"
"""The newest that still runs on Python 3.9, for the environments in which ansible-test imports modules."""

OPTIONS = ("--disable-pip-version-check", "--no-input", "--quiet", "--no-warn-script-location")


def build(place: Path, interpreter: str, files: t.Sequence[Path] = (), packages: t.Sequence[str] = ()) -> Path:
    """Return the Python of the environment at ``place`` with these requirement files and packages.

    An environment that was built from the same requirements is used as it is while its interpreter runs, even where
    ``interpreter`` is another by now; one that was interrupted is built anew.
    Raises SystemExit, with the last lines of what went wrong, when a step fails.
    """
    python = place / "bin" / "python"
    stamp = place / "built-from"
    digest = _digest([*files, CONSTRAINTS], packages)
    if stamp.exists() and stamp.read_text(encoding="ascii") == digest and _runs(python):
        return python
    started = time.monotonic()
    print(f"Building the environment {place.name} with {interpreter} ...", flush=True)
    shutil.rmtree(place, ignore_errors=True)
    _run([interpreter, "-I", "-m", "venv", "--without-pip", str(place)])
    _lend_pip(place, interpreter)
    desired = [part for file in files for part in ("-r", str(file))]
    _run(
        [
            str(python),
            "-I",
            "-m",
            "pip",
            "install",
            *OPTIONS,
            "--no-compile",
            "-c",
            str(CONSTRAINTS),
            *desired,
            *packages,
        ]
    )
    stamp.write_text(digest, encoding="ascii")
    print(f"Built {place.name} in {time.monotonic() - started:.0f} s.", flush=True)
    return python


def _lend_pip(place: Path, interpreter: str) -> None:
    for site in place.glob("lib/python*/site-packages"):
        (site / "shared_pip.pth").write_text(f"{shared_pip(interpreter)}\n", encoding="utf-8")


def shared_pip(interpreter: str) -> Path:
    """Return the folder that holds the one pip, installed on first use."""
    place = workspace.folder() / "pip"
    with workspace.locked("pip"):
        if not (place / f"pip-{PIP}.dist-info").exists():
            seed = workspace.folder() / "pip-seed"
            for old in (place, seed):
                shutil.rmtree(old, ignore_errors=True)
            _run([interpreter, "-I", "-m", "venv", str(seed)])
            install = [str(seed / "bin" / "python"), "-I", "-m", "pip", "install", *OPTIONS]
            _run([*install, "--target", str(place), f"pip=={PIP}"])
            shutil.rmtree(seed)
    return place


def _runs(python: Path) -> bool:
    """Return whether it starts, and with it the interpreter that it was made with."""
    try:
        done = subprocess.run(
            [str(python), "-I", "-c", "pass"], stdin=subprocess.DEVNULL, capture_output=True, check=False
        )
    except OSError:
        return False
    return done.returncode == 0


def _digest(files: t.Iterable[Path], packages: t.Iterable[str]) -> str:
    parts = [*(file.read_bytes() for file in files), *(name.encode() for name in packages)]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def _run(command: list[str]) -> None:
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    if done.returncode:
        print((done.stdout + done.stderr)[-4000:].decode(errors="replace"), file=sys.stderr)
        raise SystemExit(
            f"This step of building a virtual environment ended with status {done.returncode}:\n  {' '.join(command)}\n"
            "Is the package index reachable? pip uses this machine's own configuration (pip config list)."
        )
