# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Our client against the JAX-WS reference implementation, which enforces WS-Addressing: all operations, both ways.

Needs a Java development kit and Debian's libjaxws-java. The server reads requests to the classes that it made of the
WSDL, and writes them again: that has to be what was given to our client. Its answers it writes from such classes too.
``FCD_PEER_TURNS=50`` for a longer run.
"""

from __future__ import annotations

import os
import pathlib
import typing as t
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import jaxws_server
import peers_at_hand
import pytest
from hypothesis import HealthCheck, given, settings
from lxml import etree
from peer_process import LOGIN_SENT, PASSWORD, USER, client, free_port, running

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.plugins.module_utils._soap.codec import Decoder
from ansible_collections.fcd.cloud.plugins.module_utils._soap.messages import XmlTree
from ansible_collections.fcd.cloud.tests.unit.plugins.module_utils.soap.contracts import sandbox
from ansible_collections.fcd.cloud.tests.unit.plugins.module_utils.soap.messages import (
    Messages,
    desired,
    expected,
    written,
)

TURNS = int(os.environ.get("FCD_PEER_TURNS", "6"))
CONTRACT = sandbox()
OPERATIONS = CONTRACT.operations()
MESSAGES = Messages(CONTRACT)
RUN = settings(max_examples=TURNS, database=None, deadline=None, suppress_health_check=list(HealthCheck))

if peers_at_hand.no_jaxws():
    pytest.skip(f"NOT RUN: {peers_at_hand.no_jaxws()}", allow_module_level=True)


class Peer:
    """The server and our client of it."""

    def __init__(self, folder: pathlib.Path, port: int) -> None:
        self.folder = folder
        self.url = f"http://127.0.0.1:{port}/CommonFcd.svc"
        self.api = client(self.url, folder / "state")

    def answer(self, name: str, values: t.Mapping[str, t.Any]) -> None:
        """Say what the next calls get."""
        (self.folder / "fault.txt").unlink(missing_ok=True)
        pair = CONTRACT.operation(name).output or ("", "")
        (self.folder / "answer.xml").write_bytes(etree.tostring(written(CONTRACT, *pair, values)))

    def fault(self, kind: str, code: int, words: str) -> None:
        (self.folder / "fault.txt").write_text(f"{kind}\n{code}\n{words}\n", encoding="utf-8")

    def seen(self, name: str) -> t.Any:
        """The input of the last call, as JAXB has written it again."""
        tree = XmlTree((self.folder / "seen.xml").read_bytes())
        element, key = CONTRACT.operation(name).input
        assert tree.root.tag == element
        return Decoder(CONTRACT, tree).message(tree.root, key)


@pytest.fixture(scope="module")
def peer(tmp_path_factory: pytest.TempPathFactory) -> t.Iterator[Peer]:
    folder = tmp_path_factory.mktemp("jaxws")
    jaxws_server.build(folder)
    port = free_port()
    command = jaxws_server.command(folder, port)
    login = {"PEER_USER": f"API\\{USER}", "PEER_PASSWORD": PASSWORD}
    with running(command, port, folder / "log", PATH=os.environ["PATH"], **login):
        yield Peer(folder, port)


@pytest.mark.parametrize("name", OPERATIONS)
def test_requests_and_answers(name: str, peer: Peer) -> None:
    operation = CONTRACT.operation(name)
    assert operation.output is not None
    key, answer_key = operation.input[1], operation.output[1]

    @RUN
    @given(MESSAGES.members(key), MESSAGES.answers(answer_key))
    def both_ways(values: dict[str, t.Any], answer: dict[str, t.Any]) -> None:
        peer.answer(name, answer)
        result = peer.api.client.call(name, values)  # CommonFcd refuses an ID other than the one asked for
        assert peer.seen(name) == expected(CONTRACT, key, values)
        assert result == desired(CONTRACT, answer_key, answer)

    both_ways()


def test_the_object_that_was_asked_for(peer: Peer) -> None:
    peer.answer("GetUser", {"GetUserResult": {"UserId": 7}})
    assert peer.api.call("GetUser", user_id=7)["user_id"] == 7
    with pytest.raises(errors.Unusable, match="about another object: user_id is 7 instead of 1"):
        peer.api.call("GetUser", user_id=1)


FAULTS = [
    ("ErrorDescription", 1001, errors.Rejected, "GetUser: the service refused it: żółw (error code 1001)."),
    ("ErrorDescription", 133, errors.Conflict, "GetUser: the object is locked by a running operation: żółw"),
    ("AuthorizationErrorDescription", 5, errors.Forbidden, "GetUser: not allowed: żółw (error code 5)."),
]


@pytest.mark.parametrize(("detail", "code", "kind", "message"), FAULTS)
def test_faults(detail: str, code: int, kind: type[errors.FcdError], message: str, peer: Peer, tmp_path: t.Any) -> None:
    peer.fault(detail, code, "żółw")
    with pytest.raises(kind) as caught:
        client(peer.url, tmp_path, timeout=2).call("GetUser", user_id=1)
    assert caught.value.message.startswith(message)
    assert caught.value.details["error_code"] == code


def test_the_peer_enforces_addressing(peer: Peer) -> None:
    """Or the tests above would prove nothing of our headers."""
    envelope = '<e:Envelope xmlns:e="http://www.w3.org/2003/05/soap-envelope"><e:Body>{}</e:Body></e:Envelope>'
    body = envelope.format('<GetUser xmlns="http://schemas.example.com/fcd"/>').encode()
    headers = {"Content-Type": "application/soap+xml", "Authorization": f"Basic {LOGIN_SENT}"}
    with pytest.raises(HTTPError) as caught:
        urlopen(Request(peer.url, body, headers), timeout=30)
    assert b"MessageAddressingHeaderRequired" in caught.value.read()


def test_a_wrong_login(peer: Peer, tmp_path: t.Any) -> None:
    with pytest.raises(errors.Unauthorized):
        client(peer.url, tmp_path, password="wrong").call("GetUser", user_id=1)
