# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The words of all reports: they say the same thing in every format."""

from __future__ import annotations

import collections
import re
import typing as t

from ....module_utils._core.text import join_names, name_in_line
from .plan_contents import ABSENT, COUNTED_ACTIONS, DONE, ReportedChange, ReportedPlan

ACTION_MARKS = {
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
MARK_FIRST = "+/\N{MINUS SIGN}"
"""That of a replacement in which the new thing is created before the old one goes."""

REPORT_TITLES = {
    "plan": "Plan",
    "apply": "Apply",
    "drift": "Drift",
    "prune": "Prune",
    "pruned": "Prune",
    "deprovision-plan": "Deprovision plan",
    "deprovision": "Deprovision",
}

_SAME = {"error": "error", "unchanged": "unchanged", "orphan": "no longer declared"}
_PLANNED = {action: _SAME.get(action, action) for action in COUNTED_ACTIONS}
_DONE = {action: _SAME.get(action, f"{action.removesuffix('e')}ed") for action in COUNTED_ACTIONS}
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
    "deprovision-plan": {**_PLANNED, "unchanged": "already gone or not owned"},
    "deprovision": {**_DONE, "unchanged": "already gone or not owned"},
}
"""A word or a few for what becomes of an entry, by the mode. A site removes nothing that it does not own."""

_ORPHAN = "belongs to the site and is no longer declared"
SENTENCES = {
    "plan": {
        "create": "would be created",
        "update": "would be updated",
        "replace": "would be replaced: removed with everything in it, and created again",
        "delete": "would be deleted",
        "adopt": "would become the site's own",
        "move": "would move within the site",
        "release": "would stay, and no longer belong to the site",
        "orphan": f"{_ORPHAN}; prune would delete it",
    },
    "apply": {
        "create": "was created",
        "update": "was updated",
        "replace": "was replaced: removed, and created again",
        "delete": "was deleted",
        "adopt": "became the site's own",
        "move": "moved within the site",
        "release": "stays, and no longer belongs to the site",
        "orphan": _ORPHAN,
    },
    "drift": {
        "create": "is declared and does not exist",
        "update": "differs from the declaration",
        "replace": "differs from the declaration in something that only a replacement can change",
        "delete": "exists and is declared absent",
        "adopt": "exists and is not the site's own yet",
        "move": "is owned under its former name",
        "release": "is still owned by the site",
        "orphan": _ORPHAN,
    },
}
SENTENCES["prune"] = SENTENCES["deprovision-plan"] = SENTENCES["plan"]
SENTENCES["pruned"] = SENTENCES["deprovision"] = SENTENCES["apply"]
"""What becomes of an entry, as the end of a sentence that begins with its name."""

SIDE_TITLES = {mode: ("before", "after") if mode in DONE else ("now", "planned") for mode in REPORT_TITLES}
SIDE_TITLES["drift"] = ("found", "declared")
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
        f"{orphans:,} {_SAME['orphan']}" if orphans else "",
        counted(plan.wrong, "error") if plan.wrong else "",
    ]
    *first, last = [part for part in parts if part] or [_NOTHING.get(plan.mode, "Nothing to do")]
    return f"{', '.join(first)}{' and ' if first else ''}{last}.{_aside(plan)}"


def _aside(plan: ReportedPlan) -> str:
    """Return the sentence about what a drift report does not count; nothing where it counts all."""
    aside = sum(not change.minded for change in plan.changes)
    verb = "is" if aside == 1 else "are"
    return f" {entries_in_words(aside)} not changed at the service {verb} not counted." if aside else ""


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
    told = [f"{plan.counts[name]:,} {words[name]}" for name in COUNTED_ACTIONS if plan.counts[name]]
    return ", ".join(told) if told else "no entries"


def subject(plan: ReportedPlan) -> str:
    """Return what the report is about: the site, and which part of it in which environment."""
    stage = "" if plan.stage == "all" else plan.stage
    more = [word for word in (plan.environment, stage, plan.part and f"part {plan.part}") if word]
    return plan.site + (f" ({', '.join(more)})" if more else "")


RARE = ("adopt", "move", "release")
"""What few plans have: it is only shown where there is any."""


def shown_counts(plan: ReportedPlan) -> dict[str, int]:
    """Return the counts that a reader looks for, the rare ones only where they are not 0."""
    return {action: number for action, number in plan.counts.items() if number or action not in RARE}


PARTIAL = "Only these entries and what they need"
REST_UNSEEN = "The rest of the site was not looked at."


def only_targets(plan: ReportedPlan) -> str:
    """Return the warning that comes first: a plan of some entries is not the whole truth. Empty for a whole plan."""
    if not plan.targets:
        return ""
    return f"{PARTIAL}: {join_names([name_in_line(name) for name in plan.targets])}. {REST_UNSEEN}"


