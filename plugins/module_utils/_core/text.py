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
ALIKE = 0.85  # a misspelling: it comes before what is only similar
SHORTEST = 3  # characters of a part that says which name was meant: x is in client_fixed_amounts
_WORD = re.compile(r"[^\W_]+")
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
    """Return the candidates that are most like ``word``, the best first.

    First those spelt almost like it or that hold it as whole words (``standard-2`` in ``v1.standard-2.2``), then what
    holds its letters, then what is still similar.
    """
    import difflib  # only paid for when something is wrong

    wanted = word.lower()
    known = {candidate.lower(): candidate for candidate in candidates}
    alike, words = difflib.SequenceMatcher(b=wanted), _WORD.findall(wanted)
    found = []
    for key in known:
        alike.set_seq1(key)
        ratio, holds = alike.ratio(), len(word) >= SHORTEST and wanted in key
        has_words = (holds or len(words) > 1) and _has_words(_WORD.findall(key), words)
        if max(holds, has_words) or ratio >= NEAR:
            found.append((not has_words and ratio < ALIKE, not holds, -ratio, key))
    return [known[key] for *_rank, key in sorted(found)[:most]]


def _has_words(there: t.Sequence[str], words: t.Sequence[str]) -> bool:
    """Whether all words are among those that are there."""
    return set(words).issubset(there)


def number_in(text: str) -> int | None:
    """Return the number that the text is, None for a label.

    Only 0 to 9 are digits here, and the number of nothing is longer than 18 of them.
    """
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS else None


def common_prefix(names: t.Collection[str]) -> str:
    """Return what all names begin with."""
    first, last = min(names, default=""), max(names, default="")
    length = next((at for at, letter in enumerate(first) if last[at : at + 1] != letter), len(first))
    return first[:length]


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
    return f"Known: {listed(sorted(every, key=_number_first))}."


def _number_first(name: str) -> tuple[int, str]:
    """Return a key that sorts names by the numbers that they begin with; those without a number follow."""
    digits = re.match(rf"\d{{1,{MOST_DIGITS}}}", name)
    return (int(digits.group()) if digits else 10**MOST_DIGITS, name)


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
SHORTEST_PART = 8  # of a line of a secret, of the middle of one in base64, of the digits of a number
MOST_LINES = 1000

_LOGIN = re.compile(r"://[^/?#\s:]*:([^/?#\s]+)@")


def passwords_in_addresses(values: t.Iterable[t.Any]) -> set[str]:
    """Return the passwords of addresses like ``https://user:password@host`` among the values."""
    texts = [value for value in values if isinstance(value, str) and "://" in value]
    return {found for text in texts for found in _LOGIN.findall(text) if len(found) >= SHORTEST_SECRET}


def leaf_texts(value: t.Any) -> t.Iterator[str]:
    """Yield all values in plain data as texts; what is empty, null, true or false tells nothing."""
    if isinstance(value, (t.Mapping, list, tuple, set, frozenset)):
        for one in value.values() if isinstance(value, t.Mapping) else value:
            yield from leaf_texts(one)
    elif value is not None and not isinstance(value, bool) and value != "":
        yield str(value)


def given_secrets(spec: t.Mapping[str, t.Mapping[str, t.Any]], params: t.Any) -> t.Iterator[str]:
    """Yield, as texts, what is given to secret options of an argument specification, at any depth and of any type."""
    for name, option in spec.items() if isinstance(params, t.Mapping) else ():
        for given in [params[one] for one in (name, *option.get("aliases", ())) if one in params]:
            if option.get("no_log"):
                yield from leaf_texts(given)
            elif option.get("options"):
                for inside in given if isinstance(given, list) else [given]:
                    yield from given_secrets(option["options"], inside)


def _parts(secret: str) -> t.Iterator[str]:
    """Yield the secret, and those of its lines that are long enough to tell something."""
    yield secret
    lines = secret.splitlines()
    yield from (line.strip() for line in lines[:MOST_LINES] if len(lines) > 1 and len(line.strip()) >= SHORTEST_PART)


