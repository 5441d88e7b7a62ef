# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The server for one program: who does not know its password gets nothing."""

from __future__ import annotations

import base64
import http.client
import urllib.parse

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._orchestration.loopback_http import LoopbackServer


def asked(server: LoopbackServer, method: str, body: bytes, password: str | None) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection(urllib.parse.urlsplit(server.address).netloc, timeout=10)
    login = base64.b64encode(f"{server.user}:{password}".encode()).decode()
    connection.request(method, "/", body, {} if password is None else {"Authorization": f"Basic {login}"})
    answer = connection.getresponse()
    found = answer.status, answer.read()
    connection.close()
    return found


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE", "LOCK", "UNLOCK"])
def test_what_it_answers(method: str) -> None:
    seen: list[tuple[str, bytes]] = []

    def answer(way: str, body: bytes) -> tuple[int, bytes]:
        seen.append((way, body))
        return 423, b"held"

    with LoopbackServer(answer) as server:
        assert server.address.startswith("http://127.0.0.1:")
        assert asked(server, method, b"a state", server.password) == (423, b"held")
        assert asked(server, method, b"a state", "guessed") == (401, b"")
        assert asked(server, method, b"a state", None) == (401, b"")
        assert asked(server, "PUT", b"", server.password)[0] == 501
    assert seen == [(method, b"a state")]
    with pytest.raises(ConnectionRefusedError):
        asked(server, method, b"", server.password)
