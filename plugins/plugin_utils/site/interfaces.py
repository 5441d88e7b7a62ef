# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The network interfaces that a run takes from instances: an instance that stays has to keep one (wire-facts 5.4)."""

from __future__ import annotations

import typing as t

from ...module_utils._connection.task import Task
from ...module_utils._core.errors import Conflict
from ...module_utils._engine.plan import LATER
from .entry_plan import EntryPlan
from .model import ADDRESSES, INSTANCES, NETWORKS

Interface = t.Tuple[str, str]  # kind and number of what it is an interface for
Sides = t.Mapping[str, t.Any]


class Interfaces:
    """The interfaces of the instances that something is taken from, ``leaving`` by number those that go themselves."""

    def __init__(self, task: Task, plans: t.Sequence[EntryPlan], leaving: t.Mapping[str, EntryPlan]) -> None:
        self._task = task
        self._leaving = leaving
        self._lost: dict[str, set[Interface]] = {}
        self._coming: set[str] = set()  # instances that get one before anything is removed
        self._attached: set[str] = set()  # those that get one in the course of the run
        self._present: dict[str, set[Interface]] | None = None
        for plan in plans:
            before, after = _sides(plan)
            for number in _loses(plan, before, after):
                self._lost.setdefault(number, set()).add((plan.entry.kind, str(before.get("id"))))
            if plan.changes and plan.entry.kind == INSTANCES and not plan.removes:
                self._note_own_change(reference_numbers(before), before, after)
            elif plan.changes and plan.entry.kind == ADDRESSES and not plan.removes:
                gained = set(reference_numbers(after.get("instance"))) - set(reference_numbers(before.get("instance")))
                self._attached |= gained

    def _note_own_change(self, own: t.Sequence[str], before: Sides, after: Sides) -> None:
        for number in own:
            for kind in (NETWORKS, ADDRESSES):
                known, kept = set(reference_numbers(*before.get(kind) or ())), after.get(kind)
                if kept is None:
                    continue
                staying = set(reference_numbers(*kept))
                if staying - known or LATER in kept:
                    self._coming.add(number)
                self._lost.setdefault(number, set()).update((kind, one) for one in known - staying)

    def check(self, plan: EntryPlan) -> None:
        """Raise Conflict for an entry that would take the last interface of an instance that stays.

        An address goes after an instance that goes, where it is the last one of it.
        """
        for number in _loses(plan, *_sides(plan)):
            holder = self._leaving.get(number)
            if not self._is_last(number, plan):
                continue
            if holder is not None:
                plan.entry = plan.entry._replace(refs=tuple(ref for ref in plan.entry.refs if ref != holder.place))
                continue
            raise Conflict(
                f"It is the last network interface of instance {self._named(plan, number)}, which stays, and an "
                "instance must keep one.",
                next_step="Give the instance another address or private network first, or remove the instance, too.",
                id=number,
            )

    def _is_last(self, number: str, plan: EntryPlan) -> bool:
        if number in self._coming or (plan.removes and number in self._attached):
            return False
        if self._present is None:
            self._present = self._listed()
        if self._present.get(number, set()) - self._lost[number]:
            return False
        return not self._read(number) - self._lost[number]  # lists may lag behind

    def _listed(self) -> dict[str, set[Interface]]:
        """Return the interfaces of all instances as the lists of networks and addresses show them."""
        from ...module_utils._infrastructure.api import infrastructure

        api = infrastructure(self._task)
        found: dict[str, set[Interface]] = {}
        for item in api.list_networks():
            for member in item.get("PrivateIps") or ():
                found.setdefault(str((member.get("Instance") or {}).get("Id")), set()).add((NETWORKS, str(item["Id"])))
        for item in api.list_ip_addresses():
            found.setdefault(str((item.get("Instance") or {}).get("Id")), set()).add((ADDRESSES, str(item["Id"])))
        return found

    def _read(self, number: str) -> set[Interface]:
        """Return the interfaces of one instance as it shows them itself."""
        from ...module_utils._infrastructure.api import infrastructure

        api = infrastructure(self._task)
        networks, addresses = api.list_instance_networks(int(number)), api.list_instance_ip_addresses(int(number))
        return {(NETWORKS, str(one["Id"])) for one in networks} | {(ADDRESSES, str(one["Id"])) for one in addresses}

    def _named(self, plan: EntryPlan, number: str) -> str:
        before, _after = _sides(plan)
        holders = [before["instance"]] if plan.entry.kind == ADDRESSES else before["instances"]
        label = next((one.get("label") for one in holders if str(one["id"]) == number), None)
        return f"{label or ''} ({number})".lstrip()


def reference_numbers(*items: t.Any) -> list[str]:
    """Return the numbers of those items that have one, as texts."""
    return [str(one["id"]) for one in items if isinstance(one, t.Mapping) and one.get("id") is not None]


def _sides(plan: EntryPlan) -> tuple[Sides, Sides]:
    sides = (None, None) if plan.planned is None else (plan.planned.before, plan.planned.after)
    before, after = (side if isinstance(side, t.Mapping) else {} for side in sides)
    return before, after


def _loses(plan: EntryPlan, before: Sides, after: Sides) -> list[str]:
    """Return the instances that an address or a private network is detached from for this entry."""
    if not plan.changes:
        return []
    if plan.entry.kind == NETWORKS and plan.removes and plan.entry.params.get("force_detach"):
        return reference_numbers(*before.get("instances") or ())
    if plan.entry.kind != ADDRESSES:
        return []
    staying = reference_numbers(after.get("instance")) if not plan.removes else []
    return [number for number in reference_numbers(before.get("instance")) if number not in staying]
