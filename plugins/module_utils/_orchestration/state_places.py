# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the tool keeps its state: a file in its folder, or an object of the object storage.

The tool requests a state in the object storage from this process on 127.0.0.1. A lock is a second object, created only
if there is none (``If-None-Match: *``), so that two controllers cannot use a state at the same time. Source of the
calls: docs/service/storage.md, "Statuses".
"""

from __future__ import annotations

import base64
import contextlib
import hmac
import json
import secrets
import threading
import typing as t

from .._connection.task import Task
from .._core.errors import FcdError, InvalidInput, Rejected
from .._core.private_files import read_regular
from .._object_storage.api import Headers, ObjectStorage
from .._object_storage.connection import object_storage
from .._object_storage.object_writes import create_object
from .._object_storage.small_objects import JSON_HEADERS
from .plans_and_states import Document, is_empty_state, parsed_state
from .working_folder import STATE, WorkingFolder

OK, UNAUTHORIZED, NOT_FOUND, PRECONDITION_FAILED, LOCKED, FAILED = 200, 401, 404, 412, 423, 500
CREATE_HEADERS = {**JSON_HEADERS, "If-None-Match": "*"}
METHODS = ("GET", "POST", "DELETE", "LOCK", "UNLOCK")
STATE_USER = "state"
MAX_REQUEST_BYTES = 256 << 20  # bytes of a request
StateAnswer = t.Tuple[int, bytes]


class LocalState:
    """The file in the folder. ``backend`` is the backend in the configuration, None for a file."""

    backend = None
    place = None

    def __init__(self, folder: WorkingFolder) -> None:
        self._folder = folder

    def read(self) -> Document | None:
        """Return the state, None if there is none. Raises InvalidInput."""
        path = self._folder.file(STATE)
        try:
            return parsed_state(read_regular(path), path)
        except FileNotFoundError:
            return None
        except OSError as exc:
            raise InvalidInput(f"path: {path} cannot be read: {exc.strerror}.", option="path") from None

    @contextlib.contextmanager
    def at_hand(self) -> t.Iterator[dict[str, str]]:
        """Yield the variables that the tool needs to find it: none."""
        yield {}

    def explain(self, words: t.Sequence[str]) -> str | None:
        """Return what to do about a failure that the state caused; ``words`` are the tool's."""
        return (
            "Another run is using this folder: let it end, or raise lock_timeout." if is_state_locked(words) else None
        )


