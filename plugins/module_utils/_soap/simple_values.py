# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Simple values: plain data to the text of an element and back.

Templates may spell values as text: ``'5'`` is a whole number, ``'no'`` is false. A value that makes no sense is an
error with the path of the member; plain texts are never shown in one because they may be secret. Results: int,
bool and float are native; decimal, dateTime, duration, guid and base64 stay exact text.
"""

from __future__ import annotations

import contextlib
import re
import typing as t

from .._core.errors import InvalidInput
from .._core.text import fold
from .contract import Malformed, local

BITS = {"byte": 8, "short": 16, "int": 32, "long": 64}
UNSIGNED = {"unsignedByte": 8, "unsignedShort": 16, "unsignedInt": 32, "unsignedLong": 64}
WHOLE = {*BITS, *UNSIGNED, "integer", "nonNegativeInteger", "positiveInteger", "negativeInteger", "nonPositiveInteger"}
ZEROS: dict[str, t.Any] = {
    **dict.fromkeys((*BITS, *UNSIGNED), 0),
    "boolean": False,
    "decimal": "0",
    "float": 0.0,
    "double": 0.0,
}
"""The value of a number or a boolean that cannot be null and was left out, in the form of results."""
NO_NULL = {*ZEROS, *WHOLE, "dateTime", "date", "time", "duration", "list"}  # a list is an enumeration with flags
TRUE, FALSE = {"true", "yes", "on", "1"}, {"false", "no", "off", "0"}
MOST_DIGITS = 400
_PLAIN = frozenset({"string", "normalizedString", "anyType", "anySimpleType"})
_DATE = r"\d{4}-\d\d-\d\d\Z"  # not compiled: few messages have one
_DATE_TIME = r"(?a)-?\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?\Z"


def wrong_value(path: str, problem: str, next_step: str | None = None) -> InvalidInput:
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
    if isinstance(value, (list, tuple, set, frozenset, dict)):
        raise wrong_value(path, f"must be {desired_type(name)}, not {kind(value)}")
    if simple.get("enum"):
        return _choice(simple["enum"], value, path)
    write = _WRITE.get(name)
    return _text(value, path) if write is None else write(name, value, path)


def is_value(simple: t.Mapping[str, t.Any] | None, key: str) -> bool:
    """Return whether a type, whose key is ``key``, is a simple one that cannot be null in services of this kind.

    These are numbers, booleans, times, guids and enumerations: if a message leaves them out, they arrive as 0, false,
    the first moment, the first word. Texts and binary data arrive as null.
    """
    if simple is None:
        return False
    return bool(simple.get("enum")) or simple["simple"] in NO_NULL or local(key) == "guid"


def from_text(name: str, text: str, path: str) -> t.Any:
    """Return the plain value of an element's text. Raises Malformed with the path."""
    if name in _PLAIN:
        return text
    word = text.strip()
    try:
        return _READ.get(name, str)(word)
    except (KeyError, ValueError):
        raise Malformed(f"{path} contains text that is not {desired_type(name)}") from None


def desired_type(name: str) -> str:
    """Return what a type of XML Schema requires, in words."""
    if name in WHOLE:
        return f"a whole number ({name})"
    if name in ("decimal", "float", "double"):
        return f"a number ({name})"
    return "a list of words" if name == "list" else f"a {name}"


def shown_value(value: t.Any) -> str:
    """Return a wrong value for a message, shortened if it is long."""
    text = repr(str(value) if isinstance(value, str) else value)
    return text if len(text) <= 60 else text[:56] + " ..."


def _int(word: str) -> int:
    digits = word if word.isdigit() else word[1:] if word[:1] in ("+", "-") else ""
    if not (digits.isascii() and digits.isdigit() and len(digits) <= MOST_DIGITS):
        raise ValueError  # int() alone would accept 1_000 and foreign digits, and take hours for a million of them
    return int(word)


def _number(word: str) -> t.Any:
    number = float(word)
    return word if number - number else number  # infinity and not-a-number are not JSON


_READ: dict[str, t.Callable[[str], t.Any]] = {
    **dict.fromkeys(WHOLE, _int),
    "boolean": {"true": True, "1": True, "false": False, "0": False}.__getitem__,
    "float": _number,
    "double": _number,
    "list": str.split,
}


def _choice(words: t.Sequence[str], value: t.Any, path: str) -> str:
    for word in words:
        if fold(word) == fold(str(value)):
            return word
    raise wrong_value(path, f"must be one of {', '.join(words)}, not {shown_value(value)}")


