# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The account of a task: how it logs in, credentials that renew themselves, tokens that are kept between tasks.

A token is in one private file, shared by all processes of the user on this host. In the memory of a process, it serves
all items of a loop. Of all processes that need a new one at the same time, only the one that holds the lock logs in;
the others wait and take its token. A process that waited for a log-in that was refused does not try the same again:
refusals may lock the account. Tokens are written to the disk only here.
"""

from __future__ import annotations

import contextlib
import os
import threading
import typing as t

from .._core.clock import Clock
from .._core.errors import Busy, InvalidInput, Rejected, Unauthorized, Unclear
from .._core.private_files import file_lock, read_json, write_json
from .._core.text import digest
from .._core.type_aliases import JsonObject
from .identity import Identity
from .options import IDENTITY
from .task import Task, exchange

MARGIN, MARGIN_SHARE = 60.0, 0.1  # a token counts as expired so many seconds, or that share of its life, before its end
MARK_DIGITS = 4  # hexadecimal digits
PASSWORD_GRANT = ("username", "password", "scope")
MAX_TOKEN_BYTES = 1 << 16  # of its file; what is longer is no token that a header could hold
LOGIN_WAIT = 90.0  # seconds for which another process may hold the lock


class Token(t.NamedTuple):
    """``value`` is the token; ``expires`` is its end in seconds since the epoch, None if it is not known.

    It is not used after ``until``, somewhat earlier. ``facts`` are texts that came with it, such as a refresh token.
    """

    value: str
    expires: float | None
    until: float | None
    facts: dict[str, str]

    def is_alive(self, clock: Clock) -> bool:
        """Return whether it may still be used."""
        return self.until is None or clock.now() < self.until


def expiring_token(value: str, seconds: float | None, asked_at: float, **facts: str | None) -> Token:
    """Return a token that lives for ``seconds`` from the moment it was asked for."""
    kept = {name: fact for name, fact in facts.items() if fact}
    if seconds is None:
        return Token(value, None, None, kept)
    expires = asked_at + seconds
    return Token(value, expires, expires - min(MARGIN, seconds * MARGIN_SHARE), kept)


LogIn = t.Callable[[t.Optional[Token]], Token]  # gets the old token, which may be refreshed


class TokenStore:
    """The token of one identity at one address, for one purpose.

    ``identity`` names it and holds no secret. ``proof`` are the secrets that it logs in with; they stay in memory, so
    that what was refused is not tried again by the next item of a loop: refusals may lock the account. ``mark`` is
    written to the disk with the token, which is not for a task with other secrets. It is so short that it rules out
    most wrong guesses, but leaves many thousands of them.
    """

    def __init__(self, task: Task, *identity: object, proof: t.Sequence[str] = ()) -> None:
        self.task = task
        self.key = digest(*identity)
        self.folder = os.path.join(task.state_dir, "tokens")
        self.path = os.path.join(self.folder, self.key + ".json")
        self.proof = digest(*proof) if proof else None
        self.mark = digest(*identity, *proof)[:MARK_DIGITS] if proof else None
        self.on_disk = bool(task.settings["token_cache"])
        self._slot = (os.getpid(), self.path, self.proof)

    def get(self, log_in: LogIn, *, refused: str | None = None) -> Token:
        """Return a valid token, from memory, else from the disk, else what ``log_in`` makes of the old one.

        ``refused`` is the value of a token that the service did not accept: it is replaced, unless another process has
        already done so. Of several threads one does it, and the others take its token.
        """
        found = self._if_valid(_MEMORY.get(self._slot), refused)
        if found is None:
            with _ONE_AT_A_TIME.setdefault(self._slot, threading.Lock()):
                old = _MEMORY.get(self._slot)
                found = self._if_valid(old, refused)
                if found is None:
                    old = self.read() or old
                    found = self._remember(self._if_valid(old, refused) or self._renew(log_in, old, refused))
        return self._remember(found)

    def put(self, new: Token) -> None:
        """Keep a token that was obtained in another way."""
        self._write(new)
        self._remember(new)

    def fetch(self, log_in: LogIn, old: Token | None) -> Token:
        """Return what ``log_in`` makes of the old token. Raises again, untried, what it raised for the same secrets."""
        if self._slot in _REFUSALS:
            raise _REFUSALS[self._slot]
        try:
            return log_in(old)
        except Unauthorized as refusal:
            if self.proof is not None:
                _REFUSALS[self._slot] = refusal
            if self.on_disk:
                note = {"time": self.task.clock.now(), "message": refusal.message, "made_with": self.mark}
                with contextlib.suppress(InvalidInput):  # then the others find out for themselves
                    write_json(self.path + ".refused", note)
            raise

    def read(self) -> Token | None:
        """Return the token on the disk, valid or not."""
        found: t.Any = read_json(self.path, MAX_TOKEN_BYTES) if self.on_disk else None
        try:
            if found["made_with"] != self.mark:
                return None
            facts = {str(name): str(fact) for name, fact in found["facts"].items()}
            return Token(str(found["value"]), float(found["expires"]), float(found["until"]), facts)
        except (TypeError, KeyError, ValueError, AttributeError):
            return None

    def _if_valid(self, token: Token | None, refused: str | None) -> Token | None:
        """Return the token if it can be used."""
        usable = token is not None and token.value != refused and token.is_alive(self.task.clock)
        return token if usable else None

    def _remember(self, token: Token) -> Token:
        _MEMORY[self._slot] = token
        self.task.redactor.add(token.value, token.facts.get("refresh_token"))
        return token

    def _renew(self, log_in: LogIn, old: Token | None, refused: str | None) -> Token:
        """Return the token that another process has obtained meanwhile, else what ``log_in`` makes of the old one."""
        if not self.on_disk:
            return self.fetch(log_in, old)
        start = self.task.clock.now()
        with contextlib.ExitStack() as stack:
            wait = self.task.deadline.within(LOGIN_WAIT, "wait for another log-in")
            try:
                stack.enter_context(file_lock(self.folder, self.key, wait, what="an access token"))
            except Busy:
                pass  # the process that holds it hangs; one more log-in does no harm
            except (InvalidInput, OSError) as problem:
                self._give_up(problem)
                return self.fetch(log_in, old)
            old = self.read()
            found = self._if_valid(old, refused)
            if found is None:
                self._heed_refusal(start)
                found = self.fetch(log_in, old)
                self._write(found)
            return found

    def _write(self, new: Token) -> None:
        """Keep the token on the disk; without a known end, nobody could tell when to stop using it."""
        if self.on_disk and new.until is not None:
            try:
                write_json(self.path, {**new._asdict(), "made_with": self.mark})
            except InvalidInput as problem:
                self._give_up(problem)

    def _heed_refusal(self, start: float) -> None:
        """Raise if another process was refused since ``start``, while this one waited: the same would happen again."""
        note = read_json(self.path + ".refused")
        try:
            fresh = note["made_with"] == self.mark and start < float(note["time"]) <= self.task.clock.now()
            message = str(note["message"])
        except (TypeError, KeyError, ValueError):
            return
        if fresh:
            raise Unauthorized(
                f"{message} This was the answer to another task; this one did not log in.",
                next_step="Check the credentials before you try again: every further refusal may lock the account.",
            )

    def _give_up(self, problem: Exception) -> None:
        """Stop using the disk."""
        self.on_disk = False
        self.task.warn(f"Tokens are not kept between tasks: {problem}")


Slot = t.Tuple[int, str, t.Optional[str]]
_MEMORY: dict[Slot, Token] = {}
_ONE_AT_A_TIME: dict[Slot, threading.Lock] = {}
_REFUSALS: dict[Slot, Unauthorized] = {}


class IdentityAccount:
    """The account that a task logs in with."""

    def __init__(self, task: Task) -> None:
        task.settings.require((IDENTITY,))
        self._task, settings = task, task.settings
        parts = (settings["auth_url"].rstrip("/"), settings["api_client_id"], settings["username"], settings["scope"])
        self._store = TokenStore(task, IDENTITY, *parts, proof=(settings["password"], settings["api_client_secret"]))

    def token(self, *, refused: str | None = None) -> JsonObject:
        """Return ``token``, which is valid, ``token_type`` and ``expires_at``, in seconds since the epoch.

        If there is a ``refresh_token``, it is included. A ``refused`` token is replaced, unless another task has
        already done so.
        """
        return self._answer(self._store.get(self._issue, refused=refused))

    def new_token(self, refresh_token: str | None = None) -> JsonObject:
        """Return a new token, by refreshing or by logging in, and keep it."""
        new = self._refresh(refresh_token) if refresh_token else self._store.fetch(lambda _old: self._log_in(), None)
        self._store.put(new)
        return self._answer(new)

    def _issue(self, old: Token | None) -> Token:
        """Refresh if there is a kept refresh token; if there is none, or that fails, log in with the password."""
        if old is not None and old.facts.get("refresh_token"):
            try:
                return self._refresh(old.facts["refresh_token"])
            except (Rejected, Unclear):
                pass  # expired, or used by another task just now; the password is available
        return self._log_in()

    def _log_in(self) -> Token:
        settings = self._task.settings
        return self._ask(lambda server: server.issue_token(*(settings[name] for name in PASSWORD_GRANT)))

    def _refresh(self, refresh_token: str) -> Token:
        self._task.redactor.add(refresh_token)
        return self._ask(lambda server: {"refresh_token": refresh_token, **server.refresh(refresh_token)})

    def _ask(self, ask: t.Callable[[Identity], JsonObject]) -> Token:
        settings, asked_at = self._task.settings, self._task.clock.now()
        sender = exchange(self._task)
        answer = ask(Identity(sender, settings["auth_url"], settings["api_client_id"], settings["api_client_secret"]))
        facts = {name: answer.get(name) for name in ("token_type", "refresh_token")}
        return expiring_token(answer["access_token"], answer["expires_in"], asked_at, **facts)

    def _answer(self, found: Token) -> JsonObject:
        return {"token": found.value, "expires_at": found.expires, **found.facts}


class AccountCredentials:
    """Bearer credentials of an account; a token that was refused is replaced once.

    Threads may share them: each remembers which token it sent, so that it does not mistake a new one for the refused
    one.
    """

    advice = "The token was new: check that base_url and auth_url belong together."

    def __init__(self, account: IdentityAccount) -> None:
        self._account = account
        self._sent = threading.local()

    def headers(self) -> dict[str, str]:
        """Return the header; logs in if there is no kept token."""
        self._sent.token = self._account.token()["token"]
        return {"Authorization": f"Bearer {self._sent.token}"}

    def renew(self) -> bool:
        """Get a new token to replace the refused one."""
        self._account.token(refused=self._sent.token)
        return True


class GivenToken:
    """A token that the user gave: it cannot be renewed."""

    advice = (
        "The access_token that was given (option, FCD_ACCESS_TOKEN or profile) was refused: it has expired or was "
        "revoked. Omit it, and the collection logs in and gets its own; or give a new one."
    )

    def __init__(self, token: str) -> None:
        """Keep it. Raises InvalidInput for what cannot be a token."""
        if not token.isprintable() or " " in token:
            raise InvalidInput(
                "access_token: it contains a space, a line break or another character that is not allowed in a token.",
                next_step="Give only the token; if you read it from a file, you may need the filter trim.",
                option="access_token",
            )
        self._token = token

    def headers(self) -> dict[str, str]:
        """Return the header."""
        return {"Authorization": f"Bearer {self._token}"}

    def renew(self) -> bool:
        """Return False: there is no other token."""
        return False
