# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of containers and objects, and the limits of the service."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.copies import source_of_copy
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.features import Features
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.listing import query_of
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.properties import check_container, check_object
from ansible_collections.fcd.cloud.plugins.module_utils._object_storage.source_file import check_path


class Service:
    """Counts how often it is asked for its limits."""

    def __init__(self, **limits: int) -> None:
        self.limits = limits
        self.asked = 0

    def __call__(self) -> t.Mapping[str, t.Any]:
        self.asked += 1
        return {"swift": self.limits}


CONTAINERS: list[t.Any] = ["backups", "a b", "żółć", "100%", "#?&", "...", ".hidden", "x" * 256]


def test_container_names_that_are_fine() -> None:
    for name in CONTAINERS:
        service = Service()
        assert check_container(name, Features(service)) == name
        assert service.asked == 0


NO_CONTAINERS: list[t.Any] = ["", "a/b", "/", ".", "..", "nul\0", "\ud800"]


def test_container_names_that_are_refused() -> None:
    for name in NO_CONTAINERS:
        with pytest.raises(InvalidInput) as caught:
            check_container(name, Features(Service()), "container")
        assert caught.value.message.startswith("container: ")


OBJECTS: list[t.Any] = ["a", "a/b", "/a", "a/", "a//b", "a/.b/..c/d...", "50% #1?.txt", "żółw", " "]


def test_object_names_that_are_fine() -> None:
    for name in OBJECTS:
        assert check_object(name, Features(Service())) == name


NO_OBJECTS: list[t.Any] = ["", ".", "..", "./a", "a/../b", "a/.", "a/..", "\0"]


def test_object_names_that_are_refused() -> None:
    for name in NO_OBJECTS:
        with pytest.raises(InvalidInput):
            check_object(name, Features(Service()))


@pytest.mark.parametrize("path", ["a\0b", "\ud800"])
def test_paths_that_are_refused(path: str) -> None:
    with pytest.raises(InvalidInput, match="dest: "):
        check_path(path, "dest")


def test_paths_that_are_fine() -> None:
    assert check_path("/a\udcff b", "dest") == "/a\udcff b"


def test_length_is_counted_in_bytes() -> None:
    assert check_container("ż" * 128, Features(Service()))
    with pytest.raises(InvalidInput, match="258 bytes are too many; the service allows 256"):
        check_container("ż" * 129, Features(Service()))


def test_the_service_may_take_more_than_is_usual() -> None:
    service = Service(max_object_name_length=2000)
    limits = Features(service)
    assert check_object("x" * 2000, limits)
    with pytest.raises(InvalidInput, match="2001 bytes are too many; the service allows 2000"):
        check_object("x" * 2001, limits)
    assert service.asked == 1


def test_a_smaller_limit_counts_where_it_is_asked_for() -> None:
    limits = Features(Service(max_file_size=10))
    limits.check_limit("max_file_size", 11, "The content")
    with pytest.raises(InvalidInput, match="The content: 11 bytes are too many; the service allows 10"):
        limits.check_limit("max_file_size", 11, "The content", ask=True)


SOURCES: list[tuple[t.Any, ...]] = [
    ("c/o", ("c", "o")),
    ("/c/o", ("c", "o")),
    ("c/a/b", ("c", "a/b")),
    ({"container": "c", "object": "a/b"}, ("c", "a/b")),
    ({"container": "c", "name": "o"}, ("c", "o")),
]


def test_source_of_a_copy() -> None:
    for value, place in SOURCES:
        assert source_of_copy(value, Features(Service())) == (place, None)


NO_SOURCES: list[t.Any] = [
    *("", "c", "c/", "//o", 5, ["c", "o"]),
    *({}, {"container": "c"}, {"container": "c", "object": "o", "x": 1}),
]


def test_sources_that_are_refused() -> None:
    for value in NO_SOURCES:
        with pytest.raises(InvalidInput, match="copy_from"):
            source_of_copy(value, Features(Service()))


@pytest.mark.parametrize("text", ["a\0b", "\ud800"])
def test_parts_of_names_that_are_refused(text: str) -> None:
    params = {"prefix": text, "delimiter": None, "marker": ""}
    with pytest.raises(InvalidInput, match="prefix: "):
        query_of(params)


def test_parts_of_names_that_are_given() -> None:
    assert query_of({"prefix": "a b", "delimiter": None, "marker": ""}) == {"prefix": "a b"}
