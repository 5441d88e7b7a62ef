# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Names in their several spellings, the nearest ones, texts of strangers made visible, and secrets hidden in texts."""

from __future__ import annotations

import base64
import functools
import hashlib
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


def visible_text(text: str) -> str:
    r"""Return a text of several lines, each made visible, none of which is a command for a pipeline that reads the log.

    Such lines begin with ``::`` or ``##``, after any blanks; here they begin with ``\x3a:`` or ``\x23#``.
    """
    return "\n".join(map(no_command, map(visible, text.split("\n"))))


def no_command(line: str) -> str:
    """Return the line so that it is no command for a pipeline that reads the log, see ``visible_text``."""
    words = line.lstrip()
    if not words.startswith(("::", "##")):
        return line
    return f"{line[: len(line) - len(words)]}\\x{ord(words[0]):x}{words[1:]}"


def visible_value(value: t.Any) -> t.Any:
    """Return plain data in which every text is visible, keys included."""
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, t.Mapping):
        return {visible_value(name): visible_value(one) for name, one in value.items()}
    return [visible_value(one) for one in value] if isinstance(value, (list, tuple)) else value


def bounded(text: str, most: int) -> str:
    """Return at most so many characters of the text, and how many there are when that is not all."""
    return text if len(text) <= most else f"{text[:most]}… ({len(text):,} characters)"


def name_in_line(name: str, most: int = LONGEST_NAME) -> str:
    """Return a name for a line of a report: visible, and not longer than a line or two."""
    return visible(bounded(name, most))


# ---------------------------------------------------------------- secrets, kept out of texts and names of files

HIDDEN = "********"
SHORTEST_SECRET = 4  # masking shorter values garbles ordinary words and protects nothing

_LOGIN = re.compile(r"://[^/?#\s:]*:([^/?#\s]+)@")


def passwords_in_addresses(values: t.Iterable[t.Any]) -> set[str]:
    """Return the passwords of addresses like ``https://user:password@host`` among the values."""
    texts = [value for value in values if isinstance(value, str) and "://" in value]
    return {found for text in texts for found in _LOGIN.findall(text) if len(found) >= SHORTEST_SECRET}


class Redactor:
    """Knows the secrets of a task and hides them wherever they turn up."""

    def __init__(self, secrets: t.Iterable[str | None] = ()) -> None:
        self._secrets: set[str] = set()
        for secret in secrets:
            self.add(secret)

    def add(self, secret: str | None) -> None:
        """Hide this value from now on, as it is and as it looks percent- or base64-encoded."""
        if not secret or len(secret) < SHORTEST_SECRET:
            return
        from urllib.parse import quote, quote_plus

        self._secrets.update((secret, quote(secret, safe=""), quote_plus(secret)))
        self._secrets.add(base64.b64encode(secret.encode("utf-8")).decode("ascii"))

    @property
    def secrets(self) -> frozenset[str]:
        """Return every hidden spelling."""
        return frozenset(self._secrets)

    def text(self, text: str) -> str:
        """Return ``text`` with every secret hidden."""
        for secret in sorted(self._secrets, key=len, reverse=True):
            if secret in text:
                text = text.replace(secret, HIDDEN)
        return text

    def value(self, value: t.Any) -> t.Any:
        """Return a structure of plain data with every secret hidden, keys included."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, t.Mapping):
            return {self.value(key): self.value(entry) for key, entry in value.items()}
        if isinstance(value, (list, tuple, set, frozenset)):
            return [self.value(entry) for entry in value]
        return value


def digest(*parts: object) -> str:
    """Return 32 hex characters for the parts, in this order."""
    text = "\x00".join(str(part) for part in parts)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:32]
