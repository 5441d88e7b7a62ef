# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The faults of the matrix: what a service, a gateway, a network, a disk or a clock may do to a change."""

from __future__ import annotations

import time
import typing as t
from email.utils import formatdate

from chaos.proxy_effects import (
    JSON_TYPE,
    LATER,
    Json,
    changed_answer,
    closed,
    cut,
    deleted,
    done_later,
    drip,
    dropped,
    elsewhere,
    ended,
    endless_continue,
    endless_ticket,
    expired,
    kept_otherwise,
    leap_second,
    length_twice,
    lost,
    new_rows,
    others_answer,
    others_answer_only,
    others_row,
    out_of_money,
    packed,
    pass_on,
    previous,
    raw,
    redirected,
    refused,
    repeated,
    restarts,
    rows_twice,
    rows_without_members,
    says,
    silent,
    stale,
    swallowed,
    ticket_error,
    twice,
    with_headers,
    with_number,
    wrong_etag,
)
from chaos.proxy_faults import (
    ANY,
    CREATES,
    LISTS,
    MANY,
    NAMES,
    PAGES,
    READ,
    REST,
    SECOND_PAGE,
    SINGLE,
    STATE,
    TICKET,
    TICKETS,
    Environment,
    Fault,
    Settings,
    all_lags,
    lists_lag,
)

PROCESSING = b"HTTP/1.1 102 Processing\r\n\r\n"


def slow_tickets(_seconds: float) -> Settings:
    """Return the settings with which the second delivery comes before the first has ended, on a busy machine too."""
    return {"rest": {"ticket_seconds": 2.0}}


def short_pages(_seconds: float) -> Settings:
    """Return the settings with which a page has one row."""
    return {"rest": {"longest_page": 1}, "soap": {"maximum_page_size": 1}}


def in_vain(_seconds: float) -> Settings:
    """Return the settings with which changes are accepted and not carried out."""
    return {service: {"accept_only": True} for service in ("rest", "soap")}


def spelled(change: t.Callable[[str], str], *ends: str) -> t.Callable[[Environment], Environment]:
    """Return the change of all variables that end so."""
    return lambda old: {name: change(value) if name.endswith(ends) else value for name, value in old.items()}


def hosts(change: t.Callable[[str], str]) -> t.Callable[[Environment], Environment]:
    """Return the change of the host in the addresses; that of the storage comes from the storage itself."""
    return spelled(lambda value: value.replace("localhost", change("localhost")), "_URL", "_WSDL")


slash = spelled(lambda value: f"{value}/", "BASE_URL")
users = spelled(str.upper, "_USERNAME")


def noted(**facts: t.Any) -> t.Callable[[t.Any], t.Any]:
    """Return the change of a note: it has these facts, on every level."""

    def change(note: t.Any) -> t.Any:
        inner = {name: change(value) if isinstance(value, dict) else value for name, value in note.items()}
        return {**inner, **facts}

    return change


def nameless(row: Json) -> Json:
    """Return a row without its name."""
    return {**row, "Name": "", "Comment": ""}


def elsewhere_seen(row: Json) -> Json:
    """Return a row as it is in another subregion."""
    return {**row, "Subregion": {"Id": 2}} if "Subregion" in row else row


def hidden(_row: Json) -> None:
    """Return nothing for a row."""


