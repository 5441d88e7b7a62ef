# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The report as one HTML file for people: nothing is loaded from elsewhere, only its own style and script may run."""

from __future__ import annotations

import base64
import hashlib

from ..._core.version import VERSION
from .changes_list import ChangesList, limits, name, source
from .chart import drift_chart
from .history import History
from .markup import Markup, joined, tag, verbatim
from .plan_contents import COUNTED, DONE, Failure, Plan
from .script import SCRIPT
from .styles import STYLES
from .visible_text import bounded, name_in_line, visible, visible_lines
from .wording import BADGES, MARKS, TITLES, entries, extent, headline, kind_words, subject

LONGEST_MESSAGE = 2000
BAR_WIDTH = 1000


def html_page(plan: Plan, history: History | None) -> str:
    """Return the page."""
    head = tag("head", _meta(plan), tag("style", verbatim(STYLES)))
    skip = tag("a", "Skip to the changes", href="#changes", class_="skip") if plan.changes else ""
    parts = [_overview(plan), _failures(plan), _changes(plan), drift_chart(history)]
    main = tag("main", parts, id="main")
    body = tag("body", skip, _header(plan), main, _footer(plan), tag("script", verbatim(SCRIPT)))
    return "<!DOCTYPE html>\n" + tag("html", head, body, lang="en") + "\n"


def _meta(plan: Plan) -> Markup:
    title = f"{TITLES[plan.mode]} of {name_in_line(subject(plan))}: {headline(plan).rstrip('.')}"
    return joined(
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=_policy()),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("meta", name="referrer", content="no-referrer"),
        tag("meta", name="robots", content="noindex"),
        tag("title", title),
    )


def _policy() -> str:
    """Return the policy: all is forbidden but this style and this script, known by their digests."""
    allowed = f"style-src {_digest(STYLES)}; script-src {_digest(SCRIPT)}"
    return f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'"


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _header(plan: Plan) -> Markup:
    tags = [plan.environment, "" if plan.stage == "all" else f"stage {plan.stage}", plan.part and f"part {plan.part}"]
    chips = [tag("bdi", name_in_line(text), class_="chip") for text in tags if text]
    when = tag("time", plan.made_at.replace("T", " ").replace("Z", " UTC"), datetime=plan.made_at)
    above = tag("p", tag("span", TITLES[plan.mode], class_="mode"), " · ", when, class_="above")
    return tag("header", tag("div", above, tag("h1", plan.site, " ", chips), class_="inside"))


def _footer(plan: Plan) -> Markup:
    digests = [("Declaration", "declaration_digest"), ("World", "world_digest"), ("Collection", "collection")]
    told = [(title, plan.raw.get(member)) for title, member in digests]
    rows = [tag("div", tag("dt", title), tag("dd", visible(bounded(str(text), 100)))) for title, text in told if text]
    inside = tag("div", tag("dl", rows) if rows else "", tag("p", f"Written by fcd.cloud {VERSION}"), class_="inside")
    return tag("footer", inside)


def _overview(plan: Plan) -> Markup:
    state = "error" if plan.wrong else "clean" if plan.clean or plan.mode in DONE else "differs"
    sign = tag("span", {"error": "!", "clean": "✓", "differs": "±"}[state], class_="sign", aria_hidden="true")
    says = tag("div", tag("h2", headline(plan), id="overview-title"), tag("p", _of_all(plan)), class_="says")
    head = tag("div", sign, says, class_=f"headline {state}")
    parts = [head] if not sum(plan.counts.values()) else [head, _proportions(plan), _tiles(plan), _kinds(plan)]
    return tag("section", parts, class_="card", aria_labelledby="overview-title")


def _of_all(plan: Plan) -> str:
    if plan.clean and plan.mode == "drift" and plan.entries:
        return "The one entry is as declared." if plan.entries == 1 else f"All {entries(plan.entries)} are as declared."
    return f"{extent(plan)}."


def _proportions(plan: Plan) -> Markup:
    """Return a bar of all entries by what becomes of them; the numbers below say the same."""
    total, left, parts = sum(plan.counts.values()), 0.0, []
    for action in COUNTED:
        width = BAR_WIDTH * plan.counts[action] / total
        if width:
            shown = f"{max(width, 4):.1f}"
            parts.append(tag("rect", x=f"{left:.1f}", y=0, width=shown, height=10, class_=action))
        left += width
    box = f"0 0 {BAR_WIDTH} 10"
    return tag("svg", parts, viewBox=box, preserveAspectRatio="none", class_="proportions", aria_hidden="true")


