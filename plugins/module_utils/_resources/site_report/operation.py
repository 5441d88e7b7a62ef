# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The operation site_report: its options. The work is done by the action plugin, on the controller."""

from __future__ import annotations

import typing as t

from ..._core.errors import InvalidInput
from ..._session.operation import Operation, Params, Result
from ..._session.task import Task

MODES = ("plan", "apply", "drift", "prune", "pruned")
ENDINGS = {"json": "json", "markdown": "md", "html": "html", "junit": "junit.xml", "sarif": "sarif"}
"""Formats, with the ends of their file names."""

OPTIONS: dict[str, dict[str, t.Any]] = {
    "plan": {"type": "dict"},
    "src": {"type": "path"},
    "mode": {"type": "str", "choices": list(MODES)},
    "dest": {"type": "path", "required": True},
    "formats": {"type": "list", "elements": "str", "choices": list(ENDINGS), "default": list(ENDINGS)},
    "name": {"type": "str", "default": "plan"},
    "history": {"type": "path"},
    "keep": {"type": "int", "default": 90},
}
RULES = {"required_one_of": [("plan", "src")], "mutually_exclusive": [("plan", "src")]}


def run(task: Task, params: Params) -> Result:
    """Say where it runs: the action plugin of the same name does the work on the controller."""
    del task, params
    raise InvalidInput("fcd.cloud.site_report runs on the controller only, as the action plugin of the collection.")


OPERATION = Operation("site_report", (), OPTIONS, run, RULES)
