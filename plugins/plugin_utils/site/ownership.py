# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What becomes of entries by the registry and by their lifecycles: moves, adoptions, replacements, and what stays.

A move is noted in the registry before anything is sent, all of a run in one write, so that chains and swaps hold. The
note stays as long as the site file says so, which is how a later run knows that it was done, and what to do about one
that was not: the thing is looked at by its number, and renamed where it still has its old name.

Of a registry nothing is believed but which thing is meant. It never gives an option that says how to treat the thing.

To create before destroying, the old thing gets another name first, for the new one is created, and found, by the name
of the entry. The registry knows the old one by that other name from before it is given: whatever run comes next removes
it, once the new one is there and all that refers to it has moved over.
"""

from __future__ import annotations

import os
import typing as t

from ...module_utils._connection.task import Params
from ...module_utils._core.errors import FcdError, ImmutableChange, InvalidInput
from ...module_utils._core.text import join_names, quoted, shortened
from ...module_utils._engine.plan import DELETE, REPLACE
from .entry_plan import MADE, MADE_AT, EntryEnd, EntryPlan, EntryResult
from .foresight import is_same_thing
from .model import CONTAINERS, FOLDERS, KINDS, NUMBER, OBJECTS, Declaration, Entry, EntryKind, Lifecycle, Moved, Place
from .state.ownership_notes import known_object
from .state.registry import Ownership
from .state.registry_document import (
    CREATING,
    THERE,
    KnownObject,
    Owned,
    differ,
    is_name_of_predecessor,
    name_of_predecessor,
    renamed_entries,
    successor_of,
    was_replaced,
)

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
    has_id = "id" in entry.of.options()
    if has_id and was.id is not None:
        return
    why = "the registry does not have its ID" if has_id else f"{entry.kind} have no IDs"
    raise InvalidInput(
        f"moved ({move.source}): {was.kind} {was.name} cannot be renamed to {entry.name} in place, because {why}. "
        "Nothing was changed.",
        next_step=f"Keep the name {was.name}, or remove the item from moved, so that {entry.name} is created as a new "
        "object.",
        option="moved",
    )


def with_moves(owned: Owners, moves: Moves) -> dict[Place, Owned]:
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


def note_adoptions(plans: t.Iterable[EntryPlan], params: Params, owned: Owners, registry_place: Place) -> None:
    """Note in the plans what exists and becomes the site's own; never the container of the registry."""
    for plan in plans:
        desired = (params["adopt"] or plan.entry.adopt) and plan.entry.of.makes and plan.place != registry_place
        exists = plan.planned is not None and plan.planned.action not in MADE
        stays = exists and not (plan.removes or plan.context)
        plan.adopts = desired and stays and not _is_own(plan, owned.get(plan.place))


def _is_own(plan: EntryPlan, owned: Owned | None) -> bool:
    if owned is None or not owned.prunable:
        return False
    return owned.phase == CREATING or not differ(owned.id, plan.number)


def leave_strangers(params: Params, plans: t.Sequence[EntryPlan], owned: Owners) -> list[EntryPlan]:
    """Leave alone, and return, what only bears the name of something that the site owned: its number is another one.

    It counts as gone, and is not the site's own any more. What is declared to be absent goes, whose it ever was.
    """
    strangers = [plan for plan in plans if _is_stranger(plan, owned) and (plan.orphan or not params["adopt"])]
    for plan in strangers:
        plan.planned = EntryResult(None, {}, {})
    return strangers


def _is_stranger(plan: EntryPlan, owned: Owners) -> bool:
    if not plan.removes or plan.entry.absent or plan.planned is None or plan.place not in owned:
        return False
    if owned[plan.place].phase == CREATING:  # it may have another number: it was about to be made, or replaced
        return False
    return differ(owned[plan.place].id, plan.before.get("id") if plan.planned.number is None else plan.planned.number)


def believed_identity(owned: Owned) -> dict[str, t.Any]:
    """Return the options that say which one is meant. Raises InvalidInput for anything else that stands there."""
    kind, identity = KINDS[owned.kind], dict(owned.identity)
    strange = [name for name in identity if name not in {option for way in kind.identity for option in way}]
    if strange:
        names = join_names(list(map(_readable, strange)), 3)
        raise _not_trusted(f"{names} in its identity does not identify an object")
    odd = [name for name, value in identity.items() if not _is_plain(value)]
    if odd:
        raise _not_trusted(f"{odd[0]} in its identity is not a plain text or number")
    if not _is_of(kind, identity, owned):
        raise _not_trusted("its identity is not that of an object of this name")
    return identity


def _readable(name: str) -> str:
    return name if name.isidentifier() else quoted(shortened(name))


def _is_plain(value: object) -> bool:
    return isinstance(value, (str, int)) and not isinstance(value, bool)


