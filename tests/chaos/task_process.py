# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One task in a process of its own, without Ansible around it: options are checked and run as in a task worker.

The processes are forks of one that has imported everything, as task workers are. That makes them cheap (about 15 ms)
and lets a test kill one at any moment.
"""

from __future__ import annotations

import contextlib
import fcntl
import functools
import importlib
import json
import multiprocessing
import multiprocessing.forkserver
import os
import signal
import threading
import time
import typing as t
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection
from pathlib import Path

from chaos import leaping_clock
from chaos.moments import Moments, Strike

Args = t.Mapping[str, t.Any]
PLUGINS = "ansible_collections.fcd.cloud.plugins"
FACES = (
    *("client", "client_user", "dictionary_info", "instance", "instance_fleet", "warehouse"),
    *("storage_container", "storage_object", "storage_object_download", "storage_sync"),
)
ON_THE_WAY = (
    *("_ansible.execution", "_engine.change", "_engine.scheduler"),
    *("_http.client", "_http.http_errors", "_http.retries", "_soap.wsdl"),
    "_contract.client_user_creation",
    *("_infrastructure.instance.instance_creation", "_infrastructure.instance.instance_changes"),
    *("_object_storage.container_writes", "_object_storage.segments"),
)
PRELOADED = (
    *("requests", "lxml.etree", "zeep", "ansible.module_utils.common.arg_spec", "chaos.task_process"),
    *(f"{PLUGINS}.modules.{name}" for name in FACES),
    *(f"{PLUGINS}.module_utils.{name}" for name in ON_THE_WAY),
)
"""What most tasks import. One that is not there any more costs time and nothing else."""

TOLD, ENDED = "told", "ended"
LONGEST = 300.0
"""Seconds after which a task counts as hanging, however busy the machine is."""


@dataclass(frozen=True)
class Ended:
    """How a task ended.

    ``seconds`` is the time of the operation alone, without the start of the process; for ``kept`` of them it could have
    gone on and others had the processors. ``moments`` are those that were counted.
    """

    result: dict[str, t.Any]
    warnings: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    seconds: float = 0.0
    kept: float = 0.0
    moments: int = 0

    @property
    def failed(self) -> bool:
        """Whether it failed."""
        return bool(self.result.get("failed"))

    @property
    def kind(self) -> str:
        """The name of its error; empty when it has none."""
        return str(self.result.get("error", {}).get("kind", ""))

    @property
    def message(self) -> str:
        """What it says; empty when it succeeded."""
        return str(self.result.get("msg", ""))

    def succeeded(self) -> dict[str, t.Any]:
        """Return the result of a task that is to have succeeded."""
        assert not self.failed, self.result
        return self.result


class TaskProcess:
    """A task that runs. ``environment`` is complete: of this process's own FCD_ variables none is passed on."""

    def __init__(
        self,
        module: str,
        args: Args,
        environment: t.Mapping[str, str],
        *,
        check_mode: bool = False,
        start: t.Any = None,
        strike: Strike | None = None,
        at_lock: t.Any = None,
    ) -> None:
        """Start it; with an event in ``start``, it waits for that when it is ready to go.

        The semaphore ``at_lock`` is released when it has asked for the first lock that it wants, whoever has that.
        """
        self._answer, theirs = multiprocessing.Pipe(duplex=False)
        self._told: list[str] = []
        work = (theirs, module, dict(args), dict(environment), check_mode, start, strike, at_lock)
        self._process = context().Process(target=_perform, args=work, daemon=True)
        self._process.start()
        theirs.close()

    @property
    def pid(self) -> int:
        """Process id."""
        return t.cast("int", self._process.pid)

    @property
    def running(self) -> bool:
        """Whether it has not ended."""
        return self._process.is_alive()

    def kill(self, with_signal: signal.Signals = signal.SIGKILL) -> bool:
        """End it, as kill -9 does or with another signal; return whether it was still at work."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, with_signal)
        return self.struck()

    def struck(self) -> bool:
        """Wait for its end; return whether it was struck before it had ended by itself."""
        found = self._until(lambda: False, LONGEST)
        self._process.join(LONGEST)
        return found is None

    def leap(self) -> None:
        """Let an hour pass for it at once, if it has not ended."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, leaping_clock.LEAP)

    def wait_told(self, line: str) -> None:
        """Wait until it tells this of its progress."""
        assert self._until(lambda: line in self._told, LONGEST) is None, f"it ended and told {self._told} only"
        assert line in self._told, f"it was struck and told {self._told} only"

    def ended(self, longest: float = LONGEST) -> Ended:
        """Wait for its end and return it."""
        ended = self._until(lambda: False, longest)
        self._process.join(LONGEST)
        assert ended is not None, f"the process ended without a result: {self._process.exitcode}"
        return ended

    def _until(self, enough: t.Callable[[], bool], longest: float) -> Ended | None:
        """Listen until it is enough, or to the end; return its result, None where there is none (yet)."""
        end = time.monotonic() + longest
        with contextlib.suppress(EOFError, OSError):  # it ended, maybe in the middle of a word
            while not enough():
                if not self._answer.poll(max(0.0, end - time.monotonic())):
                    self._process.kill()
                    raise AssertionError(f"the task has not ended within {longest:g} s")
                kind, text = self._answer.recv()
                if kind == ENDED:
                    return Ended(**json.loads(text))
                self._told.append(text)
        return None


