# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Options that are points in time: ISO 8601 in, UTC out."""

from __future__ import annotations

import datetime as dt
import typing as t

from .._core.errors import InvalidInput

if t.TYPE_CHECKING:
    from .._connection.options import OptionSpecs
    from .._connection.task import Params

EARLIEST = dt.datetime(1970, 1, 2, tzinfo=dt.timezone.utc)  # a range that ends before it is none
RANGE: OptionSpecs = {"date_from": {"type": "str"}, "date_to": {"type": "str"}}


def utc_time(option: str, given: str | None) -> str | None:
    """Return a point in time as the service expects it, in UTC with whole seconds. Raises InvalidInput."""
    return None if given is None else _in_request(_moment(option, given))


def time_range(params: Params, now: float, seconds: int) -> dict[str, str]:
    """Return ``date_from`` and ``date_to`` as the service expects them: by default so many seconds, until now.

    Raises InvalidInput if the range is empty.
    """
    last, first = params.get("date_to"), params.get("date_from")
    end = dt.datetime.fromtimestamp(int(now), dt.timezone.utc) if last is None else _moment("date_to", last)
    start = max(end, EARLIEST) - dt.timedelta(seconds=seconds) if first is None else _moment("date_from", first)
    if start >= end:
        raise InvalidInput(
            f"date_from: {_in_request(start)} is not before {'now' if last is None else _in_request(end)}.",
            option="date_from",
        )
    return {"date_from": _in_request(start), "date_to": _in_request(end)}


def _moment(option: str, given: str) -> dt.datetime:
    try:
        moment = dt.datetime.fromisoformat(given.strip().upper().replace("Z", "+00:00"))
        if moment.tzinfo is None:
            return moment.replace(tzinfo=dt.timezone.utc)
        return moment.astimezone(dt.timezone.utc)
    except (ValueError, OverflowError):
        raise InvalidInput(
            f"{option}: {given!r} is not a date and time in ISO 8601, such as 2026-11-21T08:30:00Z.", option=option
        ) from None


def _in_request(moment: dt.datetime) -> str:
    return f"{moment.replace(tzinfo=None).isoformat(timespec='seconds')}Z"
