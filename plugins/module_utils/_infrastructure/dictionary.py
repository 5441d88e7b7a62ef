# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The dictionaries of the service, and the items of one (docs/service/infrastructure.md, "Dictionaries")."""

from __future__ import annotations

from .._connection.options import REST, Label, resolve_label
from .._connection.task import Operation, Params, Result, Task
from .._core.errors import FcdError, Forbidden, InvalidInput, Rejected
from .._core.text import did_you_mean, number_in
from .api import Infrastructure, infrastructure


def read_dictionaries(task: Task, params: Params) -> Result:
    """Return all dictionaries, or the content of one."""
    api = infrastructure(task)
    if params.get("dictionary") is None:
        return {"changed": False, "dictionaries": [{"id": number, "name": name} for number, name in _dictionaries(api)]}
    number, items = dictionary_items(api, params["dictionary"])
    return {
        "changed": False,
        "dictionary_id": number,
        "dictionary_items": [{"id": one, "label": label} for one, label in items],
    }


def _dictionaries(api: Infrastructure) -> list[Label]:
    """Return number and name of every dictionary."""
    return [(entry["Id"], str(entry.get("Name") or "")) for entry in api.list_dictionaries()]


def dictionary_items(api: Infrastructure, given: str) -> tuple[int, list[Label]]:
    """Return the ID of a dictionary, given by ID or name, and its items.

    An ID costs one request; whether there is such a dictionary is only checked if it has no content. Raises
    InvalidInput with the most similar names.
    """
    text = str(given).strip()
    number = number_in(text)
    if number is None:
        number = resolve_label(text, _dictionaries(api), option="dictionary", where="the dictionaries")
        return number, _items(api, number)
    try:
        items = _items(api, number)
    except Rejected as refusal:
        _require_known(api, number, refusal)
        raise
    if not items:
        _require_known(api, number, None)
    return number, items


def _items(api: Infrastructure, number: int) -> list[Label]:
    return [(entry["Id"], str(entry.get("Label") or "")) for entry in api.get_dictionary(number)]


def _require_known(api: Infrastructure, number: int, refusal: FcdError | None) -> None:
    try:
        known = _dictionaries(api)
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


DICTIONARY_INFO = Operation("dictionary_info", (REST,), {"dictionary": {"type": "str"}}, read_dictionaries)
