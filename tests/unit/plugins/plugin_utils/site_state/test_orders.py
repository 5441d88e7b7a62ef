# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whatever the order of intents, kills, failed writes and settles: what the site made is its own, all else is not."""

from __future__ import annotations

import contextlib
import typing as t

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput, Unreachable
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.model import Place
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.registry.registry import Ownership
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.registry.registry_document import CREATING, Owned

from .conftest import MemoryPlace, known

KEYS = st.sampled_from([("disks", "a"), ("disks", "b"), ("instances", "a")])
DISKS = st.sampled_from([("disks", name) for name in "abc"])
DOCUMENTS = st.sampled_from(["whole", "part-1-of-2", "part-2-of-2", "part-1-of-3"])
FAILURES = st.sampled_from([None, None, "before", "after"])
ENDS = st.sampled_from([None, None, "refused", "intended", "removed", "made"])
KILLS = st.sampled_from([None, None, "intended", "made"])


class Runs(RuleBasedStateMachine):
    """One run after the other works with the registry; ``world`` has the number of each object and who made it."""

    def __init__(self) -> None:
        super().__init__()
        self.place = MemoryPlace()
        self.world: dict[Place, tuple[int, str]] = {}
        self.run: Ownership | None = None
        self.numbers = 0

    @rule(document=DOCUMENTS)
    def begin(self, document: str) -> None:
        """Begin a run; one that was under way was killed."""
        self.run = Ownership(self.place, "web-shop", document, None, check_mode=False)

    @precondition(lambda self: self.run)
    @rule(key=KEYS, fails=FAILURES, kill=KILLS, failed_settle=FAILURES)
    def ensure(self, key: Place, fails: str | None, kill: str | None, failed_settle: str | None) -> None:
        assert self.run
        if key in self.world:
            self._settled(failed_settle, found=[known(key, self.world[key][0])])
            return
        self.place.fails = fails
        try:
            self.run.intend([known(key)])
        except Unreachable:
            return  # and so it is not made
        finally:
            self.place.fails = None
        if kill != "intended":
            self._make(key, "site")
        if kill:
            self.run = None
            return
        self._settled(failed_settle, created=[known(key, self.world[key][0])])

    @precondition(lambda self: self.run)
    @rule(key=KEYS)
    def try_in_vain(self, key: Place) -> None:
        assert self.run
        if key not in self.world:
            self.run.intend([known(key)])
            self.run.settle(not_made=[key])
            assert key not in self._now()

    @precondition(lambda self: self.run)
    @rule(key=KEYS, fails=FAILURES, ends=ENDS)
    def replace(self, key: Place, fails: str | None, ends: str | None) -> None:
        """Remove what the site has made, and make another one: it stays the site's own, wherever that ends."""
        assert self.run
        if self.world.get(key, (0, "nobody"))[1] != "site":
            return
        self.place.fails = fails
        try:
            self.run.intend([known(key, self.world[key][0])])
        except Unreachable:
            return
        finally:
            self.place.fails = None
        if ends == "refused":
            self.run.settle(not_made=[key])
        elif ends != "intended":
            self.world.pop(key)
            if ends != "removed":
                self._make(key, "site")
        if ends in ("intended", "removed", "made"):
            self.run = None
        elif ends is None:
            self.run.settle(created=[known(key, self.world[key][0])])

    @rule(key=KEYS)
    def somebody_makes(self, key: Place) -> None:
        """Somebody makes one of this name; not while the site may be about it, which nobody could tell apart."""
        pending = any(entry.phase == CREATING for entry in (self._now().get(key),) if entry)
        if key not in self.world and not pending:
            self._make(key, "somebody")

    @rule(key=KEYS)
    def somebody_removes(self, key: Place) -> None:
        self.world.pop(key, None)

    @rule(key=KEYS)
    def somebody_replaces(self, key: Place) -> None:
        self.somebody_removes(key)
        self.somebody_makes(key)

    @precondition(lambda self: self.run)
    @rule(declared=st.sets(KEYS), failed_settle=FAILURES)
    def prune(self, declared: set[Place], failed_settle: str | None) -> None:
        """Look at what is there, then remove the orphans, as a run does."""
        assert self.run
        self.run.settle(found=[known(key, number) for key, (number, _who) in self.world.items() if key in self._now()])
        going = [entry.place for entry in self.run.orphans(declared)]
        for key in going:
            assert self.world.get(key, (0, "site"))[1] == "site"
            self.world.pop(key, None)
        self._settled(failed_settle, removed=going)

    @precondition(lambda self: self.run)
    @rule(moves=st.dictionaries(DISKS, DISKS, min_size=1), fails=FAILURES)
    def rename(self, moves: dict[Place, Place], fails: str | None) -> None:
        """Give things other names, several at once: they keep their numbers, or nothing at all is changed."""
        assert self.run
        before = self.run.owned()
        moves = {old: new for old, new in moves.items() if old in before}
        going = {old: new for old, new in moves.items() if self._is_that(before[old])}
        if any(new in self.world and new not in going for new in moves.values()):
            return  # the name is somebody else's
        pairs = [(old, known(new).with_fields(protected=before[old].protected)) for old, new in moves.items()]
        self.place.fails = fails
        try:
            self.run.renamed(pairs)
        except InvalidInput:
            assert self.run.owned() == before
            return
        except Unreachable:
            self.run.settle()  # what could not be written is written by the next
        finally:
            self.place.fails = None
        numbers = {moves.get(place, place): (entry.id, entry.protected) for place, entry in before.items()}
        assert {place: (entry.id, entry.protected) for place, entry in self._now().items()} == numbers
        moved = {going[old]: self.world.pop(old) for old in going}
        self.world.update(moved)

    @precondition(lambda self: self.run)
    @rule(key=KEYS, fails=FAILURES)
    def release(self, key: Place, fails: str | None) -> None:
        """Have the site own it no longer: it stays, and is nobody's that this site knows."""
        assert self.run
        self.place.fails = fails
        try:
            self.run.released([key])
        except Unreachable:
            self.run.settle()
        self.place.fails = None
        assert key not in self._now()
        if key in self.world:
            self.world[key] = (self.world[key][0], "somebody")

    @precondition(lambda self: self.run)
    @rule(key=KEYS)
    def protect(self, key: Place) -> None:
        assert self.run
        owned = self.run.owned().get(key)
        if owned is not None and self._is_that(owned):
            self.run.settle(found=[known(key, self.world[key][0]).with_fields(protected=True)])
            assert self._now()[key].protected
            assert self._now()[key].prunable == (self.world[key][1] == "site")

    def _is_that(self, owned: Owned) -> bool:
        """Whether what is there is what the registry means: what was about to be replaced may have a new number."""
        there = self.world.get(owned.place)
        return there is not None and (owned.phase == CREATING or owned.id in (None, there[0]))

    @precondition(lambda self: self.run)
    @rule()
    def look(self) -> None:
        assert self.run
        self.run.settle()
        assert self._now() == self.run.owned()

    @invariant()
    def what_the_site_made_is_its_own(self) -> None:
        owned = self._now()
        for key, (_number, who) in self.world.items():
            if who == "site":
                assert owned[key].prunable
            elif key in owned and owned[key].prunable:  # of an object that is gone; the number tells
                assert owned[key].id not in (None, self.world[key][0])

    def _now(self) -> dict[Place, Owned]:
        """Return what a new run would see."""
        return Ownership(self.place, "web-shop", "whole", None, check_mode=False).owned()

    def _make(self, key: Place, who: str) -> None:
        self.numbers += 1
        self.world[key] = (self.numbers, who)

    def _settled(self, fails: str | None, **outcomes: t.Any) -> None:
        assert self.run
        self.place.fails = fails
        with contextlib.suppress(Unreachable):
            self.run.settle(**outcomes)
        self.place.fails = None


TestRuns = Runs.TestCase
TestRuns.settings = settings(max_examples=settings().max_examples * 4 // 5, stateful_step_count=25)
