# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a listing may not be."""

from __future__ import annotations

import threading
import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import Unusable
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.tree_merge import objects_below


class Pages:
    def __init__(self, *pages: list[str]) -> None:
        self._pages = list(pages)

    def list_objects(self, container: str, **query: str) -> list[dict[str, t.Any]]:
        page = self._pages.pop(0) if self._pages else []
        return [{"name": name, "bytes": 0, "hash": "", "content_type": ""} for name in page]


def names(*pages: list[str], prefix: str = "") -> list[str]:
    return [entry.name for entry in objects_below(t.cast("t.Any", Pages(*pages)), "c", prefix)]


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
