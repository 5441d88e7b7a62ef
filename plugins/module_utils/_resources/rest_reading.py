# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What readers of the infrastructure interface share: the numbers asked for, and labels in place of numbers."""

from __future__ import annotations

import typing as t

from .._core.errors import InvalidInput
from .._core.names import number_in
from .._engine.labels import resolve
from .object_numbers import check_numbers

if t.TYPE_CHECKING:
    from .._api.infrastructure import Items

Record = t.Dict[str, t.Any]
Key = t.TypeVar("Key", int, str)

IDS: dict[str, t.Any] = {"type": "list", "elements": "int"}
TYPE_CATEGORIES, TEMPLATE_TYPES, TICKET_STATUSES = 141, 52, 40  # dictionaries, wire-facts section 3.1


def numbers_of(params: t.Mapping[str, t.Any]) -> list[int] | None:
    """Return the numbers that the option ``id`` gives, each once, None without it.

    Raises InvalidInput for a number of any option that nothing can have.
    """
    check_numbers(params)
    return None if params.get("id") is None else once_each(params["id"])


def once_each(keys: t.Iterable[Key]) -> list[Key]:
    """Return the keys in their order, each once."""
    return list(dict.fromkeys(keys))


def chosen(records: t.Iterable[Record], keys: t.Sequence[Key], attribute: str = "id") -> tuple[list[Record], list[Key]]:
    """Return the records that have one of the keys, in the order of the keys, and the keys that none has."""
    found: dict[Key, list[Record]] = {key: [] for key in keys}
    for record in records:
        if record.get(attribute) in found:
            found[record[attribute]].append(record)
    return [record for same in found.values() for record in same], [key for key in keys if not found[key]]


def number_of(option: str, given: str | None, entries: t.Callable[[], Items], where: str) -> int | None:
    """Return the number that an option gives, by itself or by its label among the entries.

    A number costs no request. Raises InvalidInput with the nearest labels.
    """
    if given is None:
        return None
    text = given.strip()
    if not text:
        raise InvalidInput(f"{option}: the label is empty.", option=option)
    number = number_in(text)
    if number is not None:
        return number
    items = [(entry["Id"], str(entry.get("Label") or entry.get("Name"))) for entry in entries()]
    return resolve(text, items, option=option, where=where)


def filters(**values: t.Any) -> dict[str, t.Any]:
    """Return the filters that have a value."""
    return {name: value for name, value in values.items() if value is not None}
