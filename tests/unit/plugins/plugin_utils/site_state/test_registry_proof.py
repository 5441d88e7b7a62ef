# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A signed registry comes back as it was, and nobody changes a thing in it unnoticed."""

from __future__ import annotations

import math
import typing as t
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.fcd.cloud.plugins.plugin_utils.site.registry.registry_document import (
    Owned,
    RegistryDocument,
    read_document,
    written_document,
)
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.registry.registry_proof import RegistryProof
from ansible_collections.fcd.cloud.plugins.plugin_utils.site.site_key import SiteKey

ANY_TEXT = st.text(st.characters(), max_size=30)  # lone surrogates, too
PLAIN = ANY_TEXT | st.integers()
ENTRIES = st.builds(
    Owned,
    kind=ANY_TEXT,
    name=ANY_TEXT,
    id=st.none() | PLAIN,
    identity=st.dictionaries(ANY_TEXT, PLAIN, max_size=2),
    origin=st.sampled_from(["created", "adopted", "found", "removed"]),
    phase=st.sampled_from(["creating", "there"]),
    serial=st.integers(0),
    key=ANY_TEXT,
    protected=st.booleans(),
    applied=st.none() | ANY_TEXT,
    moved_from=ANY_TEXT,
    made_at=st.none() | ANY_TEXT,
)
LISTS = st.lists(ENTRIES, min_size=1, max_size=4, unique_by=lambda one: one.place)
KEY, OTHER_KEY = (SiteKey.of_seed(letter * 32, given=True) for letter in (b"a", b"b"))
PROOF = RegistryProof(KEY, "web-shop", where="https://storage.example.com/v1/AUTH_shop/states")


def signed(entries: t.Iterable[Owned], proof: RegistryProof = PROOF, now: float = 5.0) -> RegistryDocument:
    return proof.signed(RegistryDocument("web-shop", "whole", 3, {one.place: one for one in entries}), now)


@given(LISTS)
def test_it_comes_back_and_is_believed(entries: list[Owned]) -> None:
    document = signed(entries)
    found = read_document(written_document(document), "here", site="web-shop")
    assert found == document
    assert PROOF.doubt("whole", "here", found, 5) is None


@given(LISTS, st.data())
def test_whatever_is_changed_in_an_entry_is_seen(entries: list[Owned], data: st.DataObject) -> None:
    document = signed(entries)
    field = data.draw(st.sampled_from(["id", "identity", "origin", "phase", "serial", "key", "protected", "made_at"]))
    other = data.draw(ENTRIES.filter(lambda one: getattr(one, field) != getattr(entries[0], field)))
    changed = entries[0].with_fields(**{field: getattr(other, field)})
    doubt = PROOF.doubt("whole", "here", document._replace(entries={**document.entries, changed.place: changed}), 0)
    assert doubt is not None
    assert doubt.places == (changed.place,)


ELSEWHERE = [
    "https://other.example.com/v1/AUTH_shop/states",
    "https://storage.example.com/v1/AUTH_blog/states",
    "https://storage.example.com/v1/AUTH_shop/other",
    "/var/lib/states.json",
]


@given(LISTS)
def test_it_is_that_of_one_owner_one_document_one_place_and_one_key(entries: list[Owned]) -> None:
    document, places = signed(entries), tuple(sorted(one.place for one in entries))
    others = [
        RegistryProof(KEY, "web-shop.test", where=PROOF.where).doubt("whole", "here", document, 0),
        PROOF.doubt("part-1-of-2", "here", document, 0),
        *(RegistryProof(KEY, "web-shop", where=where).doubt("whole", "here", document, 0) for where in ELSEWHERE),
        RegistryProof(OTHER_KEY, "web-shop", where=PROOF.where).doubt("whole", "here", document, 0),
        RegistryProof(None, "web-shop", where=PROOF.where).doubt("whole", "here", document, 0),
    ]
    assert [doubt and doubt.places for doubt in others] == [places] * 8


@pytest.mark.parametrize(
    ("stored_at", "seen", "believed"),
    [
        (None, 0, True),
        (999_000.0, 0, True),  # the clock of the controller is fast
        (1_003_600.0, 0, True),
        (1_003_601.0, 0, False),
        (1_003_601.0, 999_999, False),  # it may be that of a run in between
        (1_003_601.0, 1_000_000, True),  # the one that was seen last
        (math.inf, 0, False),
        (1_000_000.0, 1_000_001, False),
    ],
)
def test_it_is_stored_when_it_is_signed(stored_at: float | None, seen: int, believed: bool) -> None:
    document = signed([Owned("disks", "d")], now=1_000_000.0)._replace(stored_at=stored_at)
    doubt = PROOF.doubt("whole", "here", document, seen)
    assert (doubt is None) is believed
    assert doubt is None or doubt.why.startswith("an older version that was restored")


def test_it_grows_whatever_the_clock_says(tmp_path: Path) -> None:
    proof = RegistryProof(KEY, "web-shop", str(tmp_path / "seen"), "here")
    seen = []
    for now in (1000.0, 1000.0, 3.0, 2000.0):
        document = signed([Owned("disks", "d")], proof, now)
        assert document.signature is not None
        proof.note("whole", document)
        seen.append(document.signature.written)
    assert seen == [1000, 1001, 1002, 2000]
    proof.note("whole", None)
    assert proof.doubt("whole", "here", document, proof.seen("whole")) is not None, "it was removed"
    assert RegistryProof(KEY, "web-shop", str(tmp_path / "seen"), "elsewhere").seen("whole") == 0
