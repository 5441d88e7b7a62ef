# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which line of the infrastructure interface the service runs (infrastructure facts, revisions): 2020 or 2023.

The later one has ``/floating_ips`` (2022). With it went members that the older one requires, and the older one does not
know members that came meanwhile.
"""

from __future__ import annotations

import typing as t

from ..._core.errors import Forbidden, NotFound
from ..._core.memoize import Memory

if t.TYPE_CHECKING:
    from .infrastructure import Infrastructure

AUTO, OLDER, LATER = "auto", "2020", "2023"
PROBE = "/floating_ips"


class Line:
    """The line of one service. ``given`` is the setting; with ``auto`` the service is asked, once."""

    def __init__(self, given: str = AUTO) -> None:
        self._given = given
        self._found = Memory()

    def older(self, rest: Infrastructure) -> bool:
        """Return whether it is the older line. Raises what a read raises, but for a path that is not there."""
        if self._given != AUTO:
            return self._given == OLDER
        return self._found.answer(PROBE, lambda: _probed(rest))


def _probed(rest: Infrastructure) -> bool:
    """Return whether the service lacks the path; a refusal of another kind is about rights or the verb."""
    try:
        rest.probe("Find out the version of the interface", PROBE)
    except (Forbidden, NotFound) as refusal:
        return refusal.status == 404
    return False
