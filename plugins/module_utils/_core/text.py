# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Spellings of names, similar names, text from outside made visible, and secrets hidden in text."""

from __future__ import annotations

import base64
import datetime as dt
import difflib
import functools
import hashlib
import json
import math
import re
import typing as t
from collections.abc import Mapping
from urllib.parse import quote, quote_plus

SITE_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,62}")

MAX_NUMBER_DIGITS = 18
NEAR = 0.55  # below this, ListEverything would be like UpdateUserSettings
ALIKE = 0.85  # a misspelling: it comes before what is only similar
MIN_PART_LENGTH = 3  # characters of a part that identifies a name: x is in client_fixed_amounts
MAX_CANDIDATE = 256  # characters of what is suggested
MAX_COMPARED = 5_000_000  # pairs of letters, about half a second
_WORD = re.compile(r"[^\W_]+")
_BOUNDARY = re.compile(r"(?<=[A-Z])(?=[A-Z][a-z])|(?<=[a-z0-9])(?=[A-Z])")
_ENCODED = re.compile(r"_x([0-9A-Fa-f]{4})_")
_SECRET = re.compile(r"(?!link).*(password|passwd|secret|token|verificationcode|pesel|initscript)|code")
_COMMAND = re.compile(r"#(?=#\w*\[)")
_BACKING_FIELD = re.compile(r"<(.+)>k__BackingField$")
_SURROGATE = re.compile(r"[\ud800-\udfff]")


def plain(name: str) -> str:
    """Return the member name behind a compiler-made one: ``_x003C_Id_x003E_k__BackingField`` is ``Id``.

    Source: docs/service/contract.md, "Shapes".
    """
    decoded = _ENCODED.sub(lambda found: chr(int(found.group(1), 16)), name)
    backing = _BACKING_FIELD.match(decoded)
    return backing.group(1) if backing else decoded.lstrip("_") or decoded


@functools.lru_cache(maxsize=8192)
def snake(name: str) -> str:
    """Return ``name`` in snake_case: ``WarehouseName`` becomes ``warehouse_name``."""
    return _BOUNDARY.sub("_", plain(name)).replace("-", "_").replace(".", "_").lower()


@functools.lru_cache(maxsize=8192)
def fold(name: str) -> str:
    """Return what the spellings of one name share: ``warehouse_name``, ``WarehouseName`` and ``warehouseName``."""
    return re.sub(r"[^0-9a-z]", "", plain(name).lower())


def is_alike(sent: str, kept: str) -> bool:
    """Return whether a service that folds, trims or cuts names may have made the second name of the first."""
    one, other = ("".join(name.split()).casefold() for name in (sent, kept))
    return bool(other) and one.startswith(other)


@functools.lru_cache(maxsize=4096)
def names_a_secret(name: str) -> bool:
    """Return whether a member of this name is secret: a password, a token, a code, the national ID, an init script.

    ``linkToChangePassword`` is only an address.
    """
    return bool(_SECRET.fullmatch(fold(name)))


def nearest(word: str, candidates: t.Iterable[str], most: int = 3) -> list[str]:
    """Return the candidates that are most similar to ``word``, the best first.

    Those that are spelt almost the same, or contain its words (``standard-2`` in ``v1.standard-2.2``), come before
    those that contain its letters, and these before those that are similar in some way. Very long names do not count.
    """
    if len(word) > MAX_CANDIDATE:
        return []
    desired = word.lower()
    known = {candidate.lower(): candidate for candidate in candidates if len(candidate) <= MAX_CANDIDATE}
    alike, words = difflib.SequenceMatcher(b=desired), _WORD.findall(desired)
    found, compared = [], 0
    for key in known:
        alike.set_seq1(key)
        compared += len(key) * len(desired)
        ratio = alike.ratio() if compared <= MAX_COMPARED and alike.real_quick_ratio() >= NEAR else 0.0
        holds = len(word) >= MIN_PART_LENGTH and desired in key
        has_words = (holds or len(words) > 1) and set(words).issubset(_WORD.findall(key))
        if max(holds, has_words) or ratio >= NEAR:
            found.append((not has_words and ratio < ALIKE, not holds, -ratio, key))
    return [known[key] for *_rank, key in sorted(found)[:most]]


