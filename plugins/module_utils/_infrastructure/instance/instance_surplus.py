# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Surplus instances, which are no longer declared: which they are, how many may be removed, and when they are kept.

A fleet knows its instances by a pattern of their names, or by a note on this host of those that it has created.
"""

from __future__ import annotations

import os
import re
import typing as t
from fnmatch import fnmatchcase

from ..._connection.task import Params, Task
from ..._core.errors import InvalidInput, OperationFailed
from ..._core.files import file_lock, read_json, write_json
from ..._core.text import digest
from ..._engine.create_once import identity_of
from ..._engine.plan import DELETE, REPLACE, Plan, RemovalLimit
from ..rest_records import Row
from .instance_planning import MADE
from .instance_records import DELETED, instance_record, only_instance, status_of, unsettled

if t.TYPE_CHECKING:
    from ..._engine.plan import Outcome
    from .instance_planning import DeclaredInstance


MAKES = ("create", "replace")


def surplus_of_count(params: Params, family: t.Mapping[str, t.Sequence[Row]], names: t.Collection[str]) -> list[Row]:
    """Return the numbered instances that the count leaves out.

    Raises Ambiguous if some of them share a name, InvalidInput if they are more than allowed.
    """
    surplus = sorted((name for name in family if name not in names), key=lambda name: int(name.rpartition("-")[2]))
    records = [record for name in surplus if (record := only_instance(name, family[name])) is not None]
    whole = sum(map(len, family.values()))
    limit = RemovalLimit(params["max_delete"], "max_delete").of(whole)
    require_allowed([record["name"] for record in records], whole, limit, "max_delete")
    return records


def require_allowed(names: list[t.Any], whole: int, limit: int, option: str) -> None:
    """Raise InvalidInput if more of the whole would be removed than allowed."""
    if len(names) <= limit:
        return
    listed = ", ".join(map(str, names[:10])) + (", ..." if len(names) > 10 else "")
    subject = option.partition(".")[0]
    raise InvalidInput(
        f"{subject}: {len(names)} of {whole} instances would be removed ({listed}), but at most {limit} may be. "
        "Nothing was done.",
        next_step=f"Check the list of instances; if they should be removed, set {option} to {len(names)}.",
        option=subject,
        names=names,
    )


def keep_after_failures(members: t.Sequence[DeclaredInstance], extra: t.Sequence[DeclaredInstance]) -> None:
    """Keep the surplus if some of the declared instances failed: it may still be needed."""
    failed = sum(one.error is not None for one in members)
    for one in extra if failed else ():
        one.error = OperationFailed(
            f"Instance {one.name!r} was not removed, because {failed} of the declared instances failed.",
            next_step="Run the task again when they are fixed.",
        )


def keep_while_coming(
    members: t.Sequence[DeclaredInstance],
    extra: t.Sequence[DeclaredInstance],
    option: str,
    warn: t.Callable[[str], None],
) -> None:
    """Keep the surplus in a task that does not wait for what is declared: it may never exist.

    Otherwise, a create that fails in the end would cost the instances that could have replaced it.
    """
    coming = sum(map(_is_coming, members))
    if not extra or not coming:
        return
    for one in extra:
        one.plan = Plan(None, before=one.plan.before, after=one.plan.before)
    kept = (
        "an instance that is no longer declared is"
        if len(extra) == 1
        else (f"{len(extra)} instances that are no longer declared are")
    )
    warn(
        f"{option}: {kept} kept in this run: {coming} of the "
        "declared ones do not exist yet and, with wait=false, it is not known whether they will. A later run "
        "removes them."
    )


def _is_coming(instance: DeclaredInstance) -> bool:
    """Return whether a declared instance does not exist yet, or is not ready."""
    return (
        instance.plan.action in MAKES
        or instance.under_way
        or (instance.current is not None and unsettled(instance.current))
    )


def check_prune(params: Params) -> None:
    """Raise InvalidInput if it is not clear which instances may be removed."""
    prune = params["prune"]
    if params["state"] == "absent":
        raise InvalidInput("prune: with state=absent, only what is declared is removed.", option="prune")
    if not params["instances"]:
        raise InvalidInput(
            "prune: instances is empty, so the whole fleet would be removed.",
            next_step="If this is what you want, list the instances with state=absent.",
            option="instances",
        )
    _check_bounds(params, prune)


def _check_bounds(params: Params, prune: Params) -> None:
    if prune["name_pattern"] is None and not prune["from_journal"]:
        raise InvalidInput(
            "prune: it needs name_pattern, from_journal or both, to say which instances belong to the fleet.",
            option="prune",
        )
    if prune["name_pattern"] is not None and not re.sub(r"\[[^]]*\]|[*?\s]", "", prune["name_pattern"]):
        raise InvalidInput(
            f"prune.name_pattern: {prune['name_pattern']!r} matches every instance of the account.",
            next_step="Give a pattern that contains letters of the names, such as web-*.",
            option="prune",
        )
    if prune["from_journal"] and not params.get("fleet"):
        raise InvalidInput("prune.from_journal: it needs fleet, the name of the journal.", option="fleet")
    _limit(prune)


def surplus_of_fleet(
    params: Params, listed: t.Sequence[Row], known: FleetJournal | None, warn: t.Callable[[str], None]
) -> list[Row]:
    """Return the instances to remove. Raises InvalidInput if they are more than allowed."""
    prune, declared = params["prune"], {instance["name"] for instance in params["instances"]}
    scope = _scope(prune, listed, known)
    extra = [record for record in scope if record["name"] not in declared]
    if prune["from_journal"] and known is not None:
        asked = known.asked_for()
        there = {name for name in (_new_of(entry, asked) for entry in listed) if name is not None}
        _tell_unknown(there - declared, warn)
    whole = len(scope)
    require_allowed([record["name"] for record in extra], whole, _limit(prune).of(whole), "prune.max_delete")
    return extra


def _scope(prune: Params, listed: t.Iterable[Row], known: FleetJournal | None) -> list[Row]:
    """Return the instances that belong to the fleet; an ID that now has another name does not."""
    made = known.made() if known is not None and prune["from_journal"] else None
    pattern = prune["name_pattern"]
    fitting = [
        entry
        for entry in listed
        if (pattern is None or fnmatchcase(str(entry.get("Name")), pattern))
        and (made is None or made.get(entry["Id"]) == entry.get("Name"))
    ]
    return [record for record in map(instance_record, fitting) if status_of(record) != DELETED]


def _limit(prune: Params) -> RemovalLimit:
    return RemovalLimit(prune["max_delete"], "prune.max_delete")


def _new_of(entry: Row, asked: t.Mapping[str, int | None]) -> str | None:
    """Return the name of a listed instance that was requested and is not the one that it was to replace."""
    name = str(entry.get("Name"))
    return name if name in asked and asked[name] != entry["Id"] else None


def _tell_unknown(names: t.Collection[str], warn: t.Callable[[str], None]) -> None:
    if names:
        warn(
            f"prune: {', '.join(sorted(names))} may have been created by a run that was interrupted, and the ID is "
            "not known. Such an instance is not removed: declare it again, or remove it by its ID."
        )


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
