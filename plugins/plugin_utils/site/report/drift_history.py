# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Earlier drift reports: a folder with one JSON file each.

The name of a file has the time of its report, and a few letters of the digest of its content, so that reports of two
sites made in one second do not replace each other and the same report is kept once.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import typing as t

from ....module_utils._core.errors import FcdError, InvalidInput
from ....module_utils._core.files import read_regular
from .plan_contents import ReportedPlan, reported_plan

MOST_HISTORY_BYTES = 64 * 1024 * 1024
OURS = re.compile(r"drift-\d{8}T\d{6}Z-[0-9a-f]{8}\.json")


class DriftPoint(t.NamedTuple):
    """One report: when it was made, how many entries were not as declared, how many errors there were, its file."""

    made_at: str
    differing: int
    errors: int
    file: str


class DriftHistory(t.NamedTuple):
    """The reports of the same site, environment, stage and part, oldest first; how many files were of no use."""

    points: list[DriftPoint]
    skipped: int


def json_report(plan: ReportedPlan) -> str:
    """Return all that the plan has, its names sorted, so that the same plan gives the same file."""
    return json.dumps(plan.raw, indent=2, sort_keys=True, allow_nan=False) + "\n"


def read_history(folder: str, plan: ReportedPlan) -> DriftHistory:
    """Return what is in the folder; one that is not there is empty. Files that are no drift reports are counted.

    Raises InvalidInput when the folder itself cannot be read.
    """
    try:
        names = sorted(os.listdir(folder))
    except FileNotFoundError:
        return DriftHistory([], 0)
    except OSError as exc:
        text = f"history: {folder} cannot be read: {exc.strerror}."
        raise InvalidInput(text, next_step="Name a folder of your own.", option="history") from None
    read = [_read(os.path.join(folder, name)) for name in names if not name.startswith(".")]
    reports = [one for one in read if one is not None]
    points = sorted(point for about, point in reports if about == _about(plan))
    return DriftHistory(points, len(read) - len(reports))


def file_name(plan: ReportedPlan) -> str:
    """Return the name under which the report is kept."""
    digest = hashlib.sha256(json_report(plan).encode()).hexdigest()[:8]
    return f"drift-{re.sub('[-:]', '', plan.made_at)}-{digest}.json"


def with_present(history: DriftHistory, plan: ReportedPlan, file: str) -> DriftHistory:
    """Return the history with this report in it, once."""
    others = [point for point in history.points if point.file != file]
    return history._replace(points=sorted([*others, _point(plan, file)]))


def outlived(history: DriftHistory, keep: int) -> list[str]:
    """Return the files of the oldest reports, those beyond ``keep``; files that this did not name stay."""
    old = history.points[: max(0, len(history.points) - keep)]
    return [point.file for point in old if OURS.fullmatch(os.path.basename(point.file))]


def _read(file: str) -> tuple[tuple[str, ...], DriftPoint] | None:
    """Return what a file is about and its point; None when it is no drift report."""
    try:
        content = read_regular(file, MOST_HISTORY_BYTES)
        plan = reported_plan(json.loads(content), file)
    except (OSError, ValueError, RecursionError, FcdError):
        return None
    return (_about(plan), _point(plan, file)) if plan.mode == "drift" else None


def _about(plan: ReportedPlan) -> tuple[str, ...]:
    """Return what makes two reports comparable. ``kinds`` are those that the plan was limited to."""
    return plan.site, plan.environment, plan.stage, plan.part, str(plan.raw.get("kinds"))


def _point(plan: ReportedPlan, file: str) -> DriftPoint:
    return DriftPoint(plan.made_at, plan.differing, plan.wrong, file)
