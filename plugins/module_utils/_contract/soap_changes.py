# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes of objects of the contract that take several requests, and creates whose answer says nothing."""

from __future__ import annotations

import functools
import typing as t

from .._core.clock import wait_until
from .._core.errors import (
    Ambiguous,
    CannotDetermine,
    FcdError,
    InvalidInput,
    WaitTimeout,
    confirm_write,
    next_step_of,
    note_change,
)
from .._core.type_aliases import JsonMapping as Values
from .._core.type_aliases import JsonObject
from .._engine.create_once import CREATE_ADVICE, NO_EFFECT, CreateNote
from .soap_resource import SoapResource

REQUEST_DETAILS = ("operation", "status", "request_id")


def incomplete_update(missing: t.Sequence[str], advice: str) -> InvalidInput:
    """Return the error for an update that would replace values that are neither given nor readable."""
    return InvalidInput(
        "The service replaces these together with the changed values, and does not report what they are now: "
        f"{', '.join(missing)}.",
        next_step=f"Give {', '.join(missing)}, or name the member in {advice}.",
        missing=list(missing),
    )


class SoapRequest(t.NamedTuple):
    """One request of a change: the options that it sets, how it is sent, and a read that confirms it."""

    names: tuple[str, ...]
    send: t.Callable[[], object]
    readable: bool = True


def send_in_order(resource: SoapResource, current: Values, requests: t.Sequence[SoapRequest], exists: str) -> None:
    """Send the requests one after the other; an error says what was done. ``exists`` begins its sentence."""
    for index, request in enumerate(requests):
        try:
            if request.readable:
                confirm_write(request.send, functools.partial(resource.has, current, request.names))
            else:
                request.send()
        except FcdError as problem:
            raise _partial_error(problem, exists, requests[:index], requests[index:]) from problem


def _partial_error(
    problem: FcdError, exists: str, sent: t.Sequence[SoapRequest], unsent: t.Sequence[SoapRequest]
) -> FcdError:
    """Return the error, preceded by what was done."""
    done, left = ([name for request in side for name in request.names] for side in (sent, unsent))
    certain = "" if isinstance(problem, NO_EFFECT) else "certainly "
    whole = type(problem)(
        f"{', '.join([exists, *done])}{' set' if done else ''}, but not {certain}set: {', '.join(left)}. "
        f"{problem.message}",
        next_step=next_step_of(problem, "Run the task again; it sets what is missing."),
        **{**problem.details, "done": done, "left": left},
    )
    if done:
        note_change(whole)
    return whole


class AnswerlessCreate(t.NamedTuple):
    """A create whose answer says nothing, for create_once: the new object is read back.

    ``create`` sends it, ``find`` returns the object if the service shows it, and ``verify`` raises where the create
    would be refused. ``what`` names the object, and ``noun`` says what it is.
    """

    resource: SoapResource
    what: str
    noun: str
    create: t.Callable[[], object]
    find: t.Callable[[], t.Optional[JsonObject]]
    verify: t.Callable[[], None]

    def resume(self, facts: t.Mapping[str, t.Any]) -> JsonObject | None:
        """Return the object that an earlier run has created."""
        return self.find() or self.resource.find_created(facts) or self._kept(self._new(facts.get("known")))

    def has_failed(self, facts: t.Mapping[str, t.Any], *, looked: bool) -> bool:
        """Return whether what was created is gone. Raises OperationFailed if the service has changed its key."""
        new = self._new(facts.get("known")) if looked else None
        if new is not None:
            raise self.resource.kept_otherwise(new)
        return looked and self.resource.is_gone(facts)

    def _new(self, known: t.Sequence[int] | None) -> JsonObject | None:
        """Return the only new one of those that could be what was created."""
        new = [] if known is None else [record for record in self.resource.alike() if record["id"] not in known]
        return new[0] if len(new) == 1 else None

    def _kept(self, record: JsonObject | None) -> JsonObject | None:
        """Return the object if it has the key that was sent: only the search by its key does not show it."""
        return record if record is not None and self.resource.has_key(record) else None

    def send(self, intent: CreateNote) -> JsonObject:
        """Send the create and wait until the service shows the object.

        If it shows that late, another one that was created at the same time may be as late: then it is looked for once
        more when as much time has passed again, and always if no key tells two of them apart. Raises Ambiguous if there
        are two.
        """
        known, clock, grace = self.resource.known, self.resource.task.clock, self.resource.params["create_grace"]
        if known is not None:
            intent.add(known=known)
        begun = clock.monotonic()
        self.create()
        limit = self.resource.task.deadline.within(grace, f"wait for the new {self.noun}")
        try:
            record = self.find()
            is_late = record is None
            if record is None:
                record = wait_until(lambda: self.find() or {}, bool, limit, what=self.what, longest=2.0)
            if is_late or not self.resource.key_options:
                limit.sleep(clock.monotonic() - begun)
                record = self.find() or record
        except Ambiguous:
            raise
        except FcdError as problem:
            new = self._new(known) if isinstance(problem, WaitTimeout) else None
            if new is not None:
                intent.add_answer(id=new["id"])
                if self._kept(new) is None:
                    raise self.resource.kept_otherwise(new) from problem
                return new
            why = f"could not be read back: {problem.message.rstrip('.')}"
            if isinstance(problem, WaitTimeout):
                why = f"did not appear within {grace:g} s"
            unknown = CannotDetermine(
                f"The service accepted the create of {self.what}, but it {why}; its ID is not known.",
                next_step=CREATE_ADVICE,
                cause=type(problem).__name__,
                **{name: problem.details[name] for name in REQUEST_DETAILS if name in problem.details},
            )
            note_change(unknown)
            raise unknown from problem
        return record
