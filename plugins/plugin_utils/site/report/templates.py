# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The reports for people, made from templates: one HTML page, and Markdown for a comment on a merge request.

Everything that comes from a plan is escaped. The page (page.html.j2, page.css, page.js) loads nothing from elsewhere,
and only its own style and script may run: the policy names their digests. In the comment (comment.md.j2) what a plan
names stands in code, so that it is never a mention, a link or markup. Code hosts bound the length of a comment: so does
this, and it tells how many changes it leaves out.
"""

from __future__ import annotations

import base64
import functools
import hashlib
import re
import typing as t
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from ....module_utils._connection.task import VERSION
from ....module_utils._core.later import LATER
from ....module_utils._core.text import bounded, common_prefix, name_in_line, visible, visible_lines
from .differences import FORCES, Difference, diff_lines, shown_differences
from .plan_contents import (
    COUNTED_ACTIONS,
    DONE,
    DriftHistory,
    DriftPoint,
    ReportedChange,
    ReportedFailure,
    ReportedPlan,
)
from .wording import (
    ACTION_MARKS,
    BADGES,
    PARTIAL,
    REPORT_TITLES,
    REST_UNSEEN,
    SENTENCES,
    SIDE_TITLES,
    counted,
    edit_lines,
    entries_in_words,
    extent,
    headline,
    kind_words,
    mark,
    notes,
    position,
    remarks,
    shown_counts,
    subject,
    summary,
)

Filters = t.Mapping[str, t.Callable[..., object]]


def environment(filters: Filters) -> Environment:
    """Return an environment that reads the templates beside this file, with these filters, ``name`` and ``number``."""
    made = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters.update(filters, name=name_in_line, number="{:,}".format)
    return made


OPEN_UP_TO = 8
"""With so few changes they are open from the start."""

MAX_TARGETS = 50
MAX_PAGE_ROWS = 20000
MAX_PAGE_BYTES = 8 * 1024 * 1024
"""Bytes for all differences together; what comes after has its row, but not its differences."""

MAX_PAGE_VALUE = 4000
MAX_MESSAGE = 2000
NAMED_OPTIONS = 4
BAR_WIDTH = 1000


def html_page(plan: ReportedPlan, history: DriftHistory | None) -> str:
    """Return the page."""
    style, script = (Path(__file__).with_name(name).read_text(encoding="utf-8") for name in ("page.css", "page.js"))
    groups = _groups(plan)
    return _page_template().render(
        plan=plan,
        groups=groups,
        few=len(plan.changes) <= OPEN_UP_TO,
        room=_RowBudget(len(plan.changes) - sum(map(len, groups.values()))),
        state="error" if plan.wrong else "clean" if plan.clean or plan.mode in DONE else "differs",
        headline=headline(plan),
        extent=_extent(plan),
        subject=subject(plan),
        chips=_chips(plan),
        bar=_proportions(plan),
        tiles=shown_counts(plan),
        **_about_the_whole(plan),
        chart=_chart(history.points) if history and len(history.points) > 1 else None,
        skipped=history.skipped if history else 0,
        digests=_digests(plan),
        words={"title": REPORT_TITLES[plan.mode], "badges": BADGES[plan.mode], "sides": SIDE_TITLES[plan.mode]},
        marks=ACTION_MARKS,
        forces=FORCES,
        later=LATER,
        longest_value=MAX_PAGE_VALUE,
        longest_message=MAX_MESSAGE,
        named_options=NAMED_OPTIONS,
        version=VERSION,
        policy=_policy(style, script),
        style=style,
        script=script,
    )


@functools.lru_cache(maxsize=None)
def _page_template() -> Template:
    return environment(
        {
            "lines": _lines,
            "position": position,
            "kind_words": kind_words,
            "shown": shown_differences,
            "shared": shared_ends,
            "sentence": _sentence,
            "mark": mark,
            "remarks": remarks,
            "arrows": lambda text: text.replace(" -> ", " \N{RIGHTWARDS ARROW} "),
        }
    ).get_template("page.html.j2")


def _about_the_whole(plan: ReportedPlan) -> dict[str, object]:
    """Return what both templates tell of the whole, besides the headline."""
    return {
        "partial": PARTIAL,
        "rest_unseen": REST_UNSEEN,
        "most_targets": MAX_TARGETS,
        "notes": notes(plan),
        "edits": edit_lines(plan),
    }


def _policy(style: str, script: str) -> str:
    """Return the policy: all is forbidden but this style and this script, known by their digests."""
    digests = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (style, script)]
    allowed = f"style-src 'sha256-{digests[0]}'; script-src 'sha256-{digests[1]}'"
    return f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'"


def _lines(text: str, most: int | None = None) -> str:
    return "\n".join(visible_lines(text if most is None else bounded(text, most)))


def _chips(plan: ReportedPlan) -> list[str]:
    stage = "" if plan.stage == "all" else f"stage {plan.stage}"
    return [text for text in (plan.environment, stage, plan.part and f"part {plan.part}") if text]


def _digests(plan: ReportedPlan) -> list[tuple[str, str]]:
    members = [("Declaration", "declaration_digest"), ("Changes", "changes_digest"), ("Collection", "collection")]
    return [(title, str(plan.raw[member])) for title, member in members if plan.raw.get(member)]


def _extent(plan: ReportedPlan) -> str:
    if plan.changes or plan.not_sent or not (plan.clean and plan.mode == "drift" and plan.entries):
        return f"{extent(plan)}."
    if plan.entries == 1:
        return "The one entry is as declared."
    return f"All {entries_in_words(plan.entries)} are as declared."


def _proportions(plan: ReportedPlan) -> list[dict[str, object]]:
    """Return the parts of a bar of all entries by what becomes of them."""
    total, left, parts = sum(plan.counts.values()), 0.0, []
    for action in COUNTED_ACTIONS if total else ():
        width = BAR_WIDTH * plan.counts[action] / total
        parts.append({"action": action, "left": left, "width": width})
        left += width
    return parts


def _groups(plan: ReportedPlan) -> dict[str, list[ReportedChange]]:
    """Return the changes by kind, the kinds in the order of the plan, up to ``MAX_PAGE_ROWS``."""
    found: dict[str, list[ReportedChange]] = {kind: [] for kind in plan.by_kind}
    for change in plan.changes[:MAX_PAGE_ROWS]:
        found.setdefault(change.kind, []).append(change)
    return {kind: changes for kind, changes in found.items() if changes}


def _sentence(change: ReportedChange, plan: ReportedPlan) -> str:
    owner = f" It was {change.owner} by the site." if change.owner in ("created", "adopted") else ""
    found = " The site found it there and never deletes it." if change.owner == "found" else ""
    sentence = SENTENCES[plan.mode][change.action]
    return f"{sentence[0].upper()}{sentence[1:]}.{owner}{found}"


class _RowBudget:
    """What the page has room for; afterwards it tells what was too much."""

    def __init__(self, left_out: int) -> None:
        self._bytes, self._left_out, self._without_differences = MAX_PAGE_BYTES, left_out, 0

    def has(self, markup: str) -> bool:
        """Take the room of one row's differences; return whether there is as much."""
        self._bytes -= len(markup.encode("utf-8", "replace"))
        self._without_differences += self._bytes < 0
        return self._bytes >= 0

    def limits(self) -> str:
        """Return what was left out of the page, in sentences; empty when nothing was."""
        told = []
        if self._without_differences:
            shown = counted(self._without_differences, "row shows its entry", "rows show their entries")
            told.append(f"The page would be too large: {shown} without the differences.")
        if self._left_out:
            are = "is" if self._left_out == 1 else "are"
            told.append(f"{counted(self._left_out, 'change')} {are} left out: the page has room for {MAX_PAGE_ROWS:,}.")
        return " ".join([*told, "The JSON report has everything."]) if told else ""


