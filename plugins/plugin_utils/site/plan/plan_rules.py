# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What may be done of what was read: what the registry, the lifecycles and the limits say, and how each entry counts.

Of a registry nothing is believed but which thing is meant. It never gives an option that says how to treat the thing.

To create before destroying, the old thing gets another name first, for the new one is created, and found, by the name
of the entry. The registry knows the old one by that other name from before it is given: whatever run comes next removes
it, once the new one is there and all that refers to it has moved over.
"""

from __future__ import annotations

import typing as t

from ....module_utils._connection.task import Params
from ....module_utils._core.errors import FcdError, InvalidInput
from ....module_utils._core.text import quoted, shortened
from ....module_utils._engine.plan import CREATE, DELETE, UPDATE, RemovalLimit
from ....module_utils._infrastructure.instance.instance_options import NAME_LENGTH
from ..model import DISKS, INSTANCES, NEVER_TOLD, SELECTING, Lifecycle, Place
from ..ownership_notes import is_another, since_last_apply
from ..registry.registry_document import CREATING, Owned, differ, name_of_predecessor, not_trusted, was_replaced
from ..selection import Owners
from ..stages import (
    ADOPT,
    ERROR,
    MADE,
    MADE_AT,
    MOVE,
    NOTHING,
    ORPHAN,
    RELEASE,
    UNCHANGED,
    Desired,
    EntryResult,
    Planned,
    Read,
    is_predecessor,
)

RemovalGuard = t.Callable[[Read], t.Optional[FcdError]]
"""What returns the error for an entry that takes along what must stay."""


def settle(
    reads: t.Iterable[Read],
    params: Params,
    owned: Owners,
    registry_place: Place,
    guard: RemovalGuard = lambda _read: None,
    *,
    made_registry: bool = False,
) -> list[Planned]:
    """Return what is to be done, by the lifecycles of the entries, without what stays.

    ``made_registry``: this run has created the container of the registry, which counts as created by it. Predecessors
    that still have the name of their entry stay: nothing took their place.
    """
    drift, reads = params["drift"], [*reads]
    new = {one.place for one in reads if one.place == registry_place and (made_registry or one.coming) and one.acts}
    reads = [_as_allowed(_forgiven(one, registry_place), owned, guard, drift=drift) for one in reads]
    present = {(one.entry.kind, str(one.number)) for one in reads if not one.removes}
    knows = any(one.applied is not None for one in owned.values())
    return [
        _settled(one, params, owned.get(one.place), registry_place, knows=knows, new=one.place in new)
        for one in reads
        if not is_predecessor(one.entry) or (one.entry.kind, str(one.entry.params["id"])) not in present
    ]


def _settled(
    read: Read, params: Params, was: Owned | None, registry_place: Place, *, knows: bool, new: bool
) -> Planned:
    """Return it with all that the plan says of it; ``knows``: the registry knows of an apply; ``new``: it counts so."""
    adopts = _is_adopted(read, params, was, registry_place)
    first = read.entry.lifecycle.create_before_destroy and read.replaces and read.changes
    verdict = CREATE if new and read.planned is not None and not read.removes else _verdict(read, adopts=adopts)
    plan = Planned.of(read, verdict=verdict, adopts=adopts, creates_first=first)
    is_other = was is None or differ(was.id, read.number)
    doubtful = read.note.declared if is_other and read.note is not None else read.doubtful
    not_sent = () if is_other else _untouched(read, read.edits or ())
    return plan.with_fields(
        **since_last_apply(plan, was, knows=knows)._asdict(),
        not_sent=not_sent,
        kept=() if is_other else _kept(read, not_sent),
        unknown=_untouched(read, doubtful),
    )


def _untouched(read: Read, options: t.Collection[str]) -> tuple[str, ...]:
    """Return those of the options that this run neither sends nor compares with the service.

    A change has the module send all but what counts only for something new.
    """
    planned, given = read.planned, read.entry.given
    if not options or planned is None or read.removes or read.context or planned.action in MADE:
        return ()
    never = _never_sent(read)
    shown = _compared(read, planned) if planned.action is None else None

    def is_untouched(name: str) -> bool:
        names = {name, name.removesuffix("_id")}
        return not never.isdisjoint(names) or (shown is not None and shown.isdisjoint(names))

    stay = [name for name in given if name in options and given[name] is not None and is_untouched(name)]
    return (*stay, *_taken_out(given, options))


def _never_sent(read: Read) -> set[str]:
    """Return what counts only for something new, and edits that are not sent again."""
    kind, edits = read.entry.of, read.edits or ()
    only_new = {item.name for item in kind.operation().fields if item.only_new}
    return only_new | {name for name in kind.resends if name in edits and name not in read.resent}


def _compared(read: Read, planned: EntryResult) -> set[str]:
    """Return what the service shows of an entry, or what is sent all the same."""
    shown = {*read.before, *planned.record, *read.resent, *NEVER_TOLD}
    return shown - {"content", "src", "copy_from"} if read.entry.params.get("overwrite") is False else shown


def _taken_out(given: t.Mapping[str, object], options: t.Collection[str]) -> list[str]:
    """Return those of the options that an entry does not give any more, under whichever of its two names."""
    declared = {name.removesuffix("_id") for name, value in given.items() if value is not None} | NEVER_TOLD
    return [name for name in sorted(options) if declared.isdisjoint((name, name.removesuffix("_id")))]


def _kept(read: Read, not_sent: t.Collection[str]) -> tuple[str, ...]:
    """Return the edited options that leave something at the service as it is, such as what was taken out of them."""
    planned, given = read.planned, read.entry.given
    if planned is None or read.removes or read.context or planned.action in MADE:
        return ()
    later = {**read.before, **read.after}
    there = {name: later.get(name) for name in sorted(read.shrunk.difference(not_sent, NEVER_TOLD))}
    partly = [name for name, has in there.items() if not isinstance(has, (list, dict)) or len(has) > len(given[name])]
    selecting = [name for name in SELECTING if name in (read.edits or ()) and given.get(name) is not None]
    without_effect = read.resent if planned.action is None else ()
    return tuple(sorted({*partly, *selecting, *without_effect}))


def _verdict(read: Read, *, adopts: bool) -> str:
    """Return how an entry counts in the plan: its action, or adopt, move, release, orphan, unchanged, error."""
    if read.planned is None:
        return ERROR
    if read.desired is Desired.RELEASED:
        return RELEASE
    if read.context:
        return UNCHANGED
    if read.planned.action is None:
        return ADOPT if adopts else UNCHANGED if read.moved_from is None else MOVE
    if read.desired is Desired.SPARED:
        return ORPHAN if read.orphan else UNCHANGED
    return read.planned.action


def _forgiven(read: Read, registry_place: Place) -> Read:
    """Take errors back that stop nobody, and what is planned for the container of the registry."""
    if read.place == registry_place and read.coming and read.planned is not None:  # a run makes it before it plans
        declared = {option for option, value in read.entry.given.items() if value is not None}
        action = UPDATE if declared - {*read.entry.identity, "state"} else None
        read = read.with_fields(expected=read.planned._replace(action=action))
    if read.context and read.error is not None:  # what could not be looked at is told by those that need it
        return read.with_fields(expected=NOTHING)
    if read.desired is Desired.SPARED and read.error is not None:  # nobody is going to remove it now
        return read.with_fields(expected=EntryResult(DELETE, dict(read.entry.identity), {}))
    return read


def _is_adopted(read: Read, params: Params, was: Owned | None, registry_place: Place) -> bool:
    """Return whether it exists and becomes the site's own; never the container of the registry."""
    desired = (params["adopt"] or read.entry.adopt) and read.entry.of.makes and read.place != registry_place
    exists = read.planned is not None and read.planned.action not in MADE
    is_own = was is not None and was.prunable and (was.phase == CREATING or not differ(was.id, read.number))
    return desired and exists and read.desired is Desired.PRESENT and not is_own


