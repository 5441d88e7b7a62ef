# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Figures of several rounds as one row each, and rows compared with those of an earlier run: pure functions.

A row has ``bench``, ``work``, ``who`` and perhaps ``entries``, and for each quantity the lowest, the median and the
highest value of the rounds. Seconds depend on the machine and its load, so they are told and not compared: ``times``
and ``busy_times`` are wall and processor time divided by those of ours for the same work in the same round.
"""

from __future__ import annotations

import statistics
import typing as t

Figure = t.Dict[str, t.Any]
Row = t.Dict[str, t.Any]
Key = t.Tuple[str, str, str, int]

NOISE = {"requests": 0.02, "memory": 0.10, "times": 0.50, "busy_times": 0.30}
"""The quantities that are compared, and by which share of them one may lie beyond the rounds that were kept."""

QUANTITIES = (*NOISE, "seconds", "busy")
_RATIOS = {"times": "seconds", "busy_times": "busy"}


def key_of(row: t.Mapping[str, t.Any]) -> Key:
    """Return what a figure or a row is about."""
    return str(row["bench"]), str(row["work"]), str(row["who"]), int(row.get("entries", 0))


def name_of(key: Key) -> str:
    """Return the words for what a row is about."""
    bench, work, who, entries = key
    return f"{bench}: {work}{f' of {entries} entries' if entries else ''}: {who}"


def is_ours(who: str) -> bool:
    """Whether a figure is one of the collection's own."""
    return who == "ours" or who.startswith("ours, ")


def base_of(figures: t.Sequence[t.Mapping[str, t.Any]]) -> t.Mapping[str, t.Any] | None:
    """Return the one of ours that others are divided by, of figures for the same work: ``ours``, else the first."""
    own = [figure for figure in figures if is_ours(figure["who"])]
    return next((figure for figure in own if figure["who"] == "ours"), own[0] if own else None)


def with_ratios(figures: t.Sequence[Figure]) -> list[Figure]:
    """Return the figures of one round, each with its time divided by that of ours for the same work."""
    works: dict[tuple[str, str, int], list[Figure]] = {}
    for figure in figures:
        works.setdefault(_work(figure), []).append(figure)
    found = []
    for figure in figures:
        base = base_of(works[_work(figure)]) or figure
        ratios = {
            ratio: figure[name] / base[name]
            for ratio, name in _RATIOS.items()
            if base is not figure and figure.get(name) and base.get(name)
        }
        found.append({**figure, **ratios})
    return found


def _work(figure: t.Mapping[str, t.Any]) -> tuple[str, str, int]:
    bench, work, _who, entries = key_of(figure)
    return bench, work, entries


def rows(rounds: t.Sequence[t.Sequence[Figure]]) -> list[Row]:
    """Return a row for each figure, in the order in which they first came."""
    found: dict[Key, list[Figure]] = {}
    for figures in rounds:
        for figure in with_ratios(figures):
            found.setdefault(key_of(figure), []).append(figure)
    return [_row(figures) for figures in found.values()]


def _row(figures: t.Sequence[Figure]) -> Row:
    about: Row = {name: figures[0][name] for name in ("bench", "work", "who", "entries") if name in figures[0]}
    values = {name: sorted(one[name] for one in figures if name in one) for name in QUANTITIES}
    return {**about, **{name: _spread(name, found) for name, found in values.items() if found}}


def _spread(name: str, found: t.Sequence[float]) -> list[float]:
    digits = 0 if name == "requests" else 1 if name == "memory" else 3
    spread = (found[0], statistics.median_low(found), found[-1])
    return [int(value) if not digits else round(value, digits) for value in spread]


def merged(kept: t.Mapping[str, t.Any] | None, latest: t.Mapping[str, t.Any]) -> dict[str, t.Any]:
    """Return the document to keep: the latest run, with what was kept of benches that were not in it.

    What was kept with another size, or on another machine, is left out.
    """
    if kept is None or any(kept[name] != latest[name] for name in ("size", "machine")):
        return {**latest, "failed": []}
    lists = {
        name: [*(one for one in kept[name] if one["bench"] not in latest["benches"]), *latest[name]]
        for name in ("rows", "not_run")
    }
    return {**latest, **lists, "benches": {**kept["benches"], **latest["benches"]}, "failed": []}


def moved(kept: t.Mapping[str, t.Any], latest: t.Mapping[str, t.Any]) -> list[str]:
    """Return a line for each figure of the latest run that is not what the run that was kept lets one expect.

    Both are documents of run_benches.py. Runs of different sizes are not compared, which the only line then says.
    """
    if kept["size"] != latest["size"]:
        return [f"nothing is compared: this run has the size {latest['size']}, the one that was kept {kept['size']}"]
    before, after = ({key_of(row): row for row in one["rows"]} for one in (kept, latest))
    lines = [line for key, row in after.items() for line in _moved(key, before.get(key), row)]
    gone = [key for key in before if key not in after and key[0] in latest["benches"]]
    return lines + [f"{name_of(key)}: no longer measured" for key in gone]


def _moved(key: Key, before: Row | None, after: Row) -> t.Iterator[str]:
    if before is None:
        yield f"{name_of(key)}: new"
        return
    for name, noise in NOISE.items():
        if name in before and name in after:
            low, middle, high = before[name]
            value = after[name][1]
            if not low * (1 - noise) <= value <= high * (1 + noise):
                yield f"{name_of(key)}: {name} {middle:g} -> {value:g} (kept: {low:g} to {high:g})"
