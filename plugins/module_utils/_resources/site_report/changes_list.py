# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The changes of a plan as HTML: a group for each kind, a row for each entry that opens to its differences."""

from __future__ import annotations

import typing as t

from .differences import Difference, differences
from .markup import Markup, joined, tag
from .plan_contents import Change, Plan
from .positions import position
from .visible_text import LONGEST_NAME, bounded, name_in_line, visible, visible_lines
from .wording import BADGES, MARKS, SENTENCES, SIDES, counted, kind_words

OPEN_UP_TO = 8
"""With so few changes they are open from the start."""

MOST_ROWS = 20000
MOST_BYTES = 8 * 1024 * 1024
"""Bytes for all differences together; what comes after has its row, but not its differences."""

LONGEST_VALUE = 4000
NAMED_OPTIONS = 4

Groups = t.Dict[str, t.List[Change]]


class ChangesList:
    """Makes the groups; afterwards ``without_differences`` and ``left_out`` say what was too much for the page."""

    def __init__(self, plan: Plan) -> None:
        """Take the changes of the plan, up to ``MOST_ROWS``."""
        self._plan = plan
        self._room = MOST_BYTES
        self.without_differences = 0
        self.left_out = max(0, len(plan.changes) - MOST_ROWS)

    def groups(self) -> Groups:
        """Return the changes by kind, the kinds in the order of the plan."""
        found: Groups = {kind: [] for kind in self._plan.by_kind}
        for change in self._plan.changes[:MOST_ROWS]:
            found.setdefault(change.kind, []).append(change)
        return {kind: changes for kind, changes in found.items() if changes}

    def markup(self) -> Markup:
        """Return all groups."""
        return joined([self._group(kind, changes) for kind, changes in self.groups().items()])

    def _group(self, kind: str, changes: list[Change]) -> Markup:
        title = tag("h3", kind_words(kind), " ", tag("span", f"{len(changes):,}", class_="count"), id=f"kind-{kind}")
        rows = tag("ul", [self._row(change) for change in changes])
        return tag("section", title, rows, class_="group", data_kind=kind, aria_labelledby=f"kind-{kind}")

    def _row(self, change: Change) -> Markup:
        found = differences(change)
        content = self._content(change, found)
        opened = len(self._plan.changes) <= OPEN_UP_TO
        row = tag("details", tag("summary", self._title(change, found)), content, open=opened)
        return tag("li", row, class_="change", data_action=change.action)

    def _title(self, change: Change, found: list[Difference]) -> Markup:
        word = BADGES[self._plan.mode][change.action]
        mark = tag("span", MARKS[change.action], class_="mark", aria_hidden="true")
        badge = tag("span", mark, " ", word, class_=f"badge {change.action}")
        options = visible(", ".join(one.option for one in found[:NAMED_OPTIONS]))
        more = f" and {len(found) - NAMED_OPTIONS} more" if len(found) > NAMED_OPTIONS else ""
        about = tag("span", bounded(options, LONGEST_NAME) + more, class_="about") if change.action == "update" else ""
        return joined(badge, " ", name(change.name), " ", about, " ", source(change.source))

    def _content(self, change: Change, found: list[Difference]) -> Markup:
        content = tag("div", self._sentence(change), self._table(found), class_="content")
        self._room -= len(content.encode("utf-8", "replace"))
        if self._room >= 0:
            return content
        self.without_differences += 1
        return tag("div", self._sentence(change), class_="content")

    def _sentence(self, change: Change) -> Markup:
        owner = f" It was {change.owner} by the site." if change.owner in ("created", "adopted") else ""
        found = " The site found it there and never deletes it." if change.owner == "found" else ""
        sentence = SENTENCES[self._plan.mode][change.action]
        return tag("p", f"{sentence[0].upper()}{sentence[1:]}.{owner}{found}", class_="sentence")

    def _table(self, found: list[Difference]) -> Markup:
        if not found:
            return joined()
        sides = SIDES[self._plan.mode]
        if any(one.before is not None and one.after is not None for one in found):
            return _both_sides(found, sides)
        return _one_side(found, sides[0] if found[0].after is None else sides[1])


