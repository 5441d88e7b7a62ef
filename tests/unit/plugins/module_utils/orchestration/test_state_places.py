# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The state in an object, on a storage that is one dictionary; with a real one it is tried in tests/orchestration."""

from __future__ import annotations

import base64
import http.client
import json
import socket
import types
import typing as t
import urllib.parse

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput, Rejected, Unreachable
from ansible_collections.fcd.cloud.plugins.module_utils._orchestration import state_places
from ansible_collections.fcd.cloud.plugins.module_utils._orchestration.state_places import (
    StateObject,
    served_on_loopback,
)

from . import recorded

LOCK = json.dumps({"ID": "1", "Who": "me"}).encode()
OTHER = json.dumps({"ID": "2", "Who": "other"}).encode()


class Storage:
    """One container; ``honours`` says whether it looks at If-None-Match."""

    def __init__(self, *, honours: bool = True) -> None:
        self.objects: dict[str, bytes] = {}
        self.honours = honours
        self.broken = False

    def container_metadata(self, container: str) -> dict[str, str] | None:
        return {} if container == "states" else None

    def create_object(self, place: tuple[str, str], headers: dict[str, str], body: bytes, length: int) -> None:
        _container, name = place
        if self.broken:
            raise Unreachable("no way")
        if self.honours and headers.get("If-None-Match") == "*" and name in self.objects:
            raise Rejected("it is there", status=412)
        assert len(body) == length
        self.objects[name] = body

    def read_object(self, _container: str, name: str, take: t.Callable[[bytes], None]) -> t.Any:
        if name in self.objects:
            take(self.objects[name])
        return types.SimpleNamespace(status=200 if name in self.objects else 404)

    def delete_object(self, _container: str, name: str) -> None:
        self.objects.pop(name, None)


class Kept:
    """A state in a storage."""

    def __init__(
        self,
        monkeypatch: pytest.MonkeyPatch,
        storage: Storage,
        container: str = "states",
        *,
        check_mode: bool = False,
    ) -> None:
        self.warnings: list[str] = []
        self.storage = storage
        task: t.Any = types.SimpleNamespace(warn=self.warnings.append, check_mode=check_mode)
        monkeypatch.setattr(state_places, "object_storage", lambda _task: storage)
        monkeypatch.setattr(state_places, "create_object", Storage.create_object)
        self.state = StateObject(task, container, "it")


def test_reading_and_storing(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Kept(monkeypatch, Storage())
    assert kept.state.read() is None
    assert kept.state.answer("GET", b"") == (404, b"")
    content = json.dumps(recorded.state(web=recorded.WEB)).encode()
    assert kept.state.answer("POST", content) == (200, b"")
    assert kept.state.answer("GET", b"") == (200, content)
    assert kept.state.read() == json.loads(content)
    assert kept.state.answer("DELETE", b"") == (200, b"")
    assert kept.storage.objects == {}


def test_check_mode_stores_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Kept(monkeypatch, Storage(), check_mode=True)
    content = json.dumps(recorded.state(web=recorded.WEB)).encode()
    assert kept.state.answer("POST", content) == (200, b"")
    assert kept.state.answer("GET", b"") == (200, content)
    assert kept.storage.objects == {}


def test_lock_is_kept_in_the_container(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Kept(monkeypatch, Storage())
    assert kept.state.answer("LOCK", LOCK) == (200, b"")
    assert kept.storage.objects == {"it.lock": LOCK}
    assert kept.state.answer("LOCK", OTHER) == (423, LOCK)
    assert kept.state.answer("LOCK", LOCK) == (200, b""), "its own request, sent again"
    assert kept.state.answer("UNLOCK", LOCK) == (200, b"")
    assert kept.state.answer("LOCK", OTHER) == (200, b"")
    assert kept.warnings == []
    assert "remove the object it.lock from the container states" in str(
        kept.state.explain(["Error acquiring the state lock"])
    )
    assert kept.state.explain(["something else"]) is None


def test_a_storage_that_keeps_nobody_out(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Kept(monkeypatch, Storage(honours=False))
    assert kept.state.answer("LOCK", LOCK) == (200, b"")
    assert len(kept.warnings) == 1
    assert "replaces it.lock" in kept.warnings[0]


def test_a_lock_of_somebody_who_writes_no_json(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Kept(monkeypatch, Storage())
    kept.storage.objects["it.lock"] = b"mine"
    assert kept.state.answer("LOCK", b"theirs") == (423, b"mine")


def test_a_failure_of_the_storage(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Kept(monkeypatch, Storage())
    kept.storage.broken = True
    assert kept.state.answer("POST", b"{}") == (500, b"")
    assert "The object storage says: no way" in str(kept.state.explain([]))


def test_no_container(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InvalidInput, match="state_container: there is no container other"):
        Kept(monkeypatch, Storage(), "other").state.read()


def asked(address: str, method: str, body: bytes, password: str | None) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection(urllib.parse.urlsplit(address).netloc, timeout=10)
    login = base64.b64encode(f"state:{password}".encode()).decode()
    connection.request(method, "/", body, {} if password is None else {"Authorization": f"Basic {login}"})
    answer = connection.getresponse()
    found = answer.status, answer.read()
    connection.close()
    return found


def answer_to_a_head(address: str, head: str) -> int:
    """Return the status of the answer to a request whose body never comes, after which the connection ends."""
    place = urllib.parse.urlsplit(address)
    with socket.create_connection((place.hostname, place.port), timeout=10) as wire:
        wire.sendall(head.encode())
        told = b"".join(iter(lambda: wire.recv(65536), b""))
    return int(told.split()[1])


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE", "LOCK", "UNLOCK"])
def test_only_who_knows_the_password_is_answered(method: str) -> None:
    seen: list[tuple[str, bytes]] = []

    def answer(way: str, body: bytes) -> tuple[int, bytes]:
        seen.append((way, body))
        return 423, b"held"

    with served_on_loopback(answer) as (address, password):
        assert address.startswith("http://127.0.0.1:")
        assert asked(address, method, b"a state", password) == (423, b"held")
        assert asked(address, method, b"a state", "guessed") == (401, b"")
        assert asked(address, method, b"a state", None) == (401, b"")
        assert asked(address, "PUT", b"", password)[0] == 501
        assert answer_to_a_head(address, f"{method} / HTTP/1.1\r\nContent-Length: 268435456\r\n\r\n") == 401
    assert seen == [(method, b"a state")]
    with pytest.raises(ConnectionRefusedError):
        asked(address, method, b"", password)
