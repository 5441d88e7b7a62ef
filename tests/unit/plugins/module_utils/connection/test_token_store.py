# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tokens are kept in one place, live as long as they may, and are replaced once, whoever needs them."""

from __future__ import annotations

import json
import multiprocessing
import os
import stat
import typing as t
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.fcd.cloud.plugins.module_utils._connection import credentials
from ansible_collections.fcd.cloud.plugins.module_utils._connection.credentials import (
    MARK_DIGITS,
    Token,
    TokenStore,
    expiring_token,
)
from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Settings, Task
from ansible_collections.fcd.cloud.plugins.module_utils._core.clock import Clock, Deadline
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput, Unauthorized, Unclear
from ansible_collections.fcd.cloud.plugins.module_utils._core.private_files import file_lock

from .conftest import Tasks, forget_memory

FORK = multiprocessing.get_context("fork")


class Issuer:
    """Issues ``t1``, ``t2`` and so on; ``olds`` are the values of the tokens that it was shown."""

    def __init__(self, tasks: Tasks, seconds: float | None = 3600.0, **facts: str) -> None:
        self.tasks = tasks
        self.seconds = seconds
        self.facts = facts
        self.olds: list[str | None] = []

    def __call__(self, old: Token | None) -> Token:
        self.olds.append(old.value if old else None)
        return expiring_token(f"t{len(self.olds)}-canary", self.seconds, self.tasks.clock.now(), **self.facts)


@pytest.fixture
def store(tasks: Tasks) -> TokenStore:
    return TokenStore(tasks(), "identity", "https://auth.example.com", "somebody")


@pytest.fixture
def files(tasks: Tasks) -> t.Callable[[], list[Path]]:
    return lambda: sorted((tasks.state / "tokens").glob("*.json*"))


def test_one_log_in_serves_later_tasks_and_processes(
    tasks: Tasks, files: t.Callable[[], list[Path]], monkeypatch: pytest.MonkeyPatch
) -> None:
    issuer = Issuer(tasks, url="https://x")
    for _number in range(3):
        for _item in range(2):
            found = TokenStore(tasks(), "a").get(issuer)
            assert (found.value, found.facts) == ("t1-canary", {"url": "https://x"})
        forget_memory(monkeypatch)
    assert len(issuer.olds) == 1
    (path,) = files()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert "canary" not in path.name


def test_memory_alone_is_enough(tasks: Tasks, files: t.Callable[[], list[Path]]) -> None:
    issuer = Issuer(tasks)
    TokenStore(tasks(), "a").get(issuer)
    files()[0].unlink()
    assert TokenStore(tasks(), "a").get(issuer).value == "t1-canary"


def test_identities_are_kept_apart(tasks: Tasks) -> None:
    issuer = Issuer(tasks)
    values = {TokenStore(tasks(), *parts).get(issuer).value for parts in (("a",), ("b",), ("a", "b"), ("ab",))}
    assert len(values) == 4


def test_without_the_cache_nothing_is_on_the_disk(
    tasks: Tasks, files: t.Callable[[], list[Path]], monkeypatch: pytest.MonkeyPatch
) -> None:
    issuer = Issuer(tasks)
    for _item in range(3):
        TokenStore(tasks(token_cache=False), "a").get(issuer)
    TokenStore(tasks(token_cache=False), "a").put(issuer(None))
    assert len(issuer.olds) == 2
    forget_memory(monkeypatch)
    TokenStore(tasks(token_cache=False), "a").get(issuer)
    assert len(issuer.olds) == 3
    assert not tasks.state.exists()


@pytest.mark.parametrize(
    ("seconds", "used_for"), [(86400.0, 86340.0), (601.0, 541.0), (600.0, 540.0), (300.0, 270.0), (10.0, 9.0)]
)
@pytest.mark.parametrize("new_process", [True, False])
def test_a_token_is_used_until_shortly_before_its_end(
    seconds: float, used_for: float, new_process: bool, tasks: Tasks, monkeypatch: pytest.MonkeyPatch
) -> None:
    issuer, store = Issuer(tasks, seconds), TokenStore(tasks(), "a")
    found = store.get(issuer)
    assert found.expires == tasks.clock.now() + seconds
    tasks.clock.sleep(used_for - 0.5)
    if new_process:
        forget_memory(monkeypatch)
    assert store.get(issuer).value == "t1-canary"
    tasks.clock.sleep(1.0)
    if new_process:
        forget_memory(monkeypatch)
    assert store.get(issuer).value == "t2-canary"
    assert issuer.olds == [None, "t1-canary"]


