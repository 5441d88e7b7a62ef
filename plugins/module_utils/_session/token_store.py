# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tokens kept between tasks: one private file each, shared by all processes of the user on this machine.

Only the process that holds the lock logs in; the others wait and take its token. In the memory of a process the token
serves all items of a loop. This is the only place where a token is written to a disk.
"""

from __future__ import annotations

import contextlib
import os
import typing as t
from dataclasses import asdict, dataclass, field

from .._core.clock import Clock
from .._core.digests import digest
from .._core.errors import Busy, InvalidInput, Unauthorized
from .._core.private_files import read_json, write_json
from .task import Task

LOGIN_WAIT = 90.0  # seconds for which another process may hold the lock
MARGIN, MARGIN_SHARE = 60.0, 0.1  # a token counts as over so many seconds, or that share of its life, before its end


@dataclass(frozen=True)
class Token:
    """``value`` is the token; ``expires`` is its end in seconds since the epoch, None when nobody knows.

    It is not used after ``until``, somewhat earlier. ``facts`` are texts that came with it, such as a refresh token.
    """

    value: str
    expires: float | None
    until: float | None
    facts: dict[str, str] = field(default_factory=dict)

    def live(self, clock: Clock) -> bool:
        """Return whether it may still be used."""
        return self.until is None or clock.now() < self.until


def token(value: str, seconds: float | None, asked_at: float, **facts: str | None) -> Token:
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
    that what was refused is not tried again by the next item of a loop: refusals may lock the account.
    """

    def __init__(self, task: Task, *identity: object, proof: t.Sequence[str] = ()) -> None:
        self._task = task
        self._clock = task.clock
        self._key = digest(*identity)
        self._folder = os.path.join(task.state_dir, "tokens")
        self._path = os.path.join(self._folder, self._key + ".json")
        self._slot = (os.getpid(), self._path)
        self._proof = digest(*proof) if proof else None
        self._shares = bool(task.settings["token_cache"])

    def get(self, fetch: Fetch, *, refused: str | None = None) -> Token:
        """Return a live token, out of memory, else from the disk, else what ``fetch`` makes of the old one.

        ``refused`` is the value of a token that the service did not take: it is replaced, unless another process has
        done so already.
        """
        known = _MEMORY.get(self._slot)
        if known is None or not self._fits(known, refused):
            known = self._shared(fetch, refused) if self._shares else self._fetched(fetch, known)
            _MEMORY[self._slot] = known
        self._hide(known)
        return known

    def put(self, new: Token) -> None:
        """Keep a token that came in another way."""
        self._hide(new)
        _MEMORY[self._slot] = new
        self._write(new)

    # ---------------------------------------------------------------- with other processes

    def _shared(self, fetch: Fetch, refused: str | None) -> Token:
        kept = self._read()
        if kept is not None and self._fits(kept, refused):
            return kept
        from .._engine.locks import held  # not needed while a token is kept

        began = self._clock.now()
        with contextlib.ExitStack() as stack:
            wait = self._task.deadline.within(LOGIN_WAIT, "wait for another log-in")
            try:
                stack.enter_context(held(self._folder, self._key, wait, what="an access token"))
            except Busy:
                pass  # whoever holds it hangs; one log-in more does no harm
            except (InvalidInput, OSError) as problem:
                self._give_up(problem)
                return self._fetched(fetch, kept)
            return self._replaced(fetch, refused, began)

    def _replaced(self, fetch: Fetch, refused: str | None, began: float) -> Token:
        """Look again, now that nobody else is at it, and get a new token if there is still none."""
        kept = self._read()
        if kept is not None and self._fits(kept, refused):
            return kept
        self._heed_refusal(began)
        try:
            new = self._fetched(fetch, kept)
        except Unauthorized as refusal:
            self._note_refusal(refusal)
            raise
        self._write(new)
        return new

    def _note_refusal(self, refusal: Unauthorized) -> None:
        try:
            write_json(self._path + ".refused", {"time": self._clock.now(), "message": refusal.message})
        except (InvalidInput, OSError):
            pass  # the others find out for themselves

    def _heed_refusal(self, began: float) -> None:
        """Raise when another process was refused while this one waited for it: it would fare no better."""
        note = read_json(self._path + ".refused")
        try:
            fresh = began < float(note["time"]) <= self._clock.now()
            message = str(note["message"])
        except (TypeError, KeyError, ValueError):
            return
        if fresh:
            raise Unauthorized(
                f"{message} That was the answer to another task; this one did not log in.",
                next_step="Check the credentials before the next try: every further refusal may lock the account.",
            )

    # ---------------------------------------------------------------- parts

    def _fetched(self, fetch: Fetch, old: Token | None) -> Token:
        slot = (*self._slot, self._proof)
        if slot in _REFUSALS:
            raise _REFUSALS[slot]
        try:
            return fetch(old)
        except Unauthorized as refusal:
            if self._proof is not None:
                _REFUSALS[slot] = refusal
            raise

    def _fits(self, kept: Token, refused: str | None) -> bool:
        return kept.value != refused and kept.live(self._clock)

    def _read(self) -> Token | None:
        found = read_json(self._path)
        try:
            facts = {str(name): str(fact) for name, fact in found["facts"].items()}
            return Token(str(found["value"]), float(found["expires"]), float(found["until"]), facts)
        except (TypeError, KeyError, ValueError, AttributeError):
            return None

    def _write(self, new: Token) -> None:
        if not self._shares or new.until is None:  # nobody would know when to stop using it
            return
        try:
            write_json(self._path, asdict(new))
        except (InvalidInput, OSError) as problem:
            self._give_up(problem)

    def _hide(self, shown: Token) -> None:
        self._task.redactor.add(shown.value)
        self._task.redactor.add(shown.facts.get("refresh_token"))

    def _give_up(self, problem: Exception) -> None:
        """Do without the disk."""
        self._shares = False
        why = str(problem) if isinstance(problem, InvalidInput) else getattr(problem, "strerror", None)
        self._task.warn(f"Tokens are not kept between tasks: {why or 'state_dir cannot be used.'}")


_MEMORY: dict[tuple[int, str], Token] = {}
_REFUSALS: dict[tuple[int, str, str | None], Unauthorized] = {}
