# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of handlers by operation id of ``operations.yaml``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sandbox.rest.call import Call

Handler = Callable[[Call], Any]
"""Takes the call; gives the answer as JSON data, a ``Page`` or ``NOTHING``; raises ``Refusal``.

None is null, which no description forbids where an object may be missing.
"""

HANDLERS: dict[str, Handler] = {}


def handles(*operations: str) -> Callable[[Handler], Handler]:
    """Register a function for these operation ids."""

    def register(handler: Handler) -> Handler:
        for operation in operations:
            HANDLERS[operation] = handler
        return handler

    return register
