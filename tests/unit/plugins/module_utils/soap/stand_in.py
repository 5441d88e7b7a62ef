# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A stand-in for the exchange: answers from a list, and keeps what was sent."""

from __future__ import annotations

import typing as t

from ansible_collections.fcd.cloud.plugins.module_utils._core.clock import Clock, Deadline
from ansible_collections.fcd.cloud.plugins.module_utils._core.text import Redactor
from ansible_collections.fcd.cloud.plugins.module_utils._http.client import Exchange, Request, Response
from ansible_collections.fcd.cloud.plugins.module_utils._soap.client import Patience, SoapClient
from ansible_collections.fcd.cloud.plugins.module_utils._soap.contract import Contract
from ansible_collections.fcd.cloud.plugins.module_utils._soap.messages import Node, Service, XmlTree

from .contracts import sandbox

S12 = "http://www.w3.org/2003/05/soap-envelope"
WSA = "http://www.w3.org/2005/08/addressing"
FCD = "http://schemas.example.com/fcd"
MODELS = "http://schemas.datacontract.org/2004/07/Example.Common.Models"
FAULTS = "http://schemas.datacontract.org/2004/07/Example.Common.Communication.Models"
XSI = "http://www.w3.org/2001/XMLSchema-instance"
PASSWORD = "canary-Password-1"

Answer = t.Union[Response, Exception, t.Callable[[Request], Response]]


class StandIn(Exchange):
    """Gives the answers in turn, the last one for ever."""

    spent = ""

    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)
        self.sent: list[Request] = []

    def send(self, request: Request, credentials: t.Any = None) -> Response:
        assert credentials is None
        self.sent.append(request)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer(request) if callable(answer) else answer

    def spend_retry(self, url: str) -> str:
        assert url == "https://soap.example.com/CommonFcd.svc"
        return self.spent


class Still(Clock):
    """A clock that only moves when somebody sleeps."""

    def __init__(self) -> None:
        self.at = 0.0
        self.slept: list[float] = []

    def now(self) -> float:
        return 1000.0 + self.at

    def monotonic(self) -> float:
        return self.at

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.at += seconds


class Bench:
    """A client with everything around it that a test looks at."""

    def __init__(
        self,
        *answers: Answer,
        contract: Contract | None = None,
        timeout: float = 60.0,
        retries: int = 3,
        task: float | None = None,
    ) -> None:
        self.exchange = StandIn(*answers)
        self.clock = Still()
        self.said: list[str] = []
        self.redactor = Redactor([PASSWORD])
        service = Service(
            "https://soap.example.com/CommonFcd.svc", "https://inner.example.net/x", "API\\user", PASSWORD
        )
        patience = Patience(Deadline(self.clock, task), timeout, retries, self.said.append)
        self.client = SoapClient(self.exchange, contract or sandbox(), service, patience, self.redactor)

    def call(self, operation: str, **values: t.Any) -> t.Any:
        return self.client.call(operation, values)

    @property
    def sent(self) -> list[Request]:
        return self.exchange.sent


def body_of(request: Request) -> Node:
    """The one element in the body of a request."""
    assert isinstance(request.body, bytes)
    return XmlTree(request.body).root.children[1].children[0]


def header_of(request: Request, name: str) -> str:
    assert isinstance(request.body, bytes)
    (found,) = [node.text for node in XmlTree(request.body).root.children[0].children if node.tag == f"{{{WSA}}}{name}"]
    return found


def enveloped(inside: str, relates_to: str = "") -> bytes:
    header = f"<s:Header><a:RelatesTo>{relates_to}</a:RelatesTo></s:Header>" if relates_to else ""
    return (
        f'<s:Envelope xmlns:s="{S12}" xmlns:a="{WSA}" xmlns:f="{FCD}" xmlns:m="{MODELS}" xmlns:d="{FAULTS}" '
        f'xmlns:i="{XSI}">{header}<s:Body>{inside}</s:Body></s:Envelope>'
    ).encode()


def answer(operation: str, inside: str, status: int = 200) -> t.Callable[[Request], Response]:
    """An answer that relates to its request; ``inside`` is what stands in the response element."""

    def made(request: Request) -> Response:
        xml = f"<f:{operation}Response>{inside}</f:{operation}Response>"
        return Response(
            status, {"content-type": "application/soap+xml"}, enveloped(xml, header_of(request, "MessageID"))
        )

    return made


def fault(code: object = "", words: str = "no", *, kind: str = "ErrorDescription", blamed: str = "Sender") -> Response:
    detail = (
        f"<s:Detail><d:{kind}><d:ErrorCode>{code}</d:ErrorCode><d:ErrorMsg>{words}</d:ErrorMsg></d:{kind}></s:Detail>"
    )
    xml = (
        f"<s:Fault><s:Code><s:Value>s:{blamed}</s:Value></s:Code><s:Reason><s:Text>{words}</s:Text></s:Reason>"
        f"{detail if code != '' else ''}</s:Fault>"
    )
    return Response(500, {"content-type": "application/soap+xml"}, enveloped(xml), "r-7")


def plain(status: int, body: bytes, content_type: str = "text/html", **headers: str) -> Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Response(status, {"content-type": content_type, **named}, body, "r-8")