def _whole(name: str, value: t.Any, path: str) -> str:
    word = str(value).strip()
    if len(word) > MOST_DIGITS:
        raise wrong_value(path, f"must be a number with at most {MOST_DIGITS} digits")
    try:
        number = _int("" if isinstance(value, bool) else word)
    except ValueError:
        raise wrong_value(path, f"must be {desired_type(name)}, not {shown_value(value)}") from None
    low, high = _range(name)
    if (low is not None and number < low) or (high is not None and number > high):
        words = [f"at least {low}"] * (low is not None) + [f"at most {high}"] * (high is not None)
        raise wrong_value(path, f"must be {' and '.join(words)} ({name}), not {shown_value(value)}")
    return str(number)


def _range(name: str) -> tuple[int | None, int | None]:
    if name in BITS:
        return -(1 << BITS[name] - 1), (1 << BITS[name] - 1) - 1
    if name in UNSIGNED:
        return 0, (1 << UNSIGNED[name]) - 1
    low = {"nonNegativeInteger": 0, "positiveInteger": 1}.get(name)
    return low, {"nonPositiveInteger": 0, "negativeInteger": -1}.get(name)


def _boolean(_name: str, value: t.Any, path: str) -> str:
    word = str(value).strip().lower()
    if word in TRUE or word in FALSE:
        return "true" if word in TRUE else "false"
    raise wrong_value(path, f"must be a boolean (yes or no), not {shown_value(value)}")


def _text(value: t.Any, path: str) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    text = value.isoformat() if hasattr(value, "isoformat") else str(value)
    bad = "" if text.isprintable() else next((sign for sign in text if not _carried(ord(sign))), "")
    if bad:
        raise wrong_value(path, f"contains the character {bad!a}, which is not allowed in XML")
    return text


def _carried(code: int) -> bool:
    return code in (9, 10, 13) or 0x20 <= code <= 0xD7FF or 0xE000 <= code <= 0xFFFD or code >= 0x10000


def _fraction(name: str, value: t.Any, path: str) -> str:
    from decimal import Decimal, InvalidOperation  # few messages have one, and the import takes time

    number: Decimal | None = None
    with contextlib.suppress(InvalidOperation):
        number = None if isinstance(value, bool) else Decimal(str(value).strip())
    if number is None or (name == "decimal" and not number.is_finite()):
        raise wrong_value(path, f"must be {desired_type(name)} such as 12.50, not {shown_value(value)}")
    if number.is_nan():
        return "NaN"
    if not number.is_finite():
        return "INF" if number > 0 else "-INF"
    if name != "decimal":
        return str(number)
    if abs(number.adjusted()) > MOST_DIGITS:  # '1e999999999' would become a text of a gigabyte
        raise wrong_value(path, f"must be a number with at most {MOST_DIGITS} digits")
    return format(number, "f")


def _date_time(_name: str, value: t.Any, path: str) -> str:
    text = value.isoformat() if hasattr(value, "isoformat") else str(value).strip().replace(" ", "T", 1)
    text += "T00:00:00" if re.match(_DATE, text) else ""
    if not re.match(_DATE_TIME, text) or not _is_there(text):
        raise wrong_value(path, f"must be a date and time such as 2026-05-06T07:08:09Z, not {shown_value(value)}")
    return text


def _is_there(text: str) -> bool:
    """Return whether the day and the time exist; years that datetime does not support are not checked."""
    if text[4] != "-" or text[:4] == "0000":
        return True
    from datetime import datetime

    clock = text[:19].replace("T24:00:00", "T00:00:00")  # the end of a day in XML Schema
    try:
        datetime.fromisoformat(clock)
    except ValueError:
        return False
    return True


def _binary(_name: str, value: t.Any, path: str) -> str:
    import base64

    if isinstance(value, (bytes, bytearray)):
        return base64.b64encode(value).decode("ascii")
    text = "".join(str(value).split())
    try:
        base64.b64decode(text.encode("ascii"), validate=True)
    except ValueError:
        raise wrong_value(path, "must be base64 text") from None
    return text


_WRITE: dict[str, t.Callable[[str, t.Any, str], str]] = {
    **dict.fromkeys(WHOLE, _whole),
    **dict.fromkeys(("decimal", "float", "double"), _fraction),
    "boolean": _boolean,
    "dateTime": _date_time,
    "base64Binary": _binary,
}
"""What writes the values of types that are not arbitrary text."""