def strangers_among(params: Params, reads: t.Iterable[Read], owned: Owners) -> list[Read]:
    """Return what only bears the name of something that the site owned: it is another one, by its number or its mark.

    That counts as gone, and is not the site's own any more. What is declared to be absent goes, whose it ever was.
    """
    return [one for one in reads if _is_foreign(one, owned) and (one.orphan or not params["adopt"])]


def as_gone(reads: t.Iterable[Read], foreign: t.Collection[Read]) -> list[Read]:
    """Return what was read, strangers as gone."""
    return [one.with_fields(expected=NOTHING) if one in foreign else one for one in reads]


def _is_foreign(read: Read, owned: Owners) -> bool:
    if not read.removes or read.entry.absent or read.planned is None or read.place not in owned:
        return False
    was = owned[read.place]
    if was.phase == CREATING:  # it may have another number: it was about to be made, or replaced
        return False
    number = read.before.get("id") if read.planned.number is None else read.planned.number
    return differ(was.id, number) or is_another(was, read.before)


def refuse_disagreements(
    reads: t.Iterable[Read], owned: Owners, others: t.Mapping[Place, str], *, signed: bool, drift: bool
) -> list[Read]:
    """Return them with an error for each that would remove or replace what is another's, or is shown to be another.

    A run that looks for ``drift`` only tells it.

    ``others`` are the sites that own something in the same place. What an interrupted run was about to make has no
    number yet, so that its name has to do. That a registry does not know when something was made is believed only
    where it is ``signed``, or the service does not say so either.
    """

    def checked(read: Read) -> Read:
        known = owned.get(read.place) if read.changes and read.goes and not read.entry.absent else None
        if known is None or not known.prunable:
            return read
        why = _why_it_stays(read, known, others.get(read.place), signed=signed)
        return _refused(read, not_trusted(why), drift=drift) if why else read

    return [checked(one) for one in reads]


