# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The clients of a task: how it sends requests with its settings, and what the operations of one task share."""

from __future__ import annotations

import copy
import os
import threading
import typing as t

from .._core.errors import InvalidInput
from .._core.text import digest
from .._http.client import Exchange
from .._http.messages import AddressSource, AddressSources, origin, source_of
from .task import Settings, Task, this_run

if t.TYPE_CHECKING:
    import ssl

    from .._http.retry_budget import SharedRetries


VERSION = "1.0.0"


MEANT = {
    "base_url": "the address of the infrastructure interface, such as https://api.example.com/beta",
    "auth_url": "the address of the identity server, without the path of the token endpoint",
    "soap_url": "the address of the SOAP service itself",
    "soap_wsdl": "the address of the WSDL",
    "storage_base": "the host address of the object storage, without a path",
}

_CHECKED: set[tuple[t.Any, ...]] = set()
_LOOKING: list[ssl.SSLContext] = []  # used to look into CA files; creating one takes 2 ms


def preload_client(*, library: bool = True) -> None:
    """Do slow work in advance, in a process whose forks will send requests; without the library if few need it."""
    this_run()  # it remembers when this process was started
    from .._http import standard_adapter  # noqa: F401 - it stays in sys.modules

    if library:
        from .._http import requests_adapter

        requests_adapter.preload_requests()
    _LOOKING[:] = _LOOKING or [_new_context()]


def exchange(task: Task, *, direct: bool = False) -> Exchange:
    """Return what sends the requests of this task; ``direct`` uses http.client, which costs less.

    Raises InvalidInput if the CA file is not one.
    """
    settings = task.settings
    if settings["allow_plain_http"] or not settings["validate_certs"]:
        from .insecure_settings import warn_of_insecure_settings

        warn_of_insecure_settings(task)
    sources = [AddressSource(name, settings[name], meant) for name, meant in MEANT.items() if settings[name]]
    return Exchange(
        verify=_verify(settings),
        timeout=settings["timeout"],
        retries=settings["retries"],
        deadline=task.deadline,
        clock=task.clock,
        user_agent=f"fcd.cloud/{VERSION} ({task.way})",
        warn=task.warn,
        redactor=task.redactor,
        allow_plain_http=settings["allow_plain_http"],
        sources=sources,
        direct=direct,
        shared=_shared_retries(task, sources),
    )


def _shared_retries(task: Task, sources: AddressSources) -> SharedRetries | None:
    """Return the budget of all tasks of the play, or of all of the user's tasks if the play is not known."""
    capacity, play = task.settings["retry_budget"], task.play
    if not capacity:
        return None
    from .._http.retry_budget import SharedRetries

    def file(url: str) -> str:
        source = source_of(url, sources)
        option = source.option if source else ""
        account = task.settings["storage_user" if option == "storage_base" else "username"]
        return os.path.join(task.state_dir, "retries", digest(play, option, origin(url), account))

    return SharedRetries(capacity, file, "this play" if play else "this user", task.tell)


def _verify(settings: Settings) -> bool | str:
    path: str | None = settings["ca_path"]
    if path is None or not settings["validate_certs"]:
        return bool(settings["validate_certs"])
    _check_authorities(path)
    return path


def _check_authorities(path: str) -> None:
    """Raise InvalidInput unless the file holds certificates; a file is checked once until it changes."""
    try:
        status = os.stat(path)
        state = (path, status.st_mtime_ns, status.st_size, os.getpid())
        if state in _CHECKED:
            return
        with open(path, "rb") as handle:
            handle.read(1)
    except OSError as exc:
        raise _wrong(path, f"cannot be read ({exc.strerror})") from None
    _LOOKING[:] = _LOOKING or [_new_context()]
    try:
        _LOOKING[0].load_verify_locations(cafile=path)
    except (OSError, ValueError):
        raise _wrong(path, "holds no certificates in PEM form") from None
    _CHECKED.add(state)


def _new_context() -> ssl.SSLContext:
    """Return a context that is not used for any connection."""
    import ssl

    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def _wrong(path: str, problem: str) -> InvalidInput:
    return InvalidInput(
        f"ca_path: {path} {problem}.",
        next_step="Give a file with the certificates of the authorities (-----BEGIN CERTIFICATE-----).",
        option="ca_path",
    )


Client = t.TypeVar("Client")
Make = t.Callable[[Task], Client]


class SharedClients:
    """Gives out one client for each service; it is created, and its settings are checked, when it is first needed."""

    def __init__(self, task: Task) -> None:
        self._task = copy.copy(task)
        self._task.clients = None  # the clients themselves are made as for a task that shares none
        self._lock = threading.RLock()
        self._made: dict[str, t.Any] = {}

    def of(self, service: str, make: Make[Client]) -> Client:
        """Return the client of a service, or what ``make`` makes for it. Raises what ``make`` does."""
        with self._lock:
            if service not in self._made:
                self._made[service] = self.make(service, make)
            made: Client = self._made[service]
            return made

    def make(self, service: str, make: Make[Client]) -> Client:
        """Return a new client."""
        del service
        return make(self._task)
