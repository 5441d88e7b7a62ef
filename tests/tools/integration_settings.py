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

PREFIX = "FCD_"
QUICK = {"ticket_seconds": 0.1, "visible_after": 0.05}
"""Less time for what takes some in every preset; what the presets differ in stays as it is."""

Info = t.Mapping[str, t.Any]


def write(info: Info, place: Path, home: Path) -> None:
    """Write both files for `ansible-test integration` in ``place``; ``info`` is the ready document of the sandbox."""
    write_profile(info, home)
    _write(place / "tests" / "integration" / "integration_config.yml", variables(info))


def variables(info: Info) -> dict[str, t.Any]:
    """Return the variables of all targets."""
    control = {f"sandbox_{name}": info[name] for name in ("control_url", "control_token")}
    own = {f"fcd_{name}": value for name, value in _options(info).items()}
    return {**own, **control, "sandbox_settings": {"rest": QUICK}}


def write_profile(info: Info, home: Path) -> None:
    """Write the profile file, and drop what an earlier run left in ``home``."""
    shutil.rmtree(home / ".local", ignore_errors=True)  # tokens and contracts of another sandbox
    _write(home / ".config" / "fcd" / "cloud.yml", {"default": _options(info)})


def _options(info: Info) -> dict[str, str]:
    return {name.removeprefix(PREFIX).lower(): value for name, value in info["environment"].items()}


def _write(file: Path, content: t.Mapping[str, t.Any]) -> None:
    """Write JSON, which is YAML too, for the owner only."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as handle:
        json.dump(content, handle, indent=2)