def _why_it_stays(read: Read, known: Owned, owner: str | None, *, signed: bool) -> str:
    if owner is not None:
        return f"the site {owner!r} owns it, too"
    if known.phase == CREATING:
        return ""
    made_at = read.before.get(MADE_AT)
    why = _disagreement(read, known, made_at)
    if why or signed or made_at is None or known.made_at is not None:
        return why
    return f"it was created at {made_at} according to the service, and the registry does not know when"


def _disagreement(read: Read, known: Owned, made_at: t.Any) -> str:
    """Return in what the service disagrees with the registry, nothing where it does not."""
    number, name = read.before.get("id", known.id), str(read.before.get("name"))
    if str(number) != str(known.id):
        return f"its number is {number} at the service, and {known.id or 'missing'} in the registry"
    if differ(made_at, known.made_at):
        return f"it was created at {made_at} according to the service, and at {known.made_at} according to the registry"
    if was_replaced(known) and name != known.name:
        return f"its name is {quoted(shortened(name))} at the service"
    if read.orphan and known.name == f"#{known.id}" and differ(made_at, str(known.made_at)):
        return "the registry has neither its name nor when it was created"
    return ""


# ---------------------------------------------------------------- lifecycles of entries


def _as_allowed(read: Read, owned: Owners, guard: RemovalGuard, *, drift: bool) -> Read:
    """Return it with the error of what its lifecycle, or that of what goes along with it, forbids."""
    error: FcdError | None = _why_not_destroyed(read, owned) if read.may_change else None
    error = error or (guard(read) if read.acts else None)
    if error is None and read.entry.lifecycle.create_before_destroy and read.replaces and read.changes:
        error = _why_not_first(read)
    return read if error is None else _refused(read, error, drift=drift)


def _refused(read: Read, error: FcdError, *, drift: bool) -> Read:
    """Return it with an error that forbids the change; a run that looks for ``drift`` only tells it."""
    if drift and read.planned is not None:
        return read.with_fields(expected=read.planned._replace(refusal=str(error)))
    return read.with_fields(expected=error)


def _why_not_destroyed(read: Read, owned: Owners) -> InvalidInput | None:
    """Return the error for what would remove or replace what must not be destroyed.

    What had ``prevent_destroy`` when it was last applied is protected in the run that finds it taken out, too.
    """
    last = owned.get(read.place)
    is_kept = read.entry.lifecycle.prevent_destroy
    if not read.goes or not (is_kept or (last is not None and last.protected)):
        return None
    if read.orphan:
        return InvalidInput(
            "It is not removed: it is no longer declared, and its last entry had lifecycle.prevent_destroy.",
            next_step="Declare it again without prevent_destroy, apply that, and then remove the entry. To keep "
            "the object, release it with an item in removed with destroy: false.",
        )
    what, then, why = "removed", "remove", ""
    if not read.removes and read.planned is not None:
        what, then = "replaced", "replace"
        why = f" ({', '.join(read.planned.forced_by)} cannot be changed otherwise)"
    since = "its entry has" if is_kept else "when it was last applied, its entry had"
    return InvalidInput(
        f"It is not {what}{why}: {since} lifecycle.prevent_destroy.",
        next_step=f"Remove prevent_destroy and apply that first. Then {then} the object.",
        option="lifecycle",
    )


TIED = ("ip_addresses", "ip_address_id")
"""Options with what only one of the two can have."""


