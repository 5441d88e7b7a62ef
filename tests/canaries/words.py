# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Canaries: secrets that tell their kind, and the one search that finds them in any notation.

A canary begins and ends with words of its own, so that one which was cut still tells its kind. Its letters are written
alike in URLs, JSON, XML and shells. Every long run of letters is decoded as base64 at all four places to begin.
"""

from __future__ import annotations

import base64
import binascii
import re

BEGIN, END = "CaNaRy", "yRaNaC"
_PLAIN = re.compile(rb"CaNaRy([a-z0-9]*?)(?=yRaNaC|[^a-z0-9]|$)|([a-z0-9]+)yRaNaC")
_RUN = re.compile(rb"[A-Za-z0-9+/_-]{16,}")
_HEX = re.compile(rb"(?:[0-9a-fA-F]{2}){10,}")
_STANDARD = bytes.maketrans(b"-_", b"+/")
_PIECES = [BEGIN[:4].encode(), END[-4:].encode()]
"""A content without them tells no canary in any notation, not even a part of one."""

_IN_BASE64 = [
    base64.b64encode(bytes(before) + piece)[(8 * before + 5) // 6 : (8 * (before + 4)) // 6]
    for piece in _PIECES
    for before in range(3)
]
"""The letters that are the same whatever stands before and behind such a piece."""

_IN_HEX = [piece.hex().encode() for piece in _PIECES]
PESEL = "44051401359"  # a canary that the service would not take if it held letters


def canary(kind: str) -> str:
    """Return the plain canary of a kind, of lower letters and digits."""
    return f"{BEGIN}{kind}{END}"


def hard(kind: str) -> str:
    """Return one between characters that each notation writes in another way."""
    return f'"k&y\\ {canary(kind)}<+>/%2C żółw'


def script(kind: str) -> str:
    """Return a script with a canary of its own in each line."""
    first, second = hard(f"{kind}1"), canary(f"{kind}2")
    return f"# {canary(kind)}\nexport KEY='{first}'\ncurl -d {second} localhost\nexit 0\n"


def kinds_in(content: bytes) -> set[str]:
    """Return the kinds of the canaries that the content tells, in whatever notation."""
    found = _plain(content) | ({"pesel"} if PESEL.encode() in content else set())
    for run in _RUN.finditer(content) if _any_of(_IN_BASE64, content) else ():
        text = run.group().translate(_STANDARD)
        for start in range(4):
            piece = text[start : start + (len(text) - start) // 4 * 4]
            found |= _plain(base64.b64decode(piece))
    for digits in _HEX.finditer(content) if _any_of(_IN_HEX, content.lower()) else ():
        found |= _plain(binascii.unhexlify(digits.group()))
    return found


def _any_of(pieces: list[bytes], content: bytes) -> bool:
    return any(piece in content for piece in pieces)


def _plain(content: bytes) -> set[str]:
    if not _any_of(_PIECES, content):
        return set()
    return {(found[1] or found[2] or b"cut").decode() for found in _PLAIN.finditer(content)}