def number_in(text: str) -> int | None:
    """Return the whole number that the text spells; None for anything else, such as a label.

    Only 0 to 9 are digits here, and no number has more than 18 of them.
    """
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MAX_NUMBER_DIGITS else None


def common_prefix(names: t.Collection[str]) -> str:
    """Return the longest prefix that all names share."""
    first, last = min(names, default=""), max(names, default="")
    length = next((at for at, letter in enumerate(first) if last[at : at + 1] != letter), len(first))
    return first[:length]


def shortened(text: str, most: int = 80) -> str:
    """Return the text, cut to a length that fits into a sentence."""
    return text if len(text) <= most else f"{text[: most - 3]}..."


def quoted(text: str) -> str:
    """Return the text in quotation marks, in one line; a backslash stays one."""
    return repr(encodable(text)).replace("\\\\", "\\")


def did_you_mean(word: str, candidates: t.Iterable[str]) -> str:
    """Return a sentence that names the most similar candidates, or all if they are few."""
    every = list(dict.fromkeys(candidates))
    near = nearest(word, every)
    if near:
        return f"Did you mean {either([repr(name) for name in near])}?"
    if not every:
        return "There are none."
    return f"Known: {join_names([shortened(name, MAX_CANDIDATE) for name in sorted(every, key=_number_first)])}."


def either(names: t.Sequence[str]) -> str:
    """Return the names for a sentence as a choice: ``a, b or c``."""
    return " or ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def _number_first(name: str) -> tuple[int, str]:
    """Return a key that sorts names by the numbers at their start; names without a number follow."""
    digits = re.match(rf"\d{{1,{MAX_NUMBER_DIGITS}}}", name)
    return (int(digits.group()) if digits else 10**MAX_NUMBER_DIGITS, name)


def join_names(names: t.Sequence[str], most: int = 20) -> str:
    """Return the names for a sentence: if there are many, the first ones and how many more there are."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")


MAX_SHOWN_NAME = 200


def visible(text: str) -> str:
    r"""Return the text in one line; what cannot be seen or printed becomes an escape such as ``\n`` or ``\u202e``.

    These are all control and format characters (zero width, direction), all blanks but the space, single surrogates,
    and code points that are not characters. All are legal in JSON; some are not legal in XML, and none are safe in
    UTF-8. Nor does a pipeline that reads the log take ``##[`` or ``##vso[`` for a command, which it does anywhere in a
    line; here they begin with ``\x23#``.
    """
    if not text.isprintable():
        text = "".join(mark if mark.isprintable() else repr(mark)[1:-1] for mark in encodable(text))
    return _COMMAND.sub(r"\\x23", text) if "##" in text else text


def encodable(text: str) -> str:
    r"""Return the text as UTF-8 can encode it: bytes of a file name that are not UTF-8 become escapes such as ``\xe9``.

    Python reads such a byte as a single surrogate. Any other single surrogate becomes ``\ud800``.
    """
    return text if text.isascii() else _SURROGATE.sub(_escape_surrogate, text)


def _escape_surrogate(found: re.Match[str]) -> str:
    byte = ord(found[0]) - 0xDC00  # as os.fsdecode adds
    return f"\\x{byte:02x}" if 0x80 <= byte <= 0xFF else f"\\u{ord(found[0]):04x}"


def fit_for_json(value: object) -> t.Any:
    """Return plain data as all programs can read it: every text can be encoded, and every number is finite."""

    def fit(one: object) -> object:
        if isinstance(one, str):
            return encodable(one)
        return str(one) if isinstance(one, float) and not math.isfinite(one) else one

    return map_values(fit, value)


def visible_lines(text: str) -> list[str]:
    """Return the lines of the text, each made visible; only a line feed, with or without a return, ends a line."""
    return [visible(line) for line in text.replace("\r\n", "\n").split("\n")]


def visible_text(text: str) -> str:
    r"""Return a text of several lines, each made visible; no pipeline that reads the log takes one for a command.

    Such lines begin with ``::``, after any blanks; here they begin with ``\x3a:``.
    """
    return "\n".join(map(no_command, map(visible, text.split("\n"))))


def no_command(line: str) -> str:
    """Return the line so that a pipeline that reads the log does not take it for a command; see ``visible_text``."""
    words = line.lstrip()
    return f"{line[: len(line) - len(words)]}\\x3a{words[1:]}" if words.startswith("::") else line


def map_values(change: t.Callable[[object], object], value: object) -> object:
    """Return plain data in which every value is changed, keys included."""
    if isinstance(value, Mapping):
        return {change(name): map_values(change, one) for name, one in value.items()}
    return [map_values(change, one) for one in value] if isinstance(value, (list, tuple)) else change(value)


def plain_data(value: object) -> t.Any:
    """Return the value without Ansible's tags and text types, which only the controller knows."""
    if isinstance(value, Mapping):
        return {str(key): plain_data(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain_data(entry) for entry in value]
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, (dt.date, dt.time)):  # YAML makes them of texts without quotes; a module gets ISO 8601
        return value.isoformat()
    for kind in (int, float):
        if isinstance(value, kind):
            return kind(value)
    return str(value)  # texts, and what becomes one when it is sent