class SharedEnds(t.NamedTuple):
    """How many characters two values share at the beginning and at the end; none when that is too little to tell."""

    begin: int
    end: int


def shared_ends(difference: Difference) -> SharedEnds:
    """Return what the two sides share, so that the page marks the rest."""
    before, after = difference.before, difference.after
    if before is None or after is None or max(len(before), len(after)) > MAX_PAGE_VALUE:
        return SharedEnds(0, 0)
    begin = len(common_prefix((before, after)))
    end = len(common_prefix((before[begin:][::-1], after[begin:][::-1])))
    return SharedEnds(begin, end) if 2 * (begin + end) >= min(len(before), len(after)) else SharedEnds(0, 0)


NARROWEST = 30
"""So many bars fit at least into the chart: with few reports they stand at the right and are not broad."""

UNIT, BAR, HEIGHT, BASE = 10, 7, 100, 3


def _chart(points: list[DriftPoint]) -> dict[str, object]:
    """Return what the chart of several reports is drawn from."""
    most = max(point.differing + point.errors for point in points)
    width = max(len(points), NARROWEST)
    lefts = range((width - len(points)) * UNIT, width * UNIT, UNIT)
    bars = [{"left": left, **one} for left, point in zip(lefts, points) for one in _bars(point, most)]
    size = {"width": width * UNIT, "height": HEIGHT, "bar_width": BAR}
    clean = sum(not (point.differing or point.errors) for point in points)
    last, before = points[-1].differing, points[-2].differing
    way = "as many as" if last == before else "more than" if last > before else "fewer than"
    now = f"Last {entries_in_words(last)} with drift, {way} before ({before:,})."
    caption = f"{counted(len(points), 'report')}, {clean:,} of them clean. {now}"
    return {"points": points, "most": most, "bars": bars, "caption": caption, **size}


