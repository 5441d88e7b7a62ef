# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the fault proxy does to an exchange that a fault has struck."""

from __future__ import annotations

import gzip
import json
import math
import re
import threading
import time
import typing as t
from email.utils import formatdate

from chaos.fault_proxy import Answer, Effect, Exchange

JSON_TYPE = [("Content-Type", "application/json")]
LATER = "later"
Json = t.Dict[str, t.Any]


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


def twice(which: int, seconds: float) -> Effect:
    """Return the effect: it is delivered twice, with so much time in between, and this answer comes back."""

    def effect(exchange: Exchange) -> None:
        first = exchange.forward()
        time.sleep(seconds)
        exchange.answer((first, exchange.forward())[which])

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


def closed(exchange: Exchange) -> None:
    """The service ends a connection that has carried a request before, right as this one arrives; nothing is done."""
    if exchange.kept:
        exchange.close()
    else:
        exchange.answer(exchange.forward())


def dropped(exchange: Exchange) -> None:
    """The connection is reset, and nothing is done."""
    exchange.reset()


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


def changed_json(change: t.Callable[[Json], Json]) -> Effect:
    """Return the effect: the object in the answer is changed; an answer that has none comes as it is."""

    def changed(answer: Answer) -> Answer:
        try:
            found = json.loads(answer.body)
        except ValueError:
            return answer
        return answer._replace(body=json.dumps(change(found)).encode()) if isinstance(found, dict) else answer

    return changed_answer(changed)


def with_number(number: t.Any) -> Effect:
    """Return the effect: this stands in the answer for the number of what was made, or of its ticket."""
    return changed_json(lambda found: {**found, "Id": number})


def length_twice(answer: Answer) -> Answer:
    """Return the answer with the length of its body twice; of a HEAD, with the length that it tells and 0."""
    return answer._replace(headers=[*answer.headers, ("Content-Length", str(len(answer.body)))])


def wrong_etag(answer: Answer) -> Answer:
    """Return the answer with an ETag that is not that of the content."""
    return answer._replace(headers=[*(one for one in answer.headers if one[0].lower() != "etag"), ("ETag", "0" * 32)])


def raw(change: t.Callable[[bytes], bytes]) -> Effect:
    """Return the effect: it is done, and the bytes of the answer are changed."""

    def effect(exchange: Exchange) -> None:
        exchange.send(change(exchange.forward().bytes()))
        exchange.close()

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


def others_answer(exchange: Exchange) -> None:
    """The answer is the one that somebody else had to the same request."""
    exchange.forward()
    exchange.answer(exchange.proxy.others[exchange.shape])


def others_answer_only(exchange: Exchange) -> None:
    """The same, and nothing is done."""
    exchange.answer(exchange.proxy.others[exchange.shape])


def others_row(exchange: Exchange) -> None:
    """What is read by its number is the newest of the same kind that somebody else has."""
    number = int(exchange.target.rpartition("/")[2])
    kinds = exchange.proxy.sandbox.state()["rest"].values()
    numbers = next((kind for kind in ([row["Id"] for row in rows] for rows in kinds) if number in kind), [])
    other = max(exchange.proxy.known.intersection(numbers) - {number}, default=number)
    exchange.target = re.sub(r"\d+$", str(other), exchange.target)
    exchange.answer(exchange.forward())


def new_rows(
    change: t.Callable[[Json], Json | None], *, seconds: float = math.inf, tickets: bool = False, every: int = 1
) -> Effect:
    """Return the effect on reads: what the task has made is shown so, or not at all (None), on every such answer.

    It ends ``seconds`` after the last write. Lists of ``tickets`` show all tickets, unless they are meant too.
    """

    def effect(exchange: Exchange) -> None:
        proxy = exchange.proxy

        def shown(row: Json) -> Json | None:
            is_new = proxy.name in json.dumps(row) and row.get("Id") not in proxy.known
            return change(row) if is_new else row

        def changed(found: Json) -> Json:
            if "Items" not in found:
                return shown(found) or found
            rows = [row for row in map(shown, found["Items"]) if row is not None]
            return {**found, "Items": rows, "Meta": {**found["Meta"], "Total": len(rows)}}

        listed = tickets or "/tickets" not in exchange.target
        struck = listed and time.monotonic() - proxy.last_write < seconds and next(proxy.turns) % every == 0
        changed_json(changed if struck else lambda found: found)(exchange)

    return effect


def kept_otherwise(exchange: Exchange) -> None:
    """The service keeps another name than the one that is sent."""
    if not exchange.reads:
        proxy = exchange.proxy
        exchange.body = exchange.body.replace(proxy.name.encode(), proxy.kept_name.encode())
    exchange.answer(exchange.forward())


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


ticket_error = changed_json(lambda found: {**found, "Status": {"Id": 137}})
"""The ticket of what was done says that it failed."""

endless_ticket = changed_json(lambda found: {**found, "Status": {"Id": 135}, "EndDate": None})
"""The ticket never ends."""

rows_twice = changed_json(lambda found: {**found, "Items": 2 * found["Items"]} if "Items" in found else found)
"""Every row stands on the page twice, as when pages shift while they are read."""

rows_without_members = changed_json(
    lambda found: {**found, "Items": [{"Id": row.get("Id")} for row in found["Items"]]} if "Items" in found else found
)
"""Rows of lists have a number and nothing else."""


def leap_second(answer: Answer) -> Answer:
    """Return the answer with a leap second for every time."""
    times = rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?"
    return answer._replace(body=re.sub(times, b"2016-12-31T23:59:60", answer.body))


def pass_on(exchange: Exchange) -> None:
    """Nothing: it is done, and its answer comes."""
    exchange.answer(exchange.forward())
