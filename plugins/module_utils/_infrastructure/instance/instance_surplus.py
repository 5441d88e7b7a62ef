# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Surplus instances, which are no longer declared: which they are, how many may be removed, and when they are kept.

A fleet knows its instances by a pattern of their names, or by a note on this host of those that it has created.
"""

from __future__ import annotations

import contextlib
import os
import re
import typing as t
from fnmatch import fnmatchcase

from ..._connection.task import Params, Task
from ..._core.errors import InvalidInput, OperationFailed
from ..._core.private_files import file_lock, read_json, write_json
from ..._core.text import digest
from ..._core.type_aliases import JsonObject, Warn
from ..._engine.create_once import identity_of
from ..._engine.plan import DELETE, REPLACE, Plan, RemovalLimit
from .instance_planning import CREATING, DeclaredInstance, InstanceSequence
from .instance_records import existing_records, is_busy, only_instance

_Key = t.TypeVar("_Key")
Requests = t.Dict[str, t.Optional[int]]
JOURNAL_LOCK_TIMEOUT = 30.0  # seconds for which another task may hold the journal; it is written quickly


def surplus_of_count(
    params: Params, family: t.Mapping[str, t.Sequence[JsonObject]], names: t.Collection[str]
) -> list[JsonObject]:
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


def keep_after_failures(members: InstanceSequence, extra: InstanceSequence) -> None:
    """Keep the surplus if some of the declared instances failed: it may still be needed."""
    failed = sum(one.error is not None for one in members)
    for one in extra if failed else ():
        one.error = OperationFailed(
            f"Instance {one.name!r} was not removed, because {failed} of the declared instances failed.",
            next_step="Run the task again when they are fixed.",
        )


def retain_pending(members: InstanceSequence, extra: InstanceSequence, option: str, warn: Warn) -> None:
    """Keep the surplus in a task that does not wait for what is declared: it may never exist.

    Otherwise, a create that fails in the end would cost the instances that could have replaced it.
    """
    coming = [
        one
        for one in members
        if one.plan.action in CREATING or one.under_way or (one.current is not None and is_busy(one.current))
    ]
    if not coming:
        return
    for one in extra:
        one.plan = Plan(None, before=one.plan.before, after=one.plan.before)
    several = f"{len(extra)} instances that are no longer declared are"
    kept = "an instance that is no longer declared is" if len(extra) == 1 else several
    warn(
        f"{option}: {kept} kept in this run: {len(coming)} of the "
        "declared ones do not exist yet and, with wait=false, it is not known whether they will. A later run "
        "removes them."
    )


# ---------------------------------------------------------------- of a fleet


def check_prune(params: Params) -> None:
    """Raise InvalidInput if it is not clear which instances may be removed."""
    prune = params["prune"]
    pattern, from_journal = prune["name_pattern"], prune["from_journal"]
    if params["state"] == "absent":
        raise InvalidInput("prune: with state=absent, only what is declared is removed.", option="prune")
    if not params["instances"]:
        raise InvalidInput(
            "prune: instances is empty, so the whole fleet would be removed.",
            next_step="If this is what you want, list the instances with state=absent.",
            option="instances",
        )
    if pattern is None and not from_journal:
        raise InvalidInput(
            "prune: it needs name_pattern, from_journal or both, to say which instances belong to the fleet.",
            option="prune",
        )
    if pattern is not None and not re.sub(r"\[[^]]*\]|[*?\s]", "", pattern):
        raise InvalidInput(
            f"prune.name_pattern: {pattern!r} matches every instance of the account.",
            next_step="Give a pattern that contains letters of the names, such as web-*.",
            option="prune",
        )
    if from_journal and not params.get("fleet"):
        raise InvalidInput("prune.from_journal: it needs fleet, the name of the journal.", option="fleet")
    RemovalLimit(prune["max_delete"], "prune.max_delete")


def surplus_of_fleet(
    params: Params, listed: t.Sequence[JsonObject], journal: FleetJournal | None, warn: Warn
) -> list[JsonObject]:
    """Return the instances to remove. Raises InvalidInput if they are more than allowed."""
    prune, declared = params["prune"], {instance["name"] for instance in params["instances"]}
    if not prune["from_journal"]:
        journal = None
    scope = _scope(prune["name_pattern"], listed, journal)
    extra = [record for record in scope if record["name"] not in declared]
    unknown = set() if journal is None else _unknown_names(listed, journal.requested()) - declared
    if unknown:
        warn(
            f"prune: {', '.join(sorted(unknown))} may have been created by a run that was interrupted, and the ID is "
            "not known. Such an instance is not removed: declare it again, or remove it by its ID."
        )
    limit = RemovalLimit(prune["max_delete"], "prune.max_delete").of(len(scope))
    require_allowed([record["name"] for record in extra], len(scope), limit, "prune.max_delete")
    return extra


def _unknown_names(listed: t.Iterable[JsonObject], requested: Requests) -> set[str]:
    """Return the names of instances that were requested, without those that were to be replaced."""
    named = [(str(entry.get("Name")), entry["Id"]) for entry in listed]
    return {name for name, number in named if name in requested and requested[name] != number}


def _scope(pattern: str | None, listed: t.Iterable[JsonObject], journal: FleetJournal | None) -> list[JsonObject]:
    """Return the instances that belong to the fleet; an ID that now has another name does not."""
    found = [entry for entry in listed if pattern is None or fnmatchcase(str(entry.get("Name")), pattern)]
    if journal is not None:
        created = journal.created()
        found = [entry for entry in found if created.get(entry["Id"]) == entry.get("Name")]
    return existing_records(found)


class FleetJournal:
    """The instances that a fleet has created: a note on this host, by which a later run recognizes them.

    It also has the names of instances that were requested and whose IDs are not known yet. Each comes with the ID of
    the instance that it replaces, which is not the one that is meant; None if there was none.
    """

    def __init__(self, task: Task, fleet: str) -> None:
        self._task = task
        self._what = f"the note of fleet {fleet!r}"
        self._folder = os.path.join(task.state_dir, "fleets")
        self._key = digest(*identity_of(task, "instance_fleet", fleet))
        self._path = os.path.join(self._folder, self._key + ".json")

    def created(self) -> dict[int, str]:
        """Return the names of the instances that the fleet has created and not removed, by their IDs."""
        return self._read()[0]

    def requested(self) -> Requests:
        """Return the names of those that were requested in a run that did not see them created."""
        return self._read()[1]

    def note_requests(self, names: Requests) -> None:
        """Note, before anything is sent, that these are going to be created; earlier requests stay as they are."""
        if names:
            with self._edit() as (_created, requested):
                requested.update({**names, **requested})

    def forget_requests(self, names: t.Collection[str]) -> None:
        """Forget that these were requested: they were certainly not created."""
        if self.requested().keys() & set(names):
            with self._edit() as (_created, requested):
                _drop(requested, names)

    def note_results(self, instances: t.Iterable[DeclaredInstance]) -> None:
        """Note the result of a run: which were created now or by an interrupted run, and which are gone.

        If an interrupted run did not get to remove the instance that was to be re-created, the existing one is the old
        one, and not its own.
        """
        requested = self.requested()
        seen, removed, decided = {}, set(), set()
        for one in instances:
            outcome = one.outcome
            if outcome is None:
                continue
            if outcome.action in (DELETE, REPLACE):
                # the ID of one that turned up late is in the old record
                removed.add((one.current or outcome.before).get("id"))
            number = (outcome.record or {}).get("id")
            if number is not None and (outcome.action in CREATING or requested.get(one.name, number) != number):
                seen[number] = one.name
            if number is not None or outcome.action == DELETE:
                decided.add(one.name)
        self._note(seen, removed, decided)

    def _note(self, seen: dict[int, str], removed: set[t.Any], decided: set[str]) -> None:
        if seen or removed & self.created().keys() or decided & self.requested().keys():
            with self._edit() as (created, requested):
                created.update(seen)
                _drop(created, removed)
                _drop(requested, decided)

    def require_whole(self) -> None:
        """Raise InvalidInput if the note exists and cannot be read."""
        if self._is_damaged():
            raise InvalidInput(
                f"prune.from_journal: {self._what} in {self._path} is damaged or open to other users, so it is not "
                "known which instances the fleet has created. Nothing was done.",
                next_step="Restore a good copy of the file with mode 0600, or remove the file: the fleet then does not "
                "know its present instances, and prune keeps them.",
                option="prune",
            )

    def warn_if_damaged(self) -> None:
        """Warn that the fleet has forgotten its instances."""
        if self._is_damaged():
            self._task.warn(
                f"{self._what[0].upper()}{self._what[1:]} in {self._path} is damaged or open to other users: the fleet "
                "no longer knows which instances it has created, and prune.from_journal will keep them. A new "
                "note will replace this one as soon as there is something to note."
            )

    def _is_damaged(self) -> bool:
        return _content(read_json(self._path)) is None and os.path.lexists(self._path)

    def _read(self) -> tuple[dict[int, str], Requests]:
        return _content(read_json(self._path)) or ({}, {})

    @contextlib.contextmanager
    def _edit(self) -> t.Iterator[tuple[dict[int, str], Requests]]:
        """Give what is noted, under the lock, and write what it has become."""
        wait = self._task.deadline.within(JOURNAL_LOCK_TIMEOUT, "wait for the note")
        with file_lock(self._folder, self._key, wait, what=self._what):
            created, requested = self._read()
            yield created, requested
            names = {str(number): name for number, name in created.items()}
            write_json(self._path, {"made": names, "asked_for": requested})


def _content(kept: t.Any) -> tuple[dict[int, str], Requests] | None:
    """Return the content of the note, None if it is not a note."""
    try:
        created = {int(number): str(name) for number, name in kept["made"].items()}
        return created, {str(name): old if old is None else int(old) for name, old in kept["asked_for"].items()}
    except (TypeError, KeyError, ValueError, AttributeError):
        return None


def _drop(noted: dict[_Key, t.Any], keys: t.Iterable[_Key]) -> None:
    for key in keys:
        noted.pop(key, None)
