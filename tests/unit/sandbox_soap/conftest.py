# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A fresh SOAP service for each test, with a raw client in the same process and with zeep as an independent one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import requests
import zeep
from lxml import etree
from sandbox.seed import Credentials
from sandbox.soap.in_process import ORIGIN, PATH, InProcess
from sandbox.soap.service import SoapService


class InProcessTransport(zeep.transports.Transport):
    """Carries zeep's requests to the service without a socket."""

    def __init__(self, client: InProcess) -> None:
        super().__init__()
        self.client = client

    def load(self, url: str) -> bytes:
        answer = self.client.request("GET", url.removeprefix(ORIGIN))
        assert answer.status == 200, url
        return answer.body

    def post_xml(self, address: str, envelope: Any, headers: dict[str, str]) -> requests.Response:
        assert address == ORIGIN + PATH
        answer = self.client.post(etree.tostring(envelope), headers["Content-Type"])
        response = requests.Response()
        response.status_code, response._content = answer.status, answer.body
        response.headers.update(answer.headers)
        return response


@pytest.fixture
def credentials() -> Credentials:
    return Credentials(password="pässword:ż")


@pytest.fixture
def service(credentials: Credentials) -> SoapService:
    return SoapService(credentials)


@pytest.fixture
def client(service: SoapService, credentials: Credentials) -> InProcess:
    return InProcess(service, f"API\\{credentials.username}", credentials.password)


@pytest.fixture(scope="session")
def zeep_documents() -> zeep.Client:
    """What zeep makes of the documents as they are served; loaded once, it takes a tenth of a second."""
    login = Credentials()
    loader = InProcess(SoapService(login), f"API\\{login.username}", login.password)
    return zeep.Client(f"{ORIGIN}{PATH}?wsdl", transport=InProcessTransport(loader))


def served(documents: zeep.Client, client: InProcess) -> Any:
    documents.transport.client = client
    (binding,) = documents.wsdl.bindings
    return documents.create_service(binding, ORIGIN + PATH)


@pytest.fixture
def peer(zeep_documents: zeep.Client, client: InProcess) -> Any:
    """zeep's service object for the fresh service: ``peer.GetUser(userId=1)``."""
    return served(zeep_documents, client)


@pytest.fixture
def start(zeep_documents: zeep.Client, credentials: Credentials) -> Callable[[], tuple[SoapService, Any]]:
    """Make a fresh service and zeep's service object for it, as often as it is called."""

    def made() -> tuple[SoapService, Any]:
        service = SoapService(credentials)
        return service, served(zeep_documents, InProcess(service, f"API\\{credentials.username}", credentials.password))

    return made
