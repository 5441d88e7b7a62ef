# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Exchanges requests with requests and urllib3, which only this file knows.

Proxies are those of the environment; the credentials of ~/.netrc and the authorities of REQUESTS_CA_BUNDLE are ignored.
"""

from __future__ import annotations

import contextlib
import os
import threading
import typing as t
from http.client import HTTPException
from urllib.parse import urlsplit

from .._core.errors import FcdError, require
from .connection import CONNECT, MAX_IDLE, Guard, ReachingConnection, WatchedConnection
from .messages import PIECE, Incoming, Outgoing, Request, is_loopback

_LOCK = threading.Lock()


def preload_requests() -> None:
    """Import what requests needs, in a process whose forks will use it; it is not an error if it is not installed."""
    with contextlib.suppress(ImportError):
        import requests  # noqa: F401 - it stays in sys.modules
        from urllib3.util.ssl_ import create_urllib3_context

        _TLS[:] = _TLS or [create_urllib3_context()]  # takes 2 ms


class RequestsAdapter:
    """Exchanges requests over connections that are kept for the process.

    ``verify`` is False or a file of authorities, or True for those that requests trusts. ``failures`` are what it, and
    reading the body, raise besides our own errors.
    """

    def __init__(self, verify: bool | str) -> None:
        """Import the library. Raises MissingLibrary."""
        self._library: t.Any = require("requests", purpose="This task")
        self._verify = verify
        libraries = self._library.packages.urllib3.exceptions.HTTPError
        self.failures: tuple[t.Any, ...] = (self._library.RequestException, libraries, HTTPException, OSError)

    def proxy(self, url: str) -> str | None:
        """Return the proxy that the environment names for the address; requests to this host itself never use one."""
        if is_loopback(urlsplit(url).hostname or ""):
            return None
        utils = self._library.utils
        found: str | None = utils.select_proxy(url, utils.get_environ_proxies(url))
        return found

    @contextlib.contextmanager
    def exchange(self, request: Request, there: Outgoing, guard: Guard, silence: float) -> t.Iterator[Incoming]:
        """Send it; in the context, the answer is read. ``silence`` is how long the other side may send nothing.

        Raises one of ``failures`` unless an answer begins.
        """
        proxy = self.proxy(there.url)
        prepared = self._library.models.PreparedRequest()  # by hand: address and headers must stay as they are
        prepared.method, prepared.url, prepared.body = request.method, there.url, there.body
        prepared.headers = self._library.structures.CaseInsensitiveDict(there.headers)
        with self._reading(guard):
            answer = self._adapter().send(
                prepared,
                stream=True,
                timeout=(min(CONNECT, silence), silence),
                verify=self._verify,
                proxies={"http": proxy, "https": proxy} if proxy else {},
            )
        try:
            yield Incoming(answer.status_code, answer.headers.items(), self._pieces(answer.raw, guard))
        finally:
            answer.close()  # closes the connection if it was not read to its end

    def _pieces(self, raw: t.Any, guard: Guard) -> t.Iterator[bytes]:
        with self._reading(guard):
            yield from raw.stream(PIECE, decode_content=False)

    @contextlib.contextmanager
    def _reading(self, guard: Guard) -> t.Iterator[None]:
        """Make one of ``failures`` out of whatever else the libraries raise for an odd answer, such as ValueError."""
        try:
            yield
        except (*self.failures, FcdError):
            raise
        except Exception as exc:
            if not guard.reading:
                raise  # a defect of whatever makes the body to send
            raise self._library.RequestException from exc

    def _adapter(self) -> t.Any:
        """Return what holds the connections of this process; those of a parent process are not touched."""
        key = (os.getpid(), self._verify)
        with _LOCK:
            if key not in _ADAPTERS:
                _ADAPTERS[key] = _new_adapter(self._library, checking=bool(self._verify))
                if not self._verify:
                    urllib3 = self._library.packages.urllib3
                    urllib3.disable_warnings(urllib3.exceptions.InsecureRequestWarning)
            return _ADAPTERS[key]


_ADAPTERS: dict[tuple[int, bool | str], object] = {}
_TLS: list[object] = []  # a context made in advance, for one adapter: it keeps the authorities


def _new_adapter(library: t.Any, *, checking: bool) -> object:
    """Return an adapter of requests whose connections end in time; it never retries by itself."""

    class Adapter(library.adapters.HTTPAdapter):
        def init_poolmanager(self, *args: object, **kwargs: object) -> None:
            ready = {"ssl_context": _TLS.pop()} if _TLS and checking else {}
            super().init_poolmanager(*args, **kwargs, **ready)
            _watch_all(self.poolmanager)

        def proxy_manager_for(self, *args: object, **kwargs: object) -> object:
            return _watch_all(super().proxy_manager_for(*args, **kwargs))

    return Adapter(max_retries=0, pool_maxsize=MAX_IDLE)


def _watch_all(manager: t.Any) -> object:
    """Make the pools of this manager open our connections; SOCKS proxies connect in their own way."""
    ours: dict[str, t.Any] = {}
    for scheme, pool in manager.pool_classes_by_scheme.items():
        if issubclass(pool.ConnectionCls, WatchedConnection):
            return manager
        mixin = WatchedConnection if "socks" in pool.ConnectionCls.__module__ else ReachingConnection
        connection = type(pool.ConnectionCls.__name__, (mixin, pool.ConnectionCls), {})
        ours[scheme] = type(pool.__name__, (pool,), {"ConnectionCls": connection})
    manager.pool_classes_by_scheme = ours
    return manager
