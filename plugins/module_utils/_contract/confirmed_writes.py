# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes that are made sure of: read a second time, one at a time, in order, and with a note of each create.

What is unknown is never guessed: reading decides (wire-facts 9.3).
"""

from __future__ import annotations

import contextlib
import os
import typing as t
from urllib.parse import urlsplit

from .._connection.task import Task
from .._core.clock import wait_until
from .._core.errors import (
    CannotDetermine,
    Conflict,
    FcdError,
    Forbidden,
    RateLimited,
    Rejected,
    ServiceError,
    Unauthorized,
    Unclear,
    Unusable,
    WaitTimeout,
    note_change,
)
from .._core.text import digest
from .._engine.create_once import NO_EFFECT, Intent
from .._engine.locks import file_lock

Row = t.Dict[str, t.Any]
PLAIN = (Forbidden, Unauthorized, RateLimited, Conflict)  # faults that say all there is to say
FAULT_STATUSES = (200, 400, 500)  # wire-facts 9.3
DAY = 86400.0  # seconds
LOCK_WAIT = 600.0  # seconds for which another task may be at it


def read_or_listed(read: t.Callable[[], Row | None], listed: t.Callable[[], Row | None]) -> Row | None:
    """Return what ``read`` gives for one number; where it gives null or a fault, what the list has of it.

    How the service answers for an object that does not exist is not known (wire-facts 9.3).
    """
    try:
        row = read()
    except ServiceError as problem:
        if not may_mean_absent(problem):
            raise
        row = None
    return listed() if row is None else row


def may_mean_absent(problem: ServiceError) -> bool:
    """Return whether a fault may be how the service says that there is no such object."""
    return not isinstance(problem, (*PLAIN, Unusable)) and problem.status in FAULT_STATUSES


def confirmed(write: t.Callable[[], None], done: t.Callable[[], bool], *, refusals: bool = False) -> None:
    """Write something that may be repeated; when the answer is unclear, ``done`` tells by reading whether it worked.

    With ``refusals``, a fault is looked into as well: the removal of what is gone may be refused.
    """
    try:
        write()
    except PLAIN:
        raise
    except (Unclear, ServiceError) as problem:
        looked_into = refusals or not isinstance(problem, Rejected)
        if problem.details.get("redirect") or not looked_into or not _certain(done):
            raise


def _certain(done: t.Callable[[], bool]) -> bool:
    """Return whether it was done, as far as that can be read now."""
    try:
        return done()
    except FcdError:
        return False


@contextlib.contextmanager
def changing_alone(task: Task, kind: str, number: int) -> t.Iterator[None]:
    """Let no other task change this object while the block runs. Raises Busy."""
    key = digest(service_origin(task), kind, number)
    wait = task.deadline.within(LOCK_WAIT, "wait for the lock")
    with file_lock(os.path.join(task.state_dir, "changes"), key, wait, what=f"the {kind} {number}"):
        yield


def service_origin(task: Task) -> str:
    """Return scheme, host and port of the service."""
    address = urlsplit(task.settings["soap_url"])
    return f"{address.scheme}://{address.netloc}"


class SoapRequest(t.NamedTuple):
    """One request of a change: the options that it sets, and how it is sent."""

    names: tuple[str, ...]
    send: t.Callable[[], None]


def send_in_order(requests: t.Sequence[SoapRequest], exists: str) -> None:
    """Send the requests one after the other; an error tells what was done. ``exists`` begins its sentence."""
    for index, request in enumerate(requests):
        try:
            request.send()
        except FcdError as problem:
            done = [name for earlier in requests[:index] for name in earlier.names]
            left = [name for later in requests[index:] for name in later.names]
            told = _half_done(problem, exists, done, left)
            if done:
                note_change(told)
            raise told from problem


def _half_done(problem: FcdError, exists: str, done: list[str], left: list[str]) -> FcdError:
    """Return the error with what is known in front of it."""
    finished = f", {', '.join(done)} set" if done else ""
    certain = "" if isinstance(problem, NO_EFFECT) else "certainly "
    return type(problem)(
        f"{exists}{finished}, but not {certain}set: {', '.join(left)}. {problem.message}",
        next_step=problem.next_step or "Run the task again; it sets what is missing.",
        **{**problem.details, "done": done, "left": left},
    )


class AnswerlessCreate:
    """A create whose answer tells nothing, for create_once: the new object is read back.

    ``create`` sends it, ``look`` returns the object if the service shows it, and ``check`` raises when the create would
    be refused. ``what`` names the object, and ``noun`` says what it is. ``grace`` is how long, in seconds, it may stay
    invisible. A create that was accepted, and whose object does not show, is not repeated within a day.
    """

    def __init__(
        self,
        task: Task,
        what: str,
        noun: str,
        grace: float,
        create: t.Callable[[], None],
        look: t.Callable[[], Row | None],
        check: t.Callable[[], None] = lambda: None,
    ) -> None:
        self._task = task
        self._create = create
        self._check = check
        self._what = what
        self._noun = noun
        self._grace = grace
        self._accepted: float | None = None  # when an earlier run had a good answer, in seconds since the epoch
        self.find = look

    def resume(self, facts: t.Mapping[str, t.Any]) -> Row | None:
        """Return the object that an earlier run has made."""
        self._accepted = float(facts["time"]) if facts.get("accepted") else None
        return self.find()

    def verify(self) -> None:
        """Raise when a second object would be made, although the service shows none."""
        if self._accepted is not None and self._task.clock.now() - self._accepted < DAY:
            raise CannotDetermine(
                f"An earlier run has made {self._what}, and the service does not show it yet.",
                next_step="Run the task again later, with a larger create_grace. "
                "If the service has not shown it after a day, the task makes another one.",
            )
        self._check()

    def send(self, intent: Intent) -> Row:
        """Send the create and wait until the service shows the object."""
        self._create()
        intent.add(accepted=True)
        limit = self._task.deadline.within(self._grace, f"wait for the new {self._noun}")
        try:
            found = wait_until(self.find, lambda row: row is not None, limit, what=self._what, longest=2.0)
        except FcdError as problem:
            raise self._unseen(problem) from problem
        return t.cast("Row", found)

    def _unseen(self, problem: FcdError) -> CannotDetermine:
        why = (
            f"it did not show within {self._grace:g} s"
            if isinstance(problem, WaitTimeout)
            else f"it could not be read back: {problem.message}"
        )
        return CannotDetermine(
            f"The service accepted the create of {self._what}, but {why}; its number is not known.",
            next_step=f"Run the task again later; it looks for the {self._noun} before it makes another one.",
            cause=type(problem).__name__,
            **{name: value for name, value in problem.details.items() if name in ("operation", "status", "request_id")},
        )
