# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tokens kept between tasks: one private file for each account, so that a play logs in once."""

from __future__ import annotations

import contextlib
import os
import typing as t

from .._core.clock import Clock, Deadline
from .._core.digests import digest
from .._core.errors import FcdError
from .._core.private_files import read_json, remove, write_json
from .._engine.locks import held

LOGIN_WAIT = 90.0  # seconds to wait for another task that is logging in
SHORTEST_MARGIN, MARGIN_SHARE = 60.0, 0.1

Answer = t.Dict[str, t.Any]


class TokenStore:
    """The kept token of one account.

    ``identity`` (address, user, scope and the like; no secret) names the file by its digest. What is kept is a
    dictionary with ``token``, ``expires_at`` (seconds since the epoch) and whatever else belongs to it.
    """

    def __init__(
        self, folder: str, identity: t.Sequence[object], clock: Clock, warn: t.Callable[[str], None], *, enabled: bool
    ) -> None:
        self._key = digest(*identity)
        self._folder = os.path.join(folder, "tokens")
        self._path = os.path.join(self._folder, self._key + ".json")
        self._clock = clock
        self._warn = warn
        self._enabled = enabled

    def get(self) -> Answer | None:
        """Return the kept token while it is good for a while longer."""
        kept = read_json(self._path) if self._enabled else None
        if not isinstance(kept, dict) or not isinstance(kept.get("token"), str):
            return None
        return kept if self._fresh(kept) else None

    def obtain(self, log_in: t.Callable[[Answer | None], Answer], *, refused: str | None = None) -> Answer:
        """Return a good token: the kept one, or a new one from ``log_in``, which gets what was kept before.

        ``refused`` is a token that the service did not take: it is replaced, unless another task has done so already.
        Tasks that need a token at the same time log in once. Without a usable folder nothing is kept, with a warning.
        """
        with self._locked():
            kept = self.get()
            if kept is not None and kept["token"] != refused:
                return kept
            new = log_in(self._known())
            self._keep(new)
            return new

    def drop(self) -> None:
        """Forget the kept token."""
        with contextlib.suppress(OSError):
            remove(self._path)

    def _known(self) -> Answer | None:
        known = read_json(self._path) if self._enabled else None
        return known if isinstance(known, dict) else None

    def _fresh(self, kept: Answer) -> bool:
        expires, lifetime = kept.get("expires_at"), kept.get("lifetime")
        if not isinstance(expires, (int, float)):
            return False
        margin = SHORTEST_MARGIN
        if isinstance(lifetime, (int, float)):
            margin = min(SHORTEST_MARGIN, lifetime * MARGIN_SHARE)
        return self._clock.now() < expires - margin

    @contextlib.contextmanager
    def _locked(self) -> t.Iterator[None]:
        if not self._enabled:
            yield
            return
        with contextlib.ExitStack() as stack:
            try:
                wait = Deadline(self._clock, LOGIN_WAIT, "wait for another log-in")
                stack.enter_context(held(self._folder, self._key, wait, what="a token"))
            except (OSError, FcdError) as exc:
                self._disable(exc)
            yield

    def _keep(self, new: Answer) -> None:
        if not self._enabled:
            return
        try:
            write_json(self._path, new)
        except (OSError, FcdError) as exc:
            self._disable(exc)

    def _disable(self, exc: Exception) -> None:
        self._enabled = False
        why = exc.strerror if isinstance(exc, OSError) else str(exc)
        self._warn(
            f"Tokens are not kept, so that every task logs in: {self._folder} cannot be used ({why}). See state_dir."
        )
