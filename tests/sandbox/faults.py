# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Faults on demand: which requests they strike, and how often. Their effects are in fault_effects."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from typing import Any

from sandbox.fault_effects import EFFECTS, Effect
from sandbox.recorder import Entry

FILTERS = ("service", "method", "path", "operation")


@dataclass
class Fault:
    """One armed fault."""

    number: int
    name: str
    effect: Effect
    filters: dict[str, re.Pattern[str]]
    skip: int
    times: int
    params: dict[str, Any]
    write: bool | None = None
    matched: int = 0
    used: int = 0
    cleared: bool = False

    def matches(self, entry: Entry) -> bool:
        """Whether it is meant for that request."""
        query = f"?{entry['query']}" if entry["query"] else ""
        seen = {**entry, "path": entry["path"] + query, "operation": entry["operation"] or ""}
        if self.write not in (None, entry["write"]):
            return False
        return all(pattern.search(seen[name]) for name, pattern in self.filters.items())

    def strikes(self, entry: Entry) -> bool:
        """Count the request if it matches, and return whether the fault strikes it."""
        if (self.times and self.used >= self.times) or not self.matches(entry):
            return False
        self.matched += 1
        if self.matched <= self.skip:
            return False
        self.used += 1
        return True

    def released(self) -> bool:
        """Whether held requests may go on: enough are held, or the fault is no longer armed."""
        return self.cleared or 0 < self.params["number"] <= self.used

    def show(self) -> dict[str, Any]:
        """JSON-able description."""
        filters = {name: pattern.pattern for name, pattern in self.filters.items()}
        numbers = {"id": self.number, "skip": self.skip, "times": self.times}
        chosen = {"fault": self.name, "write": self.write, **filters}
        return {**numbers, **chosen, **self.params, "matched": self.matched, "used": self.used}


class FaultTable:
    """All armed faults, in the order they came; the first one that strikes is the only one."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self._faults: list[Fault] = []

    def arm(self, wish: dict[str, Any]) -> int:
        """Take a fault as described in README.md.

        Raises:
            ValueError, TypeError: unknown name, parameter or type, with a text for the caller.
        """
        wish = dict(wish)
        name = wish.pop("fault", None)
        if name not in EFFECTS:
            raise ValueError(f"unknown fault {name!r}; known are {', '.join(sorted(EFFECTS))}")
        filters = {key: _pattern(key, wish.pop(key, None)) for key in FILTERS}
        skip, times = (_number(key, wish.pop(key, default)) for key, default in (("skip", 0), ("times", 1)))
        write = wish.pop("write", None)
        if write is not None and not isinstance(write, bool):
            raise TypeError("write must be true, false or null")
        effect = EFFECTS[name]
        params = effect.params(wish)
        chosen = {key: pattern for key, pattern in filters.items() if pattern}
        fault = Fault(next(self._numbers), name, effect, chosen, skip, times, params, write)
        self._faults.append(fault)
        return fault.number

    def pick(self, entry: Entry) -> Fault | None:
        """The fault that strikes this request, if any."""
        return next((fault for fault in self._faults if fault.strikes(entry)), None)

    def show(self) -> list[dict[str, Any]]:
        return [fault.show() for fault in self._faults]

    def clear(self) -> None:
        for fault in self._faults:
            fault.cleared = True
        self._faults.clear()


def _pattern(key: str, value: Any) -> re.Pattern[str] | None:
    if value is None:
        return None
    if not isinstance(value, str):
        raise TypeError(f"{key} must be a string or null")
    if key in ("service", "method"):
        return re.compile(f"^{re.escape(value)}$", re.IGNORECASE)
    try:
        return re.compile(value)
    except re.error as error:
        raise ValueError(f"{key}: no regular expression: {error}") from error


def _number(key: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise TypeError(f"{key} must be a whole number, 0 or more")
    return value