@given(st.floats(0.1, 1e7))
def test_the_margin(seconds: float) -> None:
    made = expiring_token("a", seconds, 1000.0)
    assert made.expires is not None
    assert made.until is not None
    assert made.expires - made.until == pytest.approx(min(60.0, seconds / 10))


def test_a_token_without_an_end_is_not_for_others(
    tasks: Tasks, files: t.Callable[[], list[Path]], monkeypatch: pytest.MonkeyPatch
) -> None:
    issuer = Issuer(tasks, None)
    for _item in range(2):
        assert TokenStore(tasks(), "a").get(issuer).value == "t1-canary"
    assert files() == []
    forget_memory(monkeypatch)
    assert TokenStore(tasks(), "a").get(issuer).value == "t2-canary"


def test_a_refused_token_is_replaced_once(tasks: Tasks, monkeypatch: pytest.MonkeyPatch) -> None:
    issuer, store = Issuer(tasks), TokenStore(tasks(), "a")
    first = store.get(issuer)
    assert store.get(issuer, refused=first.value).value == "t2-canary"
    assert store.get(issuer, refused=first.value).value == "t2-canary"
    forget_memory(monkeypatch)
    assert store.get(issuer, refused=first.value).value == "t2-canary"
    assert issuer.olds == [None, "t1-canary"]


def test_a_token_that_another_process_replaced_is_taken(tasks: Tasks, monkeypatch: pytest.MonkeyPatch) -> None:
    issuer, store = Issuer(tasks), TokenStore(tasks(), "a")
    store.get(issuer)
    ours = dict(credentials._MEMORY)
    forget_memory(monkeypatch)
    store.get(issuer, refused="t1-canary")  # the other process
    monkeypatch.setattr(credentials, "_MEMORY", ours)
    assert store.get(issuer).value == "t1-canary"
    assert store.get(issuer, refused="t1-canary").value == "t2-canary"
    assert len(issuer.olds) == 2


def test_a_token_that_came_in_another_way(tasks: Tasks, monkeypatch: pytest.MonkeyPatch) -> None:
    issuer, store = Issuer(tasks), TokenStore(tasks(), "a")
    store.put(expiring_token("own-canary", 100.0, tasks.clock.now()))
    assert store.get(issuer).value == "own-canary"
    forget_memory(monkeypatch)
    assert store.get(issuer).value == "own-canary"
    assert issuer.olds == []


def test_tokens_are_hidden_from_texts(tasks: Tasks) -> None:
    task = tasks()
    TokenStore(task, "a").get(Issuer(tasks, refresh_token="refresh-canary"))
    assert task.redactor.text("t1-canary refresh-canary") == "******** ********"


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        "[]",
        "null",
        '{"value": "x"}',
        '{"value": "x", "facts": {}, "expires": "soon", "until": 1}',
        '{"value": "x", "facts": [], "expires": 1, "until": 1}',
    ],
)
def test_a_broken_file_is_written_anew(
    content: str, tasks: Tasks, files: t.Callable[[], list[Path]], monkeypatch: pytest.MonkeyPatch
) -> None:
    issuer, store = Issuer(tasks), TokenStore(tasks(), "a")
    store.get(issuer)
    files()[0].write_text(content)
    forget_memory(monkeypatch)
    assert store.get(issuer).value == "t2-canary"
    assert json.loads(files()[0].read_text())["value"] == "t2-canary"


def test_a_file_that_is_too_large_for_a_token_is_written_anew(
    tasks: Tasks, files: t.Callable[[], list[Path]], monkeypatch: pytest.MonkeyPatch
) -> None:
    issuer, store = Issuer(tasks), TokenStore(tasks(), "a")
    store.get(issuer)
    found = json.loads(files()[0].read_text())
    files()[0].write_text(json.dumps({**found, "value": "t" * (1 << 20)}))
    forget_memory(monkeypatch)
    assert store.get(issuer).value == "t2-canary"


