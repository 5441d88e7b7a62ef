# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Small objects in a container, read and written as a whole, with checks.

They bypass the task's cache of the storage and its deadline: results must be noted even if the time is over. Each call
has its own limit (timeout).
"""

from __future__ import annotations

import contextlib
import json
import typing as t
from urllib.parse import unquote, urlsplit

from .._connection.task import Task
from .._core.clock import Deadline
from .._core.errors import CHANGED, DeadlinePassed, FcdError, NotFound, Unclear, Unusable
from .._core.type_aliases import JsonObject
from .api import Headers, pages_of
from .connection import object_storage
from .container_writes import create_container
from .content import md5
from .features import Features
from .object_writes import create_object, update_object_metadata
from .properties import check_container

REGISTRY_PREFIX = ".fcd-sites/"  # where sites note in a container what they own


NOT_FOUND = 404
MAX_WRITE_TRIES = 3
JSON_HEADERS = {"Content-Type": "application/json"}


class Stored(t.NamedTuple):
    """An object: its content, the MD5 of that, and the headers of the answer (names in lower case)."""

    content: bytes
    tag: str
    headers: t.Mapping[str, str]

    @property
    def facts(self) -> JsonObject:
        """The content as a JSON object, empty if it is anything else."""
        try:
            found = json.loads(self.content)
        except (ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}


class SmallObjects:
    """The objects of one container, which is created with the first write; ``option`` is the option that names it.

    ``before_create`` is called before that, and may raise. ``made_container``: this run has created it.
    """

    def __init__(
        self,
        task: Task,
        container: str,
        option: str = "registry",
        *,
        before_create: t.Callable[[], object] = lambda: None,
    ) -> None:
        self.container = check_container(container, Features(), option)
        own = Task(task.settings, clock=task.clock, warn=task.warn, tell=task.tell, runner=task.runner)
        own.deadline = Deadline(task.clock, None)
        self._storage = object_storage(own)
        self.made_container = False
        self.writers = ""  # who may write to the container besides its owner, according to its last listing
        self._option = option
        self._before_create = before_create

    @property
    def address(self) -> str:
        """The address of the container, below that of its account."""
        return self._storage.address(self.container)

    def path_of(self, name: str) -> str:
        """Return the path of an object's address, not quoted."""
        return unquote(urlsplit(self._storage.address(self.container, name)).path)

    def text(self, name: str) -> str:
        return f"{self.container}/{name}"

    def names(self, prefix: str) -> dict[str, str]:
        """Return the names of the objects with this prefix, each with its MD5; none without a container."""
        found: dict[str, str] = {}

        def page(**query: str) -> list[JsonObject]:
            with self._about(prefix):
                entries, headers = self._storage.page("List objects", self.container, query)
            self.writers = headers.get("x-container-write", "")
            return entries

        with contextlib.suppress(NotFound):
            for rows in pages_of(page, prefix=prefix):
                found.update((str(row["name"]), str(row.get("hash"))) for row in rows)
        return found

    def read(self, name: str) -> Stored | None:
        """Return an object, or None. Raises Unclear if its content arrived incomplete."""
        left = MAX_WRITE_TRIES
        while True:
            left -= 1
            try:
                with self._about(name):
                    return self._read(name)
            except Unclear as broken_off:  # the answer had begun, so the transport does not repeat the request
                if not left or isinstance(broken_off, DeadlinePassed):
                    raise

    def tag(self, name: str) -> str | None:
        """Return the service's MD5 of an object, or None."""
        with self._about(name):
            headers = self._storage.object_metadata(self.container, name)
        return None if headers is None else _tag(headers)

    def link(self, name: str) -> Headers:
        """Return the headers of a link itself, not those of its target; empty if there is none."""
        with self._about(name):
            return self._storage.object_metadata(self.container, name, symlink="get") or {}

    def write(self, name: str, content: bytes, **headers: str) -> tuple[str, Headers]:
        """Store an object; return its MD5 and the headers of the answer. The service checks what arrived.

        Raises Rejected with status 412 for ``If_None_Match="*"`` if one exists.
        """
        tag = md5(content).hexdigest()
        sent = {**JSON_HEADERS, "ETag": tag, **{key.replace("_", "-"): value for key, value in headers.items()}}
        try:
            answer = self._create(name, sent, content)
        except NotFound:
            self._before_create()
            with self._about(name):
                create_container(self._storage, self.container, {})
            self.made_container = True
            answer = self._create(name, sent, content)
        if _tag(answer) != tag:
            raise Unusable(
                f"{self.text(name)} was stored with other content than that sent.", next_step="Run the task again."
            )
        return tag, answer

    def _create(self, name: str, sent: Headers, content: bytes) -> Headers:
        with self._about(name):
            return create_object(self._storage, (self.container, name), sent, content, len(content))

    def describe(self, name: str, headers: Headers) -> bool:
        """Replace the metadata and the expiry of an object; return whether it exists."""
        try:
            update_object_metadata(self._storage, (self.container, name), headers)
        except NotFound:
            return False
        return True

    def remove(self, name: str) -> None:
        """Delete an object that may be gone already."""
        with self._about(name):
            self._storage.delete_object(self.container, name)

    @contextlib.contextmanager
    def _about(self, name: str) -> t.Iterator[None]:
        """Name the object in errors of the block, which do not count as changes: the user did not ask for it."""
        try:
            yield
        except FcdError as error:
            error.message = f"{self._option} ({self.text(name)}): {error.message}"
            error.details.pop(CHANGED, None)
            raise

    def _read(self, name: str) -> Stored | None:
        content = bytearray()
        answer = self._storage.read_object(self.container, name, content.extend)
        if answer.status == NOT_FOUND:
            return None
        tag = md5(bytes(content)).hexdigest()
        if _tag(answer.headers) != tag:
            raise Unclear(f"Read object: {self.text(name)} was received with other content than that stored.")
        return Stored(bytes(content), tag, answer.headers)


def _tag(headers: t.Mapping[str, str]) -> str:
    return str(headers.get("etag", "")).strip('"')
