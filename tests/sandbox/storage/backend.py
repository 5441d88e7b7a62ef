# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A whole Swift cluster in this process: account, container and object server, and the proxy's pipeline.

Runs without what Swift expects of its host: no syslog, no memcached, no root, no rsync, no fsync.
Uses internals of Swift 2.38.3; the requirements pin it.
"""

from __future__ import annotations

import functools
import importlib
import logging
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ClassVar

import eventlet
from eventlet import tpool, wsgi
from swift.common import utils
from swift.common.http_protocol import SwiftHttpProtocol
from swift.common.ring import RingData
from swift.common.utils import logs

from sandbox.storage.attributes import MemoryAttributes, supported
from sandbox.storage.open_databases import OpenDatabases

FILTERS = (
    "catch_errors gatekeeper healthcheck cache listing_formats bulk tempurl tokens copy staticweb "
    "container-quotas account-quotas slo dlo versioned_writes symlink"
)
OWN_FILTERS = {
    "cache": "paste.filter_factory = sandbox.storage.memory_cache:filter_factory",
    "tokens": "paste.filter_factory = sandbox.storage.tokens:filter_factory",
    "versioned_writes": (
        "use = egg:swift#versioned_writes\nallow_versioned_writes = true\nallow_object_versioning = true"
    ),
}
PROXY = """[DEFAULT]
swift_dir = {directory}
log_level = WARNING
[pipeline:main]
pipeline = {filters} proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
allow_account_management = false
error_suppression_limit = 1000000
conn_timeout = 5
node_timeout = 60
client_chunk_size = 262144
object_chunk_size = 262144
"""
DEVICE = "disk"
SERVERS = {
    "account": ("swift.account.server", "AccountController"),
    "container": ("swift.container.server", "ContainerController"),
    "object": ("swift.obj.server", "ObjectController"),
}


PASSING = re.compile(r"ERROR 503 .* From Object Server|^Object \w+ returning 503 for")
"""An object that is read at the moment when it is replaced or removed."""


class StderrHandler(logging.StreamHandler[Any]):
    """Replaces syslog, which Swift insists on."""

    LOG_LOCAL0 = 16
    priority_map: ClassVar[dict[str, str]] = {}

    def __init__(self, *_address: Any, **_options: Any) -> None:
        """Take the arguments of the syslog handler and forget them."""
        super().__init__(sys.stderr)
        self.setLevel(logging.ERROR)

    def filter(self, record: logging.LogRecord) -> Any:
        """Leave out Swift's messages about a 503 of its own, which the client gets and must handle."""
        return not PASSING.search(record.getMessage()) and super().filter(record)


class Backend:
    """Swift below one directory.

    ``app`` is the proxy with its filters, ``core`` the proxy without them, ``objects`` the object server, ``disk`` the
    directory of its only device, ``databases`` what is open of it.
    """

    def __init__(self, directory: Path) -> None:
        """Start all servers; the configuration must be there (see storage.configuration)."""
        self.disk = directory / "devices" / DEVICE
        self.make_disk()
        _prepare(directory)
        self.databases = OpenDatabases()
        self.databases.install()
        self.conf = _server_conf(directory)
        self.objects = self._start_servers(directory)
        self.app = self._load_proxy(directory)
        self.core = list(_pipeline(self.app))[-1]

    def find(self, kind: type[Any]) -> Any:
        """The filter of that class."""
        return next(app for app in _pipeline(self.app) if isinstance(app, kind))

    def make_disk(self) -> None:
        """Make an empty device."""
        (self.disk / "tmp").mkdir(parents=True)

    def _start_servers(self, directory: Path) -> Any:
        """Start all three on free ports; returns the object server, the last of them."""
        sockets = {kind: eventlet.listen(("127.0.0.1", 0), backlog=1024) for kind in SERVERS}
        for kind, sock in sockets.items():
            _write_ring(directory / f"{kind}.ring.gz", sock.getsockname()[1])
        for kind, (module, name) in SERVERS.items():
            port = str(sockets[kind].getsockname()[1])
            controller = getattr(importlib.import_module(module), name)({**self.conf, "bind_port": port})
            eventlet.spawn_n(_serve, sockets[kind], controller)
        return controller

    @staticmethod
    def _load_proxy(directory: Path) -> Any:
        from swift.common.wsgi import loadapp

        sections = [PROXY.format(directory=directory, filters=FILTERS)]
        for name in FILTERS.split():
            line = OWN_FILTERS.get(name, f"use = egg:swift#{name.replace('-', '_')}")
            sections.append(f"[filter:{name}]\n{line}\n")
        path = directory / "proxy-server.conf"
        path.write_text("".join(sections), encoding="utf-8")
        return loadapp(str(path), global_conf={"log_name": "proxy"})


def _server_conf(directory: Path) -> dict[str, str]:
    return {
        "devices": str(directory / "devices"),
        "swift_dir": str(directory),
        "mount_check": "false",
        "fallocate_reserve": "0",
        "disable_fallocate": "true",
        "log_level": "ERROR",
        "log_requests": "false",
        "bind_ip": "127.0.0.1",
        "network_chunk_size": "262144",
        "disk_chunk_size": "262144",
        "container_update_timeout": "60",
    }


def _prepare(directory: Path) -> None:
    """Logs to standard error, one thread, no fsync, attributes in memory where files have none."""
    logs.ThreadSafeSysLogHandler = StderrHandler
    # Swift's loggers keep the request in eventlet's local data, which threads of the system take from each other.
    tpool.execute = _call
    utils.disable_fallocate()
    diskfile = importlib.import_module("swift.obj.diskfile")
    for module in (utils, diskfile):
        for name in ("fsync", "fdatasync", "fsync_dir"):
            if hasattr(module, name):
                setattr(module, name, lambda *_: None)
    if not supported(directory):
        diskfile.xattr = MemoryAttributes()  # type: ignore[attr-defined]
    importlib.import_module("swift.proxy.controllers.base").Controller.allowed_methods = property(_allowed_methods)


def _call(method: Callable[..., Any], *args: Any, **options: Any) -> Any:
    return method(*args, **options)


def _allowed_methods(controller: Any) -> set[str]:
    """Cache what Swift would otherwise compute for the controller of each request."""
    methods: set[str] | None = controller._allowed_methods
    if methods is None:
        kind: Any = type(controller)
        methods = controller._allowed_methods = set(_public_methods(kind))
    return methods


@functools.cache
def _public_methods(kind: type[Any]) -> frozenset[str]:
    return frozenset(name for name in dir(kind) if getattr(getattr(kind, name), "publicly_accessible", False))


def _write_ring(path: Path, port: int) -> None:
    """One replica, four partitions, all on the one device."""
    device = {
        "id": 0,
        "region": 1,
        "zone": 1,
        "ip": "127.0.0.1",
        "port": port,
        "device": DEVICE,
        "weight": 1.0,
        "meta": "",
        "replication_ip": "127.0.0.1",
        "replication_port": port,
    }
    RingData([[0, 0, 0, 0]], [device], 30).save(str(path))


def _serve(sock: Any, app: Any) -> None:
    pool = eventlet.GreenPool(1024)
    options = {"capitalize_response_headers": False, "socket_timeout": 60}
    wsgi.server(sock, app, utils.NullLogger(), custom_pool=pool, protocol=SwiftHttpProtocol, **options)


def _pipeline(app: Any) -> Iterator[Any]:
    while app is not None:
        yield app
        app = getattr(app, "app", None)
