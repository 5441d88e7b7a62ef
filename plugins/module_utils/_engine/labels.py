# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Labels: what a person writes instead of an ID."""

from __future__ import annotations

import typing as t

from .._core.errors import Ambiguous, InvalidInput
from .._core.text import did_you_mean, listed, number_in, shortened

Item = t.Tuple[int, str]


def resolve(given: int | str, items: t.Sequence[Item], *, option: str, where: str) -> int:
    """Return the ID that ``given``, an ID or a label, stands for among ``items``.

    Labels match exactly, else without regard to case. Raises InvalidInput with the most similar labels, Ambiguous if
    several items have the label.
    """
    text = str(given).strip()
    number = number_in(text)
    if number is not None:
        return _known(number, items, option, where)
    exact = [number for number, label in items if label == text]
    found = exact or [number for number, label in items if label.lower() == text.lower()]
    if len(set(found)) > 1:
        raise Ambiguous(
            f"{option}: {text!r} matches several items of {where}: {', '.join(map(str, sorted(set(found))))}.",
            next_step=f"Give the ID in {option}.",
            ids=sorted(set(found)),
        )
    if found:
        return found[0]
    raise InvalidInput(
        f"{option}: there is no {shortened(text)!r} among {where}.",
        next_step=did_you_mean(shortened(text), [label for _number, label in items]),
        option=option,
    )


def _known(number: int, items: t.Sequence[Item], option: str, where: str) -> int:
    if any(one == number for one, _label in items):
        return number
    known = listed([f"{one} ({label})" for one, label in dict(items).items()], 12)
    raise InvalidInput(
        f"{option}: there is no {number} among {where}.",
        next_step=f"Known: {known}." if items else "There are none.",
        option=option,
    )
