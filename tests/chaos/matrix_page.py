# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The matrix as text: what is printed, and the page docs/fault-matrix.md."""

from __future__ import annotations

import datetime as dt
import functools
import json
import re
import subprocess
import typing as t
from collections import Counter
from pathlib import Path

from chaos.matrix_case import Case
from chaos.matrix_cases import NOT_TRIED
from chaos.matrix_verdicts import BAD, GOOD, MISLED, NEVER_STRUCK, TOLD, Cell
from chaos.proxy_faults import Fault

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "fault-matrix.md"
CAN = t.Callable[[Fault, Case], bool]
SIGNS = {**GOOD, **BAD}
CANNOT, NOT_RUN = "·", "?"
COLUMNS = 16
HEAD = """# Faults on changes: the matrix

What comes of a task when the service, a gateway, the network, the disk or the clock fails while it changes something.
Each cell is one case (a change by one module) under one fault: the task with the fault, again at once, and once more
when all lists are up to date. If it does not know by then what there is, it runs once more a day later, and only if
that does not help, with `force_create: true`. After each run the objects are counted at the service. The service is the
[sandbox](../tests/sandbox/README.md) in its hard preset, behind a proxy that does to the bytes what the fault says.

Written by `make chaos` on {date}. All cells are of the commit `{commit}`.

{sums}

| Sign | Cells | What it means |
|---|---|---|
{verdicts}
| `{cannot}` | {number_cannot} | the fault cannot strike this case |
| `{not_run}` | {number_not_run} | not run |

## The matrix

{table}

## The cases

{cases}

Not tried: {not_tried}.

## Where the proxy lies, or only a person can help

What the user is told, run by run; the text is cut. In these cells something was done although a proxy said that it
was not, or it was done twice, or nobody can know whether it was done. In brackets: the writes that reached the
service in the run, and the objects there after it.

{exceptions}

## Red cells

{red}

## Again

```console
make chaos
.venv/bin/python tests/chaos/matrix.py --fault 08a --case instance
.venv/bin/python tests/chaos/matrix.py --creates --fault 17 --fault 17b --times 3
.venv/bin/python tests/chaos/matrix.py --creates --fault 11a --fault 11b --times 3
```

The first line takes about {minutes:.0f} minutes where this page was written. `make test` tries one cell of each
fault that was ever red. `make test-all` tries all cells that ever were, and each fault and each change at least once.
"""


def table(cells: t.Sequence[Cell], faults: t.Sequence[Fault], cases: t.Sequence[Case], can: CAN) -> list[str]:
    """Return the matrix: a line for each fault, a column for each case, in parts that fit on a page."""
    signs = _signs(cells)
    lines: list[str] = []
    for begin in range(0, len(cases), COLUMNS):
        part = list(enumerate(cases, 1))[begin : begin + COLUMNS]
        lines += ["", "| Fault | " + " | ".join(str(number) for number, _case in part) + " |"]
        lines.append("|---" * (len(part) + 1) + "|")
        for fault in (one for one in faults if any(can(one, case) for _number, case in part)):
            row = [signs.get((case.name, fault.name), NOT_RUN) if can(fault, case) else CANNOT for _, case in part]
            lines.append(f"| {fault.name} {fault.says} | " + " | ".join(row) + " |")
    return lines[1:]


def _signs(cells: t.Sequence[Cell]) -> dict[tuple[str, str], str]:
    order = [*SIGNS]
    worst: dict[tuple[str, str], str] = {}
    for cell in cells:
        before = worst.get((cell.case, cell.fault), cell.verdict)
        worst[cell.case, cell.fault] = max(before, cell.verdict, key=order.index)
    return {place: SIGNS[verdict][0] for place, verdict in worst.items()}


def recorded(record: Path) -> tuple[list[Cell], float]:
    """Return the last cell of each place that this commit has in a record, and the seconds that all of it took."""
    every = map(json.loads, record.read_text(encoding="utf-8").splitlines())
    lines = [line for line in every if line.pop("commit", "") == commit()]
    cells = [line for line in lines if "case" in line]
    found = {(line["case"], line["fault"]): Cell(**{**line, "runs": tuple(line["runs"])}) for line in cells}
    return list(found.values()), sum(line.get("wall", 0.0) for line in lines)


def keep(record: Path | None, line: t.Mapping[str, t.Any]) -> None:
    """Add a cell to the record, or how long a run of the matrix took, with the commit."""
    if record is not None:
        with record.open("a", encoding="utf-8") as file:
            file.write(json.dumps({**line, "commit": commit()}) + "\n")


def write(
    cells: t.Sequence[Cell], seconds: float, faults: t.Sequence[Fault], cases: t.Sequence[Case], can: CAN
) -> None:
    """Write the page."""
    counts = Counter(cell.verdict for cell in cells)
    run = sum(number for verdict, number in counts.items() if verdict != NEVER_STRUCK)
    places = {(cell.case, cell.fault) for cell in cells}
    possible = {(case.name, fault.name) for fault in faults for case in cases if can(fault, case)}
    sums = (
        f"{len(cases)} cases, {len(faults)} faults, {len(possible)} cells in which the fault can strike; {run} of them "
        f"were run, in {seconds / 60:.0f} minutes. {', '.join(f'{counts[name]} {name}' for name in BAD)}."
    )
    text = HEAD.format(
        date=dt.datetime.now(dt.timezone.utc).strftime("%Y-%m-%d"),
        commit=commit(),
        sums=sums,
        verdicts="\n".join(_line(name, counts[name]) for name in SIGNS),
        cannot=CANNOT,
        not_run=NOT_RUN,
        number_cannot=len(faults) * len(cases) - len(possible),
        number_not_run=len(possible - places),
        table="\n".join(table(cells, faults, cases, can)),
        cases="\n".join(f"{number}. {case.name}" for number, case in enumerate(cases, 1)),
        not_tried="; ".join(f"`{name}`, since {why}" for name, why in NOT_TRIED.items()),
        exceptions=_told(cells, (TOLD, MISLED)) or "None.",
        red=_told(cells, tuple(BAD)) or "None.",
        minutes=seconds / 60 * len(possible) / max(1, len(places)),
    )
    PAGE.write_text(text, encoding="utf-8")


def _line(verdict: str, number: int) -> str:
    sign, meaning = SIGNS[verdict]
    return f"| {sign or ' '} | {number} | {verdict}: {meaning} |"


def _told(cells: t.Sequence[Cell], verdicts: t.Sequence[str]) -> str:
    """Return the cells with these verdicts, by fault, and what their runs said."""
    lines: list[str] = []
    for cell in sorted((one for one in cells if one.verdict in verdicts), key=lambda one: (one.fault, one.case)):
        lines.append(f"- **{cell.fault}**, {cell.case}: {cell.verdict}")
        lines += [f"  {number}. {_plain(words)}" for number, words in enumerate(cell.runs, 1)]
    return "\n".join(lines)


def _plain(words: str) -> str:
    """Return the words as a literal of Markdown, without what differs from run to run."""
    return "`" + re.sub(r"localhost:\d+", "localhost", words).replace("`", "'") + "`"


@functools.lru_cache(maxsize=None)
def commit() -> str:
    """Return the commit of this tree, which ends in -dirty if something was changed since."""
    words = ["git", "describe", "--always", "--dirty", "--abbrev=10", "--exclude=*"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"
