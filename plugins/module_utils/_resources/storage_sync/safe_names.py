# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of objects as names of files: none may lead out of the folder, and two may not mean one file."""

from __future__ import annotations

import os
import unicodedata

from ..._core.errors import FcdError, InvalidInput
from ..storage.part_file import NAMES as PART


def check_file_name(name: str) -> FcdError | None:
    """Return why no file below the folder can have this relative name, None when one can."""
    parts = name.split("/")
    why = None
    if "\0" in name:
        why = "it holds a zero byte"
    elif not parts[0]:
        why = "it begins with a slash"
    elif not parts[-1]:
        why = "it ends with a slash"
    elif {"", ".", ".."} & set(parts):
        why = "a part of it between two slashes is empty, a dot or two dots"
    elif PART.fullmatch(parts[-1]):
        why = "files of this name are what downloads are at"
    elif not _encodable(name):
        why = "the encoding of this system has not all of its characters"
    if why is None:
        return None
    return InvalidInput(f"It cannot be the name of a file: {why}.", next_step="Rename the object, or exclude it.")


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


def _encodable(name: str) -> bool:
    try:
        os.fsencode(name)
    except UnicodeEncodeError:
        return False
    return True
