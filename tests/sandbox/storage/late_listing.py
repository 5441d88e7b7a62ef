# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Listings of containers that do not show the newest objects yet, as in a busy cluster.

Removed objects disappear from them at once. Only listings in JSON lag.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime, timedelta, timezone
from typing import Any
from urllib.parse import quote

from swift.common.swob import Request

from sandbox.service import App, Environ, StartResponse


def late_listing(app: App, seconds: float, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
    """Answer the request for a listing without the objects that were written in the last ``seconds``.

    An empty page ends a listing, so if a page is only empty because the newest objects are missing, the next one is
    read.
    """
    while True:
        response = Request(dict(environ)).get_response(app)
        page = json.loads(response.body) if _in_json(response) else []
        shown = [entry for entry in page if not _new(entry, seconds)]
        if len(shown) == len(page) or shown:
            break
        last = page[-1].get("name") or page[-1]["subdir"]
        environ = {**environ, "QUERY_STRING": f"{environ['QUERY_STRING']}&marker={quote(last, safe='')}"}
    if len(shown) < len(page):
        response.body = json.dumps(shown).encode()
    answer: Iterable[bytes] = response(environ, start_response)
    return answer


def _in_json(response: Any) -> bool:
    return response.status_int == 200 and str(response.content_type).startswith("application/json")


def _new(entry: dict[str, Any], seconds: float) -> bool:
    """Whether an entry was written just now; a folder (``subdir``) never is."""
    if "last_modified" not in entry:
        return False
    written = datetime.fromisoformat(entry["last_modified"]).replace(tzinfo=timezone.utc)
    return datetime.now(timezone.utc) - written < timedelta(seconds=seconds)
