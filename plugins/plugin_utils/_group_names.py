# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of the groups that a keyed group makes of a value: those of ansible-core's own helper.

That one refuses numbers and booleans; here they are written as a template would write them.
"""

from __future__ import annotations

import typing as t

from ansible_collections.fcd.cloud.plugins.module_utils._core.errors import InvalidInput
from ansible_collections.fcd.cloud.plugins.module_utils._core.text import did_you_mean

EMPTY = (None, "")
TEXT, WRITABLE = (str,), (str, int, float)
OPTIONS: dict[str, tuple[type, ...]] = {
    "key": TEXT,
    "prefix": WRITABLE,
    "separator": WRITABLE,
    "parent_group": TEXT,
    "default_value": WRITABLE,
    "trailing_separator": (bool,),
}
"""What an entry has, and as what."""


class KeyedGroup(t.NamedTuple):
    """One entry of ``keyed_groups``; ``lead`` is what stands before every name."""

    key: t.Any
    lead: str
    separator: str
    parent: t.Any
    default: t.Any
    trailing_separator: t.Any

    def names(self, value: t.Any) -> list[str]:
        """Return the names, not yet sanitized; none for an empty value. Raises InvalidInput."""
        return [f"{self.lead}{name}" for name in self._bare(value)]

    def _bare(self, value: t.Any) -> list[t.Any]:
        if value in EMPTY:
            return [] if self.default is None else [self.default]
        if isinstance(value, (str, int, float)):
            return [value]
        if isinstance(value, t.Mapping):
            return [self._pair(name, one) for name, one in value.items()]
        if isinstance(value, list):
            return [self.default if one in EMPTY and self.default is not None else one for one in value]
        raise InvalidInput(
            f"keyed_groups: {self.key!r} is a {type(value).__name__}.",
            next_step="Groups are named after texts, numbers, lists and mappings.",
            option="keyed_groups",
        )

    def _pair(self, name: t.Any, value: t.Any) -> str:
        if value in EMPTY:
            if self.default is None and self.trailing_separator is False:
                return str(name)
            value = value if self.default is None else self.default
        return f"{name}{self.separator}{value}"


def keyed_group(entry: t.Any, *, leading_separator: bool) -> KeyedGroup:
    """Return an entry as it was configured; what is null is not given. Raises InvalidInput."""
    if not isinstance(entry, t.Mapping) or not entry.get("key"):
        raise _wrong(f"each entry is a mapping with a key, not {entry!r}.")
    given = {name: value for name, value in entry.items() if value is not None}
    for name, value in given.items():
        if name not in OPTIONS:
            raise _wrong(f"there is no {name!r}.", did_you_mean(str(name), OPTIONS))
        if not isinstance(value, OPTIONS[name]):
            kind = "true or false" if name == "trailing_separator" else "a text"
            raise _wrong(f"{name} is {kind}, not {value!r}.")
    default, trailing = given.get("default_value"), given.get("trailing_separator")
    if default is not None and trailing is not None:
        raise _wrong(f"of {entry['key']!r}, give default_value or trailing_separator, not both.")
    prefix, separator = given.get("prefix", ""), given.get("separator", "_")
    lead = f"{prefix}{separator}" if prefix != "" or leading_separator else ""
    return KeyedGroup(entry["key"], lead, str(separator), given.get("parent_group"), default, trailing)


def _wrong(what: str, next_step: str | None = None) -> InvalidInput:
    return InvalidInput(f"keyed_groups: {what}", next_step=next_step, option="keyed_groups")
