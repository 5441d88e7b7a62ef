# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A sandbox in a process of its own, for tests and scripts: standard library only."""

from __future__ import annotations

import atexit
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import IO, Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import ProxyHandler, Request, build_opener

HERE = Path(__file__).resolve().parent
OPENER = build_opener(ProxyHandler({}))
PYTHON = os.environ.get("FCD_SANDBOX_PYTHON") or sys.executable
"""Interpreter that has the packages that the sandbox needs."""


class SandboxProcess:
    """Starts the sandbox, talks to its control address, and never leaves it behind.

    Use it as a context manager, or call start() and stop(). The process also ends when this one does, however it ends.

    Example::

        with SandboxProcess() as sandbox:
            sandbox.fault("drop_after", service="rest", method="POST")
            run(env=sandbox.environment)
            assert sandbox.counts()["writes"] == 1
    """

    def __init__(self, *arguments: str, timeout: float = 30.0, stays: bool = False) -> None:
        """Remember how to start it.

        Args:
            arguments: options of ``python tests/sandbox``.
            timeout: seconds until it must be ready, and for each call of the control address.
            stays: whether it goes on when this process has ended.
        """
        self.info: dict[str, Any] = {}
        self._arguments = arguments
        self._timeout = timeout
        self._stays = stays
        self._process: subprocess.Popen[bytes] | None = None
        self._errors: IO[bytes] | None = None
        self._said = ""
        self._read = 0

    def __enter__(self) -> SandboxProcess:  # noqa: PYI034 (typing.Self is newer than the style)
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()

    @property
    def environment(self) -> dict[str, str]:
        """The FCD_ variables that point a client at this sandbox."""
        return dict(self.info["environment"])

    @property
    def pid(self) -> int | None:
        """Process id while it runs."""
        return self._process.pid if self._process else None

    def start(self, *arguments: str) -> dict[str, Any]:
        """Start it with further options and wait until everything listens.

        Returns:
            The ready document.

        Raises:
            RuntimeError: it ended or was not ready in time; the text has what it wrote.
        """
        if self._process:
            raise RuntimeError("the sandbox runs already")
        bound = [] if self._stays else ["--parent-pid", str(os.getpid())]
        command = [PYTHON, str(HERE), *bound, *self._arguments, *arguments]
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 (closed by stop)
        self._read = 0
        if bound:
            atexit.register(self._stop_at_exit, os.getpid())
        self._process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self._errors, start_new_session=True
        )
        try:
            self.info = json.loads(self._first_line(self._process))
        except BaseException:
            self.stop()
            raise
        return self.info

    def stop(self) -> int | None:
        """End it and remove its files; returns its exit status, None when it did not run."""
        process, self._process = self._process, None
        atexit.unregister(self._stop_at_exit)
        if process is None:
            return None
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        self._said = self.errors()
        for file in (process.stdout, self._errors):
            if file:
                file.close()
        self._errors = None
        if self.info:
            shutil.rmtree(self.info["work"], ignore_errors=True)
        return process.returncode

    def errors(self) -> str:
        """What it has written to standard error and nobody has read yet, empty if all is well."""
        if self._errors is None:
            said, self._said = self._said, ""
            return said
        self._errors.seek(self._read)
        unread = self._errors.read()
        self._read += len(unread)
        return unread.decode("utf-8", "replace")

    def fault(self, fault: str, **wish: Any) -> int:
        """Arm a fault (see README.md) and return its number."""
        return int(self.control("POST", "faults", {"fault": fault, **wish})["id"])

    def faults(self) -> list[dict[str, Any]]:
        """All armed faults, with how often each matched and struck."""
        return list(self.control("GET", "faults"))

    def clear_faults(self) -> None:
        self.control("DELETE", "faults")

    def requests(self, service: str | None = None, since: int = 0) -> list[dict[str, Any]]:
        """The request log, oldest first."""
        query = {"since": str(since), **({"service": service} if service else {})}
        return list(self.control("GET", "requests?" + urlencode(query)))

    def clear_requests(self) -> None:
        """Empty the log, the counts and the violations."""
        self.control("DELETE", "requests")

    def counts(self) -> dict[str, Any]:
        """Requests, writes, connections and schema violations since the log was cleared."""
        return dict(self.control("GET", "counts"))

    def violations(self) -> list[dict[str, Any]]:
        """Every breach of a description, with the validator's words."""
        return list(self.control("GET", "violations"))

    def settings(self, **changes: dict[str, Any]) -> dict[str, Any]:
        """Change settings, ``settings(rest={"ticket_seconds": 0})``, and return all of them."""
        return dict(self.control("PATCH", "settings", changes))

    def state(self) -> dict[str, Any]:
        """The truth of every service."""
        return dict(self.control("GET", "state"))

    def expire(self, service: str | None = None) -> None:
        """Make all issued tokens worthless at once, of one service or of all."""
        self.control("POST", "expire" + (f"?service={service}" if service else ""))

    def reset(self) -> None:
        """Restore the seed: objects, settings, tokens, faults, log."""
        self.control("POST", "reset")

    def control(self, method: str, path: str, body: Any = None) -> Any:
        """Call the control address below ``/sandbox/``.

        Raises:
            ValueError: it refused; the text has its words.
        """
        data = None if body is None else json.dumps(body).encode()
        headers = {"X-Sandbox-Token": self.info["control_token"], "Content-Type": "application/json"}
        request = Request(f"{self.info['control_url']}/sandbox/{path}", data, headers, method=method)
        try:
            with OPENER.open(request, timeout=self._timeout) as response:
                return json.load(response)
        except HTTPError as error:
            raise ValueError(f"{method} {path}: {error.code} {error.read().decode()}") from None

    def _stop_at_exit(self, owner: int) -> None:
        """Stop, unless this is a fork of the process that started it."""
        if os.getpid() == owner:
            self.stop()

    def _first_line(self, process: subprocess.Popen[bytes]) -> bytes:
        assert process.stdout
        deadline = time.monotonic() + self._timeout
        line = b""
        while not line.endswith(b"\n"):
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([process.stdout], [], [], left)[0]:
                raise RuntimeError(f"the sandbox was not ready within {self._timeout} s\n{self.errors()}")
            piece = os.read(process.stdout.fileno(), 65536)
            if not piece:
                raise RuntimeError(f"the sandbox ended with status {process.wait()}\n{self.errors()}")
            line += piece
        return line
