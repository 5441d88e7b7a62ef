# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The state as an object of the object storage; the orchestration tool asks us for it on 127.0.0.1.

A lock is a second object, made only if there is none (``If-None-Match: *``, wire-facts section 10.2), so that two
machines cannot work with one state at a time. Source of the calls: contract object-storage.md.
"""

from __future__ import annotations

import contextlib
import json
import threading
import typing as t

from .._core.errors import FcdError, InvalidInput, Rejected
from .local_state import local_state
from .recorded_state import State, is_empty, parsed
from .working_folder import STATE, WorkingFolder

if t.TYPE_CHECKING:
    from .._connection.task import Task
    from .._object_storage.api import ObjectStorage

OK, NOT_FOUND, PRECONDITION_FAILED, LOCKED, FAILED = 200, 404, 412, 423, 500
HEADERS = {"Content-Type": "application/json"}
ONLY_NEW = {**HEADERS, "If-None-Match": "*"}
Answer = t.Tuple[int, bytes]


class StateObject:
    """One object, and another beside it as its lock."""

    backend = "http"

    def __init__(self, task: Task, container: str, name: str) -> None:
        from .._object_storage.connection import object_storage

        self._storage: ObjectStorage = object_storage(task)
        self._warn = task.warn
        self._container, self._name, self._lock = container, name, f"{name}.lock"
        self._failed: FcdError | None = None
        self._one_at_a_time = threading.Lock()

    @property
    def place(self) -> str:
        """Container and name."""
        return f"{self._container}/{self._name}"

    def of(self, _folder: WorkingFolder) -> StateObject:
        """Return the state of a copy of the folder: the same."""
        return self

    def read(self) -> State | None:
        """Return what is in it, None when there is none. Raises InvalidInput, ServiceError and the like."""
        content = self._content(self._name)
        if content is None:
            self._check_container()
            return None
        return parsed(content, self.place)

    def is_gone(self) -> bool:
        """Whether there is nothing to destroy."""
        return is_empty(self.read())

    @contextlib.contextmanager
    def at_hand(self) -> t.Iterator[dict[str, str]]:
        """Serve it while the block runs; yields the variables that the tool needs to find it."""
        from .connection import state_backend

        with state_backend(self.answer) as variables:
            yield variables

    def explain(self, words: t.Sequence[str]) -> str | None:
        """Return what to do about a failure for which the state is the reason."""
        if self._failed is not None:
            return f"The object storage says: {self._failed} A state that could not be stored is kept in the folder."
        if any("lock" in head.lower() and "state" in head.lower() for head in words):
            return (
                "Another run works with this state: let it end, or raise lock_timeout. When that run was killed, "
                f"remove the object {self._lock} from the container {self._container}."
            )
        return None

    def answer(self, method: str, body: bytes) -> Answer:
        """Answer a request of the tool: GET, POST (store), DELETE, LOCK or UNLOCK."""
        acts: dict[str, t.Callable[[], Answer]] = {
            "GET": self._get,
            "POST": lambda: self._put(self._name, body),
            "DELETE": lambda: self._delete(self._name),
            "LOCK": lambda: self._take_lock(body),
            "UNLOCK": lambda: self._delete(self._lock),
        }
        with self._one_at_a_time:
            try:
                return acts[method]()
            except FcdError as error:
                self._failed = error
                return FAILED, b""

    def _check_container(self) -> None:
        """Raise InvalidInput when there is no such container."""
        if self._storage.container_metadata(self._container) is None:
            raise InvalidInput(
                f"state_container: there is no container {self._container}.",
                next_step="Make it with fcd.cloud.storage_container.",
                option="state_container",
            )

    def _get(self) -> Answer:
        content = self._content(self._name)
        return (NOT_FOUND, b"") if content is None else (OK, content)

    def _put(self, name: str, body: bytes) -> Answer:
        self._storage.create_object(self._container, name, HEADERS, body, len(body))
        return OK, b""

    def _delete(self, name: str) -> Answer:
        self._storage.delete_object(self._container, name)
        return OK, b""

    def _take_lock(self, body: bytes) -> Answer:
        if self._has_made_lock(body):
            if self._has_made_lock(body):
                self._warn(
                    f"The object storage makes {self._lock} anew where it is to make it only if there is none: runs on "
                    "two machines would not see each other. Let only one at a time work with this state."
                )
            return OK, b""
        holder = self._content(self._lock) or b"{}"
        is_ours = _lock_id(body) is not None and _lock_id(holder) == _lock_id(
            body
        )  # made by a request whose answer was lost
        return (OK, b"") if is_ours else (LOCKED, holder)

    def _has_made_lock(self, body: bytes) -> bool:
        try:
            self._storage.create_object(self._container, self._lock, ONLY_NEW, body, len(body))
        except Rejected as refused:
            if refused.status == PRECONDITION_FAILED:
                return False
            raise
        return True

    def _content(self, name: str) -> bytes | None:
        content = bytearray()
        answer = self._storage.read_object(self._container, name, content.extend)
        return None if answer.status == NOT_FOUND else bytes(content)


def refuse_local_state(folder: WorkingFolder, place: str) -> None:
    """Raise InvalidInput when the folder holds machines that the state in the object would not know."""
    if not is_empty(local_state(folder)):
        raise InvalidInput(
            f"state_container: {folder.file(STATE)} holds machines, which {place} would not know.",
            next_step=f"Upload that file as {place} and remove it here, or leave state_container out.",
            option="state_container",
        )


def _lock_id(body: bytes) -> str | None:
    try:
        return t.cast("t.Optional[str]", json.loads(body).get("ID"))
    except (ValueError, AttributeError):
        return None
