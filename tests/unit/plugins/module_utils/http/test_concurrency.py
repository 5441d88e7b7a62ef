# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""How many requests are in progress at the same time: as many as the service allows."""

from __future__ import annotations

import contextlib
import itertools
import threading
import time
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.clock import Clock, Deadline
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import (
    DeadlinePassed,
    NotFound,
    RateLimited,
    Unclear,
    has_changed,
)
from ansible_collections.fcd.cloud.plugins.module_utils._http.client import Request
from ansible_collections.fcd.cloud.plugins.module_utils._http.concurrency import ConcurrencyLimit

from .conftest import Senders
from .raw_server import RawServer, Visit

Serve = t.Callable[..., RawServer]


class Requests:
    """Requests that end when the test says so."""

    def __init__(self) -> None:
        self._limit = ConcurrencyLimit()
        self._open: list[contextlib.ExitStack] = []

    def begin(self, number: int) -> None:
        """Begin so many. Raises DeadlinePassed if one would have to wait."""
        for _each in range(number):
            stack = contextlib.ExitStack()
            stack.enter_context(self._limit.wait("Read", Deadline(Clock(), 0.0)))
            self._open.append(stack)

    def end(self, number: int, error: Exception | None = None) -> None:
        """End so many, with an error or with an answer."""
        for _each in range(number):
            stack = self._open.pop(0)
            if error is None:
                stack.close()
                continue
            with pytest.raises(type(error)), stack:
                raise error

    def most(self) -> int:
        """Return how many may be in progress; none may be now."""
        assert not self._open
        with contextlib.suppress(DeadlinePassed):
            self.begin(1000)
        number = len(self._open)
        self.end(number, Unclear("it ends without saying anything of the number"))
        return number


def test_the_limit_falls_with_a_refusal_and_rises_with_answers() -> None:
    requests = Requests()
    assert requests.most() == 1000
    requests.begin(20)
    requests.end(20, RateLimited("too many"))
    assert requests.most() == 10, "they were in progress at the same time"
    requests.begin(10)
    requests.end(1, RateLimited("too many"))
    requests.end(9)
    assert requests.most() == 6, "9 answers to half as many"
    for limit in (6, 7, 8):
        assert requests.most() == limit
        requests.begin(limit)
        requests.end(limit)
    requests.begin(1)
    requests.end(1, RateLimited("too many"))
    assert requests.most() == 1
    requests.begin(1)
    requests.end(1, NotFound("there is no such thing"))
    assert requests.most() == 2, "that was an answer, too"


def test_those_that_wait_have_their_turn_in_their_order() -> None:
    """The one that has just ended may not be the next one again and again."""
    limit, deadline, order = ConcurrencyLimit(), Deadline(Clock(), None), list[int]()
    with contextlib.suppress(RateLimited), limit.wait("Read", deadline):
        raise RateLimited("too many")
    first = limit.wait("Read", deadline)

    def send(number: int) -> None:
        with limit.wait("Read", deadline):
            order.append(number)

    threads = [threading.Thread(target=send, args=(number,)) for number in range(20)]
    for number, thread in enumerate(threads):
        thread.start()
        while len(limit._waiting) <= number:
            time.sleep(0.001)
    with first:
        pass
    for thread in threads:
        thread.join()
    assert order == sorted(order)


def test_the_wait_is_no_time_of_the_call_and_nothing_was_sent(sender: Senders, serve: Serve) -> None:
    served, exchange = serve(lambda visit: visit.read() and visit.answer()), sender()
    limit, endless = exchange._concurrency, Deadline(Clock(), None)
    with contextlib.suppress(RateLimited), limit.wait("Read", endless):
        raise RateLimited("too many")
    other = limit.wait("Read", endless)

    def end() -> None:
        while not limit._waiting:
            time.sleep(0.001)
        sender.clock.sleep(1000.0)
        with other:
            pass

    ending = threading.Thread(target=end)
    ending.start()
    assert exchange.send(Request("Make a thing", "POST", served.url, "write", json_answer=True)).status == 200
    ending.join()
    other, exchange.options = limit.wait("Read", endless), exchange.options._replace(deadline=Deadline(Clock(), 0.05))
    others = [limit.wait("Read", endless)]
    with pytest.raises(DeadlinePassed) as raised:
        exchange.send(Request("Make a thing", "POST", served.url, "write", json_answer=True))
    assert not has_changed(raised.value)
    assert (len(served.requests), len(others)) == (1, 1)


def test_what_the_service_refuses_is_sent_again_by_half_as_many_threads(sender: Senders, serve: Serve) -> None:
    """The first four arrive together and are refused; of the others, no three are ever there at the same time."""
    first, three = threading.Barrier(4), threading.Barrier(3)
    requests, together = itertools.count(), []

    def answer(visit: Visit) -> None:
        while visit.read():
            if next(requests) < 4:
                first.wait()
                visit.answer(b"{}", "429 Too Many Requests", "Retry-After: 0")
                continue
            with contextlib.suppress(threading.BrokenBarrierError):
                three.wait(0.5)
                together.append(True)
            visit.answer()

    server, exchange = serve(answer), sender()
    request = Request("List things", "GET", server.url, "read", json_answer=True)
    threads = [threading.Thread(target=exchange.send, args=(request,)) for _each in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(server.requests) == 8
    assert together == []
