# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The user that the module logs in as: nobody else could undo it if that one were removed or blocked."""

from __future__ import annotations

import typing as t

from ..._core.errors import InvalidInput
from ..._core.names import quoted
from ..._session.operation import Params

if t.TYPE_CHECKING:
    from .users import ClientUsers


def same_login(login: str | None, own: str) -> bool:
    """Return whether a login is the own one; a domain counts only where both have one, and case does not."""
    if login is None:
        return False
    names = [login.casefold(), own.casefold()]
    if not all("\\" in name for name in names):
        names = [name.rpartition("\\")[2] for name in names]
    return names[0] == names[1]


def own_user(params: Params) -> InvalidInput:
    """Return the error."""
    option = next(name for name in ("id", "sid", "user_name") if params[name] is not None)
    who = quoted(params[option]) if option == "user_name" else params[option]
    return InvalidInput(
        f"{option}: {who} is the user that the module logs in as: it is not made {params['state']}.",
        next_step="Log in as another user to do so.",
        option=option,
    )


def refuse_own(users: ClientUsers, params: Params, number: int, login: str | None) -> None:
    """Raise InvalidInput when this is the own user; the service is asked only where its login does not tell."""
    own = users.task.settings["username"]
    if same_login(login, own) if login else users.search.own_number() == number:
        raise own_user(params)
