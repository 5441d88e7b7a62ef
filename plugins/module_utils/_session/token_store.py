# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tokens kept between tasks: one private file each, shared by all processes of the user on this machine.

Only the process that holds the lock logs in; the others wait and take its token. In the memory of a process the token
serves all items of a loop. This is the only place where a token is written to a disk.
"""

from __future__ import annotations

import os
import typing as t
from dataclasses import asdict, dataclass, field

from .._core.clock import Clock
from .._core.digests import digest
from .._core.errors import InvalidInput
from .._core.private_files import read_json, write_json
from .._engine.locks import held
from .task import Task

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
    """The token of one identity at one address, for one purpose."""

    def __init__(self, task: Task, *identity: object) -> None:
        self._task = task
        self._key = digest(*identity)
        self._folder = os.path.join(task.state_dir, "tokens")
        self._path = os.path.join(self._folder, self._key + ".json")
        self._slot = (os.getpid(), self._path)

    def get(self, fetch: Fetch, *, refused: str | None = None) -> Token:
        """Return a live token, out of memory, else from the disk, else what ``fetch`` makes of the old one.

        ``refused`` is the value of a token that the service did not take: it is replaced, unless another process has
        done so already.
        """
        known = _MEMORY.get(self._slot)
        if known is None or not self._fits(known, refused):
            known = self._shared(fetch, refused) if self._task.settings["token_cache"] else fetch(known)
            _MEMORY[self._slot] = known
        self._hide(known)
        return known

    def put(self, new: Token) -> None:
        """Keep a token that came in another way."""
        self._hide(new)
        _MEMORY[self._slot] = new
        if self._task.settings["token_cache"]:
            try:
                self._write(new)
            except (InvalidInput, OSError) as problem:
                self._without(problem)

    def _shared(self, fetch: Fetch, refused: str | None) -> Token:
        kept = self._read()
        if kept is not None and self._fits(kept, refused):
            return kept
        lock = held(self._folder, self._key, self._task.deadline.within(None, "task"), what="an access token")
        try:
            lock.__enter__()
        except (InvalidInput, OSError) as problem:
            self._without(problem)
            return fetch(kept)
        try:
            return self._replaced(fetch, refused)
        finally:
            lock.__exit__(None, None, None)

    def _replaced(self, fetch: Fetch, refused: str | None) -> Token:
        """Look again, now that nobody else is at it, and get a new token if there is still none."""
        kept = self._read()
        if kept is not None and self._fits(kept, refused):
            return kept
        new = fetch(kept)
        try:
            self._write(new)
        except (InvalidInput, OSError) as problem:
            self._without(problem)
        return new

    def _fits(self, kept: Token, refused: str | None) -> bool:
        return kept.value != refused and kept.live(self._task.clock)

    def _read(self) -> Token | None:
        found = read_json(self._path)
        try:
            facts = {str(name): str(fact) for name, fact in found["facts"].items()}
            return Token(str(found["value"]), float(found["expires"]), float(found["until"]), facts)
        except (TypeError, KeyError, ValueError, AttributeError):
            return None

    def _write(self, new: Token) -> None:
        if new.until is not None:  # else nobody would know when to stop using it
            write_json(self._path, asdict(new))

    def _hide(self, shown: Token) -> None:
        self._task.redactor.add(shown.value)
        for fact in shown.facts.values():
            self._task.redactor.add(fact)

    def _without(self, problem: Exception) -> None:
        text = problem.message if isinstance(problem, InvalidInput) else str(getattr(problem, "strerror", problem))
        self._task.warn(f"Tokens are not kept for later tasks, each logs in anew: {text} Set state_dir or token_cache.")


_MEMORY: dict[tuple[int, str], Token] = {}
