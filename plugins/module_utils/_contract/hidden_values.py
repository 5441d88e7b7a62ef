# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Secret and personal values, hidden in results and differences.

National IDs (pesel) are only shown if requested; passwords, tokens and the like never. It is not known which types hold
them, so every member with such a name counts, on any level.
"""

from __future__ import annotations

import itertools
import typing as t

from .._connection.secret_inputs import HARMLESS
from .._connection.task import Params, Task
from .._core.text import HIDDEN, HIDDEN_CHANGED, fold, names_a_secret
from .._core.type_aliases import JsonObject

NATIONAL_ID = "pesel"
SHOW = "show_pesel"


def hide_personal(task: Task, params: Params, value: object) -> t.Any:
    """Return the value with secret and personal texts and numbers hidden."""
    mapped = task.settings["soap_member_map"] or {}
    ids = {fold(member) for name, member in mapped.items() if fold(name.rpartition(".")[2]) == NATIONAL_ID}

    def hides(key: str) -> bool:
        word = fold(key)
        if word in ids or NATIONAL_ID in word:
            return not params.get(SHOW)
        return word not in HARMLESS and names_a_secret(key)

    return _hide(value, hides)


def _hide(value: object, hides: t.Callable[[str], bool], key: str = "") -> object:
    """Return the value of a key; texts in a list are shown."""
    if isinstance(value, list):
        return [_hide(entry, hides) for entry in value]
    if isinstance(value, dict):
        return {name: _hide(entry, hides, name) for name, entry in value.items()}
    is_text = key and value is not None and not isinstance(value, bool)
    return HIDDEN if is_text and hides(key) else value


def without_secrets(task: Task, value: object) -> t.Any:
    """Return the value with passwords, tokens and national ids hidden on every level."""
    return hide_personal(task, {}, value)


def diff_without_secrets(task: Task, before: JsonObject, after: JsonObject) -> tuple[JsonObject, JsonObject]:
    """Return both sides of a diff; hidden values that differ say so. ``members`` would repeat them."""
    sides = [{name: value for name, value in side.items() if name != "members"} for side in (before, after)]
    old, new = (without_secrets(task, side) for side in sides)
    return old, _mark_changes(new, sides[0], sides[1])


def _mark_changes(shown: t.Any, before: t.Any, after: t.Any) -> t.Any:
    if isinstance(shown, dict):
        known = before if isinstance(before, dict) else {}
        return {name: _mark_changes(value, known.get(name), after[name]) for name, value in shown.items()}
    if isinstance(shown, list):
        same_place = itertools.chain(before if isinstance(before, list) else (), itertools.repeat(None))
        return list(map(_mark_changes, shown, same_place, after))
    return HIDDEN_CHANGED if shown == HIDDEN and after not in (before, HIDDEN) else shown
