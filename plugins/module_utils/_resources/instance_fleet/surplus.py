# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Machines that are there and no longer declared, within the bounds that the user has set."""

from __future__ import annotations

import re
import typing as t
from fnmatch import fnmatchcase

from ..._core.errors import InvalidInput
from ..._engine.removal_limit import RemovalLimit
from ..instance.options import Params
from ..instance.record import DELETED, Record, described, status_of

if t.TYPE_CHECKING:
    from .known_machines import KnownMachines


def check(params: Params) -> None:
    """Raise InvalidInput when it is not clear which machines may be removed."""
    prune = params.get("prune")
    if prune is None:
        return
    if params["state"] == "absent":
        raise InvalidInput("prune: with state=absent only what is declared is removed.", option="prune")
    if not params["machines"]:
        raise InvalidInput(
            "prune: machines is empty, so that the whole fleet would go.",
            next_step="If that is what is meant, list the machines with state=absent.",
            option="machines",
        )
    _check_bounds(params, prune)


def _check_bounds(params: Params, prune: Params) -> None:
    if prune["name_pattern"] is None and not prune["from_journal"]:
        raise InvalidInput(
            "prune: it needs name_pattern, from_journal or both, to say which machines belong to the fleet.",
            option="prune",
        )
    if prune["name_pattern"] is not None and not re.sub(r"\[[^]]*\]|[*?\s]", "", prune["name_pattern"]):
        raise InvalidInput(
            f"prune.name_pattern: {prune['name_pattern']!r} fits every machine of the account.",
            next_step="Give a pattern with letters of the names in it, such as web-*.",
            option="prune",
        )
    if prune["from_journal"] and not params.get("fleet"):
        raise InvalidInput("prune.from_journal: it needs fleet, the name to look under.", option="fleet")
    _limit(prune)


def surplus(
    params: Params, listed: t.Sequence[Record], known: KnownMachines | None, warn: t.Callable[[str], None]
) -> list[Record]:
    """Return the machines to remove. Raises InvalidInput when they are more than allowed."""
    prune, declared = params["prune"], {machine["name"] for machine in params["machines"]}
    scope = _scope(prune, listed, known)
    extra = [record for record in scope if record["name"] not in declared]
    if prune["from_journal"] and known is not None:
        asked = known.asked_for()
        there = {name for name in (_new_of(entry, asked) for entry in listed) if name is not None}
        _tell_unknown(there - declared, warn)
    limit = _limit(prune).of(len(scope))
    if len(extra) > limit:
        names = ", ".join(str(record["name"]) for record in extra[:10])
        raise InvalidInput(
            f"prune: {len(extra)} of {len(scope)} machines would be removed ({names}"
            f"{', ...' if len(extra) > 10 else ''}), and at most {limit} may be. Nothing was done.",
            next_step=f"Check the list of machines; if they are to go, set prune.max_delete to {len(extra)}.",
            option="prune",
            names=[record["name"] for record in extra],
        )
    return extra


def _scope(prune: Params, listed: t.Iterable[Record], known: KnownMachines | None) -> list[Record]:
    """Return the machines that belong to the fleet; a number that now bears another name does not."""
    made = known.made() if known is not None and prune["from_journal"] else None
    pattern = prune["name_pattern"]
    fitting = [
        entry
        for entry in listed
        if (pattern is None or fnmatchcase(str(entry.get("Name")), pattern))
        and (made is None or made.get(entry["Id"]) == entry.get("Name"))
    ]
    return [record for record in map(described, fitting) if status_of(record) != DELETED]


def _limit(prune: Params) -> RemovalLimit:
    return RemovalLimit(prune["max_delete"], "prune.max_delete")


def _new_of(entry: Record, asked: t.Mapping[str, int | None]) -> str | None:
    """Return the name of a listed machine that was asked for and is not the one whose place it was to take."""
    name = str(entry.get("Name"))
    return name if name in asked and asked[name] != entry["Id"] else None


def _tell_unknown(names: t.Collection[str], warn: t.Callable[[str], None]) -> None:
    if names:
        warn(
            f"prune: {', '.join(sorted(names))} may have been made by a run that was interrupted, and nobody has seen "
            "the number. Such a machine is not removed: declare it once more, or remove it by its number."
        )
