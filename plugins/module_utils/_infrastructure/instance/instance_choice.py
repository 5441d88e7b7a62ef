# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Choosing among instances that were read, and naming them; for the lookup, the inventory and the outputs of a site."""

from __future__ import annotations

import typing as t
from collections import Counter
from fnmatch import fnmatchcase

from ..._core.errors import InvalidInput
from ..._core.text import did_you_mean
from ..._core.type_aliases import JsonObject
from ..rest_records import OF_ITEM
from .instance_records import instance_record

RecordPath = tuple[str, ...]
Rule = list[tuple[RecordPath, object]]

RECORD_KEYS = tuple(instance_record({}))
ADDRESS_CHOICES = {
    "public": ("ip_address",),
    "private": ("private_ip_address",),
    "public_or_private": ("ip_address", "private_ip_address"),
    "private_or_public": ("private_ip_address", "ip_address"),
    "dns": ("dns_address",),
    "none": (),
}
"""Members of the record that give the address; the first that is not empty counts."""

ADDRESSES = ("ip_address", "private_ip_address", "dns_address")


def path_of_key(option: str, key: object) -> RecordPath:
    """Return the path to a value of a record: ``name``, ``status``, ``status.label``. Raises InvalidInput."""
    head, *rest = path = tuple(str(key).split("."))
    if head not in RECORD_KEYS:
        raise InvalidInput(
            f"{option}: an instance has no {key!r}.", next_step=did_you_mean(str(key), RECORD_KEYS), option=option
        )
    if rest and (len(rest) > 1 or rest[0] not in OF_ITEM):
        raise InvalidInput(
            f"{option}: there is no {key!r}; after the dot, use id or label, as in {head}.label.", option=option
        )
    return path


def value_of(record: JsonObject, path: RecordPath) -> object:
    """Return the value, None if there is none."""
    value: t.Any = record
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def rules_of(option: str, given: t.Sequence[t.Any]) -> list[Rule]:
    """Return the entries of ``include`` or ``exclude`` for ``fits_rules``. Raises InvalidInput."""
    for entry in given:
        if not isinstance(entry, dict) or not entry:
            raise InvalidInput(f"{option} takes mappings from keys to values, not {entry!r}.", option=option)
    return [[(path_of_key(option, key), desired) for key, desired in entry.items()] for entry in given]


def fits_rules(record: JsonObject, given: t.Iterable[Rule]) -> bool:
    """Return whether one of the rules fits the record in all its parts."""
    return any(all(_equals(value_of(record, path), desired) for path, desired in rule) for rule in given)


def _equals(value: object, desired: object) -> bool:
    """Compare a text or a number with a pattern; either part of ``{id, label}`` may match, and any item of a list."""
    if isinstance(desired, list):
        return any(_equals(value, one) for one in desired)
    if isinstance(value, dict):
        return any(_equals(one, desired) for one in value.values())
    if desired is None or value is None or isinstance(value, bool) or isinstance(desired, bool):
        return value is desired
    return fnmatchcase(str(value), str(desired))


def address_of(record: JsonObject, choice: str) -> str | None:
    """Return the address to connect to, None if there is none."""
    found = (record[name] for name in ADDRESS_CHOICES[choice])
    return next((str(address) for address in found if address), None)


def distinct_names(
    names: t.Sequence[str], numbers: t.Sequence[int], taken: t.Callable[[str, int], bool]
) -> tuple[list[str], dict[str, str]]:
    """Return names that are all different, and which of them had to be changed to what.

    Names of instances are not unique. All that share a name get their ID appended, so that
    none depends on the order of the list; so do those with a name that is ``taken`` for them.
    """
    counts = Counter(names)
    single = {name for name, number in zip(names, numbers) if counts[name] == 1 and not taken(name, number)}
    result, changed = [], {}
    for name, number in zip(names, numbers):
        own = name
        if name not in single:
            own = f"{name}_{number}"
            while own in single or taken(own, number):
                own = f"{own}_{number}"
            changed[own] = name
        result.append(own)
    return result, changed
