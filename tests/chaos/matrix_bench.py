# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a cell of the matrix is tried: a sandbox of its own, the fault proxy before it, and the runs of the task."""

from __future__ import annotations

import contextlib
import functools
import importlib
import json
import os
import resource
import shutil
import signal
import threading
import time
import typing as t
from pathlib import Path

from sandbox.process import SandboxProcess

from chaos.canaries import CREDENTIALS
from chaos.conftest import QUICK
from chaos.fault_proxy import Armed, Effect, Exchange, FaultProxy
from chaos.kinds import KINDS
from chaos.leaping_clock import AHEAD_BY, JUMP, JUMP_BY
from chaos.matrix_case import OTHER, Case
from chaos.matrix_verdicts import KILLED, NEVER_STRUCK, Cell, Evidence, unknown, verdict
from chaos.proxy_effects import pass_on
from chaos.proxy_faults import Fault, arm
from chaos.task_process import LONGEST, PLUGINS, Ended
from chaos.workplace import UNTIMED, Workplace

GRACE = 4.0
LATER = 1.0
"""Seconds that are waited for more than lists are late."""

DAY = 86400.0
VOLATILE = ("Status", "IsLocked")
LIMITS = {"FCD_TIMEOUT": "3", "FCD_TASK_TIMEOUT": "40"}
"""Those of a run that a fault may hold. When it is over, a busy machine is no reason to give up."""


