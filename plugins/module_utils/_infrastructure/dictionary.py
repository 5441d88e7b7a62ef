# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Dictionaries: lists of numbers with labels that the service keeps (wire-facts section 3)."""

from __future__ import annotations

import typing as t

from .._connection.options import REST
from .._connection.task import Operation, Result, Task
from .._core.errors import FcdError, Forbidden, InvalidInput, Rejected
from .._core.text import did_you_mean, number_in
from .._engine.labels import Item, resolve
from .api import infrastructure

if t.TYPE_CHECKING:
    from .api import Infrastructure

Params = t.Mapping[str, t.Any]
WHERE = "the list of dictionaries"


def run(task: Task, params: Params) -> Result:
    """Return all dictionaries, or the content of one."""
    api = infrastructure(task)
    if params.get("dictionary") is None:
        return {"changed": False, "dictionaries": [{"id": number, "name": name} for number, name in dictionaries(api)]}
    number, items = content(api, params["dictionary"])
    return {
        "changed": False,
        "dictionary_id": number,
        "dictionary_items": [{"id": one, "label": label} for one, label in items],
    }


def dictionaries(api: Infrastructure) -> list[Item]:
    """Return number and name of every dictionary."""
    return [(entry["Id"], str(entry.get("Name") or "")) for entry in api.list_dictionaries()]


def content(api: Infrastructure, given: str) -> tuple[int, list[Item]]:
    """Return the number of a dictionary, given by number or name, and its items.

    A number costs one request; whether there is such a dictionary is asked only when it has no content. Raises
    InvalidInput with the nearest names.
    """
    text = str(given).strip()
    number = number_in(text)
    if number is None:
        number = resolve(text, dictionaries(api), option="dictionary", where=WHERE)
        return number, _items(api, number)
    try:
        items = _items(api, number)
    except Rejected as refusal:
        _require_known(api, number, refusal)
        raise
    if not items:
        _require_known(api, number, None)
    return number, items


def _items(api: Infrastructure, number: int) -> list[Item]:
    return [(entry["Id"], str(entry.get("Label") or "")) for entry in api.get_dictionary(number)]


def _require_known(api: Infrastructure, number: int, refusal: FcdError | None) -> None:
    try:
        known = dictionaries(api)
    except Forbidden:
        if refusal is not None:
            raise refusal from None
        raise
    if all(one != number for one, _name in known):
        raise InvalidInput(
            f"dictionary: there is no dictionary {number}.",
            next_step=did_you_mean("", [f"{one} ({name})" for one, name in known]),
            option="dictionary",
        )


OPERATION = Operation("dictionary_info", (REST,), {"dictionary": {"type": "str"}}, run)
