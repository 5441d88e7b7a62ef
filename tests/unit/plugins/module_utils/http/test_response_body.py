# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies of answers stay within their limit, also when they unpack to more."""

from __future__ import annotations

import gzip
import tracemalloc
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.fcd.cloud.plugins.module_utils._http.connection import BodyCollector, CutOffBody, InvalidBody


def cut(data: bytes, size: int) -> list[bytes]:
    return [data[start : start + size] for start in range(0, len(data), size)]


@given(st.binary(max_size=2000), st.integers(1, 300), st.booleans())
def test_it_comes_out_as_it_went_in(data: bytes, size: int, packed: bool) -> None:
    body = BodyCollector(2000)
    body.unpack("gzip" if packed else "identity")
    sent = gzip.compress(data) if packed else data
    for piece in cut(sent, size):
        body.take(piece)
    assert body.end(str(len(sent))) == data


@given(st.lists(st.binary(max_size=200), min_size=1, max_size=5), st.integers(1, 100), st.sampled_from([0, 1, 512]))
def test_packed_members_follow_one_another(parts: list[bytes], size: int, padding: int) -> None:
    body = BodyCollector(2000)
    body.unpack("gzip")
    sent = b"".join(map(gzip.compress, parts)) + bytes(padding)
    for piece in cut(sent, size):
        body.take(piece)
    assert body.end(str(len(sent))) == b"".join(parts)


def test_many_packed_members_stay_within_the_limit() -> None:
    body = BodyCollector(1000)
    body.unpack("gzip")
    body.take(gzip.compress(b"x" * 600))
    with pytest.raises(InvalidBody, match="larger than"):
        body.take(gzip.compress(b"x" * 600))


def test_a_packed_member_that_ends_too_early_behind_a_whole_one() -> None:
    body = BodyCollector(1000)
    body.unpack("gzip")
    body.take(gzip.compress(b"x") + gzip.compress(b"y")[:-1])
    with pytest.raises(CutOffBody):
        body.end(None)


@given(st.binary(min_size=1, max_size=500), st.integers(1, 400))
def test_a_packed_body_that_ends_too_early(data: bytes, missing: int) -> None:
    sent = gzip.compress(data)
    body = BodyCollector(2000)
    body.unpack("x-gzip")
    rest = sent[: max(1, len(sent) - missing)]
    body.take(rest)
    with pytest.raises(CutOffBody):
        body.end(None)


def test_an_empty_body_need_not_be_packed() -> None:
    body = BodyCollector(10)
    body.unpack("gzip")
    assert body.end("0") == b""


@pytest.mark.parametrize(("declared", "good"), [("3", True), ("4", False), ("2", False), (None, True), ("many", True)])
def test_the_declared_length(declared: str | None, good: bool) -> None:
    body = BodyCollector(10)
    body.take(b"abc")
    if good:
        assert body.end(declared) == b"abc"
    else:
        with pytest.raises(CutOffBody):
            body.end(declared)


def test_the_limit_is_exact() -> None:
    body = BodyCollector(4)
    body.take(b"abcd")
    assert body.end(None) == b"abcd"
    with pytest.raises(InvalidBody, match="larger than"):
        body.take(b"e")
    assert body.part() == b"abcd"


def test_a_small_body_that_unpacks_to_a_huge_one() -> None:
    packer = zlib.compressobj(9, zlib.DEFLATED, 16 + zlib.MAX_WBITS)
    bomb = b"".join(packer.compress(bytes(1 << 20)) for _number in range(200)) + packer.flush()
    body = BodyCollector(1 << 20)
    body.unpack("gzip")
    tracemalloc.start()
    with pytest.raises(InvalidBody, match="larger than 1 MiB"):
        body.take(bomb)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8 << 20


@pytest.mark.parametrize("encoding", ["br", "deflate", "gzip, gzip", "zstd"])
def test_a_packing_that_was_not_asked_for(encoding: str) -> None:
    with pytest.raises(InvalidBody, match="not requested"):
        BodyCollector(10).unpack(encoding)


def test_what_cannot_be_unpacked() -> None:
    body = BodyCollector(10)
    body.unpack("gzip")
    with pytest.raises(InvalidBody, match="cannot be decompressed"):
        body.take(b"no gzip at all")


def test_a_sink_gets_it_as_it_came_and_without_limit() -> None:
    pieces: list[bytes] = []
    body = BodyCollector(2, pieces.append)
    body.unpack("br")
    body.take(b"abc")
    body.take(b"def")
    assert (body.end("6"), pieces) == (b"", [b"abc", b"def"])
