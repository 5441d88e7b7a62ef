# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Threads of one task share its token: one of them logs in, or renews it, and the others take what it got."""

from __future__ import annotations

import threading
import typing as t
from concurrent.futures import ThreadPoolExecutor

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._connection.credentials import (
    AccountCredentials,
    IdentityAccount,
    Token,
    TokenStore,
    expiring_token,
)
from ansible_collections.fcd.cloud.plugins.module_utils._core.clock import Clock
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import RateLimited
from ansible_collections.fcd.cloud.plugins.module_utils._http.messages import READ, Request
from ansible_collections.fcd.cloud.plugins.module_utils._http.retries import BUDGET, Repeater

from .conftest import Tasks

THREADS = 16
PATIENCE = 120.0  # seconds
Value = t.TypeVar("Value")


def at_once(work: t.Callable[[], Value]) -> list[Value]:
    """Have all threads begin at the same moment."""
    barrier = threading.Barrier(THREADS)

    def begin() -> Value:
        barrier.wait(PATIENCE)
        return work()

    with ThreadPoolExecutor(THREADS) as pool:
        return [one.result(PATIENCE) for one in [pool.submit(begin) for _each in range(THREADS)]]


@pytest.fixture
def log_ins(monkeypatch: pytest.MonkeyPatch) -> list[str | None]:
    """The tokens that were known at each log-in; every one takes a moment, and so does keeping what it got."""
    done: list[str | None] = []

    def issued(_account: IdentityAccount, old: Token | None) -> Token:
        threading.Event().wait(0.1)
        done.append(old.value if old else None)
        return expiring_token(f"t{len(done)}-canary", 3600.0, 1_700_000_000.0)

    really = TokenStore._remember

    def remembered(store: TokenStore, token: Token) -> Token:
        threading.Event().wait(0.01)
        return really(store, token)

    monkeypatch.setattr(IdentityAccount, "_issue", issued)
    monkeypatch.setattr(TokenStore, "_remember", remembered)
    return done


@pytest.mark.parametrize("kept", [True, False], ids=["kept on disk", "in memory only"])
def test_one_logs_in(tasks: Tasks, log_ins: list[str | None], kept: bool) -> None:
    credentials = AccountCredentials(IdentityAccount(tasks(token_cache=kept)))
    assert at_once(credentials.headers) == [{"Authorization": "Bearer t1-canary"}] * THREADS
    assert len(log_ins) == 1


@pytest.mark.parametrize("kept", [True, False], ids=["kept on disk", "in memory only"])
def test_one_renews_what_was_refused(tasks: Tasks, log_ins: list[str | None], kept: bool) -> None:
    """A thread whose request was refused a little later must not renew the new token."""
    credentials = AccountCredentials(IdentityAccount(tasks(token_cache=kept)))
    credentials.headers()
    sent = threading.Barrier(THREADS)

    def refused() -> dict[str, str]:
        credentials.headers()
        sent.wait(PATIENCE)
        credentials.renew()
        return credentials.headers()

    assert at_once(refused) == [{"Authorization": "Bearer t2-canary"}] * THREADS
    assert len(log_ins) == 2


def test_a_late_refusal_renews_nothing(tasks: Tasks, log_ins: list[str | None]) -> None:
    credentials = AccountCredentials(IdentityAccount(tasks()))
    sent, renewed = threading.Event(), threading.Event()

    def slow() -> None:
        credentials.headers()
        sent.set()
        assert renewed.wait(PATIENCE)
        credentials.renew()

    late = threading.Thread(target=slow)
    late.start()
    assert sent.wait(PATIENCE)
    credentials.headers()
    credentials.renew()
    credentials.headers()
    renewed.set()
    late.join(10)
    assert len(log_ins) == 2


def test_stores_of_one_identity_share_the_turn(tasks: Tasks) -> None:
    asked: list[int] = []

    def fetch(_old: Token | None) -> Token:
        asked.append(1)
        threading.Event().wait(0.1)
        return expiring_token("t-canary", 3600.0, 1_700_000_000.0)

    found = at_once(lambda: TokenStore(tasks(token_cache=False), "one").get(fetch).value)
    assert found == ["t-canary"] * THREADS
    assert len(asked) == 1


def test_the_budget_of_repetitions_is_one_for_all(tasks: Tasks) -> None:
    repeater = Repeater(5, lambda _text: None, None, Clock())
    request = Request(operation="List", method="GET", url="https://api.example.com", kind=READ)
    limit = tasks().deadline

    def repeat() -> int:
        done = 0
        for _try in range(5):
            try:
                repeater.wait(request, RateLimited("too many", retry_after=0.0), 1, limit)
            except RateLimited:
                continue
            done += 1
        return done

    assert sum(at_once(repeat)) == BUDGET
