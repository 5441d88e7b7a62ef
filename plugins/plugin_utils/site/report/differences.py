# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The options in which the two sides of a change differ, and which of them the reports for people show."""

from __future__ import annotations

import json
import typing as t

from ....module_utils._core.later import LATER
from ....module_utils._core.text import bounded, visible, visible_lines
from ....module_utils._core.type_aliases import JsonObject
from ..model import KINDS
from ..plan.plan_document import without_nulls
from .plan_contents import ReportedChange
from .wording import counted

FORCES = "forces replacement"
MAX_DIFF_DEPTH = 4
SHORT = 72
NO_VALUE = object()
"""Stands for an option that one side does not have."""

EMPTY_SIDES: tuple[t.Any, ...] = ("", [], {})


class Difference(t.NamedTuple):
    """One option; a side that does not have it is None, else the text of its value. ``forces``: a replacement."""

    option: str
    before: str | None
    after: str | None
    forces: bool = False


def differences(change: ReportedChange) -> list[Difference]:
    """Return the options that differ; those within mappings as ``network.name``.

    First come those that force a replacement, last those that the service computes, each in the order of the
    declaration.
    """
    found: list[Difference] = []
    for option, old, new in _walk(change.before, change.after, "", 1):
        before, after = (None if side is NO_VALUE else value_text(side) for side in (old, new))
        if before == after:  # a number and the text of the same digits are told as JSON
            before, after = json.dumps(old), json.dumps(new)
        found.append(Difference(option, before, after, option.partition(".")[0] in change.forced_by))
    return sorted(found, key=lambda one: 0 if one.forces else 2 if one.after == LATER else 1)


def _walk(before: JsonObject, after: JsonObject, above: str, depth: int) -> t.Iterator[tuple[str, object, object]]:
    for name in dict.fromkeys((*after, *before)):
        old, new = before.get(name, NO_VALUE), after.get(name, NO_VALUE)
        if NO_VALUE not in (old, new) and json.dumps(old, sort_keys=True) == json.dumps(new, sort_keys=True):
            continue  # the same as JSON, where true is not 1
        if isinstance(old, dict) and isinstance(new, dict) and depth < MAX_DIFF_DEPTH:
            yield from _walk(old, new, f"{above}{name}.", depth + 1)
        else:
            yield f"{above}{name}", old, new


def value_text(value: object) -> str:
    """Return a value as its reader would write it: texts bare, the rest as JSON, over several lines when it is long."""
    if isinstance(value, str):
        return value
    short = json.dumps(value, ensure_ascii=False)
    return short if len(short) <= SHORT else json.dumps(value, ensure_ascii=False, indent=2)


class Shown(t.NamedTuple):
    """What a report shows of a change, and how many more fields only the service can say after apply."""

    differences: list[Difference]
    later: int

    def later_line(self) -> str:
        """Return how many those are; empty for none."""
        return f"{counted(self.later, 'field')} {LATER}" if self.later else ""


def shown_differences(change: ReportedChange) -> Shown:
    """Return what to show: null is the same as nothing, and of something new, what is empty does not count."""
    before, after = without_nulls(change.before), without_nulls(change.after)
    if not before:
        after = {name: one for name, one in after.items() if one not in EMPTY_SIDES}
    for name in {*before, *after}:
        old, new = (_labelled(side.get(name)) for side in (before, after))
        if old != new:  # else only their numbers tell them apart, or what is not shown of them
            before, after = _with(before, name, old), _with(after, name, new)
    found = differences(change._replace(before=before, after=after))
    shown = [one for one in found if not _is_for_later(change, one)]
    return Shown(shown, len(found) - len(shown))


def _is_for_later(change: ReportedChange, one: Difference) -> bool:
    """Return whether only the service can say what it will be; what names another thing is shown all the same."""
    kind = KINDS.get(change.kind)
    if kind is not None and one.option in kind.references:
        return False
    if change.action == "replace":
        return one.after in (LATER, None) and not one.forces
    is_declared = kind is not None and one.option in kind.operation().options
    return one.after == LATER and (one.before is None or not is_declared)


def _with(side: t.Mapping[str, object], name: str, value: object) -> dict[str, t.Any]:
    return {**side, name: value} if name in side else dict(side)


def _labelled(value: object) -> t.Any:
    """Return plain data in which what the service gives as a number with a label stands in one text."""
    if isinstance(value, dict):
        known = isinstance(value.get("label"), str) and "id" in value
        return f"{value['label']} ({value['id']})" if known else value
    return [_labelled(one) for one in value] if isinstance(value, list) else value


def diff_lines(change: ReportedChange, most: int) -> list[str]:
    """Return what to show in lines that begin with ``- `` or ``+ ``; of each value at most so many characters."""
    shown, lines = shown_differences(change), []
    for option, before, after, forces in shown.differences:
        for sign, text in (("-", before), ("+", after)):
            if text is not None:
                first, *rest = visible_lines(bounded(text, most))
                mark = f"  ({FORCES})" if forces and sign == "+" and not rest else ""
                lines.append(f"{sign} {visible(bounded(option, most))}: {first}{mark}")
                lines += [f"{sign}   {line}" for line in rest]
    return [*lines, *([f"  {shown.later_line()}"] if shown.later else [])]