def _one_side(found: list[Difference], side: str) -> Markup:
    """Return a table with one column of values: all options came, or all went."""
    kind = "new" if found[0].before is None else "old"
    if any((one.before is None) != (found[0].before is None) for one in found):
        return _both_sides(found, ("before", "after"))
    head = tag("tr", tag("th", "Option", scope="col"), tag("th", side.capitalize(), scope="col"))
    rows = [tag("tr", _option(one), tag("td", value(_only(one)), class_=kind)) for one in found]
    return tag("table", tag("thead", head), tag("tbody", rows), class_="options one")


def _only(difference: Difference) -> str:
    return (difference.before if difference.after is None else difference.after) or ""


def _both_sides(found: list[Difference], sides: tuple[str, str]) -> Markup:
    """Return a table of three columns, which a narrow screen stacks: the roles stay when the layout is another."""
    titles = ("Option", *(side.capitalize() for side in sides))
    head = tag("tr", [tag("th", title, scope="col", role="columnheader") for title in titles], role="row")
    rows = [_pair(one, sides) for one in found]
    body = tag("thead", head, role="rowgroup"), tag("tbody", rows, role="rowgroup")
    return tag("table", *body, class_="options both", role="table")


def _pair(one: Difference, sides: tuple[str, str]) -> Markup:
    begin, end = _shared(one.before, one.after)
    cells = [
        tag("td", _marked(text, begin, end), class_=kind, role="cell", data_side=side)
        for text, kind, side in zip((one.before, one.after), ("old", "new"), sides)
    ]
    return tag("tr", _option(one, role="rowheader"), cells, role="row")


def _option(one: Difference, role: str | None = None) -> Markup:
    return tag("th", visible(bounded(one.option, LONGEST_NAME)), scope="row", role=role)


def _shared(before: str | None, after: str | None) -> tuple[int, int]:
    """Return how many characters two values share at the beginning and at the end; none when that is too little."""
    if before is None or after is None or max(len(before), len(after)) > LONGEST_VALUE:
        return 0, 0
    begin = _alike(before, after)
    end = _alike(before[begin:][::-1], after[begin:][::-1])
    return (begin, end) if 2 * (begin + end) >= min(len(before), len(after)) else (0, 0)


def _alike(one: str, other: str) -> int:
    """Return how many characters two texts share at the beginning."""
    return next((place for place, (a, b) in enumerate(zip(one, other)) if a != b), min(len(one), len(other)))


def _marked(text: str | None, begin: int, end: int) -> Markup:
    """Return a value whose own part is marked; the parts before and after are those it shares with the other."""
    if not text or not (begin or end):
        return value(text)
    last = len(text) - end
    middle = tag("mark", _lines(text[begin:last])) if last > begin else ""
    return tag("span", _lines(text[:begin]), middle, _lines(text[last:]), class_="value", dir="auto")


def value(text: str | None) -> Markup:
    """Return a value; what is not there and what is empty can be told from each other."""
    if text is None:
        return tag("span", "not set", class_="nothing")
    if not text:
        return tag("span", "empty", class_="nothing")
    later = " later" if text == "(known after apply)" else ""
    return tag("span", _lines(bounded(text, LONGEST_VALUE)), class_=f"value{later}", dir="auto")


def _lines(text: str) -> str:
    return "\n".join(visible_lines(text))


def name(text: str) -> Markup:
    """Return the name of an entry, in its own direction."""
    return tag("bdi", name_in_line(text), class_="name")


def source(text: str) -> Markup:
    """Return where an entry is declared."""
    place = position(text)
    if place is None:
        return joined()
    line = f":{place.line}" if text != place.file else ""
    return tag("code", tag("bdi", name_in_line(place.file)), line, class_="source")


def limits(changes: ChangesList) -> list[str]:
    """Return what was left out of the page, in sentences."""
    told = []
    if changes.without_differences:
        shown = counted(changes.without_differences, "row shows its entry", "rows show their entries")
        told.append(f"The page would be too large: {shown} without the differences.")
    if changes.left_out:
        are = "is" if changes.left_out == 1 else "are"
        told.append(f"{counted(changes.left_out, 'change')} {are} left out: the page has room for {MOST_ROWS:,}.")
    return [*told, "The JSON report has everything."] if told else []
