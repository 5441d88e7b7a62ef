# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""When a schedule runs: the options ``every``, ``at`` and ``timezone``, and what the service has for them.

Source: docs/service/infrastructure.md, "Schedules". A time is sent as that of clocks in the time zone, with the offset
of the zone: whether the service heeds the offset or not, it is one moment.
"""

from __future__ import annotations

import datetime as dt
import re
import typing as t
import zoneinfo

from .._core.errors import InvalidInput
from .._core.text import did_you_mean, nearest, shortened
from .._core.type_aliases import JsonMapping, JsonObject

CYCLIC, ONE_TIME = 64, 65
UNITS = {"day": (66, 1), "week": (67, 7)}
"""The item for each unit, and its days."""
MAX_NUMBER = 32767
ONCE = "once"
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MARGIN = 60.0  # seconds that are left at least before a run that was not given by its date
YEAR = 366  # days
_EVERY = re.compile(r"(?:([0-9]{1,5})\s+)?(day|week)s?")
_AT = re.compile(r"(?:([0-9]{4}-[0-9]{2}-[0-9]{2})[ tT]|([a-zA-Z]+) )?([0-9]{1,2}:[0-9]{2})(?::00)?")
_START = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}):[0-9]{2}(?:\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})?")


# ---------------------------------------------------------------- how often


def read_every(given: str) -> str:
    """Return how often, as records have it. Raises InvalidInput."""
    text = given.strip().lower()
    found = _EVERY.fullmatch(text)
    number = int(found[1] or 1) if found else 0
    if text == ONCE:
        return ONCE
    if found is None or not 1 <= number <= MAX_NUMBER:
        raise InvalidInput(
            f"every: {shortened(given)!r} is neither {ONCE} nor 1 to {MAX_NUMBER} days or weeks.",
            next_step="Write it like 1 day or 2 weeks.",
            option="every",
        )
    return _in_words(number, found[2])


def _in_words(number: int, unit: str) -> str:
    return f"{number} {unit}{'' if number == 1 else 's'}"


def _number_and_unit(every: str) -> tuple[int, str]:
    number, unit = every.split(" ")
    return int(number), unit.rstrip("s")


def days_of(every: str) -> int:
    """Return the days from one run to the next, 0 for one that does not repeat."""
    if every == ONCE:
        return 0
    number, unit = _number_and_unit(every)
    return number * UNITS[unit][1]


def cycle_members(every: str, type_member: str) -> JsonObject:
    """Return the members of a request for ``every``."""
    if every == ONCE:
        return {type_member: ONE_TIME}
    number, unit = _number_and_unit(every)
    return {type_member: CYCLIC, "CycleTypeId": UNITS[unit][0], "CycleNumber": number}


def every_of(schedule: JsonMapping) -> str | None:
    """Return how often a schedule runs, None if the service does not return it."""
    kind, cycle = ((schedule.get(member) or {}).get("Id") for member in ("Type", "CycleType"))
    unit = next((unit for unit, (number, _days) in UNITS.items() if number == cycle), None)
    number = schedule.get("CycleNumber")
    if kind == ONE_TIME:
        return ONCE
    return None if unit is None or number is None else _in_words(number, unit)


# ---------------------------------------------------------------- when


class PastStart(str):
    """A time with a date that is over, which stands for every ``cycle_days`` days from then on."""

    __slots__ = ("cycle_days",)
    cycle_days: int


def read_at(given: str) -> str:
    """Return a time, as ``22:00``, ``monday 22:00`` or ``2026-12-24 22:00``. Raises InvalidInput."""
    found = _AT.fullmatch(given.strip())
    if found is not None:
        date, weekday, clock = found.groups()
        try:
            parts = [date and dt.date.fromisoformat(date).isoformat(), weekday and _weekday(weekday), _padded(clock)]
        except ValueError:
            pass
        else:
            return " ".join(filter(None, parts))
    raise InvalidInput(
        f"at: {shortened(given)!r} is not a time.",
        next_step='Write it in quotes, like "22:00", "monday 22:00" or "2026-12-24 22:00".',
        option="at",
    )


def read_clock(option: str, given: str) -> str:
    """Return a time of day, such as ``22:00``. Raises InvalidInput."""
    try:
        found = read_at(given)
    except InvalidInput:
        found = given
    if found is given or " " in found:
        raise InvalidInput(
            f"{option}: {shortened(given)!r} is not a time of day.",
            next_step='Write it in quotes, like "22:00".',
            option=option,
        )
    return found


def _weekday(word: str) -> str:
    return WEEKDAYS[WEEKDAYS.index(word.lower())]


def _padded(clock: str) -> str:
    return dt.time.fromisoformat(clock.zfill(5)).strftime("%H:%M")


def check_times(every: str, at: str) -> None:
    """Raise InvalidInput for a time without the day that it needs, or with one that it cannot have."""
    day = at.partition(" ")[0] if " " in at else ""
    if every == ONCE and (not day or day in WEEKDAYS):
        problem = f"at: {at!r} has no date, which every: {ONCE} needs."
    elif "week" in every and not day:
        problem = f"at: {at!r} has no day of the week, which every: {every} needs."
    elif "day" in every and day in WEEKDAYS:
        problem = f"at: {at!r} has a day of the week, which every: {every} cannot have."
    else:
        return
    example = f"2026-12-24 {at[-5:]}" if every == ONCE else f"monday {at[-5:]}" if "week" in every else at[-5:]
    raise InvalidInput(problem, next_step=f'Write it like at: "{example}".', option="at")


def time_zone(name: str) -> zoneinfo.ZoneInfo:
    """Return the time zone of that name. Raises InvalidInput."""
    try:
        return zoneinfo.ZoneInfo(name)
    except (KeyError, OSError, ValueError):
        near = nearest(name, zoneinfo.available_timezones())
    raise InvalidInput(
        f"timezone: there is no time zone {shortened(name)!r} on this host.",
        next_step=did_you_mean(name, near) if near else "Write it like Europe/Warsaw, or UTC.",
        option="timezone",
    )


def local_time(schedule: JsonMapping) -> str | None:
    """Return the start of a schedule by the clocks of its time zone, None if the service does not return both."""
    found = _START.fullmatch(str(schedule.get("StartDate")).upper())
    if found is None or not schedule.get("TimeZoneName"):
        return None
    try:
        moment = dt.datetime.fromisoformat(found[1] + (found[2] or "Z").replace("Z", "+00:00"))
        return moment.astimezone(time_zone(schedule["TimeZoneName"])).strftime("%Y-%m-%d %H:%M")
    except (ValueError, InvalidInput):
        return None


def same_start(desired: t.Any, current: t.Any) -> bool:
    """Return whether a time stands for the start of a schedule, which is a date and a time."""
    if str(desired) == str(current):
        return True
    *days, clock = str(desired).split(" ")
    date, _space, current_clock = str(current).partition(" ")
    if clock != current_clock or not days:
        return clock == current_clock
    if days[0] in WEEKDAYS:
        return WEEKDAYS[dt.date.fromisoformat(date).weekday()] == days[0]
    first = dt.date.fromisoformat(days[0])
    return isinstance(desired, PastStart) and (dt.date.fromisoformat(date) - first).days % desired.cycle_days == 0


def starting(at: str, every: str, zone: dt.tzinfo, now: float) -> str:
    """Return a time; if its date is over, it stands for the later runs as well."""
    is_dated = " " in at and at.partition(" ")[0] not in WEEKDAYS
    if every == ONCE or not is_dated or _moment(at, zone).timestamp() > now:
        return at
    found = PastStart(at)
    found.cycle_days = days_of(every)
    return found


def next_run(at: str, every: str, zone: dt.tzinfo, now: float) -> dt.datetime:
    """Return the first run to come. Raises InvalidInput if there is none, or the clocks skip the time on that day."""
    *days, clock = at.split(" ")
    soon = dt.datetime.fromtimestamp(now + MARGIN, zone)
    day, step = soon.date(), 1
    if days and days[0] in WEEKDAYS:
        day += dt.timedelta((WEEKDAYS.index(days[0]) - day.weekday()) % 7)
        step = 7
    elif days:
        moment, step = _moment(at, zone), days_of(every)
        if moment.timestamp() > now:
            _require_existing(at, moment)
            return moment
        if not step:
            raise InvalidInput(
                f"at: {at} has passed in {zone}.",
                next_step="Give a later time, or remove the task if the schedule has run.",
                option="at",
            )
        day = moment.date() + dt.timedelta((day - moment.date()).days // step * step)
    while True:
        moment = _moment(f"{day} {clock}", zone)
        if moment.timestamp() > soon.timestamp() and _exists(moment):
            return moment
        day += dt.timedelta(step)


def warnings_of(at: str, every: str, start: dt.datetime) -> list[str]:
    """Return what to tell of runs within a year at times that the clocks skip or repeat."""
    zone, clock, days = start.tzinfo, at[-5:], days_of(every)
    runs = [start + dt.timedelta(number) for number in range(0, YEAR if days else 1, days or 1)]
    skipped = next((one for one in runs if not _exists(one)), None)
    repeated = next((one for one in runs if one.replace(fold=1).utcoffset() != one.utcoffset() and _exists(one)), None)
    found = []
    if skipped is not None:
        found.append(f"at: the clocks of {zone} skip {clock} on {skipped.date()}")
    if repeated is not None:
        found.append(f"at: the clocks of {zone} show {clock} twice on {repeated.date()}")
    return [f"{text}; it is not known when the service then runs the schedule." for text in found]


def _moment(at: str, zone: dt.tzinfo) -> dt.datetime:
    return dt.datetime.fromisoformat(at).replace(tzinfo=zone)


def _exists(moment: dt.datetime) -> bool:
    back = moment.astimezone(dt.timezone.utc).astimezone(moment.tzinfo)
    return back.replace(tzinfo=None, fold=0) == moment.replace(tzinfo=None)


def _require_existing(at: str, moment: dt.datetime) -> None:
    if not _exists(moment):
        raise InvalidInput(
            f"at: there is no {at} in {moment.tzinfo}: the clocks skip it.", next_step="Give another time.", option="at"
        )
