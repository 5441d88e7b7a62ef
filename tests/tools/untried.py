# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Say which modules the integration targets have not tried both ways: in the task worker and as ordinary modules.

The targets note what they have tried: tests/integration/targets/setup_both_ways/callback_plugins/both_ways.py.
"""

from __future__ import annotations

import json
import shutil
import typing as t
from pathlib import Path

import workspace

ON_THE_CONTROLLER = {"site", "site_report", "site_state", "site_validate"}
"""They have no other way: their modules only hold the options."""

ELSEWHERE = {"orchestration"}
"""Here it is only refused; tests/orchestration runs it with the program that it needs."""

READERS = {"token"}
"""It changes nothing, whatever its name is; nor does any whose name ends with ``_info``."""

ACTS = {"client_regulations", "instance_power"}
"""They do each time what they are told to do."""

RECORDS = "both_ways"
"""The folder of the records, in the home of a run."""

FAILED, IN_CHECK_MODE = "failed", ", in check mode"
"""How the callback begins and ends the name of an outcome."""

Notes = t.Mapping[str, t.Sequence[str]]


def forget(home: Path) -> None:
    """Begin with a run of which nothing is recorded, and nothing has been tried."""
    shutil.rmtree(home / RECORDS, ignore_errors=True)


def read(home: Path) -> Notes:
    """Return the outcomes that were tried, by module."""
    found: Notes = json.loads((home / RECORDS / "tried.json").read_text(encoding="utf-8"))
    return found


def modules() -> list[str]:
    """Return all modules that have another way."""
    names = {file.stem for file in (workspace.CHECKOUT / "plugins" / "modules").glob("[!_]*.py")}
    return sorted(names - ON_THE_CONTROLLER)


def lacking(tried: Notes) -> list[str]:
    """Return a line for each module that wants more tasks: ``warehouse: nothing that fails``."""
    return [
        f"{module}: {what}"
        for module in modules()
        for what in _lacking_of(module, tried.get(f"fcd.cloud.{module}", ()))
    ]


def _lacking_of(module: str, tried: t.Sequence[str]) -> t.Iterator[str]:
    """Yield what the tasks of a module have not shown."""
    succeeded = {one for one in tried if not one.startswith(FAILED)}
    real = {one for one in succeeded if not one.endswith(IN_CHECK_MODE)}
    if succeeded == set(tried):
        yield "nothing that fails"
    if module in ELSEWHERE:
        return
    if module not in ACTS and "unchanged" not in real:
        yield "nothing that leaves all as it is"
    if module not in READERS and not module.endswith("_info"):
        if real <= {"unchanged"}:
            yield "no change"
        if real == succeeded:
            yield "nothing in check mode"
