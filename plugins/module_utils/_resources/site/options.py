# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The options of the action ``site``."""

from __future__ import annotations

import re
import typing as t

from ..._core.errors import InvalidInput
from ..._engine.removal_limit import RemovalLimit
from ..._session.operation import Params
from .kinds import KINDS

CONCURRENCY = (1, 100)
_PART = re.compile(r"([1-9]\d{0,2})/([1-9]\d{0,2})")

OPTIONS: dict[str, dict[str, t.Any]] = {
    "src": {"type": "path", "required": True},
    "overlays": {"type": "list", "elements": "path", "default": []},
    "environment": {"type": "str"},
    "state": {"type": "str", "choices": ["present", "absent"], "default": "present"},
    "stage": {"type": "str", "choices": ["all", "foundations", "rest"], "default": "all"},
    "part": {"type": "str"},
    "kinds": {"type": "list", "elements": "str", "choices": list(KINDS)},
    "plan": {"type": "path"},
    "prune": {"type": "bool", "default": False},
    "max_delete": {"type": "str", "default": "10"},
    "adopt": {"type": "bool", "default": False},
    "lock": {"type": "str", "choices": ["file", "lease", "none"]},
    "lock_timeout": {"type": "float", "default": 0.0},
    "lock_lease": {"type": "float", "default": 900.0},
    "break_lock": {"type": "bool", "default": False},
    "concurrency": {"type": "int", "default": 20},
    "wait_timeout": {"type": "float", "default": 2700.0},
    "create_grace": {"type": "float", "default": 30.0},
}


def check(params: Params) -> None:
    """Raise InvalidInput for options that cannot be meant."""
    part_of(params)
    RemovalLimit(params["max_delete"], "max_delete")
    least, most = CONCURRENCY
    if not least <= params["concurrency"] <= most:
        raise InvalidInput(
            f"concurrency: {params['concurrency']} is not between {least} and {most}.", option="concurrency"
        )
    if params["prune"] and params["state"] == "absent":
        raise InvalidInput("prune: with state=absent all that the site owns is removed anyway.", option="prune")
    if params["kinds"] == []:
        raise InvalidInput(
            "kinds: the list is empty, so that there is nothing to do.",
            next_step="Name the kinds that are meant, or leave it out for all.",
            option="kinds",
        )


def part_of(params: Params) -> tuple[int, int] | None:
    """Return number and count of the part that is meant, None for the whole. Raises InvalidInput."""
    given = params["part"]
    if given in (None, ""):
        return None
    match = _PART.fullmatch(given)
    if match is None or int(match[1]) > int(match[2]):
        raise InvalidInput(
            f"part: {given!r} is no part.", next_step="Write it as 2/4: the second of four parts.", option="part"
        )
    return int(match[1]), int(match[2])
