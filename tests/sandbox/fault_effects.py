# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What each fault does to an exchange: nothing done and no answer, done and no answer, half an answer, a false one."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import eventlet

from sandbox.exchange import Answer, Exchange
from sandbox.soap import envelope
from sandbox.soap.faults import Fault

MEBIBYTE = 1 << 20
SOAP_XML = "application/soap+xml; charset=utf-8"
HTML = b"<!DOCTYPE html>\n<html><head><title>Welcome</title></head><body><h1>Please log in</h1></body></html>\n"
FILLERS = {
    "soap": (
        SOAP_XML,
        b'<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Body><Answer><Items>',
        b"<Item>" + b"x" * 1000 + b"</Item>",
        b"<Item/></Items></Answer></s:Body></s:Envelope>",
    ),
    "storage": ("application/octet-stream", b"", b"x" * 1024, b""),
}
JSON_FILLER = ("application/json", b'{"Items": [', b'{"Id": 1, "Name": "' + b"x" * 1000 + b'"},', b'{"Id": 0}]}')

Params = dict[str, Any]
RELEASED = "released"
"""A parameter that is no option: whether held requests may go on."""

GLANCE = 0.01


@dataclass(frozen=True)
class Effect:
    """A fault's function and its parameters: name -> (allowed types, default); a default of None means optional."""

    run: Callable[[Exchange, Params], Iterable[bytes]]
    allowed: Mapping[str, tuple[tuple[type, ...], Any]]

    def params(self, wish: Params) -> Params:
        """Parameters with their defaults.

        Raises:
            ValueError: an unknown one.
            TypeError: one of a wrong type.
        """
        unknown = sorted(set(wish) - set(self.allowed))
        if unknown:
            known = ", ".join(sorted(self.allowed)) or "none"
            raise ValueError(f"unknown parameters {', '.join(unknown)}; this fault knows: {known}")
        for name, value in wish.items():
            types, _default = self.allowed[name]
            if value is not None and (not isinstance(value, types) or isinstance(value, bool) != (bool in types)):
                raise TypeError(f"{name} must be {' or '.join(kind.__name__ for kind in types)}")
        return {name: default for name, (_types, default) in self.allowed.items()} | wish


def delay(exchange: Exchange, params: Params) -> Iterable[bytes]:
    """Wait, then serve normally."""
    eventlet.sleep(params["seconds"])
    return exchange.end() if exchange.outdated else exchange.serve()


def hold(exchange: Exchange, params: Params) -> Iterable[bytes]:
    """Hold requests until there are enough, or the faults are cleared, then serve normally."""
    while not params[RELEASED]():
        eventlet.sleep(GLANCE)
    return exchange.end() if exchange.outdated else exchange.serve()


def drop_before(exchange: Exchange, params: Params) -> Iterable[bytes]:
    """Nothing done, reset."""
    return exchange.end()


def drop_after(exchange: Exchange, params: Params) -> Iterable[bytes]:
    """Done, then reset without an answer."""
    exchange.perform().drain()
    return exchange.end()


def hang_before(exchange: Exchange, params: Params) -> Iterable[bytes]:
    """Nothing done, silence, then reset."""
    eventlet.sleep(params["seconds"])
    return exchange.end()


def hang_after(exchange: Exchange, params: Params) -> Iterable[bytes]:
    """Done, silence, then reset."""
    exchange.perform().drain()
    eventlet.sleep(params["seconds"])
    return exchange.end()


def status_before(exchange: Exchange, params: Params) -> Iterable[bytes]:
    """Nothing done, an error answer."""
    return _refuse(exchange, params)


def status_after(exchange: Exchange, params: Params) -> Iterable[bytes]:
    """Done, then an error answer."""
    exchange.perform().drain()
    return _refuse(exchange, params)


