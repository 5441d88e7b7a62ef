# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""One task in a process of its own, without Ansible around it: options are checked and run as the twin does it.

The processes are forks of one that has imported everything, as task workers are. That makes them cheap (about 15 ms)
and lets a test kill one at any moment.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import json
import multiprocessing
import multiprocessing.forkserver
import os
import signal
import sys
import time
import typing as t
from dataclasses import dataclass, field
from multiprocessing.connection import Connection

Args = t.Mapping[str, t.Any]
PLUGINS = "ansible_collections.fcd.cloud.plugins"
PRELOADED = (
    "requests",
    "lxml.etree",
    "zeep",
    "ansible.module_utils.common.arg_spec",
    f"{PLUGINS}.module_utils._ansible.execution",
)
LONGEST = 60.0
"""Seconds after which a task counts as hanging."""


@dataclass(frozen=True)
class Ended:
    """How a task ended. ``seconds`` is the time of the operation alone, without the start of the process."""

    result: dict[str, t.Any]
    warnings: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    seconds: float = 0.0

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
    ) -> None:
        """Start it; with an event in ``start``, it waits for that when it is ready to go."""
        self._answer, theirs = multiprocessing.Pipe(duplex=False)
        work = (theirs, module, dict(args), dict(environment), check_mode, start)
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
        self._process.join(LONGEST)
        try:
            return not self._answer.recv()
        except EOFError:
            return True

    def ended(self, longest: float = LONGEST) -> Ended:
        """Wait for its end and return it."""
        try:
            if not self._answer.poll(longest):
                self._process.kill()
                raise AssertionError(f"the task has not ended within {longest:g} s")
            answer = self._answer.recv()
        except EOFError:
            raise AssertionError(f"the process ended without a result: {self._process.exitcode}") from None
        self._process.join(LONGEST)
        return Ended(**json.loads(answer))


@functools.lru_cache(maxsize=None)
def context() -> multiprocessing.context.ForkServerContext:
    """Return what starts processes; the one that they are forks of is started at the first call."""
    ready = multiprocessing.get_context("forkserver")
    ready.set_forkserver_preload(list(PRELOADED))
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)  # it takes no other path in 3.11
    try:
        multiprocessing.forkserver.ensure_running()
    finally:
        if before is None:
            del os.environ["PYTHONPATH"]
        else:
            os.environ["PYTHONPATH"] = before
    return ready


def _perform(answer: Connection, module: str, args: Args, environment: Args, check_mode: bool, start: t.Any) -> None:
    _settle(environment)
    importlib.import_module(f"{PLUGINS}.modules.{module}")
    if start is not None:
        start.wait(LONGEST)
    ended = run(module, args, check_mode=check_mode)
    answer.send(json.dumps(ended.__dict__, allow_nan=False))  # no default=: only plain data may leave an operation
    answer.close()


def run(module: str, args: Args, *, check_mode: bool) -> Ended:
    """Do in this process what the twin does in a task worker."""
    from ansible.module_utils.common.arg_spec import ArgumentSpecValidator

    parts = (f"modules.{module}", "module_utils._ansible.execution")
    face, execution = (importlib.import_module(f"{PLUGINS}.{part}") for part in parts)
    operation = face.OPERATION
    spec = execution.argument_spec(operation)
    checked = ArgumentSpecValidator(spec, **operation.rules).validate(dict(args))
    if checked.error_messages:
        message = execution.with_unknown_options(checked.error_messages[0], spec, args)  # Ansible tells the first
        return Ended({"failed": True, "changed": False, "msg": message})
    warnings: list[str] = []
    told: list[str] = []
    begun = time.monotonic()
    done = execution.execute(
        operation,
        checked.validated_parameters,
        check_mode=check_mode,
        diff_mode=True,
        warn=warnings.append,
        tell=told.append,
        way="worker",
    )
    return Ended(done.result, warnings, told, time.monotonic() - begun)


def _settle(environment: Args) -> None:
    for name in [name for name in os.environ if name.startswith("FCD_") or name.lower().endswith("_proxy")]:
        del os.environ[name]
    os.environ.update(environment)
