# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which names of a tree take part, by patterns as in shells and in ignore files."""

from __future__ import annotations

import re
import typing as t

from .._core.errors import InvalidInput

_NEVER = re.compile(r"(?!)")


class Filter:
    """``include`` (empty: everything) and ``exclude``, which wins. Names are relative to the root, with slashes."""

    def __init__(self, include: t.Sequence[str] = (), exclude: t.Sequence[str] = ()) -> None:
        self._everything = not include and not exclude
        self._include = matcher(include, "include") if include else None
        self._exclude = matcher(exclude, "exclude")
        self._closed = _joined([_expression(glob, below_only=False) for glob in exclude])

    def takes(self, name: str) -> bool:
        """Return whether the file or object of this name takes part."""
        return self._everything or (
            not self._exclude.fullmatch(name) and (self._include is None or bool(self._include.fullmatch(name)))
        )

    def enters(self, folder: str) -> bool:
        """Return whether anything in this folder may take part."""
        return not self._closed.fullmatch(folder)


def matcher(globs: t.Sequence[str], option: str) -> re.Pattern[str]:
    """Return what fully matches the names that fit one of the patterns. Raises InvalidInput.

    ``*``, ``?`` and ``[a-z]`` stand for anything but a slash, ``**`` for slashes too. A pattern without a slash fits at
    any depth, one with a slash from the root on; a slash at its end means folders only. What fits a folder fits
    everything in it.
    """
    for glob in globs:
        if not glob.strip("/"):
            raise InvalidInput(
                f"{option}: {glob!r} is not a pattern.",
                next_step="Write names with * and ?, such as *.html or docs/**/*.md.",
                option=option,
            )
    return _joined([_expression(glob, below_only=glob.endswith("/")) for glob in globs])


def _joined(expressions: t.Sequence[str]) -> re.Pattern[str]:
    return re.compile("|".join(expressions), re.DOTALL) if expressions else _NEVER


def _expression(glob: str, *, below_only: bool) -> str:
    body = glob.strip("/")
    start = "" if "/" in glob.rstrip("/") else "(?:.*/)?"
    return f"{start}{_translated(body)}{'/.+' if below_only else '(?:/.*)?'}"


_TOKEN = re.compile(r"(?:(?<=/)|^)\*\*/|\*+|\?|\[!?\]?[^]/]*\]|[^*?[]+|\[", re.DOTALL)


def _translated(glob: str) -> str:
    return "".join(_piece(found.group()) for found in _TOKEN.finditer(glob))


def _piece(token: str) -> str:
    if token == "**/":  # noqa: S105 - any number of folders, none too
        return "(?:[^/]*/)*"
    if token[0] == "*":
        return "[^/]*" if len(token) == 1 else ".*"
    if token == "?":  # noqa: S105
        return "[^/]"
    if token[0] == "[" and len(token) > 1:
        return _set(token[1:-1])
    return re.escape(token)


def _set(inside: str) -> str:
    negated = inside.startswith("!")
    chars = re.sub(r"([\\\[\]^&~|])", r"\\\1", inside[1:] if negated else inside)
    expression = f"[^/{chars}]" if negated else f"(?!/)[{chars}]"
    try:
        re.compile(expression)
    except re.error:  # such as a range that ends before it begins: nothing fits it
        return "(?!)"
    return expression