def repeat(exchange: Exchange, params: Params) -> Iterable[bytes]:
    """Nothing done; refused as the service itself refuses, with everything that was sent in the error's text."""
    environ = exchange.environ
    sent = [value.encode("latin-1").decode("utf-8", "replace") for _name, value in environ["headers_raw"]]
    logins = [value.partition(" ")[2] for value in sent if value.lower().startswith("basic ")]
    sent += [base64.b64decode(login).decode("utf-8", "replace") for login in logins]
    text = "You sent: " + " ".join([*sent, environ["wsgi.input"].read().decode("utf-8", "replace")])
    service = exchange.entry["service"]
    if service == "soap":
        readable = "".join(mark for mark in text if mark >= " " or mark in "\t\n")
        root, _detail = envelope.fault_answer(Fault(readable), envelope.FAULT_ACTION, "")
        return _refuse(exchange, {**params, "body": envelope.render(root).decode(), "content_type": SOAP_XML})
    forms = {"rest": {"Message": text, "ErrorId": "0"}, "identity": {"error": "invalid_request"}}
    forms["identity"]["error_description"] = text
    return _refuse(exchange, {**params, "body": forms.get(service, text)})


def html(exchange: Exchange, params: Params) -> Iterable[bytes]:
    """Nothing done, a page of HTML with status 200."""
    return exchange.answer(200, [("Content-Type", "text/html; charset=utf-8")], HTML)


def redirect(exchange: Exchange, params: Params) -> Iterable[bytes]:
    """Nothing done, sent to the foreign host with the same path and query."""
    environ = exchange.environ
    query = f"?{environ['QUERY_STRING']}" if environ.get("QUERY_STRING") else ""
    location = environ["sandbox.foreign_url"] + environ["RAW_PATH_INFO"] + query
    return exchange.answer(params["status"], [("Location", location)], b"")