def visible_value(value: object) -> object:
    """Return plain data in which every text is visible, keys included."""
    return map_values(lambda one: visible(one) if isinstance(one, str) else one, value)


def bounded(text: str, most: int) -> str:
    """Return at most so many characters of the text and, if that is not all, how many there are."""
    return text if len(text) <= most else f"{text[:most]}… ({len(text):,} characters)"


def name_in_line(name: str, most: int = MAX_SHOWN_NAME) -> str:
    """Return a name for a line of a report: visible, and at most a line or two long."""
    return visible(bounded(name, most))


def with_short_values(text: str, values: object) -> str:
    """Return the text of an error, with each of these plain values that is long cut in it as a name is."""
    long = {value for value in leaf_texts(values) if len(value) > MAX_SHOWN_NAME}
    for value in sorted(long, key=len, reverse=True):
        for spelled in (value, visible(value), repr(value)[1:-1]):
            text = text.replace(spelled, name_in_line(value))
    return text


# ---------------------------------------------------------------- secrets, kept out of texts and file names

HIDDEN = "(hidden)"  # in place of a whole value
HIDDEN_CHANGED = "(hidden, changed)"
MASK = "********"  # in place of a part of a text
MIN_SECRET_LENGTH = 4  # masking shorter values garbles ordinary words and protects nothing
MIN_PART = 8  # of a line of a secret, of the middle of one in base64, of the digits of a number
MAX_LINES = 1000

_LOGIN = re.compile(r"://[^/?#\s:]*:([^/?#\s]+)@")


def passwords_in_addresses(values: t.Iterable[object]) -> set[str]:
    """Return the passwords in those of the values that are addresses like ``https://user:password@host``."""
    texts = [value for value in values if isinstance(value, str) and "://" in value]
    return {found for text in texts for found in _LOGIN.findall(text) if len(found) >= MIN_SECRET_LENGTH}


def leaf_texts(value: object) -> t.Iterator[str]:
    """Yield all values in plain data as text, except those that reveal nothing: empty, null, true and false."""
    if isinstance(value, (Mapping, list, tuple, set, frozenset)):
        for one in value.values() if isinstance(value, Mapping) else value:
            yield from leaf_texts(one)
    elif value is not None and not isinstance(value, bool) and value != "":
        yield str(value)


def secret_option_values(spec: t.Mapping[str, t.Mapping[str, t.Any]], params: t.Any) -> t.Iterator[str]:
    """Yield, as text, the values of secret options of an argument specification, at any depth and of any type."""
    for name, option in spec.items() if isinstance(params, Mapping) else ():
        for given in [params[one] for one in (name, *option.get("aliases", ())) if one in params]:
            if option.get("no_log"):
                yield from leaf_texts(given)
            elif option.get("options"):
                for inside in given if isinstance(given, list) else [given]:
                    yield from secret_option_values(option["options"], inside)