def _tiles(plan: Plan) -> Markup:
    tiles = [
        tag(
            "div",
            tag("dt", tag("span", MARKS[action], class_="mark", aria_hidden="true"), " ", BADGES[plan.mode][action]),
            tag("dd", f"{plan.counts[action]:,}"),
            class_=f"tile {action}" + ("" if plan.counts[action] else " zero"),
        )
        for action in COUNTED
    ]
    return tag("dl", tiles, class_="tiles")


def _kinds(plan: Plan) -> Markup:
    shown = [action for action in COUNTED if plan.counts[action]]
    if not plan.by_kind:
        return joined()
    columns = [
        tag(
            "th",
            tag("span", MARKS[action], class_=f"mark {action}", aria_hidden="true"),
            tag("span", BADGES[plan.mode][action], class_="word"),
            scope="col",
        )
        for action in shown
    ]
    head = tag("tr", tag("th", "Kind", scope="col"), columns)
    changing = ChangesList(plan).groups()
    rows = []
    for kind, counts in plan.by_kind.items():
        title = kind_words(kind)
        if kind in changing:
            title = tag("a", title, href=f"#kind-{kind}", data_kind=kind)
        cells = [tag("td", f"{counts[one]:,}", class_=one if counts[one] else "zero") for one in shown]
        rows.append(tag("tr", tag("th", title, scope="row"), cells))
    caption = tag("caption", "Entries by kind", class_="unseen")
    return tag("table", caption, tag("thead", head), tag("tbody", rows), class_="numbers kinds")


def _failures(plan: Plan) -> Markup:
    if not plan.failures:
        return joined()
    items = tag("ul", [_failure(failure) for failure in plan.failures], class_="failures")
    title = tag("h2", "Errors ", tag("span", f"{len(plan.failures):,}", class_="count"), id="errors-title")
    return tag("section", title, items, class_="card errors", id="errors", aria_labelledby="errors-title")


def _failure(failure: Failure) -> Markup:
    kind = tag("span", kind_words(failure.kind) if failure.name else "The whole site", class_="kind")
    told = tag("p", kind, " ", name(failure.name) if failure.name else "", " ", source(failure.source))
    text = tag("p", _text(failure.message), class_="message", dir="auto")
    step = tag("p", _text(failure.next_step), class_="step", dir="auto") if failure.next_step else ""
    return tag("li", told, text, step)


def _text(text: str) -> str:
    return "\n".join(visible_lines(bounded(text, LONGEST_MESSAGE)))


def _changes(plan: Plan) -> Markup:
    if not plan.changes:
        return joined()
    changes = ChangesList(plan)
    groups = changes.markup()
    told = [tag("p", " ".join(limits(changes)), class_="note")] if limits(changes) else []
    none = tag("p", "No change fits the filter.", id="none", class_="note", hidden=True)
    title = tag("h2", "Changes ", tag("span", f"{len(plan.changes):,}", class_="count"), id="changes-title")
    parts = [title, *told, _filter(plan, changes), none, groups]
    return tag("section", parts, class_="card", id="changes", aria_labelledby="changes-title")


def _filter(plan: Plan, changes: ChangesList) -> Markup:
    """Return the bar that the script shows."""
    kinds = [tag("option", kind_words(kind), value=kind) for kind in changes.groups()]
    there = {change.action for change in plan.changes}
    actions = [tag("option", BADGES[plan.mode][one], value=one) for one in COUNTED if one in there]
    every = tag("option", "all", value="")
    fields = [
        _field("Search", tag("input", id="search", type="search", autocomplete="off", spellcheck="false"), "search"),
        _field("Kind", tag("select", every, kinds, id="kind"), "kind"),
        _field("Change", tag("select", every, actions, id="action"), "action"),
    ]
    buttons = [tag("button", "Reset", type="reset"), tag("button", "Open all", type="button", id="fold")]
    told = tag("p", id="told", role="status")
    return tag("form", fields, tag("div", buttons, class_="buttons"), told, id="filter", hidden=True, role="search")


def _field(title: str, control: Markup, of: str) -> Markup:
    return tag("div", tag("label", title, for_=of), control, class_=f"field {of}")
