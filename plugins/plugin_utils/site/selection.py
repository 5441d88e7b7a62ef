# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which entries a run is about, and what is wanted of each: to be there, to be gone, or only to be looked at."""

from __future__ import annotations

import re
import typing as t

from ...module_utils._connection.task import Params
from ...module_utils._core.errors import InvalidInput
from ...module_utils._core.text import listed
from ...module_utils._engine.plan import RemovalLimit
from .entry_plan import CONTAINERS, EntryPlan, EntryResult
from .kinds import KINDS, NAME
from .model import Declaration, Entry, Place, of_kinds, of_part, of_stage, with_refs
from .state.registry_document import Owned, differ

CONCURRENCY = (1, 100)
_PART = re.compile(r"([1-9]\d{0,2})/([1-9]\d{0,2})")


def check_site_options(params: Params) -> None:
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


TOLD = 5  # names in one message
Owners = t.Mapping[Place, Owned]


def entry_plans_of(
    params: Params, declaration: Declaration, owned: Owners, orphans: t.Sequence[Owned]
) -> list[EntryPlan]:
    """Return what is wanted of each entry of this run, in the order of the kinds.

    With ``prune`` only what the site owns and no longer declares is meant; with state=absent that, and all that is
    declared and owned.
    """
    lost = _chosen(params, declaration._replace(entries=_removable(orphans, declaration))).entries
    chosen = _chosen(params, declaration).entries
    if params["prune"]:
        return [EntryPlan(entry, removes=True, orphan=True) for entry in lost]
    whole = declaration.by_place()
    if params["state"] == "absent":
        going = [entry for entry in chosen if _may_go(entry, declaration)]
        wanted = _removals(going, owned, adopt=params["adopt"])
        return [*wanted, *_context(going, whole), *_orphans(lost, spared=False)]
    wanted = [EntryPlan(entry, removes=entry.absent) for entry in chosen]
    return [*wanted, *_context(chosen, whole), *_orphans(lost, spared=True)]


def check_removal_limit(params: Params, plans: t.Sequence[EntryPlan], owned: Owners) -> None:
    """Raise InvalidInput when more would be pruned than may be."""
    going = [plan for plan in plans if plan.orphan and plan.changes]
    own = sum(one.prunable for one in owned.values())
    limit = RemovalLimit(params["max_delete"], "max_delete").of(own)
    if params["prune"] and len(going) > limit:
        names = ", ".join(str(plan) for plan in going[:TOLD])
        raise InvalidInput(
            f"prune: {len(going)} of {own} things that the site owns would be removed ({names}"
            f"{', ...' if len(going) > TOLD else ''}), and at most {limit} may be. Nothing was changed.",
            next_step=f"Check the site file; if they are to go, set max_delete to {len(going)}.",
            option="max_delete",
        )


def _chosen(params: Params, declaration: Declaration) -> Declaration:
    part = part_of(params)
    if part is not None:
        declaration = of_part(declaration, *part)
    declaration = of_stage(declaration, params["stage"])
    return declaration if params["kinds"] is None else of_kinds(declaration, params["kinds"])


def _context(chosen: t.Sequence[Entry], whole: t.Mapping[Place, Entry]) -> list[EntryPlan]:
    """Return what the chosen entries refer to and is not chosen itself: it is only looked at."""
    return [EntryPlan(entry, context=True) for entry in with_refs(chosen, whole)]


def _orphans(entries: t.Iterable[Entry], *, spared: bool) -> list[EntryPlan]:
    return [EntryPlan(entry, removes=True, orphan=True, spared=spared) for entry in entries]


def _removals(entries: t.Sequence[Entry], owned: Owners, *, adopt: bool) -> list[EntryPlan]:
    """Return the declared entries that are to be gone; those that do not belong to the site are spared."""
    return [EntryPlan(entry, removes=True, spared=not (adopt or _is_own(entry, owned))) for entry in entries]


def _may_go(entry: Entry, declaration: Declaration) -> bool:
    """Return whether such a thing can be removed with its site; the container of the registry has to outlive it.

    What the service does not make on demand (a client) is never removed so.
    """
    holds_registry = entry.place == (CONTAINERS, declaration.registry.get("container"))
    return entry.of.removable and entry.of.makes and not holds_registry


def _removable(orphans: t.Sequence[Owned], declaration: Declaration) -> tuple[Entry, ...]:
    entries = [_entry_of(one) for one in orphans if one.kind in KINDS]
    return tuple(entry for entry in entries if _may_go(entry, declaration))


def _is_own(entry: Entry, owned: Owners) -> bool:
    return entry.place in owned and owned[entry.place].prunable


def strangers_left(params: Params, plans: t.Sequence[EntryPlan], owned: Owners) -> list[EntryPlan]:
    """Leave alone, and return, what only bears the name of something that the site owned: its number is another one.

    It counts as gone, and is not the site's own any more. What is declared to be absent goes, whose it ever was.
    """
    strangers = [plan for plan in plans if _is_stranger(plan, owned) and (plan.orphan or not params["adopt"])]
    for plan in strangers:
        plan.planned = EntryResult(None, {}, {})
    return strangers


def warn_of_strangers(strangers: t.Sequence[EntryPlan], warn: t.Callable[[str], None]) -> None:
    """Tell of what is left alone, since it is not what the site has made."""
    if strangers:
        warn(
            f"{len(strangers)} things are left alone, since they are not those that this site has made but others of "
            f"the same name ({listed(list(map(str, strangers)), TOLD)})."
        )


def _is_stranger(plan: EntryPlan, owned: Owners) -> bool:
    if not plan.removes or plan.entry.absent or plan.planned is None or plan.place not in owned:
        return False
    before = plan.planned.before
    shown = before.get("id") if isinstance(before, t.Mapping) else None
    return differ(owned[plan.place].id, shown if plan.planned.number is None else plan.planned.number)


def warn_of_spared(plans: t.Sequence[EntryPlan], warn: t.Callable[[str], None]) -> None:
    """Tell of what is declared, there and left alone, since the site has not made it."""
    spared = [plan for plan in plans if plan.spared and not plan.orphan and plan.planned and plan.planned.action]
    if spared:
        names = ", ".join(map(str, spared[:TOLD]))
        warn(
            f"{len(spared)} declared things are left alone, since this site has not made them ({names}"
            f"{', ...' if len(spared) > TOLD else ''}). With adopt they count as made by it."
        )


def _entry_of(owned: Owned) -> Entry:
    """Return something that the site owns as an entry; what it refers to is what its identity names."""
    kind, identity = KINDS[owned.kind], dict(owned.identity)
    refs = tuple(
        (target.kind, str(identity[option]))
        for option, target in kind.references.items()
        if target.by == NAME and isinstance(identity.get(option), str)
    )
    return Entry(owned.kind, owned.name, owned.name, identity, identity, "no longer declared", refs, kind.stage)
