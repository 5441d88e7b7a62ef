# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tokens kept between tasks: one private file each, shared by all processes of the user on this machine.

In the memory of a process a token serves all items of a loop. This, with token_renewal, is the only place where a token
is written to a disk.
"""

from __future__ import annotations

import os
import threading
import typing as t

from .._core.clock import Clock
from .._core.digests import digest
from .._core.private_files import read_json
from .task import Task

MARGIN, MARGIN_SHARE = 60.0, 0.1  # a token counts as over so many seconds, or that share of its life, before its end
MARK = 4  # hexadecimal digits


class Token(t.NamedTuple):
    """``value`` is the token; ``expires`` is its end in seconds since the epoch, None when nobody knows.

    It is not used after ``until``, somewhat earlier. ``facts`` are texts that came with it, such as a refresh token.
    """

    value: str
    expires: float | None
    until: float | None
    facts: dict[str, str]

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
    that what was refused is not tried again by the next item of a loop: refusals may lock the account. ``mark`` goes to
    the disk with the token, which is not for a task with other secrets. It is so short that whoever reads it can tell
    one of many thousand guesses from the others, and no more.
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
        """Return a live token, out of memory, else from the disk, else what ``fetch`` makes of the old one.

        ``refused`` is the value of a token that the service did not take: it is replaced, unless another process has
        done so already. Of several threads one does it, and the others take its token.
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
            from .token_renewal import renewed  # not needed while a token is kept

            known = renewed(self, fetch, known, refused)
        return self._remembered(known)

    def put(self, new: Token) -> None:
        """Keep a token that came in another way."""
        from .token_renewal import write

        write(self, new)
        self._remembered(new)

    def fits(self, known: Token | None, refused: str | None) -> bool:
        """Return whether this token can be used."""
        return known is not None and known.value != refused and known.live(self.task.clock)

    def read(self) -> Token | None:
        """Return the token on the disk, live or not."""
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
