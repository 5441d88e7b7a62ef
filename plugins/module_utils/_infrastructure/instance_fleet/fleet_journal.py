# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The instances that a fleet has created: a note on this host, by which a later run recognizes them."""

from __future__ import annotations

import os
import typing as t

from ..._connection.task import Task
from ..._core.errors import InvalidInput
from ..._core.files import read_json, write_json
from ..._core.text import digest
from ..._engine.create_once import identity_of
from ..._engine.locks import file_lock
from ..._engine.plan import DELETE, REPLACE
from ..instance.instance_planning import MADE

if t.TYPE_CHECKING:
    from ..._engine.reconcile import Outcome
    from ..instance.instance_planning import DeclaredInstance

Asked = t.Dict[str, t.Optional[int]]
LOCK_WAIT = 30.0  # seconds for which another task may hold the note; it is written quickly


class FleetJournal:
    """``made`` maps IDs to names; ``asked_for`` are names of instances whose IDs are not known yet.

    Each of the latter comes with the ID of the instance that it replaces, which is not the one that is meant; None if
    there was none.
    """

    def __init__(self, task: Task, fleet: str) -> None:
        self._task = task
        self._what = f"the note of fleet {fleet!r}"
        self._folder = os.path.join(task.state_dir, "fleets")
        self._key = digest(*identity_of(task, "instance_fleet", fleet))
        self._path = os.path.join(self._folder, self._key + ".json")

    def made(self) -> dict[int, str]:
        """Return the instances that the fleet has created and not removed."""
        return self._read()[0]

    def asked_for(self) -> Asked:
        """Return the names of those that were requested in a run that did not see them created."""
        return self._read()[1]

    def ask_for(self, names: Asked) -> None:
        """Note, before anything is sent, that these are going to be created; earlier requests stay as they are."""
        if names:
            self._change(lambda made, asked: (made, {**names, **asked}))

    def withdraw(self, names: t.Collection[str]) -> None:
        """Forget that these were requested: they were certainly not created, or are removed again."""
        if set(self.asked_for()) & set(names):
            self._change(lambda made, asked: (made, _without(asked, names)))

    def take_in(self, instances: t.Iterable[DeclaredInstance]) -> None:
        """Note the result of a run: which were created now or by an interrupted run, and which are gone.

        If an interrupted run did not get to remove the instance that was to be re-created, the existing one is the old
        one, and not its own.
        """
        asked = self.asked_for()
        seen: dict[int, str] = {}
        settled, removed = [], []
        for instance in instances:
            if instance.outcome is None:
                continue
            name, action, number = instance.name, instance.outcome.action, (instance.outcome.record or {}).get("id")
            removed.extend(_number_removed(instance, instance.outcome))
            if number is not None and (action in MADE or asked.get(name, number) != number):
                seen[number] = name
            elif action == DELETE or (number is not None and name in asked):
                settled.append(name)
        self._note(seen, removed)
        self.withdraw(set(settled) - set(seen.values()))

    def _note(self, seen: t.Mapping[int, str], removed: t.Collection[int]) -> None:
        """Note instances that were seen after they were requested, and forget those that were removed."""
        if seen or set(removed) & set(self.made()):
            self._change(
                lambda made, asked: (
                    {number: name for number, name in {**made, **seen}.items() if number not in removed},
                    _without(asked, seen.values()),
                )
            )

    def require_whole(self) -> None:
        """Raise InvalidInput if the note exists and cannot be read."""
        if self._damaged():
            raise InvalidInput(
                f"prune.from_journal: {self._what} in {self._path} is damaged or open to other users, so it is not "
                "known which instances the fleet has created. Nothing was done.",
                next_step="Restore a good copy of the file with mode 0600, or remove the file: the fleet then does not "
                "know its present instances, and prune keeps them.",
                option="prune",
            )

    def warn_if_damaged(self) -> None:
        """Warn that the fleet has forgotten its instances."""
        if self._damaged():
            self._task.warn(
                f"{self._what[0].upper()}{self._what[1:]} in {self._path} is damaged or open to other users: the fleet "
                "no longer knows which instances it has created, and prune.from_journal will keep them. A new "
                "note will replace this one as soon as there is something to note."
            )

    def _damaged(self) -> bool:
        return _understood(read_json(self._path)) is None and os.path.lexists(self._path)

    def _change(self, change: t.Callable[[dict[int, str], Asked], tuple[dict[int, str], Asked]]) -> None:
        with file_lock(
            self._folder, self._key, self._task.deadline.within(LOCK_WAIT, "wait for the note"), what=self._what
        ):
            made, asked = change(*self._read())
            named = {str(number): name for number, name in made.items()}
            write_json(self._path, {"made": named, "asked_for": asked})

    def _read(self) -> tuple[dict[int, str], Asked]:
        return _understood(read_json(self._path)) or ({}, {})


def _number_removed(instance: DeclaredInstance, outcome: Outcome) -> list[int]:
    """Return the ID of the instance that was removed, if any; one that turned up late is in the old record."""
    number = (instance.current or outcome.before).get("id")
    return [number] if outcome.action in (DELETE, REPLACE) and isinstance(number, int) else []


def _understood(kept: t.Any) -> tuple[dict[int, str], Asked] | None:
    """Return the content of the note, None if it is not a note."""
    try:
        made = {int(number): str(name) for number, name in kept["made"].items()}
        return made, {str(name): old if old is None else int(old) for name, old in kept["asked_for"].items()}
    except (TypeError, KeyError, ValueError, AttributeError):
        return None


def _without(asked: Asked, names: t.Collection[str]) -> Asked:
    return {name: old for name, old in asked.items() if name not in names}
