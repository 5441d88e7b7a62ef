# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects as files below a folder, for entries with src."""

from __future__ import annotations

import os
import re

from ..._core.errors import FcdError, InvalidInput
from ..._object_storage.content import of_file
from ..._object_storage.download import download, version_of
from ..._object_storage.file_places import NameClashes, check_file_name, longest_part
from .account import Account, Record

VARIABLE = re.compile(r"\$(\w|\{)", re.ASCII)  # in paths of a site file they are resolved, as in those of each task
VAULTED = b"$ANSIBLE_VAULT;"


class ObjectFiles:
    """The files below ``folder``, one for each object: ``<folder>/<container>/<object>``, mode 0600.

    ``called`` is what stands for the folder in the site file, None for the folder itself.
    """

    def __init__(self, account: Account, folder: str, called: str | None) -> None:
        self._account = account
        self._folder = os.path.abspath(folder)
        self._called = self._folder if called is None else called
        self._longest = longest_part(self._folder)
        self._clashes = NameClashes()
        self.changed = False

    def fetched(
        self, container: str, name: str, record: Record, headers: dict[str, str]
    ) -> tuple[dict[str, str] | None, str | None]:
        """Have an object as a file; return the option for it, or why there is none. In check mode nothing is written.

        Objects have to come in the order of their names.
        """
        place = f"{container}/{name}"
        why = self._unfit(place)
        if why is not None:
            return None, why
        path = os.path.join(self._folder, place)
        held = _holds(path, record)
        if (_start_of(path) if held else self._start(container, name)) == VAULTED:
            return None, "a site would decrypt its file with Ansible Vault, and make another object of it"
        if not held:
            self.changed = True
            if not self._account.task.check_mode:
                storage = self._account.storage
                _make_folder(os.path.dirname(path))
                download(storage, (container, name), path, version_of(storage, record, headers), option="folder")
        return {"src": os.path.join(self._called, place)}, None

    def _start(self, container: str, name: str) -> bytes:
        start = bytearray()

        def take(piece: bytes) -> None:  # all of the object, where somebody on the way leaves out the range
            start.extend(piece[: len(VAULTED) - len(start)])

        part = {"Range": f"bytes=0-{len(VAULTED) - 1}"}
        self._account.storage.read_object(container, name, take, part, len(VAULTED))
        return bytes(start)

    def _unfit(self, place: str) -> str | None:
        wrong = check_file_name(place, self._longest)
        if wrong is not None:
            return wrong.message
        if VARIABLE.search(place):
            return "a part of its name would be taken for a variable of the environment"
        if self._account.holds_secret(place):
            return "a secret of this task is in its name"
        other = self._clashes.below_object(place) or self._clashes.alike(place)
        return f"its file would be in the place of that of {other!r}" if other else None


def _make_folder(path: str) -> None:
    try:
        os.makedirs(path, mode=0o700, exist_ok=True)
    except OSError as error:
        raise InvalidInput(
            f"folder: {path} cannot be made: {error.strerror}.",
            next_step="Give a folder that is there or can be made, and see that no file has its name.",
            option="folder",
        ) from None


def _holds(path: str, record: Record) -> bool:
    """Whether the file has the content of the object already."""
    try:
        content = of_file(path)
        return bool(content.size == record["size"] and content.etag == record["etag"])
    except FcdError:
        return False


def _start_of(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read(len(VAULTED))
