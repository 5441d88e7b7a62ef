# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A server that somebody else wrote, in a process of its own on 127.0.0.1, and our client of it."""

from __future__ import annotations

import base64
import contextlib
import pathlib
import socket
import subprocess
import time
import typing as t

from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Settings, Task
from ansible_collections.fcd.cloud.plugins.module_utils._contract.api import CommonFcd
from ansible_collections.fcd.cloud.plugins.module_utils._contract.connection import common_fcd

USER, PASSWORD = "jan", "peer-password-1"
LOGIN = f"API\\{USER}:{PASSWORD}"
LOGIN_SENT = base64.b64encode(LOGIN.encode()).decode()
WSDL = pathlib.Path(__file__).resolve().parents[1] / "sandbox" / "soap" / "wsdl"
LONGEST = 30.0
"""Seconds until a server has to be ready."""


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


@contextlib.contextmanager
def running(command: t.Sequence[str], port: int, log: pathlib.Path, **environment: str) -> t.Iterator[None]:
    """Run a server until the block ends. Raises RuntimeError with its output when it does not listen."""
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=output, stderr=subprocess.STDOUT, env=environment or None
        )
        try:
            _wait(process, port, log)
            yield
        finally:
            process.terminate()
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(5)


def _wait(process: subprocess.Popen[bytes], port: int, log: pathlib.Path) -> None:
    end = time.monotonic() + LONGEST
    while process.poll() is None and time.monotonic() < end:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.05)
    raise RuntimeError(f"The peer does not listen: {log.read_text(errors='replace')[-2000:]}")


def client(url: str, state: pathlib.Path, **more: t.Any) -> CommonFcd:
    """Our client, the whole way: settings, the WSDL that the peer serves, the contract, the login."""
    given = {"username": USER, "password": PASSWORD, "timeout": 30, "retries": 0, "state_dir": str(state), **more}
    return common_fcd(Task(Settings.resolve({"soap_url": url, **given}, ("soap",))))
