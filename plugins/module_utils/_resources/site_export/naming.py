# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""How an object is named in an entry: by its name where nothing else has it, else by its number."""

from __future__ import annotations

import typing as t
from collections import Counter

from ..._core.errors import InvalidInput
from .account import Account, Record
from .found import IN_IT, Found

Check = t.Callable[[str], t.Any]


def named(
    account: Account, found: Found, records: t.Iterable[Record], check: Check, key: str = "name", numbered: str = "id"
) -> t.Iterator[tuple[Record, Record]]:
    """Yield each record that is wanted with the options that say which one is meant, in the order of their names.

    ``check`` raises InvalidInput for a name that the module does not take. ``key`` is the attribute and option of the
    name, ``numbered`` those of what an object has that nothing else has.
    """
    every = list(records)
    counts = Counter(record[key] for record in every)
    for record in sorted(every, key=lambda one: (str(one[key] or ""), str(one[numbered]))):
        name = record[key]
        if not account.wanted(found.table.kind, name or ""):
            continue
        why = _unfit(account, name, check) or (counts[name] > 1 and "others have the same")
        if not why:
            yield record, {key: name}
        else:
            if name:
                found.leave(name, f"{why}; it is declared by {numbered} {record[numbered]}", key)
            yield record, {numbered: record[numbered]}


def _unfit(account: Account, name: str | None, check: Check) -> str | None:
    """Return why an object cannot be declared by its name."""
    if not name:
        return "there is none"
    if account.holds_secret(name):
        return IN_IT
    try:
        check(name)
    except InvalidInput as wrong:
        return f"the module does not take it ({wrong.message.rstrip('.')})"
    return None