def cut(exchange: Exchange, params: Params) -> Iterable[bytes]:
    """Done, all headers, half of the body, closed; without a body half of the headers."""
    answer, length, parts = _measured(exchange)
    if exchange.head_only or length < 2:
        head = answer.head()
        return _send(exchange, [head[: len(head) // 2]])
    return _send(exchange, [answer.head(("Content-Length", str(length)), drop="content-length")], parts, length // 2)


def cut_chunked(exchange: Exchange, params: Params) -> Iterable[bytes]:
    """Done, no Content-Length, half of the body, closed."""
    answer, length, parts = _measured(exchange)
    return _send(exchange, [answer.head(("Connection", "close"), drop="content-length")], parts, length // 2)


def drip(exchange: Exchange, params: Params) -> Iterable[bytes]:
    """Done, headers at once, body slowly."""
    answer, length, parts = _measured(exchange)
    head = answer.head(("Content-Length", str(length)), ("Connection", "close"), drop="content-length")
    slowly = () if exchange.head_only else (piece for part in parts for piece in _slowly(part, params))
    return _send(exchange, [head], slowly)


def drip_headers(exchange: Exchange, params: Params) -> Iterable[bytes]:
    """Done, status line and headers slowly, body at once."""
    answer, length, parts = _measured(exchange)
    head = answer.head(("Content-Length", str(length)), ("Connection", "close"), drop="content-length")
    return _send(exchange, _slowly(head, params), () if exchange.head_only else parts)


def oversize(exchange: Exchange, params: Params) -> Iterable[bytes]:
    """Nothing done, an answer of that many mebibytes in the service's format."""
    kind, opening, filler, ending = FILLERS.get(exchange.entry["service"], JSON_FILLER)
    block = filler * (MEBIBYTE // len(filler))
    parts = (part for part in [opening, *[block] * params["mebibytes"], ending] if part)
    headers = [("Content-Type", kind)]
    if params["declared"]:
        size = len(opening) + len(block) * params["mebibytes"] + len(ending)
        headers.append(("Content-Length", str(size)))
    return exchange.stream(200, headers, parts)


def _refuse(exchange: Exchange, params: Params) -> Iterable[bytes]:
    body, kind = params["body"], "text/plain; charset=utf-8"
    if params["own_words"] and exchange.entry["service"] == "soap":
        fault = Fault(f"injected fault: status {params['status']}")
        root, _detail = envelope.fault_answer(fault, envelope.FAULT_ACTION, "")
        body, kind = envelope.render(root).decode(), SOAP_XML
    elif params["own_words"]:
        body = {"Message": f"injected fault: status {params['status']}", "ErrorId": "0"}
    if isinstance(body, (dict, list)):
        body, kind = json.dumps(body), "application/json"
    text = f"injected fault: status {params['status']}\n" if body is None else body
    headers = [("Content-Type", params["content_type"] or kind)]
    if params.get("retry_after") is not None:
        headers.append(("Retry-After", str(params["retry_after"])))
    return exchange.answer(params["status"], headers, text.encode())


def _measured(exchange: Exchange) -> tuple[Answer, int, Iterable[bytes]]:
    """Let the service work; the answer, the length of its body, and the body (collected only when not declared)."""
    answer = exchange.perform()
    exchange.entry["status"] = int(answer.status.split(" ", 1)[0])
    if answer.length is not None:
        return answer, answer.length, answer.parts()
    body = b"".join(answer.parts())
    return answer, len(body), [body]


def _send(
    exchange: Exchange, head: Iterable[bytes], parts: Iterable[bytes] = (), limit: int | None = None
) -> Iterable[bytes]:
    """Write around the HTTP layer, then close; stop early if the client has gone."""
    sock = exchange.socket
    try:
        for piece in head:
            sock.sendall(piece)
        for piece in _limited(parts, limit):
            sock.sendall(piece)
    except OSError:
        pass
    return exchange.end(reset=False)


def _limited(parts: Iterable[bytes], limit: int | None) -> Iterator[bytes]:
    for part in parts:
        if limit is None:
            yield part
            continue
        yield part[:limit]
        limit -= min(limit, len(part))
        if not limit:
            return


def _slowly(data: bytes, params: Params) -> Iterator[bytes]:
    rate = float(params["bytes_per_second"])
    pause = max(1 / rate, 0.05)
    size = max(1, round(rate * pause))
    for start in range(0, len(data), size):
        yield data[start : start + size]
        eventlet.sleep(pause)


NUMBER = (int, float)
SECONDS = {"seconds": (NUMBER, 30)}
RATE = {"bytes_per_second": (NUMBER, 1)}
ERROR = {
    "status": ((int,), 500),
    "body": ((str, dict, list), None),
    "content_type": ((str,), None),
    "own_words": ((bool,), False),
}
"""With ``own_words``, the service itself refuses a request; any other answer may be a gateway's."""

RETRY = {"retry_after": ((int, str), None)}
OVERSIZE = {"mebibytes": ((int,), 64), "declared": ((bool,), False)}

EFFECTS: dict[str, Effect] = {
    "delay": Effect(delay, {"seconds": (NUMBER, 1)}),
    "hold": Effect(hold, {"number": ((int,), 0)}),
    "drop_before": Effect(drop_before, {}),
    "drop_after": Effect(drop_after, {}),
    "status_before": Effect(status_before, {**ERROR, **RETRY}),
    "status_after": Effect(status_after, {**ERROR, **RETRY}),
    "cut": Effect(cut, {}),
    "cut_chunked": Effect(cut_chunked, {}),
    "hang_before": Effect(hang_before, SECONDS),
    "hang_after": Effect(hang_after, SECONDS),
    "html": Effect(html, {}),
    "repeat": Effect(repeat, {**ERROR, "status": ((int,), 400)}),
    "redirect": Effect(redirect, {"status": ((int,), 302)}),
    "drip": Effect(drip, RATE),
    "drip_headers": Effect(drip_headers, RATE),
    "oversize": Effect(oversize, OVERSIZE),
}
