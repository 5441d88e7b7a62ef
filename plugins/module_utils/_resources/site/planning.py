# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Planning all entries of a site at one moment: each as its module does it in check mode, with shared reads.

Nothing but reads is sent.
"""

from __future__ import annotations

import copy
import typing as t

from ..._core.errors import FcdError, InvalidInput
from ..._engine.plan import CREATE, UPDATE
from ..._engine.scheduler import side_by_side
from ..._session.operation import Params
from ..._session.shared_clients import RememberingClients
from ..._session.task import Task
from .entries import unknown_numbers
from .levels import levels
from .listed_objects import KIND as OBJECTS
from .listed_objects import ListedObjects
from .machines import in_fleet, run_machines
from .removals import Removals
from .wishes import Outcome, Waiting, Wish, complete, run_operation, settled, with_later, without_coming

FEW = 3  # things of a kind that are searched one by one
STEP = 100  # entries after which it is told how many are planned

STAND_FOR = {("disks", "instances"): ("subregion",)}
"""Options that may be given in place of others that something new needs."""

SEARCHES = {
    "private_networks": "/opns",
    "disks": "/disks",
    "client_users": "GetUsers",
    "warehouses": "GetWarehouses",
}
"""What things of a kind are searched by, in a list that can be read as a whole, too."""

ONE_BY_ONE = {
    "storage_containers",
    "clients",
    "storage_folders",
    "client_users",
    "client_pricelists",
    "client_fixed_amounts",
}
"""Kinds of which each is asked for, whatever lists have brought."""

FORESEEN = "Unless an earlier task makes it"
"""What modules say in check mode of a container that is missing; this run makes it."""

End = t.Union[Outcome, FcdError]
Ends = t.List[t.Tuple[Wish, End]]
Job = t.Callable[[], Ends]
Lost = t.Dict[str, t.Any]
Ready = t.Tuple[Wish, t.Dict[str, t.Any], Lost]


class Planning:
    """The planning of one run. ``wishes`` are all that are looked at; ``warn`` may be called in any thread."""

    def __init__(
        self,
        task: Task,
        wishes: t.Sequence[Wish],
        concurrency: int,
        waiting: Waiting,
        site: str,
        warn: t.Callable[[Wish, str], None],
    ) -> None:
        self._task = copy.copy(task)
        self._task.check_mode = True
        self._task.clients = RememberingClients(self._task, _searched_often(wishes))
        self._warn = warn
        self._wishes = wishes
        self._by_place = {wish.place: wish for wish in wishes}
        self._concurrency = concurrency
        self._waiting = waiting
        self._site = site
        self._planned = 0

    def run(self) -> None:
        """Fill in what is planned for each, or why it cannot be. Raises DeadlinePassed."""
        for level in levels([wish.entry for wish in self._wishes]):
            self._plan_level([self._by_place[entry.place] for entry in level])

    def foresee_removals(self) -> None:
        """Say what will come of removals that are refused as long as something is in the thing."""
        Removals(self._task, self._wishes, lambda wish: self._options(wish)[0]).foresee()

    def _plan_level(self, wishes: t.Sequence[Wish]) -> None:
        jobs = self._jobs(wishes)

        def ended(_job: Job, value: t.Any) -> None:
            if isinstance(value, FcdError):
                raise value
            for wish, end in value:
                self._note(wish, end)

        side_by_side(jobs, lambda job: job(), most=self._concurrency, deadline=self._task.deadline, ended=ended)

    def _note(self, wish: Wish, end: End) -> None:
        if isinstance(end, Outcome):
            wish.planned = end
        else:
            wish.error = end
        self._planned += 1
        if self._planned % STEP == 0 or self._planned == len(self._wishes):
            self._task.tell(f"site {self._site}: {self._planned} of {len(self._wishes)} planned")

    def _jobs(self, wishes: t.Sequence[Wish]) -> list[Job]:
        """Return the work; what waits for the service longest comes first."""
        ready = [(wish, *self._options(wish)) for wish in wishes if self._is_ready(wish)]
        fleet = [one for one in ready if in_fleet(one[0])]
        others = [one for one in ready if not in_fleet(one[0])]
        listed = ListedObjects(self._task, [(wish, params) for wish, params, _lost in others if _is_object(wish)])
        jobs: list[Job] = [lambda: self._ends_of_machines(fleet)] if fleet else []
        jobs += [self._job_of(wish, params, lost, listed) for wish, params, lost in _searching_first(others)]
        jobs.append(lambda: [(wish, wish.error) for wish in wishes if wish.error is not None])
        return jobs

    def _ends_of_machines(self, ready: t.Sequence[Ready]) -> Ends:
        given = [(wish, params) for wish, params, _lost in ready]
        lost = {wish.place: names for wish, _params, names in ready}
        options = {wish.place: params for wish, params in given}
        ends = run_machines(self._task, given, self._concurrency, self._waiting)
        return [(wish, self._with_lost(wish, end, options[wish.place], lost[wish.place])) for wish, end in ends]

    def _is_ready(self, wish: Wish) -> bool:
        """Return whether it can be planned, else note why not: what it refers to cannot be."""
        blocking = [self._by_place[ref] for ref in wish.entry.refs if ref in self._by_place]
        failed = next((one for one in blocking if one.error is not None), None)
        if failed is not None and not wish.removes:
            why = "See the error there." if not failed.context else str(failed.error)
            wish.error = FcdError(f"It refers to {failed}, which cannot be planned.", next_step=why)
        return wish.error is None

    def _number(self, kind: str, name: str) -> t.Any:
        wish = self._by_place.get((kind, name))
        return None if wish is None else wish.number

    def _options(self, wish: Wish) -> tuple[dict[str, t.Any], Lost]:
        """Return the options as far as they are known, and those that wait for something to be made."""
        params = complete(wish, self._waiting)
        coming = {ref for ref in wish.entry.refs if ref in self._by_place and self._by_place[ref].coming}
        unknown = bool(unknown_numbers(params, self._number))
        params = settled(params, self._number)
        if wish.removes or not (coming or unknown):
            return params, {}
        return without_coming(wish.entry, params, coming)

    def _job_of(self, wish: Wish, params: Params, lost: Lost, listed: ListedObjects) -> Job:
        return lambda: [(wish, self._end(wish, params, lost, listed))]

    def _end(self, wish: Wish, params: Params, lost: Lost, listed: ListedObjects) -> End:
        known = listed.outcome(wish, params) if _is_object(wish) else None
        if known is not None:
            return known
        end: End
        try:
            end = run_operation(self._own_task(wish), wish, params)
        except FcdError as error:
            end = error
        return self._with_lost(wish, end, params, lost)

    def _own_task(self, wish: Wish) -> Task:
        task = copy.copy(self._task)
        coming = any(self._by_place[ref].coming for ref in wish.entry.refs if ref in self._by_place)
        task.warn = lambda text: None if coming and FORESEEN in text else self._warn(wish, text)
        return task

    def _with_lost(self, wish: Wish, end: End, params: Params, lost: Lost) -> End:
        """Return the end of a planning in which these options had to be left out."""
        if isinstance(end, Outcome):
            return with_later(end, lost)
        return self._end_without(wish, params, lost) if _lacks_lost(wish, end, lost) else end

    def _end_without(self, wish: Wish, params: Params, lost: Lost) -> End:
        """Plan for one that cannot be planned without the things that are to be made, by whether it is there."""
        options = wish.entry.of.operation().options
        if "state" not in options:
            return Outcome(UPDATE, {}, lost)
        given = {name: value for name, value in params.items() if name in wish.entry.identity or name in self._of_run}
        defaults = {name: spec.get("default") for name, spec in options.items()}
        try:
            found = run_operation(self._own_task(wish), wish, {**defaults, **given, "state": "absent"})
        except FcdError as error:
            return error
        if found.action is None:
            shown = {name: value for name, value in wish.entry.given.items() if not options.get(name, {}).get("no_log")}
            return Outcome(CREATE, {}, {**shown, **lost})
        return with_later(Outcome(UPDATE, found.before, found.before, found.number), lost)

    _of_run = ("wait", "wait_timeout", "create_grace")


def _searched_often(wishes: t.Sequence[Wish]) -> set[str]:
    kinds = [wish.entry.kind for wish in wishes]
    return {search for kind, search in SEARCHES.items() if kinds.count(kind) > FEW}


def _searching_first(ready: t.Sequence[Ready]) -> list[Ready]:
    """Return first one of each kind, whose search may be that of all others, then what is asked for one by one."""
    first: dict[str, Ready] = {}
    for one in ready:
        first.setdefault(one[0].entry.kind, one)
    others = [one for one in ready if first[one[0].entry.kind] is not one]
    return [*first.values(), *sorted(others, key=lambda one: one[0].entry.kind not in ONE_BY_ONE)]


def _lacks_lost(wish: Wish, error: FcdError, lost: Lost) -> bool:
    """Return whether an error says no more than that options were left out: what these stand for is missing."""
    stood_for = {name for option in lost for name in STAND_FOR.get((wish.entry.kind, option), ())}
    named = error.details.get("options") or ()
    return isinstance(error, InvalidInput) and bool(named) and stood_for.issuperset(named)


def _is_object(wish: Wish) -> bool:
    return wish.entry.kind == OBJECTS
