# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The state in the working folder, where the orchestration tool keeps it by itself."""

from __future__ import annotations

import contextlib
import typing as t

from .._core.errors import InvalidInput
from .._core.files import read_regular
from .recorded_state import State, is_empty, parsed
from .working_folder import STATE, WorkingFolder


class LocalState:
    """The file."""

    backend = None
    place = None

    def __init__(self, folder: WorkingFolder) -> None:
        self._folder = folder

    def of(self, folder: WorkingFolder) -> LocalState:
        """Return the state in a copy of the folder."""
        return LocalState(folder)

    def read(self) -> State | None:
        """Return what is in it, None when there is none. Raises InvalidInput."""
        return local_state(self._folder)

    def is_gone(self) -> bool:
        """Whether there is nothing to destroy."""
        return is_empty(self.read())

    @contextlib.contextmanager
    def at_hand(self) -> t.Iterator[dict[str, str]]:
        """Yield the variables that the tool needs to find it: none."""
        yield {}

    def explain(self, words: t.Sequence[str]) -> str | None:
        """Return what to do about a failure for which the state is the reason."""
        if any("lock" in head.lower() and "state" in head.lower() for head in words):
            return "Another run works with this folder: let it end, or raise lock_timeout."
        return None


def local_state(folder: WorkingFolder) -> State | None:
    """Return the state in a folder. Raises InvalidInput."""
    path = folder.file(STATE)
    try:
        return parsed(read_regular(path), path)
    except FileNotFoundError:
        return None
    except OSError as exc:
        raise InvalidInput(f"path: {path} cannot be read: {exc.strerror}.", option="path") from None
