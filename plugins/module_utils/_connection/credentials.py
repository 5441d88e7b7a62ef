# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The account of a task: credentials that renew themselves, and tokens that are kept between tasks.

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
from .._core.files import file_lock, read_json, write_json
from .._core.text import digest
from .options import IDENTITY
from .task import Task, exchange

if t.TYPE_CHECKING:
    from .identity import Identity

MARGIN, MARGIN_SHARE = 60.0, 0.1  # a token counts as expired so many seconds, or that share of its life, before its end
MARK = 4  # hexadecimal digits
LOGIN_WAIT = 90.0  # seconds for which another process may hold the lock


class Token(t.NamedTuple):
    """``value`` is the token; ``expires`` is its end in seconds since the epoch, None if it is not known.

    It is not used after ``until``, somewhat earlier. ``facts`` are texts that came with it, such as a refresh token.
    """

    value: str
    expires: float | None
    until: float | None
    facts: dict[str, str]

    def live(self, clock: Clock) -> bool:
        """Return whether it may still be used."""
        return self.until is None or clock.now() < self.until


def expiring_token(value: str, seconds: float | None, asked_at: float, **facts: str | None) -> Token:
    """Return a token that lives for ``seconds`` from the moment it was asked for."""
    kept = {name: fact for name, fact in facts.items() if fact}
    if seconds is None:
        return Token(value, None, None, kept)
    expires = asked_at + seconds
    return Token(value, expires, expires - min(MARGIN, seconds * MARGIN_SHARE), kept)


Fetch = t.Callable[[t.Optional[Token]], Token]


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
        self.mark = digest(*identity, *proof)[:MARK] if proof else None
        self.on_disk = bool(task.settings["token_cache"])
        self._slot = (os.getpid(), self.path, self.proof)

    def get(self, fetch: Fetch, *, refused: str | None = None) -> Token:
        """Return a valid token, from memory, else from the disk, else what ``fetch`` makes of the old one.

        ``refused`` is the value of a token that the service did not accept: it is replaced, unless another process has
        already done so. Of several threads one does it, and the others take its token.
        """
        known = _MEMORY.get(self._slot)
        if known is not None and self.fits(known, refused):
            return self._remembered(known)
        with _ONE_AT_A_TIME.setdefault(self._slot, threading.Lock()):
            return self._found(fetch, refused)

    def _found(self, fetch: Fetch, refused: str | None) -> Token:
        known = _MEMORY.get(self._slot)
        if not self.fits(known, refused):
            kept = self.read()
            known = kept if kept is not None else known
        if known is None or not self.fits(known, refused):
            known = _renewed(self, fetch, known, refused)
        return self._remembered(known)

    def put(self, new: Token) -> None:
        """Keep a token that was obtained in another way."""
        _write(self, new)
        self._remembered(new)

    def fits(self, known: Token | None, refused: str | None) -> bool:
        """Return whether this token can be used."""
        return known is not None and known.value != refused and known.live(self.task.clock)

    def read(self) -> Token | None:
        """Return the token on the disk, valid or not."""
        found: t.Any = read_json(self.path) if self.on_disk else None
        try:
            if found["made_with"] != self.mark:
                return None
            facts = {str(name): str(fact) for name, fact in found["facts"].items()}
            return Token(str(found["value"]), float(found["expires"]), float(found["until"]), facts)
        except (TypeError, KeyError, ValueError, AttributeError):
            return None

    def _remembered(self, known: Token) -> Token:
        _MEMORY[self._slot] = known
        self.task.redactor.add(known.value)
        self.task.redactor.add(known.facts.get("refresh_token"))
        return known


_MEMORY: dict[tuple[int, str, t.Optional[str]], Token] = {}
_ONE_AT_A_TIME: dict[tuple[int, str, t.Optional[str]], threading.Lock] = {}


def _renewed(store: TokenStore, fetch: Fetch, old: Token | None, refused: str | None) -> Token:
    """Return the token that another process has obtained in the meantime, else what ``fetch`` makes of the old one."""
    if not store.on_disk:
        return fetch_token(store, fetch, old)
    began = store.task.clock.now()
    with contextlib.ExitStack() as stack:
        wait = store.task.deadline.within(LOGIN_WAIT, "wait for another log-in")
        try:
            stack.enter_context(file_lock(store.folder, store.key, wait, what="an access token"))
        except Busy:
            pass  # the process that holds it hangs; one more log-in does no harm
        except (InvalidInput, OSError) as problem:
            _give_up(store, str(problem))
            return fetch_token(store, fetch, old)
        kept = store.read()
        if kept is not None and store.fits(kept, refused):
            return kept
        _heed_refusal(store, began)
        new = fetch_token(store, fetch, kept)
        _write(store, new)
        return new


