# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Simple values: plain data to the text of an element and back.

What a template spells counts as what it says: ``'5'`` is a whole number, ``'no'`` is false. A value that cannot be
meant is an error with the path of the member; plain texts are never shown in one, they may be secret. Results: int,
bool and float are native; decimal, dateTime, duration, guid and base64 stay exact text (soap.md section 5).
"""

from __future__ import annotations

import math
import re
import typing as t

from ..._core.errors import InvalidInput
from ..._core.names import fold
from .malformed import Malformed

BITS = {"byte": 8, "short": 16, "int": 32, "long": 64}
UNSIGNED = {"unsignedByte": 8, "unsignedShort": 16, "unsignedInt": 32, "unsignedLong": 64}
WHOLE = {*BITS, *UNSIGNED, "integer", "nonNegativeInteger", "positiveInteger", "negativeInteger", "nonPositiveInteger"}
FRACTIONS = {"decimal", "float", "double"}
TRUE, FALSE = {"true", "yes", "on", "1"}, {"false", "no", "off", "0"}

_SIGNS: dict[str, tuple[float, float]] = {
    "nonNegativeInteger": (0, math.inf),
    "positiveInteger": (1, math.inf),
    "negativeInteger": (-math.inf, -1),
    "nonPositiveInteger": (-math.inf, 0),
}
_WHOLE = re.compile(r"[+-]?[0-9]+\Z")
_DATE = re.compile(r"\d{4}-\d\d-\d\d\Z")
_DATE_TIME = re.compile(r"-?\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?\Z")
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def wrong(path: str, problem: str, next_step: str | None = None) -> InvalidInput:
    """Return the error for a value that does not fit the contract."""
    return InvalidInput(f"{path}: {problem}.", next_step=next_step, path=path)


def kind(value: t.Any) -> str:
    """Return what a person calls this kind of value."""
    kinds = ((bool, "a boolean"), (str, "text"), ((int, float), "a number"), (t.Mapping, "a dictionary"))
    for types, name in (*kinds, ((list, tuple, set, frozenset), "a list")):
        if isinstance(value, types):
            return name
    return "null" if value is None else type(value).__name__


def to_text(simple: t.Mapping[str, t.Any], value: t.Any, path: str) -> str:
    """Return the text that stands for ``value``. Raises InvalidInput with the path."""
    name = simple["simple"]
    if isinstance(value, (list, tuple)) and name == "list":
        return " ".join(_text(word, path) for word in value)
    if isinstance(value, (list, tuple, set, frozenset, t.Mapping)):
        raise wrong(path, f"must be {_wanted(name)}, not {kind(value)}")
    if simple.get("enum"):
        return _choice(simple["enum"], value, path)
    if name in WHOLE:
        return _whole(name, value, path)
    if name in FRACTIONS:
        return _fraction(name, value, path)
    return _OTHER.get(name, _text)(value, path)


def from_text(name: str, text: str, path: str) -> t.Any:
    """Return the plain value of an element's text. Raises Malformed with the path."""
    if name in ("string", "normalizedString", "anyType", "anySimpleType"):
        return text
    word = text.strip()
    try:
        if name in WHOLE:
            return _int(word)
        if name == "boolean":
            return {"true": True, "1": True, "false": False, "0": False}[word]
        if name in ("float", "double"):
            number = float(word)
            return word if number - number else number  # infinity and not-a-number are no JSON
    except (KeyError, ValueError):
        raise Malformed(f"{path} holds a text that is no {_wanted(name)[2:]}") from None
    return word.split() if name == "list" else word


def _int(word: str) -> int:
    if not _WHOLE.match(word):  # int() alone would take 1_000 and foreign digits
        raise ValueError
    return int(word)


def _wanted(name: str) -> str:
    if name in WHOLE:
        return f"a whole number ({name})"
    if name in FRACTIONS:
        return f"a number ({name})"
    return "a list of words" if name == "list" else f"a {name}"


def _choice(words: t.Sequence[str], value: t.Any, path: str) -> str:
    for word in words:
        if fold(word) == fold(str(value)):
            return word
    raise wrong(path, f"must be one of {', '.join(words)}, not {_shown(value)}")


def _whole(name: str, value: t.Any, path: str) -> str:
    word = str(value).strip()
    if isinstance(value, bool) or not _WHOLE.match(word):
        raise wrong(path, f"must be {_wanted(name)}, not {_shown(value)}")
    if len(word) > 400:
        raise wrong(path, "must be a number with at most 400 digits")
    low, high = _range(name)
    if not low <= int(word) <= high:
        raise wrong(path, f"must be between {low} and {high} ({name}), not {_shown(value)}")
    return str(int(word))


def _range(name: str) -> tuple[float, float]:
    if name in UNSIGNED:
        return 0, (1 << UNSIGNED[name]) - 1
    if name in BITS:
        return -(1 << BITS[name] - 1), (1 << BITS[name] - 1) - 1
    low, high = _SIGNS.get(name, (-math.inf, math.inf))
    return low, high


def _fraction(name: str, value: t.Any, path: str) -> str:
    from decimal import Decimal, InvalidOperation

    try:
        number = Decimal("x" if isinstance(value, bool) else str(value).strip())
    except InvalidOperation:
        number = None
    if number is None or (name == "decimal" and not number.is_finite()):
        raise wrong(path, f"must be {_wanted(name)}, not {_shown(value)}")
    if number.is_finite():
        return _plain_decimal(number, path) if name == "decimal" else str(number)
    return "NaN" if number.is_nan() else ("INF" if number > 0 else "-INF")


def _plain_decimal(number: t.Any, path: str) -> str:
    if abs(number.adjusted()) > 400:  # '1e999999999' would become a text of a gigabyte
        raise wrong(path, "must be a number with at most 400 digits")
    return format(number, "f")


def _boolean(value: t.Any, path: str) -> str:
    word = str(value).strip().lower()
    if word in TRUE or word in FALSE:
        return "true" if word in TRUE else "false"
    raise wrong(path, f"must be a boolean (yes or no), not {_shown(value)}")


def _date_time(value: t.Any, path: str) -> str:
    text = value.isoformat() if hasattr(value, "isoformat") else str(value).strip().replace(" ", "T", 1)
    text += "T00:00:00" if _DATE.match(text) else ""
    if not _DATE_TIME.match(text):
        raise wrong(path, f"must be a date and time such as 2026-05-06T07:08:09Z, not {_shown(value)}")
    return text


def _binary(value: t.Any, path: str) -> str:
    import base64
    import binascii

    if isinstance(value, (bytes, bytearray)):
        return base64.b64encode(value).decode("ascii")
    text = "".join(str(value).split())
    try:
        base64.b64decode(text.encode("ascii"), validate=True)
    except (binascii.Error, UnicodeEncodeError):
        raise wrong(path, "must be base64 text") from None
    return text


def _text(value: t.Any, path: str) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    text = value.isoformat() if hasattr(value, "isoformat") else str(value)
    bad = _NOT_XML.search(text)
    if bad:
        raise wrong(path, f"has the character {bad.group()!a}, which XML cannot carry")
    return text


def _shown(value: t.Any) -> str:
    text = repr(str(value) if isinstance(value, str) else value)
    return text if len(text) <= 60 else text[:56] + " ..."


_OTHER: dict[str, t.Callable[[t.Any, str], str]] = {
    "boolean": _boolean,
    "dateTime": _date_time,
    "base64Binary": _binary,
}
