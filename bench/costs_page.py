# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The page ``docs/costs.rst`` and its charts from the run that was kept: pure functions."""

from __future__ import annotations

import math
import typing as t
from xml.sax.saxutils import escape

import figure_comparison

Kept = t.Mapping[str, t.Any]
Row = figure_comparison.Row

HEAD = """..
  Copyright (c) 2026, FCD collection contributors
  GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
  SPDX-License-Identifier: GPL-3.0-or-later

.. Generated from bench/kept.json by bench/run_benches.py; do not edit.

What it costs
=============

Each table compares programs that do the same work against the same simulated service, one after the other. Requests
and memory are exact. Times depend on the machine and on what else it does, so each is divided by that of the
collection: 2 means twice as long. That is the line "ours", or the first one whose name begins with it. The "floor" is
a client that sends only what it must and handles no errors: nothing can take less.

{about}

To measure this on your machine, run ``make bench`` in a checkout. It also prints what differs from this page by more
than the noise.
"""
PEERS_CHART = """
.. image:: static/costs-peers.svg
   :alt: Requests and time of each program, divided by those of the collection for the same work.
   :width: 700px
"""
GROWTH = """
As the work grows
-----------------

A site is applied in parts by several workers at the same time, as in :ref:`the guide to large sites
<ansible_collections.fcd.cloud.docsite.scale>`. The service answers each request after 20 ms.

.. image:: static/costs-growth.svg
   :alt: Requests, memory of one worker, and processor time, for sites of several sizes and one, two and four workers.
   :width: 700px
"""
COLORS = ("#4f46e5", "#0f766e", "#b45309", "#be123c", "#0369a1", "#a21caf", "#4d7c0f", "#52525b")
INK, FAINT, PAPER = "#334155", "#cbd5e1", "#f8fafc"


def page(kept: Kept) -> str:
    """Return the page in reStructuredText."""
    parts = [HEAD.format(about=_about(kept)), PEERS_CHART]
    growth = [row for row in kept["rows"] if "entries" in row]
    for (bench, work), rows in _works([row for row in kept["rows"] if "entries" not in row]).items():
        parts += [_heading(f"{work[0].upper()}{work[1:]}"), _measured(kept, bench), _table(rows, _COLUMNS)]
    if growth:
        parts += [GROWTH, _measured(kept, growth[0]["bench"]), _table(growth, _GROWTH_COLUMNS)]
    if kept["not_run"]:
        parts.append(_heading("Not run"))
        parts += [f"- {one['who']}, for ``bench/{one['bench']}.py``: {one['not_run']}\n" for one in kept["not_run"]]
    return "\n".join(part.strip("\n") + "\n" for part in parts)


def _about(kept: Kept) -> str:
    machine = kept["machine"]
    return (
        f"The figures were measured on {machine['system']} with {machine['processors']} processors and "
        f"{machine['memory_gib']} GiB of memory,\n"
        f"Python {machine['python']} and ansible-core {machine['ansible_core']}."
    )


def _measured(kept: Kept, bench: str) -> str:
    """Return how the figures of a bench came about."""
    about = kept["benches"][bench]
    rounds = "one round" if about["rounds"] == 1 else f"medians of {about['rounds']} rounds"
    commit = f"commit ``{about['commit'][:12]}``{' with changes' if about['changed_since'] else ''}"
    return f"``bench/{bench}.py``, {about['made_at'][:10]}, {commit}, {rounds}; load {about['load']:g} before it.\n"


def _works(rows: t.Iterable[Row]) -> dict[tuple[str, str], list[Row]]:
    found: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        found.setdefault((row["bench"], row["work"]), []).append(row)
    return found


def _heading(title: str) -> str:
    return f"{title}\n{'-' * len(title)}\n"


_COLUMNS = (
    ("Who", "who"),
    ("Requests", "requests"),
    ("Memory, MiB", "memory"),
    ("Seconds", "seconds"),
    ("Time / ours", "times"),
    ("Processor time / ours", "busy_times"),
)


_GROWTH_COLUMNS = (
    ("Instances and objects", "entries"),
    ("Work", "work"),
    *_COLUMNS[:4],
    ("Processor seconds", "busy"),
)


def _table(rows: t.Sequence[Row], columns: t.Sequence[tuple[str, str]]) -> str:
    """Return a table with the columns that any row has."""
    shown = [(title, name) for title, name in columns if any(name in row for row in rows)]
    lines = [".. list-table::", "   :header-rows: 1", ""]
    for cells in ([title for title, _name in shown], *([_cell(row, name) for _title, name in shown] for row in rows)):
        lines += [f"   {'*' if not number else ' '} - {cell}".rstrip() for number, cell in enumerate(cells)]
    return "\n".join(lines) + "\n"


def _cell(row: Row, name: str) -> str:
    if name not in row:
        return ""
    if name in ("who", "work", "entries"):
        return f"{row[name]}"
    value = row[name][1]
    return f"{value:,}" if name == "requests" else f"{value:.0f}" if name == "memory" else f"{value:.2f}"


def charts(kept: Kept) -> dict[str, str]:
    """Return the charts as SVG, by the names of their files."""
    return {"costs-peers.svg": peers_chart(kept["rows"]), "costs-growth.svg": growth_chart(kept["rows"])}


def compared(rows: t.Sequence[Row]) -> list[tuple[Row, float | None, float | None]]:
    """Return each peer with its requests and its time divided by those of ours; None for what is not known."""
    found: list[tuple[Row, float | None, float | None]] = []
    for group in _works([row for row in rows if "entries" not in row]).values():
        ours = figure_comparison.base_of(group) or {}
        peers = [row for row in group if not figure_comparison.is_ours(row["who"])] if ours else []
        found += [(row, _ratio(row, ours, "requests"), _times(row)) for row in peers]
    return found


