# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Times on the wire: ISO 8601, UTC, whole seconds (docs/service/infrastructure.md, "Conventions")."""

from __future__ import annotations

import time
from datetime import datetime, timezone

from sandbox.rest.call import Call
from sandbox.rest.refusal import Refusal


def show(moment: float) -> str:
    """Unix seconds as ``2019-05-13T10:01:55Z``."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(moment))


def optional(moment: float | None) -> str | None:
    """As ``show``; null for none."""
    return None if moment is None else show(moment)


def parse(call: Call, text: str) -> float:
    """Unix seconds of an ISO 8601 text; without a zone it is UTC, or refused (setting times_without_zone)."""
    try:
        found = datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        raise Refusal(400, f"{text} is not a time.") from None
    if found.tzinfo is None and not call.settings["times_without_zone"]:
        raise Refusal(400, f"{text} has no zone.")
    return (found if found.tzinfo else found.replace(tzinfo=timezone.utc)).timestamp()
