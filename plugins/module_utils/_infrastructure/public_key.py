# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Public SSH keys as texts: what ``ssh-keygen`` writes to a ``.pub`` file."""

from __future__ import annotations

import base64
import re

from .._core.errors import InvalidInput

_BASE64 = re.compile(r"[A-Za-z0-9+/]+={0,2}")
NEXT_STEP = "Give the content of the file whose name ends in .pub: one line of type, data and comment."


def is_private_key(text: str) -> bool:
    """Return whether a text is, or contains, a private key."""
    return "PRIVATE KEY" in text or "Private-Lines:" in text


def check_public_key(text: str) -> None:
    """Raise InvalidInput unless the text is one line of type, data in base64 that starts with that type, and comment.

    The message never quotes the text.
    """
    wrong = _fault(text.strip())
    if wrong:
        raise InvalidInput(f"public_key: {wrong}", next_step=NEXT_STEP, option="public_key")


def _fault(text: str) -> str | None:
    if text.startswith("----"):
        return "this is a key in another format than that of OpenSSH. Convert it with ssh-keygen -i -f FILE."
    if len(text.splitlines()) != 1:
        return "it must be a single line with one key."
    words = text.split(None, 2)
    if len(words) == 1:
        return "it must start with a type such as ssh-ed25519, followed by the data of the key."
    kind, data = words[0].encode("utf-8", "replace"), words[1]
    if not _BASE64.fullmatch(data):
        return "the data after the type is not base64. Check that the key is complete."
    blob = base64.b64decode(data[: len(data) // 4 * 4])
    if not blob.startswith(len(kind).to_bytes(4, "big") + kind):
        return "the data is not that of a key of the type before it. Check that the key is complete."
    return None
