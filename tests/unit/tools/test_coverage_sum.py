# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The lines that several sessions have run are added up."""

from __future__ import annotations

import sys
from pathlib import Path

import coverage
import coverage_sum
import interpreters
import pytest
from cores import Core

OWN = "{}.{}".format(*sys.version_info)

pytestmark = pytest.mark.process  # coverage is a program of its own there


@pytest.fixture
def parts(tmp_path: Path) -> list[Path]:
    """Of a file with four lines one session has run the first two, the other the second and the third."""
    source = tmp_path / "measured.py"
    source.write_text("a = 1\nb = 2\nc = 3\nd = 4\n", encoding="utf-8")
    files = []
    for name, lines in (("units", [1, 2]), ("units-processes", [2, 3])):
        data = coverage.CoverageData(basename=str(tmp_path / name))
        data.add_lines({str(source): lines})
        data.write()
        files.append(tmp_path / name)
    return files


def test_together_they_are_enough(parts: list[Path]) -> None:
    assert coverage_sum.add_up(parts, least=75).enough
    assert coverage_sum.add_up(parts, least=75).enough, "the parts are still there"
    assert not coverage_sum.add_up(parts, least=76).enough


def test_each_alone_is_not(parts: list[Path]) -> None:
    assert not coverage_sum.add_up(parts[:1], least=51).enough
    assert "50%" in coverage_sum.add_up(parts[:1], least=51).table


def test_a_part_that_is_not_there(parts: list[Path], tmp_path: Path) -> None:
    assert not coverage_sum.add_up([*parts, tmp_path / "nowhere"], least=0).enough


def test_lines_are_counted_where_it_is_cheap() -> None:
    assert [version for version in ("3.9", "3.11", "3.12", "3.13") if coverage_sum.tells_lines(version)] == [
        "3.12",
        "3.13",
    ]


@pytest.mark.parametrize(
    ("version", "counted"),
    [(OWN, ["units", "units-9.9", "units-processes"]), ("3.99", ["units-9.9"]), ("", ["units", "units-processes"])],
)
def test_what_one_session_leaves_out_another_counts(
    monkeypatch: pytest.MonkeyPatch, version: str, counted: list[str]
) -> None:
    cores = [Core("9.8", "9.8.0", (OWN,), ()), Core("9.9", "9.9.0", (version,), ())] if version else []
    monkeypatch.setattr(coverage_sum, "usual", lambda: cores)
    monkeypatch.setattr(
        interpreters, "best", lambda desired: interpreters.Interpreter(desired, "python", complete=True)
    )
    assert coverage_sum.sessions() == counted