def _times(row: Row) -> float | None:
    """Return the ratio of wall times; of processor times where only these are known."""
    spread = row.get("times") or row.get("busy_times")
    return spread[1] if spread else None


def _ratio(row: Row, ours: t.Mapping[str, t.Any], name: str) -> float | None:
    return row[name][1] / ours[name][1] if name in row and ours.get(name, [0, 0])[1] else None


def peers_chart(rows: t.Sequence[Row]) -> str:
    """Return a chart with a line for each peer: a dot for its time, a ring for its requests, ours at 1."""
    lines = [line for line in compared(rows) if line[1] or line[2]]
    values = [value for line in lines for value in line[1:] if value]
    least, most = math.floor(math.log10(min([0.1, *values]))), math.ceil(math.log10(max([10, *values])))
    left, right, top, step = 440, 840, 62, 22
    height = top + step * max(1, len(lines)) + 24

    def across(value: float) -> float:
        return left + (right - left) * (math.log10(value) - least) / (most - least)

    drawn = [_text(20, 30, "Divided by ours for the same work", size=15)]
    drawn += [_dot(across(1) + 60, 25, COLORS[0]), _text(across(1) + 70, 30, "time")]
    drawn += [_ring(across(1) + 130, 25, COLORS[2]), _text(across(1) + 140, 30, "requests")]
    for power in range(least, most + 1):
        x = across(10.0**power)
        drawn.append(_line(x, top - 10, x, height - 24, INK if not power else FAINT))
        drawn.append(_text(x, height - 6, f"{10.0**power:g}", anchor="middle"))
    for number, (row, requests, times) in enumerate(lines):
        y = top + step * number + 4
        drawn.append(_text(left - 12, y + 4, _short(f"{row['work']}: {row['who']}", 62), anchor="end"))
        drawn += [_ring(across(requests), y, COLORS[2])] if requests else []
        drawn += [_dot(across(times), y, COLORS[0])] if times else []
    return _svg(860, height, "Time and requests of each program, divided by those of the collection", drawn)


def _short(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[: length - 1]}\N{HORIZONTAL ELLIPSIS}"


PANELS = (("Requests", "requests"), ("Memory of one worker, MiB", "memory"), ("Processor seconds", "busy"))


def growth_chart(rows: t.Sequence[Row]) -> str:
    """Return a chart with a panel for each quantity, in which each who is a line over the number of entries."""
    grown = [row for row in rows if "entries" in row]
    works = list(dict.fromkeys((row["work"], row["who"]) for row in grown))
    most = max([row["entries"] for row in grown], default=1)
    drawn = []
    for place, (title, name) in enumerate(PANELS):
        left, bottom, width, height = 60 + place * 282, 240, 210, 170
        top = max([row[name][1] for row in grown if name in row], default=1) or 1
        drawn.append(_text(left, 40, title, size=15))
        for share in (0, 0.5, 1):
            y = bottom - height * share
            drawn += [
                _line(left, y, left + width, y, FAINT),
                _text(left - 6, y + 4, f"{top * share:,.3g}", anchor="end"),
            ]
            drawn.append(_text(left + width * share, bottom + 18, f"{most * share:,.0f}", anchor="middle"))
        for number, work in enumerate(works):
            line = sorted(
                (row["entries"], row[name][1]) for row in grown if (row["work"], row["who"]) == work and name in row
            )
            points = [(left + width * entries / most, bottom - height * value / top) for entries, value in line]
            drawn += _path(points, number)
    drawn.append(_text(60, 278, "over the number of instances and objects"))
    for number, (work, who) in enumerate(works):
        x, y = 60 + number % 2 * 400, 300 + number // 2 * 20
        drawn += [*_path([(x, y - 4), (x + 24, y - 4)], number), _text(x + 32, y, _short(f"{work}: {who}", 52))]
    return _svg(880, 310 + (len(works) + 1) // 2 * 20, "Requests, memory and time as the work grows", drawn)


def _path(points: t.Sequence[tuple[float, float]], number: int) -> list[str]:
    color, dashes = COLORS[number % len(COLORS)], ' stroke-dasharray="5 4"' if number >= len(COLORS) else ""
    way = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    line = f'<polyline points="{way}" fill="none" stroke="{color}" stroke-width="2"{dashes}/>'
    return [line, *(_dot(x, y, color) for x, y in points)]


def _text(x: float, y: float, text: str, *, size: int = 13, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" fill="{INK}">{escape(text)}</text>'


def _line(x: float, y: float, to_x: float, to_y: float, color: str) -> str:
    return f'<path d="M{x:.1f} {y:.1f}L{to_x:.1f} {to_y:.1f}" stroke="{color}"/>'


def _dot(x: float, y: float, color: str) -> str:
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{color}"/>'


def _ring(x: float, y: float, color: str) -> str:
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="6" fill="none" stroke="{color}" stroke-width="2"/>'


def _svg(width: int, height: int, label: str, drawn: t.Sequence[str]) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="system-ui, sans-serif"'
    return "\n".join(
        (
            f'{head} role="img" aria-label="{escape(label)}">',
            # REUSE-IgnoreStart
            "  <!-- SPDX-FileCopyrightText: 2026, FCD collection contributors -->",
            "  <!-- SPDX-License-Identifier: GPL-3.0-or-later -->",
            # REUSE-IgnoreEnd
            f'  <rect width="{width}" height="{height}" rx="12" fill="{PAPER}"/>',
            *(f"  {one}" for one in drawn),
            "</svg>\n",
        )
    )
