# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A small service in memory, for test_random_order: its lists lag, its answers get lost, and names are not unique.

Its time is what every controller measures; what a controller takes for the time of day is a matter of its own.
"""

from __future__ import annotations

import dataclasses
import errno
import math
import os
import tempfile
import typing as t

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.plugins.module_utils._core.clock import Clock

EPOCH = 1_700_000_000.0
SOMEBODY = "somebody else"
LATE = 15.0  # seconds after which a request is done that nobody waits for any more


class Answer(t.NamedTuple):
    """What becomes of a request: how often it is done, after how many seconds, and what the client gets to know."""

    times: int
    error: t.Callable[[], errors.FcdError] | None = None
    after: float = 0.0

    @property
    def maybe(self) -> bool:
        """Whether the client must reckon with an effect."""
        certain = (errors.Rejected, errors.Unreachable)
        error = self.error and self.error()
        return not (error and (isinstance(error, certain) or errors.asks_elsewhere(error)))


def _redirect(status: int) -> t.Callable[[], errors.FcdError]:
    return lambda: errors.Unusable(f"redirect {status}", status=status, redirect="https://other.example.com")


ANSWERS = {
    "good": Answer(1),
    "twice": Answer(2),
    "lost": Answer(1, lambda: errors.Unclear("reset")),
    "lost on its way": Answer(0, lambda: errors.Unclear("reset")),
    "late": Answer(1, lambda: errors.DeadlinePassed("too slow"), LATE),
    "done, 504": Answer(1, lambda: errors.ServiceError("504", status=504)),
    "not done, 500": Answer(0, lambda: errors.ServiceError("500", status=500)),
    "cut": Answer(1, lambda: errors.Unusable("half an answer")),
    "303": Answer(1, _redirect(303)),
    "307": Answer(0, _redirect(307)),
    "refused": Answer(0, lambda: errors.Rejected("no such size", status=400)),
    "401": Answer(0, lambda: errors.Unauthorized("401", status=401)),
    "429": Answer(0, lambda: errors.RateLimited("429", status=429)),
    "unreachable": Answer(0, lambda: errors.Unreachable("refused")),
}


@dataclasses.dataclass
class Thing:
    """One object. ``request`` is the one that has made it, ``maker`` the state folder of who sent that.

    ``seen_by`` are the readers to whom a list has shown one of that name, ``mistaken_by`` those to whom it was another.
    """

    number: int
    maker: str
    request: int
    made: float
    listed: float
    removed: float = math.inf
    unlisted: float = math.inf
    seen_by: set[str] = dataclasses.field(default_factory=set)
    mistaken_by: set[str] = dataclasses.field(default_factory=set)


class Service:
    """Things of one name. ``moment`` is called wherever a process may die; at one of them ``strike`` is called."""

    def __init__(self) -> None:
        self.time = 1000.0
        self.things: list[Thing] = []
        self.requests = 0
        self.answer, self.lag = "good", 0.0
        self.behind = 0.0  # by how much the replica is late that answers
        self.strike: t.Callable[[], None] | None = None
        self.moments_left = 0

    def strikes(self, moment: int, strike: t.Callable[[], None] | None) -> None:
        self.moments_left, self.strike = moment, strike

    def moment(self) -> None:
        self.moments_left -= 1
        if self.moments_left == 0 and self.strike is not None:
            strike, self.strike = self.strike, None
            strike()

    def create(self, maker: str) -> int:
        self.moment()
        self.requests += 1
        answer = ANSWERS[self.answer]
        made = self.time + answer.after
        for _each in range(answer.times):
            self.add(maker, made, made + self.lag)
        self.moment()
        if answer.error is not None:
            raise answer.error()
        return self.things[-1].number

    def delete(self, number: int) -> None:
        self.moment()
        answer = ANSWERS[self.answer]
        thing = self.existing(number)
        if thing is None and answer.times:
            raise errors.NotFound("gone", status=404)
        if thing is not None and answer.times:
            self.remove(thing, self.lag)
        self.moment()
        if answer.error is not None:
            raise answer.error()

    def add(self, maker: str, made: float, listed: float) -> None:
        request = 0 if maker == SOMEBODY else self.requests
        self.things.append(Thing(len(self.things) + 1, maker, request, made, listed))

    def remove(self, thing: Thing, lag: float) -> None:
        thing.removed = self.time
        thing.unlisted = self.time + lag if thing.listed <= self.time else self.time

    def give_up(self, maker: str) -> None:
        """Take the word of a person for it that what the requests before the last one have made is not there."""
        for thing in self.living(maker):
            if thing.request != self.requests:
                thing.seen_by.add(maker)
                thing.mistaken_by.add(maker)

    def existing(self, number: int) -> Thing | None:
        return next((one for one in self.things if one.number == number and one.made <= self.time < one.removed), None)

    def living(self, maker: str | None = None) -> list[Thing]:
        """Return what there is, or will be when a late request is done."""
        return [one for one in self.things if self.time < one.removed and maker in (None, one.maker)]

    def listing(self) -> list[Thing]:
        return [one for one in self.things if one.listed <= self.time - self.behind < one.unlisted]

    def listed(self, reader: str) -> list[Thing]:
        """Return what the list shows. Who reads one of that name has no cause to look for another."""
        self.moment()
        found = self.listing()
        anothers = not any(one.maker == reader and reader not in one.mistaken_by for one in found)
        for thing in self.living() if found else ():
            thing.seen_by.add(reader)
            if anothers:
                thing.mistaken_by.add(reader)
        return found

    def by_number(self, number: int) -> Thing | None:
        self.moment()
        return self.existing(number)


class OwnClock(Clock):
    """The clock of one controller: ``ahead`` is by how much its time of day is wrong."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self.ahead = 0.0

    def now(self) -> float:
        return EPOCH + self._service.time + self.ahead

    def monotonic(self) -> float:
        return self._service.time

    def sleep(self, seconds: float) -> None:
        self._service.time += max(0.0, seconds)
        self._service.moment()


class Disk:
    """Stands for os and tempfile in _core.private_files: a process may die at each write, and the disk fail."""

    def __init__(self) -> None:
        self.service = Service()
        self.full = False
        self.broken = False

    def __getattr__(self, name: str) -> t.Any:
        return getattr(os, name)

    def mkstemp(self, **where: t.Any) -> tuple[int, str]:
        self._write(errno.ENOSPC, failing=self.full)
        return tempfile.mkstemp(**where)

    def fsync(self, _descriptor: int) -> None:
        self._write(errno.EIO)

    def replace(self, source: str, target: str) -> None:
        self._write(errno.EROFS)
        os.replace(source, target)
        self.service.moment()

    def remove(self, path: str) -> None:
        self._write(errno.EROFS)
        os.remove(path)
        self.service.moment()

    def _write(self, number: int, *, failing: bool = False) -> None:
        self.service.moment()
        if failing or self.broken:
            raise OSError(number, os.strerror(number))
