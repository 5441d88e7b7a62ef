# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""In place of the object storage where Swift cannot be imported; the other interfaces need nothing of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sandbox.service import WRITE, Environ, StartResponse


class MissingStorage:
    """Answers 501 with the reason to anything."""

    name = "storage"

    def __init__(self, error: ImportError) -> None:
        """Take what went wrong when Swift was imported."""
        self.settings: dict[str, Any] = {}
        self.reason = (
            f"There is no object storage, because Swift cannot be imported: {error}. Install swift and pyeclib, "
            "which have wheels for Linux. The other interfaces work."
        )

    def preview(self, environ: Environ) -> None:
        """Say that nothing is changed here."""
        environ[WRITE] = False

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        body = self.reason.encode()
        start_response("501 Not Implemented", [("Content-Type", "text/plain"), ("Content-Length", str(len(body)))])
        return [] if environ["REQUEST_METHOD"] == "HEAD" else [body]

    def reset(self) -> None:
        """Nothing to forget."""

    def snapshot(self) -> dict[str, Any]:
        """Nothing to show."""
        return {}
