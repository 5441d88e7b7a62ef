# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the fault proxy does to an exchange that a fault has struck."""

from __future__ import annotations

import gzip
import json
import re
import threading
import time
import typing as t
from email.utils import formatdate

from chaos.fault_proxy import Answer, Effect, Exchange

JSON_TYPE = [("Content-Type", "application/json")]
LATER = "later"


# ------------------------------------------------------------------ after it was done


def lost(exchange: Exchange) -> None:
    """It is done, and the connection is reset before the answer."""
    exchange.forward()
    exchange.reset()


def silent(exchange: Exchange) -> None:
    """It is done, and nothing is said any more; the connection stays open."""
    exchange.forward()
    exchange.wait(60)
    exchange.reset()


def ended(exchange: Exchange) -> None:
    """It is done, and the connection ends properly without a byte."""
    exchange.forward()
    exchange.close()


def says(
    status: int, headers: t.Sequence[tuple[str, str]] = (), body: bytes = b"", *, done: bool = True, reason: str = ""
) -> Effect:
    """Return the effect: it is done, or not, and this is answered."""

    def effect(exchange: Exchange) -> None:
        if done:
            exchange.forward()
        exchange.answer(Answer(status, list(headers), body, reason))

    return effect


def refused(status: int, *, done: bool, retry_after: str | None = None) -> Effect:
    """Return the effect: a refusal in the words of a gateway. ``LATER`` is the date in 3 s, when it strikes."""

    def effect(exchange: Exchange) -> None:
        headers = [("Content-Type", "text/plain")]
        if retry_after is not None:
            value = formatdate(time.time() + 3, usegmt=True) if retry_after == LATER else retry_after
            headers.append(("Retry-After", value))
        says(status, headers, b"Request blocked by policy.", done=done)(exchange)

    return effect


def redirected(status: int, *, done: bool, port: int | None = None) -> Effect:
    """Return the effect: a redirect to the same host, or to another port of it."""

    def effect(exchange: Exchange) -> None:
        if done:
            exchange.forward()
        there = port or int(exchange.header("Host").rpartition(":")[2])
        exchange.answer(Answer(status, [("Location", f"https://localhost:{there}{exchange.target}")], b""))

    return effect


def twice(which: int) -> Effect:
    """Return the effect: it is delivered twice, and this answer comes back."""

    def effect(exchange: Exchange) -> None:
        exchange.answer(exchange.forwarded(2)[which])

    return effect


def swallowed(exchange: Exchange) -> None:
    """The connection is half open: the request goes nowhere, and nothing is ever said."""
    exchange.wait(60)
    exchange.reset()


def repeated(seconds: float) -> Effect:
    """Return the effect: it is done and answered, and the proxy delivers it again so much later."""

    def effect(exchange: Exchange) -> None:
        threading.Timer(seconds, exchange.forward).start()
        exchange.answer(exchange.forward())

    return effect


def elsewhere(connections: int) -> Effect:
    """Return the effect: it is done, the answer is lost, and the name leads to another host for some connections."""

    def effect(exchange: Exchange) -> None:
        exchange.forward()
        exchange.proxy.strangers[exchange.service] = connections
        exchange.reset()

    return effect


def expired(exchange: Exchange) -> None:
    """All tokens end at the service before it sees the request."""
    exchange.proxy.sandbox.expire()
    exchange.answer(exchange.forward())


def out_of_money(exchange: Exchange) -> None:
    """It is done, and from then on the service wants money for whatever costs some."""
    answer = exchange.forward()
    exchange.proxy.sandbox.settings(rest={"payment_required": True})
    exchange.answer(answer)


def deleted(exchange: Exchange) -> None:
    """Somebody else removes the object right before it is changed."""
    method, body, exchange.method, exchange.body = exchange.method, exchange.body, "DELETE", b""
    exchange.target, path = (
        re.sub(r"(/(?:instances|disks|ip_addresses)/\d+).*", r"\1", exchange.target),
        exchange.target,
    )
    exchange.forward()
    exchange.wait(1)
    exchange.method, exchange.body, exchange.target = method, body, path
    exchange.answer(exchange.forward())


def done_later(seconds: float) -> Effect:
    """Return the effect: the connection is reset, and it is done so much later."""

    def effect(exchange: Exchange) -> None:
        threading.Timer(seconds, exchange.forward).start()
        exchange.reset()

    return effect


def restarts(seconds: float) -> Effect:
    """Return the effect: it is done, and then the service is away for so long."""

    def effect(exchange: Exchange) -> None:
        exchange.forward()
        back = time.monotonic() + seconds

        def away(other: Exchange) -> None:
            if time.monotonic() < back:
                other.reset()
            else:
                other.answer(other.forward())

        exchange.proxy.arm({"service": exchange.service}, away, times=0)
        exchange.reset()

    return effect


# ------------------------------------------------------------------ answers that are not as they should be


def changed_answer(change: t.Callable[[Answer], Answer], **how: t.Any) -> Effect:
    """Return the effect: it is done, and the answer is changed."""

    def effect(exchange: Exchange) -> None:
        exchange.answer(change(exchange.forward()), **how)

    return effect


