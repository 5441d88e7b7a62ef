# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A client of a service in the same process, for tests: raw messages in, status, headers and elements out."""

from __future__ import annotations

import base64
import io
from dataclasses import dataclass
from typing import Any
from xml.sax.saxutils import escape

from lxml import etree

from sandbox.service import App, Environ
from sandbox.soap.codec import NIL
from sandbox.soap.envelope import ADDRESSING, CONTENT_TYPE, SOAP
from sandbox.soap.schema import contract

ORIGIN = "https://localhost:8443"
PATH = "/CommonFcd.svc"


@dataclass(frozen=True)
class Answer:
    """One HTTP answer; the properties read its envelope."""

    status: int
    headers: dict[str, str]
    body: bytes
    environ: Environ

    @property
    def root(self) -> Any:
        """The root element of the body."""
        return etree.fromstring(self.body)

    @property
    def result(self) -> Any:
        """The result element; None when the answer has none or it is nil."""
        found = self.root.xpath("/*/*[local-name()='Body']/*/*")
        return found[0] if found and found[0].get(NIL) != "true" else None

    def texts(self, name: str) -> list[str]:
        """The texts of all elements with this local name, in order; a nil one is an empty text."""
        return [node.text or "" for node in self.root.iterfind(f".//{{*}}{name}")]

    def text(self, name: str) -> str:
        """The text of the only element with this local name.

        Raises:
            ValueError: there is none, or more than one.
        """
        (found,) = self.texts(name)
        return found


class InProcess:
    """Sends requests to a WSGI application as a user would over HTTPS; ``authorization`` stands in every request."""

    def __init__(self, app: App, login: str, password: str) -> None:
        self.app = app
        self.authorization = basic(login, password)

    def request(self, method: str, target: str, body: bytes = b"", content_type: str = "") -> Answer:
        """Send one request; ``target`` is a path with an optional query."""
        path, _, query = target.partition("?")
        environ: Environ = {
            "REQUEST_METHOD": method,
            "SCRIPT_NAME": "",
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "HTTP_HOST": ORIGIN.split("//")[1],
            "SERVER_NAME": "localhost",
            "SERVER_PORT": "8443",
            "wsgi.url_scheme": "https",
            "wsgi.input": io.BytesIO(body),
            "CONTENT_LENGTH": str(len(body)),
            "CONTENT_TYPE": content_type,
            "HTTP_AUTHORIZATION": self.authorization,
        }
        told: list[Any] = []
        answer = b"".join(self.app(environ, lambda status, headers: told.extend((status, headers))))
        return Answer(int(told[0].split()[0]), dict(told[1]), answer, environ)

    def post(self, envelope: bytes, content_type: str = CONTENT_TYPE) -> Answer:
        """Send an envelope."""
        return self.request("POST", PATH, envelope, content_type)

    def call(self, operation: str, inputs: str = "", headers: str = "") -> Answer:
        """Call an operation with inputs as XML text; see :func:`message`."""
        return self.post(message(operation, inputs, headers))


def basic(login: str, password: str) -> str:
    """The value of an Authorization header, in UTF-8."""
    return "Basic " + base64.b64encode(f"{login}:{password}".encode()).decode()


def message(operation: str, inputs: str = "", headers: str = "", action: str | None = None) -> bytes:
    """An envelope for an operation.

    In the XML texts the prefix ``m`` stands for the data contracts, ``n`` for the arrays, ``a`` for WS-Addressing and
    ``i`` for the schema instance; elements without a prefix are in the namespace of the messages.
    """
    action = f"{contract().namespace}/ICommonFcd/{operation}" if action is None else action
    return (
        f'<s:Envelope xmlns:s="{SOAP}" xmlns:a="{ADDRESSING}" xmlns:i="http://www.w3.org/2001/XMLSchema-instance" '
        'xmlns:m="http://schemas.datacontract.org/2004/07/Example.Common.Models" '
        'xmlns:n="http://schemas.microsoft.com/2003/10/Serialization/Arrays">'
        f"<s:Header><a:Action>{escape(action)}</a:Action><a:MessageID>urn:uuid:1</a:MessageID>{headers}</s:Header>"
        f'<s:Body><{operation} xmlns="{contract().namespace}">{inputs}</{operation}></s:Body></s:Envelope>'
    ).encode()
