# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The document of a registry: it comes back as it was, and whatever is wrong with one is an error."""

from __future__ import annotations

import json
import typing as t

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.registry.registry_document import (
    REGISTRY_MARK,
    Owned,
    RegistryDocument,
    checked_identity,
    read_document,
    written_document,
)

ANY_TEXT = st.text(st.characters(), max_size=1000)  # lone surrogates, too
NUMBERS = st.none() | st.integers() | ANY_TEXT
IDENTITIES = st.dictionaries(ANY_TEXT, ANY_TEXT | st.integers() | st.none() | st.booleans(), max_size=3)
ENTRIES = st.builds(
    Owned,
    *(ANY_TEXT, ANY_TEXT, NUMBERS, IDENTITIES, ANY_TEXT, st.booleans(), st.none() | ANY_TEXT),
    origin=st.sampled_from(["created", "adopted", "found", "removed"]),
    phase=st.sampled_from(["creating", "there"]),
    serial=st.integers(0),
)
GOOD = RegistryDocument(
    "web-shop",
    "whole",
    3,
    {("disks", "db"): Owned("disks", "db", 7, {"name": "db"}, "data", True, "x", serial=3)},
)


def by_place(entries: list[Owned]) -> dict[tuple[str, str], Owned]:
    return {entry.place: entry for entry in entries}


@given(st.lists(ENTRIES, max_size=5).map(by_place), st.integers(0))
def test_written_document_is_read_back(entries: dict[tuple[str, str], Owned], serial: int) -> None:
    document = RegistryDocument("web-shop", "part-1-of-2", serial, entries)
    content = written_document(document)
    assert content.isascii()
    assert read_document(content, "here", site="web-shop") == document


@given(st.integers(0, len(written_document(GOOD)) - 2))
def test_one_that_was_cut_off_is_never_taken_for_whole(length: int) -> None:
    with pytest.raises(InvalidInput, match="here cannot be read"):
        read_document(written_document(GOOD)[:length], "here")


def changed(**members: t.Any) -> bytes:
    return json.dumps({**json.loads(written_document(GOOD)), **members}).encode()


def entry(**members: t.Any) -> bytes:
    return changed(entries=[{**json.loads(written_document(GOOD))["entries"][0], **members}])


DAMAGED = [
    (b"", "not complete JSON"),
    (b"{}", "it is not the registry of a site"),
    (b"[]", "it is not the registry of a site"),
    (b"null", "it is not the registry of a site"),
    (b"\xff\xfe", "not complete JSON"),
    (b"[" * 100_000, "not complete JSON"),
    (changed(what="state"), "it is not the registry of a site"),
    (changed(format=1), "its format is 1, and this version of the collection reads 3"),
    (changed(format=4), "its format is 4"),
    (changed(format=True), "its format is True"),
    (changed(format=None), "its format is None"),
    (changed(site=7), "no site"),
    (changed(serial=True), "no serial"),
    (changed(serial="3"), "no serial"),
    (changed(entries={}), "no entries"),
    (changed(entries=["db"]), "entry 1 does not have the fields"),
    (entry(more=1), "entry 1 does not have the fields"),
    (entry(kind=None), "entry 1 has no kind"),
    (entry(identity="db"), "entry 1 has no identity"),
    (entry(origin="stolen"), "entry 1 has no valid origin"),
    (entry(key=None), "entry 1 has no key"),
    (entry(protected="yes"), "entry 1 has no valid protected"),
    (entry(applied=7), "entry 1 has no valid applied"),
    (entry(phase="gone"), "entry 1 has no valid phase"),
    (entry(id=[1]), "entry 1 has no valid id"),
    (entry(id=False), "entry 1 has no valid id"),
    (changed(entries=json.loads(written_document(GOOD))["entries"] * 2), "two entries of one kind and name"),
]


def test_damage_is_told_with_the_place_and_what_to_do() -> None:
    for content, why in DAMAGED:
        with pytest.raises(InvalidInput, match=why) as told:
            read_document(content, "states/whole.json", site="web-shop")
        assert "registry: states/whole.json" in told.value.message
        assert "Restore an earlier version of it" in str(told.value.next_step)


def test_that_of_another_site_is_refused() -> None:
    with pytest.raises(InvalidInput, match="belongs to the site 'web-shop', not to 'shop'"):
        read_document(written_document(GOOD), "here", site="shop")


@pytest.mark.parametrize("indent", [None, 2])
def test_a_laid_out_one_has_the_mark_too(indent: int | None) -> None:
    assert REGISTRY_MARK.search(json.dumps(json.loads(written_document(GOOD)), indent=indent).encode())


def test_no_secret_is_written_down() -> None:
    assert checked_identity("disks", {"names": ("a", "b")}) == {"names": ["a", "b"]}
    with pytest.raises(ValueError, match="password"):
        checked_identity("client_users", {"login": "u", "password": "p"})
