# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The machines of a site, planned and worked on together as ``instance_fleet`` does it."""

from __future__ import annotations

import typing as t

from ..._core.errors import FcdError, InvalidInput
from ..._engine.plan import CREATE, LATER
from ..._session.operation import Params
from ..._session.task import Task
from ..instance.declared_instances import DeclaredInstance, plan_instance
from ..instance.instance_options import check_instance as check_machine
from ..instance_fleet.fleet import Fleet
from ..instance_fleet.fleet import FleetMember as MachineWish
from ..instance_fleet.fleet_options import OF_A_MEMBER
from .wishes import Outcome, Waiting, Wish, action_of

if t.TYPE_CHECKING:
    from ..._engine.converge import Outcome as Done

KIND = "instances"
End = t.Union[Outcome, FcdError]


class Machines(Fleet):
    """A fleet in which a machine that is declared wrong keeps none of the others back."""

    by_name: t.Mapping[str, DeclaredInstance] = {}

    def _plan(self, wishes: t.Sequence[MachineWish]) -> None:
        self.by_name = {machine.name: machine for machine, _params in wishes}
        for machine, params in wishes:
            if machine.error is None:
                try:
                    plan_instance(self._planner(params), params, machine)
                except InvalidInput as error:
                    machine.error = error


def in_fleet(wish: Wish) -> bool:
    """Return whether this is a machine that a fleet finds: by its name alone."""
    return wish.entry.kind == KIND and wish.entry.params.get("id") is None


def run_machines(
    task: Task, machines: t.Sequence[tuple[Wish, Params]], concurrency: int, waiting: Waiting
) -> list[tuple[Wish, End]]:
    """Bring machines to their states; returns what came of each. All of one state are one fleet."""
    ends: list[tuple[Wish, End]] = []
    fleets: dict[str, list[tuple[Wish, Params]]] = {}
    for wish, params in machines:
        try:
            check_machine(params)
        except InvalidInput as error:
            ends.append((wish, error))
        else:
            fleets.setdefault(params["state"], []).append((wish, params))
    for state, members in fleets.items():
        ends += _run_fleet(task, state, members, concurrency, waiting)
    return ends


def _run_fleet(
    task: Task, state: str, members: t.Sequence[tuple[Wish, Params]], concurrency: int, waiting: Waiting
) -> list[tuple[Wish, End]]:
    params = {
        "state": state,
        "machines": [{name: one.get(name) for name in OF_A_MEMBER} for _wish, one in members],
        "machine_defaults": None,
        "concurrency": concurrency,
        "fleet": None,
        "prune": None,
        "wait": True,
        "wait_timeout": waiting.timeout,
        "create_grace": waiting.grace,
    }
    try:
        fleet = Machines(task, params)
        fleet.run()
    except FcdError as error:
        return [(wish, error) for wish, _params in members]
    return [(wish, _end(fleet.by_name[one["name"]])) for wish, one in members]


def _end(machine: DeclaredInstance) -> End:
    if machine.error is not None:
        return machine.error
    outcome = t.cast("Done", machine.outcome)
    action = action_of({"changed": outcome.changed, "action": outcome.action})
    number = (outcome.record or machine.current or {}).get("id")
    if machine.under_way and number is None and action is None:  # others have to wait for it as for a new one
        return Outcome(CREATE, {}, {"name": machine.name, "id": LATER})
    return Outcome(action, outcome.before, outcome.after, number)
