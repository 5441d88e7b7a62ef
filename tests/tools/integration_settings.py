# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tell the integration targets where the sandbox is.

The profile file in the home of the run serves every module and lookup, so targets write tasks as a user would, without
connection options. The same values are variables, ``fcd_<option>``, for targets that try the options themselves.
"""

from __future__ import annotations

import json
import os
import shutil
import typing as t
from pathlib import Path

import untried
import workspace

TARGETS = workspace.CHECKOUT / "tests" / "integration" / "targets"
PREFIX = "FCD_"
FIRST = "first"
"""The run of a home that is in the task worker, and that others are compared with."""


def one_way() -> list[str]:
    """Return the targets that run in the task worker only: roles and lookups, and what compares nothing."""
    files = [folder / "aliases" for folder in sorted(TARGETS.iterdir())]
    aliases = {file.parent.name: file.read_text(encoding="utf-8").split() for file in files}
    return [
        name
        for name, own in aliases.items()
        if "hidden" not in own and (name.startswith(("lookup_", "role_")) or "needs/target/setup_both_ways" not in own)
    ]


def write(info: t.Mapping[str, t.Any], place: Path, home: Path, extent: str = FIRST) -> None:
    """Write both files for the sandbox with this ready document, and drop what an earlier run left in ``home``.

    ``extent`` says what is run as ordinary modules, and compared with what the first run of the home has recorded:
    ``all`` or ``outcomes`` (of each module one task for every outcome). The first runs all in the task worker.
    """
    options = {name[len(PREFIX) :].lower(): value for name, value in info["environment"].items()}
    variables: dict[str, t.Any] = {f"fcd_{name}": value for name, value in options.items()}
    variables.update({f"sandbox_{name}": info[name] for name in ("control_url", "control_token")})
    variables["setup_both_ways_way"] = "worker" if extent == FIRST else "module"
    _write(place / "tests" / "integration" / "integration_config.yml", variables)
    shutil.rmtree(home / ".local", ignore_errors=True)  # tokens and contracts of another sandbox
    _write(home / ".config" / "fcd" / "cloud.yml", {"default": options})
    if extent == FIRST:
        untried.forget(home)
    _enable_callback(place / "tests" / "integration", extent)


def _enable_callback(folder: Path, extent: str) -> None:
    """Let ansible-playbook load what chooses the ordinary modules, and look a hundred times a second what has ended."""
    plugins = folder / "targets" / "setup_both_ways" / "callback_plugins"
    text = f"[defaults]\ncallback_plugins = {plugins}\ninternal_poll_interval = 0.01\n"
    chosen = "" if extent == FIRST else f"[both_ways]\nextent = {extent}\n"
    (folder / "integration.cfg").write_text(text + chosen, encoding="utf-8")


def _write(file: Path, content: t.Mapping[str, t.Any]) -> None:
    """Write JSON, which is YAML too, for the owner only."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as handle:
        json.dump(content, handle, indent=2)
