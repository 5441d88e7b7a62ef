# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The plan on a terminal: a line for each entry with its sign, below it what changes, and all in one line in the end.

After an apply, the outputs of the site, a line for each.

What cannot be printed, such as the escapes that move a cursor, stands there as an escape sequence of Python.
"""

from __future__ import annotations

import difflib
import typing as t

from ....module_utils._core.text import bounded, name_in_line, no_command, visible, visible_lines
from ..plan.plan_document import without_nulls
from .differences import FORCES, Difference, Shown, differences, shown_differences, value_text
from .plan_contents import ReportedChange, ReportedFailure, ReportedPlan, reported_plan
from .wording import (
    ACTION_MARKS,
    BADGES,
    PARTIAL,
    REPORT_TITLES,
    counted,
    edit_lines,
    mark,
    notes,
    only_targets,
    remark_lines,
    subject,
)

_ASCII = str.maketrans(
    {"\N{MINUS SIGN}": "-", "\N{LEFTWARDS ARROW}": "<", "\N{RIGHTWARDS ARROW}": ">", "\N{NORTH EAST ARROW}": "^"}
)
"""How the signs of the other reports are written on any terminal."""

_COLOURS = {
    "create": "COLOR_DIFF_ADD",
    "update": "COLOR_CHANGED",
    "replace": "COLOR_DIFF_REMOVE",
    "delete": "COLOR_DIFF_REMOVE",
    "adopt": "COLOR_DIFF_LINES",
    "move": "COLOR_DIFF_LINES",
    "release": "COLOR_DIFF_LINES",
    "orphan": "COLOR_WARN",
    "error": "COLOR_ERROR",
}
WARNING = "COLOR_WARN"
LEAVING = ("delete", "orphan", "release")
"""What does not change but goes or stays: its options are only shown where all is asked for."""

MAX_ENTRIES = 1000
MAX_VALUE, MAX_MESSAGE = 100, 2000
MAX_DIFF_LINES = 12
INDENT = " " * 8


class TerminalLine(t.NamedTuple):
    """A line with the name of one of Ansible's colours; empty for that of the terminal."""

    text: str
    colour: str = ""


def plan_lines(plan: t.Mapping[str, object], *, everything: bool = False) -> list[TerminalLine]:
    """Return the lines. ``everything``: also options of what goes, those known after apply, and any number of entries.

    Raises InvalidInput when it is no plan.
    """
    whole = reported_plan(plan, "plan")
    shown = whole.changes if everything else whole.changes[:MAX_ENTRIES]
    more = len(whole.changes) - len(shown)
    lines = [
        *([TerminalLine(only_targets(whole), WARNING)] if whole.targets else []),
        TerminalLine(f"{REPORT_TITLES[whole.mode]} of {visible(subject(whole))}:"),
        *(line for change in shown for line in _of_change(change, everything=everything)),
        *([TerminalLine(f"    ... and {counted(more, 'more change')}; the reports have all of them")] if more else []),
        *(line for failure in whole.failures for line in _of_failure(failure)),
        *(TerminalLine(f"  {ACTION_MARKS['error']:>3} {text}", WARNING) for text in edit_lines(whole)),
        *(TerminalLine(f"  {note}") for note in notes(whole)),
        TerminalLine(_last(whole)),
    ]
    return [line._replace(text=no_command(line.text)) for line in lines]


def output_lines(outputs: t.Mapping[str, object]) -> list[str]:
    """Return a heading and a line for each output; nothing without any."""
    told = [f"  {name_in_line(name)} = {_in_line(value_text(one), MAX_MESSAGE)}" for name, one in outputs.items()]
    return ["Outputs:", *told] if told else []


def _of_change(change: ReportedChange, *, everything: bool) -> t.Iterator[TerminalLine]:
    colour = _COLOURS[change.action]
    said = "; ".join(filter(None, (name_in_line(change.source), *remark_lines(change))))
    about = f"{change.kind} {name_in_line(change.name)}"
    yield TerminalLine(f"  {mark(change).translate(_ASCII):>3} {about}{f'  ({said})' if said else ''}", colour)
    shown = _shown(change, everything=everything)
    for one in shown.differences:
        yield from (TerminalLine(f"{INDENT}{text}", colour) for text in _of_field(one))
    if shown.later:
        yield TerminalLine(f"{INDENT}{shown.later_line()}", colour)


