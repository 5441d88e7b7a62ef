# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The sandbox as a program: options, services, listeners, end."""

from __future__ import annotations

import argparse
import json
import os
import secrets
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
from sandbox.issued import mark_as
from sandbox.recorder import Recorder
from sandbox.seed import Credentials, load
from sandbox.service import Service
from sandbox.storage import configuration
from sandbox.storage.attributes import best_parent

LISTENERS = ("infrastructure", "soap", "storage", "foreign", "control")


class Sandbox:
    """All services behind their listeners, and the files below one directory."""

    def __init__(self, options: argparse.Namespace) -> None:
        """Make the directory; nothing runs yet."""
        self._options = options
        self._recorder = Recorder()
        self._work = _make_work(options.work)
        self._services: dict[str, Service] = {}

    def start(self) -> dict[str, Any]:
        """Start the services and listen; returns the ready document.

        Raises:
            OSError: a port is taken, or a file cannot be read.
            ValueError, TypeError: an option or the credentials file is wrong.
        """
        credentials = load(self._options.credentials)
        sockets = _bind(self._options.port_base)
        ports = {name: sock.getsockname()[1] for name, sock in sockets.items()}
        ca_path, context = certificates.make(self._work)
        mark_as(credentials)
        services = self._services = _services(credentials, self._work / "storage", self._options)
        faults = FaultTable()
        for name, route in _routes(services).items():
            gate = Gate(route, self._recorder, faults, ready.foreign_url(ports))
            listeners.serve(sockets[name], gate, context, storage=name == "storage")
        token = secrets.token_urlsafe(24)
        control = Control(list(services.values()), self._recorder, faults, token)
        control.info = {
            **ready.document(ports, credentials, str(ca_path), os.getpid(), str(self._work)),
            "control_token": token,
        }
        listeners.serve(sockets["control"], control, None)
        return control.info

    def announce(self, info: dict[str, Any]) -> None:
        """Announce that everything listens: in a line on standard output, and in a file."""
        line = json.dumps(info)
        if self._options.info:
            _write_private(self._options.info, line + "\n")
        print(line, flush=True)

    def wait(self) -> None:
        """Serve until the parent is gone or no more requests come; without these options, for ever."""
        lifetime.watch(self.stop, self._recorder, self._options.parent_pid, self._options.idle_exit)

    def stop(self, *_signal: Any) -> None:
        """Save the conformance counts, remove all files and end the process with 0."""
        for service in self._services.values():
            getattr(service, "close", lambda: None)()
        self.clean()
        os._exit(0)

    def clean(self) -> None:
        shutil.rmtree(self._work, ignore_errors=True)
        if self._options.info:
            self._options.info.unlink(missing_ok=True)


def main(arguments: list[str] | None = None) -> int:
    """Run until told to stop; 2 when it cannot start."""
    sandbox = Sandbox(_parser().parse_args(arguments))
    signal.signal(signal.SIGTERM, sandbox.stop)
    signal.signal(signal.SIGINT, sandbox.stop)
    try:
        sandbox.announce(sandbox.start())
    except (OSError, ValueError, TypeError) as error:
        sandbox.clean()
        print(f"sandbox: {error}", file=sys.stderr)
        return 2
    except BaseException:
        sandbox.clean()
        raise
    sandbox.wait()
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("sandbox", description="The provider's three interfaces on 127.0.0.1.")
    parser.add_argument("--info", type=Path, metavar="FILE", help="write the ready document there too (mode 0600)")
    parser.add_argument(
        "--work", type=Path, metavar="DIR", help="keep all files below DIR; they are removed at the end"
    )
    parser.add_argument("--port-base", type=int, metavar="N", help="listen on N to N+4 instead of free ports")
    parser.add_argument("--credentials", type=Path, metavar="FILE", help="JSON object with other log-in data")
    parser.add_argument(
        "--preset",
        default=os.environ.get("SANDBOX_PRESET", "hard"),
        metavar="NAME",
        help="how what nobody knows of REST is read: hard, friendly, older or random:SEED",
    )
    parser.add_argument("--ticket-seconds", type=float, metavar="F", help="how long an operation of REST takes")
    parser.add_argument(
        "--storage-limit", action="append", default=[], metavar="NAME=NUMBER", help="a limit of the object storage"
    )
    parser.add_argument("--parent-pid", type=int, metavar="PID", help="end when that process is gone")
    parser.add_argument("--idle-exit", type=float, metavar="S", help="end after S seconds without a request")
    return parser


def _services(credentials: Credentials, storage: Path, options: argparse.Namespace) -> dict[str, Service]:
    """All services by name; those that import much are imported here, Swift's after its configuration."""
    configuration.write(storage, options.storage_limit)
    from sandbox.rest.service import RestService
    from sandbox.rest.settings import preset
    from sandbox.soap.service import SoapService
    from sandbox.storage.server import StorageService

    identity = IdentityService(credentials)
    rest, soap = RestService(credentials, identity.tokens), SoapService(credentials)
    services: list[Service] = [identity, rest, soap, StorageService(credentials, storage), ForeignService()]
    rest.settings.update(preset(options.preset))
    if options.ticket_seconds is not None:
        rest.settings["ticket_seconds"] = options.ticket_seconds
    return {service.name: service for service in services}


def _routes(services: dict[str, Service]) -> dict[str, Any]:
    return {
        "infrastructure": lambda path: services["identity" if path.startswith("/core/") else "rest"],
        "soap": lambda _path: services["soap"],
        "storage": lambda _path: services["storage"],
        "foreign": lambda _path: services["foreign"],
    }


def _bind(base: int | None) -> dict[str, Any]:
    return {name: listeners.bind(base + index if base else 0) for index, name in enumerate(LISTENERS)}


def _make_work(parent: Path | None) -> Path:
    if parent:
        parent.mkdir(parents=True, exist_ok=True)
    return Path(tempfile.mkdtemp(prefix="fcd-sandbox-", dir=parent or best_parent())).resolve()


def _write_private(path: Path, text: str) -> None:
    """Mode 0600 from the first byte; complete or missing."""
    part = path.with_name(path.name + ".part")
    part.unlink(missing_ok=True)
    with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(text)
    part.replace(path)
