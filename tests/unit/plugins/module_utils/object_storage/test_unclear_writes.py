# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every write of which the answer is not clear or not true: reading tells what there is, or the error says changed."""

from __future__ import annotations

import itertools
import json
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._ansible.execution import execute
from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Operation
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import (
    FcdError,
    Forbidden,
    OperationFailed,
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
MD5_OF_X = "9dd4e461268c8034f5c8564e155c67a6"
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

    def answer(self, operation: str, *answers: Answer, done: bool, at: str = "") -> None:
        """Have the service do it, or not, and something else come as its answer, at addresses that end with ``at``."""
        usual: t.Callable[..., Response] = Exchange._try

        def tried(exchange: Exchange, adapter: t.Any, request: Request, *more: t.Any) -> Response:
            if request.operation != operation or not request.url.endswith(at):
                return usual(exchange, adapter, request, *more)
            if done:
                usual(exchange, adapter, request, *more)
            self.sent += 1
            return answers[min(self.sent, len(answers)) - 1]()

        self._monkeypatch.setattr(Exchange, "_try", tried)

    def lose(self, header: str) -> None:
        """Have every request arrive without this header."""
        usual: t.Callable[..., Response] = Exchange._try

        def tried(exchange: Exchange, adapter: t.Any, request: Request, *more: t.Any) -> Response:
            left = {name: value for name, value in request.headers.items() if name != header}
            return usual(exchange, adapter, request._replace(headers=left), *more)

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


def accepted() -> Response:
    return Response(201, {"x-trans-id": "tx1", "etag": MD5_OF_X}, b"", "tx1")


@each_with_one_of((accepted, OperationFailed))
def test_it_was_accepted_and_never_done(
    ready: Bench,
    network: Network,
    operation: str,
    module: Operation,
    params: Params,
    answer: Answer,
    ends: type[FcdError],
) -> None:
    network.answer(operation, answer, done=False)
    with pytest.raises(ends, match="has accepted") as caught:
        ready.run(module, **params)
    assert has_changed(caught.value)
    assert caught.value.next_step


def test_a_container_with_its_content_was_to_be_removed(ready: Bench, network: Network) -> None:
    network.answer("Delete container", accepted, done=False)
    with pytest.raises(OperationFailed, match="it is still there"):
        ready.container(state="absent", force=True)


@pytest.mark.parametrize(
    ("header", "option", "value"),
    [
        ("X-Container-Read", "read_acl", ".r:*"),
        ("X-Container-Meta-quota-bytes", "quota_bytes", "1000"),
        ("X-Container-Meta-temp-url-key", "temp_url_key", "a-key-of-twenty-letters"),
        ("X-Container-Meta-tier", "metadata", {"tier": "gold"}),
    ],
)
def test_a_new_container_without_what_it_was_to_have(
    bench: Bench, network: Network, header: str, option: str, value: t.Any
) -> None:
    network.lose(header)
    with pytest.raises(OperationFailed, match=f"does not show it in: {option}") as caught:
        bench.container(**{option: value})
    assert has_changed(caught.value)
    assert "twenty" not in str(caught.value.as_result())


def test_an_older_version_that_comes_back_is_not_what_was_removed(bench: Bench) -> None:
    bench.container("old")
    bench.container(versioning="stack", versions_location="old")
    bench.object(content="first")
    bench.object(content="second")
    assert bench.object(state="absent")["changed"] is True
    assert bench.raw("GET", "/c/o").text == "first"


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


def report_of(deleted: int, missing: int) -> Answer:
    report = {"Number Deleted": deleted, "Number Not Found": missing, "Errors": [], "Response Status": "200 OK"}
    return lambda: Response(200, {"x-trans-id": "tx1"}, json.dumps(report).encode(), "tx1")


@pytest.mark.parametrize(
    ("operation", "answer", "at", "number"),
    [
        ("Bulk delete", report_of(9, 0), "", 9),
        ("Bulk delete", report_of(0, 9), "", 9),
        ("Bulk delete", report_of(2, 0), "", 9),
        ("Delete object", accepted, "/f0", 2),
        ("Create or overwrite object", accepted, "/f0", 1),
        ("Create or overwrite object", accepted, "/f3", 9),
    ],
)
def test_a_sync_of_which_not_everything_was_done(
    filled: Bench, network: Network, tmp_path: t.Any, operation: str, answer: Answer, at: str, number: int
) -> None:
    """``number`` objects are to be deleted, or sent, which is more than a few or not."""
    done = "uploaded" if operation == "Create or overwrite object" else "deleted"
    (tmp_path / "tree").mkdir()
    for name in [f"f{one}" for one in range(number)]:
        if done == "uploaded":
            (tmp_path / "tree" / name).write_text("x")
        else:
            filled.raw("PUT", f"/c/{name}", data=b"x")
    network.answer(operation, answer, done=False, at=at)
    push: Params = {"mode": "push", "path": str(tmp_path / "tree"), "container": "c"}
    result = filled.run(storage_sync.OPERATION, delete=True, max_delete="100%", **push)
    wrong = 1 if at else number
    assert (result["failed"], result["changed"]) == (True, True)
    assert (result["counts"][done], result["counts"]["failed"]) == (number - wrong, wrong)
    assert len(result["objects"]) == number - wrong
    assert "The service has accepted the " in result["msg"]


def test_a_copy_that_keeps_its_old_content(filled: Bench, network: Network) -> None:
    filled.container("from")
    filled.object(content="old")
    filled.object(container="from", content="x")
    network.answer("Copy object", accepted, done=False)
    result = filled.run(storage_sync.OPERATION, mode="copy", source_container="from", container="c")
    assert (result["failed"], result["counts"]["copied"], result["counts"]["failed"]) == (True, 0, 1)


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
