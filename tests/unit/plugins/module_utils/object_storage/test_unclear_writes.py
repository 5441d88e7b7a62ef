# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every write that was carried out and has no clear answer: reading tells that it was, or the error says changed."""

from __future__ import annotations

import itertools
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._ansible.execution import execute
from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Operation
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import (
    FcdError,
    Forbidden,
    Unclear,
    Unreachable,
    Unusable,
    has_changed,
)
from ansible_collections.fcd.cloud.plugins.module_utils._http.client import Exchange
from ansible_collections.fcd.cloud.plugins.module_utils._http.messages import Request, Response
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage import account as storage_account
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage import container as storage_container
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage import object as storage_object
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage import sync as storage_sync

from .conftest import Bench

Params = t.Dict[str, t.Any]
CONTAINER, OBJECT = storage_container.OPERATION, storage_object.OPERATION
PRESENT: Params = {"state": "present"}
WRITES: list[tuple[str, Operation, Params]] = [
    ("Create container", CONTAINER, {**PRESENT, "name": "new", "metadata": {"a": "1"}, "read_acl": ".r:*"}),
    ("Update container metadata", CONTAINER, {**PRESENT, "name": "c", "metadata": {"a": "1"}}),
    ("Delete container", CONTAINER, {"name": "empty", "state": "absent"}),
    ("Create or overwrite object", OBJECT, {**PRESENT, "container": "c", "name": "o", "content": "x"}),
    ("Update object metadata", OBJECT, {**PRESENT, "container": "c", "name": "there", "metadata": {"a": "1"}}),
    ("Copy object", OBJECT, {**PRESENT, "container": "c", "name": "copy", "copy_from": "c/there"}),
    ("Delete object", OBJECT, {"container": "c", "name": "there", "state": "absent"}),
    ("Update account metadata", storage_account.OPERATION, {"metadata": {"a": "1"}}),
]
Answer = t.Callable[[], Response]


def each_with_one_of(*answers: tuple[t.Any, ...]) -> pytest.MarkDecorator:
    """Every write with one of the answers in turn."""
    rows = [(*write, *answer) for write, answer in zip(WRITES, itertools.cycle(answers))]
    names = ("operation", "module", "params", "answer", "ends")
    return pytest.mark.parametrize(names, rows, ids=[f"{row[0]}-{row[3].__name__}" for row in rows])


def lost() -> Response:
    raise Unclear("It broke off the connection.", operation="this")


def see_other() -> Response:
    return Response(303, {"location": "https://localhost/"}, b"")