def _bars(point: DriftPoint, most: int) -> list[dict[str, object]]:
    """Return the bars of one report, errors above differences; a clean one is a line on the ground."""
    if not (point.differing or point.errors):
        return [{"top": HEIGHT - BASE, "height": BASE, "name": "clean"}]
    bars, top = [], HEIGHT
    for number, name in ((point.differing, "drift"), (point.errors, "error")):
        if number:
            height = max(BASE, round((HEIGHT - BASE) * number / most))
            top -= height
            bars.append({"top": max(0, top), "height": height, "name": name})
    return bars


MAX_COMMENT_BYTES = 60000
"""Characters, as code hosts count them (UTF-16); a comment may have a few more."""

SHORT_VALUE = 400
MAX_PAGE_NAME = 120


def markdown_report(plan: ReportedPlan) -> str:
    """Return the comment: headline, counts, a table of kinds, errors, then each change with its differences."""
    told = {
        "plan": plan,
        "marker": marker(plan),
        "title": REPORT_TITLES[plan.mode],
        "subject": subject(plan),
        "headline": headline(plan),
        "summary": summary(plan),
        "extent": extent(plan),
        "shown": [action for action in COUNTED_ACTIONS if plan.counts[action]],
        "badges": BADGES[plan.mode],
        "longest_name": MAX_PAGE_NAME,
        **_about_the_whole(plan),
    }
    template = _comment_template()
    parts: t.Any = template.make_module({**told, "pieces": [], "more": 0})
    pieces = [parts.failure(failure) for failure in plan.failures]
    pieces += [parts.change(change, heading) for change, heading in _under_headings(plan)]
    room = MAX_COMMENT_BYTES - 400 - size(parts.head())  # 400 for the lines that say what was left out
    kept = _fitting(pieces, room)
    return template.render({**told, "pieces": kept, "more": len(pieces) - len(kept)})


@functools.lru_cache(maxsize=None)
def _comment_template() -> Template:
    filters: Filters = {
        "code_span": code_span,
        "fenced": fenced,
        "kind_words": kind_words,
        "diff_lines": lambda change: diff_lines(change, SHORT_VALUE),
        "message_lines": _message_lines,
        "mark": mark,
        "remarks": remarks,
    }
    return environment(filters).get_template("comment.md.j2")


def marker(plan: ReportedPlan) -> str:
    """Return the first line: a comment that nobody sees and by which a pipeline finds its own note again."""
    words = (plan.mode, plan.site, plan.environment, plan.stage, plan.part.replace("/", "-of-"))
    told = " ".join(re.sub("[^A-Za-z0-9._]+", "-", word) for word in words if word)
    return f"<!-- fcd.cloud.site_report {re.sub('-+', '-', told)} -->"


def size(text: str) -> int:
    """Return the length as code hosts count it."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def code_span(text: str) -> str:
    """Return a text of one line as code, whatever marks it has."""
    shown = name_in_line(text, MAX_PAGE_NAME)
    fence = "`" * (_longest_run(shown) + 1)
    return f"{fence} {shown} {fence}" if "`" in shown or shown != shown.strip() else f"{fence}{shown}{fence}"


def fenced(lines: t.Sequence[str], language: str) -> str:
    """Return the lines as a block of code that none of them can end."""
    fence = "`" * max(3, _longest_run("\n".join(lines)) + 1)
    return "\n".join([f"{fence}{language}", *lines, fence])


def _longest_run(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)


def _message_lines(failure: ReportedFailure) -> list[str]:
    return [visible(bounded(text, 4 * SHORT_VALUE)) for text in (failure.message, failure.next_step) if text]


def _under_headings(plan: ReportedPlan) -> t.Iterator[tuple[ReportedChange, str]]:
    """Yield the changes by kind, the kinds as the plan has them; the first of a kind has a heading."""
    places = {kind: number for number, kind in enumerate(plan.by_kind)}
    before = ""
    for change in sorted(plan.changes, key=lambda change: places.get(change.kind, len(places))):
        yield change, "" if change.kind == before else kind_words(change.kind)
        before = change.kind


def _fitting(pieces: list[str], room: int) -> list[str]:
    """Return the first pieces, as many as there is room for."""
    for number, piece in enumerate(pieces):
        room -= size(piece) + 2
        if room < 0:
            return pieces[:number]
    return pieces
