# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fields: how one attribute of a resource is compared, and when it may be sent."""

from __future__ import annotations

import typing as t

Compare = t.Callable[[t.Any, t.Any], bool]
Record = t.Mapping[str, t.Any]


def same(wanted: t.Any, current: t.Any) -> bool:
    """Return whether both values are equal; True is not 1 here."""
    return type(wanted) is type(current) and wanted == current if _one_is_bool(wanted, current) else wanted == current


def same_or_no_text(wanted: t.Any, current: t.Any) -> bool:
    """Return whether both texts are equal; none is as good as an empty one."""
    return bool((wanted or "") == (current or ""))


def contains(wanted: t.Any, current: t.Any) -> bool:
    """Return whether every wanted key or element is already there; more may be."""
    if isinstance(wanted, t.Mapping):
        have = current or {}
        return all(key in have and have[key] == value for key, value in wanted.items())
    return set(wanted) <= set(current or ())


def unordered(wanted: t.Any, current: t.Any) -> bool:
    """Return whether both lists hold the same elements, in any order."""
    return set(wanted or ()) == set(current or ())


def never(wanted: t.Any, current: t.Any) -> bool:
    """Return True: this value cannot be read back, so it never counts as different."""
    del wanted, current
    return True


def where_told(compare: Compare = same) -> Compare:
    """Return a comparison for what every object has: null is a value that the service does not tell, no difference."""
    return lambda wanted, current: current is None or compare(wanted, current)


def _one_is_bool(wanted: t.Any, current: t.Any) -> bool:
    return isinstance(wanted, bool) != isinstance(current, bool)


class Field(t.NamedTuple):
    """One attribute of a resource, by the name of its option.

    ``compare`` says when a wanted value is already there. ``on_create`` says whether it may be sent then, ``on_update``
    whether it can be changed in place, for some values perhaps (called with the wanted and the current one, ``why`` is
    the reason against the others). What cannot be changed in place is changed by a replacement of the object, or never.
    ``secret`` values never show in a diff. ``merge`` makes the value after an update out of the current and the wanted
    one (for metadata that is merged).
    """

    name: str
    compare: Compare = same
    on_create: bool = True
    on_update: bool | Compare = True
    secret: bool = False
    merge: t.Callable[[t.Any, t.Any], t.Any] | None = None
    why: str = ""

    def in_place(self, wanted: t.Any, current: t.Any) -> bool:
        """Return whether the current value can become the wanted one on an existing object."""
        return self.on_update if isinstance(self.on_update, bool) else self.on_update(wanted, current)


Fields = t.Sequence[Field]
