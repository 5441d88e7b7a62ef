# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Documents that come inside a record as base64: written to a file on request, and not shown, for they may be large.

Which member holds a document is not known (wire-facts 9.4): it is the one that the WSDL declares as base64Binary.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import typing as t

from .._api.type_structure import Path, binary_paths
from .._core.atomic_write import mode_of, write_if_changed
from .._core.errors import InvalidInput, Unusable
from .reading import Asked, Row

OPTIONS: dict[str, dict[str, t.Any]] = {
    "dest": {"type": "path"},
    "mode": {"type": "raw"},
    "include_document": {"type": "bool"},
}
RULES = {"required_by": {"mode": ["dest"]}}
ALSO = tuple(OPTIONS)

ATTRIBUTE = "document"


class Documents:
    """The documents in records of the type ``rows``; ``option`` says which one, and ``noun`` what it is to a person."""

    def __init__(self, rows: str, option: str, noun: str) -> None:
        self._rows = rows
        self._option = option
        self._noun = noun

    def saved(self, asked: Asked, found: list[Row]) -> Row:
        """Write the document of the record to the file that is asked for; return what the result has of it."""
        dest = asked.params["dest"]
        if dest is None:
            return {}
        mode = None if asked.params["mode"] is None else mode_of(asked.params["mode"], "mode")
        content = self._content(asked, found)
        changed = write_if_changed(dest, content, mode, option="dest", write=not asked.task.check_mode)
        return {"changed": changed, "file": dest, **_described(content)}  # AnsibleModule adds to "dest" and "path"

    def shown(self, asked: Asked, found: list[Row]) -> list[Row]:
        """Return the records with size and checksum in place of what is in their documents."""
        if asked.params["include_document"]:
            return found
        paths = self._paths(asked)
        return [_without(row, paths) for row in found]

    def _content(self, asked: Asked, found: list[Row]) -> bytes:
        path = self._path(asked)
        value: t.Any = found[0] if found else None
        for name in path:
            value = None if value is None else value.get(name)
        if value is None:
            number = asked.params[self._option]
            what = f"the {self._noun} {number} has no document" if found else f"there is no {self._noun} {number}"
            raise InvalidInput(
                f"{self._option}: {what}; nothing is written to {asked.params['dest']}.", option=self._option
            )
        content = _decoded(value)
        if content is None:
            raise Unusable(f"The member {'.'.join(path)} of {self._rows} is not base64.")
        return content

    def _path(self, asked: Asked) -> Path:
        """Return where the document is. Raises InvalidInput when nothing, or more than one thing, could be it."""
        mapped = asked.task.settings["soap_member_map"] or {}
        if f"{self._rows}.{ATTRIBUTE}" in mapped:
            return (asked.api.members(self._rows).find(ATTRIBUTE),)
        paths = self._paths(asked)
        if len(paths) == 1:
            return paths[0]
        what = "no member that holds a document (base64Binary)"
        if paths:
            what = f"several members that hold a document: {', '.join('.'.join(path) for path in paths)}"
        raise InvalidInput(
            f"The service's type {self._rows} has {what}.",
            next_step=f'Name the member in soap_member_map: {{"{self._rows}.{ATTRIBUTE}": ...}}.',
            option="dest",
        )

    def _paths(self, asked: Asked) -> list[Path]:
        return binary_paths(asked.api.contract, self._rows)


def _without(row: Row, paths: t.Sequence[Path]) -> Row:
    """Return the record with the documents on these paths described only."""
    for path in paths:
        name = path[0]
        value = row.get(name)
        if isinstance(value, dict):
            row = {**row, name: _without(value, [path[1:]])}
        elif isinstance(value, str):
            row = {**row, name: _described(_decoded(value) or b"")}
    return row


def _decoded(text: t.Any) -> bytes | None:
    try:
        return base64.b64decode("".join(str(text).split()), validate=True)
    except (binascii.Error, ValueError):
        return None


def _described(content: bytes) -> Row:
    return {"size": len(content), "sha256": hashlib.sha256(content).hexdigest()}
