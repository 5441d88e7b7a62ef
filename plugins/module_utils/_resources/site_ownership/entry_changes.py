# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""How the entries of a registry change, and how several documents are one: pure functions.

Each gets the entry that is there (None without one) and returns the new one, None for none. ``serial`` is left alone:
the registry gives a new one to what has changed.
"""

from __future__ import annotations

import typing as t

from .document import Document
from .owned import (
    ADOPTED,
    CREATED,
    CREATING,
    FOUND,
    REMOVED,
    THERE,
    Declared,
    Key,
    Known,
    Number,
    Owned,
    checked_identity,
)

Entries = t.Dict[Key, Owned]
_WEIGHT = {REMOVED: 0, FOUND: 1, ADOPTED: 2, CREATED: 3}


def intended(_was: Owned | None, entry: Declared) -> Owned:
    """Return it before it is created: it was looked for and is not there, so what was known of it is history."""
    return Owned(entry.kind, entry.name, None, checked_identity(entry.kind, entry.identity), CREATED, CREATING)


def created(_was: Owned | None, known: Known) -> Owned:
    """Return it when it was made by this run."""
    return _there(known, CREATED)


def found(was: Owned | None, known: Known) -> Owned:
    """Return it when it was there before this run.

    What was about to be created when an earlier run died was made by that run: it had looked, and it was not there.
    What has another number than the object of the site is not that object any more, but one that somebody else made.
    """
    if was is None or was.origin == REMOVED:
        return _there(known, FOUND)
    if was.phase != CREATING and differ(was.id, known.id):
        return _there(known, FOUND)
    number = known.id if was.id is None else was.id  # the same, be it a number or text
    return _there(known._replace(id=number), was.origin)


def adopted(was: Owned | None, known: Known) -> Owned:
    """Return it when it is to be the site's from now on; what the site has created stays so."""
    kept = found(was, known)
    return kept if kept.prunable else kept._replace(origin=ADOPTED)


def not_made(was: Owned | None) -> Owned | None:
    """Return what is left when it was intended and certainly not made: nothing."""
    return None if was is not None and was.phase == CREATING else was


def differ(one: Number, other: Number) -> bool:
    """Whether these are surely numbers of two objects; a number may be written as text."""
    return one is not None and other is not None and str(one) != str(other)


def merged(documents: t.Iterable[Document]) -> Entries:
    """Return what all documents of a site say together, removed entries included.

    The entry with the higher serial is right. With equal ones, which runs without a lock may write, the object stays
    owned if one of them says so: to lose what the site has made is worse than to know it twice.
    """
    entries: Entries = {}
    for document in documents:
        for key, entry in document.entries.items():
            if key not in entries or _rank(entry) > _rank(entries[key]):
                entries[key] = entry
    return entries


def _rank(entry: Owned) -> tuple[int, int, str, str]:
    return entry.serial, _WEIGHT[entry.origin], entry.phase, str(entry.id)


def _there(known: Known, origin: str) -> Owned:
    return Owned(known.kind, known.name, known.id, checked_identity(known.kind, known.identity), origin, THERE)
