# Copyright (c) 2026, FCD collection contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The creates that the tool sends, noted in advance like those of the module instance, so that none is sent twice.

The tool only knows an instance once its plugin has reported an ID. If it is interrupted before that, the notes tell the
next run that there may be an instance that the state does not have.
"""

from __future__ import annotations

import os
import typing as t

from .._connection.task import Params, Task
from .._core.errors import CannotDetermine, FcdError, OperationFailed
from .._engine.change import Change
from .._engine.create_once import (
    CREATE_ADVICE,
    NOTHING_SENT,
    CreateNote,
    CreateSettings,
    create_note,
    find_earlier,
    identity_of,
    lock_note,
)
from .._engine.scheduler import run_jobs
from .._infrastructure.api import Infrastructure
from .._infrastructure.create_trace import RequestedObject
from .._infrastructure.instance.instance_planning import DeclaredInstance
from .._infrastructure.instance.instance_records import InstanceSearch
from .._infrastructure.rest_changes import wait_until_listed
from .._infrastructure.rest_creation import RestCreation, wait_until_created
from .plans_and_states import PlannedCreate
from .plugin_schema import instance_name_of

if t.TYPE_CHECKING:
    import contextlib

WAIT_TIMEOUT = 2700.0
WAIT_PARAMS = {"wait": True, "wait_timeout": WAIT_TIMEOUT}
ManagedInstances = t.Mapping[str, t.Mapping[str, t.Any]]


class ToolCreates:
    """The creates of one run in a folder, by the names of instances; ``locks`` holds theirs until it is closed.

    ``unclear`` has the labels that must not be created in this run, because it is not known whether that was done.
    """

    def __init__(
        self,
        task: Task,
        params: Params,
        folder: str,
        infrastructure: t.Callable[[], Infrastructure],
        locks: contextlib.ExitStack,
    ) -> None:
        self._task, self._params, self._folder, self._locks = task, params, os.path.realpath(folder), locks
        self.infrastructure = infrastructure
        self._once = CreateSettings.of(task, params["create_grace"], force=params["force_create"])
        self._notes: dict[str, tuple[CreateNote, t.Callable[[], None]]] = {}
        self._known: dict[str, set[int]] = {}
        self._planned: t.Sequence[PlannedCreate] = ()
        self._created: dict[str, int] = {}
        self.unclear: dict[str, CannotDetermine] = {}

    def found(self, instances: ManagedInstances, managed: ManagedInstances) -> dict[str, str]:
        """Return the IDs, as text, by label, of instances that were requested before and are missing from the state.

        Both mappings are attributes by label. What this folder did not request only counts with adopt.
        """
        recorded = ids_of(managed)
        for label, number in recorded.items():
            self._recorded(instance_name_of(managed[label]), number)
        missing = {label: entry["instance_name"] for label, entry in instances.items() if label not in managed}
        labels = {name: label for label, name in missing.items()}
        found: dict[str, int | None] = {}
        for name in sorted(labels):
            every = [label for label, one in missing.items() if one == name]
            try:
                found[name] = self._found(name, len(every))
            except CannotDetermine as error:
                error.message = error.message.replace(NOTHING_SENT, "")  # the others are carried out
                self.unclear.update(dict.fromkeys(every, error))
        self._read_known(set(labels))
        # what the state has under another label is not imported a second time: the tool would remove it there
        new = {name: number for name, number in found.items() if number not in (None, *recorded.values())}
        return {labels[name]: str(number) for name, number in new.items()}

    def _recorded(self, name: str, number: int) -> None:
        """Forget the intent of an instance: the state has its ID now, unless it is the ID of an earlier one."""
        note = create_note(self._task, identity_of(self._task, "instance", name))
        left = note.read()
        if left and left.get("folder") == self._folder and number not in left["known"]:
            self._note_number(name, number, left["known"])
        lead = note.lead() or {}
        if (lead.get("folder"), lead.get("id")) == (self._folder, number):  # no list has shown it without a duplicate
            self._created[name] = number
            self._known[name] = set(lead["known"])

    def _found(self, name: str, entries: int) -> int | None:
        """Return the ID of what was requested before under this name, which ``entries`` entries have."""
        intent, _before_sending = self._locked(name)
        left = intent.read() or intent.lead()
        number = None if left is None else self._looked_for(name, intent, left)
        if left is None or number is None:
            return None
        if entries > 1:
            raise CannotDetermine(
                f"Cannot determine which of the entries with the name {name!r} is instance {number}: an earlier run "
                "requested it and was interrupted.",
                next_step="Keep only one entry with that name in instances for one run.",
                id=number,
            )
        ours = left.get("folder") == self._folder
        intent.add_answer(id=number, known=left.get("known") or [], **({"folder": self._folder} if ours else {}))
        intent.clear()
        return number if ours or self._params["adopt"] else None

    def _locked(self, name: str) -> tuple[CreateNote, t.Callable[[], None]]:
        if name not in self._notes:
            identity = identity_of(self._task, "instance", name)
            self._notes[name] = self._locks.enter_context(lock_note(self._once, identity, f"instance {name!r}"))
        return self._notes[name]

    def _looked_for(self, name: str, intent: CreateNote, left: t.Mapping[str, t.Any]) -> int | None:
        """Return the ID of what was requested before; if it is still being created, wait for it."""
        instance, what = self._instance(name, left.get("known") or ()), f"instance {name!r}"
        creation = RestCreation(instance, {"name": name})
        found = find_earlier(self._once, creation, intent, what, left)
        if found is None:
            return None
        request = RequestedObject(**t.cast("dict[str, t.Any]", found))
        job = wait_until_created(instance.context, creation, request, f"Waiting for {what}")
        _number, record = instance.run_job(job)
        return int(record["id"])

    def _instance(self, name: str, known: t.Iterable[int]) -> DeclaredInstance:
        """Return an instance of that name; ``known`` are the IDs of others, which are not meant."""
        search = InstanceSearch(self.infrastructure())
        search.ignored.update(known)
        return DeclaredInstance(self._task, search, {**self._params, **WAIT_PARAMS}, name)

    def _read_known(self, names: t.Collection[str]) -> None:
        """Note which instances have these names before anything is sent: none of them is a result of it."""
        if names:
            listed = InstanceSearch(self.infrastructure()).by_names(names)
            self._known.update({name: {one["id"] for one in records} for name, records in listed.items()})

    def begin(self, planned: t.Sequence[PlannedCreate], managed: ManagedInstances) -> None:
        """Note what the tool is going to request; ``managed`` are attributes by label of what it had so far.

        Raises Busy, CannotDetermine and InvalidInput, before anything is sent.
        """
        self._planned, names = planned, sorted({one.name for one in planned})
        self._read_known(set(names) - set(self._notes))
        for name in names:
            self._lock_late(name)
        numbers = ids_of(managed)
        for one in planned:  # a list may still show one that was replaced
            self._known[one.name].update({numbers[one.label]} if one.label in numbers else ())
        noted = []
        try:
            for name in names:
                intent, before_sending = self._notes[name]
                before_sending()
                noted.append(intent)
                intent.write(folder=self._folder, known=sorted(self._known[name]))
        except FcdError:
            for intent in noted:
                intent.withdraw()
            raise

    def _lock_late(self, name: str) -> None:
        """Lock a name that was in the state, so that it was not looked for. Raises CannotDetermine for a noted one."""
        if name in self._notes:
            return
        if self._locked(name)[0].read() is not None and not self._once.force:
            raise CannotDetermine(
                f"Cannot determine whether instance {name!r} exists: an earlier create had no clear outcome."
                f"{NOTHING_SENT}",
                next_step=CREATE_ADVICE,
            )

    def ended(self, applied: ManagedInstances, unclear: t.Collection[str]) -> None:
        """Note the result: attributes by address, and the addresses of what may have been sent, whose notes stay.

        The others were not sent, or were refused.
        """
        waiting = {one.name for one in self._planned if one.address in unclear}
        numbers = ids_of(applied)
        for one in self._planned:
            if one.name in waiting:
                continue
            if one.address not in applied:
                self._notes[one.name][0].withdraw()
            elif one.address in numbers:
                self._created[one.name] = numbers[one.address]
                self._known[one.name].add(numbers[one.address])
                self._note_number(one.name, numbers[one.address], self._known[one.name])
            else:
                self._notes[one.name][0].clear()

    def _note_number(self, name: str, number: int, known: t.Iterable[int]) -> None:
        intent, _before_sending = self._locked(name)
        intent.add_answer(folder=self._folder, id=number, known=sorted(known))
        intent.clear()

    def seen_once(self, recorded: ManagedInstances) -> None:
        """Look for new instances in a list, for the grace time; ``recorded`` are the attributes in the state now.

        Raises Ambiguous if there is another one with the same name, in every run until that is gone.
        """
        if not self._created:
            return

        self._locks.close()
        there, jobs, deadline = set(ids_of(recorded).values()), {}, self._task.deadline.within(WAIT_TIMEOUT, "wait")
        for name, number in self._created.items():
            instance = self._instance(name, self._known[name] - {number})
            instance.is_new = True
            if number in there:
                jobs[name] = wait_until_listed(instance, {"id": number, "name": name})
            else:
                instance.trace(name).note.clear_lead()
        for error in filter(None, run_jobs(jobs, deadline, tell=self._task.tell).values()):
            raise error

    def still_there(self, removed: t.Mapping[str, int]) -> dict[str, int]:
        """Return those of these instances, IDs by address, that the service has after the grace time."""
        jobs = {}
        for address, number in removed.items():
            context = self._instance(address, ()).context
            change = Change(
                context, number, f"Removing {address}", lambda: None, lambda seen: seen is None, removes=True
            )
            jobs[address] = change.wait(None)
        there = {}
        for address, ended in run_jobs(jobs, self._task.deadline.within(WAIT_TIMEOUT, "wait")).items():
            if isinstance(ended, OperationFailed):
                there[address] = removed[address]
            elif isinstance(ended, FcdError):
                self._task.warn(f"It could not be checked whether {address} was removed: {ended.message}")
        return there


def ids_of(instances: ManagedInstances) -> dict[str, int]:
    """Return the IDs of instances, as far as the plugin reports them."""
    numbers = {key: str(attributes.get("id")) for key, attributes in instances.items()}
    return {key: int(number) for key, number in numbers.items() if number.isdecimal()}
