# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Write constraints.txt anew: the newest versions that go together. Needs ``uv`` on PATH; run by hand, then test."""

from __future__ import annotations

import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
GROUPS = (
    ("requirements.txt", "../sandbox/requirements.txt", "requirements-core.txt", "requirements-checks.txt"),
    ("requirements-importer.txt",),
)
FREE = ("ansible-core", "attrs", "resolvelib")
HEADER = """\
# Versions of everything the checks, the sandbox and the tests install. Written by lock.py; do not edit.
# Not listed: ansible-core (several versions are tested, see cores.py), attrs (galaxy-importer wants an old one) and
# resolvelib (each ansible-core wants another).
"""


def resolve(files: tuple[str, ...]) -> dict[str, list[str]]:
    """Return the lines of a resolution for all supported Pythons, by package."""
    command = ["uv", "pip", "compile", "--quiet", "--universal", "--python-version", "3.11"]
    options = ["--no-annotate", "--no-header"]
    done = subprocess.run([*command, *options, *files], cwd=HERE, check=True, capture_output=True, text=True)
    lines: dict[str, list[str]] = {}
    for line in done.stdout.splitlines():
        lines.setdefault(line.partition("==")[0], []).append(line)
    return lines


def main() -> None:
    """Resolve each group; the first word on a package counts."""
    pins: dict[str, list[str]] = {}
    for files in GROUPS:
        pins = {**resolve(files), **pins}
    text = "\n".join(line for name in sorted(pins) if name not in FREE for line in pins[name])
    (HERE / "constraints.txt").write_text(f"{HEADER}{text}\n", encoding="ascii")


if __name__ == "__main__":
    main()
