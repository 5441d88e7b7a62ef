# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every fault on every change: a task with it, again at once, and once more when all lists are up to date.

    python tests/chaos/matrix.py [--fault 01f]... [--case instance]... [--seed N --share 0.1]

What came of each cell is one of VERDICTS.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import signal
import sys
import tempfile
import threading
import time
import typing as t
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
if __name__ == "__main__":
    sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "tools")]
    import collection_tree

    sys.path.insert(0, str(collection_tree.linked()))

from sandbox.process import SandboxProcess

from chaos.canaries import CREDENTIALS
from chaos.conftest import QUICK
from chaos.fault_proxy import Armed, Effect, Exchange, FaultProxy
from chaos.kinds import KINDS
from chaos.leaping_clock import JUMP, JUMP_BY
from chaos.matrix_cases import CASES, REST_GRACE, Case
from chaos.proxy_faults import FAULTS, Fault, arm, pass_on
from chaos.task_process import Ended
from chaos.workplace import Workplace

GRACE = 4.0
LIMIT = 75.0
"""Seconds after which a run counts as without an end."""

SECRETS = ("password", "api_client_secret", "storage_key")
CONVERGED, NAMED_ERROR, TOLD, NEVER_STRUCK = "converged", "named error", "told", "never struck"
BAD = ("DUPLICATE", "LOST", "WRONG CHANGED", "UNBOUNDED", "LEAK", "TRACEBACK", "STAYS RED")
VERDICTS = {
    CONVERGED: "the first run ended well, changed, with one object",
    NAMED_ERROR: "the first run ended with a named error, a later one well, with one object",
    TOLD: "nobody but a person can mend it: every run says so, with numbers where there are two, and does nothing more",
    NEVER_STRUCK: "the task sends nothing that the fault is for, so the cell says nothing",
    "DUPLICATE": "more than one object",
    "LOST": "a run ended well and there is no object",
    "WRONG CHANGED": "what was done was told as changed: false by all, or failed with it",
    "UNBOUNDED": f"a run took more than {LIMIT:g} s",
    "LEAK": "a secret in a result",
    "TRACEBACK": "an error without a name",
    "STAYS RED": "it does not end well when the fault is over",
}


class Cell(t.NamedTuple):
    """What came of a fault on a case; ``runs`` are the ends of the three runs, in words."""

    case: str
    fault: str
    verdict: str
    seconds: float
    runs: tuple[str, ...]
    lies: bool

    @property
    def bad(self) -> bool:
        """Whether it must not be; where the proxy lies about what was done, changed may be wrong."""
        return self.verdict in BAD and not (self.lies and self.verdict in ("WRONG CHANGED", "DUPLICATE"))


class Bench:
    """One sandbox with the proxy in front of it."""

    def __init__(self, folder: Path) -> None:
        credentials = folder / "credentials.json"
        credentials.write_text(json.dumps(CREDENTIALS), encoding="utf-8")
        self.folder = folder
        self.sandbox = SandboxProcess("--credentials", str(credentials))
        self.sandbox.start()
        self.proxy = FaultProxy(self.sandbox.environment, folder)
        self._primed = Workplace(self.sandbox, folder / "primed")
        environment = {**self._primed.environment, **self.proxy.environment}
        nobody = {**KINDS["warehouse"].args("nobody"), "state": "absent"}
        self._primed.start_alone("warehouse", nobody, environment).ended()
        self._armed: Armed | None = None
        self._number = 0

    def close(self) -> None:
        """End both."""
        self.proxy.stop()
        self.sandbox.stop()

    def cell(self, case: Case, fault: Fault) -> Cell:
        """Run the three runs and say what came of them."""
        self._number += 1
        name = f"m{self._number}"
        place = self._place(case, name)
        if fault.settings is not None:
            for service, settings in fault.settings(fault.lag).items():
                self.sandbox.settings(**{service: dict(settings)})
        self._armed = arm(self.proxy, fault, case.write)
        begun = time.monotonic()
        args = {**case.args(name), **({"create_grace": GRACE} if case.module in REST_GRACE | {"warehouse"} else {})}
        args.update(fault.options if "create_grace" in args else {})
        runs = [self._run(place, case, args, fault)]
        done_at_first = self._count(case, name)
        struck = self._armed is None or self._armed.struck > 0
        self.proxy.disarm()
        runs.append(self._run(place, case, args, None))
        time.sleep(max(0.0, fault.lag + 2.0 - (time.monotonic() - begun)) if fault.lag else 0.0)
        if fault.name.startswith("09"):
            time.sleep(max(0.0, 8.0 - (time.monotonic() - begun)))
        runs.append(self._run(place, case, args, None))
        verdict = _verdict(runs, done_at_first, self._count(case, name)) if struck else NEVER_STRUCK
        return Cell(
            case.name, fault.name, verdict, time.monotonic() - begun, tuple(_in_words(one) for one in runs), fault.lies
        )

    def _place(self, case: Case, name: str) -> Workplace:
        self.proxy.disarm()
        self.sandbox.reset()
        self.sandbox.settings(rest=QUICK)
        place = Workplace(self.sandbox, self.folder / name)
        place.keep_contract_of(self._primed)
        case.there(place, name)
        return place

    def _count(self, case: Case, name: str) -> int:
        return case.found(self.sandbox.state(), name)

    def _run(self, place: Workplace, case: Case, args: dict[str, t.Any], fault: Fault | None) -> Ended:
        limits = {"timeout": 3, "task_timeout": 40}
        more = {} if fault is None else {JUMP_BY: str(fault.clock)}
        environment = {**place.environment, **self.proxy.environment, **more}
        task = place.start_alone(case.module, {**args, **limits}, environment)
        if fault is not None and fault.to_process:
            effect = fault.effect or pass_on
            self._armed = self.proxy.arm(
                case.write, lambda exchange: _strike(fault.to_process, task.pid, exchange, effect)
            )
        try:
            return task.ended(LIMIT)
        except AssertionError as problem:
            return Ended(
                {"failed": True, "msg": str(problem), "error": {"kind": "", "unbounded": "not ended" in str(problem)}}
            )


