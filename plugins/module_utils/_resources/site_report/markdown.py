# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The report for a comment on a merge request, in the Markdown that code hosts share.

What others may have named never becomes markup, a link or a mention: it stands in a code span, in a fenced block, or in
HTML within ``<code>``. Where a table of Markdown is used, it holds only words of ours.
"""

from __future__ import annotations

import re
import typing as t
from html import escape

from .plain_diff import diff_lines
from .plan_contents import COUNTED, Change, Failure, Plan
from .visible_text import bounded, name_in_line, visible
from .wording import BADGES, MARKS, TITLES, extent, headline, kind_words, subject, summary

MOST = 60000
"""Characters, as code hosts count them (UTF-16); a comment may have a few more."""

LONGEST_VALUE = 400
LONGEST_NAME = 120
_RESERVE = 400  # for the lines that say what was left out


def markdown_report(plan: Plan) -> str:
    """Return the comment: headline, counts, a table of kinds, errors, then each change with its differences."""
    head = [marker(plan), *_head(plan), *_kinds(plan)]
    pieces = [*map(_failure, plan.failures), *_changes(plan)]
    kept, more = _within(pieces, MOST - _RESERVE - size("\n".join(head)))
    if more:
        kept.append(f"\n… and **{more:,} more**; all of them are in the reports as HTML and JSON.")
    return "\n".join([*head, *kept, "", f"<sub>{plan.made_at} · {extent(plan)}</sub>", ""])


def marker(plan: Plan) -> str:
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


def fenced(lines: t.Sequence[str], language: str) -> list[str]:
    """Return the lines as a block of code that none of them can end."""
    fence = "`" * max(3, _longest_run("\n".join(lines)) + 1)
    return [f"{fence}{language}", *lines, fence]


def _longest_run(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)


def _head(plan: Plan) -> list[str]:
    return [f"### {TITLES[plan.mode]} of {code_span(subject(plan))}", "", f"**{headline(plan)}** {summary(plan)}.", ""]


def _kinds(plan: Plan) -> list[str]:
    shown = [name for name in COUNTED if plan.counts[name]]
    if not (plan.by_kind and shown):
        return []
    head = " | ".join(BADGES[plan.mode][name] for name in shown)
    lines = [f"| kind | {head} |", f"|---|{'---:|' * len(shown)}"]
    for kind, counts in plan.by_kind.items():
        lines.append(f"| {kind_words(kind)} | {' | '.join(_cell(counts[name]) for name in shown)} |")
    return [*lines, ""]


def _cell(number: int) -> str:
    return f"{number:,}" if number else "·"


def _failure(failure: Failure) -> str:
    about = f"{kind_words(failure.kind)} <code>{_shown(failure.name)}</code>" if failure.name else "the whole site"
    texts = [visible(bounded(text, 4 * LONGEST_VALUE)) for text in (failure.message, failure.next_step) if text]
    return _folded(f"❌ {about}{_where(failure.source)}", fenced(texts, "text"), is_open=True)


def _changes(plan: Plan) -> t.Iterator[str]:
    kind = ""
    for change in _in_order(plan):
        heading = "" if change.kind == kind else f"#### {kind_words(change.kind)}\n\n"
        kind = change.kind
        yield heading + _change(plan, change)


def _in_order(plan: Plan) -> list[Change]:
    """Return the changes, those of a kind together, the kinds as the plan has them."""
    places = {kind: number for number, kind in enumerate(plan.by_kind)}
    return sorted(plan.changes, key=lambda change: places.get(change.kind, len(places)))


def _change(plan: Plan, change: Change) -> str:
    badge = f"<code>{MARKS[change.action]}</code> {BADGES[plan.mode][change.action]}"
    title = f"{badge} <code>{_shown(change.name)}</code>{_where(change.source)}"
    lines = diff_lines(change, LONGEST_VALUE)
    return _folded(title, fenced(lines, "diff") if lines else ["No options differ."])


def _shown(name: str) -> str:
    return escape(name_in_line(name, LONGEST_NAME))


def _where(source: str) -> str:
    return f" <code>{_shown(source)}</code>" if source else ""


def _folded(title: str, content: t.Sequence[str], *, is_open: bool = False) -> str:
    """Return lines that open under their title. The title is HTML up to the empty line: nothing in it is Markdown."""
    begin = f"<details{' open' if is_open else ''}><summary>{title}</summary>"
    return "\n".join([begin, "", *content, "", "</details>", ""])


def _within(pieces: t.Iterable[str], room: int) -> tuple[list[str], int]:
    """Return the first pieces, as many as there is room for, and how many more there are."""
    every, kept = list(pieces), []  # type: list[str], list[str]
    for piece in every:
        room -= size(piece) + 1
        if room < 0:
            break
        kept.append(piece)
    return kept, len(every) - len(kept)
