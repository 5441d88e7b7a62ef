# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A source in which nothing takes part, although a prefix or a pattern says that something is expected there."""

from __future__ import annotations

from .sync_options import COPY, PULL, PUSH, Wish


def told_of_nothing(wish: Wish) -> str | None:
    """Return the warning, or None where an empty source may well be meant."""
    include, container, prefix = wish.params["include"], wish.container, wish.prefix
    option = "prefix"
    if wish.mode == COPY:
        option, (container, prefix) = "source_prefix", wish.source
    if include:
        where = f"the folder {wish.root}" if wish.mode == PUSH else _where(container, prefix)
        return f"include: nothing in {where} takes part; check the patterns, {', '.join(map(repr, include))}."
    if prefix and wish.mode in (PULL, COPY):
        return f"{option}: nothing in {_where(container, prefix)} takes part; check the prefix."
    return None


def _where(container: str, prefix: str) -> str:
    return f"the container {container!r} below {prefix!r}" if prefix else f"the container {container!r}"
