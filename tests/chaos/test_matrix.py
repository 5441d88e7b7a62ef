# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The matrix of faults is whole, and its verdicts tell good from bad; its cells are tried by matrix.py."""

from __future__ import annotations

import json
import typing as t
from collections import Counter
from pathlib import Path

import pytest

from chaos.canaries import CREDENTIALS
from chaos.matrix_cases import CASES, NOT_TRIED
from chaos.matrix_ever_red import EVER_RED
from chaos.matrix_faults import FAULTS
from chaos.matrix_page import keep, recorded
from chaos.matrix_runner import can_strike, chosen, options
from chaos.matrix_verdicts import BAD, CONVERGED, FORCED, KILLED, MISLED, NAMED_ERROR, TOLD, Cell, Evidence, verdict
from chaos.task_process import Ended

MODULES = Path(__file__).resolve().parents[2] / "plugins" / "modules"
CASE, FAULT, LIE, ACT = (
    next(one for one in CASES if one.name == "instance"),
    next(one for one in FAULTS if one.name == "01c"),
    next(one for one in FAULTS if one.name == "26a"),
    next(one for one in CASES if one.name == "instance_power"),
)
CHANGED, SAME = Ended({"changed": True}), Ended({"changed": False})


def failed(kind: str, msg: str = "Odd.", *, changed: bool = False) -> Ended:
    return Ended({"failed": True, "changed": changed, "msg": msg, "error": {"kind": kind}})


BOTH = failed("Ambiguous", "There are 2 instances with the name 'm1': 2501, 2502.", changed=True)
UNKNOWN = failed("CannotDetermine", changed=True)


def test_every_module_that_writes_is_a_case_or_is_named() -> None:
    readers = {path.stem for path in MODULES.glob("*.py") if path.stem.endswith("_info")}
    here = {"document_download", "instance_screenshot"}  # what they write stays on this machine
    here |= {"site_export", "site_report", "site_validate"}
    modules = {path.stem for path in MODULES.glob("*.py")} - readers - here
    assert modules - {one.module for one in CASES} == set(NOT_TRIED)


def test_names_are_given_once() -> None:
    names = Counter([one.name for one in CASES] + [one.name for one in FAULTS])
    assert [name for name, number in names.items() if number > 1] == []


def test_every_fault_can_strike_and_every_case_be_struck() -> None:
    assert [fault.name for fault in FAULTS if not any(can_strike(fault, case) for case in CASES)] == []
    whole = [case for case in CASES if not case.only]
    assert [case.name for case in whole if sum(can_strike(fault, case) for fault in FAULTS) < len(FAULTS) / 3] == []


def test_the_cells_that_were_ever_red_are_cells() -> None:
    assert {(case.name, fault.name) for case in CASES for fault in FAULTS if can_strike(fault, case)} >= EVER_RED


def test_make_test_tries_each_fault_that_was_ever_red() -> None:
    cells = chosen(options("", ["--ever-red", "--most", "1", "--share", "0"]))
    assert {fault.name for _case, fault in cells} == {fault for _case, fault in EVER_RED}


def test_test_all_tries_each_fault_each_case_and_what_was_ever_red() -> None:
    cells = chosen(options("", ["--ever-red", "--each"]))
    names = {(case.name, fault.name) for case, fault in cells}
    assert len(names) == len(cells)
    assert names >= EVER_RED
    assert {fault.name for _case, fault in cells} == {fault.name for fault in FAULTS}
    assert {case.name for case, _fault in cells} == {case.name for case in CASES}


Runs = t.Sequence[t.Tuple[Ended, int, int]]


