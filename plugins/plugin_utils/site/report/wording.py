# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The words of all reports: they say the same thing in every format."""

from __future__ import annotations

import json
import re
import typing as t

from ....module_utils._core.text import bounded, visible, visible_lines
from .plan_contents import ABSENT, COUNTED, DONE, ReportedChange, ReportedPlan

MARKS = {
    "create": "+",
    "update": "~",
    "replace": "\N{MINUS SIGN}/+",
    "delete": "\N{MINUS SIGN}",
    "adopt": "\N{LEFTWARDS ARROW}",
    "move": "\N{RIGHTWARDS ARROW}",
    "release": "\N{NORTH EAST ARROW}",
    "orphan": "?",
    "error": "!",
    "unchanged": "=",
}
TITLES = {
    "plan": "Plan",
    "apply": "Apply",
    "drift": "Drift",
    "prune": "Prune",
    "pruned": "Prune",
    "deprovision-plan": "Deprovision plan",
    "deprovision": "Deprovision",
}

_SAME = {"error": "error", "unchanged": "unchanged", "orphan": "orphan"}
_PLANNED = {
    **_SAME,
    "create": "create",
    "update": "update",
    "replace": "replace",
    "delete": "delete",
    "adopt": "adopt",
    "move": "move",
    "release": "release",
}
_DONE = {
    **_SAME,
    "create": "created",
    "update": "updated",
    "replace": "replaced",
    "delete": "deleted",
    "adopt": "adopted",
    "move": "moved",
    "release": "released",
}
BADGES = {
    "plan": _PLANNED,
    "apply": _DONE,
    "drift": {
        **_SAME,
        "create": "missing",
        "update": "different",
        "replace": "to be replaced",
        "delete": "unwanted",
        "adopt": "unowned",
        "move": "moved",
        "release": "unreleased",
    },
    "prune": {**_PLANNED, "unchanged": "already gone"},
    "pruned": {**_DONE, "unchanged": "already gone"},
    "deprovision-plan": {**_PLANNED, "unchanged": "gone or left alone"},
    "deprovision": {**_DONE, "unchanged": "gone or left alone"},
}
"""A word or a few for what becomes of an entry, by the mode. A site leaves alone what it has not made."""

_ORPHAN = "belongs to the site and is no longer declared"
SENTENCES = {
    "plan": {
        "create": "would be created",
        "update": "would be updated",
        "replace": "would be replaced: removed with all that is in it, and made again",
        "delete": "would be deleted",
        "adopt": "would become the site's own",
        "move": "would move within the site",
        "release": "would stay, and no longer belong to the site",
        "orphan": f"{_ORPHAN}; prune would delete it",
    },
    "apply": {
        "create": "was created",
        "update": "was updated",
        "replace": "was replaced: removed, and made again",
        "delete": "was deleted",
        "adopt": "became the site's own",
        "move": "moved within the site",
        "release": "stays, and no longer belongs to the site",
        "orphan": _ORPHAN,
    },
    "drift": {
        "create": "is declared and not there",
        "update": "is not as declared",
        "replace": "is not as declared, and only a replacement can make it so",
        "delete": "is there and declared absent",
        "adopt": "exists and is not the site's own yet",
        "move": "is owned under its former name",
        "release": "is still owned by the site",
        "orphan": _ORPHAN,
    },
}
SENTENCES["prune"] = SENTENCES["deprovision-plan"] = SENTENCES["plan"]
SENTENCES["pruned"] = SENTENCES["deprovision"] = SENTENCES["apply"]
"""What becomes of an entry, as the end of a sentence that begins with its name."""

SIDES = {mode: ("before", "after") if mode in DONE else ("now", "planned") for mode in TITLES}
SIDES["drift"] = ("found", "declared")
"""What the two sides of a difference are called."""

_NOTHING = {
    "drift": "No drift",
    "apply": "Nothing had to change",
    "prune": "Nothing to prune",
    "pruned": "Nothing to prune",
    "deprovision-plan": "Nothing to remove",
    "deprovision": "Nothing to remove",
}


