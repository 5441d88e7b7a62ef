# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The faults of the matrix: what a service, a gateway, a network, a disk or a clock may do to a change."""

from __future__ import annotations

import time
import typing as t
from email.utils import formatdate

from chaos.fault_proxy import Armed, Effect, FaultProxy
from chaos.proxy_effects import (
    JSON_TYPE,
    LATER,
    changed_answer,
    cut,
    deleted,
    done_later,
    drip,
    elsewhere,
    ended,
    endless_continue,
    endless_ticket,
    expired,
    leap_second,
    lost,
    other_id,
    out_of_money,
    packed,
    previous,
    redirected,
    refused,
    repeated,
    restarts,
    rows_twice,
    says,
    silent,
    stale,
    swallowed,
    ticket_error,
    twice,
    with_headers,
)

Settings = t.Mapping[str, t.Mapping[str, t.Any]]
WRITE, READ, ANY, TICKET, SECOND_PAGE = "write", "read", "any", "ticket", "second page"
NOTHING: t.Mapping[str, t.Any] = {}
REST = ("rest",)
LISTS, MANY, TICKETS, STATE, PAGES = (frozenset({one}) for one in ("lists", "many", "tickets", "state", "pages"))
"""What a case must have: lists that can be late, more than one write, tickets, a state (acts have none), long lists."""


class Fault(t.NamedTuple):
    """``effect`` strikes ``times`` requests of the kind ``at`` (0: all) after ``skip``; ``settings`` are the sandbox's.

    ``options`` and ``environment`` are added to the first run. ``to_process`` is done to its process when the write has
    come, ``afterwards`` when it has ended. After ``settles`` seconds nothing more happens by itself, and lists are late
    by ``lag``. ``lies``: the proxy says of something done that it was not, or does it again after the answer, which no
    run can know in time. It can strike a case that has all it ``needs``, at one of ``services``; empty: at any.
    """

    name: str
    says: str
    effect: Effect | None = None
    at: str = WRITE
    skip: int = 0
    times: int = 1
    settings: t.Callable[[float], Settings] | None = None
    lag: float = 0.0
    settles: float = 0.0
    options: t.Mapping[str, t.Any] = NOTHING
    environment: t.Mapping[str, str] = NOTHING
    to_process: str = ""
    afterwards: str = ""
    clock: float = 0.0
    lies: bool = False
    services: tuple[str, ...] = ()
    needs: frozenset[str] = frozenset()


def lists_lag(seconds: float) -> Settings:
    """Return the settings with which what is new is on no list for so long."""
    soap = {"visibility_delay": seconds, "users_visibility_delay": seconds}
    return {"rest": {"visibility_delay": seconds, "list_lag": seconds}, "soap": soap}


def all_lags(seconds: float) -> Settings:
    """Return the settings with which the list of tickets lags too."""
    return {**lists_lag(seconds), "rest": {**lists_lag(seconds)["rest"], "ticket_list_lag": seconds}}


def slow_tickets(_seconds: float) -> Settings:
    """Return the settings with which the second delivery comes before the first has ended, on a busy machine too."""
    return {"rest": {"ticket_seconds": 2.0}}


def short_pages(_seconds: float) -> Settings:
    """Return the settings with which a page has one row."""
    return {"rest": {"longest_page": 1}, "soap": {"maximum_page_size": 1}}


