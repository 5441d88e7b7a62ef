# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Failures of a task that has changed something before it failed: the failed result says ``changed`` then.

What the service has taken and not said to have failed counts as changed, as it does where nobody waits for it.
"""

from __future__ import annotations

import contextlib
import typing as t

from .._core.errors import FcdError

CHANGED = "changed"  # a detail of the error, so that an error made out of another with its details keeps it


def note_change(error: FcdError) -> None:
    """Note that something had been changed when this error came."""
    error.details[CHANGED] = True


def has_changed(error: FcdError) -> bool:
    """Return whether something had been changed."""
    return bool(error.details.get(CHANGED))


@contextlib.contextmanager
def mark_changed_on_error(changed: bool = True) -> t.Iterator[None]:
    """Whatever fails in the block fails after something was changed, if ``changed``."""
    try:
        yield
    except FcdError as error:
        if changed:
            note_change(error)
        raise


class ChangeTracker:
    """What has come so far of the operations that were started for one object, one after the other."""

    def __init__(self) -> None:
        self._ticket: int | None = None
        self._under_way = False
        self._before = False

    def begun(self, ticket: int | None) -> None:
        """Note an operation that the service has taken, or that had its effect at once; the one before went well."""
        self._before = self._before or self._under_way
        self._ticket, self._under_way = ticket, True

    def failed(self, ticket: int) -> None:
        """Note that the service says of an operation that it failed, so that it has changed nothing."""
        if ticket == self._ticket:
            self._under_way = False

    def mark(self, error: FcdError) -> None:
        """Note in the error whether something was changed, or is being changed."""
        if self._before or self._under_way:
            note_change(error)
