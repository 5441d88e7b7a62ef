# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Addresses: which ones requests may go to."""

from __future__ import annotations

import typing as t
from urllib.parse import SplitResult, urlsplit

from .._core.errors import InvalidInput

EXAMPLE = "https://api.example.com/path"


class AddressSource(t.NamedTuple):
    """An option that addresses of requests are made of: its name, its value, and what it has to be."""

    option: str
    value: str
    meant: str

    def __str__(self) -> str:
        """Return name and value for a person."""
        return f"{self.option} ({self.value.partition('?')[0]})"


AddressSources = t.Sequence[AddressSource]


def named_option(url: str, sources: AddressSources) -> str:
    """Return the option that an address was made of, for a message."""
    found = source_of(url, sources)
    return str(found) if found else "the address"


def source_of(url: str, sources: AddressSources) -> AddressSource | None:
    """Return the option that an address begins with, else one of the same host; None where nothing fits."""
    near = [source for source in sources if origin(source.value) == origin(url)]
    return max(near, key=lambda source: len(source.value) if _begins(url, source.value) else 0, default=None)


def check_address(url: str, what: str, *, allow_plain_http: bool, like: str = EXAMPLE) -> SplitResult:
    """Return the parts of an address that requests may go to; ``what`` names its option or its origin.

    ``like`` is an example of a good one.

    Raises InvalidInput for anything but http and https, for user information in it, and for plain http to another
    machine.
    """
    parts = _parts(url, what, like)
    if parts.scheme not in ("http", "https"):
        raise _wrong(what, "must start with https://", f"Write it like {like}.")
    if "@" in parts.netloc:
        raise _wrong(what, "must not hold a user name or a password", "Use the options for credentials.")
    if not parts.hostname:
        raise _wrong(what, "names no host", f"Write it like {like}.")
    if parts.scheme == "http" and not allow_plain_http and not is_loopback(parts.hostname):
        raise _wrong(
            what,
            f"would send credentials to {parts.hostname} in clear (plain http)",
            "Use https://, or set allow_plain_http if that network may see them.",
        )
    return parts


def is_loopback(host: str) -> bool:
    """Return whether the host is this machine."""
    name = host.lower().rstrip(".")
    if name == "localhost" or name.endswith(".localhost"):
        return True
    import ipaddress

    try:
        return ipaddress.ip_address(name.partition("%")[0]).is_loopback
    except ValueError:
        return False


def start_of(url: str) -> str:
    """Return what of an address comes before its path, fast and unchecked."""
    end = url.find("/", len("https://"))
    return url if end < 0 else url[:end]


def origin(url: str) -> str:
    """Return scheme, host and port of an address, and nothing that could be secret."""
    try:
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return "an unreadable address"
    host = parts.hostname or ""
    return f"{parts.scheme}://{f'[{host}]' if ':' in host else host}{port}"


def _begins(url: str, start: str) -> bool:
    start = start.rstrip("/")
    return url.startswith(start) and url[len(start) : len(start) + 1] in ("", "/", "?")


def _parts(url: str, what: str, like: str) -> SplitResult:
    if not (url.isascii() and url.isprintable()) or " " in url:
        raise _wrong(what, "has a blank or another character that an address cannot have", f"Write it like {like}.")
    try:
        parts = urlsplit(url)
        _port = parts.port  # raises for a port that is none
    except ValueError:
        raise _wrong(what, "is not an address", f"Write it like {like}.") from None
    return parts


def _wrong(what: str, problem: str, next_step: str) -> InvalidInput:
    """Return the error; the address itself is not shown, it may hold a password."""
    details: dict[str, t.Any] = {"option": what} if what.isidentifier() else {}
    return InvalidInput(f"{what}: the address {problem}.", next_step=next_step, **details)
