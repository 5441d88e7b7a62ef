# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which entries a run is about, and what is desired of each. What is not the site's own is never removed.

A move is noted in the registry before anything is sent, all of a run in one write, so that chains and swaps hold. The
note stays as long as the site file says so, which is how a later run knows that it was done, and what to do about one
that was not: the thing is looked at by its number, and renamed where it still has its old name.
"""

from __future__ import annotations

import typing as t

from ...module_utils._connection.task import Params
from ...module_utils._core.errors import FcdError, InvalidInput
from ...module_utils._core.text import did_you_mean
from ...module_utils._engine.plan import RemovalLimit
from .model import (
    ADDRESSES,
    CONTAINERS,
    DISKS,
    GROUPS,
    INSTANCES,
    KINDS,
    NAME,
    REST,
    Declaration,
    Entry,
    Lifecycle,
    Moved,
    Place,
    Released,
    of_part,
    of_stage,
    with_refs,
)
from .ownership_notes import DeclaredDigests, known_object, noted_secrets
from .registry.applied_note import AppliedNote
from .registry.registry import Ownership
from .registry.registry_document import (
    THERE,
    KnownObject,
    Owned,
    differ,
    is_stale,
    renamed_entries,
    successor_of,
    validated_identity,
)
from .registry.registry_places import part_of
from .stages import Desired, EntryResult, Selected, is_predecessor

CONCURRENCY_LIMITS = (1, 100)
ATTACHED = (DISKS, ADDRESSES, GROUPS)
"""Kinds of which it is a property where they are attached, or what is in them, so that it goes with them."""


def check_site_options(params: Params, *, check_mode: bool) -> None:
    """Raise InvalidInput for options that cannot be meant."""
    if part_of(params["part"]) is not None and params["stage"] != REST:
        raise InvalidInput(
            "part: only the rest of a site has parts, for all of them need its foundations.",
            next_step="Apply the stage foundations once, then each part with the stage rest.",
            option="part",
        )
    for option in ("max_delete", "max_replace"):
        RemovalLimit(params[option], option)
    least, most = CONCURRENCY_LIMITS
    if not least <= params["concurrency"] <= most:
        raise InvalidInput(
            f"concurrency: {params['concurrency']} is not between {least} and {most}.", option="concurrency"
        )
    removes = params["state"] == "absent"
    if params["drift"] and (not check_mode or params["prune"] or removes):
        raise InvalidInput("drift: it only compares, in check mode, without prune and state=absent.", option="drift")
    if params["prune"] and removes:
        raise InvalidInput("prune: with state=absent, everything that the site owns is removed anyway.", option="prune")
    _check_selection(params)


def _check_selection(params: Params) -> None:
    if params["prune"] and params["targets"]:
        raise InvalidInput(
            "targets: prune removes what is no longer declared, so it takes no targets.",
            next_step="Remove one of the two.",
            option="targets",
        )
    for option in ("kinds", "targets"):
        if params[option] == []:
            raise InvalidInput(
                f"{option}: the list is empty, so there is nothing to do.",
                next_step=f"List the {option} to work on, or omit the option for all of them.",
                option=option,
            )


Owners = t.Mapping[Place, Owned]
Moves = t.Sequence[t.Tuple[Place, KnownObject]]
"""What the registry has, and what it is from now on."""


def select(
    params: Params, declaration: Declaration, owned: Owners, orphans: t.Sequence[Owned], digests: DeclaredDigests
) -> list[Selected]:
    """Return what is desired of each entry of this run, in the order of the kinds, and what the registry knows of it.

    With ``prune`` only what the site owns and no longer declares is meant; with state=absent that, and all that is
    declared and owned. What ``removed`` says of a thing that is no longer declared holds in all runs.
    """
    selected = _desired(params, declaration, owned, orphans)
    replaced = {(one.entry.kind, str(one.entry.params["id"])) for one in selected if is_predecessor(one.entry)}
    return [_with_note(_with_registered(one, owned.get(one.place), replaced), owned, digests) for one in selected]


def _with_note(one: Selected, owned: Owners, digests: DeclaredDigests) -> Selected:
    """Fill in what was edited since the last apply."""
    if one.desired is not Desired.PRESENT:
        return one
    known = owned.get(one.place)
    last = None if known is None else AppliedNote.read(known.applied)
    now = digests.note(one.entry, last)
    if last is None:
        return one.with_fields(note=now, doubtful=frozenset(now.declared))
    return one.with_fields(note=now, edits=last.edited(now), doubtful=last.unknown(now), shrunk=last.shrunk(now))


def _with_registered(one: Selected, known: Owned | None, replaced: t.Collection[tuple[str, str]]) -> Selected:
    """Fill in what the registry knows of an entry, but for the number of what was replaced."""
    with_number = known is not None and (known.kind, str(known.id)) not in replaced and "id" in one.entry.of.options()
    return one.with_fields(
        secrets=one.entry.secrets | noted_secrets(known),
        detaches=one.removes and not one.entry.absent and one.entry.kind in ATTACHED,
        registered=known.id if known is not None and with_number else None,
        former=None if known is None else known.moved_from or None,
    )


def _desired(params: Params, declaration: Declaration, owned: Owners, orphans: t.Sequence[Owned]) -> list[Selected]:
    words = _words_on(declaration.removed, owned)
    removable = _removable([one for one in orphans if not is_stale(one, owned)], declaration, words)
    targets = _targeted(params, declaration, removable)
    undeclared = _chosen(params, declaration._replace(entries=removable), targets)
    chosen = _chosen(params, declaration, targets)
    lost = [
        _orphan(entry, params, words.get(entry.place), owned, _may_follow(entry, params, declaration, chosen, owned))
        for entry in undeclared
    ]
    if params["prune"]:
        return lost
    found = _declared(params, declaration, chosen, owned)
    meant = [one.entry for one in found]
    context = with_refs(meant, declaration.by_place())
    return [*found, *(Selected(entry, desired=Desired.CONTEXT) for entry in context), *lost]


def _declared(params: Params, declaration: Declaration, chosen: t.Iterable[Entry], owned: Owners) -> list[Selected]:
    """Return what is desired of what is declared; where all goes, what does not belong to the site is spared."""
    if params["state"] != "absent":
        return [Selected(entry, desired=Desired.ABSENT if entry.absent else Desired.PRESENT) for entry in chosen]
    going = [entry for entry in chosen if _may_go(entry, declaration)]
    own = {entry.place for entry in going if params["adopt"] or (entry.place in owned and owned[entry.place].prunable)}
    return [Selected(entry, desired=Desired.ABSENT if entry.place in own else Desired.SPARED) for entry in going]


def _may_follow(
    entry: Entry, params: Params, declaration: Declaration, chosen: t.Iterable[Entry], owned: Owners
) -> bool | None:
    """Return whether what was replaced may be removed: this run makes the new one, or a removal finds no need of it.

    None where it is something else.
    """
    if not is_predecessor(entry):
        return None
    place = successor_of(entry.kind, entry.name)
    if not params["prune"] and params["state"] != "absent":
        return any(one.place == place and not one.absent for one in chosen)
    new = owned.get(place)
    made = new is not None and new.phase == THERE and differ(new.id, entry.params["id"])
    return made or not params["prune"] or place not in declaration.by_place()


def _orphan(entry: Entry, params: Params, word: Released | None, owned: Owners, follows: bool | None) -> Selected:
    """Return what is desired of something that is no longer declared; what is released is not even looked at.

    ``follows``: whether what was replaced may go now; None for all else.
    """
    if word is not None and not word.destroy:
        known = EntryResult(None, {}, {}, owned[entry.place].id)
        return Selected(entry, desired=Desired.RELEASED, orphan=True, known=known)
    goes = params["prune"] or params["state"] == "absent" or word is not None
    desired = Desired.ABSENT if (goes if follows is None else follows) else Desired.SPARED
    return Selected(entry, desired=desired, orphan=True, known=_identity(owned[entry.place])[1])


def _identity(owned: Owned) -> tuple[dict[str, object], FcdError | None]:
    """Return the options that say which one is meant, or none of them and why they are not believed."""
    try:
        return validated_identity(owned), None
    except InvalidInput as error:
        return {}, error


def _words_on(removed: t.Iterable[Released], owned: Owners) -> dict[Place, Released]:
    """Return what is said of each thing: of that with the key, or else of that with the name."""
    labels = {(one.kind, one.name): one for one in owned.values()}
    for one in owned.values():
        known = labels.setdefault((one.kind, one.key), one)
        if known.key != one.key:  # the key of one is the name of another
            labels[one.kind, one.key] = one
    meant = [(word, labels.get((word.kind, word.label))) for word in removed]
    return {one.place: word for word, one in meant if one is not None}


def _chosen(params: Params, declaration: Declaration, targets: t.Collection[Place] | None) -> tuple[Entry, ...]:
    part = part_of(params["part"])
    if part is not None:
        declaration = of_part(declaration, *part)
    kinds = params["kinds"]
    return tuple(
        entry
        for entry in of_stage(declaration, params["stage"]).entries
        if (kinds is None or entry.kind in kinds) and (targets is None or entry.place in targets)
    )


def _targeted(params: Params, declaration: Declaration, orphans: t.Sequence[Entry]) -> set[Place] | None:
    """Return what ``targets`` name, and, unless it is to be removed, all that this refers to; None without targets."""
    if params["targets"] is None:
        return None
    known = (*(orphans if params["state"] == "absent" else ()), *declaration.entries)
    labels = _labels(known)
    unknown = [target for target in params["targets"] if target not in labels]
    if unknown:
        msg = f"targets: nothing is declared as {unknown[0]!r}."
        raise InvalidInput(msg, next_step=did_you_mean(unknown[0], labels), option="targets")
    named = [entry for target in params["targets"] for entry in labels[target]]
    needed = [] if params["state"] == "absent" else with_refs(named, declaration.by_place())
    return {entry.place for entry in (*named, *needed)}


def _labels(entries: t.Sequence[Entry]) -> dict[str, list[Entry]]:
    """Return the entries by kind and key; by kind and name where that is no key, all of a count where it is neither."""
    by_name = {f"{entry.kind}.{entry.name}": [entry] for entry in entries}
    by_key = {f"{entry.kind}.{entry.key}": [entry] for entry in entries}
    return {**_counted_instances(entries), **by_name, **by_key}


def _counted_instances(entries: t.Iterable[Entry]) -> dict[str, list[Entry]]:
    """Return the instances of each ``instances_count`` by what they are declared as: one row of the file."""
    rows: dict[tuple[str, str], list[Entry]] = {}
    for entry in entries:
        label, dash, number = entry.key.rpartition("-")
        if entry.kind == INSTANCES and dash and number.isdigit():
            rows.setdefault((f"{INSTANCES}.{label}", entry.source), []).append(entry)
    return {label: members for (label, _source), members in rows.items() if len(members) > 1}


def _may_go(entry: Entry, declaration: Declaration) -> bool:
    """Return whether such a thing can be removed with its site; the container of the registry has to outlive it.

    What the service does not make on demand (a client) is never removed so.
    """
    holds_registry = entry.place == (CONTAINERS, declaration.registry.get("container"))
    return entry.of.removable and entry.of.makes and not holds_registry


def _removable(
    orphans: t.Sequence[Owned], declaration: Declaration, words: t.Mapping[Place, Released]
) -> tuple[Entry, ...]:
    """Return as entries what the site owns and may remove; what one refers to is what its identity names."""
    found = []
    for owned in orphans:
        if owned.kind in KINDS:
            kind, identity = KINDS[owned.kind], _identity(owned)[0]
            named = [(target, identity.get(option)) for option, target in kind.references.items() if target.by == NAME]
            refs = tuple((target.kind, name) for target, name in named if isinstance(name, str))
            stated = "no longer declared"
            entry = Entry(owned.kind, owned.key, owned.name, identity, identity, stated, refs, kind.stage)
            found.append(entry._replace(lifecycle=Lifecycle(prevent_destroy=owned.protected)))
    return tuple(entry for entry in found if _may_go(entry, declaration) or entry.place in words)


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
