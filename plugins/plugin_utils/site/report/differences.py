# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The differences of an entry, as values and as lines of plain text, and where it is declared."""

from __future__ import annotations

import json
import re
import typing as t

from ....module_utils._core.text import bounded, visible, visible_lines
from .plan_contents import ReportedChange

DEEPEST = 4
SHORT = 72
ABSENT = object()
"""Stands for an option that one side does not have."""

Options = t.Dict[str, t.Any]
_POSITION = re.compile(r"(.+?):([1-9]\d{0,8})(?::\d+)?", re.DOTALL)


class Position(t.NamedTuple):
    """A file as the plan names it, and a line that counts from 1; 1 where it is not known."""

    file: str
    line: int


def position(source: str) -> Position | None:
    """Return the position that a source names; None where it names none."""
    found = _POSITION.fullmatch(source)
    if found:
        return Position(found.group(1), int(found.group(2)))
    return Position(source, 1) if source else None


class Difference(t.NamedTuple):
    """One option; a side that does not have it is None, else the text of its value."""

    option: str
    before: str | None
    after: str | None


def differences(change: ReportedChange) -> list[Difference]:
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


def diff_lines(change: ReportedChange, most: int) -> list[str]:
    """Return lines that begin with ``- `` or ``+ ``; of each value at most so many characters."""
    return [line for difference in differences(change) for line in _lines(difference, most)]


def _lines(difference: Difference, most: int) -> list[str]:
    sides = (("-", difference.before), ("+", difference.after))
    return [line for sign, text in sides if text is not None for line in _side(sign, difference.option, text, most)]


def _side(sign: str, option: str, text: str, most: int) -> list[str]:
    first, *rest = visible_lines(bounded(text, most))
    return [f"{sign} {visible(bounded(option, most))}: {first}", *(f"{sign}   {line}" for line in rest)]