@pytest.mark.parametrize(
    ("word", "runs"),
    [
        (CONVERGED, [(CHANGED, 1, 1), (SAME, 1, 0)]),
        (NAMED_ERROR, [(failed("Unusable"), 0, 0), (CHANGED, 1, 1), (SAME, 1, 0)]),
        (NAMED_ERROR, [(failed(KILLED), 1, 1), (SAME, 1, 0)]),
        (TOLD, [(BOTH, 2, 2), (BOTH, 2, 0), (BOTH, 2, 0)]),
        (TOLD, [(UNKNOWN, 0, 0), (UNKNOWN, 0, 0)]),
        ("DUPLICATE", [(BOTH, 2, 2), (BOTH, 2, 0), (BOTH, 3, 1)]),
        ("DUPLICATE", [(CHANGED, 2, 1), (BOTH, 2, 0), (BOTH, 2, 0)]),
        ("DUPLICATE", [(CHANGED, 2, 1), (SAME, 2, 0)]),
        ("DUPLICATE", [(UNKNOWN, 1, 1), (CHANGED, 2, 1), (SAME, 2, 0)]),
        ("DUPLICATE", [(UNKNOWN, 1, 1), (CHANGED, 2, 1), (BOTH, 2, 0)]),
        ("LOST", [(CHANGED, 0, 1), (CHANGED, 1, 1), (SAME, 1, 0)]),
        (NAMED_ERROR, [(Ended({"changed": True}, ["It has other values."]), 0, 1), (CHANGED, 1, 1), (SAME, 1, 0)]),
        (NAMED_ERROR, [(CHANGED, 1, 1), (failed("Unclear"), 1, 0), (SAME, 1, 0)]),
        ("LOST", [(SAME, 0, 0), (SAME, 0, 0)]),
        ("WRONG CHANGED", [(failed("Unusable"), 1, 1), (SAME, 1, 0)]),
        ("WRONG CHANGED", [(SAME, 1, 1), (SAME, 1, 0)]),
        ("STAYS RED", [(CHANGED, 1, 1), (CHANGED, 1, 1)]),
        ("STAYS RED", [(CHANGED, 1, 1), (failed("Refused"), 1, 0)]),
        ("TRACEBACK", [(failed("Defect"), 0, 0), (CHANGED, 1, 1)]),
        ("TRACEBACK", [(failed(""), 0, 0), (CHANGED, 1, 1)]),
        ("LEAK", [(failed("Refused", CREDENTIALS["password"]), 0, 0), (CHANGED, 1, 1)]),
        ("UNBOUNDED", [(Ended({"changed": True}, seconds=90.0), 1, 1), (SAME, 1, 0)]),
        (CONVERGED, [(Ended({"changed": True}, seconds=90.0, kept=60.0), 1, 1), (SAME, 1, 0)]),
    ],
)
def test_verdicts(word: str, runs: Runs) -> None:
    assert verdict(CASE, FAULT, _evidence(runs)) == word


OTHER_NAME = failed("NotAsDesired", "It is instance 2501 with the name 'M1'.", changed=True)


@pytest.mark.parametrize(
    ("word", "runs", "more"),
    [
        (FORCED, [(UNKNOWN, 0, 0), (UNKNOWN, 0, 0), (CHANGED, 1, 1), (SAME, 1, 0)], {"forced": True}),
        ("DUPLICATE", [(UNKNOWN, 1, 1), (UNKNOWN, 1, 0), (CHANGED, 2, 1), (SAME, 2, 0)], {"forced": True}),
        ("OTHERS CHANGED", [(CHANGED, 1, 1), (SAME, 1, 0)], {"others_changed": True}),
        (TOLD, [(OTHER_NAME, 1, 1), (OTHER_NAME, 1, 0)], {"name": "m1", "kept_name": "M1"}),
        (TOLD, [(OTHER_NAME, 1, 1), (OTHER_NAME, 1, 0)], {"name": "m", "kept_name": "M"}),
        ("STAYS RED", [(OTHER_NAME, 1, 1), (OTHER_NAME, 1, 0)], {}),
        ("DUPLICATE", [(OTHER_NAME, 1, 1), (OTHER_NAME, 2, 1)], {"name": "m1", "kept_name": "M1"}),
    ],
)
def test_verdicts_of_what_else_is_known(word: str, runs: Runs, more: dict[str, t.Any]) -> None:
    assert verdict(CASE, FAULT, _evidence(runs)._replace(**more)) == word


@pytest.mark.parametrize(
    ("word", "runs"),
    [
        (MISLED, [(failed("Refused"), 1, 1), (SAME, 1, 0)]),
        (TOLD, [(CHANGED, 2, 2), (BOTH, 2, 0)]),
        ("DUPLICATE", [(CHANGED, 2, 2), (SAME, 2, 0)]),
    ],
)
def test_verdicts_where_the_proxy_lies(word: str, runs: Runs) -> None:
    assert verdict(CASE, LIE, _evidence(runs)) == word


@pytest.mark.parametrize(
    ("word", "runs"),
    [
        (CONVERGED, [(CHANGED, 1, 1), (CHANGED, 2, 1)]),
        ("DUPLICATE", [(CHANGED, 2, 2), (CHANGED, 3, 1)]),
        ("LOST", [(CHANGED, 0, 0), (CHANGED, 1, 1)]),
        ("WRONG CHANGED", [(failed("Unclear"), 1, 1), (CHANGED, 2, 1)]),
    ],
)
def test_verdicts_of_acts(word: str, runs: Runs) -> None:
    assert verdict(ACT, FAULT, _evidence(runs)) == word


def test_a_page_is_of_one_commit(tmp_path: Path) -> None:
    record, cell = tmp_path / "cells", Cell("disk", "01c", CONVERGED, 1.0, ())
    keep(record, cell._asdict())
    with record.open("a", encoding="utf-8") as file:
        file.write(json.dumps({**cell._replace(fault="01d")._asdict(), "commit": "another"}) + "\n")
    assert recorded(record) == ([cell], 0)


def test_bad_verdicts_have_signs_of_their_own() -> None:
    assert len({sign for sign, _meaning in BAD.values()}) == len(BAD)


def _evidence(runs: Runs) -> Evidence:
    return Evidence([run for run, _count, _sent in runs], [count for _, count, _ in runs], [sent for *_, sent in runs])
