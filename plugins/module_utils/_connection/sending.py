# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""How a task sends its requests: its settings as those of the HTTP client, and the clients that many tasks share."""

from __future__ import annotations

import copy
import functools
import os
import threading
import time
import typing as t
from urllib.parse import urlsplit

from .._core.errors import FcdError, InvalidInput
from .._core.private_files import PRIVATE, private_folder, remove_older
from .._core.text import digest
from .._http.client import Exchange, ExchangeOptions, SharedRetries
from .._http.messages import AddressSource, AddressSources, is_loopback, origin, source_of
from .options import ADDRESSES
from .task import VERSION, Task, this_run

if t.TYPE_CHECKING:
    import ssl

MEANT = {
    "base_url": "the address of the infrastructure interface, such as https://api.example.com/beta",
    "auth_url": "the address of the identity server, without the path of the token endpoint",
    "soap_url": "the address of the SOAP service itself",
    "soap_wsdl": "the address of the WSDL",
    "storage_base": "the host address of the object storage, without a path",
}
UNCHECKED = (
    "validate_certs is false: certificates are not checked, so anyone on the network path can read and change what is "
    "sent, including the credentials. Set ca_path to the authority of the service instead."
)
A_DAY = 86400.0  # seconds after which a file belongs to a run that is over


def preload_client(*, library: bool = True) -> None:
    """Do slow work in advance, in a process whose forks will send requests; without the library if few need it."""
    from .._http import requests_adapter, standard_adapter  # noqa: F401 - this one stays in sys.modules

    this_run()  # it remembers when this process was started
    if library:
        requests_adapter.preload_requests()
    _new_context()


def exchange(task: Task, *, direct: bool = False) -> Exchange:
    """Return what sends the requests of this task; ``direct`` uses http.client, which costs less.

    Raises InvalidInput if the CA file is not one.
    """
    settings = task.settings
    path: str | None = settings["ca_path"]
    verify: bool | str = settings["validate_certs"] and (True if path is None else path)
    if settings["allow_plain_http"] or verify is not True:
        _check_transport(task, verify)
    sources = [AddressSource(name, settings[name], meant) for name, meant in MEANT.items() if settings[name]]
    return Exchange(
        ExchangeOptions(
            verify=verify,
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
    )


def _check_transport(task: Task, verify: bool | str) -> None:
    """Warn of settings that let others read or change what is sent, unless a task of this run has done so.

    ``verify`` is False, True or a file of authorities. Raises InvalidInput if it is not one.
    """
    for text in _dangers(task):
        if _is_first(task, text):
            task.warn(text)
    if isinstance(verify, str):
        try:
            status = os.stat(verify)
            with open(verify, "rb") as handle:
                handle.read(1)
        except OSError as exc:
            raise _wrong(verify, f"cannot be read ({exc.strerror})") from None
        try:
            _load_authorities(verify, status.st_mtime_ns, status.st_size)
        except (OSError, ValueError):
            raise _wrong(verify, "holds no certificates in PEM form") from None


@functools.lru_cache(maxsize=8)
def _load_authorities(path: str, _changed: int, _size: int) -> None:
    """Try whether the file holds certificates, once until it changes. Raises OSError, ValueError."""
    _new_context().load_verify_locations(cafile=path)


@functools.lru_cache(maxsize=1)
def _new_context() -> ssl.SSLContext:
    """Return the context that files are tried with, and no connection uses; creating one takes 2 ms."""
    import ssl

    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def _wrong(path: str, problem: str) -> InvalidInput:
    return InvalidInput(
        f"ca_path: {path} {problem}.",
        next_step="Give a file with the certificates of the authorities (-----BEGIN CERTIFICATE-----).",
        option="ca_path",
    )


def _dangers(task: Task) -> t.Iterator[str]:
    if not task.settings["validate_certs"]:
        yield UNCHECKED
    for name in (*ADDRESSES, "soap_wsdl") if task.settings["allow_plain_http"] else ():
        parts = urlsplit(task.settings[name] or "")
        if parts.scheme.lower() == "http" and not is_loopback(parts.hostname or ""):
            yield (
                f"{name} starts with http://, which allow_plain_http allows: anyone on the path to {parts.hostname} "
                "can read and change everything that is sent, including the credentials."
            )


def _is_first(task: Task, text: str) -> bool:
    """Record that this is said, and return whether it is new; if that cannot be recorded, it is said again.

    Each task of a run is a process of its own: empty files, named after run and warning, are the record.
    """
    folder = os.path.join(task.state_dir, "warned")
    path = os.path.join(folder, digest(task.play or os.getpid(), text))
    try:
        private_folder(folder)
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, PRIVATE))
    except FileExistsError:
        return False
    except (FcdError, OSError):
        return True
    remove_older(folder, time.time() - A_DAY)
    return True


def _shared_retries(task: Task, sources: AddressSources) -> SharedRetries | None:
    """Return the budget of all tasks of the play, or of all of the user's tasks if the play is not known."""
    capacity, play = task.settings["retry_budget"], task.play
    if not capacity:
        return None

    def file(url: str) -> str:
        source = source_of(url, sources)
        option = source.option if source else ""
        account = task.settings["storage_user" if option == "storage_base" else "username"]
        return os.path.join(task.state_dir, "retries", digest(play, option, origin(url), account))

    return SharedRetries(capacity, file, "this play" if play else "this user", task.tell)


Client = t.TypeVar("Client")
Make = t.Callable[[Task], Client]


class SharedClients:
    """Gives out one client for each service; it is created, and its settings are checked, when it is first needed."""

    def __init__(self, task: Task) -> None:
        self._task = copy.copy(task)
        self._task.clients = None  # the clients themselves are made as for a task that shares none
        self._lock = threading.RLock()
        self._clients: dict[str, object] = {}

    def of(self, service: str, make: Make[Client]) -> Client:
        """Return the client of a service, or what ``make`` makes for it. Raises what ``make`` does."""
        with self._lock:
            if service not in self._clients:
                self._clients[service] = self.make(service, make)
            return t.cast("Client", self._clients[service])

    def make(self, service: str, make: Make[Client]) -> Client:
        """Return a new client."""
        del service
        return make(self._task)
