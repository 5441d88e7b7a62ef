# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The options of an operation itself: values that Ansible lets pass and no service can take."""

from __future__ import annotations

import math
import typing as t

from .._core.errors import InvalidInput


def check_own_options(options: t.Mapping[str, t.Mapping[str, t.Any]], params: t.Mapping[str, t.Any]) -> None:
    """Raise InvalidInput for a value that cannot be meant; it is not shown, for it may be secret."""
    for name, spec in options.items():
        value = params.get(name)
        problem = None if value is None else _problem(spec.get("type", "str"), value)
        if problem:
            raise InvalidInput(f"{name}: {problem}.", option=name)


def _problem(kind: str, value: t.Any) -> str | None:
    if kind == "path":
        return "a path cannot hold a zero byte" if "\0" in value else None
    if kind == "int":
        return "a whole number is expected, not true or false" if isinstance(value, bool) else None
    if kind == "float":  # all of these are times
        return None if 0 <= value < math.inf else f"{value:g} is no number of seconds, which are 0 or more"
    return None if _is_sendable(value) else "it holds bytes that are not UTF-8"


def _is_sendable(value: t.Any) -> bool:
    """Whether all texts in the value can be encoded; those of a file name or a variable may be broken."""
    if isinstance(value, t.Mapping):
        return all(_is_sendable(key) and _is_sendable(entry) for key, entry in value.items())
    if isinstance(value, (list, tuple)):
        return all(_is_sendable(entry) for entry in value)
    if not isinstance(value, str) or value.isascii():
        return True
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
