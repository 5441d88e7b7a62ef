# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The report as Markdown for a comment on a merge request, from comment.md.j2.

What is named in a plan stands in code, so that it is never a mention, a link or markup. Code hosts bound the length of
a comment: so does this, and it tells how many changes it leaves out.
"""

from __future__ import annotations

import re
import typing as t

from ....module_utils._core.text import bounded, name_in_line, visible
from .differences import diff_lines
from .plan_contents import COUNTED, ReportedChange, ReportedFailure, ReportedPlan
from .templates import Filters, environment
from .wording import BADGES, MARKS, TITLES, extent, headline, kind_words, subject, summary

MOST = 60000
"""Characters, as code hosts count them (UTF-16); a comment may have a few more."""

LONGEST_VALUE = 400
LONGEST_NAME = 120
_RESERVE = 400  # for the lines that say what was left out


def markdown_report(plan: ReportedPlan) -> str:
    """Return the comment: headline, counts, a table of kinds, errors, then each change with its differences."""
    filters: Filters = {
        "code_span": code_span,
        "fenced": fenced,
        "kind_words": kind_words,
        "diff_lines": lambda change: diff_lines(change, LONGEST_VALUE),
        "message_lines": _message_lines,
    }
    told = {
        "plan": plan,
        "marker": marker(plan),
        "title": TITLES[plan.mode],
        "subject": subject(plan),
        "headline": headline(plan),
        "summary": summary(plan),
        "extent": extent(plan),
        "shown": [action for action in COUNTED if plan.counts[action]],
        "badges": BADGES[plan.mode],
        "marks": MARKS,
        "longest_name": LONGEST_NAME,
    }
    template = environment(filters).get_template("comment.md.j2")
    parts: t.Any = template.make_module({**told, "pieces": [], "more": 0})
    pieces = [parts.failure(failure) for failure in plan.failures]
    pieces += [parts.change(change, heading) for change, heading in _under_headings(plan)]
    room = MOST - _RESERVE - size(parts.head())
    kept = _fitting(pieces, room)
    return template.render({**told, "pieces": kept, "more": len(pieces) - len(kept)})


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
    shown = name_in_line(text, LONGEST_NAME)
    fence = "`" * (_longest_run(shown) + 1)
    return f"{fence} {shown} {fence}" if "`" in shown or shown != shown.strip() else f"{fence}{shown}{fence}"


def fenced(lines: t.Sequence[str], language: str) -> str:
    """Return the lines as a block of code that none of them can end."""
    fence = "`" * max(3, _longest_run("\n".join(lines)) + 1)
    return "\n".join([f"{fence}{language}", *lines, fence])


def _longest_run(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)


def _message_lines(failure: ReportedFailure) -> list[str]:
    return [visible(bounded(text, 4 * LONGEST_VALUE)) for text in (failure.message, failure.next_step) if text]


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
