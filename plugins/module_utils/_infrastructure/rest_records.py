# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Records of what the REST service has: members by our names, and the numbers that stand for objects."""

from __future__ import annotations

import typing as t

from .._core.errors import Ambiguous, InvalidInput

Api = t.Mapping[str, t.Any]
Row = t.Dict[str, t.Any]
Item = t.Dict[str, t.Any]


def item(value: t.Any) -> dict[str, t.Any] | None:
    """Return a dictionary value, a reference or a named reference as ``{id, label}``."""
    if not isinstance(value, dict):
        return None
    label = value.get("Label", value.get("Name", value.get("Address")))
    return {"id": value.get("Id"), "label": label}


def same_item(wanted: t.Any, current: t.Any) -> bool:
    """Return whether two ``{id, label}`` stand for the same item."""
    return current is not None and wanted["id"] == current["id"]


def plain_members(entry: Api, members: t.Mapping[str, str]) -> Row:
    """Return members as they are, by our names; what the service left out is None."""
    return {name: entry.get(member) for name, member in members.items()}


def item_members(entry: Api, members: t.Mapping[str, str]) -> Row:
    """Return values of dictionaries and references as ``{id, label}``."""
    return {name: item(entry.get(member)) for name, member in members.items()}


def login(entry: Api) -> str | None:
    """Return the login of the user who made it."""
    user = entry.get("CreationUser") or {}
    return t.cast("t.Optional[str]", user.get("Login"))


def single(kinds: str, key: str, name: str, found: t.Sequence[Row], or_else: str = "") -> Row | None:
    """Return the one that was found, or None. Raises Ambiguous with the numbers of all.

    ``kinds`` is what a person calls several, ``key`` what the name is; ``or_else`` ends the sentence on what to do.
    """
    if len(found) > 1:
        ids = sorted(record["id"] for record in found)
        raise Ambiguous(
            f"There are {len(found)} {kinds} with the {key} {name!r}: {', '.join(map(str, ids))}.",
            next_step=f"Give the one that is meant in id{or_else}.",
            ids=ids,
        )
    return found[0] if found else None


def check_numbers(params: t.Mapping[str, t.Any], where: str = "") -> None:
    """Raise InvalidInput for an option ``id`` or ``..._id`` whose number, or one of whose numbers, is below 1.

    ``where`` is what stands before the name of the option in the message.
    """
    for option, given in params.items():
        if option == "id" or option.endswith("_id"):
            for number in given if isinstance(given, list) else [given]:
                check_number(where + option, number)


def check_number(option: str, given: t.Any) -> None:
    """Raise InvalidInput for a number below 1; what is no number passes."""
    if isinstance(given, int) and given < 1:
        raise InvalidInput(f"{option}: {given} is no number of anything; they begin with 1.", option=option)
