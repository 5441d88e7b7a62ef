# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What differs between before and after, option by option."""

from __future__ import annotations

import json
import typing as t

from .plan_contents import Change

DEEPEST = 4
SHORT = 72
ABSENT = object()
"""Stands for an option that one side does not have."""

Options = t.Dict[str, t.Any]


class Difference(t.NamedTuple):
    """One option; a side that does not have it is None, else the text of its value."""

    option: str
    before: str | None
    after: str | None


def differences(change: Change) -> list[Difference]:
    """Return the options that differ, in the order of the declaration; those within mappings as ``network.name``."""
    return [_difference(*found) for found in _walk(change.before, change.after, "", 1)]


def _difference(option: str, old: t.Any, new: t.Any) -> Difference:
    """Return the two sides as texts that differ: a number and the text of the same digits are told as JSON."""
    before, after = (None if side is ABSENT else value_text(side) for side in (old, new))
    return (
        Difference(option, before, after) if before != after else Difference(option, json.dumps(old), json.dumps(new))
    )


def _walk(before: Options, after: Options, above: str, depth: int) -> t.Iterator[tuple[str, t.Any, t.Any]]:
    for name in dict.fromkeys((*after, *before)):
        old, new = before.get(name, ABSENT), after.get(name, ABSENT)
        if ABSENT not in (old, new) and _same(old, new):
            continue
        if isinstance(old, dict) and isinstance(new, dict) and depth < DEEPEST:
            yield from _walk(old, new, f"{above}{name}.", depth + 1)
        else:
            yield f"{above}{name}", old, new


def _same(old: t.Any, new: t.Any) -> bool:
    """Whether the two are the same as JSON, where true is not 1."""
    return json.dumps(old, sort_keys=True) == json.dumps(new, sort_keys=True)


def value_text(value: t.Any) -> str:
    """Return a value as its reader would write it: texts bare, the rest as JSON, over several lines when it is long."""
    if isinstance(value, str):
        return value
    short = json.dumps(value, ensure_ascii=False)
    return short if len(short) <= SHORT else json.dumps(value, ensure_ascii=False, indent=2)
