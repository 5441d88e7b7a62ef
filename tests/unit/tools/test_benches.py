# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Figures of benches, what moved since those that were kept, and the page made of them."""

from __future__ import annotations

import json
import subprocess
import sys
import typing as t
import xml.etree.ElementTree as ET

import costs_page
import figure_comparison
import pytest
import run_benches
import workspace

OURS = {"bench": "tree", "work": "10 new", "who": "ours", "requests": 12, "seconds": 2.0, "busy": 1.0, "memory": 40.0}
PEER = {"bench": "tree", "work": "10 new", "who": "peer", "requests": 24, "seconds": 3.0, "busy": 4.0, "memory": 20.0}
GROWN = {"bench": "parts", "work": "applied", "who": "ours, 1 worker", "entries": 60, "requests": 9, "seconds": 1.0}


def document(rows: t.Sequence[figure_comparison.Row], **more: t.Any) -> dict[str, t.Any]:
    """Return what run_benches.py writes of such rows."""
    machine = {"processors": 2, "memory_gib": 8, "system": "Linux", "python": "3.13.5", "ansible_core": "2.21.0"}
    about = {"rounds": 1, "made_at": "2026-01-02T03:04:05Z", "commit": "c" * 40, "changed_since": False, "load": 0.5}
    benches = {"tree": about, "parts": about}
    return {"size": 10, "machine": machine, "benches": benches, "rows": rows, "not_run": [], "failed": [], **more}


def test_a_row_has_the_spread_of_all_rounds_and_times_beside_ours() -> None:
    slower = {**PEER, "seconds": 5.0, "requests": 25}
    ours, peer = figure_comparison.rows([[OURS, PEER], [OURS, slower]])
    assert (ours["requests"], ours["seconds"]) == ([12, 12, 12], [2.0, 2.0, 2.0])
    assert "times" not in ours
    assert (peer["requests"], peer["times"], peer["busy_times"]) == ([24, 24, 25], [1.5, 1.5, 2.5], [4.0, 4.0, 4.0])


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({}, ""),
        ({"requests": 13}, "tree: 10 new: ours: requests 12 -> 13 (kept: 12 to 12)"),
        ({"requests": 11}, "tree: 10 new: ours: requests 12 -> 11 (kept: 12 to 12)"),
        ({"memory": 43.9}, ""),
        ({"memory": 44.1}, "tree: 10 new: ours: memory 40 -> 44.1 (kept: 40 to 40)"),
        ({"seconds": 1.4, "busy": 0.8}, ""),
        ({"seconds": 0.9}, "tree: 10 new: peer: times 1.5 -> 3.333 (kept: 1.5 to 1.5)"),
        ({"busy": 2.0}, "tree: 10 new: peer: busy_times 4 -> 2 (kept: 4 to 4)"),
        ({"work": "11 new"}, "tree: 11 new: ours: new"),
    ],
)
def test_only_what_lies_beyond_the_noise_has_moved(changes: dict[str, t.Any], told: str) -> None:
    kept = document(figure_comparison.rows([[OURS, PEER]]))
    lines = figure_comparison.moved(kept, document(figure_comparison.rows([[{**OURS, **changes}, PEER]])))
    assert lines[:1] == ([told] if told else [])


def test_what_is_no_longer_measured_is_told_of_benches_that_ran() -> None:
    kept = document(figure_comparison.rows([[OURS, PEER, GROWN]]))
    latest = document(figure_comparison.rows([[OURS]]), benches={"tree": {}})
    assert figure_comparison.moved(kept, latest) == ["tree: 10 new: peer: no longer measured"]


