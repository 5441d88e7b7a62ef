# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Counts the requests of the collection and the answers that were checked against the description, and breaches.

With SANDBOX_CONFORMANCE in the environment, a folder, each sandbox keeps its counts there in a file of its own, over
resets and kills; ``tests/tools/conformance_sum.py`` adds them up.
"""

from __future__ import annotations

import json
import os
import time
from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

FOLDER = "SANDBOX_CONFORMANCE"
COLLECTION = "fcd.cloud/"
"""The beginning of the User-Agent of the collection; requests of others, such as tests of the sandbox, do not count."""
MAX_BREACHES = 100
SECONDS_BETWEEN = 1.0


class Conformance:
    """The counts of one sandbox."""

    def __init__(self, folder: str | None) -> None:
        """Start with nothing checked; ``folder`` is where the file is kept, if anywhere."""
        self._file = Path(folder) / f"{os.getpid()}-{time.time_ns()}.json" if folder else None
        self._written = 0.0
        self.checked: dict[str, Counter[str]] = defaultdict(Counter)
        """How many requests and answers, by line."""
        self.breaches: list[dict[str, Any]] = []

    def note(self, environ: Mapping[str, Any], line: str, side: str, breach: dict[str, Any] | None) -> None:
        """Count one check of a request or an answer with what was wrong, if so."""
        if side == "request" and not environ.get("HTTP_USER_AGENT", "").startswith(COLLECTION):
            return
        self.checked[line][side] += 1
        if breach is not None and len(self.breaches) < MAX_BREACHES:
            self.breaches.append(breach)
        if breach is not None or time.monotonic() > self._written + SECONDS_BETWEEN:
            self.write()

    def write(self) -> None:
        """Keep the account in its file, if it has one."""
        self._written = time.monotonic()
        if self._file and self.checked:
            part = self._file.with_suffix(".part")
            part.write_text(json.dumps({"checked": self.checked, "breaches": self.breaches}), encoding="utf-8")
            part.replace(self._file)
