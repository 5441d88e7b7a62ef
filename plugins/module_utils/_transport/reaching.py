# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Connecting to a host: its name and all its addresses have one time limit together."""

from __future__ import annotations

import socket
import threading
import time
import typing as t

CONNECT = 10.0  # seconds for all addresses of a host together


class TookTooLong(OSError):
    """A step before the request took longer than it may; the text says which."""


def reach(host: str, port: int, seconds: float, options: t.Iterable[t.Any] = ()) -> socket.socket:
    """Return a connection to the first address of the host that takes it. Raises OSError, socket.gaierror included."""
    end = time.monotonic() + seconds
    addresses = _addresses(host, port, seconds)
    failure: OSError = OSError(f"{host} has no address")
    for number, (family, kind, protocol, _name, address) in enumerate(addresses):
        left = end - time.monotonic()
        if left <= 0:
            raise TookTooLong(f"no connection within {seconds:g} s")
        connection = socket.socket(family, kind, protocol)
        try:
            for option in options:
                connection.setsockopt(*option)
            connection.settimeout(left / (len(addresses) - number))  # one dead address must not use up all the time
            connection.connect(address)
        except OSError as exc:
            connection.close()
            failure = exc
        else:
            return connection
    raise failure


def _addresses(host: str, port: int, seconds: float) -> list[t.Any]:
    """Return what the name stands for; the system's own search for it has no time limit."""
    if host == "localhost" or ":" in host or host.replace(".", "").isdigit():
        return socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    found: list[t.Any] = []
    problem: list[OSError] = []

    def search() -> None:
        try:
            found.extend(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
        except OSError as exc:
            problem.append(exc)
        except UnicodeError:
            problem.append(socket.gaierror(socket.EAI_NONAME, "not a name of a host"))

    thread = threading.Thread(target=search, name="fcd-cloud-name", daemon=True)
    thread.start()
    thread.join(seconds)
    if problem:
        raise problem[0]
    if not found:
        raise TookTooLong(f"the search for the address of {host} took longer than {seconds:g} s")
    return found
