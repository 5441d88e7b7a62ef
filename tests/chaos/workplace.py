# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a test works: the sandbox at its seed, and a home of its own for the tasks."""

from __future__ import annotations

import re
import shutil
import time
import typing as t
from pathlib import Path

from sandbox.process import SandboxProcess

from chaos.kinds import CONTAINER, Kind, Wish
from chaos.task_process import Ended, TaskProcess

PAUSE = 0.05
"""Seconds between two questions: each costs the sandbox more than most requests of a task."""

PATIENCE = 300.0
"""Seconds for which something is waited for at most: so long that even a very busy machine is no reason to give up."""

GRACE = 3000.0
"""Seconds of a grace time that is only over when the clock of the task leaps."""

UNTIMED = "7200"
"""The timeout of a task that a test holds, or whose clock leaps: a call that is on its way has time all the same."""

FOR_EVER = 1e6
"""Seconds for which searches show nothing new, unless the test ends that."""

Entry = t.Dict[str, t.Any]


class Workplace:
    """The sandbox and one home folder."""

    def __init__(self, sandbox: SandboxProcess, home: Path, environment: t.Mapping[str, str] | None = None) -> None:
        """Take both as they are; the folder is made. ``environment`` leads to the sandbox by another way."""
        self.sandbox = sandbox
        self.home = home
        self._way = environment or sandbox.environment
        home.mkdir(parents=True, exist_ok=True)

    @property
    def state_dir(self) -> Path:
        """Where tasks keep tokens, locks, notes and contracts."""
        return self.home / "state"

    @property
    def environment(self) -> dict[str, str]:
        """The variables of a task."""
        return {**self._way, "FCD_STATE_DIR": str(self.state_dir), "HOME": str(self.home)}

    def start(
        self,
        module: str,
        args: Wish,
        *,
        check_mode: bool = False,
        start: t.Any = None,
        strike: t.Any = None,
        at_lock: t.Any = None,
        **more: str,
    ) -> TaskProcess:
        """Start a task that the test holds, strikes or leaps with: no call of it has a limit in real seconds.

        ``more`` are further variables, all else is as in TaskProcess.
        """
        environment = {**self.environment, "FCD_TIMEOUT": UNTIMED, **more}
        return TaskProcess(
            module, args, environment, check_mode=check_mode, start=start, strike=strike, at_lock=at_lock
        )

    def start_alone(self, module: str, args: Wish, environment: t.Mapping[str, str]) -> TaskProcess:
        """Start a task with these variables only."""
        return TaskProcess(module, args, environment)

    def run(self, module: str, args: Wish, *, check_mode: bool = False, **more: str) -> Ended:
        """Run a task to its end, with the limits that it has."""
        return TaskProcess(module, args, {**self.environment, **more}, check_mode=check_mode).ended()

    def make(self, kind: Kind, name: str, grace: float = 3.0) -> Ended:
        """Run the task that makes the object of that name."""
        return self.run(kind.module, kind.desired(name, grace))

    def make_up(self, kind: Kind, name: str) -> Ended:
        """Run the task after one that was killed, while no search shows what that one has made.

        Only when it has looked in vain, searches show it. Where there is nothing to see, and a note says that there may
        be, it says that nobody knows, and the user has it created all the same.
        """
        since, made, in_doubt = self.last(), self.objects(kind, name), self.in_doubt()
        if in_doubt and not made:
            assert self.make(kind, name, 0.5).kind == "CannotDetermine"
            assert self.seen(kind.create, since) == [], "it has sent the create without being told to"
            self.sandbox.settings(**kind.stale(0.0))
            return self.force(kind, name)
        task = self.start(kind.module, kind.desired(name, GRACE))
        until(lambda: any(one["over"] for one in self.seen(kind.read, since)) or not task.running, "a search")
        self.sandbox.settings(**kind.stale(0.0))
        return task.ended()

    def force(self, kind: Kind, name: str) -> Ended:
        """Run the task as after a look at the service: what is not there is created."""
        return self.run(kind.module, {**kind.desired(name, 0.5), "force_create": True})

    def in_doubt(self) -> bool:
        """Return whether a note says that something may have been made that no list has shown."""
        notes = (self.state_dir / "creates" / "intents").glob("*.json")
        return any('"listed":true' not in one.read_text(encoding="ascii") for one in notes)

    def settle(self, kind: Kind, name: str) -> None:
        """Have a list looked at that shows the object, if its note says that none has."""
        if self.in_doubt():
            assert self.make(kind, name).succeeded()["changed"] is False

    def make_container(self) -> None:
        """Make the container for objects."""
        self.run("storage_container", {"name": CONTAINER}).succeeded()

    def objects(self, kind: Kind, name: str) -> int:
        """Return how many objects of that name there really are."""
        return kind.objects(self.sandbox.state(), name)

    def seen(self, selection: Wish, since: int = 0) -> list[Entry]:
        """Return the requests in the log that a selection of kinds.py means."""
        return [entry for entry in self.sandbox.requests(selection.get("service"), since) if chosen(entry, selection)]

    def writes(self, since: int = 0) -> list[str]:
        """Return the writing requests in the log; log-ins are none."""
        log = self.sandbox.requests(since=since)
        return [f"{one['service']} {one['operation']} {one['path']}" for one in log if one["write"]]

    def wait_for(self, selection: Wish, number: int = 1, since: int = 0) -> Entry:
        """Wait until so many of these requests are in the log; return the last of them."""
        found: list[Entry] = until(
            lambda: self.seen(selection, since)[number - 1 :], f"request {number} of {selection}"
        )
        return found[0]

    def last(self) -> int:
        """Return the number of the newest request in the log."""
        return int(self.sandbox.counts()["last"])

    def another(self, name: str) -> Workplace:
        """Return a workplace with a home of its own, in which everything that is kept here is kept too."""
        own = Workplace(self.sandbox, self.home / name)
        shutil.copytree(self.state_dir, own.state_dir)
        return own

    def wait_until_over(self, selection: Wish, since: int = 0) -> None:
        """Wait until the service works on none of the requests that a dead task has sent; those held by a fault aside.

        What was sent has been read when the service has answered two questions that were asked later.
        """
        self.last()
        last = self.last()
        until(
            lambda: all(one["over"] or one["fault"] for one in self.seen(selection, since) if one["n"] <= last),
            f"the end of the requests of {selection}",
        )

    def keep_contract_of(self, other: Workplace) -> None:
        """Take over the compiled contract of another workplace, which saves reading the WSDL."""
        kept = other.state_dir / "contracts"
        if kept.is_dir():
            self.state_dir.mkdir(mode=0o700, exist_ok=True)
            shutil.copytree(kept, self.state_dir / "contracts", dirs_exist_ok=True)

    def forgive_half_requests(self) -> None:
        """Forget a request without its body: a task that was killed between the two has asked for nothing."""
        assert {one["text"] for one in self.sandbox.violations()} <= {"a body is required"}
        self.sandbox.clear_requests()


def chosen(entry: Entry, selection: Wish) -> bool:
    """Whether the sandbox would count this request for a fault with that selection."""
    target = f"{entry['path']}?{entry['query']}" if entry["query"] else entry["path"]
    texts = {"path": target, "operation": entry["operation"] or ""}
    return all(
        re.search(desired, texts[name]) if name in texts else entry[name] == desired
        for name, desired in selection.items()
    )


def until(condition: t.Callable[[], t.Any], what: str, patience: float = PATIENCE) -> t.Any:
    """Ask until the condition holds, and return what it said."""
    end = time.monotonic() + patience
    while True:
        found = condition()
        if found:
            return found
        if time.monotonic() > end:
            raise AssertionError(f"not seen within {patience:g} s: {what}")
        time.sleep(PAUSE)
