# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes that are made sure of: removals, one at a time, several in order, and with a note of each create.

What is unknown is never guessed: reading decides (wire-facts 9.3).
"""

from __future__ import annotations

import contextlib
import os
import typing as t

from .._connection.task import Task
from .._core.errors import Ambiguous, CannotDetermine, FcdError, WaitTimeout, confirm_write, next_step_of, note_change
from .._core.text import digest
from .._http.messages import origin
from .api import CommonFcd, Record

if t.TYPE_CHECKING:
    from .._engine.create_once import Intent

REQUEST_DETAILS = ("operation", "status", "request_id")
LOCK_WAIT = 600.0  # seconds for which another task may be at it


def confirmed_removal(api: CommonFcd, operation: str, gone: t.Callable[[], bool], **inputs: t.Any) -> None:
    """Remove something; what is gone already is no error, for ``gone`` is asked when the service refuses too."""
    confirm_write(lambda: api.call(operation, **inputs), gone, refusals=True)


@contextlib.contextmanager
def changing_alone(task: Task, kind: str, number: int) -> t.Iterator[None]:
    """Let no other task change this object while the block runs. Raises Busy."""
    from .._core.files import file_lock  # tasks that change nothing need not pay for it

    key = digest(origin(task.settings["soap_url"]), kind, number)
    wait = task.deadline.within(LOCK_WAIT, "wait for the lock")
    with file_lock(os.path.join(task.state_dir, "changes"), key, wait, what=f"the {kind} {number}"):
        yield


def identity_in_contract(task: Task, kind: str, *key: object) -> tuple[object, ...]:
    """Return what stands for an object in locks and notes: service, account, kind and key."""
    return (origin(task.settings["soap_url"]), str(task.settings["username"]), kind, *key)


class SoapRequest(t.NamedTuple):
    """One request of a change: the options that it sets, and how it is sent.

    ``done`` reads whether they are set; None where nobody can tell.
    """

    names: tuple[str, ...]
    send: t.Callable[[], object]
    done: t.Callable[[], bool] | None = None

    def carry_out(self) -> None:
        """Send it; when the answer is unclear, reading tells whether it was done."""
        if self.done is None:
            self.send()
        else:
            confirm_write(self.send, self.done)


def send_in_order(requests: t.Sequence[SoapRequest], exists: str) -> None:
    """Send the requests one after the other; an error tells what was done. ``exists`` begins its sentence."""
    for index, request in enumerate(requests):
        try:
            request.carry_out()
        except FcdError as problem:
            raise _half_done(problem, exists, requests[:index], requests[index:]) from problem


def _half_done(
    problem: FcdError, exists: str, sent: t.Sequence[SoapRequest], unsent: t.Sequence[SoapRequest]
) -> FcdError:
    """Return the error with what is known in front of it."""
    from .._engine.create_once import NO_EFFECT

    done, left = ([name for request in side for name in request.names] for side in (sent, unsent))
    certain = "" if isinstance(problem, NO_EFFECT) else "certainly "
    told = type(problem)(
        f"{', '.join([exists, *done])}{' set' if done else ''}, but not {certain}set: {', '.join(left)}. "
        f"{problem.message}",
        next_step=next_step_of(problem, "Run the task again; it sets what is missing."),
        **{**problem.details, "done": done, "left": left},
    )
    if done:
        note_change(told)
    return told


class AnswerlessCreate(t.NamedTuple):
    """A create whose answer tells nothing, for create_once: the new object is read back.

    ``create`` sends it, ``find`` returns the object if the service shows it, and ``verify`` raises where the create
    would be refused. ``what`` names the object, and ``noun`` says what it is. ``grace`` is how long, in seconds, it may
    stay invisible.
    """

    task: Task
    what: str
    noun: str
    grace: float
    create: t.Callable[[], object]
    find: t.Callable[[], t.Optional[Record]]
    verify: t.Callable[[], None] = lambda: None

    def resume(self, facts: t.Mapping[str, t.Any]) -> Record | None:
        """Return the object that an earlier run has made."""
        del facts
        return self.find()

    def send(self, intent: Intent) -> Record:
        """Send the create and wait until the service shows the object."""
        from .._core.clock import wait_until
        from .._engine.create_once import ADVICE

        del intent
        self.create()
        limit = self.task.deadline.within(self.grace, f"wait for the new {self.noun}")
        try:
            return wait_until(lambda: self.find() or {}, bool, limit, what=self.what, longest=2.0)
        except Ambiguous:
            raise
        except FcdError as problem:
            why = f"could not be read back: {problem.message.rstrip('.')}"
            if isinstance(problem, WaitTimeout):
                why = f"did not appear within {self.grace:g} s"
            unknown = CannotDetermine(
                f"The service accepted the create of {self.what}, but it {why}; its ID is not known.",
                next_step=ADVICE,
                cause=type(problem).__name__,
                **{name: problem.details[name] for name in REQUEST_DETAILS if name in problem.details},
            )
            note_change(unknown)
            raise unknown from problem