_NOT_APPLIED = "not applied yet"
_EDITED, _DRIFTED = "edited in the file", "changed at the service"
_SINCE = {(True, False): _EDITED, (False, True): _DRIFTED, (True, True): f"{_EDITED} and {_DRIFTED}"}
"""What happened since the last apply, by ``edited`` and ``drifted``."""


def _since(change: ReportedChange) -> str:
    return _SINCE.get((bool(change.edited), bool(change.drifted)), "")


def since_last_apply_line(plan: ReportedPlan) -> str:
    """Return how many entries were edited, changed by others, or both; empty where nobody knows of any."""
    counts = collections.Counter(map(_since, plan.changes))
    told = [f"{counts[words]:,} {words}" for words in _SINCE.values() if counts[words]]
    since = f"Since the last apply: {', '.join(told)}." if told else ""
    new = sum(change.applied is False for change in plan.changes)
    return " ".join(filter(None, (since, f"{entries_in_words(new)} {_NOT_APPLIED}." if new else "")))


class Remark(t.NamedTuple):
    """What else is to be said of a change; ``name``, which ends it, is a stranger's and may be empty."""

    text: str
    name: str = ""


def remarks(change: ReportedChange) -> list[Remark]:
    """Return what a change is besides its action: adopted, moved, and whose doing it is."""
    since = _since(change)
    told = [
        (change.adopts and change.action != "adopt", "becomes the site's own", ""),
        (change.moved_from, "moved from", f"{change.kind}.{change.moved_from}"),
        (change.applied is False, _NOT_APPLIED, ""),
        (since, f"{since} since the last apply", ""),
        (not change.minded, "not counted as drift", ""),
        (change.refusal, "an apply cannot change this:", change.refusal),
    ]
    return [Remark(text, name) for is_so, text, name in told if is_so]


def mark(change: ReportedChange) -> str:
    """Return the sign of a change."""
    return MARK_FIRST if change.creates_first else ACTION_MARKS[change.action]


def remark_lines(change: ReportedChange) -> list[str]:
    """Return the remarks as lines of plain text."""
    return [" ".join(filter(None, (remark.text, name_in_line(remark.name)))) for remark in remarks(change)]


def policies_line(plan: ReportedPlan) -> str:
    """Return how many policies hold; empty without any."""
    passed = sum(policy.passed for policy in plan.policies)
    if len(plan.policies) == 1:
        return f"The policy {'passed' if passed else 'failed'}."
    which = "All" if passed == len(plan.policies) else f"{passed:,} of"
    return f"{which} {len(plan.policies):,} policies passed." if plan.policies else ""


def bound_line(plan: ReportedPlan) -> str:
    """Return how much an apply with this plan depends on that is not shown; empty where that is nothing."""
    bound = plan.raw.get("bound")
    values, files = (_members(bound, name) for name in ("values", "files"))
    if not (values or files) or plan.mode == "drift":
        return ""
    told = [counted(number, word) for number, word in ((values, "secret value"), (files, "file")) if number]
    what = "it" if values + files == 1 else "one of them"
    return f"The plan also pins {' and '.join(told)}: apply is refused if {what} changes."


def _members(value: object, name: str) -> int:
    """Return how many members a part of a mapping has, whatever it is."""
    part = value.get(name) if isinstance(value, dict) else None
    return len(part) if isinstance(part, dict) else 0


def ownership_line(plan: ReportedPlan) -> str:
    """Return how many declared objects no later run removes, since they are not the site's own; empty without any."""
    if not plan.not_owned:
        return ""
    are = f"{counted(plan.not_owned, 'declared object')} {'is' if plan.not_owned == 1 else 'are'} not the site's own"
    why = f"The registry is new, so {are}" if plan.registry_is_new else are
    return f"{why}: prune keeps {'it' if plan.not_owned == 1 else 'them'}. To own what exists, set adopt: true."


def unknown_edits_line(plan: ReportedPlan) -> str:
    """Return of how many entries nobody knows whether an option that cannot be compared was edited; empty for none."""
    about = f"In {entries_in_words(plan.unknown_edits)}, options that cannot be compared with the service may have been"
    advice = "edited: the registry does not know what was sent. After the next apply, it knows, and reports such edits."
    return f"{about} {advice}" if plan.unknown_edits else ""


def notes(plan: ReportedPlan) -> list[str]:
    """Return what is to be said of the whole besides its headline, in plain text without any name."""
    lines = (since_last_apply_line, ownership_line, unknown_edits_line, policies_line, bound_line)
    return [text for text in (line(plan) for line in lines) if text]


MAX_EDITS = 20  # that are told in a report


def edit_lines(plan: ReportedPlan) -> list[str]:
    """Return the edits that are not carried out, each in a line; of many the first."""
    told = [f"{one.kind} {name_in_line(one.name)} {one.option}: {one.message}" for one in plan.not_sent[:MAX_EDITS]]
    more = len(plan.not_sent) - MAX_EDITS
    return [*told, *([f"... and {counted(more, 'more edit')} of this kind"] if more > 0 else [])]


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
