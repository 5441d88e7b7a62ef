# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""While a site is planned each read is sent once, lists answer searches, and nothing but reads goes out."""

from __future__ import annotations

import contextlib
import threading
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._connection.task import Settings, Task, exchange
from ansible_collections.fcd.cloud.plugins.module_utils._contract.api import SoapCall
from ansible_collections.fcd.cloud.plugins.module_utils._core.clock import Clock, Memory
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import IncompleteList, NotFound
from ansible_collections.fcd.cloud.plugins.module_utils._http.messages import Request
from ansible_collections.fcd.cloud.plugins.module_utils._infrastructure.rest_client import LIST, PAGES, RestRead
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.api import CONTENT, HEADERS, StorageRead
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.shared_reads import (
    SearchCounts,
    SideBySideReads,
    WholeSearches,
    remembering,
    searching_whole_lists,
)

BASE = "https://api.example.com/beta"
PATIENCE = 120.0  # seconds


def test_an_answer_is_worked_out_once_for_all_threads() -> None:
    once, calls, begun = Memory(), [], threading.Event()

    def work() -> str:
        calls.append(1)
        begun.wait(PATIENCE)
        return "answer"

    found: list[str] = []
    threads = [threading.Thread(target=lambda: found.append(once.answer("q", work))) for _each in range(8)]
    for thread in threads:
        thread.start()
    begun.set()
    for thread in threads:
        thread.join(PATIENCE)
    assert (found, len(calls)) == (["answer"] * 8, 1)


def test_everybody_gets_an_error_of_his_own() -> None:
    once = Memory()

    def fail() -> None:
        raise NotFound("There is none.", status=404)

    errors = []
    for _each in range(2):
        with pytest.raises(NotFound) as caught:
            once.answer("q", fail)
        errors.append(caught.value)
    errors[0].details["object"] = "a"
    assert errors[1].details == {"status": 404}


def test_after_a_defect_somebody_else_may_try() -> None:
    once, divisors = Memory(), [2, 0]
    for expected in (pytest.raises(ZeroDivisionError), contextlib.nullcontext()):
        with expected:
            assert once.answer("q", lambda: 2 // divisors.pop()) == 1


def test_a_read_is_asked_once_whatever_it_is_called() -> None:
    asked: list[RestRead] = []
    read = remembering(asked.append)
    same = RestRead("List", "/opns", PAGES, {"query": "a", "source": None})
    others = [same._replace(shape=LIST), same._replace(path="/disks"), same._replace(filters={"query": "b"})]
    for one in (same, same._replace(operation="List again", filters={"query": "a"}), *others, same):
        read(one)
    assert asked == [same, *others]


def test_content_is_not_remembered_and_headers_are() -> None:
    asked: list[StorageRead] = []
    read = remembering(asked.append)
    content = StorageRead("Read object", CONTENT, "c", "o", take=lambda _piece: None)
    headers = content._replace(shape=HEADERS, take=None)
    for one in (content, headers, content, headers):
        read(one)
    assert asked == [content, headers, content]


@pytest.mark.parametrize("kind", ["write", "idempotent"])
def test_what_changes_something_is_never_sent(own_home: Path, kind: str) -> None:
    settings = Settings({"validate_certs": True, "timeout": 1.0, "retries": 0, "state_dir": str(own_home)})
    with pytest.raises(AssertionError, match="Make a thing is not sent while planning"):
        exchange(Task(settings), reads_only=True).send(Request("Make a thing", "POST", f"{BASE}/opns", kind=kind))


NETWORKS = [{"Id": number, "Name": f"net-{number}"} for number in range(20)] + [{"Id": 99, "Name": "net-3"}]


class Lists:
    """A reader of networks, which notes by what they are filtered."""

    def __init__(self) -> None:
        self.filters: list[t.Any] = []

    def read(self, request: RestRead) -> list[dict[str, t.Any]]:
        self.filters.append(request.filters)
        return [one for one in NETWORKS if str(request.filters.get("query", "")) in one["Name"]]

    def searching(self, *many: str) -> t.Callable[..., t.Any]:
        """Return a function that searches by filters."""
        search = searching_whole_lists(self.read, many)
        return lambda **filters: search(RestRead("List", "/opns", PAGES, filters))


def test_after_a_few_searches_the_whole_list_answers() -> None:
    lists = Lists()
    search = lists.searching()
    found = [search(query=f"net-{number}") for number in range(6)]
    assert lists.filters == [{"query": "net-0"}, {"query": "net-1"}, {"query": "net-2"}, {}, {}, {}]
    assert [one["Id"] for one in found[3]] == [3, 99]
    assert [one["Id"] for one in found[5]] == [5]


def test_what_the_whole_list_does_not_have_is_searched_where_few_searches_were_foreseen() -> None:
    lists = Lists()
    search = lists.searching()
    for number in range(4):
        assert search(query=f"nobody {number}") == []
    assert lists.filters[3:] == [{}, {"query": "nobody 3"}]


def test_the_whole_list_decides_where_many_searches_were_foreseen() -> None:
    lists = Lists()
    search = lists.searching("/opns")
    assert search(query="nobody") == []
    assert lists.filters == [{}]
    assert search(query="net-1", order_by="Name")
    assert lists.filters[-1] == {"query": "net-1", "order_by": "Name"}


USERS = [
    {"UserId": 1, "AdLogin": "a.one", "Client": {"ClientId": 100}},
    {"UserId": 2, "AdLogin": "b.two", "Client": {"ClientId": 101}},
]


def test_rows_of_a_whole_search_are_those_with_all_values() -> None:
    asked: list[SoapCall] = []

    def answer(call: SoapCall) -> list[t.Any]:
        asked.append(call)
        return [] if "SearchText" in call.values else USERS

    reads = WholeSearches(answer, SearchCounts({"GetUsers"}))
    search = SoapCall("GetUsers", {"SearchText": "b.two", "ClientId": 101}, paged=True)
    assert reads.call(search) == [USERS[1]]
    assert asked == [search._replace(values={"ClientId": 101})]  # the number still restricts what is read
    assert reads.call(search._replace(values={"SearchText": "nobody"})) == []
    assert asked[1:] == [search._replace(values={})]  # whether the login is taken, another operation tells
    for other in (search._replace(operation="GetClients"), search._replace(limit=5), SoapCall("GetUsers", {})):
        reads.call(other)
        assert asked[-1] == other


def test_who_waits_for_an_answer_that_ends_in_a_defect_works_it_out() -> None:
    once, waiting, found = Memory(), threading.Event(), []

    def work_out() -> str:
        if threading.current_thread() is thread:
            return "answer"
        thread.start()
        waiting.wait(PATIENCE)
        raise ZeroDivisionError

    def ask() -> None:
        waiting.set()
        found.append(once.answer("q", work_out))

    thread = threading.Thread(target=ask)
    with pytest.raises(ZeroDivisionError):
        once.answer("q", work_out)
    thread.join(PATIENCE)
    assert found == ["answer"]


def test_a_list_that_is_not_complete_shows_tickets_all_the_same() -> None:
    asked = []

    def read(request: RestRead) -> t.Any:
        asked.append(request.path)
        if request.shape != PAGES:
            return {"Id": 8}
        error = IncompleteList("List tickets: the service counts 2 items, but all pages together list 1.")
        error.rows = [{"Id": 7}]
        raise error

    reads = SideBySideReads(read, Clock(), ())
    found = [reads.read(RestRead("Read ticket", f"/tickets/{number}", "object"))["Id"] for number in (7, 8)]
    assert (found, asked[0], asked[-1]) == ([7, 8], "/tickets", "/tickets/8")
