# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What there is to do: both sides gone through together, name by name, before anything is done."""

from __future__ import annotations

import typing as t

from .._core.errors import FcdError
from .checksum_cache import NOTHING, Known
from .entries import Local, Remote

Side = t.Union[Local, Remote]


class Item(t.NamedTuple):
    """A name to bring in sync. ``reason``: why; empty when only reading the content can tell whether it has to be."""

    name: str
    source: t.Any
    target: t.Any
    reason: str = ""
    known: Known = NOTHING


class Verdict(t.NamedTuple):
    """What is to be done about a name: one of these, or nothing at all."""

    item: Item | None = None
    surplus: bool = False
    same: bool = False
    problem: FcdError | None = None


IGNORED, SURPLUS, SAME = Verdict(), Verdict(surplus=True), Verdict(same=True)


class Plan:
    """``whole`` counts what is on the target, ``surplus`` is what is there and not on the source."""

    def __init__(self) -> None:
        self.items: list[Item] = []
        self.surplus: list[t.Any] = []
        self.whole = 0
        self.same = 0


def make_plan(
    pairs: t.Iterable[tuple[str, t.Any, t.Any]],
    judge: t.Callable[[str, t.Any, t.Any], Verdict],
    problem: t.Callable[[str, FcdError], None],
) -> Plan:
    """Return the plan. Only what there is to do about is kept of each name."""
    plan = Plan()
    for name, source, target in pairs:
        plan.whole += target is not None
        verdict = judge(name, source, target)
        if verdict.same:
            plan.same += 1
        elif verdict.item is not None:
            plan.items.append(verdict.item)
        elif verdict.surplus:
            plan.surplus.append(target)
        elif verdict.problem is not None:
            problem(name, verdict.problem)
    return plan
