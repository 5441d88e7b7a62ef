# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the service says or is told, without what is nobody's business, for results and differences."""

from __future__ import annotations

import typing as t

from .._engine.plan import HIDDEN_CHANGED
from .._session.task import Task
from .personal import HIDDEN, hidden

Record = t.Dict[str, t.Any]


def concealed(task: Task, value: t.Any) -> t.Any:
    """Return the value with passwords, tokens and national ids hidden on every level."""
    return hidden(task, {}, value)


def concealed_sides(task: Task, before: Record, after: Record) -> tuple[Record, Record]:
    """Return both sides of a difference; what is hidden and differs says so. ``members`` would say it twice."""
    sides = [{name: value for name, value in side.items() if name != "members"} for side in (before, after)]
    old, new = (concealed(task, side) for side in sides)
    return old, _marked(new, sides[0], sides[1])


def _marked(shown: t.Any, before: t.Any, after: t.Any) -> t.Any:
    if isinstance(shown, dict):
        known = before if isinstance(before, dict) else {}
        return {name: _marked(value, known.get(name), after[name]) for name, value in shown.items()}
    if isinstance(shown, list):
        known_list = before if isinstance(before, list) else []
        return [
            _marked(value, known_list[index] if index < len(known_list) else None, after[index])
            for index, value in enumerate(shown)
        ]
    return HIDDEN_CHANGED if shown == HIDDEN and after not in (before, HIDDEN) else shown