def _shown(change: ReportedChange, *, everything: bool) -> Shown:
    if everything:
        whole = change._replace(before=without_nulls(change.before), after=without_nulls(change.after))
        return Shown(differences(whole), 0)
    return Shown([], 0) if change.action in LEAVING else shown_differences(change)


def _of_field(one: Difference) -> list[str]:
    name = visible(bounded(one.option, MAX_VALUE))
    note = f"  # {FORCES}" if one.forces else ""
    if one.before is None:
        return [f"{name}: {_in_line(one.after)}{note}"]
    if one.after is None or not ("\n" in one.before or "\n" in one.after):
        after = "not set" if one.after is None else _in_line(one.after)
        return [f"{name}: {_in_line(one.before)} -> {after}{note}"]
    return [f"{name}:{note}", *(f"  {line}" for line in _small_diff(one.before, one.after))]


def _in_line(text: str | None, most: int = MAX_VALUE) -> str:
    """Return a value in one line; an empty text would look like nothing at all."""
    words = " ".join((text or "").split()) if "\n" in (text or "") else text
    return visible(bounded(words, most)) if words else '""'


def _small_diff(before: str, after: str) -> list[str]:
    """Return the lines that differ, with one of those around them; of many the first."""
    sides = visible_lines(before), visible_lines(after)
    lines = [
        line for line in difflib.unified_diff(*sides, n=1, lineterm="") if not line.startswith(("---", "+++", "@@"))
    ]
    more = len(lines) - MAX_DIFF_LINES
    told = [bounded(line, MAX_VALUE) for line in lines[:MAX_DIFF_LINES]]
    return [*told, f"... and {counted(more, 'more line')}"] if more > 0 else told


def _of_failure(failure: ReportedFailure) -> t.Iterator[TerminalLine]:
    about = f"{failure.kind} {name_in_line(failure.name)}" if failure.name else "the whole site"
    where = f"  ({name_in_line(failure.source)})" if failure.source else ""
    yield TerminalLine(f"  {ACTION_MARKS['error']:>3} {about}{where}", _COLOURS["error"])
    for text in filter(None, (failure.message, failure.next_step)):
        for line in visible_lines(bounded(text, MAX_MESSAGE)):
            yield TerminalLine(f"{INDENT}{line}", _COLOURS["error"])


def _last(plan: ReportedPlan) -> str:
    """Return the counts that are not 0, and what stays."""
    same = BADGES[plan.mode]["unchanged"]
    edited = plan.edited_only()
    others = {
        "no longer declared": plan.counts["orphan"],
        "as declared" if same == "unchanged" else same: plan.counts["unchanged"] - edited,
        "with edits that are not sent": edited,
    }
    told = [*filter(None, [_to_do(plan)]), *(f"{number:,} {words}" for words, number in others.items() if number)]
    if plan.wrong:
        told.append(counted(plan.wrong, "error"))
    if plan.targets:
        told.append(f"{PARTIAL[0].lower()}{PARTIAL[1:]}")
    return f"{REPORT_TITLES[plan.mode]}: {'; '.join(told)}."


def _to_do(plan: ReportedPlan) -> str:
    """Return what differs, as a drift report calls it, or what is to be done; empty if only errors tell."""
    is_drift = plan.mode == "drift"
    words = {action: BADGES["drift"][action] if is_drift else f"to {action}" for action in _TO_DO}
    told = [f"{plan.counts[action]:,} {words[action]}" for action in _TO_DO if plan.counts[action]]
    nothing = "" if plan.wrong else "no differences" if is_drift else "nothing to do"
    return ", ".join(told) or nothing


_TO_DO = ("create", "update", "replace", "delete", "adopt", "move", "release")
