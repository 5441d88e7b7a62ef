# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers of other entries while options are checked: a number stands in for each."""

from __future__ import annotations

import typing as t

from .entries import Number

Path = t.Tuple[t.Union[str, int], ...]
STAND_IN = 1


def stand_ins(options: dict[str, t.Any]) -> tuple[dict[str, t.Any], dict[Path, Number]]:
    """Return the options with a number in each such place, and what belongs there."""
    places: dict[Path, Number] = {}
    return {name: _plain(value, (name,), places) for name, value in options.items()}, places


def put_back(params: dict[str, t.Any], places: t.Mapping[Path, Number]) -> dict[str, t.Any]:
    """Return the checked options with the numbers in their places again."""
    for path, number in places.items():
        inside: t.Any = params
        for step in path[:-1]:
            inside = inside[step]
        inside[path[-1]] = number
    return params


def _plain(value: t.Any, path: Path, places: dict[Path, Number]) -> t.Any:
    if isinstance(value, Number):
        places[path] = value
        return str(STAND_IN) if value.as_text else STAND_IN
    if isinstance(value, dict):
        return {name: _plain(entry, (*path, name), places) for name, entry in value.items()}
    if isinstance(value, list):
        return [_plain(entry, (*path, index), places) for index, entry in enumerate(value)]
    return value
