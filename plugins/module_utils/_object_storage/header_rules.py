# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Headers for the objects whose names fit a pattern."""

from __future__ import annotations

import re
import typing as t

from .._core.errors import InvalidInput
from .._engine.plan import LATER
from .api import Headers
from .filters import matcher
from .metadata import check_text, settled, wishes
from .names import Limits
from .object_headers import OPTIONS_BY_HEADER, headers_of

TEXTS = tuple(OPTIONS_BY_HEADER.values())
OPTIONS: dict[str, dict[str, t.Any]] = {
    "match": {"type": "str", "default": "**"},
    **{name: {"type": "str"} for name in TEXTS},
    "metadata": {"type": "dict"},
    "expires_in": {"type": "int"},
}

Record = t.Dict[str, t.Any]


class Wanted(t.NamedTuple):
    """What an object is to have: texts and metadata by option and item, and the seconds until it expires."""

    texts: t.Mapping[str, str]
    metadata: t.Mapping[str, str]
    expires_in: int | None

    def headers(self) -> Headers:
        """Return the headers of a new object."""
        return headers_of(self.over({}), {}, self.expires_in)

    def over(self, record: Record) -> Record:
        """Return the record of an object with this laid over it. An expiry that it has stays."""
        after = {**record, **self.texts, "metadata": {**record.get("metadata", {}), **self.metadata}}
        if self.expires_in is not None and not record.get("expires_at"):
            after["expires_at"] = LATER
        return after

    def differing(self, record: Record) -> list[str]:
        """Return the options that differ on an object."""
        after = self.over(record)
        return [name for name in (*TEXTS, "metadata", "expires_at") if not _same(name, record, after)]

    def other_type(self, listed: str) -> bool:
        """Return whether the content type is another than a listing shows."""
        wanted = self.texts.get("content_type")
        return wanted is not None and plain_type(wanted) != plain_type(listed)


def _same(name: str, record: Record, after: Record) -> bool:
    have, want = record.get(name), after.get(name)
    return plain_type(have or "") == plain_type(want or "") if name == "content_type" else have == want


def plain_type(content_type: str) -> str:
    """Return a content type without what differs between a listing and the object itself: blanks around semicolons."""
    return ";".join(part.strip() for part in content_type.split(";"))


class HeaderRules:
    """The rules of the option ``headers``: all that fit a name count, a later one before an earlier one."""

    def __init__(self, rules: t.Sequence[t.Mapping[str, t.Any]], limits: Limits) -> None:
        self._rules = [_rule(number, rule, limits) for number, rule in enumerate(rules)]
        self._limits = limits
        self._known: dict[tuple[int, ...], Wanted | None] = {}

    def of(self, name: str) -> Wanted | None:
        """Return what an object of this name is to have; None when no rule fits it. Raises InvalidInput."""
        if not self._rules:
            return None
        fitting = tuple(number for number, (pattern, _wanted) in enumerate(self._rules) if pattern.fullmatch(name))
        if fitting not in self._known:
            self._known[fitting] = self._together([self._rules[number][1] for number in fitting])
        return self._known[fitting]

    def _together(self, rules: t.Sequence[Wanted]) -> Wanted | None:
        texts: dict[str, str] = {}
        metadata: dict[str, str] = {}
        expires_in = None
        for rule in rules:
            texts.update(rule.texts)
            metadata.update(rule.metadata)
            expires_in = expires_in if rule.expires_in is None else rule.expires_in
        settled(dict(metadata), {}, self._limits, purge=True)  # it may be too much altogether
        return Wanted(texts, metadata, expires_in) if rules else None


def _rule(number: int, rule: t.Mapping[str, t.Any], limits: Limits) -> tuple[re.Pattern[str], Wanted]:
    try:
        return matcher([rule["match"]], "match"), _wanted(rule, limits)
    except InvalidInput as error:
        error.message = f"headers[{number}].{error.message}"
        raise


def _wanted(rule: t.Mapping[str, t.Any], limits: Limits) -> Wanted:
    texts = {name: check_text(name, rule[name]) for name in TEXTS if rule.get(name) is not None}
    empty = [name for name, value in texts.items() if not value]
    if empty:
        raise InvalidInput(f"{empty[0]}: it is empty.", next_step="Leave it out.", option="headers")
    seconds = rule.get("expires_in")
    if seconds is not None and seconds < 1:
        raise InvalidInput(f"expires_in: {seconds} seconds; it must be at least 1.", option="headers")
    given = wishes(rule.get("metadata") or {}, limits, empty_removes=False)
    nothing = [name for name, value in given.items() if value is None]
    if nothing:
        raise InvalidInput(f"metadata: {nothing[0]} has no value.", next_step="Leave it out.", option="headers")
    return Wanted(texts, t.cast("dict[str, str]", given), seconds)
