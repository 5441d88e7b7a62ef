# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What changes whose a thing is, or what the site knows it by: adopted and moved.

A move is noted in the registry before anything is sent, all of a run in one write, so that chains and swaps hold. The
note stays as long as the site file says so, which is how a later run knows that it was done, and what to do about one
that was not: the thing is looked at by its number, and renamed where it still has its old name.
"""

from __future__ import annotations

import typing as t

from ...module_utils._connection.task import Params
from ...module_utils._core.errors import FcdError, ImmutableChange, InvalidInput
from ...module_utils._core.text import join_names
from ...module_utils._engine.plan import REPLACE
from .entry_plan import MADE, EntryEnd, EntryPlan, EntryResult
from .foresight import is_same_thing
from .model import Declaration, Entry, Moved, Place
from .state.ownership_notes import known_object
from .state.registry import Ownership
from .state.registry_document import CREATING, KnownObject, Owned, differ, renamed_entries

Owners = t.Mapping[Place, Owned]
Moves = t.Sequence[t.Tuple[Place, KnownObject]]
"""What the registry has, and what it is from now on."""


def pending_moves(declaration: Declaration, ownership: Ownership) -> Moves:
    """Return what has moved and is not noted yet. Raises InvalidInput for a thing that cannot have another name."""
    owned, entries, found = ownership.owned(), declaration.by_place(), []
    for move in declaration.moved:
        was, now, entry = ownership.find(move.kind, move.old), owned.get(move.new), entries.get(move.new)
        if was is None or entry is None or (now is not None and now.moved_from == move.old):
            continue
        if was.place != move.new:
            _check_renaming(was, move, entry)
        if was.place != move.new or was.key != entry.key:
            found.append((was.place, known_object(entry, None, move.old)))
    return found


def _check_renaming(was: Owned, move: Moved, entry: Entry) -> None:
    if "id" in entry.of.options() and was.id is not None:
        return
    why = "the registry does not have its ID" if "id" in entry.of.options() else f"{entry.kind} have no IDs"
    raise InvalidInput(
        f"moved ({move.source}): {was.kind} {was.name} cannot be renamed to {entry.name} in place, because {why}. "
        "Nothing was changed.",
        next_step=f"Keep the name {was.name}, or remove the item from moved, so that {entry.name} is created as a new "
        "object.",
        option="moved",
    )


def seen_as_moved(owned: Owners, moves: Moves) -> dict[Place, Owned]:
    """Return what the registry has when the moves are noted. Raises InvalidInput where a name is that of another."""
    changed = {**owned, **renamed_entries(dict(owned), moves)}
    return {place: entry for place, entry in changed.items() if entry is not None}


def note_moves(plans: t.Iterable[EntryPlan], owned: Owners) -> None:
    """Note in the plans what may have to be looked for by its number, since it has, or had, another name."""
    for plan in plans:
        if plan.place in owned:
            plan.moved_from = owned[plan.place].moved_from or None


def forget_past_moves(plans: t.Iterable[EntryPlan], moves: Moves) -> None:
    """Take the notes back of what has its new name, there and in the registry."""
    pending = {known.place for _old, known in moves}
    for plan in plans:
        there = plan.planned is None or not plan.by_number or is_same_thing(plan, plan.planned)
        if plan.place not in pending and there:
            plan.moved_from = None


def has_another_name(plan: EntryPlan, by_name: EntryEnd) -> bool:
    """Return whether its new name does not lead to a thing that has moved."""
    if plan.moved_from is None or plan.registered is None:
        return False
    if isinstance(by_name, EntryResult):
        found = by_name.before.get("id") if by_name.action == REPLACE else by_name.number
        return str(found) != str(plan.registered)
    return not isinstance(by_name, ImmutableChange)


def _numbers_in(end: EntryEnd) -> list[t.Any]:
    if isinstance(end, EntryResult):
        return [] if end.number is None else [end.number]
    return list(end.details.get("ids") or ())


def moved_end(
    plan: EntryPlan, by_name: EntryEnd, look: t.Callable[[], EntryEnd], moving: t.Collection[str]
) -> EntryEnd:
    """Return what is planned for a thing that has moved and does not show by its new name: what its number leads to.

    ``by_name`` is what the new name leads to; ``moving`` are the numbers of all that move, of which some may still have
    the names of others.
    """
    numbers = _numbers_in(by_name)
    others = [str(number) for number in numbers if str(number) not in moving]
    if others:
        return InvalidInput(
            f"{plan.moved_from} ({plan.registered}) cannot get this name, because {join_names(others)} already has it.",
            next_step="Remove or rename that one, or choose another name.",
        )
    found = look()
    if isinstance(found, ImmutableChange):
        return InvalidInput(
            f"It was {plan.moved_from} and cannot be changed to its new state in place. {found.message}",
            next_step="Keep what cannot be changed, or remove the item from moved, so that a new object is created.",
        )
    if isinstance(found, FcdError):
        is_gone = found.details.get("option") == "id" and not numbers
        return by_name if is_gone else found
    plan.by_number = True
    return found._replace(number=plan.registered)


def note_adoptions(plans: t.Iterable[EntryPlan], params: Params, owned: Owners, aside: Place) -> None:
    """Note in the plans what exists and becomes the site's own; never ``aside``, the container of the registry."""
    for plan in plans:
        desired = (params["adopt"] or plan.entry.adopt) and plan.entry.of.makes and plan.place != aside
        plan.adopts = desired and _stays(plan) and not _is_own(plan, owned.get(plan.place))


def _stays(plan: EntryPlan) -> bool:
    """Return whether the thing exists and is to be there."""
    return plan.planned is not None and plan.planned.action not in MADE and not (plan.removes or plan.context)


def _is_own(plan: EntryPlan, owned: Owned | None) -> bool:
    if owned is None or not owned.prunable:
        return False
    return owned.phase == CREATING or not differ(owned.id, plan.number)
