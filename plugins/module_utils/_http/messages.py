# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is sent to a service, where it may go, and what comes back, for every interface.

A request is turned into address, headers and body here, and checked before anything is sent.
"""

from __future__ import annotations

import base64
import functools
import ipaddress
import json
import math
import typing as t
from urllib.parse import SplitResult, quote, unquote_to_bytes, urlencode, urlsplit

from .._core.errors import InvalidInput
from .._core.text import number_in

READ, IDEMPOTENT, WRITE, LOGIN = "read", "idempotent", "write", "login"
MEBIBYTE = 1 << 20
UNREAD = object()
MAX_JSON_DEPTH = 100  # levels of JSON; Ansible fails on a result that is nested about 900 levels deep


NO_HEADERS: t.Mapping[str, str] = {}
PIECE = 1 << 18  # bytes that are read at a time


class Request(t.NamedTuple):
    """One request.

    ``operation`` is its name for a person (``Create instance``). ``kind`` decides what may be sent again: ``read`` and
    ``idempotent`` after every failure that may pass, ``write`` and ``login`` only if they certainly had no effect.
    ``params`` become the query (None is left out, booleans become lower-case words). The body is ``json``, ``form`` or
    ``body``: bytes, or a function that opens a stream of exactly ``length`` bytes, once for each attempt. ``basic`` is
    a user name and a password. ``accept_statuses`` are returned although they would be errors. ``stream_to`` gets the
    body of a good answer with the headers ``stream_marks``, as it is stored at the service; such an answer is not read
    again after a part was handed over. ``limit`` is the size in bytes of any body that is kept. ``timeout`` replaces
    the time, in seconds, for the call with all its retries; with ``math.inf`` only silence ends it. With
    ``json_answer``, a good answer must be complete JSON, or empty if ``empty_ok``. ``fixed`` says that the service has
    this path whatever its objects are, so that 404 means a wrong address. ``harmless`` says that sending the request
    twice has no further effect.
    """

    operation: str
    method: str
    url: str
    kind: str = READ
    params: t.Mapping[str, t.Any] | None = None
    headers: t.Mapping[str, str] = NO_HEADERS
    json: t.Any = None
    form: t.Mapping[str, str] | None = None
    body: bytes | t.Callable[[], t.Any] | None = None
    length: int | None = None
    basic: tuple[str, str] | None = None
    accept_statuses: t.AbstractSet[int] = frozenset()
    stream_to: t.Callable[[bytes], None] | None = None
    stream_marks: t.Collection[str] = ()
    limit: int = 64 * MEBIBYTE
    timeout: float | None = None
    json_answer: bool = False
    empty_ok: bool = False
    fixed: bool = False
    harmless: bool = False

    def __repr__(self) -> str:
        """Name the operation only: the rest may hold a password."""
        return f"<Request {self.operation}>"


class Response:
    """One answer; the names of ``headers`` are in lower case.

    ``repeated``: the adapter has sent it twice, so that the first may have been carried out.
    """

    def __init__(
        self,
        status: int,
        headers: t.Mapping[str, str],
        body: bytes,
        request_id: str | None = None,
        *,
        repeated: bool = False,
    ) -> None:
        self.status = status
        self.headers = headers
        self.body = body
        self.request_id = request_id
        self.repeated = repeated
        self._parsed: object = UNREAD

    def json(self) -> t.Any:
        """Return the body as plain data, None if it is empty. Raises ValueError, also for a number without end."""
        if self._parsed is UNREAD:
            try:
                found = _read_json(self.body) if self.body.strip() else None
            except RecursionError:
                raise TooDeep from None
            if self.body.count(b"[") + self.body.count(b"{") > MAX_JSON_DEPTH:
                _check_depth(found)
            self._parsed = found
        return self._parsed


class TooDeep(ValueError):
    """JSON that is nested so deeply that programs which get it as a result could not read it."""

    def __init__(self) -> None:
        super().__init__(f"JSON that is nested more than {MAX_JSON_DEPTH} levels deep")


def _check_depth(value: object) -> None:
    level = [value]
    for _level in range(MAX_JSON_DEPTH):
        level = [
            one
            for outer in level
            for one in (outer.values() if isinstance(outer, dict) else outer if isinstance(outer, list) else ())
            if isinstance(one, (dict, list))
        ]
        if not level:
            return
    raise TooDeep


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text} is not a finite number")
    return number


_read_json = functools.partial(json.loads, parse_float=_finite, parse_constant=_finite)


class Incoming(t.NamedTuple):
    """An answer whose body is still to be read. ``repeated`` as in Response."""

    status: int
    headers: t.Iterable[tuple[str, str]]
    pieces: t.Iterable[bytes]
    repeated: bool = False


def number_of(headers: t.Mapping[str, str], name: str, missing: str = "") -> int | None:
    """Return the whole number in a header, None if there is none; one that came twice counts if both are the same."""
    values = {value.strip() for value in headers.get(name, missing).split(",")}
    return number_in(values.pop()) if len(values) == 1 else None


class Credentials(t.Protocol):
    """What proves who sends a request."""

    def headers(self) -> t.Mapping[str, str]:
        """Return the headers to send."""

    def renew(self) -> bool:
        """Get others after these were refused with 401; return False if there are none."""


class Outgoing(t.NamedTuple):
    """``body`` is bytes, an iterable of bytes that can be iterated again, or None."""

    url: str
    headers: dict[str, t.Any]
    body: t.Any


def outgoing(request: Request, extra: t.Mapping[str, str]) -> Outgoing:
    """Return the request with the ``extra`` headers, which take precedence. Raises InvalidInput."""
    body, kind = _body(request)
    headers: dict[str, str] = {
        "Accept": "application/json" if request.json_answer else "*/*",
        "Accept-Encoding": "identity" if request.stream_to else "gzip",
    }
    if kind:
        headers["Content-Type"] = kind
    if isinstance(body, bytes):
        headers["Content-Length"] = str(len(body))
    elif body is not None:
        headers["Content-Length"] = str(request.length or 0)
    headers.update(request.headers)
    headers.update(extra)
    return Outgoing(_with_query(request), {name: _value(name, value) for name, value in headers.items()}, body)


def basic(user: str, password: str) -> str:
    """Return the value of the header for HTTP Basic, in UTF-8. Raises InvalidInput."""
    if ":" in user:
        raise InvalidInput("HTTP Basic does not allow a colon in a user name or client ID.")
    return "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode("ascii")


def _body(request: Request) -> tuple[object, str | None]:
    if request.json is not None:
        return json.dumps(request.json).encode("utf-8"), "application/json"
    if request.form is not None:
        return urlencode(request.form).encode("ascii"), "application/x-www-form-urlencoded"
    if callable(request.body):
        return _Exactly(request.body, request.length or 0), None
    if request.body is None and request.method in ("GET", "HEAD"):
        return None, None
    return request.body or b"", None


class _Exactly:
    """The pieces of a stream that is opened again for each attempt.

    Raises InvalidInput if its length differs; then the service did not get the whole body.
    """

    def __init__(self, opened: t.Callable[[], t.Any], length: int) -> None:
        self._opened = opened
        self._length = length

    def __iter__(self) -> t.Iterator[bytes]:
        sent = 0
        try:
            stream = self._opened()
            try:
                for piece in iter(lambda: stream.read(PIECE), b"") if hasattr(stream, "read") else stream:
                    sent += len(piece)
                    if sent > self._length:
                        break
                    yield piece
            finally:
                getattr(stream, "close", lambda: None)()
        except OSError as exc:
            raise InvalidInput(f"The content to send cannot be read: {exc.strerror}.") from exc
        if sent != self._length:
            raise InvalidInput(
                f"The content changed while it was being sent: it is no longer {self._length} bytes long."
            )


def _with_query(request: Request) -> str:
    params = [
        (name, str(one).lower() if isinstance(one, bool) else str(one))
        for name, value in (request.params or {}).items()
        for one in (value if isinstance(value, (list, tuple)) else [value])  # a list is given once per value
        if one is not None
    ]
    separator = "&" if "?" in request.url else "?"
    return f"{request.url}{separator}{urlencode(params, quote_via=quote)}" if params else request.url


def _value(name: str, value: str) -> str | bytes:
    """Return the value of a header; characters outside ASCII are sent as UTF-8."""
    plain = value.isascii() and value.isprintable()
    breaks = not plain and any(character in value for character in "\r\n\x00")
    if breaks or not _is_name(name):
        raise InvalidInput(f"The header {name!r} contains a character that cannot be sent.")
    return value if plain or value.isascii() else value.encode("utf-8")


@functools.lru_cache(maxsize=256)
def _is_name(name: str) -> bool:
    return name.isascii() and name.replace("-", "").replace("_", "").replace(".", "").isalnum()


# ---------------------------------------------------------------- addresses that requests may go to

EXAMPLE_ADDRESS = "https://api.example.com/path"
PORTS = {"https": 443, "http": 80}  # the usual ones


class AddressSource(t.NamedTuple):
    """An option that addresses of requests are built from: its name, its value, and what it should be."""

    option: str
    value: str
    meant: str

    def __str__(self) -> str:
        """Return name and value for a person."""
        return f"{self.option} ({self.value.partition('?')[0]})"


AddressSources = t.Sequence[AddressSource]


def named_option(url: str, sources: AddressSources) -> str:
    """Return the option that an address was built from, for a message."""
    found = source_of(url, sources)
    return str(found) if found else "the address"


def source_of(url: str, sources: AddressSources) -> AddressSource | None:
    """Return the option that an address starts with, else one with the same host; None if nothing fits."""

    def matching_length(source: AddressSource) -> int:
        start = source.value.rstrip("/")
        begins = url.startswith(start) and url[len(start) : len(start) + 1] in ("", "/", "?")
        return len(source.value) if begins else 0

    near = [source for source in sources if origin(source.value) == origin(url)]
    return max(near, key=matching_length, default=None)


def check_address(url: str, what: str, *, allow_plain_http: bool, like: str = EXAMPLE_ADDRESS) -> SplitResult:
    """Return the parts of an address that requests may be sent to; ``what`` names its option or its origin.

    ``like`` is an example of a good one.

    Raises InvalidInput for anything but http and https, for user information in it, and for plain http to another
    host.
    """
    parts = _parts(url, what, like)
    if parts.scheme not in ("http", "https"):
        raise _wrong(what, "must start with https://", f"Write it like {like}.")
    if "@" in parts.netloc:
        raise _wrong(what, "must not contain a user name or a password", "Use the options for credentials.")
    if not parts.hostname:
        raise _wrong(what, "has no host name", f"Write it like {like}.")
    if parts.scheme == "http" and not allow_plain_http and not is_loopback(parts.hostname):
        raise _wrong(
            what,
            f"would send credentials to {parts.hostname} unencrypted (plain http)",
            "Use https://, or set allow_plain_http if the credentials may be read on that network.",
        )
    return parts


def is_loopback(host: str) -> bool:
    """Return whether the host is this host itself."""
    name = host.lower().rstrip(".")
    if name == "localhost" or name.endswith(".localhost"):
        return True

    try:
        return ipaddress.ip_address(name.partition("%")[0]).is_loopback
    except ValueError:
        return False


def start_of(url: str) -> str:
    """Return the part of an address before its path, quickly and without checking it."""
    end = url.find("/", len("https://"))
    return url if end < 0 else url[:end]


def origin(url: str) -> str:
    """Return scheme and host of an address, the port unless it is the usual one, and nothing that could be secret."""
    try:
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port not in (None, PORTS.get(parts.scheme)) else ""
    except ValueError:
        return "an unreadable address"
    host = parts.hostname or ""
    return f"{parts.scheme}://{f'[{host}]' if ':' in host else host}{port}"


def normalized(url: str) -> str:
    """Return an address without its query, the same for all its spellings (RFC 3986, section 6.2.2), as a key.

    What some services equate is equated too: upper and lower case, empty segments, and a dot after the host.
    """
    segments: list[bytes] = []
    for segment in (unquote_to_bytes(part).lower() for part in urlsplit(url).path.split("/")):
        if segment == b"..":
            del segments[-1:]
        elif segment not in (b"", b"."):
            segments.append(segment)
    start = origin(url).replace(".:", ":").rstrip(".")
    return "/".join([start, *(quote(segment, safe="") for segment in segments)])


def _parts(url: str, what: str, like: str) -> SplitResult:
    if not (url.isascii() and url.isprintable()) or " " in url:
        raise _wrong(what, "contains a space or another character that is not allowed", f"Write it like {like}.")
    try:
        parts = urlsplit(url)
        _port = parts.port  # raises for an invalid port
    except ValueError:
        raise _wrong(what, "is not valid", f"Write it like {like}.") from None
    return parts


def _wrong(what: str, problem: str, next_step: str) -> InvalidInput:
    """Return the error; the address itself is not shown because it may contain a password."""
    details: dict[str, t.Any] = {"option": what} if what.isidentifier() else {}
    return InvalidInput(f"{what}: the address {problem}.", next_step=next_step, **details)