def _strike(how: str, pid: int, exchange: Exchange, effect: Effect) -> None:
    """Do to the process what happens to it at the moment of the write, and then the effect."""
    if how == "jump":
        os.kill(pid, JUMP)
    elif how == "full":
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (0, 0))
    else:
        os.kill(pid, signal.SIGSTOP)
        threading.Timer(4, os.kill, (pid, signal.SIGCONT)).start()
    effect(exchange)


def _verdict(runs: t.Sequence[Ended], done_at_first: int, count: int) -> str:
    first, last = runs[0], runs[-1]
    told = json.dumps([one.result for one in runs])
    changed = [bool(one.result.get("changed")) for one in runs]
    nobody_knows = last.failed and last.kind == "CannotDetermine"
    verdicts = (
        ("UNBOUNDED", any(one.failed and one.result.get("error", {}).get("unbounded") for one in runs)),
        ("TRACEBACK", any(_is_nameless(one) for one in runs)),
        ("LEAK", any(CREDENTIALS[name] in told for name in SECRETS)),
        (TOLD, count > 1 and first.failed and changed[0] and last.kind == "Ambiguous"),
        ("DUPLICATE", count > 1),
        (TOLD, count == 0 and nobody_knows),
        ("LOST", count == 0),
        ("WRONG CHANGED", not any(changed) or bool(done_at_first and not changed[0])),
        ("STAYS RED", last.failed or changed[-1]),
        (NAMED_ERROR, first.failed),
    )
    return next((verdict for verdict, holds in verdicts if holds), CONVERGED)


def _is_nameless(ended: Ended) -> bool:
    """Return whether an error has no name; that of a fleet has those of its instances."""
    kinds = [one["error"]["kind"] for one in ended.result.get("outcomes", []) if one.get("error")] or [ended.kind]
    return ended.failed and ("Traceback" in ended.message or not {"", "Defect"}.isdisjoint(kinds))


def _in_words(ended: Ended) -> str:
    changed = "changed" if ended.result.get("changed") else "unchanged"
    return f"{ended.kind or 'no name'}, {changed}: {ended.message[:160]}" if ended.failed else f"ok, {changed}"


def chosen(faults: t.Sequence[str], cases: t.Sequence[str]) -> list[tuple[Case, Fault]]:
    """Return the cells that are asked for; without words, all."""
    return [
        (case, fault)
        for fault in FAULTS
        for case in CASES
        if (not faults or fault.name in faults)
        and (not cases or case.name in cases)
        and (not fault.services or case.write["service"] in fault.services)
    ]


def main() -> int:
    """Run the cells and print what came of them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fault", action="append", default=[])
    parser.add_argument("--case", action="append", default=[])
    parser.add_argument("--share", type=float, default=1.0, help="part of the cells, drawn at random")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    cells = chosen(given.fault, given.case)
    cells = random.Random(given.seed).sample(cells, max(1, int(len(cells) * given.share)))
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder))
        try:
            for case, fault in cells:
                cell = bench.cell(case, fault)
                bad += cell.bad
                mark = "!!" if cell.bad else "  "
                sys.stdout.write(f"{mark} {fault.name:4} {case.name:28} {cell.verdict:14} {cell.seconds:5.1f} s\n")
                if cell.bad:
                    sys.stdout.write("".join(f"       {line}\n" for line in (fault.says, *cell.runs)))
                sys.stdout.flush()
        finally:
            bench.close()
    sys.stdout.write(f"{len(cells)} cells, {bad} bad\n")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
