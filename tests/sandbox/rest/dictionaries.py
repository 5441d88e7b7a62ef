# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading dictionaries (docs/service/infrastructure.md, "Dictionaries")."""

from __future__ import annotations

from typing import Any

from sandbox.rest.call import Call
from sandbox.rest.handlers import handles
from sandbox.rest.paging import envelope
from sandbox.rest.refusal import Refusal


@handles("list_dictionaries", "list_dictionaries_slash")
def list_dictionaries(call: Call) -> Any:
    """All dictionaries with their names."""
    names = call.world.dictionaries.names
    return envelope([{"Id": number, "Name": name} for number, name in names.items()])


@handles("list_dictionary_items")
def read_dictionaries(call: Call) -> Any:
    """The values of all dictionaries named in the path, one after another."""
    values: list[Any] = []
    numbers = call.path["ids"].split(",")
    if not all(one.isdigit() for one in numbers) or (len(numbers) > 1 and not call.settings["several_dictionaries"]):
        raise Refusal(400, f"{call.path['ids']} is no number of a dictionary.")
    for number in dict.fromkeys(map(int, numbers)):
        if number not in call.world.dictionaries.names:
            raise Refusal(404, f"Dictionary {number} does not exist.")
        values += call.world.dictionaries.content(number)
    return envelope(values)