def _spellings(text: str) -> t.Iterator[str]:
    """Yield the text as it is, and as it stands in addresses, in JSON and Python, in a shell, and in base64."""
    import json
    from urllib.parse import quote, quote_plus

    raw = text.encode("utf-8", "surrogatepass")
    yield from (text, quote(raw, safe=""), quote(raw), quote_plus(raw))
    yield from (json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1], repr(text)[1:-1], visible(text))
    yield text.replace("'", "'\"'\"'")
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        yield encode(raw).decode("ascii")
        for shift in range(3):  # in a longer text it begins at any of three places of a group
            whole = encode(b"\0" * shift + raw).decode("ascii").rstrip("=")
            inside = whole[(0, 2, 3)[shift] : len(whole) - bool((shift + len(raw)) % 3)]
            if len(inside) >= SHORTEST_PART:
                yield inside


class Redacted(t.Dict[str, t.Any]):
    """A result in which secrets are hidden already: what is ours in it, as names and digests, may look like one."""


class Redactor:
    """Knows the secrets of a task and hides them wherever they turn up."""

    def __init__(self, secrets: t.Iterable[str | None] = ()) -> None:
        self._given: dict[str, None] = {}
        self._spelled: set[str] = set()
        self._by_start: dict[str, list[str]] = {}
        for secret in secrets:
            self.add(secret)

    def add(self, secret: str | None) -> None:
        """Hide this value from now on: all of it, its lines, and how both look in the usual encodings."""
        if secret and len(secret) >= SHORTEST_SECRET:
            self._given.setdefault(secret)

    @property
    def secrets(self) -> frozenset[str]:
        """Return every hidden spelling."""
        self._spell()
        return frozenset(self._spelled)

    def _spell(self) -> None:
        while self._given:
            for spelled in {one for part in _parts(self._given.popitem()[0]) for one in _spellings(part)}:
                if spelled not in self._spelled:
                    self._spelled.add(spelled)
                    same_start = self._by_start.setdefault(spelled[:SHORTEST_SECRET], [])
                    same_start.append(spelled)
                    same_start.sort(key=len, reverse=True)

    def _places(self, text: str) -> t.Iterator[tuple[int, int]]:
        """Yield where secrets begin and end, in one pass however many there are; some may overlap."""
        self._spell()
        starts, size = self._by_start, SHORTEST_SECRET
        for at in [at for at in range(len(text) - size + 1) if text[at : at + size] in starts] if starts else ():
            secret = next((one for one in starts[text[at : at + size]] if text.startswith(one, at)), "")
            yield at, at + len(secret)

    def text(self, text: str) -> str:
        """Return ``text`` with every secret hidden."""
        told: list[str] = []
        hidden = 0  # all before is told or hidden
        for begin, end in self._places(text):
            if begin < end and (begin > hidden or not told):
                told += (text[hidden:begin], HIDDEN)
            hidden = max(hidden, end) if begin < end else hidden
        return "".join((*told, text[hidden:])) if told else text

    def value(self, value: t.Any) -> t.Any:
        """Return a structure of plain data with every secret hidden, keys included, and numbers that are secrets."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, Redacted):
            return dict(value)
        if isinstance(value, t.Mapping):
            return {self.value(key): self.value(entry) for key, entry in value.items()}
        if isinstance(value, (list, tuple, set, frozenset)):
            return [self.value(entry) for entry in value]
        return HIDDEN if isinstance(value, (int, float)) and self._is_secret_number(value) else value

    def members(self, value: t.Mapping[str, t.Any]) -> dict[str, t.Any]:
        """Return a mapping of ours with every secret hidden in its values."""
        return {name: self.value(entry) for name, entry in value.items()}

    def _is_secret_number(self, value: float) -> bool:
        text = str(value)
        return len(text) >= SHORTEST_PART and text in self._spelled


def digest(*parts: object) -> str:
    """Return 32 hex characters for the parts, in this order."""
    text = "\x00".join(str(part) for part in parts)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:32]
