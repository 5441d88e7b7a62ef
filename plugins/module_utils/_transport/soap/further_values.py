# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Simple values of the less frequent kinds: fractions, times and binary data to the text of an element."""

from __future__ import annotations

import base64
import binascii
import re
import typing as t
from datetime import datetime
from decimal import Decimal, InvalidOperation

from .simple_values import MOST_DIGITS, shown, wanted, wrong

_DATE = re.compile(r"\d{4}-\d\d-\d\d\Z")
_DATE_TIME = re.compile(r"-?\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?\Z", re.ASCII)


def further_text(name: str, value: t.Any, path: str) -> str:
    """Return the text that stands for ``value``. Raises InvalidInput with the path."""
    if name == "dateTime":
        return _date_time(value, path)
    return _binary(value, path) if name == "base64Binary" else _fraction(name, value, path)


def _fraction(name: str, value: t.Any, path: str) -> str:
    number = _decimal(value)
    if number is None or (name == "decimal" and not number.is_finite()):
        raise wrong(path, f"must be {wanted(name)} such as 12.50, not {shown(value)}")
    if number.is_nan():
        return "NaN"
    if not number.is_finite():
        return "INF" if number > 0 else "-INF"
    if name != "decimal":
        return str(number)
    if abs(number.adjusted()) > MOST_DIGITS:  # '1e999999999' would become a text of a gigabyte
        raise wrong(path, f"must be a number with at most {MOST_DIGITS} digits")
    return format(number, "f")


def _decimal(value: t.Any) -> Decimal | None:
    try:
        return None if isinstance(value, bool) else Decimal(str(value).strip())
    except InvalidOperation:
        return None


def _date_time(value: t.Any, path: str) -> str:
    text = value.isoformat() if hasattr(value, "isoformat") else str(value).strip().replace(" ", "T", 1)
    text += "T00:00:00" if _DATE.match(text) else ""
    if not _DATE_TIME.match(text) or not _is_there(text):
        raise wrong(path, f"must be a date and time such as 2026-05-06T07:08:09Z, not {shown(value)}")
    return text


def _is_there(text: str) -> bool:
    """Whether the calendar has the day and the clock the time; years that datetime does not know are not looked at."""
    if text[4] != "-" or text[:4] == "0000":
        return True
    clock = text[:19].replace("T24:00:00", "T00:00:00")  # the end of a day, in XML Schema
    try:
        datetime.fromisoformat(clock)
    except ValueError:
        return False
    return True


def _binary(value: t.Any, path: str) -> str:
    if isinstance(value, (bytes, bytearray)):
        return base64.b64encode(value).decode("ascii")
    text = "".join(str(value).split())
    try:
        base64.b64decode(text.encode("ascii"), validate=True)
    except (binascii.Error, UnicodeEncodeError):
        raise wrong(path, "must be base64 text") from None
    return text
