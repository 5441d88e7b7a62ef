# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The faults of the matrix: what a service, a gateway, a network, a disk or a clock may do to a change."""

from __future__ import annotations

import gzip
import json
import threading
import time
import typing as t
from email.utils import formatdate

from chaos.fault_proxy import Answer, Armed, Effect, Exchange, FaultProxy

Settings = t.Mapping[str, t.Mapping[str, t.Any]]
WRITE, READ, ANY = "write", "read", "any"
JSON_TYPE = [("Content-Type", "application/json")]
NOTHING: t.Mapping[str, t.Any] = {}


class Fault(t.NamedTuple):
    """``effect`` strikes ``times`` requests of the kind ``at`` (0: all) after ``skip``; ``settings`` are the sandbox's.

    ``options`` are added to the task. ``to_process`` is done to the task's process when the write has come. ``lies``:
    the proxy says of something done that it was refused, or the other way round; nobody can know better. ``services``
    are those it is for; empty: all.
    """

    name: str
    says: str
    effect: Effect | None = None
    at: str = WRITE
    skip: int = 0
    times: int = 1
    settings: t.Callable[[float], Settings] | None = None
    lag: float = 0.0
    options: t.Mapping[str, t.Any] = NOTHING
    to_process: str = ""
    clock: float = 0.0
    lies: bool = False
    services: tuple[str, ...] = ()


def lists_lag(seconds: float) -> Settings:
    """Return the settings with which what is new is on no list for so long."""
    soap = {"visibility_delay": seconds, "users_visibility_delay": seconds}
    return {"rest": {"visibility_delay": seconds, "list_lag": seconds}, "soap": soap}


def all_lags(seconds: float) -> Settings:
    """Return the settings with which the list of tickets lags too."""
    return {**lists_lag(seconds), "rest": {**lists_lag(seconds)["rest"], "ticket_list_lag": seconds}}


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
    """Return the effect: a refusal in the words of a gateway."""
    headers = [("Content-Type", "text/plain"), *([("Retry-After", retry_after)] if retry_after is not None else [])]
    return says(status, headers, b"Request blocked by policy.", done=done)


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
        answers = exchange.forward(), exchange.forward()
        exchange.answer(answers[which])

    return effect


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
    """Return the effect on reads: what is read by its number is as it was before, for so long."""
    begun: list[float] = []

    def effect(exchange: Exchange) -> None:
        known = exchange.proxy.previous
        begun.append(time.monotonic())
        answer = exchange.forward()
        single = exchange.service != "rest" or exchange.target.rpartition("/")[2].isdigit()
        if not single or time.monotonic() - begun[0] > seconds:
            exchange.answer(answer)
        elif exchange.target in known:
            exchange.answer(known[exchange.target])
        elif exchange.service == "rest":
            exchange.answer(Answer(404, JSON_TYPE, b"{}"))
        else:
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


TICKET = {"service": "rest", "path": r"/tickets/\d+$"}
LATER = formatdate(time.time() + 3, usegmt=True)