class Network:
    """What comes in place of the answers to one operation, one after the other, the last one again and again."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._monkeypatch = monkeypatch
        self.sent = 0

    def answer(self, operation: str, *answers: Answer, done: bool) -> None:
        """Have the service do it, or not, and something else come as its answer."""
        usual: t.Callable[..., Response] = Exchange._try

        def tried(exchange: Exchange, adapter: t.Any, request: Request, *more: t.Any) -> Response:
            if request.operation != operation:
                return usual(exchange, adapter, request, *more)
            if done:
                usual(exchange, adapter, request, *more)
            self.sent += 1
            return answers[min(self.sent, len(answers)) - 1]()

        self._monkeypatch.setattr(Exchange, "_try", tried)


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> Network:
    return Network(monkeypatch)


@pytest.fixture
def ready(filled: Bench) -> Bench:
    filled.object("there", content="x")
    filled.container("empty")
    filled.run(storage_account.OPERATION, metadata={"b": "2"})
    return filled


def refused_by_gateway() -> Response:
    return Response(403, {}, b"Request blocked by policy.")


@each_with_one_of((see_other, 1), (lost, 4), (refused_by_gateway, 1))
def test_unclear_write_that_was_carried_out(
    ready: Bench, network: Network, operation: str, module: Operation, params: Params, answer: Answer, ends: int
) -> None:
    network.answer(operation, answer, done=True)
    assert ready.run(module, **params)["changed"] is True
    assert network.sent == (1 if operation == "Create container" else ends), "reading tells whose a new one is"
    assert ready.run(module, **params)["changed"] is False


@each_with_one_of((see_other, Unusable), (lost, Unclear))
def test_it_may_have_been_done(
    ready: Bench,
    network: Network,
    operation: str,
    module: Operation,
    params: Params,
    answer: Answer,
    ends: type[FcdError],
) -> None:
    network.answer(operation, answer, done=False)
    with pytest.raises(ends) as caught:
        ready.run(module, **params)
    assert has_changed(caught.value)
    assert caught.value.next_step


def refused() -> Response:
    return Response(403, {"x-trans-id": "tx1"}, b"", "tx1")


def unreached() -> Response:
    raise Unreachable("Nobody there.", operation="this")


@each_with_one_of((refused, Forbidden), (unreached, Unreachable))
def test_a_try_before_the_last_one_may_have_been_done(
    ready: Bench,
    network: Network,
    operation: str,
    module: Operation,
    params: Params,
    answer: Answer,
    ends: type[FcdError],
) -> None:
    network.answer(operation, lost, answer, done=False)
    with pytest.raises(ends) as caught:
        ready.run(module, **params)
    assert has_changed(caught.value)


@each_with_one_of((refused, Forbidden), (refused_by_gateway, Forbidden), (unreached, Unreachable))
def test_nothing_was_done(
    ready: Bench,
    network: Network,
    operation: str,
    module: Operation,
    params: Params,
    answer: Answer,
    ends: type[FcdError],
) -> None:
    network.answer(operation, answer, done=False)
    with pytest.raises(ends) as caught:
        ready.run(module, **params)
    assert not has_changed(caught.value)


def broken() -> Response:
    raise ValueError("a header that nobody understands")


def ended_by_a_defect(bench: Bench, module: Operation, *, check_mode: bool = False, **params: t.Any) -> Params:
    settings = bench.task().settings
    connection = {
        name: settings[name] for name in ("storage_base", "storage_user", "storage_key", "ca_path", "state_dir")
    }
    defaults = {name: option.get("default") for name, option in module.options.items()}
    shown: Params = {"diff_mode": False, "warn": print, "tell": print, "runner": "worker"}
    result = execute(module, {**connection, **defaults, **params}, check_mode=check_mode, **shown).result
    assert result["error"]["kind"] == "Defect"
    return result


@each_with_one_of((broken, None))
def test_a_defect_after_a_write(
    ready: Bench, network: Network, operation: str, module: Operation, params: Params, answer: Answer, ends: None
) -> None:
    network.answer(operation, answer, done=True)
    assert ended_by_a_defect(ready, module, **params)["changed"] is True


@pytest.mark.parametrize("check_mode", [True, False])
def test_a_defect_before_any_write(ready: Bench, network: Network, check_mode: bool) -> None:
    network.answer("Object metadata", broken, done=True)
    failed = ended_by_a_defect(ready, OBJECT, check_mode=check_mode, **PRESENT, container="c", name="o", content="x")
    assert failed["changed"] is False


def test_a_defect_after_a_file_was_written(ready: Bench, network: Network, tmp_path: t.Any) -> None:
    network.answer("Read object", broken, done=True)
    pull: Params = {"mode": "pull", "path": str(tmp_path), "container": "c"}
    assert ended_by_a_defect(ready, storage_sync.OPERATION, **pull)["changed"] is True


def test_a_sync_whose_objects_were_all_sent(ready: Bench, network: Network, tmp_path: t.Any) -> None:
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / "a").write_text("a")
    network.answer("Create or overwrite object", see_other, done=True)
    done = ready.run(storage_sync.OPERATION, mode="push", path=str(tmp_path / "tree"), container="c")
    assert (done.get("failed"), done["changed"], done["counts"]["uploaded"]) == (None, True, 1)


@pytest.mark.parametrize("done", [True, False])
@pytest.mark.parametrize("less", [{"purge_metadata": True, "metadata": {"a": "1"}}, {"expires_at": "never"}])
def test_what_was_to_go_and_may_be_there(ready: Bench, network: Network, less: Params, done: bool) -> None:
    """What is to stay shows either way, so that it proves nothing."""
    ready.object("there", metadata={"a": "1", "b": "2"}, expires_in=86400)
    network.answer("Update object metadata", see_other, done=done)
    if done:
        assert ready.object("there", **less)["changed"] is True
    else:
        with pytest.raises(Unusable):
            ready.object("there", **less)