def with_headers(*more: tuple[str, str]) -> Effect:
    """Return the effect: the answer has these headers too."""
    return changed_answer(lambda answer: answer._replace(headers=[*answer.headers, *more]))


def drip(head_rate: float, body_rate: float) -> Effect:
    """Return the effect: so many bytes of head and body come in a second, 0: at once."""

    def effect(exchange: Exchange) -> None:
        answer = exchange.forward()
        head, _gap, body = answer.bytes().partition(b"\r\n\r\n")
        for data, rate in ((head + b"\r\n\r\n", head_rate), (b"" if exchange.method == "HEAD" else body, body_rate)):
            if not rate:
                exchange.send(data)
                continue
            for place in range(len(data)):
                exchange.send(data[place : place + 1])
                if exchange.wait(1 / rate):
                    return
        exchange.close()

    return effect


def cut(share: float, *, length: bool, good_bye: bool) -> Effect:
    """Return the effect: so much of the body comes, with or without its length, with or without TLS's good-bye."""

    def effect(exchange: Exchange) -> None:
        answer = exchange.forward()
        data = answer.bytes(length=length)
        if exchange.method == "HEAD":
            data = data.partition(b"\r\n\r\n")[0] + b"\r\n\r\n"
        exchange.send(data[: len(data) - int(len(answer.body) * (1 - share))])
        if good_bye:
            exchange.close()
        else:
            exchange.ended = True
            exchange.connection.detach()  # the socket closes without a word

    return effect


def endless_continue(exchange: Exchange) -> None:
    """100 Continue, again and again."""
    while not exchange.wait(0.1):
        exchange.send(b"HTTP/1.1 100 Continue\r\n\r\n")


def previous(exchange: Exchange) -> None:
    """It is done, and the body of the answer before it comes."""
    before, answer = exchange.proxy.previous.get(exchange.service), exchange.forward()
    exchange.answer(answer if before is None else answer._replace(body=before.body))


def other_id(exchange: Exchange) -> None:
    """The answer is about another object."""
    answer = exchange.forward()
    with_other = answer.body
    try:
        found = json.loads(answer.body)
        if isinstance(found, dict) and isinstance(found.get("Id"), int):
            with_other = json.dumps({**found, "Id": found["Id"] + 700000}).encode()
    except ValueError:
        pass
    exchange.answer(answer._replace(body=with_other))


def stale(seconds: float) -> Effect:
    """Return the effect on reads: what is read by its number is for so long as it was before the last write."""

    def effect(exchange: Exchange) -> None:
        proxy = exchange.proxy
        answer, path = exchange.forward(), exchange.target
        single = path.rpartition("/")[2].isdigit() and "/tickets/" not in path
        if single and time.monotonic() - proxy.last_write < seconds:
            answer = proxy.before.get(path, Answer(404, JSON_TYPE, b"{}"))
        exchange.answer(answer)

    return effect


def packed(way: str) -> Effect:
    """Return the effect: the body comes packed, or says so."""
    forms: dict[str, t.Callable[[bytes], tuple[str, bytes]]] = {
        "gzip": lambda body: ("gzip", gzip.compress(body)),
        "twice": lambda body: ("gzip, gzip", gzip.compress(gzip.compress(body))),
        "none": lambda body: ("gzip", body),
        "cut": lambda body: ("gzip", gzip.compress(body)[: max(12, len(body) // 3)]),
        "br": lambda body: ("br", b"\x0b\x02\x80" + body),
    }

    def change(answer: Answer) -> Answer:
        coding, body = forms[way](answer.body)
        return Answer(answer.status, [*answer.headers, ("Content-Encoding", coding)], body, answer.reason)

    return changed_answer(change)


def ticket_error(exchange: Exchange) -> None:
    """The ticket of what was done says that it failed."""
    answer = exchange.forward()
    found = json.loads(answer.body)
    exchange.answer(answer._replace(body=json.dumps({**found, "Status": {"Id": 137}}).encode()))


def endless_ticket(exchange: Exchange) -> None:
    """The ticket never ends."""
    answer = exchange.forward()
    found = json.loads(answer.body)
    running = {**found, "Status": {"Id": 135}, "EndDate": None}
    exchange.answer(answer._replace(body=json.dumps(running).encode()))


def rows_twice(exchange: Exchange) -> None:
    """Every row stands on the page twice, as when pages shift while they are read."""
    answer = exchange.forward()
    try:
        found = json.loads(answer.body)
        rows = found["Items"]
    except (ValueError, KeyError, TypeError):
        exchange.answer(answer)
        return
    exchange.answer(answer._replace(body=json.dumps({**found, "Items": [*rows, *rows]}).encode()))


def leap_second(answer: Answer) -> Answer:
    """Return the answer with a leap second for every time."""
    times = rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?"
    return answer._replace(body=re.sub(times, b"2016-12-31T23:59:60", answer.body))


def pass_on(exchange: Exchange) -> None:
    """Nothing: it is done, and its answer comes."""
    exchange.answer(exchange.forward())
