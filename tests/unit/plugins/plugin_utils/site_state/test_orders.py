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

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import Unreachable
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.state.registry import Ownership
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.state.registry_document import CREATING, Key, Owned

from .conftest import MemoryPlace, known

KEYS = st.sampled_from([("disks", "a"), ("disks", "b"), ("instances", "a")])
DOCUMENTS = st.sampled_from(["whole", "part-1-of-2", "part-2-of-2", "part-1-of-3"])
FAILURES = st.sampled_from([None, None, "before", "after"])
ENDS = st.sampled_from([None, None, "refused", "intended", "removed", "made"])
KILLS = st.sampled_from([None, None, "intended", "made"])


class Runs(RuleBasedStateMachine):
    """One run after the other works with the registry; ``world`` has the number of each object and who made it."""

    def __init__(self) -> None:
        super().__init__()
        self.place = MemoryPlace()
        self.world: dict[Key, tuple[int, str]] = {}
        self.run: Ownership | None = None
        self.numbers = 0

    @rule(document=DOCUMENTS)
    def begin(self, document: str) -> None:
        """Begin a run; one that was under way was killed."""
        self.run = Ownership(self.place, "web-shop", document, None, check_mode=False)

    @precondition(lambda self: self.run)
    @rule(key=KEYS, fails=FAILURES, kill=KILLS, failed_settle=FAILURES)
    def ensure(self, key: Key, fails: str | None, kill: str | None, failed_settle: str | None) -> None:
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
    def try_in_vain(self, key: Key) -> None:
        assert self.run
        if key not in self.world:
            self.run.intend([known(key)])
            self.run.settle(not_made=[key])
            assert key not in self._now()

    @precondition(lambda self: self.run)
    @rule(key=KEYS, fails=FAILURES, ends=ENDS)
    def replace(self, key: Key, fails: str | None, ends: str | None) -> None:
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
    def somebody_makes(self, key: Key) -> None:
        """Somebody makes one of this name; not while the site may be about it, which nobody could tell apart."""
        pending = any(entry.phase == CREATING for entry in (self._now().get(key),) if entry)
        if key not in self.world and not pending:
            self._make(key, "somebody")

    @rule(key=KEYS)
    def somebody_removes(self, key: Key) -> None:
        self.world.pop(key, None)

    @rule(key=KEYS)
    def somebody_replaces(self, key: Key) -> None:
        self.somebody_removes(key)
        self.somebody_makes(key)

    @precondition(lambda self: self.run)
    @rule(declared=st.sets(KEYS), failed_settle=FAILURES)
    def prune(self, declared: set[Key], failed_settle: str | None) -> None:
        """Look at what is there, then remove the orphans, as a run does."""
        assert self.run
        self.run.settle(found=[known(key, number) for key, (number, _who) in self.world.items() if key in self._now()])
        going = [entry.key for entry in self.run.orphans(declared)]
        for key in going:
            assert self.world.get(key, (0, "site"))[1] == "site"
            self.world.pop(key, None)
        self._settled(failed_settle, removed=going)

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

    def _now(self) -> dict[Key, Owned]:
        """Return what a new run would see."""
        return Ownership(self.place, "web-shop", "whole", None, check_mode=False).owned()

    def _make(self, key: Key, who: str) -> None:
        self.numbers += 1
        self.world[key] = (self.numbers, who)

    def _settled(self, fails: str | None, **outcomes: t.Any) -> None:
        assert self.run
        self.place.fails = fails
        with contextlib.suppress(Unreachable):
            self.run.settle(**outcomes)
        self.place.fails = None


TestRuns = Runs.TestCase
TestRuns.settings = settings(max_examples=80, stateful_step_count=25, deadline=None)
