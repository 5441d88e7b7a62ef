# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a run notes of its outcomes in the registry of the site: before something is made, and as it goes on."""

from __future__ import annotations

import typing as t

from ..._core.clock import Clock
from ..._core.errors import ServiceError, Unclear, Unreachable
from ..._engine.change_tracking import has_changed
from ..._engine.create_once import NO_EFFECT
from ..._engine.plan import CREATE, DELETE
from ..site_ownership.owned import Known
from ..site_ownership.registry import Ownership
from .entries import Place
from .wishes import Wish

EVERY = 5.0  # seconds between two notes while the work goes on


class Notes:
    """The notes of one run. ``adopt`` makes what was there the site's own.

    ``aside``, the container of the registry, never is its own: it outlives the site, and others may have theirs in it.
    """

    def __init__(self, ownership: Ownership, clock: Clock, aside: Place, *, adopt: bool) -> None:
        self._ownership = ownership
        self._clock = clock
        self._adopt = adopt
        self._aside = aside
        self._last = clock.monotonic()
        self._new: list[Wish] = []

    def begin(self, wishes: t.Sequence[Wish]) -> None:
        """Note what is going to be made. Raises Busy when the lock is lost, InvalidInput for a conflict."""
        coming = [wish for wish in wishes if wish.changes and not wish.removes and _plans(wish) == CREATE]
        self._ownership.intend([wish.entry for wish in coming if wish.place != self._aside])

    def ended(self, wish: Wish) -> None:
        """Take note of an entry that has ended, and write it down every few seconds.

        Raises Busy when this run may not write any more. Where the storage fails, the next note has all of it.
        """
        self._new.append(wish)
        if self._clock.monotonic() - self._last >= EVERY:
            try:
                self._settle(self._new)
                self._new = []
            except (ServiceError, Unclear, Unreachable):
                pass
            self._last = self._clock.monotonic()

    def end(self, wishes: t.Sequence[Wish], declared: t.Collection[Place]) -> None:
        """Note all outcomes of the run; what was only found and is not declared any more is forgotten."""
        known = self._ownership.owned()
        forgotten = [place for place, owned in known.items() if not owned.prunable and place not in declared]
        self._settle([wish for wish in wishes if not wish.context], forgotten)

    def _settle(self, wishes: t.Sequence[Wish], forgotten: t.Sequence[Place] = ()) -> None:
        there = [wish for wish in wishes if not wish.removes and wish.error is None]
        mine = [wish for wish in there if wish.place != self._aside]
        made = [wish for wish in mine if wish.done is not None and wish.done.action == CREATE]
        others = [_known(wish) for wish in mine if wish not in made and (wish.done or not wish.changes)]
        beside = [_known(wish) for wish in there if wish.place == self._aside]
        gone = [wish for wish in wishes if wish.removes and wish.error is None and _is_gone(wish)]
        self._ownership.settle(
            created=[_known(wish) for wish in made],
            found=beside if self._adopt else [*others, *beside],
            adopted=others if self._adopt else [],
            removed=[*(wish.place for wish in gone), *forgotten],
            not_made=[wish.place for wish in wishes if _was_not_made(wish)],
        )


def _known(wish: Wish) -> Known:
    return Known.of(wish.entry, wish.number)


def _plans(wish: Wish) -> str | None:
    return None if wish.planned is None else wish.planned.action


def _is_gone(wish: Wish) -> bool:
    if wish.done is not None:
        return wish.done.action in (DELETE, None)
    return _plans(wish) is None and wish.planned is not None


def _was_not_made(wish: Wish) -> bool:
    """Return whether it is certain that something which was to be made was not."""
    if wish.error is None or wish.removes or _plans(wish) != CREATE:
        return False
    return not wish.begun or (isinstance(wish.error, NO_EFFECT) and not has_changed(wish.error))
