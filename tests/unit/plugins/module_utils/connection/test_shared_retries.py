# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which tasks share a budget of retries: those of one play, for one service and account."""

from __future__ import annotations

import typing as t
from pathlib import Path

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._connection import task as task_at_hand
from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import PLAY_VARIABLE, Task, exchange
from ansible_collections.fcd.cloud.plugins.module_utils._http.retries import SharedRetries

from .conftest import AUTH, BASE, Tasks

SERVICES = ("rest", "soap", "storage")
SOAP = "https://api.example.com/CommonFcd.svc"  # on the same host
STORAGE = "https://storage.example.com"


def shared(task: Task) -> SharedRetries:
    found = exchange(task).options.shared
    assert found is not None
    return found


@pytest.fixture
def made(tasks: Tasks) -> t.Callable[..., Task]:
    def make(way: str = "worker", **settings: t.Any) -> Task:
        usual = {"soap_url": SOAP, "storage_base": STORAGE, "storage_user": "a:b", "storage_key": "k"}
        task = tasks(SERVICES, **{**usual, **settings})
        task.runner = way
        return task

    return make


def test_tasks_of_one_play_share_it(made: t.Callable[..., Task], tasks: Tasks) -> None:
    first, second = shared(made()).file(BASE + "/instances"), shared(made()).file(BASE + "/disks?page=2")
    assert first == second
    assert Path(first).parent == tasks.state / "retries"
    assert not tasks.state.exists()


def test_each_service_has_its_own(made: t.Callable[..., Task]) -> None:
    file = shared(made()).file
    assert len({file(url) for url in (BASE, AUTH, SOAP, STORAGE, "https://elsewhere.example.com")}) == 5


@pytest.mark.parametrize(
    ("settings", "others"),
    [
        ({"username": "somebody@example.com"}, {BASE, SOAP}),
        ({"storage_user": "a:c"}, {STORAGE}),
        ({"timeout": 5, "password": "another", "storage_key": "another", "retry_budget": 10}, set()),
    ],
)
def test_each_account_has_its_own(made: t.Callable[..., Task], settings: dict[str, t.Any], others: set[str]) -> None:
    one, other = shared(made()).file, shared(made(**settings)).file
    assert {url for url in (BASE, SOAP, STORAGE) if one(url) != other(url)} == others


def test_a_module_belongs_to_the_play_that_it_is_told(
    made: t.Callable[..., Task], monkeypatch: pytest.MonkeyPatch
) -> None:
    user = shared(made("module"))
    monkeypatch.setenv(PLAY_VARIABLE, task_at_hand.this_run())
    play = shared(made("module"))
    assert (user.owner, play.owner) == ("this user", "this play")
    assert play.file(BASE) == shared(made()).file(BASE) != user.file(BASE)


def test_another_play_has_its_own(made: t.Callable[..., Task], monkeypatch: pytest.MonkeyPatch) -> None:
    before = shared(made()).file(BASE)
    monkeypatch.setattr(task_at_hand, "_start", lambda _number: "later")
    assert shared(made()).file(BASE) != before


def test_without_a_limit_there_is_none(made: t.Callable[..., Task]) -> None:
    assert exchange(made(retry_budget=0)).options.shared is None
    assert shared(made(retry_budget=7)).capacity == 7
    assert shared(made()).capacity == 500