FAULTS = (
    Fault("01a", "new objects are on no list for 4 s", settings=lists_lag, lag=4, needs=LISTS),
    Fault("01b", "nor are their tickets", settings=all_lags, lag=4, needs=LISTS),
    Fault("01c", "answer lost, lists 3 s late", lost, settings=lists_lag, lag=3, needs=LISTS),
    Fault("01d", "answer lost, all lists 3 s late", lost, settings=all_lags, lag=3, needs=LISTS),
    Fault("01e", "answer lost, all lists later than the grace time", lost, settings=all_lags, lag=9, needs=LISTS),
    Fault("01f", "clear success, all lists later than the grace time", settings=all_lags, lag=9, needs=LISTS),
    Fault("02", "single reads are 3 s old", stale(3), at=READ, times=0, services=REST, lag=3),
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
    Fault("08a", "delivered twice, the first answer", twice(0), settings=slow_tickets, needs=STATE),
    Fault("08b", "delivered twice, the second answer", twice(1), settings=slow_tickets, needs=STATE),
    Fault("09a", "reset, done 3 s later, within the grace time", done_later(3), options={"create_grace": 8}, settles=3),
    Fault("09b", "reset, done 6 s later, after the grace time", done_later(6), settles=6),
    Fault("10a", "the answer has the body of the one before", previous),
    Fault("10b", "reads answered with the body of the one before", previous, at=READ),
    Fault("10c", "a read tells of another object", other_id, at=READ, services=REST),
    Fault(
        "11a",
        "the clock jumps a day ahead, answer lost, lists late",
        lost,
        settings=lists_lag,
        lag=4,
        to_process="jump",
        clock=86400,
        needs=LISTS,
    ),
    Fault(
        "11b",
        "the clock jumps a day back, answer lost, lists late",
        lost,
        settings=lists_lag,
        lag=4,
        to_process="jump",
        clock=-86400,
        needs=LISTS,
    ),
    Fault("12a", "401 for the second request", refused(401, done=False), at=ANY, skip=1),
    Fault("12b", "401 for the fourth request", refused(401, done=False), at=ANY, skip=3),
    Fault("15", "somebody removes the object right before it is changed", deleted, needs=frozenset({"removable"})),
    Fault("16a", "the ticket cannot be found", says(404, JSON_TYPE, b"{}"), at=TICKET, needs=TICKETS),
    Fault(
        "16b", "the ticket never ends", endless_ticket, at=TICKET, times=0, needs=TICKETS, options={"wait_timeout": 6}
    ),
    Fault(
        "16c",
        "the ticket of what was done says error",
        ticket_error,
        at=TICKET,
        times=0,
        lies=True,
        needs=TICKETS,
    ),
    Fault("17", "the disk is full from the write on", to_process="full"),
    Fault("17b", "the same, lists 3 s late", to_process="full", settings=lists_lag, lag=3, needs=LISTS),
    Fault("18", "the state folder cannot be made", environment={"FCD_STATE_DIR": "/proc/fcd-state"}),
    Fault("20a", "SIGKILL after it was done", to_process="kill"),
    Fault("20b", "SIGTERM after it was done", to_process="term"),
    Fault("20c", "SIGKILL after it was done, lists 3 s late", to_process="kill", settings=all_lags, lag=3, needs=LISTS),
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
    Fault("27a", "403 for the second write", refused(403, done=False), skip=1, needs=MANY),
    Fault("27b", "409 for the second write", refused(409, done=False), skip=1, needs=MANY),
    Fault("27c", "500 for the second write", refused(500, done=False), skip=1, needs=MANY),
    Fault("27d", "429 for ever from the second write on", refused(429, done=False), skip=1, times=0, needs=MANY),
    Fault("27e", "the second write is reset", lost, skip=1, needs=MANY),
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
    Fault("30k", "402 for the second write", refused(402, done=False), skip=1, needs=MANY),
    Fault("30l", "503 for the first three reads", refused(503, done=False), at=READ, times=3),
    Fault("30m", "the second request is reset before it is done", lambda exchange: exchange.reset(), at=ANY, skip=1),
    Fault(
        "30n",
        "a byte order mark before the body",
        changed_answer(lambda answer: answer._replace(body=b"\xef\xbb\xbf" + answer.body)),
    ),
    Fault("30o", "the process is suspended for 4 s at the write", to_process="suspended"),
    Fault("30p", "a Date of next year", with_headers(("Date", formatdate(time.time() + 366 * 86400, usegmt=True)))),
    Fault("31a", "the token ends between two pages", expired, at=SECOND_PAGE, settings=short_pages, needs=PAGES),
    Fault("31b", "all tokens end right before the write", expired),
    Fault("31c", "answer lost, then the name leads to another host for three connections", elsewhere(3)),
    Fault("31d", "half-open connection: the request goes nowhere", swallowed),
    Fault("31e", "a proxy repeats it 2 s after the answer", repeated(2), settles=3, lies=True, needs=STATE),
    Fault("31f", "no money any more after the first write", out_of_money, services=REST, needs=MANY),
    Fault("31g", "over the quota from the second write on", refused(413, done=False), skip=1, times=0, needs=MANY),
    Fault(
        "31h",
        "answer lost, lists late, the run 14 h east of Greenwich, the next one west",
        lost,
        settings=lists_lag,
        lag=3,
        environment={"TZ": "Pacific/Kiritimati"},
        needs=LISTS,
    ),
    Fault(
        "31i", "all times are a leap second", changed_answer(leap_second), at=READ, times=0, services=("rest", "soap")
    ),
    Fault("31j", "every row of a list stands there twice", rows_twice, at=READ, times=0, services=REST),
    Fault("31k", "answer lost, and the notes of the run are cut to nothing", lost, afterwards="cut"),
    Fault("31l", "suspended, answer lost", lost, to_process="suspended"),
    Fault("31m", "503 for the first three writes, nothing done", refused(503, done=False, retry_after="1"), times=3),
)


def selection(fault: Fault, write: t.Mapping[str, t.Any]) -> dict[str, t.Any]:
    """Return which requests the fault is for, where ``write`` are those that change something."""
    service = {"service": write["service"]}
    return {
        WRITE: dict(write),
        READ: {**service, "reads": True},
        TICKET: {"service": "rest", "path": r"/tickets/\d+$"},
        SECOND_PAGE: {**service, **_second_page(write["service"])},
    }.get(fault.at, service)


def _second_page(service: str) -> dict[str, t.Any]:
    return {"body_has": "PageNumber>2<"} if service == "soap" else {"path": "pageNumber=2|marker=."}


def arm(proxy: FaultProxy, fault: Fault, write: t.Mapping[str, t.Any]) -> Armed | None:
    """Have the fault strike; what happens to the task's process has to wait for the process."""
    if fault.effect is None or fault.to_process:
        return None
    return proxy.arm(selection(fault, write), fault.effect, skip=fault.skip, times=fault.times)
