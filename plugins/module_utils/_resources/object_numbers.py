# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers of objects of the infrastructure interface in options: they begin with 1 (wire-facts section 2)."""

from __future__ import annotations

import typing as t

from .._core.errors import InvalidInput


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
