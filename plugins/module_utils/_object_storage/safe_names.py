# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of objects as names of files: none may lead out of the folder, and two may not mean one file."""

from __future__ import annotations

import os
import unicodedata

from .._core.errors import FcdError, InvalidInput
from .part_file import NAMES as PART

USUAL_LONGEST = 255  # bytes


def longest_part(path: str) -> int:
    """Return how many bytes a name may have in a folder, which need not be there yet."""
    while not os.path.lexists(path):
        path = os.path.dirname(path)
    try:
        return os.pathconf(path, "PC_NAME_MAX")
    except (OSError, ValueError):
        return USUAL_LONGEST


def check_file_name(name: str, longest: int = USUAL_LONGEST) -> FcdError | None:
    """Return why no file below the folder can have this relative name, None when one can.

    ``longest`` is how many bytes each part of it may have.
    """
    why = _misshapen(name) or _unencodable(name, longest)
    if why is None:
        return None
    return InvalidInput(f"It cannot be the name of a file: {why}.", next_step="Rename the object, or exclude it.")


def _misshapen(name: str) -> str | None:
    parts = name.split("/")
    if not parts[0]:
        return "it begins with a slash"
    if not parts[-1]:
        return "it ends with a slash"
    if {"", ".", ".."} & set(parts):
        return "a part of it between two slashes is empty, a dot or two dots"
    if PART.fullmatch(parts[-1]):
        return "files of this name are what downloads are at"
    return None


def _unencodable(name: str, longest: int) -> str | None:
    if "\0" in name:
        return "it holds a zero byte"
    try:
        encoded = os.fsencode(name)
    except UnicodeEncodeError:
        return "the encoding of this system has not all of its characters"
    if len(encoded) > longest and max(map(len, encoded.split(b"/"))) > longest:
        return f"a part of it is longer than {longest} bytes"
    return None


class Clashes:
    """Looks for names that cannot be side by side as files. They have to come in their order."""

    def __init__(self) -> None:
        self._above: list[str] = []  # objects that each of the following may be below
        self._folded: dict[int, str] = {}

    def below_object(self, name: str) -> str | None:
        """Return the object whose name is that of a folder above this one."""
        while self._above and not name.startswith(self._above[-1]):
            self._above.pop()
        found = next((other for other in self._above if name.startswith(f"{other}/")), None)
        self._above.append(name)
        return found

    def alike(self, name: str) -> str | None:
        """Return another name that differs only in case or in how its characters are composed."""
        key = hash(name.lower() if name.isascii() else _folded(name))
        other = self._folded.setdefault(key, name)
        return None if other is name else other


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())
