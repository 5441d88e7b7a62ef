# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds HTML: whatever is no Markup already is escaped, so that it cannot be forgotten."""

from __future__ import annotations

import typing as t
from html import escape

VOID = ("input", "meta")
Content = t.Union[str, t.Iterable[str]]


class Markup(str):
    """HTML that ``tag`` or ``joined`` made."""

    __slots__ = ()


def tag(element: str, /, *contents: Content, **attributes: str | int | bool | None) -> Markup:
    """Return an element. In names of attributes, ``_`` is ``-`` and one at the end is left out, as in ``class_``.

    An attribute that is True has no value; one that is None or False is not there.
    """
    given = "".join(_attribute(key, value) for key, value in attributes.items() if value is not None)
    inner = joined(*contents)
    return Markup(f"<{element}{given}>" if element in VOID else f"<{element}{given}>{inner}</{element}>")


def joined(*contents: Content) -> Markup:
    """Return the contents one after the other."""
    return Markup("".join(_escaped(part) for content in contents for part in _parts(content)))


def verbatim(text: str) -> Markup:
    """Return a text of ours that is HTML, a style or a script already. Never for what comes from a plan."""
    return Markup(text)


def _parts(content: Content) -> t.Iterable[str]:
    return (content,) if isinstance(content, str) else content


def _escaped(part: str) -> str:
    return part if isinstance(part, Markup) else escape(part)


def _attribute(key: str, value: str | int | bool | None) -> str:
    name = key.rstrip("_").replace("_", "-")
    if isinstance(value, bool):
        return f" {name}" if value else ""
    return f' {name}="{escape(str(value))}"'
