# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pages of every sort of plan, with earlier reports where it is drift."""

from __future__ import annotations

import shutil
import typing as t
from pathlib import Path

from ansible_collections.fcd.cloud.plugins.plugin_utils.site.report.report_files import write_reports
from ansible_collections.fcd.cloud.tests.unit.plugins.plugin_utils.site_report import sample_plans as plans

EARLIER = (0, 0, 3, 1, 0, 7, 2, 0, 0, 12, 5, 1, 0)
"""How many entries had drift, night after night."""

Plan = t.Dict[str, t.Any]


def write_pages(folder: Path) -> dict[str, Path]:
    """Write the pages and return their places by name."""
    history = folder / "history"
    shutil.rmtree(history, ignore_errors=True)
    for night, number in enumerate(EARLIER, 1):
        moment = f"2026-11-{night:02}T02:00:00Z"
        _write(plans.many(number, mode="drift", environment="production", made_at=moment), folder, "earlier", history)
    (history / "notes.txt").write_text("no report")
    samples = {
        "usual": plans.usual(),
        "drift": plans.usual(mode="drift"),
        "clean": plans.clean(mode="drift"),
        "empty": plans.empty(),
        "failed": plans.failed(),
        "applied": plans.usual(mode="apply"),
        "some": plans.many(30),
        "many": plans.many(300),
        "huge": plans.many(5000),
        "hostile": plans.hostile(),
        "identities": plans.identities(environment="production"),
        "partial": plans.identities(mode="drift", targets=["instances.web", "disks.data"]),
        "besides": plans.hostile_besides(),
        "one-adopted": plans.plan([plans.change("instances", "web", "adopt")]),
        "two-rare": plans.plan([plans.change("instances", name, name) for name in ("adopt", "release")]),
    }
    return {name: _write(plan, folder, name, history if name == "drift" else None) for name, plan in samples.items()}


def _write(plan: Plan, folder: Path, name: str, history: Path | None) -> Path:
    formats = [] if name == "earlier" else ["html"]
    options = {"state": "present", "plan": plan, "src": None, "mode": None, "dest": str(folder), "formats": formats}
    kept = {"name": name, "history": history and str(history), "keep": 90, "report_mode": "0600", "drift_of": "all"}
    write_reports({**options, **kept}, write=True)
    return folder / f"{name}.html"
