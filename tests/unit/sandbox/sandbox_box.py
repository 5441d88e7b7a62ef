# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Two ways to talk to a running sandbox: with a usual client, and by hand to see how a connection ends."""

from __future__ import annotations

import base64
import contextlib
import socket
import ssl
import time
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlsplit

import requests
from sandbox.process import SandboxProcess


@dataclass
class Seen:
    """What came over a connection until its end; ``moments`` are seconds since the request, one per received piece."""

    data: bytes
    end: str
    moments: list[float]
    seconds: float

    @property
    def body(self) -> bytes:
        return self.data.partition(b"\r\n\r\n")[2]

    @property
    def head(self) -> str:
        return self.data.partition(b"\r\n\r\n")[0].decode("latin-1")


class Wire:
    """TLS by hand over one TCP connection: a Python TLS socket does not tell a reset from a plain end any more."""

    def __init__(self, url: str, ca_path: str, patience: float = 120.0) -> None:
        place = urlsplit(url)
        self._raw = socket.create_connection((place.hostname, place.port), timeout=patience)
        self._received, self._to_send = ssl.MemoryBIO(), ssl.MemoryBIO()
        context = ssl.create_default_context(cafile=ca_path)
        self._tls = context.wrap_bio(self._received, self._to_send, server_hostname=place.hostname)
        self._step(self._tls.do_handshake)

    def watch(self, request: bytes) -> Seen:
        """Send a request and read until the other side ends the TCP connection: "reset" or "closed"."""
        began = time.monotonic()
        data, moments = b"", []
        with self._raw:
            self._step(lambda: self._tls.write(request))
            try:
                while piece := self._step(lambda: self._tls.read(65536)):
                    data += piece
                    moments.append(time.monotonic() - began)
                end = "closed"
            except ConnectionResetError:
                end = "reset"
            except ssl.SSLEOFError:
                end = "closed"
        return Seen(data, end, moments, time.monotonic() - began)

    def _step(self, action: Any) -> Any:
        done = False
        while not done:
            with contextlib.suppress(ssl.SSLWantReadError):
                result = action()
                done = True
            if self._to_send.pending:
                self._raw.sendall(self._to_send.read())
            if not done:
                self._receive()
        return result

    def _receive(self) -> None:
        data = self._raw.recv(65536)
        if data:
            self._received.write(data)
        else:
            self._received.write_eof()


class Box:
    """A sandbox with its clients: ``get``/``put``/... to the storage with a token, ``raw`` for single connections."""

    def __init__(self, process: SandboxProcess) -> None:
        self.process = process
        self.info = process.info
        self.session = requests.Session()
        self.session.trust_env = False
        self.session.verify = self.info["ca_path"]
        self._token: str | None = None
        self.storage_url = f"{self.info['storage_base']}/v1/{self.info['credentials']['storage_path']}"

    def log_in(self, user: str = "storage", **headers: str) -> requests.Response:
        known = self.info["credentials"]
        own = {"X-Auth-User": known[f"{user}_user"], "X-Auth-Key": known[f"{user}_key"]}
        return self.session.get(f"{self.info['storage_base']}/auth/v1.0", headers={**own, **headers})

    @property
    def token(self) -> str:
        self._token = self._token or self.log_in().headers["X-Storage-Token"]
        return self._token

    def storage(self, method: str, path: str, token: str | None = None, **more: Any) -> requests.Response:
        headers = {"X-Auth-Token": self.token if token is None else token, **more.pop("headers", {})}
        return self.session.request(method, self.storage_url + path, headers=headers, **more)

    def exists(self, path: str) -> bool:
        return self.storage("HEAD", path).status_code == 200

    def raw_put(self, path: str, data: bytes) -> Seen:
        """PUT of an object on a connection of its own, seen until the end of it."""
        lines = [
            f"PUT {urlsplit(self.storage_url).path}{path} HTTP/1.1",
            "Host: localhost",
            f"X-Auth-Token: {self.token}",
            f"Content-Length: {len(data)}",
        ]
        return self.raw("storage_base", lines, data)

    def raw_get(self, address: str, path: str, **headers: str) -> Seen:
        own = [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        return self.raw(address, [f"GET {path} HTTP/1.1", "Host: localhost", *own])

    def raw(self, address: str, lines: list[str], data: bytes = b"") -> Seen:
        request = "\r\n".join([*lines, "", ""]).encode("latin-1") + data
        return Wire(self.info[address], self.info["ca_path"]).watch(request)

    def token_request(self, client: tuple[str, str] | None = None, **form: str) -> requests.Response:
        known = self.info["credentials"]
        name, secret = client or (known["api_client_id"], known["api_client_secret"])
        basic = base64.b64encode(f"{name}:{secret}".encode()).decode()
        data = "&".join(f"{key}={quote(value, safe='')}" for key, value in form.items())
        headers = {"Authorization": f"Basic {basic}", "Content-Type": "application/x-www-form-urlencoded"}
        return self.session.post(f"{self.info['auth_url']}/core/connect/token", data=data, headers=headers)

    def password_grant(self, scope: str = "service.api", **other: str) -> requests.Response:
        known = self.info["credentials"]
        form = {"grant_type": "password", "username": known["username"], "password": known["password"], "scope": scope}
        return self.token_request(**{**form, **other})
