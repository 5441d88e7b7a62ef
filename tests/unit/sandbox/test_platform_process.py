# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The program: what it tells when it is ready, and that nothing of it is left at the end."""

from __future__ import annotations

import json
import os
import signal
import socket
import ssl
import stat
import struct
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from sandbox.process import SandboxProcess
from sandbox_box import Box

TESTS = str(Path(__file__).resolve().parents[2])
PROGRAM = [sys.executable, str(Path(TESTS) / "sandbox")]


def gone(pid: int, seconds: float = 60.0) -> bool:
    """Whether a process that is no child of ours ends within that time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return True
        if state == "Z":
            return True
        time.sleep(0.02)
    return False


def free_ports() -> int:
    """First of five neighbouring free ports."""
    for base in range(20000 + os.getpid() % 10000, 60000, 5):
        socks = [socket.socket() for _ in range(5)]
        try:
            for index, sock in enumerate(socks):
                sock.bind(("127.0.0.1", base + index))
        except OSError:
            continue
        else:
            return base
        finally:
            for sock in socks:
                sock.close()
    raise AssertionError("no free ports")


def test_ready_document_has_every_address_and_variable(box: Box) -> None:
    info = box.info
    assert info == box.process.control("GET", "info")
    assert info["base_url"] == info["auth_url"] + "/beta"
    assert info["soap_wsdl"] == info["soap_url"] + "?wsdl"
    assert info["foreign_url"].startswith("https://127.0.0.1:")
    assert {name: value for name, value in info["environment"].items() if not value} == {}
    assert sorted(info["environment"]) == [
        "FCD_API_CLIENT_ID", "FCD_API_CLIENT_SECRET", "FCD_AUTH_URL", "FCD_BASE_URL", "FCD_CA_PATH", "FCD_PASSWORD",
        "FCD_SITE_KEY",
        "FCD_SOAP_URL", "FCD_SOAP_WSDL", "FCD_STORAGE_BASE", "FCD_STORAGE_KEY", "FCD_STORAGE_USER", "FCD_USERNAME",
    ]  # fmt: skip


def test_every_listener_speaks_tls_with_the_own_authority(box: Box) -> None:
    for name in ("base_url", "soap_wsdl", "storage_base", "foreign_url"):
        assert box.session.get(box.info[name]).status_code < 500


def test_a_client_that_sends_nothing_blocks_nobody(box: Box) -> None:
    port = int(box.info["auth_url"].rsplit(":", 1)[1])
    with socket.create_connection(("127.0.0.1", port)):
        assert box.session.get(box.info["auth_url"], timeout=60).status_code == 401


@pytest.mark.parametrize("name", ["auth_url", "soap_url", "storage_base", "foreign_url"])
def test_rude_clients_stop_no_listener(box: Box, name: str) -> None:
    """Ends before, in and after the handshake, and in the middle of a request; what the sandbox says is seen later."""
    place = urlsplit(box.info[name])
    context = ssl.create_default_context(cafile=box.info["ca_path"])
    for reset in (False, True):
        for plain in (b"", b"\x16\x03\x01", b"GET / HTTP/1.1\r\n\r\n"):
            end(socket.create_connection((place.hostname, place.port)), plain, reset)
        for secret in (b"", b"GE", b"\x00\x01\r\n\r\n", b"PUT /v1/a/b HTTP/1.1\r\nContent-Length: 9\r\n\r\nabc"):
            raw = socket.create_connection((place.hostname, place.port))
            end(context.wrap_socket(raw, server_hostname=place.hostname), secret, reset)
    assert box.session.get(box.info[name], timeout=60).status_code < 500
    assert box.process.errors() == ""


def end(sock: socket.socket, data: bytes, reset: bool) -> None:
    with sock:
        sock.sendall(data)
        if reset:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


@pytest.mark.parametrize("number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.full)])
def test_signal_removes_all_files_and_ends_with_0(tmp_path: Path, number: signal.Signals) -> None:
    info_path = tmp_path / "info.json"
    process = SandboxProcess("--info", str(info_path), "--work", str(tmp_path / "work"))
    info = process.start()
    assert stat.S_IMODE(info_path.stat().st_mode) == 0o600
    assert json.loads(info_path.read_text()) == info
    assert Path(info["ca_path"]).is_relative_to(tmp_path / "work")
    assert stat.S_IMODE(Path(info["work"]).stat().st_mode) == 0o700
    assert process.pid
    os.kill(process.pid, number)
    assert gone(process.pid)
    assert list(tmp_path.rglob("*")) == [tmp_path / "work"]
    assert process.stop() == 0


def test_stop_removes_the_files_of_a_killed_sandbox(tmp_path: Path) -> None:
    process = SandboxProcess("--work", str(tmp_path))
    process.start()
    assert process.pid
    os.kill(process.pid, signal.SIGKILL)
    assert process.stop() == -signal.SIGKILL
    assert list(tmp_path.iterdir()) == []


def test_it_ends_when_its_parent_is_killed(tmp_path: Path) -> None:
    script = (
        f"import sys, time; sys.path.insert(0, {TESTS!r})\n"
        "from sandbox.process import SandboxProcess\n"
        f"print(SandboxProcess('--work', {str(tmp_path)!r}).start()['pid'], flush=True)\n"
        "time.sleep(600)\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE)
    assert parent.stdout
    with parent.stdout:
        pid = int(parent.stdout.readline())
    parent.kill()
    parent.wait()
    assert gone(pid)
    assert list(tmp_path.iterdir()) == []


def test_leaving_the_interpreter_stops_it(tmp_path: Path) -> None:
    script = (
        f"import sys; sys.path.insert(0, {TESTS!r})\n"
        "from sandbox.process import SandboxProcess\n"
        f"print(SandboxProcess('--work', {str(tmp_path)!r}).start()['pid'])\n"
    )
    ended = subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, check=True)
    assert gone(int(ended.stdout), 0.5)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.full
def test_it_ends_when_nobody_asks_any_more(tmp_path: Path) -> None:
    subprocess.run([*PROGRAM, "--idle-exit", "0.2", "--work", str(tmp_path)], timeout=120, check=True)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.full
def test_fixed_ports_and_the_words_when_one_is_taken(tmp_path: Path) -> None:
    base = free_ports()
    with SandboxProcess("--port-base", str(base), "--work", str(tmp_path / "one")) as first:
        assert first.info["auth_url"] == f"https://localhost:{base}"
        assert first.info["control_url"] == f"http://localhost:{base + 4}"
        with pytest.raises(RuntimeError, match=f"status 2\ncannot listen|cannot listen on 127.0.0.1:{base}"):
            SandboxProcess("--port-base", str(base), "--work", str(tmp_path / "two")).start()
    assert list((tmp_path / "two").iterdir()) == []


@pytest.mark.full
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"passwort": "x"}', "unknown field 'passwort'"),
        ("[]", "a JSON object"),
        ('{"password": 1}', "must be a string"),
    ],
)
def test_a_wrong_credentials_file_is_told(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "own.json"
    path.write_text(text)
    with pytest.raises(RuntimeError, match=words):
        SandboxProcess("--credentials", str(path)).start()


def test_limits_of_the_storage(tmp_path: Path) -> None:
    with SandboxProcess(
        "--storage-limit", "max_file_size=9", "--storage-limit", "container_listing_limit=2"
    ) as process:
        box = Box(process)
        box.storage("PUT", "/c")
        assert [box.storage("PUT", f"/c/{name}", data=b"x" * 9).status_code for name in "abc"] == [201] * 3
        assert box.storage("PUT", "/c/d", data=b"x" * 10).status_code == 413
        assert len(box.storage("GET", "/c?format=json").json()) == 2
    with pytest.raises(RuntimeError, match="no limit of the storage: 'max_size=9'"):
        SandboxProcess("--storage-limit", "max_size=9").start()