def test_a_file_that_others_can_read_is_not_trusted(
    tasks: Tasks, files: t.Callable[[], list[Path]], monkeypatch: pytest.MonkeyPatch
) -> None:
    issuer, store = Issuer(tasks), TokenStore(tasks(), "a")
    store.get(issuer)
    files()[0].chmod(0o644)
    forget_memory(monkeypatch)
    assert store.get(issuer).value == "t2-canary"
    assert stat.S_IMODE(files()[0].stat().st_mode) == 0o600


# ---------------------------------------------------------------- a disk that is of no use


def test_a_folder_that_cannot_be_made(tasks: Tasks, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    issuer = Issuer(tasks)
    for _item in range(2):
        store = TokenStore(tasks(state_dir=str(tmp_path / "file" / "state")), "a")
        assert store.get(issuer).value == "t1-canary"
    store.put(expiring_token("own-canary", 100.0, tasks.clock.now()))
    assert store.get(issuer).value == "own-canary"
    assert len(tasks.warnings) == 2
    assert tasks.warnings[0].startswith("Tokens are not kept between tasks: The folder ")
    assert "Not a directory" in tasks.warnings[0]
    assert "state_dir" in tasks.warnings[0]
    assert "canary" not in "".join(tasks.warnings)


def test_a_disk_that_fills_up(tasks: Tasks, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_path: str, _value: object) -> None:
        raise InvalidInput("The disk is full.", next_step="Set state_dir.")

    monkeypatch.setattr(credentials, "write_json", full)
    assert TokenStore(tasks(), "a").get(Issuer(tasks)).value == "t1-canary"
    assert tasks.warnings == ["Tokens are not kept between tasks: The disk is full. Set state_dir."]


# ---------------------------------------------------------------- refusals


def refuse(calls: list[int]) -> t.Callable[[Token | None], Token]:
    def fetch(_old: Token | None) -> Token:
        calls.append(1)
        raise Unauthorized("Log in: refused.", next_step="Look at it.")

    return fetch


def test_what_was_refused_is_not_tried_by_the_next_item(tasks: Tasks) -> None:
    calls: list[int] = []
    for _item in range(3):
        with pytest.raises(Unauthorized, match="refused"):
            TokenStore(tasks(), "a", proof=("canary",)).get(refuse(calls))
        with pytest.raises(Unauthorized, match="refused"):
            TokenStore(tasks(token_cache=False), "a", proof=("canary",)).get(refuse(calls))
    assert len(calls) == 1
    issuer = Issuer(tasks)
    assert TokenStore(tasks(), "a", proof=("another",)).get(issuer).value == "t1-canary"


def test_without_a_proof_it_is_tried_again(tasks: Tasks) -> None:
    calls: list[int] = []
    for _item in range(2):
        with pytest.raises(Unauthorized):
            TokenStore(tasks(), "a").get(refuse(calls))
    assert len(calls) == 2


def test_other_failures_are_tried_again(tasks: Tasks) -> None:
    def fail(_old: Token | None) -> Token:
        raise Unclear("lost")

    for _item in range(2):
        with pytest.raises(Unclear):
            TokenStore(tasks(), "a", proof=("canary",)).get(fail)
    assert TokenStore(tasks(), "a", proof=("canary",)).get(Issuer(tasks)).value == "t1-canary"


def test_an_old_refusal_does_not_count(tasks: Tasks, monkeypatch: pytest.MonkeyPatch) -> None:
    store = TokenStore(tasks(), "a", proof=("canary",))
    with pytest.raises(Unauthorized):
        store.get(refuse([]))
    forget_memory(monkeypatch)
    tasks.clock.sleep(0.1)
    assert store.get(Issuer(tasks)).value == "t1-canary"


def test_a_refusal_note_holds_nothing_secret(tasks: Tasks, files: t.Callable[[], list[Path]]) -> None:
    with pytest.raises(Unauthorized):
        TokenStore(tasks(), "a", proof=("canary",)).get(refuse([]))
    (note,) = files()
    found = json.loads(note.read_text())
    assert len(found.pop("made_with")) == MARK_DIGITS
    assert found == {"message": "Log in: refused.", "time": tasks.clock.now()}


def test_a_kept_token_is_not_for_other_secrets(tasks: Tasks, monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong password is told, though somebody with the right one has left a token; that one stays."""
    issuer = Issuer(tasks)
    store = TokenStore(tasks(), "a", proof=("canary",))
    assert store.get(issuer).value == "t1-canary"
    for _turn in ("in memory", "on the disk"):
        with pytest.raises(Unauthorized):
            TokenStore(tasks(), "a", proof=("wrong",)).get(refuse([]))
        assert TokenStore(tasks(), "a", proof=("canary",)).get(issuer).value == "t1-canary"
        forget_memory(monkeypatch)


def test_what_is_kept_tells_next_to_nothing_of_the_secrets(tasks: Tasks) -> None:
    store = TokenStore(tasks(), "a", proof=("canary",))
    store.get(Issuer(tasks))
    assert json.loads(Path(store.path).read_text())["made_with"] == store.mark
    marks = {TokenStore(tasks(), "a", proof=(f"guess {number}",)).mark for number in range(2000)}
    assert max(map(len, filter(None, marks))) == MARK_DIGITS == 4  # 16 bits: 1 of 65,536 guesses has the same


@pytest.mark.parametrize("content", ["", "[]", '{"time": "x"}', '{"time": 1}', "null"])
def test_a_broken_note_does_not_count(content: str, tasks: Tasks, monkeypatch: pytest.MonkeyPatch) -> None:
    store = TokenStore(tasks(), "a", proof=("canary",))
    with pytest.raises(Unauthorized):
        store.get(refuse([]))
    forget_memory(monkeypatch)
    Path(store.path + ".refused").write_text(content)
    assert store.get(Issuer(tasks)).value == "t1-canary"


# ---------------------------------------------------------------- many processes


def in_processes(number: int, work: t.Callable[[], str]) -> list[str]:
    """Return what each of so many processes, started together, made of it."""
    gate, found = FORK.Barrier(number), FORK.SimpleQueue()

    def run() -> None:
        gate.wait()
        try:
            found.put(work())
        except Unauthorized as refusal:
            found.put(refusal.message)

    processes = [FORK.Process(target=run) for _number in range(number)]
    for process in processes:
        process.start()
    results = [found.get() for _process in processes]
    for process in processes:
        process.join(10)
    return results


def real_task(folder: Path) -> Task:
    return Task(Settings.resolve({"state_dir": str(folder)}, ("identity",)))


def counted(log: Path) -> int:
    return len(log.read_text()) if log.exists() else 0


@pytest.mark.parametrize("refused", [None, "old"])
def test_processes_at_one_time_log_in_once(refused: str | None, own_home: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"

    def fetch(_old: Token | None) -> Token:
        with log.open("a") as handle:
            handle.write("x")
        Clock().sleep(0.1)
        return expiring_token(f"t-{os.getpid()}", 3600.0, Clock().now())

    if refused:
        TokenStore(real_task(tmp_path), "a").put(expiring_token(refused, 3600.0, Clock().now()))
    values = in_processes(6, lambda: TokenStore(real_task(tmp_path), "a").get(fetch, refused=refused).value)
    assert len(set(values)) == 1
    assert values[0] != refused
    assert counted(log) == 1


def test_of_processes_at_one_time_one_is_refused(own_home: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"

    def fetch(_old: Token | None) -> Token:
        with log.open("a") as handle:
            handle.write("x")
        Clock().sleep(0.4)  # the others are there by then
        raise Unauthorized("Log in: refused.")

    messages = in_processes(6, lambda: TokenStore(real_task(tmp_path), "a", proof=("p",)).get(fetch).value)
    assert counted(log) == 1
    assert (
        sorted(messages)
        == ["Log in: refused."] + ["Log in: refused. This was the answer to another task; this one did not log in."] * 5
    )


def test_a_lock_that_nobody_gives_back_does_not_hold_us_up(tasks: Tasks) -> None:
    store = TokenStore(tasks(), "a")
    with file_lock(store.folder, store.key, Deadline(Clock(), None), what="x"):
        assert store.get(Issuer(tasks)).value == "t1-canary"
    assert sum(tasks.clock.pauses) == pytest.approx(credentials.LOGIN_WAIT)  # type: ignore[attr-defined]
