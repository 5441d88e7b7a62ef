# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Listings of a service that never comes to an end, or whose rows are none: each operation ends with a named error."""

from __future__ import annotations

import functools
import itertools
import json
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.clock import Clock, Deadline
from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import Unusable
from ansible_collections.fcd.cloud.plugins.module_utils._http.client import Exchange, Request, Response
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage import api, check_mode_storage
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.api import ObjectStorage, pages_of
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.deletion import empty_and_delete
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.listing import (
    _version_entries,
    list_containers,
    listing_entries,
)
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.remote_listing import objects_below
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.segments import Layout, find_leftovers

GENUINE = {"x-trans-id": "tx1", "x-container-object-count": "1"}


class Task:
    """What emptying a container needs of one."""

    settings: t.Mapping[str, t.Any] = {"storage_features": None}
    deadline = Deadline(Clock(), None)
    tell = staticmethod(lambda _text: None)


class Service(Exchange):
    """Answers each listing with the next page; everything else is done."""

    def __init__(self, page: t.Callable[[int], t.Any]) -> None:
        self.numbers = itertools.count(1)
        self.pages = 0
        self._page = page

    def send(self, request: Request, _credentials: t.Any = None) -> Response:
        if request.method != "GET":
            return Response(204, GENUINE, b"")
        self.pages = next(self.numbers)
        return Response(200, GENUINE, json.dumps(self._page(self.pages)).encode())


def storage_of(page: t.Callable[[int], t.Any]) -> tuple[ObjectStorage, Service]:
    service = Service(page)
    bearer: t.Any = None
    return ObjectStorage(service, bearer, "https://s.example.com/v1/a", 60.0, lambda _text: None), service


def row(name: str, version: object = 1) -> dict[str, t.Any]:
    told = {"hash": "0" * 32, "bytes": 1, "last_modified": "2026-01-01T00:00:00", "content_type": "text/plain"}
    return {"name": f"p/slo/{name}", "version_id": str(version), **told}


ENDLESS: dict[str, t.Callable[[int], list[dict[str, t.Any]]]] = {
    "the same page again": lambda _number: [row("a"), row("b")],
    "another name each time": lambda number: [row(f"{number:08}")],
    "two pages in turn": lambda number: [row("ab"[number % 2])],
    "pages that shrink": lambda number: [row(f"{number:08}-{one:03}") for one in range(100 // number or 1)],
    "another version each time": lambda number: [row("a", number)],
    "two versions in turn": lambda number: [row("a", number % 2)],
}
VERSIONS = {"container": "c", "version_marker": None, "name": None, "prefix": None, "delimiter": None, "marker": None}


def all_that_is_promised(storage: ObjectStorage) -> list[t.Any]:
    """Check mode: all that is listed would be removed, so that the next page has to be read."""
    gone = {row(name)["name"]: None for name in ("a", "b", *(f"{number:08}" for number in range(99)))}
    ask = functools.partial(storage.list_objects, "c")
    return check_mode_storage._add_planned(ask, {}, gone, lambda _name, _record: {})


LISTING: dict[str, t.Callable[[ObjectStorage], t.Any]] = {
    "containers": lambda storage: [*listing_entries(functools.partial(list_containers, storage), None)],
    "objects": lambda storage: [*listing_entries(functools.partial(storage.list_objects, "c"), 10**6)],
    "versions": lambda storage: [*_version_entries(storage, VERSIONS)],
    "segments": lambda storage: find_leftovers(storage, Layout("c", "p", "1", 1, 1), "main"),
    "sync": lambda storage: [*objects_below(storage, "c", "p/")],
    "emptying": lambda storage: empty_and_delete(storage, "c", t.cast("t.Any", Task()), versions=True),
    "check mode": all_that_is_promised,
}


@pytest.mark.parametrize("operation", LISTING)
def test_no_service_keeps_a_listing_from_ending(
    operation: str, subtests: pytest.Subtests, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api, "MAX_LISTING_PAGES", 20)
    for what, page in ENDLESS.items():
        with subtests.test(what=what):
            if operation == "check mode" and what == "pages that shrink":
                continue  # has names that nothing removes: the first page is the answer
            storage, service = storage_of(page)
            with pytest.raises(Unusable, match=r"the page behind '|after \d+ pages|not in the order of its names"):
                LISTING[operation](storage)
            assert service.pages <= api.MAX_LISTING_PAGES + 2  # one too many, and one may be on its way


def test_how_many_pages_there_may_be() -> None:
    asked: list[t.Any] = []

    def ask(**query: str) -> list[dict[str, t.Any]]:
        asked.append(query)
        return [{"name": f"{len(asked):06}-{one:03}"} for one in range(size)]

    for size, most in ((1, 111), (9, 1000), (10, 5000), (99, 5000)):
        asked.clear()
        with pytest.raises(Unusable, match=rf"after {most + 1} pages with {size * (most + 1)} rows"):
            for _page in pages_of(ask):
                pass
        assert len(asked) == most + 1


ODD: list[t.Any] = [
    {},
    "text",
    5,
    [1],
    [None],
    [{}],
    [{"name": 1}],
    [{"name": None, "subdir": "a/"}],
    [{"subdir": "a/"}],
    [{"name": "a" * 5000}],
    *([{**row("a"), member: None}] for member in ("hash", "bytes", "last_modified")),
    *([{name: value for name, value in row("a").items() if name != member}] for member in ("hash", "bytes")),
    [{"name": "a", "bytes": "1"}],
    [{"name": "a", "bytes": -1}],
    [{"name": "a", "bytes": 10**400}],
    [{"name": "a", "bytes": None}],
    [{"name": "a", "bytes": 1.5}],
    [{"name": "a", "bytes": 1}, {"name": "b", "bytes": []}],
]


def test_what_is_no_listing_is_told(subtests: pytest.Subtests) -> None:
    for answer in ODD:
        with subtests.test(answer=answer):
            storage, _service = storage_of(lambda _number, answer=answer: answer)  # type: ignore[misc]
            with pytest.raises(Unusable, match=r"List objects: the answer \(HTTP 200\) is not a list of names with"):
                storage.list_objects("c")
