# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Run nox sessions five at a time, show the output of each when it ends, and sum up.

``python checks.py [--matrix] [SESSION ...]``: without names, the sessions that nox runs by default; with --matrix,
those of every ansible-core too. Nothing in the checkout is changed: formatters only check.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import os
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import typing as t
from pathlib import Path

import conformance_sum
import coverage_sum
import interpreters
import workspace
from cores import CORES, WHOLE

LANES = 5
"""How many run at a time; on two processors, since those with faults mostly wait."""

LAST = 100
"""How many lines of a session that passed are shown; of the others, all."""

LAST_OF_FAILED = 15
"""How many lines of a session that failed are shown again at the very end, for whoever sees only the end."""

SILENT = 1200.0
"""Seconds without a line in its log after which a session counts as hanging; how long it may take is up to the load."""

PAUSE = 0.2
"""Seconds between two looks whether a session has ended."""

FIRST = (
    *(
        "integration-modules",
        "chaos",
        "chaos-matrix",
        "canaries",
        "units-2.21",
        "sanity-2.21",
        "integration-roles",
        "site",
    ),
    *(
        "orchestration",
        "examples",
        "units-processes",
        "position-random",
        "position-older",
        "position-friendly",
        "ansible-lint",
        "build-import-check",
    ),
    *("release", "pipelines", "units", "units-2.18", "awx", "docs", "sanity-2.18"),
)
"""What takes longest, in this order, what waits beside what works; at the end short ones fill all lanes."""

NOT_ALONE = {"lint", "matrix-generator"}  # the first only names others, the second prints a table for other systems
SETTINGS = ("antsibull-nox.toml", "tests/tools/constraints.txt")
LINE = "=" * 100


class Outcome(t.NamedTuple):
    """How a session ended: ``passed``, ``failed`` or ``skipped``."""

    session: str
    word: str
    seconds: float
    work: float
    """Seconds of a processor; on a quiet machine with two, half the sum of them is the least that all can take."""
    reason: str = ""