def _is_of(kind: EntryKind, identity: t.Mapping[str, object], owned: Owned) -> bool:
    """Return whether the identity is one way of naming just this; of what was replaced it is the number.

    What refers to another thing by its number is called by the key of that.
    """
    refers = any(option in identity and target.by == NUMBER for option, target in kind.references.items())
    of_replaced = was_replaced(owned) and set(identity) == {"id"} and str(identity["id"]) == str(owned.id)
    return kind.identity_of(identity) == identity and (of_replaced or refers or kind.name_of(identity) == owned.name)


def note_disagreements(
    plans: t.Iterable[EntryPlan], owned: Owners, others: t.Mapping[Place, str], *, signed: bool
) -> None:
    """Note an error in each plan that would remove or replace what is another's, or the service shows to be another.

    ``others`` are the sites that own something in the same place. What an interrupted run was about to make has no
    number yet, so that its name has to do. That a registry does not know when something was made is believed only
    where it is ``signed``, or the service does not say so either.
    """
    for plan in plans:
        known = owned.get(plan.place) if plan.changes and plan.goes and not plan.entry.absent else None
        if known is not None and known.prunable:
            why = _why_it_stays(plan, known, others.get(plan.place), signed=signed)
            if why:
                plan.error, plan.planned = _not_trusted(why), None


def _why_it_stays(plan: EntryPlan, known: Owned, owner: str | None, *, signed: bool) -> str:
    if owner is not None:
        return f"the site {owner!r} owns it, too"
    if known.phase == CREATING:
        return ""
    made_at = plan.before.get(MADE_AT)
    why = _disagreement(plan, known, made_at)
    if why or signed or made_at is None or known.made_at is not None:
        return why
    return f"it was created at {made_at} according to the service, and the registry does not know when"


def _disagreement(plan: EntryPlan, known: Owned, made_at: t.Any) -> str:
    """Return in what the service disagrees with the registry, nothing where it does not."""
    number, name = plan.before.get("id", known.id), str(plan.before.get("name"))
    if str(number) != str(known.id):
        return f"its number is {number} at the service, and {known.id or 'missing'} in the registry"
    if differ(made_at, known.made_at):
        return f"it was created at {made_at} according to the service, and at {known.made_at} according to the registry"
    if was_replaced(known) and name != known.name:
        return f"its name is {quoted(shortened(name))} at the service"
    if plan.orphan and known.name == f"#{known.id}" and differ(made_at, str(known.made_at)):
        return "the registry has neither its name nor when it was created"
    return ""


def _not_trusted(why: str) -> InvalidInput:
    return InvalidInput(
        f"It is not removed, because its entry in the registry cannot be trusted: {why}.",
        next_step="Check who can write to the registry. To end the site's ownership, release it: with the command "
        "release of site_state, or an item in removed with destroy: false. To remove it anyway, declare it "
        "with state: absent.",
    )


# ---------------------------------------------------------------- lifecycles of entries

UNPROTECT = "Remove prevent_destroy in a separate merge, apply that, and remove the object in the next one."


def follow_lifecycles(plans: t.Iterable[EntryPlan], owned: t.Mapping[Place, Owned]) -> list[EntryPlan]:
    """Note in the plans what must not be destroyed, and what is created first; return them without what stays.

    Predecessors that still have the name of their entry stay: nothing took their place.
    """
    plans = list(plans)
    for plan in plans:
        error = _why_not_destroyed(plan, owned) if plan.may_change else None
        if error is not None:
            plan.error, plan.planned = error, None
    _choose_to_create_first(plans)
    present = {(plan.entry.kind, str(plan.number)) for plan in plans if not plan.removes}
    plans = [
        plan
        for plan in plans
        if not is_predecessor(plan.entry) or (plan.entry.kind, str(plan.entry.params["id"])) not in present
    ]
    _note_successors(plans)
    return plans


def _why_not_destroyed(plan: EntryPlan, owned: t.Mapping[Place, Owned]) -> InvalidInput | None:
    """Return the error for what would remove or replace what must not be destroyed, or what holds that.

    What had ``prevent_destroy`` when it was last applied is not removed by the run that finds it taken out.
    """
    last = owned.get(plan.place)
    if plan.goes and plan.entry.lifecycle.prevent_destroy:
        if plan.orphan:
            return InvalidInput(
                "It is not removed: it is no longer declared, and its last entry had lifecycle.prevent_destroy.",
                next_step="Declare it again without prevent_destroy, apply that, and then remove the entry. To keep "
                "the object, release it with an item in removed with destroy: false.",
            )
        what, why = "removed", ""
        if not plan.removes and plan.planned is not None:
            what, why = "replaced", f" ({', '.join(plan.planned.forced_by)} cannot be changed otherwise)"
        return InvalidInput(
            f"It is not {what}{why}: its entry has lifecycle.prevent_destroy.",
            next_step=UNPROTECT if plan.removes else "To allow it, first remove prevent_destroy from its entry.",
            option="lifecycle",
        )
    if plan.removes and last is not None and last.protected:
        return InvalidInput(
            "It is not removed: when it was last applied, its entry had lifecycle.prevent_destroy.",
            next_step=UNPROTECT,
            option="lifecycle",
        )
    return _refused_for_contents(plan, owned)


