# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What nobody else may have: login, e-mail address and national id are asked for before anything is sent."""

from __future__ import annotations

import typing as t

from ..._core.errors import InvalidInput
from ..._core.names import quoted
from ..._engine.fields import Record
from ..common_fcd import CommonFcd


def refuse_taken(api: CommonFcd, values: Record, current: Record | None = None) -> None:
    """Raise InvalidInput, naming all of them at once, when new values are taken.

    ``values`` has the values to be sent, for ``current`` those that change.
    """
    taken = [option for option, ask in _questions(api, values, current) if ask()]
    if taken:
        told = " and ".join(f"{option} {quoted(values[option])}" if option != "pesel" else option for option in taken)
        raise InvalidInput(
            f"Taken by another user: {told}.",
            next_step="Take another value, or give the id of that user.",
            taken=taken,
        )


def _questions(api: CommonFcd, values: Record, current: Record | None) -> t.Iterator[tuple[str, t.Callable[[], bool]]]:
    login, email, pesel = (values.get(name) for name in ("user_name", "email", "pesel"))
    if login:
        yield "user_name", lambda: api.is_user_name_already_taken(login)
    if email and email.casefold() != str((current or {}).get("email")).casefold():  # the user's own is no other's
        yield "email", lambda: api.is_email_already_taken(email)
    if pesel and current is None:
        yield "pesel", lambda: api.is_pesel_already_taken(pesel)
    elif pesel and current is not None:
        number = current["id"]
        yield "pesel", lambda: api.is_pesel_already_taken_by_other_user(pesel, number)