class Bench:
    """One sandbox with the proxy in front of it. ``number`` tells it from those beside it."""

    def __init__(self, folder: Path, number: int = 0) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        credentials = folder / "credentials.json"
        credentials.write_text(json.dumps(CREDENTIALS), encoding="utf-8")
        self.folder = folder
        self.sandbox = SandboxProcess("--credentials", str(credentials))
        self.sandbox.start()
        self.proxy = FaultProxy(self.sandbox, folder)
        self._primed = Workplace(self.sandbox, folder / "primed")
        nobody = {**KINDS["warehouse"].args("nobody"), "state": "absent"}
        self._primed.start_alone("warehouse", nobody, {**self._primed.environment, **self.proxy.environment}).ended()
        self._armed: Armed | None = None
        self._limits = LIMITS
        self._spelled: dict[str, str] = {}
        """What is different in the environment of the next run."""
        self._names = (f"m{number}x{one}" for one in range(1, 10**6))

    def close(self) -> None:
        """End both. Raises RuntimeError when the sandbox itself went wrong, which makes its cells worthless."""
        self.proxy.stop()
        self.sandbox.stop()
        if errors := self.sandbox.errors():
            raise RuntimeError(errors[-2000:])

    def cell(self, case: Case, fault: Fault) -> Cell:
        """Run the task with the fault, then until it is clear what came of it."""
        name, begun = next(self._names) + fault.ending, time.monotonic()
        place = self._place(case, fault, name)
        found = Evidence([], [], [], name=name, kept_name=fault.kept_as(name) if fault.kept_as(name) != name else "")
        others = self._others()
        struck = True
        for number in (1, 2):
            if number == fault.at_run:
                self._strike_with(fault, case)
                self._run(found, place, case, name, fault)
                struck = self._armed is None or self._armed.struck > 0
                self._let_go(fault, place)
            else:
                self._run(found, place, case, name)
            if not struck:
                break
            self._spelled = fault.later(self.proxy.environment)
        forced = struck and self._last_runs(found, place, case, fault, name)
        found = found._replace(forced=forced, others_changed=self._others() != others)
        what = verdict(case, fault, found) if struck else NEVER_STRUCK
        return Cell(case.name, fault.name, what, time.monotonic() - begun, found.in_words())

    def _strike_with(self, fault: Fault, case: Case) -> None:
        if fault.settings is not None:
            for service, settings in fault.settings(fault.lag).items():
                self.sandbox.settings(**{service: dict(settings)})
        self._armed = arm(self.proxy, fault, case.write)

    def _last_runs(self, found: Evidence, place: Workplace, case: Case, fault: Fault, name: str) -> bool:
        """Run it when all lists are up to date and, where nobody knows what there is, a day later.

        Only if that does not help and nothing is there, force it as the error says; return whether that was done.
        """
        settled = found.runs[-1].failed or found.runs[-1].result.get("changed") or fault.lag or fault.settles
        if case.act or not settled:
            return False
        last = max(self.proxy.last_write, self._armed.last if self._armed else 0.0)
        time.sleep(max(0.0, last + fault.lag + fault.settles + LATER - time.monotonic()))
        self._until_unchanged(found, place, case, name)
        if unknown(found.runs[-1]):
            self._spelled = {**self._spelled, AHEAD_BY: str(DAY)}
            self._until_unchanged(found, place, case, name)
        named = "force_create" in options_of(case.module) and "force_create" in str(found.runs[-1].result)
        forced = named and unknown(found.runs[-1]) and not case.begun(self.sandbox.state(), found.kept_name or name)
        if forced:
            self._run(found, place, case, name, force_create=True)
            self._run(found, place, case, name)
        return forced

    def _until_unchanged(self, found: Evidence, place: Workplace, case: Case, name: str) -> None:
        """Run it, and again if that has changed something."""
        self._run(found, place, case, name)
        if not found.runs[-1].failed and found.runs[-1].result.get("changed"):
            self._run(found, place, case, name)

    def _place(self, case: Case, fault: Fault, name: str) -> Workplace:
        """Return a home for the task at the seed, with what must be there before, and what somebody else has."""
        self.proxy.forget()
        self.sandbox.reset()
        self.sandbox.settings(rest=QUICK)
        place = Workplace(self.sandbox, self.folder / name)
        place.keep_contract_of(self._primed)
        case.there(place, name.rstrip())
        if fault.others:
            other = Workplace(self.sandbox, self.folder / f"{name}-other", self.proxy.environment)
            case.there(other, OTHER)
            if case.creates:
                other.run(case.module, case.args(OTHER)).succeeded()
        rows = self.sandbox.state()["rest"].values()
        self.proxy.begin(name, fault.kept_as(name), frozenset(row["Id"] for kind in rows for row in kind))
        self._armed, self._spelled, self._limits = None, {}, LIMITS
        return place

    def _others(self) -> list[str]:
        """Return what somebody else has, but for what changes by itself."""
        state = self.sandbox.state()
        rows = [row for service in ("rest", "soap") for kind in state[service].values() for row in kind]
        own = [row for row in rows if OTHER in str(row) and "OperationType" not in row]  # tickets tell what was, too
        return sorted(str({key: value for key, value in row.items() if key not in VOLATILE}) for row in own)

    def _let_go(self, fault: Fault, place: Workplace) -> None:
        """End the fault, but for lists that are late and what is for good."""
        if not fault.for_good:
            self.proxy.disarm()
            self._limits = {"FCD_TIMEOUT": UNTIMED}
        self.sandbox.settings(rest={"payment_required": False, "accept_only": False}, soap={"accept_only": False})
        if fault.afterwards is not None:
            for note in (place.state_dir / "creates").rglob("*.json"):
                content = fault.afterwards(json.loads(note.read_bytes()))
                note.write_text(json.dumps(content) if content else "", encoding="utf-8")

    def _run(
        self, found: Evidence, place: Workplace, case: Case, name: str, fault: Fault | None = None, **more: t.Any
    ) -> None:
        before = self.proxy.writes
        found.runs.append(self._ended(place, case, {**case.args(name), **_graces(case.module), **more}, fault))
        found.writes.append(self.proxy.writes - before)
        found.counts.append(case.found(self.sandbox.state(), found.kept_name or name))

    def _ended(self, place: Workplace, case: Case, args: dict[str, t.Any], fault: Fault | None) -> Ended:
        environment = {
            **place.environment,
            **self.proxy.environment,
            **self._spelled,
            **self._limits,
            "TZ": "Pacific/Niue",
        }
        if fault is not None:
            environment.update({JUMP_BY: str(fault.clock), **fault.environment})
            args.update({key: value for key, value in fault.options.items() if key in options_of(case.module)})
        task = place.start_alone(case.module, args, environment)
        if fault is not None and fault.to_process:
            effect = fault.effect or pass_on
            strike = functools.partial(_strike, fault.to_process, task.pid, place, effect)
            self._armed = self.proxy.arm(case.write, strike)
        try:
            return task.ended(LONGEST)
        except AssertionError as problem:
            without_end = "not ended" in str(problem)
            kind = "" if without_end or fault is None or fault.to_process not in ("kill", "term") else KILLED
            result = {"failed": True, "msg": str(problem), "error": {"kind": kind}, "unbounded": without_end}
            return Ended(result)


@functools.lru_cache(maxsize=None)
def options_of(module: str) -> frozenset[str]:
    """Return the names of a module's own options."""
    return frozenset(importlib.import_module(f"{PLUGINS}.modules.{module}").OPERATION.options)


def _graces(module: str) -> dict[str, float]:
    return {"create_grace": GRACE} if "create_grace" in options_of(module) else {}


def _strike(how: str, pid: int, place: Workplace, effect: Effect, exchange: Exchange) -> None:
    """Do to the process what happens to it at the moment of the write, and then the effect."""
    if how in {"kill", "term"}:
        if effect is pass_on:
            exchange.forward()
        _signal(pid, signal.SIGKILL if how == "kill" else signal.SIGTERM)
        exchange.reset()
        return
    if how == "jump":
        _signal(pid, JUMP)
    elif how == "folder":
        shutil.rmtree(place.state_dir)
    elif how == "full":
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (0, 0))
    else:
        _signal(pid, signal.SIGSTOP)
        threading.Timer(4, _signal, (pid, signal.SIGCONT)).start()
    effect(exchange)


def _signal(pid: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)
