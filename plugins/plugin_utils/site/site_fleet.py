# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Instances of a site that are known by their names: those of one state are run together, as a fleet."""

from __future__ import annotations

import typing as t

from ...module_utils._connection.task import Params, Task
from ...module_utils._core.errors import FcdError, InvalidInput
from ...module_utils._engine.plan import CREATE, LATER
from ...module_utils._infrastructure.instance.instance import instance_key
from ...module_utils._infrastructure.instance.instance_fleet import MEMBER_OPTIONS, Fleet
from ...module_utils._infrastructure.instance.instance_options import check_instance
from ...module_utils._infrastructure.instance.instance_planning import DeclaredInstance
from .entry_plan import EntryEnd, EntryEnds, EntryPlan, EntryResult, action_of

if t.TYPE_CHECKING:
    from ...module_utils._engine.plan import Outcome

Members = t.Sequence[t.Tuple[EntryPlan, Params]]


class SiteFleet(Fleet):
    """A fleet in which an instance that is declared wrong keeps none of the others back."""

    by_name: t.Mapping[str, DeclaredInstance] = {}
    ended: t.Callable[[str], None] | None = None  # gets the name of each that has ended well, at once and perhaps again

    def plan(self, instances: t.Sequence[DeclaredInstance]) -> None:
        """Plan for all."""
        self.by_name = {instance.name: instance for instance in instances}
        for instance in instances:
            if instance.error is None:
                try:
                    self.planner.plan(instance)
                except InvalidInput as error:
                    instance.error = error

    def report_ended(self, ended: t.Mapping[str, Outcome | FcdError], whole: int) -> None:
        """Tell of each as well."""
        super().report_ended(ended, whole)
        if self.ended is None:
            return
        for name, instance in self.by_name.items():
            key = instance_key(instance)
            if key in ended and not isinstance(ended[key], FcdError):
                self.ended(name)


def run_instances(
    task: Task, members: Members, site: Params, ended: t.Callable[[EntryPlan], None] | None = None
) -> EntryEnds:
    """Bring instances to their states and return what came of each; ``site`` are the options of the site's task.

    ``ended`` gets those that have ended well while others go on.
    """
    ends: EntryEnds = []
    fleets: dict[str, list[tuple[EntryPlan, Params]]] = {}
    for plan, params in members:
        try:
            check_instance(params)
        except InvalidInput as error:
            ends.append((plan, error))
        else:
            fleets.setdefault(params["state"], []).append((plan, params))
    for state, alike in fleets.items():
        ends += _run_fleet(task, state, alike, site, ended)
    return ends


def _run_fleet(
    task: Task, state: str, members: Members, site: Params, ended: t.Callable[[EntryPlan], None] | None
) -> EntryEnds:
    params = {
        "state": state,
        "instances": [{name: one.get(name) for name in MEMBER_OPTIONS} for _plan, one in members],
        "instance_defaults": None,
        "concurrency": site["concurrency"],
        "fleet": None,
        "prune": None,
        "wait": True,
        "wait_timeout": site["wait_timeout"],
        "create_grace": site["create_grace"],
        "force_create": site["force_create"],
    }
    try:
        fleet = SiteFleet(task, params)
        if ended is not None:
            plans = {one["name"]: plan for plan, one in members}
            fleet.ended = lambda name: ended(plans[name])
        fleet.run()
    except FcdError as error:
        return [(plan, error) for plan, _params in members]
    return [(plan, _instance_end(fleet.by_name[one["name"]])) for plan, one in members]


def _instance_end(instance: DeclaredInstance) -> EntryEnd:
    if instance.error is not None:
        return instance.error
    outcome = t.cast("Outcome", instance.outcome)
    action = action_of({"changed": outcome.changed, "action": outcome.action})
    record = outcome.record or instance.current or {}
    number = record.get("id")
    if instance.under_way and number is None and action is None:  # others have to wait for it as for a new one
        return EntryResult(CREATE, {}, {"name": instance.name, "id": LATER})
    return EntryResult(action, outcome.before, outcome.after, number, outcome.forced_by, record)