def fetch_token(store: TokenStore, fetch: Fetch, old: Token | None) -> Token:
    """Return what ``fetch`` makes of the old token. Raises again, untried, what it raised for the same secrets."""
    slot = (os.getpid(), store.path, store.proof)
    if slot in _REFUSALS:
        raise _REFUSALS[slot]
    try:
        return fetch(old)
    except Unauthorized as refusal:
        if store.proof is not None:
            _REFUSALS[slot] = refusal
        _note_refusal(store, refusal)
        raise


def _write(store: TokenStore, new: Token) -> None:
    """Keep the token on the disk, if it belongs there; without a known end, nobody could tell when to stop using it."""
    if not store.on_disk or new.until is None:
        return
    try:
        write_json(store.path, {**new._asdict(), "made_with": store.mark})
    except InvalidInput as problem:
        _give_up(store, str(problem))


def _note_refusal(store: TokenStore, refusal: Unauthorized) -> None:
    if store.on_disk:
        with contextlib.suppress(InvalidInput):  # then the others find out for themselves
            note = {"time": store.task.clock.now(), "message": refusal.message, "made_with": store.mark}
            write_json(store.path + ".refused", note)


def _heed_refusal(store: TokenStore, began: float) -> None:
    """Raise if another process was refused while this one waited for it: the same would happen again."""
    note = read_json(store.path + ".refused")
    try:
        fresh = note["made_with"] == store.mark and began < float(note["time"]) <= store.task.clock.now()
        message = str(note["message"])
    except (TypeError, KeyError, ValueError):
        return
    if fresh:
        raise Unauthorized(
            f"{message} This was the answer to another task; this one did not log in.",
            next_step="Check the credentials before you try again: every further refusal may lock the account.",
        )


def _give_up(store: TokenStore, why: str) -> None:
    """Stop using the disk."""
    store.on_disk = False
    store.task.warn(f"Tokens are not kept between tasks: {why}")


_REFUSALS: dict[tuple[int, str, t.Optional[str]], Unauthorized] = {}


Answer = t.Dict[str, t.Any]


class IdentityAccount:
    """The account that a task logs in with."""

    def __init__(self, task: Task) -> None:
        task.settings.require((IDENTITY,))
        self._task, settings = task, task.settings
        parts = (settings["auth_url"].rstrip("/"), settings["api_client_id"], settings["username"], settings["scope"])
        self._store = TokenStore(task, IDENTITY, *parts, proof=(settings["password"], settings["api_client_secret"]))

    def token(self, *, refused: str | None = None) -> Answer:
        """Return ``token``, which is valid, ``token_type`` and ``expires_at``, in seconds since the epoch.

        If there is a ``refresh_token``, it is included. A ``refused`` token is replaced, unless another task has
        already done so.
        """
        return self._answer(self._store.get(self._issued, refused=refused))

    def new_token(self, refresh_token: str | None = None) -> Answer:
        """Return a new token, by refreshing or by logging in, and keep it."""
        if refresh_token:
            new = self._refreshed(refresh_token)
        else:
            new = fetch_token(self._store, lambda _old: self._logged_in(), None)
        self._store.put(new)
        return self._answer(new)

    def _issued(self, old: Token | None) -> Token:
        """Refresh if there is a kept refresh token; if there is none, or that fails, log in with the password."""
        if old is not None and old.facts.get("refresh_token"):
            try:
                return self._refreshed(old.facts["refresh_token"])
            except (Rejected, Unclear):
                pass  # expired, or used by another task just now; the password is available
        return self._logged_in()

    def _logged_in(self) -> Token:
        settings, asked_at = self._task.settings, self._task.clock.now()
        answer = self._identity().issue_token(settings["username"], settings["password"], settings["scope"])
        return _kept(answer, asked_at)

    def _refreshed(self, refresh_token: str) -> Token:
        self._task.redactor.add(refresh_token)
        asked_at = self._task.clock.now()
        return _kept({"refresh_token": refresh_token, **self._identity().refresh(refresh_token)}, asked_at)

    def _identity(self) -> Identity:
        from .identity import Identity  # not needed while there is a kept token

        settings, sender = self._task.settings, exchange(self._task)
        return Identity(sender, settings["auth_url"], settings["api_client_id"], settings["api_client_secret"])

    def _answer(self, found: Token) -> Answer:
        return {"token": found.value, "expires_at": found.expires, **found.facts}


def _kept(answer: t.Mapping[str, t.Any], asked_at: float) -> Token:
    facts = {name: answer.get(name) for name in ("token_type", "refresh_token")}
    return expiring_token(answer["access_token"], answer["expires_in"], asked_at, **facts)


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
