# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether two simple values say the same, however they are written: ``10.00`` is ``10``, noon UTC is 14:00+02:00."""

from __future__ import annotations

import re
import typing as t
from datetime import datetime, timedelta
from decimal import Decimal, InvalidOperation

from .._core.names import fold

_TIME = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?(?:(Z)|([+-])(\d\d):(\d\d))?\Z", re.ASCII)
_NUMBERS = {"decimal", "float", "double"}


def same_value(simple: t.Mapping[str, t.Any], wanted: t.Any, current: t.Any) -> bool:
    """Return whether both values of a simple type (as Contract.simple describes it) say the same."""
    name = simple["simple"]
    if simple.get("enum"):
        return fold(str(wanted)) == fold(str(current))
    if name in _NUMBERS:
        return bool(_number(wanted) == _number(current))
    if name == "dateTime":
        return same_time(str(wanted), str(current))
    if name == "base64Binary":
        return "".join(str(wanted).split()) == "".join(str(current).split())
    return isinstance(wanted, bool) == isinstance(current, bool) and bool(wanted == current)


def same_time(one: str, other: str) -> bool:
    """Return whether both are the same moment; where one of them names no zone, whether both clocks show the same."""
    first, second = _moment(one), _moment(other)
    if first is None or second is None:
        return one == other
    clock, fraction, offset = first
    other_clock, other_fraction, other_offset = second
    if offset is not None and other_offset is not None:
        clock, other_clock = clock - offset, other_clock - other_offset
    return (clock, fraction) == (other_clock, other_fraction)


def _number(value: t.Any) -> t.Any:
    try:
        return Decimal(str(value))
    except InvalidOperation:
        return value


def _moment(text: str) -> tuple[datetime, str, timedelta | None] | None:
    """Return clock, fraction of a second and offset from UTC; None for what this calendar does not have."""
    found = _TIME.match(text)
    if found is None:
        return None
    clock, fraction, utc, sign, hours, minutes = found.groups()
    offset = timedelta(0) if utc else None
    try:
        if sign:
            offset = timedelta(hours=int(hours), minutes=int(minutes)) * (-1 if sign == "-" else 1)
        return datetime.fromisoformat(clock), (fraction or "").rstrip("0"), offset
    except (OverflowError, ValueError):
        return None
