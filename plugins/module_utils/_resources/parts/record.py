# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Members that several kinds of parts have, as plain data."""

from __future__ import annotations

import typing as t

from ..instance.record import item

Api = t.Mapping[str, t.Any]
Record = t.Dict[str, t.Any]


def plain(part: Api, members: t.Mapping[str, str]) -> Record:
    """Return members as they are, by our names; what the service left out is None."""
    return {name: part.get(member) for name, member in members.items()}


def items(part: Api, members: t.Mapping[str, str]) -> Record:
    """Return values of dictionaries and references as ``{id, label}``."""
    return {name: item(part.get(member)) for name, member in members.items()}


def same_text(wanted: t.Any, current: t.Any) -> bool:
    """Return whether two texts are equal; none is as good as an empty one."""
    return (wanted or "") == (current or "")


def login(part: Api) -> str | None:
    """Return the login of the user who made it."""
    user = part.get("CreationUser") or {}
    return t.cast("t.Optional[str]", user.get("Login"))
