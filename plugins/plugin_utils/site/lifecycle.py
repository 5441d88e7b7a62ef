# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the lifecycle of entries forbids, and how it has them replaced.

To create before destroying, the old thing gets another name first, for the new one is created, and found, by the name
of the entry. The registry knows the old one by that other name from before it is given: whatever run comes next removes
it, once the new one is there and all that refers to it has moved over.
"""

from __future__ import annotations

import copy
import os
import typing as t

from ...module_utils._connection.task import Params, Task
from ...module_utils._core.errors import Conflict, InvalidInput, mark_changed_on_error
from ...module_utils._core.text import join_names
from ...module_utils._engine.plan import CREATE, DELETE, REPLACE
from .entry_plan import EntryPlan, EntryResult, run_operation
from .model import CONTAINERS, FOLDERS, OBJECTS, WAITING, Entry, Lifecycle, Place
from .state.registry_document import THERE, Owned, differ

UNPROTECT = "Remove prevent_destroy in a separate merge, apply that, and remove the object in the next one."


def follow_lifecycles(plans: t.Iterable[EntryPlan], owned: t.Mapping[Place, Owned]) -> list[EntryPlan]:
    """Note in the plans what must not be destroyed, and what is created first; return them without what stays.

    Predecessors that still have the name of their entry stay: nothing took their place.
    """
    plans = list(plans)
    _refuse_to_destroy(plans, owned)
    _choose_to_create_first(plans)
    present = {(plan.entry.kind, str(plan.number)) for plan in plans if not plan.removes}
    plans = [
        plan
        for plan in plans
        if not is_predecessor(plan.entry) or (plan.entry.kind, str(plan.entry.params["id"])) not in present
    ]
    _note_successors(plans)
    return plans


def _refuse_to_destroy(plans: t.Iterable[EntryPlan], owned: t.Mapping[Place, Owned]) -> None:
    """Note an error in each plan that would remove or replace what must not be destroyed, or what holds that.

    What had ``prevent_destroy`` when it was last applied is not removed by the run that finds it taken out.
    """
    for plan in plans:
        error = _why_not_destroyed(plan, owned) if plan.changes else None
        if error is not None:
            plan.error, plan.planned = error, None


def _why_not_destroyed(plan: EntryPlan, owned: t.Mapping[Place, Owned]) -> InvalidInput | None:
    last = owned.get(plan.place)
    if plan.goes and plan.entry.lifecycle.prevent_destroy:
        return _protected(plan)
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


def _protected(plan: EntryPlan) -> InvalidInput:
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
    if len(_name_of_predecessor(plan.entry.name, plan.replaced)) > NAME_LENGTH[1]:
        return "its name is too long for a temporary one"
    return None


def predecessors(plans: t.Sequence[EntryPlan]) -> list[EntryPlan]:
    """Return the removals of what is replaced by something that is created first, for after that."""
    found = []
    for plan in plans:
        if plan.creates_first and plan.planned is not None:
            entry = plan.entry
            params = {"id": plan.replaced, "delete_disks": entry.params.get("delete_disks")}
            name = _name_of_predecessor(entry.name, plan.replaced)
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
            place = _successor(plan.entry.kind, plan.entry.name)
            plan.waits_for = [one for one in plans if one.place == place or place in one.entry.refs]


MARK = " (replaced "


def _name_of_predecessor(name: str, number: object) -> str:
    return f"{name}{MARK}{number})"


def is_predecessor(entry: Entry) -> bool:
    """Return whether this is what something that was created first has taken the place of."""
    return _is_name_of_predecessor(entry.name, entry.params.get("id"))


def _is_name_of_predecessor(name: str, number: object) -> bool:
    return number is not None and name.endswith(_name_of_predecessor("", number))


def _successor(kind: str, name: str) -> Place:
    return kind, name.rsplit(MARK, 1)[0]


def is_stale(one: Owned, owned: t.Mapping[Place, Owned]) -> bool:
    """Return whether the registry has it as replaced, and as what was to be replaced, which never came to that."""
    successor = _successor(one.kind, one.name)  # of which the thing may have been about to be made in its place
    return was_replaced(one) and any(
        (other.kind, str(other.id)) == (one.kind, str(one.id)) and (other.phase == THERE or other.place != successor)
        for other in owned.values()
        if other.place != one.place
    )


def was_replaced(one: Owned) -> bool:
    """Return whether the registry has it as what something that was created first has taken the place of."""
    return _is_name_of_predecessor(one.name, one.id)


def may_follow(
    entry: Entry, owned: t.Mapping[Place, Owned], coming: t.Collection[Place], declared: t.Collection[Place] | None
) -> bool | None:
    """Return whether what was replaced may be removed: this run makes the new one, or a removal finds no need of it.

    ``declared`` is what is to stay, None in a run that removes nothing else. None where it is something else.
    """
    if not is_predecessor(entry):
        return None
    place = _successor(entry.kind, entry.name)
    if declared is None:
        return place in coming
    new = owned.get(place)
    made = new is not None and new.phase == THERE and differ(new.id, entry.params["id"])
    return made or place not in declared


def create_first(task: Task, plan: EntryPlan, params: Params) -> EntryResult:
    """Give the old thing another name and create the new one. Raises Conflict while the old one still has the name."""
    options = plan.entry.of.operation().options
    of_run = {name: params[name] for name in WAITING if name in options}
    name = _name_of_predecessor(plan.entry.name, plan.replaced)
    unsaid = {option: spec.get("default") for option, spec in options.items()}
    run_operation(task, plan, {**unsaid, **of_run, "id": plan.replaced, "name": name})
    with mark_changed_on_error():
        looking = copy.copy(task)
        looking.check_mode = True
        if run_operation(looking, plan, params).action != CREATE:
            raise Conflict(
                f"{plan} was renamed to {name!r}, and the service still shows it by its old name.",
                next_step="Run this again to create the new one.",
            )
        made = run_operation(task, plan, params)
    before, forced_by = (plan.planned.before, plan.planned.forced_by) if plan.planned is not None else ({}, ())
    return made._replace(action=REPLACE, before=before, forced_by=forced_by)
