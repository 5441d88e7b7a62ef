# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Drift over time as a small picture: a bar for each report, and the same as a table."""

from __future__ import annotations

from .history import History, Point
from .markup import Markup, joined, tag
from .wording import counted, entries

FEWEST = 2
NARROWEST = 30
"""So many bars fit at least: with few reports they stand at the right and are not broad."""

UNIT, BAR, HEIGHT, BASE = 10, 7, 100, 3


def drift_chart(history: History | None) -> Markup:
    """Return the section; empty when there are too few reports to compare."""
    if history is None or (len(history.points) < FEWEST and not history.skipped):
        return joined()
    parts = [tag("h2", "Drift over time", id="history-title")]
    if len(history.points) >= FEWEST:
        parts.append(_figure(history.points))
    if history.skipped:
        left = "1 file in the history folder is no drift report of this format and was left out."
        many = f"{history.skipped:,} files in the history folder are no drift reports of this format and were left out."
        parts.append(tag("p", left if history.skipped == 1 else many, class_="note"))
    return tag("section", parts, class_="card", id="history", aria_labelledby="history-title")


def _figure(points: list[Point]) -> Markup:
    most = max(point.differing + point.errors for point in points)
    scale = tag("div", tag("span", f"{most:,}"), tag("span", "0"), class_="scale", aria_hidden="true")
    days = tag("div", tag("span", _day(points[0])), tag("span", _day(points[-1])), class_="days", aria_hidden="true")
    picture = tag("div", scale if most else joined(), _bars(points, most), days, class_="chart")
    return tag("figure", picture, tag("figcaption", _told(points)), _table(points))


def _told(points: list[Point]) -> str:
    clean = sum(not (point.differing or point.errors) for point in points)
    last, before = points[-1].differing, points[-2].differing
    way = "as many as" if last == before else "more than" if last > before else "fewer than"
    now = f"Last {entries(last)} with drift, {way} before ({before:,})."
    return f"{counted(len(points), 'report')}, {clean:,} of them clean. {now}"


def _bars(points: list[Point], most: int) -> Markup:
    width = max(len(points), NARROWEST)
    start = width - len(points)
    bars = [_bar(point, (start + number) * UNIT, most) for number, point in enumerate(points)]
    return tag(
        "svg",
        tag("title", _told(points)),
        bars,
        viewBox=f"0 0 {width * UNIT} {HEIGHT}",
        preserveAspectRatio="none",
        role="img",
        aria_label=f"Drift over time. {_told(points)}",
    )


def _bar(point: Point, left: int, most: int) -> Markup:
    """Return the bar of one report, errors above differences; a clean one is a line on the ground."""
    if not (point.differing or point.errors):
        return tag("rect", x=left, y=HEIGHT - BASE, width=BAR, height=BASE, class_="clean")
    parts, top = [], HEIGHT
    for number, name in ((point.differing, "drift"), (point.errors, "error")):
        tall = max(BASE, round((HEIGHT - BASE) * number / most)) if number else 0
        top -= tall
        if tall:
            parts.append(tag("rect", x=left, y=max(0, top), width=BAR, height=tall, class_=name))
    return joined(parts)


def _table(points: list[Point]) -> Markup:
    head = tag("tr", [tag("th", text, scope="col") for text in ("Report", "Entries with drift", "Errors")])
    rows = [
        tag(
            "tr",
            tag("th", tag("time", _moment(point), datetime=point.made_at), scope="row"),
            tag("td", f"{point.differing:,}"),
            tag("td", f"{point.errors:,}"),
        )
        for point in reversed(points)
    ]
    table = tag("table", tag("thead", head), tag("tbody", rows), class_="numbers")
    return tag(
        "details",
        tag("summary", "As a table"),
        tag("div", table, class_="wide", tabindex=0, role="region", aria_label="Drift reports"),
    )


def _day(point: Point) -> str:
    return point.made_at[:10]


def _moment(point: Point) -> str:
    return point.made_at[:16].replace("T", " ") + " UTC"