More = t.Mapping[str, t.Any]
READS: More = {"at": READ, "times": 0, "services": REST, "needs": CREATES | LISTS}
SHOWN: More = {**READS, "for_good": True, "settles": 3}
OTHERS: More = {"services": REST, "needs": CREATES, "others": True}
ROWS: More = {"at": SINGLE, "services": REST, "needs": STATE, "others": True}
TICKETS_OF_OTHERS: More = {"at": TICKET, "needs": TICKETS | STATE, "others": True}
NAMED: More = {
    "effect": kept_otherwise,
    "at": ANY,
    "times": 0,
    "for_good": True,
    "others": True,
    "needs": CREATES | NAMES,
}
LOST: More = {"effect": lost, "settings": all_lags, "lag": 9, "needs": CREATES | LISTS}
REMOVED: More = {**LOST, "to_process": "folder"}

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
    Fault("05c", "429, Retry-After: soon", refused(429, done=False, retry_after="soon")),
    Fault("05d", "429, Retry-After of many digits", refused(429, done=False, retry_after="9" * 400)),
    Fault("06a", "307 to the same host", redirected(307, done=False)),
    Fault("06b", "308 to another port", redirected(308, done=False, port=9)),
    Fault("06c", "303 after it was done", redirected(303, done=True)),
    Fault("07a", "100 Continue for ever", endless_continue),
    Fault("07b", "silence after it was done", silent),
    Fault("08a", "delivered twice, 0.7 s apart, the first answer", twice(0, 0.7), settings=slow_tickets, needs=STATE),
    Fault("08b", "delivered twice, 0.7 s apart, the second answer", twice(1, 0.7), settings=slow_tickets, needs=STATE),
    Fault("09a", "reset, done 3 s later, within the grace time", done_later(3), options={"create_grace": 8}, settles=3),
    Fault("09b", "reset, done 6 s later, after the grace time", done_later(6), settles=6),
    Fault("10a", "the answer has the body of the one before", previous),
    Fault("10b", "reads answered with the body of the one before", previous, at=READ),
    Fault("10c", "the first read by number shows somebody else's object", others_row, **ROWS),
    Fault("10d", "each read by number shows somebody else's object", others_row, times=0, **ROWS),
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
    Fault("16d", "the first read of the ticket shows somebody else's", others_row, **TICKETS_OF_OTHERS),
    Fault("16e", "each read of the ticket shows somebody else's", others_row, times=0, **TICKETS_OF_OTHERS),
    Fault("17", "the disk is full from the write on", to_process="full"),
    Fault("17b", "the same, lists 3 s late", to_process="full", settings=lists_lag, lag=3, needs=LISTS),
    Fault("18", "the state folder cannot be made", environment={"FCD_STATE_DIR": "/proc/fcd-state"}),
    Fault("20a", "SIGKILL after it was done", to_process="kill"),
    Fault("20b", "SIGTERM after it was done", to_process="term"),
    Fault("20c", "SIGKILL after it was done, lists 3 s late", to_process="kill", settings=all_lags, lag=3, needs=LISTS),
    Fault("20d", "SIGKILL before it is done", dropped, to_process="kill", needs=CREATES),
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
    Fault("30j", "the answer is that to somebody else's create", others_answer, **OTHERS),
    Fault("30k", "402 for the second write", refused(402, done=False), skip=1, needs=MANY),
    Fault("30l", "503 for the first three reads", refused(503, done=False), at=READ, times=3),
    Fault("30m", "the second request is reset before it is done", dropped, at=ANY, skip=1),
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
    Fault("31k", "answer lost, and the notes of the run are cut to nothing", lost, afterwards=lambda _note: ""),
    Fault("31l", "suspended, answer lost", lost, to_process="suspended"),
    Fault("31m", "503 for the first three writes, nothing done", refused(503, done=False, retry_after="1"), times=3),
    Fault("40a", "a kept connection is closed as the write arrives, nothing done", closed),
    Fault(
        "40b", "every head has the length twice, that of a HEAD a 0 too", changed_answer(length_twice), at=ANY, times=0
    ),
    Fault("40c", "a second whole answer behind the first", raw(lambda answer: 2 * answer), needs=CREATES),
    Fault("40d", "102 before the answer", raw(lambda answer: PROCESSING + answer), needs=CREATES),
    Fault("40e", "done, the answer has a length of 0", says(200), needs=CREATES),
    Fault("40f", "done, the answer has no head", raw(lambda answer: answer.partition(b"\r\n\r\n")[2]), needs=CREATES),
    Fault("40g", "rows of lists have nothing but a number", rows_without_members, **{**READS, "needs": STATE}),
    Fault("40h", "the ETag of the upload is wrong", changed_answer(wrong_etag), services=("storage",)),
    Fault("40i", "nothing done, the answer is that to somebody else's create", others_answer_only, **OTHERS),
    Fault("40j", "accepted and never done", settings=in_vain, services=("rest", "soap"), needs=STATE),
    Fault("41a", "the service keeps names in capitals", kept_as=str.upper, **NAMED),
    Fault("41b", "the service cuts names", ending="-longer-than-it-keeps", kept_as=lambda name: name[:-6], **NAMED),
    Fault("41c", "one blank of two is kept", ending="  x", kept_as=lambda name: name.replace("  ", " "), **NAMED),
    Fault("42a", "every other list is of a replica that is late", new_rows(hidden, every=2), for_good=True, **READS),
    Fault("42b", "the lists of the next run are of a replica that is late", new_rows(hidden), at_run=2, **READS),
    Fault("42c", "the same, its tickets too", new_rows(hidden, tickets=True), at_run=2, **READS),
    Fault("42d", "the same of SOAP", settings=lists_lag, lag=9, at_run=2, services=("soap",), needs=LISTS | CREATES),
    Fault("42e", "the new object shows in another subregion for 3 s", new_rows(elsewhere_seen, seconds=3), **SHOWN),
    Fault("42f", "the new object shows without a name for 3 s", new_rows(nameless, seconds=3), **SHOWN),
    *(
        Fault(name, f"done, the answer is {how}", says(200, JSON_TYPE, body), services=REST, needs=CREATES)
        for name, how, body in (
            ("43a", "[]", b"[]"),
            ("43b", "{}", b"{}"),
            ("43c", "no UTF-8", b'{"Id": "\xff\xfe"}'),
            ("43d", "nested 100,000 deep", b"[" * 100000),
        )
    ),
    *(
        Fault(name, f"done, the number in the answer is {how}", with_number(number), services=REST, needs=CREATES)
        for name, how, number in (
            ("44a", "null", None),
            ("44b", "0", 0),
            ("44c", "-5", -5),
            ("44d", "true", True),
            ("44e", "1.5", 1.5),
            ("44f", "of 400 digits", 10**399),
            ("44g", "text", "one"),
            ("44h", "a list", [1]),
            ("44i", "NaN", float("nan")),
        )
    ),
    Fault("45a", "state folder removed at the write, answer lost, lists 3 s late", **{**REMOVED, "lag": 3}),
    Fault("45b", "the same, all lists later than the grace time", **REMOVED),
    Fault("45c", "the same, clear success", **{**REMOVED, "effect": pass_on}),
    Fault("46a", "answer lost, lists late, the next run has a slash behind the address", later=slash, **LOST),
    Fault("46b", "the same, the host in capitals", later=hosts(str.upper), **LOST),
    # lies: no run can know that two names lead to one host
    Fault("46c", "the same, another name of the host", later=hosts(lambda _host: "127.0.0.1"), lies=True, **LOST),
    Fault(
        "46d", "the same, the user in capitals", later=users, services=("soap",), **{**LOST, "needs": CREATES | NAMES}
    ),
    *(
        Fault(name, f"answer lost, all lists late, in its note {how}", afterwards=change, **LOST)
        for name, how, change in (
            ("47a", "the number is text", noted(id="7001")),
            ("47b", "the ticket is an object", noted(ticket={"Id": 1})),
            ("47c", "known numbers are a number", noted(known=7)),
            ("47d", "the time is text", noted(time="yesterday")),
            ("47e", "all is in a list", lambda note: [note]),
            ("47f", "all is one level deeper", lambda note: {"version": 9, "create": note}),
            ("47g", "the number has 31 digits", noted(id=10**30)),
        )
    ),
)
