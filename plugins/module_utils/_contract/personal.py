# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What readers do not show: the national id (pesel) unless it is asked for, and passwords, tokens and the like at all.

Which types hold them is not known (wire-facts 9.4), so every member counts that has such a name, on any level.
"""

from __future__ import annotations

import typing as t

from .._core.names import fold, names_a_secret
from .._session.operation import Params
from .._session.task import Task

HIDDEN = "(hidden)"
NATIONAL_ID = "pesel"
SHOW = "show_pesel"
HARMLESS = "code"  # in an answer it is that of a service, a currency or an action, and lets nobody in


def hidden(task: Task, params: Params, value: t.Any) -> t.Any:
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
