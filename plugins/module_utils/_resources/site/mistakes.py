# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is wrong in a site file: collected, and told together with the place of each."""

from __future__ import annotations

import typing as t

from ..._core.errors import InvalidInput
from ..._core.visible_text import visible
from .sources import Source

MOST_TOLD = 100


class Mistake(t.NamedTuple):
    """One thing that is wrong. ``entry`` is such as ``instances[3] (web)``, empty for what concerns no entry."""

    source: Source
    entry: str
    msg: str
    kind: str | None = None
    name: str | None = None

    def __str__(self) -> str:
        """Return the line of the message, whatever is in the names of which it tells."""
        return f"{visible(str(self.source))}: {f'{visible(self.entry)}: ' if self.entry else ''}{visible(self.msg)}"


class Mistakes(t.List[Mistake]):
    """All that is wrong."""

    def note(self, source: Source, msg: str) -> None:
        """Add something that concerns no entry."""
        self.append(Mistake(source, "", msg))

    def told(self) -> None:
        """Raise InvalidInput when there are any; its detail ``errors`` is a list of dictionaries."""
        if not self:
            return
        ordered = sorted(dict.fromkeys(self), key=_place)
        lines = [str(one) for one in ordered]
        more = [f"... and {len(lines) - MOST_TOLD} more."] if len(lines) > MOST_TOLD else []
        whole = "\n".join([*lines[:MOST_TOLD], *more])
        count = "" if len(lines) == 1 else f"{len(lines)} mistakes in what is declared; nothing was sent.\n"
        raise InvalidInput(f"{count}{whole}", errors=[_plain(one) for one in ordered])


def _place(one: Mistake) -> tuple[str, int]:
    """Return file and line, for the order of what is told."""
    label, _colon, line = str(one.source).rpartition(":")
    return (label, int(line)) if line.isdigit() else (str(one.source), 0)


def wrong(source: Source, msg: str) -> InvalidInput:
    """Return the error for one thing that ends the reading."""
    alone = Mistake(source, "", msg)
    return InvalidInput(str(alone), errors=[_plain(alone)])


def _plain(one: Mistake) -> dict[str, t.Any]:
    told = {"entry": visible(one.entry), "msg": visible(one.msg)}
    return {"source": str(one.source), "kind": one.kind, "name": one.name, **told}