FAULTS = (
    Fault("01a", "new objects are on no list for 4 s", settings=lists_lag, lag=4),
    Fault("01b", "nor are their tickets", settings=all_lags, lag=4),
    Fault("01c", "answer lost, lists 3 s late", lost, settings=lists_lag, lag=3),
    Fault("01d", "answer lost, all lists 3 s late", lost, settings=all_lags, lag=3),
    Fault("01e", "answer lost, all lists later than the grace time", lost, settings=all_lags, lag=9),
    Fault("01f", "clear success, all lists later than the grace time", settings=all_lags, lag=9),
    Fault("02", "single reads are 3 s old", stale(3), at=READ, times=0, services=("rest",)),
    Fault("03", "the body of the answer drips", drip(0, 20)),
    Fault("04a", "whole answer without length and good-bye", cut(1, length=False, good_bye=False)),
    Fault("04b", "half an answer, no good-bye", cut(0.5, length=True, good_bye=False)),
    Fault("04c", "half an answer without length, good-bye", cut(0.5, length=False, good_bye=True)),
    Fault("05a", "429, Retry-After as a date", refused(429, done=False, retry_after=LATER)),
    Fault("05b", "429, Retry-After: -5", refused(429, done=False, retry_after="-5")),
    Fault("05c", "429, Retry-After: soon", refused(429, done=False, retry_after="soon")),
    Fault("05d", "429, Retry-After of many digits", refused(429, done=False, retry_after="9" * 400)),
    Fault("05e", "429, Retry-After in the past", refused(429, done=False, retry_after="Mon, 02 Jan 2006 15:04:05 GMT")),
    Fault(
        "05f",
        "429, Retry-After in the year 99999",
        refused(429, done=False, retry_after="Sat, 01 Jan 99999 00:00:00 GMT"),
    ),
    Fault("06a", "307 to the same host", redirected(307, done=False)),
    Fault("06b", "308 to another port", redirected(308, done=False, port=9)),
    Fault("06c", "303 after it was done", redirected(303, done=True)),
    Fault("07a", "100 Continue for ever", endless_continue),
    Fault("07b", "silence after it was done", silent),
    Fault("08a", "delivered twice, the first answer", twice(0)),
    Fault("08b", "delivered twice, the second answer", twice(1)),
    Fault("09a", "reset, done 3 s later, within the grace time", done_later(3), options={"create_grace": 8}),
    Fault("09b", "reset, done 6 s later, after the grace time", done_later(6)),
    Fault("10a", "the answer has the body of the one before", previous),
    Fault("10b", "reads answered with the body of the one before", previous, at=READ),
    Fault("10c", "a read tells of another object", other_id, at=READ, services=("rest",)),
    Fault(
        "11a",
        "the clock jumps a day ahead, answer lost, lists late",
        lost,
        settings=lists_lag,
        lag=4,
        to_process="jump",
        clock=86400,
    ),
    Fault(
        "11b",
        "the clock jumps a day back, answer lost, lists late",
        lost,
        settings=lists_lag,
        lag=4,
        to_process="jump",
        clock=-86400,
    ),
    Fault("12a", "401 for the second request", refused(401, done=False), at=ANY, skip=1),
    Fault("12b", "401 for the fourth request", refused(401, done=False), at=ANY, skip=3),
    Fault("16a", "the ticket cannot be found", says(404, JSON_TYPE, b"{}"), at="ticket", services=("rest",)),
    Fault(
        "16c",
        "the ticket of what was done says error",
        ticket_error,
        at="ticket",
        times=0,
        lies=True,
        services=("rest",),
    ),
    Fault("17", "the disk is full from the write on", to_process="full"),
    Fault("24a", "gzip", packed("gzip")),
    Fault("24b", "gzip in gzip", packed("twice")),
    Fault("24c", "gzip that is none", packed("none")),
    Fault("24d", "gzip, cut", packed("cut")),
    Fault("24e", "br", packed("br")),
    Fault("25a", "a header of 70 kB", with_headers(("X-Long", "x" * 70000))),
    Fault("25b", "1,500 headers", with_headers(*[(f"X-{number}", "1") for number in range(1500)])),
    Fault("25c", "900 headers", with_headers(*[(f"X-{number}", "1") for number in range(900)])),
    Fault("26a", "403 after it was done", refused(403, done=True), lies=True),
    Fault("26b", "409 after it was done", refused(409, done=True), lies=True),
    Fault("26c", "429 after it was done", refused(429, done=True, retry_after="1"), lies=True),
    Fault("26d", "401 after it was done", refused(401, done=True), lies=True),
    Fault("27a", "403 for the second write", refused(403, done=False), skip=1),
    Fault("27b", "409 for the second write", refused(409, done=False), skip=1),
    Fault("27c", "500 for the second write", refused(500, done=False), skip=1),
    Fault("27d", "429 for ever from the second write on", refused(429, done=False), skip=1, times=0),
    Fault("27e", "the second write is reset", lost, skip=1),
    # from here on beyond what was reported
    Fault("30a", "HTTP/1.0", changed_answer(lambda answer: answer, version="1.0", length=False)),
    Fault("30b", "the head of the answer drips", drip(60, 0)),
    Fault("30c", "proper end without a byte, after it was done", ended),
    Fault(
        "30d",
        "502 page of a gateway after it was done",
        says(502, [("Content-Type", "text/html")], b"<h1>Bad Gateway</h1>"),
    ),
    Fault("30e", "504 after it was done", says(504)),
    Fault("30f", "the service restarts after it was done, 2 s", restarts(2)),
    Fault("30g", "204 for a create", says(204)),
    Fault("30h", "200 with null", says(200, JSON_TYPE, b"null")),
    Fault(
        "30i", "200 with a page after it was done", says(200, [("Content-Type", "text/html")], b"<html>Welcome</html>")
    ),
    Fault("30j", "the answer is about another object", other_id),
    Fault("30k", "402 for the second write", refused(402, done=False), skip=1),
    Fault("30l", "503 for the first three reads", refused(503, done=False), at=READ, times=3),
    Fault(
        "30m",
        "every second request is reset before it is done",
        lambda exchange: exchange.reset(),
        at=ANY,
        skip=1,
        times=1,
    ),
    Fault(
        "30n",
        "a byte order mark before the body",
        changed_answer(lambda answer: answer._replace(body=b"\xef\xbb\xbf" + answer.body)),
    ),
    Fault("30o", "the process is suspended for 4 s at the write", to_process="suspended"),
    Fault("30p", "a Date of next year", with_headers(("Date", formatdate(time.time() + 366 * 86400, usegmt=True)))),
)


def selection(fault: Fault, write: t.Mapping[str, t.Any]) -> dict[str, t.Any]:
    """Return which requests the fault is for, where ``write`` are those that change something."""
    if fault.at == WRITE:
        return dict(write)
    if fault.at == READ:
        return {"service": write["service"], "reads": True}
    return dict(TICKET) if fault.at == "ticket" else {"service": write["service"]}


def arm(proxy: FaultProxy, fault: Fault, write: t.Mapping[str, t.Any]) -> Armed | None:
    """Have the fault strike; what happens to the task's process has to wait for the process."""
    if fault.effect is None or fault.to_process:
        return None
    return proxy.arm(selection(fault, write), fault.effect, skip=fault.skip, times=fault.times)


def pass_on(exchange: Exchange) -> None:
    """Nothing: it is done, and its answer comes."""
    exchange.answer(exchange.forward())
