# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tries the cells of the matrix side by side, and tells what came of them."""

from __future__ import annotations

import argparse
import fnmatch
import itertools
import os
import queue
import random
import sys
import tempfile
import threading
import time
import typing as t
from collections import Counter
from pathlib import Path

from chaos import matrix_cases_orchestration, matrix_page
from chaos.matrix_bench import Bench
from chaos.matrix_case import FILES, Case
from chaos.matrix_cases import CASES
from chaos.matrix_ever_red import EVER_RED
from chaos.matrix_faults import FAULTS
from chaos.matrix_verdicts import NEVER_STRUCK, Cell
from chaos.proxy_faults import LISTS, MANY, READ, TICKET, Fault

Pair = t.Tuple[Case, Fault]


def can_strike(fault: Fault, case: Case) -> bool:
    """Return whether the fault can strike the case at all."""
    if case.only:
        return fault.name in case.only.split()
    return fault.needs <= case.all_traits and (not fault.services or case.write["service"] in fault.services)


def chosen(given: argparse.Namespace) -> list[Pair]:
    """Return the cells that are asked for: those that were ever red first, where they are wanted."""
    cells = [
        (case, fault)
        for fault in FAULTS
        for case in CASES
        if (not given.fault or any(fnmatch.fnmatch(fault.name, one) for one in given.fault))
        and (not given.case or case.name in given.case)
        and (case.creates or not given.creates)
        and can_strike(fault, case)
    ]
    red = [pair for pair in cells if given.ever_red and (pair[0].name, pair[1].name) in EVER_RED]
    red = _of_each_fault(red, given.most) if given.most else red
    drawn = random.Random(given.seed).sample(cells, round(len(cells) * given.share))
    added = _of_the_rest(red, drawn) if given.each else [pair for pair in drawn if pair not in red]
    return [*red, *added] * given.times


