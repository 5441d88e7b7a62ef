# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Secret and personal values, hidden in results and differences.

National ids (pesel) are shown only where they are asked for; passwords, tokens and the like not at all. Which types
hold them is not known (wire-facts 9.4), so every member counts that has such a name, on any level.
"""

from __future__ import annotations

import typing as t

from .._connection.task import Params, Task
from .._core.text import fold, names_a_secret
from .._engine.plan import HIDDEN_CHANGED

HIDDEN = "(hidden)"
NATIONAL_ID = "pesel"
SHOW = "show_pesel"
HARMLESS = "code"  # in an answer it is that of a service, a currency or an action, and lets nobody in
Record = t.Dict[str, t.Any]


def hide_personal(task: Task, params: Params, value: t.Any) -> t.Any:
    """Return the value with the texts and numbers hidden that are nobody's business."""
    mapped = task.settings["soap_member_map"] or {}
    ids = {fold(member) for name, member in mapped.items() if fold(name.rpartition(".")[2]) == NATIONAL_ID}
    return _hidden(value, ids, show=bool(params.get(SHOW)))


def _hidden(value: t.Any, ids: t.Container[str], *, show: bool) -> t.Any:
    if isinstance(value, list):
        return [_hidden(entry, ids, show=show) if isinstance(entry, (dict, list)) else entry for entry in value]
    if not isinstance(value, dict):
        return value
    return {key: _entry(key, entry, ids, show=show) for key, entry in value.items()}


def _entry(key: str, value: t.Any, ids: t.Container[str], *, show: bool) -> t.Any:
    if isinstance(value, (dict, list)):
        return _hidden(value, ids, show=show)
    if value is None or isinstance(value, bool):
        return value
    word = fold(key)
    if word in ids or NATIONAL_ID in word:
        return value if show else HIDDEN
    return HIDDEN if word != HARMLESS and names_a_secret(key) else value


def without_secrets(task: Task, value: t.Any) -> t.Any:
    """Return the value with passwords, tokens and national ids hidden on every level."""
    return hide_personal(task, {}, value)


def diff_without_secrets(task: Task, before: Record, after: Record) -> tuple[Record, Record]:
    """Return both sides of a difference; what is hidden and differs says so. ``members`` would say it twice."""
    sides = [{name: value for name, value in side.items() if name != "members"} for side in (before, after)]
    old, new = (without_secrets(task, side) for side in sides)
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
