# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Another host: answers 200 ``{}`` to anything, so that a test can see in the request log what was sent to it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sandbox.service import WRITE, Environ, StartResponse


class ForeignService:
    """Knows nothing, takes everything."""

    name = "foreign"

    def __init__(self) -> None:
        self.settings: dict[str, Any] = {}

    def preview(self, environ: Environ) -> None:
        """Say that nothing is changed here."""
        environ[WRITE] = False

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        body = b"{}"
        start_response("200 OK", [("Content-Type", "application/json"), ("Content-Length", str(len(body)))])
        return [] if environ["REQUEST_METHOD"] == "HEAD" else [body]

    def reset(self) -> None:
        """Nothing to forget: the platform keeps the log."""

    def snapshot(self) -> dict[str, Any]:
        """Nothing to show."""
        return {}
