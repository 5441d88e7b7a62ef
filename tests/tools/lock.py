# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Write constraints.txt anew: the newest versions that go together. Needs ``uv`` on PATH; run by hand, then test.

Then write what jobs with secrets install, in the same versions and with the hash of each file; ``lock.py --hashes``
writes only these.
"""

from __future__ import annotations

import subprocess
import sys
import typing as t
from pathlib import Path

HERE = Path(__file__).resolve().parent
GROUPS = (
    ("requirements.txt", "../sandbox/requirements.txt", "requirements-checks.txt"),
    ("requirements-importer.txt",),
)
FREE = ("ansible-core", "attrs", "resolvelib")
HEADER = """\
# Versions of everything the checks, the sandbox and the tests install. Written by lock.py; do not edit.
# Not listed: ansible-core (several versions are tested, see cores.py), attrs (galaxy-importer wants an old one) and
# resolvelib (each ansible-core wants another).
"""
SHIPPED: dict[str, tuple[str, ...]] = {
    "pipelines": ("ansible-core", "requests", "lxml", "zeep"),
    "eda": ("ansible-core", "ansible-rulebook", "requests", "lxml", "zeep"),
    # ansible-builder itself installs bindep, packaging and this dumb-init by their names, where they are not there yet
    "execution_environment": (
        *("ansible-core", "ansible-runner", "requests", "lxml", "zeep"),
        *("bindep", "packaging", "dumb-init==1.2.5"),
    ),
}
"""What is installed where secrets are: folders of extensions/, and the packages that requirements.txt there is for."""
SHIPPED_HEADER = """\
# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# {names}, and what they need: the versions that the collection is tested with, each file by its hash.
# Python 3.11 and newer. Written by tests/tools/lock.py of the collection; do not edit.
--require-hashes
--only-binary :all:
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


def desired(names: t.Iterable[str]) -> str:
    """Return the packages as requirements; ansible-core in the versions of requirements-docs.txt."""
    lines = (HERE / "requirements-docs.txt").read_text("ascii").splitlines()
    cores = [line for line in lines if "ansible-core==" in line]
    return "\n".join([*cores, *(name for name in names if name != "ansible-core"), ""])


def hashed(names: tuple[str, ...]) -> str:
    """Return the text of a file that pip takes with --require-hashes."""
    command = ["uv", "pip", "compile", "--quiet", "--universal", "--python-version", "3.11", "--no-build"]
    options = ["--no-annotate", "--no-header", "--generate-hashes", "--constraint", "constraints.txt", "-"]
    done = subprocess.run(
        [*command, *options], cwd=HERE, check=True, capture_output=True, text=True, input=desired(names)
    )
    return SHIPPED_HEADER.format(names=", ".join(names)) + done.stdout


def main(arguments: list[str]) -> None:
    """Write constraints.txt unless only hashes are wanted, then the files with hashes."""
    if arguments != ["--hashes"]:
        write_constraints()
    for folder, names in SHIPPED.items():
        file = HERE.parents[1] / "extensions" / folder / "requirements.txt"
        file.write_text(hashed(names), encoding="ascii")


def write_constraints() -> None:
    """Resolve each group; the first word on a package counts."""
    pins: dict[str, list[str]] = {}
    for files in GROUPS:
        pins = {**resolve(files), **pins}
    text = "\n".join(line for name in sorted(pins) if name not in FREE for line in pins[name])
    (HERE / "constraints.txt").write_text(f"{HEADER}{text}\n", encoding="ascii")


if __name__ == "__main__":
    main(sys.argv[1:])
