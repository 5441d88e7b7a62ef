# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Names in their several spellings, the nearest ones for a wrong one, and texts of strangers made visible."""

from __future__ import annotations

import functools
import re
import typing as t

MOST_DIGITS = 18
NEAR = 0.55  # with less, ListEverything is like UpdateUserSettings
SHORTEST = 3  # characters of a part that says which name was meant: x is in client_fixed_amounts
_ENCODED = re.compile(r"_x([0-9A-Fa-f]{4})_")
_SECRET = re.compile(r"(?!link).*(password|passwd|secret|token|verificationcode|pesel)|code")
_BACKING_FIELD = re.compile(r"<(.+)>k__BackingField$")


def plain(name: str) -> str:
    """Return the member name behind a compiler-made one: ``_x003C_Id_x003E_k__BackingField`` is ``Id``.

    Source: wire-facts section 9.2.
    """
    decoded = _ENCODED.sub(lambda found: chr(int(found.group(1), 16)), name)
    backing = _BACKING_FIELD.match(decoded)
    return backing.group(1) if backing else decoded.lstrip("_") or decoded


@functools.lru_cache(maxsize=8192)
def snake(name: str) -> str:
    """Return ``name`` in snake_case: ``WarehouseName`` is ``warehouse_name``."""
    word = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1_\2", plain(name))
    return re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", word).replace("-", "_").replace(".", "_").lower()


@functools.lru_cache(maxsize=8192)
def fold(name: str) -> str:
    """Return what the spellings of one name share: ``warehouse_name``, ``WarehouseName`` and ``warehouseName``."""
    return re.sub(r"[^0-9a-z]", "", plain(name).lower())


@functools.lru_cache(maxsize=4096)
def names_a_secret(name: str) -> bool:
    """Whether what goes by this name is nobody's business: a password, a token, a code, the national id.

    ``linkToChangePassword`` is only an address.
    """
    return bool(_SECRET.fullmatch(fold(name)))


def nearest(word: str, candidates: t.Iterable[str], most: int = 3) -> list[str]:
    """Return the candidates that are most like ``word``, the best first."""
    import difflib  # only paid for when something is wrong

    known = {candidate.lower(): candidate for candidate in candidates}
    found = difflib.get_close_matches(word.lower(), list(known), most, NEAR)
    within = [key for key in known if len(word) >= SHORTEST and word.lower() in key and key not in found]
    return [known[key] for key in (found + within)[:most]]


def number_in(text: str) -> int | None:
    """Return the number that the text is, None for a label.

    Only 0 to 9 are digits here, and the number of nothing is longer than 18 of them.
    """
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS else None


def shortened(text: str, most: int = 80) -> str:
    """Return a text that is not too long for a sentence."""
    return text if len(text) <= most else f"{text[: most - 3]}..."


def quoted(text: str) -> str:
    """Return a text in quotation marks, in one line; a backslash stays one."""
    return repr(text).replace("\\\\", "\\")


def did_you_mean(word: str, candidates: t.Iterable[str]) -> str:
    """Return a sentence that names the nearest candidates, or all when they are few."""
    every = list(dict.fromkeys(candidates))
    near = nearest(word, every)
    if near:
        return f"Did you mean {' or '.join(repr(name) for name in near)}?"
    if not every:
        return "There are none."
    return f"Known: {listed(sorted(every))}."


def listed(names: t.Sequence[str], most: int = 20) -> str:
    """Return the names for a sentence, of many the first and how many more there are."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")


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
