# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Our client against PHP's SoapServer, which serves the WSDL of the sandbox: all operations, random values both ways.

Needs ``php`` with its soap extension (Debian: php-cli and php-soap). PHP reads requests to its own values and writes
answers from them, by the WSDL: what it understood is compared with what was given to our client, and what our client
returns with what PHP was given. ``FCD_PEER_TURNS=50`` for a longer run.
"""

from __future__ import annotations

import decimal
import json
import os
import pathlib
import shutil
import typing as t

import peers_at_hand
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from peer_process import LOGIN_SENT, WSDL, client, free_port, running

from ansible_collections.fcd.cloud.plugins.module_utils._core import errors
from ansible_collections.fcd.cloud.tests.unit.plugins.module_utils.soap import messages
from ansible_collections.fcd.cloud.tests.unit.plugins.module_utils.soap.contracts import sandbox
from ansible_collections.fcd.cloud.tests.unit.plugins.module_utils.soap.messages import Messages, desired

SERVER = str(pathlib.Path(__file__).resolve().parent / "php" / "server.php")
TURNS = int(os.environ.get("FCD_PEER_TURNS", "6"))
CONTRACT = sandbox()
OPERATIONS = CONTRACT.operations()
RUN = settings(max_examples=TURNS, database=None, deadline=None, suppress_health_check=list(HealthCheck))

if peers_at_hand.no_php():
    pytest.skip(f"NOT RUN: {peers_at_hand.no_php()}", allow_module_level=True)


class Peer:
    """The server and our client of it."""

    def __init__(self, folder: pathlib.Path, port: int) -> None:
        self.folder = folder
        self.url = f"http://127.0.0.1:{port}/CommonFcd.svc"
        self.api = client(self.url, folder / "state")

    def answer(self, **answer: t.Any) -> None:
        """Say what the next calls get."""
        (self.folder / "answer.json").write_text(json.dumps(answer), encoding="utf-8")

    @property
    def seen(self) -> t.Any:
        """Operation, input and headers of the last call, as PHP has read them."""
        return json.loads((self.folder / "seen.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def peer(tmp_path_factory: pytest.TempPathFactory) -> t.Iterator[Peer]:
    folder = tmp_path_factory.mktemp("php")
    for file in WSDL.iterdir():
        shutil.copy(file, folder)
    port = free_port()
    command = ["php", "-S", f"127.0.0.1:{port}", "-t", str(folder), SERVER]
    with running(command, port, folder / "log", PATH=os.environ["PATH"], PEER_LOGIN=LOGIN_SENT):
        yield Peer(folder, port)


# JSON has finite numbers and texts only, PHP takes blanks alone for nothing, and it does not tell derived types apart
MESSAGES = Messages(
    CONTRACT,
    derived=False,
    simple={
        "string": messages.TEXTS.filter(lambda text: not text or text.strip(" \t\r\n")),
        "double": st.floats(allow_nan=False, allow_infinity=False),
        "base64Binary": st.text(st.characters(codec="ascii"), max_size=20).map(str.encode),
    },
)


def php_value(key: str, value: t.Any) -> t.Any:
    """A value as PHP has it: structures and lists are objects, numbers that may be long are texts."""
    if value is None:
        return None
    if CONTRACT.simple(key):
        return _php_text(value)
    item = CONTRACT.item(key)
    if item:
        return {item.name: [php_value(item.type, entry) for entry in value]} if value else {}
    types = {field.name: field.type for field in CONTRACT.fields(key)}
    return {name: php_value(types[name], each) for name, each in value.items()}


def alike(value: t.Any) -> t.Any:
    """A value in which a list of nothing but one null is null: PHP does not tell them apart."""
    if isinstance(value, dict):
        return {name: alike(each) for name, each in value.items()}
    if isinstance(value, list):
        return None if value == [None] else [alike(entry) for entry in value]
    return value


def _php_text(value: t.Any) -> t.Any:
    if isinstance(value, bytes):
        return value.decode("ascii")
    return format(value, "f") if isinstance(value, decimal.Decimal) else value


@pytest.mark.parametrize("name", OPERATIONS)
def test_requests_and_answers(name: str, peer: Peer) -> None:
    operation = CONTRACT.operation(name)
    assert operation.output is not None
    key, answer_key = operation.input[1], operation.output[1]

    @RUN
    @given(MESSAGES.members(key), MESSAGES.answers(answer_key))
    def both_ways(values: dict[str, t.Any], answer: dict[str, t.Any]) -> None:
        peer.answer(value=php_value(answer_key, answer))
        result = peer.api.client.call(name, values)  # CommonFcd refuses an ID other than the one asked for
        assert alike(peer.seen[:2]) == alike([name, php_value(key, values)])
        assert result == desired(CONTRACT, answer_key, answer)

    both_ways()


def test_headers(peer: Peer) -> None:
    peer.answer(value={})
    peer.api.call("GetUser", user_id=1)
    _name, _input, headers = peer.seen
    assert headers["Action"] == "http://schemas.example.com/fcd/ICommonFcd/GetUser"
    assert headers["To"] == CONTRACT.endpoint  # the address that the WSDL publishes, not that of the peer
    assert headers["MessageID"].startswith("urn:uuid:")


def test_members_of_a_derived_type(peer: Peer) -> None:
    peer.answer(value={})
    key = CONTRACT.operation("GetUsers").input[1]
    assert [field.name for field in CONTRACT.fields(key)] == ["searchParams"]
    peer.api.call("GetUsers", search_params={"_type": "UsersSearchParams", "client_id": 7, "page_size": 3})
    assert peer.seen[1] == {"searchParams": {"ClientId": 7, "PageSize": 3}}


FAULTS = [
    ("ErrorDescription", 1001, errors.Rejected, "GetUser: the service refused it: żółw (error code 1001)."),
    ("ErrorDescription", 133, errors.Conflict, "GetUser: the object is locked by a running operation: żółw"),
    ("AuthorizationErrorDescription", 5, errors.Forbidden, "GetUser: not allowed: żółw (error code 5)."),
]


@pytest.mark.parametrize(("detail", "code", "kind", "message"), FAULTS)
def test_faults(detail: str, code: int, kind: type[errors.FcdError], message: str, peer: Peer, tmp_path: t.Any) -> None:
    peer.answer(fault={"detail": detail, "code": code, "words": "żółw"})
    with pytest.raises(kind) as caught:
        client(peer.url, tmp_path, timeout=2).call("GetUser", user_id=1)
    assert caught.value.message.startswith(message)
    assert caught.value.details["error_code"] == code


def test_a_wrong_login(peer: Peer, tmp_path: t.Any) -> None:
    with pytest.raises(errors.Unauthorized):
        client(peer.url, tmp_path, password="wrong").call("GetUser", user_id=1)