def _refused_for_contents(plan: EntryPlan, owned: t.Mapping[Place, Owned]) -> InvalidInput | None:
    held: list[Owned] = []
    what = "removed: it contains"
    if plan.entry.kind == FOLDERS:
        held, what = _removed_by_folder(plan, owned), "published: with delete: true it would remove"
    elif plan.goes and plan.entry.kind == CONTAINERS:
        held = _protected_objects(plan.entry.name, owned)
    if not held:
        return None
    names = join_names([one.name for one in held], 3)
    return InvalidInput(
        f"It is not {what} objects with lifecycle.prevent_destroy in their entries: {names}.",
        next_step="To remove them, first apply their entries without prevent_destroy.",
        option="lifecycle",
    )


def _protected_objects(container: str, owned: t.Mapping[Place, Owned]) -> list[Owned]:
    objects = [one for one in owned.values() if one.kind == OBJECTS and one.protected]
    return [one for one in objects if one.identity.get("container") == container]


def _removed_by_folder(plan: EntryPlan, owned: t.Mapping[Place, Owned]) -> list[Owned]:
    """Return the protected objects that a folder removes, since it has no file of that name."""
    params = plan.entry.params
    if plan.planned is None or not plan.planned.record.get("deleted"):
        return []
    prefix = f"{params['prefix'].rstrip('/')}/".lstrip("/")
    names = [(one, str(one.identity["name"])) for one in _protected_objects(params["container"], owned)]
    return [
        one
        for one, name in names
        if name.startswith(prefix) and not os.path.isfile(os.path.join(params["path"], name[len(prefix) :]))
    ]


TIED = ("ip_addresses", "ip_address_id")
"""Options with what only one of the two can have."""


def _choose_to_create_first(plans: t.Iterable[EntryPlan]) -> None:
    """Note in the plans which replacements are to be created before, or an error where that cannot be."""
    for plan in plans:
        if plan.entry.lifecycle.create_before_destroy and plan.replaces and plan.changes:
            problem = _why_not_first(plan)
            plan.creates_first = problem is None
            if problem is not None:
                plan.planned = None
                plan.error = InvalidInput(
                    f"It cannot be created before the old one is removed: {problem}.",
                    next_step="Remove lifecycle.create_before_destroy from its entry.",
                    option="lifecycle",
                )


def _why_not_first(plan: EntryPlan) -> str | None:
    from ...module_utils._infrastructure.instance.instance_options import NAME_LENGTH

    if not plan.entry.of.creates_first:
        return f"{plan.entry.kind} cannot be given another name"
    tied = [option for option in TIED if plan.entry.params.get(option)]
    if tied:
        return f"{tied[0]}: its addresses are those of the old one until then"
    if len(name_of_predecessor(plan.entry.name, plan.replaced)) > NAME_LENGTH[1]:
        return "its name is too long for a temporary one"
    return None


def predecessors(plans: t.Sequence[EntryPlan]) -> list[EntryPlan]:
    """Return the removals of what is replaced by something that is created first, for after that."""
    found = []
    for plan in plans:
        if plan.creates_first and plan.planned is not None:
            entry = plan.entry
            params = {"id": plan.replaced, "delete_disks": entry.params.get("delete_disks")}
            name = name_of_predecessor(entry.name, plan.replaced)
            old = entry._replace(name=name, key=name, given=params, params=params, refs=(), lifecycle=Lifecycle())
            going = EntryPlan(old, removes=True, orphan=True)
            going.planned = EntryResult(DELETE, plan.planned.before, {}, plan.replaced)
            found.append(going)
    _note_successors([*plans, *found])
    return found


def _note_successors(plans: t.Sequence[EntryPlan]) -> None:
    """Note in the removals of predecessors what has to have ended well before: the new ones, and what refers to them.

    Else the old one goes with what hangs on it.
    """
    for plan in plans:
        if is_predecessor(plan.entry):
            place = successor_of(plan.entry.kind, plan.entry.name)
            plan.waits_for = [one for one in plans if one.place == place or place in one.entry.refs]


def is_predecessor(entry: Entry) -> bool:
    """Return whether this is what something that was created first has taken the place of."""
    return is_name_of_predecessor(entry.name, entry.params.get("id"))


def may_follow(
    entry: Entry, owned: t.Mapping[Place, Owned], coming: t.Collection[Place], declared: t.Collection[Place] | None
) -> bool | None:
    """Return whether what was replaced may be removed: this run makes the new one, or a removal finds no need of it.

    ``declared`` is what is to stay, None in a run that removes nothing else. None where it is something else.
    """
    if not is_predecessor(entry):
        return None
    place = successor_of(entry.kind, entry.name)
    if declared is None:
        return place in coming
    new = owned.get(place)
    made = new is not None and new.phase == THERE and differ(new.id, entry.params["id"])
    return made or place not in declared