def _parts(secret: str) -> t.Iterator[str]:
    """Yield the secret, and those of its lines that are long enough to reveal something."""
    yield secret
    lines = secret.splitlines()
    yield from (line.strip() for line in lines[:MAX_LINES] if len(lines) > 1 and len(line.strip()) >= MIN_PART)


def _spellings(text: str) -> t.Iterator[str]:
    """Yield the text as it is, and as it is written in addresses, JSON, Python, shells and base64."""
    raw = text.encode("utf-8", "surrogatepass")
    yield from (text, quote(raw, safe=""), quote(raw), quote_plus(raw))
    yield from (json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1], repr(text)[1:-1], visible(text))
    yield text.replace("'", "'\"'\"'")
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        yield encode(raw).decode("ascii")
        for shift in range(3):  # in a longer text, it begins at one of three places of a group
            whole = encode(b"\0" * shift + raw).decode("ascii").rstrip("=")
            inside = whole[(0, 2, 3)[shift] : len(whole) - bool((shift + len(raw)) % 3)]
            if len(inside) >= MIN_PART:
                yield inside


class Redacted(t.Dict[str, t.Any]):
    """A result whose secrets are already hidden; hiding again could spoil names and digests that look like one."""


class Redactor:
    """Knows the secrets of a task and hides them wherever they occur."""

    def __init__(self, secrets: t.Iterable[str | None] = ()) -> None:
        self._given: dict[str, None] = {}
        self._spelled: set[str] = set()
        self._by_start: dict[str, list[str]] = {}
        self.add(*secrets)

    def add(self, *secrets: str | None) -> None:
        """Hide these values from now on: all of each, its lines, and both in the usual encodings."""
        self._given.update((secret, None) for secret in secrets if secret and len(secret) >= MIN_SECRET_LENGTH)

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
                    same_start = self._by_start.setdefault(spelled[:MIN_SECRET_LENGTH], [])
                    same_start.append(spelled)
                    same_start.sort(key=len, reverse=True)

    def _places(self, text: str) -> t.Iterator[tuple[int, int]]:
        """Yield where secrets begin and end, in one pass however many there are; some may overlap."""
        self._spell()
        starts, size = self._by_start, MIN_SECRET_LENGTH
        for at in [at for at in range(len(text) - size + 1) if text[at : at + size] in starts] if starts else ():
            secret = next((one for one in starts[text[at : at + size]] if text.startswith(one, at)), "")
            yield at, at + len(secret)

    def text(self, text: str) -> str:
        """Return ``text`` with every secret hidden."""
        parts: list[str] = []
        hidden = 0  # everything before this is written or hidden
        for begin, end in self._places(text):
            if begin < end and (begin > hidden or not parts):
                parts += (text[hidden:begin], MASK)
            hidden = max(hidden, end) if begin < end else hidden
        return "".join((*parts, text[hidden:])) if parts else text

    def value(self, value: object) -> t.Any:
        """Return a structure of plain data with every secret hidden, including keys and numbers."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, Redacted):
            return dict(value)
        if isinstance(value, Mapping):
            return {self.value(key): self.value(entry) for key, entry in value.items()}
        if isinstance(value, (list, tuple, set, frozenset)):
            return [self.value(entry) for entry in value]
        number = str(value) if isinstance(value, (int, float)) else ""
        return MASK if len(number) >= MIN_PART and number in self._spelled else value

    def members(self, value: t.Mapping[str, object]) -> dict[str, t.Any]:
        """Return a mapping whose keys are ours, with every secret in its values hidden."""
        return {name: self.value(entry) for name, entry in value.items()}


def digest(*parts: object) -> str:
    """Return 32 hex characters for the parts, in this order."""
    text = "\x00".join(str(part) for part in parts)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:32]