def test_a_run_of_some_benches_keeps_the_figures_of_the_others() -> None:
    kept = document(figure_comparison.rows([[OURS, PEER, GROWN]]))
    latest = document(figure_comparison.rows([[{**OURS, "requests": 13}]]), benches={"tree": {"commit": "d"}})
    both = figure_comparison.merged(kept, latest)
    assert [(row["bench"], row["requests"][1]) for row in both["rows"]] == [("parts", 9), ("tree", 13)]
    assert both["benches"] == {"tree": {"commit": "d"}, "parts": kept["benches"]["parts"]}
    assert figure_comparison.merged({**kept, "size": 20}, latest) == latest


def test_runs_of_different_sizes_are_not_compared() -> None:
    [line] = figure_comparison.moved(document([]), document(figure_comparison.rows([[OURS]]), size=200))
    assert "nothing is compared" in line


def test_the_page_says_what_was_not_run() -> None:
    missing = {"bench": "tree", "who": "rclone", "not_run": "there is no rclone"}
    page = costs_page.page(document(figure_comparison.rows([[OURS, PEER]]), not_run=[missing]))
    assert "- rclone, for ``bench/tree.py``: there is no rclone" in page


def test_the_page_has_each_figure_beside_ours() -> None:
    page = costs_page.page(document(figure_comparison.rows([[OURS, PEER, GROWN]])))
    cells = [line.strip(" *-") for line in page.splitlines() if line.startswith(("   * -", "     -"))]
    assert cells[-5:] == ["60", "applied", "ours, 1 worker", "9", "1.00"]
    at = cells.index("peer")
    assert cells[at : at + 6] == ["peer", "24", "20", "3.00", "1.50", "4.00"]


def test_the_chart_has_a_dot_for_each_time_and_a_ring_for_each_number_of_requests() -> None:
    """On an axis of powers of ten, each lies to the right of ours if it is more, as far as it is more."""
    rows = figure_comparison.rows([[OURS, {**PEER, "requests": 120, "seconds": 20.0}]])
    chart = ET.fromstring(costs_page.peers_chart(rows))
    circles = [one.attrib for one in chart.iter("{http://www.w3.org/2000/svg}circle")][2:]  # after those of the legend
    texts = {one.text: one.attrib for one in chart.iter("{http://www.w3.org/2000/svg}text")}
    assert [one["cx"] for one in circles] == [texts["10"]["x"]] * 2
    assert texts["10 new: peer"]


def test_the_chart_of_growth_is_drawn_to_scale() -> None:
    double = {**GROWN, "entries": 120, "requests": 18}
    chart = ET.fromstring(costs_page.growth_chart(figure_comparison.rows([[GROWN, double]])))
    lines = [one.attrib["points"] for one in chart.iter("{http://www.w3.org/2000/svg}polyline")]
    assert lines[0] == "165.0,155.0 270.0,70.0"


def test_the_page_is_that_of_the_run_that_was_kept() -> None:
    kept = json.loads(run_benches.KEPT.read_text("utf-8"))
    assert run_benches.PAGE.read_text("utf-8") == costs_page.page(kept)
    for name, chart in costs_page.charts(kept).items():
        assert (run_benches.CHARTS / name).read_text("utf-8") == chart


def test_a_bench_that_fails_is_named(tmp_path: t.Any) -> None:
    done = run_benches.run({"soap_decoding": ["--rows", "no number"]}, tmp_path)
    assert (done.figures, [one["bench"] for one in done.failed]) == ([], ["soap_decoding"])
    assert "invalid int value" in done.failed[0]["why"]


@pytest.mark.night  # minutes, for what no user runs
def test_each_bench_reports_each_peer_or_says_why_not() -> None:
    command = [sys.executable, run_benches.__file__, "--size", "2"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    latest = json.loads((workspace.folder() / "bench" / "latest.json").read_text("utf-8"))
    told = [*latest["rows"], *latest["not_run"]]
    assert {one["bench"] for one in told} == set(run_benches.benches(2))
    assert {one["who"] for one in told} >= {"floor", "rclone", "swift", "openstack.cloud.object", "zeep"}
    assert "nothing is compared" in done.stdout  # what was kept is of another size
