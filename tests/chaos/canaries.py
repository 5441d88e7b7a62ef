# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The secrets of these tests: an odd word in each, between characters that every notation writes differently."""

from __future__ import annotations

import base64
import functools
import typing as t

PIECE = 8
"""So many letters of a word count as the word: a text that was cut in the middle of a secret tells most of it too."""

PIECE_OF_TOKEN = 16
"""The same for what is no word: hexadecimal digits, of which fewer may turn up by chance."""

WORDS = {
    "password": "pangolinquiver",
    "api_client_secret": "thimbleokapinook",
    "storage_key": "barramundigourd",
    "storage_other_key": "salamandercask",
    "user_password": "bitterntamarack",
    "other_password": "numbatparasol",
    "wrong_password": "capybaragimlet",
}
HARD = '{}"7&<x>%2C\\ żółw'

CREDENTIALS = {
    "api_client_id": "hornbeam-client-7",
    "api_client_secret": f"a+b/{WORDS['api_client_secret']}=='\"<9>",
    "username": "panel.owner@example.com",
    "password": HARD.format(WORDS["password"]),
    "storage_user": "bramblebarn:admin",
    "storage_key": f'"k&y\\ {WORDS["storage_key"]}<+>/',
    "storage_other_key": WORDS["storage_other_key"],
}
USER_PASSWORD = HARD.format(WORDS["user_password"])
OTHER_PASSWORD = f"Zz9 {WORDS['other_password']}"
WRONG_PASSWORD = HARD.format(WORDS["wrong_password"])
PESEL = "44051401359"


@functools.lru_cache(maxsize=None)
def spellings(secret: str) -> set[bytes]:
    """Return what tells a secret: the start and the end of its word, or of all of it where it holds no word of ours."""
    word = next((word for word in WORDS.values() if word in secret), None)
    text, size = (word, PIECE) if word else (secret, min(PIECE_OF_TOKEN, len(secret)))
    return {text[:size].encode(), text[-size:].encode(), *_in_base64(secret.encode())}


def _in_base64(secret: bytes) -> t.Iterator[bytes]:
    """Yield the middle of its base64 forms: a secret in a longer text is shifted by nought, one or two bytes."""
    for shift in range(3):
        text = base64.b64encode(b"\0" * shift + secret).rstrip(b"=")
        middle = text[4 * bool(shift) : len(text) - 4]
        if len(middle) >= PIECE:
            yield middle
