# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The client of the object storage, and its token."""

from __future__ import annotations

import threading
from urllib.parse import urlsplit

from .._connection.credentials import Token, TokenStore
from .._connection.options import STORAGE, OptionSpecs
from .._connection.task import Operation, Params, Result, Task, exchange
from .._core.errors import FcdError, InvalidInput, Unusable
from .._http.client import Exchange
from .._http.messages import origin
from .access import log_in, read_features
from .api import ObjectStorage
from .check_mode_storage import CheckModeStorage
from .features import Features


def object_storage(task: Task, sender: Exchange | None = None) -> ObjectStorage:
    """Return the client; it logs in now unless a token is kept, for the storage address comes with the token.

    Threads may share it; each has a connection of its own while it sends. ``sender`` sends its requests instead of an
    exchange of its own.
    """
    if task.clients is not None:
        return task.clients.of("object_storage", object_storage)
    require_settings(task)
    credentials = StorageCredentials(task)
    settings = task.settings
    storage = ObjectStorage(
        sender or exchange(task, direct=True),
        credentials,
        credentials.url,
        settings["timeout"],
        task.warn,
        settings["storage_user"],
    )
    if task.planned_objects is None:
        return storage

    return storage.reading(CheckModeStorage(task, task.planned_objects, storage).read)


def require_settings(task: Task) -> None:
    """Raise MissingSettings or InvalidInput when the object storage cannot be used with these settings."""
    task.settings.require((STORAGE,))
    path = urlsplit(_base(task)).path
    if path:
        raise InvalidInput(
            f"storage_base: give only the address of the host, without the path {path}.",
            next_step=f"Set it to {_base(task)[: -len(path)]}; the rest of the address comes with the token.",
            option="storage_base",
        )


def service_features(task: Task) -> dict[str, object]:
    """Return what the service says about itself, nothing if it does not (the contract does not mention this)."""
    if task.clients is not None:
        return task.clients.of("storage_features", service_features)
    require_settings(task)
    try:
        return read_features(exchange(task, direct=True), _base(task)) or {}
    except FcdError:
        return {}


def features_of(task: Task) -> Features:
    """Return what the service offers, requested when it matters. Raises what ``require_settings`` does."""
    require_settings(task)
    return Features(lambda: service_features(task))


class StorageCredentials:
    """The token of a task. A refused one is replaced once: it may have expired, or been revoked.

    Threads may share them: each remembers which token it sent, so that it does not take a new one for the refused one.
    """

    advice = "The token was new: check the access lists of the container and the role of the user."

    def __init__(self, task: Task, *, renew: bool = False) -> None:
        """Log in unless a token is kept, or to ``renew`` it in any case. Raises Unauthorized, Unusable."""
        self._task = task
        settings = task.settings
        parts = (_base(task), settings["storage_user"], settings["storage_key_encoding"])
        self._store = TokenStore(task, STORAGE, *parts, proof=(settings["storage_key"],))
        if renew:
            self.token = self._check_address(self._store.fetch(lambda _old: self._issue(None, renewed=True), None))
            self._store.put(self.token)
        else:
            self.token = self._check_address(self._store.get(self._issue))
        self._sent = threading.local()

    @property
    def url(self) -> str:
        """The storage address of the account."""
        return self.token.facts["url"]

    def headers(self) -> dict[str, str]:
        """Return the header."""
        self._sent.token = self.token.value
        return {"X-Auth-Token": self._sent.token}

    def renew(self) -> bool:
        """Replace the refused token by one that another task has got meanwhile, or by logging in."""
        self.token = self._check_address(self._store.get(self._issue, refused=self._sent.token))
        return True

    def _issue(self, _old: Token | None, *, renewed: bool = False) -> Token:
        return log_in(self._task, _base(self._task), renewed=renewed)

    def _check_address(self, found: Token) -> Token:
        """Return the token when it may go to the address that came with it. Raises Unusable."""
        base, url = _base(self._task), found.facts.get("url", "")
        if origin(base) != origin(url):
            raise Unusable(
                f"The storage address that came with the token is on {origin(url)}, not on {origin(base)}; "
                "the token was not sent there.",
                next_step="If that is the right host of the service, set storage_base to it.",
                operation="Obtain token",
            )
        return found


def _base(task: Task) -> str:
    return str(task.settings["storage_base"]).rstrip("/")


def issue_token(task: Task, params: Params) -> Result:
    """Return a token; a renewal changes something, for it revokes every other, so check mode leaves that out."""
    require_settings(task)
    known = StorageCredentials(task, renew=params["renew"] and not task.check_mode).token
    return {
        "changed": params["renew"],
        "storage_token": known.value,
        "storage_url": known.facts["url"],
        "expires_in": None if known.expires is None else int(known.expires - task.clock.now()),
    }


TOKEN_OPTIONS: OptionSpecs = {"renew": {"type": "bool", "default": False}}
OPERATION = Operation("storage_token", (STORAGE,), TOKEN_OPTIONS, issue_token, returns_secrets=True)
