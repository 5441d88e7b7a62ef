# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Gives answers the form of the line and of the preset: the members of the type, nulls, references."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sandbox.rest.description import Types
from sandbox.rest.schemas import FURTHER, SCALARS, of_line

MARK = {"Id": 1, "Label": "unknown"}


class Appearance:
    """The form of answers; ``settings`` are looked at when an object is shown."""

    def __init__(self, types: Types, settings: Mapping[str, Any]) -> None:
        self._types = types
        self._settings = settings

    def of(self, kind: str, value: Any) -> Any:
        """The value as an answer of that type shows it."""
        outer, _, inner = kind.partition(" of ")
        if value is None:
            return None
        if outer == "page":
            return {**value, "Items": [self.of(inner, one) for one in value["Items"]]}
        if outer == "list":
            return [self.of(inner, one) for one in value]
        if kind == "ref":
            return value if self._settings["reference_names"] else {"Id": value["Id"]}
        return value if kind in SCALARS else self._object(kind, value)

    def _object(self, kind: str, value: Mapping[str, Any]) -> dict[str, Any]:
        nulls = self._settings["null_members"]
        shown = {}
        for name, declared in of_line(self._types[kind], self._settings["line"]).items():
            known = None if f"{kind}.{name}" in nulls else value.get(name)
            shown[name] = self.of(declared["type"], known)
        return {**shown, FURTHER: MARK} if self._settings["further_members"] else shown