class Lanes:
    """Runs sessions side by side; each lane takes the next one when it is free."""

    def __init__(self, sessions: t.Sequence[str]) -> None:
        """Take the sessions in the order they are to be started."""
        self.outcomes: list[Outcome] = []
        self._waiting: queue.SimpleQueue[str] = queue.SimpleQueue()
        for session in sessions:
            self._waiting.put(session)
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        self._printing = threading.Lock()
        self._stopped = threading.Event()
        self._started = time.monotonic()
        self._nox = workspace.folder() / "nox"
        self._logs = workspace.folder() / "logs"
        shutil.rmtree(self._logs, ignore_errors=True)
        self._logs.mkdir()

    def run(self) -> None:
        """Run all of them. KeyboardInterrupt ends what is running, then goes on its way."""
        threads = [threading.Thread(target=self._lane, daemon=True) for _number in range(LANES)]
        for thread in threads:
            thread.start()
        try:
            for thread in threads:
                while thread.is_alive():
                    thread.join(0.5)
        except BaseException:
            self._stop()
            raise

    def _lane(self) -> None:
        while not self._stopped.is_set():
            try:
                session = self._waiting.get_nowait()
            except queue.Empty:
                return
            self._say(f"[{self._clock()}] {session} ...")
            outcome = self._run_one(session)
            self.outcomes.append(outcome)
            if not self._stopped.is_set():
                self._show(outcome)

    def _run_one(self, session: str) -> Outcome:
        started = time.monotonic()
        complete = self._nox / session / "complete"
        if not complete.exists():  # what an interrupted run left is not complete and would be used without looking
            shutil.rmtree(complete.parent, ignore_errors=True)
        report = self._logs / f"{session}.json"
        command = [sys.executable, "-m", "nox", "--envdir", str(self._nox), "--report", str(report)]
        options = ["--reuse-venv", "always", "--no-install", "--session", session]
        with (self._logs / f"{session}.log").open("wb") as log:
            process = subprocess.Popen(
                [*command, *options],
                cwd=workspace.CHECKOUT,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            self._running[session] = process
            work = _wait(process, log.name)
            del self._running[session]
        seconds = time.monotonic() - started
        if work is None:
            return Outcome(session, "failed", seconds, 0.0, f"nothing in its log for {SILENT:.0f} s")
        word = _word(process.returncode, report)
        if word == "passed" and complete.parent.exists():
            complete.touch()
        return Outcome(session, word, seconds, work)

    def _show(self, outcome: Outcome) -> None:
        lines = _log(outcome.session)
        if outcome.word == "passed" and len(lines) > LAST:
            lines = [f"... {len(lines) - LAST} lines before are in .work/logs/{outcome.session}.log", *lines[-LAST:]]
        end = f"{outcome.session} {outcome.word.upper()} after {outcome.seconds:.0f} s {outcome.reason}".rstrip()
        text = "\n".join(lines)
        self._say(f"{LINE}\n[{self._clock()}] {end}\n{LINE}\n{text}\n")

    def _say(self, text: str) -> None:
        with self._printing:
            print(text, flush=True)

    def _clock(self) -> str:
        minutes, seconds = divmod(int(time.monotonic() - self._started), 60)
        return f"{minutes:2}:{seconds:02}"

    def _stop(self) -> None:
        self._stopped.set()
        for process in list(self._running.values()):
            _end(process)


def _wait(process: subprocess.Popen[bytes], log: str) -> float | None:
    """Wait for its end; return the seconds of a processor that it and its children took, None when it had to be ended.

    The module subprocess does not tell what a process took, so the end is asked for here.
    """
    size, since = 0, time.monotonic()
    while time.monotonic() < since + SILENT:
        try:
            ended, status, usage = os.wait4(process.pid, os.WNOHANG)
        except ChildProcessError:  # it was ended after an interruption
            return 0.0
        if ended:
            process.returncode = os.waitstatus_to_exitcode(status)
            return usage.ru_utime + usage.ru_stime
        known, size = size, os.stat(log).st_size
        if size != known:
            since = time.monotonic()
        time.sleep(PAUSE)
    _end(process)
    return None


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ask the session and its children to clean up and go; after a while, do not ask."""
    for signal_number, patience in ((signal.SIGINT, 15), (signal.SIGTERM, 5), (signal.SIGKILL, 5)):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal_number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(patience)
            return


def _log(session: str) -> list[str]:
    log = workspace.folder() / "logs" / f"{session}.log"
    return log.read_text(encoding="utf-8", errors="replace").splitlines()


def _word(status: int, report: Path) -> str:
    if status:
        return "failed"
    results = json.loads(report.read_text(encoding="utf-8"))["sessions"]
    return "skipped" if all(result["result"] == "skipped" for result in results) else "passed"


def choose(names: t.Sequence[str], *, matrix: bool) -> list[str]:
    """Return the sessions to run, the long ones first."""
    chosen = _listed("--session", *names) if names else _listed()
    more = _listed("--tags", "matrix") if matrix else []
    known = [name for name in dict.fromkeys([*more, *chosen]) if name not in NOT_ALONE]
    return [*(name for name in FIRST if name in known), *(name for name in known if name not in FIRST)]


def _listed(*options: str) -> list[str]:
    command = [sys.executable, "-m", "nox", "--list-sessions", "--json", *options]
    done = subprocess.run(command, cwd=workspace.CHECKOUT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{done.stderr.strip()}\nAll sessions: .venv/bin/nox -l")
    return [session["session"] for session in json.loads(done.stdout)]


def forget_old_environments() -> None:
    """Remove nox's environments when what is installed into them has changed: they are used without looking."""
    place = workspace.folder() / "nox"
    content = b"\0".join((workspace.CHECKOUT / name).read_bytes() for name in SETTINGS)
    digest = hashlib.sha256(content + sys.executable.encode()).hexdigest()
    stamp = place / "built-from"
    if not (stamp.exists() and stamp.read_text(encoding="ascii") == digest):
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        stamp.write_text(digest, encoding="ascii")


def settle(temporary: str) -> None:
    """Set what all sessions see: check, do not mend; caches below the work folder; one folder for temporary files."""
    work = workspace.folder()
    unwanted = ("ANSIBLE_", "FCD_", "NOX", "PYTHONDONTWRITEBYTECODE", "SANDBOX_")
    for name in [name for name in os.environ if name.startswith(unwanted)]:
        del os.environ[name]
    os.environ.update(
        CI="true",
        HYPOTHESIS_STORAGE_DIRECTORY=str(work / "hypothesis"),
        NO_COLOR="1",
        PYTHONPYCACHEPREFIX=str(work / "byte-code"),  # ansible-playbook starts in half the time with it
        PYTHONUNBUFFERED="1",
        RUFF_CACHE_DIR=str(work / "ruff-cache"),
        SANDBOX_CONFORMANCE=str(conformance_sum.emptied(work / "conformance")),
        TMPDIR=temporary,
    )


def lacking() -> list[str]:
    """Say what is not tried because this machine has no Python for it."""
    ends = [core.missing() for core in (CORES[0], CORES[-1]) if not core.controller()]
    versions = [version for version in CORES[-1].targets if not interpreters.best(version)]
    return [*ends, *(f"imports of modules on Python {version}, which was not found on PATH" for version in versions)]


def sum_up(outcomes: t.Sequence[Outcome], seconds: float) -> int:
    """Print the table and the last line; return the exit status."""
    print(LINE)
    for outcome in outcomes:
        times = f"{outcome.seconds:6.0f} s {outcome.work:6.0f} s of a processor"
        print(f"{outcome.word:8} {times}  {outcome.session} {outcome.reason}".rstrip())
    total = conformance_sum.add_up(workspace.folder() / "conformance")
    print("\n".join(total.lines()))
    failures = [f"{len(total.breaches)} breaches of the description"] if total.breaches else []
    counted = coverage_sum.sessions()
    if set(counted) <= {outcome.session for outcome in outcomes if outcome.word == "passed"}:
        covered = coverage_sum.add_up([coverage_sum.file_of(name) for name in counted])
        print(covered.table)
        failures += [] if covered.enough else [f"coverage is not measured, or below {coverage_sum.LEAST} %"]
    words = [*(outcome.word for outcome in outcomes), *("failed" for _failure in failures)]
    skipped = [f"{outcome.session}; its output above says why" for outcome in outcomes if outcome.word == "skipped"]
    for line in [*skipped, *lacking()]:
        print(f"NOT RUN: {line}.")
    print(f"{seconds:.0f} s in all, {sum(outcome.work for outcome in outcomes):.0f} s of a processor")
    for outcome in outcomes:
        if outcome.word == "failed":
            print(f"{LINE}\n{outcome.session} FAILED: {outcome.reason or 'its last lines'}")
            print("\n".join(_log(outcome.session)[-LAST_OF_FAILED:]))
    print(LINE)
    for failure in failures:
        print(f"FAILED: {failure}")
    print(f"{words.count('passed')} passed, {words.count('failed')} failed")
    return int("failed" in words or "passed" not in words)


def main() -> int:
    """Run and sum up."""
    parser = argparse.ArgumentParser(description="Run checks of the collection.")
    parser.add_argument("--matrix", action="store_true", help="run the sessions of every ansible-core")
    parser.add_argument("sessions", nargs="*", help="only these sessions")
    arguments = parser.parse_args()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)
    started = time.monotonic()
    with (
        workspace.locked("checks"),
        tempfile.TemporaryDirectory(prefix="fcd-", ignore_cleanup_errors=True) as temporary,
    ):
        settle(temporary)
        if arguments.matrix:
            os.environ[WHOLE] = "1"
        forget_old_environments()
        lanes = Lanes(choose(arguments.sessions, matrix=arguments.matrix))
        try:
            lanes.run()
        except KeyboardInterrupt:
            print("Interrupted; everything that ran was ended.")
            return 130
    return sum_up(lanes.outcomes, time.monotonic() - started)


if __name__ == "__main__":
    sys.exit(main())
