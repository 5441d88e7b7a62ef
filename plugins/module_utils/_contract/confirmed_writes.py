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

from .._core.digests import digest
from .._core.errors import (
    Conflict,
    FcdError,
    Forbidden,
    RateLimited,
    Rejected,
    ServiceError,
    Unauthorized,
    Unclear,
    Unusable,
)
from .._engine.change_tracking import note_change
from .._engine.create_once import NO_EFFECT
from .._engine.journal import Intent
from .._engine.locks import file_lock
from .._session.task import Task

Row = t.Dict[str, t.Any]
PLAIN = (Forbidden, Unauthorized, RateLimited, Conflict)  # faults that say all there is to say
FAULT_STATUSES = (200, 400, 500)  # wire-facts 9.3


def read_or_listed(read: t.Callable[[], Row | None], listed: t.Callable[[], Row | None]) -> Row | None:
    """Return what ``read`` gives for one number; where it gives null or a fault, what the list has of it.

    How the service answers for an object that does not exist is not known (wire-facts 9.3).
    """
    try:
        row = read()
    except ServiceError as problem:
        if isinstance(problem, (*PLAIN, Unusable)) or problem.status not in FAULT_STATUSES:
            raise
        row = None
    return listed() if row is None else row


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


LOCK_WAIT = 600.0  # seconds for which another task may be at it


@contextlib.contextmanager
def changing_alone(task: Task, kind: str, number: int) -> t.Iterator[None]:
    """Let no other task change this object while the block runs. Raises Busy."""
    service = urlsplit(task.settings["soap_url"])
    key = digest(f"{service.scheme}://{service.netloc}", kind, number)
    wait = task.deadline.within(LOCK_WAIT, "wait for the lock")
    with file_lock(os.path.join(task.state_dir, "changes"), key, wait, what=f"the {kind} {number}"):
        yield


class SoapRequest(t.NamedTuple):
    """One request: the options that it sets, how it is sent, and whether it was done, as far as reading tells."""

    names: tuple[str, ...]
    send: t.Callable[[], None]
    done: t.Callable[[], bool]


def send_in_order(steps: t.Sequence[SoapRequest], who: str) -> None:
    """Take the steps. ``who`` begins the sentence that an error tells."""
    for index, step in enumerate(steps):
        try:
            confirmed(step.send, step.done)
        except FcdError as problem:
            if len(steps) == 1:
                raise
            finished = [name for earlier in steps[:index] for name in earlier.names]
            left = [name for later in steps[index:] for name in later.names]
            told = _progress_told(problem, who, finished, left)
            if finished:
                note_change(told)
            raise told from problem


def _progress_told(problem: FcdError, who: str, done: list[str], left: list[str]) -> FcdError:
    """Return the error with what is known in front of it."""
    finished = f"{', '.join(done)} set" if done else "nothing set"
    certain = "" if isinstance(problem, NO_EFFECT) else "certainly "
    return type(problem)(
        f"{who}: {finished}, not {certain}set: {', '.join(left)}. {problem.message}",
        next_step=problem.next_step or "Run the task again; it sets what is missing.",
        **{**problem.details, "done": done, "left": left},
    )


def note_of_create(task: Task, identity: t.Sequence[object]) -> Intent:
    """Return the note that create_once keeps for the object."""
    return Intent(task.once(0.0).folder, digest(*identity), task.clock)
