# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Asking the service a second time, where its first answer does not settle the matter.

Source: wire-facts section 9.3. What is unknown is never guessed: reading decides.
"""

from __future__ import annotations

import typing as t

from .._core.errors import (
    Conflict,
    FcdError,
    Forbidden,
    RateLimited,
    Rejected,
    ServiceError,
    Unauthorized,
    Unclear,
    Unusable,
)

Row = t.Dict[str, t.Any]
PLAIN = (Forbidden, Unauthorized, RateLimited, Conflict)  # faults that say all there is to say
FAULT_STATUSES = (200, 400, 500)  # wire-facts 9.3


def read_or_listed(read: t.Callable[[], Row | None], listed: t.Callable[[], Row | None]) -> Row | None:
    """Return what ``read`` gives for one number; where it gives null or a fault, what the list has of it.

    How the service answers for an object that does not exist is not known (wire-facts 9.3).
    """
    try:
        row = read()
    except ServiceError as problem:
        if isinstance(problem, (*PLAIN, Unusable)) or problem.status not in FAULT_STATUSES:
            raise
        row = None
    return listed() if row is None else row


def confirmed(write: t.Callable[[], None], done: t.Callable[[], bool], *, refusals: bool = False) -> None:
    """Write something that may be repeated; when the answer is unclear, ``done`` tells by reading whether it worked.

    With ``refusals``, a fault is looked into as well: the removal of what is gone may be refused.
    """
    try:
        write()
    except PLAIN:
        raise
    except (Unclear, ServiceError) as problem:
        looked_into = refusals or not isinstance(problem, Rejected)
        if problem.details.get("redirect") or not looked_into or not _certain(done):
            raise


def _certain(done: t.Callable[[], bool]) -> bool:
    """Return whether it was done, as far as that can be read now."""
    try:
        return done()
    except FcdError:
        return False
