# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a listing may not be."""

from __future__ import annotations

import threading
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import Unusable
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.api import ListingPage
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.remote_listing import objects_below


class Pages:
    def __init__(self, *pages: list[str], count: int = 99) -> None:
        self._pages = list(pages)
        self._count = count
        self.asked = 0

    def page(self, operation: str, container: str, query: dict[str, str]) -> ListingPage:
        self.asked += 1
        page = self._pages.pop(0) if self._pages else []
        entries = [{"name": name, "bytes": 0, "hash": "", "content_type": ""} for name in page]
        return ListingPage(entries, {"x-container-object-count": str(self._count)})


def names(*pages: list[str], prefix: str = "") -> list[str]:
    return [entry.name for entry in objects_below(t.cast("t.Any", Pages(*pages)), "c", prefix)]


@pytest.mark.parametrize(
    ("pages", "count", "query", "asked"),
    [
        ([["a", "b"]], 2, {}, 2),
        ([["a", "b"]], 2, {"trust_count": True}, 1),
        ([["a", "b"]], 3, {"trust_count": True}, 2),  # the listing lags behind
        ([["a", "b"], ["c"]], 3, {"trust_count": True}, 3),
        ([["a", "b"]], 2, {"trust_count": True, "prefix": "p/"}, 2),  # it counts others, too
        ([["a", "b"]], 2, {"first": "a", "trust_count": True}, 2),
        ([["a", "b"]], 9, {"first": "a", "last": "b"}, 1),
        ([["a"], ["b"]], 9, {"first": "a", "last": "b"}, 2),
        ([["a"]], 9, {"first": "a", "last": "b"}, 2),
    ],
)
def test_how_many_pages_are_requested(pages: list[list[str]], count: int, query: dict[str, t.Any], asked: int) -> None:
    query = {"prefix": "", **query}
    storage = Pages(*([query["prefix"] + name for name in page] for page in pages), count=count)
    listed = list(objects_below(t.cast("t.Any", storage), "c", **query))
    assert (len(listed), storage.asked) == (sum(map(len, pages)), asked)


def test_pages_follow_each_other() -> None:
    assert names(["p/", "p/a", "p/b"], ["p/c"], prefix="p/") == ["a", "b", "c"]


@pytest.mark.parametrize("pages", [(["b", "a"],), (["a", "a"],), (["b"], ["a", "c"])])
def test_another_order_is_refused(pages: tuple[list[str], ...]) -> None:
    with pytest.raises(Unusable, match="is not in the order of its names"):
        names(*pages)


def test_what_has_another_prefix_is_refused() -> None:
    with pytest.raises(Unusable):
        names(["other/a"], prefix="p/")


def test_a_thread_that_ends_before_it_asks_makes_no_empty_listing(monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty source would have a sync with delete remove everything."""
    monkeypatch.setattr(threading.Thread, "run", lambda _thread: None)
    assert names(["a", "b"], ["c"]) == ["a", "b", "c"]
