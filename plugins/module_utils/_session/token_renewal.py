# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A new token in place of one that is over or was refused, for all processes that need it at the same time.

Only the process that holds the lock logs in; the others wait and take its token. Whoever waited for a log-in that was
refused does not try the same again: refusals may lock the account.
"""

from __future__ import annotations

import contextlib
import os
import typing as t

from .._core.errors import Busy, InvalidInput, Unauthorized
from .._core.private_files import read_json, write_json
from .._engine.locks import file_lock
from .token_store import Fetch, Token, TokenStore

LOGIN_WAIT = 90.0  # seconds for which another process may hold the lock


def renewed(store: TokenStore, fetch: Fetch, old: Token | None, refused: str | None) -> Token:
    """Return what another process has got meanwhile, else what ``fetch`` makes of the old token."""
    if not store.on_disk:
        return fetched(store, fetch, old)
    began = store.task.clock.now()
    with contextlib.ExitStack() as stack:
        wait = store.task.deadline.within(LOGIN_WAIT, "wait for another log-in")
        try:
            stack.enter_context(file_lock(store.folder, store.key, wait, what="an access token"))
        except Busy:
            pass  # whoever holds it hangs; one log-in more does no harm
        except (InvalidInput, OSError) as problem:
            _give_up(store, str(problem))
            return fetched(store, fetch, old)
        kept = store.read()
        if kept is not None and store.fits(kept, refused):
            return kept
        _heed_refusal(store, began)
        new = fetched(store, fetch, kept)
        write(store, new)
        return new


def fetched(store: TokenStore, fetch: Fetch, old: Token | None) -> Token:
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


def write(store: TokenStore, new: Token) -> None:
    """Keep the token on the disk, if it is to be there; without a known end nobody could tell when to stop using it."""
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
    """Raise when another process was refused while this one waited for it: it would fare no better."""
    note = read_json(store.path + ".refused")
    try:
        fresh = note["made_with"] == store.mark and began < float(note["time"]) <= store.task.clock.now()
        message = str(note["message"])
    except (TypeError, KeyError, ValueError):
        return
    if fresh:
        raise Unauthorized(
            f"{message} That was the answer to another task; this one did not log in.",
            next_step="Check the credentials before the next try: every further refusal may lock the account.",
        )


def _give_up(store: TokenStore, why: str) -> None:
    """Do without the disk."""
    store.on_disk = False
    store.task.warn(f"Tokens are not kept between tasks: {why}")


_REFUSALS: dict[tuple[int, str, t.Optional[str]], Unauthorized] = {}
