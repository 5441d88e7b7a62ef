# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which entries a run is about, what is desired of each (to be there, to be gone, or only to be looked at), and limits.

What is not the site's own is never removed, and of what is, no more than the run may.
"""

from __future__ import annotations

import typing as t

from ...module_utils._connection.task import Params
from ...module_utils._core.errors import FcdError, InvalidInput
from ...module_utils._core.text import did_you_mean
from ...module_utils._engine.plan import RemovalLimit
from .entry_plan import EntryPlan, EntryResult
from .model import (
    CONTAINERS,
    DISKS,
    INSTANCES,
    KINDS,
    NAME,
    Declaration,
    Entry,
    Lifecycle,
    Place,
    Released,
    of_part,
    of_stage,
    with_refs,
)
from .ownership import Owners, believed_identity, is_predecessor, may_follow
from .state.registry_document import Owned, is_stale
from .state.registry_places import part_of

CONCURRENCY = (1, 100)


def check_site_options(params: Params, *, check_mode: bool) -> None:
    """Raise InvalidInput for options that cannot be meant."""
    part_of(params["part"])
    for option in ("max_delete", "max_replace"):
        RemovalLimit(params[option], option)
    least, most = CONCURRENCY
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


MOST_SHOWN = 5  # names in one message


def entry_plans_of(
    params: Params, declaration: Declaration, owned: Owners, orphans: t.Sequence[Owned]
) -> list[EntryPlan]:
    """Return what is desired of each entry of this run, in the order of the kinds.

    With ``prune`` only what the site owns and no longer declares is meant; with state=absent that, and all that is
    declared and owned. What ``removed`` says of a thing that is no longer declared holds in all runs.
    """
    words = _words_on(declaration.removed, owned)
    removable = _removable([one for one in orphans if not is_stale(one, owned)], declaration, words)
    targets = _targeted(params, declaration, removable)
    undeclared = _chosen(params, declaration._replace(entries=removable), targets)
    chosen = _chosen(params, declaration, targets)
    coming, staying = _successors(params, declaration, chosen)
    lost = [
        _orphan_plan(entry, params, words.get(entry.place), owned, may_follow(entry, owned, coming, staying))
        for entry in undeclared
    ]
    if params["prune"]:
        return lost
    plans = _declared_plans(params, declaration, chosen, owned)
    meant = [plan.entry for plan in plans]
    plans += [EntryPlan(entry, context=True) for entry in with_refs(meant, declaration.by_place())]
    return plans + lost


def _declared_plans(
    params: Params, declaration: Declaration, chosen: t.Iterable[Entry], owned: Owners
) -> list[EntryPlan]:
    """Return what is desired of what is declared; where all goes, what does not belong to the site is spared."""
    if params["state"] != "absent":
        return [EntryPlan(entry, removes=entry.absent) for entry in chosen]
    going = [EntryPlan(entry, removes=True) for entry in chosen if _may_go(entry, declaration)]
    for plan in going:
        own = plan.place in owned and owned[plan.place].prunable
        plan.spared = not (own or params["adopt"])
    return going


def _successors(
    params: Params, declaration: Declaration, chosen: t.Iterable[Entry]
) -> tuple[t.Collection[Place], t.Collection[Place] | None]:
    """Return what this run makes, and what is to stay, None where nothing else is removed (see may_follow)."""
    if params["prune"]:
        return (), {one.place for one in declaration.entries}
    return ((), ()) if params["state"] == "absent" else ({one.place for one in chosen if not one.absent}, None)


def _orphan_plan(entry: Entry, params: Params, word: Released | None, owned: Owners, follows: bool | None) -> EntryPlan:
    """Return what is desired of something that is no longer declared; what is released is not even looked at.

    ``follows``: whether what was replaced may go now; None for all else.
    """
    goes = params["prune"] or params["state"] == "absent" or (word is not None and word.destroy)
    plan = EntryPlan(entry, removes=True, orphan=True, spared=not (goes if follows is None else follows))
    if word is not None and not word.destroy:
        plan.released, plan.planned = True, EntryResult(None, {}, {}, owned[entry.place].id)
    else:
        plan.error = _identity(owned[entry.place])[1]
    return plan


def _identity(owned: Owned) -> tuple[dict[str, object], FcdError | None]:
    """Return the options that say which one is meant, or none of them and why they are not believed."""
    try:
        return believed_identity(owned), None
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


def note_registered_numbers(plans: t.Sequence[EntryPlan], owned: Owners) -> None:
    """Note in the entries the numbers that the registry has for them, but for those of what was replaced."""
    replaced = {(plan.entry.kind, str(plan.entry.params["id"])) for plan in plans if is_predecessor(plan.entry)}
    for plan in plans:
        known = owned.get(plan.place)
        if known is None or (known.kind, str(known.id)) in replaced:
            continue
        if "id" in plan.entry.of.options():
            plan.registered = known.id


def over_removal_limit(params: Params, plans: t.Sequence[EntryPlan], owned: Owners) -> InvalidInput | None:
    """Return the error for more removals than may be; what is declared to be absent does not count."""
    whole = params["prune"] or params["state"] == "absent"
    going = [plan for plan in plans if plan.removes and plan.may_change and (whole or plan.orphan)]
    return _over_limit("max_delete", params["max_delete"], going, "removed", owned)


PRECIOUS = (INSTANCES, DISKS)
"""Kinds of which nothing is replaced unless max_replace says so."""


def over_replacement_limit(params: Params, plans: t.Sequence[EntryPlan], owned: Owners) -> InvalidInput | None:
    """Return the error for more replacements than may be; a replacement counts as a removal, too."""
    replaced = [plan for plan in plans if plan.replaces and plan.changes]
    limited = [plan for plan in replaced if params["max_replace"] is not None or plan.entry.kind in PRECIOUS]
    how = "replaced, which removes them with everything in them"
    return _over_limit("max_replace", params["max_replace"] or "0", limited, how, owned) or _over_limit(
        "max_delete", params["max_delete"], replaced, how, owned
    )


def _over_limit(option: str, given: str, plans: t.Sequence[EntryPlan], how: str, owned: Owners) -> InvalidInput | None:
    own = sum(one.prunable for one in owned.values())
    limit = RemovalLimit(given, option).of(own)
    if len(plans) <= limit:
        return None
    return InvalidInput(
        f"{len(plans)} of the {own} objects that the site owns would be {how} ({_first_names(plans)}). "
        f"{option} allows {limit}. Nothing was changed.",
        next_step=f"Check the site file and the plan; if that is what you want, set {option} (in the playbooks "
        f"provision_{option}) to {len(plans)}.",
        option=option,
    )


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


def warn_of_spared(plans: t.Sequence[EntryPlan], warn: t.Callable[[str], None]) -> None:
    """Tell of what is declared, there and left alone, since the site has not made it."""
    spared = [plan for plan in plans if plan.spared and not plan.orphan and plan.planned and plan.planned.action]
    several = len(spared) > 1
    if spared:
        warn(
            f"{len(spared)} declared {'objects are' if several else 'object is'} left alone, because this site did not "
            f"create {'them' if several else 'it'} ({_first_names(spared)}). With adopt: true "
            f"(-e provision_adopt=true), {'they become' if several else 'it becomes'} the site's own."
        )


def _first_names(plans: t.Sequence[EntryPlan]) -> str:
    return ", ".join([*map(str, plans[:MOST_SHOWN]), *(["..."] if len(plans) > MOST_SHOWN else [])])