def _of_each_fault(cells: t.Sequence[Pair], most: int) -> list[Pair]:
    """Return at most so many cells of each fault, of cases that are far apart."""
    found: list[Pair] = []
    for _fault, group in itertools.groupby(cells, key=lambda pair: pair[1].name):
        those = [*group]
        found += those if len(those) <= most else [those[(2 * at + 1) * len(those) // (2 * most)] for at in range(most)]
    return found


def _of_the_rest(red: t.Sequence[Pair], drawn: t.Sequence[Pair]) -> list[Pair]:
    """Return a cell for each fault that is in no red one, with the case that has the fewest; then one for each case."""
    number = Counter(case.name for case, _fault in red)
    faults = {fault.name for _case, fault in red}
    added: list[Pair] = []
    for name in dict.fromkeys(fault.name for _case, fault in drawn if fault.name not in faults):
        added.append(min((pair for pair in drawn if pair[1].name == name), key=lambda pair: _rank(pair, number)))
        number[added[-1][0].name] += 1
    for pair in drawn:
        if not number[pair[0].name]:
            added.append(pair)
            number[pair[0].name] += 1
    return added


def _rank(pair: Pair, number: t.Mapping[str, int]) -> tuple[bool, int]:
    """Return what is least for the best.

    Of the cases that may write more than once, a fleet always does; those without lists may read nothing; sites and
    fleets may read the tickets of several operations in lists.
    """
    case, fault = pair
    many = case.module in ("site", "instance_fleet")
    unsure = (fault.at == READ and not case.all_traits >= LISTS) or (fault.at == TICKET and many)
    return unsure or (fault.needs >= MANY and case.module != "instance_fleet"), number[case.name]


class Runner:
    """Tries cells on some benches at a time, until all are done or the time is over."""

    def __init__(self, cells: t.Sequence[Pair], jobs: int, minutes: float, record: Path | None) -> None:
        self.done: list[Cell] = []
        self._cases = [case for case, _fault in cells]
        self._record = record
        self._waiting: queue.SimpleQueue[Pair] = queue.SimpleQueue()
        for pair in cells:
            self._waiting.put(pair)
        self._jobs = min(jobs, len(cells))
        self._end = time.monotonic() + minutes * 60 if minutes else float("inf")
        self._telling = threading.Lock()
        self._problems: list[BaseException] = []

    def run(self) -> None:
        """Try them. What goes wrong with a bench, and not with a task, is raised."""
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            os.environ[FILES] = str(Path(folder) / "files")
            if any(case.module == "orchestration" for case in self._cases):
                matrix_cases_orchestration.prepare()
            threads = [threading.Thread(target=self._work, args=(Path(folder), one)) for one in range(self._jobs)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        if self._problems:
            raise self._problems[0]

    def _work(self, folder: Path, number: int) -> None:
        try:
            bench = Bench(folder / f"bench-{number}", number)
            try:
                while not self._problems and time.monotonic() < self._end:
                    try:
                        pair = self._waiting.get_nowait()
                    except queue.Empty:
                        return
                    self._tell(bench.cell(*pair), pair[1])
            finally:
                bench.close()
        except BaseException as problem:
            self._problems.append(problem)

    def _tell(self, cell: Cell, fault: Fault) -> None:
        with self._telling:
            self.done.append(cell)
            matrix_page.keep(self._record, cell._asdict())
            sys.stdout.write(_report(cell, fault))
            sys.stdout.flush()


def _report(cell: Cell, fault: Fault) -> str:
    """Return a line for the cell; below a bad one, how its runs ended."""
    mark = "!!" if cell.bad else "  "
    lines = [f"{mark} {cell.fault:4} {cell.case:28} {cell.verdict:14} {cell.seconds:5.1f} s"]
    if cell.bad:
        lines += [f"       {line}" for line in (fault.says, *cell.runs)]
    return "\n".join(lines) + "\n"


def options(description: str, words: t.Sequence[str] | None = None) -> argparse.Namespace:
    """Return what is asked for on the command line, or by these words."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--fault",
        action="append",
        default=[],
        help="only this one, or those of a pattern such as '4*'; may be repeated",
    )
    parser.add_argument("--case", action="append", default=[], help="only this one; may be given more than once")
    parser.add_argument(
        "--creates", action="store_true", help="only cases that make something that could be there twice"
    )
    parser.add_argument(
        "--share", type=float, default=1.0, help="part of the cells, drawn at random; 0: none, for --page"
    )
    parser.add_argument("--seed", type=int, default=1, help="what is drawn")
    parser.add_argument("--ever-red", action="store_true", help="begin with the cells that were ever red")
    parser.add_argument("--most", type=int, default=0, help="at most so many of them for each fault; 0: all")
    parser.add_argument("--each", action="store_true", help="of the others, a cell for each fault and each case only")
    parser.add_argument("--times", type=int, default=1, help="how often each cell is tried")
    parser.add_argument("--jobs", type=int, default=4, help="how many cells are tried at a time")
    parser.add_argument("--minutes", type=float, default=0.0, help="begin no cell after this time; 0: try all")
    parser.add_argument(
        "--record", type=Path, help="a file to which the cells are added, as lines of JSON, with the commit"
    )
    parser.add_argument(
        "--page", action="store_true", help="write docs/fault-matrix.md, from the record if there is one"
    )
    return parser.parse_args(words)


def main(description: str) -> int:
    """Run the cells, print what came of them, and write the page; return the exit status."""
    given = options(description)
    cells = chosen(given)
    begun = time.monotonic()
    runner = Runner(cells, given.jobs, given.minutes, given.record)
    runner.run()
    seconds = time.monotonic() - begun
    matrix_page.keep(given.record, {"wall": seconds})
    known = matrix_page.recorded(given.record) if given.record else (runner.done, seconds)
    struck = [cell for cell in runner.done if cell.verdict != NEVER_STRUCK]
    counts = Counter(cell.verdict for cell in runner.done)
    cases = [case for case in CASES if any(cell.case == case.name for cell in runner.done)]
    faults = [fault for fault in FAULTS if any(cell.fault == fault.name for cell in runner.done)]
    sys.stdout.write("\n".join(matrix_page.table(runner.done, faults, cases, can_strike)) + "\n")
    sys.stdout.write(", ".join(f"{number} {case.name}" for number, case in enumerate(cases, 1)) + "\n")
    sys.stdout.write("".join(f"{number:5} {verdict}\n" for verdict, number in counts.most_common()))
    left = len(cells) - len(runner.done)
    sys.stdout.write(
        f"{len(struck)} cells in {seconds:.0f} s, {sum(one.bad for one in struck)} bad, {left} not begun\n"
    )
    missed = {fault.name for _case, fault in cells} - {cell.fault for cell in struck} if given.each and not left else ()
    sys.stdout.write("".join(f"!! {fault} has struck nowhere\n" for fault in sorted(missed)))
    if given.page:
        matrix_page.write(*known, FAULTS, CASES, can_strike)
    fault_named = {fault.name: fault for fault in FAULTS}
    sys.stdout.write("".join(_report(cell, fault_named[cell.fault]) for cell in runner.done if cell.bad))
    return int(any(cell.bad for cell in runner.done) or bool(missed))
