# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The sandbox as a program: options, services, listeners, end."""

from __future__ import annotations

import argparse
import importlib
import json
import os
import shutil
import signal
import sys
import tempfile
from pathlib import Path
from typing import Any

from sandbox import certificates, lifetime, listeners, ready
from sandbox.control import Control
from sandbox.faults import FaultTable
from sandbox.foreign import ForeignService
from sandbox.gate import Gate
from sandbox.identity.service import IdentityService
from sandbox.recorder import Recorder
from sandbox.seed import Credentials, load
from sandbox.service import Service
from sandbox.storage.attributes import best_parent
from sandbox.storage.server import StorageService

LISTENERS = ("infrastructure", "soap", "storage", "foreign", "control")


class Sandbox:
    """All services behind their listeners, and the files below one directory."""

    def __init__(self, options: argparse.Namespace) -> None:
        """Start everything; ``info`` is the ready document."""
        self._info_path: Path | None = options.info
        self.recorder = Recorder()
        self._sockets = _bind(options.port_base)
        ports = {name: sock.getsockname()[1] for name, sock in self._sockets.items()}
        credentials = load(options.credentials)
        self._work = _make_work(options.work)
        ca_path, self._context = certificates.make(self._work)
        services = _services(credentials, self._work / "storage", options)
        self._serve(services, ready.foreign_url(ports))
        self.info = ready.document(ports, credentials, str(ca_path), os.getpid(), str(self._work))
        self._control.info = self.info

    def _serve(self, services: dict[str, Service], foreign_url: str) -> None:
        faults = FaultTable()
        self._control = Control(list(services.values()), self.recorder, faults)
        routes = {
            "infrastructure": lambda path: services["identity" if path.startswith("/core/") else "rest"],
            "soap": lambda _path: services["soap"],
            "storage": lambda _path: services["storage"],
            "foreign": lambda _path: services["foreign"],
        }
        for name, route in routes.items():
            gate = Gate(route, self.recorder, faults, foreign_url)
            listeners.serve(self._sockets[name], gate, self._context, storage=name == "storage")
        listeners.serve(self._sockets["control"], self._control, None)

    def announce(self, quiet: bool) -> None:
        """Tell that everything listens: a file, a line for programs, a block for people."""
        line = json.dumps(self.info)
        if self._info_path:
            _write_private(self._info_path, line + "\n")
        if quiet or not sys.stdout.isatty():
            print(line, flush=True)
        if not quiet:
            print(ready.for_people(self.info), file=sys.stderr, flush=True)

    def stop(self, *_signal: Any) -> None:
        """Remove all files and end the process with 0."""
        shutil.rmtree(self._work, ignore_errors=True)
        if self._info_path:
            self._info_path.unlink(missing_ok=True)
        os._exit(0)


def main(arguments: list[str] | None = None) -> int:
    """Run until told to stop."""
    options = _parser().parse_args(arguments)
    try:
        sandbox = Sandbox(options)
    except (OSError, ValueError, TypeError) as error:
        print(f"sandbox: {error}", file=sys.stderr)
        return 2
    signal.signal(signal.SIGTERM, sandbox.stop)
    signal.signal(signal.SIGINT, sandbox.stop)
    sandbox.announce(options.quiet)
    lifetime.watch(sandbox.stop, sandbox.recorder, options.parent_pid, options.idle_exit)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("sandbox", description="The provider's three interfaces on 127.0.0.1.")
    parser.add_argument("--info", type=Path, metavar="FILE", help="write the ready document there too (mode 0600)")
    parser.add_argument(
        "--work", type=Path, metavar="DIR", help="keep all files below DIR; they are removed at the end"
    )
    parser.add_argument("--port-base", type=int, metavar="N", help="listen on N to N+4 instead of free ports")
    parser.add_argument("--credentials", type=Path, metavar="FILE", help="JSON object with other log-in data")
    parser.add_argument("--ticket-seconds", type=float, metavar="F", help="how long an operation of REST takes")
    parser.add_argument("--storage-limit", action="append", default=[], metavar="NAME=VALUE", help="for swift.conf")
    parser.add_argument("--parent-pid", type=int, metavar="PID", help="end when that process is gone")
    parser.add_argument("--idle-exit", type=float, metavar="S", help="end after S seconds without a request")
    parser.add_argument("--quiet", action="store_true", help="print the ready document only, as one line of JSON")
    return parser


def _services(credentials: Credentials, storage: Path, options: argparse.Namespace) -> dict[str, Service]:
    identity = IdentityService(credentials)
    limits = dict(item.split("=", 1) for item in options.storage_limit)
    services: list[Service] = [identity, StorageService(credentials, storage, limits), ForeignService()]
    for module, name, extra in (("rest", "RestService", (identity.tokens,)), ("soap", "SoapService", ())):
        try:
            factory = getattr(importlib.import_module(f"sandbox.{module}.service"), name)
        except ModuleNotFoundError as error:
            print(f"sandbox: no {module} service yet: {error}", file=sys.stderr)
            services.append(_Absent(module))
            continue
        services.append(factory(credentials, *extra))
    found = {service.name: service for service in services}
    if options.ticket_seconds is not None:
        found["rest"].settings["ticket_seconds"] = options.ticket_seconds
    return found


class _Absent(ForeignService):
    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name


def _bind(base: int | None) -> dict[str, Any]:
    return {name: listeners.bind(base + index if base else 0) for index, name in enumerate(LISTENERS)}


def _make_work(parent: Path | None) -> Path:
    if parent:
        parent.mkdir(parents=True, exist_ok=True)
    return Path(tempfile.mkdtemp(prefix="fcd-sandbox-", dir=parent or best_parent())).resolve()


def _write_private(path: Path, text: str) -> None:
    """Mode 0600 from the first byte; complete or not there."""
    part = path.with_name(path.name + ".part")
    part.unlink(missing_ok=True)
    with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(text)
    part.replace(path)
