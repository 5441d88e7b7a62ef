# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""An accepted request as the handlers see it, and two special kinds of answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from sandbox.rest.models import Instance
from sandbox.rest.refusal import Refusal
from sandbox.rest.world import World

NOTHING: Final = object()
"""An answer without a body."""


@dataclass(slots=True)
class Call:
    """The request's values, typed and validated, with the world they are about; ``now`` in unix seconds."""

    operation: str
    path: dict[str, Any]
    query: dict[str, Any]
    body: dict[str, Any]
    world: World
    settings: dict[str, Any]
    now: float

    @property
    def id(self) -> int:
        """The id in the path."""
        return int(next(iter(self.path.values())))

    def paid(self) -> None:
        """Refuse what costs money when the account cannot pay."""
        if self.settings["payment_required"]:
            raise Refusal(402, "The account has no means to buy this resource.")


@dataclass(slots=True)
class Page:
    """A list answer of instances, whose JSON texts are kept between requests; ``total`` counts all matches."""

    items: list[Instance]
    total: int
