# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes how each task ended, a line each, into the file that FCD_CHAOS_RESULTS names."""

from __future__ import annotations

import json
import os
import typing as t
from pathlib import Path

from ansible.plugins.callback import CallbackBase


class CallbackModule(CallbackBase):
    """Hears of every end of a task."""

    CALLBACK_VERSION, CALLBACK_TYPE, CALLBACK_NAME = 2.0, "aggregate", "results"

    def _ended(self, ended: t.Any, *, failed: bool) -> None:
        name = ended._task.name or ended._task.action
        line = {"name": name, "host": ended._host.name, "result": ended._result, "failed": failed}
        with Path(os.environ["FCD_CHAOS_RESULTS"]).open("a", encoding="utf-8") as file:
            file.write(json.dumps(line, default=str) + "\n")

    def v2_runner_on_ok(self, result: t.Any) -> None:
        self._ended(result, failed=False)

    def v2_runner_on_failed(self, result: t.Any, ignore_errors: bool = False) -> None:
        self._ended(result, failed=True)

    def v2_runner_on_unreachable(self, result: t.Any) -> None:
        self._ended(result, failed=True)

    def v2_runner_item_on_ok(self, result: t.Any) -> None:
        self._ended(result, failed=False)

    def v2_runner_item_on_failed(self, result: t.Any) -> None:
        self._ended(result, failed=True)
