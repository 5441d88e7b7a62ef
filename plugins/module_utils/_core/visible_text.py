# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Text that strangers may have chosen, made visible: nothing in it acts, turns the line around or cannot be seen."""

from __future__ import annotations

LONGEST_NAME = 200


def visible(text: str) -> str:
    r"""Return the text in one line; what cannot be seen or printed stands as an escape, as ``\n`` or ``\u202e``.

    That is every control and format character (zero width, direction), every blank but the space, half a surrogate
    pair, and what is no character. All of these are legal in JSON; some are not in XML and none is in UTF-8 safely.
    """
    if text.isprintable():
        return text
    return "".join(mark if mark.isprintable() else repr(mark)[1:-1] for mark in text)


def visible_lines(text: str) -> list[str]:
    """Return the lines of the text, each made visible; only a line feed, with or without a return, ends a line."""
    return [visible(line) for line in text.replace("\r\n", "\n").split("\n")]


def bounded(text: str, most: int) -> str:
    """Return at most so many characters of the text, and how many there are when that is not all."""
    return text if len(text) <= most else f"{text[:most]}… ({len(text):,} characters)"


def name_in_line(name: str, most: int = LONGEST_NAME) -> str:
    """Return a name for a line of a report: visible, and not longer than a line or two."""
    return visible(bounded(name, most))