def _why_not_first(read: Read) -> InvalidInput | None:
    """Return the error for what cannot be created before the old one is removed."""
    tied = [option for option in TIED if read.entry.params.get(option)]
    if not read.entry.of.creates_first:
        problem = f"{read.entry.kind} cannot be given another name"
    elif tied:
        problem = f"{tied[0]}: its addresses are those of the old one until then"
    elif len(name_of_predecessor(read.entry.name, read.replaced)) > NAME_LENGTH[1]:
        problem = "its name is too long for a temporary one"
    else:
        return None
    return InvalidInput(
        f"It cannot be created before the old one is removed: {problem}.",
        next_step="Remove lifecycle.create_before_destroy from its entry.",
        option="lifecycle",
    )


def predecessors(plans: t.Iterable[Planned]) -> list[Planned]:
    """Return the removals of what is replaced by something that is created first, for after that."""
    found = []
    for plan in plans:
        if plan.creates_first:
            entry = plan.entry
            params = {"id": plan.replaced, "delete_disks": entry.params.get("delete_disks")}
            name = name_of_predecessor(entry.name, plan.replaced)
            old = entry._replace(name=name, key=name, given=params, params=params, refs=(), lifecycle=Lifecycle())
            expected = EntryResult(DELETE, plan.before, {}, plan.replaced)
            found.append(Planned(old, desired=Desired.ABSENT, orphan=True, expected=expected, verdict=DELETE))
    return found


# ---------------------------------------------------------------- limits

MAX_SHOWN_RULES = 5  # names in one message


def over_removal_limit(params: Params, plans: t.Sequence[Planned], owned: Owners) -> InvalidInput | None:
    """Return the error for more removals than may be; what is declared to be absent does not count."""
    whole = params["prune"] or params["state"] == "absent"
    going = [plan for plan in plans if plan.removes and plan.may_change and (whole or plan.orphan)]
    return _over_limit("max_delete", params["max_delete"], going, "removed", owned)


PRECIOUS = (INSTANCES, DISKS)
"""Kinds of which nothing is replaced unless max_replace says so."""


def over_replacement_limit(params: Params, plans: t.Sequence[Planned], owned: Owners) -> InvalidInput | None:
    """Return the error for more replacements than may be; a replacement counts as a removal, too."""
    replaced = [plan for plan in plans if plan.replaces and plan.changes]
    limited = [plan for plan in replaced if params["max_replace"] is not None or plan.entry.kind in PRECIOUS]
    how = "replaced, which removes them with everything in them"
    return _over_limit("max_replace", params["max_replace"] or "0", limited, how, owned) or _over_limit(
        "max_delete", params["max_delete"], replaced, how, owned
    )


def _over_limit(option: str, given: str, plans: t.Sequence[Planned], how: str, owned: Owners) -> InvalidInput | None:
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


def warn_of_spared(plans: t.Sequence[Planned], warn: t.Callable[[str], None]) -> None:
    """Tell of what is declared, there and left alone, since the site has not made it."""
    protected = [
        plan
        for plan in plans
        if plan.desired is Desired.SPARED and not plan.orphan and plan.planned and plan.planned.action
    ]
    several = len(protected) > 1
    if protected:
        warn(
            f"{len(protected)} declared {'objects are' if several else 'object is'} left alone, because this site did "
            f"not create {'them' if several else 'it'} ({_first_names(protected)}). With adopt: true "
            f"(-e provision_adopt=true), {'they become' if several else 'it becomes'} the site's own."
        )


def warn_of_counted(plans: t.Sequence[Planned], warn: t.Callable[[str], None]) -> None:
    """Suggest ``moved`` for an instance that is now counted, or is not any more, and would be created anew."""
    instances = [plan for plan in plans if plan.entry.kind == INSTANCES and plan.planned is not None]
    new = {plan.entry.name: plan.entry.key for plan in instances if plan.verdict == CREATE}
    for plan in instances:
        old = plan.entry.name
        other = next((name for name in (f"{old}-1", old.removesuffix("-1")) if name in new), None)
        if plan.orphan and plan.verdict != UNCHANGED and other:
            line = f"moved: [{{from: {INSTANCES}.{plan.entry.key}, to: {INSTANCES}.{new[other]}}}]"
            warn(
                f"{plan} is no longer declared, and {other} would be created. If {other} is to be the instance {old}, "
                f"add {line} to the site file."
            )


def _first_names(plans: t.Sequence[Planned]) -> str:
    return ", ".join([*map(str, plans[:MAX_SHOWN_RULES]), *(["..."] if len(plans) > MAX_SHOWN_RULES else [])])