def counted(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def entries_in_words(number: int) -> str:
    """Return so many entries, in words."""
    return counted(number, "entry", "entries")


def headline(plan: ReportedPlan) -> str:
    """Return the sentence that a reader in a hurry needs. Orphans are drift; a plan leaves them where they are."""
    orphans = 0 if plan.mode == "drift" else plan.counts["orphan"]
    changes = plan.differing - orphans
    parts = [
        _changes(plan.mode, changes) if changes else "",
        counted(orphans, "orphan") if orphans else "",
        counted(plan.wrong, "error") if plan.wrong else "",
    ]
    *first, last = [part for part in parts if part] or [_NOTHING.get(plan.mode, "Nothing to do")]
    return f"{', '.join(first)} and {last}." if first else f"{last}."


def _changes(mode: str, number: int) -> str:
    if mode == "drift":
        return f"Drift in {entries_in_words(number)}"
    if mode in ("plan", "apply"):
        return f"{counted(number, 'change')} {'made' if mode == 'apply' else 'planned'}"
    return f"{entries_in_words(number)} {'removed' if mode in DONE else 'to remove'}"


def extent(plan: ReportedPlan) -> str:
    """Return how many entries the run was about: prune is about those that are declared no longer."""
    what, nothing = "declared", "Nothing is declared"
    if plan.mode in ("prune", "pruned"):
        what, nothing = "no longer declared", "The site owns nothing removable that is no longer declared"
    elif plan.mode in ABSENT.values():
        what, nothing = "of the site", "The site has nothing that could be removed"
    return f"{entries_in_words(plan.entries)} {what}" if plan.entries else nothing


def kind_words(kind: str) -> str:
    """Return the name of a kind as people write it."""
    first, *rest = kind.split("_")
    begin = first.upper() if first in ("ip", "ssh") else first.capitalize()
    return " ".join([begin, *rest])


def summary(plan: ReportedPlan) -> str:
    """Return the counts that are not zero, in one line."""
    words = BADGES[plan.mode]
    told = [f"{plan.counts[name]:,} {words[name]}" for name in COUNTED if plan.counts[name]]
    return ", ".join(told) if told else "no entries"


def subject(plan: ReportedPlan) -> str:
    """Return what the report is about: the site, and which part of it in which environment."""
    stage = "" if plan.stage == "all" else plan.stage
    more = [word for word in (plan.environment, stage, plan.part and f"part {plan.part}") if word]
    return plan.site + (f" ({', '.join(more)})" if more else "")


FORCES = "forces replacement"
DEEPEST = 4
SHORT = 72
MISSING = object()
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
    """One option; a side that does not have it is None, else the text of its value. ``forces``: a replacement."""

    option: str
    before: str | None
    after: str | None
    forces: bool = False


def differences(change: ReportedChange) -> list[Difference]:
    """Return the options that differ, in the order of the declaration; those within mappings as ``network.name``."""
    found = []
    for option, old, new in _walk(change.before, change.after, "", 1):
        before, after = (None if side is MISSING else value_text(side) for side in (old, new))
        if before == after:  # a number and the text of the same digits are told as JSON
            before, after = json.dumps(old), json.dumps(new)
        found.append(Difference(option, before, after, option.partition(".")[0] in change.forced_by))
    return found


def _walk(before: Options, after: Options, above: str, depth: int) -> t.Iterator[tuple[str, t.Any, t.Any]]:
    for name in dict.fromkeys((*after, *before)):
        old, new = before.get(name, MISSING), after.get(name, MISSING)
        if MISSING not in (old, new) and json.dumps(old, sort_keys=True) == json.dumps(new, sort_keys=True):
            continue  # the same as JSON, where true is not 1
        if isinstance(old, dict) and isinstance(new, dict) and depth < DEEPEST:
            yield from _walk(old, new, f"{above}{name}.", depth + 1)
        else:
            yield f"{above}{name}", old, new


def value_text(value: t.Any) -> str:
    """Return a value as its reader would write it: texts bare, the rest as JSON, over several lines when it is long."""
    if isinstance(value, str):
        return value
    short = json.dumps(value, ensure_ascii=False)
    return short if len(short) <= SHORT else json.dumps(value, ensure_ascii=False, indent=2)


def diff_lines(change: ReportedChange, most: int) -> list[str]:
    """Return lines that begin with ``- `` or ``+ ``; of each value at most so many characters."""
    lines = []
    for option, before, after, forces in differences(change):
        for sign, text in (("-", before), ("+", after)):
            if text is not None:
                first, *rest = visible_lines(bounded(text, most))
                mark = f"  ({FORCES})" if forces and sign == "+" and not rest else ""
                lines.append(f"{sign} {visible(bounded(option, most))}: {first}{mark}")
                lines += [f"{sign}   {line}" for line in rest]
    return lines