class StateObject:
    """The state in one object, with another object as its lock."""

    backend = "http"

    def __init__(self, task: Task, container: str, name: str) -> None:
        self._storage: ObjectStorage = object_storage(task)
        self._warn = task.warn
        self._container, self._name, self._lock = container, name, f"{name}.lock"
        self.place = f"{container}/{name}"
        self._failed: FcdError | None = None
        self._check_mode = task.check_mode
        self._unstored: bytes | None = None  # what check mode does not store
        self._one_at_a_time = threading.Lock()

    def read(self) -> Document | None:
        """Return the state, None if there is none. Raises InvalidInput, ServiceError and the like."""
        content = self._content(self._name)
        if content is not None:
            return parsed_state(content, self.place)
        if self._storage.container_metadata(self._container) is None:
            raise InvalidInput(
                f"state_container: there is no container {self._container}.",
                next_step="Create it with fcd.cloud.storage_container.",
                option="state_container",
            )
        return None

    def refuse_local(self, folder: WorkingFolder) -> None:
        """Raise InvalidInput if the folder has instances that the state in the object would not have."""
        if not is_empty_state(LocalState(folder).read()):
            raise InvalidInput(
                f"state_container: {folder.file(STATE)} contains instances that are missing from {self.place}.",
                next_step=f"Upload that file as {self.place} and remove it here, or omit state_container.",
                option="state_container",
            )

    @contextlib.contextmanager
    def at_hand(self) -> t.Iterator[dict[str, str]]:
        """Serve it while the block runs; yields the variables that the tool needs to find it."""
        with served_on_loopback(self.answer) as (address, password):
            addresses = dict.fromkeys(("TF_HTTP_ADDRESS", "TF_HTTP_LOCK_ADDRESS", "TF_HTTP_UNLOCK_ADDRESS"), address)
            yield {**addresses, "TF_HTTP_USERNAME": STATE_USER, "TF_HTTP_PASSWORD": password}

    def explain(self, words: t.Sequence[str]) -> str | None:
        """Return what to do about a failure that the state caused; ``words`` are the tool's."""
        if self._failed is not None:
            return f"The object storage says: {self._failed} A state that could not be stored is kept in the folder."
        if is_state_locked(words):
            return (
                "Another run is using this state: let it end, or raise lock_timeout. If that run was killed, "
                f"remove the object {self._lock} from the container {self._container}."
            )
        return None

    def answer(self, method: str, body: bytes) -> StateAnswer:
        """Answer a request of the tool: GET, POST (store), DELETE, LOCK or UNLOCK."""
        with self._one_at_a_time:
            try:
                if method == "GET":
                    content = self._content(self._name)
                    return (NOT_FOUND, b"") if content is None else (OK, content)
                if method == "LOCK":
                    return self._take_lock(body)
                if method == "POST" and self._check_mode:
                    self._unstored = body
                elif method == "POST":
                    self._create(self._name, JSON_HEADERS, body)
                elif method == "DELETE":
                    self._storage.delete_object(self._container, self._name)
                elif method == "UNLOCK":
                    self._storage.delete_object(self._container, self._lock)
            except FcdError as error:
                self._failed = error
                return FAILED, b""
        return OK, b""

    def _take_lock(self, body: bytes) -> StateAnswer:
        if self._has_created_lock(body):
            if self._has_created_lock(body):
                self._warn(
                    f"The object storage replaces {self._lock} instead of refusing to create it a second time: runs on "
                    "two controllers would not notice each other. Let only one at a time use this state."
                )
            return OK, b""
        holder = self._content(self._lock) or b"{}"
        number = _lock_id(body)
        is_ours = number is not None and _lock_id(holder) == number  # from a request whose answer was lost
        return (OK, b"") if is_ours else (LOCKED, holder)

    def _has_created_lock(self, body: bytes) -> bool:
        try:
            self._create(self._lock, CREATE_HEADERS, body)
        except Rejected as refused:
            if refused.status == PRECONDITION_FAILED:
                return False
            raise
        return True

    def _create(self, name: str, headers: Headers, body: bytes) -> None:
        create_object(self._storage, (self._container, name), headers, body, len(body))

    def _content(self, name: str) -> bytes | None:
        if name == self._name and self._unstored is not None:
            return self._unstored
        content = bytearray()
        answer = self._storage.read_object(self._container, name, content.extend)
        return None if answer.status == NOT_FOUND else bytes(content)


StatePlace = t.Union[LocalState, StateObject]


def is_state_locked(words: t.Iterable[str]) -> bool:
    """Return whether the tool says that another process has the lock of its state."""
    return any("lock" in head.lower() and "state" in head.lower() for head in words)


def _lock_id(body: bytes) -> object:
    try:
        return json.loads(body).get("ID")
    except (ValueError, AttributeError):
        return None


@contextlib.contextmanager
def served_on_loopback(answer: t.Callable[[str, bytes], StateAnswer]) -> t.Iterator[tuple[str, str]]:
    """Serve one program while the block runs; yields the address and the password.

    ``answer`` gets method and body and returns status and body. Requests without the password (Basic, with the user
    ``state``) get nothing.
    """
    from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer  # slow to import, and few tasks need them

    password = secrets.token_urlsafe(24)
    authorization = f"Basic {base64.b64encode(f'{STATE_USER}:{password}'.encode()).decode('ascii')}"

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def handle_any(self) -> None:
            given = self.headers.get("Authorization", "").encode("utf-8", "surrogateescape")
            if hmac.compare_digest(given, authorization.encode("ascii")):
                length = int(self.headers.get("Content-Length") or 0)
                status, told = answer(self.command, self.rfile.read(min(length, MAX_REQUEST_BYTES)))
            else:  # anybody on this host may ask: the body is not read
                status, told, self.close_connection = UNAUTHORIZED, b"", True
            self.send_response(status)
            self.send_header("Content-Length", str(len(told)))
            self.end_headers()
            self.wfile.write(told)

        def log_message(self, *_words: object) -> None:
            """Say nothing."""

    for method in METHODS:
        setattr(Handler, f"do_{method}", Handler.handle_any)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/", password
    finally:
        server.shutdown()
        server.server_close()
