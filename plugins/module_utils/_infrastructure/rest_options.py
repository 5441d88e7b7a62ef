# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Options that REST nouns share: names and texts that the service accepts, and references by ID or label."""

from __future__ import annotations

import typing as t
from fnmatch import fnmatchcase

from .._connection.options import SizeWithUnit
from .._connection.task import Params
from .._core.errors import InvalidInput
from .._core.text import number_in, shortened
from .rest_records import Row, check_numbers

if t.TYPE_CHECKING:
    from .rest_client import Items

Key = t.TypeVar("Key", int, str)

NUMBER: dict[str, dict[str, t.Any]] = {"id": {"type": "int"}}
IDS: dict[str, t.Any] = {"type": "list", "elements": "int"}
OF_INSTANCE: dict[str, dict[str, t.Any]] = {"instance": {"type": "str", "aliases": ["instance_id"]}}
QUERY: dict[str, dict[str, t.Any]] = {"query": {"type": "str"}}
LARGEST_PLAIN_SIZE = 10_000  # GB; more is rather meant as MB
TYPE_CATEGORIES, TEMPLATE_TYPES, TICKET_STATUSES = 141, 52, 40  # dictionaries, wire-facts section 3.1
NAME_REFUSED, TEXT_REFUSED = "/\\|<>%", "/"  # letters; wire-facts 5.3, 6 and 7, infrastructure facts a.8

Named = t.Dict[str, t.Any]


def check_name(name: str | None, longest: int, *, any_letters: bool = False, option: str = "name") -> None:
    """Raise InvalidInput for a name that the service does not accept."""
    if name is None:
        return
    if name and not name.strip():
        raise InvalidInput(f"{option}: the name consists of spaces only.", option=option)
    if not 1 <= len(name) <= longest:
        raise InvalidInput(f"{option}: it has {len(name)} characters; 1 to {longest} are allowed.", option=option)
    if not any_letters:
        check_letters(name, NAME_REFUSED, option)


def check_letters(text: str | None, refused: str, option: str) -> None:
    """Raise InvalidInput for a text with characters that the service refuses there."""
    wrong = [letter for letter in refused if letter in (text or "")]
    if not wrong:
        return
    has, next_step = "the character", "The service does not accept it here."
    if len(refused) > 1:
        has, next_step = f"one of the characters {' '.join(refused)}, namely", "The service accepts none of them here."
    told = f"{option}: {shortened(str(text))!r} contains {has} {' '.join(wrong)}."
    raise InvalidInput(told, next_step=next_step, option=option)


def check_not_empty(params: Params, *options: str) -> None:
    """Raise InvalidInput for empty texts."""
    for option in options:
        if params.get(option) is not None and not str(params[option]).strip():
            raise InvalidInput(f"{option}: the text is empty.", option=option)


def require_options(params: Params, kind: str, name: str, options: t.Sequence[str]) -> None:
    """Raise InvalidInput for options that a create needs and that were not given."""
    missing = [option for option in options if params.get(option) is None]
    if missing:
        raise InvalidInput(
            f"There is no {kind} {name!r}, and these options are missing to create it: {', '.join(missing)}.",
            next_step="Give all of them, or check the name.",
            options=missing,
        )


def chosen_item(
    given: t.Any, present: Named | None, items: t.Callable[[], t.Sequence[Named]], option: str, where: str
) -> Named:
    """Return ``{id, label}`` for an ID or a label; what the object already has costs no request.

    ``items`` reads all there are. Raises InvalidInput with the most similar labels, or for an inactive one, as
    subregions may be; or Ambiguous.
    """
    text = str(given).strip()
    if present is not None and text in (str(present["id"]), present["label"]):
        return present
    from .._connection.options import resolve_label

    entries = items()
    labels = _labels(entries)
    number = resolve_label(text, labels, option=option, where=where)
    label = dict(labels)[number]
    idle = {entry["Id"] for entry in entries if entry.get("IsActive") is False}
    if number in idle:
        active = [other for one, other in labels if one not in idle]
        raise InvalidInput(
            f"{option}: {label} ({number}) is not active.",
            next_step=f"Active are: {', '.join(active)}." if active else "None is active.",
            option=option,
        )
    return {"id": number, "label": label}


def _labels(entries: t.Iterable[Named]) -> list[tuple[int, str]]:
    return [(entry["Id"], str(entry.get("Label") or entry.get("Name"))) for entry in entries]


# ---------------------------------------------------------------- options of readers


def numbers_of(params: t.Mapping[str, t.Any]) -> list[int] | None:
    """Return the IDs that the option ``id`` gives, each once, None without it.

    Raises InvalidInput for an ID in any option that cannot exist.
    """
    check_numbers(params)
    return None if params.get("id") is None else once_each(params["id"])


def once_each(keys: t.Iterable[Key]) -> list[Key]:
    """Return the keys in their order, each once."""
    return list(dict.fromkeys(keys))


def chosen(records: t.Iterable[Row], keys: t.Sequence[Key], attribute: str = "id") -> tuple[list[Row], list[Key]]:
    """Return the records that have one of the keys, in the order of the keys, and the keys that none has.

    A key that is a pattern stands for all that match it.
    """
    found: dict[Key, list[Row]] = {key: [] for key in keys}
    patterns = [key for key in found if is_pattern(key)]
    for record in records:
        for key in _keys_of(record.get(attribute), found, patterns):
            found[key].append(record)
    whole = {id(record): record for same in found.values() for record in same}
    return list(whole.values()), [key for key in keys if not found[key]]


def _keys_of(value: t.Any, keys: t.Collection[Key], patterns: t.Iterable[Key]) -> list[Key]:
    """Return the keys that a value has or, as patterns, fits."""
    same: list[t.Any] = [value] if value in keys else []
    return [*same, *(key for key in patterns if key != value and fnmatchcase(str(value), str(key)))]


def grown(option: str, size: int, present: int | None) -> int:
    """Return the size of a disk in GB; it cannot shrink again, so a large one needs a unit. Raises InvalidInput."""
    if size > LARGEST_PLAIN_SIZE and size > (present or 0) and not isinstance(size, SizeWithUnit):
        raise InvalidInput(
            f"{option} is in GB; {size} would be {size / 1024:.3g} TB.",
            next_step=f"Write '{size}GiB' if that is meant.",
            option=option,
        )
    return int(size)


def is_pattern(name: t.Any) -> bool:
    """Return whether a name contains wildcards: readers support them, the service does not."""
    return isinstance(name, str) and any(mark in name for mark in "*?[")


def number_of(option: str, given: str | None, entries: t.Callable[[], Items], where: str) -> int | None:
    """Return the ID that an option gives, by itself or by its label among the entries.

    An ID costs no request. Raises InvalidInput with the most similar labels.
    """
    if given is None:
        return None
    text = given.strip()
    if not text:
        raise InvalidInput(f"{option}: the label is empty.", option=option)
    number = number_in(text)
    if number is not None:
        return number
    from .._connection.options import resolve_label

    return resolve_label(text, _labels(entries()), option=option, where=where)


def filters(**values: t.Any) -> dict[str, t.Any]:
    """Return the filters that have a value."""
    return {name: value for name, value in values.items() if value is not None}