@functools.lru_cache(maxsize=None)
def context() -> multiprocessing.context.ForkServerContext:
    """Return what starts processes; the one that they are forks of is started at the first call.

    It finds what it imports by PYTHONPATH, which tests/conftest.py and matrix.py set before there are threads.
    """
    ready = multiprocessing.get_context("forkserver")
    ready.set_forkserver_preload(list(PRELOADED))
    multiprocessing.forkserver.ensure_running()  # takes a lock: whoever comes second waits for it
    return ready


def _perform(
    answer: Connection,
    module: str,
    args: Args,
    environment: Args,
    check_mode: bool,
    start: t.Any,
    strike: Strike | None,
    at_lock: t.Any,
) -> None:
    _settle(environment)
    leaping_clock.install(f"{PLUGINS}.module_utils")
    importlib.import_module(f"{PLUGINS}.modules.{module}")
    one_at_a_time = threading.Lock()

    def tell(line: str) -> None:
        with one_at_a_time:
            answer.send((TOLD, line))

    if at_lock is not None:
        _tell_of_lock(at_lock)
    if start is not None:
        start.wait(LONGEST)
    moments = None if strike is None else Moments().install()
    if moments is not None:
        moments.begin(t.cast("Strike", strike))
    ended = run(module, args, check_mode=check_mode, tell=tell)
    if moments is not None:
        ended = replace(ended, moments=moments.last)
        moments.begin(Strike())  # what follows is not the task's
    answer.send((ENDED, json.dumps(ended.__dict__, allow_nan=False)))  # no default=: only plain data may leave it
    answer.close()


def run(module: str, args: Args, *, check_mode: bool, tell: t.Callable[[str], None] = lambda _line: None) -> Ended:
    """Do in this process what the action plugin does in a task worker."""
    from ansible.module_utils.common.arg_spec import ArgumentSpecValidator

    if module == "site":
        return _whole_site(args, check_mode=check_mode)
    parts = (f"modules.{module}", "module_utils._ansible.execution", "module_utils._ansible.option_suggestions")
    face, execution, option_suggestions = (importlib.import_module(f"{PLUGINS}.{part}") for part in parts)
    operation = face.OPERATION
    spec = execution.argument_spec(operation)
    checked = ArgumentSpecValidator(spec, **operation.rules).validate(dict(args))
    if checked.error_messages:
        message = option_suggestions.with_unknown_options(
            checked.error_messages[0], module, spec, args
        )  # Ansible tells the first
        return Ended({"failed": True, "changed": False, "msg": message})
    warnings: list[str] = []
    told: list[str] = []
    begun, kept_before = time.monotonic(), _kept_waiting()

    def noted(line: str) -> None:
        told.append(line)
        tell(line)

    done = execution.execute(
        operation,
        checked.validated_parameters,
        check_mode=check_mode,
        diff_mode=True,
        warn=warnings.append,
        tell=noted,
        runner="worker",
    )
    return Ended(done.result, warnings, told, time.monotonic() - begun, _kept_waiting() - kept_before)


def _whole_site(args: Args, *, check_mode: bool) -> Ended:
    """Run a site, whose declaration is in the option ``content``, as its action does on the controller."""
    begun, kept_before = time.monotonic(), _kept_waiting()
    options = {name: value for name, value in args.items() if name != "content"}
    ran = importlib.import_module("sites.plain_site").run(args["content"], check_mode=check_mode, **options)
    return Ended(ran.result, ran.warnings, ran.told, time.monotonic() - begun, _kept_waiting() - kept_before)


def _kept_waiting() -> float:
    """Return the seconds for which threads of this process were ready to run and others had the processors."""
    try:
        told = [one.read_text(encoding="ascii").split() for one in Path("/proc/self/task").glob("*/schedstat")]
    except OSError:  # not every kernel counts them
        return 0.0
    return sum(int(words[1]) for words in told) / 1e9


def _tell_of_lock(semaphore: t.Any) -> None:
    """Release the semaphore when this process has tried to take a lock; nobody can take that back."""
    flock = fcntl.flock
    told: list[bool] = []

    def watched(descriptor: t.Any, operation: int) -> None:
        try:
            flock(descriptor, operation)
        finally:
            if not told:
                told.append(True)
                semaphore.release()

    fcntl.flock = watched


def _settle(environment: Args) -> None:
    for name in [name for name in os.environ if name.startswith("FCD_") or name.lower().endswith("_proxy")]:
        del os.environ[name]
    os.environ.update(environment)
    time.tzset()
